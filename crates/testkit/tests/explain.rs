//! Explanations against the methods that they explain: at every state, every chosen step has a reason.

use mazurka_engine::reduce::explain::{Reason, Whole, explain};
use mazurka_engine::{Config, Dependency, Expansion, Limits, Method, Monitor, Reduction, SearchKind};
use mazurka_program::Interpreter;
use mazurka_testkit::corpus::{directory, models};
use std::sync::Mutex;

/// States looked at of each model.
const STATES: usize = 200;

#[derive(Default)]
struct States(Mutex<Vec<Vec<u8>>>);

impl Monitor for States {
    fn watches(&self) -> bool {
        true
    }

    fn expanded(&self, expansion: Expansion<'_>) {
        self.0.lock().unwrap().push(expansion.state.to_vec());
    }
}

#[test]
fn every_chosen_step_has_a_reason() {
    let models = models(&directory()).unwrap_or_else(|message| panic!("{message}"));
    let mut reduced = 0;
    for model in models {
        let name = model.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let system = Interpreter::new(model.program.clone()).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let states = States::default();
        let full = Config {
            reduction: Reduction { method: Method::None, sleep: false },
            limits: Limits { states: Some(4 * STATES as u64), ..Limits::default() },
            search: SearchKind::Bfs,
            max_errors: 0,
            ..Config::default()
        };
        mazurka_engine::check(&system, &full, &states);
        for state in states.0.into_inner().unwrap().iter().take(STATES) {
            for method in
                [Method::Persistent, Method::Ample, Method::Stubborn, Method::Conditional, Method::Deletion]
            {
                for (_, dependency) in Dependency::NAMES {
                    let reduction = Reduction { method, sleep: false };
                    let config = Config { reduction, dependency, ..Config::default() };
                    let explanation = explain(&system, &config, state);
                    let what = format!("{name}: {reduction}, {dependency}: {explanation:?}");
                    assert_ne!(
                        explanation.whole == Some(Whole::NoReduction),
                        system_reduces(&system),
                        "{what}"
                    );
                    if explanation.whole.is_none() {
                        assert!(explanation.chosen.len() < explanation.enabled.len(), "{what}");
                        reduced += 1;
                        explained(&explanation, &what);
                    }
                }
            }
        }
    }
    assert!(reduced > 1_000, "only {reduced} states were reduced");
}

/// Conditions on whole states keep a system from being reduced.
fn system_reduces(system: &Interpreter) -> bool {
    use mazurka_model::System;
    !system.judges_states()
}

fn explained(explanation: &mazurka_engine::Explanation, what: &str) {
    let mut steps: Vec<usize> = explanation.moves.iter().flat_map(|m| m.steps.clone()).collect();
    steps.sort_unstable();
    steps.dedup();
    assert_eq!(steps, explanation.chosen, "{what}");
    for (index, member) in explanation.moves.iter().enumerate() {
        match member.reason {
            Reason::Seed => assert!(!member.steps.is_empty(), "{what}"),
            Reason::Method => panic!("the operations don't explain {index}: {what}"),
            Reason::Along(by, _) => assert!(by < index, "{what}"),
        }
    }
}
