//! Programs of which all outcomes are known: every search must see each of them.

use mazurka_live::cell::Tracked;
use mazurka_live::sync::atomic::Ordering::{self, Acquire, Relaxed, Release, SeqCst};
use mazurka_live::sync::atomic::{AtomicUsize, fence};
use mazurka_live::sync::{Arc, Barrier, Mutex, RwLock};
use mazurka_live::{Checker, Method, hint, thread};
use std::collections::BTreeSet;
use std::sync::Mutex as Plain;

#[track_caller]
fn outcomes(expected: &[&str], program: impl Fn() -> String + Sync) {
    let expected: BTreeSet<String> = expected.iter().map(|&outcome| outcome.to_owned()).collect();
    for method in [Method::Naive, Method::Sleep, Method::Source, Method::Optimal] {
        let seen = Plain::new(BTreeSet::new());
        let checker = Checker::new().method(method).panics_fail(false);
        let report = checker.run(|| {
            let outcome = program();
            seen.lock().unwrap().insert(outcome);
        });
        assert!(report.failures.is_empty() && report.limit.is_none(), "{method:?}");
        assert_eq!(*seen.lock().unwrap(), expected, "{method:?}");
    }
}

#[test]
fn a_value_that_was_set_without_an_access() {
    outcomes(&["true 5", "true 6"], || {
        let mut variable = AtomicUsize::new(0);
        *variable.get_mut() = 5;
        let variable = Arc::new(variable);
        let other = Arc::clone(&variable);
        let thread = thread::spawn(move || other.compare_exchange(5, 6, SeqCst, SeqCst).is_ok());
        let seen = variable.load(SeqCst);
        format!("{} {seen}", thread.join().unwrap())
    });
}

#[test]
fn the_poison_of_a_lock() {
    outcomes(&["false", "true"], || {
        let lock = Arc::new(Mutex::new(0));
        let other = Arc::clone(&lock);
        let thread = thread::spawn(move || {
            let _guard = other.lock().unwrap();
            panic!("on purpose");
        });
        let poisoned = lock.is_poisoned();
        assert!(thread.join().is_err() && lock.is_poisoned());
        let Ok(mut lock) = Arc::try_unwrap(lock) else { panic!("somebody has it") };
        assert!(lock.get_mut().is_err());
        lock.clear_poison();
        assert!(lock.get_mut().is_ok());
        poisoned.to_string()
    });
    outcomes(&["false", "true"], || {
        let lock = Arc::new(RwLock::new(0));
        let other = Arc::clone(&lock);
        let thread = thread::spawn(move || {
            let _guard = other.write().unwrap();
            panic!("on purpose");
        });
        let poisoned = lock.is_poisoned();
        assert!(thread.join().is_err());
        poisoned.to_string()
    });
}

fn relax() {
    hint::spin_loop();
}

/// One place in the source spins for two loops, of which one counts.
#[test]
fn a_loop_that_counts_beside_one_that_waits() {
    outcomes(&["false", "true"], || {
        let first = Arc::new(AtomicUsize::new(0));
        let second = Arc::new(AtomicUsize::new(0));
        let (one, two) = (Arc::clone(&first), Arc::clone(&second));
        let writer = thread::spawn(move || {
            one.store(1, SeqCst);
            two.store(1, SeqCst);
        });
        while first.load(SeqCst) == 0 {
            relax();
        }
        let reader = thread::spawn(move || {
            for _ in 0..2 {
                if second.load(SeqCst) == 1 {
                    return true;
                }
                relax();
            }
            false
        });
        let seen = reader.join().unwrap();
        writer.join().unwrap();
        seen.to_string()
    });
}

/// A loop that waits for ever while it reads 0, and gives up when it has read 1 twice.
#[test]
fn a_loop_that_counts_some_values() {
    outcomes(&["gave up", "saw 2"], || {
        let variable = Arc::new(AtomicUsize::new(0));
        let other = Arc::clone(&variable);
        let thread = thread::spawn(move || {
            other.store(1, SeqCst);
            other.store(2, SeqCst);
        });
        let mut ones = 0;
        let outcome = loop {
            match variable.load(SeqCst) {
                0 => {}
                1 if ones == 1 => break "gave up",
                1 => ones += 1,
                _ => break "saw 2",
            }
            hint::spin_loop();
        };
        thread.join().unwrap();
        outcome.to_owned()
    });
}

/// What comes by a message decides how long a loop goes on.
#[test]
fn a_loop_whose_bound_is_received() {
    outcomes(&["0 seen", "1 not seen", "1 seen"], || {
        let (sender, receiver) = mazurka_live::sync::mpsc::channel();
        let other = sender.clone();
        let flag = Arc::new(AtomicUsize::new(0));
        let set = Arc::clone(&flag);
        let forever = thread::spawn(move || sender.send(0).unwrap());
        let twice = thread::spawn(move || other.send(1).unwrap());
        let writer = thread::spawn(move || set.store(1, SeqCst));
        let bound = receiver.recv().unwrap();
        let mut rounds = 0;
        let mut seen = "not seen";
        while bound == 0 || rounds < 2 {
            if flag.load(SeqCst) == 1 {
                seen = "seen";
                break;
            }
            rounds += 1;
            hint::spin_loop();
        }
        for thread in [forever, twice, writer] {
            thread.join().unwrap();
        }
        format!("{bound} {seen}")
    });
}

