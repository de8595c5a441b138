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

mod together;
pub mod why;

use super::bits::Bits;
use super::dependency::{Judge, fires_alone, fires_now};
use mazurka_model::{
    Access, Footprint, Future, ObjectId, Obstacles, Operation, OperationKind, ProcessId, Relations, Step,
};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// What the alternatives of a process may do, found by object.
struct Futures {
    list: Vec<Future>,
    /// By object: which of `uses` it is, if any.
    by_object: Vec<Option<u32>>,
    uses: Vec<Use>,
    /// The alternatives that may do anything to every object.
    everything: Vec<usize>,
}

/// What the alternatives of a process may do to one object.
#[derive(Default)]
struct Use {
    /// The kinds of operations, bit by bit.
    kinds: u64,
    /// The alternatives that use it, and where their operations on it stand among theirs.
    operations: Vec<(usize, Range<usize>)>,
}

impl Futures {
    fn new(mut list: Vec<Future>, objects: usize) -> Futures {
        let mut by_object = vec![None; objects];
        let mut uses: Vec<Use> = Vec::new();
        let mut everything = Vec::new();
        for (alternative, future) in list.iter_mut().enumerate() {
            future.accesses.sort_unstable();
            future.accesses.dedup();
            if future.everything {
                everything.push(alternative);
            }
            for group in future.accesses.chunk_by(|a, b| a.object == b.object) {
                let object = group[0].object;
                let number = *by_object[object.index()].get_or_insert_with(|| {
                    uses.push(Use::default());
                    uses.len() as u32 - 1
                });
                let one = &mut uses[number as usize];
                one.kinds |= kinds_of(group);
                one.operations.push((alternative, on_object(&future.accesses, object)));
            }
        }
        Futures { list, by_object, uses, everything }
    }

    fn on(&self, object: ObjectId) -> Option<&Use> {
        self.by_object[object.index()].map(|number| &self.uses[number as usize])
    }

    /// The kinds of operations on an object, bit by bit.
    fn kinds(&self, object: ObjectId) -> u64 {
        if self.everything.is_empty() { self.on(object).map_or(0, |one| one.kinds) } else { u64::MAX }
    }
}

/// An enabled step.
#[derive(Debug, Default)]
struct Enabled {
    footprint: Footprint,
    alternatives: Vec<(ProcessId, usize)>,
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
}

/// The graph of one state.
pub struct Moves<'s> {
    relations: &'s dyn Relations,
    judge: Judge<'s>,
    /// By process, then what its futures depend on.
    known: Vec<HashMap<Box<[u8]>, Rc<Futures>>>,
    standing: Vec<u8>,
    futures: Vec<Rc<Futures>>,
    /// The first node of each process, and the number of nodes.
    first: Vec<usize>,
    owner: Vec<u16>,
    steps: Vec<Enabled>,
    /// By node: the enabled steps that take it.
    taken_by: Vec<Vec<usize>>,
    edges: Vec<Edges>,
    obstacles: Obstacles,
    demands: Vec<Access>,
    value: Vec<i64>,
    /// Where futures never change: by object, the nodes and what they do to it.
    index: Option<Vec<Vec<(usize, Operation)>>>,
}

