//! A small executor for asynchronous code: every task is a thread under control.
//!
//! A task that can't go on waits for its waker, as a parked thread waits for its token; so all interleavings of polls and wakeups are
//! explored, as an executor with enough threads could show them. A task that nobody wakes is a lost wakeup.

use crate::runtime::control::Handle;
use crate::runtime::object::Shape;
use crate::runtime::operation::Kind;
use crate::sync::Mutex;
use crate::thread;
use std::fmt;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

/// Wakes a task.
struct Signal {
    token: Handle,
}

impl Wake for Signal {
    #[track_caller]
    fn wake(self: Arc<Self>) {
        self.token.simple(Kind::Unpark);
    }

    #[track_caller]
    fn wake_by_ref(self: &Arc<Self>) {
        self.token.simple(Kind::Unpark);
    }
}

/// Runs a future to its end in the current thread.
///
/// ```
/// use mazurka_live::{check, future};
///
/// check(|| {
///     let answer = future::block_on(async {
///         let half = future::spawn(async { 21 });
///         half.await * 2
///     });
///     assert_eq!(answer, 42);
/// });
/// ```
#[track_caller]
pub fn block_on<F: Future>(future: F) -> F::Output {
    let token = Handle::new(Shape::Token, 0);
    let waker = Waker::from(Arc::new(Signal { token }));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        token.simple(Kind::Park);
    }
}

/// What a task leaves, and who waits for it.
struct Outcome<T> {
    value: Option<T>,
    waiting: Option<Waker>,
}

/// The result of a task, as a future.
pub struct JoinHandle<T> {
    result: Arc<Mutex<Outcome<T>>>,
}

impl<T> Future for JoinHandle<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let mut result = self.result.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match result.value.take() {
            Some(value) => Poll::Ready(value),
            None => {
                result.waiting = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle").finish_non_exhaustive()
    }
}

/// Starts a task; it runs whether or not its result is waited for.
#[track_caller]
pub fn spawn<F>(future: F) -> JoinHandle<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    let result = Arc::new(Mutex::new(Outcome { value: None, waiting: None }));
    let mine = Arc::clone(&result);
    thread::spawn(move || {
        let value = block_on(future);
        let waiting = {
            let mut result = mine.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            result.value = Some(value);
            result.waiting.take()
        };
        if let Some(waker) = waiting {
            waker.wake();
        }
    });
    JoinHandle { result }
}

/// Lets other tasks go on: the task is polled again.
pub async fn yield_now() {
    let mut polled = false;
    std::future::poll_fn(move |context| {
        if std::mem::replace(&mut polled, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
