//! Several searches that explore one program together.
//!
//! A search that has work left gives the uppermost state where something waits to those that have none: from then on
//! that state and all above it are *shared*. Whoever takes a step of a shared state puts it to sleep there, so that those who come
//! later explore what is left, exactly as one search does one step after another.
//!
//! A step that someone is exploring sleeps like one that was explored. For source sets that is all. Wakeup trees count on more: a
//! sequence that is independent of a sleeping step is left out, because those of its continuations that are not found behind the sleeper are
//! found by races there, and are then inserted before the steps that come after the sleeper are taken. With several searches at work at a
//! state they may be inserted too late, or behind a step that someone else is exploring. So such a sequence is left out only if, when this search took
//! its step, all that slept had been explored wholly, by all who had a part in it. And only if, before that, nothing was inserted there while someone
//! was at another step: such a sequence may be one that a sleeper is independent of, and those that races behind the sleeper call for
//! may have been taken for it; what is left out behind it would be counted on there. Nothing is lost then, each trace
//! is executed once, and an execution can turn out to be redundant where searches were at work side by side.
//!
//! What a step is, with its outcome and its class, is known when it is performed. Until then nobody else takes a step of that state.

use super::wakeup::{Branch, Sleeper};
use crate::runtime::operation::{Access, Kind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What several searches explore from one state.
#[derive(Debug)]
pub(crate) struct Shared {
    inside: Mutex<Inside>,
    settled: Condvar,
}

#[derive(Debug)]
struct Inside {
    /// Steps that were taken, or need not be.
    asleep: Vec<Sleeper>,
    /// How many searches are at each of them.
    inside: Vec<u32>,
    tree: Vec<Branch>,
    /// Whether something was inserted while someone was at another step.
    hurried: bool,
    /// Which of the steps was taken and not yet performed.
    unsettled: Option<usize>,
}

impl Shared {
    /// What is asleep, the step that the caller is exploring, and what waits.
    pub(crate) fn new(mut asleep: Vec<Sleeper>, step: Access, tree: Vec<Branch>) -> Shared {
        let mut inside = vec![0; asleep.len()];
        asleep.push(Sleeper { step, explored: false });
        inside.push(1);
        Shared {
            inside: Mutex::new(Inside { asleep, inside, tree, hurried: false, unsettled: None }),
            settled: Condvar::new(),
        }
    }

    /// Another search will be at this step.
    pub(crate) fn enter(&self, entry: usize) {
        lock(&self.inside).inside[entry] += 1;
    }

    /// Whether something waits.
    pub(crate) fn waits(&self) -> bool {
        !lock(&self.inside).tree.is_empty()
    }

    /// Leaves the step `entry` and takes the next one, which is `entry` then; `sleep` becomes what sleeps while it is explored. It is to be
    /// [settled](Self::settle).
    pub(crate) fn take(&self, team: &Team, entry: &mut usize, sleep: &mut Vec<Sleeper>) -> Option<Branch> {
        let mut inside = lock(&self.inside);
        inside.inside[*entry] -= 1;
        inside.asleep[*entry].explored = inside.inside[*entry] == 0;
        while inside.unsettled.is_some() {
            if team.stopped() {
                return None;
            }
            let waited = self.settled.wait_timeout(inside, Duration::from_millis(10));
            inside = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if inside.tree.is_empty() {
            return None;
        }
        let branch = inside.tree.remove(0);
        sleep.clone_from(&inside.asleep);
        if inside.hurried || inside.inside.iter().any(|&searches| searches > 0) {
            sleep.iter_mut().for_each(|sleeper| sleeper.explored = false);
        }
        *entry = inside.asleep.len();
        inside.unsettled = Some(*entry);
        inside.asleep.push(Sleeper { step: branch.step, explored: false });
        inside.inside.push(1);
        Some(branch)
    }

    /// Says what the step is that was taken, and what else waits because of it.
    pub(crate) fn settle(&self, f: impl FnOnce(&mut Vec<Branch>) -> Option<Access>) -> Option<Access> {
        let mut inside = lock(&self.inside);
        let step = f(&mut inside.tree);
        if let Some(place) = inside.unsettled.take()
            && let Some(step) = step
        {
            inside.asleep[place].step = step;
        }
        self.settled.notify_all();
        step
    }

    /// Looks at what sleeps and changes what waits. `f` is told whether nobody is at another step than `entry`.
    pub(crate) fn change(
        &self,
        entry: usize,
        f: impl FnOnce(&[Sleeper], bool, &mut Vec<Branch>) -> bool,
    ) -> bool {
        let Inside { asleep, inside, tree, hurried, .. } = &mut *lock(&self.inside);
        let alone = inside.iter().enumerate().all(|(place, &searches)| place == entry || searches == 0);
        let mut others = asleep.iter().enumerate().filter(|(place, _)| *place != entry);
        let sure = alone && others.all(|(_, sleeper)| sleeper.explored);
        let inserted = f(asleep, alone, tree);
        *hurried |= inserted && !sure;
        inserted
    }
}

/// A shared state on the way to where something waits.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    pub(crate) step: Access,
    pub(crate) kind: Option<Kind>,
    pub(crate) preemptions: u32,
    /// Which of the shared steps it is.
    pub(crate) entry: usize,
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
