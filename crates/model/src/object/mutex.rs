//! A mutual-exclusion lock that knows its holder; it is not recursive.
//!
//! Because only the holder can unlock, a held lock depends on the holder's unlock and on nothing else, and
//! whoever waits for it interacts with the holder alone. A process that locks what it holds
//! waits for ever.

use super::{Condition, Domain, KindInfo, ObjectType, domain};
use crate::operation::{Operation, OperationKind};

/// A lock held by at most one process. Its value is one word: 0 if free, else the holder's number + 1.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Mutex;

/// Acquires; defined if the lock is free.
pub const LOCK: OperationKind = OperationKind(0);
/// Releases; defined for the holder.
pub const UNLOCK: OperationKind = OperationKind(1);
/// Acquires and returns 1 if the lock is free, else returns 0.
pub const TRY_LOCK: OperationKind = OperationKind(2);
/// Returns whether the lock is held.
pub const IS_LOCKED: OperationKind = OperationKind(3);

const KINDS: &[KindInfo] = &[
    KindInfo { name: "Lock", inputs: &[] },
    KindInfo { name: "Unlock", inputs: &[] },
    KindInfo { name: "TryLock", inputs: &[] },
    KindInfo { name: "IsLocked", inputs: &[] },
];

impl ObjectType for Mutex {
    fn name(&self) -> &'static str {
        "mutex"
    }

    fn summary(&self) -> &'static str {
        "A lock held by at most one process."
    }

    fn kinds(&self) -> &'static [KindInfo] {
        KINDS
    }

    fn initial(&self) -> Vec<i64> {
        vec![0]
    }

    fn apply(&self, value: &[i64], operation: &Operation, next: &mut Vec<i64>) -> Option<i64> {
        next.clear();
        let v = *value.first()?;
        let me = number(operation);
        let (left, output) = match operation.kind {
            LOCK if v == 0 => (me, 0),
            UNLOCK if v == me => (0, 0),
            TRY_LOCK if v == 0 => (me, 1),
            TRY_LOCK => (v, 0),
            IS_LOCKED => (v, i64::from(v != 0)),
            _ => return None,
        };
        next.push(left);
        Some(output)
    }

    fn dependent(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        let holder = value[0];
        match (a.kind, b.kind) {
            (UNLOCK, UNLOCK) | (IS_LOCKED, IS_LOCKED) => false,
            (UNLOCK, _) => holder == number(a),
            (_, UNLOCK) => holder == number(b),
            _ => holder == 0,
        }
    }

    fn interacts(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        // A lock is not defined before the unlock on which it depends.
        (a.kind, b.kind) != (UNLOCK, LOCK) && self.dependent(a, b, value)
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        !matches!((a.kind, b.kind), (UNLOCK, UNLOCK) | (IS_LOCKED, IS_LOCKED))
    }

    fn exclusive(&self, a: &Operation, b: &Operation) -> bool {
        match (a.kind, b.kind) {
            (UNLOCK, UNLOCK) => a.process != b.process,
            (LOCK, UNLOCK) | (UNLOCK, LOCK) => true,
            _ => false,
        }
    }

    fn domain(&self) -> Domain {
        Domain {
            compared: (0..=i64::from(domain::PROCESSES)).map(|holder| vec![holder]).collect(),
            operations: domain::operations(&[
                (LOCK, &[], &[]),
                (UNLOCK, &[], &[]),
                (TRY_LOCK, &[], &[]),
                (IS_LOCKED, &[], &[]),
            ]),
            within: |_| true,
        }
    }

    fn conditions(&self) -> &'static [Condition] {
        &[
            Condition { text: "free", holds: |_, value| value[0] == 0 },
            Condition { text: "held", holds: |_, value| value[0] != 0 },
        ]
    }
}

/// How the value names the process of an operation.
fn number(operation: &Operation) -> i64 {
    i64::from(operation.process.0) + 1
}
