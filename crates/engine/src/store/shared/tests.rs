//! Many threads insert overlapping sets while the table grows: each state is new exactly once.

use super::*;
use std::collections::HashSet;

/// A state of one of a few lengths, or of eight bytes.
fn state(number: u64, fixed: bool) -> Vec<u8> {
    let bytes = number.to_le_bytes();
    match fixed {
        true => bytes.to_vec(),
        false => [&bytes[..], &[1; 20][..number as usize % 21]].concat(),
    }
}

/// Threads insert the numbers below `states`, each in another order, as single states and in batches.
/// References that were given out, by number of state, for each thread.
fn insert_all(shared: &Shared, threads: u64, states: u64, fixed: bool) -> Vec<Vec<(bool, StateRef)>> {
    let insert = |thread: u64| {
        let mut handle = shared.handle();
        let mut given = vec![(false, StateRef(u32::MAX)); states as usize];
        let (mut batch, mut questions) = (Batch::default(), Vec::new());
        // Odd, and prime to the number of states, which is a power of two: every number comes once.
        let stride = 2 * (thread * 7919 % 1000) + 1;
        let mut root = None;
        for chunk in 0..states / 8 {
            let numbers: Vec<u64> = (0..8).map(|i| (chunk * 8 + i).wrapping_mul(stride) % states).collect();
            batch.clear();
            for number in &numbers {
                batch.push(mazurka_model::Step::new(0, 0), &state(*number, fixed));
            }
            match root {
                Some((parent, present)) => {
                    handle.prepare(parent, &state(present, fixed), &batch, 0, &mut questions)
                }
                None => questions.clear(),
            }
            for (index, number) in numbers.iter().enumerate() {
                let parent = root.map(|(parent, _)| parent);
                let inserted = match questions.get(index) {
                    Some(question) => handle.insert_prepared(*question, batch.state(index), parent, *number),
                    None => handle.insert(batch.state(index), parent, *number),
                };
                given[*number as usize] = match inserted {
                    Insert::New(reference) => (true, reference),
                    Insert::Seen(reference) => (false, reference),
                    other => unreachable!("there is room: {other:?}"),
                };
                root = root.or(Some((given[*number as usize].1, *number)));
            }
            if chunk % 97 == thread {
                handle.rest();
            }
        }
        given
    };
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..threads).map(|thread| scope.spawn(move || insert(thread))).collect();
        all.into_iter().map(|one| one.join().expect("no thread panics")).collect()
    })
}

#[test]
fn each_state_is_new_exactly_once_while_the_table_grows() {
    for (fixed, threads, states) in [(true, 4, 1 << 16), (false, 3, 1 << 15), (false, 8, 1 << 12)] {
        let shared = Shared::new(None, true, None, threads as usize);
        let first = shared.bytes();
        let given = insert_all(&shared, threads, states, fixed);
        let mut references = HashSet::new();
        let mut handle = shared.handle();
        let mut bytes = Vec::new();
        for number in 0..states {
            let all: Vec<(bool, StateRef)> = given.iter().map(|one| one[number as usize]).collect();
            assert_eq!(all.iter().filter(|(new, _)| *new).count(), 1, "state {number}");
            assert!(all.iter().all(|(_, reference)| *reference == all[0].1), "state {number}");
            assert!(references.insert(all[0].1), "state {number} shares its record");
            handle.load(all[0].1, &mut bytes);
            assert_eq!(bytes, state(number, fixed));
            assert_eq!(handle.mark(all[0].1), number);
            assert_eq!(handle.insert(&bytes, None, 0), Insert::Seen(all[0].1));
        }
        assert!(shared.bytes() > first);
        let counted = shared.states.0.load(Ordering::Relaxed);
        assert!(counted <= states && states - counted < threads * UNCOUNTED);
    }
}

#[test]
fn of_many_exchanges_of_a_word_each_counts() {
    let shared = Shared::new(None, true, None, 4);
    let Insert::New(root) = shared.handle().insert(&[7; 8], None, 0) else { panic!("the first") };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut handle = shared.handle();
                for _ in 0..5_000 {
                    loop {
                        let old = handle.mark(root);
                        if handle.exchange_mark(root, old, old + 1) {
                            break;
                        }
                    }
                }
            });
        }
    });
    assert_eq!(shared.handle().mark(root), 20_000);
    assert_eq!(shared.way(root), [vec![7; 8]]);
}

