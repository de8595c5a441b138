//! A chart as text: a column for each lifeline, a line for each thing that happens.
//!
//! Text has no room for slanted arrows, so a message has a number: it stands at the sender when it is
//! sent, and on the arrow that is drawn in the line in which it is received.

use super::width::gaps;
use super::{Chart, Mark};
use crate::colour::Colour;
use crate::svg::cut;
use std::io::{self, Write};

struct Canvas {
    cells: Vec<char>,
}

impl Canvas {
    fn put(&mut self, at: usize, text: &str) {
        for (offset, c) in text.chars().enumerate() {
            if at + offset >= self.cells.len() {
                self.cells.resize(at + offset + 1, ' ');
            }
            self.cells[at + offset] = c;
        }
    }

    fn centred(&mut self, at: usize, text: &str) {
        self.put(at.saturating_sub(text.chars().count() / 2), text);
    }

    /// An arrow from one column to another with a label in its middle.
    fn arrow(&mut self, from: usize, to: usize, line: char, label: &str) {
        let (first, last) = (from.min(to), from.max(to));
        for at in first + 1..last {
            self.cells[at] = line;
        }
        if from < to {
            self.put(last - 1, "▶");
        } else {
            self.put(first + 1, "◀");
        }
        let label = cut(label, (last - first).saturating_sub(4));
        if !label.is_empty() {
            self.centred(first + (last - first) / 2, &label);
        }
    }

    fn line(&self) -> String {
        self.cells.iter().collect::<String>().trim_end().to_owned()
    }
}

impl Chart {
    /// Writes the chart as text.
    pub fn write_text(&self, out: &mut dyn Write, colour: Colour) -> io::Result<()> {
        let gaps = gaps(self);
        let last_step = self.rows.last().map_or(0, |row| row.step);
        let margin = last_step.to_string().len() + 2;
        let first = self.lifelines.first().map_or(0, |l| l.name.chars().count() / 2 + 1);
        let mut columns = Vec::new();
        let mut at = margin + 2 + first;
        for gap in &gaps {
            columns.push(at);
            at += gap;
        }
        let mut head = Canvas { cells: Vec::new() };
        for (lifeline, column) in self.lifelines.iter().zip(&columns) {
            if lifeline.born.is_none() {
                head.centred(*column, &lifeline.name);
            }
        }
        writeln!(out, "{}", colour.strong(&head.line()))?;
        for index in 0..self.rows.len() {
            writeln!(out, "{}", self.text_row(index, margin, &columns, &gaps))?;
        }
        let ending = if self.wrong { colour.bad("error:") } else { colour.warn("stopped:") };
        writeln!(out, "{ending} {}", self.ending)?;
        for (number, message) in self.open() {
            let sender = &self.lifelines[message.sent.0].name;
            writeln!(out, "never received: {} #{} from {sender}", message.label, number + 1)?;
        }
        Ok(())
    }

    fn text_row(&self, index: usize, margin: usize, columns: &[usize], gaps: &[usize]) -> String {
        let row = &self.rows[index];
        let mut canvas = Canvas { cells: Vec::new() };
        let before = index.checked_sub(1).map(|before| self.rows[before].step);
        if before != Some(row.step) {
            canvas.put(0, &format!("{:>margin$}", row.step));
        }
        for (lifeline, column) in self.lifelines.iter().zip(columns) {
            let born = lifeline.born.is_none_or(|born| born < index);
            if born && lifeline.ended.is_none_or(|ended| ended >= index) {
                canvas.put(*column, "│");
            }
        }
        canvas.put(canvas.cells.len(), &" ".repeat(columns.last().copied().unwrap_or(0) + 2));
        let beside = |canvas: &mut Canvas, lifeline: usize, text: &str| {
            let room =
                if lifeline + 1 == columns.len() { usize::MAX } else { gaps[lifeline].saturating_sub(3) };
            canvas.put(columns[lifeline] + 2, &cut(text, room));
        };
        match &row.mark {
            Mark::Send(number) => {
                let message = &self.messages[*number];
                canvas.put(columns[message.sent.0], "●");
                beside(&mut canvas, message.sent.0, &format!("{} #{}", message.label, number + 1));
            }
            Mark::Receive(number) => {
                let message = &self.messages[*number];
                let to = message.received.map_or(message.sent.0, |(to, _)| to);
                self.passage(&mut canvas, *number, to, '─', columns, &beside);
            }
            Mark::Look { message, by } => self.passage(&mut canvas, *message, *by, '┄', columns, &beside),
            Mark::Handshake { from, to, label } => {
                canvas.arrow(columns[*from], columns[*to], '═', label);
                canvas.put(columns[*from], "●");
            }
            Mark::Create { from, to } => {
                canvas.arrow(columns[*from], columns[*to], '┄', "");
                canvas.put(columns[*from], "●");
                canvas.centred(columns[*to], &format!("[{}]", self.lifelines[*to].name));
            }
            Mark::End(lifeline) => canvas.put(columns[*lifeline], "╳"),
            Mark::Note { lifeline, text } => beside(&mut canvas, *lifeline, text),
            Mark::Wrong(lifeline) => {
                canvas.put(columns[*lifeline], "✗");
                beside(&mut canvas, *lifeline, "here");
            }
        }
        canvas.line()
    }

    fn passage(
        &self,
        canvas: &mut Canvas,
        number: usize,
        to: usize,
        line: char,
        columns: &[usize],
        beside: &dyn Fn(&mut Canvas, usize, &str),
    ) {
        let message = &self.messages[number];
        let label = format!("{} #{}", message.label, number + 1);
        if message.sent.0 == to {
            beside(canvas, to, &format!("◀ {label}"));
        } else {
            canvas.arrow(columns[message.sent.0], columns[to], line, &label);
        }
    }
}
