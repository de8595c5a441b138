//! Loops that wait: what a thread has read since it last changed anything.
//!
//! `hint::spin_loop` and `thread::yield_now` say that a thread waits for others. If all it read since it
//! last changed anything or span is one object, and it is about to read that object again, then nothing but a change
//! of the object can get it out of the loop, unless it counts its rounds. Whether it does is found out once for each place in the source and
//! each [past](Past): the thread runs alone for [`ROUNDS`] rounds, in an execution that is then thrown away. If it does
//! the same in all of them, the read waits for a change from then on; if not, nothing is left out. A thread that comes to the same
//! place by another way, or having read something else, may count.

use super::object::Object;
use super::operation::{Access, Class, Operation};
use mazurka_model::ObjectId;
use std::collections::HashMap;
use std::panic::Location;

/// How often a loop must do the same for it to be one that waits.
pub(crate) const ROUNDS: u32 = 256;

/// What has happened before an event, as a number: the events of its thread with their outcomes, and those of others by which
/// anything can have come to it. What a thread does next is decided by that.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Past(u64);

impl Past {
    /// This past, and then something more.
    pub(crate) fn and(self, more: u64) -> Past {
        let product = u128::from(self.0 ^ 0x9e37_79b9_7f4a_7c15) * u128::from(more ^ 0xe703_7ed1_a0b4_28db);
        Past((product as u64 ^ (product >> 64) as u64).rotate_left(23) ^ self.0)
    }

    /// This past and another.
    pub(crate) fn joined(self, other: Past) -> Past {
        self.and(other.0)
    }
}

/// What was read.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Reads {
    /// Nothing.
    #[default]
    Nothing,
    /// One object, and the length of its history after the first time.
    One(ObjectId, u32),
    /// More than that.
    Many,
}

impl Reads {
    pub(crate) fn clear(&mut self) {
        *self = Reads::Nothing;
    }

    /// Takes note of an event, after it was entered into the history of its object.
    pub(crate) fn note(&mut self, operation: &Operation, access: &Access, object: Option<&Object>) {
        *self = match (*self, access.class, object) {
            (Reads::Nothing, Class::Read, Some(object)) => {
                Reads::One(operation.object, object.events.len() as u32)
            }
            (Reads::One(id, since), Class::Read, _) if id == operation.object => Reads::One(id, since),
            (_, Class::Read, _) => Reads::Many,
            _ => Reads::Nothing,
        };
    }
}

/// What is known of a place in the source that spins.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Loop {
    /// It waits for a change of what it reads.
    Waits,
    /// It counts.
    Counts,
}

/// A thread that runs alone.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Trial {
    pub(crate) thread: u32,
    pub(crate) place: &'static Location<'static>,
    pub(crate) past: Past,
    pub(crate) object: ObjectId,
    pub(crate) rounds: u32,
}

/// All that is known of loops.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loops {
    known: HashMap<(&'static Location<'static>, Past), Loop>,
    pub(crate) trial: Option<Trial>,
}

impl Loops {
    pub(crate) fn known(&self, place: &'static Location<'static>, past: Past) -> Option<Loop> {
        self.known.get(&(place, past)).copied()
    }

    /// Ends a trial.
    pub(crate) fn learn(&mut self, what: Loop) {
        if let Some(trial) = self.trial.take() {
            self.known.insert((trial.place, trial.past), what);
        }
    }
}
