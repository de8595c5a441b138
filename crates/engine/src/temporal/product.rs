//! The states of the product of a graph and an automaton, and what the automaton does on a letter.

use super::acceptor::Acceptor;
use crate::store::Mixer;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// A product state: the automaton is about to read the letter of the system's state, or to pass a state that it does not see.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Pair {
    /// The state of the system, by its number in the graph.
    pub node: u32,
    /// The state of the automaton.
    pub state: u32,
}

/// A move of an automaton on some letter.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// Where it leads.
    pub target: u32,
    /// The acceptance sets of its edge.
    pub marks: u64,
}

/// The moves of an automaton, found once for each state and letter.
pub struct Moves<'a> {
    acceptor: &'a Acceptor,
    /// By state and number of the letter.
    known: Vec<Vec<Option<Box<[Move]>>>>,
}

impl<'a> Moves<'a> {
    /// The moves of an automaton.
    pub fn new(acceptor: &'a Acceptor) -> Moves<'a> {
        Moves { acceptor, known: vec![Vec::new(); acceptor.states()] }
    }

    /// The automaton.
    pub fn acceptor(&self) -> &'a Acceptor {
        self.acceptor
    }

    /// Finds the moves of a state on a letter with this number and these atoms; without atoms it stays where it is. How many there are.
    pub fn prepare(&mut self, state: u32, letter: u32, bits: Option<u64>) -> usize {
        let (known, letter) = (&mut self.known[state as usize], letter as usize);
        if known.len() <= letter {
            known.resize(letter + 1, None);
        }
        let edges = self.acceptor.edges(state).iter();
        let moves = known[letter].get_or_insert_with(|| {
            let Some(bits) = bits else { return [Move { target: state, marks: 0 }].into() };
            let taken = edges.filter(|edge| edge.allows(bits));
            taken.map(|edge| Move { target: edge.target, marks: edge.marks }).collect()
        });
        moves.len()
    }

    /// The moves of a state on a letter; none if they were not asked for before.
    pub fn get(&self, state: u32, letter: u32) -> &[Move] {
        let known = self.known[state as usize].get(letter as usize);
        known.and_then(|moves| moves.as_deref()).unwrap_or_default()
    }
}

/// The number of a product state whose component is complete.
pub const REMOVED: u32 = u32::MAX;

/// The product states met, each with a number.
#[derive(Default)]
pub struct Pairs(HashMap<u64, u32, BuildHasherDefault<Mixer>>);

impl Pairs {
    /// The number of a product state, if it was met.
    pub fn number(&self, pair: Pair) -> Option<u32> {
        self.0.get(&key(pair)).copied()
    }

    /// Gives a product state a number.
    pub fn insert(&mut self, pair: Pair, number: u32) {
        self.0.insert(key(pair), number);
    }

    /// Bytes allocated, about.
    pub fn bytes(&self) -> u64 {
        self.0.capacity() as u64 * 17
    }
}

/// A product state as one word.
pub fn key(pair: Pair) -> u64 {
    u64::from(pair.node) << 32 | u64::from(pair.state)
}
