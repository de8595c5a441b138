//! A bounded first-in first-out channel (Godefroid and Pirottin 1993, Examples 4 and 5).
//!
//! The relations of `Send`, `Receive`, `Length`, `Empty` and `Full` are the paper's tables. Dependency
//! is finer where the messages are known: sends of the same message commute while there is
//! room for both, and so do receives of equal messages. "Might interact" keeps to the paper there: it
//! looks neither at the messages sent nor at those behind the first, and counts such pairs as
//! dependent. Then the head of the channel, or its length, stands still on every path that matters,
//! and so fewer other operations interact.
//!
//! Tests of the head and conditional receives are refined operations, one for each message. Whoever
//! waits for the head to become m, and finds another message there, waits for those who remove
//! it and, if it is the only one, for those who send the next.

use super::{Condition, Domain, KindInfo, ObjectType, domain};
use crate::operation::{Operand, Operation, OperationKind};

/// A channel that delivers its messages in the order in which they were sent.
///
/// Its value is the list of messages.
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

/// Waits until there is no message: defined if there is none.
pub const AWAIT_EMPTY: OperationKind = OperationKind(8);
/// Waits until there is a message.
pub const AWAIT_MESSAGE: OperationKind = OperationKind(9);
/// Waits until no message fits.
pub const AWAIT_FULL: OperationKind = OperationKind(10);
/// Waits until a message fits.
pub const AWAIT_ROOM: OperationKind = OperationKind(11);
/// Waits until the first message is `m`.
pub const AWAIT_HEAD: OperationKind = OperationKind(12);

pub(super) const KINDS: &[KindInfo] = &[
    KindInfo { name: "Send", inputs: &["m"] },
    KindInfo { name: "Receive", inputs: &[] },
    KindInfo { name: "Length", inputs: &[] },
    KindInfo { name: "Empty", inputs: &[] },
    KindInfo { name: "Full", inputs: &[] },
    KindInfo { name: "Head", inputs: &[] },
    KindInfo { name: "HeadIs", inputs: &["m"] },
    KindInfo { name: "ReceiveIs", inputs: &["m"] },
    KindInfo { name: "AwaitEmpty", inputs: &[] },
    KindInfo { name: "AwaitMessage", inputs: &[] },
    KindInfo { name: "AwaitFull", inputs: &[] },
    KindInfo { name: "AwaitRoom", inputs: &[] },
    KindInfo { name: "AwaitHead", inputs: &["m"] },
];

impl Fifo {
    /// The fewest and the most messages with which an operation is defined.
    fn lengths(&self, kind: OperationKind) -> (usize, usize) {
        match kind {
            SEND | AWAIT_ROOM => (0, self.capacity.saturating_sub(1)),
            RECEIVE | RECEIVE_IS | HEAD | AWAIT_MESSAGE | AWAIT_HEAD => (1, self.capacity),
            AWAIT_EMPTY => (0, 0),
            AWAIT_FULL => (self.capacity, self.capacity),
            _ => (0, self.capacity),
        }
    }

