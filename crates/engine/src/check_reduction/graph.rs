//! The full state graph, every step executed by itself, as the yardstick of a reduction.
//!
//! Steps are told apart by their names ([`Step`]) and never by what they say of their operations: what
//! depends on what is read off the graph alone.

use crate::expand::Expander;
use mazurka_model::{Chosen, Step, System, Violation};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// What went wrong, comparable: the kind and the place.
pub type Wrong = (u8, u32);

/// The comparable form of a violation.
pub fn wrong(violation: &Violation) -> Wrong {
    (violation.kind as u8, violation.place)
}

/// An enabled step of a state.
#[derive(Debug)]
pub struct Move {
    /// The step.
    pub step: Step,
    /// The states that it leads to, ascending.
    pub results: Vec<u32>,
    /// What goes wrong in it, ascending.
    pub wrongs: Vec<Wrong>,
}

/// The states of a system and the steps between them.
pub struct Graph<'s> {
    system: &'s dyn System,
    states: Vec<Rc<[u8]>>,
    numbers: HashMap<Rc<[u8]>, u32>,
    /// The steps of the first states; the others were met but not expanded.
    moves: Vec<Vec<Move>>,
    /// Everything that goes wrong somewhere.
    pub wrongs: BTreeMap<Wrong, Violation>,
    expander: Expander<'s>,
}

impl<'s> Graph<'s> {
    /// Explores `system` breadth first, expanding at most `most_states` states, for as long as `go_on`.
    pub fn explore(system: &'s dyn System, most_states: usize, go_on: &dyn Fn() -> bool) -> Graph<'s> {
        let mut graph = Graph {
            system,
            states: Vec::new(),
            numbers: HashMap::new(),
            moves: Vec::new(),
            wrongs: BTreeMap::new(),
            expander: Expander::new(system),
        };
        graph.expander.add_initial();
        graph.take_edges();
        while graph.moves.len() < graph.states.len().min(most_states) && go_on() {
            let state = graph.states[graph.moves.len()].clone();
            let mut enabled = Vec::new();
            system.enabled(&state, &mut enabled);
            let moves = enabled.into_iter().map(|step| graph.execute(&state, step)).collect();
            graph.moves.push(moves);
        }
        graph
    }

    fn execute(&mut self, state: &[u8], step: Step) -> Move {
        self.expander.clear();
        self.expander.add(state, Chosen::Steps(&[step]));
        let mut wrongs = Vec::new();
        for met in self.expander.met() {
            wrongs.push(wrong(&met.violation));
            self.wrongs.entry(wrong(&met.violation)).or_insert(met.violation);
        }
        wrongs.sort_unstable();
        wrongs.dedup();
        Move { step, results: self.take_edges(), wrongs }
    }

    /// The numbers of the states that the expander holds.
    fn take_edges(&mut self) -> Vec<u32> {
        let mut results = Vec::new();
        for index in 0..self.expander.edges().len() {
            let state = self.expander.edges().state(index);
            let number = self.numbers.get(state).copied().unwrap_or_else(|| {
                let state: Rc<[u8]> = state.into();
                let number = self.states.len() as u32;
                self.numbers.insert(state.clone(), number);
                self.states.push(state);
                number
            });
            results.push(number);
        }
        results.sort_unstable();
        results.dedup();
        results
    }

    /// The system.
    pub fn system(&self) -> &'s dyn System {
        self.system
    }

    /// Whether every state was expanded.
    pub fn complete(&self) -> bool {
        self.moves.len() == self.states.len()
    }

    /// How many states were expanded: those with the lowest numbers.
    pub fn expanded(&self) -> u32 {
        self.moves.len() as u32
    }

    /// How many states were met.
    pub fn len(&self) -> u32 {
        self.states.len() as u32
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The bytes of a state.
    pub fn state(&self, number: u32) -> &[u8] {
        &self.states[number as usize]
    }

    /// The number of a state.
    pub fn number(&self, state: &[u8]) -> Option<u32> {
        self.numbers.get(state).copied()
    }

    /// The enabled steps of a state, if it was expanded.
    pub fn moves(&self, number: u32) -> Option<&[Move]> {
        self.moves.get(number as usize).map(Vec::as_slice)
    }

    /// Whether place `place` of the model was executed.
    pub fn covered(&self, place: u32) -> bool {
        self.expander.covered(place)
    }

    /// Whether a state that was expanded has no enabled step and is no proper end.
    pub fn is_deadlock(&self, number: u32) -> bool {
        self.moves(number).is_some_and(<[Move]>::is_empty) && !self.system.valid_end(self.state(number))
    }

    /// A step of a state in words.
    pub fn words(&self, number: u32, step: Step) -> String {
        let text = self.system.describe().step(self.state(number), step);
        format!("{}: {}", text.process, text.text)
    }
}
