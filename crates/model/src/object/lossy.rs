//! A lossy channel: the medium may lose a message as it is sent.

use super::{Condition, Domain, KindInfo, ObjectType};
use crate::operation::{Operation, OperationKind};

/// A first-in first-out channel whose medium may lose a message as it is sent. Its value is the list of messages.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Lossy {
    /// How many messages it holds at most.
    pub capacity: usize,
}

/// Appends `m`; defined unless the channel is full.
pub const SEND: OperationKind = OperationKind(0);
/// The medium loses `m` as it is sent: always defined, without effect.
pub const LOSE: OperationKind = OperationKind(1);
/// Removes and returns the first message; defined unless the channel is empty.
pub const RECEIVE: OperationKind = OperationKind(2);
/// Returns the number of messages.
pub const LENGTH: OperationKind = OperationKind(3);
/// Returns whether there is no message.
pub const EMPTY: OperationKind = OperationKind(4);
/// Returns whether no message fits.
pub const FULL: OperationKind = OperationKind(5);

const KINDS: &[KindInfo] = &[
    KindInfo { name: "Send", inputs: &["m"] },
    KindInfo { name: "Lose", inputs: &["m"] },
    KindInfo { name: "Receive", inputs: &[] },
    KindInfo { name: "Length", inputs: &[] },
    KindInfo { name: "Empty", inputs: &[] },
    KindInfo { name: "Full", inputs: &[] },
];

impl ObjectType for Lossy {
    fn name(&self) -> &'static str {
        "lossy"
    }

    fn summary(&self) -> &'static str {
        "A bounded channel whose medium may lose messages."
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
        Some(match operation.kind {
            SEND if value.len() < self.capacity => {
                next.push(operation.operands[0].known()?);
                0
            }
            LOSE => 0,
            RECEIVE if !value.is_empty() => next.remove(0),
            LENGTH => value.len() as i64,
            EMPTY => i64::from(value.is_empty()),
            FULL => i64::from(value.len() >= self.capacity),
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
        const READS: &[OperationKind] = &[LENGTH, EMPTY, FULL];
        !(READS.contains(&a.kind) && READS.contains(&b.kind))
    }

    fn domain(&self) -> Domain {
        Domain { compared: Vec::new(), operations: Vec::new(), within: |_| true }
    }

    fn conditions(&self) -> &'static [Condition] {
        &[]
    }
}
