//! The comparison as a table for people. What is the same in all runs stands above it.

use super::Comparison;
use crate::colour::Colour;
use crate::number;
use mazurka_engine::Verdict;
use std::io::{self, Write};

/// The headings. Of the columns, those of names are aligned to the left, those of numbers to the right.
const HEADINGS: [&str; 12] = [
    "reduction",
    "dependency",
    "order",
    "codec",
    "states",
    "of none",
    "transitions",
    "time",
    "bytes",
    "a state",
    "sleep sets",
    "verdict",
];

const DEPENDENCY: usize = 1;
const ORDER: usize = 2;
const CODEC: usize = 3;
const A_STATE: usize = 9;
const SLEEP: usize = 10;
const VERDICT: usize = 11;

const LEFT: [usize; 5] = [0, DEPENDENCY, ORDER, CODEC, VERDICT];

impl Comparison {
    /// Writes the table.
    pub fn write(&self, out: &mut dyn Write, colour: Colour) -> io::Result<()> {
        let cells: Vec<[String; 12]> = self.rows.iter().map(|row| self.cells(row)).collect();
        let mut heading = format!("{}: {}", self.model, self.options);
        let mut hidden = Vec::new();
        for column in [DEPENDENCY, ORDER] {
            if let Some(first) = cells.first()
                && cells.iter().all(|row| row[column] == first[column])
            {
                heading.push_str(&format!(", {} {}", HEADINGS[column], first[column]));
                hidden.push(column);
            }
        }
        // Where codecs are not compared, nothing is said of them.
        if self.rows.windows(2).all(|pair| pair[0].codec == pair[1].codec) {
            hidden.extend([CODEC, A_STATE]);
        }
        if !self.rows.iter().any(|row| row.used.sleep) {
            hidden.push(SLEEP);
        }
        writeln!(out, "{}", colour.strong(&heading))?;
        let width = |column: usize| {
            let widths = cells.iter().map(|row| row[column].chars().count());
            widths.chain([HEADINGS[column].len()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..HEADINGS.len()).map(width).collect();
        writeln!(out, "{}", colour.dim(&line(&HEADINGS.map(str::to_owned), &widths, &hidden)))?;
        for (row, cells) in self.rows.iter().zip(&cells) {
            let mut cells = cells.clone();
            // The last column has no fixed width, so its colours move nothing.
            cells[VERDICT] = match (row.verdict, row.complete()) {
                (Verdict::Holds, _) => colour.good(&cells[VERDICT]),
                (Verdict::Violated, true) => colour.bad(&cells[VERDICT]),
                _ => colour.warn(&cells[VERDICT]),
            };
            writeln!(out, "{}", line(&cells, &widths, &hidden))?;
        }
        if let Some(best) = self.best() {
            writeln!(out, "{best}")?;
        }
        for note in &self.notes {
            writeln!(out, "{} {note}", colour.warn("note:"))?;
        }
        for disagreement in &self.disagreements {
            writeln!(out, "{} {disagreement}", colour.bad("disagreement:"))?;
        }
        Ok(())
    }

    fn cells(&self, row: &super::Row) -> [String; 12] {
        let bound = |text: String| if row.complete() { text } else { format!("> {text}") };
        let reduction = match row.asked == row.used {
            true => row.asked.to_string(),
            false => format!("{} = {}", row.asked, row.used),
        };
        [
            reduction,
            row.dependency.to_string(),
            row.order.to_string(),
            row.codec.to_string(),
            bound(number::count(row.states)),
            self.share(row).map_or("-".to_owned(), |share| format!("{:.1} %", share * 100.0)),
            bound(number::count(row.transitions)),
            bound(number::time(row.time)),
            bound(number::bytes(row.bytes)),
            format!("{:.1} B", row.bytes_per_state()),
            if row.used.sleep { bound(number::bytes(row.sleep_bytes)) } else { "-".to_owned() },
            row.answer(),
        ]
    }

    /// The sentence that says which run stored the fewest states.
    fn best(&self) -> Option<String> {
        let complete: Vec<_> = self.rows.iter().filter(|row| row.complete()).collect();
        let fewest = complete.iter().min_by_key(|row| (row.states, row.transitions))?;
        let limited = self.rows.len() - complete.len();
        let limited = match limited {
            0 => String::new(),
            1 => "; 1 run hit a limit".to_owned(),
            several => format!("; {several} runs hit a limit"),
        };
        Some(format!(
            "Fewest states: {} with {} (dependency {}, order {}){limited}",
            number::count(fewest.states),
            fewest.asked,
            fewest.dependency,
            fewest.order
        ))
    }
}

fn line(cells: &[String; 12], widths: &[usize], hidden: &[usize]) -> String {
    let mut text = String::new();
    let columns = cells.iter().zip(widths).enumerate();
    for (column, (cell, &width)) in columns.filter(|(column, _)| !hidden.contains(column)) {
        if column > 0 {
            text.push_str("  ");
        }
        match (column == VERDICT, LEFT.contains(&column)) {
            (true, _) => text.push_str(cell),
            (_, true) => text.push_str(&format!("{cell:width$}")),
            (_, false) => text.push_str(&format!("{cell:>width$}")),
        }
    }
    text
}
