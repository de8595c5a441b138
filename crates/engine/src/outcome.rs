//! What comes out of a run: a verdict that never says more than the search can stand for.

use crate::config::Config;
use crate::temporal::Runs;
use mazurka_model::{Finding, Place};
use std::time::Duration;

/// The answer.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Everything that the guarantee covers was explored, and no error was found.
    Holds,
    /// An error was found.
    Violated,
    /// Neither: a limit was reached, or the run was interrupted.
    Unknown,
}

impl Verdict {
    /// The name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Unknown => "unknown",
        }
    }
}

/// How far the answer can be trusted.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Guarantee {
    /// Every reachable behaviour is covered.
    Exact,
    /// The search came to its end, but the store may have taken states for others that it had seen.
    Probabilistic(Omission),
    /// Only what was explored before the search ended is covered.
    Bounded,
}

impl Guarantee {
    /// The name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Guarantee::Exact => "exact",
            Guarantee::Probabilistic(_) => "probabilistic",
            Guarantee::Bounded => "bounded",
        }
    }
}

/// How much a store that takes states for others is to be expected to have lost.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Omission {
    /// How many states were met and taken for others, as is to be expected. What can be reached through these
    /// states alone was not met, and is not counted. Where it is small it is about the probability that anything was lost, and several searches
    /// say what is due for that.
    pub expected: f64,
    /// The share of the states met that was explored, as is to be expected. It is rounded to 1 where next to nothing was lost.
    pub coverage: f64,
    /// The share of the states met that was lost, however small it is.
    pub lost: f64,
}

/// Probabilities below this one are not told apart: computed with, they soon are none.
const LEAST: f64 = 1e-300;

impl Omission {
    /// With so many states explored and so many to be expected lost.
    pub fn new(explored: u64, expected: f64) -> Omission {
        let explored = explored as f64;
        let (coverage, lost) = match expected {
            0.0 => (1.0, 0.0),
            f64::INFINITY => (0.0, 1.0),
            _ => (explored / (explored + expected), expected / (explored + expected)),
        };
        Omission { expected, coverage, lost }
    }

    /// The probability that anything was lost at all.
    pub fn probability(&self) -> f64 {
        -(-self.expected).exp_m1()
    }
}

impl std::fmt::Display for Omission {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.expected == f64::INFINITY {
            f.write_str("the bits are too full to say how much of what was met was explored")
        } else if self.probability() < LEAST {
            f.write_str("no state is lost but with probability less than 1e-300")
        } else if self.expected < 0.01 {
            write!(f, "no state is lost but with probability {:.1e}", self.probability())
        } else {
            // As many nines as there are, and two digits more.
            let digits = (-(self.lost.max(1e-12) * 100.0).log10()).ceil().clamp(0.0, 10.0) as usize + 1;
            let percent =
                (self.coverage * 100.0 * 10f64.powi(digits as i32)).floor() / 10f64.powi(digits as i32);
            write!(f, "expected coverage {percent:.digits$} % of the states met")
        }
    }
}

/// Why a search ended before it was through.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Stop {
    /// The errors asked for were found.
    Errors,
    /// The memory limit was reached.
    Memory,
    /// Some states lie beyond the depth limit.
    Depth,
    /// The time limit was reached.
    Time,
    /// The limit on states was reached.
    States,
    /// Interrupted from outside.
    Interrupted,
    /// The system gave different answers to the same question.
    Inconsistent,
    /// The options contradict each other, so there was no search.
    Options,
    /// A run may stay in an atomic region for ever, where a property sees nothing of it.
    Endless,
}

impl Stop {
    /// In words.
    pub fn reason(self) -> &'static str {
        match self {
            Stop::Errors => "stopped at the errors found; there may be more",
            Stop::Memory => "the memory limit was reached",
            Stop::Depth => "some states lie beyond the depth limit",
            Stop::Time => "the time limit was reached",
            Stop::States => "the limit on the number of states was reached",
            Stop::Interrupted => "interrupted",
            Stop::Inconsistent => {
                "the system gave different answers to the same question; its checking mode says where"
            }
            Stop::Options => "the options contradict each other",
            Stop::Endless => {
                "a run may stay in an atomic region for ever, where a property sees nothing of it"
            }
        }
    }
}

