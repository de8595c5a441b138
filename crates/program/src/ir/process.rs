//! Process types: locations and the transitions between them.

use super::effect::{Effect, Target};
use super::expression::{BinaryOperator, Expression};
use super::ids::{LocalId, LocationId};
use super::program::{Channel, Variable};
use mazurka_model::source::Span;

/// A control location.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Location {
    /// Its name, unique in its process type.
    pub name: String,
    /// A process may stand here when the system stops.
    pub end: bool,
    /// Standing here is progress.
    pub progress: bool,
    /// Accepting, for cycles.
    pub accept: bool,
    /// Interior of a deterministic step: a process that can't leave this location is a fault.
    pub committed: bool,
    /// Where it stands in the source.
    pub span: Span,
}

/// A guarded transition between two locations.
///
/// It is executable if all of its guard holds and all its effects are defined when they are
/// executed in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Transition {
    /// Where it starts.
    pub from: LocationId,
    /// Where it leads.
    pub to: LocationId,
    /// All of these must be other than 0.
    pub guard: Vec<Expression>,
    /// Executable only if no transition of the location that stands before it, and is no `otherwise`
    /// itself, is. A receive on a rendezvous channel does not count as executable here, because it is
    /// the sender that moves; and an `otherwise` that begins with one accepts nothing.
    pub otherwise: bool,
    /// The process goes on alone afterwards while it can. Of a handshake, the receiver's transition
    /// decides.
    pub atomic: bool,
    /// Of neighbouring transitions of a location with one number other than 0, only the first that
    /// is executable is taken.
    pub group: u32,
    /// If a transition with a number other than 0 here is executable, later ones with another number
    /// are not: the escapes of a location stand before what they escape from.
    pub escape: u32,
    /// What it does, in order.
    pub effects: Vec<Effect>,
    /// Locals that get their initial value again when the process gets to its new location, because nothing needs what they hold:
    /// found by [`Program::reset_dead_variables`](super::Program::reset_dead_variables), and no part of the program's text.
    pub resets: Vec<LocalId>,
    /// How the source says it; if empty, it is shown as program text.
    pub statement: String,
    /// No statement of the source stands for it: it leaves a choice, say, where the atomic sequence around
    /// it ends. So it is not missed among the statements that are never executed.
    pub implied: bool,
    /// Its first effect asserts that it is the only choice of a process that promises to have no other. Only how
    /// the violation is told depends on this.
    pub only_choice: bool,
    /// Where it stands in the source.
    pub span: Span,
}

impl Transition {
    /// The conditions of its guard, conjunctions taken apart.
    pub fn conditions(&self) -> Vec<&Expression> {
        fn add<'e>(expression: &'e Expression, out: &mut Vec<&'e Expression>) {
            match expression {
                Expression::Binary(BinaryOperator::And, a, b) => {
                    add(a, out);
                    add(b, out);
                }
                other => out.push(other),
            }
        }
        let mut out = Vec::new();
        self.guard.iter().for_each(|condition| add(condition, &mut out));
        out
    }
}

/// A statement of the source that no transition stands for, because no path leads to it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeadStatement {
    /// How the source says it.
    pub statement: String,
    /// Where it stands in the source.
    pub span: Span,
}

/// A process type, of which any number of instances may run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProcessType {
    /// Its name.
    pub name: String,
    /// Its parameters, then its local variables and arrays.
    pub locals: Vec<Variable>,
    /// How many of the locals are parameters.
    pub parameters: usize,
    /// What is stored in the locals of a new instance before it moves, in order, as it sees it.
    pub prologue: Vec<(Target, Expression)>,
    /// Channels that every instance creates for itself, empty.
    pub channels: Vec<Channel>,
    /// Its locations.
    pub locations: Vec<Location>,
    /// Where an instance starts.
    pub start: LocationId,
    /// Its transitions; those of one location in the order in which they are tried.
    pub transitions: Vec<Transition>,
    /// What of its source is no part of it, because no path leads there.
    pub dead: Vec<DeadStatement>,
    /// Where it stands in the source.
    pub span: Span,
}
