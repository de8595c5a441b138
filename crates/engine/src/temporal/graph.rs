//! The graph of the system, reduced or not, made as far as a search asks for it.
//!
//! The reduction is of the *system*, and the product with an automaton is taken of the reduced graph
//! (Peled's order: a representative of each class of runs, then the property). Which steps of a state are
//! taken is decided once, when some product state over it is first expanded, and remembered for all
//! others. A persistent set is taken if all its steps are [invisible](super::visibility) (C2) and no cycle
//! of reduced states comes about ([`super::acyclic`], C3); otherwise the next one is tried, and in
//! the end the state is expanded fully.
//!
//! That is *stutter mode*. In *trace mode* (Peled 1993) nothing need be invisible: the dependency is extended
//! ([`super::extended`]) until runs of one trace look the same to the property, and the sets are persistent by that. Then each
//! run in which no step is put off for ever has a run of its trace in the reduced graph, which
//! is enough under fairness, or for safety; otherwise the sets must be strongly faithful ([`super::faithful`]). What sleep sets add to that is in [`super::sleeping`].
//!
//! Runs that end are continued by standing still for ever (stuttering): a state without successors has
//! one edge, to itself, unless the automaton [does not accept](super::Acceptor::accepts_ends) such runs.
//!
//! States inside an atomic region that the property does not see ([`Atoms::sees`]) are passed by the automaton, which does not move there, as in
//! SPIN. Mostly they are not even states of the graph: a region is one step if it ends, nothing in it fails, and under fairness control is not handed on
//! in it. A property that sees them all walks through regions with visible steps, step by step.

use super::actors::{ActorSets, Actors};
use super::acyclic::Acyclic;
use super::choice::Choice;
use super::extended::Extended;
use super::fairness::ActorSet;
use super::states::{Added, States};
use super::visibility::Visibility;
use crate::config::Config;
use crate::monitor::Halt;
use crate::outcome::Stop;
use crate::store::{Recollection, StateRef};
use mazurka_model::{Atoms, Batch, Step, System, Violation};
use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

/// What a graph is made of.
pub struct Making<'s> {
    /// The system.
    pub system: &'s dyn System,
    /// What its states look like to the property.
    pub atoms: &'s dyn Atoms,
    /// Where its states are kept.
    pub states: Box<dyn States + 's>,
    /// What is left out.
    pub mode: Mode<'s>,
    /// Whether a run that ends is continued by standing still.
    pub ends: bool,
    /// Whether atomic regions are one step, because the property sees nothing of what happens there.
    pub whole: bool,
    /// To whom runs may be unfair. If to anyone, the steps behind edges are kept, and who can move where.
    pub actors: Actors,
    /// When long work within an expansion has to be given up.
    pub halt: Halt<'s>,
}

/// What is left out of a graph.
pub enum Mode<'s> {
    /// Nothing: every step is taken by itself.
    Full,
    /// Sets of invisible steps are taken alone. The property can't tell how often a letter is repeated.
    Stutter(Visibility<'s>),
    /// Persistent sets of the system with extended dependencies are taken alone.
    Trace(&'s Extended<'s>),
}

/// The number of a set of actors that is not known yet.
const UNKNOWN: u32 = u32::MAX;
/// The number of the letter of states that are not seen.
const OVERLOOKED: u32 = 0;

/// A state of the graph.
#[derive(Copy, Clone, Debug)]
pub(super) struct Node {
    pub(super) state: StateRef,
    /// Which of the letters.
    letter: u32,
    /// Its edges, once they are chosen.
    pub(super) first: u64,
    pub(super) edges: u32,
    /// Which of the sets of actors can move.
    pub(super) enabled: u32,
    pub(super) chosen: bool,
    /// Its edges were asked for, and not only made.
    looked_at: bool,
    interior: bool,
    /// The property does not see it.
    overlooked: bool,
    pub(super) stands_still: bool,
}

