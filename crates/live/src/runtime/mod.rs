//! One execution of a program under control: its threads, its objects, and what has happened so far.

#[cfg(test)]
mod agreement;
pub(crate) mod control;
pub(crate) mod fiber;
pub(crate) mod names;
pub(crate) mod object;
pub(crate) mod operation;
pub(crate) mod order;
#[cfg(test)]
mod reversal;
pub(crate) mod semantics;
pub(crate) mod spin;

use mazurka_model::ObjectId;
use names::Names;
use object::{Object, Shape};
use operation::{Class, Event, Kind, NO_OBJECT, NONE, Operation};
use order::Order;
use std::panic::Location;

/// A thread of the program under control.
#[derive(Debug)]
pub(crate) struct Thread {
    /// Born and not at its end.
    pub(crate) alive: bool,
    /// What it is about to do.
    pub(crate) pending: Operation,
    /// What its last operation returned.
    pub(crate) outcome: u64,
    /// Its last event; before its first, the one that created it.
    pub(crate) last_event: u32,
    /// How many events it has.
    pub(crate) events: u32,
    /// The notification that woke it.
    pub(crate) signal: u32,
    /// Virtual time, in nanoseconds.
    pub(crate) time: u64,
    /// Who made it.
    pub(crate) parent: u32,
    pub(crate) children: u32,
    pub(crate) objects: u32,
    pub(crate) name: Option<String>,
    /// The object that those who join it wait for.
    pub(crate) life: ObjectId,
    /// The object that it waits for when it parks.
    pub(crate) token: ObjectId,
    /// What has happened before its next event.
    pub(crate) past: spin::Past,
    /// What it read since it last changed anything or span.
    pub(crate) reads: spin::Reads,
    /// What it waits for a change of, if it span.
    pub(crate) waits: Option<spin::Reads>,
    /// Whether it span after its last event: others go first where that is left open.
    pub(crate) yielded: bool,
    /// Whether it has had a wakeup without a reason.
    pub(crate) startled: bool,
    /// Whether it unwinds after a panic.
    pub(crate) panicking: bool,
}

/// The state of an execution.
#[derive(Debug)]
pub(crate) struct Runtime {
    /// Which execution it is; objects of another one are refused.
    pub(crate) epoch: u32,
    pub(crate) names: Names,
    /// All threads that any execution of this check had, by number.
    pub(crate) threads: Vec<Thread>,
    /// Those of this execution, in the order of their births.
    pub(crate) born: Vec<u32>,
    /// The thread that runs.
    pub(crate) current: u32,
    pub(crate) objects: Vec<Object>,
    pub(crate) events: Vec<Event>,
    pub(crate) order: Order,
    /// Races are looked for from this event on; `NONE` for never.
    pub(crate) races_from: u32,
    woken: Vec<u32>,
}

impl Runtime {
    pub(crate) fn new() -> Runtime {
        Runtime {
            epoch: 0,
            names: Names::default(),
            threads: Vec::new(),
            born: Vec::new(),
            current: 0,
            objects: Vec::new(),
            events: Vec::new(),
            order: Order::default(),
            races_from: NONE,
            woken: Vec::new(),
        }
    }

    /// Starts an execution with its first thread.
    pub(crate) fn begin(&mut self, location: &'static Location<'static>) {
        self.epoch = self.epoch.wrapping_add(1).max(1);
        self.events.clear();
        self.order.clear();
        self.born.clear();
        for thread in &mut self.threads {
            thread.alive = false;
        }
        self.current = 0;
        self.bear(0, NONE, 0, location);
    }

    /// Makes the thread with this number.
    fn bear(&mut self, number: u32, cause: u32, time: u64, location: &'static Location<'static>) {
        let index = number as usize;
        let pending = Operation { location, ..Operation::new(Kind::Spawn, NO_OBJECT) };
        while self.threads.len() <= index {
            self.threads.push(Thread {
                alive: false,
                pending,
                outcome: 0,
                last_event: NONE,
                events: 0,
                signal: NONE,
                time: 0,
                parent: 0,
                children: 0,
                objects: 0,
                name: None,
                life: NO_OBJECT,
                token: NO_OBJECT,
                past: spin::Past::default(),
                reads: spin::Reads::default(),
                waits: None,
                yielded: false,
                startled: false,
                panicking: false,
            });
        }
        self.order.widen(self.threads.len());
        // A thread knows what its parent knew.
        let past = match cause {
            NONE => spin::Past::default(),
            _ => self.threads[self.current as usize].past.and(u64::from(number)),
        };
        let thread = &mut self.threads[index];
        thread.past = past;
        thread.alive = true;
        thread.pending = pending;
        thread.last_event = cause;
        thread.events = 0;
        thread.signal = NONE;
        thread.time = time;
        thread.parent = self.current;
        thread.children = 0;
        thread.objects = 0;
        thread.name = None;
        thread.reads.clear();
        thread.waits = None;
        thread.yielded = false;
        thread.startled = false;
        thread.panicking = false;
        self.born.push(number);
        let life = self.make_by(number, Shape::Thread, 0, location);
        let token = self.make_by(number, Shape::Token, 0, location);
        let thread = &mut self.threads[index];
        thread.life = life;
        thread.token = token;
    }

