//! Records what a search explores: its states and the steps between them.
//!
//! The search is the very one of `check`, so the record shows what a reduction really leaves out.

use crate::monitor;
use mazurka_engine::{Config, Expansion, Limits, Monitor, Outcome, Properties};
use mazurka_model::{Step, System, Violation};
use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

/// A step that was explored. States are given by their bytes: some are never expanded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Explored {
    /// The number of the state it is taken in.
    pub from: usize,
    /// The step.
    pub step: Step,
    /// Where it leads.
    pub to: Vec<u8>,
}

/// What a search explored.
#[derive(Default)]
pub struct Record {
    /// The states, in the order in which they were expanded first.
    pub states: Vec<Vec<u8>>,
    /// Their numbers.
    pub numbers: HashMap<Vec<u8>, usize>,
    /// The steps, each once.
    pub steps: Vec<Explored>,
    /// What went wrong: in which state, under which of its steps, and how.
    pub met: Vec<(usize, Step, Violation)>,
    known: HashSet<Explored>,
}

#[derive(Default)]
struct Recorder {
    record: Mutex<Record>,
}

impl Monitor for Recorder {
    fn interrupted(&self) -> bool {
        monitor::interrupted()
    }

    fn watches(&self) -> bool {
        true
    }

    fn expanded(&self, expansion: Expansion<'_>) {
        let Ok(mut record) = self.record.lock() else { return };
        let fresh = record.states.len();
        let from = *record.numbers.entry(expansion.state.to_vec()).or_insert(fresh);
        if from == fresh {
            record.states.push(expansion.state.to_vec());
        }
        for (index, successor) in expansion.edges.successors().iter().enumerate() {
            let step = Explored { from, step: successor.step, to: expansion.edges.state(index).to_vec() };
            if record.known.insert(step.clone()) {
                record.steps.push(step);
            }
        }
        for met in expansion.met {
            let met = (from, met.first, met.violation);
            if !record.met.contains(&met) {
                record.met.push(met);
            }
        }
    }
}

/// Explores a system until more than `limit` states are known.
pub fn explore(system: &dyn System, config: Config, limit: u64) -> (Record, Outcome) {
    let recorder = Recorder::default();
    let config = Config {
        properties: Properties { deadlock: true, assertions: true, reception: false, unreached: false },
        limits: Limits { states: Some(limit + 1), ..config.limits },
        max_errors: 0,
        ..config
    };
    let outcome = mazurka_engine::check(system, &config, &recorder);
    (recorder.record.into_inner().unwrap_or_default(), outcome)
}
