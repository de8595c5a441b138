//! The moves of a state as the nodes of a graph whose closed sets are persistent.
//!
//! A node is an alternative of a process at its present location, enabled or not. Its edges say which
//! other nodes must come along (Godefroid and Pirottin 1993, Definitions 9, 11 and 12):
//!
//! - *enabled*: all alternatives of the processes that its steps move, and every alternative of
//!   another process behind which there is an operation that might interact with one of theirs;
//! - *not enabled*: for **one** condition that must change first, every alternative of another process
//!   behind which there is an operation that might interact with one that evaluates it.
//!
//! Why the enabled steps of a closed set are persistent: let a sequence without them end with a step
//! that depends on one of them, t. The first operation in that sequence that depends on an
//! operation of t, on the same object, is performed by a process that went on, earlier or right then,
//! by an alternative which the closed set contains. As no step of the set was taken, that
//! alternative was not enabled, and its process stood still until then. So each condition that kept
//! it from being enabled changed before, by a step behind another alternative of the set, taken
//! earlier still. That can't go on for ever. (A step that performs several operations counts as
//! their sequence, and the first of them that depends on t's is found just so.)

mod access;
mod connections;
mod futures;
pub mod questions;
mod together;
mod values;
mod verdicts;
pub mod why;

use super::bits::Bits;
use super::dependency::{Firing, Judge};
use connections::{Connections, Key};
use futures::{Kept, Known, Processes};
use mazurka_model::{
    Access, Footprint, Lasting, ObjectId, Obstacles, Operation, OperationKind, ProcessId, Relations, Step,
};
use questions::Journal;
use std::ops::Range;
use values::Values;
use verdicts::{Noted, Notes};

/// An enabled step.
#[derive(Default)]
struct Enabled {
    step: Step,
    /// The footprint has been asked for.
    known: bool,
    /// It is this one, or else the other.
    kept: Option<Kept<Footprint>>,
    own: Footprint,
    alternatives: Vec<(ProcessId, usize)>,
}

impl Enabled {
    fn footprint(&self) -> &Footprint {
        self.kept.as_ref().map_or(&self.own, |kept| &kept.what)
    }
}

/// The edges of a node: the sets of nodes one of which must come along.
#[derive(Debug, Default)]
struct Edges {
    known: bool,
    /// As many as count.
    choices: Vec<Bits>,
    used: usize,
}

impl Edges {
    fn add(&mut self, nodes: usize) -> &mut Bits {
        if self.used == self.choices.len() {
            self.choices.push(Bits::default());
        }
        self.used += 1;
        let bits = &mut self.choices[self.used - 1];
        bits.clear(nodes);
        bits
    }

    /// Makes these the sets, which have so many words each.
    fn copy_words(&mut self, sets: &[u64], words: usize) {
        self.used = sets.len() / words;
        if self.choices.len() < self.used {
            self.choices.resize_with(self.used, Bits::default);
        }
        sets.chunks_exact(words).zip(&mut self.choices).for_each(|(set, bits)| bits.copy_words(set));
    }
}

/// The graph of one state.
pub struct Moves<'s> {
    relations: &'s dyn Relations,
    judge: Judge<'s>,
    processes: Processes<'s>,
    steps: Vec<Enabled>,
    /// By node: the enabled steps that take it.
    taken_by: Vec<Vec<usize>>,
    /// The same as sets.
    taking: Vec<Bits>,
    edges: Vec<Edges>,
    obstacles: Obstacles,
    demands: Vec<Access>,
    value: Vec<i64>,
    /// The values of objects in the present state.
    values: Values,
    /// Edges of states like those met before.
    connections: Connections,
    /// The nodes that come along with one step.
    companions: Bits,
    /// By node: what it waits for in the present state, once that was asked, if it is kept.
    awaited: Vec<Option<Kept<Obstacles>>>,
    /// Where futures never change: by object, the nodes and what they do to it.
    index: Option<Vec<Vec<(usize, Operation)>>>,
    /// The processes that may still use the object at hand.
    users: Vec<usize>,
    /// Which of the operations at hand fire in the present state.
    firing: Firing,
    /// What is known of operations that are kept.
    notes: Notes,
    /// The same of the operations at hand that are not.
    noted: Vec<Noted>,
    /// What was looked at.
    journal: Journal,
}

