//! The table of Godefroid and Pirottin 1993 for DTP: what it brings to refine the dependency between operations.
//!
//! Algorithm 1 takes all steps, Algorithm 2 persistent sets where all operations on a channel depend on each other,
//! Algorithm 3 the same with the dependency that is conditional and with `Length` split into `Empty` and `Full`. That is
//! one method under two grades, `object` and `refined`. The paper does not say which algorithm computes its sets, in
//! which order processes are tried, and whether sleep sets are used, so the methods that follow its
//! definitions are shown in both orders, and only Algorithm 1 is compared. What is looked for is deadlocks, as there.

use super::grid::{Cell, Grid, Row};
use super::{Bench, Counts, Ours, dtp};
use crate::failure::Failure;
use crate::load;
use mazurka_engine::{Config, Dependency, Order, Properties, Reduction};

/// The methods of the rows: the procedure of the paper, the deletion algorithm for the same sets, and that with sleep sets.
pub const REDUCTIONS: [&str; 3] = ["conditional", "deletion", "deletion+sleep"];

/// Per column: its heading, the grade that it stands for (none: all steps are taken), and the paper's numbers.
const THEIRS: [(&str, Option<Dependency>, u64, u64); 3] = [
    ("1 classic", None, 251_409, 648_467),
    ("2 object", Some(Dependency::Object), 56_626, 65_710),
    ("3 refined", Some(Dependency::Refined), 9_920, 10_367),
];

/// Makes the table.
pub fn make(bench: &Bench<'_>) -> Result<Grid, Failure> {
    let loaded = load::model(&dtp::file(bench.arguments)?, &load::How::default())?;
    let count = |reduction: &str, dependency, order| -> Result<Ours, Failure> {
        let reduction: Reduction =
            reduction.parse().map_err(|error| Failure::Internal(format!("{error}")))?;
        let properties = Properties { deadlock: true, assertions: false, unreached: false, reception: false };
        let config = Config { reduction, dependency, order, properties, ..Config::default() };
        bench.count_as(loaded.system(), config)
    };
    let mut rows = Vec::new();
    for (order, name) in [(Order::Forward, "forward"), (Order::Reverse, "reverse")] {
        let mut classic = None;
        for reduction in REDUCTIONS.into_iter().filter(|reduction| bench.wants(reduction)) {
            let mut cells = Vec::new();
            for (_, grade, states, transitions) in THEIRS {
                let (ours, binding) = match (grade, classic) {
                    (Some(grade), _) => (count(reduction, grade, order)?, false),
                    // All steps are the same steps whatever the row: they are counted and compared once.
                    (None, Some(known)) => (known, false),
                    (None, None) => (count("none", Dependency::Refined, order)?, true),
                };
                if grade.is_none() {
                    classic = Some(ours);
                }
                cells.push(Cell { theirs: Some(Counts { states, transitions }), ours, binding });
            }
            rows.push(Row { name: format!("{reduction}, {name}"), cells });
        }
    }
    Ok(Grid {
        title: "Table of Godefroid and Pirottin 1993, DTP, deadlocks only: states stored / transitions"
            .to_owned(),
        source: "paper",
        columns: THEIRS.iter().map(|(heading, ..)| *heading).collect(),
        rows,
        note: "Columns 2 and 3 depend on how sets are chosen and on the order, which the paper does not give: shown, not compared.",
    })
}
