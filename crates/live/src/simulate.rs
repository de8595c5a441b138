//! An interactive simulator: a person chooses each step, goes back, and sees what happens.
//!
//! There is no undo of real code: going back is executing again from the start.

use crate::check::Checker;
use crate::search::manual::Possible;
use crate::search::replay::Schedule;
use std::io::{self, BufRead, Write};
use std::panic::Location;

/// What can be typed.
const HELP: &str = "number: take that step · enter: the first one · b: back · t: token · q: quit";

impl Checker {
    /// Lets a person choose the steps: shows what has happened and what can, reads commands from `input`, and ends at the end of
    /// the input, at `q`, or where no step is left and nobody goes back.
    #[track_caller]
    pub fn simulate(
        &self,
        f: impl Fn() + Sync,
        input: &mut dyn BufRead,
        output: &mut dyn Write,
    ) -> io::Result<()> {
        let location = Location::caller();
        let mut schedule = Schedule::new();
        writeln!(output, "{HELP}")?;
        loop {
            let (possible, shown, failure) = self.up_to(location, &f, schedule.clone());
            if let Some(last) = shown.lines.last() {
                let thread = &shown.threads[last.column];
                writeln!(output, "{:4}  {thread}: {}  {}", shown.lines.len(), last.text, last.location)?;
            }
            if let Some(kind) = &failure {
                writeln!(output, "{kind}")?;
            }
            for line in &shown.waits {
                writeln!(output, "      {} {}", shown.threads[line.column], line.text)?;
            }
            if possible.is_empty() {
                writeln!(output, "the end")?;
            }
            for (number, step) in possible.iter().enumerate() {
                writeln!(output, "  {}) {}", number + 1, step.text)?;
            }
            write!(output, "> ")?;
            output.flush()?;
            if !command(&mut schedule, &possible, input, output)? {
                return Ok(());
            }
        }
    }
}

/// Reads and obeys a command; `false` to end.
fn command(
    schedule: &mut Schedule,
    possible: &[Possible],
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> io::Result<bool> {
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(false);
        }
        let wanted = match line.trim() {
            "q" => return Ok(false),
            "b" => {
                schedule.pop();
                return Ok(true);
            }
            "t" => {
                writeln!(output, "{}", crate::report::token::write(schedule))?;
                None
            }
            "" => Some(1),
            text => text.parse::<usize>().ok(),
        };
        if let Some(step) = wanted.and_then(|number| possible.get(number.wrapping_sub(1))) {
            schedule.push((step.thread, step.choice));
            return Ok(true);
        }
        write!(output, "{HELP}\n> ")?;
        output.flush()?;
    }
}
