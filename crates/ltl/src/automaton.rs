//! Generalised Büchi automata with acceptance on edges, and their plain Büchi case.
//!
//! A run is accepting if it takes edges of each acceptance set infinitely often; with no set, every
//! infinite run is. Labels are Boolean functions over the atoms. An automaton whose edges out of one
//! state all have the same marks is *state-based*; with one set, it is the usual Büchi automaton.

use crate::diagram::{Cube, Diagrams, Label};
use crate::lasso::Lasso;
use std::collections::BTreeSet;

/// A state of an [`Automaton`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct State(pub u32);

impl State {
    /// Its place among the states.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The acceptance sets that an edge belongs to, as bits.
pub type Marks = u64;

/// The most acceptance sets an automaton can have.
pub const MOST_SETS: u32 = 64;

/// An edge out of some state.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Edge {
    /// Where it leads.
    pub target: State,
    /// The acceptance sets it belongs to.
    pub marks: Marks,
    /// The letters it may be taken with.
    pub label: Label,
}

/// A generalised Büchi automaton over atoms with names.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// What the variables of the labels are called.
    pub(crate) atoms: Vec<String>,
    pub(crate) diagrams: Diagrams,
    pub(crate) edges: Vec<Vec<Edge>>,
    pub(crate) initial: State,
    pub(crate) sets: u32,
}

impl Automaton {
    /// One state without edges, which is initial, and this many acceptance sets.
    pub fn new(atoms: Vec<String>, sets: u32) -> Automaton {
        Automaton { atoms, diagrams: Diagrams::new(), edges: vec![Vec::new()], initial: State(0), sets }
    }

    /// The atoms; a variable of a label is an index of this.
    pub fn atoms(&self) -> &[String] {
        &self.atoms
    }

    /// How many states there are.
    pub fn size(&self) -> usize {
        self.edges.len()
    }

    /// All states.
    pub fn states(&self) -> impl Iterator<Item = State> + use<> {
        (0..self.edges.len() as u32).map(State)
    }

    /// Where runs begin.
    pub fn initial(&self) -> State {
        self.initial
    }

    /// How many acceptance sets there are.
    pub fn sets(&self) -> u32 {
        self.sets
    }

    /// The marks of an edge that is in every set.
    pub fn all_marks(&self) -> Marks {
        if self.sets >= MOST_SETS { Marks::MAX } else { (1 << self.sets) - 1 }
    }

    /// The edges out of a state.
    pub fn edges(&self, state: State) -> &[Edge] {
        &self.edges[state.index()]
    }

