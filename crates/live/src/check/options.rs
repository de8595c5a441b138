//! What a check does: which executions are tried, and up to which limits.

use crate::persistent::Description;
use crate::report::token;
use crate::runtime::control::Rules;
use crate::search::Strategy;
use crate::search::dfs::Dfs;
use crate::search::method::Method;
use crate::search::random::Random;
use crate::search::replay::Replay;
use std::path::PathBuf;
use std::time::Duration;

/// Which executions are tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Search {
    /// Depth first, with everything explored that the method does not rule out.
    Exhaustive(Method),
    /// So many executions in which each step is random.
    Random {
        /// Where the random numbers start.
        seed: u64,
        /// How many.
        executions: u64,
    },
    /// So many executions with random priorities that change at `depth - 1` random moments (PCT).
    Priorities {
        /// Where the random numbers start.
        seed: u64,
        /// How many.
        executions: u64,
        /// How many ordering constraints a bug needs that is looked for.
        depth: u32,
    },
    /// One execution, from the token of a failure.
    Replay(String),
}

impl Search {
    pub(super) fn strategy(&self, description: Option<&Description>) -> Box<dyn Strategy> {
        match self {
            Search::Exhaustive(method) => Box::new(Dfs::new(*method).describe(description)),
            Search::Random { seed, executions } => Box::new(Random::new(*seed, *executions, None)),
            Search::Priorities { seed, executions, depth } => {
                Box::new(Random::new(*seed, *executions, Some(*depth)))
            }
            Search::Replay(text) => {
                let schedule = token::read(text)
                    .unwrap_or_else(|| panic!("`{text}` is no token of a failure: one starts with mz1:"));
                Box::new(Replay::new(schedule, false))
            }
        }
    }
}

/// A check with options.
///
/// ```
/// use mazurka_live::{Checker, Method, Search, thread};
///
/// let report = Checker::new()
///     .search(Search::Exhaustive(Method::Source))
///     .max_executions(1000)
///     .run(|| {
///         thread::spawn(|| ()).join().unwrap();
///     });
/// assert_eq!(report.executions, 1);
/// ```
#[derive(Clone, Debug)]
pub struct Checker {
    pub(super) search: Search,
    pub(super) most_executions: Option<u64>,
    pub(super) most_time: Option<Duration>,
    pub(super) most_failures: usize,
    pub(super) stack_size: usize,
    pub(super) rules: Rules,
    pub(super) minimise: bool,
    pub(super) threads: usize,
    pub(super) description: Option<Description>,
    pub(super) divergence: Option<Duration>,
    pub(super) checkpoint: Option<(PathBuf, Duration)>,
    pub(super) resume: Option<PathBuf>,
}

impl Default for Checker {
    fn default() -> Checker {
        Checker::new()
    }
}

impl Checker {
    /// Optimal exploration without limits, up to the first failure.
    pub fn new() -> Checker {
        Checker {
            search: Search::Exhaustive(Method::Optimal),
            most_executions: None,
            most_time: None,
            most_failures: 1,
            stack_size: 256 * 1024,
            rules: Rules {
                panics_fail: true,
                leaks_fail: true,
                most_steps: 1_000_000,
                livelock: 0,
                spurious: false,
            },
            minimise: true,
            threads: 1,
            description: None,
            divergence: None,
            checkpoint: None,
            resume: None,
        }
    }

    /// Explores with so many threads of the machine: the same executions, divided among them. Random searches are not divided.
    pub fn threads(mut self, threads: usize) -> Checker {
        self.threads = threads.max(1);
        self
    }

    /// Explores persistent sets, found from a description of who does what, with sleep sets.
    pub fn describe(mut self, description: Description) -> Checker {
        self.description = Some(description);
        self.method(Method::Persistent)
    }

    /// Which executions are tried.
    pub fn search(mut self, search: Search) -> Checker {
        self.search = search;
        self
    }

    /// Depth first by this method.
    pub fn method(self, method: Method) -> Checker {
        self.search(Search::Exhaustive(method))
    }

    /// Only the execution of a failure's token.
    pub fn replay(self, token: &str) -> Checker {
        self.search(Search::Replay(token.to_owned()))
    }

    /// Stops after so many executions.
    pub fn max_executions(mut self, most: u64) -> Checker {
        self.most_executions = Some(most);
        self
    }

    /// Stops after so long.
    pub fn max_time(mut self, most: Duration) -> Checker {
        self.most_time = Some(most);
        self
    }

    /// Executions longer than this are cut, and nothing is called verified then.
    pub fn max_steps(mut self, most: u32) -> Checker {
        self.rules.most_steps = most;
        self
    }

    /// Goes on until there are so many failures; 0: whatever fails. That need not be all there are: an execution ends where it
    /// fails, and what other threads would have done then is not seen, so that searches which follow races, by default too, have no
    /// reason to try it. If anything fails, something is found.
    pub fn max_failures(mut self, most: usize) -> Checker {
        self.most_failures = most;
        self
    }

    /// The size of each thread's stack, in bytes.
    pub fn stack_size(mut self, bytes: usize) -> Checker {
        self.stack_size = bytes;
        self
    }

    /// Whether a panic is a failure of the test, as it is by default, or what `join` returns.
    pub fn panics_fail(mut self, fail: bool) -> Checker {
        self.rules.panics_fail = fail;
        self
    }

    /// Whether threads that wait for ever after the test has returned are a failure, as they are by default.
    pub fn leaks_fail(mut self, fail: bool) -> Checker {
        self.rules.leaks_fail = fail;
        self
    }

    /// A thread that can't move during so many steps of others is a failure; 0, the default, for never.
    pub fn livelock(mut self, steps: u32) -> Checker {
        self.rules.livelock = steps;
        self
    }

    /// Whether a wait for a condition variable may end without a notification, as the standard library allows. Each thread is woken so once
    /// at most in an execution, because otherwise a loop that waits would have no end. By default nobody is.
    pub fn spurious_wakeups(mut self, happen: bool) -> Checker {
        self.rules.spurious = happen;
        self
    }

    /// Writes the search to a file now and then, and when a limit ends it, so that [`resume`](Self::resume) can go on from there. Only
    /// one thread explores then. Programs with a [`LazyLock`](crate::sync::LazyLock) can't: their addresses differ.
    pub fn checkpoint(mut self, path: impl Into<PathBuf>, every: Duration) -> Checker {
        self.checkpoint = Some((path.into(), every));
        self
    }

    /// Goes on from a checkpoint of the same test, with the same method.
    pub fn resume(mut self, path: impl Into<PathBuf>) -> Checker {
        self.resume = Some(path.into());
        self
    }

    /// A thread that performs no visible operation for so long ends the process, with a message on standard error: it
    /// can't be stopped otherwise. Without this, the default, a test that diverges runs for ever.
    pub fn divergence(mut self, limit: Duration) -> Checker {
        self.divergence = Some(limit);
        self
    }

    /// Whether a failing execution is made to switch less between threads before it is shown, as by default.
    pub fn minimise(mut self, minimise: bool) -> Checker {
        self.minimise = minimise;
        self
    }
}
