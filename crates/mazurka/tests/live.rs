//! Tests by attribute: ordinary tests, whose bodies run under all schedules that matter.

use mazurka::live::sync::Arc;
use mazurka::live::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka::live::{assert_sometimes, thread};

fn increments() -> usize {
    let count = Arc::new(AtomicUsize::new(0));
    let other = Arc::clone(&count);
    let thread = thread::spawn(move || {
        let seen = other.load(SeqCst);
        other.store(seen + 1, SeqCst);
    });
    count.fetch_add(1, SeqCst);
    thread.join().unwrap();
    count.load(SeqCst)
}

#[mazurka::test]
fn both_results_occur() {
    let count = increments();
    assert_sometimes!(count == 1);
    assert_sometimes!(count == 2);
}

#[mazurka::test(method = Method::Source, max_executions = 100)]
#[should_panic(expected = "an increment was lost")]
fn an_increment_is_lost() {
    assert_eq!(increments(), 2, "an increment was lost");
}

/// Failures name the lines of the test, not that of its attribute.
#[mazurka::test]
fn lines_stay_what_they_are() {
    let first = line!();
    let second = line!();
    assert_eq!(second, first + 1);
}
