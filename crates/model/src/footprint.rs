//! What a step, or a process, does to shared objects: the input of every partial-order reduction.

use crate::ids::{ObjectId, ProcessId};
use crate::operation::Operation;

/// One operation on one object.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Access {
    /// The object.
    pub object: ObjectId,
    /// The operation performed on it.
    pub operation: Operation,
}

/// The processes that a step moves and the operations it performs on shared objects.
///
/// A step that uses one object more than once (an atomic region) lists all its operations on it.
/// Behind one that may change the object the constant dependency is used, because the value in which
/// the later operations fire is not the current one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// The processes that move; two for a handshake.
    pub processes: Vec<ProcessId>,
    /// The operations, guards included.
    pub accesses: Vec<Access>,
    /// So many of them, from the first, are performed in this order before all others; the others in
    /// any order.
    pub ordered: usize,
    /// The step may perform any operation on every object: it depends on every step that touches
    /// one. It does not see what belongs to another process alone, so a local step is independent
    /// of it; what two processes see must be an object.
    pub everything: bool,
}

impl Footprint {
    /// Forgets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.processes.clear();
        self.accesses.clear();
        self.ordered = 0;
        self.everything = false;
    }

    /// Adds an operation on an object.
    pub fn access(&mut self, object: ObjectId, operation: Operation) {
        self.accesses.push(Access { object, operation });
    }

    /// Whether nothing shared is touched: the step concerns its own process only.
    pub fn is_local(&self) -> bool {
        !self.everything && self.accesses.is_empty()
    }
}
