//! Searches: who goes on at each step, and which execution comes next.

pub(crate) mod checkpoint;
mod determinism;
pub(crate) mod dfs;
mod divide;
pub(crate) mod manual;
pub(crate) mod method;
pub(crate) mod random;
pub(crate) mod replay;
mod reverse;
pub(crate) mod team;
pub(crate) mod wakeup;

use crate::runtime::Runtime;
use crate::runtime::control::End;

/// A decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// This thread goes on; of an operation with several outcomes, with this one.
    Step { thread: u32, choice: u32 },
    /// No thread can go on.
    Nobody,
    /// All that can go on has been explored elsewhere.
    Redundant,
    /// What the program does is not what was said of it.
    Refuted(String),
    /// What the program did before, it doesn't do any more.
    Impossible(String),
}

/// A search.
pub(crate) trait Strategy {
    /// An execution starts. The answer is the first event whose races are wanted, `NONE` for none. If the last
    /// execution was not [finished](Self::finished), it is repeated.
    fn begin(&mut self) -> u32;

    /// Chooses a step. All threads have announced what they do next.
    fn choose(&mut self, runtime: &Runtime) -> Choice;

    /// The chosen step is the last event.
    fn performed(&mut self, runtime: &Runtime);

    /// An execution ended. `false`: there are no more.
    fn finished(&mut self, runtime: &mut Runtime, end: &End) -> bool;

    /// Whether all of the executions that matter are done when there are no more.
    fn exhaustive(&self) -> bool;

    /// The search as text, if it can go on from that.
    fn save(&self) -> Option<String> {
        None
    }

    /// An estimate of how much is done, from 0 to 1.
    fn progress(&self) -> f64 {
        0.0
    }
}
