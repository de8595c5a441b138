//! Algorithm 2 (Holzmann, Godefroid, Pirottin 1992, section 3.1): local steps first.
//!
//! A process all of whose moves are local can go alone: nothing that others do depends on it. All
//! moves of its present location count, the disabled ones too; looking at the enabled ones only, as
//! the paper's "local edges" may suggest, loses errors (a receive that is not yet possible beside an
//! assignment that is). Keeps deadlocks and, with the proviso, assertions.

use super::Reducer;
use mazurka_model::{Relations, Step};

/// Proposes each process that can only move locally, in order.
pub struct Local<'s> {
    relations: &'s dyn Relations,
    /// The index in `enabled` from which to look for the next process.
    from: usize,
}

impl<'s> Local<'s> {
    /// Local first, for a system with these relations.
    pub fn new(relations: &'s dyn Relations) -> Local<'s> {
        Local { relations, from: 0 }
    }
}

impl Reducer for Local<'_> {
    fn propose(&mut self, state: &[u8], enabled: &[Step], attempt: usize, set: &mut Vec<usize>) -> bool {
        if attempt == 0 {
            self.from = 0;
        }
        while let Some(step) = enabled.get(self.from) {
            let process = step.process;
            let start = self.from;
            let end = start + enabled[start..].iter().take_while(|s| s.process == process).count();
            self.from = end;
            if self.relations.next_is_local(state, process) {
                set.clear();
                set.extend(start..end);
                return true;
            }
        }
        false
    }
}
