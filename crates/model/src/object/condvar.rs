//! A condition variable: the set of processes that wait and the set of those woken.
//!
//! A wait is two steps: enqueue and unlock the mutex, then leave and lock it. Which of the waiting
//! processes a notification wakes is nondeterministic: one operation for each, and one (-1) for
//! a notification that finds nobody. A step that leaves the choice open performs `NotifyOne` with an
//! unknown input, because who waits may change before it is taken. There are no spurious
//! wake-ups; a system that wants them lets somebody notify.

use super::{Condition, Domain, KindInfo, ObjectType, domain, process_bit};
use crate::ids::ProcessId;
use crate::operation::{Operand, Operation, OperationKind};

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

    fn dependent(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        let (a, b) = if a.kind <= b.kind { (a, b) } else { (b, a) };
        let &[waiting, woken] = value else { return true };
        let Some(bit) = process_bit(a.process) else { return true };
        let (x, y) = (a.operands[0], b.operands[0]);
        let may_enqueue = (waiting | woken) & bit == 0;
        match (a.kind, b.kind) {
            (ENQUEUE, NOTIFY_ONE) => may_enqueue && (names(y, a) || waiting == 0 && y.may_equal(NOBODY)),
            (ENQUEUE, NOTIFY_ALL) => may_enqueue,
            (LEAVE, NOTIFY_ONE) => waiting & bit != 0 && names(y, a),
            (LEAVE, NOTIFY_ALL) => waiting & bit != 0,
            (NOTIFY_ONE, NOTIFY_ONE) => match (x.known(), y.known()) {
                (Some(-1), Some(-1)) => false,
                (Some(-1), Some(w)) | (Some(w), Some(-1)) => {
                    contains(waiting, w) && waiting.count_ones() == 1
                }
                (Some(w), Some(other)) => w == other && contains(waiting, w),
                _ => waiting != 0,
            },
            (NOTIFY_ONE, NOTIFY_ALL) => {
                waiting != 0 && x.known().is_none_or(|w| w == -1 || contains(waiting, w))
            }
            _ => false,
        }
    }

    fn interacts(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        let &[waiting, woken] = value else { return true };
        let (Some(me), Some(other)) = (process_bit(a.process), process_bit(b.process)) else { return true };
        let (x, y) = (a.operands[0], b.operands[0]);
        match (a.kind, b.kind) {
            // Others may empty the set of those who wait, so that a notification finds nobody.
            (ENQUEUE, NOTIFY_ONE) => (waiting | woken) & me == 0 && y.may_equal(NOBODY),
            (ENQUEUE, NOTIFY_ALL) => (waiting | woken) & me == 0,
            (LEAVE, NOTIFY_ONE) => waiting & me != 0 && names(y, a),
            (LEAVE, NOTIFY_ALL) => waiting & me != 0,
            // Another `NotifyAll`, which commutes with this one, lets those who wait leave and wait again.
            (NOTIFY_ALL, ENQUEUE) => true,
            // Whoever does not wait may, once it has left, wait again.
            (NOTIFY_ONE, ENQUEUE) => {
                waiting & other == 0 && (names(x, b) || waiting == 0 && x.may_equal(NOBODY))
            }
            (NOTIFY_ONE, NOTIFY_ALL) => {
                waiting != 0 && x.known().is_none_or(|w| w == -1 || contains(waiting, w))
            }
            (NOTIFY_ONE, NOTIFY_ONE) => match x.known() {
                // Anybody may be the last who waits, except the process that would notify: that can't
                // start waiting before.
                Some(-1) => waiting != 0 && (waiting & me != 0 || !names_only(y, a)) && y != NOBODY,
                Some(w) => contains(waiting, w) && y.may_equal(x),
                None => waiting != 0,
            },
            (NOTIFY_ALL, NOTIFY_ONE) => y.known().map_or(waiting != 0, |w| contains(waiting, w)),
            _ => false,
        }
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        let (a, b) = if a.kind <= b.kind { (a, b) } else { (b, a) };
        let (x, y) = (a.operands[0], b.operands[0]);
        match (a.kind, b.kind) {
            (ENQUEUE, NOTIFY_ONE) => names(y, a) || y.may_equal(NOBODY),
            (LEAVE, NOTIFY_ONE) => names(y, a),
            (ENQUEUE | LEAVE | NOTIFY_ONE, NOTIFY_ALL) => true,
            (NOTIFY_ONE, NOTIFY_ONE) => match (x.known(), y.known()) {
                (Some(-1), Some(-1)) => false,
                (Some(-1), _) | (_, Some(-1)) => true,
                _ => x.may_equal(y),
            },
            _ => false,
        }
    }

    fn unrefined(&self, operation: &Operation) -> Operation {
        Operation::new(operation.process, operation.kind)
    }

    fn domain(&self) -> Domain {
        let processes = domain::PROCESSES;
        let sets = 0..1_i64 << processes;
        let pairs = sets.clone().flat_map(|waiting| sets.clone().map(move |woken| vec![waiting, woken]));
        let woken: Vec<i64> = (-1..i64::from(processes)).collect();
        Domain {
            compared: pairs.filter(|value| value[0] & value[1] == 0).collect(),
            operations: domain::operations(&[
                (ENQUEUE, &[], &[]),
                (LEAVE, &[], &[]),
                (NOTIFY_ONE, &woken, &[]),
                (NOTIFY_ALL, &[], &[]),
            ]),
            within: |_| true,
        }
    }

    fn conditions(&self) -> &'static [Condition] {
        &[
            Condition { text: "nobody waits", holds: |_, value| value[0] == 0 },
            Condition { text: "some wait", holds: |_, value| value[0] != 0 },
            Condition { text: "one waits", holds: |_, value| value[0].count_ones() == 1 },
        ]
    }
}

/// The input of a `NotifyOne` that finds nobody.
const NOBODY: Operand = Operand::Is(-1);

/// Whether the input of a `NotifyOne` may name the process of `operation`.
fn names(input: Operand, operation: &Operation) -> bool {
    input.may_equal(Operand::Is(i64::from(operation.process.0)))
}

/// Whether the input of a `NotifyOne` names the process of `operation` and no other.
fn names_only(input: Operand, operation: &Operation) -> bool {
    input == Operand::Is(i64::from(operation.process.0))
}

/// Whether process number `w` belongs to the set.
fn contains(set: i64, w: i64) -> bool {
    (0..63).contains(&w) && set >> w & 1 == 1
}
