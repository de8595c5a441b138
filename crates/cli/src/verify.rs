//! `check --verify-model`: the engine's checking mode, which distrusts the system itself.
//!
//! A breach is a defect of this program: the systems that `check` explores are made by it, and a
//! reduction that rests on a wrong footprint loses errors.

use crate::failure::Failure;
use crate::monitor;
use mazurka_engine::contract;
use mazurka_model::System;
use mazurka_report::number::counted;
use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// Breaches that are looked for before giving up.
const BREACHES: usize = 5;

/// Compares what a system says with what it does, in at most `states` states and for as long as a search may take.
pub fn model(system: &dyn System, states: u64, time: Option<Duration>, quiet: bool) -> Result<(), Failure> {
    let begin = Instant::now();
    let late = || time.is_some_and(|time| begin.elapsed() >= time);
    let report = contract::verify_until(system, states, BREACHES, || monitor::interrupted() || late());
    if !report.breaches.is_empty() {
        return Err(Failure::Internal(message(&report.breaches)));
    }
    if !quiet {
        let (states, pairs) = (counted(report.states, "state"), counted(report.pairs, "pair"));
        let part = if report.complete { "all of the model" } else { "a part of the model" };
        // If standard error is closed there is no one to tell.
        let _ = writeln!(
            std::io::stderr(),
            "verified: footprints and steps agree in {states}, {pairs} of steps ({part})"
        );
    }
    Ok(())
}

fn message(breaches: &[contract::Breach]) -> String {
    let mut text = "the system breaks the rules that reductions rest on".to_owned();
    for breach in breaches {
        // Writing to a string can't fail.
        let _ = write!(text, "\n  {}", breach.message);
        for step in &breach.steps {
            let _ = write!(text, "\n    step: {step}");
        }
        for (name, value) in &breach.state {
            let _ = write!(text, "\n    {name} = {value}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_breach_names_steps_and_state() {
        let breach = contract::Breach {
            message: "two steps do not commute".to_owned(),
            state: vec![("x".to_owned(), "1".to_owned())],
            steps: vec!["P(0): x = 2".to_owned()],
        };
        let expected = "the system breaks the rules that reductions rest on\n  two steps do not commute\n    \
                        step: P(0): x = 2\n    x = 1";
        assert_eq!(message(&[breach]), expected);
    }
}
