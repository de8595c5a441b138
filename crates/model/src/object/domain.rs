//! The small domain over which the relations of an object type are derived and compared.

use crate::ids::ProcessId;
use crate::operation::{Operand, Operation, OperationKind};

/// How many processes the domains of the library have: two for a pair of operations, and a third
/// for what happens in between.
pub const PROCESSES: u16 = 3;

/// The small domain over which the relations of an object are derived and compared.
#[derive(Clone, Debug)]
pub struct Domain {
    /// The values in which derived and declared relations are compared.
    pub compared: Vec<Vec<i64>>,
    /// Every operation, of at least three processes, with every input of the domain.
    pub operations: Vec<Operation>,
    /// Whether a value lies within the cut-off, for objects whose values are unbounded. Paths that
    /// leave the cut-off are not followed, so compared values lie well inside.
    pub within: fn(value: &[i64]) -> bool,
}

/// The operations of [`PROCESSES`] processes: each kind with all combinations of the inputs given
/// for it (an empty list: it has no such input).
pub fn operations(kinds: &[(OperationKind, &[i64], &[i64])]) -> Vec<Operation> {
    operations_of(PROCESSES, kinds)
}

/// The same for another number of processes.
pub fn operations_of(processes: u16, kinds: &[(OperationKind, &[i64], &[i64])]) -> Vec<Operation> {
    let mut all = Vec::new();
    for process in (0..processes).map(ProcessId) {
        for &(kind, first, second) in kinds {
            for &x in &operands(first) {
                all.extend(operands(second).iter().map(|&y| Operation::with_both(process, kind, [x, y])));
            }
        }
    }
    all
}

fn operands(inputs: &[i64]) -> Vec<Operand> {
    if inputs.is_empty() { vec![Operand::Any] } else { inputs.iter().copied().map(Operand::Is).collect() }
}

/// All lists of at most `longest` items, the shorter ones first.
pub fn sequences(items: &[i64], longest: usize) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..longest {
        let until = all.len();
        for at in from..until {
            for &item in items {
                let mut longer: Vec<i64> = all[at].clone();
                longer.push(item);
                all.push(longer);
            }
        }
        from = until;
    }
    all
}
