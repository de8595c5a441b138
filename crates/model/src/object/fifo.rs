//! A bounded first-in first-out channel (Godefroid and Pirottin 1993, Examples 4 and 5).

use super::{Condition, Domain, KindInfo, ObjectType};
use crate::operation::{Operation, OperationKind};

/// A channel that delivers its messages in the order in which they were sent. Its value is the list of messages.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Fifo {
    /// How many messages it holds at most.
    pub capacity: usize,
}

/// Appends `m`; defined unless the channel is full.
pub const SEND: OperationKind = OperationKind(0);
/// Removes and returns the first message; defined unless the channel is empty.
pub const RECEIVE: OperationKind = OperationKind(1);
/// Returns the number of messages.
pub const LENGTH: OperationKind = OperationKind(2);
/// Returns whether there is no message.
pub const EMPTY: OperationKind = OperationKind(3);
/// Returns whether no message fits.
pub const FULL: OperationKind = OperationKind(4);
/// Returns the first message; defined unless the channel is empty.
pub const HEAD: OperationKind = OperationKind(5);
/// Returns whether the first message is `m`; always defined.
pub const HEAD_IS: OperationKind = OperationKind(6);
/// Removes the first message; defined if that is `m`.
pub const RECEIVE_IS: OperationKind = OperationKind(7);

const KINDS: &[KindInfo] = &[
    KindInfo { name: "Send", inputs: &["m"] },
    KindInfo { name: "Receive", inputs: &[] },
    KindInfo { name: "Length", inputs: &[] },
    KindInfo { name: "Empty", inputs: &[] },
    KindInfo { name: "Full", inputs: &[] },
    KindInfo { name: "Head", inputs: &[] },
    KindInfo { name: "HeadIs", inputs: &["m"] },
    KindInfo { name: "ReceiveIs", inputs: &["m"] },
];

impl ObjectType for Fifo {
    fn name(&self) -> &'static str {
        "fifo"
    }

    fn summary(&self) -> &'static str {
        "A bounded channel, first in first out."
    }

    fn kinds(&self) -> &'static [KindInfo] {
        KINDS
    }

    fn initial(&self) -> Vec<i64> {
        Vec::new()
    }

    fn apply(&self, value: &[i64], operation: &Operation, next: &mut Vec<i64>) -> Option<i64> {
        next.clear();
        next.extend_from_slice(value);
        let input = operation.operands[0];
        Some(match operation.kind {
            SEND if value.len() < self.capacity => {
                next.push(input.known()?);
                0
            }
            RECEIVE if !value.is_empty() => next.remove(0),
            RECEIVE_IS if value.first() == Some(&input.known()?) => {
                next.remove(0);
                0
            }
            LENGTH => value.len() as i64,
            EMPTY => i64::from(value.is_empty()),
            FULL => i64::from(value.len() >= self.capacity),
            HEAD => *value.first()?,
            HEAD_IS => i64::from(value.first() == Some(&input.known()?)),
            _ => return None,
        })
    }

    fn dependent(&self, a: &Operation, b: &Operation, _value: &[i64]) -> bool {
        self.constant(a, b)
    }

    fn interacts(&self, a: &Operation, b: &Operation, _value: &[i64]) -> bool {
        self.constant(a, b)
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        const READS: &[OperationKind] = &[LENGTH, EMPTY, FULL, HEAD, HEAD_IS];
        !(READS.contains(&a.kind) && READS.contains(&b.kind))
    }

    fn domain(&self) -> Domain {
        Domain { compared: Vec::new(), operations: Vec::new(), within: |_| true }
    }

    fn conditions(&self) -> &'static [Condition] {
        &[]
    }
}
