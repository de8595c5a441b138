//! Emptiness of the product of a graph and an automaton, by strong components (Couvreur 1999; Gabow 2000).
//!
//! A depth-first search over pairs of a state of the system and one of the automaton keeps the strong
//! components of what it has seen, each with the acceptance sets that its edges are in. As soon as one
//! has edges of all sets, its states make an accepting run. The automaton need not be degeneralised, and
//! every product state and edge is visited once. Fairness is decided on the same components: weak
//! fairness as one more acceptance set for each process; strong fairness by taking states away from
//! a complete component until it is fair or gone ([`super::strong`]).

use super::acceptor::Acceptor;
use super::fairness::{Chances, Fairness};
use super::graph::Graph;
use super::product::{Moves, Pair, Pairs, REMOVED};
use super::strong;
use crate::search::Run;

/// Strongly connected product states: a run that visits all of them again and again breaks the property.
pub struct Found {
    /// The pairs.
    pub pairs: Vec<Pair>,
}

/// What is known of a strongly connected set of product states.
#[derive(Clone, Default)]
struct Summary {
    marks: u64,
    /// Kept only if fairness is assumed.
    chances: Option<Box<Chances>>,
}

impl Summary {
    fn join(&mut self, other: &Summary) {
        self.marks |= other.marks;
        match (&mut self.chances, &other.chances) {
            (Some(mine), Some(theirs)) => mine.join(theirs),
            (mine @ None, theirs) => mine.clone_from(theirs),
            (Some(_), None) => {}
        }
    }
}

/// A component so far: its first state's number, and what is known.
struct Component {
    number: u32,
    inner: Summary,
    /// An edge leads from one of its states to one of them. A state alone, whose edges all lead away, is no run, whatever
    /// is asked of the edges of one.
    connected: bool,
    /// Of the edge that led to its first state.
    entrance: Summary,
}

/// One level of the stack.
struct Frame {
    pair: Pair,
    number: u32,
    /// Of the pairs of an edge of the system's state and a move of the automaton, those taken so far.
    cursor: usize,
    /// How many there are.
    end: usize,
}

/// The search.
pub struct Emptiness<'g, 's> {
    /// The graph of the system.
    pub graph: &'g mut Graph<'s>,
    /// The moves of the automaton, by letter.
    pub moves: Moves<'g>,
    /// The product states met, by their numbers on `open`, or removed.
    pub pairs: Pairs,
    fairness: Fairness,
    all_marks: u64,
    frames: Vec<Frame>,
    /// The states of components that are not complete.
    open: Vec<Pair>,
    components: Vec<Component>,
    /// Complete components are collected instead of ending the search at the first.
    collected: Option<Vec<Found>>,
}

impl<'g, 's> Emptiness<'g, 's> {
    /// A search for runs of the graph that the automaton accepts and that are fair.
    pub fn new(graph: &'g mut Graph<'s>, acceptor: &'g Acceptor, fairness: Fairness) -> Emptiness<'g, 's> {
        Emptiness {
            graph,
            moves: Moves::new(acceptor),
            pairs: Pairs::default(),
            fairness,
            all_marks: acceptor.all_marks(),
            frames: Vec::new(),
            open: Vec::new(),
            components: Vec::new(),
            collected: None,
        }
    }

    /// Goes on after the first component that breaks the property; all of them are collected.
    pub fn collecting(mut self) -> Emptiness<'g, 's> {
        self.collected = Some(Vec::new());
        self
    }

    /// What was collected.
    pub fn take_collected(&mut self) -> Vec<Found> {
        self.collected.take().unwrap_or_default()
    }

    /// Searches what can be reached from an initial state. The states of a component that breaks the
    /// property, if there is one; none also if `run` was stopped.
    pub fn search(&mut self, run: &mut Run<'_>, initial: u32) -> Option<Found> {
        let first = Pair { node: initial, state: self.moves.acceptor().initial() };
        if self.pairs.number(first).is_some() {
            return None;
        }
        if !self.enter(run, first, Summary::default()) {
            return None;
        }
        while let Some(frame) = self.frames.last_mut() {
            let Frame { pair, number, cursor, end } = *frame;
            if cursor == end {
                self.frames.pop();
                if let Some(found) = self.leave(number) {
                    return Some(found);
                }
                continue;
            }
            frame.cursor += 1;
            let moves = self.moves.get(pair.state, self.graph.letter(pair.node));
            let (edge, taken) = (cursor / moves.len(), moves[cursor % moves.len()]);
            let target = Pair { node: self.graph.successors(pair.node)[edge], state: taken.target };
            let summary = self.edge_summary(pair.node, edge, taken.marks);
            match self.pairs.number(target) {
                None => {
                    let going = run.go_on(end, || (self.frames.len() as u64, self.bytes()));
                    if !going || !self.enter(run, target, summary) {
                        return None;
                    }
                }
                Some(REMOVED) => run.statistics.matched += 1,
                Some(number) => {
                    run.statistics.matched += 1;
                    self.close(number, summary);
                    if self.collected.is_none() && self.top_is_accepting() {
                        let from = self.components.last().map_or(0, |c| c.number);
                        return Some(Found { pairs: self.open[from as usize..].to_vec() });
                    }
                }
            }
        }
        None
    }

