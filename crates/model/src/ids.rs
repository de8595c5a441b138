//! Typed indices: a process, an object, and the step that names one edge of the state graph.

use std::fmt;

/// A process slot: the position of a process among those alive in a state.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct ProcessId(pub u16);

impl ProcessId {
    /// The slot as an index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for ProcessId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A shared object of a system: a variable, a channel, a semaphore.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct ObjectId(pub u32);

impl ObjectId {
    /// The object as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One way in which a process can move, as a system names it.
///
/// A step keeps its identity while its process (and the partner of a handshake) stands still: two
/// states that differ only in other processes use the same `Step` for the same move. Sleep sets
/// and traces rely on it. A step may lead to several successors if an operation it performs is
/// nondeterministic.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Step {
    /// The process that moves; of a handshake, the one that offers.
    pub process: ProcessId,
    /// Which of its moves; the meaning is the system's own.
    pub code: u32,
}

impl Step {
    /// The step `code` of process `process`.
    pub fn new(process: u16, code: u32) -> Step {
        Step { process: ProcessId(process), code }
    }
}
