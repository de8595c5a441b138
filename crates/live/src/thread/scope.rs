//! Threads that borrow: all of them have ended before the scope is left.

use super::{Packet, Thread, join, keep};
use crate::runtime::control;
use crate::runtime::fiber;
use crate::runtime::operation::Kind;
use std::fmt;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex};

/// A scope in which threads are started.
pub struct Scope<'scope, 'env: 'scope> {
    threads: Mutex<Vec<Thread>>,
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

/// The right to wait for a thread in a scope.
pub struct ScopedJoinHandle<'scope, T> {
    thread: Thread,
    packet: Packet<T>,
    scope: PhantomData<&'scope ()>,
}

impl<T> ScopedJoinHandle<'_, T> {
    /// Waits for the thread and returns its result, or what it panicked with.
    #[track_caller]
    pub fn join(self) -> super::Result<T> {
        join(&self.thread, &self.packet)
    }

    /// The thread.
    pub fn thread(&self) -> &Thread {
        &self.thread
    }

    /// Whether it has ended.
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        self.thread.life.simple(Kind::IsFinished) == 1
    }
}

impl<T> fmt::Debug for ScopedJoinHandle<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScopedJoinHandle").finish_non_exhaustive()
    }
}

impl fmt::Debug for Scope<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").finish_non_exhaustive()
    }
}

impl<'scope> Scope<'scope, '_> {
    /// Starts a thread that may borrow what is outside of the scope.
    #[track_caller]
    pub fn spawn<F, T>(&'scope self, f: F) -> ScopedJoinHandle<'scope, T>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        self.spawn_named(None, f)
    }

    #[track_caller]
    pub(super) fn spawn_named<F, T>(&'scope self, name: Option<String>, f: F) -> ScopedJoinHandle<'scope, T>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        let packet: Packet<T> = Packet::default();
        let mine = Arc::clone(&packet);
        let body: Box<dyn FnOnce() + 'scope> = Box::new(move || keep(&mine, f));
        // SAFETY: `scope` neither returns nor unwinds before every thread of the scope has ended: it waits for them
        // in every case, and in an execution that is over, threads are unwound or discarded the youngest first.
        let body = unsafe { fiber::erase(body) };
        let thread = Thread::of(control::spawn(name, body));
        self.threads.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(thread.clone());
        ScopedJoinHandle { thread, packet, scope: PhantomData }
    }
}

/// Runs a closure that can start threads which borrow, and waits for all of them.
#[track_caller]
pub fn scope<'env, F, T>(f: F) -> T
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T,
{
    let scope = Scope { threads: Mutex::new(Vec::new()), scope: PhantomData, env: PhantomData };
    let result = catch_unwind(AssertUnwindSafe(|| f(&scope)));
    loop {
        let next = scope.threads.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).pop();
        let Some(thread) = next else { break };
        thread.life.simple(Kind::Join);
    }
    match result {
        Ok(value) => value,
        Err(payload) => resume_unwind(payload),
    }
}
