//! Memory that threads share without synchronisation of its own, watched for data races.
//!
//! Accesses are not visible operations: they are compared by what *synchronises* threads (Flanagan and Freund
//! 2009, with full vector clocks), which is less than what orders them: a load that is merely earlier than a store orders
//! nothing, and a relaxed access doesn't synchronise. Two accesses race if neither is ordered before the other
//! and one of them writes. All executions of one trace agree about that, so one of them is enough: therefore events that don't depend on
//! each other, such as those of two readers of a lock, don't synchronise their threads either, whichever comes first.

use crate::failure::FailureKind;
use crate::runtime::Runtime;
use crate::runtime::control::{self, End};
use crate::runtime::operation::{Access, Class, Event, Kind};
use std::collections::HashMap;
use std::panic::Location;
use std::sync::Mutex;

type Clock = Vec<u32>;

/// An access: who, at which moment of its own, and where.
#[derive(Copy, Clone, Debug)]
struct Mark {
    thread: u32,
    moment: u32,
    location: &'static Location<'static>,
}

#[derive(Clone, Debug, Default)]
struct Watched {
    write: Option<Mark>,
    reads: Vec<Mark>,
}

/// What synchronises threads, and the accesses to all cells.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    /// Whether the program has any: until the first one is made, nothing is recorded.
    wanted: bool,
    clocks: Vec<Clock>,
    /// By thread: what its last release fence passes on with each later store.
    fenced: Vec<Clock>,
    /// By thread: what its relaxed loads have met, for an acquire fence.
    loaded: Vec<Clock>,
    /// By object, and by the class of what released it or the message of a channel.
    released: HashMap<(u32, u32), Clock>,
    cells: Vec<Watched>,
}

/// The clock of a thread in a list that grows.
fn of(clocks: &mut Vec<Clock>, thread: u32) -> &mut Clock {
    if clocks.len() <= thread as usize {
        clocks.resize_with(thread as usize + 1, Clock::new);
    }
    &mut clocks[thread as usize]
}

fn join(into: &mut Clock, from: &Clock) {
    if into.len() < from.len() {
        into.resize(from.len(), 0);
    }
    for (mine, other) in into.iter_mut().zip(from) {
        *mine = (*mine).max(*other);
    }
}

/// The classes of events that release something, and so many numbers that stand for them.
const CLASSES: [Class; 5] = [Class::Read, Class::Write, Class::Add, Class::Share, Class::Receive];
const MESSAGES: u32 = 8;

impl Cells {
    pub(crate) fn begin(&mut self) {
        self.clocks.clear();
        self.fenced.clear();
        self.loaded.clear();
        self.released.clear();
        self.cells.clear();
        if self.wanted {
            self.clock(0);
        }
    }

    fn clock(&mut self, thread: u32) -> &mut Clock {
        let index = thread as usize;
        while self.clocks.len() <= index {
            let number = self.clocks.len();
            let mut clock = vec![0; number + 1];
            clock[number] = 1;
            self.clocks.push(clock);
        }
        &mut self.clocks[index]
    }

    /// A thread was made: it knows what its parent knows.
    pub(crate) fn spawned(&mut self, runtime: &Runtime, child: u32) {
        if self.wanted {
            let parent = self.clock(runtime.current).clone();
            join(self.clock(child), &parent);
            // What the parent does from now on, the child does not know.
            self.clock(runtime.current)[runtime.current as usize] += 1;
        }
    }

    /// A fence of a thread, which acquires (1) or releases (2), or both.
    pub(crate) fn fence(&mut self, thread: u32, ordering: u8) {
        if !self.wanted {
            return;
        }
        if ordering & 1 != 0
            && let Some(loaded) = self.loaded.get(thread as usize).cloned()
        {
            join(self.clock(thread), &loaded);
        }
        if ordering & 2 != 0 {
            let clock = self.clock(thread).clone();
            *of(&mut self.fenced, thread) = clock;
            self.clock(thread)[thread as usize] += 1;
        }
    }

    fn learn(&mut self, thread: u32, from: (u32, u32)) {
        if let Some(clock) = self.released.get(&from).cloned() {
            join(self.clock(thread), &clock);
        }
    }

