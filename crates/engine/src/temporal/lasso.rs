//! From a component that breaks the property to one run: a way there, and a way around for ever.
//!
//! Both are found breadth first over the product states met. The way around visits, one after another,
//! the nearest edge of an acceptance set that is still missing, or the nearest move of a process that
//! would be wronged (or state in which it can't move). Each part is as short as can be; the whole need not be.

use super::emptiness::Found;
use super::fairness::{Chances, Fairness};
use super::graph::Graph;
use super::product::{Moves, Pair, Pairs};
use crate::search::path;
use mazurka_model::{Step, System, Trace};
use std::collections::{HashMap, HashSet, VecDeque};

/// Where lassos are looked for.
pub struct Ground<'a, 'g, 's> {
    /// The graph of the system.
    pub graph: &'a mut Graph<'s>,
    /// The moves of the automaton.
    pub moves: &'a Moves<'g>,
    /// The product states met.
    pub pairs: &'a Pairs,
    /// Which runs count.
    pub fairness: Fairness,
}

/// An edge of the product.
#[derive(Copy, Clone, Debug)]
struct Hop {
    from: Pair,
    to: Pair,
    /// Which edge of the system's state.
    edge: usize,
    marks: u64,
}

/// A run as product edges.
#[derive(Default)]
pub struct Lasso {
    first: Option<Pair>,
    prefix: Vec<Hop>,
    cycle: Vec<Hop>,
}

impl Ground<'_, '_, '_> {
    /// A lasso from one of the initial pairs into the component and around in it. `None` if the
    /// component can't be reached, or is none.
    pub fn lasso(&mut self, initial: &[Pair], found: &Found) -> Option<Lasso> {
        let members: HashSet<Pair> = found.pairs.iter().copied().collect();
        let (first, prefix) = match initial.iter().find(|pair| members.contains(pair)) {
            Some(&pair) => (pair, Vec::new()),
            None => {
                let pairs = self.pairs;
                let met = |pair: Pair| pairs.number(pair).is_some();
                let way = self.way(initial, met, |hop, _| members.contains(&hop.to))?;
                (way.first()?.from, way)
            }
        };
        let start = prefix.last().map_or(first, |hop| hop.to);
        let mut cycle: Vec<Hop> = Vec::new();
        let mut marks = 0;
        let mut chances = self.chances(start);
        let all = self.moves.acceptor().all_marks();
        loop {
            let at = cycle.last().map_or(start, |hop| hop.to);
            let missing = all & !marks;
            let wronged = chances.wronged(self.fairness);
            let way = if missing == 0 && wronged.is_empty() {
                if !cycle.is_empty() && at == start {
                    break;
                }
                self.way(&[at], |pair| members.contains(&pair), |hop, _| hop.to == start)?
            } else {
                let helps = |hop: &Hop, graph: &mut Graph<'_>| {
                    let idle = |pair: Pair| {
                        !graph.is_interior(pair.node)
                            && wronged.iter().any(|process| !graph.enabled(pair.node).contains(process))
                    };
                    hop.marks & missing != 0
                        || !wronged.is_empty()
                            && (self.fairness == Fairness::Weak && idle(hop.to)
                                || graph.movers(hop.from.node, hop.edge).meets(&wronged))
                };
                way(self.graph, self.moves, &[at], |pair| members.contains(&pair), helps)?
            };
            for hop in way {
                marks |= hop.marks;
                if self.fairness != Fairness::None {
                    chances.join(&self.chances(hop.to));
                    chances.moves.unite(&self.graph.movers(hop.from.node, hop.edge));
                }
                cycle.push(hop);
            }
        }
        Some(Lasso { first: Some(first), prefix, cycle })
    }

    fn chances(&self, pair: Pair) -> Chances {
        match self.fairness {
            Fairness::None => Chances::default(),
            _ => Chances::of_state(self.graph.enabled(pair.node), self.graph.is_interior(pair.node)),
        }
    }

    fn way(
        &mut self,
        from: &[Pair],
        within: impl Fn(Pair) -> bool,
        wanted: impl FnMut(&Hop, &mut Graph<'_>) -> bool,
    ) -> Option<Vec<Hop>> {
        way(self.graph, self.moves, from, within, wanted)
    }
}

/// A shortest way, of one edge at least, from one of some product states whose last edge is wanted.
fn way(
    graph: &mut Graph<'_>,
    moves: &Moves<'_>,
    from: &[Pair],
    within: impl Fn(Pair) -> bool,
    mut wanted: impl FnMut(&Hop, &mut Graph<'_>) -> bool,
) -> Option<Vec<Hop>> {
    let mut reached: HashMap<Pair, Option<Hop>> = from.iter().map(|pair| (*pair, None)).collect();
    let mut queue: VecDeque<Pair> = from.iter().copied().collect();
    while let Some(pair) = queue.pop_front() {
        let letter = graph.letter(pair.node);
        for edge in 0..graph.successors(pair.node).len() {
            let node = graph.successors(pair.node)[edge];
            for taken in moves.get(pair.state, letter) {
                let to = Pair { node, state: taken.target };
                if !within(to) {
                    continue;
                }
                let hop = Hop { from: pair, to, edge, marks: taken.marks };
                if wanted(&hop, graph) {
                    let mut way = vec![hop];
                    let mut at = pair;
                    while let Some(Some(hop)) = reached.get(&at) {
                        way.push(*hop);
                        at = hop.from;
                    }
                    way.reverse();
                    return Some(way);
                }
                reached.entry(to).or_insert_with(|| {
                    queue.push_back(to);
                    Some(hop)
                });
            }
        }
    }
    None
}

impl Lasso {
    /// The run as a trace. `None` if the system does not answer as it did during the search.
    pub fn trace(&self, system: &dyn System, graph: &Graph<'_>) -> Option<Trace> {
        let start = graph.state(self.first?.node);
        let mut trace = path::trace(system, &[start], None)?;
        // Around a state in which nothing moves there are no steps.
        let moving = |hop: &&Hop| !graph.stands_still(hop.from.node);
        for hop in self.prefix.iter().filter(moving) {
            self.connect(system, graph, hop, &mut trace)?;
        }
        trace.repeats = Some(trace.steps.len());
        for hop in self.cycle.iter().filter(moving) {
            self.connect(system, graph, hop, &mut trace)?;
        }
        Some(trace)
    }

    fn connect(&self, system: &dyn System, graph: &Graph<'_>, hop: &Hop, trace: &mut Trace) -> Option<()> {
        let step: Option<Step> = graph.step(hop.from.node, hop.edge);
        let target = path::Target::State(graph.state(hop.to.node));
        path::connect(system, graph.state(hop.from.node), step, target, &mut trace.steps)
    }
}
