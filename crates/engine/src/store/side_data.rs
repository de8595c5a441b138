//! Side data of states that are numbered from 0 on and have no record to keep it in.
//!
//! Each kind that the search asked for has chunks of its own, which never move. Two bits do for a colour.

use super::arena::{Side, StateRef};
use super::budget::Budget;

/// States in a chunk.
const PER_CHUNK: usize = 1 << 10;

/// Colours, parents and sleep sets.
#[derive(Debug)]
pub struct SideData {
    side: Side,
    states: usize,
    /// Four colours in a byte.
    colours: Vec<Box<[u8]>>,
    parents: Vec<Box<[u32]>>,
    sleeps: Vec<Box<[u32]>>,
}

impl SideData {
    /// For states with this side data.
    pub fn new(side: Side) -> SideData {
        SideData { side, states: 0, colours: Vec::new(), parents: Vec::new(), sleeps: Vec::new() }
    }

    /// Whether states have none.
    pub fn is_empty(&self) -> bool {
        self.side == Side::default()
    }

    /// Makes room for one state more, if the budget allows.
    #[inline]
    pub fn reserve(&mut self, budget: &mut Budget) -> Option<()> {
        let chunks = self.colours.len().max(self.parents.len()).max(self.sleeps.len());
        if self.states == chunks * PER_CHUNK && self.side != Side::default() {
            self.grow(budget)?;
        }
        Some(())
    }

    /// Adds a state, for which there is room.
    #[inline]
    pub fn push(&mut self) {
        self.states += 1;
    }

    fn grow(&mut self, budget: &mut Budget) -> Option<()> {
        let Side { colour, parent, sleep } = self.side;
        let words = usize::from(parent) + usize::from(sleep);
        if !budget.take(PER_CHUNK / 4 * usize::from(colour) + PER_CHUNK * 4 * words) {
            return None;
        }
        if colour {
            self.colours.push(vec![0; PER_CHUNK / 4].into_boxed_slice());
        }
        if parent {
            self.parents.push(vec![0; PER_CHUNK].into_boxed_slice());
        }
        if sleep {
            self.sleeps.push(vec![0; PER_CHUNK].into_boxed_slice());
        }
        Some(())
    }

    /// Bytes allocated.
    pub fn bytes(&self) -> u64 {
        let words = self.parents.len() + self.sleeps.len();
        (self.colours.len() * PER_CHUNK / 4 + words * PER_CHUNK * 4) as u64
    }

    /// The colour of a state, less than four; 0 at first.
    #[inline]
    pub fn colour(&self, state: StateRef) -> u8 {
        let at = state.0 as usize;
        self.colours[at / PER_CHUNK][at % PER_CHUNK / 4] >> (at % 4 * 2) & 3
    }

    /// Colours a state.
    #[inline]
    pub fn set_colour(&mut self, state: StateRef, colour: u8) {
        debug_assert!(colour < 4);
        let at = state.0 as usize;
        let byte = &mut self.colours[at / PER_CHUNK][at % PER_CHUNK / 4];
        *byte = *byte & !(3 << (at % 4 * 2)) | colour << (at % 4 * 2);
    }

    /// The parent of a state.
    #[inline]
    pub fn parent(&self, state: StateRef) -> StateRef {
        StateRef(self.parents[state.0 as usize / PER_CHUNK][state.0 as usize % PER_CHUNK])
    }

    /// Notes the parent of a state.
    #[inline]
    pub fn set_parent(&mut self, state: StateRef, parent: StateRef) {
        self.parents[state.0 as usize / PER_CHUNK][state.0 as usize % PER_CHUNK] = parent.0;
    }

    /// The number of a state's sleep set.
    #[inline]
    pub fn sleep(&self, state: StateRef) -> u32 {
        self.sleeps[state.0 as usize / PER_CHUNK][state.0 as usize % PER_CHUNK]
    }

    /// Notes the number of a state's sleep set.
    #[inline]
    pub fn set_sleep(&mut self, state: StateRef, sleep: u32) {
        self.sleeps[state.0 as usize / PER_CHUNK][state.0 as usize % PER_CHUNK] = sleep;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_state_keeps_its_own() {
        let mut data = SideData::new(Side { colour: true, parent: true, sleep: true });
        let mut budget = Budget::new(None);
        let states = 3 * PER_CHUNK as u32 / 2;
        for i in 0..states {
            data.reserve(&mut budget).expect("there is no limit");
            data.push();
            data.set_colour(StateRef(i), (i % 4) as u8);
            data.set_parent(StateRef(i), StateRef(i / 3));
            data.set_sleep(StateRef(i), i * 7);
        }
        for i in 0..states {
            let found = (data.colour(StateRef(i)), data.parent(StateRef(i)), data.sleep(StateRef(i)));
            assert_eq!(found, ((i % 4) as u8, StateRef(i / 3), i * 7));
        }
        assert_eq!(budget.used(), data.bytes());
        assert_eq!(budget.used(), 2 * (PER_CHUNK as u64 / 4 + PER_CHUNK as u64 * 8));
    }
}
