//! A place of a Petri net.

use super::{Condition, Domain, KindInfo, ObjectType};
use crate::operation::{Operation, OperationKind};

/// A place that holds tokens. Its value is one word, their number.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The tokens of the initial marking.
    pub initial: i64,
}

/// Adds `k` tokens.
pub const PRODUCE: OperationKind = OperationKind(0);
/// Removes `k` tokens; defined if there are that many.
pub const CONSUME: OperationKind = OperationKind(1);
/// A read arc: defined if there are at least `k` tokens, changes nothing.
pub const TEST: OperationKind = OperationKind(2);

const KINDS: &[KindInfo] = &[
    KindInfo { name: "Produce", inputs: &["k"] },
    KindInfo { name: "Consume", inputs: &["k"] },
    KindInfo { name: "Test", inputs: &["k"] },
];

impl ObjectType for Place {
    fn name(&self) -> &'static str {
        "place"
    }

    fn summary(&self) -> &'static str {
        "A place of a Petri net, with weighted arcs and read arcs."
    }

    fn kinds(&self) -> &'static [KindInfo] {
        KINDS
    }

    fn initial(&self) -> Vec<i64> {
        vec![self.initial]
    }

    fn apply(&self, value: &[i64], operation: &Operation, next: &mut Vec<i64>) -> Option<i64> {
        next.clear();
        let v = *value.first()?;
        let k = operation.operands[0].known()?;
        next.push(match operation.kind {
            PRODUCE => v.checked_add(k)?,
            CONSUME if v >= k => v - k,
            TEST if v >= k => v,
            _ => return None,
        });
        Some(0)
    }

    fn dependent(&self, a: &Operation, b: &Operation, _value: &[i64]) -> bool {
        self.constant(a, b)
    }

    fn interacts(&self, a: &Operation, b: &Operation, _value: &[i64]) -> bool {
        self.constant(a, b)
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        const READS: &[OperationKind] = &[TEST];
        !(READS.contains(&a.kind) && READS.contains(&b.kind))
    }

    fn domain(&self) -> Domain {
        Domain { compared: Vec::new(), operations: Vec::new(), within: |_| true }
    }

    fn conditions(&self) -> &'static [Condition] {
        &[]
    }
}
