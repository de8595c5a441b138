//! A system with more dependencies, so that a property and an assumption of fairness can't tell equivalent runs
//! apart (Peled 1993, sections 4.1 and 4.2: *equivalence robustness*).
//!
//! The property is a Boolean combination of components; for each, all steps that may change an atom of it are made
//! dependent on each other: D ∪ a(φ₁)² ∪ … Likewise, under process fairness, steps that may change whether
//! some process can move ([`super::waiting`]). Then all runs of one trace look the same to each component, up to repeated letters, and
//! all or none of them are fair.
//!
//! Steps that depend on each other share an object. So one of the objects that a component looks at stands for the
//! component, and every step that affects it gets one more operation on that object, one which depends on all
//! others. Every method then works with the larger relation without knowing of it, and what it costs is
//! that mere looks at this object depend on those steps too.

use super::visibility::Looks;
use super::waiting::{Classes, Waiting};
use mazurka_model::object::ObjectType;
use mazurka_model::{
    Access, Atoms, Batch, Chosen, Describe, Footprint, Frame, Future, Lasting, ObjectId, Obstacles,
    Operation, OperationKind, ProcessId, Relations, Step, System,
};
use std::sync::Arc;

/// Steps that are made dependent on each other: those that change what is looked at.
struct Class {
    looks: Looks,
    /// The object that stands for the class.
    object: ObjectId,
}

/// What of a state decides which steps are added to classes, beside those of the property.
enum Presence {
    /// Nothing.
    Constant,
    /// Something, but it is not known what.
    Unknown,
    /// These classes.
    Known(Arc<Classes>),
}

/// A system whose relations know of more dependencies than its own.
pub struct Extended<'s> {
    system: &'s dyn System,
    relations: &'s dyn Relations,
    classes: Vec<Class>,
    /// By object, the classes that look at it.
    by_object: Vec<Vec<u32>>,
    /// Whether a process can move is not said to depend on the same objects in every state: then there are classes for each state.
    waiting: Option<Waiting<'s>>,
    /// Where these are not known either, whatever changes any object makes a class of its own, for which this object stands.
    changes: Option<ObjectId>,
    /// The objects at which processes meet: where two stand decides whether they can move.
    meetings: Vec<u64>,
}

