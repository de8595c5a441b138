//! Each kind of failure is found, told apart, repeated by its token, and shown in a form that can be read.

use mazurka_live::cell::Tracked;
use mazurka_live::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use mazurka_live::sync::{Condvar, LazyLock, Mutex, RwLock, mpsc};
use mazurka_live::{Checker, FailureKind, Method, Report, Search, Verdict, hint, thread, toss};
use std::sync::Arc;

const SC: Ordering = Ordering::SeqCst;

/// Finds a failure, repeats it from its token, and returns the report.
fn fails(f: impl Fn() + Sync) -> Report {
    let report = Checker::new().run(&f);
    assert_eq!(report.verdict, Verdict::Violated, "{report}");
    let failure = &report.failures[0];
    let again = Checker::new().replay(&failure.token()).minimise(false).run(&f);
    assert_eq!(again.failures[0].kind, failure.kind, "the token repeats the failure");
    assert_eq!(again.failures[0].token(), failure.token());
    report
}

fn holds(f: impl Fn() + Sync) -> Report {
    let report = Checker::new().run(f);
    assert_eq!(report.verdict, Verdict::Holds, "{report}");
    report
}

fn two_locks() {
    let (a, b) = (Arc::new(Mutex::new(())), Arc::new(Mutex::new(())));
    let (a2, b2) = (Arc::clone(&a), Arc::clone(&b));
    let other = thread::Builder::new().name("other".to_owned());
    let other = other
        .spawn(move || {
            let _b = b2.lock().unwrap();
            let _a = a2.lock().unwrap();
        })
        .unwrap();
    let held = (a.lock().unwrap(), b.lock().unwrap());
    drop(held);
    other.join().unwrap();
}

#[test]
fn deadlock() {
    let report = fails(two_locks);
    let failure = &report.failures[0];
    assert_eq!(failure.kind, FailureKind::Deadlock);
    let text = failure.to_string();
    for part in
        ["main", "other", "lock Mutex 1", "waits for Mutex 2, held by", "failures.rs:", "mz1:", "made at"]
    {
        assert!(text.contains(part), "{part} is missing in:\n{text}");
    }
    let drawing = failure.timeline.svg();
    assert!(drawing.starts_with("<svg") && drawing.contains("lock Mutex 1"));
}

#[test]
fn deadlock_with_few_switches() {
    let report = Checker::new().search(Search::Random { seed: 3, executions: 1000 }).run(two_locks);
    // One to the other thread and one back: that is the least.
    assert_eq!(report.failures[0].switches(), 1, "{report}");
}

#[test]
fn panic_in_one_order() {
    let report = fails(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let y = Arc::clone(&x);
        let other = thread::spawn(move || y.store(1, SC));
        assert_eq!(x.load(SC), 0, "the other thread was first");
        other.join().unwrap();
    });
    let text = report.failures[0].to_string();
    assert!(text.contains("the other thread was first"), "{text}");
}

#[test]
fn lost_update() {
    fails(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let y = Arc::clone(&x);
        let other = thread::spawn(move || {
            let seen = y.load(SC);
            y.store(seen + 1, SC);
        });
        let seen = x.load(SC);
        x.store(seen + 1, SC);
        other.join().unwrap();
        assert_eq!(x.load(SC), 2);
    });
}

#[test]
fn lost_wakeup() {
    let report = fails(|| {
        let pair = Arc::new((AtomicBool::new(false), Mutex::new(()), Condvar::new()));
        let other = Arc::clone(&pair);
        let waiter = thread::spawn(move || {
            // The flag is looked at outside of the lock: a notification in between is lost.
            if !other.0.load(SC) {
                let guard = other.1.lock().unwrap();
                drop(other.2.wait(guard).unwrap());
            }
        });
        pair.0.store(true, SC);
        pair.2.notify_one();
        waiter.join().unwrap();
    });
    assert_eq!(report.failures[0].kind, FailureKind::LostWakeup);
}

