//! Control over a program: every visible operation comes here, and here it is decided who goes on.
//!
//! A thread announces an operation, the strategy chooses a thread, and the operation of the chosen one is
//! performed. If that is the thread that runs anyway, nothing is switched. A new thread runs up to its first
//! announcement before its parent goes on, so that at every decision the next operation of every thread is known.

use super::Runtime;
use super::fiber::{self, Body, Fibers};
use super::object::Shape;
use super::operation::{Kind, NONE, Operation};
use super::spin::{Loop, Loops, ROUNDS, Reads, Trial};
use crate::failure::FailureKind;
use crate::search::{Choice, Strategy};
use crate::watchdog::Pulse;
use mazurka_model::ObjectId;
use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};
use std::sync::Arc;

/// How an execution ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// All threads are at their ends.
    Complete,
    /// Every step that is left is asleep: it was explored elsewhere.
    Redundant,
    /// It was longer than allowed.
    Cut,
    /// It is to be repeated, because something was learnt about the program.
    Again,
    /// A failure.
    Failed(FailureKind),
}

/// What to do about a thread that panics.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    /// The execution fails; else the panic is what `join` returns.
    pub(crate) panics_fail: bool,
    /// Threads that wait for ever after the first thread has returned are a failure.
    pub(crate) leaks_fail: bool,
    /// How many events an execution may have.
    pub(crate) most_steps: u32,
    /// How many steps a thread may be kept from moving by others; 0 for any number.
    pub(crate) livelock: u32,
    /// Waits for condition variables may end by themselves.
    pub(crate) spurious: bool,
}

/// What unwinds the threads of an execution that is over.
pub(crate) struct Teardown;

/// A destructor of a thread-local value, and the value.
pub(crate) type Local = Box<dyn Any>;

/// An execution and who steers it.
pub(crate) struct Control {
    pub(crate) runtime: Runtime,
    pub(crate) strategy: Box<dyn Strategy>,
    pub(crate) rules: Rules,
    pub(crate) loops: Loops,
    /// How it ended, as soon as that is certain.
    pub(crate) end: Option<End>,
    /// The thread whose stack is being unwound after the end.
    torn: u32,
    /// The thread to run next.
    next: u32,
    /// A thread that is to be started.
    birth: Option<(u32, Body)>,
    /// The thread that is being started, and its parent.
    starting: Option<(u32, u32)>,
    /// What panics said, by thread.
    pub(crate) panics: Vec<(u32, String)>,
    /// Values of thread-local variables, by thread and variable.
    pub(crate) locals: HashMap<(u32, usize), Local>,
    /// Objects of static variables, by address.
    pub(crate) statics: HashMap<usize, Box<dyn Any>>,
    /// Conditions that some execution shall meet, and whether one did.
    pub(crate) sometimes: HashMap<&'static Location<'static>, (String, bool)>,
    /// When each thread was last able to move, for the detection of livelocks.
    able: Vec<u32>,
    /// What is known of memory accesses, if the program has tracked cells.
    pub(crate) cells: crate::cell::Cells,
    /// Who is told that something happens.
    pub(crate) pulse: Option<Arc<Pulse>>,
}

thread_local! {
    static CONTROL: RefCell<Option<Box<Control>>> = const { RefCell::new(None) };
}

/// Whether this is a thread under control.
pub(crate) fn controlled() -> bool {
    CONTROL.with(|control| control.try_borrow().map_or(true, |control| control.is_some()))
}

/// Access to the control of this execution.
#[track_caller]
pub(crate) fn with<R>(f: impl FnOnce(&mut Control) -> R) -> R {
    CONTROL.with(|control| match control.borrow_mut().as_deref_mut() {
        Some(control) => f(control),
        None => panic!("types of mazurka::live work only inside of mazurka::live::check"),
    })
}

