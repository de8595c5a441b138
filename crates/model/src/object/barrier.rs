//! A cyclic barrier: arriving and passing are two steps.
//!
//! Arrivals commute except at the last place: of two processes that could both open the barrier,
//! one does, and the other waits for the next round.

use super::{Condition, Domain, KindInfo, ObjectType, domain, process_bit};
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

    fn dependent(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        let &[arrived, open] = value else { return true };
        let (Some(x), Some(y)) = (process_bit(a.process), process_bit(b.process)) else { return true };
        let opens = arrived.count_ones() + 1 >= self.parties;
        match (a.kind, b.kind) {
            (ARRIVE, ARRIVE) => opens && self.parties > 1 && (arrived | open) & (x | y) == 0,
            (ARRIVE, PASS) => opens && (arrived | open) & x == 0 && arrived & y != 0,
            (PASS, ARRIVE) => opens && (arrived | open) & y == 0 && arrived & x != 0,
            _ => false,
        }
    }

    fn interacts(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        let &[arrived, open] = value else { return true };
        let (Some(x), Some(y)) = (process_bit(a.process), process_bit(b.process)) else { return true };
        match (a.kind, b.kind) {
            // Others may arrive until one is missing. Who has arrived stays until then.
            (ARRIVE, ARRIVE) => self.parties > 1 && (arrived | open) & x == 0 && arrived & y == 0,
            (PASS, ARRIVE) => arrived & x != 0 && arrived & y == 0,
            _ => false,
        }
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        self.parties > 1 && !(a.kind == PASS && b.kind == PASS)
    }

    fn domain(&self) -> Domain {
        // One process more than the barrier needs, and one that comes round again.
        let processes = self.parties as u16 + 2;
        let sets = 0..1_i64 << processes;
        let pairs = sets.clone().flat_map(|arrived| sets.clone().map(move |open| vec![arrived, open]));
        let valid = |value: &Vec<i64>| value[0] & value[1] == 0 && value[0].count_ones() < self.parties;
        Domain {
            compared: pairs.filter(valid).collect(),
            operations: domain::operations_of(processes, &[(ARRIVE, &[], &[]), (PASS, &[], &[])]),
            within: |_| true,
        }
    }

    fn parameter(&self) -> i64 {
        i64::from(self.parties)
    }

    fn conditions(&self) -> &'static [Condition] {
        &[
            Condition { text: "N > 1", holds: |object, _| object.parameter() > 1 },
            Condition { text: "n > 0", holds: |_, value| value[0] != 0 },
            Condition {
                text: "n = N - 1 > 0",
                holds: |object, value| {
                    value[0] != 0 && i64::from(value[0].count_ones()) == object.parameter() - 1
                },
            },
        ]
    }
}
