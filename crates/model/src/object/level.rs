//! A quantity that steps raise and lower and that conditions compare with a bound.
//!
//! Where a condition speaks of a sum of token counts, the sum is the object: a step that moves a token
//! between two places of the sum leaves it alone. Whoever waits until the quantity has risen waits
//! only for steps that raise it.

use super::{Condition, Domain, KindInfo, ObjectType, domain};
use crate::operation::{Operation, OperationKind};

/// An integer that is added to and compared. Its value is one word.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Level;

/// Adds its input, which may be negative, without output.
pub const ADD: OperationKind = OperationKind(0);
/// Defined if the value is its input or more; changes nothing.
pub const AT_LEAST: OperationKind = OperationKind(1);
/// Defined if the value is its input or less; changes nothing.
pub const AT_MOST: OperationKind = OperationKind(2);

const KINDS: &[KindInfo] = &[
    KindInfo { name: "Add", inputs: &["k"] },
    KindInfo { name: "AtLeast", inputs: &["v"] },
    KindInfo { name: "AtMost", inputs: &["v"] },
];

impl ObjectType for Level {
    fn name(&self) -> &'static str {
        "level"
    }

    fn summary(&self) -> &'static str {
        "A quantity that is raised, lowered, and compared with bounds."
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
        let k = operation.operands[0].known()?;
        next.push(match operation.kind {
            ADD => v.saturating_add(k),
            AT_LEAST if v >= k => v,
            AT_MOST if v <= k => v,
            _ => return None,
        });
        Some(0)
    }

    fn dependent(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        let (add, test) = if a.kind == ADD { (a, b) } else { (b, a) };
        if add.kind != ADD || test.kind == ADD {
            return false;
        }
        match (add.operands[0].known(), test.operands[0].known()) {
            (Some(k), Some(_)) => holds(test, value[0]) != holds(test, value[0].saturating_add(k)),
            (Some(k), None) => k != 0,
            (None, _) => true,
        }
    }

    fn interacts(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        match (a.kind, b.kind) {
            (ADD, ADD) => false,
            // Others may bring the value to where this addition makes the test false.
            (ADD, _) => may(a, |k| against(b, k)),
            (_, ADD) => match a.operands[0].known() {
                None => may(b, |k| k != 0),
                Some(_) if holds(a, value[0]) => may(b, |k| against(a, k)),
                Some(_) => may(b, |k| k != 0 && !against(a, k)),
            },
            _ => false,
        }
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        (a.kind == ADD) != (b.kind == ADD) && may(if a.kind == ADD { a } else { b }, |k| k != 0)
    }

    fn reads(&self, kind: OperationKind) -> bool {
        kind != ADD
    }

    fn domain(&self) -> Domain {
        let bounds: &[i64] = &[-1, 0, 1];
        Domain {
            compared: (-3..=3).map(|level| vec![level]).collect(),
            operations: domain::operations(&[
                (ADD, &[-2, -1, 0, 1, 2], &[]),
                (AT_LEAST, bounds, &[]),
                (AT_MOST, bounds, &[]),
            ]),
            within: |value| value[0].abs() <= 12,
        }
    }

    fn conditions(&self) -> &'static [Condition] {
        &[
            Condition { text: "n < 0", holds: |_, value| value[0] < 0 },
            Condition { text: "n = 0", holds: |_, value| value[0] == 0 },
            Condition { text: "n > 0", holds: |_, value| value[0] > 0 },
        ]
    }
}

/// Whether a test is defined in a value.
fn holds(test: &Operation, value: i64) -> bool {
    let Some(bound) = test.operands[0].known() else { return true };
    if test.kind == AT_LEAST { value >= bound } else { value <= bound }
}

/// Whether adding `k` leads away from what a test asks for.
fn against(test: &Operation, k: i64) -> bool {
    if test.kind == AT_LEAST { k < 0 } else { k > 0 }
}

/// Whether the input of an addition may be one that `so` accepts.
fn may(add: &Operation, so: impl Fn(i64) -> bool) -> bool {
    add.operands[0].known().is_none_or(so)
}
