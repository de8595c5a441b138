//! What the threads of a search have in common beside the visited set: work, and when to end.
//!
//! Each thread keeps its work to itself until another has none. Then it gives away the older half: states near the root of
//! what it explores, from which most is left to do. A thread that finds nothing to take waits. If all wait, there is
//! no work anywhere, because only a thread that does not wait can have some: the search is over, or, breadth
//! first, its level is.

use crate::config::Config;
use crate::monitor::{Expansion, Monitor, Progress};
use crate::outcome::Stop;
use crate::store::StateRef;
use mazurka_model::{Elsewhere, Finding, FindingKind, Rank};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

/// Pieces of a level that each thread gets, about, so that all end at about the same time; and the least that is
/// worth a piece.
const PIECES: usize = 8;
const LEAST_PIECE: usize = 16;

/// A state that was stored and is to be expanded.
#[derive(Copy, Clone, Debug)]
pub struct Pending {
    pub state: StateRef,
    /// How many steps it lies behind an initial state, on the way on which it was met.
    pub depth: u32,
    /// The steps that need not be executed.
    pub elsewhere: Elsewhere,
}

/// Work that nobody has, and who waits for it.
#[derive(Debug, Default)]
struct Pool {
    /// Each for one thread.
    pieces: Vec<Vec<Pending>>,
    /// What belongs to the next level.
    next: Vec<Vec<Pending>>,
    threads: usize,
    waiting: usize,
    over: bool,
    stopped: Option<Stop>,
    /// Places at which something is wrong, and the number of other errors.
    places: HashSet<FindingKind>,
    others: usize,
}

/// What one thread says of itself now and then.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Said {
    states: AtomicU64,
    transitions: AtomicU64,
    bytes: AtomicU64,
}

/// The threads of one search.
#[derive(Debug)]
pub struct Team {
    pool: Mutex<Pool>,
    work: Condvar,
    /// How many threads wait; the pool knows it exactly.
    hungry: AtomicUsize,
    ends: AtomicBool,
    said: Vec<Said>,
    states: AtomicU64,
    most_states: Option<u64>,
    most_errors: usize,
    /// How processes rank where steps are left out; nothing if none are.
    rank: OnceLock<Option<Rank>>,
}

impl Team {
    /// So many threads as the options say, and what there is to do at first.
    pub fn new(config: &Config, first: Vec<Pending>) -> Team {
        let states = AtomicU64::new(first.len() as u64);
        let pool = Pool { pieces: vec![first], threads: config.threads, ..Pool::default() };
        Team {
            pool: Mutex::new(pool),
            work: Condvar::new(),
            hungry: AtomicUsize::new(0),
            ends: AtomicBool::new(false),
            said: (0..config.threads).map(|_| Said::default()).collect(),
            states,
            most_states: config.limits.states,
            most_errors: config.max_errors,
            rank: OnceLock::new(),
        }
    }

