//! The comparison as a table for people. What is the same in all runs stands above it.

use super::Comparison;
use crate::colour::Colour;
use crate::number;
use mazurka_engine::{StoreKind, Verdict};
use std::io::{self, Write};

/// The headings. Of the columns, those of names are aligned to the left, those of numbers to the right.
const HEADINGS: [&str; COLUMNS] = [
    "reduction",
    "dependency",
    "order",
    "codec or store",
    "states",
    "of none",
    "transitions",
    "time",
    "of plain",
    "bytes",
    "of plain",
    "a state",
    "on disk",
    "sleep sets",
    "verdict",
];

const COLUMNS: usize = 15;
const DEPENDENCY: usize = 1;
const ORDER: usize = 2;
const KEPT: usize = 3;
const TIME_TO_PLAIN: usize = 8;
const BYTES_TO_PLAIN: usize = 10;
const A_STATE: usize = 11;
const ON_DISK: usize = 12;
const SLEEP: usize = 13;
const VERDICT: usize = 14;

const LEFT: [usize; 5] = [0, DEPENDENCY, ORDER, KEPT, VERDICT];

impl Comparison {
    /// Writes the table.
    pub fn write(&self, out: &mut dyn Write, colour: Colour) -> io::Result<()> {
        let cells: Vec<[String; COLUMNS]> = self.rows.iter().map(|row| self.cells(row)).collect();
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
        // Where stores are not compared, nothing is said of them.
        if !self.compares_stores() {
            hidden.extend([KEPT, TIME_TO_PLAIN, BYTES_TO_PLAIN, A_STATE]);
        }
        if self.rows.iter().all(|row| row.disk_bytes == 0) {
            hidden.push(ON_DISK);
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

    fn cells(&self, row: &super::Row) -> [String; COLUMNS] {
        let bound = |text: String| if row.complete() { text } else { format!("> {text}") };
        let reduction = match row.asked == row.used {
            true => row.asked.to_string(),
            false => format!("{} = {}", row.asked, row.used),
        };
        let disk = |bytes| if bytes == 0 { "-".to_owned() } else { bound(number::bytes(bytes)) };
        [
            reduction,
            row.dependency.to_string(),
            row.order.to_string(),
            row.kept(),
            bound(number::count(row.states)),
            self.share(row).map_or("-".to_owned(), |share| format!("{:.1} %", share * 100.0)),
            bound(number::count(row.transitions)),
            bound(number::time(row.time)),
            self.time_to_plain(row).map_or("-".to_owned(), |ratio| format!("x {ratio:.2}")),
            bound(number::bytes(row.bytes)),
            self.memory_to_plain(row).map_or("-".to_owned(), |ratio| format!("{:.1} %", ratio * 100.0)),
            match row.store {
                // It counts states as often as it stores them.
                StoreKind::Cache => "-".to_owned(),
                _ => format!("{:.1} B", row.bytes_per_state()),
            },
            disk(row.disk_bytes),
            if row.used.sleep { bound(number::bytes(row.sleep_bytes)) } else { "-".to_owned() },
            row.answer(),
        ]
    }

    /// The sentence that says which run stored the fewest states, or took the least memory, of those that lose none.
    fn best(&self) -> Option<String> {
        let exact = || self.rows.iter().filter(|row| row.exact());
        let limited = self.rows.iter().filter(|row| !row.complete()).count();
        let limited = match limited {
            0 => String::new(),
            1 => "; 1 run hit a limit".to_owned(),
            several => format!("; {several} runs hit a limit"),
        };
        if self.compares_stores() {
            let least = exact().min_by_key(|row| row.bytes)?;
            return Some(format!(
                "Least memory that loses no state: {} with {}, reduction {} (dependency {}, order {}){limited}",
                number::bytes(least.bytes),
                least.kept(),
                least.asked,
                least.dependency,
                least.order
            ));
        }
        let fewest = exact().min_by_key(|row| (row.states, row.transitions))?;
        Some(format!(
            "Fewest states: {} with {} (dependency {}, order {}){limited}",
            number::count(fewest.states),
            fewest.asked,
            fewest.dependency,
            fewest.order
        ))
    }
}

fn line(cells: &[String; COLUMNS], widths: &[usize], hidden: &[usize]) -> String {
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
