//! Emptiness by several threads: the nested depth-first search CNDFS (Evangelista, Laarman, Petrucci and van de Pol 2012).
//!
//! Every thread makes a nested search of its own over the product, in an order of its own. What a thread has left for good is *blue* for
//! all, and blue states are not entered again by any blue search. A thread that leaves an accepting state looks from there for a
//! state on its own stack, which is *cyan* for that thread alone; if it finds none, all states of that red search become *red*
//! for all, once the accepting ones among them are red: until then the thread waits for those who are at it. The paper proves that a cycle is
//! found if there is one, and that the threads never all wait.
//!
//! Acceptance is on states here, for which automata with edges, or several sets, are rewritten
//! ([`super::Acceptor::with_accepting_states`]). All threads walk over one graph of the system ([`super::together`]), whose edges are
//! chosen once. All colours are read and written in one order.

use super::Acceptor;
use super::emptiness::Found;
use super::product::{Move, Moves, Pair, key};
use super::segments::Segments;
use super::together::{Maker, Together};
use crate::config::{Config, Limits};
use crate::outcome::{Statistics, Stop};
use crate::search::Run;
use crate::search::parallel::team::{Part, Team};
use mazurka_model::System;
use std::collections::HashSet;
use std::hash::BuildHasherDefault;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// Left by the blue search of some thread.
const BLUE: u32 = 1;
/// Known to lie on no accepting cycle, and to lead to none.
const RED: u32 = 2;
/// On the stack of thread 0; of thread 1 one bit higher, and so on.
const CYAN: u32 = 4;
/// Threads, at most: the others have no colour.
pub const MOST_THREADS: usize = 30;

/// What the threads have in common.
pub struct Common<'s> {
    /// The graph of the system.
    pub graph: Together<'s>,
    /// The automaton, rewritten.
    pub acceptor: Acceptor,
    accepting: Vec<bool>,
    /// By state of the system and of the automaton.
    colours: Segments<AtomicU32>,
    found: Mutex<Option<Found>>,
}

impl<'s> Common<'s> {
    /// A search for runs of a graph that the automaton accepts.
    pub fn new(graph: Together<'s>, acceptor: &Acceptor) -> Common<'s> {
        let (acceptor, accepting) = acceptor.with_accepting_states();
        let colours = Segments::new(acceptor.states());
        Common { graph, acceptor, accepting, colours, found: Mutex::default() }
    }

    fn colour(&self, pair: Pair) -> &AtomicU32 {
        &self.colours.get(pair.node)[pair.state as usize]
    }

    /// Whether a product state was met.
    pub fn met(&self, pair: Pair) -> bool {
        self.colour(pair).load(Ordering::SeqCst) != 0
    }

    /// The states of an accepting cycle, if one was found.
    pub fn take_found(&self) -> Option<Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Bytes allocated.
    pub fn bytes(&self) -> u64 {
        self.graph.bytes() + self.colours.bytes()
    }
}

/// One level of a stack.
#[derive(Copy, Clone)]
struct Frame {
    pair: Pair,
    /// Its letter, as this thread numbers them.
    letter: u32,
    cursor: usize,
    end: usize,
}

/// What a thread leaves.
pub struct Yield {
    /// Its counts.
    pub statistics: Statistics,
    /// Some state was not expanded because it lies at the depth limit.
    pub beyond_depth: bool,
}

/// One thread.
pub struct Worker<'a> {
    number: usize,
    team: &'a Team,
    common: &'a Common<'a>,
    maker: Maker<'a>,
    moves: Moves<'a>,
    run: Run<'a>,
    cyan: u32,
    blue: Vec<Frame>,
    red: Vec<Frame>,
    /// The states of the red search under way.
    pink: Vec<Pair>,
    is_pink: HashSet<u64, BuildHasherDefault<crate::store::Mixer>>,
}

