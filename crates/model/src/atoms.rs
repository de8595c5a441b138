//! Conditions on states that a temporal property speaks of, and what they look at.

use crate::footprint::Access;

/// The most atoms that a property may have: a letter is one word.
pub const MOST_ATOMS: usize = 64;

/// The atoms of a property over the states of a system.
///
/// A temporal property sees a run as a sequence of letters: for each state, which of the atoms hold
/// there. What an atom looks at tells a reduction which steps may change it.
pub trait Atoms: Sync {
    /// How many atoms there are, at most [`MOST_ATOMS`].
    fn count(&self) -> usize;

    /// Which atoms hold in `state`, bit by bit.
    fn letter(&self, state: &[u8]) -> u64;

    /// Appends what atom `atom` looks at: on which objects, by which operations, whoever performs them.
    /// [`OperationKind::ANY`](crate::OperationKind::ANY) is a look at the whole value. The answer
    /// covers all states. False: the atom looks at more than objects, so any step may change it.
    fn looks_at(&self, atom: usize, out: &mut Vec<Access>) -> bool;

    /// The atoms, as text, that could not be computed in some state that was asked about, where they count as false.
    fn undefined(&self) -> Vec<String> {
        Vec::new()
    }
}
