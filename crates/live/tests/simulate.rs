//! A person chooses the steps of a program, from a script.

use mazurka_live::Checker;
use mazurka_live::sync::Mutex;
use mazurka_live::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka_live::thread;
use std::sync::Arc;

fn simulate(program: impl Fn() + Sync, commands: &str) -> String {
    let mut output = Vec::new();
    Checker::new().simulate(program, &mut commands.as_bytes(), &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

fn contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part} is missing in:\n{text}");
    }
}

fn load_and_store() {
    let x = Arc::new(AtomicUsize::new(0));
    let y = Arc::clone(&x);
    let other = thread::spawn(move || y.store(1, SeqCst));
    x.load(SeqCst);
    other.join().unwrap();
}

#[test]
fn steps_and_back() {
    // The other thread first, then back, then this one first.
    let text = simulate(load_and_store, "1\n2\nt\nb\n1\nnonsense\n\nq\n");
    contains(
        &text,
        &["1) main: spawn a thread", "2) thread 1: store Atomic 1 = 1", "mz1:0.1", "main: load Atomic 1: 0"],
    );
    assert_eq!(
        text.matches("number: take that step").count(),
        2,
        "at the start, and after nonsense:\n{text}"
    );
}

#[test]
fn the_same_thread_goes_on() {
    // Two steps of the other thread; then it is at its end, and the first thread is next.
    let text = simulate(load_and_store, "1\n2\n\n\nt\nq\n");
    contains(&text, &["main: load Atomic 1: 1", "mz1:0.1x2.0"]);
}

#[test]
fn runs_to_the_end_and_back_from_there() {
    let text = simulate(load_and_store, "r\n\nt\nb\nt\nl\nq\n");
    contains(
        &text,
        &[
            "the end: nothing is wrong",
            "this is the end",
            "mz1:0x2.1x2.0x2",
            "mz1:0x2.1x2.0\n",
            "  step   main",
        ],
    );
}

#[test]
fn nothing_is_executed_twice_but_to_go_back() {
    let executions = std::sync::atomic::AtomicUsize::new(0);
    let program = || {
        executions.fetch_add(1, SeqCst);
        load_and_store();
    };
    simulate(program, "1\n1\n1\n");
    assert_eq!(executions.swap(0, SeqCst), 1);
    simulate(program, "b\n1\n1\nb\n");
    assert_eq!(executions.load(SeqCst), 2);
}

#[test]
fn a_deadlock_is_the_end() {
    let program = || {
        let locks = Arc::new([Mutex::new(()), Mutex::new(())]);
        let other = Arc::clone(&locks);
        let thread = thread::spawn(move || drop((other[1].lock(), other[0].lock())));
        drop((locks[0].lock(), locks[1].lock()));
        thread.join().unwrap();
    };
    let text = simulate(program, "1\n1\n2\nb\nr\nq\n");
    // Guards are dropped without a place in the source.
    assert!(text.contains("main: unlock Mutex 1\n") && !text.contains("mutex.rs"), "{text}");
    contains(
        &text,
        &[
            "deadlock: no thread can go on",
            "main waits for Mutex 2, held by thread 1",
            "the end: nothing is wrong",
        ],
    );
}
