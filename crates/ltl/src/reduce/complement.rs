//! The automaton that accepts exactly what another does not.
//!
//! For deterministic automata, two copies suffice: one guesses when the last accepting state has been seen.
//! For others, Schewe, *Büchi complementation made tight* (STACS 2009): ranks of states bound how often runs through
//! them can accept. That is exponential, so there is a limit; without a result nothing is claimed.

use super::budget::Budget;
use super::letters::Classes;
use super::prune::prune;
use super::simulation::simulate;
use crate::automaton::{Automaton, Edge, Marks, State};
use std::collections::HashMap;

/// More classes of letters than this are not treated.
const MOST_CLASSES: usize = 256;

/// More states than this are not ranked: sets of states are kept as bits, and rankings are many.
const MOST_RANKED: usize = 12;

/// More rankings of one set of states than this are not looked at.
const MOST_RANKINGS: usize = 100_000;

/// An automaton for the words that `automaton` does not accept, of at most `limit` states before it is
/// reduced. None if that is not enough.
pub fn complement(automaton: &Automaton, limit: usize) -> Option<Automaton> {
    let buchi = super::buchi(automaton);
    let classes = Classes::new(&[&buchi], MOST_CLASSES)?;
    let moves = &classes.moves[0];
    let accepting: Vec<bool> = buchi.states().map(|state| buchi.marks_of(state) == 1).collect();
    let initial = buchi.initial().index();
    let deterministic = moves.iter().flatten().all(|targets| targets.len() <= 1);
    let graph = if deterministic {
        two_copies(moves, &accepting, initial)
    } else {
        let ranking = Ranking { moves, accepting: &accepting, classes: classes.count };
        ranking.explore(initial, limit)?
    };
    let mut result = Automaton::new(classes.atoms.clone(), 1);
    result.diagrams = classes.diagrams.clone();
    while result.size() < graph.len() {
        result.add_state();
    }
    for (source, (accepts, out)) in graph.iter().enumerate() {
        for (class, target) in out {
            let edge = Edge {
                target: State(*target as u32),
                marks: Marks::from(*accepts),
                label: classes.labels[*class],
            };
            result.add_edge(State(source as u32), edge);
        }
    }
    result.tidy();
    Some(simulate(prune(result), &mut Budget::new(super::STEPS)))
}

/// States with whether they accept, and their edges: classes of letters and targets. The first is initial.
type Explicit = Vec<(bool, Vec<(usize, usize)>)>;

/// The complement of a deterministic automaton: from some time on, no accepting state.
fn two_copies(moves: &[Vec<Vec<(usize, u64)>>], accepting: &[bool], initial: usize) -> Explicit {
    // The copies of state `s` are `2s + 1` and `2s + 2`; state 0 is the beginning, the last one is where
    // words go that have no run.
    let sink = 2 * moves.len() + 1;
    let mut graph: Explicit = vec![(false, Vec::new()); sink + 1];
    for (state, by_class) in moves.iter().enumerate() {
        for (class, targets) in by_class.iter().enumerate() {
            let (first, second) = (2 * state + 1, 2 * state + 2);
            match targets.first() {
                None => {
                    graph[first].1.push((class, sink));
                    graph[second].1.push((class, sink));
                }
                Some((target, _)) => {
                    graph[first].1.push((class, 2 * target + 1));
                    if !accepting[*target] {
                        graph[first].1.push((class, 2 * target + 2));
                        graph[second].1.push((class, 2 * target + 2));
                    }
                }
            }
            graph[second].0 = true;
        }
    }
    let classes = moves.first().map_or(0, Vec::len);
    graph[sink] = (true, (0..classes).map(|class| (class, sink)).collect());
    graph[0] = (false, graph[2 * initial + 1].1.clone());
    graph
}

/// A state of the complement.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Level {
    /// The states that can be reached.
    Subset(u64),
    /// Their ranks, those that still owe something, and the rank of these.
    Ranked { ranks: Vec<Option<u8>>, owing: u64, rank: u8 },
}

struct Ranking<'a> {
    moves: &'a [Vec<Vec<(usize, u64)>>],
    accepting: &'a [bool],
    classes: usize,
}

