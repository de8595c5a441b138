//! Table II, protocols 1 to 3, in the columns of Algorithms 1, 2, 3 and 2+3.
//!
//! At the paper's size (5 processes of 10 local states) all numbers are the paper's. At other sizes
//! they are compared where a formula is known: without reduction the state space is a product; with
//! only local steps Algorithm 2 walks one line through it; Algorithm 3 keeps all states, and reaches
//! each of independent acyclic processes once.

use super::grid::{Cell, Grid, Row};
use super::protocols::{Protocol, protocol};
use super::{Bench, Counts, Ours};
use crate::failure::Failure;

/// The columns: their heading and the reduction that they stand for.
const COLUMNS: [(&str, &str); 4] = [
    ("1 classic", "none"),
    ("2 local first", "local"),
    ("3 conflict sets", "none+sleep"),
    ("2+3", "local+sleep"),
];

/// A row: its protocol and the numbers of the paper, states and transitions.
type PaperRow = (&'static str, Protocol, [(u64, u64); 4]);

const PAPER: [PaperRow; 3] = [
    (
        "1: independent, acyclic",
        Protocol::Independent,
        [(100_001, 450_002), (47, 47), (100_001, 100_001), (47, 47)],
    ),
    (
        "2: independent, cyclic",
        Protocol::Cyclic,
        [(100_001, 500_002), (100_001, 111_112), (100_001, 111_112), (47, 52)],
    ),
    ("3: all dependent, acyclic", Protocol::Dependent, [(100_001, 450_002); 4]),
];

/// Makes the table.
pub fn make(bench: &Bench<'_>) -> Result<Grid, Failure> {
    let (n, m) = (bench.arguments.processes, bench.arguments.local_states);
    let of_paper = (n, m) == (5, 10);
    let wanted: Vec<usize> = (0..COLUMNS.len()).filter(|column| bench.wants(COLUMNS[*column].1)).collect();
    let mut rows = Vec::new();
    for (name, kind, numbers) in PAPER {
        let mut cells = Vec::new();
        for column in &wanted {
            let (_, reduction) = COLUMNS[*column];
            let (states, transitions) = numbers[*column];
            let theirs = if of_paper {
                Known::Counts(Counts { states, transitions })
            } else {
                formula(kind, reduction, n, m)
            };
            let too_many = match &theirs {
                Known::Counts(counts) => counts.states > bench.arguments.states,
                Known::Huge => true,
                Known::Nothing => false,
            };
            let ours = if too_many { Ours::TooMany } else { bench.count(protocol(kind, n, m), reduction)? };
            let theirs = match theirs {
                Known::Counts(counts) => Some(counts),
                Known::Huge | Known::Nothing => None,
            };
            cells.push(Cell { theirs, ours, binding: true });
        }
        rows.push(Row { name: name.to_owned(), cells });
    }
    Ok(Grid {
        title: format!(
            "Table II of Holzmann, Godefroid and Pirottin 1992, {n} processes of {m} local states: \
             states stored / transitions"
        ),
        source: if of_paper { "paper" } else { "formula" },
        columns: wanted.iter().map(|column| COLUMNS[*column].0).collect(),
        rows,
        note: "",
    })
}

/// What is known of a cell before it is computed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Known {
    /// Both counts.
    Counts(Counts),
    /// That they don't fit any computer.
    Huge,
    /// Nothing.
    Nothing,
}

/// What a formula says of a cell.
fn formula(kind: Protocol, reduction: &str, n: u16, m: u16) -> Known {
    let (processes, places) = (u64::from(n), u64::from(m));
    let line = processes * (places - 1) + 2;
    let product = || {
        let rest = places.checked_pow(u32::from(n) - 1)?;
        let states = rest.checked_mul(places)?.checked_add(1)?;
        let steps = if kind == Protocol::Cyclic { places } else { places - 1 };
        let transitions = rest.checked_mul(processes)?.checked_mul(steps)?.checked_add(2)?;
        Some(Counts { states, transitions })
    };
    let known = |counts: Option<Counts>| counts.map_or(Known::Huge, Known::Counts);
    match (kind, reduction) {
        (_, "none") | (Protocol::Dependent, _) => known(product()),
        (Protocol::Independent, "none+sleep") => {
            known(product().map(|counts| Counts { transitions: counts.states, ..counts }))
        }
        (Protocol::Independent, _) => Known::Counts(Counts { states: line, transitions: line }),
        (Protocol::Cyclic, _) => Known::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formulas_give_the_numbers_of_the_paper() {
        let mut compared = 0;
        for (name, kind, numbers) in PAPER {
            for ((_, reduction), (states, transitions)) in COLUMNS.iter().zip(numbers) {
                if let Known::Counts(counts) = formula(kind, reduction, 5, 10) {
                    assert_eq!(counts, Counts { states, transitions }, "{name} {reduction}");
                    compared += 1;
                }
            }
        }
        assert_eq!(compared, 9);
    }

    #[test]
    fn a_thousand_processes_are_a_line_for_algorithm_2() {
        let line = Counts { states: 9_002, transitions: 9_002 };
        assert_eq!(formula(Protocol::Independent, "local", 1_000, 10), Known::Counts(line));
        assert_eq!(formula(Protocol::Independent, "none", 1_000, 10), Known::Huge);
    }
}