/// The same where a destructor may run outside.
pub(crate) fn try_with<R>(f: impl FnOnce(&mut Control) -> R) -> Option<R> {
    CONTROL.with(|control| control.try_borrow_mut().ok()?.as_deref_mut().map(f))
}

/// A shared object as its owner knows it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Handle {
    id: ObjectId,
    epoch: u32,
}

impl Handle {
    /// Makes an object in the current execution.
    #[track_caller]
    pub(crate) fn new(shape: Shape, state: u64) -> Handle {
        let location = Location::caller();
        with(|control| {
            let id = control.runtime.make(shape, state, location);
            Handle { id, epoch: control.runtime.epoch }
        })
    }

    /// An object of the run time itself.
    pub(crate) fn of(control: &Control, id: ObjectId) -> Handle {
        Handle { id, epoch: control.runtime.epoch }
    }

    pub(crate) fn id(self) -> ObjectId {
        self.id
    }

    /// Performs an operation on it.
    #[track_caller]
    pub(crate) fn perform(self, kind: Kind, operand: u64, second: u64) -> u64 {
        let mut operation = Operation::with(kind, self.id, operand);
        operation.second = second;
        self.check();
        visible(operation)
    }

    /// Performs an access to an atomic variable.
    #[track_caller]
    pub(crate) fn access(self, kind: Kind, operand: u64, second: u64, ordering: u8) -> u64 {
        let mut operation = Operation::with(kind, self.id, operand);
        operation.second = second;
        operation.ordering = ordering;
        self.check();
        visible(operation)
    }

    /// Performs an operation in a destructor: after the end of the execution it does nothing.
    #[track_caller]
    pub(crate) fn release(self, kind: Kind, operand: u64) {
        let goes_on = try_with(|control| control.end.is_none() && control.runtime.epoch == self.epoch);
        if goes_on == Some(true) {
            visible(Operation::with(kind, self.id, operand));
        }
    }

    /// Performs an operation without operands.
    #[track_caller]
    pub(crate) fn simple(self, kind: Kind) -> u64 {
        self.perform(kind, 0, 0)
    }

    #[track_caller]
    fn check(self) {
        let epoch = with(|control| control.runtime.epoch);
        assert!(
            epoch == self.epoch || unwinding(),
            "this object was made outside of the execution that uses it: make it inside of the closure that is \
             checked, or in a static LazyLock of mazurka::live"
        );
    }

    /// Sets the state of the object: the value of an atomic variable after an update.
    pub(crate) fn set(self, state: u64) {
        try_with(|control| control.runtime.objects[self.id.index()].state = state);
    }
}

impl Control {
    pub(crate) fn new(strategy: Box<dyn Strategy>, rules: Rules) -> Control {
        Control {
            runtime: Runtime::new(),
            strategy,
            rules,
            loops: Loops::default(),
            end: None,
            torn: NONE,
            next: NONE,
            birth: None,
            starting: None,
            panics: Vec::new(),
            locals: HashMap::new(),
            statics: HashMap::new(),
            sometimes: HashMap::new(),
            able: Vec::new(),
            cells: crate::cell::Cells::default(),
            pulse: None,
        }
    }

    /// The thread that runs.
    pub(crate) fn current(&self) -> u32 {
        self.runtime.current
    }

    fn begin(&mut self, location: &'static Location<'static>) {
        self.runtime.races_from = self.strategy.begin();
        self.runtime.begin(location);
        self.end = None;
        self.torn = NONE;
        self.next = NONE;
        self.starting = None;
        self.panics.clear();
        self.locals.clear();
        self.statics.clear();
        self.able.clear();
        self.cells.begin();
    }

    /// Ends the execution, unless it is over.
    pub(crate) fn finish(&mut self, end: End) {
        if self.end.is_none() {
            self.end = Some(end);
        }
    }

