//! A channel from which a message can be taken wherever it stands (Promela's `??`).
//!
//! Taking different messages commutes. A process that waits for a message which is not there waits
//! for senders only; one that finds it there competes only with those who may remove it.

use super::{Condition, Domain, KindInfo, ObjectType, domain};
use crate::operation::{Operand, Operation, OperationKind};

/// A channel from which a certain message can be taken out of the middle.
///
/// Its value is the list of messages.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct RandomAccess {
    /// How many messages it holds at most.
    pub capacity: usize,
}

/// Appends `m`; defined unless the channel is full.
pub const SEND: OperationKind = OperationKind(0);
/// Removes and returns the first message; defined unless the channel is empty.
pub const RECEIVE: OperationKind = OperationKind(1);
/// Removes the first `m` wherever it stands; defined if there is one.
pub const TAKE: OperationKind = OperationKind(2);
/// Returns whether there is an `m`.
pub const HAS: OperationKind = OperationKind(3);
/// Returns the number of messages.
pub const LENGTH: OperationKind = OperationKind(4);
/// Returns whether there is no message.
pub const EMPTY: OperationKind = OperationKind(5);
/// Returns whether no message fits.
pub const FULL: OperationKind = OperationKind(6);

const KINDS: &[KindInfo] = &[
    KindInfo { name: "Send", inputs: &["m"] },
    KindInfo { name: "Receive", inputs: &[] },
    KindInfo { name: "Take", inputs: &["m"] },
    KindInfo { name: "Has", inputs: &["m"] },
    KindInfo { name: "Length", inputs: &[] },
    KindInfo { name: "Empty", inputs: &[] },
    KindInfo { name: "Full", inputs: &[] },
];

impl ObjectType for RandomAccess {
    fn name(&self) -> &'static str {
        "random-access"
    }

    fn summary(&self) -> &'static str {
        "A bounded channel with random receive."
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
            TAKE => {
                let m = input.known()?;
                next.remove(value.iter().position(|&v| v == m)?);
                0
            }
            HAS => i64::from(value.contains(&input.known()?)),
            LENGTH => value.len() as i64,
            EMPTY => i64::from(value.is_empty()),
            FULL => i64::from(value.len() >= self.capacity),
            _ => return None,
        })
    }

    fn dependent(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        let (a, b) = if a.kind <= b.kind { (a, b) } else { (b, a) };
        let (x, y) = (a.operands[0], b.operands[0]);
        let n = value.len();
        let room = n < self.capacity;
        let last_place = n + 1 == self.capacity;
        match (a.kind, b.kind) {
            (SEND, SEND) => room && (last_place || x.may_differ(y)),
            (SEND, RECEIVE) => self.capacity > 0 && (n == 0 || !room),
            (SEND, TAKE) => {
                if room {
                    x.may_equal(y) && may_lack(value, y)
                } else {
                    may_have(value, y)
                }
            }
            (SEND, HAS) => room && x.may_equal(y) && may_lack(value, y),
            (SEND, LENGTH) => room,
            (SEND, EMPTY) => room && n == 0,
            (SEND, FULL) => last_place,
            (RECEIVE, RECEIVE) => value.first() != value.get(1),
            (RECEIVE, TAKE) => starts(value, y) && value.first() != value.get(1),
            (RECEIVE, HAS) => starts(value, y) && may_have_one(value, y),
            (TAKE, TAKE | HAS) => x.may_equal(y) && may_have_one(value, x) && may_have_one(value, y),
            (RECEIVE, LENGTH) => n > 0,
            (RECEIVE, EMPTY) => n == 1,
            (RECEIVE, FULL) => n > 0 && !room,
            (TAKE, LENGTH) => may_have(value, x),
            (TAKE, EMPTY) => n == 1 && may_have(value, x),
            (TAKE, FULL) => !room && may_have(value, x),
            _ => false,
        }
    }

    fn interacts(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        let (x, y) = (a.operands[0], b.operands[0]);
        let n = value.len();
        let room = n < self.capacity;
        match (a.kind, b.kind) {
            (SEND, SEND | HAS | LENGTH | EMPTY) => room,
            (SEND, RECEIVE) => n > 0 && !room,
            (SEND, TAKE) => !room && may_have(value, y),
            (SEND, FULL) => n + 1 == self.capacity,
            (RECEIVE, SEND) => room && n == 0,
            (RECEIVE, RECEIVE | LENGTH | EMPTY | FULL) => n > 0,
            // Everything but the first message can be removed unseen: what differs from it is taken,
            // and of equal messages nobody can tell which one is received.
            (RECEIVE, TAKE | HAS) => starts(value, y),
            // While the message is missing, only sends matter; while it is there, only what may
            // remove it.
            (TAKE | HAS, SEND) => self.capacity > 0 && may_lack(value, x),
            (TAKE | HAS, RECEIVE) | (TAKE, LENGTH | EMPTY | FULL) => may_have(value, x),
            (TAKE | HAS, TAKE) | (TAKE, HAS) => x.may_equal(y) && may_have(value, x) && may_have(value, y),
            (LENGTH | FULL, SEND) => room,
            (LENGTH | EMPTY, RECEIVE) => n > 0,
            (LENGTH, TAKE) => may_have(value, y),
            (EMPTY, SEND) => room && n == 0,
            // Whatever is sent may become the only message.
            (EMPTY, TAKE) => n > 0 && (self.capacity > 1 || may_have(value, y)),
            (FULL, RECEIVE) => n > 0 && !room,
            (FULL, TAKE) => !room && may_have(value, y),
            _ => false,
        }
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        let (a, b) = if a.kind <= b.kind { (a, b) } else { (b, a) };
        match (a.kind, b.kind) {
            (SEND, HAS) | (TAKE, TAKE | HAS) => a.operands[0].may_equal(b.operands[0]),
            (SEND | RECEIVE | TAKE, _) => true,
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

    fn identifies(&self, kind: OperationKind, _input: usize) -> bool {
        kind != SEND
    }

    fn domain(&self) -> Domain {
        let messages: &[i64] = if self.capacity < 3 { &[1, 2, 3] } else { &[1, 2] };
        Domain {
            compared: domain::sequences(messages, self.capacity),
            operations: domain::operations(&[
                (SEND, messages, &[]),
                (RECEIVE, &[], &[]),
                (TAKE, messages, &[]),
                (HAS, messages, &[]),
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

/// Whether the first message may be `m`.
fn starts(value: &[i64], m: Operand) -> bool {
    value.first().is_some_and(|&head| m.may_equal(Operand::Is(head)))
}

/// Whether some message may be `m`.
fn may_have(value: &[i64], m: Operand) -> bool {
    m.known().map_or(!value.is_empty(), |m| value.contains(&m))
}

/// Whether it may be that no message is `m`.
fn may_lack(value: &[i64], m: Operand) -> bool {
    m.known().is_none_or(|m| !value.contains(&m))
}

/// Whether it may be that exactly one message is `m`.
fn may_have_one(value: &[i64], m: Operand) -> bool {
    m.known().map_or(!value.is_empty(), |m| value.iter().filter(|&&v| v == m).count() == 1)
}