impl<'s> Extended<'s> {
    /// A system for a property whose components have these atoms, as bits; if `fair`, also for process fairness. None if
    /// the system has no relations, or an atom looks at more than objects.
    pub fn new(
        system: &'s dyn System,
        atoms: &dyn Atoms,
        components: &[u64],
        fair: bool,
    ) -> Option<Extended<'s>> {
        let relations = system.relations()?;
        let count = relations.objects().len();
        let mut extended = Extended {
            system,
            relations,
            classes: Vec::new(),
            by_object: vec![Vec::new(); count],
            waiting: None,
            changes: None,
            meetings: Vec::new(),
        };
        for component in components {
            extended.add(Looks::of_atoms(atoms, *component)?);
        }
        if fair {
            extended.add_guards();
        }
        Some(extended)
    }

    /// The system with its own dependencies.
    pub fn plain(system: &'s dyn System) -> Option<Extended<'s>> {
        let relations = system.relations()?;
        let (classes, by_object) = (Vec::new(), Vec::new());
        let (waiting, changes, meetings) = (None, None, Vec::new());
        Some(Extended { system, relations, classes, by_object, waiting, changes, meetings })
    }

    fn add(&mut self, looks: Looks) {
        let Some(first) = looks.accesses().first() else { return };
        let (object, number) = (first.object, self.classes.len() as u32);
        for look in looks.accesses() {
            let here = &mut self.by_object[look.object.index()];
            if here.last() != Some(&number) {
                here.push(number);
            }
        }
        self.classes.push(Class { looks, object });
    }

    /// Adds the classes of what changes whether a process can move.
    fn add_guards(&mut self) {
        let mut initial = Batch::default();
        self.system.initial(&mut initial);
        if initial.is_empty() {
            return;
        }
        let processes = self.relations.processes(initial.state(0));
        let mut guards = Vec::new();
        for process in 0..processes {
            let mut accesses = Vec::new();
            if !self.relations.guards(ProcessId(process as u16), &mut accesses) {
                // Of one that is not known: then of none.
                self.changes = self.least_used(initial.state(0), processes);
                let objects = self.relations.objects().iter().enumerate();
                self.meetings = vec![0; self.relations.objects().len().div_ceil(64)];
                for (index, _) in objects.filter(|(_, object)| object.name() == "rendezvous") {
                    self.meetings[index / 64] |= 1 << (index % 64);
                }
                self.waiting = Some(Waiting::new(self.relations, &self.meetings));
                return;
            }
            guards.push(Looks::new(accesses));
        }
        guards.into_iter().for_each(|looks| self.add(looks));
    }

    /// The object that fewest processes may ever use.
    fn least_used(&self, state: &[u8], processes: usize) -> Option<ObjectId> {
        let mut users = vec![0; self.relations.objects().len()];
        let mut support = Vec::new();
        for process in 0..processes {
            self.relations.support(state, ProcessId(process as u16), false, &mut support);
            for (object, users) in users.iter_mut().enumerate() {
                *users += usize::from(support[object / 64] >> (object % 64) & 1 == 1);
            }
        }
        let least = users.iter().enumerate().min_by_key(|(_, users)| **users);
        least.map(|(object, _)| ObjectId(object as u32))
    }

    /// What of a state decides which steps are added to classes.
    fn presence(&self, state: &[u8]) -> Presence {
        match &self.waiting {
            None => Presence::Constant,
            Some(waiting) => waiting.classes(state).map_or(Presence::Unknown, Presence::Known),
        }
    }

    /// Whether all that a process does, local or not, belongs to a class, because where it stands decides what others can do.
    fn meets(&self, presence: &Presence, state: &[u8], process: ProcessId) -> bool {
        match presence {
            Presence::Constant => false,
            Presence::Unknown => self.may_meet(state, process),
            Presence::Known(classes) => classes.list.iter().any(|class| class.holds_all_of(process)),
        }
    }

    /// Whether a process may still meet others.
    fn may_meet(&self, state: &[u8], process: ProcessId) -> bool {
        if self.meetings.iter().all(|word| *word == 0) {
            return false;
        }
        let mut support = Vec::new();
        self.relations.support(state, process, true, &mut support);
        support.iter().zip(&self.meetings).any(|(own, meeting)| own & meeting != 0)
    }

    /// Adds the operations that stand for the classes which these operations of a process belong to; all its steps do to some
    /// if it `meets` others.
    fn extend(&self, presence: &Presence, process: ProcessId, meets: bool, accesses: &mut Vec<Access>) {
        let mut added: Vec<ObjectId> = Vec::new();
        let mut changes = meets;
        for access in accesses.iter() {
            let kind = access.operation.kind;
            let object = &self.relations.objects()[access.object.index()];
            changes |= kind == OperationKind::ANY || !object.reads(kind);
            let here = self.by_object.get(access.object.index()).map_or(&[][..], Vec::as_slice);
            for class in here.iter().map(|class| &self.classes[*class as usize]) {
                if class.looks.are_changed_by(self.relations, access) {
                    added.push(class.object);
                }
            }
        }
        match presence {
            Presence::Constant => {}
            Presence::Unknown => added.extend(self.changes.filter(|_| changes)),
            Presence::Known(classes) => {
                let belongs =
                    classes.list.iter().filter(|class| class.contains(self.relations, process, accesses));
                added.extend(belongs.map(|class| class.object));
            }
        }
        added.sort_unstable();
        added.dedup();
        let operation = Operation::new(process, OperationKind::ANY);
        accesses.extend(added.into_iter().map(|object| Access { object, operation }));
    }

    fn extend_footprint(&self, state: &[u8], out: &mut Footprint) {
        let Some(&process) = out.processes.first() else { return };
        let presence = self.presence(state);
        let mut meets = false;
        for other in &out.processes {
            meets |= self.meets(&presence, state, *other);
            // The first moves for certain. What the others do with it belongs to the classes that they are members of.
            if let Presence::Known(classes) = &presence
                && *other != process
            {
                let belongs = classes.list.iter().filter(|class| class.holds_all_of(*other));
                let operation = Operation::new(process, OperationKind::ANY);
                let accesses = belongs.map(|class| Access { object: class.object, operation });
                out.accesses.extend(accesses);
            }
        }
        self.extend(&presence, process, meets, &mut out.accesses);
    }

    /// Adds the objects that stand for classes which operations on these objects may belong to.
    fn extend_bits(&self, presence: &Presence, process: ProcessId, meets: bool, bits: &mut [u64]) {
        let contains = |bits: &[u64], object: usize| bits[object / 64] >> (object % 64) & 1 == 1;
        let any = meets || bits.iter().any(|word| *word != 0);
        let looked =
            |class: &&Class| class.looks.accesses().iter().any(|look| contains(bits, look.object.index()));
        let mut added: Vec<ObjectId> = self.classes.iter().filter(looked).map(|class| class.object).collect();
        match presence {
            Presence::Constant => {}
            Presence::Unknown => added.extend(self.changes.filter(|_| any)),
            Presence::Known(classes) => {
                let belongs =
                    classes.list.iter().filter(|class| class.holds_all_of(process) || class.looks_at(bits));
                added.extend(belongs.map(|class| class.object));
            }
        }
        added.iter().for_each(|object| bits[object.index() / 64] |= 1 << (object.index() % 64));
    }
}

