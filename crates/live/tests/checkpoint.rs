//! A search that is stopped again and again ends like one that was never stopped.

use mazurka_live::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka_live::sync::{LazyLock, Mutex};
use mazurka_live::{Checker, FailureKind, Method, Verdict, thread, toss};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

fn program() {
    let x = Arc::new(AtomicUsize::new(0));
    let lock = Arc::new(Mutex::new(0));
    let threads: Vec<_> = (0..3)
        .map(|_| {
            let (x, lock) = (Arc::clone(&x), Arc::clone(&lock));
            thread::spawn(move || {
                let seen = x.load(SeqCst);
                x.store(seen + toss(2) + 1, SeqCst);
                *lock.lock().unwrap() += 1;
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert!(x.load(SeqCst) < 6, "six");
}

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn stopped_and_resumed() {
    for method in [Method::Optimal, Method::Source, Method::Sleep] {
        let whole = Checker::new().method(method).max_failures(0).minimise(false).run(program);
        assert_eq!(whole.verdict, Verdict::Violated);
        let file = path(&format!("stopped-{method:?}"));
        let base = Checker::new()
            .method(method)
            .max_failures(0)
            .minimise(false)
            .checkpoint(&file, Duration::from_secs(1000));
        let step = (whole.executions + whole.redundant) / 5 + 1;
        let mut report = base.clone().max_executions(step).run(program);
        let mut most = step;
        while report.limit.is_some() {
            most += step;
            report = base.clone().max_executions(most).resume(&file).run(program);
        }
        assert_eq!(report.executions, whole.executions, "{method:?}");
        assert_eq!(report.redundant, whole.redundant, "{method:?}");
        assert_eq!(report.failures.len(), whole.failures.len(), "{method:?}");
        assert!(
            matches!(&report.failures[0].kind, FailureKind::Panic { message, .. } if message.contains("six"))
        );
    }
}

#[test]
#[should_panic(expected = "can't be used: it is damaged")]
fn damaged_checkpoints_are_refused() {
    let file = path("damaged");
    std::fs::write(&file, "mazurka live checkpoint 1\nOptimal\n1 2 3 4 5\n1 1 0 \n7 1 2 3").unwrap();
    Checker::new().resume(&file).run(program);
}

#[test]
fn static_variables_prevent_it() {
    static COUNT: LazyLock<AtomicUsize> = LazyLock::new(|| AtomicUsize::new(0));
    let report =
        Checker::new().checkpoint(path("static"), Duration::from_secs(1000)).max_executions(1).run(|| {
            let other = thread::spawn(|| COUNT.fetch_add(1, SeqCst));
            COUNT.fetch_add(1, SeqCst);
            other.join().unwrap();
        });
    assert!(report.limit.unwrap().contains("no checkpoint"));
}
