//! A replayed run as text: who moves, what they do, where it stands, and what it changes.
//!
//! Only values that a step changed are shown with it, so a run can be read from top to bottom without
//! comparing whole states by eye.

use crate::colour::Colour;
use crate::number;
use mazurka_model::source::Span;
use mazurka_model::{Describe, FindingKind, StepText};
use mazurka_replay::Run;
use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::Range;

/// How much of a run is shown.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// Show what each step changed, and the values at the start.
    pub changes: bool,
    /// Leave out the middle of runs longer than this.
    pub at_most: Option<usize>,
}

/// Steps shown at the start of a run whose middle is left out; the end tells more.
const HEAD: usize = 8;

/// The longest text of a process or a step that still widens its column.
const WIDEST: usize = 40;

/// What the run ends in, in words, and where that stands.
pub fn finding(run: &Run, describe: &dyn Describe) -> StepText {
    if let Some(violation) = run.violation() {
        let state = match run.kind {
            FindingKind::State { .. } => run.end(),
            _ => run.before(run.steps.len().saturating_sub(1)),
        };
        return describe.violation_in(state, &violation);
    }
    // A deadlock has no place of its own; the step that led into it is the best there is.
    let last = run.last_step().map(|step| describe.step(run.before(run.steps.len() - 1), step));
    let last = last.unwrap_or_default();
    StepText { process: last.process, text: "deadlock: no process can move".to_owned(), span: last.span }
}

/// Writes the steps of a run.
pub fn write(
    out: &mut dyn Write,
    run: &Run,
    describe: &dyn Describe,
    detail: Detail,
    colour: Colour,
) -> io::Result<()> {
    let mut writer = Writer { run, describe, colour, places: HashMap::new(), widths: (0, 0, 0) };
    let total = run.steps.len();
    let (head, tail) = match detail.at_most {
        Some(most) if total > most => {
            let head = HEAD.min(most / 2);
            (0..head, total - (most - head)..total)
        }
        _ => (0..total, total..total),
    };
    writer.measure(head.clone().chain(tail.clone()));
    if detail.changes {
        writer.start(out)?;
    }
    writer.steps(out, head.clone(), detail.changes)?;
    if head.end < tail.start {
        let left_out = number::counted((tail.start - head.end) as u64, "step");
        writeln!(out, "{}", colour.dim(&format!("{:>1$}  {left_out} left out", "…", writer.widths.0)))?;
    }
    writer.steps(out, tail, detail.changes)
}

/// Writes the values of the last state, at most `at_most` of them.
pub fn write_end(out: &mut dyn Write, run: &Run, describe: &dyn Describe, at_most: usize) -> io::Result<()> {
    let values = describe.values(run.end());
    for (name, value) in values.iter().take(at_most) {
        writeln!(out, "    {name} = {value}")?;
    }
    if values.len() > at_most {
        writeln!(out, "    … and {} more", number::count((values.len() - at_most) as u64))?;
    }
    Ok(())
}

/// The line that says how a run ends.
pub fn ending(run: &Run, describe: &dyn Describe) -> String {
    let finding = finding(run, describe);
    let steps = number::counted(run.steps.len() as u64, "step");
    match run.kind {
        FindingKind::Deadlock => format!("{} (after {steps})", finding.text),
        FindingKind::State { .. } => format!("{} (after {steps})", finding.text),
        FindingKind::Step { .. } => format!("{}: {} (after {steps})", finding.process, finding.text),
    }
}

struct Writer<'a> {
    run: &'a Run,
    describe: &'a dyn Describe,
    colour: Colour,
    /// Places already looked up: a long run passes the same few again and again.
    places: HashMap<Span, String>,
    /// The widths of the columns: number, process, text.
    widths: (usize, usize, usize),
}

impl Writer<'_> {
    fn text(&self, index: usize) -> StepText {
        let mut text = self.describe.step(self.run.before(index), self.run.steps[index].step.step);
        text.text = one_line(&text.text);
        text
    }

    fn measure(&mut self, indices: impl Iterator<Item = usize>) {
        for index in indices {
            let text = self.text(index);
            self.widths.0 = self.widths.0.max((index + 1).to_string().len() + 2);
            self.widths.1 = self.widths.1.max(text.process.chars().count().min(WIDEST));
            self.widths.2 = self.widths.2.max(text.text.chars().count().min(WIDEST));
        }
    }

    fn place(&mut self, span: Span) -> &str {
        let sources = self.describe.sources();
        self.places.entry(span).or_insert_with(|| {
            let location = sources.and_then(|sources| sources.locate(span));
            location.map(|at| format!("{}:{}", at.file, at.line)).unwrap_or_default()
        })
    }

    fn start(&self, out: &mut dyn Write) -> io::Result<()> {
        let width = self.widths.0.max(3);
        writeln!(out, "{}", self.colour.dim(&format!("{:>width$}  start", 0)))?;
        for (name, value) in self.describe.values(&self.run.initial) {
            writeln!(out, "{:width$}  {name} = {value}", "")?;
        }
        Ok(())
    }

    fn steps(&mut self, out: &mut dyn Write, indices: Range<usize>, changes: bool) -> io::Result<()> {
        let (number_width, process_width, text_width) = self.widths;
        let mut before = match changes && !indices.is_empty() {
            true => self.describe.values(self.run.before(indices.start)),
            false => Vec::new(),
        };
        for index in indices {
            let text = self.text(index);
            let number = self.colour.dim(&format!("{:>number_width$}", index + 1));
            let process = self.colour.process(&format!("{:process_width$}", text.process));
            let colour = self.colour;
            let place = text.span.map_or("", |span| self.place(span));
            if place.is_empty() {
                writeln!(out, "{number}  {process}  {}", text.text)?;
            } else {
                let place = colour.dim(place);
                writeln!(out, "{number}  {process}  {:text_width$}  {place}", text.text)?;
            }
            if changes && let Some(after) = &self.run.steps[index].after {
                let after = self.describe.values(after);
                for change in differences(&before, &after) {
                    writeln!(out, "{:number_width$}  {:process_width$}    {change}", "", "")?;
                }
                before = after;
            }
        }
        Ok(())
    }
}

/// What differs between two lists of named values, in the order of the later one; what is gone last.
fn differences(before: &[(String, String)], after: &[(String, String)]) -> Vec<String> {
    let earlier: HashMap<&str, &str> = before.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    let later: HashMap<&str, &str> = after.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    let changed = after.iter().filter_map(|(name, value)| match earlier.get(name.as_str()) {
        Some(old) if old == value => None,
        Some(old) => Some(format!("{name}: {old} → {value}")),
        None => Some(format!("{name} = {value}")),
    });
    let gone = before.iter().filter(|(name, _)| !later.contains_key(name.as_str()));
    changed.chain(gone.map(|(name, _)| format!("{name} is gone"))).collect()
}

/// A step that spans several lines of the source, on one.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
    }

    #[test]
    fn differences_name_what_changed_came_and_went() {
        let before = values(&[("x", "0"), ("y", "1"), ("p(1).i", "3")]);
        let after = values(&[("x", "2"), ("y", "1"), ("q", "[]")]);
        assert_eq!(differences(&before, &after), ["x: 0 → 2", "q = []", "p(1).i is gone"]);
        assert!(differences(&before, &before).is_empty());
    }

    #[test]
    fn texts_are_put_on_one_line() {
        assert_eq!(one_line("atomic {\n    x = 1\n}"), "atomic { x = 1 }");
    }
}
