//! Several searches that explore one program together.
//!
//! A search that has work left gives the uppermost state where something waits to those that have none: from then on
//! that state and all above it are *shared*. Whoever takes a step of a shared state puts it to sleep there, so that those who come
//! later explore what is left, exactly as one search does one step after another.
//!
//! This is sound for source sets, naive search and sleep sets, where what is explored from a step doesn't depend on what its earlier siblings
//! find. It is not for wakeup trees: those siblings insert sequences into later branches, which must not have been started.

use super::wakeup::Branch;
use crate::runtime::operation::{Access, Kind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What several searches explore from one state.
#[derive(Debug)]
pub(crate) struct Shared {
    inside: Mutex<(Vec<Access>, Vec<Branch>)>,
}

impl Shared {
    pub(crate) fn new(sleep: Vec<Access>, tree: Vec<Branch>) -> Shared {
        Shared { inside: Mutex::new((sleep, tree)) }
    }

    /// Whether something waits.
    pub(crate) fn waits(&self) -> bool {
        !lock(&self.inside).1.is_empty()
    }

    /// Takes the next step; `sleep` becomes what sleeps while it is explored.
    pub(crate) fn take(&self, sleep: &mut Vec<Access>) -> Option<Branch> {
        let (asleep, tree) = &mut *lock(&self.inside);
        if tree.is_empty() {
            return None;
        }
        let branch = tree.remove(0);
        sleep.clone_from(asleep);
        asleep.push(branch.step);
        Some(branch)
    }

    /// Looks at what sleeps and changes what waits.
    pub(crate) fn change(&self, f: impl FnOnce(&[Access], &mut Vec<Branch>) -> bool) -> bool {
        let (asleep, tree) = &mut *lock(&self.inside);
        f(asleep, tree)
    }
}

/// A shared state on the way to where something waits.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    pub(crate) step: Access,
    pub(crate) kind: Option<Kind>,
    pub(crate) shared: Arc<Shared>,
}

/// Those who explore together.
#[derive(Debug)]
pub(crate) struct Team {
    tasks: Mutex<(Vec<Vec<Level>>, usize)>,
    arrived: Condvar,
    /// How many wait for work, more than there are tasks for.
    hungry: AtomicUsize,
    over: AtomicBool,
    size: usize,
}

impl Team {
    pub(crate) fn new(size: usize) -> Team {
        Team {
            tasks: Mutex::new((Vec::new(), 0)),
            arrived: Condvar::new(),
            hungry: AtomicUsize::new(0),
            over: AtomicBool::new(false),
            size,
        }
    }

    /// Whether someone waits for work.
    pub(crate) fn hungry(&self) -> bool {
        self.hungry.load(Ordering::Relaxed) > 0
    }

    /// Ends all work.
    pub(crate) fn stop(&self) {
        self.over.store(true, Ordering::SeqCst);
        let _tasks = lock(&self.tasks);
        self.arrived.notify_all();
    }

    /// Whether work was ended.
    pub(crate) fn stopped(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Offers a part of the search.
    pub(crate) fn offer(&self, levels: Vec<Level>) {
        let mut tasks = lock(&self.tasks);
        tasks.0.push(levels);
        self.hungry.store(tasks.1.saturating_sub(tasks.0.len()), Ordering::Relaxed);
        self.arrived.notify_one();
    }

    /// Waits for a part; `None` when all wait, or work was ended.
    pub(crate) fn task(&self) -> Option<Vec<Level>> {
        let mut tasks = lock(&self.tasks);
        tasks.1 += 1;
        loop {
            if self.stopped() || (tasks.1 == self.size && tasks.0.is_empty()) {
                // The last one wakes the others, who find the same.
                self.over.store(true, Ordering::SeqCst);
                self.arrived.notify_all();
                return None;
            }
            if let Some(levels) = tasks.0.pop() {
                tasks.1 -= 1;
                self.hungry.store(tasks.1.saturating_sub(tasks.0.len()), Ordering::Relaxed);
                return Some(levels);
            }
            self.hungry.store(tasks.1, Ordering::Relaxed);
            tasks = self.arrived.wait(tasks).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
