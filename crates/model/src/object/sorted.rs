//! A channel that keeps its messages sorted (Promela's `!!`).

use super::{Condition, Domain, KindInfo, ObjectType};
use crate::operation::{Operation, OperationKind};

/// A channel that keeps its messages in ascending order. Its value is the list of messages.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Sorted {
    /// How many messages it holds at most.
    pub capacity: usize,
}

/// Inserts `m` after the messages that are not greater; defined unless the channel is full.
pub const INSERT: OperationKind = OperationKind(0);
/// Removes and returns the least message; defined unless the channel is empty.
pub const RECEIVE: OperationKind = OperationKind(1);
/// Returns the number of messages.
pub const LENGTH: OperationKind = OperationKind(2);
/// Returns whether there is no message.
pub const EMPTY: OperationKind = OperationKind(3);
/// Returns whether no message fits.
pub const FULL: OperationKind = OperationKind(4);

const KINDS: &[KindInfo] = &[
    KindInfo { name: "Insert", inputs: &["m"] },
    KindInfo { name: "Receive", inputs: &[] },
    KindInfo { name: "Length", inputs: &[] },
    KindInfo { name: "Empty", inputs: &[] },
    KindInfo { name: "Full", inputs: &[] },
];

impl ObjectType for Sorted {
    fn name(&self) -> &'static str {
        "sorted"
    }

    fn summary(&self) -> &'static str {
        "A bounded channel that keeps its messages sorted."
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
            INSERT if value.len() < self.capacity => {
                let m = operation.operands[0].known()?;
                next.insert(value.partition_point(|&v| v <= m), m);
                0
            }
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
