//! From a component that breaks the property to one run: a way there, and a way around for ever.
//!
//! Both are found breadth first over the product states met: a shortest way to some state of the component,
//! and a shortest way around from there. If asked, a shortest lasso of all. Under fairness the way around
//! visits, one after another, the nearest edge of an acceptance set that is still missing, or the nearest
//! move of a process that would be wronged (or state in which it can't move); then only its parts are shortest.

use super::emptiness::Found;
use super::fairness::{ActorSet, Chances, Fairness};
use super::graph::Graph;
use super::product::{Moves, Pair};
use crate::search::path;
use mazurka_model::{Step, System, Trace};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};

/// With more acceptance sets a way around is put together part by part.
const MOST_SETS: u32 = 8;
/// Product edges looked at before a shorter lasso is looked for no longer.
const BUDGET: usize = 200_000_000;

/// A graph of a system as far as lassos need it.
pub trait Terrain {
    /// The bytes of a state.
    fn state(&mut self, node: u32) -> Cow<'_, [u8]>;

    /// The number of the letter of a state.
    fn letter(&self, node: u32) -> u32;

    /// Where the edges of a state lead; none if they are not chosen.
    fn successors(&self, node: u32) -> &[u32];

    /// Whether nothing moves in a state, so that its only edge leads to itself.
    fn stands_still(&self, node: u32) -> bool;

    /// The enabled steps of a state that are taken with the atomic region behind them.
    fn hidden_steps(&mut self, node: u32) -> Vec<Step>;

    /// The step of an edge of a state, if steps are kept.
    fn step(&self, _node: u32, _edge: usize) -> Option<Step> {
        None
    }

    /// What a state says of fairness, if that is kept.
    fn chances(&self, _node: u32) -> Chances {
        Chances::default()
    }

    /// To whom an edge of a state is fair, if that is kept.
    fn movers(&mut self, _node: u32, _edge: usize) -> &ActorSet {
        ActorSet::NOBODY
    }
}

impl Terrain for Graph<'_> {
    fn state(&mut self, node: u32) -> Cow<'_, [u8]> {
        Graph::state(self, node)
    }

    fn letter(&self, node: u32) -> u32 {
        Graph::letter(self, node)
    }

    fn successors(&self, node: u32) -> &[u32] {
        Graph::successors(self, node)
    }

    fn stands_still(&self, node: u32) -> bool {
        Graph::stands_still(self, node)
    }

    fn hidden_steps(&mut self, node: u32) -> Vec<Step> {
        Graph::hidden_steps(self, node)
    }

    fn step(&self, node: u32, edge: usize) -> Option<Step> {
        Graph::step(self, node, edge)
    }

    fn chances(&self, node: u32) -> Chances {
        Chances::of_state(self.enabled(node), self.is_interior(node))
    }

    fn movers(&mut self, node: u32, edge: usize) -> &ActorSet {
        Graph::movers(self, node, edge)
    }
}

/// Where lassos are looked for.
pub struct Ground<'a, 'g, G> {
    /// The graph of the system.
    pub graph: &'a mut G,
    /// The moves of the automaton.
    pub moves: &'a Moves<'g>,
    /// Whether a product state was met.
    pub met: &'a dyn Fn(Pair) -> bool,
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

impl<G: Terrain> Ground<'_, '_, G> {
    /// A lasso from one of the initial pairs into the component and around in it. `None` if the
    /// component can't be reached, or is none.
    pub fn lasso(&mut self, initial: &[Pair], found: &Found) -> Option<Lasso> {
        let members: HashSet<Pair> = found.pairs.iter().copied().collect();
        let (first, prefix) = match initial.iter().find(|pair| members.contains(pair)) {
            Some(&pair) => (pair, Vec::new()),
            None => {
                let way = self.way(initial, self.met, |hop, _| members.contains(&hop.to))?;
                (way.first()?.from, way)
            }
        };
        let start = prefix.last().map_or(first, |hop| hop.to);
        let cycle = match self.fairness == Fairness::None && self.sets() <= MOST_SETS {
            true => self.cycle(start, &members, usize::MAX, &mut { usize::MAX })?,
            false => self.fair_cycle(start, &members)?,
        };
        Some(Lasso { first: Some(first), prefix, cycle })
    }