/// The states met.
pub(super) struct Nodes<'s> {
    atoms: &'s dyn Atoms,
    pub(super) store: Box<dyn States + 's>,
    pub(super) list: Vec<Node>,
    /// The first is that of states that are not seen.
    letters: Vec<Option<u64>>,
    letter_numbers: HashMap<u64, u32>,
    acyclic: Acyclic,
}

impl Nodes<'_> {
    /// The number of a state, which is added if it is new; `None` if there is no room.
    fn add(&mut self, state: &[u8], interior: bool) -> Option<u32> {
        let number = self.list.len() as u32;
        match self.store.add(state, number) {
            Added::Known(found) => Some(found),
            Added::Full => None,
            Added::New(reference) => {
                let letter = self.atoms.letter(state);
                let next = self.letters.len() as u32;
                let letter = *self.letter_numbers.entry(letter).or_insert_with(|| {
                    self.letters.push(Some(letter));
                    next
                });
                self.list.push(Node {
                    state: reference,
                    letter,
                    first: 0,
                    edges: 0,
                    enabled: 0,
                    chosen: false,
                    looked_at: false,
                    interior,
                    overlooked: interior && !self.atoms.sees(state),
                    stands_still: false,
                });
                self.acyclic.add();
                Some(number)
            }
        }
    }
}

/// The edges chosen.
pub(super) struct Edges {
    pub(super) targets: Vec<u32>,
    /// Whether the steps behind edges are kept.
    with_steps: bool,
    /// For each edge its step, if they are kept, and the number of the set of those to whom it is fair.
    steps: Vec<(Step, u32)>,
}

impl Edges {
    /// Adds an edge to those from number `first` on, unless it is one of them.
    pub(super) fn add(&mut self, first: usize, target: u32, step: Step) {
        let known =
            |index: usize| self.targets[index] == target && (!self.with_steps || self.steps[index].0 == step);
        if (first..self.targets.len()).any(known) {
            return;
        }
        self.targets.push(target);
        if self.with_steps {
            self.steps.push((step, UNKNOWN));
        }
    }

    /// Where the edges of a state lead; none if they are not chosen yet.
    fn of(&self, node: &Node) -> &[u32] {
        &self.targets[node.first as usize..][..node.edges as usize]
    }
}

/// The graph so far.
pub struct Graph<'s> {
    pub(super) choice: Choice<'s>,
    pub(super) actors: ActorSets<'s>,
    pub(super) nodes: Nodes<'s>,
    pub(super) edges: Edges,
    present: Vec<u8>,
    /// Whether a run that ends is continued by standing still.
    pub(super) ends: bool,
    /// A state, and the step there whose result can't be represented.
    pub overflow: Option<(u32, Violation)>,
    /// Why the graph can't be continued.
    pub stopped: Option<Stop>,
}

impl<'s> Graph<'s> {
    /// An empty graph under `config`, whose reduction is resolved.
    pub fn new(making: Making<'s>, config: &Config) -> Graph<'s> {
        let Making { system, atoms, states, mode, ends, whole, actors, halt } = making;
        Graph {
            choice: Choice::new(system, mode, actors, halt, config).overlooking(whole),
            actors: ActorSets::new(system, actors),
            nodes: Nodes {
                atoms,
                store: states,
                list: Vec::new(),
                letters: vec![None],
                letter_numbers: HashMap::new(),
                acyclic: Acyclic::default(),
            },
            edges: Edges { targets: Vec::new(), with_steps: actors != Actors::Nobody, steps: Vec::new() },
            present: Vec::new(),
            ends,
            overflow: None,
            stopped: None,
        }
    }

    /// Takes only strongly faithful sets.
    pub fn strongly(mut self) -> Graph<'s> {
        self.choice = self.choice.strongly();
        self
    }

    /// The number of a state, which is added if it is new; `None` if there is no room.
    pub fn node(&mut self, state: &[u8], interior: bool) -> Option<u32> {
        let number = self.nodes.add(state, interior);
        if number.is_none() {
            self.stopped = Some(Stop::Memory);
        }
        number
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.nodes.list.len()
    }

    /// How many edges there are.
    pub fn edges(&self) -> usize {
        self.edges.targets.len()
    }

