//! How far processes have come, for those who ask it of them: where one stands, or whether it can move.
//!
//! Whoever asks about a process depends on each of its steps, and on no step of another. What else decides whether it can move are
//! objects of their own, which the one who asks looks at as well. The value counts the moves of each process, by slot.
//! Moves commute: two processes move by themselves, and of one of them the order is fixed anyway.

use super::{Condition, Domain, Glance, KindInfo, ObjectType, domain};
use crate::operation::{Operand, Operation, OperationKind};

/// The moves of the processes in so many slots, counted modulo 3.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Whereabouts {
    /// How many slots there are.
    pub slots: usize,
}

/// The process in slot i takes a step.
pub const MOVE: OperationKind = OperationKind(0);
/// Asks about the process in slot i.
pub const ASK: OperationKind = OperationKind(1);

const KINDS: &[KindInfo] =
    &[KindInfo { name: "Move", inputs: &["i"] }, KindInfo { name: "Ask", inputs: &["i"] }];

/// Whether the operations may be about one process.
fn same_slot(a: &Operation, b: &Operation) -> bool {
    match (a.operands[0], b.operands[0]) {
        (Operand::Is(i), Operand::Is(j)) => i == j,
        _ => true,
    }
}

fn conflict(a: &Operation, b: &Operation) -> bool {
    a.kind != b.kind && same_slot(a, b)
}

impl ObjectType for Whereabouts {
    fn name(&self) -> &'static str {
        "whereabouts"
    }

    fn summary(&self) -> &'static str {
        "How far each process has come, for those who ask it of them."
    }

    fn kinds(&self) -> &'static [KindInfo] {
        KINDS
    }

    fn initial(&self) -> Vec<i64> {
        vec![0; self.slots]
    }

    fn apply(&self, value: &[i64], operation: &Operation, next: &mut Vec<i64>) -> Option<i64> {
        let slot = usize::try_from(operation.operands[0].known()?).ok()?;
        let moves = *value.get(slot)?;
        next.clear();
        next.extend_from_slice(value);
        match operation.kind {
            MOVE => next[slot] = (moves + 1) % 3,
            ASK => return Some(moves),
            _ => return None,
        }
        Some(0)
    }

    fn dependent(&self, a: &Operation, b: &Operation, _value: &[i64]) -> bool {
        conflict(a, b)
    }

    fn interacts(&self, a: &Operation, b: &Operation, _value: &[i64]) -> bool {
        conflict(a, b)
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        conflict(a, b)
    }

    fn glance(&self, _a: &Operation, _b: &Operation) -> Glance {
        Glance::Nothing
    }

    fn reads(&self, kind: OperationKind) -> bool {
        kind == ASK
    }

    fn apart(&self, a: &Operation, b: &Operation) -> bool {
        !same_slot(a, b) || self.reads(a.kind) && self.reads(b.kind)
    }

    fn domain(&self) -> Domain {
        let slots: Vec<i64> = (0..self.slots as i64).collect();
        let mut compared = vec![Vec::new()];
        for _ in 0..self.slots {
            let longer = |value: &Vec<i64>| [0, 1, 2].map(|moves| [value.as_slice(), &[moves]].concat());
            compared = compared.iter().flat_map(longer).collect();
        }
        Domain {
            compared,
            operations: domain::operations(&[(MOVE, &slots, &[]), (ASK, &slots, &[])]),
            within: |_| true,
        }
    }

    fn conditions(&self) -> &'static [Condition] {
        &[]
    }
}
