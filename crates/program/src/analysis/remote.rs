//! What processes, and stated properties, look at in others: variables and locations of a process type
//! that remote references name become objects. So do locations that are marked as progress, or as
//! accepting, where a property asks for that.
//!
//! There is one object for each variable that is looked at, and one for the location, of all instances
//! of a type together. A step that assigns the variable, or that leaves or reaches a location that is
//! looked at, writes it. Two steps of different processes write different instances, so only a look
//! depends on a write. That processes come and go is for the process table, which every look reads.

use super::uses::{Awaits, TransitionUses, Use, UseOperand};
use crate::ir::{
    Expression, LocalId, Location, LocationId, Program, PropertyKind, RemotePart, Transition, VariableRef,
};
use mazurka_model::object::variable::{READ, Variable, WRITE};
use mazurka_model::object::{Condition, KindInfo, ObjectType};
use mazurka_model::{ObjectId, Operation, OperationKind, object};
use std::collections::BTreeSet;

/// A variable, or the location, of all instances of a process type.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Watched;

fn conflict(a: &Operation, b: &Operation) -> bool {
    (a.kind == READ) != (b.kind == READ)
}

impl ObjectType for Watched {
    fn name(&self) -> &'static str {
        "watched"
    }

    fn summary(&self) -> &'static str {
        "What other processes look at in the instances of a process type."
    }

    fn kinds(&self) -> &'static [KindInfo] {
        Variable.kinds()
    }

    fn initial(&self) -> Vec<i64> {
        Vec::new()
    }

    fn apply(&self, value: &[i64], _operation: &Operation, next: &mut Vec<i64>) -> Option<i64> {
        next.clear();
        next.extend_from_slice(value);
        Some(0)
    }

    fn dependent(&self, a: &Operation, b: &Operation, _value: &[i64]) -> bool {
        conflict(a, b)
    }

    fn interacts(&self, a: &Operation, b: &Operation, _value: &[i64]) -> bool {
        conflict(a, b)
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        conflict(a, b)
    }

    fn reads(&self, kind: OperationKind) -> bool {
        kind == READ
    }

    fn domain(&self) -> object::Domain {
        Variable.domain()
    }

    fn conditions(&self) -> &'static [Condition] {
        &[]
    }
}

/// What of which process types is looked at, in the order of their objects.
#[derive(Debug, Default)]
pub struct WatchedParts {
    /// The number of the first object: those of variables, then those of locations.
    pub first: usize,
    locals: BTreeSet<(usize, LocalId)>,
    /// The types whose location is looked at.
    types: BTreeSet<usize>,
    locations: BTreeSet<(usize, LocationId)>,
}

impl WatchedParts {
    /// Goes through a program.
    pub fn new(program: &Program) -> WatchedParts {
        let found = std::cell::RefCell::new(WatchedParts::default());
        let look = |e: &Expression| {
            if let Expression::Remote { process, part, .. } = e {
                let mut found = found.borrow_mut();
                let kind = process.index();
                match **part {
                    RemotePart::At(location) => {
                        found.types.insert(kind);
                        found.locations.insert((kind, location));
                    }
                    RemotePart::Variable(id) | RemotePart::Element(id, _) => {
                        found.locals.insert((kind, id));
                    }
                }
            }
            false
        };
        program.asks(&look);
        let (mut progress, mut acceptance) = (false, false);
        for property in &program.properties {
            progress |= property.kind == PropertyKind::Progress;
            acceptance |= property.kind == PropertyKind::Acceptance;
            property.kind.for_each_condition(&mut |e| {
                e.any(&look);
                progress |= e.any(&|part| *part == Expression::NonProgress);
            });
        }
        let mut found = found.into_inner();
        for (kind, process) in program.types.iter().enumerate() {
            for (index, location) in process.locations.iter().enumerate() {
                if progress && location.progress || acceptance && location.accept {
                    found.types.insert(kind);
                    found.locations.insert((kind, LocationId(index as u32)));
                }
            }
        }
        found
    }

    /// The objects of the types that have a location of which `marked` says so, if all such locations are
    /// looked at.
    pub fn marked(&self, program: &Program, marked: impl Fn(&Location) -> bool) -> Option<Vec<ObjectId>> {
        let mut objects = Vec::new();
        for (kind, process) in program.types.iter().enumerate() {
            let mut here = process.locations.iter().enumerate().filter(|(_, l)| marked(l)).peekable();
            if here.peek().is_none() {
                continue;
            }
            if !here.all(|(index, _)| self.locations.contains(&(kind, LocationId(index as u32)))) {
                return None;
            }
            objects.push(ObjectId((self.first + self.location(kind)?) as u32));
        }
        Some(objects)
    }

    /// The object that a remote reference looks at.
    pub fn object(&self, kind: usize, part: &RemotePart) -> Option<ObjectId> {
        let position = match part {
            RemotePart::At(location) if !self.locations.contains(&(kind, *location)) => None,
            RemotePart::At(_) => self.location(kind),
            RemotePart::Variable(id) | RemotePart::Element(id, _) => self.local(kind, *id),
        };
        position.map(|position| ObjectId((self.first + position) as u32))
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.locals.len() + self.types.len()
    }

    /// The name of one of the objects.
    pub fn name(&self, program: &Program, object: ObjectId) -> String {
        let position = object.index().saturating_sub(self.first);
        let of = |kind: usize| &program.types[kind];
        if let Some(&(kind, local)) = self.locals.iter().nth(position) {
            return format!("{}:{}", of(kind).name, of(kind).locals[local.index()].name);
        }
        match self.types.iter().nth(position - self.locals.len()) {
            Some(&kind) => format!("the location of {}", of(kind).name),
            None => format!("object {}", object.0),
        }
    }

    fn used(&self, position: usize, kind: OperationKind) -> Use {
        let object = ObjectId((self.first + position) as u32);
        Use::Object { object, kind, operands: [UseOperand::Any; 2], reads: kind == READ, awaits: Awaits::No }
    }

    fn local(&self, kind: usize, id: LocalId) -> Option<usize> {
        self.locals.iter().position(|local| *local == (kind, id))
    }

    fn location(&self, kind: usize) -> Option<usize> {
        Some(self.locals.len() + self.types.iter().position(|known| *known == kind)?)
    }

    /// The use of who looks at a process of a type.
    pub fn read(&self, kind: usize, part: &RemotePart) -> Option<Use> {
        let position = match part {
            RemotePart::At(_) => self.location(kind),
            RemotePart::Variable(id) | RemotePart::Element(id, _) => self.local(kind, *id),
        };
        Some(self.used(position?, READ))
    }

    /// Adds what a transition of a type changes of what is looked at.
    pub fn written(&self, kind: usize, transition: &Transition, out: &mut TransitionUses) {
        let seen = |location| self.locations.contains(&(kind, location));
        if (seen(transition.from) || seen(transition.to))
            && let Some(position) = self.location(kind)
        {
            out.push(self.used(position, WRITE));
        }
        let mut assigned = BTreeSet::new();
        for effect in &transition.effects {
            effect.for_each_part(&mut |_| {}, &mut |target| {
                if let VariableRef::Local(id) = target.variable() {
                    assigned.extend(self.local(kind, id));
                }
            });
        }
        assigned.into_iter().for_each(|position| out.push(self.used(position, WRITE)));
    }
}
