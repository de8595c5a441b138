//! What a model may tell about the operations behind its actions, which turns the reductions on.
//!
//! A partial-order reduction needs to know which actions of different processes commute (Godefroid and
//! Pirottin 1993; Overman 1992). A model says so by naming its **shared objects**, each of a type of the
//! [object library](mazurka_model::object), and for each action the **operations** it performs on them.
//! Everything else in the state must belong to one process alone.
//!
//! These are promises. An operation too many costs reduction; **an operation too few, or a shared part
//! of the state that is no object, makes a reduction lose errors, and no search notices it.** When in doubt,
//! name one operation more, or set [`Footprint::everything`] (any operation on every object; what is no object
//! it doesn't cover, and the process must list all objects in [`Footprints::touches`]); and have
//! [`verify`](crate::verify) compare the footprints of a small instance with what its actions do.

use mazurka_model::object::ObjectType;
use mazurka_model::{Footprint, ObjectId, ProcessId};

/// The footprints of a model's actions.
///
/// Implement it for the model (or for a part of it) and return it from
/// [`Model::footprints`](crate::Model::footprints).
pub trait Footprints: Sync {
    /// The model's [`State`](crate::Model::State).
    type State;

    /// The model's [`Action`](crate::Model::Action).
    type Action;

    /// How many processes there are. All states have the same ones.
    fn processes(&self) -> usize;

    /// The shared objects; an [`ObjectId`] indexes them. Asked once.
    fn objects(&self) -> Vec<Box<dyn ObjectType>>;

    /// The value of an object in `state`, in the form of its type; `out` is empty.
    fn value(&self, state: &Self::State, object: ObjectId, out: &mut Vec<i64>);

    /// A number for an action that tells apart the actions of one process and stays the same while
    /// only other processes move.
    fn code(&self, action: &Self::Action) -> u32;

    /// The operations that `action` performs when it happens in `state`, **those of its guard
    /// included**. The process of the action is entered already; a handshake adds its partner.
    ///
    /// Also asked of actions that are not possible now, as listed by [`Footprints::moves`]: then all
    /// operations that it would perform, and those that keep it from happening.
    fn footprint(&self, state: &Self::State, action: &Self::Action, out: &mut Footprint);

    /// Appends every action that `process` has where it stands, **possible now or not**: everything it
    /// might do next if only the other processes moved.
    fn moves(&self, state: &Self::State, process: ProcessId, out: &mut Vec<Self::Action>);

    /// The objects that any action of `process` touches, anywhere. By default all objects, which is
    /// always right and never reduces; Overman's method lives from a better answer.
    fn touches(&self, _process: ProcessId, objects: &mut ObjectSet) {
        objects.insert_all();
    }

    /// The objects that `process` may still touch from where it stands in `state`. By default those of
    /// [`Footprints::touches`].
    fn still_touches(&self, _state: &Self::State, process: ProcessId, objects: &mut ObjectSet) {
        self.touches(process, objects);
    }
}

/// A set of the shared objects of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectSet {
    words: Vec<u64>,
    objects: usize,
}

impl ObjectSet {
    /// The empty set over a model with this many objects. `words` is its memory, used again.
    pub(crate) fn over(objects: usize, mut words: Vec<u64>) -> ObjectSet {
        words.clear();
        words.resize(objects.div_ceil(64), 0);
        ObjectSet { words, objects }
    }

    /// The bits, 64 a word.
    pub(crate) fn into_words(self) -> Vec<u64> {
        self.words
    }

    /// Adds an object. Objects that the model doesn't have are ignored.
    pub fn insert(&mut self, object: ObjectId) {
        if object.index() < self.objects {
            self.words[object.index() / 64] |= 1 << (object.index() % 64);
        }
    }

    /// Adds every object.
    pub fn insert_all(&mut self) {
        for object in 0..self.objects {
            self.words[object / 64] |= 1 << (object % 64);
        }
    }

    /// Whether the object is in the set.
    pub fn contains(&self, object: ObjectId) -> bool {
        object.index() < self.objects && self.words[object.index() / 64] >> (object.index() % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_where_the_engine_expects_them() {
        let mut set = ObjectSet::over(70, vec![u64::MAX; 9]);
        set.insert(ObjectId(1));
        set.insert(ObjectId(69));
        set.insert(ObjectId(70));
        assert!(set.contains(ObjectId(69)) && !set.contains(ObjectId(70)) && !set.contains(ObjectId(0)));
        assert_eq!(set.into_words(), [2, 1 << 5]);
    }

    #[test]
    fn all_are_exactly_all() {
        let mut set = ObjectSet::over(65, Vec::new());
        set.insert_all();
        assert_eq!(set.into_words(), [u64::MAX, 1]);
    }
}
