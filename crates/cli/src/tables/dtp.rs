//! The rows of Table II for DTP, a data transfer protocol that comes with SPIN as an example.
//!
//! The model is not ours to ship, so it is taken from where the package of SPIN puts it, or from
//! `--dtp FILE`. Algorithms 1 and 2 give the paper's numbers whatever the order. Those of Algorithm 3
//! depend on the order in which processes and statements are tried and on details of the conflict
//! sets that the paper leaves open; sleep sets that are sound under state matching open states again,
//! which costs transitions. So these are shown and not compared.

use super::grid::{Cell, Grid, Row};
use super::{Bench, COLUMNS, Counts};
use crate::arguments::TablesArguments;
use crate::failure::Failure;
use crate::load;
use mazurka_engine::{Dependency, Order};
use std::path::PathBuf;

/// Where Debian's package of SPIN has the model.
const INSTALLED: &str = "/usr/share/doc/spin/examples/Examples/dtp.pml";

/// Per column: its heading, the paper's numbers, and whether ours must equal them.
const THEIRS: [(&str, u64, u64, bool); 4] = [
    ("1 classic", 251_409, 648_467, true),
    ("2 local first", 91_343, 117_396, true),
    ("3 conflict sets", 251_409, 262_561, false),
    ("2+3", 65_774, 69_611, false),
];

/// The model's file.
pub fn file(arguments: &TablesArguments) -> Result<PathBuf, Failure> {
    let path = arguments.dtp.clone().unwrap_or_else(|| INSTALLED.into());
    match path.is_file() {
        true => Ok(path),
        false => Err(Failure::usage(format!("{}: there is no such file", path.display()))
            .help("the package `spin` brings dtp.pml; say where it is: --dtp FILE")),
    }
}

/// Makes the table.
pub fn make(bench: &Bench<'_>) -> Result<Grid, Failure> {
    let loaded = load::model(&file(bench.arguments)?, &load::How::default())?;
    let mut rows = Vec::new();
    for (order, name) in
        [(Order::Forward, "5: DTP, processes forward"), (Order::Reverse, "processes in reverse")]
    {
        let mut cells = Vec::new();
        for (reduction, (_, states, transitions, binding)) in COLUMNS.iter().zip(THEIRS) {
            if !bench.wants(reduction) {
                continue;
            }
            let reduction = reduction.parse().map_err(|error| Failure::Internal(format!("{error}")))?;
            let ours = bench.count_system(loaded.system(), reduction, Dependency::Conditional, order)?;
            cells.push(Cell { theirs: Some(Counts { states, transitions }), ours, binding });
        }
        rows.push(Row { name: name.to_owned(), cells });
    }
    let wanted = COLUMNS.iter().zip(THEIRS).filter(|(reduction, _)| bench.wants(reduction));
    Ok(Grid {
        title: "Table II of Holzmann, Godefroid and Pirottin 1992, DTP: states stored / transitions"
            .to_owned(),
        source: "paper",
        columns: wanted.map(|(_, (heading, ..))| heading).collect(),
        rows,
        note: "Columns 3 and 2+3 depend on the order of statements, which the paper does not give: shown, not compared.",
    })
}
