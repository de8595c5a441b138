//! The examples have the state spaces that independent tools agree on, counted here by a search that
//! shares no code with the engine.

use mazurka::{Model, Native};
use mazurka_model::{Batch, Chosen, System};
use std::collections::{HashSet, VecDeque};

#[path = "../examples/peterson/native.rs"]
#[allow(dead_code)]
mod peterson;
#[path = "../examples/philosophers/native.rs"]
#[allow(dead_code)]
mod philosophers;
#[path = "../examples/two_phase_commit/native.rs"]
#[allow(dead_code)]
mod two_phase_commit;

use peterson::Peterson;
use philosophers::Table;
use two_phase_commit::TwoPhaseCommit;

#[derive(Debug, Default, PartialEq)]
struct Counts {
    states: usize,
    /// The visit of the root included, as SPIN and stateright count.
    transitions: usize,
    violations: usize,
    deadlocks: usize,
}

fn count<M: Model>(model: &M) -> Counts {
    let system = Native::new(model);
    let mut counts = Counts::default();
    let mut batch = Batch::default();
    let mut judged = Batch::default();
    let mut enabled = Vec::new();
    let mut seen = HashSet::new();
    let mut queue = VecDeque::new();
    system.initial(&mut batch);
    loop {
        counts.transitions += batch.len();
        counts.violations += batch.violations().len();
        for index in 0..batch.len() {
            let state = batch.state(index).to_vec();
            if seen.insert(state.clone()) {
                judged.clear();
                system.judge(&state, &mut judged);
                counts.violations += judged.violations().len();
                queue.push_back(state);
            }
        }
        let Some(state) = queue.pop_front() else { break };
        batch.clear();
        system.expand(&state, Chosen::All, &mut batch);
        enabled.clear();
        system.enabled(&state, &mut enabled);
        assert!(enabled.iter().eq(batch.successors().iter().map(|successor| &successor.step)));
        counts.deadlocks += usize::from(batch.is_empty() && !system.valid_end(&state));
    }
    counts.states = seen.len();
    counts
}

#[test]
fn two_phase_commit() {
    for (managers, states) in [(3, 288), (5, 8_832)] {
        let counts = count(&TwoPhaseCommit { managers });
        assert_eq!((counts.states, counts.violations, counts.deadlocks), (states, 0, 0));
    }
    let counts = count(&TwoPhaseCommit { managers: 7 });
    assert_eq!((counts.states, counts.transitions), (296_448, 2_744_706));
}

#[test]
fn philosophers() {
    for philosophers in 2..=9 {
        let n = philosophers as usize;
        let power = 3usize.pow(philosophers);
        let counts = count(&Table { philosophers });
        let transitions = 2 * n * power / 3 - n + 1;
        assert_eq!(counts, Counts { states: power - 1, transitions, violations: 0, deadlocks: 1 });
    }
}

#[test]
fn peterson() {
    let right = count(&Peterson { yields_first: false });
    assert_eq!(right, Counts { states: 32, transitions: 65, violations: 0, deadlocks: 0 });
    let wrong = count(&Peterson { yields_first: true });
    assert_eq!(wrong, Counts { states: 48, transitions: 97, violations: 2, deadlocks: 0 });
}