impl<'s> Moves<'s> {
    /// For a system with these relations.
    pub fn new(relations: &'s dyn Relations, judge: Judge<'s>) -> Moves<'s> {
        Moves {
            relations,
            judge,
            known: Vec::new(),
            standing: Vec::new(),
            futures: Vec::new(),
            first: Vec::new(),
            owner: Vec::new(),
            steps: Vec::new(),
            taken_by: Vec::new(),
            edges: Vec::new(),
            obstacles: Obstacles::default(),
            demands: Vec::new(),
            value: Vec::new(),
            index: None,
        }
    }

    /// Turns to a state with these enabled steps.
    pub fn load(&mut self, state: &[u8], enabled: &[Step]) {
        if self.index.is_none() {
            self.load_futures(state);
        }
        let nodes = self.owner.len();
        if self.edges.len() < nodes {
            self.edges.resize_with(nodes, Edges::default);
            self.taken_by.resize_with(nodes, Vec::new);
        }
        for node in 0..nodes {
            self.edges[node].known = false;
            self.taken_by[node].clear();
        }
        if self.steps.len() < enabled.len() {
            self.steps.resize_with(enabled.len(), Enabled::default);
        }
        for (index, step) in enabled.iter().enumerate() {
            let entry = &mut self.steps[index];
            self.relations.step(state, *step, &mut entry.footprint);
            self.relations.alternatives(*step, &entry.footprint, &mut entry.alternatives);
            for &(process, alternative) in &entry.alternatives {
                self.taken_by[self.first[process.index()] + alternative].push(index);
            }
        }
    }

    fn load_futures(&mut self, state: &[u8]) {
        self.futures.clear();
        self.first.clear();
        self.owner.clear();
        for p in 0..self.relations.processes(state) {
            let futures = self.futures_of(state, ProcessId(p as u16));
            self.first.push(self.owner.len());
            self.owner.extend(std::iter::repeat_n(p as u16, futures.list.len()));
            self.futures.push(futures);
        }
        self.first.push(self.owner.len());
        let all = || self.futures.iter().flat_map(|futures| &futures.list);
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

    fn futures_of(&mut self, state: &[u8], process: ProcessId) -> Rc<Futures> {
        if !self.relations.standing(state, process, &mut self.standing) {
            return self.compute(state, process);
        }
        if self.known.len() <= process.index() {
            self.known.resize_with(process.index() + 1, HashMap::new);
        }
        if let Some(futures) = self.known[process.index()].get(self.standing.as_slice()) {
            return futures.clone();
        }
        let futures = self.compute(state, process);
        self.known[process.index()].insert(self.standing.as_slice().into(), futures.clone());
        futures
    }

    fn compute(&self, state: &[u8], process: ProcessId) -> Rc<Futures> {
        let mut list = Vec::new();
        self.relations.futures(state, process, &mut list);
        Rc::new(Futures::new(list, self.relations.objects().len()))
    }

    /// Whether the futures of all processes are the same in every state.
    pub fn are_constant(&self) -> bool {
        self.index.is_some()
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.owner.len()
    }

    /// The nodes of the process to which a node belongs.
    pub fn siblings(&self, node: usize) -> (usize, usize) {
        let process = usize::from(self.owner[node]);
        (self.first[process], self.first[process + 1] - self.first[process])
    }

    /// The process and the alternative that a node stands for.
    pub fn place(&self, node: usize) -> (ProcessId, usize) {
        let process = self.owner[node];
        (ProcessId(process), node - self.first[usize::from(process)])
    }

    /// The enabled steps that take a node.
    pub fn steps_of(&self, node: usize) -> &[usize] {
        &self.taken_by[node]
    }

    /// The nodes that an enabled step takes.
    pub fn nodes_of(&self, step: usize) -> impl Iterator<Item = usize> + '_ {
        self.steps[step].alternatives.iter().map(|(p, a)| self.first[p.index()] + a)
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
                self.connect_access(state, access, &[], true, false, set);
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
        let (process, alternative) = self.place(node);
        let enabled = !self.taken_by[node].is_empty();
        if enabled {
            let out = edges.add(nodes);
            for at in 0..self.taken_by[node].len() {
                self.connect_step(state, self.taken_by[node][at], out);
            }
        }
        if !enabled || !self.relations.tells_moves_apart() {
            let mut obstacles = std::mem::take(&mut self.obstacles);
            self.relations.obstacles(state, process, alternative, &mut obstacles);
            for index in 0..obstacles.len() {
                let (accesses, everything) = obstacles.get(index);
                let out = if enabled { &mut edges.choices[0] } else { edges.add(nodes) };
                if everything {
                    out.insert_range(0, nodes);
                }
                for access in accesses {
                    let now = fires_alone(self.relations, accesses, access);
                    self.connect_access(state, access, &[process], now, false, out);
                }
            }
            if edges.used == 0 {
                edges.add(nodes);
            }
            self.obstacles = obstacles;
        }
        self.edges[node] = edges;
    }

    fn connect_step(&mut self, state: &[u8], step: usize, out: &mut Bits) {
        let enabled = std::mem::take(&mut self.steps[step]);
        let footprint = &enabled.footprint;
        for process in &footprint.processes {
            let first = self.first[process.index()];
            out.insert_range(first, self.first[process.index() + 1] - first);
        }
        if footprint.everything {
            out.insert_range(0, self.nodes());
        } else {
            for access in &footprint.accesses {
                let now = fires_now(self.relations, footprint, access);
                self.connect_access(state, access, &footprint.processes, now, now, out);
            }
        }
        self.steps[step] = enabled;
    }

    /// Adds the alternatives of other processes behind which something might interact with `access`;
    /// `now`: it fires in the present value of its object; `enabled`: and belongs to an enabled step.
    fn connect_access(
        &mut self,
        state: &[u8],
        access: &Access,
        moved: &[ProcessId],
        now: bool,
        enabled: bool,
        out: &mut Bits,
    ) {
        let object = access.object;
        let excludes = self.look_at_exclusion(state, object, enabled);
        let kinds = self.look(state, object, moved, now);
        let value = kinds.map(|kinds| (&*self.value, kinds));
        if let Some(index) = &self.index {
            for (node, operation) in &index[object.index()] {
                if !out.contains(*node)
                    && !moved.contains(&ProcessId(self.owner[*node]))
                    && self.interacts(access, &Access { object, operation: *operation }, value, excludes)
                {
                    out.insert(*node);
                }
            }
            return;
        }
        for (process, futures) in self.futures.iter().enumerate() {
            if moved.contains(&ProcessId(process as u16)) {
                continue;
            }
            let first = self.first[process];
            futures.everything.iter().for_each(|alternative| out.insert(first + alternative));
            let Some(one) = futures.on(object) else { continue };
            for (alternative, range) in &one.operations {
                if out.contains(first + alternative) {
                    continue;
                }
                let mut others = futures.list[*alternative].accesses[range.clone()].iter();
                let interacts = |other: &Access| self.interacts(access, other, value, excludes);
                if others.any(interacts) {
                    out.insert(first + alternative);
                }
            }
        }
    }

    /// Whether an operation might interact with another on the same object; `excludes`: unless the two are
    /// never enabled together.
    fn interacts(
        &self,
        access: &Access,
        other: &Access,
        value: Option<(&[i64], u64)>,
        excludes: bool,
    ) -> bool {
        let (object, a, b) = (access.object, &access.operation, &other.operation);
        self.judge.interacts(object, a, b, value)
            && !(excludes && self.judge.excludes(object, a, b, &self.value))
    }

    /// Whether operations are left out that are never enabled together with one of an enabled step: reads
    /// the value of its object then.
    fn look_at_exclusion(&mut self, state: &[u8], object: ObjectId, enabled: bool) -> bool {
        let excludes = enabled && self.judge.looks_at_exclusion();
        if excludes {
            self.relations.value(state, object, &mut self.value);
        }
        excludes
    }

    /// If an operation that fires in the present value of an object, `now`, is judged by that value:
    /// reads it, and says which kinds of operations processes that don't move can still perform on it.
    fn look(&mut self, state: &[u8], object: ObjectId, moved: &[ProcessId], now: bool) -> Option<u64> {
        if !now || !self.judge.looks_at_values() {
            return None;
        }
        self.relations.value(state, object, &mut self.value);
        let mut kinds = 0;
        if let Some(index) = &self.index {
            for (node, operation) in &index[object.index()] {
                if !moved.contains(&ProcessId(self.owner[*node])) {
                    kinds |= kind_bit(operation.kind);
                }
            }
            return Some(kinds);
        }
        for (process, futures) in self.futures.iter().enumerate() {
            if !moved.contains(&ProcessId(process as u16)) {
                kinds |= futures.kinds(object);
            }
        }
        Some(kinds)
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
