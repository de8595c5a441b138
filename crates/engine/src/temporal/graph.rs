//! The graph of the system, reduced or not, made as far as a search asks for it.
//!
//! The reduction is of the *system*, and the product with an automaton is taken of the reduced graph
//! (Peled's order: a representative of each class of runs, then the property). Which steps of a state are
//! taken is decided once, when some product state over it is first expanded, and remembered for all
//! others. A persistent set is taken if all its steps are [invisible](super::visibility) (C2) and no cycle
//! of reduced states comes about ([`super::acyclic`], C3); otherwise the next one is tried, and in
//! the end the state is expanded fully.
//!
//! Runs that end are continued by standing still for ever (stuttering): a state without successors has
//! one edge, to itself. Claims look at the states inside atomic regions too, so a region with visible
//! steps is walked step by step. One without is passed in one step, if the property can't tell how
//! often a letter is repeated.

use super::acyclic::Acyclic;
use super::fairness::ProcessSet;
use super::visibility::Visibility;
use crate::config::{Config, Order};
use crate::expand::Expander;
use crate::monitor::Halt;
use crate::outcome::Stop;
use crate::reduce::{self, Reducer};
use crate::search::{sort_steps, waits_for_rest};
use crate::store::{Exact, Insert, Lookup, Side, StateRef, Store};
use mazurka_model::{Atoms, Batch, Chosen, Footprint, ProcessId, Step, System, ViolationKind};
use std::borrow::Cow;
use std::collections::HashMap;

/// What a graph is made of.
pub struct Making<'s> {
    /// The system.
    pub system: &'s dyn System,
    /// What its states look like to the property.
    pub atoms: &'s dyn Atoms,
    /// Tells visible steps, if the property can't tell how often a letter is repeated. Without it every
    /// step is taken by itself and nothing is reduced.
    pub visibility: Option<Visibility<'s>>,
    /// Whether the steps behind edges are kept, and who can move where.
    pub with_steps: bool,
    /// When long work within an expansion has to be given up.
    pub halt: Halt<'s>,
}

#[derive(Copy, Clone, Debug)]
struct Node {
    state: StateRef,
    /// Which of the letters.
    letter: u32,
    /// Its edges, once they are chosen.
    first: u64,
    edges: u32,
    /// Which of the sets of processes can move.
    enabled: u32,
    chosen: bool,
    interior: bool,
    stands_still: bool,
}

/// The graph so far.
pub struct Graph<'s> {
    system: &'s dyn System,
    atoms: &'s dyn Atoms,
    visibility: Option<Visibility<'s>>,
    reducer: Option<Box<dyn Reducer + 's>>,
    order: Order,
    with_steps: bool,
    store: Exact,
    nodes: Vec<Node>,
    targets: Vec<u32>,
    /// For each edge its step, if they are kept.
    steps: Vec<Step>,
    letters: Vec<u64>,
    letter_numbers: HashMap<u64, u32>,
    sets: Vec<ProcessSet>,
    set_numbers: HashMap<ProcessSet, u32>,
    acyclic: Acyclic,
    expander: Expander<'s>,
    single: Batch,
    present: Vec<u8>,
    enabled: Vec<Step>,
    visible: Vec<bool>,
    footprint: Footprint,
    /// Why the graph can't be continued.
    pub stopped: Option<Stop>,
}

