//! A channel that overflows: a message sent while it is full is lost, and the sender goes on.
//!
//! `Send` is always defined, and without effect in a full channel. It depends there only on what makes
//! room, and a receive has to look for sends wherever the channel may fill up behind its back. All
//! else is as in a [`Fifo`], whose operations and numbers these are.

use super::fifo::{self, Fifo};
use super::{Condition, Domain, KindInfo, ObjectType};
use crate::operation::{Operand, Operation, OperationKind};

/// A first-in first-out channel in which a send never waits.
///
/// Its value is the list of messages. The operation kinds are those of [`fifo`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Overflowing {
    /// How many messages it holds at most.
    pub capacity: usize,
}

impl Overflowing {
    fn fifo(&self) -> Fifo {
        Fifo { capacity: self.capacity }
    }
}

impl ObjectType for Overflowing {
    fn name(&self) -> &'static str {
        "overflowing"
    }

    fn summary(&self) -> &'static str {
        "A bounded channel that loses what is sent while it is full."
    }

    fn kinds(&self) -> &'static [KindInfo] {
        fifo::KINDS
    }

    fn initial(&self) -> Vec<i64> {
        Vec::new()
    }

    fn apply(&self, value: &[i64], operation: &Operation, next: &mut Vec<i64>) -> Option<i64> {
        if operation.kind == fifo::SEND && value.len() >= self.capacity {
            next.clear();
            next.extend_from_slice(value);
            return Some(0);
        }
        self.fifo().apply(value, operation, next)
    }

    // A full reliable channel makes a sender wait until a receive makes room; this one loses the
    // message unless a receive comes first. Either way the two depend, and nothing else does.
    fn dependent(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        match (a.kind, b.kind) {
            // Of two equal messages for the last place it does not matter which is lost.
            (fifo::SEND, fifo::SEND) => {
                value.len() < self.capacity && a.operands[0].may_differ(b.operands[0])
            }
            _ => self.fifo().dependent(a, b, value),
        }
    }

    fn interacts(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        self.interacts_among(a, b, value, u64::MAX)
    }

    fn interacts_among(&self, a: &Operation, b: &Operation, value: &[i64], kinds: u64) -> bool {
        // Other sends, which a receive does not mind, may fill the channel; then the next one is
        // defined and depends on the receive.
        let overflows = match a.kind {
            fifo::RECEIVE => !value.is_empty(),
            fifo::RECEIVE_IS => value.first().is_some_and(|head| a.operands[0].may_equal(Operand::Is(*head))),
            _ => false,
        };
        overflows && b.kind == fifo::SEND || self.fifo().interacts_among(a, b, value, kinds)
    }

    fn exclusive(&self, a: &Operation, b: &Operation) -> bool {
        a.kind != fifo::SEND && b.kind != fifo::SEND && self.fifo().exclusive(a, b)
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        match (a.kind, b.kind) {
            (fifo::SEND, fifo::SEND) => a.operands[0].may_differ(b.operands[0]),
            _ => self.fifo().constant(a, b),
        }
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
