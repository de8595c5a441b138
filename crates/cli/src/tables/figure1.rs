//! Figure 1: the complete and the reduced state graph of two processes of two local steps each.

use super::grid::{Cell, Grid, Row};
use super::{Bench, Counts, Ours, protocols};
use crate::failure::Failure;

/// Makes the table. The figure has no initial process and its edges no visit of the root.
pub fn make(bench: &Bench<'_>) -> Result<Grid, Failure> {
    let theirs = [("(a) complete", "none", 9, 12), ("(b) reduced", "local", 5, 4)];
    let (mut columns, mut cells) = (Vec::new(), Vec::new());
    for (heading, reduction, states, transitions) in theirs {
        if !bench.wants(reduction) {
            continue;
        }
        let ours = match bench.count(protocols::figure1(), reduction)? {
            Ours::Counts(counts) => Ours::Counts(Counts { transitions: counts.transitions - 1, ..counts }),
            other => other,
        };
        columns.push(heading);
        cells.push(Cell { theirs: Some(Counts { states, transitions }), ours, binding: true });
    }
    Ok(Grid {
        title: "Figure 1 of Holzmann, Godefroid and Pirottin 1992: nodes / edges".to_owned(),
        source: "paper",
        columns,
        rows: vec![Row { name: "two processes of two steps".to_owned(), cells }],
        note: "",
    })
}
