//! A table of numbers, theirs beside ours, as text.

use super::{Counts, Ours};
use mazurka_report::{Colour, number};
use std::io::{self, Write};

/// A table.
pub struct Grid {
    /// What it is.
    pub title: String,
    /// Where the numbers to compare with come from.
    pub source: &'static str,
    /// The headings.
    pub columns: Vec<&'static str>,
    /// The rows.
    pub rows: Vec<Row>,
    /// What to know about the numbers.
    pub note: &'static str,
}

/// A row.
pub struct Row {
    /// What it is about.
    pub name: String,
    /// One for each column.
    pub cells: Vec<Cell>,
}

/// Two numbers to be compared.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// What is expected, if that is known.
    pub theirs: Option<Counts>,
    /// What came out.
    pub ours: Ours,
    /// Whether a difference is an error. It is none where the numbers rest on an order or a relation
    /// that the paper does not give.
    pub binding: bool,
}

impl Cell {
    fn theirs_text(&self) -> String {
        self.theirs.map_or("-".to_owned(), text)
    }

    fn ours_text(&self) -> String {
        match self.ours {
            Ours::Counts(counts) => text(counts),
            Ours::TooMany => "too many".to_owned(),
            Ours::TooLong => "too long".to_owned(),
        }
    }

    fn compared(&self) -> bool {
        self.binding && self.theirs.is_some() && matches!(self.ours, Ours::Counts(_))
    }

    fn differs(&self) -> bool {
        self.binding
            && matches!((self.theirs, self.ours), (Some(theirs), Ours::Counts(ours)) if theirs != ours)
    }
}

impl Grid {
    /// In how many cells the numbers differ.
    pub fn differences(&self) -> usize {
        self.rows.iter().flat_map(|row| &row.cells).filter(|cell| cell.differs()).count()
    }

    /// Writes the table, after an empty line if `apart`.
    pub fn write(&self, out: &mut dyn Write, apart: bool, colour: Colour) -> io::Result<()> {
        if apart {
            writeln!(out)?;
        }
        writeln!(out, "{}", colour.strong(&self.title))?;
        let name_width = self.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
        let source_width = self.source.len().max(4);
        let widths: Vec<usize> = (0..self.columns.len()).map(|column| self.width(column)).collect();
        write!(out, "{:name_width$}  {:source_width$}", "", "")?;
        for (heading, width) in self.columns.iter().zip(&widths) {
            write!(out, "  {heading:>width$}")?;
        }
        writeln!(out)?;
        for row in &self.rows {
            write!(out, "{:name_width$}  {:source_width$}", row.name, self.source)?;
            for (cell, width) in row.cells.iter().zip(&widths) {
                write!(out, "  {:>width$}", cell.theirs_text())?;
            }
            write!(out, "\n{:name_width$}  {:source_width$}", "", "ours")?;
            for (cell, width) in row.cells.iter().zip(&widths) {
                let ours = format!("{:>width$}", cell.ours_text());
                write!(out, "  {}", if cell.differs() { colour.bad(&ours) } else { ours })?;
            }
            writeln!(out)?;
        }
        if !self.note.is_empty() {
            writeln!(out, "{}", self.note)?;
        }
        let compared = self.rows.iter().flat_map(|row| &row.cells);
        let compared = compared.filter(|cell| cell.compared()).count();
        match self.differences() {
            0 => writeln!(out, "{}", colour.good(&format!("All {compared} pairs compared agree."))),
            differing => {
                let message = format!("{differing} of {compared} pairs compared differ.");
                writeln!(out, "{}", colour.bad(&message))
            }
        }
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.cells.get(column));
        let numbers = cells.flat_map(|cell| [cell.theirs_text().len(), cell.ours_text().len()]);
        numbers.chain([self.columns[column].len()]).max().unwrap_or(0)
    }
}

fn text(counts: Counts) -> String {
    format!("{} / {}", number::count(counts.states), number::count(counts.transitions))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_counted_and_shown() {
        let counts = |states, transitions| Counts { states, transitions };
        let grid = Grid {
            title: "T".to_owned(),
            source: "paper",
            columns: vec!["a", "b"],
            rows: vec![Row {
                name: "row".to_owned(),
                cells: vec![
                    Cell { theirs: Some(counts(1, 2)), ours: Ours::Counts(counts(1, 3)), binding: true },
                    Cell { theirs: None, ours: Ours::TooMany, binding: true },
                ],
            }],
            note: "",
        };
        assert_eq!(grid.differences(), 1);
        let mut out = Vec::new();
        grid.write(&mut out, false, Colour::Never).unwrap();
        let expected = "\
T
                a         b
row  paper  1 / 2         -
     ours   1 / 3  too many
1 of 1 pairs compared differ.
";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
