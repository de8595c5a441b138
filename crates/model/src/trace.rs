//! The one counterexample format: where a run starts, the steps it takes, and what it ends in.

use crate::batch::{Batch, ViolationKind};
use crate::ids::Step;
use crate::system::{Chosen, System};

/// One step of a trace: which step, and which of its successors where it has several.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct TraceStep {
    /// The step.
    pub step: Step,
    /// Which of the successors that `expand` gives for it, from 0.
    pub outcome: u32,
}

/// A run of a system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Which initial state it starts in.
    pub initial: u32,
    /// Its steps.
    pub steps: Vec<TraceStep>,
    /// Of an infinite run: the steps from this number on are repeated for ever, and lead back to the
    /// state before them. If there are none, nothing moves any more in the last state.
    pub repeats: Option<usize>,
}

/// What a run ends in: a kind of error, or nothing that is wrong.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum FindingKind {
    /// The last state has no enabled step and is not a valid end.
    Deadlock,
    /// The last step is wrong in this way, at this place. A step without a successor ends the run.
    Step {
        /// How it is wrong.
        kind: ViolationKind,
        /// The system's number for the assertion or statement.
        place: u32,
    },
    /// The last state breaks a condition on states.
    State {
        /// How: a condition of the model's own, or an unspecified reception.
        kind: ViolationKind,
        /// The system's number for the condition.
        place: u32,
    },
    /// The run, which is infinite, breaks a temporal property.
    Temporal {
        /// The system's number for the property.
        property: u32,
    },
    /// Nothing is wrong: the run was stopped here. A search never finds this; a simulation does.
    Stopped,
}

impl FindingKind {
    /// The name used in reports and trails.
    pub fn name(self) -> &'static str {
        match self {
            FindingKind::Deadlock => "deadlock",
            FindingKind::State { kind: ViolationKind::Reception, .. } => "reception",
            FindingKind::Step { kind: ViolationKind::Reception, .. } => "unexpected",
            FindingKind::Step { kind: ViolationKind::Overflow, .. } => "overflow",
            FindingKind::State { .. } => "invariant",
            FindingKind::Temporal { .. } => "temporal",
            FindingKind::Stopped => "run",
            FindingKind::Step { kind: ViolationKind::Assertion, .. } => "assertion",
            FindingKind::Step { kind: ViolationKind::Fault, .. } => "fault",
            FindingKind::Step { kind: ViolationKind::Contract, .. } => "contract",
        }
    }
}

/// An error and the run that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub kind: FindingKind,
    /// The run that ends in it.
    pub trace: Trace,
}

/// Executes one trace step; `None` if it is not possible in `state`. The batch is cleared first and
/// holds what the step did, its violations included.
pub fn execute(system: &dyn System, state: &[u8], step: TraceStep, batch: &mut Batch) -> Option<Vec<u8>> {
    batch.clear();
    system.expand(state, Chosen::Steps(&[step.step]), batch);
    let index = step.outcome as usize;
    (index < batch.len()).then(|| batch.state(index).to_vec())
}
