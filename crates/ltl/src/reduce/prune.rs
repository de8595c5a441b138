//! Leaves out what no accepting run uses: states, edges, marks and acceptance sets.
//!
//! The language stays the same. Marks that can't matter, because no accepting cycle goes through their edge,
//! are taken away; acceptance sets that others imply within a component are taken away there, and the
//! rest is numbered anew in each component, so that there are as few sets as the worst component needs.

use crate::automaton::{Automaton, Edge, Marks, State};
use crate::component::{Components, Graph};

/// The states and edges as a graph.
pub(crate) fn graph(automaton: &Automaton) -> Graph {
    let targets = |edge: &Edge| (edge.target.index(), edge.marks);
    automaton.edges.iter().map(|edges| edges.iter().map(targets).collect()).collect()
}

/// Leaves out what no accepting run uses. At least the initial state remains.
pub(crate) fn prune(automaton: Automaton) -> Automaton {
    let useful = useful(automaton);
    simplify_acceptance(useful)
}

/// Leaves out states from which nothing is accepted, and states that are not reachable.
fn useful(automaton: Automaton) -> Automaton {
    let graph = graph(&automaton);
    let components = Components::new(&graph, automaton.initial.index());
    let all = automaton.all_marks();
    // Components are numbered so that edges lead to smaller numbers: a pass in order sees targets first.
    let mut useful: Vec<bool> = (0..components.marks.len()).map(|c| components.accepting(c, all)).collect();
    let mut order: Vec<usize> = (0..graph.len()).filter(|node| components.of[*node].is_some()).collect();
    order.sort_by_key(|node| components.of[*node]);
    for node in &order {
        let component = components.of[*node].unwrap_or(0);
        if graph[*node].iter().any(|(target, _)| components.of[*target].is_some_and(|c| useful[c])) {
            useful[component] = true;
        }
    }
    let mut count = 0;
    let places: Vec<Option<State>> = (0..graph.len())
        .map(|node| {
            let kept = components.of[node].is_some_and(|c| useful[c]) || node == automaton.initial.index();
            kept.then(|| {
                count += 1;
                State(count - 1)
            })
        })
        .collect();
    automaton.mapped(&places, count as usize)
}

/// Takes away marks that can't matter and sets that others imply. What is state-based stays state-based.
fn simplify_acceptance(mut automaton: Automaton) -> Automaton {
    let state_based = automaton.is_state_based();
    let graph = graph(&automaton);
    let components = Components::new(&graph, automaton.initial.index());
    let all = automaton.all_marks();
    let needed: Vec<Option<Vec<u32>>> = (0..components.marks.len())
        .map(|component| {
            components.accepting(component, all).then(|| necessary(&automaton, &components, component))
        })
        .collect();
    // Without any set, whatever loops would be accepted: one is needed if a rejecting component has a cycle,
    // or if nothing is accepted at all.
    let rejecting = |c: usize| components.marks[c].is_some() && needed[c].is_none();
    let least = needed.iter().all(Option::is_none) || (0..needed.len()).any(rejecting);
    let sets = needed.iter().flatten().map(Vec::len).max().unwrap_or(0).max(usize::from(least)) as u32;
    for (source, edges) in automaton.edges.iter_mut().enumerate() {
        for edge in edges.iter_mut() {
            let component = components.of[source];
            let inside = component.is_some() && component == components.of[edge.target.index()];
            edge.marks = match component.and_then(|c| needed[c].as_ref()) {
                Some(kept) if inside => {
                    let own: Marks = kept
                        .iter()
                        .enumerate()
                        .filter(|(_, set)| edge.marks >> **set & 1 == 1)
                        .fold(0, |marks, (number, _)| marks | 1 << number);
                    let spare = (kept.len() as u32..sets).fold(0, |marks: Marks, number| marks | 1 << number);
                    own | spare
                }
                _ => 0,
            };
        }
        if state_based {
            // Edges that leave the component carry the marks of those that stay.
            let joined = edges.iter().fold(0, |joined, edge| joined | edge.marks);
            edges.iter_mut().for_each(|edge| edge.marks = joined);
        }
    }
    automaton.sets = sets;
    automaton.tidy();
    automaton
}

/// The sets that a component needs: those that are on all its edges, or on all edges of another needed
/// set, can be left out.
fn necessary(automaton: &Automaton, components: &Components, component: usize) -> Vec<u32> {
    let inner: Vec<Marks> = automaton
        .states()
        .filter(|state| components.of[state.index()] == Some(component))
        .flat_map(|state| automaton.edges(state))
        .filter(|edge| components.of[edge.target.index()] == Some(component))
        .map(|edge| edge.marks)
        .collect();
    let implies = |one: u32, other: u32| inner.iter().all(|m| m >> one & 1 == 0 || m >> other & 1 == 1);
    let mut kept: Vec<u32> = (0..automaton.sets).filter(|s| !inner.iter().all(|m| m >> s & 1 == 1)).collect();
    let mut number = 0;
    while number < kept.len() {
        let set = kept[number];
        if kept.iter().any(|other| *other != set && implies(*other, set)) {
            kept.remove(number);
        } else {
            number += 1;
        }
    }
    kept
}