impl<'a> Worker<'a> {
    /// The record of one thread's run, under options whose reduction is resolved.
    pub fn run(system: &'a dyn System, config: &Config, part: &'a Part<'a>) -> Run<'a> {
        // The team counts states and errors of all.
        let limits = Limits { states: None, ..config.limits };
        let mut run = Run::new(system, &Config { limits, max_errors: 0, ..config.clone() }, part);
        run.config.reduction = config.reduction;
        run
    }

    /// Thread `number` of a team.
    pub fn new(
        run: Run<'a>,
        maker: Maker<'a>,
        team: &'a Team,
        common: &'a Common<'a>,
        number: usize,
    ) -> Worker<'a> {
        Worker {
            number,
            team,
            common,
            maker,
            moves: Moves::new(&common.acceptor),
            run,
            cyan: CYAN << number,
            blue: Vec::new(),
            red: Vec::new(),
            pink: Vec::new(),
            is_pink: HashSet::default(),
        }
    }

    /// Searches from these states of the system, until all is done or the team ends.
    pub fn work(mut self, starts: &[u32]) -> Yield {
        for &start in starts {
            let first = Pair { node: start, state: self.common.acceptor.initial() };
            if self.colour(first) & BLUE == 0 && !self.search(first) {
                break;
            }
        }
        self.maker.rest();
        self.say();
        let mut statistics = self.run.statistics;
        statistics.atomic_steps = self.maker.atomic_steps();
        statistics.state_bytes = self.maker.longest();
        Yield { statistics, beyond_depth: self.run.beyond_depth }
    }

    fn colour(&self, pair: Pair) -> u32 {
        self.common.colour(pair).load(Ordering::SeqCst)
    }

    fn is_accepting(&self, pair: Pair) -> bool {
        self.common.accepting[pair.state as usize]
    }

    /// The blue search from a state. False if the search ends for all.
    fn search(&mut self, first: Pair) -> bool {
        if !self.enter(first) {
            return false;
        }
        while let Some(frame) = self.blue.last_mut() {
            let Frame { pair, cursor, end, .. } = *frame;
            let at = *frame;
            if cursor == end {
                if !self.leave(pair) {
                    return false;
                }
                continue;
            }
            frame.cursor += 1;
            let target = self.edge(at);
            let colour = self.colour(target);
            if colour & self.cyan != 0 && (self.is_accepting(pair) || self.is_accepting(target)) {
                return self.report(target, Vec::new());
            }
            if colour & (self.cyan | BLUE) != 0 {
                self.run.statistics.matched += 1;
                continue;
            }
            if !self.goes_on(end) || !self.enter(target) {
                return false;
            }
        }
        true
    }

    /// The end of the next edge of a product state. Each thread takes them in another order.
    fn edge(&self, at: Frame) -> Pair {
        let Frame { pair, letter, cursor, end } = at;
        let number = match self.number {
            0 => cursor,
            odd if odd % 2 == 1 => (end - 1 - cursor + odd / 2 * pair.node as usize) % end,
            even => (cursor + even / 2 * pair.node as usize) % end,
        };
        let moves: &[Move] = self.moves.get(pair.state, letter);
        let (edge, taken) = (number / moves.len(), moves[number % moves.len()]);
        Pair { node: self.maker.successors(pair.node)[edge], state: taken.target }
    }

    /// A product state with its edges, once those of the system's state are chosen.
    fn expand(&mut self, pair: Pair) -> Frame {
        if self.maker.is_overlooked(pair.node) {
            self.maker.choose(pair.node, self.team);
        }
        let (letter, bits) = self.maker.read(pair.node);
        let moves = self.moves.prepare(pair.state, letter, bits);
        let mut end = 0;
        if moves > 0 {
            self.maker.choose(pair.node, self.team);
            end = moves * self.maker.successors(pair.node).len();
        }
        Frame { pair, letter, cursor: 0, end }
    }

    /// Puts a state on the blue stack. False if the search ends for all.
    fn enter(&mut self, pair: Pair) -> bool {
        let depth = self.blue.len() as u64;
        let beyond = self.run.config.limits.depth.is_some_and(|limit| depth >= limit);
        let frame = match beyond {
            true => Frame { pair, letter: 0, cursor: 0, end: 0 },
            false => self.expand(pair),
        };
        self.run.beyond_depth |= beyond;
        self.run.statistics.depth = self.run.statistics.depth.max(depth);
        let before = self.common.colour(pair).fetch_or(self.cyan, Ordering::SeqCst);
        if before & !RED == 0 {
            self.run.statistics.states += 1;
            self.team.count_state();
        }
        self.blue.push(frame);
        self.is_going()
    }

