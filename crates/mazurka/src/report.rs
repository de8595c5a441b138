//! What a check found.

use crate::counterexample::Counterexample;
use crate::model::Model;
use mazurka_engine::{Outcome, Statistics, Verdict};
use std::fmt;

/// The outcome of a check, its counterexamples confirmed.
pub struct Report<M: Model> {
    /// The name of the model.
    pub name: String,
    /// Verdict, guarantee, statistics and remarks, as the engine gave them.
    pub outcome: Outcome,
    /// The errors: `outcome.findings` in order.
    pub counterexamples: Vec<Counterexample<M>>,
}

impl<M: Model> Report<M> {
    /// The answer.
    pub fn verdict(&self) -> Verdict {
        self.outcome.verdict
    }

    /// The counts.
    pub fn statistics(&self) -> &Statistics {
        &self.outcome.statistics
    }

    /// States stored.
    pub fn states(&self) -> u64 {
        self.outcome.statistics.states
    }

    /// Transitions, the visit of the root included.
    pub fn transitions(&self) -> u64 {
        self.outcome.statistics.transitions()
    }

    /// For tests: panics with the counterexample, or with the limit that was reached, unless everything
    /// was explored and no error was found.
    #[track_caller]
    pub fn assert_holds(&self) {
        assert!(self.verdict() == Verdict::Holds, "{self}");
    }

    /// For tests: the first counterexample; panics if there is none.
    #[track_caller]
    pub fn expect_violated(&self) -> &Counterexample<M> {
        match self.counterexamples.first() {
            Some(counterexample) => counterexample,
            None => panic!("no error was found\n{self}"),
        }
    }
}

impl<M: Model> fmt::Debug for Report<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Report")
            .field("name", &self.name)
            .field("outcome", &self.outcome)
            .field("counterexamples", &self.counterexamples)
            .finish()
    }
}

impl<M: Model> fmt::Display for Report<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcome = &self.outcome;
        let statistics = &outcome.statistics;
        write!(f, "{}: {} ({})", self.name, outcome.verdict.name(), outcome.guarantee.name())?;
        if !outcome.guarantee_reason.is_empty() {
            write!(f, ": {}", outcome.guarantee_reason)?;
        }
        writeln!(f)?;
        writeln!(
            f,
            "{} states, {} transitions, depth {}, {} bytes stored, {:.3} s; {} {}",
            statistics.states,
            statistics.transitions(),
            statistics.depth,
            statistics.store_bytes,
            statistics.search_time.as_secs_f64(),
            outcome.config.search,
            outcome.config.reduction,
        )?;
        for note in &outcome.notes {
            writeln!(f, "note: {note}")?;
        }
        for counterexample in &self.counterexamples {
            write!(f, "{counterexample}")?;
        }
        Ok(())
    }
}
