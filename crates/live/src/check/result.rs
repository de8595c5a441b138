//! What is known after a check, and how far one is.

use crate::failure::Failure;
use std::fmt;
use std::time::Duration;

/// What is known after a check.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything was explored, and nothing is wrong.
    Holds,
    /// Something is wrong.
    Violated,
    /// Nothing wrong was found, and not everything was explored.
    Unknown,
}

/// The result of a check.
#[derive(Clone, Debug)]
pub struct Report {
    /// What is known.
    pub verdict: Verdict,
    /// Why not everything was explored.
    pub limit: Option<String>,
    /// Executions that came to an end: complete, deadlocked or failed.
    pub executions: u64,
    /// Executions given up because they were like others before.
    pub redundant: u64,
    /// Visible operations, over all executions, those of repeated beginnings included.
    pub steps: u64,
    /// The most visible operations of an execution.
    pub longest: u64,
    /// The most threads that ran together.
    pub threads: usize,
    /// What is wrong.
    pub failures: Vec<Failure>,
    /// Conditions of [`assert_sometimes!`](crate::assert_sometimes) that no execution met.
    pub never: Vec<String>,
    /// How long it took.
    pub time: Duration,
}

impl Report {
    /// Panics with what is wrong, if something is.
    #[track_caller]
    pub fn unwrap(&self) {
        if self.verdict == Verdict::Violated {
            panic!("{self}");
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for failure in &self.failures {
            writeln!(f, "{failure}\n")?;
        }
        for what in &self.never {
            writeln!(f, "no execution ever met the condition {what}\n")?;
        }
        let verdict = match self.verdict {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Unknown => "unknown",
        };
        write!(f, "{verdict} after {} executions of at most {} steps", self.executions, self.longest)?;
        if self.redundant > 0 {
            write!(f, ", {} redundant", self.redundant)?;
        }
        if let Some(limit) = &self.limit {
            write!(f, "; {limit}")?;
        }
        Ok(())
    }
}

/// What to report while a check runs.
pub type Progress<'a> = dyn Fn(&Snapshot) + Sync + 'a;

/// How far a check is.
#[derive(Copy, Clone, Debug)]
pub struct Snapshot {
    /// Executions so far.
    pub executions: u64,
    /// An estimate of how many there are in all.
    pub estimate: Option<u64>,
    /// How long it has taken.
    pub time: Duration,
}