impl System for Extended<'_> {
    fn initial(&self, out: &mut Batch) {
        self.system.initial(out);
    }

    fn expand(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
        self.system.expand(state, chosen, out);
    }

    fn expand_through(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
        self.system.expand_through(state, chosen, out);
    }

    fn enabled(&self, state: &[u8], out: &mut Vec<Step>) {
        self.system.enabled(state, out);
    }

    fn valid_end(&self, state: &[u8]) -> bool {
        self.system.valid_end(state)
    }

    fn represents_all(&self) -> bool {
        self.system.represents_all()
    }

    fn regions_end(&self) -> bool {
        self.system.regions_end()
    }

    fn relations(&self) -> Option<&dyn Relations> {
        Some(self)
    }

    fn describe(&self) -> &dyn Describe {
        self.system.describe()
    }
}

impl Relations for Extended<'_> {
    fn processes(&self, state: &[u8]) -> usize {
        self.relations.processes(state)
    }

    fn objects(&self) -> &[Box<dyn ObjectType>] {
        self.relations.objects()
    }

    fn value(&self, state: &[u8], object: ObjectId, out: &mut Vec<i64>) {
        self.relations.value(state, object, out);
    }

    fn step(&self, state: &[u8], step: Step, out: &mut Footprint) {
        self.relations.step(state, step, out);
        self.extend_footprint(state, out);
    }

    fn next(&self, state: &[u8], process: ProcessId, out: &mut Footprint) {
        self.relations.next(state, process, out);
        let presence = self.presence(state);
        let meets = self.meets(&presence, state, process);
        self.extend(&presence, process, meets, &mut out.accesses);
    }

    fn next_is_local(&self, state: &[u8], process: ProcessId) -> bool {
        self.relations.next_is_local(state, process) && !self.meets(&self.presence(state), state, process)
    }

    fn support(&self, state: &[u8], process: ProcessId, located: bool, out: &mut Vec<u64>) {
        self.relations.support(state, process, located, out);
        self.extend_bits(&self.presence(state), process, false, out);
    }

    fn next_objects(&self, state: &[u8], process: ProcessId, out: &mut Vec<u64>) -> bool {
        let known = self.relations.next_objects(state, process, out);
        let presence = self.presence(state);
        self.extend_bits(&presence, process, self.meets(&presence, state, process), out);
        known
    }

    fn tells_moves_apart(&self) -> bool {
        self.relations.tells_moves_apart()
    }

    fn alternatives(&self, step: Step, footprint: &Footprint, out: &mut Vec<(ProcessId, usize)>) {
        self.relations.alternatives(step, footprint, out);
    }

    fn takes(&self, step: Step, out: &mut Vec<(ProcessId, usize)>) -> bool {
        self.relations.takes(step, out)
    }

    fn frames(&self, state: &[u8], out: &mut Vec<Frame>) -> bool {
        // What others have ahead goes into what a process's steps are taken to do.
        self.waiting.is_none() && self.relations.frames(state, out)
    }

    fn frames_stay(&self) -> bool {
        self.waiting.is_none() && self.relations.frames_stay()
    }

    fn lasts(&self, state: &[u8], step: Step) -> bool {
        self.relations.lasts(state, step)
    }

    fn obstacles_last(&self, state: &[u8], process: ProcessId, alternative: usize) -> Lasting {
        self.relations.obstacles_last(state, process, alternative)
    }

    fn standing(&self, state: &[u8], process: ProcessId, out: &mut Vec<u8>) -> bool {
        let known = self.relations.standing(state, process, out);
        // The classes go into its futures as well.
        match self.presence(state) {
            Presence::Constant => {}
            Presence::Unknown => out.extend([1, u8::from(self.may_meet(state, process))]),
            Presence::Known(classes) => {
                out.push(2);
                out.extend_from_slice(&classes.number.to_le_bytes());
            }
        }
        known
    }

    fn futures(&self, state: &[u8], process: ProcessId, out: &mut Vec<Future>) {
        self.relations.futures(state, process, out);
        let presence = self.presence(state);
        let meets = self.meets(&presence, state, process);
        out.iter_mut().for_each(|future| self.extend(&presence, process, meets, &mut future.accesses));
    }

    fn obstacles(&self, state: &[u8], process: ProcessId, alternative: usize, out: &mut Obstacles) {
        self.relations.obstacles(state, process, alternative, out);
    }

    fn demands(&self, state: &[u8], process: ProcessId, alternative: usize, out: &mut Vec<Access>) {
        self.relations.demands(state, process, alternative, out);
    }

    fn comes_to_rest(&self, state: &[u8], process: ProcessId, deserted: &dyn Fn(ObjectId) -> bool) -> bool {
        self.relations.comes_to_rest(state, process, deserted)
    }

    fn futures_are_constant(&self) -> bool {
        self.waiting.is_none() && self.relations.futures_are_constant()
    }

    fn is_last_resort(&self, state: &[u8], step: Step) -> bool {
        self.relations.is_last_resort(state, step)
    }
}