    /// How many edges there are in all.
    pub fn edge_count(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// The functions that labels are.
    pub fn diagrams(&self) -> &Diagrams {
        &self.diagrams
    }

    /// The functions that labels are, to make more of them.
    pub fn diagrams_mut(&mut self) -> &mut Diagrams {
        &mut self.diagrams
    }

    /// Adds a state without edges.
    pub fn add_state(&mut self) -> State {
        self.edges.push(Vec::new());
        State(self.edges.len() as u32 - 1)
    }

    /// Adds an edge, unless its label is false.
    pub fn add_edge(&mut self, source: State, edge: Edge) {
        if edge.label != Label::FALSE {
            self.edges[source.index()].push(edge);
        }
    }

    /// Makes a state the initial one.
    pub fn set_initial(&mut self, state: State) {
        self.initial = state;
    }

    /// Whether a label allows a letter, given which atoms are in it.
    pub fn allows(&self, label: Label, has: impl Fn(usize) -> bool) -> bool {
        self.diagrams.holds(label, has)
    }

    /// A label as an irredundant sum of products.
    pub fn products(&self, label: Label) -> Vec<Cube> {
        self.diagrams.clone().sum_of_products(label)
    }

    /// A label as people read it: `p && !q || r`.
    pub fn readable(&self, label: Label) -> String {
        crate::guard::readable(self, label)
    }

    /// Whether all edges out of each state have the same marks.
    pub fn is_state_based(&self) -> bool {
        self.edges.iter().all(|edges| edges.windows(2).all(|pair| pair[0].marks == pair[1].marks))
    }

    /// The marks of a state-based automaton's state. A state without edges has none.
    pub fn marks_of(&self, state: State) -> Marks {
        self.edges(state).first().map_or(0, |edge| edge.marks)
    }

    /// Whether no state has two edges for one letter.
    pub fn is_deterministic(&self) -> bool {
        let mut diagrams = self.diagrams.clone();
        self.edges.iter().all(|edges| {
            edges.iter().enumerate().all(|(number, edge)| {
                edges[..number].iter().all(|other| diagrams.and(edge.label, other.label) == Label::FALSE)
            })
        })
    }

    /// Whether every state has an edge for every letter.
    pub fn is_complete(&self) -> bool {
        let mut diagrams = self.diagrams.clone();
        self.edges.iter().all(|edges| {
            edges.iter().fold(Label::FALSE, |all, edge| diagrams.or(all, edge.label)) == Label::TRUE
        })
    }

    /// Joins edges that differ only in their labels, and puts the edges of each state in order.
    pub(crate) fn tidy(&mut self) {
        let Automaton { edges, diagrams, .. } = self;
        for edges in edges {
            edges.sort_unstable();
            let mut tidied: Vec<Edge> = Vec::with_capacity(edges.len());
            for edge in edges.drain(..) {
                match tidied.last_mut() {
                    Some(last) if (last.target, last.marks) == (edge.target, edge.marks) => {
                        last.label = diagrams.or(last.label, edge.label);
                    }
                    _ => tidied.push(edge),
                }
            }
            *edges = tidied;
        }
    }

    /// Keeps only states that a map gives a new place, with the map's initial state first.
    ///
    /// States that map to one place are merged: the place has the edges of all of them.
    pub(crate) fn mapped(mut self, places: &[Option<State>], count: usize) -> Automaton {
        let mut edges = vec![Vec::new(); count];
        for (state, out) in self.edges.iter().enumerate() {
            let Some(place) = places[state] else { continue };
            edges[place.index()].extend(
                out.iter()
                    .filter_map(|edge| places[edge.target.index()].map(|target| Edge { target, ..*edge })),
            );
        }
        self.edges = edges;
        self.initial = places[self.initial.index()].unwrap_or(State(0));
        self.tidy();
        self
    }

    /// Drops the functions that no label needs any more.
    pub(crate) fn collect(&mut self) {
        let names: Vec<usize> = (0..self.atoms.len()).collect();
        let mut fresh = Diagrams::new();
        for edges in &mut self.edges {
            for edge in edges {
                edge.label = fresh.import(&self.diagrams, edge.label, &names);
            }
        }
        self.diagrams = fresh;
        self.tidy();
    }

    /// Whether the automaton accepts a word whose letters have the atoms by `index[variable]`.
    pub fn accepts(&self, word: &Lasso, index: &[usize]) -> bool {
        let positions = word.positions();
        let mut graph = Vec::with_capacity(self.size() * positions);
        for state in self.states() {
            for position in 0..positions {
                let following = word.following(position);
                let allowed = self.edges(state).iter().filter(|edge| {
                    self.allows(edge.label, |variable| word.has_index(position, index[variable]))
                });
                graph.push(
                    allowed.map(|edge| (edge.target.index() * positions + following, edge.marks)).collect(),
                );
            }
        }
        crate::component::accepting_cycle(&graph, self.initial.index() * positions, self.all_marks())
    }

    /// The atoms that some label really depends on.
    pub fn used_atoms(&self) -> BTreeSet<usize> {
        let mut used = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut waiting: Vec<Label> = self.edges.iter().flatten().map(|edge| edge.label).collect();
        while let Some(label) = waiting.pop() {
            if let Some(variable) = self.diagrams.top(label)
                && seen.insert(label)
            {
                used.insert(variable);
                let (low, high) = self.diagrams.branches(label);
                waiting.extend([low, high]);
            }
        }
        used
    }
}
