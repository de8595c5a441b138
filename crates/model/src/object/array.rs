//! An array of integer variables: operations on different elements are independent.
//!
//! On one element the relations are those of a [variable]. An index that is not known
//! stands for every element. An operation beyond the end is not defined.

use super::variable::{self, conflict};
use super::{Condition, Domain, KindInfo, ObjectType, domain};
use crate::operation::{Operand, Operation, OperationKind};

/// An array of `len` integers. Its value is `len` words.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// The number of elements.
    pub len: usize,
}

/// Returns element `i`.
pub const READ: OperationKind = variable::READ;
/// Sets element `i` to `v`.
pub const WRITE: OperationKind = variable::WRITE;
/// Adds `k` to element `i` (wrapping), without output.
pub const ADD: OperationKind = variable::ADD;

const KINDS: &[KindInfo] = &[
    KindInfo { name: "Read", inputs: &["i"] },
    KindInfo { name: "Write", inputs: &["i", "v"] },
    KindInfo { name: "Add", inputs: &["i", "k"] },
];

impl ObjectType for Array {
    fn name(&self) -> &'static str {
        "array"
    }

    fn summary(&self) -> &'static str {
        "An array of integers; operations on different elements are independent."
    }

    fn kinds(&self) -> &'static [KindInfo] {
        KINDS
    }

    fn initial(&self) -> Vec<i64> {
        vec![0; self.len]
    }

    fn apply(&self, value: &[i64], operation: &Operation, next: &mut Vec<i64>) -> Option<i64> {
        next.clear();
        let index = usize::try_from(operation.operands[0].known()?).ok()?;
        let v = *value.get(index)?;
        let (left, output) = match operation.kind {
            READ => (v, v),
            WRITE => (operation.operands[1].known()?, 0),
            ADD => (v.wrapping_add(operation.operands[1].known()?), 0),
            _ => return None,
        };
        next.extend_from_slice(value);
        next[index] = left;
        Some(output)
    }

    fn dependent(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        // If the elements are the same, a known index tells which one it is.
        let element = match a.operands[0].known().or(b.operands[0].known()) {
            None => Operand::Any,
            Some(index) => match usize::try_from(index).ok().and_then(|index| value.get(index)) {
                None => return false,
                Some(&v) => Operand::Is(v),
            },
        };
        a.operands[0].may_equal(b.operands[0])
            && conflict(a.kind, a.operands[1], b.kind, b.operands[1], element)
    }

    fn interacts(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        let (x, y) = (a.operands[0], b.operands[0]);
        let exists = |i: Operand| i.known().is_none_or(|i| (0..value.len() as i64).contains(&i));
        x.may_equal(y)
            && exists(x)
            && exists(y)
            && conflict(a.kind, Operand::Any, b.kind, Operand::Any, Operand::Any)
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        a.operands[0].may_equal(b.operands[0])
            && conflict(a.kind, a.operands[1], b.kind, b.operands[1], Operand::Any)
    }

    fn unrefined(&self, operation: &Operation) -> Operation {
        let kind = if operation.kind == READ { READ } else { WRITE };
        Operation::with_both(operation.process, kind, [operation.operands[0], Operand::Any])
    }

    fn identifies(&self, _kind: OperationKind, input: usize) -> bool {
        input == 0
    }

    fn reads(&self, kind: OperationKind) -> bool {
        matches!(kind, READ)
    }

    fn domain(&self) -> Domain {
        let indices: Vec<i64> = (0..self.len as i64).collect();
        let mut compared = domain::sequences(&[0, 1], self.len);
        compared.retain(|value| value.len() == self.len);
        Domain {
            compared,
            operations: domain::operations(&[
                (READ, &indices, &[]),
                (WRITE, &indices, &[0, 1]),
                (ADD, &indices, &[0, 1]),
            ]),
            within: |value| value.iter().all(|&v| v <= 2),
        }
    }

    fn conditions(&self) -> &'static [Condition] {
        &[]
    }
}
