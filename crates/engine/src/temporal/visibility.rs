//! Which steps may change what a property sees (condition C2 of ample sets: invisibility).
//!
//! A step is *visible* if it may change the truth of an atom, wherever it is taken: some operation of its
//! footprint, that of an atomic region behind it included, is no mere look and depends, by the constant
//! relation, on what an atom looks at. The current value plays no part, because the step may be taken
//! later, in another state.

use mazurka_model::{Access, Atoms, Footprint, OperationKind, Relations, Step};

/// Tells visible steps from invisible ones.
pub struct Visibility<'s> {
    relations: &'s dyn Relations,
    looks: Vec<Access>,
    /// Some atom looks at more than objects.
    everything: bool,
    footprint: Footprint,
}

impl<'s> Visibility<'s> {
    /// Of the steps of a system, for these atoms.
    pub fn new(relations: &'s dyn Relations, atoms: &dyn Atoms) -> Visibility<'s> {
        let mut looks = Vec::new();
        let everything = !(0..atoms.count()).all(|atom| atoms.looks_at(atom, &mut looks));
        looks.sort_unstable();
        looks.dedup();
        Visibility { relations, looks, everything, footprint: Footprint::default() }
    }

    /// Whether every step is visible, so that nothing can be reduced.
    pub fn sees_everything(&self) -> bool {
        self.everything
    }

    /// Whether `step`, enabled in `state`, is visible.
    pub fn sees(&mut self, state: &[u8], step: Step) -> bool {
        if self.everything {
            return true;
        }
        if self.looks.is_empty() {
            return false;
        }
        self.relations.step(state, step, &mut self.footprint);
        self.footprint.everything || self.footprint.accesses.iter().any(|access| self.changes(access))
    }

    fn changes(&self, access: &Access) -> bool {
        let object = &self.relations.objects()[access.object.index()];
        let performed = &access.operation;
        if performed.kind != OperationKind::ANY && object.reads(performed.kind) {
            return false;
        }
        let first = self.looks.partition_point(|look| look.object < access.object);
        self.looks[first..].iter().take_while(|look| look.object == access.object).any(|look| {
            performed.kind == OperationKind::ANY
                || look.operation.kind == OperationKind::ANY
                || object.constant(performed, &look.operation)
        })
    }
}
