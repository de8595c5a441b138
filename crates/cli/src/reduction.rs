//! `check --check-reduction`: the engine's checked mode of the reductions.
//!
//! A breach is a defect of this program, whatever the model: it is reported as such, with the state, the
//! set that was chosen there and the steps that show it.

use crate::failure::Failure;
use crate::load::Loaded;
use crate::monitor;
use crate::temporal::{self, Search};
use mazurka_engine::check_reduction::{self, Breach, Report};
use mazurka_engine::{Config, Monitor};
use mazurka_report::number::counted;
use std::fmt::Write as _;
use std::io::Write as _;

/// Breaches that are looked for before giving up.
const BREACHES: usize = 5;

/// Asks only whether the user has had enough.
struct Patience;

impl Monitor for Patience {
    fn interrupted(&self) -> bool {
        monitor::interrupted()
    }
}

/// Checks the reduction of `config` in at most `states` states, also what is left out for each temporal property; false if that
/// was not all of the model.
pub fn check(
    loaded: &Loaded,
    config: &Config,
    search: Search,
    states: u64,
    quiet: bool,
) -> Result<bool, Failure> {
    let graph = check_reduction::explore(loaded.system(), states, &Patience);
    let report = check_reduction::verify_on(&graph, config, BREACHES, &Patience);
    let (full, kept) = (counted(report.states, "state"), counted(report.reduced_states, "state"));
    let (sets, pairs) = (counted(report.sets, "set"), counted(report.pairs, "pair"));
    let said = format!("is sound in {full}, {sets} chosen, {pairs} of steps; it keeps {kept}");
    let mut whole = tell(&report, quiet, &said)?;
    for number in 0..loaded.temporal.len() {
        let report = temporal::with(loaded, number, search, |property| {
            check_reduction::verify_temporal(&graph, property, config, BREACHES, &Patience)
        })?;
        let name = loaded.system().describe().property(number as u32).process;
        let kept = counted(report.reduced_states, "state");
        let said = format!(
            "for `{name}` is sound: in {} of {kept} something is left out, and the verdict is that of a full search",
            report.sets
        );
        whole &= tell(&report, quiet, &said)?;
    }
    Ok(whole)
}

/// Says what was found; whether that was all of the model.
fn tell(report: &Report, quiet: bool, said: &str) -> Result<bool, Failure> {
    if !report.breaches.is_empty() {
        return Err(Failure::Internal(message(&report.breaches)));
    }
    if !quiet {
        let part = if report.cut { "a part of the model: a limit was reached" } else { "all of the model" };
        // If standard error is closed there is no one to tell.
        let _ = writeln!(std::io::stderr(), "checked: the reduction {said} ({part})");
    }
    Ok(!report.cut)
}

fn message(breaches: &[Breach]) -> String {
    let mut text = "the reduction does not keep what it promises".to_owned();
    for breach in breaches {
        // Writing to a string can't fail.
        let _ = write!(text, "\n  {}", breach.message);
        for step in &breach.set {
            let _ = write!(text, "\n    chosen: {step}");
        }
        for step in &breach.sequence {
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
    fn a_breach_names_the_set_the_sequence_and_the_state() {
        let breach = Breach {
            message: "the set is not persistent".to_owned(),
            state: vec![("x".to_owned(), "1".to_owned())],
            set: vec!["P(0): x = 2".to_owned()],
            sequence: vec!["P(1): x = 3".to_owned()],
        };
        let expected = "the reduction does not keep what it promises\n  the set is not persistent\n    \
                        chosen: P(0): x = 2\n    step: P(1): x = 3\n    x = 1";
        assert_eq!(message(&[breach]), expected);
    }
}
