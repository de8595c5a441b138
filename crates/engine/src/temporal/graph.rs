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
//! is enough under fairness, or for safety. What sleep sets add to that is in [`super::sleeping`].
//!
//! Runs that end are continued by standing still for ever (stuttering): a state without successors has
//! one edge, to itself. Claims look at the states inside atomic regions too, so a region with visible
//! steps is walked step by step. One without is passed in one step, if the property can't tell how
//! often a letter is repeated.

use super::actors::{ActorSets, Actors};
use super::acyclic::Acyclic;
use super::extended::Extended;
use super::fairness::ActorSet;
use super::states::{Added, States};
use super::visibility::Visibility;
use crate::config::{Config, Order};
use crate::expand::Expander;
use crate::monitor::Halt;
use crate::outcome::Stop;
use crate::reduce::{self, Reducer};
use crate::search::{Pause, sort_steps, waits_for_rest};
use crate::store::StateRef;
use mazurka_model::{Atoms, Batch, Chosen, ProcessId, Step, System, Violation, ViolationKind};
use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

/// Orders of the processes of one state in which a method is asked for a set.
const MOST_ORDERS: usize = 4;

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
    interior: bool,
    pub(super) stands_still: bool,
}

/// The graph so far.
pub struct Graph<'s> {
    pub(super) system: &'s dyn System,
    atoms: &'s dyn Atoms,
    visibility: Option<Visibility<'s>>,
    /// In trace mode.
    extended: Option<&'s Extended<'s>>,
    pub(super) reducer: Option<Box<dyn Reducer + 's>>,
    pub(super) order: Order,
    pub(super) actors: ActorSets<'s>,
    pub(super) store: Box<dyn States + 's>,
    pub(super) nodes: Vec<Node>,
    pub(super) targets: Vec<u32>,
    /// For each edge its step, if they are kept, and the number of the set of those to whom it is fair.
    pub(super) steps: Vec<(Step, u32)>,
    letters: Vec<u64>,
    letter_numbers: HashMap<u64, u32>,
    acyclic: Acyclic,
    pause: Pause,
    expander: Expander<'s>,
    pub(super) single: Batch,
    present: Vec<u8>,
    pub(super) enabled: Vec<Step>,
    visible: Vec<bool>,
    /// A state, and the step there whose result can't be represented.
    pub overflow: Option<(u32, Violation)>,
    /// A step was met that waits until nothing else can move: then process fairness depends on more than
    /// the extended dependencies know of.
    pub met_last_resort: bool,
    /// Why the graph can't be continued.
    pub stopped: Option<Stop>,
}

