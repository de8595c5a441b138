//! A shared integer variable (Godefroid and Pirottin 1993, Examples 1 to 3).
//!
//! Where inputs are known dependency is finer than the paper's: writes of one and the same number
//! commute, and writing what the variable already holds is seen by nobody. "Might interact" does
//! not look at what is written or added, nor at the value: it is the paper's constant table.

use super::{Condition, Domain, KindInfo, ObjectType, domain};
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

const KINDS: &[KindInfo] = &[
    KindInfo { name: "Read", inputs: &[] },
    KindInfo { name: "Write", inputs: &["v"] },
    KindInfo { name: "Add", inputs: &["k"] },
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
            _ => return None,
        };
        next.push(left);
        Some(output)
    }

    fn dependent(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        conflict(a.kind, a.operands[0], b.kind, b.operands[0], Operand::Is(value[0]))
    }

    fn interacts(&self, a: &Operation, b: &Operation, _value: &[i64]) -> bool {
        conflict(a.kind, Operand::Any, b.kind, Operand::Any, Operand::Any)
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        conflict(a.kind, a.operands[0], b.kind, b.operands[0], Operand::Any)
    }

    fn unrefined(&self, operation: &Operation) -> Operation {
        match operation.kind {
            READ => *operation,
            _ => Operation::new(operation.process, WRITE),
        }
    }

    fn identifies(&self, _kind: OperationKind, _input: usize) -> bool {
        false
    }

    fn reads(&self, kind: OperationKind) -> bool {
        matches!(kind, READ)
    }

    fn domain(&self) -> Domain {
        Domain {
            compared: (0..=2).map(|v| vec![v]).collect(),
            operations: domain::operations(&[
                (READ, &[], &[]),
                (WRITE, &[0, 1, 2], &[]),
                (ADD, &[-1, 0, 1], &[]),
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
        (READ, READ) | (ADD, ADD) => false,
        (READ, WRITE) => b_input.may_differ(value),
        (WRITE, READ) => a_input.may_differ(value),
        (WRITE, WRITE) => a_input.may_differ(b_input),
        (_, ADD) => b_input.may_differ(zero),
        (ADD, _) => a_input.may_differ(zero),
        _ => true,
    }
}
