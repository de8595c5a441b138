//! A barrier: threads arrive, and go on when enough have.

use crate::runtime::control::Handle;
use crate::runtime::object::Shape;
use crate::runtime::operation::Kind;

/// A barrier with the interface of [`std::sync::Barrier`]. The last thread to arrive leads.
#[derive(Debug)]
pub struct Barrier {
    handle: Handle,
    count: u64,
}

/// What a thread learns at a barrier.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct BarrierWaitResult(bool);

impl BarrierWaitResult {
    /// Whether this thread is the one that leads.
    pub fn is_leader(&self) -> bool {
        self.0
    }
}

impl Barrier {
    pub(crate) fn handle(&self) -> Handle {
        self.handle
    }

    /// A barrier for so many threads.
    #[track_caller]
    pub fn new(count: usize) -> Barrier {
        Barrier { handle: Handle::new(Shape::Barrier, 0), count: count.max(1) as u64 }
    }

    /// Waits until enough threads have arrived.
    #[track_caller]
    pub fn wait(&self) -> BarrierWaitResult {
        let outcome = self.handle.perform(Kind::Arrive, self.count, 0);
        let leads = outcome & 1 == 1;
        if !leads {
            self.handle.perform(Kind::Pass, outcome >> 1, 0);
        }
        BarrierWaitResult(leads)
    }
}
