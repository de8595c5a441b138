//! A replayed run as text: who moves, what they do, where it stands, and what it changes.
//!
//! Only values that a step changed are shown with it, so a run can be read from top to bottom without
//! comparing whole states by eye.

use crate::colour::Colour;
use crate::number;
use crate::steps::{Show, Steps};
use mazurka_model::{Describe, FindingKind, StepText};
use mazurka_replay::Run;
use std::io::{self, Write};

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

/// What the run ends in, in words, and where that stands.
pub fn finding(run: &Run, describe: &dyn Describe) -> StepText {
    if let Some(violation) = run.violation() {
        let state = match run.kind {
            FindingKind::State { .. } => run.end(),
            _ => run.before(run.steps.len().saturating_sub(1)),
        };
        return describe.violation_in(state, &violation);
    }
    if let FindingKind::Temporal { property } = run.kind {
        return describe.property(property);
    }
    let text = match run.kind {
        FindingKind::Stopped => "nothing is wrong so far",
        _ => "deadlock: no process can move",
    };
    // A deadlock has no place of its own; the step that led into it is the best there is.
    let last = run.last_step().map(|step| describe.step(run.before(run.steps.len() - 1), step));
    let last = last.unwrap_or_default();
    StepText { process: last.process, text: text.to_owned(), span: last.span }
}

/// Writes the steps of a run.
pub fn write(
    out: &mut dyn Write,
    run: &Run,
    describe: &dyn Describe,
    detail: Detail,
    colour: Colour,
) -> io::Result<()> {
    let total = run.steps.len();
    let (head, tail) = match detail.at_most {
        Some(most) if total > most => {
            let head = HEAD.min(most / 2);
            (0..head, total - (most - head)..total)
        }
        _ => (0..total, total..total),
    };
    let show = if detail.changes { Show::REPLAY } else { Show::default() };
    let mut steps = Steps::new(describe, show, colour);
    for index in head.clone().chain(tail.clone()) {
        let text = steps.text(run.before(index), run.steps[index].step);
        steps.widths.fit(index + 1, &text);
    }
    let width = steps.widths.number;
    if detail.changes {
        let width = width.max(3);
        writeln!(out, "{}", colour.dim(&format!("{:>width$}  start", 0)))?;
        for (name, value) in describe.values(&run.initial) {
            writeln!(out, "{:width$}  {name} = {value}", "")?;
        }
    }
    for index in head.clone().chain(tail.clone()) {
        if index == tail.start && head.end < tail.start {
            let left_out = number::counted((tail.start - head.end) as u64, "step");
            writeln!(out, "{}", colour.dim(&format!("{:>width$}  {left_out} left out", "…")))?;
            steps.jump();
        }
        if run.repeats == Some(index) {
            writeln!(out, "{}", colour.strong("again and again:"))?;
        }
        steps.write(out, index + 1, run.before(index), &run.steps[index])?;
    }
    if run.repeats == Some(total) {
        writeln!(out, "{}", colour.strong("nothing moves any more"))?;
    }
    Ok(())
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
        FindingKind::Deadlock | FindingKind::State { .. } | FindingKind::Stopped => {
            format!("{} (after {steps})", finding.text)
        }
        FindingKind::Temporal { .. } => {
            let from = run.repeats.unwrap_or(run.steps.len());
            let around = match (run.steps.len() - from.min(run.steps.len())) as u64 {
                0 => "then nothing moves any more".to_owned(),
                steps => format!("then {} again and again", number::counted(steps, "step")),
            };
            format!("{} ({}, {around})", finding.text, number::counted(from as u64, "step"))
        }
        FindingKind::Step { .. } => format!("{}: {} (after {steps})", finding.process, finding.text),
    }
}
