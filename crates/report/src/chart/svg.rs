//! A chart as SVG: time runs downwards, a message is an arrow from its send to its receive.
//!
//! The label of a message stands at its send, where nothing else is written: every row shows one thing.

use super::width::gaps;
use super::{Chart, Mark, Message};
use crate::svg::{CHARACTER, begin, cut, end, escape};
use std::io::{self, Write};

const ROW: f64 = 30.0;
const TOP: f64 = 70.0;
const MARGIN: f64 = 60.0;
const HEAD: f64 = 24.0;

/// What is drawn. Labels lie above all lines, so that none is crossed out.
#[derive(Default)]
struct Layers {
    lines: Vec<u8>,
    labels: Vec<u8>,
}

struct Drawing<'a> {
    chart: &'a Chart,
    columns: Vec<f64>,
    gaps: Vec<usize>,
    bottom: f64,
}

impl Chart {
    /// Writes the chart as an SVG file.
    pub fn write_svg(&self, out: &mut dyn Write) -> io::Result<()> {
        let gaps = gaps(self);
        let first = self.lifelines.first().map_or(0, |l| l.name.chars().count());
        let mut at = MARGIN + first as f64 * CHARACTER / 2.0;
        let mut columns = Vec::new();
        for gap in &gaps {
            columns.push(at);
            at += *gap as f64 * CHARACTER;
        }
        let ending = (self.ending.chars().count() + 10) as f64 * CHARACTER;
        let width = (at + 20.0).max(ending + 40.0);
        let bottom = TOP + self.rows.len() as f64 * ROW + 10.0;
        begin(out, &format!("message sequence chart of {}", self.title), width, bottom + 60.0)?;
        let drawing = Drawing { chart: self, columns, gaps, bottom };
        let mut layers = Layers::default();
        drawing.lifelines(&mut layers)?;
        drawing.steps(&mut layers)?;
        for (index, row) in self.rows.iter().enumerate() {
            drawing.mark(&mut layers, index, &row.mark)?;
        }
        drawing.heads(&mut layers)?;
        out.write_all(&layers.lines)?;
        out.write_all(&layers.labels)?;
        let (class, word) = if self.wrong { ("bad", "error: ") } else { ("dim", "stopped: ") };
        let text = escape(&format!("{word}{}", self.ending));
        let (x, y) = (20.0, bottom + 32.0);
        writeln!(out, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>")?;
        end(out)
    }
}

fn y(row: usize) -> f64 {
    TOP + row as f64 * ROW
}

fn text(out: &mut Layers, class: &str, anchor: &str, (x, y): (f64, f64), text: &str) -> io::Result<()> {
    let text = escape(text);
    writeln!(
        out.labels,
        "<text class=\"{class}\" text-anchor=\"{anchor}\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>"
    )
}

fn line(out: &mut Layers, class: &str, from: (f64, f64), to: (f64, f64), arrow: bool) -> io::Result<()> {
    let ((x1, y1), (x2, y2)) = (from, to);
    let marker = if arrow { " marker-end=\"url(#arrow)\"" } else { "" };
    writeln!(
        out.lines,
        "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"{marker}/>"
    )
}

impl Drawing<'_> {
    fn lifelines(&self, out: &mut Layers) -> io::Result<()> {
        for (lifeline, x) in self.chart.lifelines.iter().zip(&self.columns) {
            let from = lifeline.born.map_or(TOP - ROW, y);
            let to = lifeline.ended.map_or(self.bottom, y);
            line(out, "faint", (*x, from), (*x, to), false)?;
            if lifeline.ended.is_some() {
                line(out, "line", (x - 6.0, to - 6.0), (x + 6.0, to + 6.0), false)?;
                line(out, "line", (x - 6.0, to + 6.0), (x + 6.0, to - 6.0), false)?;
            }
        }
        Ok(())
    }

    fn heads(&self, out: &mut Layers) -> io::Result<()> {
        for (lifeline, x) in self.chart.lifelines.iter().zip(&self.columns) {
            let centre = lifeline.born.map_or(TOP - ROW - 6.0, y);
            let width = self.head_width(&lifeline.name);
            writeln!(
                out.lines,
                "<rect class=\"box\" x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{HEAD}\" rx=\"3\"/>",
                x - width / 2.0,
                centre - HEAD / 2.0
            )?;
            text(out, "name", "middle", (*x, centre + 4.0), &lifeline.name)?;
        }
        Ok(())
    }

    fn head_width(&self, name: &str) -> f64 {
        (name.chars().count() + 2) as f64 * CHARACTER
    }

    /// The numbers of steps, on the left.
    fn steps(&self, out: &mut Layers) -> io::Result<()> {
        let mut last = 0;
        for (index, row) in self.chart.rows.iter().enumerate() {
            if row.step != last {
                text(out, "dim", "end", (MARGIN - 24.0, y(index) + 4.0), &row.step.to_string())?;
                last = row.step;
            }
        }
        Ok(())
    }

