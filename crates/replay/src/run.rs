//! A run that was really executed: the states that a trace passes through.

use mazurka_model::trace::TraceStep;
use mazurka_model::{FindingKind, Step, Violation};

/// A confirmed run, with the states along the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The state it starts in.
    pub initial: Vec<u8>,
    /// The steps, in order.
    pub steps: Vec<Executed>,
    /// The error that it ends in, if any.
    pub kind: FindingKind,
    /// Of an infinite run: the steps from this number on are repeated for ever; if there are none, nothing
    /// moves any more.
    pub repeats: Option<usize>,
}

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executed {
    /// The step, and which of its outcomes.
    pub step: TraceStep,
    /// The state it leads to. `None` only for the last step of a run, if that step has no successor.
    pub after: Option<Vec<u8>>,
    /// The state lies within an atomic region.
    pub interior: bool,
}

impl Run {
    /// The state in which step `index` is taken. An index past the last step gives the last state.
    pub fn before(&self, index: usize) -> &[u8] {
        let earlier = &self.steps[..index.min(self.steps.len())];
        earlier.iter().rev().find_map(|executed| executed.after.as_deref()).unwrap_or(&self.initial)
    }

    /// The last state there is: the deadlock itself, or what the wrong step left or was taken in.
    pub fn end(&self) -> &[u8] {
        self.before(self.steps.len())
    }

    /// All its states in order, the initial one first; of a run that comes back to where its repeated part
    /// begins, without that last one.
    pub fn states(&self) -> Vec<&[u8]> {
        let closed = self.repeats.is_some_and(|from| from < self.steps.len());
        let behind = self.steps.iter().filter_map(|executed| executed.after.as_deref());
        let mut states: Vec<&[u8]> = std::iter::once(self.initial.as_slice()).chain(behind).collect();
        if closed {
            states.pop();
        }
        states
    }

    /// The last step, if there is any.
    pub fn last_step(&self) -> Option<Step> {
        self.steps.last().map(|executed| executed.step.step)
    }

    /// The violation that the run ends in, as the system reported it; `None` for a deadlock
    /// and for a run that just stops.
    pub fn violation(&self) -> Option<Violation> {
        match self.kind {
            FindingKind::Deadlock | FindingKind::Stopped | FindingKind::Temporal { .. } => None,
            FindingKind::State { kind, place } => {
                let step = self.last_step().unwrap_or_default();
                Some(Violation { step, kind, place })
            }
            FindingKind::Step { kind, place } => self.last_step().map(|step| Violation { step, kind, place }),
        }
    }
}
