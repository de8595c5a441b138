//! Threads under control, with the interface of `std::thread`.

pub(crate) mod local;
mod scope;

pub use local::LocalKey;
pub use scope::{Scope, ScopedJoinHandle, scope};

use crate::runtime::control::{self, Handle, Teardown};
use crate::runtime::operation::Kind;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub use std::thread::Result;

/// Where a thread leaves its result.
type Packet<T> = Arc<Mutex<Option<Result<T>>>>;

/// Runs the closure of a thread and keeps what it returns.
fn keep<T>(packet: &Packet<T>, f: impl FnOnce() -> T) {
    let result = match catch_unwind(AssertUnwindSafe(f)) {
        Err(payload) if payload.is::<Teardown>() => resume_unwind(payload),
        Err(payload) => {
            control::with(|control| {
                let me = control.current() as usize;
                control.runtime.threads[me].panicking = false;
            });
            Err(payload)
        }
        result => result,
    };
    *packet.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(result);
}

/// A number that no other thread of the execution has.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ThreadId(u32);

/// A handle to a thread.
#[derive(Clone)]
pub struct Thread {
    number: u32,
    name: Option<Arc<str>>,
    life: Handle,
    token: Handle,
}

impl Thread {
    fn of(number: u32) -> Thread {
        control::with(|control| {
            let it = &control.runtime.threads[number as usize];
            let (life, token) = (it.life, it.token);
            let name = it.name.as_deref().map(Arc::from);
            let handle = |id| Handle::of(control, id);
            Thread { number, name, life: handle(life), token: handle(token) }
        })
    }

    /// Its number.
    pub fn id(&self) -> ThreadId {
        ThreadId(self.number)
    }

    /// Its name, if it was given one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref().or((self.number == 0).then_some("main"))
    }

    /// Gives it its token: it wakes up if it is parked, and else doesn't wait the next time it parks.
    #[track_caller]
    pub fn unpark(&self) {
        self.token.simple(Kind::Unpark);
    }
}

impl fmt::Debug for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Thread").field("id", &self.id()).field("name", &self.name()).finish_non_exhaustive()
    }
}

/// Waits for a thread and takes its result.
#[track_caller]
fn join<T>(thread: &Thread, packet: &Packet<T>) -> Result<T> {
    thread.life.simple(Kind::Join);
    let result = packet.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
    match result {
        Some(result) => result,
        // Only a destructor in an execution that is over can get here before the thread has ended.
        None => control::stuck(),
    }
}

/// The right to wait for a thread.
pub struct JoinHandle<T> {
    thread: Thread,
    packet: Packet<T>,
}

impl<T> JoinHandle<T> {
    /// Waits for the thread and returns its result, or what it panicked with.
    #[track_caller]
    pub fn join(self) -> Result<T> {
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

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle").finish_non_exhaustive()
    }
}

/// Starts a thread.
#[track_caller]
pub fn spawn<F, T>(f: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    spawn_named(None, f)
}

#[track_caller]
fn spawn_named<F, T>(name: Option<String>, f: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    let packet: Packet<T> = Packet::default();
    let mine = Arc::clone(&packet);
    let child = control::spawn(name, Box::new(move || keep(&mine, f)));
    JoinHandle { thread: Thread::of(child), packet }
}

/// Starts threads with names.
#[derive(Debug, Default)]
pub struct Builder {
    name: Option<String>,
}

impl Builder {
    /// A thread without a name.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// Gives it a name, which failures show.
    pub fn name(mut self, name: String) -> Builder {
        self.name = Some(name);
        self
    }

    /// Accepted and ignored: all stacks have the size that the checker gives them.
    pub fn stack_size(self, _size: usize) -> Builder {
        self
    }

    /// Starts the thread; it never fails.
    #[track_caller]
    pub fn spawn<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        Ok(spawn_named(self.name, f))
    }

    /// Starts a thread in a scope; it never fails.
    #[track_caller]
    pub fn spawn_scoped<'scope, 'env, F, T>(
        self,
        scope: &'scope Scope<'scope, 'env>,
        f: F,
    ) -> io::Result<ScopedJoinHandle<'scope, T>>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        Ok(scope.spawn_named(self.name, f))
    }
}

/// The thread that runs.
pub fn current() -> Thread {
    Thread::of(control::with(|control| control.current()))
}

/// Waits for the token of this thread and takes it.
#[track_caller]
pub fn park() {
    current().token.simple(Kind::Park);
}

/// Takes the token if it is there when the time is up. Time passes as slowly or fast as it likes: the schedule decides
/// whether the token comes before.
#[track_caller]
pub fn park_timeout(limit: Duration) {
    current().token.simple(Kind::ParkTimeout);
    crate::time::pass(limit);
    control::spin();
}

/// Lets others go on: this thread waits for them.
#[track_caller]
pub fn yield_now() {
    control::spin();
}

/// Virtual time passes for this thread, and nothing else happens: every schedule is possible however long it is.
#[track_caller]
pub fn sleep(duration: Duration) {
    crate::time::pass(duration);
    control::spin();
}

/// Whether the running thread unwinds after a panic.
pub fn panicking() -> bool {
    control::with(|control| {
        let me = control.current() as usize;
        control.runtime.threads[me].panicking
    }) && std::thread::panicking()
}

/// The same, where a guard may be dropped outside of an execution. What unwinds an execution that is over is no panic.
pub(crate) fn panicking_here() -> bool {
    std::thread::panicking()
        && control::try_with(|control| {
            let me = control.current() as usize;
            control.end.is_none() && control.runtime.threads[me].panicking
        })
        .unwrap_or(false)
}

/// Two: programs that ask shall use more than one thread, and not many.
pub fn available_parallelism() -> io::Result<std::num::NonZeroUsize> {
    std::num::NonZeroUsize::new(2).ok_or_else(|| io::Error::other("two is not zero"))
}
