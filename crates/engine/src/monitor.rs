//! What watches a long run: progress out, interruption in.

use std::time::Duration;

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

/// Watches a run. Called from the search's own thread, a few times a second.
pub trait Monitor: Sync {
    /// Told how far the run has come.
    fn progress(&self, _progress: &Progress) {}

    /// Asked whether to stop (Ctrl-C). The outcome then says what was explored so far.
    fn interrupted(&self) -> bool {
        false
    }
}

/// Watches nothing.
#[derive(Copy, Clone, Debug, Default)]
pub struct Silent;

impl Monitor for Silent {}