impl<'s> Graph<'s> {
    /// An empty graph under `config`, whose reduction is resolved.
    pub fn new(making: Making<'s>, config: &Config) -> Graph<'s> {
        let Making { system, atoms, states, mode, actors, halt } = making;
        let (reducer, visibility, extended) = match mode {
            Mode::Full => (None, None, None),
            Mode::Stutter(visibility) => (reduce::reducer(system, config), Some(visibility), None),
            Mode::Trace(extended) => (reduce::reducer(extended, config), None, Some(extended)),
        };
        Graph {
            system,
            atoms,
            visibility,
            extended,
            reducer,
            order: config.order,
            actors: ActorSets::new(system, actors),
            store: states,
            nodes: Vec::new(),
            targets: Vec::new(),
            steps: Vec::new(),
            letters: Vec::new(),
            letter_numbers: HashMap::new(),
            acyclic: Acyclic::default(),
            pause: Pause::default(),
            expander: Expander::new(system).limited(config.limits.memory).halted_by(halt),
            single: Batch::default(),
            present: Vec::new(),
            enabled: Vec::new(),
            visible: Vec::new(),
            overflow: None,
            met_last_resort: false,
            stopped: None,
        }
    }

    /// The number of a state, which is added if it is new; `None` if there is no room.
    pub fn node(&mut self, state: &[u8], interior: bool) -> Option<u32> {
        let number = self.nodes.len() as u32;
        match self.store.add(state, number) {
            Added::Known(found) => Some(found),
            Added::Full => {
                self.stopped = Some(Stop::Memory);
                None
            }
            Added::New(reference) => {
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
    pub fn enabled(&self, node: u32) -> &ActorSet {
        self.actors.get(self.nodes[node as usize].enabled)
    }

    /// Where the edges of a state lead; none if they are not chosen yet.
    pub fn successors(&self, node: u32) -> &[u32] {
        let node = &self.nodes[node as usize];
        &self.targets[node.first as usize..][..node.edges as usize]
    }

    /// The step of an edge of a state, if steps are kept.
    pub fn step(&self, node: u32, edge: usize) -> Option<Step> {
        let node = &self.nodes[node as usize];
        if node.stands_still {
            None
        } else {
            self.steps.get(node.first as usize + edge).map(|(step, _)| *step)
        }
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

    /// To whom an edge of a state is fair.
    pub fn movers(&mut self, node: u32, edge: usize) -> &ActorSet {
        let index = self.nodes[node as usize].first as usize + edge;
        let mut number = self.steps.get(index).map_or(UNKNOWN, |(_, set)| *set);
        if number == UNKNOWN {
            number = match self.step(node, edge) {
                Some(step) => {
                    let state = self.store.state(self.nodes[node as usize].state);
                    self.actors.served(&state, step)
                }
                None => 0,
            };
            if let Some((_, known)) = self.steps.get_mut(index) {
                *known = number;
            }
        }
        self.actors.get(number)
    }

    /// Whether the steps behind edges are kept.
    fn keeps_steps(&self) -> bool {
        self.actors.actors() != Actors::Nobody
    }

    /// Bytes allocated.
    pub fn bytes(&self) -> u64 {
        self.store.bytes()
            + (self.nodes.capacity() * size_of::<Node>()
                + self.targets.capacity() * 4
                + self.steps.capacity() * size_of::<(Step, u32)>()) as u64
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
        self.nodes[node as usize].enabled = self.actors.enabled(&present, &self.enabled);
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

    /// Takes a persistent set, if one may be taken. Where none may be in many states one after another, some
    /// states are not asked about.
    fn choose_some(&mut self, node: u32, state: &[u8]) -> bool {
        let all_seen = self.visibility.is_some() && self.visible.iter().all(|visible| *visible);
        if self.reducer.is_none() || self.nodes[node as usize].interior || all_seen {
            return false;
        }
        if waits_for_rest(self.system, state, &self.enabled) {
            self.meet_last_resort();
            return false;
        }
        if self.enabled.len() < 2 || self.pause.goes_on() {
            return false;
        }
        let seen = self.enabled.iter().zip(&self.visible).filter(|(_, visible)| **visible);
        let useless: Vec<ProcessId> = seen.map(|(step, _)| step.process).collect();
        let enabled = self.enabled.clone();
        let chosen = self.seek_set(state, &enabled, useless, |graph, steps| graph.take(node, state, steps));
        self.pause.learn(!chosen);
        chosen
    }

    /// Looks for a persistent set that is taken. A method stops at the first small set that it finds, which need not do
    /// here, so it is asked again with the processes in another order: those come first that are not
    /// useless and were in no set before.
    fn seek_set(
        &mut self,
        state: &[u8],
        enabled: &[Step],
        mut useless: Vec<ProcessId>,
        mut take: impl FnMut(&mut Graph<'s>, &[Step]) -> bool,
    ) -> bool {
        let mut ordered = enabled.to_vec();
        let mut set = Vec::new();
        for _ in 0..MOST_ORDERS {
            ordered.sort_by_key(|step| useless.contains(&step.process));
            let first = ordered[0].process;
            if useless.contains(&first) {
                break;
            }
            useless.push(first);
            let mut attempt = 0;
            while let Some(reducer) = &mut self.reducer
                && reducer.propose(state, &ordered, attempt, &mut set)
            {
                attempt += 1;
                let steps: Vec<Step> = set.iter().map(|index| ordered[*index]).collect();
                if take(self, &steps) {
                    return true;
                }
                useless.extend(steps.iter().map(|step| step.process));
            }
        }
        false
    }

    pub(super) fn meet_last_resort(&mut self) {
        self.met_last_resort = true;
        if self.extended.is_some() && self.actors.actors() == Actors::Processes {
            self.stopped = self.stopped.or(Some(Stop::Options));
        }
    }

    /// Takes a persistent set, if it may be taken.
    fn take(&mut self, node: u32, state: &[u8], steps: &[Step]) -> bool {
        if self.extended.is_some() {
            return self.take_in_trace_mode(node, state, steps);
        }
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
        self.single.clear();
        self.reduce(node);
        true
    }

    /// Adds the edges that were found as those of a reduced state.
    fn reduce(&mut self, node: u32) {
        if self.add_edges(node) {
            let targets = self.successors(node).to_vec();
            self.acyclic.reduce(node, &targets);
        }
    }

    /// Takes a persistent set of the extended relation, each step by itself, if no cycle of reduced states comes about. Where
    /// a region begins, nothing is left out.
    fn take_in_trace_mode(&mut self, node: u32, state: &[u8], steps: &[Step]) -> bool {
        if steps.len() == self.enabled.len() {
            return false;
        }
        let Some(targets) = self.known_targets(node, state, steps) else { return false };
        let known: Vec<u32> = targets.into_iter().flatten().collect();
        if !self.acyclic.allows(node, &known, |node| self.successors(node)) {
            return false;
        }
        self.expander.clear();
        self.reduce(node);
        true
    }

    /// Expands a state by these steps, each by itself, and gives for each edge the number of the state it leads to,
    /// if that is known. None if a step leads into a region, to nowhere, or fails.
    pub(super) fn known_targets(
        &mut self,
        node: u32,
        state: &[u8],
        steps: &[Step],
    ) -> Option<Vec<Option<u32>>> {
        self.single.clear();
        self.system.expand(state, Chosen::Steps(steps), &mut self.single);
        let edges = self.single.successors();
        let fails = self.single.violations().iter().any(|met| met.kind != ViolationKind::Assertion);
        let leads_on = |step: &Step| edges.iter().any(|edge| edge.step == *step);
        if fails || edges.iter().any(|edge| edge.interior) || !steps.iter().all(leads_on) {
            return None;
        }
        let parent = self.nodes[node as usize].state;
        Some(self.store.known(parent, state, &self.single))
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
        let known: Vec<u32> = self.store.known(parent, state, edges).into_iter().flatten().collect();
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
        let met = self.expander.met().iter().map(|met| &met.violation).chain(self.single.violations());
        let overflow = met.into_iter().find(|met| met.kind == ViolationKind::Overflow).copied();
        if let Some(violation) = overflow.filter(|_| !self.system.represents_all()) {
            // What lies behind is unknown, so nothing can be said of runs that come here.
            self.overflow = Some((node, violation));
            self.stopped = self.stopped.or(Some(Stop::Errors));
        }
        if self.add_edges(node) {
            self.acyclic.settle(node);
        }
    }

    /// A way from one of some states to another, over edges that are chosen, both included.
    pub fn route(&self, starts: &[u32], node: u32) -> Option<Vec<u32>> {
        let mut before: HashMap<u32, u32> = starts.iter().map(|start| (*start, *start)).collect();
        let mut queue: VecDeque<u32> = starts.iter().copied().collect();
        while let Some(at) = queue.pop_front().filter(|_| !before.contains_key(&node)) {
            for &next in self.successors(at) {
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

    /// Adds the edges in the expander and in the batch of single steps. False if there is no room.
    fn add_edges(&mut self, node: u32) -> bool {
        let first = self.targets.len();
        let expander = std::mem::replace(&mut self.expander, Expander::new(self.system));
        let single = std::mem::take(&mut self.single);
        let mut room = true;
        for batch in [expander.edges(), &single] {
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
    pub(super) fn add_edge(&mut self, first: usize, target: u32, step: Step) {
        let with_steps = self.keeps_steps();
        let known =
            |index: usize| self.targets[index] == target && (!with_steps || self.steps[index].0 == step);
        if (first..self.targets.len()).any(known) {
            return;
        }
        self.targets.push(target);
        if with_steps {
            self.steps.push((step, UNKNOWN));
        }
    }
}