#[test]
fn a_full_set_says_so_and_stays_usable() {
    let limit = 3 << 20;
    for threads in [1, 3] {
        let shared = Shared::new(None, false, Some(limit), threads);
        let stored: Vec<Vec<(u64, StateRef)>> = std::thread::scope(|scope| {
            let fill = |thread: u64| {
                let mut handle = shared.handle();
                let mut stored = Vec::new();
                for number in (thread..).step_by(threads) {
                    match handle.insert(&state(number, false), None, 0) {
                        Insert::New(reference) => stored.push((number, reference)),
                        Insert::Full => return stored,
                        other => unreachable!("no state comes twice: {other:?}"),
                    }
                }
                stored
            };
            let all: Vec<_> = (0..threads as u64).map(|thread| scope.spawn(move || fill(thread))).collect();
            all.into_iter().map(|one| one.join().expect("no thread panics")).collect()
        });
        // Two threads may add a chunk at the same moment.
        assert!(shared.bytes() <= limit + (threads as u64 - 1) * (limit / (32 * threads as u64)));
        let all: Vec<(u64, StateRef)> = stored.concat();
        assert!(all.len() as u64 > limit / 60, "{} states", all.len());
        let mut handle = shared.handle();
        for (number, reference) in all {
            assert_eq!(handle.insert(&state(number, false), None, 0), Insert::Seen(reference));
        }
    }
}

/// Threads that ask about the same states at the same time, successors of two states together, some of which are the same.
#[test]
fn states_asked_about_together_are_new_exactly_once() {
    let (threads, states) = (4, 1u64 << 13);
    for fixed in [true, false] {
        let size = fixed.then_some(40);
        let padded = |number: u64| [state(number, fixed), vec![0; 32]].concat();
        let shared = Shared::new(size, false, None, threads);
        let start = std::sync::Barrier::new(threads);
        let insert = || {
            let mut handle = shared.handle();
            let (mut batch, mut questions) = (Batch::default(), Vec::new());
            let mut new = Vec::new();
            start.wait();
            for chunk in 0..states / 8 {
                handle.begin(&mut questions);
                batch.clear();
                for half in 0..2 {
                    let from = batch.len();
                    // The halves overlap, and so do chunks.
                    for i in 0..8 {
                        let number = (chunk * 8 + half * 5 + i) % states;
                        batch.push(mazurka_model::Step::new(0, 0), &padded(number));
                    }
                    handle.ask(StateRef(0), &[], &batch, from..batch.len(), &mut questions);
                }
                handle.fetch(&mut questions);
                for (index, question) in questions.iter().enumerate() {
                    match handle.insert_prepared(*question, batch.state(index), None, 0) {
                        Insert::New(reference) => new.push((reference, batch.state(index).to_vec())),
                        Insert::Seen(_) => {}
                        other => unreachable!("there is room: {other:?}"),
                    }
                }
            }
            new
        };
        let new: Vec<(StateRef, Vec<u8>)> = std::thread::scope(|scope| {
            let all: Vec<_> = (0..threads).map(|_| scope.spawn(insert)).collect();
            all.into_iter().flat_map(|one| one.join().expect("no thread panics")).collect()
        });
        let distinct: HashSet<&Vec<u8>> = new.iter().map(|(_, bytes)| bytes).collect();
        assert_eq!((new.len() as u64, distinct.len() as u64), (states, states));
        let mut handle = shared.handle();
        let mut bytes = Vec::new();
        for (reference, state) in &new {
            handle.load(*reference, &mut bytes);
            assert_eq!(&bytes, state);
            assert_eq!(handle.find(state), Some(*reference));
        }
    }
}

/// Small tables that grow again and again, and contain in the end what a plain set does.
#[test]
fn many_small_tables_grow_under_several_threads() {
    let states = 6000u64;
    for round in 0..200u64 {
        let threads = 2 + round % 3;
        let shared = Shared::new(None, false, None, 1);
        let start = std::sync::Barrier::new(threads as usize);
        let numbers = |thread: u64| {
            // A random half of the states, each in its own order.
            let random = move |i: u64| crate::store::hash(&[round, thread, i].map(u64::to_le_bytes).concat());
            (0..states).map(move |i| random(i) % states)
        };
        let insert = &|thread: u64| {
            let mut handle = shared.handle();
            start.wait();
            let inserted = |number: u64| match handle.insert(&state(number, false), None, 0) {
                Insert::New(_) => Some(number),
                _ => None,
            };
            numbers(thread).filter_map(inserted).collect::<Vec<u64>>()
        };
        let new: Vec<u64> = std::thread::scope(|scope| {
            let all: Vec<_> = (0..threads).map(|thread| scope.spawn(move || insert(thread))).collect();
            all.into_iter().flat_map(|one| one.join().expect("no thread panics")).collect()
        });
        let expected: HashSet<u64> = (0..threads).flat_map(numbers).collect();
        assert_eq!(new.len(), expected.len(), "round {round}");
        assert_eq!(new.into_iter().collect::<HashSet<u64>>(), expected, "round {round}");
        let mut handle = shared.handle();
        for number in 0..states {
            assert_eq!(handle.find(&state(number, false)).is_some(), expected.contains(&number));
        }
    }
}
