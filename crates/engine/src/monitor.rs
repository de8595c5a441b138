//! What watches a long run: progress out, interruption in.

use crate::config::Limits;
use crate::expand::Met;
use crate::outcome::Stop;
use mazurka_model::Batch;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
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
#[derive(Clone, Default)]
pub struct Halt<'s> {
    monitor: Option<&'s dyn Monitor>,
    deadline: Option<Instant>,
    limits: Limits,
    /// The bytes that the search took when it was measured last.
    used: Arc<AtomicU64>,
    /// How many threads share what is left.
    threads: usize,
}

impl<'s> Halt<'s> {
    /// When the monitor says so, at a moment, or at one of the limits.
    pub fn new(
        monitor: &'s dyn Monitor,
        deadline: Option<Instant>,
        limits: Limits,
        threads: usize,
    ) -> Halt<'s> {
        Halt { monitor: Some(monitor), deadline, limits, used: Arc::default(), threads }
    }

    /// With a place where the search notes the bytes that it takes.
    pub fn with_memory(mut self, used: Arc<AtomicU64>) -> Halt<'s> {
        self.used = used;
        self
    }

    /// At these limits instead.
    pub fn within(mut self, limits: Limits) -> Halt<'s> {
        self.limits = limits;
        self
    }

    /// Who wants to be told of every expansion.
    pub fn watcher(&self) -> Option<&'s dyn Monitor> {
        self.monitor.filter(|monitor| monitor.watches())
    }

    /// How many bytes more may be taken now, if the search may take this many.
    pub fn room(&self, limit: u64) -> u64 {
        limit.saturating_sub(self.used.load(Ordering::Relaxed)) / self.threads.max(1) as u64
    }

    /// Why to give up work that has met so many states, and is so deep; `least` are allowed whatever the limits are.
    pub fn stop_within(&self, states: u64, depth: u64, least: u64) -> Option<Stop> {
        if self.limits.states.is_some_and(|limit| states > limit.max(least)) {
            Some(Stop::States)
        } else if self.limits.depth.is_some_and(|limit| depth > limit.max(least)) {
            Some(Stop::Depth)
        } else {
            None
        }
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
