//! A channel that keeps its messages sorted (Promela's `!!`).
//!
//! Inserts commute while there is room for both, whatever they insert: the sorted list is the same. An
//! insert is seen by a receive only if the new message is less than the first one. "Might
//! interact" looks at the number of messages only; there `Insert` and `Receive` are always dependent.

use super::{Condition, Domain, KindInfo, ObjectType, domain};
use crate::operation::{Operand, Operation, OperationKind};

/// A channel that keeps its messages in ascending order.
///
/// Its value is the list of messages.
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

    fn dependent(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        let (a, b) = if a.kind <= b.kind { (a, b) } else { (b, a) };
        let n = value.len();
        let room = n < self.capacity;
        let last_place = n + 1 == self.capacity;
        match (a.kind, b.kind) {
            (INSERT, INSERT | FULL) => last_place,
            (INSERT, RECEIVE) => match value.first() {
                None => room,
                Some(&head) => !room || below(a.operands[0], head),
            },
            (INSERT, LENGTH) => room,
            (INSERT, EMPTY) => room && n == 0,
            (RECEIVE, RECEIVE) => value.first() != value.get(1),
            (RECEIVE, LENGTH) => n > 0,
            (RECEIVE, EMPTY) => n == 1,
            (RECEIVE, FULL) => n > 0 && !room,
            _ => false,
        }
    }

    fn interacts(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        let n = value.len();
        let room = n < self.capacity;
        match (a.kind, b.kind) {
            // Other inserts may leave one place.
            (INSERT, INSERT | LENGTH | FULL) | (RECEIVE | LENGTH | FULL, INSERT) => room,
            // Another insert, independent of this one unless it takes the last place, brings a message.
            (INSERT, RECEIVE) => n > 0 || self.capacity > 1,
            (LENGTH | EMPTY, RECEIVE) | (RECEIVE, RECEIVE | LENGTH) => n > 0,
            (INSERT, EMPTY) | (EMPTY, INSERT) => room && n == 0,
            (RECEIVE, EMPTY) => n == 1,
            (RECEIVE, FULL) | (FULL, RECEIVE) => n > 0 && !room,
            _ => false,
        }
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        matches!(a.kind, INSERT | RECEIVE) || matches!(b.kind, INSERT | RECEIVE)
    }

    fn unrefined(&self, operation: &Operation) -> Operation {
        let kind = match operation.kind {
            EMPTY | FULL => LENGTH,
            kind => kind,
        };
        Operation::new(operation.process, kind)
    }

    fn identifies(&self, _kind: OperationKind, _input: usize) -> bool {
        false
    }

    fn shape(&self, value: &[i64]) -> Vec<i64> {
        vec![value.len() as i64]
    }

    fn domain(&self) -> Domain {
        let messages: &[i64] = &[1, 2, 3];
        let mut compared = domain::sequences(messages, self.capacity);
        compared.retain(|value| value.is_sorted());
        Domain {
            compared,
            operations: domain::operations(&[
                (INSERT, messages, &[]),
                (RECEIVE, &[], &[]),
                (LENGTH, &[], &[]),
                (EMPTY, &[], &[]),
                (FULL, &[], &[]),
            ]),
            within: |_| true,
        }
    }

    fn parameter(&self) -> i64 {
        self.capacity as i64
    }

    fn conditions(&self) -> &'static [Condition] {
        super::fifo::CONDITIONS
    }
}

/// Whether the input may be less than `bound`.
fn below(input: Operand, bound: i64) -> bool {
    input.known().is_none_or(|m| m < bound)
}
