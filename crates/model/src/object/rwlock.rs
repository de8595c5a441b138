//! A readers-writer lock that knows its holders; it is not recursive.

use super::process_bit;
use super::{Condition, Domain, KindInfo, ObjectType};
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
        let me = i64::from(operation.process.0) + 1;
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

    fn dependent(&self, a: &Operation, b: &Operation, _value: &[i64]) -> bool {
        self.constant(a, b)
    }

    fn interacts(&self, a: &Operation, b: &Operation, _value: &[i64]) -> bool {
        self.constant(a, b)
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        const READS: &[OperationKind] = &[];
        !(READS.contains(&a.kind) && READS.contains(&b.kind))
    }

    fn domain(&self) -> Domain {
        Domain { compared: Vec::new(), operations: Vec::new(), within: |_| true }
    }

    fn conditions(&self) -> &'static [Condition] {
        &[]
    }
}