/// What doesn't order threads doesn't synchronise them, whichever comes first in the one execution that is made.
#[test]
fn data_races_between_threads_that_only_share() {
    type Two = fn(&World);
    struct World {
        cell: Tracked<usize>,
        lock: RwLock<()>,
        variable: AtomicUsize,
    }
    let reads: Two = |world| {
        let _guard = world.lock.read().unwrap();
        world.cell.set(1);
    };
    let adds: Two = |world| {
        world.variable.add(1, SeqCst);
        world.cell.set(1);
        world.variable.add(1, SeqCst);
    };
    let swaps: Two = |world| {
        world.variable.swap(0, SeqCst);
        world.cell.set(1);
        world.variable.swap(0, SeqCst);
    };
    let writes: Two = |world| {
        let _guard = world.lock.write().unwrap();
        world.cell.set(1);
    };
    for (body, races) in [(reads, true), (adds, true), (swaps, true), (writes, false)] {
        for method in [Method::Naive, Method::Sleep, Method::Source, Method::Optimal] {
            let report = Checker::new().method(method).run(|| {
                let (lock, variable) = (RwLock::new(()), AtomicUsize::new(0));
                let world = Arc::new(World { cell: Tracked::new(0), lock, variable });
                let other = Arc::clone(&world);
                let thread = thread::spawn(move || body(&other));
                body(&world);
                thread.join().unwrap();
            });
            assert_eq!(!report.failures.is_empty(), races, "{method:?}");
        }
    }
}

/// Whether some execution of two threads has a data race.
fn races(
    one: impl Fn(&Tracked<usize>, &AtomicUsize) + Sync,
    other: fn(&Tracked<usize>, &AtomicUsize),
) -> bool {
    let found = [Method::Naive, Method::Sleep, Method::Source, Method::Optimal].map(|method| {
        let report = Checker::new().method(method).run(|| {
            let shared = Arc::new((Tracked::new(0), AtomicUsize::new(0)));
            let theirs = Arc::clone(&shared);
            let thread = thread::spawn(move || other(&theirs.0, &theirs.1));
            one(&shared.0, &shared.1);
            thread.join().unwrap();
        });
        !report.failures.is_empty()
    });
    assert!(found.iter().all(|&one| one == found[0]), "{found:?}");
    found[0]
}

#[test]
fn what_a_thread_does_after_it_made_another_is_not_known_to_that() {
    let write = |cell: &Tracked<usize>, _: &AtomicUsize| cell.set(1);
    let late = |cell: &Tracked<usize>, flag: &AtomicUsize| {
        flag.store(1, Relaxed);
        cell.set(1);
    };
    let read = |cell: &Tracked<usize>, _: &AtomicUsize| {
        cell.get();
    };
    assert!(races(read, write));
    assert!(races(read, late));
}

#[test]
fn fences_synchronise_with_relaxed_accesses() {
    let publishes = |cell: &Tracked<usize>, flag: &AtomicUsize| {
        cell.set(1);
        fence(Release);
        flag.store(1, Relaxed);
    };
    let forgets = |cell: &Tracked<usize>, flag: &AtomicUsize| {
        cell.set(1);
        flag.store(1, Relaxed);
    };
    let reads = |ordering: Option<Ordering>| {
        move |cell: &Tracked<usize>, flag: &AtomicUsize| {
            if flag.load(Relaxed) == 1 {
                ordering.into_iter().for_each(fence);
                cell.get();
            }
        }
    };
    assert!(!races(reads(Some(Acquire)), publishes));
    assert!(races(reads(None), publishes));
    assert!(races(reads(Some(Acquire)), forgets));
}

#[test]
fn an_exchange_that_fails_synchronises_as_it_says() {
    let publishes = |cell: &Tracked<usize>, flag: &AtomicUsize| {
        cell.set(1);
        flag.store(1, Release);
    };
    let exchanges = |current: usize, success: Ordering, failure: Ordering| {
        move |cell: &Tracked<usize>, flag: &AtomicUsize| {
            let seen = flag.compare_exchange(current, 2, success, failure);
            if seen == Err(1) || seen == Ok(1) {
                cell.get();
            }
        }
    };
    assert!(races(exchanges(0, Acquire, Relaxed), publishes));
    assert!(!races(exchanges(0, Relaxed, Acquire), publishes));
    assert!(!races(exchanges(1, Acquire, Relaxed), publishes));
    assert!(races(exchanges(1, Relaxed, Acquire), publishes));
}

#[test]
fn a_barrier_synchronises_its_round() {
    for method in [Method::Naive, Method::Sleep, Method::Source, Method::Optimal] {
        let report = Checker::new().method(method).run(|| {
            let shared = Arc::new((Tracked::new(0), Barrier::new(2)));
            let theirs = Arc::clone(&shared);
            let thread = thread::spawn(move || {
                theirs.0.set(1);
                theirs.1.wait();
            });
            shared.1.wait();
            assert_eq!(shared.0.get(), 1);
            thread.join().unwrap();
        });
        assert!(report.failures.is_empty(), "{method:?}");
    }
}
