//! A lossy channel: the medium may lose a message as it is sent.
//!
//! A send that may lose its message is a choice between two operations, `Send` and `Lose`; a step that
//! leaves the choice open performs both. `Lose` is always defined and changes nothing, so it depends
//! on nothing. The others are as in a [`Fifo`].

use super::fifo::{self, Fifo};
use super::{Condition, Domain, KindInfo, ObjectType, domain};
use crate::operation::{Operation, OperationKind};

/// A first-in first-out channel whose medium may lose a message as it is sent.
///
/// Its value is the list of messages.
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

    fn dependent(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        match (reliable(a), reliable(b)) {
            (Some(a), Some(b)) => self.fifo().dependent(&a, &b, value),
            _ => false,
        }
    }

    fn interacts(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        match (reliable(a), reliable(b)) {
            (Some(a), Some(b)) => self.fifo().interacts(&a, &b, value),
            _ => false,
        }
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        match (reliable(a), reliable(b)) {
            (Some(a), Some(b)) => self.fifo().constant(&a, &b),
            _ => false,
        }
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
        let messages: &[i64] = if self.capacity < 3 { &[1, 2, 3] } else { &[1, 2] };
        Domain {
            compared: domain::sequences(messages, self.capacity),
            operations: domain::operations(&[
                (SEND, messages, &[]),
                (LOSE, messages, &[]),
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
        fifo::CONDITIONS
    }
}

impl Lossy {
    fn fifo(&self) -> Fifo {
        Fifo { capacity: self.capacity }
    }
}

/// The operation of a reliable channel that does the same; `None` for a loss.
fn reliable(operation: &Operation) -> Option<Operation> {
    let kind = match operation.kind {
        SEND => fifo::SEND,
        RECEIVE => fifo::RECEIVE,
        LENGTH => fifo::LENGTH,
        EMPTY => fifo::EMPTY,
        FULL => fifo::FULL,
        _ => return None,
    };
    Some(Operation { kind, ..*operation })
}
