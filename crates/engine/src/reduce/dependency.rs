//! When two steps of a state depend on each other, judged by the objects they use.
//!
//! Godefroid and Pirottin 1993, Definition 3 with the conditional relation of Definition 5. Steps that
//! move a common process depend on each other. Otherwise they are independent if on every object
//! that both use their operations are. Where a step uses an object more than once the current value
//! is not the one in which its later operations fire, so there the constant relation decides. A step
//! that may do anything to every object depends on all steps but the local ones.

use crate::config::Dependency;
use mazurka_model::{Access, Footprint, ObjectId, Relations};

/// Judges dependency at one grade, with its own scratch memory.
pub struct Judge<'s> {
    relations: &'s dyn Relations,
    grade: Dependency,
    value: Vec<i64>,
}

impl<'s> Judge<'s> {
    /// A judge over the objects of a system.
    pub fn new(relations: &'s dyn Relations, grade: Dependency) -> Judge<'s> {
        Judge { relations, grade, value: Vec::new() }
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

    fn conflict(&mut self, state: &[u8], a: &Footprint, b: &Footprint, x: &Access, y: &Access) -> bool {
        let object = &self.relations.objects()[x.object.index()];
        let (mut first, mut second) = (x.operation, y.operation);
        if self.grade != Dependency::Refined {
            first = object.unrefined(&first);
            second = object.unrefined(&second);
        }
        match self.grade {
            Dependency::Object => true,
            Dependency::Constant => object.constant(&first, &second),
            Dependency::Conditional | Dependency::Refined => {
                if uses(a, x.object) > 1 || uses(b, x.object) > 1 {
                    return object.constant(&first, &second);
                }
                self.relations.value(state, x.object, &mut self.value);
                object.dependent(&first, &second, &self.value)
            }
        }
    }
}

fn uses(footprint: &Footprint, object: ObjectId) -> usize {
    footprint.accesses.iter().filter(|a| a.object == object).count()
}
