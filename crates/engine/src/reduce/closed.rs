//! Persistent sets that the system computes by itself ([`mazurka_model::ClosedSets`]).
//!
//! A network of virtual finite state machines knows more of its processes than operations on objects tell: which machine
//! of a processor goes first, and how often a message may still be sent. Its sets are proposed here as those of any
//! method are, smallest first, so that provisos and sleep sets work on top of them.

use super::Reducer;
use mazurka_model::{ClosedSets, Keep, Step};

/// Proposes the sets of a system, smallest first.
pub struct Closed<'s> {
    system: &'s dyn ClosedSets,
    keep: Keep,
    sets: Vec<u128>,
}

impl<'s> Closed<'s> {
    /// The sets that keep what is asked for.
    pub fn new(system: &'s dyn ClosedSets, keep: Keep) -> Closed<'s> {
        Closed { system, keep, sets: Vec::new() }
    }
}

impl Reducer for Closed<'_> {
    fn propose(&mut self, state: &[u8], enabled: &[Step], attempt: usize, set: &mut Vec<usize>) -> bool {
        if attempt == 0 {
            self.sets.clear();
            if enabled.len() > 1 {
                self.system.closed_sets(state, enabled, self.keep, &mut self.sets);
            }
        }
        let Some(closed) = self.sets.get(attempt) else { return false };
        let member =
            |step: &Step| closed.checked_shr(step.process.0.into()).is_some_and(|bits| bits & 1 == 1);
        set.clear();
        set.extend((0..enabled.len()).filter(|index| member(&enabled[*index])));
        true
    }
}
