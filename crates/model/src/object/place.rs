//! A place of a Petri net.
//!
//! Consumers compete only for tokens that don't suffice for both, and a producer matters only to
//! a consumer (or a read arc) that lacks tokens. A producer itself waits for nobody.

use super::{Condition, Domain, KindInfo, ObjectType, domain};
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
        let k = operation.operands[0].known().filter(|&k| k >= 0)?;
        next.push(match operation.kind {
            PRODUCE => v.wrapping_add(k),
            CONSUME if v >= k => v - k,
            TEST if v >= k => v,
            _ => return None,
        });
        Some(0)
    }

    fn dependent(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        let (a, b) = if a.kind <= b.kind { (a, b) } else { (b, a) };
        let (x, y) = (a.operands[0].known(), b.operands[0].known());
        let tokens = value[0];
        match (a.kind, b.kind) {
            (PRODUCE, PRODUCE) | (TEST, TEST) => false,
            // Producing j makes k tokens available.
            (PRODUCE, _) => {
                positive(a) && y.is_none_or(|k| tokens < k && x.is_none_or(|j| tokens.saturating_add(j) >= k))
            }
            // Each finds its tokens, both together don't.
            _ => match (x, y) {
                (Some(j), Some(k)) => j >= 0 && k >= 0 && tokens >= j && tokens >= k && tokens - j < k,
                (Some(k), None) | (None, Some(k)) => k > 0 && tokens >= k,
                (None, None) => tokens > 0,
            },
        }
    }

    fn interacts(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        let (x, tokens) = (a.operands[0].known(), value[0]);
        let enabled = x.is_none_or(|k| tokens >= k);
        let disabled = x.is_none_or(|k| tokens < k);
        match (a.kind, b.kind) {
            (PRODUCE, _) => false,
            _ if !(positive(a) && positive(b)) => false,
            (_, PRODUCE) => disabled,
            // Others may consume, or produce, until the tokens suffice for each but not for both.
            (_, CONSUME) | (CONSUME, TEST) => enabled,
            _ => false,
        }
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        let (p, q) = (a.kind, b.kind);
        positive(a) && positive(b) && (p != q || p == CONSUME)
    }

    fn reads(&self, kind: OperationKind) -> bool {
        kind == TEST
    }

    fn domain(&self) -> Domain {
        let weights: &[i64] = &[0, 1, 2];
        Domain {
            compared: (0..=4).map(|tokens| vec![tokens]).collect(),
            operations: domain::operations(&[
                (PRODUCE, weights, &[]),
                (CONSUME, weights, &[]),
                (TEST, weights, &[]),
            ]),
            within: |value| value[0] <= 12,
        }
    }

    fn conditions(&self) -> &'static [Condition] {
        &[
            Condition { text: "n = 0", holds: |_, value| value[0] == 0 },
            Condition { text: "n > 0", holds: |_, value| value[0] > 0 },
        ]
    }
}

/// Whether the weight may be positive. Nothing depends on an operation of weight 0, and one of
/// negative weight is not defined.
fn positive(operation: &Operation) -> bool {
    operation.operands[0].known().is_none_or(|k| k > 0)
}