    /// Leaves the state on top of the blue stack. False if the search ends for all.
    fn leave(&mut self, pair: Pair) -> bool {
        self.common.colour(pair).fetch_or(BLUE, Ordering::SeqCst);
        if self.is_accepting(pair) && !self.seek(pair) {
            return false;
        }
        self.common.colour(pair).fetch_and(!self.cyan, Ordering::SeqCst);
        self.blue.pop();
        true
    }

    /// The red search from an accepting state, the top of the blue stack. False if the search ends for all.
    fn seek(&mut self, start: Pair) -> bool {
        self.red.clear();
        self.pink.clear();
        self.is_pink.clear();
        self.redden(start);
        while let Some(frame) = self.red.last_mut() {
            let Frame { cursor, end, .. } = *frame;
            let at = *frame;
            if cursor == end {
                self.red.pop();
                continue;
            }
            frame.cursor += 1;
            let target = self.edge(at);
            let colour = self.colour(target);
            if colour & self.cyan != 0 {
                let way = self.red.iter().map(|frame| frame.pair).collect();
                return self.report(target, way);
            }
            if colour & RED == 0 && !self.is_pink.contains(&key(target)) {
                if !self.goes_on(end) {
                    return false;
                }
                self.redden(target);
                if !self.is_going() {
                    return false;
                }
            }
        }
        self.wait_for_others(start) && {
            for pair in &self.pink {
                self.common.colour(*pair).fetch_or(RED, Ordering::SeqCst);
            }
            true
        }
    }

    fn redden(&mut self, pair: Pair) {
        let frame = self.expand(pair);
        self.pink.push(pair);
        self.is_pink.insert(key(pair));
        self.red.push(frame);
    }

    /// Waits until the other accepting states of the red search are red. False if the search ends for all.
    fn wait_for_others(&mut self, start: Pair) -> bool {
        self.maker.rest();
        for index in 0..self.pink.len() {
            let pair = self.pink[index];
            if pair == start || !self.is_accepting(pair) {
                continue;
            }
            while self.colour(pair) & RED == 0 {
                if !self.goes_on(1) {
                    return false;
                }
                std::thread::yield_now();
            }
        }
        true
    }

    /// The cycle from a state on the blue stack up to its top, and back by this way, was found: the search ends for
    /// all.
    fn report(&self, from: Pair, way: Vec<Pair>) -> bool {
        let on_stack = self.blue.iter().map(|frame| frame.pair).skip_while(|pair| *pair != from);
        let pairs = on_stack.chain(way).collect();
        let mut found = self.common.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.get_or_insert(Found { pairs });
        drop(found);
        self.team.stop(Stop::Errors);
        false
    }

    /// Whether the thread goes on, after a state with so many edges.
    fn goes_on(&mut self, edges: usize) -> bool {
        if self.run.is_look_due(1, edges) {
            let measured = self.say();
            self.run.look(measured);
        }
        self.is_going()
    }

    fn is_going(&mut self) -> bool {
        if let Some(stop) = self.run.stopped.or(self.maker.stopped) {
            self.team.stop(stop);
        }
        !self.team.ends()
    }

    /// Tells the others how far this thread has come. Depth, and the bytes that all use.
    fn say(&mut self) -> (u64, u64) {
        let stacks = (self.blue.capacity() + self.red.capacity()) * size_of::<Frame>();
        let pink = self.pink.capacity() * size_of::<Pair>() + self.is_pink.capacity() * 9;
        let bytes = (stacks + pink) as u64;
        let counts = &mut self.run.statistics;
        counts.stack_bytes = counts.stack_bytes.max(bytes);
        let (states, transitions) = (counts.states, counts.transitions());
        let all = self.team.say(self.number, states, transitions, bytes + self.maker.bytes());
        self.common.graph.set_elsewhere(all + self.common.colours.bytes());
        (self.blue.len() as u64, self.common.bytes() + all)
    }
}
