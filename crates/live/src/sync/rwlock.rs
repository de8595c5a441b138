//! A lock for many readers or one writer.

use super::mutex::refuse_holder;
use super::{LockResult, PoisonError, TryLockError, TryLockResult};
use crate::runtime::control::{self, Handle};
use crate::runtime::object::{Shape, writer};
use crate::runtime::operation::Kind;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};

/// A lock with the interface of [`std::sync::RwLock`]. A waiting writer keeps no readers out: every order that some
/// implementation allows is possible.
pub struct RwLock<T: ?Sized> {
    handle: Handle,
    poisoned: AtomicBool,
    value: std::sync::RwLock<T>,
}

/// The right to read.
pub struct RwLockReadGuard<'a, T: ?Sized> {
    lock: &'a RwLock<T>,
    value: Option<std::sync::RwLockReadGuard<'a, T>>,
}

/// The right to write.
pub struct RwLockWriteGuard<'a, T: ?Sized> {
    lock: &'a RwLock<T>,
    value: Option<std::sync::RwLockWriteGuard<'a, T>>,
}

impl<T> RwLock<T> {
    /// A free lock.
    #[track_caller]
    pub fn new(value: T) -> RwLock<T> {
        RwLock {
            handle: Handle::new(Shape::RwLock, 0),
            poisoned: AtomicBool::new(false),
            value: std::sync::RwLock::new(value),
        }
    }

    /// What it protects.
    pub fn into_inner(self) -> LockResult<T> {
        let poisoned = self.poisoned.load(Ordering::Relaxed);
        let value = self.value.into_inner().unwrap_or_else(PoisonError::into_inner);
        if poisoned { Err(PoisonError::new(value)) } else { Ok(value) }
    }
}

impl<T: ?Sized> RwLock<T> {
    pub(crate) fn handle(&self) -> Handle {
        self.handle
    }

    fn result<G>(&self, guard: G) -> LockResult<G> {
        if self.poisoned.load(Ordering::Relaxed) { Err(PoisonError::new(guard)) } else { Ok(guard) }
    }

    fn reading(&self) -> LockResult<RwLockReadGuard<'_, T>> {
        let value = match self.value.try_read() {
            Ok(value) => value,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => control::stuck(),
        };
        self.result(RwLockReadGuard { lock: self, value: Some(value) })
    }

    fn writing(&self) -> LockResult<RwLockWriteGuard<'_, T>> {
        let value = match self.value.try_write() {
            Ok(value) => value,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => control::stuck(),
        };
        self.result(RwLockWriteGuard { lock: self, value: Some(value) })
    }

    /// Waits until no writer has the lock.
    #[track_caller]
    pub fn read(&self) -> LockResult<RwLockReadGuard<'_, T>> {
        refuse_holder(self.handle, |state, me| writer(state) == u64::from(me) + 1);
        self.handle.simple(Kind::ReadLock);
        self.reading()
    }

    /// Takes the lock as a reader if no writer has it.
    #[track_caller]
    pub fn try_read(&self) -> TryLockResult<RwLockReadGuard<'_, T>> {
        match self.handle.simple(Kind::TryRead) {
            0 => Err(TryLockError::WouldBlock),
            _ => self.reading().map_err(TryLockError::Poisoned),
        }
    }

    /// Waits until nobody has the lock.
    #[track_caller]
    pub fn write(&self) -> LockResult<RwLockWriteGuard<'_, T>> {
        refuse_holder(self.handle, |state, me| writer(state) == u64::from(me) + 1);
        self.handle.simple(Kind::WriteLock);
        self.writing()
    }

    /// Takes the lock as the writer if nobody has it.
    #[track_caller]
    pub fn try_write(&self) -> TryLockResult<RwLockWriteGuard<'_, T>> {
        match self.handle.simple(Kind::TryWrite) {
            0 => Err(TryLockError::WouldBlock),
            _ => self.writing().map_err(TryLockError::Poisoned),
        }
    }

    /// Whether a thread panicked while it wrote.
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

impl<T: ?Sized> Drop for RwLockReadGuard<'_, T> {
    fn drop(&mut self) {
        self.value = None;
        self.lock.handle.release(Kind::ReadUnlock, 0);
    }
}

impl<T: ?Sized> Drop for RwLockWriteGuard<'_, T> {
    fn drop(&mut self) {
        if crate::thread::panicking_here() {
            self.lock.poisoned.store(true, Ordering::Relaxed);
        }
        self.value = None;
        self.lock.handle.release(Kind::WriteUnlock, 0);
    }
}

impl<T: ?Sized> Deref for RwLockReadGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.value.as_deref().expect("a guard has its value until it is dropped")
    }
}

impl<T: ?Sized> Deref for RwLockWriteGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.value.as_deref().expect("a guard has its value until it is dropped")
    }
}

impl<T: ?Sized> DerefMut for RwLockWriteGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.value.as_deref_mut().expect("a guard has its value until it is dropped")
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLockReadGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLockWriteGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized> fmt::Debug for RwLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RwLock").finish_non_exhaustive()
    }
}

impl<T: Default> Default for RwLock<T> {
    #[track_caller]
    fn default() -> RwLock<T> {
        RwLock::new(T::default())
    }
}
