//! Strong fairness within a component: states are taken away until what is left is fair, or nothing is
//! (the emptiness check for Streett conditions; Lichtenstein and Pnueli 1985).
//!
//! A run that visits all states of a component again and again wrongs a process that can move in some of
//! them and moves on none of their edges. A fair run within the component must avoid those states.

use super::fairness::{Chances, Fairness};
use super::graph::Graph;
use super::product::{Moves, Pair};
use std::collections::HashMap;

/// A strongly connected part of `members` with edges of all acceptance sets in which no process is
/// wronged, if there is one.
pub fn fair_part(
    graph: &mut Graph<'_>,
    moves: &Moves<'_>,
    members: &[Pair],
    all_marks: u64,
) -> Option<Vec<Pair>> {
    let mut waiting = vec![members.to_vec()];
    while let Some(pairs) = waiting.pop() {
        let edges = inner_edges(graph, moves, &pairs);
        for component in components(&edges) {
            let mut place = vec![false; pairs.len()];
            component.iter().for_each(|member| place[*member] = true);
            let mut marks = 0;
            let mut chances = Chances::default();
            let mut connected = false;
            for &member in &component {
                let node = pairs[member].node;
                chances.join(&Chances::of_state(graph.enabled(node), graph.is_interior(node)));
                for edge in edges[member].iter().filter(|edge| place[edge.target]) {
                    connected = true;
                    marks |= edge.marks;
                    chances.moves.unite(graph.movers(node, edge.edge));
                }
            }
            if !connected || marks & all_marks != all_marks {
                continue;
            }
            let wronged = chances.wronged(Fairness::Strong);
            let part = component.iter().map(|member| pairs[*member]);
            if wronged.is_empty() {
                return Some(part.collect());
            }
            let allowed =
                |pair: &Pair| graph.is_interior(pair.node) || !graph.enabled(pair.node).meets(&wronged);
            waiting.push(part.filter(allowed).collect());
        }
    }
    None
}

/// An edge between two of some product states.
struct Inner {
    target: usize,
    /// Which edge of the system's state.
    edge: usize,
    marks: u64,
}

fn inner_edges(graph: &Graph<'_>, moves: &Moves<'_>, pairs: &[Pair]) -> Vec<Vec<Inner>> {
    let places: HashMap<Pair, usize> = pairs.iter().enumerate().map(|(place, pair)| (*pair, place)).collect();
    let of = |pair: &Pair| {
        let mut inner = Vec::new();
        for (edge, node) in graph.successors(pair.node).iter().enumerate() {
            for taken in moves.get(pair.state, graph.letter(pair.node)) {
                if let Some(&target) = places.get(&Pair { node: *node, state: taken.target }) {
                    inner.push(Inner { target, edge, marks: taken.marks });
                }
            }
        }
        inner
    };
    pairs.iter().map(of).collect()
}

/// The strong components (Tarjan 1972), without recursion.
fn components(edges: &[Vec<Inner>]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let mut numbers = vec![NEW; edges.len()];
    let mut lowest = vec![0; edges.len()];
    let mut on_stack = vec![false; edges.len()];
    let mut stack = Vec::new();
    let mut found = Vec::new();
    let mut count = 0;
    for root in 0..edges.len() {
        if numbers[root] != NEW {
            continue;
        }
        let mut calls = vec![(root, 0)];
        while let Some((state, cursor)) = calls.last_mut() {
            let state = *state;
            if *cursor == 0 {
                (numbers[state], lowest[state]) = (count, count);
                count += 1;
                stack.push(state);
                on_stack[state] = true;
            }
            if let Some(edge) = edges[state].get(*cursor) {
                *cursor += 1;
                if numbers[edge.target] == NEW {
                    calls.push((edge.target, 0));
                } else if on_stack[edge.target] {
                    lowest[state] = lowest[state].min(numbers[edge.target]);
                }
                continue;
            }
            calls.pop();
            if let Some((caller, _)) = calls.last() {
                lowest[*caller] = lowest[*caller].min(lowest[state]);
            }
            if lowest[state] == numbers[state] {
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member] = false;
                    component.push(member);
                    if member == state {
                        break;
                    }
                }
                found.push(component);
            }
        }
    }
    found
}
