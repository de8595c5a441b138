//! Effects: what a transition does once its guard holds, in order.

use super::expression::{Expression, VariableRef};
use super::ids::{DeclaredObject, GlobalId, LocalId, TypeId};
use mazurka_model::OperationKind;

/// Where a value is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// A variable.
    Variable(VariableRef),
    /// An element of an array.
    Element(VariableRef, Expression),
}

impl From<GlobalId> for Target {
    fn from(id: GlobalId) -> Target {
        Target::Variable(VariableRef::Global(id))
    }
}

impl From<LocalId> for Target {
    fn from(id: LocalId) -> Target {
        Target::Variable(VariableRef::Local(id))
    }
}

impl Target {
    /// An element of an array.
    pub fn element(array: impl Into<VariableRef>, index: impl Into<Expression>) -> Target {
        Target::Element(array.into(), index.into())
    }

    /// The variable or array that is changed.
    pub fn variable(&self) -> VariableRef {
        match self {
            Target::Variable(v) | Target::Element(v, _) => *v,
        }
    }
}

/// What a receive does with one field of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// Stores it.
    Bind(Target),
    /// Demands that it equals this value, computed before anything is stored.
    Match(Expression),
    /// Takes any value.
    Ignore,
}

/// One effect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Stores a value.
    Assign {
        /// Where.
        target: Target,
        /// What.
        value: Expression,
    },
    /// Sends a message. On a rendezvous channel it must be the first effect of its transition and
    /// is a joint step with another process whose transition begins with a matching receive.
    Send {
        /// The channel.
        channel: Expression,
        /// The message.
        fields: Vec<Expression>,
        /// In front of the first greater message, instead of at the end.
        sorted: bool,
    },
    /// Receives a message.
    Receive {
        /// The channel.
        channel: Expression,
        /// One for each field.
        patterns: Vec<Pattern>,
        /// The first message that matches, not only the first of all.
        anywhere: bool,
        /// The message stays in the channel.
        keep: bool,
    },
    /// Performs an operation on an object of the object library; not executable where it is not
    /// defined.
    Operate {
        /// The object.
        object: DeclaredObject,
        /// The operation.
        kind: OperationKind,
        /// Its inputs, at most two.
        operands: Vec<Expression>,
        /// Where its output goes.
        target: Option<Target>,
    },
    /// Creates a process. Its slot is the first free one, behind all others.
    Run {
        /// Its type.
        process: TypeId,
        /// The values of its parameters.
        arguments: Vec<Expression>,
        /// Where its slot goes.
        target: Option<Target>,
    },
    /// States that something is so. The step goes on if it is not, and the violation is reported.
    Assert(Expression),
    /// Prints something, in a simulation. It changes nothing, and a search does not even look at what
    /// is printed.
    Print {
        /// Text with `%d`, `%u`, `%o`, `%x`, `%c` and `%e` for the arguments, escapes as in C.
        format: String,
        /// What is printed, and the names of its values if they have any.
        arguments: Vec<(Expression, Option<u32>)>,
    },
    /// Gives the process in a slot another priority, from 1 to 255; nothing if there is no such process.
    SetPriority {
        /// The slot.
        process: Expression,
        /// The priority.
        priority: Expression,
    },
    /// Ends the process. Executable only for the youngest process; the last effect of a transition.
    Exit,
}

impl Effect {
    /// Whether the effect may be not executable.
    pub fn may_block(&self) -> bool {
        !matches!(
            self,
            Effect::Assign { .. }
                | Effect::Assert(_)
                | Effect::Run { .. }
                | Effect::Print { .. }
                | Effect::SetPriority { .. }
        )
    }

    /// Calls `visit` for every expression that the effect evaluates, and `store` for every target.
    pub fn for_each_part<'a>(
        &'a self,
        visit: &mut dyn FnMut(&'a Expression),
        store: &mut dyn FnMut(&'a Target),
    ) {
        let mut stored = |target: &'a Target, visit: &mut dyn FnMut(&'a Expression)| {
            if let Target::Element(_, index) = target {
                visit(index);
            }
            store(target);
        };
        match self {
            Effect::Assign { target, value } => {
                visit(value);
                stored(target, visit);
            }
            Effect::Send { channel, fields, .. } => {
                visit(channel);
                fields.iter().for_each(visit);
            }
            Effect::Receive { channel, patterns, .. } => {
                visit(channel);
                for pattern in patterns {
                    match pattern {
                        Pattern::Bind(target) => stored(target, visit),
                        Pattern::Match(e) => visit(e),
                        Pattern::Ignore => {}
                    }
                }
            }
            Effect::Operate { operands: inputs, target, .. }
            | Effect::Run { arguments: inputs, target, .. } => {
                inputs.iter().for_each(&mut *visit);
                if let Some(target) = target {
                    stored(target, visit);
                }
            }
            Effect::Assert(e) => visit(e),
            Effect::Print { arguments, .. } => arguments.iter().for_each(|(e, _)| visit(e)),
            Effect::SetPriority { process, priority } => {
                visit(process);
                visit(priority);
            }
            Effect::Exit => {}
        }
    }
}
