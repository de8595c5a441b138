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

    /// Whether a property looks at `state`, if that lies inside an atomic region. If not, it takes the region as one step. Where a run ends
    /// inside of a region, because a step fails, it looks all the same.
    fn sees(&self, state: &[u8]) -> bool {
        let _ = state;
        true
    }

    /// Whether there may be states that it does not see.
    fn overlooks(&self) -> bool {
        false
    }

    /// Whether it sees no state inside of a region.
    fn overlooks_regions(&self) -> bool {
        false
    }

    /// The letters of a run as a property sees it: of its states, and where the first of them stands from which on they are repeated, if
    /// the states are from number `repeats` on.
    fn word(&self, states: &[&[u8]], repeats: usize) -> (Vec<u64>, usize) {
        let (mut letters, mut before) = (Vec::new(), 0);
        for (index, state) in states.iter().enumerate() {
            let ends = index == repeats && repeats + 1 == states.len();
            if ends || self.sees(state) {
                letters.push(self.letter(state));
                before += usize::from(index < repeats);
            }
        }
        (letters, before)
    }

    /// Appends what atom `atom` looks at: on which objects, by which operations, whoever performs them.
    /// [`OperationKind::ANY`](crate::OperationKind::ANY) is a look at the whole value. The answer
    /// covers all states. False: the atom looks at more than objects, so any step may change it.
    fn looks_at(&self, atom: usize, out: &mut Vec<Access>) -> bool;

    /// The atoms, as text, that could not be computed in some state that was asked about, where they count as false.
    fn undefined(&self) -> Vec<String> {
        Vec::new()
    }
}
