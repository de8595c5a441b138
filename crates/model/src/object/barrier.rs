//! A cyclic barrier: arriving and passing are two steps.

use super::process_bit;
use super::{Condition, Domain, KindInfo, ObjectType};
use crate::operation::{Operation, OperationKind};
/// A barrier that opens whenever `parties` processes have arrived.
///
/// Its value is two words: the set of processes that have arrived and wait, and the set of those
/// that may pass. Which process arrived last is not told to anyone, so arrivals commute.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Barrier {
    /// How many processes open it.
    pub parties: u32,
}

/// Arrives; defined unless the process has arrived and not passed.
pub const ARRIVE: OperationKind = OperationKind(0);
/// Passes; defined once enough processes have arrived.
pub const PASS: OperationKind = OperationKind(1);

const KINDS: &[KindInfo] =
    &[KindInfo { name: "Arrive", inputs: &[] }, KindInfo { name: "Pass", inputs: &[] }];

impl ObjectType for Barrier {
    fn name(&self) -> &'static str {
        "barrier"
    }

    fn summary(&self) -> &'static str {
        "A cyclic barrier; arriving and passing are two steps."
    }

    fn kinds(&self) -> &'static [KindInfo] {
        KINDS
    }

    fn initial(&self) -> Vec<i64> {
        vec![0, 0]
    }

    fn apply(&self, value: &[i64], operation: &Operation, next: &mut Vec<i64>) -> Option<i64> {
        next.clear();
        let &[arrived, open] = value else { return None };
        let bit = process_bit(operation.process)?;
        let left = match operation.kind {
            ARRIVE if (arrived | open) & bit == 0 => {
                if arrived.count_ones() + 1 >= self.parties {
                    [0, open | arrived | bit]
                } else {
                    [arrived | bit, open]
                }
            }
            PASS if open & bit != 0 => [arrived, open & !bit],
            _ => return None,
        };
        next.extend_from_slice(&left);
        Some(0)
    }

    fn dependent(&self, a: &Operation, b: &Operation, _value: &[i64]) -> bool {
        self.constant(a, b)
    }

    fn interacts(&self, a: &Operation, b: &Operation, _value: &[i64]) -> bool {
        self.constant(a, b)
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        const READS: &[OperationKind] = &[];
        !(READS.contains(&a.kind) && READS.contains(&b.kind))
    }

    fn domain(&self) -> Domain {
        Domain { compared: Vec::new(), operations: Vec::new(), within: |_| true }
    }

    fn conditions(&self) -> &'static [Condition] {
        &[]
    }
}
