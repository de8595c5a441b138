//! Checking: all executions of a closure that matter, with options and limits.

mod explore;
mod hook;
mod options;
mod result;
mod run;
mod tally;

pub use options::{Checker, Search};
pub use result::{Progress, Report, Snapshot, Verdict};

/// Checks all executions of a closure that matter, and panics with what is wrong if something is.
///
/// ```
/// use mazurka_live::sync::atomic::{AtomicUsize, Ordering};
/// use mazurka_live::{check, thread};
/// use std::sync::Arc;
///
/// let report = check(|| {
///     let count = Arc::new(AtomicUsize::new(0));
///     let other = Arc::clone(&count);
///     let thread = thread::spawn(move || other.fetch_add(1, Ordering::SeqCst));
///     count.fetch_add(1, Ordering::SeqCst);
///     thread.join().unwrap();
///     assert_eq!(count.load(Ordering::SeqCst), 2);
/// });
/// assert_eq!(report.executions, 2);
/// ```
#[track_caller]
pub fn check(f: impl Fn() + Sync) -> Report {
    Checker::new().check(f)
}
