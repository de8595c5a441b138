//! Why a trace is not a run of the system, or does not end in what it claims.

use mazurka_model::{Step, Violation, ViolationKind};
use std::fmt;

/// A trace that was refused: at which step, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The index of the step that failed, from 0; `None` if the fault lies in the initial state.
    /// For an end that is not the claimed one: the index of the last step.
    pub at: Option<usize>,
    /// Why.
    pub reason: Reason,
}

/// The ways in which a trace can be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There is no initial state of this number.
    NoSuchInitialState {
        /// The number in the trace.
        given: u32,
        /// How many there are.
        count: usize,
    },
    /// The step is not enabled in the state that the trace has reached.
    NotEnabled(Step),
    /// The step is enabled, but has fewer successors than the trace says.
    NoSuchOutcome {
        /// The step.
        step: Step,
        /// The number in the trace.
        given: u32,
        /// How many successors it has.
        count: usize,
    },
    /// A deadlock was claimed, but the last state has an enabled step.
    StillEnabled(Step),
    /// A deadlock was claimed, but the last state is a valid end.
    ValidEnd,
    /// A deadlock was claimed, but the last state lies within an atomic region.
    WithinAtomic,
    /// An infinite run was claimed, but the steps that are said to be repeated don't lead back to where they
    /// begin.
    NotRepeated,
    /// The run was said to stand still in its last state, but this step leads on.
    GoesOn(Step),
    /// A wrong step was claimed, but the trace has no step.
    NoStep,
    /// The last step does not go wrong in the way that was claimed.
    NotViolated {
        /// How it was said to be wrong.
        kind: ViolationKind,
        /// Where.
        place: u32,
        /// What the step reports instead.
        reported: Vec<Violation>,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some(index) => write!(f, "step {}: {}", index + 1, self.reason),
            None => write!(f, "at the start: {}", self.reason),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::NoSuchInitialState { given, count } => {
                write!(f, "initial state {given} does not exist, there are {count}")
            }
            Reason::NotEnabled(step) => {
                write!(f, "process {} can't take its step {} here", step.process, step.code)
            }
            Reason::NoSuchOutcome { step, given, count } => write!(
                f,
                "step {} of process {} has no outcome {given}, there are {count}",
                step.code, step.process
            ),
            Reason::StillEnabled(step) => {
                write!(f, "not a deadlock: process {} can still take its step {}", step.process, step.code)
            }
            Reason::ValidEnd => f.write_str("not a deadlock: all processes have ended properly"),
            Reason::WithinAtomic => f.write_str("not a deadlock: an atomic region is under way"),
            Reason::NotRepeated => {
                f.write_str("the steps said to be repeated don't lead back to where they begin")
            }
            Reason::GoesOn(step) => {
                write!(
                    f,
                    "nothing was said to move, but process {} can take its step {}",
                    step.process, step.code
                )
            }
            Reason::NoStep => f.write_str("a step was said to be wrong, but there is none"),
            Reason::NotViolated { kind, place, reported } => {
                write!(f, "{} number {place} was claimed, but the step reports ", word(*kind))?;
                match reported.as_slice() {
                    [] => f.write_str("nothing wrong"),
                    [first, ..] => write!(f, "{} number {}", word(first.kind), first.place),
                }
            }
        }
    }
}

impl std::error::Error for Refusal {}

fn word(kind: ViolationKind) -> &'static str {
    match kind {
        ViolationKind::Assertion => "a false assertion",
        ViolationKind::Fault => "a fault",
        ViolationKind::Contract => "a breach of the system's contract",
        ViolationKind::Reception => "an unspecified reception",
        ViolationKind::Overflow => "a state that can't be represented",
    }
}