    /// Of an operation that waits: which operations can't end what it waits for.
    fn stays(&self, awaited: &Operation) -> Option<fn(OperationKind) -> bool> {
        match awaited.kind {
            AWAIT_MESSAGE | AWAIT_FULL | AWAIT_HEAD => Some(|kind| kind == SEND),
            AWAIT_EMPTY | AWAIT_ROOM => Some(|kind| matches!(kind, RECEIVE | RECEIVE_IS)),
            _ => None,
        }
    }
}

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
            AWAIT_EMPTY if value.is_empty() => 0,
            AWAIT_MESSAGE if !value.is_empty() => 0,
            AWAIT_FULL if value.len() >= self.capacity => 0,
            AWAIT_ROOM if value.len() < self.capacity => 0,
            AWAIT_HEAD if value.first() == Some(&input.known()?) => 0,
            _ => return None,
        })
    }

    fn dependent(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        // What waits for an answer depends on whatever changes it.
        let (a, b) = (&test(a), &test(b));
        let (a, b) = if a.kind <= b.kind { (a, b) } else { (b, a) };
        let (x, y) = (a.operands[0], b.operands[0]);
        let n = value.len();
        let room = n < self.capacity;
        let last_place = n + 1 == self.capacity;
        let full = n >= self.capacity;
        let (head, second) = (value.first().copied(), value.get(1).copied());
        let starts = |m: Operand| head.is_some_and(|v| m.may_equal(Operand::Is(v)));
        // Whether removing the first message changes the answer to "is the first message m?".
        let shifts = |m: Operand| match m {
            Operand::Is(m) => (head == Some(m)) != (second == Some(m)),
            Operand::Any => head != second,
        };
        match (a.kind, b.kind) {
            (SEND, SEND) => room && (last_place || x.may_differ(y)),
            (SEND, RECEIVE) => self.capacity > 0 && (n == 0 || full),
            (SEND, LENGTH) => room,
            (SEND, EMPTY | HEAD) => room && n == 0,
            (SEND, FULL) => last_place,
            (SEND, HEAD_IS) => room && n == 0 && x.may_equal(y),
            (SEND, RECEIVE_IS) => {
                if n == 0 {
                    room && x.may_equal(y)
                } else {
                    full && starts(y)
                }
            }
            (RECEIVE, RECEIVE | HEAD) => head != second,
            (RECEIVE, LENGTH) => n > 0,
            (RECEIVE, EMPTY) => n == 1,
            (RECEIVE, FULL) => n > 0 && full,
            (RECEIVE, HEAD_IS | RECEIVE_IS) => shifts(y),
            (LENGTH, RECEIVE_IS) => starts(y),
            (EMPTY, RECEIVE_IS) => n == 1 && starts(y),
            (FULL, RECEIVE_IS) => full && starts(y),
            (HEAD, RECEIVE_IS) => starts(y) && head != second,
            (HEAD_IS, RECEIVE_IS) => starts(y) && shifts(x),
            (RECEIVE_IS, RECEIVE_IS) => (starts(x) && shifts(y)) || (starts(y) && shifts(x)),
            _ => false,
        }
    }

    fn interacts(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        self.interacts_among(a, b, value, u64::MAX)
    }

    fn interacts_among(&self, a: &Operation, b: &Operation, value: &[i64], kinds: u64) -> bool {
        if let Some(stays) = self.stays(b) {
            // Where what is awaited is so, these can't make it otherwise.
            if stays(test(a).kind) {
                return false;
            }
        }
        let awaits_head = b.kind == AWAIT_HEAD;
        let (a, b) = (&test(a), &test(b));
        let others = |kind: OperationKind| kinds >> kind.0 & 1 == 1;
        // Whether the channel may lose messages, or gain some, before `b`.
        let shrinks = others(RECEIVE) || others(RECEIVE_IS);
        let grows = others(SEND);
        let (x, y) = (a.operands[0], b.operands[0]);
        let n = value.len();
        let room = n < self.capacity;
        let full = n >= self.capacity;
        let head = value.first().copied().map(Operand::Is);
        let starts = |m: Operand| head.is_some_and(|head| m.may_equal(head));
        let starts_otherwise = |m: Operand| head.is_some_and(|head| m.may_differ(head));
        // More messages may be sent, so that there is one behind the head.
        let successor = self.capacity > 1;
        match (a.kind, b.kind) {
            (SEND, SEND | LENGTH) | (LENGTH | FULL, SEND) => room,
            (SEND, EMPTY | HEAD_IS) => room && (n == 0 || shrinks),
            (SEND | FULL, RECEIVE) => n > 0 && full,
            (SEND | FULL, RECEIVE_IS) => full && starts(y),
            (SEND, FULL) => n + 1 == self.capacity,
            (RECEIVE | EMPTY | HEAD, SEND) => room && n == 0,
            (RECEIVE | LENGTH | EMPTY | HEAD, RECEIVE) | (RECEIVE, LENGTH | HEAD) => n > 0,
            (RECEIVE, FULL) => n > 0 && (full || grows),
            (RECEIVE | LENGTH | HEAD, RECEIVE_IS) => starts(y),
            (RECEIVE, EMPTY) => n == 1,
            // While the head is left alone, nobody finds another one there.
            (RECEIVE | RECEIVE_IS, HEAD_IS) if awaits_head && !starts(y) => false,
            (RECEIVE, HEAD_IS) => n > 0 && (successor || starts(y)),
            // Whatever is sent may become the only message.
            (EMPTY, RECEIVE_IS) => n > 0 && (successor || starts(y)),
            // Where another message is the only one, it may be removed unseen before the next is sent.
            (HEAD_IS | RECEIVE_IS, SEND) => room && n == 0 || n == 1 && starts_otherwise(x) && shrinks,
            (HEAD_IS | RECEIVE_IS, RECEIVE) => n > 0 && (successor || starts(x)),
            (HEAD_IS | RECEIVE_IS, RECEIVE_IS) => starts(y) && (successor || starts(x)),
            (RECEIVE_IS, LENGTH | HEAD) => starts(x),
            (RECEIVE_IS, FULL) => starts(x) && (full || grows),
            (RECEIVE_IS, EMPTY) => n == 1 && starts(x),
            (RECEIVE_IS, HEAD_IS) => starts(x) && (successor || starts(y)),
            _ => false,
        }
    }

    // The first message and the length.
    fn outline(&self, value: &mut Vec<i64>) {
        let length = length(value);
        value.truncate(1);
        value.push(length);
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        let (a, b) = (&test(a), &test(b));
        let (a, b) = if a.kind <= b.kind { (a, b) } else { (b, a) };
        let (x, y) = (a.operands[0], b.operands[0]);
        match (a.kind, b.kind) {
            (SEND, HEAD_IS) => x.may_equal(y),
            (SEND | RECEIVE, _) => true,
            (HEAD_IS | RECEIVE_IS, RECEIVE_IS) => self.capacity > 1 || x.may_equal(y),
            (_, RECEIVE_IS) => true,
            _ => false,
        }
    }

    fn exclusive(&self, a: &Operation, b: &Operation) -> bool {
        let ((fewest, most), (also_fewest, also_most)) = (self.lengths(a.kind), self.lengths(b.kind));
        let wants_head = |kind| matches!(kind, RECEIVE_IS | AWAIT_HEAD);
        fewest.max(also_fewest) > most.min(also_most)
            || wants_head(a.kind) && wants_head(b.kind) && !a.operands[0].may_equal(b.operands[0])
    }

    fn unrefined(&self, operation: &Operation) -> Operation {
        let kind = match operation.kind {
            SEND => SEND,
            RECEIVE | RECEIVE_IS => RECEIVE,
            _ => LENGTH,
        };
        Operation::new(operation.process, kind)
    }

    fn identifies(&self, kind: OperationKind, _input: usize) -> bool {
        kind != SEND
    }

    // The refined operations look at the first message, and none at the messages behind it.
    fn shape(&self, value: &[i64]) -> Vec<i64> {
        value.first().copied().into_iter().chain([length(value)]).collect()
    }

    fn reads(&self, kind: OperationKind) -> bool {
        !matches!(kind, SEND | RECEIVE | RECEIVE_IS)
    }

    fn domain(&self) -> Domain {
        let messages: &[i64] = if self.capacity < 3 { &[1, 2, 3] } else { &[1, 2] };
        Domain {
            compared: domain::sequences(messages, self.capacity),
            operations: domain::operations(&[
                (SEND, messages, &[]),
                (RECEIVE, &[], &[]),
                (LENGTH, &[], &[]),
                (EMPTY, &[], &[]),
                (FULL, &[], &[]),
                (HEAD, &[], &[]),
                (HEAD_IS, messages, &[]),
                (RECEIVE_IS, messages, &[]),
                (AWAIT_EMPTY, &[], &[]),
                (AWAIT_MESSAGE, &[], &[]),
                (AWAIT_FULL, &[], &[]),
                (AWAIT_ROOM, &[], &[]),
                (AWAIT_HEAD, messages, &[]),
            ]),
            within: |_| true,
        }
    }

    fn parameter(&self) -> i64 {
        self.capacity as i64
    }

    fn conditions(&self) -> &'static [Condition] {
        CONDITIONS
    }
}

/// The conditions of the paper's tables: n messages in a channel of capacity N.
pub(super) const CONDITIONS: &[Condition] = &[
    Condition { text: "n < N", holds: |object, value| length(value) < object.parameter() },
    Condition { text: "n > 0", holds: |_, value| !value.is_empty() },
    Condition { text: "n = 0", holds: |_, value| value.is_empty() },
    Condition { text: "n = N", holds: |object, value| length(value) == object.parameter() },
    Condition { text: "n = 1", holds: |_, value| value.len() == 1 },
    Condition { text: "n = N - 1", holds: |object, value| length(value) == object.parameter() - 1 },
    Condition { text: "n < N - 1", holds: |object, value| length(value) < object.parameter() - 1 },
];

fn length(value: &[i64]) -> i64 {
    value.len() as i64
}

/// The test whose answer an operation waits for; any other operation itself.
fn test(operation: &Operation) -> Operation {
    let kind = match operation.kind {
        AWAIT_EMPTY | AWAIT_MESSAGE => EMPTY,
        AWAIT_FULL | AWAIT_ROOM => FULL,
        AWAIT_HEAD => HEAD_IS,
        kind => kind,
    };
    Operation { kind, ..*operation }
}