    fn mark(&self, out: &mut Layers, row: usize, mark: &Mark) -> io::Result<()> {
        match mark {
            Mark::Send(number) => self.message(out, &self.chart.messages[*number]),
            // Drawn with its send.
            Mark::Receive(_) => Ok(()),
            Mark::Look { message, by } => {
                let message = &self.chart.messages[*message];
                let from = (self.columns[message.sent.0], y(message.sent.1));
                self.arrow(out, "line dashed", from, (self.columns[*by], y(row)))?;
                self.beside(out, *by, row, "(looks)")
            }
            Mark::Handshake { from, to, label } => {
                let (first, last) = (self.columns[*from], self.columns[*to]);
                line(out, "line", (first, y(row)), (last, y(row)), true)?;
                writeln!(out.lines, "<circle cx=\"{first:.1}\" cy=\"{:.1}\" r=\"3\"/>", y(row))?;
                let room = ((last - first).abs() / CHARACTER) as usize;
                let middle = ((first + last) / 2.0, y(row) - 5.0);
                text(out, "halo", "middle", middle, &cut(label, room.saturating_sub(3)))
            }
            Mark::Create { from, to } => {
                let (first, last) = (self.columns[*from], self.columns[*to]);
                let edge = self.head_width(&self.chart.lifelines[*to].name) / 2.0;
                let edge = if first < last { last - edge } else { last + edge };
                line(out, "line dashed", (first, y(row)), (edge, y(row)), true)
            }
            Mark::End(_) => Ok(()),
            Mark::Note { lifeline, text } => self.beside(out, *lifeline, row, text),
            Mark::Wrong(lifeline) => {
                let (x, y) = (self.columns[*lifeline], y(row));
                writeln!(out.lines, "<circle class=\"alert\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"9\"/>")?;
                line(out, "alert", (x - 5.0, y - 5.0), (x + 5.0, y + 5.0), false)?;
                line(out, "alert", (x - 5.0, y + 5.0), (x + 5.0, y - 5.0), false)
            }
        }
    }

    fn beside(&self, out: &mut Layers, lifeline: usize, row: usize, note: &str) -> io::Result<()> {
        let last = lifeline + 1 == self.columns.len();
        let room = self.gaps[lifeline] - if last { 0 } else { 3 };
        let at = (self.columns[lifeline] + 8.0, y(row) + 4.0);
        text(out, "halo dim", "start", at, &cut(note, room))
    }

    fn message(&self, out: &mut Layers, message: &Message) -> io::Result<()> {
        let (sender, sent) = message.sent;
        let from = (self.columns[sender], y(sent));
        writeln!(out.lines, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\"/>", from.0, from.1)?;
        let Some((receiver, received)) = message.received else {
            // Still in its channel: an arrow into the open.
            let to = (from.0 + 34.0, from.1 + 10.0);
            line(out, "line", from, to, false)?;
            writeln!(
                out.lines,
                "<circle class=\"line\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\"/>",
                to.0 + 4.0,
                to.1 + 1.0
            )?;
            let label = cut(&message.label, self.gaps[sender].saturating_sub(3));
            return text(out, "halo", "start", (from.0 + 8.0, from.1 - 5.0), &label);
        };
        let to = (self.columns[receiver], y(received));
        self.arrow(out, "line", from, to)?;
        let room = match receiver.cmp(&sender) {
            std::cmp::Ordering::Less => self.gaps[receiver..sender].iter().sum(),
            std::cmp::Ordering::Equal => self.gaps[sender],
            std::cmp::Ordering::Greater => self.gaps[sender..receiver].iter().sum::<usize>(),
        };
        let label = cut(&message.label, room.saturating_sub(3));
        match receiver < sender {
            true => text(out, "halo", "end", (from.0 - 8.0, from.1 - 5.0), &label),
            false => text(out, "halo", "start", (from.0 + 8.0, from.1 - 5.0), &label),
        }
    }

    /// An arrow; one that returns to its own lifeline is bent.
    fn arrow(&self, out: &mut Layers, class: &str, from: (f64, f64), to: (f64, f64)) -> io::Result<()> {
        if from.0 != to.0 {
            return line(out, class, from, to, true);
        }
        let ((x1, y1), (x2, y2), bend) = (from, to, from.0 + 40.0);
        writeln!(
            out.lines,
            "<path class=\"{class}\" d=\"M{x1:.1},{y1:.1} C{bend:.1},{y1:.1} {bend:.1},{y2:.1} {x2:.1},{y2:.1}\" \
             marker-end=\"url(#arrow)\"/>"
        )
    }
}
