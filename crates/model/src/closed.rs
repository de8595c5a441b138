//! Persistent sets that a system computes by itself, from what only it knows of its processes.

use crate::ids::Step;

/// What a reduced search must not lose.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Every deadlock, and nothing else: two steps that go well in both orders need commute only there.
    Deadlocks,
    /// Also what goes wrong in steps.
    Errors,
}

/// A system's own way to choose.
pub trait ClosedSets: Sync {
    /// Adds sets of processes, as bits by number, whose enabled steps are persistent (Godefroid and Pirottin 1993,
    /// Definition 7) in `state`: nothing that the other processes do, as long as those of the set stand still, depends
    /// on these steps, and none of the set is enabled by them. Each has an enabled step; `enabled` lists all enabled
    /// steps. A set in which all enabled steps are need not be added. Clears `out` first.
    fn closed_sets(&self, state: &[u8], enabled: &[Step], keep: Keep, out: &mut Vec<u128>);

    /// Whether a search may do without the sets for a while where they seldom leave anything out.
    fn may_pause(&self) -> bool {
        false
    }
}