    /// Decides who goes on, and performs its operation. `NONE` at the end.
    fn schedule(&mut self) -> u32 {
        if self.end.is_some() {
            return NONE;
        }
        if let Some(trial) = self.loops.trial {
            return self.alone(trial);
        }
        if self.runtime.events.len() as u32 >= self.rules.most_steps {
            self.finish(End::Cut);
            return NONE;
        }
        match self.strategy.choose(&self.runtime) {
            Choice::Step { thread, choice } => {
                self.runtime.perform(thread, choice);
                self.strategy.performed(&self.runtime);
                if self.rules.livelock > 0 {
                    self.watch();
                }
                self.cells.performed(&self.runtime);
                if let Some(pulse) = &self.pulse {
                    pulse.beat(thread, self.runtime.threads[thread as usize].pending.location);
                }
                thread
            }
            Choice::Nobody => {
                let end = if self.runtime.finished() {
                    End::Complete
                } else {
                    match crate::failure::stuck(&self.runtime, self.rules.leaks_fail) {
                        Some(kind) => End::Failed(kind),
                        None => End::Complete,
                    }
                };
                self.finish(end);
                NONE
            }
            Choice::Redundant => {
                self.finish(End::Redundant);
                NONE
            }
            Choice::Refuted(why) => {
                self.finish(End::Failed(FailureKind::WrongDescription(why)));
                NONE
            }
            Choice::Impossible(why) => {
                self.finish(End::Failed(FailureKind::Nondeterminism(why)));
                NONE
            }
        }
    }

    /// Lets a thread run alone, to see whether its loop waits.
    fn alone(&mut self, trial: Trial) -> u32 {
        let operation = self.runtime.threads[trial.thread as usize].pending;
        let reads = matches!(operation.kind, Kind::Load | Kind::CompareExchange | Kind::Swap | Kind::TryLock)
            || matches!(
                operation.kind,
                Kind::TryReceive | Kind::IsDone | Kind::TryAcquire | Kind::IsFinished | Kind::IsPoisoned
            )
            || matches!(operation.kind, Kind::TryRead | Kind::TryWrite | Kind::ParkTimeout | Kind::TrySend);
        if !reads || operation.object != trial.object {
            self.loops.learn(Loop::Counts);
            self.finish(End::Again);
            return NONE;
        }
        self.runtime.perform(trial.thread, NONE);
        trial.thread
    }

    /// A thread span: it has nothing to do until something changes.
    fn spin(&mut self, place: &'static Location<'static>) {
        let me = self.current();
        self.runtime.threads[me as usize].yielded = true;
        let reads = self.runtime.threads[me as usize].reads;
        let Reads::One(object, _) = reads else {
            if self.loops.trial.is_some() {
                self.loops.learn(Loop::Counts);
                self.finish(End::Again);
            }
            return;
        };
        let past = self.runtime.threads[me as usize].past;
        match (self.loops.trial, self.loops.known(place, past)) {
            (Some(trial), _) if trial.place != place => {
                self.loops.learn(Loop::Counts);
                self.finish(End::Again);
            }
            (Some(trial), _) if trial.rounds >= ROUNDS => {
                self.loops.learn(Loop::Waits);
                self.finish(End::Again);
            }
            (Some(trial), _) => {
                self.loops.trial = Some(Trial { rounds: trial.rounds + 1, ..trial });
                self.runtime.threads[me as usize].reads.clear();
            }
            (None, None) => {
                self.loops.trial = Some(Trial { thread: me, place, past, object, rounds: 0 });
                self.runtime.threads[me as usize].reads.clear();
            }
            (None, Some(Loop::Waits)) => {
                self.runtime.threads[me as usize].waits = Some(reads);
                self.runtime.threads[me as usize].reads.clear();
            }
            (None, Some(Loop::Counts)) => self.runtime.threads[me as usize].reads.clear(),
        }
    }

