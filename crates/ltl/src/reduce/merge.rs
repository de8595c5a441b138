//! Merging states as long as a check says that nothing is gained.
//!
//! Merging two states of an automaton never loses a word. It may add words; but if the automaton of the
//! negated formula is at hand, that is a question of emptiness: the merged automaton must have no word in
//! common with it. This finds every merger that the known simulations allow, one at a time, and others
//! that they don't. It relies on the other automaton being right, which is tested word by word.

use super::budget::Budget;
use super::product::Prepared;
use super::prune::prune;
use crate::automaton::{Automaton, MOST_SETS, State};
use crate::diagram::Diagrams;

/// Merges states while the automaton has no word in common with `complement`, which must accept exactly the
/// words that it does not. With `state_based`, marks stay on states.
pub(crate) fn merge(
    mut automaton: Automaton,
    complement: &Automaton,
    state_based: bool,
    budget: &mut Budget,
) -> Automaton {
    if automaton.sets() + complement.sets() >= MOST_SETS {
        return automaton;
    }
    let (mut diagrams, mut atoms) = (Diagrams::new(), automaton.atoms().to_vec());
    let other = Prepared::new(complement, &mut diagrams, &mut atoms);
    'again: loop {
        let own = Prepared::new(&automaton, &mut diagrams, &mut atoms);
        for kept in 0..automaton.size() {
            for gone in kept + 1..automaton.size() {
                let candidate = own.merged(kept, gone, state_based);
                match candidate.meets(&other, &mut diagrams, budget) {
                    None => return automaton,
                    Some(true) => {}
                    Some(false) => {
                        automaton = prune(merged(automaton, kept, gone, state_based));
                        continue 'again;
                    }
                }
            }
        }
        return automaton;
    }
}

fn merged(mut automaton: Automaton, kept: usize, gone: usize, state_based: bool) -> Automaton {
    let places: Vec<Option<State>> = (0..automaton.size())
        .map(|state| match state {
            state if state == gone => Some(State(kept as u32)),
            state => Some(State((state - usize::from(state > gone)) as u32)),
        })
        .collect();
    if state_based {
        let marks = automaton.marks_of(State(kept as u32)) | automaton.marks_of(State(gone as u32));
        for state in [kept, gone] {
            automaton.edges[state].iter_mut().for_each(|edge| edge.marks = marks);
        }
    }
    let count = automaton.size() - 1;
    automaton.mapped(&places, count)
}
