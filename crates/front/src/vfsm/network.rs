//! A network of virtual finite state machines, names resolved and conditions compiled: what is executed.
//!
//! The names are those of Godefroid, Peled and Staskauskas (1996), section III: processors hold processes in
//! order of priority, processes hold machines; every process has a queue for messages from other processes
//! (the paper's low-priority queue) and one for messages between its own machines (the high-priority queue).
//! Each machine of the system has a definition of its own here, parameters replaced.

use mazurka_model::source::{SourceMap, Span};

/// The most machines, timers or processes, processors and timers together: sets of them are one word.
pub const MOST_UNITS: usize = 128;
/// The most virtual inputs of a machine: its register is one word.
pub const MOST_INPUTS: usize = 64;
/// The most kinds of messages.
pub const MOST_MESSAGES: usize = 1 << 15;
/// The most states of a machine.
pub const MOST_STATES: usize = 1 << 12;
/// The most states and entries of states in all machines together.
pub const MOST_ENTRIES: usize = 1 << 18;

/// The most initial states of a network.
pub const MOST_INITIAL: usize = 1 << 12;

/// A set of queues, of timers, or of processors and timers.
pub type Mask = u128;

/// A network.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// The name of the system.
    pub name: String,
    /// All machines, process by process.
    pub machines: Vec<Machine>,
    /// All processes, processor by processor, highest priority first.
    pub processes: Vec<Process>,
    /// All processors.
    pub processors: Vec<Processor>,
    /// All timers.
    pub timers: Vec<Timer>,
    /// All kinds of messages, machine by machine: who is addressed, and which of its events it is.
    pub messages: Vec<Message>,
    /// The messages that are there at first.
    pub initially: Vec<u32>,
    /// Temporal properties: name, formula, and where it stands.
    pub formulas: Vec<(String, String, Span)>,
    /// Places that can be reached: states, and conditions of states.
    pub places: Vec<(String, Span)>,
    /// What is asserted, by number.
    pub assertions: Vec<(String, Span)>,
    /// What can't be represented, by number.
    pub outside: Vec<(String, Span)>,
    /// The source.
    pub sources: SourceMap,
    /// A number that changes with whatever decides the runs.
    pub fingerprint: u64,
}

/// A machine of the system.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// The name of its definition.
    pub definition: String,
    /// Its process.
    pub process: usize,
    /// It models the environment.
    pub environment: bool,
    /// It may act by itself.
    pub free: bool,
    /// The names of its virtual inputs, in the order of the bits of its register.
    pub inputs: Vec<String>,
    /// Its outputs.
    pub outputs: Vec<Output>,
    /// Its events: those declared, and its timers.
    pub events: Vec<Event>,
    /// Its states.
    pub states: Vec<State>,
    /// The number of the message that is its first event.
    pub first_message: u32,
    /// Where it is defined.
    pub span: Span,
}

/// A virtual output.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// What its function may do: one of these sequences. Never empty.
    pub alternatives: Vec<Vec<Action>>,
}

/// An action of an output function.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A message is sent.
    Send(u32),
    /// A timer is started.
    Start(u32),
    /// A timer is stopped.
    Stop(u32),
    /// The machine's input mapper is called with one of its events.
    Feedback(u32),
}

/// An event of a machine.
#[derive(Clone, Debug, Default)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// What the input mapper may do: one of these changes. Never empty.
    pub alternatives: Vec<Change>,
    /// Where it is mapped or declared.
    pub span: Span,
}

/// A change of the virtual input register: deletions first.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// What is inserted.
    pub insert: u64,
    /// What is deleted.
    pub delete: u64,
}

/// A state of a machine.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Its name.
    pub name: String,
    /// Where it is defined.
    pub span: Span,
    /// The machine may begin here.
    pub initial: bool,
    /// The machine may stay here for ever.
    pub end: bool,
    /// Being here is progress.
    pub progress: bool,
    /// Outputs on entry.
    pub entry: Vec<u32>,
    /// Outputs on exit.
    pub exit: Vec<u32>,
    /// Input actions: condition, outputs, place.
    pub actions: Vec<(Test, Vec<u32>, u32)>,
    /// Next states: condition, state, place.
    pub next: Vec<(Test, u32, u32)>,
    /// Events that the machine may give itself.
    pub spontaneous: Vec<(Test, Vec<u32>)>,
    /// Inputs that may be inserted here.
    pub expected: u64,
    /// What shall hold here: condition, number of the assertion.
    pub assertions: Vec<(Test, u32)>,
    /// The number of the state as a place.
    pub place: u32,
    /// Of a state chart: the names of the states that are active here.
    pub active: Vec<String>,
    /// A machine that comes here leaves what can be represented: the number of what is said then.
    pub outside: Option<u32>,
}

