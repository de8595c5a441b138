//! A shared integer variable (Godefroid and Pirottin 1993, Examples 1 to 3).
//!
//! Where inputs are known dependency is finer than the paper's: writes of one and the same number
//! commute, and writing what the variable already holds is seen by nobody. "Might interact" does
//! not look at what is written or added, nor at the value: it is the paper's constant table.

use super::{Condition, Domain, Glance, KindInfo, ObjectType, domain};
use crate::operation::{Operand, Operation, OperationKind};

/// An integer that processes read, write and increment. Its value is one word.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Variable;

/// Returns the value.
pub const READ: OperationKind = OperationKind(0);
/// Sets the value to its input.
pub const WRITE: OperationKind = OperationKind(1);
/// Adds its input to the value (wrapping), without output.
pub const ADD: OperationKind = OperationKind(2);

/// Waits until the value is its input: defined if it is.
pub const AWAIT: OperationKind = OperationKind(3);
/// Waits until the value is another than its input: defined if it is.
pub const AWAIT_NOT: OperationKind = OperationKind(4);

const KINDS: &[KindInfo] = &[
    KindInfo { name: "Read", inputs: &[] },
    KindInfo { name: "Write", inputs: &["v"] },
    KindInfo { name: "Add", inputs: &["k"] },
    KindInfo { name: "Await", inputs: &["v"] },
    KindInfo { name: "AwaitNot", inputs: &["v"] },
];

impl ObjectType for Variable {
    fn name(&self) -> &'static str {
        "variable"
    }

    fn summary(&self) -> &'static str {
        "An integer variable; increments commute."
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
        let (left, output) = match operation.kind {
            READ => (v, v),
            WRITE => (operation.operands[0].known()?, 0),
            ADD => (v.wrapping_add(operation.operands[0].known()?), 0),
            AWAIT if operation.operands[0].known()? == v => (v, 0),
            AWAIT_NOT if operation.operands[0].known()? != v => (v, 0),
            _ => return None,
        };
        next.push(left);
        Some(output)
    }

    fn dependent(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        conflict(a.kind, a.operands[0], b.kind, b.operands[0], Operand::Is(value[0]))
    }

    fn interacts(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        interaction(a.kind, a.operands[0], b.kind, b.operands[0], Operand::Is(value[0]))
    }

    fn glance(&self, a: &Operation, b: &Operation) -> Glance {
        glance(a.kind, a.operands[0], b.kind, b.operands[0], 0)
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        conflict(a.kind, a.operands[0], b.kind, b.operands[0], Operand::Any)
    }

    fn exclusive(&self, a: &Operation, b: &Operation) -> bool {
        contradict(a.kind, a.operands[0], b.kind, b.operands[0])
    }

    fn unrefined(&self, operation: &Operation) -> Operation {
        match operation.kind {
            READ => *operation,
            AWAIT | AWAIT_NOT => Operation::new(operation.process, READ),
            _ => Operation::new(operation.process, WRITE),
        }
    }

    fn reads(&self, kind: OperationKind) -> bool {
        matches!(kind, READ | AWAIT | AWAIT_NOT)
    }

    fn domain(&self) -> Domain {
        Domain {
            compared: (0..=2).map(|v| vec![v]).collect(),
            operations: domain::operations(&[
                (READ, &[], &[]),
                (WRITE, &[0, 1, 2], &[]),
                (ADD, &[-1, 0, 1], &[]),
                (AWAIT, &[0, 1, 2], &[]),
                (AWAIT_NOT, &[0, 1, 2], &[]),
            ]),
            within: |value| value[0].abs() <= 8,
        }
    }

    fn conditions(&self) -> &'static [Condition] {
        &[]
    }
}

/// Whether two operations on one integer depend on each other, given their inputs and the integer.
pub(super) fn conflict(
    a: OperationKind,
    a_input: Operand,
    b: OperationKind,
    b_input: Operand,
    value: Operand,
) -> bool {
    let zero = Operand::Is(0);
    match (a, b) {
        (ADD, ADD) => false,
        (WRITE, WRITE) => a_input.may_differ(b_input),
        (WRITE, ADD) => b_input.may_differ(zero),
        (ADD, WRITE) => a_input.may_differ(zero),
        (READ, WRITE) => b_input.may_differ(value),
        (WRITE, READ) => a_input.may_differ(value),
        (AWAIT | AWAIT_NOT, WRITE) => turns(a_input, b_input, value),
        (WRITE, AWAIT | AWAIT_NOT) => turns(b_input, a_input, value),
        // An addition may wrap around at a width that is not known here.
        (READ | AWAIT | AWAIT_NOT, ADD) => b_input.may_differ(zero),
        (ADD, READ | AWAIT | AWAIT_NOT) => a_input.may_differ(zero),
        _ => false,
    }
}

/// Whether writing `written` changes the answer to "is the value `wanted`?".
fn turns(wanted: Operand, written: Operand, value: Operand) -> bool {
    value.may_equal(wanted) && written.may_differ(wanted)
        || value.may_differ(wanted) && written.may_equal(wanted)
}

/// Whether no value is what both operations wait for.
pub(super) fn contradict(a: OperationKind, a_input: Operand, b: OperationKind, b_input: Operand) -> bool {
    match (a, b) {
        (AWAIT, AWAIT) => !a_input.may_equal(b_input),
        (AWAIT, AWAIT_NOT) | (AWAIT_NOT, AWAIT) => !a_input.may_differ(b_input),
        _ => false,
    }
}

/// What [`interaction`] looks at of the variable that is this word: an input that is not known differs from every value and
/// equals it, whatever that is.
pub(super) fn glance(
    a: OperationKind,
    a_input: Operand,
    b: OperationKind,
    b_input: Operand,
    word: usize,
) -> Glance {
    let compares = a != ADD && b != ADD && (a == WRITE || b == WRITE) && a != b;
    let known = a_input.known().or(b_input.known()).is_some();
    if compares && known { Glance::Word(word) } else { Glance::Nothing }
}

/// Whether `b`, performed by another process now or later, might interact with `a`.
///
/// What leaves a write alone leaves the value alone, or makes it what is written, so that from then
/// on nothing but what depends on the write changes it. What leaves a test alone keeps its answer.
pub(super) fn interaction(
    a: OperationKind,
    a_input: Operand,
    b: OperationKind,
    b_input: Operand,
    value: Operand,
) -> bool {
    match (a, b) {
        // A test that waits for a value is performed where it has that value.
        (WRITE, AWAIT) => value.may_equal(b_input) && a_input.may_differ(b_input),
        (WRITE, AWAIT_NOT) => value.may_differ(b_input) && a_input.may_equal(b_input),
        (AWAIT_NOT, WRITE) => turns(a_input, b_input, value),
        (ADD, WRITE | READ | AWAIT | AWAIT_NOT) => a_input.may_differ(Operand::Is(0)),
        _ => conflict(a, a_input, b, b_input, value),
    }
}
