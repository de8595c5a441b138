//! A tiny breadth-first explorer, independent of the engine, and helpers for models given as text.
#![allow(dead_code)]

use mazurka_model::{Batch, Chosen, Step, System, Violation};
use mazurka_program::{Interpreter, text};
use std::collections::HashSet;

/// An interpreter of a model that must be right.
pub fn model(source: &str) -> Interpreter {
    let parsed = text::parse("model.mzk", source);
    let program = parsed.program.unwrap_or_else(|| panic!("{:#?}", parsed.diagnostics));
    Interpreter::new(program).expect("a parsed program is valid")
}

/// What exploring a model shows.
#[derive(Debug, Default)]
pub struct Explored {
    /// States between atomic regions, in the order of their discovery.
    pub states: Vec<Vec<u8>>,
    /// States inside atomic regions.
    pub interior: usize,
    pub transitions: usize,
    pub deadlocks: usize,
    pub violations: Vec<Violation>,
}

/// All reachable states. Also checks the rules of `System` at each of them.
pub fn explore(system: &Interpreter) -> Explored {
    let mut found = Explored::default();
    let mut seen = HashSet::new();
    let mut batch = Batch::default();
    system.initial(&mut batch);
    let mut work: Vec<(Vec<u8>, bool)> = vec![(batch.state(0).to_vec(), false)];
    seen.insert(work[0].0.clone());
    let mut next = 0;
    while next < work.len() {
        let (state, interior) = work[next].clone();
        next += 1;
        batch.clear();
        system.expand(&state, Chosen::All, &mut batch);
        check_enabled(system, &state, &batch);
        found.transitions += batch.len();
        found.violations.extend(batch.violations());
        if let Some(size) = system.state_size() {
            assert_eq!(state.len(), size);
        }
        if interior {
            found.interior += 1;
        } else {
            found.states.push(state.clone());
        }
        if batch.is_empty() && batch.violations().is_empty() && !system.valid_end(&state) {
            found.deadlocks += 1;
        }
        for (index, successor) in batch.successors().iter().enumerate() {
            let state = batch.state(index).to_vec();
            if seen.insert(state.clone()) {
                work.push((state, successor.interior));
            }
        }
    }
    found
}

/// `enabled` lists exactly the steps that lead somewhere or go wrong, and each can be taken alone.
fn check_enabled(system: &Interpreter, state: &[u8], batch: &Batch) {
    let mut enabled = Vec::new();
    system.enabled(state, &mut enabled);
    let mut steps: Vec<Step> = batch.successors().iter().map(|s| s.step).collect();
    steps.extend(batch.violations().iter().map(|v| v.step));
    steps.sort();
    steps.dedup();
    let mut sorted = enabled.clone();
    sorted.sort();
    assert_eq!(sorted, steps);
    let mut single = Batch::default();
    for (index, successor) in batch.successors().iter().enumerate() {
        single.clear();
        system.expand(state, Chosen::Steps(&[successor.step]), &mut single);
        assert_eq!(single.len(), 1);
        assert_eq!(single.state(0), batch.state(index));
    }
}