impl Ranking<'_> {
    fn explore(&self, initial: usize, limit: usize) -> Option<Explicit> {
        if self.moves.len() > MOST_RANKED {
            return None;
        }
        let first = Level::Subset(1 << initial);
        let mut numbers = HashMap::from([(first.clone(), 0)]);
        let mut levels = vec![first];
        let mut graph: Explicit = Vec::new();
        let mut edges = 0;
        while graph.len() < levels.len() {
            let level = levels[graph.len()].clone();
            let accepts = match &level {
                Level::Subset(states) => *states == 0,
                Level::Ranked { owing, .. } => *owing == 0,
            };
            let mut out = Vec::new();
            for class in 0..self.classes {
                for next in self.successors(&level, class)? {
                    let fresh = levels.len();
                    let number = *numbers.entry(next.clone()).or_insert(fresh);
                    if number == fresh {
                        levels.push(next);
                    }
                    out.push((class, number));
                }
            }
            edges += out.len();
            graph.push((accepts, out));
            if levels.len() > limit || edges > 20 * limit {
                return None;
            }
        }
        Some(graph)
    }

    fn after(&self, states: u64, class: usize) -> u64 {
        let members = (0..self.moves.len()).filter(|state| states >> state & 1 == 1);
        members.flat_map(|state| &self.moves[state][class]).fold(0, |all, (target, _)| all | 1 << target)
    }

    /// None if there are too many.
    fn successors(&self, level: &Level, class: usize) -> Option<Vec<Level>> {
        match level {
            Level::Subset(states) => {
                let next = self.after(*states, class);
                let mut found = vec![Level::Subset(next)];
                let ranked = self.tight_rankings(next)?.into_iter();
                found.extend(ranked.map(|ranks| Level::Ranked { ranks, owing: 0, rank: 0 }));
                Some(found)
            }
            Level::Ranked { ranks, owing, rank } => Some(self.ranked_successors(ranks, *owing, *rank, class)),
        }
    }

    /// The largest ranks that the next states can have, and those where what owes has come down by one.
    fn ranked_successors(&self, ranks: &[Option<u8>], owing: u64, rank: u8, class: usize) -> Vec<Level> {
        let largest = ranks.iter().flatten().max().copied().unwrap_or(0);
        let mut next: Vec<Option<u8>> = vec![None; ranks.len()];
        for (state, rank) in ranks.iter().enumerate() {
            let Some(rank) = *rank else { continue };
            for (target, _) in &self.moves[state][class] {
                let rank = if self.accepting[*target] { rank & !1 } else { rank };
                next[*target] = Some(next[*target].map_or(rank, |known| known.min(rank)));
            }
        }
        if !self.is_tight(&next, largest) {
            return Vec::new();
        }
        let with = |wanted: u8| {
            next.iter()
                .enumerate()
                .filter(|(_, rank)| **rank == Some(wanted))
                .fold(0, |all, (s, _)| all | 1 << s)
        };
        let (rank, owing) = if owing == 0 {
            let rank = if rank + 2 > largest { 0 } else { rank + 2 };
            (rank, with(rank))
        } else {
            (rank, self.after(owing, class) & with(rank))
        };
        let mut found = vec![Level::Ranked { ranks: next.clone(), owing, rank }];
        let accepting_owes =
            self.accepting.iter().enumerate().any(|(s, accepts)| *accepts && owing >> s & 1 == 1);
        if rank != 0 && owing != 0 && !accepting_owes {
            let lowered: Vec<Option<u8>> = next
                .iter()
                .enumerate()
                .map(|(state, rank)| rank.map(|rank| rank - (owing >> state & 1) as u8))
                .collect();
            if self.is_tight(&lowered, largest) {
                found.push(Level::Ranked { ranks: lowered, owing: 0, rank });
            }
        }
        found
    }

    /// Whether the largest rank is this odd one and every smaller odd rank occurs.
    fn is_tight(&self, ranks: &[Option<u8>], largest: u8) -> bool {
        ranks.iter().flatten().max() == Some(&largest)
            && largest % 2 == 1
            && (1..=largest).step_by(2).all(|odd| ranks.contains(&Some(odd)))
    }

    /// All tight rankings of a set of states; none if there are too many.
    fn tight_rankings(&self, states: u64) -> Option<Vec<Vec<Option<u8>>>> {
        let members: Vec<usize> = (0..self.moves.len()).filter(|state| states >> state & 1 == 1).collect();
        let odd_ranks = members.iter().filter(|state| !self.accepting[**state]).count();
        let mut rankings = vec![vec![None; self.moves.len()]];
        for state in &members {
            let bound = 2 * odd_ranks as u8;
            let step = if self.accepting[*state] { 2 } else { 1 };
            rankings = rankings
                .into_iter()
                .flat_map(|ranks| {
                    (0..bound).step_by(step).map(move |rank| {
                        let mut ranks = ranks.clone();
                        ranks[*state] = Some(rank);
                        ranks
                    })
                })
                .collect();
            if rankings.len() > MOST_RANKINGS {
                return None;
            }
        }
        rankings.retain(|ranks| {
            let largest = ranks.iter().flatten().max().copied().unwrap_or(0);
            self.is_tight(ranks, largest)
        });
        Some(rankings)
    }
}