#[test]
fn self_lock() {
    let report = fails(|| {
        let lock = RwLock::new(1);
        let _read = lock.write().unwrap();
        let _write = lock.write().unwrap();
    });
    assert_eq!(report.failures[0].kind, FailureKind::SelfLock { thread: 0 });
}

#[test]
fn data_race() {
    let program = |ordering: Ordering| {
        move || {
            let shared = Arc::new((Tracked::new(0), AtomicBool::new(false)));
            let other = Arc::clone(&shared);
            let writer = thread::spawn(move || {
                other.0.set(1);
                other.1.store(true, ordering);
            });
            if shared.1.load(Ordering::Acquire) {
                assert_eq!(shared.0.get(), 1);
            }
            writer.join().unwrap();
        }
    };
    let report = fails(program(Ordering::Relaxed));
    assert!(matches!(&report.failures[0].kind, FailureKind::DataRace(what) if what.contains("a write at")));
    holds(program(Ordering::Release));
}

#[test]
fn a_loop_that_waits_ends() {
    let report = holds(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let other = Arc::clone(&flag);
        let setter = thread::spawn(move || other.store(true, SC));
        while !flag.load(SC) {
            hint::spin_loop();
        }
        setter.join().unwrap();
    });
    assert_eq!(report.executions, 2);
}

#[test]
fn a_loop_that_waits_for_ever() {
    let report = fails(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let other = Arc::clone(&flag);
        let toggler = thread::spawn(move || {
            other.store(true, SC);
            other.store(false, SC);
        });
        while !flag.load(SC) {
            thread::yield_now();
        }
        toggler.join().unwrap();
    });
    assert_eq!(report.failures[0].kind, FailureKind::EndlessLoop);
}

#[test]
fn a_loop_that_counts_is_explored() {
    let report = fails(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let other = Arc::clone(&flag);
        let setter = thread::spawn(move || other.store(true, SC));
        let mut rounds = 0;
        while !flag.load(SC) && rounds < 3 {
            rounds += 1;
            hint::spin_loop();
        }
        assert!(rounds < 3, "gave up");
        setter.join().unwrap();
    });
    assert!(report.failures[0].to_string().contains("gave up"));
}

#[test]
fn a_spinlock() {
    let report = holds(|| {
        let lock = Arc::new((AtomicBool::new(false), Tracked::new(0)));
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let lock = Arc::clone(&lock);
                thread::spawn(move || {
                    while lock.0.swap(true, Ordering::Acquire) {
                        hint::spin_loop();
                    }
                    lock.1.set(lock.1.get() + 1);
                    lock.0.store(false, Ordering::Release);
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(lock.1.get(), 2);
    });
    assert!(report.executions < 20, "{report}");
}

#[test]
fn leaked_thread() {
    let program = || {
        let (sender, receiver) = mpsc::channel::<u8>();
        thread::spawn(move || receiver.recv());
        std::mem::forget(sender);
    };
    assert_eq!(fails(program).failures[0].kind, FailureKind::Leak);
    let report = Checker::new().leaks_fail(false).run(program);
    assert_eq!(report.verdict, Verdict::Holds);
}

#[test]
fn livelock() {
    let report = Checker::new().livelock(10).run(|| {
        let lock = Arc::new(Mutex::new(()));
        let other = Arc::clone(&lock);
        let busy = thread::spawn(move || {
            let _guard = other.lock().unwrap();
            let x = AtomicUsize::new(0);
            for _ in 0..20 {
                x.fetch_add(1, SC);
            }
        });
        drop(lock.lock().unwrap());
        busy.join().unwrap();
    });
    assert!(matches!(report.failures[0].kind, FailureKind::Livelock { steps: 10, .. }), "{report}");
}

#[test]
fn nondeterminism_is_named() {
    let count = std::sync::atomic::AtomicUsize::new(0);
    let report = Checker::new().run(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let y = Arc::clone(&x);
        if count.fetch_add(1, SC).is_multiple_of(2) {
            x.load(SC);
        } else {
            x.store(7, SC);
        }
        let other = thread::spawn(move || y.store(1, SC));
        x.load(SC);
        other.join().unwrap();
    });
    let failure = &report.failures[0];
    assert!(matches!(failure.kind, FailureKind::Nondeterminism(_)), "{report}");
    assert!(
        failure.kind.to_string().contains("Load") && failure.kind.to_string().contains("Store"),
        "{report}"
    );
}

#[test]
fn nondeterminism_ends_a_common_search() {
    let count = std::sync::atomic::AtomicUsize::new(0);
    let report = Checker::new().threads(2).run(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let y = Arc::clone(&x);
        let other = thread::spawn(move || y.store(1, SC));
        if count.fetch_add(1, SC) >= 4 {
            x.store(7, SC);
        }
        for _ in 0..8 {
            x.load(SC);
        }
        other.join().unwrap();
    });
    assert!(matches!(report.failures[0].kind, FailureKind::Nondeterminism(_)), "{report}");
}

