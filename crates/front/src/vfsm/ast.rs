//! A `.vfsm` file as a tree: what was written, names not yet resolved.

use mazurka_model::source::Span;

/// A name where it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// A file.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// Numbers with names.
    pub constants: Vec<Constant>,
    /// The definitions of machines.
    pub machines: Vec<Machine>,
    /// The system.
    pub systems: Vec<System>,
}

/// A number with a name, which the command line may change.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name.
    pub name: Name,
    /// Its value.
    pub value: Number,
}

/// A calculation with numbers.
#[derive(Clone, Debug)]
pub enum Number {
    /// A number.
    Literal(u32, Span),
    /// A constant, a parameter or the index of a family of states.
    Named(Name),
    /// A sum.
    Plus(Box<Number>, Box<Number>),
    /// A difference.
    Minus(Box<Number>, Box<Number>),
}

impl Number {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Number::Literal(_, span) => *span,
            Number::Named(name) => name.span,
            Number::Plus(left, right) | Number::Minus(left, right) => {
                Span { end: right.span().end, ..left.span() }
            }
        }
    }
}

/// The definition of a machine.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// Its name.
    pub name: Name,
    /// Its parameters: other machines, or numbers.
    pub parameters: Vec<Name>,
    /// It models the environment.
    pub environment: bool,
    /// It may act without having received anything.
    pub free: bool,
    /// Virtual inputs.
    pub inputs: Vec<Name>,
    /// Virtual outputs.
    pub outputs: Vec<Name>,
    /// Events that can be received or fed back.
    pub events: Vec<Name>,
    /// Timers; the second part: a start while it runs is an error.
    pub timers: Vec<(Name, bool)>,
    /// The input mapper.
    pub input_mapping: Vec<InputMapping>,
    /// The output functions.
    pub output_mapping: Vec<OutputMapping>,
    /// The states.
    pub states: Vec<State>,
}

/// What an event does to the virtual input register.
#[derive(Clone, Debug)]
pub struct InputMapping {
    /// The event.
    pub event: Name,
    /// The possible changes.
    pub alternatives: Vec<Vec<Change>>,
}

/// One change of the virtual input register.
#[derive(Clone, Debug)]
pub enum Change {
    /// An input is inserted.
    Insert(Name),
    /// An input is deleted.
    Delete(Name),
    /// All inputs are deleted.
    DeleteAll,
}

/// What an output does.
#[derive(Clone, Debug)]
pub struct OutputMapping {
    /// The output.
    pub output: Name,
    /// The possible sequences of actions.
    pub alternatives: Vec<Vec<Action>>,
}

/// One action of an output function.
#[derive(Clone, Debug)]
pub enum Action {
    /// An event is sent to a machine.
    Send(Name, Name),
    /// A timer is started.
    Start(Name),
    /// A timer is stopped.
    Stop(Name),
    /// The machine's own input mapper is called with an event.
    Feedback(Name),
}

/// A condition on the virtual input register.
#[derive(Clone, Debug)]
pub enum Condition {
    /// Always true.
    Always,
    /// An input is there.
    Input(Name),
    /// Not.
    Not(Box<Condition>),
    /// Both.
    And(Box<Condition>, Box<Condition>),
    /// One of them, or both.
    Or(Box<Condition>, Box<Condition>),
}

/// A state, or a family of them.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Its name.
    pub name: Name,
    /// Of a family: the index, and its first and last value.
    pub family: Option<(Name, Number, Number)>,
    /// The machine may begin here.
    pub initial: bool,
    /// The machine may stay here for ever.
    pub end: bool,
    /// Being here is progress.
    pub progress: bool,
    /// `E:` outputs on entry.
    pub entry: Vec<Name>,
    /// `X:` outputs on exit.
    pub exit: Vec<Name>,
    /// `IA:` input actions.
    pub actions: Vec<(Condition, Vec<Name>, Span)>,
    /// `NS:` next states.
    pub next: Vec<(Condition, StateName, Span)>,
    /// `F:` events that a free machine may give itself.
    pub spontaneous: Vec<(Condition, Vec<Name>, Span)>,
    /// `D:` inputs that may arrive here and are kept for later.
    pub deferred: Vec<Name>,
    /// `D: *`: any input may.
    pub defers_all: bool,
    /// `A:` what shall hold when the machine rests here.
    pub assertions: Vec<(Condition, Span)>,
    /// Of a state chart: the names of the states that are active here.
    pub active: Vec<String>,
    /// Of a state chart: it is passed on a transition, and no state of the chart.
    pub passed: bool,
    /// Of a state chart: what can't be represented behind this state, in words, and where it is done.
    pub outside: Option<(String, Span)>,
}

/// A state as it is referred to.
#[derive(Clone, Debug)]
pub struct StateName {
    /// Its name.
    pub name: Name,
    /// Of a family: which.
    pub index: Option<Number>,
    /// The state that is meant if there is none with that index.
    pub otherwise: Option<Box<StateName>>,
}

/// The system.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Its name.
    pub name: Name,
    /// Its processors.
    pub processors: Vec<Processor>,
    /// Messages that are there at first: machine and event.
    pub messages: Vec<(Name, Name)>,
    /// Temporal properties: name, formula, and where that stands.
    pub formulas: Vec<(Name, String, Span)>,
}

/// A processor.
#[derive(Clone, Debug, Default)]
pub struct Processor {
    /// Its name.
    pub name: Name,
    /// Its processes, highest priority first.
    pub processes: Vec<Process>,
    /// Of a state chart: where no message is left, every free machine may act, whatever its priority.
    pub shared: bool,
}

/// A process.
#[derive(Clone, Debug, Default)]
pub struct Process {
    /// Its name.
    pub name: Name,
    /// The capacity of the queue for messages from other processes.
    pub queue: Option<Number>,
    /// The capacity of the queue for messages within the process.
    pub internal: Option<Number>,
    /// Its machines.
    pub instances: Vec<Instance>,
}

/// A machine of a process.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Its name.
    pub name: Name,
    /// Its definition.
    pub machine: Name,
    /// What its parameters stand for.
    pub arguments: Vec<Number>,
}
