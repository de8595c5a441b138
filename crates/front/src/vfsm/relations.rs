//! What a network says of its steps: the operations on queues and timers, for every reduction of the engine.
//!
//! Objects: the queue of each process for messages from others, each timer, and where each machine stands (which nobody
//! else touches, but temporal properties look at). The queue between the machines of one process is its processor's own.
//! There is no object for a scheduler: a machine that is enabled because the processes before its own have
//! nothing to do has looked at their queues, and found them empty.

use super::network::{Mask, Network};
use super::run::{Operation as Done, Operations};
use super::system::{Source, VfsmSystem};
use mazurka_model::object::ObjectType;
use mazurka_model::object::bounded::Bounded;
use mazurka_model::object::fifo::{AWAIT_EMPTY, EMPTY, RECEIVE, SEND};
use mazurka_model::object::timer::{EXPIRE, START, STOP, Timer};
use mazurka_model::object::variable::{Variable, WRITE};
use mazurka_model::{
    Access, ClosedSets, Footprint, Future, ObjectId, Obstacles, Operand, Operation, OperationKind, ProcessId,
    Relations, Step,
};

/// The objects of a network: queues, timers, machines.
#[derive(Debug, Default)]
pub struct Objects {
    all: Vec<Box<dyn ObjectType>>,
    timers: usize,
    machines: usize,
}

impl Objects {
    /// Of a network.
    pub fn new(network: &Network) -> Objects {
        let mut all: Vec<Box<dyn ObjectType>> = Vec::new();
        for process in &network.processes {
            all.push(Box::new(Bounded { capacity: process.low }));
        }
        let timers = all.len();
        network.timers.iter().for_each(|_| all.push(Box::new(Timer)));
        let machines = all.len();
        network.machines.iter().for_each(|_| all.push(Box::new(Variable)));
        Objects { all, timers, machines }
    }

    /// The queue of a process.
    pub fn queue(&self, process: usize) -> ObjectId {
        ObjectId(process as u32)
    }

    /// A timer.
    pub fn timer(&self, timer: usize) -> ObjectId {
        ObjectId((self.timers + timer) as u32)
    }

    /// Where a machine stands.
    pub fn machine(&self, machine: usize) -> ObjectId {
        ObjectId((self.machines + machine) as u32)
    }

    /// What an object is.
    pub fn what(&self, object: ObjectId) -> What {
        match object.index() {
            queue if queue < self.timers => What::Queue(queue),
            timer if timer < self.machines => What::Timer(timer - self.timers),
            machine => What::Machine(machine - self.machines),
        }
    }
}

/// What an object is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The queue of a process.
    Queue(usize),
    /// A timer.
    Timer(usize),
    /// Where a machine stands.
    Machine(usize),
}

fn access(object: ObjectId, process: ProcessId, kind: OperationKind) -> Access {
    Access { object, operation: Operation::new(process, kind) }
}

fn send(object: ObjectId, process: ProcessId, message: u32) -> Access {
    Access { object, operation: Operation::with(process, SEND, message.into()) }
}

impl VfsmSystem {
    /// What a processor may still do, from where its machines stand or in their lifetime.
    fn ahead(&self, state: &[u8], processor: usize, located: bool) -> Operations {
        let mut all = Operations::default();
        for machine in self.machines_of(processor) {
            all.add(match located {
                true => self.knowledge.ahead(machine, self.layout.state(state, machine)),
                false => self.knowledge.lifetime(machine),
            });
        }
        all
    }

    fn machines_of(&self, processor: usize) -> impl Iterator<Item = usize> + use<'_> {
        let processes = self.network.processors[processor].processes.clone();
        processes.flat_map(|process| self.network.processes[process].machines.clone())
    }

    /// What a process of the engine may do from here on, each operation once, inputs unknown.
    fn possible(&self, state: &[u8], process: ProcessId, located: bool, out: &mut Vec<Access>) {
        let objects = &self.objects;
        match process.index().checked_sub(self.network.processors.len()) {
            Some(timer) => {
                let message = self.network.timers[timer].message;
                out.push(access(objects.timer(timer), process, EXPIRE));
                out.push(send(objects.queue(self.network.destination(message)), process, message));
            }
            None => {
                let processor = process.index();
                for own in self.network.processors[processor].processes.clone() {
                    out.push(access(objects.queue(own), process, RECEIVE));
                    out.push(access(objects.queue(own), process, AWAIT_EMPTY));
                }
                let ahead = self.ahead(state, processor, located);
                let each = |mask: Mask| (0..Mask::BITS as usize).filter(move |bit| mask >> bit & 1 == 1);
                out.extend(each(ahead.sends).map(|queue| access(objects.queue(queue), process, SEND)));
                out.extend(each(ahead.starts).map(|timer| access(objects.timer(timer), process, START)));
                out.extend(each(ahead.stops).map(|timer| access(objects.timer(timer), process, STOP)));
                let machines = self.machines_of(processor);
                out.extend(machines.map(|machine| access(objects.machine(machine), process, WRITE)));
            }
        }
    }

    fn bits(&self, accesses: &[Access], out: &mut Vec<u64>) {
        out.clear();
        out.resize(self.objects.all.len().div_ceil(64), 0);
        for access in accesses {
            out[access.object.index() / 64] |= 1 << (access.object.index() % 64);
        }
    }
}