    /// Looks for threads that others keep from moving.
    fn watch(&mut self) {
        let now = self.runtime.events.len() as u32;
        for &thread in &self.runtime.born {
            let index = thread as usize;
            if self.able.len() <= index {
                self.able.resize(index + 1, now);
            }
            if !self.runtime.threads[index].alive || self.runtime.enabled(thread) {
                self.able[index] = now;
            } else if now - self.able[index] > self.rules.livelock {
                self.end = Some(End::Failed(FailureKind::Livelock { thread, steps: self.rules.livelock }));
                return;
            }
        }
    }

    fn announce(&mut self, mut operation: Operation) -> u32 {
        let me = self.runtime.current;
        let thread = &mut self.runtime.threads[me as usize];
        if let Some(Reads::One(object, since)) = thread.waits.take()
            && object == operation.object
        {
            operation.awaits = since;
        }
        thread.pending = operation;
        if let Some((child, parent)) = self.starting
            && child == me
        {
            self.starting = None;
            self.runtime.current = parent;
            return parent;
        }
        self.schedule()
    }

    /// Whether the running thread unwinds, so that only destructors call.
    fn unwinding(&self) -> bool {
        std::thread::panicking() && self.runtime.threads[self.current() as usize].panicking
    }

    /// Takes note of a panic of the running thread.
    pub(crate) fn panicked(&mut self, message: String) {
        let me = self.current();
        self.runtime.threads[me as usize].panicking = true;
        self.panics.push((me, message.clone()));
        if self.rules.panics_fail {
            self.finish(End::Failed(FailureKind::Panic { thread: me, message }));
        }
    }
}

/// Performs a visible operation of the running thread, when its turn has come.
pub(crate) fn visible(operation: Operation) -> u64 {
    enum Now {
        Done(u64),
        Switch(u32),
        Over,
        Unwinding,
    }
    let now = with(|control| {
        let me = control.runtime.current;
        if control.end.is_some() {
            return if control.unwinding() { Now::Unwinding } else { Now::Over };
        }
        let next = control.announce(operation);
        if next == me {
            Now::Done(control.runtime.threads[me as usize].outcome)
        } else if next == NONE {
            Now::Over
        } else {
            control.next = next;
            Now::Switch(me)
        }
    });
    match now {
        Now::Done(outcome) => outcome,
        Now::Unwinding => 0,
        // The end that this very announcement brought about must not unwind a thread that unwinds.
        Now::Over if unwinding() => 0,
        Now::Over => over(),
        Now::Switch(me) => {
            fiber::suspend();
            let outcome = with(|control| match control.end {
                None => Some(control.runtime.threads[me as usize].outcome),
                Some(_) if control.unwinding() => Some(0),
                Some(_) => None,
            });
            outcome.unwrap_or_else(|| over())
        }
    }
}

/// The execution is over: waits until it is this thread's turn to be unwound, and unwinds.
pub(crate) fn over() -> ! {
    let (turn, me) = with(|control| (control.torn, control.current()));
    if turn != me {
        fiber::suspend();
    }
    with(|control| {
        let me = control.torn;
        control.runtime.threads[me as usize].panicking = true;
    });
    resume_unwind(Box::new(Teardown))
}

/// A destructor that runs while its thread is unwound needs what it can't have: the thread goes no further.
pub(crate) fn stuck() -> ! {
    loop {
        fiber::suspend();
    }
}

/// Whether the execution is over and the running thread only runs destructors.
pub(crate) fn unwinding() -> bool {
    try_with(|control| control.end.is_some() && control.unwinding()).unwrap_or(true)
}

/// Whether the wait of the running thread that begins now may end by itself: both are explored, once in the life of a thread.
#[track_caller]
pub(crate) fn wakes_by_itself() -> bool {
    let possible = with(|control| {
        let me = control.current() as usize;
        control.rules.spurious && control.end.is_none() && !control.runtime.threads[me].startled
    });
    let startled = possible && crate::choose::toss(2) == 1;
    if startled {
        with(|control| {
            let me = control.current() as usize;
            control.runtime.threads[me].startled = true;
        });
    }
    startled
}