/// A condition on a virtual input register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// Of the inputs in `care` exactly those in `value` are there.
    Cube {
        /// The inputs that are looked at.
        care: u64,
        /// Those of them that must be there.
        value: u64,
    },
    /// All hold.
    All(Vec<Test>),
    /// One holds.
    Any(Vec<Test>),
    /// It does not hold.
    Not(Box<Test>),
}

impl Test {
    /// Holds always.
    pub const ALWAYS: Test = Test::Cube { care: 0, value: 0 };

    /// Whether it holds of a register.
    #[inline]
    pub fn holds(&self, register: u64) -> bool {
        match self {
            Test::Cube { care, value } => register & care == *value,
            Test::All(parts) => parts.iter().all(|part| part.holds(register)),
            Test::Any(parts) => parts.iter().any(|part| part.holds(register)),
            Test::Not(part) => !part.holds(register),
        }
    }

    /// The inputs that it looks at.
    pub fn looks_at(&self) -> u64 {
        match self {
            Test::Cube { care, .. } => *care,
            Test::All(parts) | Test::Any(parts) => parts.iter().fold(0, |all, part| all | part.looks_at()),
            Test::Not(part) => part.looks_at(),
        }
    }

    /// The negation.
    pub fn negate(self) -> Test {
        match self {
            Test::Not(inner) => *inner,
            Test::Cube { care, value } if care.count_ones() == 1 => Test::Cube { care, value: care & !value },
            other => Test::Not(Box::new(other)),
        }
    }

    /// Both.
    pub fn and(self, other: Test) -> Test {
        match (self, other) {
            (Test::Cube { care, value }, Test::Cube { care: more, value: also })
                if value & more == also & care =>
            {
                Test::Cube { care: care | more, value: value | also }
            }
            (one, other) => Test::All(vec![one, other]),
        }
    }

    /// One of them, or both.
    pub fn or(self, other: Test) -> Test {
        match (self, other) {
            (Test::Any(mut parts), other) => {
                parts.push(other);
                Test::Any(parts)
            }
            (one, other) => Test::Any(vec![one, other]),
        }
    }
}

/// A process.
#[derive(Clone, Debug, Default)]
pub struct Process {
    /// Its name.
    pub name: String,
    /// Its processor.
    pub processor: usize,
    /// Its machines, by number.
    pub machines: std::ops::Range<usize>,
    /// How many messages from other processes fit.
    pub low: usize,
    /// How many messages between its machines fit; none if they send none.
    pub high: usize,
    /// Its free machine.
    pub free: Option<usize>,
    /// Messages to it: the first of them, and how many kinds there are.
    pub first_message: u32,
    /// How many kinds of messages there are for it.
    pub messages: u32,
    /// Where it is declared.
    pub span: Span,
}

/// A processor.
#[derive(Clone, Debug, Default)]
pub struct Processor {
    /// Its name.
    pub name: String,
    /// Its processes, by number, highest priority first.
    pub processes: std::ops::Range<usize>,
    /// Where no message is left, every free machine may act, whatever its priority.
    pub shared: bool,
}

/// A timer.
#[derive(Clone, Debug, Default)]
pub struct Timer {
    /// Its name.
    pub name: String,
    /// The machine that starts and stops it.
    pub owner: usize,
    /// The message that it sends when it expires.
    pub message: u32,
    /// Starting it while it runs is an error.
    pub strict: bool,
}

/// A kind of message.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// The machine that it is for.
    pub machine: u32,
    /// Which of that machine's events it is.
    pub event: u32,
}

impl Network {
    /// The process to which a message goes.
    pub fn destination(&self, message: u32) -> usize {
        self.machines[self.messages[message as usize].machine as usize].process
    }

    /// Processors and timers: how many there are.
    pub fn units(&self) -> usize {
        self.processors.len() + self.timers.len()
    }

    /// The processor of a machine.
    pub fn processor_of(&self, machine: usize) -> usize {
        self.processes[self.machines[machine].process].processor
    }

    /// A message as it is shown: `machine.EVENT`.
    pub fn message_name(&self, message: u32) -> String {
        let Some(Message { machine, event }) = self.messages.get(message as usize) else {
            return format!("message {message}");
        };
        let machine = &self.machines[*machine as usize];
        format!("{}.{}", machine.name, machine.events[*event as usize].name)
    }

    /// A timer as it is shown: `machine.TIMER`.
    pub fn timer_name(&self, timer: usize) -> String {
        let Timer { name, owner, .. } = &self.timers[timer];
        format!("{}.{name}", self.machines[*owner].name)
    }
}
