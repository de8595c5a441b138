//! A condition variable: the set of processes that wait and the set of those woken.

use super::process_bit;
use super::{Condition, Domain, KindInfo, ObjectType};
use crate::ids::ProcessId;
use crate::operation::{Operation, OperationKind};
/// A condition variable; its mutex is an object of its own.
///
/// Its value is two words: the set of waiting processes and the set of woken ones that have not left.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Condvar;

/// Starts waiting; defined unless the process waits already or has not left yet.
pub const ENQUEUE: OperationKind = OperationKind(0);
/// Stops waiting; defined if the process was woken.
pub const LEAVE: OperationKind = OperationKind(1);
/// Wakes process `w`, defined if it waits; -1: wakes nobody, defined if nobody waits.
pub const NOTIFY_ONE: OperationKind = OperationKind(2);
/// Wakes all who wait.
pub const NOTIFY_ALL: OperationKind = OperationKind(3);

const KINDS: &[KindInfo] = &[
    KindInfo { name: "Enqueue", inputs: &[] },
    KindInfo { name: "Leave", inputs: &[] },
    KindInfo { name: "NotifyOne", inputs: &["w"] },
    KindInfo { name: "NotifyAll", inputs: &[] },
];

impl ObjectType for Condvar {
    fn name(&self) -> &'static str {
        "condvar"
    }

    fn summary(&self) -> &'static str {
        "A condition variable; its mutex is an object of its own."
    }

    fn kinds(&self) -> &'static [KindInfo] {
        KINDS
    }

    fn initial(&self) -> Vec<i64> {
        vec![0, 0]
    }

    fn apply(&self, value: &[i64], operation: &Operation, next: &mut Vec<i64>) -> Option<i64> {
        next.clear();
        let &[waiting, woken] = value else { return None };
        let bit = process_bit(operation.process)?;
        let left = match operation.kind {
            ENQUEUE if (waiting | woken) & bit == 0 => [waiting | bit, woken],
            LEAVE if woken & bit != 0 => [waiting, woken & !bit],
            NOTIFY_ONE => match operation.operands[0].known()? {
                -1 if waiting == 0 => [waiting, woken],
                w => {
                    let sleeper = process_bit(ProcessId(u16::try_from(w).ok()?))?;
                    if waiting & sleeper == 0 {
                        return None;
                    }
                    [waiting & !sleeper, woken | sleeper]
                }
            },
            NOTIFY_ALL => [0, waiting | woken],
            _ => return None,
        };
        next.extend_from_slice(&left);
        Some(0)
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
