//! A counting semaphore.
//!
//! Waits compete only for the last unit, and signals commute with everything but a wait at zero and
//! the tests. A wait interacts with other waits and with `Zero` as long as the count is positive: waits of
//! other processes, independent of it until then, may bring the count to 1.

use super::{Condition, Domain, KindInfo, ObjectType, domain};
use crate::operation::{Operation, OperationKind};

/// A counting semaphore. Its value is one word, the count.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Semaphore {
    /// The count of a fresh semaphore, not negative.
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
            SIGNAL => (v.wrapping_add(1), 0),
            VALUE => (v, v),
            ZERO => (v, i64::from(v == 0)),
            _ => return None,
        };
        next.push(left);
        Some(output)
    }

    fn dependent(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        let (a, b) = if a.kind <= b.kind { (a, b) } else { (b, a) };
        let count = value[0];
        match (a.kind, b.kind) {
            (WAIT, WAIT | ZERO) => count == 1,
            (WAIT, SIGNAL) => count == 0,
            (WAIT, VALUE) => count > 0,
            (SIGNAL, VALUE) => true,
            (SIGNAL, ZERO) => count == 0,
            _ => false,
        }
    }

    fn interacts(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        let count = value[0];
        match (a.kind, b.kind) {
            // Other waits may bring the count to 1.
            (WAIT, WAIT | VALUE | ZERO) => count > 0,
            (WAIT | ZERO, SIGNAL) => count == 0,
            (SIGNAL, VALUE | ZERO) | (VALUE, SIGNAL) => true,
            (VALUE | ZERO, WAIT) => count > 0,
            _ => false,
        }
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        let reads = |operation: &Operation| matches!(operation.kind, VALUE | ZERO);
        !(reads(a) && reads(b) || a.kind == SIGNAL && b.kind == SIGNAL)
    }

    fn unrefined(&self, operation: &Operation) -> Operation {
        let kind = if operation.kind == ZERO { VALUE } else { operation.kind };
        Operation::new(operation.process, kind)
    }

    fn domain(&self) -> Domain {
        Domain {
            compared: (0..=3).map(|count| vec![count]).collect(),
            operations: domain::operations(&[
                (WAIT, &[], &[]),
                (SIGNAL, &[], &[]),
                (VALUE, &[], &[]),
                (ZERO, &[], &[]),
            ]),
            within: |value| value[0] <= 8,
        }
    }

    fn conditions(&self) -> &'static [Condition] {
        &[
            Condition { text: "n = 0", holds: |_, value| value[0] == 0 },
            Condition { text: "n > 0", holds: |_, value| value[0] > 0 },
            Condition { text: "n = 1", holds: |_, value| value[0] == 1 },
        ]
    }
}
