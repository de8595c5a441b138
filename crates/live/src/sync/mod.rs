//! Synchronisation under control, with the interface of `std::sync`.
//!
//! [`Arc`] is that of the standard library: counting references is not a visible operation.

pub mod atomic;
mod barrier;
mod condvar;
mod lazy;
pub mod mpsc;
mod mutex;
mod once;
mod rwlock;
mod semaphore;

pub use barrier::{Barrier, BarrierWaitResult};
pub use condvar::{Condvar, WaitTimeoutResult};
pub use lazy::LazyLock;
pub use mutex::{Mutex, MutexGuard};
pub use once::{Once, OnceLock};
pub use rwlock::{RwLock, RwLockReadGuard, RwLockWriteGuard};
pub use semaphore::{Permit, Semaphore};
pub use std::sync::{Arc, LockResult, PoisonError, TryLockError, TryLockResult, Weak};
