//! The number of Mazurkiewicz traces of well-known programs, on which other tools agree: optimal exploration makes
//! exactly one execution of each, and every other method covers the same.

use mazurka_live::sync::Mutex;
use mazurka_live::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka_live::{Checker, FailureKind, Method, Report, thread};
use std::sync::Arc;

fn optimal(f: impl Fn() + Sync) -> Report {
    let report = Checker::new().max_failures(0).minimise(false).run(f);
    assert_eq!(report.redundant, 0, "optimal exploration starts nothing in vain");
    report
}

/// Checks the number of traces, and that other methods find as many failures of each kind.
fn traces(expected: u64, f: impl Fn() + Sync) {
    let report = optimal(&f);
    assert_eq!(report.executions, expected);
    assert!(report.failures.is_empty(), "{report}");
    let together = Checker::new().threads(2).run(&f);
    let counts = (together.executions, together.limit);
    assert_eq!(counts, (expected, None), "two threads");
    let source = Checker::new().method(Method::Source).run(&f);
    assert!(source.executions == expected, "source-DPOR: {source}");
}

/// So many threads that each run `f` with their number.
fn threads(count: usize, f: impl Fn(usize) + Send + Sync + 'static) {
    let f = Arc::new(f);
    let handles: Vec<_> = (0..count)
        .map(|number| {
            let f = Arc::clone(&f);
            thread::spawn(move || f(number))
        })
        .collect();
    for handle in handles {
        handle.join().unwrap();
    }
}

fn variables(count: usize) -> Arc<Vec<AtomicUsize>> {
    Arc::new((0..count).map(|_| AtomicUsize::new(0)).collect())
}

fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

#[test]
fn independent_writers() {
    for n in [2, 4, 8] {
        traces(1, move || {
            let x = variables(n);
            threads(n, move |me| x[me].store(1, SeqCst));
        });
    }
}

#[test]
fn increments() {
    for n in 2..=5 {
        traces(factorial(n as u64), move || {
            let x = variables(1);
            threads(n, move |_| {
                x[0].fetch_add(1, SeqCst);
            });
        });
    }
}

#[test]
fn increments_that_commute() {
    for n in 2..=5 {
        traces(1, move || {
            let x = variables(1);
            threads(n, move |_| x[0].add(1, SeqCst));
        });
    }
}

#[test]
fn two_increments() {
    for n in 2..=4 {
        traces(factorial(n as u64).pow(2), move || {
            let x = variables(2);
            threads(n, move |_| {
                x[0].fetch_add(1, SeqCst);
                x[1].fetch_add(1, SeqCst);
            });
        });
    }
}

#[test]
fn load_then_store() {
    for n in 2..=4 {
        traces(factorial(n as u64).pow(2), move || {
            let x = variables(1);
            threads(n, move |_| {
                let seen = x[0].load(SeqCst);
                x[0].store(seen + 1, SeqCst);
            });
        });
    }
}

#[test]
fn readers() {
    for n in 1..=8 {
        traces(1 << n, move || {
            let x = variables(1);
            threads(n + 1, move |me| {
                if me == 0 {
                    x[0].store(1, SeqCst);
                } else {
                    x[0].load(SeqCst);
                }
            });
        });
    }
}

#[test]
fn last_zero() {
    for n in 1..=10_usize {
        let expected = (n as u64 + 3) * (1 << n) / 4;
        let program = move || {
            let a = variables(n + 1);
            threads(n + 1, move |me| {
                if me == 0 {
                    let mut i = n;
                    while a[i].load(SeqCst) != 0 {
                        i -= 1;
                    }
                } else {
                    let seen = a[me - 1].load(SeqCst);
                    a[me].store(seen + 1, SeqCst);
                }
            });
        };
        assert_eq!(optimal(program).executions, expected, "lastzero({n})");
    }
}

#[test]
fn indexer() {
    for n in 11..=14_usize {
        let program = move || {
            let table = variables(128);
            threads(n, move |me| {
                for m in 1..=4 {
                    let w = 11 * m + me;
                    let mut h = 7 * w % 128;
                    while table[h].compare_exchange(0, w, SeqCst, SeqCst).is_err() {
                        h = (h + 1) % 128;
                    }
                }
            });
        };
        assert_eq!(optimal(program).executions, 8_u64.pow(n as u32 - 11), "indexer({n})");
    }
}

#[test]
fn store_buffer_ring() {
    for n in 2..=6_usize {
        traces((1 << n) - 1, move || {
            let x = variables(n);
            threads(n, move |me| {
                x[me].store(1, SeqCst);
                x[(me + 1) % n].load(SeqCst);
            });
        });
    }
}

#[test]
fn counter_behind_a_mutex() {
    for n in 2..=5 {
        traces(factorial(n as u64), move || {
            let count = Arc::new(Mutex::new(0));
            let mine = Arc::clone(&count);
            threads(n, move |_| {
                let mut guard = mine.lock().unwrap();
                let seen = *guard;
                *guard = seen + 1;
            });
            assert_eq!(*count.lock().unwrap(), n);
        });
    }
}

fn philosophers(n: usize, ordered: bool) -> Report {
    optimal(move || {
        let forks: Arc<Vec<Mutex<()>>> = Arc::new((0..n).map(|_| Mutex::new(())).collect());
        threads(n, move |me| {
            let (left, right) = (me, (me + 1) % n);
            let (first, second) = if ordered { (left.min(right), left.max(right)) } else { (left, right) };
            let _first = forks[first].lock().unwrap();
            let _second = forks[second].lock().unwrap();
        });
    })
}

#[test]
fn philosophers_with_ordered_forks() {
    for n in 2..=6 {
        let report = philosophers(n, true);
        assert_eq!(report.executions, (1 << n) - 2);
        assert!(report.failures.is_empty());
    }
}

#[test]
fn philosophers_with_the_left_fork_first() {
    for n in 2..=6 {
        let report = philosophers(n, false);
        assert_eq!(report.executions, (1 << n) - 1);
        assert_eq!(report.failures.len(), 1);
        assert_eq!(report.failures[0].kind, FailureKind::Deadlock);
    }
}

#[test]
fn writers_and_one_reader() {
    for n in 2..=4_usize {
        traces(factorial(n as u64 + 1), move || {
            let x = variables(1);
            threads(n + 1, move |me| {
                if me == n {
                    x[0].load(SeqCst);
                } else {
                    x[0].store(me + 1, SeqCst);
                }
            });
        });
    }
}