/// Threads are numbered as a search meets them, which is not how the failing execution starts them.
#[test]
fn tokens_do_not_depend_on_what_was_met_before() {
    fails(|| {
        let flag = Arc::new(AtomicUsize::new(0));
        let start = |mine: usize, flag: &Arc<AtomicUsize>| {
            let flag = Arc::clone(flag);
            thread::spawn(move || {
                let inner = Arc::clone(&flag);
                let child = thread::spawn(move || {
                    if mine == 2 {
                        inner.store(2, SC);
                    } else {
                        assert_ne!(inner.load(SC), 2);
                    }
                });
                child.join().unwrap();
            })
        };
        let (one, two) = (start(1, &flag), start(2, &flag));
        one.join().unwrap();
        two.join().unwrap();
    });
}

#[test]
fn objects_of_other_executions_are_refused() {
    let kept = std::sync::Mutex::new(None);
    let report = Checker::new().run(|| {
        let mut kept = kept.lock().unwrap();
        let old = kept.get_or_insert_with(|| AtomicUsize::new(0));
        old.load(SC);
        toss(2);
    });
    assert!(report.to_string().contains("made outside of the execution"), "{report}");
}

#[test]
fn static_values_are_fresh() {
    static COUNT: LazyLock<AtomicUsize> = LazyLock::new(|| AtomicUsize::new(0));
    let report = holds(|| {
        let other = thread::spawn(|| COUNT.fetch_add(1, SC));
        COUNT.fetch_add(1, SC);
        other.join().unwrap();
        assert_eq!(COUNT.load(SC), 2);
    });
    assert!(report.executions >= 2);
}

#[test]
fn panics_as_results() {
    let program = || {
        let lock = Arc::new(Mutex::new(0));
        let other = Arc::clone(&lock);
        let bad = thread::spawn(move || {
            let _guard = other.lock().unwrap();
            panic!("on purpose");
        });
        assert!(bad.join().is_err());
        assert!(lock.is_poisoned());
        assert!(lock.lock().is_err());
    };
    assert_eq!(Checker::new().run(program).verdict, Verdict::Violated);
    let report = Checker::new().panics_fail(false).run(program);
    assert_eq!(report.verdict, Verdict::Holds, "{report}");
}

