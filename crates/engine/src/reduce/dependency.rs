//! When two steps of a state depend on each other, judged by the objects they use.
//!
//! Godefroid and Pirottin 1993, Definition 3 with the conditional relation of Definition 5. Steps that
//! move a common process depend on each other. Otherwise they are independent if on every object
//! that both use their operations are. Behind an operation of the same step that may change the object
//! the current value is not the one in which it fires, so there the constant relation decides. A step
//! that may do anything to every object depends on all steps but the local ones.

use crate::config::Dependency;
use mazurka_model::object::{Glance, ObjectType};
use mazurka_model::{Access, Footprint, ObjectId, Operation, OperationKind, Relations};

/// What decides which operations of others must come along with an operation, and which steps stay asleep.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The constant dependency (Definition 8).
    Constant,
    /// "Might interact" in the present value, ▷ (Definitions 11 and 12), where the grade looks at values.
    Interaction,
    /// The same; where the grade does not look at values, the constant dependency without the operations
    /// that are never enabled together (Peled 1993, section 4.2: D ∖ E).
    Together,
    /// Neither changes what the other uses ([`mazurka_model::object::ObjectType::apart`]): the way in which sleep sets
    /// are judged under a proviso.
    Apart,
}

/// Judges dependency at one grade, with its own scratch memory.
pub struct Judge<'s> {
    relations: &'s dyn Relations,
    objects: &'s [Box<dyn ObjectType>],
    grade: Dependency,
    relation: Relation,
    value: Vec<i64>,
}

impl<'s> Judge<'s> {
    /// A judge over the objects of a system.
    pub fn new(relations: &'s dyn Relations, grade: Dependency) -> Judge<'s> {
        Judge {
            relations,
            objects: relations.objects(),
            grade,
            relation: Relation::Interaction,
            value: Vec::new(),
        }
    }

    /// The same judge with another relation behind [`Judge::interacts`].
    pub fn by(mut self, relation: Relation) -> Judge<'s> {
        self.relation = relation;
        self
    }

    /// The same judge with memory of its own.
    pub fn afresh(&self) -> Judge<'s> {
        Judge::new(self.relations, self.grade).by(self.relation)
    }

    /// Whether two steps, both enabled in `state`, depend on each other there.
    pub fn dependent(&mut self, state: &[u8], a: &Footprint, b: &Footprint) -> bool {
        if a.processes.iter().any(|p| b.processes.contains(p)) {
            return true;
        }
        if a.everything || b.everything {
            return !a.is_local() && !b.is_local();
        }
        a.accesses
            .iter()
            .any(|x| b.accesses.iter().any(|y| x.object == y.object && self.conflict(state, a, b, x, y)))
    }

    /// Whether [`Judge::dependent`] looks at the values of objects: otherwise it says the same of these footprints in all states.
    pub fn depends_on_values(&self) -> bool {
        let by_value = matches!(self.grade, Dependency::Conditional | Dependency::Refined);
        by_value && self.relation != Relation::Apart
    }

    /// Whether [`Judge::interacts`] looks at the values of objects at this grade.
    pub fn looks_at_values(&self) -> bool {
        self.relation != Relation::Constant
            && matches!(self.grade, Dependency::Conditional | Dependency::Refined)
    }

    /// Whether `a`, an operation of an enabled step that fires in this value of the object, keeps `b`
    /// from being defined for as long as nothing that depends on `a` is done: the relation E.
    pub fn excludes(&self, object: ObjectId, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        if a.kind == OperationKind::ANY || b.kind == OperationKind::ANY {
            return false;
        }
        let object = &self.objects[object.index()];
        // An access that errs on the side of more need not be defined.
        object.exclusive(a, b) && object.apply(value, a, &mut Vec::new()).is_some()
    }

    /// Whether operations that are never enabled together are left out of [`Judge::interacts`].
    pub fn looks_at_exclusion(&self) -> bool {
        self.relation == Relation::Together && !self.looks_at_values()
    }

    /// Whether what is done by `b`, now or later, might interact with `a`: ▷ in the value of the
    /// object, if that is given, among these kinds of operations, else the constant dependency. The
    /// operations are of different processes.
    pub fn interacts(
        &self,
        object: ObjectId,
        a: &Operation,
        b: &Operation,
        value: Option<(&[i64], u64)>,
    ) -> bool {
        if a.kind == OperationKind::ANY || b.kind == OperationKind::ANY {
            return true;
        }
        let object = &self.objects[object.index()];
        let (mut a, mut b) = (*a, *b);
        if self.grade != Dependency::Refined {
            (a, b) = (object.unrefined(&a), object.unrefined(&b));
        }
        match (self.grade, value) {
            (Dependency::Object, _) => true,
            (Dependency::Conditional, Some((value, _))) => object.interacts(&a, &b, value),
            (Dependency::Refined, Some((value, kinds))) => object.interacts_among(&a, &b, value, kinds),
            _ => object.constant(&a, &b),
        }
    }

    /// What of the value of the object [`Judge::interacts`] looks at for these operations.
    pub fn glance(&self, object: ObjectId, a: &Operation, b: &Operation) -> Glance {
        if a.kind == OperationKind::ANY || b.kind == OperationKind::ANY {
            return Glance::Nothing;
        }
        let object = &self.objects[object.index()];
        match self.grade {
            Dependency::Object | Dependency::Constant => Glance::Nothing,
            Dependency::Conditional => object.glance(&object.unrefined(a), &object.unrefined(b)),
            Dependency::Refined => object.glance(a, b),
        }
    }

    fn conflict(&mut self, state: &[u8], a: &Footprint, b: &Footprint, x: &Access, y: &Access) -> bool {
        if x.operation.kind == OperationKind::ANY || y.operation.kind == OperationKind::ANY {
            return true;
        }
        let object = &self.objects[x.object.index()];
        let (mut first, mut second) = (x.operation, y.operation);
        if self.grade != Dependency::Refined {
            first = object.unrefined(&first);
            second = object.unrefined(&second);
        }
        match self.grade {
            Dependency::Object => true,
            _ if self.relation == Relation::Apart => !object.apart(&first, &second),
            Dependency::Constant => object.constant(&first, &second),
            Dependency::Conditional | Dependency::Refined => {
                if !fires_now(self.relations, a, x) || !fires_now(self.relations, b, y) {
                    return object.constant(&first, &second);
                }
                self.relations.value(state, x.object, &mut self.value);
                object.dependent(&first, &second, &self.value)
            }
        }
    }
}

