//! Executions with many threads and operations, and asynchronous code.

use mazurka_live::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka_live::{Checker, FailureKind, Verdict, future, thread};
use std::sync::Arc;

#[test]
fn a_thousand_threads_and_ten_thousand_operations() {
    let report = Checker::new().stack_size(64 * 1024).run(|| {
        let variables: Arc<Vec<AtomicUsize>> = Arc::new((0..1000).map(|_| AtomicUsize::new(0)).collect());
        let threads: Vec<_> = (0..1000)
            .map(|me| {
                let variables = Arc::clone(&variables);
                thread::spawn(move || {
                    for round in 0..10 {
                        variables[me].store(round, SeqCst);
                    }
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
    });
    assert_eq!((report.verdict, report.executions), (Verdict::Holds, 1), "{report}");
    assert_eq!(report.threads, 1001);
    assert!(report.longest > 12_000);
}

#[test]
fn tasks_wait_for_each_other() {
    let report = Checker::new().run(|| {
        let value = future::block_on(async {
            let first = future::spawn(async {
                future::yield_now().await;
                1
            });
            let second = future::spawn(async { 2 });
            first.await + second.await
        });
        assert_eq!(value, 3);
    });
    assert_eq!(report.verdict, Verdict::Holds, "{report}");
}

#[test]
fn a_task_that_nobody_wakes() {
    let report = Checker::new().run(|| future::block_on(std::future::pending::<()>()));
    assert_eq!(report.failures[0].kind, FailureKind::LostWakeup);
}

/// `cargo test --release -p mazurka-live --test large -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn two_threads_of_the_machine() {
    let start = |count: usize, f: fn(&[AtomicUsize; 2], usize)| {
        move || {
            let x = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
            let threads: Vec<_> = (0..count)
                .map(|me| {
                    let x = Arc::clone(&x);
                    thread::spawn(move || f(&x, me))
                })
                .collect();
            for thread in threads {
                thread.join().unwrap();
            }
        }
    };
    let read_write = start(6, |x, _| {
        let seen = x[0].load(SeqCst);
        x[0].store(seen + 1, SeqCst);
    });
    let two_adds = start(6, |x, _| {
        x[0].fetch_add(1, SeqCst);
        x[1].fetch_add(1, SeqCst);
    });
    let readers = start(18, |x, me| {
        if me == 0 {
            x[0].store(1, SeqCst);
        } else {
            x[0].load(SeqCst);
        }
    });
    let programs: [(&str, &(dyn Fn() + Sync), u64); 3] = [
        ("load, then store, 6 threads", &read_write, 720 * 720),
        ("two additions, 6 threads", &two_adds, 720 * 720),
        ("a writer and 17 readers", &readers, 1 << 17),
    ];
    for (name, program, executions) in programs {
        for _ in 0..3 {
            let [one, two] = [1, 2].map(|threads| {
                let report = Checker::new().threads(threads).run(program);
                assert_eq!(report.executions, executions);
                if report.redundant > 0 {
                    println!("{} executions were redundant", report.redundant);
                }
                report.time.as_secs_f64()
            });
            println!("{name}: {one:.3} s, {two:.3} s with two threads: {:.2} times as fast", one / two);
        }
    }
}
