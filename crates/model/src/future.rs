//! What a process may do from where it stands, by the move with which it goes on.
//!
//! A process at a location has *alternatives*: the moves of that location, enabled or not. Whatever
//! it does later it does behind one of them. Reductions that look further than one step ask for
//! each alternative what it and everything behind it may do ([`Future`]), and of an alternative
//! that is not enabled, what it waits for ([`Obstacles`]). Fairness asks where a process may come to stand for good ([`Standpoint`]).

use crate::footprint::{Access, Footprint};

/// What one alternative of a process, and all that may follow it, may do to shared objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Future {
    /// The operations.
    pub accesses: Vec<Access>,
    /// Any operation on every object.
    pub everything: bool,
}

impl Future {
    /// Forgets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.accesses.clear();
        self.everything = false;
    }
}

/// A place where a process may come to stand, and what decides there whether it can move.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Standpoint {
    /// Operations that decide it, as whoever waits there performs them. What changes it depends on one of them by the constant
    /// relation, or is a step of one who may meet the process, or change what that one needs, at a rendezvous among them.
    pub accesses: Vec<Access>,
    /// It can always move there. Then the operations are those of its handshakes, which decide for others.
    pub free: bool,
}

/// Conditions that must all change before an alternative can be enabled while its process stands
/// still. Each is given by the operations that evaluate it; one without any can't change.
#[derive(Clone, Debug, Default)]
pub struct Obstacles {
    accesses: Vec<Access>,
    ends: Vec<(usize, bool)>,
    scratch: Footprint,
}

impl Obstacles {
    /// Forgets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.accesses.clear();
        self.ends.clear();
    }

    /// Adds an operation to the condition at hand.
    pub fn access(&mut self, access: Access) {
        self.accesses.push(access);
    }

    /// Adds the operations that `gather` puts into an empty footprint, and ends the condition: any step may change it
    /// if `everything`, or if the footprint says so.
    pub fn gather(&mut self, everything: bool, gather: impl FnOnce(&mut Footprint)) {
        self.scratch.clear();
        gather(&mut self.scratch);
        self.accesses.extend_from_slice(&self.scratch.accesses);
        self.end(everything || self.scratch.everything);
    }

    /// Ends the condition at hand; `everything`: any step on any object may change it.
    pub fn end(&mut self, everything: bool) {
        self.ends.push((self.accesses.len(), everything));
    }

    /// How many conditions there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The operations of a condition, and whether any step may change it.
    pub fn get(&self, index: usize) -> (&[Access], bool) {
        let start = if index == 0 { 0 } else { self.ends[index - 1].0 };
        let (end, everything) = self.ends[index];
        (&self.accesses[start..end], everything)
    }
}
