//! Emptiness by nested depth-first search (Courcoubetis, Vardi, Wolper and Yannakakis 1992; Schwoon and
//! Esparza 2005), as SPIN does it: for automata with at most one acceptance set, without fairness.
//!
//! A first, blue, search walks over the product. When it leaves an accepting edge, a second, red, search looks
//! from the edge's end for a state on the stack of the first: then there is a cycle through the edge. A
//! state is visited once by each search, because red searches begin in the order in which the blue one leaves
//! accepting edges. Both searches walk over one and the same reduced graph, whose edges are chosen once.

use super::acceptor::Acceptor;
use super::emptiness::Found;
use super::graph::Graph;
use super::product::{Move, Moves, Pair, Pairs};
use crate::search::Run;

/// On the stack of the blue search.
const CYAN: u32 = 0;
/// Left by the blue search.
const BLUE: u32 = 1;
/// Visited by a red search.
const RED: u32 = 2;

/// One level of a stack.
#[derive(Copy, Clone)]
struct Frame {
    pair: Pair,
    cursor: usize,
    end: usize,
}

/// The search.
pub struct Nested<'g, 's> {
    /// The graph of the system.
    pub graph: &'g mut Graph<'s>,
    /// The moves of the automaton, by letter.
    pub moves: Moves<'g>,
    /// The product states met, by their colours.
    pub pairs: Pairs,
    all_marks: u64,
    blue: Vec<Frame>,
    red: Vec<Frame>,
}

impl<'g, 's> Nested<'g, 's> {
    /// A search for runs of the graph that the automaton accepts.
    pub fn new(graph: &'g mut Graph<'s>, acceptor: &'g Acceptor) -> Nested<'g, 's> {
        Nested {
            graph,
            moves: Moves::new(acceptor),
            pairs: Pairs::default(),
            all_marks: acceptor.all_marks(),
            blue: Vec::new(),
            red: Vec::new(),
        }
    }

    /// Searches what can be reached from an initial state. The states of an accepting cycle, if there is one;
    /// none also if `run` was stopped.
    pub fn search(&mut self, run: &mut Run<'_>, initial: u32) -> Option<Found> {
        let first = Pair { node: initial, state: self.moves.acceptor().initial() };
        if self.pairs.number(first).is_some() || !self.enter(run, first) {
            return None;
        }
        while let Some(frame) = self.blue.last_mut() {
            let Frame { pair, cursor, end } = *frame;
            if cursor == end {
                self.blue.pop();
                self.pairs.insert(pair, BLUE);
                // The edge that led here is left with it.
                if let Some(found) = self.leave_edge(run) {
                    return Some(found);
                }
                if run.stopped.is_some() {
                    return None;
                }
                continue;
            }
            frame.cursor += 1;
            let (target, taken) = self.edge(pair, cursor);
            match self.pairs.number(target) {
                None => {
                    let going = run.go_on(end, || (self.blue.len() as u64, self.bytes()));
                    if !going || !self.enter(run, target) {
                        return None;
                    }
                }
                Some(colour) => {
                    run.statistics.matched += 1;
                    if !self.is_accepting(taken) {
                        continue;
                    }
                    if colour == CYAN {
                        return Some(self.cycle(target, Vec::new()));
                    }
                    if let Some(found) = self.seek(run, target) {
                        return Some(found);
                    }
                    if run.stopped.is_some() {
                        return None;
                    }
                }
            }
        }
        None
    }

    fn is_accepting(&self, taken: Move) -> bool {
        taken.marks & self.all_marks == self.all_marks
    }

    fn edge(&self, pair: Pair, number: usize) -> (Pair, Move) {
        let moves = self.moves.get(pair.state, self.graph.letter(pair.node));
        let (edge, taken) = (number / moves.len(), moves[number % moves.len()]);
        (Pair { node: self.graph.successors(pair.node)[edge], state: taken.target }, taken)
    }

    /// Puts a new state on the blue stack. False if the search has to end.
    fn enter(&mut self, run: &mut Run<'_>, pair: Pair) -> bool {
        if self.graph.is_overlooked(pair.node) {
            self.graph.choose(pair.node);
        }
        let letter = self.graph.letter(pair.node);
        let moves = self.moves.prepare(pair.state, letter, self.graph.letter_bits(letter));
        let depth = self.blue.len() as u64;
        let beyond = moves > 0 && run.config.limits.depth.is_some_and(|limit| depth >= limit);
        let mut end = 0;
        if moves > 0 && !beyond {
            self.graph.choose(pair.node);
            end = moves * self.graph.successors(pair.node).len();
        }
        run.statistics.depth = run.statistics.depth.max(depth);
        run.beyond_depth |= beyond;
        run.count_state();
        run.stopped = run.stopped.or(self.graph.stopped);
        self.pairs.insert(pair, CYAN);
        self.blue.push(Frame { pair, cursor: 0, end });
        run.stopped.is_none()
    }

    /// The blue search leaves the edge that it took last at the top of its stack.
    fn leave_edge(&mut self, run: &mut Run<'_>) -> Option<Found> {
        let Frame { pair, cursor, .. } = *self.blue.last()?;
        let (target, taken) = self.edge(pair, cursor.checked_sub(1)?);
        if self.is_accepting(taken) { self.seek(run, target) } else { None }
    }

    /// Looks from `start` for a state on the blue stack.
    fn seek(&mut self, run: &mut Run<'_>, start: Pair) -> Option<Found> {
        if self.pairs.number(start) == Some(RED) {
            return None;
        }
        self.red.clear();
        self.redden(start);
        while let Some(frame) = self.red.last_mut() {
            let Frame { pair, cursor, end } = *frame;
            if cursor == end {
                self.red.pop();
                continue;
            }
            frame.cursor += 1;
            let (target, _) = self.edge(pair, cursor);
            match self.pairs.number(target) {
                Some(CYAN) => {
                    let way = self.red.iter().map(|frame| frame.pair).collect();
                    return Some(self.cycle(target, way));
                }
                Some(BLUE) => {
                    if !run.go_on(end, || (self.blue.len() as u64, self.bytes())) {
                        return None;
                    }
                    self.redden(target);
                }
                // Behind the depth limit nothing is known, and the outcome says so.
                _ => {}
            }
        }
        None
    }

    fn redden(&mut self, pair: Pair) {
        let moves = self.moves.get(pair.state, self.graph.letter(pair.node)).len();
        let end = moves * self.graph.successors(pair.node).len();
        self.pairs.insert(pair, RED);
        self.red.push(Frame { pair, cursor: 0, end });
    }

    /// The cycle from a state on the blue stack up to its top, and back by this way.
    fn cycle(&self, from: Pair, way: Vec<Pair>) -> Found {
        let on_stack = self.blue.iter().map(|frame| frame.pair).skip_while(|pair| *pair != from);
        Found { pairs: on_stack.chain(way).collect() }
    }

    /// Bytes allocated.
    pub fn bytes(&self) -> u64 {
        let frames = self.blue.capacity() + self.red.capacity();
        self.graph.bytes() + self.pairs.bytes() + (frames * size_of::<Frame>()) as u64
    }
}
