//! What is found: kinds of failures, and a failing execution that people can read and repeat.

use crate::report::timeline::Timeline;
use crate::report::token;
use crate::runtime::Runtime;
use crate::runtime::operation::{Kind, NONE};
use crate::search::replay::{Schedule, schedule_of};
use std::any::Any;
use std::fmt;

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// A thread panicked.
    Panic {
        /// Which thread.
        thread: u32,
        /// What it said.
        message: String,
    },
    /// Threads wait for each other.
    Deadlock,
    /// Threads wait for a notification that never comes.
    LostWakeup,
    /// A thread acquires a lock that it holds.
    SelfLock {
        /// Which thread.
        thread: u32,
    },
    /// A loop waits for a change that never comes.
    EndlessLoop,
    /// Threads wait for ever after the first thread has returned.
    Leak,
    /// Two threads access memory without synchronisation, and one of them writes.
    DataRace(String),
    /// A thread was kept from moving for so many steps.
    Livelock {
        /// Which thread.
        thread: u32,
        /// How many steps.
        steps: u32,
    },
    /// A thread does what its [description](crate::Description) does not allow.
    WrongDescription(String),
    /// The program did not do the same again under the same schedule: what was expected, and what was seen.
    Nondeterminism(String),
}

impl FailureKind {
    /// A name for reports: `deadlock`, `panic`.
    pub fn name(&self) -> &'static str {
        match self {
            FailureKind::Panic { .. } => "panic",
            FailureKind::Deadlock => "deadlock",
            FailureKind::LostWakeup => "lost wakeup",
            FailureKind::SelfLock { .. } => "self lock",
            FailureKind::EndlessLoop => "endless loop",
            FailureKind::Leak => "leaked thread",
            FailureKind::DataRace(_) => "data race",
            FailureKind::Livelock { .. } => "livelock",
            FailureKind::WrongDescription(_) => "wrong description",
            FailureKind::Nondeterminism(_) => "nondeterminism",
        }
    }

    /// Whether two failures are of one sort; the words of a panic count.
    pub(crate) fn same_sort(&self, other: &FailureKind) -> bool {
        match (self, other) {
            (FailureKind::Panic { message: a, .. }, FailureKind::Panic { message: b, .. }) => a == b,
            (FailureKind::DataRace(a), FailureKind::DataRace(b)) => a == b,
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        }
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FailureKind::Panic { message, .. } => write!(f, "{message}"),
            FailureKind::Deadlock => write!(f, "deadlock: no thread can go on"),
            FailureKind::LostWakeup => {
                write!(f, "lost wakeup: threads wait for a notification that never comes")
            }
            FailureKind::SelfLock { .. } => write!(f, "a thread acquires a lock that it holds"),
            FailureKind::EndlessLoop => {
                write!(f, "endless loop: a loop waits for a change, and nobody is left to make it")
            }
            FailureKind::Leak => {
                write!(f, "leaked thread: the test has returned, and threads wait that nobody will wake")
            }
            FailureKind::DataRace(what) => write!(f, "data race: {what}"),
            FailureKind::Livelock { thread, steps } => {
                write!(f, "livelock: thread {thread} could not move during {steps} steps of others")
            }
            FailureKind::WrongDescription(what) => write!(f, "wrong description: {what}"),
            FailureKind::Nondeterminism(what) => write!(
                f,
                "the test is not deterministic under one schedule: {what}. Look for random numbers, clocks, addresses, \
                 hash maps, or objects and threads that are not those of mazurka::live"
            ),
        }
    }
}

/// A failing execution.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What went wrong.
    pub kind: FailureKind,
    /// What happened, step by step.
    pub timeline: Timeline,
    pub(crate) schedule: Schedule,
}

impl Failure {
    /// The failure that ended the execution.
    pub(crate) fn new(kind: FailureKind, runtime: &Runtime) -> Failure {
        Failure { kind, timeline: Timeline::new(runtime), schedule: schedule_of(runtime) }
    }

    /// What `Checker::replay` takes to repeat this execution.
    pub fn token(&self) -> String {
        token::write(&self.schedule)
    }

    /// How often another thread than the one before goes on.
    pub fn switches(&self) -> usize {
        self.schedule.windows(2).filter(|pair| pair[0].0 != pair[1].0).count()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.kind)?;
        writeln!(f)?;
        write!(f, "{}", self.timeline)?;
        writeln!(f)?;
        write!(f, "To repeat it: Checker::new().replay(\"{}\")", self.token())
    }
}

/// What a panic carried.
pub(crate) fn payload_text(payload: &(dyn Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a thread panicked".to_owned())
}

/// What it is when no thread can go on; `None` if that is allowed.
pub(crate) fn stuck(runtime: &Runtime, leaks_fail: bool) -> Option<FailureKind> {
    let waiting =
        || runtime.born.iter().map(|&thread| &runtime.threads[thread as usize]).filter(|thread| thread.alive);
    let loops = |pending: &crate::runtime::operation::Operation| pending.awaits != NONE;
    if runtime.born.first().is_some_and(|&first| !runtime.threads[first as usize].alive) {
        return leaks_fail.then_some(FailureKind::Leak);
    }
    let joins = |kind: Kind| kind == Kind::Join;
    let sleeps = |kind: Kind| matches!(kind, Kind::Wake | Kind::Park);
    if waiting().any(|it| loops(&it.pending))
        && waiting().all(|it| loops(&it.pending) || joins(it.pending.kind))
    {
        return Some(FailureKind::EndlessLoop);
    }
    if waiting().any(|it| sleeps(it.pending.kind))
        && waiting().all(|it| sleeps(it.pending.kind) || joins(it.pending.kind))
    {
        return Some(FailureKind::LostWakeup);
    }
    Some(FailureKind::Deadlock)
}
