//! From several acceptance sets on edges to one on states: the usual Büchi automaton.
//!
//! The sets are waited for one after the other; a copy of a state for each *level* says which is next, and
//! the last level accepts. The number of copies depends on choices, of which several are tried and the
//! smallest result is kept: the order of the sets, and whether a state on all of whose edges a set lies
//! counts as having seen it (Babiak, Badie, Duret-Lutz, Křetínský, Strejček, *Compositional approach to
//! suspension and other improvements to LTL translation*, SPIN 2013). Levels matter only within
//! accepting components, and a component is entered at a level that already exists.

use super::budget::Budget;
use super::simulation::simulate;
use crate::automaton::{Automaton, Edge, Marks, State};
use crate::component::Components;
use std::collections::HashMap;

/// How levels are counted.
struct Choice {
    /// The sets in the order in which they are waited for.
    order: Vec<u32>,
    /// Whether what lies on all edges out of a state counts on entering the state.
    ahead: bool,
}

/// State-based Büchi automata with one set that accept the same words, reduced by simulation. There is at least
/// one; when the budget is spent, no further choice is tried.
pub(crate) fn degeneralise(automaton: &Automaton, budget: &mut Budget) -> Vec<Automaton> {
    let mut results: Vec<Automaton> = Vec::new();
    for order in orders(automaton.sets()) {
        for ahead in [true, false] {
            if results.is_empty() || !budget.is_spent() {
                let choice = Choice { order: order.clone(), ahead };
                results.push(simulate(super::prune::prune(levels(automaton, &choice)), budget));
            }
        }
    }
    results
}

/// Orders to try: all of up to three sets, and two of more.
fn orders(sets: u32) -> Vec<Vec<u32>> {
    let identity: Vec<u32> = (0..sets).collect();
    match sets {
        0 | 1 => vec![identity],
        2 => vec![vec![0, 1], vec![1, 0]],
        3 => vec![vec![0, 1, 2], vec![0, 2, 1], vec![1, 0, 2], vec![1, 2, 0], vec![2, 0, 1], vec![2, 1, 0]],
        _ => vec![identity.clone(), identity.into_iter().rev().collect()],
    }
}

fn levels(automaton: &Automaton, choice: &Choice) -> Automaton {
    let graph = super::prune::graph(automaton);
    let components = Components::new(&graph, automaton.initial.index());
    let all = automaton.all_marks();
    let last = choice.order.len();
    let accepting = |state: usize| components.of[state].is_some_and(|c| components.accepting(c, all));
    let advance = |mut level: usize, marks: Marks| {
        while level < last && marks >> choice.order[level] & 1 == 1 {
            level += 1;
        }
        level
    };
    // What every edge that stays in the component has.
    let common: Vec<Marks> = (0..graph.len())
        .map(|state| {
            let stays =
                graph[state].iter().filter(|(target, _)| components.of[*target] == components.of[state]);
            stays.fold(Marks::MAX, |common, (_, marks)| common & marks)
        })
        .collect();
    let enter = |state: usize, level: usize| {
        if choice.ahead && accepting(state) { advance(level, common[state]) } else { level }
    };

    let mut result = Automaton::new(automaton.atoms.clone(), 1);
    result.diagrams = automaton.diagrams.clone();
    let mut copies: HashMap<(usize, usize), State> = HashMap::new();
    let mut first_level: HashMap<usize, usize> = HashMap::new();
    let start = automaton.initial.index();
    let begin = (start, enter(start, 0));
    copies.insert(begin, State(0));
    first_level.insert(start, begin.1);
    let mut waiting = vec![begin];
    while let Some((state, level)) = waiting.pop() {
        let source = copies[&(state, level)];
        let marks = Marks::from(level == last && accepting(state));
        let base = if level == last { 0 } else { level };
        for edge in automaton.edges(State(state as u32)) {
            let target = edge.target.index();
            let level = if components.of[target] != components.of[state] || !accepting(state) {
                *first_level.entry(target).or_insert_with(|| enter(target, 0))
            } else {
                // What was counted ahead is not counted again in the round that begins.
                let counted =
                    if choice.ahead && level == last { edge.marks & !common[state] } else { edge.marks };
                enter(target, advance(base, counted))
            };
            let copy = *copies.entry((target, level)).or_insert_with(|| {
                waiting.push((target, level));
                result.add_state()
            });
            first_level.entry(target).or_insert(level);
            result.add_edge(source, Edge { target: copy, marks, label: edge.label });
        }
    }
    result.tidy();
    result
}