/// Says that the running thread waits for others.
#[track_caller]
pub(crate) fn spin() {
    let place = Location::caller();
    let end = with(|control| {
        if control.end.is_none() {
            control.spin(place);
            control.end.is_some()
        } else {
            !control.unwinding()
        }
    });
    if end {
        over();
    }
}

/// Starts a thread: its creation is a visible operation, and it runs up to its first one.
///
/// The body must not borrow anything that is gone before the thread is.
#[track_caller]
pub(crate) fn spawn(name: Option<String>, body: Body) -> u32 {
    let location = Location::caller();
    let child = with(|control| control.runtime.conceive());
    let mut operation = Operation::with(Kind::Spawn, super::operation::NO_OBJECT, u64::from(child));
    operation.location = location;
    visible(operation);
    if unwinding() {
        stuck();
    }
    with(|control| {
        control.runtime.spawn(child, location);
        control.runtime.threads[child as usize].name = name;
        control.cells.spawned(&control.runtime, child);
        control.birth = Some((child, body));
        control.starting = Some((child, control.current()));
    });
    fiber::suspend();
    if with(|control| control.end.is_some()) {
        over();
    }
    child
}

/// What the fiber of a thread does.
fn live(body: Body) {
    let result = catch_unwind(AssertUnwindSafe(|| {
        body();
        crate::thread::local::drop_all();
        let life = with(|control| {
            let me = control.current();
            Handle::of(control, control.runtime.threads[me as usize].life)
        });
        life.simple(Kind::Exit);
    }));
    if let Err(payload) = result
        && !payload.is::<Teardown>()
    {
        // A panic that the hook has not seen, because it was resumed.
        with(|control| {
            if control.end.is_none() {
                control.finish(End::Failed(FailureKind::Panic {
                    thread: control.current(),
                    message: crate::failure::payload_text(&*payload),
                }));
            }
        });
    }
}

/// Runs one execution from its start to its end.
pub(crate) fn execute(
    control: Box<Control>,
    fibers: &mut Fibers,
    location: &'static Location<'static>,
    body: &dyn Fn(),
) -> Box<Control> {
    let before = CONTROL.with(|slot| slot.borrow_mut().replace(control));
    assert!(before.is_none(), "a check can't run inside of another one");
    with(|control| control.begin(location));
    // SAFETY: this function returns only after all fibers have ended or been discarded.
    let main = unsafe { fiber::erase(Box::new(body)) };
    fibers.create(0, Box::new(move || live(main)));
    let mut thread = 0;
    loop {
        let ended = fibers.resume(thread);
        let next = with(|control| {
            if let Some((child, body)) = control.birth.take() {
                fibers.create(child, Box::new(move || live(body)));
                control.runtime.current = child;
                return child;
            }
            if control.end.is_some() {
                return NONE;
            }
            if ended { control.schedule() } else { control.next }
        });
        if next == NONE {
            break;
        }
        thread = next;
    }
    tear_down(fibers);
    CONTROL.with(|slot| slot.borrow_mut().take()).expect("nobody takes the control of an execution away")
}

/// Unwinds the threads that are left, the youngest first, because they may borrow from older ones.
fn tear_down(fibers: &mut Fibers) {
    let born = with(|control| control.runtime.born.clone());
    for &thread in born.iter().rev() {
        if !fibers.unfinished(thread) {
            continue;
        }
        with(|control| {
            control.torn = thread;
            control.runtime.current = thread;
        });
        if !fibers.resume(thread) {
            fibers.discard(thread);
        }
    }
    // Values of thread-local and static variables go while the objects in them are still known.
    let (locals, statics) =
        with(|control| (std::mem::take(&mut control.locals), std::mem::take(&mut control.statics)));
    with(|control| control.finish(End::Complete));
    drop(locals);
    drop(statics);
}
