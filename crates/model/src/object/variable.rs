//! A shared integer variable (Godefroid and Pirottin 1993, Examples 1 to 3).

use super::{Condition, Domain, KindInfo, ObjectType};
use crate::operation::{Operation, OperationKind};

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
