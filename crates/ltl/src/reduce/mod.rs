//! Making automata smaller without changing what they accept, and asking what they accept.

pub(crate) mod budget;
pub(crate) mod complement;
pub(crate) mod degeneralise;
pub(crate) mod letters;
pub(crate) mod merge;
pub(crate) mod obligation;
pub(crate) mod product;
pub(crate) mod prune;
pub(crate) mod simulation;

pub use complement::complement;
pub use product::{intersect, is_empty};

use crate::automaton::Automaton;
use budget::Budget;

/// How much work each kind of reduction may do: a fraction of a second.
pub(crate) const STEPS: usize = 1_000_000;

/// Smaller is better: states, then edges, then acceptance sets.
pub(crate) fn measure(automaton: &Automaton) -> (usize, usize, u32) {
    (automaton.size(), automaton.edge_count(), automaton.sets())
}

/// The automaton with what no accepting run uses left out, and reduced by simulation.
pub fn reduce(automaton: &Automaton) -> Automaton {
    let mut reduced = simulation::simulate(prune::prune(automaton.clone()), &mut Budget::new(STEPS));
    reduced.collect();
    reduced
}

/// A Büchi automaton with acceptance on states that accepts the same words, reduced.
pub fn buchi(automaton: &Automaton) -> Automaton {
    let reduced = simulation::simulate(prune::prune(automaton.clone()), &mut Budget::new(STEPS));
    let results = degeneralise::degeneralise(&reduced, &mut Budget::new(STEPS));
    let mut smallest = results.into_iter().min_by_key(measure).unwrap_or(reduced);
    single_set(&mut smallest);
    smallest.collect();
    smallest
}

/// Makes an automaton in which every run is accepted one with an acceptance set.
pub(crate) fn single_set(automaton: &mut Automaton) {
    if automaton.sets == 0 {
        automaton.sets = 1;
        automaton.edges.iter_mut().flatten().for_each(|edge| edge.marks = 1);
    }
}
