//! A channel from which a message can be taken wherever it stands (Promela's `??`).

use super::{Condition, Domain, KindInfo, ObjectType};
use crate::operation::{Operation, OperationKind};

/// A channel from which a certain message can be taken out of the middle. Its value is the list of messages.
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
        "random access"
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

    fn dependent(&self, a: &Operation, b: &Operation, _value: &[i64]) -> bool {
        self.constant(a, b)
    }

    fn interacts(&self, a: &Operation, b: &Operation, _value: &[i64]) -> bool {
        self.constant(a, b)
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        const READS: &[OperationKind] = &[LENGTH, EMPTY, FULL, HAS];
        !(READS.contains(&a.kind) && READS.contains(&b.kind))
    }

    fn domain(&self) -> Domain {
        Domain { compared: Vec::new(), operations: Vec::new(), within: |_| true }
    }

    fn conditions(&self) -> &'static [Condition] {
        &[]
    }
}
