//! An array of integer variables: operations on different elements are independent.
//!
//! On one element the relations are those of a [variable]. An index that is not known
//! stands for every element. An operation beyond the end is not defined.

use super::variable::{self, conflict, contradict, glance, interaction};
use super::{Condition, Domain, Glance, KindInfo, ObjectType, domain};
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

/// Waits until element `i` is `v`: defined if it is.
pub const AWAIT: OperationKind = variable::AWAIT;
/// Waits until element `i` is another than `v`: defined if it is.
pub const AWAIT_NOT: OperationKind = variable::AWAIT_NOT;

const KINDS: &[KindInfo] = &[
    KindInfo { name: "Read", inputs: &["i"] },
    KindInfo { name: "Write", inputs: &["i", "v"] },
    KindInfo { name: "Add", inputs: &["i", "k"] },
    KindInfo { name: "Await", inputs: &["i", "v"] },
    KindInfo { name: "AwaitNot", inputs: &["i", "v"] },
];

impl Array {
    /// The value of the element that both operations mean, if they mean one; `None` if it does not
    /// exist. A known index tells which one it is.
    fn element(&self, a: &Operation, b: &Operation, value: &[i64]) -> Option<Operand> {
        let Some(index) = a.operands[0].known().or(b.operands[0].known()) else { return Some(Operand::Any) };
        let element = usize::try_from(index).ok().and_then(|index| value.get(index))?;
        Some(Operand::Is(*element))
    }
}

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
            AWAIT if operation.operands[1].known()? == v => (v, 0),
            AWAIT_NOT if operation.operands[1].known()? != v => (v, 0),
            _ => return None,
        };
        next.extend_from_slice(value);
        next[index] = left;
        Some(output)
    }

    fn dependent(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        let Some(element) = self.element(a, b, value) else { return false };
        a.operands[0].may_equal(b.operands[0])
            && conflict(a.kind, a.operands[1], b.kind, b.operands[1], element)
    }

    fn interacts(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        let Some(element) = self.element(a, b, value) else { return false };
        a.operands[0].may_equal(b.operands[0])
            && interaction(a.kind, a.operands[1], b.kind, b.operands[1], element)
    }

    fn glance(&self, a: &Operation, b: &Operation) -> Glance {
        if !a.operands[0].may_equal(b.operands[0]) {
            return Glance::Nothing;
        }
        let index = a.operands[0].known().or(b.operands[0].known());
        match index.and_then(|index| usize::try_from(index).ok()) {
            Some(index) if index < self.len => glance(a.kind, a.operands[1], b.kind, b.operands[1], index),
            _ => Glance::Nothing,
        }
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        a.operands[0].may_equal(b.operands[0])
            && conflict(a.kind, a.operands[1], b.kind, b.operands[1], Operand::Any)
    }

    fn exclusive(&self, a: &Operation, b: &Operation) -> bool {
        !a.operands[0].may_differ(b.operands[0]) && contradict(a.kind, a.operands[1], b.kind, b.operands[1])
    }

    fn unrefined(&self, operation: &Operation) -> Operation {
        let kind = if self.reads(operation.kind) { READ } else { WRITE };
        Operation::with_both(operation.process, kind, [operation.operands[0], Operand::Any])
    }

    fn reads(&self, kind: OperationKind) -> bool {
        matches!(kind, READ | AWAIT | AWAIT_NOT)
    }

    fn apart(&self, a: &Operation, b: &Operation) -> bool {
        !a.operands[0].may_equal(b.operands[0]) || (self.reads(a.kind) && self.reads(b.kind))
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
                (AWAIT, &indices, &[0, 1]),
                (AWAIT_NOT, &indices, &[0, 1]),
            ]),
            within: |value| value.iter().all(|&v| v <= 2),
        }
    }

    fn conditions(&self) -> &'static [Condition] {
        &[]
    }
}
