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

mod futures;
pub mod questions;
mod together;
mod verdicts;
pub mod why;

use super::bits::Bits;
use super::dependency::{Firing, Judge};
use futures::{Futures, Kept, Known, Processes, Use};
use mazurka_model::object::Glance;
use mazurka_model::{
    Access, Footprint, Lasting, ObjectId, Obstacles, Operation, OperationKind, ProcessId, Relations, Step,
};
use questions::Journal;
use std::ops::Range;
use verdicts::{Looks, Noted, Notes, seen};

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
}

/// The graph of one state.
pub struct Moves<'s> {
    relations: &'s dyn Relations,
    judge: Judge<'s>,
    processes: Processes<'s>,
    steps: Vec<Enabled>,
    /// By node: the enabled steps that take it.
    taken_by: Vec<Vec<usize>>,
    edges: Vec<Edges>,
    obstacles: Obstacles,
    demands: Vec<Access>,
    value: Vec<i64>,
    outlined: Vec<i64>,
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
            edges: Vec::new(),
            obstacles: Obstacles::default(),
            demands: Vec::new(),
            value: Vec::new(),
            outlined: Vec::new(),
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

    /// Turns to a state, without its steps.
    pub fn turn(&mut self, state: &[u8]) {
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
            (entry.step, entry.known, entry.kept) = (*step, false, None);
            if !self.relations.takes(*step, &mut entry.alternatives) {
                self.journal.step(index);
                self.relations.step(state, *step, &mut entry.own);
                self.relations.alternatives(*step, &entry.own, &mut entry.alternatives);
                entry.known = true;
            }
            for &(process, alternative) in &entry.alternatives {
                self.taken_by[self.processes.first[process.index()] + alternative].push(index);
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
        let (process, alternative) = self.place(node);
        let enabled = !self.taken_by[node].is_empty();
        if enabled {
            let out = edges.add(nodes);
            for at in 0..self.taken_by[node].len() {
                self.connect_step(state, self.taken_by[node][at], out);
            }
        }
        if !enabled || !self.relations.tells_moves_apart() {
            let mut own = std::mem::take(&mut self.obstacles);
            self.journal.obstacles(node);
            let kept = self.obstacles_of(state, process, alternative, &mut own);
            let obstacles = kept.as_ref().map_or(&own, |kept| &kept.what);
            let mut unkept = std::mem::take(&mut self.noted);
            if kept.is_none() {
                self.note_conditions(&own, false, &mut unkept);
            }
            let mut noted = kept.as_ref().map_or(&unkept, |kept| &kept.noted).iter();
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
            self.obstacles = own;
        }
        self.edges[node] = edges;
    }

    /// What an alternative waits for: as it was kept, or else in `own`.
    fn obstacles_of(
        &mut self,
        state: &[u8],
        process: ProcessId,
        alternative: usize,
        own: &mut Obstacles,
    ) -> Option<Kept<Obstacles>> {
        let stand = self.processes.present.get(process.index());
        if let Some(kept) = stand.and_then(|stand| stand.obstacles(alternative, None)) {
            return Some(kept);
        }
        let number = match stand.map(|_| self.relations.obstacles_last(state, process, alternative)) {
            Some(Lasting::Always) => Some(None),
            Some(Lasting::With(number)) => Some(Some(number)),
            Some(Lasting::Never) | None => None,
        };
        if let (Some(stand), Some(number @ Some(_))) = (stand, number)
            && let Some(kept) = stand.obstacles(alternative, number)
        {
            return Some(kept);
        }
        self.relations.obstacles(state, process, alternative, own);
        let (stand, number) = stand.zip(number)?;
        let stand = stand.clone();
        let mut noted = Vec::new();
        self.note_conditions(own, true, &mut noted);
        let kept = Known::new(own, noted);
        stand.keep_obstacles(alternative, number, kept.clone());
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

    /// Adds the alternatives of other processes behind which something might interact with `access`;
    /// `enabled`: it fires in the present value of its object, and belongs to an enabled step.
    fn connect_access(
        &mut self,
        state: &[u8],
        access: &Access,
        moved: &[ProcessId],
        Noted { now, number }: Noted,
        enabled: bool,
        out: &mut Bits,
    ) {
        let object = access.object;
        if self.index.is_none() {
            let Some(kinds) = self.find_users(object, moved, out) else { return };
            if let Some(number) = number
                && self.processes.most <= 64
                && !self.judge.looks_at_exclusion()
            {
                return self.connect_known(state, access, (now, kinds), number, out);
            }
        }
        let excludes = self.look_at_exclusion(state, object, enabled);
        let kinds = self.look(state, object, moved, now);
        let value = kinds.map(|kinds| (&*self.value, kinds));
        if let Some(index) = &self.index {
            for (node, operation) in &index[object.index()] {
                if !out.contains(*node)
                    && !moved.contains(&ProcessId(self.processes.owner[*node]))
                    && self.interacts(access, &Access { object, operation: *operation }, value, excludes)
                {
                    out.insert(*node);
                }
            }
            return;
        }
        for &process in &self.users {
            let futures = &self.processes.futures[process];
            let first = self.processes.first[process];
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

    /// The same for an operation with a number, among the processes that were found to use its object.
    fn connect_known(
        &mut self,
        state: &[u8],
        access: &Access,
        (now, kinds): (bool, u64),
        number: u32,
        out: &mut Bits,
    ) {
        let object = access.object;
        let by_value = now && self.judge.looks_at_values();
        let kinds = if by_value { kinds } else { 0 };
        let mut is_read = false;
        for index in 0..self.users.len() {
            let process = self.users[index];
            let futures = &self.processes.futures[process];
            let Some(one) = futures.on(object) else { continue };
            let looks = one.verdicts.looks(number, || match by_value {
                true => self.looks(access, futures, one),
                false => Looks::Nothing,
            });
            if looks != Looks::Nothing {
                if !std::mem::replace(&mut is_read, true) {
                    self.relations.value(state, object, &mut self.value);
                }
                self.note_looks(access, futures, one, looks);
            }
            let seen = match looks {
                Looks::Nothing => seen(&[]),
                Looks::Word(word) => self.value.get(word..=word).and_then(seen),
                Looks::Outline => {
                    self.outlined.clone_from(&self.value);
                    self.relations.objects()[object.index()].outline(&mut self.outlined);
                    seen(&self.outlined)
                }
                Looks::Much => None,
            };
            let known = seen.and_then(|seen| one.verdicts.recall(number, seen, kinds));
            let alternatives = match known {
                Some(alternatives) => alternatives,
                None => {
                    if by_value && !std::mem::replace(&mut is_read, true) {
                        self.relations.value(state, object, &mut self.value);
                    }
                    let value = by_value.then_some((&*self.value, kinds));
                    let alternatives = self.interacting(access, futures, one, value);
                    if let Some(seen) = seen.filter(|_| self.notes.has_room()) {
                        one.verdicts.keep(number, seen, kinds, alternatives);
                    }
                    alternatives
                }
            };
            out.insert_from(self.processes.first[process], alternatives);
        }
    }

    /// Notes that the value of an object is looked at.
    fn note_looks(&self, access: &Access, futures: &Futures, one: &Use, looks: Looks) {
        if !self.journal.is_kept() {
            return;
        }
        let object = access.object;
        match looks {
            Looks::Nothing => {}
            Looks::Word(word) => self.journal.value(object, Glance::Word(word)),
            Looks::Outline => self.journal.value(object, Glance::Outline),
            Looks::Much => futures.operations(one).for_each(|other| {
                self.journal.value(object, self.judge.glance(object, &access.operation, &other.operation));
            }),
        }
    }

    /// What of the value of its object must be known to say with which alternatives an operation might interact.
    fn looks(&self, access: &Access, futures: &Futures, one: &Use) -> Looks {
        futures.operations(one).fold(Looks::Nothing, |looks, other| {
            looks.and(self.judge.glance(access.object, &access.operation, &other.operation))
        })
    }

    /// The alternatives behind which something might interact with an operation, bit by bit.
    fn interacting(
        &self,
        access: &Access,
        futures: &Futures,
        one: &Use,
        value: Option<(&[i64], u64)>,
    ) -> u64 {
        let (object, operation) = (access.object, &access.operation);
        let interacts = |range: &Range<usize>, at: usize| {
            let mut others = futures.list[at].accesses[range.clone()].iter();
            others.any(|other| self.judge.interacts(object, operation, &other.operation, value))
        };
        let all = one.operations.iter().filter(|(at, range)| interacts(range, *at));
        all.fold(0, |all, (at, _)| all | 1 << at)
    }

    /// Finds the processes that may still use an object, of those that don't move, and adds those alternatives that may do
    /// anything to it. Gives the kinds of operations that they can still perform on it; nothing: nobody uses it.
    fn find_users(&mut self, object: ObjectId, moved: &[ProcessId], out: &mut Bits) -> Option<u64> {
        self.users.clear();
        let mut kinds = 0;
        for (process, futures) in self.processes.futures.iter().enumerate() {
            if moved.contains(&ProcessId(process as u16)) {
                continue;
            }
            if !futures.everything.is_empty() {
                let first = self.processes.first[process];
                futures.everything.iter().for_each(|alternative| out.insert(first + alternative));
                kinds = u64::MAX;
            }
            if let Some(one) = futures.on(object) {
                kinds |= one.kinds;
                self.users.push(process);
            }
        }
        (!self.users.is_empty()).then_some(kinds)
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
        if value.is_some() && self.journal.is_kept() {
            self.journal.value(object, self.judge.glance(object, a, b));
        }
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
        if let Some(index) = &self.index {
            let mut kinds = 0;
            for (node, operation) in &index[object.index()] {
                if !moved.contains(&ProcessId(self.processes.owner[*node])) {
                    kinds |= kind_bit(operation.kind);
                }
            }
            return Some(kinds);
        }
        Some(self.kinds(object, moved))
    }

    /// Which kinds of operations processes that don't move can still perform on an object.
    fn kinds(&self, object: ObjectId, moved: &[ProcessId]) -> u64 {
        let all = self.processes.futures.iter().enumerate();
        let others = all.filter(|(process, _)| !moved.contains(&ProcessId(*process as u16)));
        others.fold(0, |kinds, (_, futures)| kinds | futures.kinds(object))
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
