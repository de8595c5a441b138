//! What an execution did, for programs that look at executions themselves.

use crate::failure::FailureKind;
use crate::runtime::Runtime;
use crate::runtime::control::End;
use crate::runtime::operation::{NO_OBJECT, NONE};

/// One visible operation of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The thread, by a number that is the same in all executions of a check.
    pub thread: u32,
    /// The object, if it has one, by such a number.
    pub object: Option<u32>,
    /// What it was: `Lock`, `Load`, `Send`.
    pub operation: String,
    /// Its input: the value stored, the thread spawned.
    pub input: u64,
    /// Which of several outcomes it had.
    pub choice: Option<u32>,
    /// The state of the object before, as one word.
    pub before: u64,
    /// What it returned.
    pub output: u64,
}

/// An execution.
#[derive(Clone, Debug)]
pub struct Execution {
    /// Its operations, in order.
    pub steps: Vec<Step>,
    /// What went wrong in it.
    pub failure: Option<FailureKind>,
    /// Whether it was given up because it is like others.
    pub redundant: bool,
}

impl Execution {
    pub(crate) fn new(runtime: &Runtime, end: &End) -> Execution {
        let steps = runtime
            .events
            .iter()
            .map(|event| Step {
                thread: event.access.thread,
                object: Some(event.operation.object).filter(|&id| id != NO_OBJECT).map(|id| id.0),
                operation: format!("{:?}", event.operation.kind),
                input: event.operation.operand,
                choice: Some(event.access.choice).filter(|&choice| choice != NONE),
                before: event.before,
                output: event.outcome,
            })
            .collect();
        let failure = match end {
            End::Failed(kind) => Some(kind.clone()),
            _ => None,
        };
        Execution { steps, failure, redundant: *end == End::Redundant }
    }
}
