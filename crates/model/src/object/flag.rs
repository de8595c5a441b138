//! A boolean flag: a variable whose writes say what they write.
//!
//! Setting a flag that is set changes nothing, so a test depends on it only while the flag is clear.
//! Operations interact where they depend in the present value: what is independent of an operation
//! leaves alone what it depends on.

use super::{Condition, Domain, KindInfo, ObjectType, domain};
use crate::operation::{Operation, OperationKind};

/// A boolean that processes test, set and clear. Its value is one word, 0 or 1.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Flag;

/// Returns the flag.
pub const TEST: OperationKind = OperationKind(0);
/// Makes the flag 1.
pub const SET: OperationKind = OperationKind(1);
/// Makes the flag 0.
pub const CLEAR: OperationKind = OperationKind(2);

const KINDS: &[KindInfo] = &[
    KindInfo { name: "Test", inputs: &[] },
    KindInfo { name: "Set", inputs: &[] },
    KindInfo { name: "Clear", inputs: &[] },
];

impl ObjectType for Flag {
    fn name(&self) -> &'static str {
        "flag"
    }

    fn summary(&self) -> &'static str {
        "A boolean that is tested, set and cleared."
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
            TEST => (v, v),
            SET => (1, 0),
            CLEAR => (0, 0),
            _ => return None,
        };
        next.push(left);
        Some(output)
    }

    fn dependent(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        match (a.kind, b.kind) {
            (TEST, SET) | (SET, TEST) => value[0] != 1,
            (TEST, CLEAR) | (CLEAR, TEST) => value[0] != 0,
            _ => a.kind != b.kind,
        }
    }

    fn interacts(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        self.dependent(a, b, value)
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        a.kind != b.kind
    }

    fn reads(&self, kind: OperationKind) -> bool {
        matches!(kind, TEST)
    }

    fn domain(&self) -> Domain {
        Domain {
            compared: vec![vec![0], vec![1]],
            operations: domain::operations(&[(TEST, &[], &[]), (SET, &[], &[]), (CLEAR, &[], &[])]),
            within: |_| true,
        }
    }

    fn conditions(&self) -> &'static [Condition] {
        &[
            Condition { text: "clear", holds: |_, value| value[0] == 0 },
            Condition { text: "set", holds: |_, value| value[0] != 0 },
        ]
    }
}