/// Whether an operation of a footprint fires in the present value of its object: nothing in the same
/// step changes the object before.
pub fn fires_now(relations: &dyn Relations, footprint: &Footprint, access: &Access) -> bool {
    let changes = |other: &Access| changes(relations, other, access);
    let (ordered, rest) = footprint.accesses.split_at(footprint.ordered.min(footprint.accesses.len()));
    match ordered.iter().position(|other| std::ptr::eq(other, access)) {
        Some(position) => !ordered[..position].iter().any(changes),
        None => !ordered.iter().any(changes) && fires_alone(relations, rest, access),
    }
}

/// Whether an operation among those of a condition, in any order, fires in the present value of its object.
pub fn fires_alone(relations: &dyn Relations, accesses: &[Access], access: &Access) -> bool {
    !accesses.iter().any(|other| !std::ptr::eq(other, access) && changes(relations, other, access))
}

/// Whether an operation may change the object of another.
fn changes(relations: &dyn Relations, other: &Access, access: &Access) -> bool {
    other.object == access.object && writes(relations, other)
}

/// Whether an operation may change its object.
fn writes(relations: &dyn Relations, access: &Access) -> bool {
    let kind = access.operation.kind;
    kind == OperationKind::ANY || !relations.objects()[access.object.index()].reads(kind)
}

/// Which operations fire in the present values of their objects, found for all at once: the footprint of a region may have thousands.
#[derive(Debug, Default)]
pub struct Firing {
    /// By object: how many operations may have changed it.
    changed: Vec<u32>,
    now: Vec<bool>,
}

impl Firing {
    /// Those of a step, as [`fires_now`] has it.
    pub fn of_step(&mut self, relations: &dyn Relations, footprint: &Footprint) -> &[bool] {
        self.find(relations, footprint.accesses.split_at(footprint.ordered.min(footprint.accesses.len())))
    }

    /// Those of a condition, as [`fires_alone`] has it.
    pub fn of_condition(&mut self, relations: &dyn Relations, accesses: &[Access]) -> &[bool] {
        self.find(relations, (&[], accesses))
    }

    fn find(&mut self, relations: &dyn Relations, (ordered, rest): (&[Access], &[Access])) -> &[bool] {
        let Firing { changed, now } = self;
        changed.resize(relations.objects().len(), 0);
        now.clear();
        for access in ordered {
            let changed = &mut changed[access.object.index()];
            now.push(*changed == 0);
            *changed += u32::from(writes(relations, access));
        }
        for access in rest {
            changed[access.object.index()] += u32::from(writes(relations, access));
        }
        for access in rest {
            now.push(changed[access.object.index()] == u32::from(writes(relations, access)));
        }
        ordered.iter().chain(rest).for_each(|access| changed[access.object.index()] = 0);
        now
    }
}
