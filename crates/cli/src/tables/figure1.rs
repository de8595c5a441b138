//! Figure 1: the complete and the reduced state graph of two processes of two local steps each.

use super::grid::{Cell, Grid, Row};
use super::{Bench, Counts, protocols};
use crate::failure::Failure;

/// Makes the table. The figure has no initial process and its edges no visit of the root.
pub fn make(bench: &Bench<'_>) -> Result<Grid, Failure> {
    let theirs = [("none", 9, 12), ("local", 5, 4)];
    let mut cells = Vec::new();
    for (reduction, states, transitions) in theirs {
        let ours = bench
            .count(protocols::figure1(), reduction)?
            .map(|counts| Counts { states: counts.states, transitions: counts.transitions - 1 });
        cells.push(Cell { theirs: Some(Counts { states, transitions }), ours });
    }
    Ok(Grid {
        title: "Figure 1 of Holzmann, Godefroid and Pirottin 1992: nodes / edges".to_owned(),
        source: "paper",
        columns: vec!["(a) complete", "(b) reduced"],
        rows: vec![Row { name: "two processes of two steps".to_owned(), cells }],
    })
}
