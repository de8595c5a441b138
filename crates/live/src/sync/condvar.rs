//! Condition variables: waiting is joining those who wait, giving the lock back, being woken, and taking the lock again.

use super::{LockResult, MutexGuard, PoisonError};
use crate::runtime::control::{Handle, wakes_by_itself};
use crate::runtime::object::Shape;
use crate::runtime::operation::Kind;
use std::time::Duration;

/// A condition variable with the interface of [`std::sync::Condvar`]. Which of several waiting threads a
/// notification wakes is explored; nobody is woken without one, unless
/// [`Checker::spurious_wakeups`](crate::Checker::spurious_wakeups) is set.
#[derive(Debug)]
pub struct Condvar {
    handle: Handle,
}

/// Whether a wait ended because its time was up.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct WaitTimeoutResult(bool);

impl WaitTimeoutResult {
    /// Whether it did.
    pub fn timed_out(&self) -> bool {
        self.0
    }
}

impl Condvar {
    pub(crate) fn handle(&self) -> Handle {
        self.handle
    }

    /// A condition variable for which nobody waits.
    #[track_caller]
    pub fn new() -> Condvar {
        Condvar { handle: Handle::new(Shape::Condvar, 0) }
    }

    /// Waits for a notification.
    #[track_caller]
    pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
        // A wait that may end by itself is one with a time limit that is not told.
        let end = if wakes_by_itself() { Kind::WakeTimeout } else { Kind::Wake };
        self.handle.simple(Kind::Wait);
        let lock = guard.leave();
        self.handle.simple(end);
        MutexGuard::again(lock)
    }

    /// Waits for notifications until a condition is false.
    #[track_caller]
    pub fn wait_while<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        mut condition: impl FnMut(&mut T) -> bool,
    ) -> LockResult<MutexGuard<'a, T>> {
        let mut guard = guard;
        while condition(&mut *guard) {
            guard = self.wait(guard)?;
        }
        Ok(guard)
    }

    /// Waits for a notification until the time is up: the schedule decides which is first.
    #[track_caller]
    pub fn wait_timeout<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        limit: Duration,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        self.handle.simple(Kind::Wait);
        let lock = guard.leave();
        let late = self.handle.simple(Kind::WakeTimeout) == 1;
        if late {
            crate::time::pass(limit);
        }
        let result = WaitTimeoutResult(late);
        match MutexGuard::again(lock) {
            Ok(guard) => Ok((guard, result)),
            Err(poisoned) => Err(PoisonError::new((poisoned.into_inner(), result))),
        }
    }

    /// Waits until a condition is false or the time is up.
    #[track_caller]
    pub fn wait_timeout_while<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        limit: Duration,
        mut condition: impl FnMut(&mut T) -> bool,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        let mut guard = guard;
        loop {
            if !condition(&mut *guard) {
                return Ok((guard, WaitTimeoutResult(false)));
            }
            let (next, result) = self.wait_timeout(guard, limit)?;
            guard = next;
            if result.timed_out() {
                let late = condition(&mut *guard);
                return Ok((guard, WaitTimeoutResult(late)));
            }
        }
    }

    /// Wakes one thread that waits.
    #[track_caller]
    pub fn notify_one(&self) {
        self.handle.simple(Kind::NotifyOne);
    }

    /// Wakes all threads that wait.
    #[track_caller]
    pub fn notify_all(&self) {
        self.handle.simple(Kind::NotifyAll);
    }
}

impl Default for Condvar {
    #[track_caller]
    fn default() -> Condvar {
        Condvar::new()
    }
}