    /// A thread learns what was released by events of an object that its event depends on.
    fn acquire(&mut self, access: &Access) {
        let met = self.met(access);
        join(self.clock(access.thread), &met);
    }

    /// What was released by events of an object that an event depends on.
    fn met(&self, access: &Access) -> Clock {
        let mut met = Clock::new();
        for class in CLASSES {
            // Reads, additions and readers commute with their like.
            if (class != access.class || class == Class::Write)
                && let Some(clock) = self.released.get(&(access.object.0, class as u32))
            {
                join(&mut met, clock);
            }
        }
        met
    }

    fn release(&mut self, thread: u32, to: (u32, u32)) {
        let clock = self.clock(thread).clone();
        join(self.released.entry(to).or_default(), &clock);
    }

    /// A store, of an atomic variable: it passes on all that the thread knows, or what it knew at its last release fence.
    fn store(&mut self, ordering: u8, thread: u32, to: (u32, u32)) {
        if ordering & 2 != 0 {
            self.release(thread, to);
        } else if let Some(fenced) = self.fenced.get(thread as usize).filter(|clock| !clock.is_empty()) {
            let fenced = fenced.clone();
            join(self.released.entry(to).or_default(), &fenced);
        }
    }

    /// The last event may have synchronised threads.
    pub(crate) fn performed(&mut self, runtime: &Runtime) {
        if !self.wanted {
            return;
        }
        let Some(event) = runtime.events.last() else { return };
        let Event { access, operation, outcome, .. } = event;
        let me = access.thread;
        let object = (operation.object.0, access.class as u32);
        let message = |number: u64| (operation.object.0, MESSAGES + number as u32 + 1);
        let done = access.class != Class::Read;
        match operation.kind {
            Kind::Lock | Kind::ReadLock | Kind::WriteLock | Kind::Acquire | Kind::Park | Kind::Join => {
                self.acquire(access);
            }
            Kind::TryLock | Kind::TryRead | Kind::TryWrite | Kind::TryAcquire | Kind::ParkTimeout if done => {
                self.acquire(access);
            }
            Kind::Begin | Kind::Taken => self.acquire(access),
            Kind::Pass => self.learn(me, message(operation.operand)),
            Kind::IsDone if *outcome == 2 => self.acquire(access),
            Kind::IsFinished if *outcome == 1 => self.acquire(access),
            Kind::Unlock | Kind::ReadUnlock | Kind::WriteUnlock | Kind::Release => self.release(me, object),
            Kind::End | Kind::Exit | Kind::Unpark | Kind::DropSender => self.release(me, object),
            // Each round of a barrier by itself. The last to arrive goes on at once.
            Kind::Arrive => {
                self.release(me, message(*outcome >> 1));
                if *outcome & 1 == 1 {
                    self.learn(me, message(*outcome >> 1));
                }
            }
            Kind::Send | Kind::TrySend if *outcome == 1 => {
                self.release(me, message(crate::runtime::object::sent(event.before)));
            }
            Kind::Receive | Kind::TryReceive if *outcome == 1 => {
                self.learn(me, message(crate::runtime::object::received(event.before)));
                // The sender at a rendezvous learns what the receiver knew.
                self.release(me, object);
            }
            Kind::Receive | Kind::TryReceive if *outcome == 2 => self.acquire(access),
            Kind::Store => {
                for class in CLASSES {
                    self.released.remove(&(operation.object.0, class as u32));
                }
                self.store(operation.ordering, me, object);
            }
            Kind::Load | Kind::Swap | Kind::CompareExchange | Kind::Update | Kind::Add => {
                let fails = operation.kind == Kind::CompareExchange && !done;
                if operation.ordering & if fails { 4 } else { 1 } != 0 {
                    self.acquire(access);
                } else {
                    let met = self.met(access);
                    join(of(&mut self.loaded, me), &met);
                }
                if operation.kind != Kind::Load && (done || operation.kind == Kind::Swap) {
                    self.store(operation.ordering, me, object);
                }
            }
            _ => {}
        }
        let clock = self.clock(me);
        clock[me as usize] += 1;
    }

