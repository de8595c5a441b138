//! A mutual-exclusion lock.

use super::{LockResult, PoisonError, TryLockError, TryLockResult};
use crate::failure::FailureKind;
use crate::runtime::control::{self, End, Handle};
use crate::runtime::object::Shape;
use crate::runtime::operation::Kind;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};

/// A lock with the interface of [`std::sync::Mutex`].
pub struct Mutex<T: ?Sized> {
    handle: Handle,
    poisoned: AtomicBool,
    value: std::sync::Mutex<T>,
}

/// The right to use what the lock protects.
pub struct MutexGuard<'a, T: ?Sized> {
    lock: &'a Mutex<T>,
    value: Option<std::sync::MutexGuard<'a, T>>,
}

impl<T> Mutex<T> {
    /// A free lock.
    #[track_caller]
    pub fn new(value: T) -> Mutex<T> {
        Mutex {
            handle: Handle::new(Shape::Mutex, 0),
            poisoned: AtomicBool::new(false),
            value: std::sync::Mutex::new(value),
        }
    }

    /// What it protects.
    pub fn into_inner(self) -> LockResult<T> {
        let poisoned = self.poisoned.load(Ordering::Relaxed);
        let value = self.value.into_inner().unwrap_or_else(PoisonError::into_inner);
        if poisoned { Err(PoisonError::new(value)) } else { Ok(value) }
    }
}

impl<T: ?Sized> Mutex<T> {
    pub(crate) fn handle(&self) -> Handle {
        self.handle
    }

    pub(super) fn taken(&self) -> LockResult<MutexGuard<'_, T>> {
        // Nobody has the value while the lock is held by this thread, unless the execution is over.
        let value = match self.value.try_lock() {
            Ok(value) => value,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => control::stuck(),
        };
        let guard = MutexGuard { lock: self, value: Some(value) };
        if self.poisoned.load(Ordering::Relaxed) { Err(PoisonError::new(guard)) } else { Ok(guard) }
    }

    /// Waits until the lock is free and takes it. Taking a lock that the thread holds is a failure.
    #[track_caller]
    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        refuse_holder(self.handle, |state, me| state == u64::from(me) + 1);
        self.handle.simple(Kind::Lock);
        self.taken()
    }

    /// Takes the lock if it is free.
    #[track_caller]
    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        if self.handle.simple(Kind::TryLock) == 0 {
            return Err(TryLockError::WouldBlock);
        }
        self.taken().map_err(TryLockError::Poisoned)
    }

    /// Whether a thread panicked while it held the lock.
    #[track_caller]
    pub fn is_poisoned(&self) -> bool {
        self.handle.simple(Kind::IsPoisoned);
        self.poisoned.load(Ordering::Relaxed)
    }

    /// Forgets that.
    #[track_caller]
    pub fn clear_poison(&self) {
        self.handle.simple(Kind::ClearPoison);
        self.poisoned.store(false, Ordering::Relaxed);
    }

    /// What it protects, when nobody else has the lock.
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        let poisoned = self.poisoned.load(Ordering::Relaxed);
        let value = self.value.get_mut().unwrap_or_else(PoisonError::into_inner);
        if poisoned { Err(PoisonError::new(value)) } else { Ok(value) }
    }
}

/// Ends the execution if the thread that runs holds the lock already.
#[track_caller]
pub(super) fn refuse_holder(handle: Handle, holds: impl FnOnce(u64, u32) -> bool) {
    let over = control::with(|control| {
        let me = control.current();
        let state = control.runtime.objects[handle.id().index()].state;
        let refused = control.end.is_none() && holds(state, me);
        if refused {
            control.finish(End::Failed(FailureKind::SelfLock { thread: me }));
        }
        refused
    });
    if over {
        control::over();
    }
}

impl<'a, T: ?Sized> MutexGuard<'a, T> {
    /// Gives the lock back, for a wait.
    #[track_caller]
    pub(super) fn leave(mut self) -> &'a Mutex<T> {
        let lock = self.lock;
        self.value = None;
        lock.handle.simple(Kind::Unlock);
        std::mem::forget(self);
        lock
    }

    #[track_caller]
    pub(super) fn again(lock: &'a Mutex<T>) -> LockResult<MutexGuard<'a, T>> {
        lock.handle.simple(Kind::Lock);
        lock.taken()
    }
}

impl<T: ?Sized> Drop for MutexGuard<'_, T> {
    fn drop(&mut self) {
        if crate::thread::panicking_here() {
            self.lock.poisoned.store(true, Ordering::Relaxed);
        }
        self.value = None;
        self.lock.handle.release(Kind::Unlock, 0);
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.value.as_deref().expect("a guard has its value until it is dropped")
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.value.as_deref_mut().expect("a guard has its value until it is dropped")
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mutex").finish_non_exhaustive()
    }
}

impl<T: Default> Default for Mutex<T> {
    #[track_caller]
    fn default() -> Mutex<T> {
        Mutex::new(T::default())
    }
}

impl<T> From<T> for Mutex<T> {
    #[track_caller]
    fn from(value: T) -> Mutex<T> {
        Mutex::new(value)
    }
}
