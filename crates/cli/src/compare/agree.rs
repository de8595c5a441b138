//! Whether the runs of a comparison can all be right.
//!
//! Every reduction keeps the verdict and the errors of what is checked: whether there is a deadlock,
//! and each assertion, fault or condition that can be violated. So what any run found, complete or
//! not, every complete run must have found, unless its store may have taken states for others.

use mazurka_engine::{Config, Guarantee};
use mazurka_model::{Describe, FindingKind, Step, Violation};
use std::collections::BTreeSet;

/// Beyond so many findings a search only counts: what it does not list may still be there.
const ALL_LISTED: usize = 10_000;

/// What a run found.
pub struct Found {
    config: Config,
    complete: bool,
    /// The errors, in words, each once.
    pub errors: BTreeSet<String>,
}

impl Found {
    /// What the findings of a run are.
    pub fn new(outcome: &mazurka_engine::Outcome, asked: &Config, describe: &dyn Describe) -> Found {
        let errors = outcome.findings.iter().map(|finding| in_words(finding.kind, describe)).collect();
        let whole = outcome.stopped.is_none() && !matches!(outcome.guarantee, Guarantee::Probabilistic(_));
        let complete = whole && outcome.findings.len() < ALL_LISTED;
        Found { config: asked.clone(), complete, errors }
    }
}

/// Where runs contradict each other, each in a sentence.
pub fn disagreements(runs: &[Found]) -> Vec<String> {
    let mut found: Vec<(&String, &Found)> = Vec::new();
    for run in runs {
        for error in &run.errors {
            if !found.iter().any(|(known, _)| *known == error) {
                found.push((error, run));
            }
        }
    }
    let mut all = Vec::new();
    for (error, by) in found {
        for run in runs.iter().filter(|run| run.complete && !run.errors.contains(error)) {
            all.push(format!("{} finds: {error}; {} loses it", name(&by.config), name(&run.config)));
        }
    }
    all
}

fn name(config: &Config) -> String {
    let Config { reduction, dependency, order, .. } = config;
    format!("{reduction} (dependency {dependency}, order {order})")
}

fn in_words(kind: FindingKind, describe: &dyn Describe) -> String {
    match kind {
        FindingKind::Step { kind: how, place } | FindingKind::State { kind: how, place } => {
            let violation = Violation { step: Step::default(), kind: how, place };
            let text = describe.violation(&violation);
            let location = text.span.and_then(|span| describe.sources()?.locate(span));
            let location = location.map(|at| format!("{at}: ")).unwrap_or_default();
            format!("{location}{}", text.text)
        }
        FindingKind::Temporal { property } => describe.property(property).text,
        FindingKind::Deadlock | FindingKind::Stopped => kind.name().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(reduction: &str, complete: bool, errors: &[&str]) -> Found {
        let config = Config { reduction: reduction.parse().unwrap(), ..Config::default() };
        Found { config, complete, errors: errors.iter().map(|e| (*e).to_owned()).collect() }
    }

    #[test]
    fn a_run_that_loses_an_error_is_named() {
        let runs = [found("none", true, &["deadlock"]), found("local", true, &[])];
        let all = disagreements(&runs);
        assert_eq!(
            all,
            ["none (dependency refined, order forward) finds: deadlock; \
              local (dependency refined, order forward) loses it"]
        );
    }

    #[test]
    fn a_run_that_was_cut_need_not_have_found_everything_but_what_it_found_counts() {
        let cut = found("none", false, &[]);
        assert!(disagreements(&[cut, found("local", true, &["deadlock"])]).is_empty());
        let cut = found("none", false, &["deadlock"]);
        assert_eq!(disagreements(&[cut, found("local", true, &[])]).len(), 1);
    }
}