    fn edge_summary(&mut self, node: u32, edge: usize, marks: u64) -> Summary {
        let chances = (self.fairness != Fairness::None).then(|| {
            Box::new(Chances { moves: self.graph.movers(node, edge).clone(), ..Chances::default() })
        });
        Summary { marks, chances }
    }

    /// Puts a new state on the stack. False if the search has to end.
    fn enter(&mut self, run: &mut Run<'_>, pair: Pair, entrance: Summary) -> bool {
        if self.graph.is_overlooked(pair.node) {
            self.graph.choose(pair.node);
        }
        let letter = self.graph.letter(pair.node);
        let moves = self.moves.prepare(pair.state, letter, self.graph.letter_bits(letter));
        let depth = self.frames.len() as u64;
        let beyond = moves > 0 && run.config.limits.depth.is_some_and(|limit| depth >= limit);
        let mut inner = Summary::default();
        let mut end = 0;
        if moves > 0 && !beyond {
            self.graph.choose(pair.node);
            end = moves * self.graph.successors(pair.node).len();
            if self.fairness != Fairness::None && self.graph.stopped.is_none() {
                let interior = self.graph.is_interior(pair.node);
                inner.chances = Some(Box::new(Chances::of_state(self.graph.enabled(pair.node), interior)));
            }
        }
        run.statistics.depth = run.statistics.depth.max(depth);
        run.beyond_depth |= beyond;
        run.count_state();
        run.stopped = run.stopped.or(self.graph.stopped);
        let number = self.open.len() as u32;
        self.pairs.insert(pair, number);
        self.open.push(pair);
        self.components.push(Component { number, inner, connected: false, entrance });
        self.frames.push(Frame { pair, number, cursor: 0, end });
        run.stopped.is_none()
    }

    /// Joins the components between the state `number` and the top: an edge leads back to it.
    fn close(&mut self, number: u32, mut summary: Summary) {
        while let Some(top) = self.components.pop_if(|top| top.number > number) {
            summary.join(&top.inner);
            summary.join(&top.entrance);
        }
        if let Some(top) = self.components.last_mut() {
            top.inner.join(&summary);
            top.connected = true;
        }
    }

    fn top_is_accepting(&self) -> bool {
        self.components.last().is_some_and(|top| {
            let wronged = |chances: &Chances| !chances.wronged(self.fairness).is_empty();
            top.connected
                && top.inner.marks & self.all_marks == self.all_marks
                && !top.inner.chances.as_deref().is_some_and(wronged)
        })
    }

    /// Leaves the state `number`, which completes its component if it was the first of it.
    fn leave(&mut self, number: u32) -> Option<Found> {
        let accepting = self.top_is_accepting();
        let complete = self.components.pop_if(|top| top.number == number)?;
        let members = &self.open[number as usize..];
        let worth = complete.connected && complete.inner.marks & self.all_marks == self.all_marks;
        if let Some(collected) = &mut self.collected
            && accepting
        {
            collected.push(Found { pairs: members.to_vec() });
        }
        if self.fairness == Fairness::Strong
            && worth
            && let Some(pairs) = strong::fair_part(self.graph, &self.moves, members, self.all_marks)
        {
            return Some(Found { pairs });
        }
        for pair in &self.open[number as usize..] {
            self.pairs.insert(*pair, REMOVED);
        }
        self.open.truncate(number as usize);
        None
    }

    /// Bytes allocated.
    pub fn bytes(&self) -> u64 {
        self.graph.bytes()
            + self.pairs.bytes()
            + (self.frames.capacity() * size_of::<Frame>()
                + self.open.capacity() * size_of::<Pair>()
                + self.components.capacity() * size_of::<Component>()) as u64
    }
}