    /// The number of the next child of the current thread.
    pub(crate) fn conceive(&mut self) -> u32 {
        let parent = &mut self.threads[self.current as usize];
        let place = parent.children;
        parent.children += 1;
        self.names.child(self.current, place)
    }

    /// Makes a child whose creation was the last event of the current thread.
    pub(crate) fn spawn(&mut self, child: u32, location: &'static Location<'static>) {
        let parent = &self.threads[self.current as usize];
        let (cause, time) = (parent.last_event, parent.time);
        self.bear(child, cause, time, location);
    }

    /// Makes an object of the current thread.
    pub(crate) fn make(
        &mut self,
        shape: Shape,
        state: u64,
        location: &'static Location<'static>,
    ) -> ObjectId {
        self.make_by(self.current, shape, state, location)
    }

    fn make_by(
        &mut self,
        maker: u32,
        shape: Shape,
        state: u64,
        location: &'static Location<'static>,
    ) -> ObjectId {
        let place = self.threads[maker as usize].objects;
        self.threads[maker as usize].objects += 1;
        let number = self.names.object(maker, place);
        self.place(number, shape, state, location)
    }

    /// Makes the object of a static variable.
    pub(crate) fn make_fixed(
        &mut self,
        number: u32,
        shape: Shape,
        location: &'static Location<'static>,
    ) -> ObjectId {
        self.place(number, shape, 0, location)
    }

    fn place(
        &mut self,
        number: u32,
        shape: Shape,
        state: u64,
        location: &'static Location<'static>,
    ) -> ObjectId {
        while self.objects.len() <= number as usize {
            self.objects.push(Object::new());
        }
        self.objects[number as usize].reset(shape, state, location);
        self.objects[number as usize].past = self.threads[self.current as usize].past;
        ObjectId(number)
    }

    /// The object of an operation that has one.
    pub(crate) fn object(&self, operation: &Operation) -> &Object {
        &self.objects[operation.object.index()]
    }

    /// The same, to be changed.
    pub(crate) fn object_mut(&mut self, operation: &Operation) -> &mut Object {
        &mut self.objects[operation.object.index()]
    }

    /// Performs what a thread announced.
    pub(crate) fn perform(&mut self, thread: u32, choice: u32) {
        let event = self.events.len() as u32;
        let operation = self.threads[thread as usize].pending;
        let access = self.access(thread, choice);
        let races = event >= self.races_from && self.races_from != NONE;
        self.order_event(&operation, &access, races);
        let has_object = operation.object != NO_OBJECT;
        let before = if has_object { self.object(&operation).state } else { 0 };
        let outcome = self.effect(&operation, &access, event);
        if has_object && access.class != Class::Local {
            self.object_mut(&operation).record(event, access.class);
        }
        let done = u64::from(access.choice) << 32 | (operation.kind as u64) << 8 | access.class as u64;
        let mut past = self.threads[thread as usize].past.and(done).and(outcome).and(operation.operand);
        if has_object {
            let object = self.object_mut(&operation);
            past = past.joined(object.past);
            if access.class != Class::Read {
                object.past = past;
            }
        }
        let it = &mut self.threads[thread as usize];
        it.past = past;
        it.reads.note(&operation, &access, self.objects.get(operation.object.index()));
        it.yielded = false;
        it.last_event = event;
        it.events += 1;
        it.outcome = outcome;
        if operation.kind == Kind::Exit {
            it.alive = false;
        }
        let (position, time) = (it.events, it.time);
        self.events.push(Event { access, position, operation, before, outcome, time });
        self.current = thread;
    }

    /// Whether any thread is left.
    pub(crate) fn finished(&self) -> bool {
        self.born.iter().all(|&thread| !self.threads[thread as usize].alive)
    }
}
