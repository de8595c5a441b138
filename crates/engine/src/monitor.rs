//! What watches a long run: progress out, interruption in.

use crate::expand::Met;
use crate::outcome::Stop;
use mazurka_model::Batch;
use std::time::{Duration, Instant};

/// How far a run has come.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// States stored.
    pub states: u64,
    /// Transitions explored.
    pub transitions: u64,
    /// Present depth.
    pub depth: u64,
    /// Bytes of store and stack.
    pub memory: u64,
    /// Time since the start.
    pub elapsed: Duration,
}

/// What one expansion came to.
#[derive(Copy, Clone)]
pub struct Expansion<'a> {
    /// The state.
    pub state: &'a [u8],
    /// The edges that are explored: those of the steps that the reduction chose and that are awake.
    pub edges: &'a Batch,
    /// The violations met.
    pub met: &'a [Met],
    /// No enabled step that was awake was left out. False where only woken steps were explored.
    pub whole: bool,
}

/// Watches a run. Called from the search's own thread, a few times a second; of several threads, from each of them.
pub trait Monitor: Sync {
    /// Told how far the run has come.
    fn progress(&self, _progress: &Progress) {}

    /// Asked whether to stop (Ctrl-C). The outcome then says what was explored so far.
    fn interrupted(&self) -> bool {
        false
    }

    /// Told of every expansion if [`Monitor::watches`]; a state that is opened again is expanded again.
    fn expanded(&self, _expansion: Expansion<'_>) {}

    /// Whether [`Monitor::expanded`] wants to be told.
    fn watches(&self) -> bool {
        false
    }
}

/// Watches nothing.
#[derive(Copy, Clone, Debug, Default)]
pub struct Silent;

impl Monitor for Silent {}

/// When long work within one expansion has to be given up.
#[derive(Copy, Clone, Default)]
pub struct Halt<'s> {
    monitor: Option<&'s dyn Monitor>,
    deadline: Option<Instant>,
}

impl<'s> Halt<'s> {
    /// When the monitor says so, or at a moment.
    pub fn new(monitor: &'s dyn Monitor, deadline: Option<Instant>) -> Halt<'s> {
        Halt { monitor: Some(monitor), deadline }
    }

    /// Why to give up now, if so.
    pub fn stop(&self) -> Option<Stop> {
        if self.monitor.is_some_and(|monitor| monitor.interrupted()) {
            Some(Stop::Interrupted)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(Stop::Time)
        } else {
            None
        }
    }
}
