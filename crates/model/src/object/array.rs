//! An array of integer variables: operations on different elements are independent.

use super::{Condition, Domain, KindInfo, ObjectType};
use crate::operation::{Operation, OperationKind};

/// An array of `len` integers. Its value is `len` words.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// The number of elements.
    pub len: usize,
}

/// Returns element `i`.
pub const READ: OperationKind = OperationKind(0);
/// Sets element `i` to `v`.
pub const WRITE: OperationKind = OperationKind(1);
/// Adds `k` to element `i` (wrapping), without output.
pub const ADD: OperationKind = OperationKind(2);

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

    fn dependent(&self, a: &Operation, b: &Operation, _value: &[i64]) -> bool {
        self.constant(a, b)
    }

    fn interacts(&self, a: &Operation, b: &Operation, _value: &[i64]) -> bool {
        self.constant(a, b)
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        const READS: &[OperationKind] = &[READ];
        !(READS.contains(&a.kind) && READS.contains(&b.kind))
    }

    fn domain(&self) -> Domain {
        Domain { compared: Vec::new(), operations: Vec::new(), within: |_| true }
    }

    fn conditions(&self) -> &'static [Condition] {
        &[]
    }
}