impl<'s> Graph<'s> {
    /// An empty graph under `config`, whose reduction is resolved.
    pub fn new(making: Making<'s>, config: &Config) -> Graph<'s> {
        let Making { system, atoms, visibility, with_steps, halt } = making;
        let reducer = match visibility {
            Some(_) => reduce::reducer(system, config),
            None => None,
        };
        let side = Side { parent: true, ..Side::default() };
        Graph {
            system,
            atoms,
            visibility,
            reducer,
            order: config.order,
            with_steps,
            store: Exact::new(system.state_size(), side, config.limits.memory),
            nodes: Vec::new(),
            targets: Vec::new(),
            steps: Vec::new(),
            letters: Vec::new(),
            letter_numbers: HashMap::new(),
            sets: vec![ProcessSet::default()],
            set_numbers: HashMap::from([(ProcessSet::default(), 0)]),
            acyclic: Acyclic::default(),
            expander: Expander::new(system).limited(config.limits.memory).halted_by(halt),
            single: Batch::default(),
            present: Vec::new(),
            enabled: Vec::new(),
            visible: Vec::new(),
            footprint: Footprint::default(),
            stopped: None,
        }
    }

    /// The number of a state, which is added if it is new; `None` if there is no room.
    pub fn node(&mut self, state: &[u8], interior: bool) -> Option<u32> {
        match self.store.insert(state) {
            Insert::Seen(found) => Some(self.store.parent(found).0),
            // The exact store names every state.
            Insert::Full | Insert::Passed(_) => {
                self.stopped = Some(Stop::Memory);
                None
            }
            Insert::New(reference) => {
                let number = self.nodes.len() as u32;
                // What a search keeps there, the parent, is not needed here.
                self.store.set_parent(reference, StateRef(number));
                let letter = self.atoms.letter(state);
                let next = self.letters.len() as u32;
                let letter = *self.letter_numbers.entry(letter).or_insert_with(|| {
                    self.letters.push(letter);
                    next
                });
                self.nodes.push(Node {
                    state: reference,
                    letter,
                    first: 0,
                    edges: 0,
                    enabled: 0,
                    chosen: false,
                    interior,
                    stands_still: false,
                });
                self.acyclic.add();
                Some(number)
            }
        }
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How many edges there are.
    pub fn edges(&self) -> usize {
        self.targets.len()
    }

    /// The bytes of a state.
    pub fn state(&self, node: u32) -> Cow<'_, [u8]> {
        self.store.state(self.nodes[node as usize].state)
    }

    /// The number of the letter of a state.
    pub fn letter(&self, node: u32) -> u32 {
        self.nodes[node as usize].letter
    }

    /// A letter by its number.
    pub fn letter_bits(&self, letter: u32) -> u64 {
        self.letters[letter as usize]
    }

    /// Whether nothing moves in a state, so that its only edge leads to itself.
    pub fn stands_still(&self, node: u32) -> bool {
        self.nodes[node as usize].stands_still
    }

    /// Whether a state lies inside an atomic region.
    pub fn is_interior(&self, node: u32) -> bool {
        self.nodes[node as usize].interior
    }

    /// Who can move in a state, if that is kept and its edges are chosen; else nobody.
    pub fn enabled(&self, node: u32) -> &ProcessSet {
        &self.sets[self.nodes[node as usize].enabled as usize]
    }

    /// Where the edges of a state lead; none if they are not chosen yet.
    pub fn successors(&self, node: u32) -> &[u32] {
        let node = &self.nodes[node as usize];
        &self.targets[node.first as usize..][..node.edges as usize]
    }

    /// The step of an edge of a state, if steps are kept.
    pub fn step(&self, node: u32, edge: usize) -> Option<Step> {
        let node = &self.nodes[node as usize];
        if node.stands_still { None } else { self.steps.get(node.first as usize + edge).copied() }
    }

    /// The enabled steps of a state that the property can't see.
    pub fn hidden_steps(&mut self, node: u32) -> Vec<Step> {
        let state = self.store.state(self.nodes[node as usize].state);
        let mut steps = Vec::new();
        self.system.enabled(&state, &mut steps);
        match &mut self.visibility {
            Some(visibility) => steps.retain(|step| !visibility.sees(&state, *step)),
            None => steps.clear(),
        }
        steps
    }

    /// Who moves on an edge of a state.
    pub fn movers(&mut self, node: u32, edge: usize) -> ProcessSet {
        let mut set = ProcessSet::default();
        if let Some(step) = self.step(node, edge) {
            let state = self.store.state(self.nodes[node as usize].state);
            movers(self.system, &state, step, &mut self.footprint, &mut set);
        }
        set
    }

    /// Bytes allocated.
    pub fn bytes(&self) -> u64 {
        self.store.bytes()
            + (self.nodes.capacity() * size_of::<Node>()
                + self.targets.capacity() * 4
                + self.steps.capacity() * size_of::<Step>()) as u64
            + self.acyclic.bytes()
            + self.expander.bytes()
    }

    /// Bytes of the longest state.
    pub fn state_bytes(&self) -> u64 {
        self.store.longest() as u64
    }

    /// Steps inside atomic regions that were passed.
    pub fn atomic_steps(&self) -> u64 {
        self.expander.atomic_steps()
    }

    /// Chooses the edges of a state, unless that was done before.
    pub fn choose(&mut self, node: u32) {
        if self.nodes[node as usize].chosen || self.stopped.is_some() {
            return;
        }
        let mut present = std::mem::take(&mut self.present);
        self.store.load(self.nodes[node as usize].state, &mut present);
        self.enabled.clear();
        self.system.enabled(&present, &mut self.enabled);
        sort_steps(self.order, &present, &mut self.enabled);
        if self.with_steps {
            self.note_enabled(node, &present);
        }
        self.visible.clear();
        if let Some(visibility) = &mut self.visibility {
            self.visible.extend(self.enabled.iter().map(|step| visibility.sees(&present, *step)));
        }
        if !self.choose_some(node, &present) {
            self.choose_all(node, &present);
        }
        self.present = present;
        self.stopped = self.stopped.or(self.expander.stopped());
    }

    /// Takes a persistent set, if one may be taken. A method stops at the first small set that it finds,
    /// which need not do here, so it is asked again with the processes in another order: those come first
    /// that have no visible step and were in no set before.
    fn choose_some(&mut self, node: u32, state: &[u8]) -> bool {
        if self.enabled.len() < 2
            || self.nodes[node as usize].interior
            || self.visible.iter().all(|visible| *visible)
            || self.reducer.is_none()
            || waits_for_rest(self.system, state, &self.enabled)
        {
            return false;
        }
        let seen = self.enabled.iter().zip(&self.visible).filter(|(_, visible)| **visible);
        let mut useless: Vec<ProcessId> = seen.map(|(step, _)| step.process).collect();
        let mut ordered = self.enabled.clone();
        let mut set = Vec::new();
        loop {
            ordered.sort_by_key(|step| useless.contains(&step.process));
            let first = ordered[0].process;
            if useless.contains(&first) {
                return false;
            }
            useless.push(first);
            let mut attempt = 0;
            while let Some(reducer) = &mut self.reducer
                && reducer.propose(state, &ordered, attempt, &mut set)
            {
                attempt += 1;
                let steps: Vec<Step> = set.iter().map(|index| ordered[*index]).collect();
                if self.take(node, state, &steps) {
                    return true;
                }
                useless.extend(steps.iter().map(|step| step.process));
            }
        }
    }

    /// Takes a persistent set, if it may be taken.
    fn take(&mut self, node: u32, state: &[u8], steps: &[Step]) -> bool {
        let hidden = |step: &Step| {
            let index = self.enabled.iter().position(|enabled| enabled == step);
            index.is_some_and(|index| !self.visible[index])
        };
        if steps.len() == self.enabled.len() || !steps.iter().all(hidden) {
            return false;
        }
        self.expander.clear();
        self.expander.add(state, Chosen::Steps(steps));
        if !self.may_reduce(node, state, steps) {
            return false;
        }
        if self.add_edges(node, false) {
            let targets = self.successors(node).to_vec();
            self.acyclic.reduce(node, &targets);
        }
        true
    }

    /// Whether the edges in the expander, those of a persistent set of invisible steps, are enough.
    fn may_reduce(&mut self, node: u32, state: &[u8], steps: &[Step]) -> bool {
        let edges = self.expander.edges();
        // Where a step fails the run ends, and what the others would do is lost.
        let fails = self.expander.met().iter().any(|met| met.violation.kind != ViolationKind::Assertion);
        let leads_on = |step: &Step| edges.successors().iter().any(|edge| edge.step == *step);
        let interior = edges.successors().iter().any(|edge| edge.interior);
        if fails || interior || self.expander.is_endless() || !steps.iter().all(leads_on) {
            return false;
        }
        let parent = self.nodes[node as usize].state;
        let mut questions = Vec::new();
        self.store.prepare(parent, state, edges, 0, &mut questions);
        let mut known = Vec::new();
        for (index, question) in questions.into_iter().enumerate() {
            if let Lookup::Stored(found) = self.store.find_prepared(question, edges.state(index)) {
                known.push(self.store.parent(found).0);
            }
        }
        self.acyclic.allows(node, &known, |node| self.successors(node))
    }

    /// Takes all enabled steps: visible ones by themselves, others with the atomic region behind them.
    fn choose_all(&mut self, node: u32, state: &[u8]) {
        self.single.clear();
        self.expander.clear();
        if self.visibility.is_none() {
            self.system.expand(state, Chosen::Steps(&self.enabled), &mut self.single);
        } else {
            let of = |wanted: bool| {
                let steps = self.enabled.iter().zip(&self.visible);
                steps.filter(move |(_, visible)| **visible == wanted).map(|(step, _)| *step)
            };
            let (shown, hidden): (Vec<Step>, Vec<Step>) = (of(true).collect(), of(false).collect());
            self.expander.add(state, Chosen::Steps(&hidden));
            if self.expander.is_endless() {
                // A run may stay in a region for ever, so its states count.
                self.expander.clear();
                self.system.expand(state, Chosen::Steps(&self.enabled), &mut self.single);
            } else {
                self.system.expand(state, Chosen::Steps(&shown), &mut self.single);
            }
        }
        if self.add_edges(node, true) {
            self.acyclic.settle(node);
        }
    }

    /// Adds the edges in the expander, and in the batch of single steps too if `all`. False if there is
    /// no room.
    fn add_edges(&mut self, node: u32, all: bool) -> bool {
        let first = self.targets.len();
        let expander = std::mem::replace(&mut self.expander, Expander::new(self.system));
        let single = std::mem::take(&mut self.single);
        let mut room = true;
        for batch in [expander.edges(), &single].into_iter().take(if all { 2 } else { 1 }) {
            for (index, successor) in batch.successors().iter().enumerate() {
                match self.node(batch.state(index), successor.interior) {
                    Some(target) => self.add_edge(first, target, successor.step),
                    None => room = false,
                }
            }
        }
        self.expander = expander;
        self.single = single;
        let stands_still = room && self.targets.len() == first;
        if stands_still {
            self.add_edge(first, node, Step::default());
        }
        let edges = (self.targets.len() - first) as u32;
        let noted = &mut self.nodes[node as usize];
        (noted.first, noted.edges, noted.chosen) = (first as u64, edges, true);
        noted.stands_still = stands_still;
        room
    }

    /// Adds an edge to those from number `first` on, unless it is one of them.
    fn add_edge(&mut self, first: usize, target: u32, step: Step) {
        let known =
            |index: usize| self.targets[index] == target && (!self.with_steps || self.steps[index] == step);
        if (first..self.targets.len()).any(known) {
            return;
        }
        self.targets.push(target);
        if self.with_steps {
            self.steps.push(step);
        }
    }

    fn note_enabled(&mut self, node: u32, state: &[u8]) {
        let mut set = ProcessSet::default();
        for step in &self.enabled {
            movers(self.system, state, *step, &mut self.footprint, &mut set);
        }
        let next = self.sets.len() as u32;
        let number = *self.set_numbers.entry(set.clone()).or_insert_with(|| {
            self.sets.push(set);
            next
        });
        self.nodes[node as usize].enabled = number;
    }
}

/// Adds the processes that a step moves.
fn movers(system: &dyn System, state: &[u8], step: Step, footprint: &mut Footprint, out: &mut ProcessSet) {
    out.insert(step.process.0);
    if let Some(relations) = system.relations() {
        let mut alternatives: Vec<(ProcessId, usize)> = Vec::new();
        relations.step(state, step, footprint);
        relations.alternatives(step, footprint, &mut alternatives);
        alternatives.into_iter().for_each(|(process, _)| out.insert(process.0));
    }
}