    fn pool(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// There is one thread fewer than was thought.
    pub fn dismiss(&self) {
        self.pool().threads -= 1;
        self.work.notify_all();
    }

    /// How processes rank where steps are left out. The first thread that asks finds it out, by a state that it has come to.
    pub fn rank(&self, find: impl FnOnce() -> Option<Rank>) -> Option<Rank> {
        *self.rank.get_or_init(find)
    }

    /// Whether the search ends for all.
    #[inline]
    pub fn ends(&self) -> bool {
        self.ends.load(Ordering::Relaxed)
    }

    /// Ends the search for all. The first reason counts.
    pub fn stop(&self, stop: Stop) {
        let mut pool = self.pool();
        pool.stopped.get_or_insert(stop);
        pool.over = true;
        self.ends.store(true, Ordering::Relaxed);
        self.work.notify_all();
    }

    /// Why the search ended early, if it did.
    pub fn stopped(&self) -> Option<Stop> {
        self.pool().stopped
    }

    /// Whether some thread waits for work.
    #[inline]
    pub fn is_hungry(&self) -> bool {
        self.hungry.load(Ordering::Relaxed) > 0
    }

    /// Gives work to a thread that waits.
    pub fn give(&self, piece: Vec<Pending>) {
        self.pool().pieces.push(piece);
        self.work.notify_one();
    }

    /// Waits for work, after `own` and everything else that the thread had is done; what belongs to the next level
    /// is left to all. False: there is none.
    pub fn take(&self, own: &mut Vec<Pending>, next: &mut Vec<Pending>) -> bool {
        let mut pool = self.pool();
        if !next.is_empty() {
            pool.next.push(std::mem::take(next));
        }
        loop {
            if pool.over {
                return false;
            }
            if let Some(piece) = pool.pieces.pop() {
                *own = piece;
                return true;
            }
            // Nobody else has any work, and nobody has left some.
            if pool.waiting + 1 >= pool.threads {
                let next = std::mem::take(&mut pool.next);
                if next.is_empty() {
                    pool.over = true;
                } else {
                    let size = next.iter().map(Vec::len).sum::<usize>() / (PIECES * pool.threads);
                    let pieces = next.iter().flat_map(|all| all.chunks(size.max(LEAST_PIECE)));
                    pool.pieces = pieces.map(<[Pending]>::to_vec).collect();
                }
                self.work.notify_all();
                continue;
            }
            pool.waiting += 1;
            self.hungry.fetch_add(1, Ordering::Relaxed);
            pool = self.work.wait(pool).unwrap_or_else(PoisonError::into_inner);
            self.hungry.fetch_sub(1, Ordering::Relaxed);
            pool.waiting -= 1;
        }
    }

    /// Counts a state, if there is a limit to their number.
    #[inline]
    pub fn count_state(&self) {
        if let Some(most) = self.most_states
            && self.states.fetch_add(1, Ordering::Relaxed) + 1 >= most
        {
            self.stop(Stop::States);
        }
    }

    /// Counts errors that a thread has found, and ends the search if they are enough.
    pub fn found(&self, findings: &[Finding]) {
        let mut pool = self.pool();
        for finding in findings {
            match finding.kind {
                FindingKind::Deadlock => pool.others += 1,
                kind => drop(pool.places.insert(kind)),
            }
        }
        let enough = self.most_errors > 0 && pool.others + pool.places.len() >= self.most_errors;
        drop(pool);
        if enough {
            self.stop(Stop::Errors);
        }
    }

    /// Notes what a thread says of itself, and gives the bytes that all use.
    pub fn say(&self, number: usize, states: u64, transitions: u64, bytes: u64) -> u64 {
        let said = &self.said[number];
        said.states.store(states, Ordering::Relaxed);
        said.transitions.store(transitions, Ordering::Relaxed);
        said.bytes.store(bytes, Ordering::Relaxed);
        self.sum(|said| &said.bytes)
    }

    fn sum(&self, what: impl Fn(&Said) -> &AtomicU64) -> u64 {
        self.said.iter().map(|said| what(said).load(Ordering::Relaxed)).sum()
    }

    /// What a thread is watched by.
    pub fn part<'a>(&'a self, monitor: &'a dyn Monitor) -> Part<'a> {
        Part { all: monitor, team: self }
    }
}

/// Watches one thread: shows what all have done, and ends work within an expansion when the search ends.
pub struct Part<'a> {
    all: &'a dyn Monitor,
    team: &'a Team,
}

impl Monitor for Part<'_> {
    fn progress(&self, progress: &Progress) {
        let (states, transitions) =
            (self.team.sum(|said| &said.states), self.team.sum(|said| &said.transitions));
        self.all.progress(&Progress { states, transitions, ..*progress });
    }

    fn interrupted(&self) -> bool {
        self.team.ends() || self.all.interrupted()
    }

    fn expanded(&self, expansion: Expansion<'_>) {
        self.all.expanded(expansion);
    }

    fn watches(&self) -> bool {
        self.all.watches()
    }
}

impl Drop for Part<'_> {
    /// A thread that panics does no more work, and the others must not wait for it.
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.team.stop(Stop::Inconsistent);
        }
    }
}
