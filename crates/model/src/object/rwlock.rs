//! A readers-writer lock that knows its holders; it is not recursive.
//!
//! Readers commute with each other in every way. Only the last reader's release lets a writer in. Any
//! process may turn out to be that last reader, so a process that wants to write while others
//! read interacts with the release of every process, reader or not.

use super::{Condition, Domain, KindInfo, ObjectType, domain, process_bit};
use crate::operation::{Operation, OperationKind};

/// A lock held by many readers or one writer.
///
/// Its value is two words: the set of readers, and the writer's number + 1 (0: none).
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct RwLock;

/// Becomes a reader; defined if there is no writer.
pub const ACQUIRE_READ: OperationKind = OperationKind(0);
/// Stops reading; defined for a reader.
pub const RELEASE_READ: OperationKind = OperationKind(1);
/// Becomes the writer; defined if there is neither reader nor writer.
pub const ACQUIRE_WRITE: OperationKind = OperationKind(2);
/// Stops writing; defined for the writer.
pub const RELEASE_WRITE: OperationKind = OperationKind(3);
/// Becomes a reader and returns 1 where `AcquireRead` is defined, else returns 0.
pub const TRY_READ: OperationKind = OperationKind(4);
/// Becomes the writer and returns 1 where `AcquireWrite` is defined, else returns 0.
pub const TRY_WRITE: OperationKind = OperationKind(5);

const KINDS: &[KindInfo] = &[
    KindInfo { name: "AcquireRead", inputs: &[] },
    KindInfo { name: "ReleaseRead", inputs: &[] },
    KindInfo { name: "AcquireWrite", inputs: &[] },
    KindInfo { name: "ReleaseWrite", inputs: &[] },
    KindInfo { name: "TryRead", inputs: &[] },
    KindInfo { name: "TryWrite", inputs: &[] },
];

impl ObjectType for RwLock {
    fn name(&self) -> &'static str {
        "rwlock"
    }

    fn summary(&self) -> &'static str {
        "A lock held by many readers or by one writer."
    }

    fn kinds(&self) -> &'static [KindInfo] {
        KINDS
    }

    fn initial(&self) -> Vec<i64> {
        vec![0, 0]
    }

    fn apply(&self, value: &[i64], operation: &Operation, next: &mut Vec<i64>) -> Option<i64> {
        next.clear();
        let &[readers, writer] = value else { return None };
        let bit = process_bit(operation.process)?;
        let me = number(operation);
        let may_read = writer == 0 && readers & bit == 0;
        let may_write = writer == 0 && readers == 0;
        let (left, output) = match operation.kind {
            ACQUIRE_READ if may_read => ([readers | bit, 0], 0),
            RELEASE_READ if readers & bit != 0 => ([readers & !bit, writer], 0),
            ACQUIRE_WRITE if may_write => ([0, me], 0),
            RELEASE_WRITE if writer == me => ([readers, 0], 0),
            TRY_READ if may_read => ([readers | bit, 0], 1),
            TRY_WRITE if may_write => ([0, me], 1),
            TRY_READ | TRY_WRITE => ([readers, writer], 0),
            _ => return None,
        };
        next.extend_from_slice(&left);
        Some(output)
    }

    fn dependent(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        let (a, b) = if a.kind <= b.kind { (a, b) } else { (b, a) };
        let &[readers, writer] = value else { return true };
        let only_reader =
            |operation: &Operation| process_bit(operation.process).is_none_or(|bit| readers == bit);
        match (a.kind, b.kind) {
            (ACQUIRE_READ | TRY_READ, TRY_READ) | (ACQUIRE_READ, ACQUIRE_READ) => false,
            (RELEASE_READ, ACQUIRE_WRITE | TRY_WRITE) => only_reader(a),
            (RELEASE_READ, _) | (_, RELEASE_READ) | (RELEASE_WRITE, RELEASE_WRITE) => false,
            (RELEASE_WRITE, _) => writer == number(a),
            (_, RELEASE_WRITE) => writer == number(b),
            // One of them writes, the other reads or writes.
            _ => writer == 0 && readers == 0,
        }
    }

    fn interacts(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        let &[readers, writer] = value else { return true };
        let (Some(me), Some(_)) = (process_bit(a.process), process_bit(b.process)) else { return true };
        let reading = readers & me != 0;
        match a.kind {
            // A process that reads keeps writers out, and keeps itself from becoming one.
            ACQUIRE_READ | TRY_READ | ACQUIRE_WRITE | TRY_WRITE if reading => false,
            ACQUIRE_READ | TRY_READ | ACQUIRE_WRITE | TRY_WRITE if writer != 0 => {
                b.kind == RELEASE_WRITE && writer == number(b)
            }
            ACQUIRE_READ | TRY_READ => matches!(b.kind, ACQUIRE_WRITE | TRY_WRITE),
            ACQUIRE_WRITE | TRY_WRITE if readers == 0 => !matches!(b.kind, RELEASE_READ | RELEASE_WRITE),
            // Any process may become a reader, if it is none, and then be the last to release.
            ACQUIRE_WRITE | TRY_WRITE => b.kind == RELEASE_READ,
            RELEASE_READ => reading && b.kind == TRY_WRITE,
            RELEASE_WRITE => writer == number(a) && matches!(b.kind, TRY_READ | TRY_WRITE),
            _ => true,
        }
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        let (a, b) = if a.kind <= b.kind { (a, b) } else { (b, a) };
        match (a.kind, b.kind) {
            (ACQUIRE_READ | TRY_READ, TRY_READ) | (ACQUIRE_READ, ACQUIRE_READ) => false,
            (RELEASE_READ, ACQUIRE_WRITE | TRY_WRITE) => true,
            (RELEASE_READ, _) | (_, RELEASE_READ) | (RELEASE_WRITE, RELEASE_WRITE) => false,
            _ => true,
        }
    }

    fn domain(&self) -> Domain {
        let processes = i64::from(domain::PROCESSES);
        let reading = (0..1 << processes).map(|readers| vec![readers, 0]);
        let writing = (1..=processes).map(|writer| vec![0, writer]);
        Domain {
            compared: reading.chain(writing).collect(),
            operations: domain::operations(&[
                (ACQUIRE_READ, &[], &[]),
                (RELEASE_READ, &[], &[]),
                (ACQUIRE_WRITE, &[], &[]),
                (RELEASE_WRITE, &[], &[]),
                (TRY_READ, &[], &[]),
                (TRY_WRITE, &[], &[]),
            ]),
            within: |_| true,
        }
    }

    fn conditions(&self) -> &'static [Condition] {
        &[
            Condition { text: "free", holds: |_, value| value == [0, 0] },
            Condition { text: "read", holds: |_, value| value[0] != 0 },
            Condition { text: "written", holds: |_, value| value[1] != 0 },
            Condition { text: "one reader", holds: |_, value| value[0].count_ones() == 1 },
            Condition { text: "not written", holds: |_, value| value[1] == 0 },
        ]
    }
}

/// How the value names the process of an operation as the writer.
fn number(operation: &Operation) -> i64 {
    i64::from(operation.process.0) + 1
}
