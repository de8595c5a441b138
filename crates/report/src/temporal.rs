//! What came of a temporal property, in one line and its remarks.

use crate::colour::Colour;
use crate::number;
use mazurka_engine::{Outcome, Verdict};
use std::io::{self, Write};

/// A temporal property and what its search came to. Its findings stand with all others.
#[derive(Clone, Debug)]
pub struct TemporalResult {
    /// What it is called.
    pub name: String,
    /// What was found.
    pub outcome: Outcome,
}

impl TemporalResult {
    /// Writes the verdict and the counts.
    pub fn write(&self, out: &mut dyn Write, colour: Colour) -> io::Result<()> {
        let outcome = &self.outcome;
        let word = match outcome.verdict {
            Verdict::Holds => colour.good("holds"),
            Verdict::Violated => colour.bad("violated"),
            Verdict::Unknown => colour.warn("unknown"),
        };
        let counts = &outcome.statistics;
        write!(out, "  {}: {word}", self.name)?;
        if outcome.verdict == Verdict::Unknown {
            write!(out, " ({})", outcome.guarantee_reason)?;
        }
        writeln!(
            out,
            "; {} and {} of the product, reduction {}, {}",
            number::counted(counts.states, "state"),
            number::counted(counts.transitions(), "transition"),
            outcome.config.reduction,
            number::time(counts.search_time)
        )?;
        for note in &outcome.notes {
            writeln!(out, "    {} {note}", colour.dim("note:"))?;
        }
        Ok(())
    }
}
