//! The table of processes that are created behind the others and leave in the reverse order.
//!
//! Creating a process gives it the first free slot, and only the youngest may exit, as in Promela.
//! Whoever wants to exit and is not the youngest waits for the exit of the next younger one, and for
//! nothing else: neither creations nor the exits of still younger ones can let it go. That is what
//! makes ▷ small here. The value is the number of processes.

use super::{Condition, Domain, KindInfo, ObjectType, domain};
use crate::operation::{Operation, OperationKind};

/// Which processes there are: those in the slots below its value.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Processes;

/// Adds a process and returns its slot.
pub const CREATE: OperationKind = OperationKind(0);
/// The process leaves; defined if it is the youngest.
pub const EXIT: OperationKind = OperationKind(1);
/// Returns how many processes there are.
pub const COUNT: OperationKind = OperationKind(2);

const KINDS: &[KindInfo] = &[
    KindInfo { name: "Create", inputs: &[] },
    KindInfo { name: "Exit", inputs: &[] },
    KindInfo { name: "Count", inputs: &[] },
];

/// The slot of the process that performs an operation.
fn slot(operation: &Operation) -> i64 {
    operation.process.0.into()
}

impl ObjectType for Processes {
    fn name(&self) -> &'static str {
        "processes"
    }

    fn summary(&self) -> &'static str {
        "The processes that exist; the youngest leaves first."
    }

    fn kinds(&self) -> &'static [KindInfo] {
        KINDS
    }

    fn initial(&self) -> Vec<i64> {
        vec![1]
    }

    fn apply(&self, value: &[i64], operation: &Operation, next: &mut Vec<i64>) -> Option<i64> {
        next.clear();
        let count = *value.first()?;
        let (left, output) = match operation.kind {
            CREATE => (count + 1, count),
            EXIT if count == slot(operation) + 1 => (count - 1, 0),
            COUNT => (count, count),
            _ => return None,
        };
        next.push(left);
        Some(output)
    }

    fn dependent(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        let (a, b) = if a.kind <= b.kind { (a, b) } else { (b, a) };
        let count = value[0];
        match (a.kind, b.kind) {
            // A creation disables the exit of the youngest, or makes the youngest in the first place.
            (CREATE, EXIT) => count == slot(b) + 1 || count == slot(b),
            (CREATE, _) => true,
            (EXIT, EXIT) => {
                let lets_go = |first: i64, second: i64| count == first + 1 && second + 1 == first;
                lets_go(slot(a), slot(b)) || lets_go(slot(b), slot(a))
            }
            (EXIT, COUNT) => count == slot(a) + 1,
            _ => false,
        }
    }

    fn interacts(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
        let count = value[0];
        match (a.kind, b.kind) {
            (CREATE | COUNT, CREATE) | (CREATE, COUNT) => true,
            (CREATE | COUNT, EXIT) => count == slot(b) + 1,
            (EXIT, CREATE) => count <= slot(a) + 1,
            (EXIT, EXIT) => count > slot(a) + 1 && slot(b) == slot(a) + 1,
            (EXIT, COUNT) => count == slot(a) + 1,
            _ => false,
        }
    }

    fn constant(&self, a: &Operation, b: &Operation) -> bool {
        let (a, b) = if a.kind <= b.kind { (a, b) } else { (b, a) };
        match (a.kind, b.kind) {
            (EXIT, EXIT) => (slot(a) - slot(b)).abs() == 1,
            (COUNT, COUNT) => false,
            _ => true,
        }
    }

    fn reads(&self, kind: OperationKind) -> bool {
        matches!(kind, COUNT)
    }

    fn domain(&self) -> Domain {
        Domain {
            compared: (1..=5).map(|count| vec![count]).collect(),
            operations: domain::operations_of(5, &[(CREATE, &[], &[]), (EXIT, &[], &[]), (COUNT, &[], &[])]),
            within: |value| value[0] <= 9,
        }
    }

    fn conditions(&self) -> &'static [Condition] {
        &[
            Condition { text: "n = 1", holds: |_, value| value[0] == 1 },
            Condition { text: "n = 2", holds: |_, value| value[0] == 2 },
            Condition { text: "n > 2", holds: |_, value| value[0] > 2 },
        ]
    }
}
