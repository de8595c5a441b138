//! Which steps may change what a property sees (condition C2 of ample sets: invisibility).
//!
//! A step is *visible* if it may change the truth of an atom, wherever it is taken: some operation of its
//! footprint, that of an atomic region behind it included, is no mere look and depends, by the constant
//! relation, on what an atom looks at. The current value plays no part, because the step may be taken
//! later, in another state.

use mazurka_model::{Access, Atoms, Footprint, OperationKind, Relations, Step};

/// Looks at objects, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Looks(Vec<Access>);

impl Looks {
    /// These looks.
    pub fn new(mut looks: Vec<Access>) -> Looks {
        looks.sort_unstable();
        looks.dedup();
        Looks(looks)
    }

    /// Those of some atoms, given as bits; none if one of them looks at more than objects.
    pub fn of_atoms(atoms: &dyn Atoms, wanted: u64) -> Option<Looks> {
        let mut looks = Vec::new();
        let mut wanted = (0..atoms.count()).filter(|atom| wanted >> atom & 1 == 1);
        wanted.all(|atom| atoms.looks_at(atom, &mut looks)).then(|| Looks::new(looks))
    }

    /// The looks.
    pub fn accesses(&self) -> &[Access] {
        &self.0
    }

    /// Whether an operation may change what is seen by one of them.
    pub fn are_changed_by(&self, relations: &dyn Relations, access: &Access) -> bool {
        let object = &relations.objects()[access.object.index()];
        let performed = &access.operation;
        if performed.kind != OperationKind::ANY && object.reads(performed.kind) {
            return false;
        }
        let first = self.0.partition_point(|look| look.object < access.object);
        self.0[first..].iter().take_while(|look| look.object == access.object).any(|look| {
            performed.kind == OperationKind::ANY
                || look.operation.kind == OperationKind::ANY
                || object.constant(performed, &look.operation)
        })
    }
}

/// Tells visible steps from invisible ones.
pub struct Visibility<'s> {
    relations: &'s dyn Relations,
    /// None if some atom looks at more than objects.
    looks: Option<Looks>,
    footprint: Footprint,
}

impl<'s> Visibility<'s> {
    /// Of the steps of a system, for these atoms.
    pub fn new(relations: &'s dyn Relations, atoms: &dyn Atoms) -> Visibility<'s> {
        Visibility { relations, looks: Looks::of_atoms(atoms, u64::MAX), footprint: Footprint::default() }
    }

    /// Whether every step is visible, so that nothing can be reduced.
    pub fn sees_everything(&self) -> bool {
        self.looks.is_none()
    }

    /// Whether `step`, enabled in `state`, is visible.
    pub fn sees(&mut self, state: &[u8], step: Step) -> bool {
        let Some(looks) = &self.looks else { return true };
        if looks.accesses().is_empty() {
            return false;
        }
        self.relations.step(state, step, &mut self.footprint);
        let Footprint { accesses, everything, .. } = &self.footprint;
        *everything || accesses.iter().any(|access| looks.are_changed_by(self.relations, access))
    }
}