    /// A lasso of as few edges as any, among those over these components; and whether it is certain that there
    /// is none shorter. Of no use under fairness.
    pub fn shortest(&mut self, initial: &[Pair], found: &[Found]) -> Option<(Lasso, bool)> {
        let mut members: HashMap<Pair, usize> = HashMap::new();
        for (number, component) in found.iter().enumerate() {
            members.extend(component.pairs.iter().map(|pair| (*pair, number)));
        }
        let components: Vec<HashSet<Pair>> =
            found.iter().map(|component| component.pairs.iter().copied().collect()).collect();
        let mut reached: HashMap<Pair, Option<Hop>> = initial.iter().map(|pair| (*pair, None)).collect();
        let mut queue: VecDeque<(Pair, usize)> = initial.iter().map(|pair| (*pair, 0)).collect();
        let mut best: Option<(usize, Lasso)> = None;
        let mut budget = BUDGET;
        while let Some((pair, depth)) = queue.pop_front() {
            let most = best.as_ref().map_or(usize::MAX, |(length, _)| length.saturating_sub(depth + 1));
            if most == 0 || budget == 0 {
                break;
            }
            if let Some(component) = members.get(&pair)
                && let Some(cycle) = self.cycle(pair, &components[*component], most, &mut budget)
            {
                let prefix = back(&reached, pair);
                let first = prefix.first().map_or(pair, |hop| hop.from);
                let length = prefix.len() + cycle.len();
                best = Some((length, Lasso { first: Some(first), prefix, cycle }));
            }
            for hop in hops(self.graph, self.moves, pair) {
                if (self.met)(hop.to) && !reached.contains_key(&hop.to) {
                    reached.insert(hop.to, Some(hop));
                    queue.push_back((hop.to, depth + 1));
                }
            }
        }
        best.map(|(_, lasso)| (lasso, budget > 0))
    }

    fn sets(&self) -> u32 {
        self.moves.acceptor().all_marks().count_ones()
    }

    /// A shortest way from `start` back to it with edges of all acceptance sets, of at most so many edges. The
    /// budget is in product edges looked at.
    fn cycle(
        &self,
        start: Pair,
        members: &HashSet<Pair>,
        most: usize,
        budget: &mut usize,
    ) -> Option<Vec<Hop>> {
        type Place = (Pair, u64);
        let all = self.moves.acceptor().all_marks();
        let mut reached: HashMap<Place, Option<(Hop, u64)>> = HashMap::from([((start, 0), None)]);
        let mut queue: VecDeque<(Place, usize)> = VecDeque::from([((start, 0), 0)]);
        while let Some(((pair, marks), depth)) = queue.pop_front() {
            if depth == most {
                return None;
            }
            for hop in hops(self.graph, self.moves, pair) {
                *budget = budget.checked_sub(1)?;
                let seen = (marks | hop.marks) & all;
                if !members.contains(&hop.to) {
                    continue;
                }
                if hop.to == start && seen == all {
                    let mut cycle = vec![hop];
                    let mut at = (pair, marks);
                    while let Some(Some((hop, before))) = reached.get(&at) {
                        cycle.push(*hop);
                        at = (hop.from, *before);
                    }
                    cycle.reverse();
                    return Some(cycle);
                }
                reached.entry((hop.to, seen)).or_insert_with(|| {
                    queue.push_back(((hop.to, seen), depth + 1));
                    Some((hop, marks))
                });
            }
        }
        None
    }

    /// A way around that is fair and takes edges of all acceptance sets, from one thing that is missing to
    /// the next.
    fn fair_cycle(&mut self, start: Pair, members: &HashSet<Pair>) -> Option<Vec<Hop>> {
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
                    return Some(cycle);
                }
                self.way(&[at], |pair| members.contains(&pair), |hop, _| hop.to == start)?
            } else {
                let helps = |hop: &Hop, graph: &mut G| {
                    let idle = |pair: Pair| {
                        let can = graph.chances(pair.node).always;
                        can.is_some_and(|can| wronged.iter().any(|process| !can.contains(process)))
                    };
                    hop.marks & missing != 0
                        || !wronged.is_empty()
                            && (self.fairness.excuses_pauses() && idle(hop.to)
                                || graph.movers(hop.from.node, hop.edge).meets(&wronged))
                };
                way(self.graph, self.moves, &[at], |pair| members.contains(&pair), helps)?
            };
            for hop in way {
                marks |= hop.marks;
                if self.fairness != Fairness::None {
                    chances.join(&self.chances(hop.to));
                    chances.moves.unite(self.graph.movers(hop.from.node, hop.edge));
                }
                cycle.push(hop);
            }
        }
    }

    fn chances(&self, pair: Pair) -> Chances {
        match self.fairness {
            Fairness::None => Chances::default(),
            _ => self.graph.chances(pair.node),
        }
    }

    fn way(
        &mut self,
        from: &[Pair],
        within: impl Fn(Pair) -> bool,
        wanted: impl FnMut(&Hop, &mut G) -> bool,
    ) -> Option<Vec<Hop>> {
        way(self.graph, self.moves, from, within, wanted)
    }
}

