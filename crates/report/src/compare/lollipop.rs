//! The comparison as a drawing: for each run a stem as long as the logarithm of its states, and a dot.
//!
//! A run that hit a limit has a dashed stem that leaves the drawing, and no dot: how long it would
//! have become is not known.

use super::{Comparison, Row, limit};
use crate::number;
use crate::svg::{CHARACTER, begin, cut, end, escape};
use std::io::{self, Write};

const TOP: f64 = 66.0;
const ROW: f64 = 22.0;
const MARGIN: f64 = 20.0;
/// The length of the scale.
const SCALE: f64 = 560.0;
/// How far a stem without an end goes beyond the scale.
const BEYOND: f64 = 18.0;

impl Comparison {
    /// Draws the chart as SVG.
    pub fn write_svg(&self, out: &mut dyn Write) -> io::Result<()> {
        let names: Vec<String> = self.rows.iter().map(|row| self.name(row)).collect();
        let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let left = MARGIN + longest as f64 * CHARACTER + 12.0;
        let labels: Vec<String> = self.rows.iter().map(|row| self.label(row)).collect();
        let label = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
        let right = left + SCALE + BEYOND + 12.0 + label as f64 * CHARACTER + MARGIN;
        let bottom = TOP + self.rows.len() as f64 * ROW;
        let title = format!("{}: states stored, logarithmic", self.model);
        begin(out, &title, right, bottom + 40.0)?;
        let shown = cut(&title, ((right - 2.0 * MARGIN) / CHARACTER) as usize);
        writeln!(out, "<text class=\"title\" x=\"{MARGIN}\" y=\"26\">{}</text>", escape(&shown))?;
        writeln!(out, "<text class=\"dim\" x=\"{MARGIN}\" y=\"44\">{}</text>", escape(&self.options))?;
        let decades = self.decades();
        for decade in 0..=decades {
            let x = left + SCALE * f64::from(decade) / f64::from(decades);
            let faint = "stroke=\"#dddddd\"";
            writeln!(out, "<path {faint} d=\"M{x:.1},{:.1} V{bottom:.1}\"/>", TOP - 8.0)?;
            let tick = number::count(10u64.saturating_pow(decade));
            writeln!(
                out,
                "<text class=\"dim\" text-anchor=\"middle\" x=\"{x:.1}\" y=\"{:.1}\">{tick}</text>",
                bottom + 18.0
            )?;
        }
        for (index, row) in self.rows.iter().enumerate() {
            let y = TOP + (index as f64 + 0.5) * ROW;
            let x = left + SCALE * (row.states.max(1) as f64).log10() / f64::from(decades);
            let text = y + 4.0;
            writeln!(
                out,
                "<text text-anchor=\"end\" x=\"{:.1}\" y=\"{text:.1}\">{}</text>",
                left - 10.0,
                escape(&names[index])
            )?;
            let colour = if row.asked.sleep { "#b35900" } else { "#33507a" };
            let from = match row.complete() {
                true => {
                    writeln!(
                        out,
                        "<path stroke=\"{colour}\" stroke-width=\"2\" d=\"M{left:.1},{y:.1} H{x:.1}\"/>\n\
                         <circle fill=\"{colour}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\"/>"
                    )?;
                    x + 10.0
                }
                false => {
                    let beyond = left + SCALE + BEYOND;
                    writeln!(
                        out,
                        "<path class=\"faint dashed\" marker-end=\"url(#faint)\" d=\"M{left:.1},{y:.1} H{beyond:.1}\"/>"
                    )?;
                    beyond + 8.0
                }
            };
            let class = if row.complete() { "halo" } else { "halo dim" };
            writeln!(
                out,
                "<text class=\"{class}\" x=\"{from:.1}\" y=\"{text:.1}\">{}</text>",
                escape(&labels[index])
            )?;
        }
        end(out)
    }

    /// The powers of ten up to the largest number of states.
    fn decades(&self) -> u32 {
        let most = self.rows.iter().map(|row| row.states).max().unwrap_or(1).max(2);
        (most - 1).ilog10() + 1
    }

    /// The run in words: what is the same in all of them is left out.
    fn name(&self, row: &Row) -> String {
        let mut name = row.asked.to_string();
        if self.rows.iter().any(|other| other.dependency != row.dependency) {
            name.push_str(&format!(" {}", row.dependency));
        }
        if self.rows.iter().any(|other| other.order != row.order) {
            name.push_str(&format!(" {}", row.order));
        }
        if self.compares_stores() {
            name.push_str(&format!(" {}", row.kept()));
        }
        name
    }

    fn label(&self, row: &Row) -> String {
        let states = number::count(row.states);
        match (row.stopped, self.share(row)) {
            (Some(stop), _) => format!("> {states} ({})", limit(stop)),
            (None, Some(share)) => format!("{states} ({:.1} %)", share * 100.0),
            (None, None) => states,
        }
    }
}
