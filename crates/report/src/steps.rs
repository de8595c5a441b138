//! One step of a run as text: who moves, what it does, where that stands, and what comes of it.
//!
//! Replays and simulations are written with this, so that they look alike.

use crate::colour::Colour;
use mazurka_model::source::Span;
use mazurka_model::trace::TraceStep;
use mazurka_model::{Describe, Event, EventKind, ProcessId, StepText};
use mazurka_replay::Executed;
use std::collections::HashMap;
use std::io::{self, Write};

/// What is shown with a step.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Show {
    /// The values that it changed.
    pub changes: bool,
    /// All values that belong to no process.
    pub globals: bool,
    /// All values of the process that moves.
    pub locals: bool,
    /// Messages that it sends.
    pub sends: bool,
    /// Messages that it receives.
    pub receives: bool,
    /// What the model prints.
    pub printed: bool,
}

impl Show {
    /// What a replay shows.
    pub const REPLAY: Show =
        Show { changes: true, globals: false, locals: false, sends: true, receives: true, printed: true };
}

/// The longest text of a process or a step that still widens its column.
const WIDEST: usize = 40;

/// The widths of the columns.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Widths {
    /// Of the number of a step.
    pub number: usize,
    /// Of the process.
    pub process: usize,
    /// Of what it does.
    pub text: usize,
}

impl Widths {
    /// Makes room for a step.
    pub fn fit(&mut self, number: usize, text: &StepText) {
        self.number = self.number.max(number.to_string().len() + 2);
        self.process = self.process.max(text.process.chars().count().min(WIDEST));
        self.text = self.text.max(text.text.chars().count().min(WIDEST));
    }
}

/// Writes steps, one after another.
pub struct Steps<'a> {
    describe: &'a dyn Describe,
    colour: Colour,
    show: Show,
    /// The widths of the columns.
    pub widths: Widths,
    /// Places already looked up: a long run passes the same few again and again.
    places: HashMap<Span, String>,
    /// The values after the step written last.
    values: Option<Vec<(String, String)>>,
}

impl<'a> Steps<'a> {
    /// A writer of the steps of a system.
    pub fn new(describe: &'a dyn Describe, show: Show, colour: Colour) -> Steps<'a> {
        let widths = Widths { number: 0, process: 0, text: 0 };
        Steps { describe, colour, show, widths, places: HashMap::new(), values: None }
    }

    /// A step in words, on one line.
    pub fn text(&self, before: &[u8], step: TraceStep) -> StepText {
        let mut text = self.describe.step(before, step.step);
        text.text = one_line(&text.text);
        text
    }

    /// Where a step stands in the source: file and line.
    pub fn place(&mut self, text: &StepText) -> &str {
        let sources = self.describe.sources();
        let Some(span) = text.span else { return "" };
        self.places.entry(span).or_insert_with(|| {
            let location = sources.and_then(|sources| sources.locate(span));
            location.map(|at| format!("{}:{}", at.file, at.line)).unwrap_or_default()
        })
    }

    /// The next step to be written does not follow the last one.
    pub fn jump(&mut self) {
        self.values = None;
    }

    /// Writes a step that is taken in `before`.
    pub fn write(
        &mut self,
        out: &mut dyn Write,
        number: usize,
        before: &[u8],
        executed: &Executed,
    ) -> io::Result<()> {
        let text = self.text(before, executed.step);
        let label = self.colour.dim(&format!("{number:>0$}", self.widths.number));
        self.line(out, &label, &text)?;
        self.events(out, before, executed.step)?;
        if let Some(after) = &executed.after {
            self.changes(out, before, after)?;
            self.values(out, after, executed.step.step.process)?;
        }
        Ok(())
    }

    /// Writes the line of a step: label, process, text and place.
    pub fn line(&mut self, out: &mut dyn Write, label: &str, text: &StepText) -> io::Result<()> {
        let (colour, widths) = (self.colour, self.widths);
        let process = colour.process(&format!("{:1$}", text.process, widths.process));
        match self.place(text) {
            "" => writeln!(out, "{label}  {process}  {}", text.text),
            place => {
                let place = colour.dim(place);
                writeln!(out, "{label}  {process}  {:1$}  {place}", text.text, widths.text)
            }
        }
    }

    fn indented(&self, out: &mut dyn Write, text: &str) -> io::Result<()> {
        writeln!(out, "{:1$}  {2:3$}    {text}", "", self.widths.number, "", self.widths.process)
    }

    fn events(&self, out: &mut dyn Write, before: &[u8], step: TraceStep) -> io::Result<()> {
        let show = self.show;
        if !(show.sends || show.receives || show.printed) {
            return Ok(());
        }
        for Event { kind, .. } in self.describe.events(before, step) {
            match kind {
                EventKind::Sent { name, message, .. } if show.sends => {
                    self.indented(out, &format!("sends {message} to {name}"))?;
                }
                EventKind::Lost { name, message } if show.sends => {
                    self.indented(out, &format!("loses {message}: {name} is full"))?;
                }
                EventKind::Received { name, message, kept, .. } if show.receives => {
                    let word = if kept { "sees" } else { "receives" };
                    let preposition = if kept { "in" } else { "from" };
                    self.indented(out, &format!("{word} {message} {preposition} {name}"))?;
                }
                EventKind::Handshake { name, message, .. } if show.sends || show.receives => {
                    self.indented(out, &format!("hands over {message} through {name}"))?;
                }
                EventKind::Printed(text) if show.printed => {
                    for line in text.trim_end_matches('\n').split('\n') {
                        self.indented(out, &format!("prints: {}", visible(line)))?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn changes(&mut self, out: &mut dyn Write, before: &[u8], after: &[u8]) -> io::Result<()> {
        if self.show.changes {
            let before = self.values.take().unwrap_or_else(|| self.describe.values(before));
            let after = self.describe.values(after);
            for change in differences(&before, &after) {
                self.indented(out, &change)?;
            }
            self.values = Some(after);
        }
        Ok(())
    }

    fn values(&self, out: &mut dyn Write, after: &[u8], process: ProcessId) -> io::Result<()> {
        let globals = self.show.globals.then(|| self.describe.globals(after));
        let locals = self.show.locals.then(|| self.describe.locals(after, process));
        for (name, value) in globals.into_iter().chain(locals).flatten() {
            self.indented(out, &format!("{name} = {value}"))?;
        }
        Ok(())
    }
}

/// A printed line without what would confuse a terminal.
fn visible(line: &str) -> String {
    line.chars().map(|c| if c.is_control() && c != '\t' { '�' } else { c }).collect()
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

/// A text that spans several lines of the source, on one.
pub fn one_line(text: &str) -> String {
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
        assert_eq!(visible("a\u{1b}[1mb\tc"), "a�[1mb\tc");
    }
}