/// The counts of a run.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// States stored; in a cache, every time they are.
    pub states: u64,
    /// Transitions that led to a state stored before.
    pub matched: u64,
    /// Steps inside atomic regions, which are no states of their own.
    pub atomic_steps: u64,
    /// Greatest depth, in stored states below the initial one.
    pub depth: u64,
    /// Errors found, those beyond `max_errors` not looked for.
    pub errors: u64,
    /// States that were opened again because a sleep set had shrunk.
    pub reopened: u64,
    /// States that the store forgot to make room; they are explored, and counted, again when they are met again.
    pub replaced: u64,
    /// How many different states were explored, about, where `states` may count some twice.
    pub distinct: Option<u64>,
    /// Bytes of one state; the longest, if they differ.
    pub state_bytes: u64,
    /// Bytes of the store at its end: table, states, side data.
    pub store_bytes: u64,
    /// Those of them that sleep sets take: the number of its set with every state, and the sets.
    pub sleep_bytes: u64,
    /// Bytes of a file that hold states.
    pub disk_bytes: u64,
    /// Bytes of the stack or frontier at its largest.
    pub stack_bytes: u64,
    /// Time in the search.
    pub search_time: Duration,
}

impl Statistics {
    /// Counts edges that led to states which had been visited. The count may be short for a moment, below zero even, so it wraps.
    #[inline]
    pub(crate) fn count_matched(&mut self, edges: u64) {
        self.matched = self.matched.wrapping_add(edges);
    }

    /// Transitions as the papers and SPIN count them: stored plus matched, the visit of the root
    /// included.
    pub fn transitions(&self) -> u64 {
        self.states.wrapping_add(self.matched)
    }

    /// Adds the counts of another run, which came after this one; its errors are counted elsewhere.
    pub fn add(&mut self, other: &Statistics) {
        self.states += other.states;
        self.matched += other.matched;
        self.atomic_steps += other.atomic_steps;
        self.depth = self.depth.max(other.depth);
        self.state_bytes = self.state_bytes.max(other.state_bytes);
        self.store_bytes = self.store_bytes.max(other.store_bytes);
        self.disk_bytes = self.disk_bytes.max(other.disk_bytes);
        self.stack_bytes = self.stack_bytes.max(other.stack_bytes);
        self.search_time += other.search_time;
    }
}

impl Outcome {
    /// Of a run that was asked for nothing, to which others are added.
    pub fn nothing_asked(config: &Config) -> Outcome {
        Outcome {
            verdict: Verdict::Holds,
            guarantee: Guarantee::Exact,
            guarantee_reason: String::new(),
            stopped: None,
            findings: Vec::new(),
            unreached: Vec::new(),
            statistics: Statistics::default(),
            config: Config { codec: config.codec_in_force(false), ..config.clone() },
            runs: None,
            notes: Vec::new(),
        }
    }
}

/// What a run found.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// How far it can be trusted.
    pub guarantee: Guarantee,
    /// Why not further, in words; empty if exact.
    pub guarantee_reason: String,
    /// Why the search ended early, if it did.
    pub stopped: Option<Stop>,
    /// The errors, each with the run that shows it.
    pub findings: Vec<Finding>,
    /// Places never executed; empty unless asked for and the whole system was explored.
    pub unreached: Vec<Place>,
    /// The counts.
    pub statistics: Statistics,
    /// What was in force, `auto` resolved.
    pub config: Config,
    /// How runs that break a temporal property were looked for, if they were.
    pub runs: Option<Runs>,
    /// Remarks, such as a reduction that could not be used.
    pub notes: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_said_to_be_more_certain_than_it_is() {
        let said = |explored, expected| Omission::new(explored, expected).to_string();
        assert_eq!(said(3, 0.0), "no state is lost but with probability less than 1e-300");
        assert_eq!(said(3, 1e-320), "no state is lost but with probability less than 1e-300");
        assert_eq!(said(3, 2e-53), "no state is lost but with probability 2.0e-53");
        assert_eq!(said(1, 1.0), "expected coverage 50.0 % of the states met");
        // What is nearly all is not all.
        for explored in [1_000, 1_000_000, 1_000_000_000, 1_000_000_000_000] {
            let text = said(explored, 0.01);
            assert!(text.starts_with("expected coverage 99.99"), "{text}");
        }
        assert!(said(3, f64::INFINITY).contains("too full"));
    }
}
