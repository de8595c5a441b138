//! A counting semaphore.

use super::{Condition, Domain, KindInfo, ObjectType};
use crate::operation::{Operation, OperationKind};

/// A counting semaphore. Its value is one word, the count.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Semaphore {
    /// The count of a fresh semaphore.
    pub initial: i64,
}

/// Takes one from the count; defined if it is positive.
pub const WAIT: OperationKind = OperationKind(0);
/// Adds one to the count.
pub const SIGNAL: OperationKind = OperationKind(1);
/// Returns the count.
pub const VALUE: OperationKind = OperationKind(2);
/// Returns whether the count is 0.
pub const ZERO: OperationKind = OperationKind(3);

const KINDS: &[KindInfo] = &[
    KindInfo { name: "Wait", inputs: &[] },
    KindInfo { name: "Signal", inputs: &[] },
    KindInfo { name: "Value", inputs: &[] },
    KindInfo { name: "Zero", inputs: &[] },
];

impl ObjectType for Semaphore {
    fn name(&self) -> &'static str {
        "semaphore"
    }

    fn summary(&self) -> &'static str {
        "A counting semaphore."
    }

    fn kinds(&self) -> &'static [KindInfo] {
        KINDS
    }

    fn initial(&self) -> Vec<i64> {
        vec![self.initial]
    }

    fn apply(&self, value: &[i64], operation: &Operation, next: &mut Vec<i64>) -> Option<i64> {
        next.clear();
        let v = *value.first()?;
        let (left, output) = match operation.kind {
            WAIT if v > 0 => (v - 1, 0),
            SIGNAL => (v.checked_add(1)?, 0),
            VALUE => (v, v),
            ZERO => (v, i64::from(v == 0)),
            _ => return None,
        };
        next.push(left);
        Some(output)
    }

    fn dependent(&self, a: &Operation, b: &Operation, _value: &[i64]) -> bool {
        self.constant(a, b)
    }

    fn interacts(&self, a: &Operation, b: &Operation, _value: &[i64]) -> bool {
        self.constant(a, b)
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        const READS: &[OperationKind] = &[VALUE, ZERO];
        !(READS.contains(&a.kind) && READS.contains(&b.kind))
    }

    fn domain(&self) -> Domain {
        Domain { compared: Vec::new(), operations: Vec::new(), within: |_| true }
    }

    fn conditions(&self) -> &'static [Condition] {
        &[]
    }
}