#[test]
fn scoped_threads_borrow() {
    let report = holds(|| {
        let count = AtomicUsize::new(0);
        let numbers = [1, 2];
        let sum: usize = thread::scope(|scope| {
            let threads: Vec<_> = numbers.iter().map(|n| scope.spawn(|| count.fetch_add(*n, SC))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert!(sum == 1 || sum == 2);
        assert_eq!(count.load(SC), 3);
    });
    assert_eq!(report.executions, 2);
}

#[test]
fn a_failure_in_a_scope_is_unwound() {
    let report = Checker::new().max_failures(0).minimise(false).run(|| {
        let lock = Mutex::new(0);
        thread::scope(|scope| {
            scope.spawn(|| *lock.lock().unwrap() += 1);
            scope.spawn(|| {
                let mut guard = lock.lock().unwrap();
                *guard += 1;
                assert!(*guard == 1, "second");
            });
        });
    });
    assert_eq!(report.failures.len(), 1, "{report}");
}

#[test]
fn limits_make_the_verdict_unknown() {
    let program = || {
        let x = Arc::new(AtomicUsize::new(0));
        let threads: Vec<_> = (0..3)
            .map(|_| {
                let x = Arc::clone(&x);
                thread::spawn(move || x.fetch_add(1, SC))
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
    };
    assert_eq!(Checker::new().max_executions(3).run(program).verdict, Verdict::Unknown);
    assert_eq!(Checker::new().max_steps(6).run(program).verdict, Verdict::Unknown);
    assert_eq!(Checker::new().method(Method::Preemptions(0)).run(program).verdict, Verdict::Unknown);
    assert_eq!(Checker::new().method(Method::Preemptions(50)).run(program).verdict, Verdict::Holds);
    let random = Checker::new().search(Search::Random { seed: 1, executions: 100 }).run(program);
    assert_eq!((random.verdict, random.executions), (Verdict::Unknown, 100));
}

#[test]
fn random_searches_find_bugs() {
    for search in [
        Search::Random { seed: 7, executions: 2000 },
        Search::Priorities { seed: 7, executions: 2000, depth: 2 },
    ] {
        let report = Checker::new().search(search).run(two_locks);
        assert_eq!(report.failures[0].kind, FailureKind::Deadlock);
    }
}

#[test]
fn sometimes() {
    let program = |limit: usize| move || mazurka_live::assert_sometimes!(toss(3) == limit);
    holds(program(2));
    let report = Checker::new().run(program(3));
    assert_eq!(report.verdict, Verdict::Violated);
    assert!(report.never[0].contains("toss(3) == limit"), "{report}");
}

/// A flag and a condition variable; the one who waits looks once, or again and again.
fn waits_for_a_flag(again: bool) -> impl Fn() + Sync {
    move || {
        let shared = Arc::new((Mutex::new(false), Condvar::new()));
        let other = Arc::clone(&shared);
        let thread = thread::spawn(move || {
            *other.0.lock().unwrap() = true;
            other.1.notify_one();
        });
        let mut ready = shared.0.lock().unwrap();
        while !*ready {
            ready = shared.1.wait(ready).unwrap();
            if !again {
                break;
            }
        }
        assert!(*ready, "woken without a reason");
        drop(ready);
        thread.join().unwrap();
    }
}

#[test]
fn wakeups_without_a_reason() {
    holds(waits_for_a_flag(false));
    let checker = Checker::new().spurious_wakeups(true);
    let report = checker.run(waits_for_a_flag(false));
    assert!(report.to_string().contains("woken without a reason"), "{report}");
    let token = report.failures[0].token();
    assert_eq!(checker.clone().replay(&token).run(waits_for_a_flag(false)).verdict, Verdict::Violated);
    assert_eq!(checker.run(waits_for_a_flag(true)).verdict, Verdict::Holds);
    // They are no excuse for a notification that is lost.
    let lost = || {
        let shared = Arc::new((Mutex::new(()), Condvar::new()));
        let other = Arc::clone(&shared);
        let thread = thread::spawn(move || other.1.notify_one());
        drop(shared.1.wait(shared.0.lock().unwrap()).unwrap());
        thread.join().unwrap();
    };
    assert_eq!(checker.run(lost).failures[0].kind, FailureKind::LostWakeup);
}

#[test]
fn virtual_time() {
    use mazurka_live::time::{Duration, Instant};
    holds(|| {
        let start = Instant::now();
        let other = thread::spawn(|| thread::sleep(Duration::from_secs(3600)));
        assert_eq!(start.elapsed(), Duration::ZERO);
        other.join().unwrap();
        assert!(start.elapsed() >= Duration::from_secs(3600));
    });
}

#[test]
fn rendezvous_and_bounded_channels() {
    for bound in 0..3 {
        holds(move || {
            let (sender, receiver) = mpsc::sync_channel(bound);
            let other = thread::spawn(move || {
                for n in 0..3 {
                    sender.send(n).unwrap();
                }
            });
            assert_eq!(receiver.iter().collect::<Vec<_>>(), [0, 1, 2]);
            other.join().unwrap();
        });
    }
}
