//! Whether two automata accept a word in common.

use super::budget::Budget;
use crate::automaton::{Automaton, State};
use crate::component::{Graph, accepting_cycle};
use crate::diagram::{Diagrams, Label};
use crate::hash::Map;

/// An automaton whose labels are functions of given `Diagrams`, so that products with others are fast.
pub(crate) struct Prepared {
    edges: Vec<Vec<(usize, u64, Label)>>,
    initial: usize,
    all: u64,
    sets: u32,
}

impl Prepared {
    /// Brings the labels of an automaton over to `diagrams`, whose variables are called `atoms`. Atoms that
    /// are missing there are added.
    pub(crate) fn new(automaton: &Automaton, diagrams: &mut Diagrams, atoms: &mut Vec<String>) -> Prepared {
        let edges = imported(automaton, diagrams, atoms);
        Prepared {
            edges,
            initial: automaton.initial().index(),
            all: automaton.all_marks(),
            sets: automaton.sets(),
        }
    }

    /// With one state merged into another. Marks are joined if they belong to states.
    pub(crate) fn merged(&self, kept: usize, gone: usize, state_based: bool) -> Prepared {
        let place = |state: usize| if state == gone { kept } else { state };
        let mut edges = self.edges.clone();
        let moved = std::mem::take(&mut edges[gone]);
        let marks = |out: &[(usize, u64, Label)]| out.first().map_or(0, |edge| edge.1);
        let joined = marks(&edges[kept]) | marks(&moved);
        edges[kept].extend(moved);
        if state_based {
            edges[kept].iter_mut().for_each(|edge| edge.1 = joined);
        }
        edges.iter_mut().flatten().for_each(|edge| edge.0 = place(edge.0));
        Prepared { edges, initial: place(self.initial), all: self.all, sets: self.sets }
    }

    /// Whether both automata accept some word. None if the budget is spent.
    pub(crate) fn meets(
        &self,
        other: &Prepared,
        diagrams: &mut Diagrams,
        budget: &mut Budget,
    ) -> Option<bool> {
        let mut numbers: Map<(usize, usize), usize> = Map::default();
        let mut graph: Graph = Vec::new();
        let mut pairs = vec![(self.initial, other.initial)];
        numbers.insert(pairs[0], 0);
        while graph.len() < pairs.len() {
            let (left, right) = pairs[graph.len()];
            let mut out = Vec::new();
            budget.spend(1 + self.edges[left].len() * other.edges[right].len())?;
            for (left_target, left_marks, left_label) in &self.edges[left] {
                for (right_target, right_marks, right_label) in &other.edges[right] {
                    if diagrams.and(*left_label, *right_label) == Label::FALSE {
                        continue;
                    }
                    let pair = (*left_target, *right_target);
                    let number = *numbers.entry(pair).or_insert_with(|| {
                        pairs.push(pair);
                        pairs.len() - 1
                    });
                    out.push((number, left_marks | right_marks << self.sets));
                }
            }
            graph.push(out);
        }
        Some(accepting_cycle(&graph, 0, self.all | other.all << self.sets))
    }
}

/// The edges of an automaton, their labels brought over to `diagrams`, whose variables are called `atoms`. Atoms
/// that are missing there are added.
pub(crate) fn imported(
    automaton: &Automaton,
    diagrams: &mut Diagrams,
    atoms: &mut Vec<String>,
) -> Vec<Vec<(usize, u64, Label)>> {
    let rename: Vec<usize> = automaton
        .atoms()
        .iter()
        .map(|name| {
            atoms.iter().position(|known| known == name).unwrap_or_else(|| {
                atoms.push(name.clone());
                atoms.len() - 1
            })
        })
        .collect();
    let mut memo: Map<Label, Label> = Map::default();
    automaton
        .states()
        .map(|state| {
            let mut bring = |label| {
                *memo.entry(label).or_insert_with(|| diagrams.import(automaton.diagrams(), label, &rename))
            };
            automaton.edges(state).iter().map(|e| (e.target.index(), e.marks, bring(e.label))).collect()
        })
        .collect()
}

/// Whether two automata accept a word in common. Atoms with the same name are the same.
///
/// None if the two have more acceptance sets together than can be represented.
pub fn intersect(left: &Automaton, right: &Automaton) -> Option<bool> {
    if left.sets() + right.sets() >= crate::automaton::MOST_SETS {
        return None;
    }
    let (mut diagrams, mut atoms) = (Diagrams::new(), Vec::new());
    let left = Prepared::new(left, &mut diagrams, &mut atoms);
    let right = Prepared::new(right, &mut diagrams, &mut atoms);
    left.meets(&right, &mut diagrams, &mut Budget::new(usize::MAX))
}

/// Whether an automaton accepts nothing.
pub fn is_empty(automaton: &Automaton) -> bool {
    let State(initial) = automaton.initial();
    !accepting_cycle(&super::prune::graph(automaton), initial as usize, automaton.all_marks())
}