/// A shortest way, of one edge at least, from one of some product states whose last edge is wanted.
fn way<G: Terrain>(
    graph: &mut G,
    moves: &Moves<'_>,
    from: &[Pair],
    within: impl Fn(Pair) -> bool,
    mut wanted: impl FnMut(&Hop, &mut G) -> bool,
) -> Option<Vec<Hop>> {
    let mut reached: HashMap<Pair, Option<Hop>> = from.iter().map(|pair| (*pair, None)).collect();
    let mut queue: VecDeque<Pair> = from.iter().copied().collect();
    while let Some(pair) = queue.pop_front() {
        let out: Vec<Hop> = hops(graph, moves, pair).collect();
        for hop in out {
            if !within(hop.to) {
                continue;
            }
            if wanted(&hop, graph) {
                let mut way = back(&reached, pair);
                way.push(hop);
                return Some(way);
            }
            reached.entry(hop.to).or_insert_with(|| {
                queue.push_back(hop.to);
                Some(hop)
            });
        }
    }
    None
}

/// The edges of the product out of a state, as far as they are known.
fn hops<'a, G: Terrain>(
    graph: &'a G,
    moves: &'a Moves<'_>,
    from: Pair,
) -> impl Iterator<Item = Hop> + use<'a, G> {
    let taken = moves.get(from.state, graph.letter(from.node));
    graph.successors(from.node).iter().enumerate().flat_map(move |(edge, node)| {
        taken.iter().map(move |taken| {
            let to = Pair { node: *node, state: taken.target };
            Hop { from, to, edge, marks: taken.marks }
        })
    })
}

/// The way that led to a state.
fn back(reached: &HashMap<Pair, Option<Hop>>, mut at: Pair) -> Vec<Hop> {
    let mut way = Vec::new();
    while let Some(Some(hop)) = reached.get(&at) {
        way.push(*hop);
        at = hop.from;
    }
    way.reverse();
    way
}

impl Lasso {
    /// The run as a trace. `None` if the system does not answer as it did during the search.
    pub fn trace(&self, system: &dyn System, graph: &mut impl Terrain) -> Option<Trace> {
        let start = graph.state(self.first?.node);
        let mut trace = path::trace(system, &[start], None)?;
        let (prefix, cycle) = self.rolled_up();
        for hop in &prefix {
            connect(system, graph, hop, &mut trace)?;
        }
        trace.repeats = Some(trace.steps.len());
        for hop in &cycle {
            connect(system, graph, hop, &mut trace)?;
        }
        Some(trace)
    }

    /// The same run of the system with as few steps as it can be written with: the automaton may need some turns more until it repeats itself.
    fn rolled_up(&self) -> (Vec<Hop>, Vec<Hop>) {
        let same = |a: &Hop, b: &Hop| (a.from.node, a.edge, a.to.node) == (b.from.node, b.edge, b.to.node);
        let (mut prefix, mut cycle) = (self.prefix.clone(), self.cycle.clone());
        let repeats = |turn: &usize| {
            cycle.len().is_multiple_of(*turn)
                && cycle.iter().zip(&cycle[*turn..]).all(|(one, other)| same(one, other))
        };
        if let Some(turn) = (1..cycle.len()).find(repeats) {
            cycle.truncate(turn);
        }
        while let (Some(before), Some(last)) = (prefix.last(), cycle.last())
            && same(before, last)
        {
            prefix.pop();
            cycle.rotate_right(1);
        }
        (prefix, cycle)
    }
}

/// Appends the steps of an edge: the step itself, or one through an atomic region of which the property sees
/// nothing. Another region may lead to the same state through states that the property tells apart.
fn connect(system: &dyn System, graph: &mut impl Terrain, hop: &Hop, trace: &mut Trace) -> Option<()> {
    let Hop { from, to, edge, .. } = *hop;
    // Around a state in which nothing moves there are no steps.
    if graph.stands_still(from.node) {
        return Some(());
    }
    let step = graph.step(from.node, edge);
    let source = graph.state(from.node).into_owned();
    let target = graph.state(to.node).into_owned();
    if path::step(system, &source, step, &target, &mut trace.steps).is_some() {
        return Some(());
    }
    let length = trace.steps.len();
    let hidden = graph.hidden_steps(from.node).into_iter();
    hidden.filter(|one| step.is_none_or(|step| step == *one)).find_map(|step| {
        trace.steps.truncate(length);
        path::connect(system, &source, Some(step), path::Target::State(&target), &mut trace.steps)
    })
}
