//! A queue that must not overflow: a send while it is full is an error, and the sender learns of it.
//!
//! The queues of virtual finite state machines (Godefroid, Peled and Staskauskas 1996, section III) are large
//! enough, or the design is wrong. `Send` is always defined, and tells whether there was room. So a receive has to
//! look for sends wherever the queue may fill up behind its back, and an overflow is not lost: in that it is
//! an [`Overflowing`] channel. All else is as in a [`Fifo`], whose operations and numbers these are.

use super::fifo::{self, Fifo};
use super::overflowing::Overflowing;
use super::{Condition, Domain, KindInfo, ObjectType};
use crate::operation::{Operation, OperationKind};

/// A first-in first-out queue in which a send tells whether there was room.
///
/// Its value is the list of messages. The operation kinds are those of [`fifo`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Bounded {
    /// How many messages it holds at most.
    pub capacity: usize,
}

impl Bounded {
    fn fifo(&self) -> Fifo {
        Fifo { capacity: self.capacity }
    }

    fn overflowing(&self) -> Overflowing {
        Overflowing { capacity: self.capacity }
    }
}

impl ObjectType for Bounded {
    fn name(&self) -> &'static str {
        "bounded"
    }

    fn summary(&self) -> &'static str {
        "A bounded queue in which a send while it is full is an error."
    }

    fn kinds(&self) -> &'static [KindInfo] {
        fifo::KINDS
    }

    fn initial(&self) -> Vec<i64> {
        Vec::new()
    }

    fn apply(&self, value: &[i64], operation: &Operation, next: &mut Vec<i64>) -> Option<i64> {
        let lost = operation.kind == fifo::SEND && value.len() >= self.capacity;
        let output = self.overflowing().apply(value, operation, next)?;
        Some(if lost { 1 } else { output })
    }

    // Where the queue is full a receive decides whether a send fits, as it decides in a fifo whether it waits.
    // Where there is one place left, which of two sends fits depends on their order, as there.
    fn dependent(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        self.fifo().dependent(a, b, value)
    }

    fn interacts(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        self.interacts_among(a, b, value, u64::MAX)
    }

    fn interacts_among(&self, a: &Operation, b: &Operation, value: &[i64], kinds: u64) -> bool {
        self.overflowing().interacts_among(a, b, value, kinds)
    }

    fn exclusive(&self, a: &Operation, b: &Operation) -> bool {
        self.overflowing().exclusive(a, b)
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        self.fifo().constant(a, b)
    }

    fn unrefined(&self, operation: &Operation) -> Operation {
        self.fifo().unrefined(operation)
    }

    fn identifies(&self, kind: OperationKind, input: usize) -> bool {
        self.fifo().identifies(kind, input)
    }

    fn shape(&self, value: &[i64]) -> Vec<i64> {
        self.fifo().shape(value)
    }

    fn reads(&self, kind: OperationKind) -> bool {
        self.fifo().reads(kind)
    }

    fn domain(&self) -> Domain {
        self.fifo().domain()
    }

    fn parameter(&self) -> i64 {
        self.capacity as i64
    }

    fn conditions(&self) -> &'static [Condition] {
        fifo::CONDITIONS
    }
}