    /// An access to a cell; what it races with.
    fn touch(
        &mut self,
        thread: u32,
        cell: usize,
        writes: bool,
        location: &'static Location<'static>,
    ) -> Option<String> {
        let clock = self.clock(thread).clone();
        let knows = |mark: &Mark| clock.get(mark.thread as usize).copied().unwrap_or(0) >= mark.moment;
        let watched = &mut self.cells[cell];
        let words = |writes: bool| if writes { "a write" } else { "a read" };
        if let Some(mark) = watched.write.filter(|mark| !knows(mark)) {
            return Some(format!(
                "{} at {location} by thread {thread} and a write at {} by thread {}, with nothing between them that synchronises",
                words(writes),
                mark.location,
                mark.thread
            ));
        }
        if writes && let Some(mark) = watched.reads.iter().find(|mark| !knows(mark)) {
            return Some(format!(
                "a write at {location} by thread {thread} and a read at {} by thread {}, with nothing between them that synchronises",
                mark.location, mark.thread
            ));
        }
        let mark = Mark { thread, moment: clock[thread as usize], location };
        if writes {
            watched.write = Some(mark);
            watched.reads.clear();
        } else {
            watched.reads.retain(|other| other.thread != thread);
            watched.reads.push(mark);
        }
        None
    }
}

/// Who watches a cell.
#[derive(Debug)]
struct Watch {
    cell: usize,
    epoch: u32,
}

impl Watch {
    fn new() -> Watch {
        let (cell, epoch, first) = control::with(|control| {
            let first = !control.cells.wanted;
            if first {
                // From now on; this execution starts again, so that everything before is known.
                control.cells.wanted = true;
                control.finish(End::Again);
            }
            control.cells.cells.push(Watched::default());
            (control.cells.cells.len() - 1, control.runtime.epoch, first)
        });
        if first && !control::unwinding() {
            control::over();
        }
        Watch { cell, epoch }
    }

    fn touch(&self, writes: bool, location: &'static Location<'static>) {
        let over = control::with(|control| {
            if control.end.is_some() || control.runtime.epoch != self.epoch {
                return false;
            }
            let me = control.current();
            match control.cells.touch(me, self.cell, writes, location) {
                Some(what) => {
                    control.finish(End::Failed(FailureKind::DataRace(what)));
                    true
                }
                None => false,
            }
        });
        if over {
            control::over();
        }
    }
}

/// Like [`std::cell::UnsafeCell`], with its accesses watched for data races.
///
/// It is `Sync` no more than that of the standard library: whoever shares it says so, and is checked.
#[derive(Debug)]
pub struct UnsafeCell<T: ?Sized> {
    watch: Watch,
    value: std::cell::UnsafeCell<T>,
}

impl<T> UnsafeCell<T> {
    /// A cell with a value.
    pub fn new(value: T) -> UnsafeCell<T> {
        UnsafeCell { watch: Watch::new(), value: std::cell::UnsafeCell::new(value) }
    }

    /// The value, when nobody else has the cell.
    pub fn into_inner(self) -> T {
        self.value.into_inner()
    }
}

impl<T: ?Sized> UnsafeCell<T> {
    /// Reads through a pointer that is good while `f` runs.
    #[track_caller]
    pub fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
        self.watch.touch(false, Location::caller());
        f(self.value.get())
    }

    /// Writes through a pointer that is good while `f` runs.
    #[track_caller]
    pub fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
        self.watch.touch(true, Location::caller());
        f(self.value.get())
    }

    /// The value, when nobody else can touch it.
    pub fn get_mut(&mut self) -> &mut T {
        self.value.get_mut()
    }
}

/// A variable for tests of synchronisation: like plain memory it needs others to synchronise, and unlike
/// plain memory it can be shared without unsafe code.
#[derive(Debug)]
pub struct Tracked<T> {
    watch: Watch,
    value: Mutex<T>,
}

impl<T: Clone> Tracked<T> {
    /// A variable with a value.
    pub fn new(value: T) -> Tracked<T> {
        Tracked { watch: Watch::new(), value: Mutex::new(value) }
    }

    /// Reads it.
    #[track_caller]
    pub fn get(&self) -> T {
        self.watch.touch(false, Location::caller());
        self.value.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }

    /// Writes it.
    #[track_caller]
    pub fn set(&self, value: T) {
        self.watch.touch(true, Location::caller());
        *self.value.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = value;
    }
}
