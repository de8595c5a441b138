//! Persistent sets from descriptions, as VeriSoft has them: fewer executions, the same deadlocks and failures, and wrong
//! descriptions are found out.

use mazurka_live::sync::Mutex;
use mazurka_live::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka_live::{Checker, Description, FailureKind, Method, Verdict, label, thread};
use std::sync::Arc;

/// Two pairs of threads; each pair shares a variable and a lock of its own.
fn two_pairs() {
    let names = ["a", "b"];
    let pairs: Vec<Arc<(AtomicUsize, Mutex<()>)>> = names
        .iter()
        .map(|name| {
            let pair = Arc::new((AtomicUsize::new(0), Mutex::new(())));
            label(&pair.0, name);
            label(&pair.1, name);
            pair
        })
        .collect();
    let threads: Vec<_> = (0..4)
        .map(|n| {
            let pair = Arc::clone(&pairs[n / 2]);
            let builder = thread::Builder::new().name(format!("{}{}", names[n / 2], n % 2));
            let body = move || {
                let _guard = pair.1.lock().unwrap();
                pair.0.fetch_add(1, SeqCst);
            };
            builder.spawn(body).unwrap()
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

fn description() -> Description {
    Description::new()
        .starts("main", &["a0", "a1", "b0", "b1"])
        .thread("a0", &["a"])
        .thread("a1", &["a"])
        .thread("b0", &["b"])
        .thread("b1", &["b"])
}

#[test]
fn pairs_are_explored_apart() {
    let optimal = Checker::new().run(two_pairs);
    assert_eq!(optimal.executions, 4);
    let described = Checker::new().describe(description()).run(two_pairs);
    assert_eq!(described.verdict, Verdict::Holds, "{described}");
    let without = Checker::new().method(Method::Sleep).run(two_pairs);
    let (few, many) = (described.steps, without.steps);
    assert!(few * 2 < many, "{few} steps with persistent sets, {many} without");
    assert_eq!((described.executions, without.executions), (4, 4));
}

#[test]
fn deadlocks_are_kept() {
    let program = || {
        let locks = Arc::new([Mutex::new(()), Mutex::new(())]);
        label(&locks[0], "left");
        label(&locks[1], "right");
        let free = Arc::new(AtomicUsize::new(0));
        label(&*free, "free");
        let threads: Vec<_> = (0..2)
            .map(|n| {
                let (locks, free) = (Arc::clone(&locks), Arc::clone(&free));
                let builder = thread::Builder::new().name(format!("t{n}"));
                builder
                    .spawn(move || {
                        free.add(1, SeqCst);
                        let _first = locks[n].lock().unwrap();
                        let _second = locks[1 - n].lock().unwrap();
                    })
                    .unwrap()
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
    };
    let both = ["left", "right", "free"];
    let description =
        Description::new().starts("main", &["t0", "t1"]).thread("t0", &both).thread("t1", &both);
    let report = Checker::new().describe(description).max_failures(0).minimise(false).run(program);
    let kinds: Vec<_> = report.failures.iter().map(|failure| failure.kind.clone()).collect();
    assert_eq!(kinds, [FailureKind::Deadlock], "{report}");
}

#[test]
fn a_wrong_description_is_found_out() {
    let wrong = Description::new().thread("main", &[]).thread("a0", &["a"]);
    let report = Checker::new().describe(wrong).run(two_pairs);
    assert!(report.to_string().contains("main starts a thread `a0`"), "{report}");
    let wrong = Description::new().thread("a0", &["a"]).thread("b1", &["a"]);
    let report = Checker::new().describe(wrong).run(two_pairs);
    let failure = &report.failures[0];
    assert!(
        matches!(&failure.kind, FailureKind::WrongDescription(why) if why.contains("b1 uses `b`")),
        "{report}"
    );
}