    /// The bytes of a state.
    pub fn state(&self, node: u32) -> Cow<'_, [u8]> {
        self.nodes.store.state(self.nodes.list[node as usize].state)
    }

    /// The number of the letter of a state. One that the property does not see has none; but where a run ends, by a step that fails, it is
    /// seen. So its edges must be chosen before.
    pub fn letter(&self, node: u32) -> u32 {
        let Node { letter, overlooked, stands_still, .. } = self.nodes.list[node as usize];
        if overlooked && !stands_still { OVERLOOKED } else { letter }
    }

    /// Whether the property does not see a state, unless a run ends there.
    pub fn is_overlooked(&self, node: u32) -> bool {
        self.nodes.list[node as usize].overlooked
    }

    /// A letter by its number, if it is one.
    pub fn letter_bits(&self, letter: u32) -> Option<u64> {
        self.nodes.letters[letter as usize]
    }

    /// Whether nothing moves in a state, so that its only edge leads to itself.
    pub fn stands_still(&self, node: u32) -> bool {
        self.nodes.list[node as usize].stands_still
    }

    /// Whether the edges of a state were asked for: where the whole graph is made first, not all of them are.
    pub fn was_looked_at(&self, node: u32) -> bool {
        self.nodes.list[node as usize].looked_at
    }

    /// Whether a state lies inside an atomic region.
    pub fn is_interior(&self, node: u32) -> bool {
        self.nodes.list[node as usize].interior
    }

    /// Who can move in a state, if that is kept and its edges are chosen; else nobody.
    pub fn enabled(&self, node: u32) -> &ActorSet {
        self.actors.get(self.nodes.list[node as usize].enabled)
    }

    /// Where the edges of a state lead; none if they are not chosen yet.
    pub fn successors(&self, node: u32) -> &[u32] {
        self.edges.of(&self.nodes.list[node as usize])
    }

    /// The step of an edge of a state, if steps are kept.
    pub fn step(&self, node: u32, edge: usize) -> Option<Step> {
        let node = &self.nodes.list[node as usize];
        if node.stands_still {
            None
        } else {
            self.edges.steps.get(node.first as usize + edge).map(|(step, _)| *step)
        }
    }

    /// The enabled steps of a state that the property can't see.
    pub fn hidden_steps(&mut self, node: u32) -> Vec<Step> {
        let state = self.nodes.store.state(self.nodes.list[node as usize].state);
        self.choice.hidden_steps(&state)
    }

    /// To whom an edge of a state is fair.
    pub fn movers(&mut self, node: u32, edge: usize) -> &ActorSet {
        let index = self.nodes.list[node as usize].first as usize + edge;
        let mut number = self.edges.steps.get(index).map_or(UNKNOWN, |(_, set)| *set);
        if number == UNKNOWN {
            number = match self.step(node, edge) {
                Some(step) => {
                    let state = self.nodes.store.state(self.nodes.list[node as usize].state);
                    self.actors.served(&state, step)
                }
                None => 0,
            };
            if let Some((_, known)) = self.edges.steps.get_mut(index) {
                *known = number;
            }
        }
        self.actors.get(number)
    }

    /// Whether a step was met that waits until nothing else can move.
    pub fn met_last_resort(&self) -> bool {
        self.choice.met_last_resort
    }

    /// Bytes allocated.
    pub fn bytes(&self) -> u64 {
        self.nodes.store.bytes()
            + (self.nodes.list.capacity() * size_of::<Node>()
                + self.edges.targets.capacity() * 4
                + self.edges.steps.capacity() * size_of::<(Step, u32)>()) as u64
            + self.nodes.acyclic.bytes()
            + self.choice.bytes()
    }

    /// What became of the states.
    pub fn recollection(&self) -> Recollection {
        self.nodes.store.recollection()
    }

    /// Bytes of the longest state.
    pub fn state_bytes(&self) -> u64 {
        self.nodes.store.longest() as u64
    }

    /// Steps inside atomic regions that were passed.
    pub fn atomic_steps(&self) -> u64 {
        self.choice.atomic_steps()
    }

    /// Chooses the edges of a state, unless that was done before.
    pub fn choose(&mut self, node: u32) {
        self.nodes.list[node as usize].looked_at = true;
        let Node { chosen, state, interior, .. } = self.nodes.list[node as usize];
        if chosen || self.stopped.is_some() {
            return;
        }
        let mut present = std::mem::take(&mut self.present);
        let Graph { choice, nodes, edges, .. } = self;
        nodes.store.load(state, &mut present);
        let mut allows = |batch: &Batch| {
            let known: Vec<u32> = nodes.store.known(state, &present, batch).into_iter().flatten().collect();
            nodes.acyclic.allows(node, &known, |node| edges.of(&nodes.list[node as usize]))
        };
        let reduced = choice.choose(&present, interior, &mut allows);
        // Where nothing leads on because every step fails, nobody can move.
        let ends = self.choice.edges().iter().all(|batch| batch.is_empty());
        let enabled = if ends { &[] } else { self.choice.enabled.as_slice() };
        self.nodes.list[node as usize].enabled = self.actors.enabled(&present, enabled);
        if let Some(violation) = self.choice.overflow.take() {
            self.overflow = Some((node, violation));
        }
        if self.add_edges(node) {
            let Graph { nodes: Nodes { list, acyclic, .. }, edges, .. } = self;
            match reduced {
                true => acyclic.reduce(node, edges.of(&list[node as usize])),
                false => acyclic.settle(node),
            }
        }
        self.present = present;
        self.stopped = self.stopped.or(self.choice.stopped);
    }

    /// Expands a state by these steps, each by itself, and gives for each edge the number of the state it leads to,
    /// if that is known. None if a step leads into a region, to nowhere, or fails.
    pub(super) fn known_targets(
        &mut self,
        node: u32,
        state: &[u8],
        steps: &[Step],
    ) -> Option<Vec<Option<u32>>> {
        let parent = self.nodes.list[node as usize].state;
        let expanded = self.choice.expand_singly(state, steps);
        expanded.then(|| self.nodes.store.known(parent, state, &self.choice.single))
    }

    /// A way from one of some states to another, over edges that are chosen, both included.
    pub fn route(&self, starts: &[u32], node: u32) -> Option<Vec<u32>> {
        route(|node| self.successors(node), starts, node)
    }

    /// Adds the edges that were chosen. False if there is no room.
    fn add_edges(&mut self, node: u32) -> bool {
        let Graph { choice, nodes, edges, .. } = self;
        let first = edges.targets.len();
        let mut room = true;
        for batch in choice.edges() {
            for (index, successor) in batch.successors().iter().enumerate() {
                match nodes.add(batch.state(index), successor.interior) {
                    Some(target) => edges.add(first, target, successor.step),
                    None => room = false,
                }
            }
        }
        if !room {
            self.stopped = Some(Stop::Memory);
        }
        let stands_still = room && edges.targets.len() == first;
        if stands_still && self.ends {
            edges.add(first, node, Step::default());
        }
        let count = (edges.targets.len() - first) as u32;
        let noted = &mut nodes.list[node as usize];
        (noted.first, noted.edges, noted.chosen) = (first as u64, count, true);
        noted.stands_still = stands_still;
        room
    }
}

/// A way from one of some states to another, over edges, both included.
pub fn route<'g>(successors: impl Fn(u32) -> &'g [u32], starts: &[u32], node: u32) -> Option<Vec<u32>> {
    let mut before: HashMap<u32, u32> = starts.iter().map(|start| (*start, *start)).collect();
    let mut queue: VecDeque<u32> = starts.iter().copied().collect();
    while let Some(at) = queue.pop_front().filter(|_| !before.contains_key(&node)) {
        for &next in successors(at) {
            before.entry(next).or_insert_with(|| {
                queue.push_back(next);
                at
            });
        }
    }
    let mut route = vec![node];
    while let Some(&earlier) = before.get(route.last()?) {
        if earlier == *route.last()? {
            route.reverse();
            return Some(route);
        }
        route.push(earlier);
    }
    None
}
