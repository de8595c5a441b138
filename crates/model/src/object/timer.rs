//! A timer: it may expire at any time while it runs.
//!
//! Time itself is not modelled. Starts commute with each other, so a start of a stopped timer interacts
//! with the expiry that may follow the start of another process.

use super::{Condition, Domain, KindInfo, ObjectType, domain};
use crate::operation::{Operation, OperationKind};

/// A timer. Its value is one word: 1 while it runs, else 0.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Timer;

/// Starts, or restarts, the timer.
pub const START: OperationKind = OperationKind(0);
/// Stops the timer; does nothing if it is stopped.
pub const STOP: OperationKind = OperationKind(1);
/// The timer expires; defined while it runs.
pub const EXPIRE: OperationKind = OperationKind(2);

const KINDS: &[KindInfo] = &[
    KindInfo { name: "Start", inputs: &[] },
    KindInfo { name: "Stop", inputs: &[] },
    KindInfo { name: "Expire", inputs: &[] },
];

impl ObjectType for Timer {
    fn name(&self) -> &'static str {
        "timer"
    }

    fn summary(&self) -> &'static str {
        "A timer that may expire at any time while it runs."
    }

    fn kinds(&self) -> &'static [KindInfo] {
        KINDS
    }

    fn initial(&self) -> Vec<i64> {
        vec![0]
    }

    fn apply(&self, value: &[i64], operation: &Operation, next: &mut Vec<i64>) -> Option<i64> {
        next.clear();
        let running = *value.first()? != 0;
        next.push(match operation.kind {
            START => 1,
            STOP => 0,
            EXPIRE if running => 0,
            _ => return None,
        });
        Some(0)
    }

    fn dependent(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        match (a.kind, b.kind) {
            (START, START) | (STOP, STOP) => false,
            (START, _) | (_, START) => true,
            _ => value[0] != 0,
        }
    }

    fn interacts(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        let running = value[0] != 0;
        match (a.kind, b.kind) {
            // A stopped timer can expire once another start, which commutes with this one, has set it.
            (START, STOP | EXPIRE) | (STOP | EXPIRE, START) => true,
            (START, START) | (STOP, STOP) => false,
            _ => running,
        }
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        !matches!((a.kind, b.kind), (START, START) | (STOP, STOP))
    }

    fn domain(&self) -> Domain {
        Domain {
            compared: vec![vec![0], vec![1]],
            operations: domain::operations(&[(START, &[], &[]), (STOP, &[], &[]), (EXPIRE, &[], &[])]),
            within: |_| true,
        }
    }

    fn conditions(&self) -> &'static [Condition] {
        &[
            Condition { text: "running", holds: |_, value| value[0] != 0 },
            Condition { text: "stopped", holds: |_, value| value[0] == 0 },
        ]
    }
}