impl<'s> Moves<'s> {
    /// For a system with these relations.
    pub fn new(relations: &'s dyn Relations, judge: Judge<'s>) -> Moves<'s> {
        Moves {
            relations,
            judge,
            processes: Processes::new(relations),
            steps: Vec::new(),
            taken_by: Vec::new(),
            taking: Vec::new(),
            edges: Vec::new(),
            obstacles: Obstacles::default(),
            demands: Vec::new(),
            value: Vec::new(),
            values: Values::default(),
            connections: Connections::default(),
            companions: Bits::default(),
            awaited: Vec::new(),
            index: None,
            users: Vec::new(),
            firing: Firing::default(),
            notes: Notes::default(),
            noted: Vec::new(),
            journal: Journal::default(),
        }
    }

    /// The same for a search that begins.
    pub fn afresh(&self) -> Moves<'s> {
        Moves::new(self.relations, self.judge.afresh())
    }

    /// Forgets what was learned from states, but for numbers that were given: others may know them. Between two states.
    pub fn forget(&mut self) {
        self.processes.forget();
        self.connections = Connections::default();
        self.notes.forget_answers();
        self.awaited.clear();
    }

    /// Turns to a state, without its steps.
    pub fn turn(&mut self, state: &[u8]) {
        self.values.turn();
        self.awaited.clear();
        if self.index.is_none() {
            self.load_futures(state);
        }
    }

    /// Turns to a state with these enabled steps.
    pub fn load(&mut self, state: &[u8], enabled: &[Step]) {
        self.turn(state);
        self.list(state, enabled);
    }

    /// Takes these for the enabled steps of the state to which this turned.
    pub fn list(&mut self, state: &[u8], enabled: &[Step]) {
        let nodes = self.nodes();
        if self.edges.len() < nodes {
            self.edges.resize_with(nodes, Edges::default);
            self.taken_by.resize_with(nodes, Vec::new);
            self.taking.resize_with(nodes, Bits::default);
        }
        for node in 0..nodes {
            self.edges[node].known = false;
            self.taken_by[node].clear();
            self.taking[node].clear(enabled.len());
        }
        if self.steps.len() < enabled.len() {
            self.steps.resize_with(enabled.len(), Enabled::default);
        }
        for (index, step) in enabled.iter().enumerate() {
            let entry = &mut self.steps[index];
            (entry.step, entry.known, entry.kept) = (*step, false, None);
            if !self.relations.takes(*step, &mut entry.alternatives) {
                self.journal.step(index);
                self.relations.step(state, *step, &mut entry.own);
                self.relations.alternatives(*step, &entry.own, &mut entry.alternatives);
                entry.known = true;
            }
            for &(process, alternative) in &entry.alternatives {
                let node = self.processes.first[process.index()] + alternative;
                self.taken_by[node].push(index);
                self.taking[node].insert(index);
            }
        }
    }

    fn load_futures(&mut self, state: &[u8]) {
        self.processes.load(state);
        let all = || self.processes.futures.iter().flat_map(|futures| &futures.list);
        if self.relations.futures_are_constant() && all().all(|future| !future.everything) {
            let mut index = vec![Vec::new(); self.relations.objects().len()];
            for (node, future) in all().enumerate() {
                for access in &future.accesses {
                    index[access.object.index()].push((node, access.operation));
                }
            }
            self.index = Some(index);
        }
    }

    /// Makes sure that the footprint of an enabled step is known.
    fn look_up(&mut self, state: &[u8], step: usize) {
        let entry = &mut self.steps[step];
        if std::mem::replace(&mut entry.known, true) {
            return;
        }
        self.journal.step(step);
        let mut own = std::mem::take(&mut self.steps[step].own);
        let kept = self.footprint_of(state, self.steps[step].step, &mut own);
        (self.steps[step].kept, self.steps[step].own) = (kept, own);
    }

    /// What an enabled step does: as it was kept, or else in `own`.
    fn footprint_of(&mut self, state: &[u8], step: Step, own: &mut Footprint) -> Option<Kept<Footprint>> {
        let stand = self.processes.present.get(step.process.index());
        if let Some(kept) = stand.and_then(|stand| stand.step(step)) {
            return Some(kept);
        }
        self.relations.step(state, step, own);
        let stand = stand.filter(|_| self.relations.lasts(state, step))?;
        let mut noted = Vec::new();
        self.notes.add(&own.accesses, self.firing.of_step(self.relations, own), &mut noted);
        let kept = Known::new(own, noted);
        stand.keep_step(step, kept.clone());
        self.processes.add_bytes(step.process, kept.bytes());
        Some(kept)
    }

    /// What the system says of its operations.
    pub fn relations(&self) -> &'s dyn Relations {
        self.relations
    }

    /// Whether the futures of all processes are the same in every state.
    pub fn are_constant(&self) -> bool {
        self.index.is_some()
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.processes.owner.len()
    }

    /// The nodes of the process to which a node belongs.
    pub fn siblings(&self, node: usize) -> (usize, usize) {
        let process = usize::from(self.processes.owner[node]);
        (self.processes.first[process], self.processes.first[process + 1] - self.processes.first[process])
    }

    /// The process and the alternative that a node stands for.
    pub fn place(&self, node: usize) -> (ProcessId, usize) {
        let process = self.processes.owner[node];
        (ProcessId(process), node - self.processes.first[usize::from(process)])
    }

    /// The enabled steps that take a node.
    pub fn steps_of(&self, node: usize) -> &[usize] {
        &self.taken_by[node]
    }

    /// The same as a set.
    #[inline]
    pub fn set_of_steps(&self, node: usize) -> &Bits {
        &self.taking[node]
    }

    /// The nodes that an enabled step takes.
    pub fn nodes_of(&self, step: usize) -> impl Iterator<Item = usize> + '_ {
        self.steps[step].alternatives.iter().map(|(p, a)| self.processes.first[p.index()] + a)
    }

    /// Sets of nodes, all of one of which must come along with `node`.
    pub fn choices(&mut self, state: &[u8], node: usize) -> &[Bits] {
        if !self.edges[node].known {
            self.connect(state, node);
        }
        let edges = &self.edges[node];
        &edges.choices[..edges.used]
    }

    /// What must come along because a condition on states is not false yet: all nodes of one of the sets
    /// that `out` is filled with; none, if it never will be. False if nothing can be said.
    pub fn before_violation(&mut self, state: &[u8], out: &mut Vec<Bits>) -> bool {
        let mut obstacles = std::mem::take(&mut self.obstacles);
        let known = self.relations.before_violation(state, &mut obstacles);
        let nodes = self.nodes();
        out.resize_with(obstacles.len(), Bits::default);
        for (index, set) in out.iter_mut().enumerate() {
            set.clear(nodes);
            let (accesses, everything) = obstacles.get(index);
            if everything {
                set.insert_range(0, nodes);
            }
            for access in accesses {
                self.connect_access(state, access, &[], Noted { now: true, number: None }, false, set);
            }
        }
        self.obstacles = obstacles;
        known
    }

    fn connect(&mut self, state: &[u8], node: usize) {
        let mut edges = std::mem::take(&mut self.edges[node]);
        edges.known = true;
        edges.used = 0;
        let nodes = self.nodes();
        let (process, _) = self.place(node);
        let enabled = !self.taken_by[node].is_empty();
        if enabled {
            let out = edges.add(nodes);
            for at in 0..self.taken_by[node].len() {
                self.connect_step(state, self.taken_by[node][at], out);
            }
        }
        if !enabled || !self.relations.tells_moves_apart() {
            self.journal.obstacles(node);
            let (kept, number) = self.kept_obstacles(state, node);
            let key = kept.as_ref().filter(|_| !enabled).and_then(|kept| self.key_of_waiting(kept, process));
            if !key.is_some_and(|key| self.recall(key, state, &mut edges)) {
                let mut own = std::mem::take(&mut self.obstacles);
                let kept = kept.or_else(|| self.find_obstacles(state, node, number, &mut own));
                self.connections.begin();
                self.connect_conditions(state, node, (kept.as_deref(), &own), &mut edges);
                if let Some(key) = key {
                    let sets = &edges.choices[..edges.used];
                    self.connections.keep(key, state, self.relations, &mut self.values, sets);
                }
                self.obstacles = own;
            }
        }
        self.edges[node] = edges;
    }

    /// Adds what comes along with a node because it waits for conditions, to the only set of a node that is enabled.
    fn connect_conditions(
        &mut self,
        state: &[u8],
        node: usize,
        (kept, own): (Option<&Known<Obstacles>>, &Obstacles),
        edges: &mut Edges,
    ) {
        let enabled = edges.used > 0;
        let nodes = self.nodes();
        let (process, _) = self.place(node);
        let obstacles = kept.map_or(own, |kept| &kept.what);
        let mut unkept = std::mem::take(&mut self.noted);
        if kept.is_none() {
            self.note_conditions(own, false, &mut unkept);
        }
        let mut noted = kept.map_or(&unkept, |kept| &kept.noted).iter();
        for index in 0..obstacles.len() {
            let (accesses, everything) = obstacles.get(index);
            let out = if enabled { &mut edges.choices[0] } else { edges.add(nodes) };
            if everything {
                out.insert_range(0, nodes);
            }
            for (access, noted) in accesses.iter().zip(&mut noted) {
                self.connect_access(state, access, &[process], *noted, false, out);
            }
        }
        self.noted = unkept;
        if edges.used == 0 {
            edges.add(nodes);
        }
    }

    /// Fills in the sets of a node from memory, if they are there.
    fn recall(&mut self, key: Key, state: &[u8], edges: &mut Edges) -> bool {
        let nodes = self.nodes();
        let Moves { connections, relations, values, journal, .. } = self;
        let Some(sets) = connections.recall(key, state, *relations, values, journal) else { return false };
        edges.copy_words(sets, nodes.div_ceil(64).max(1));
        true
    }

    /// By what the companions of a move that waits are kept.
    fn key_of_waiting(&mut self, kept: &Known<Obstacles>, process: ProcessId) -> Option<Key> {
        let configuration = self.configuration()?;
        Some(Key::of_waiting(configuration, self.number_of_obstacles(kept)?, process))
    }

    /// Which futures the processes have, if what comes along with something can be kept by that.
    fn configuration(&self) -> Option<u32> {
        let told = self.index.is_none() && self.processes.most <= 64 && !self.judge.looks_at_exclusion();
        self.processes.configuration.filter(|_| told)
    }

    /// What an alternative waits for, if it was kept; and in which states it waits for the same.
    fn kept_obstacles(&mut self, state: &[u8], node: usize) -> (Option<Kept<Obstacles>>, Lasting) {
        if let Some(Some(kept)) = self.awaited.get(node) {
            return (Some(kept.clone()), Lasting::Always);
        }
        let (process, alternative) = self.place(node);
        let Some(stand) = self.processes.present.get(process.index()) else { return (None, Lasting::Never) };
        let mut lasting = Lasting::Always;
        let kept = stand.obstacles(alternative, None).or_else(|| {
            lasting = self.relations.obstacles_last(state, process, alternative);
            match lasting {
                Lasting::With(number) => stand.obstacles(alternative, Some(number)),
                Lasting::Always | Lasting::Never => None,
            }
        });
        if let Some(kept) = &kept {
            self.note_awaited(node, kept.clone());
        }
        (kept, lasting)
    }

    fn note_awaited(&mut self, node: usize, kept: Kept<Obstacles>) {
        if self.awaited.len() <= node {
            self.awaited.resize(self.nodes(), None);
        }
        self.awaited[node] = Some(kept);
    }

    /// What an alternative waits for that was not kept: as it is kept from now on, or else in `own`.
    fn find_obstacles(
        &mut self,
        state: &[u8],
        node: usize,
        lasting: Lasting,
        own: &mut Obstacles,
    ) -> Option<Kept<Obstacles>> {
        let (process, alternative) = self.place(node);
        self.relations.obstacles(state, process, alternative, own);
        let number = match lasting {
            Lasting::Always => None,
            Lasting::With(number) => Some(number),
            Lasting::Never => return None,
        };
        let stand = self.processes.present.get(process.index())?.clone();
        let mut noted = Vec::new();
        self.note_conditions(own, true, &mut noted);
        let kept = Known::new(own, noted);
        stand.keep_obstacles(alternative, number, kept.clone());
        self.processes.add_bytes(process, kept.bytes());
        self.note_awaited(node, kept.clone());
        Some(kept)
    }

    /// What there is to know of the operations of all conditions, in their order.
    fn note_conditions(&mut self, obstacles: &Obstacles, kept: bool, out: &mut Vec<Noted>) {
        out.clear();
        for index in 0..obstacles.len() {
            let (accesses, _) = obstacles.get(index);
            let firing = self.firing.of_condition(self.relations, accesses);
            if kept {
                self.notes.add(accesses, firing, out);
            } else {
                out.extend(firing.iter().map(|&now| Noted { now, number: None }));
            }
        }
    }

    fn connect_step(&mut self, state: &[u8], step: usize, out: &mut Bits) {
        self.look_up(state, step);
        let kept = self.steps[step].kept.clone();
        let key = kept.as_ref().zip(self.configuration()).and_then(|(kept, configuration)| {
            Some(Key::of_step(configuration, self.number_of_footprint(kept)?))
        });
        let Some(key) = key else { return self.connect_footprint(state, step, out) };
        let Moves { connections, relations, values, journal, .. } = self;
        if let Some(sets) = connections.recall(key, state, *relations, values, journal) {
            return out.unite_words(sets);
        }
        let mut companions = std::mem::take(&mut self.companions);
        companions.clear(self.nodes());
        self.connections.begin();
        self.connect_footprint(state, step, &mut companions);
        let sets = std::slice::from_ref(&companions);
        self.connections.keep(key, state, self.relations, &mut self.values, sets);
        out.unite(&companions);
        self.companions = companions;
    }

    /// Adds what comes along with a step whose footprint was looked up.
    fn connect_footprint(&mut self, state: &[u8], step: usize, out: &mut Bits) {
        let enabled = std::mem::take(&mut self.steps[step]);
        let footprint = enabled.footprint();
        for process in &footprint.processes {
            let first = self.processes.first[process.index()];
            out.insert_range(first, self.processes.first[process.index() + 1] - first);
        }
        if footprint.everything {
            out.insert_range(0, self.nodes());
        } else {
            let mut unkept = std::mem::take(&mut self.noted);
            if enabled.kept.is_none() {
                let firing = self.firing.of_step(self.relations, footprint);
                unkept.clear();
                unkept.extend(firing.iter().map(|&now| Noted { now, number: None }));
            }
            let noted = enabled.kept.as_ref().map_or(&unkept, |kept| &kept.noted);
            for (access, noted) in footprint.accesses.iter().zip(noted) {
                self.connect_access(state, access, &footprint.processes, *noted, noted.now, out);
            }
            self.noted = unkept;
        }
        self.steps[step] = enabled;
    }
}

/// Where the operations on an object stand among these, which are sorted.
fn on_object(accesses: &[Access], object: ObjectId) -> Range<usize> {
    let from = accesses.partition_point(|other| other.object < object);
    from..from + accesses[from..].iter().take_while(|other| other.object == object).count()
}

/// The kinds of these operations, bit by bit.
fn kinds_of(accesses: &[Access]) -> u64 {
    accesses.iter().fold(0, |all, access| all | kind_bit(access.operation.kind))
}

fn kind_bit(kind: OperationKind) -> u64 {
    match kind {
        OperationKind::ANY => u64::MAX,
        OperationKind(kind) => 1u64.checked_shl(kind.into()).unwrap_or(0),
    }
}
