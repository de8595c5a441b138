//! A failing execution as a table: one column for each thread, one line for each step.

use super::{svg, words};
use crate::runtime::Runtime;
use crate::runtime::operation::NO_OBJECT;
use mazurka_model::ObjectId;
use std::fmt;

/// One step.
#[derive(Clone, Debug)]
pub struct Line {
    /// The column: the place of its thread in [`Timeline::threads`].
    pub column: usize,
    /// What it did.
    pub text: String,
    /// Where.
    pub location: String,
}

/// What happened, step by step.
#[derive(Clone, Debug)]
pub struct Timeline {
    /// The names of the threads.
    pub threads: Vec<String>,
    /// The steps.
    pub lines: Vec<Line>,
    /// The threads that could not go on at the end: column, what they wait for, where.
    pub waits: Vec<Line>,
    /// The objects, and where they were made.
    pub objects: Vec<(String, String)>,
}

impl Timeline {
    pub(crate) fn new(runtime: &Runtime) -> Timeline {
        let column = |thread: u32| runtime.born.iter().position(|&born| born == thread).unwrap_or(0);
        let lines = runtime
            .events
            .iter()
            .map(|event| Line {
                column: column(event.access.thread),
                text: words::event(runtime, event),
                location: words::place(event.operation.location),
            })
            .collect();
        let waits = runtime
            .born
            .iter()
            .filter(|&&thread| runtime.threads[thread as usize].alive && !runtime.enabled(thread))
            .map(|&thread| {
                let operation = &runtime.threads[thread as usize].pending;
                Line {
                    column: column(thread),
                    text: words::waits(runtime, operation),
                    location: words::place(operation.location),
                }
            })
            .collect();
        let objects = words::used(runtime)
            .into_iter()
            .map(ObjectId)
            .filter(|&id| id != NO_OBJECT)
            .filter(|id| !matches!(runtime.objects[id.index()].shape.name(), "thread" | "token"))
            .map(|id| (words::object(runtime, id), words::place(runtime.objects[id.index()].made)))
            .collect();
        let threads = runtime.born.iter().map(|&thread| words::thread(runtime, thread)).collect();
        Timeline { threads, lines, waits, objects }
    }

    /// The same as a drawing.
    pub fn svg(&self) -> String {
        svg::draw(self)
    }
}

/// The widest a column gets.
const WIDEST: usize = 34;
/// Longer executions are shown by their ends.
const LONGEST: usize = 400;

fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(width - 1).collect();
    short.push('…');
    short
}

impl fmt::Display for Timeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let skipped = self.lines.len().saturating_sub(LONGEST);
        let shown = &self.lines[skipped..];
        let widths: Vec<usize> = self
            .threads
            .iter()
            .enumerate()
            .map(|(column, name)| {
                let texts = shown.iter().filter(|line| line.column == column);
                let widest = texts.map(|line| line.text.chars().count()).max().unwrap_or(0);
                widest.max(name.chars().count()).min(WIDEST)
            })
            .collect();
        write!(f, "  step ")?;
        for (name, width) in self.threads.iter().zip(&widths) {
            write!(f, "  {:width$}", cut(name, *width))?;
        }
        writeln!(f)?;
        if skipped > 0 {
            writeln!(f, "  … {skipped} steps before …")?;
        }
        for (number, line) in shown.iter().enumerate() {
            let mut row = format!("{:6} ", skipped + number + 1);
            for (column, width) in widths.iter().enumerate() {
                let text = if column == line.column { cut(&line.text, *width) } else { String::new() };
                row.push_str(&format!("  {text:width$}"));
            }
            row.push_str(&format!("  {}", line.location));
            writeln!(f, "{}", row.trim_end())?;
        }
        if !self.waits.is_empty() {
            writeln!(f, "\nAt the end:")?;
            for line in &self.waits {
                writeln!(f, "  {} {}  {}", self.threads[line.column], line.text, line.location)?;
            }
        }
        if !self.objects.is_empty() {
            writeln!(f, "\nObjects:")?;
            for (name, made) in &self.objects {
                writeln!(f, "  {name}, made at {made}")?;
            }
        }
        Ok(())
    }
}
