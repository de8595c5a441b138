//! What a parallel search keeps with a state: its sleep set, and how far the search has come with it. And the proviso
//! that rests on that.
//!
//! **The proviso.** From every state that is reduced, edges of first visits lead to one that is expanded fully. When the edges of a
//! proposed set are judged, one of them must lead to a state that *waits*, that is, was not opened yet, or to one that
//! is expanded fully, or to one that has been judged itself, and from which its own way out leads to such a state in
//! turn. The state then remembers that edge as its way out.
//!
//! This is enough in any order of visiting. All reads and exchanges of marks are in one order (they are sequentially
//! consistent), so states are opened one after another. A state is judged after it was opened; a state that waits
//! then is opened later. So from every state that is reduced a path leads to one opened later, or to one that
//! is expanded fully; and since there are finitely many states, and all are opened in the end, a longer path leads
//! to one that is expanded fully. That a way out runs over states that other threads change meanwhile does no harm: what it ran over
//! were edges that had been explored. A state that is open and not judged leads nowhere for certain, so it is not counted
//! on; that two threads refuse each other's states costs a full expansion, and nothing else.
//!
//! A state that was stored by the expansion at hand waits, so whatever meets the closed-set proviso of the breadth-first
//! search meets this one.

use crate::store::StateRef;
use crate::store::shared::Handle;

const WAITS: u32 = 0;
const OPEN: u32 = 1;
const WHOLE: u32 = 2;
/// From here on the lower half is a reference. The highest references are not given out.
const LEADS: u32 = 3;
/// The longest way out that is followed.
const FAR: u32 = 1 << 20;

/// How far the search has come with a state.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It was stored.
    Waits,
    /// It is being expanded, for the first time.
    Open,
    /// Nothing was left out of it that was awake; or a path leads to such a state.
    Whole,
    /// It was reduced, and a path leads from it to this state.
    Leads(StateRef),
}

/// The number of a sleep set, and a stage.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    pub sleep: u32,
    pub stage: Stage,
}

impl Mark {
    /// Of a state that is stored with this sleep set.
    pub fn waiting(sleep: u32) -> u64 {
        Mark { sleep, stage: Stage::Waits }.word()
    }

    pub fn of(word: u64) -> Mark {
        let stage = match word as u32 {
            WAITS => Stage::Waits,
            OPEN => Stage::Open,
            WHOLE => Stage::Whole,
            leads => Stage::Leads(StateRef(leads - LEADS)),
        };
        Mark { sleep: (word >> 32) as u32, stage }
    }

    pub fn word(self) -> u64 {
        let stage = match self.stage {
            Stage::Waits => WAITS,
            Stage::Open => OPEN,
            Stage::Whole => WHOLE,
            Stage::Leads(state) => state.0 + LEADS,
        };
        u64::from(self.sleep) << 32 | u64::from(stage)
    }
}

/// Brings a state to another stage; its sleep set is that of the moment in which that happens.
pub fn advance(handle: &mut Handle<'_>, state: StateRef, stage: Stage) -> u32 {
    loop {
        let word = handle.mark(state);
        let Mark { sleep, .. } = Mark::of(word);
        if handle.exchange_mark(state, word, Mark { sleep, stage }.word()) {
            return sleep;
        }
    }
}

/// Whether from `first` edges of first visits lead to a state that waits or is expanded fully.
pub fn leads_out(handle: &mut Handle<'_>, first: StateRef) -> bool {
    let mut at = first;
    let mut steps = 0;
    let end = loop {
        match Mark::of(handle.mark(at)).stage {
            Stage::Open => return false,
            Stage::Whole => break Stage::Whole,
            Stage::Waits => break Stage::Leads(at),
            Stage::Leads(next) => at = next,
        }
        steps += 1;
        if steps == FAR {
            return false;
        }
    };
    // The next one who comes this way has it shorter. If a mark has changed, that does not matter.
    let mut at = first;
    let direct = u32::from(end != Stage::Whole);
    for _ in direct..steps {
        let word = handle.mark(at);
        let Mark { sleep, stage: Stage::Leads(next) } = Mark::of(word) else { break };
        handle.exchange_mark(at, word, Mark { sleep, stage: end }.word());
        at = next;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Insert, Shared};

    #[test]
    fn a_way_out_ends_where_something_waits_or_is_whole_and_gets_shorter() {
        let store = Shared::new(None, true, None, 1);
        let mut handle = store.handle();
        let states: Vec<StateRef> = (0..5u8)
            .map(|i| match handle.insert(&[i], None, Mark::waiting(u32::from(i) + 7)) {
                Insert::New(state) => state,
                other => unreachable!("{other:?}"),
            })
            .collect();
        assert!(leads_out(&mut handle, states[0]));
        for pair in states.windows(2) {
            assert_eq!(
                advance(&mut handle, pair[0], Stage::Leads(pair[1])),
                handle_sleep(&mut handle, pair[0])
            );
        }
        // The last one waits.
        assert!(leads_out(&mut handle, states[0]));
        assert_eq!(Mark::of(handle.mark(states[0])).stage, Stage::Leads(states[4]));
        // It is opened, and nobody knows where it will lead.
        advance(&mut handle, states[4], Stage::Open);
        assert!((0..5).all(|i| !leads_out(&mut handle, states[i])));
        // It leads back: nothing leads out, and looking for it ends.
        advance(&mut handle, states[4], Stage::Leads(states[0]));
        assert!(!leads_out(&mut handle, states[2]));
        advance(&mut handle, states[4], Stage::Whole);
        assert!((0..5).all(|i| leads_out(&mut handle, states[i])));
        let marks: Vec<Mark> = states.iter().map(|state| Mark::of(handle.mark(*state))).collect();
        assert_eq!(marks[0], Mark { sleep: 7, stage: Stage::Whole });
        assert!(marks.iter().zip(7..).all(|(mark, sleep)| mark.sleep == sleep));
    }

    fn handle_sleep(handle: &mut Handle<'_>, state: StateRef) -> u32 {
        Mark::of(handle.mark(state)).sleep
    }
}