impl Relations for VfsmSystem {
    fn processes(&self, _state: &[u8]) -> usize {
        self.network.units()
    }

    fn objects(&self) -> &[Box<dyn ObjectType>] {
        &self.objects.all
    }

    fn value(&self, state: &[u8], object: ObjectId, out: &mut Vec<i64>) {
        out.clear();
        match self.objects.what(object) {
            What::Queue(process) => {
                let mut messages = Vec::new();
                self.layout.messages(state, self.layout.low(process), &mut messages);
                out.extend(messages.into_iter().map(i64::from));
            }
            What::Timer(timer) => out.push(self.layout.runs(state, timer).into()),
            What::Machine(machine) => out.push(self.layout.state(state, machine).into()),
        }
    }

    fn step(&self, state: &[u8], step: Step, out: &mut Footprint) {
        out.clear();
        out.processes.push(step.process);
        if self.timer_of(step).is_some() {
            self.possible(state, step.process, true, &mut out.accesses);
            out.ordered = out.accesses.len();
            return;
        }
        let (process, objects) = (step.process, &self.objects);
        let Some(activation) = self.activation(state, process.index()) else { return };
        let first = self.network.processors[process.index()].processes.start;
        for before in first..activation.process {
            out.accesses.push(access(objects.queue(before), process, AWAIT_EMPTY));
        }
        let own = objects.queue(activation.process);
        match activation.source {
            Source::High(_) => {}
            Source::Low(_) => out.accesses.push(access(own, process, RECEIVE)),
            Source::Free(_) | Source::Any => out.accesses.push(access(own, process, AWAIT_EMPTY)),
        }
        let (message, number, _) = self.decode(step);
        let reaction = self.reaction(state, message);
        let machine = self.network.messages[message as usize].machine as usize;
        if let Some(outcome) = reaction.outcomes.get(number) {
            for operation in &outcome.operations {
                match *operation {
                    Done::Send(sent) => {
                        let to = self.network.destination(sent);
                        if to != self.network.machines[machine].process {
                            out.accesses.push(send(objects.queue(to), process, sent));
                        }
                    }
                    Done::Start(timer) => {
                        out.accesses.push(access(objects.timer(timer as usize), process, START));
                    }
                    Done::Stop(timer) => {
                        out.accesses.push(access(objects.timer(timer as usize), process, STOP));
                    }
                }
            }
            let before = (self.layout.state(state, machine), self.layout.register(state, machine));
            if before != (outcome.state, outcome.register) {
                let operation =
                    Operation::with_both(process, WRITE, [Operand::Is(outcome.state.into()), Operand::Any]);
                out.accesses.push(Access { object: objects.machine(machine), operation });
            }
        }
        out.ordered = out.accesses.len();
    }

    fn next(&self, state: &[u8], process: ProcessId, out: &mut Footprint) {
        out.clear();
        out.processes.push(process);
        self.possible(state, process, true, &mut out.accesses);
    }

    fn next_is_local(&self, _state: &[u8], _process: ProcessId) -> bool {
        // Every processor looks at its queues, and every timer at itself.
        false
    }

    fn support(&self, state: &[u8], process: ProcessId, located: bool, out: &mut Vec<u64>) {
        let mut accesses = Vec::new();
        self.possible(state, process, located, &mut accesses);
        self.bits(&accesses, out);
    }

    fn next_objects(&self, state: &[u8], process: ProcessId, out: &mut Vec<u64>) -> bool {
        self.support(state, process, true, out);
        true
    }

    fn closed_sets(&self) -> Option<&dyn ClosedSets> {
        Some(self)
    }

    fn standing(&self, state: &[u8], process: ProcessId, out: &mut Vec<u8>) -> bool {
        out.clear();
        if process.index() < self.network.processors.len() {
            for machine in self.machines_of(process.index()) {
                out.extend((self.layout.state(state, machine) as u16).to_le_bytes());
            }
        }
        true
    }

    fn futures(&self, state: &[u8], process: ProcessId, out: &mut Vec<Future>) {
        out.clear();
        let mut future = Future::default();
        self.possible(state, process, true, &mut future.accesses);
        out.push(future);
    }

    fn obstacles(&self, state: &[u8], process: ProcessId, _alternative: usize, out: &mut Obstacles) {
        out.clear();
        match process.index().checked_sub(self.network.processors.len()) {
            Some(timer) => {
                if !self.layout.runs(state, timer) {
                    out.access(access(self.objects.timer(timer), process, EXPIRE));
                    out.end(false);
                }
            }
            // One that is enabled already is kept from doing something else only by what its footprint looks at.
            None if self.activation(state, process.index()).is_some() => {}
            None => {
                for own in self.network.processors[process.index()].processes.clone() {
                    out.access(access(self.objects.queue(own), process, EMPTY));
                }
                out.end(false);
            }
        }
    }
}
