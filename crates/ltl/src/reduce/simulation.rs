//! Direct simulation, forwards and backwards: merging states and leaving out edges.
//!
//! Somenzi and Bloem, *Efficient Büchi automata from LTL formulae* (CAV 2000); Etessami and Holzmann,
//! *Optimizing Büchi automata* (CONCUR 2000). State `q` simulates `p` if whatever `p` can do with some
//! letter, `q` can do with at least the same marks, to states of which the same is true. States that simulate
//! each other are merged; an edge is left out for the letters for which a better one is there. Backwards
//! likewise, with the initial state as the beginning. Neither changes the language.

use super::budget::Budget;
use crate::automaton::{Automaton, Edge, State};
use crate::diagram::Label;

/// `simulates[p][q]`: whatever `p` can do, `q` can do better.
type Relation = Vec<Vec<bool>>;

/// Reduces by both simulations until nothing changes or the budget is spent. What is state-based stays
/// state-based.
pub(crate) fn simulate(mut automaton: Automaton, budget: &mut Budget) -> Automaton {
    loop {
        let before = (automaton.size(), automaton.edge_count());
        automaton = super::prune::prune(backward(forward(automaton, budget), budget));
        if budget.is_spent() || (automaton.size(), automaton.edge_count()) == before {
            return automaton;
        }
    }
}

fn forward(automaton: Automaton, budget: &mut Budget) -> Automaton {
    let (automaton, relation) = match quotient(automaton, |automaton| forward_relation(automaton, budget)) {
        Ok(found) => found,
        Err(automaton) => return automaton,
    };
    let Automaton { mut diagrams, edges, .. } = automaton;
    let kept = edges.iter().map(|out| {
        let better = |edge: &Edge, other: &Edge| {
            edge.marks & !other.marks == 0 && relation[edge.target.index()][other.target.index()]
        };
        let mut kept = Vec::new();
        for (number, edge) in out.iter().enumerate() {
            let others = out.iter().enumerate().filter(|(n, other)| *n != number && better(edge, other));
            let covered = others.fold(Label::FALSE, |all, (_, other)| diagrams.or(all, other.label));
            let label = diagrams.minus(edge.label, covered);
            kept.extend((label != Label::FALSE).then_some(Edge { label, ..*edge }));
        }
        kept
    });
    let edges = kept.collect();
    Automaton { diagrams, edges, ..automaton }
}

fn backward(automaton: Automaton, budget: &mut Budget) -> Automaton {
    let (mut automaton, relation) =
        match quotient(automaton, |automaton| backward_relation(automaton, budget)) {
            Ok(found) => found,
            Err(automaton) => return automaton,
        };
    let edges = automaton.edges.clone();
    for (source, out) in edges.iter().enumerate() {
        let mut kept = Vec::new();
        for edge in out {
            let mut label = edge.label;
            for (other_source, other_out) in edges.iter().enumerate() {
                if other_source == source || !relation[source][other_source] {
                    continue;
                }
                for other in other_out {
                    if other.target == edge.target && edge.marks & !other.marks == 0 {
                        label = automaton.diagrams.minus(label, other.label);
                    }
                }
            }
            kept.extend((label != Label::FALSE).then_some(Edge { label, ..*edge }));
        }
        automaton.edges[source] = kept;
    }
    automaton
}

/// Merges states that simulate each other; also the relation between the classes. The automaton as it was,
/// if the relation could not be computed.
fn quotient(
    mut automaton: Automaton,
    relation: impl FnOnce(&mut Automaton) -> Option<Relation>,
) -> Result<(Automaton, Relation), Automaton> {
    let Some(simulates) = relation(&mut automaton) else { return Err(automaton) };
    let size = automaton.size();
    let mut representatives = Vec::new();
    let mut places = vec![None; size];
    for state in 0..size {
        let class = representatives
            .iter()
            .position(|other: &usize| simulates[state][*other] && simulates[*other][state]);
        places[state] = Some(State(class.unwrap_or_else(|| {
            representatives.push(state);
            representatives.len() - 1
        }) as u32));
    }
    let between =
        representatives.iter().map(|p| representatives.iter().map(|q| simulates[*p][*q]).collect()).collect();
    Ok((automaton.mapped(&places, representatives.len()), between))
}

fn forward_relation(automaton: &mut Automaton, budget: &mut Budget) -> Option<Relation> {
    let Automaton { diagrams, edges, .. } = automaton;
    let cost = |p: usize, q: usize| 1 + edges[p].len() * edges[q].len();
    refine(edges.len(), budget, cost, |p, q, relation| {
        edges[p].iter().all(|edge| {
            let better = edges[q].iter().filter(|other| {
                edge.marks & !other.marks == 0 && relation[edge.target.index()][other.target.index()]
            });
            let covered = better.fold(Label::FALSE, |all, other| diagrams.or(all, other.label));
            diagrams.implies(edge.label, covered)
        })
    })
}

fn backward_relation(automaton: &mut Automaton, budget: &mut Budget) -> Option<Relation> {
    let state_based = automaton.is_state_based();
    let marks: Vec<u64> = automaton.states().map(|state| automaton.marks_of(state)).collect();
    let initial = automaton.initial.index();
    let mut incoming = vec![Vec::new(); automaton.size()];
    for (source, out) in automaton.edges.iter().enumerate() {
        for edge in out {
            incoming[edge.target.index()].push((source, edge.marks, edge.label));
        }
    }
    let diagrams = &mut automaton.diagrams;
    let cost = |p: usize, q: usize| 1 + incoming[p].len() * incoming[q].len();
    refine(incoming.len(), budget, cost, |p, q, relation| {
        // States with different marks are not merged, so that marks stay on states.
        (!state_based || marks[p] == marks[q])
            && (p != initial || q == initial)
            && incoming[p].iter().all(|(source, marks, label)| {
                let better = incoming[q]
                    .iter()
                    .filter(|(other, other_marks, _)| marks & !other_marks == 0 && relation[*source][*other]);
                let covered = better.fold(Label::FALSE, |all, (_, _, other)| diagrams.or(all, *other));
                diagrams.implies(*label, covered)
            })
    })
}

/// The largest relation in which every pair fulfils a condition that mentions the relation. None if that is
/// more work than the budget allows.
fn refine(
    size: usize,
    budget: &mut Budget,
    cost: impl Fn(usize, usize) -> usize,
    mut fulfilled: impl FnMut(usize, usize, &Relation) -> bool,
) -> Option<Relation> {
    // A pair at least has to be looked at once.
    budget.spend(size * size)?;
    let mut relation = vec![vec![true; size]; size];
    loop {
        let mut changed = false;
        for p in 0..size {
            for q in 0..size {
                if p != q && relation[p][q] {
                    budget.spend(cost(p, q))?;
                    if !fulfilled(p, q, &relation) {
                        relation[p][q] = false;
                        changed = true;
                    }
                }
            }
        }
        if !changed {
            return Some(relation);
        }
    }
}
