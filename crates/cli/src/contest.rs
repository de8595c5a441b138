//! `check --contest`: the properties of a file of the Model Checking Contest, each with its answer.
//!
//! Each property is a search of its own, in which the reduction aims at what the property asks; whether a marking can be reached is first
//! looked for among all markings, as long as these are few. An answer is
//! given only if it is certain: a way to a marking that was executed again, or a search that was exact.

use crate::arguments::CheckArguments;
use crate::failure::Failure;
use crate::load::{self, Loaded};
use crate::monitor::{self, Watch};
use crate::output::Output;
use crate::temporal::{self, Ready, Wanted};
use crate::{Exit, explore};
use mazurka_engine::{Config, Guarantee, Limits, Method, Outcome, Properties, Reduction, Stop, Verdict};
use mazurka_front::petri::contest::{self, Query};
use mazurka_front::petri::{Formula, Linear, NetSystem};
use mazurka_model::{Finding, FindingKind};
use mazurka_property::Prepared;
use std::io::Write;
use std::path::Path;

/// So many markings are looked at before a reduction is tried.
const FEW_MARKINGS: u64 = 100_000;

/// Answers the properties of a file.
pub fn run(
    loaded: &mut Loaded,
    file: &Path,
    arguments: &CheckArguments,
    output: &mut Output,
) -> Result<Exit, Failure> {
    let Some(net) = loaded.net() else {
        return Err(Failure::usage(format!("{}: --contest is for Petri nets", loaded.path)));
    };
    let net = net.net().clone();
    let text = load::text(file)?;
    let properties = contest::parse(&net, &file.to_string_lossy(), &text)
        .map_err(|(errors, sources)| Failure::Model(errors, sources))?;
    if properties.is_empty() {
        return Err(Failure::usage(format!("{}: there are no properties in this file", file.display())));
    }
    monitor::catch_interrupts();
    let mut exit = Exit::Holds;
    for property in properties {
        let answer = match &property.query {
            Ok(query) => answer(loaded, query, arguments)?,
            Err(why) => {
                // If standard error is closed there is no one to tell.
                let _ = writeln!(std::io::stderr(), "note: {}: {why}", property.id);
                None
            }
        };
        let line = match answer {
            Some((value, reduction)) => {
                let value = if value { "TRUE" } else { "FALSE" };
                format!(
                    "FORMULA {} {value} TECHNIQUES {}",
                    property.id,
                    techniques(reduction, arguments.threads.unwrap_or(1))
                )
            }
            None => {
                exit = Exit::Unknown;
                format!("FORMULA {} CANNOT_COMPUTE", property.id)
            }
        };
        writeln!(output, "{line}")
            .and_then(|()| output.flush())
            .map_err(|error| Failure::Internal(format!("the answer can't be written: {error}")))?;
        if monitor::interrupted() {
            return Err(Failure::Interrupted);
        }
    }
    Ok(exit)
}

/// The answer to a query, and the reduction with which it was found; `None` if there is none.
fn answer(
    loaded: &mut Loaded,
    query: &Query,
    arguments: &CheckArguments,
) -> Result<Option<(bool, Reduction)>, Failure> {
    if let Query::Linear(formula) = query {
        return linear(loaded, formula, arguments);
    }
    let nothing = Properties { deadlock: false, assertions: false, unreached: false, reception: false };
    // What is looked for, and what finding it says.
    let (formula, found_means) = match query {
        Query::Reachable(formula) => (formula, true),
        Query::Invariant(formula) => (formula, false),
        Query::Linear(_) => return Ok(None),
    };
    let properties = match query {
        Query::Reachable(Formula::Deadlock) => Properties { deadlock: true, ..nothing },
        _ => Properties { assertions: true, ..nothing },
    };
    let invariant = if found_means { Formula::Not(Box::new(formula.clone())) } else { formula.clone() };
    loaded.change_net(|net| match properties.deadlock {
        true => NetSystem::new(net.net().clone()),
        false => net.with_invariant(&invariant, "the property"),
    });
    let config = Config { properties, max_errors: 1, ..arguments.config() };
    for config in brief(&config).iter().chain([&config]) {
        let watch = Watch::new(arguments.progress, arguments.quiet);
        let outcome = explore::check(loaded, config, &watch);
        watch.clear();
        if outcome.stopped == Some(Stop::Inconsistent) {
            return Err(Failure::Internal(Stop::Inconsistent.reason().to_owned()));
        }
        if let Some(finding) = outcome.findings.iter().find(|finding| is_wanted(finding.kind)) {
            mazurka_replay::confirm(loaded.system(), finding).map_err(|refusal| {
                Failure::Internal(format!("a way was found, but its replay refuses it: {refusal}"))
            })?;
            return Ok(Some((found_means, outcome.config.reduction)));
        }
        if is_certain(&outcome) {
            return Ok(Some((!found_means, outcome.config.reduction)));
        }
        if matches!(outcome.stopped, Some(Stop::Interrupted | Stop::Time)) {
            break;
        }
    }
    Ok(None)
}

/// A search that comes before the one that was asked for: where few markings can be reached, to look at all of them takes less time than
/// to find out which can be left out. None if a reduction was named, or a limit given that it might not keep.
fn brief(config: &Config) -> Option<Config> {
    let reduction = Reduction { method: Method::None, sleep: false };
    let limits = Limits { states: Some(FEW_MARKINGS), ..config.limits };
    let wanted = config.reduction.method == Method::Auto && config.limits.states.is_none();
    wanted.then(|| Config { reduction, limits, ..config.clone() })
}

/// The answer to a query about runs.
fn linear(
    loaded: &mut Loaded,
    formula: &Linear,
    arguments: &CheckArguments,
) -> Result<Option<(bool, Reduction)>, Failure> {
    let Ok(prepared) = Prepared::of_net(formula) else { return Ok(None) };
    let mut ready = None;
    loaded.change_net(|net| {
        let mut fresh = NetSystem::new(net.net().clone());
        ready = Some(Ready::of_net(&mut fresh, Wanted::Usual, prepared));
        fresh
    });
    loaded.temporal = ready.into_iter().collect();
    let watch = Watch::new(arguments.progress, arguments.quiet);
    let outcome = temporal::check(loaded, 0, arguments.search_for_runs(), &arguments.config(), &watch)?;
    watch.clear();
    if outcome.stopped == Some(Stop::Inconsistent) {
        return Err(Failure::Internal(Stop::Inconsistent.reason().to_owned()));
    }
    let is_run = |finding: &&Finding| matches!(finding.kind, FindingKind::Temporal { .. });
    if let Some(finding) = outcome.findings.iter().find(is_run) {
        temporal::confirm(loaded, loaded.temporal.first(), finding).map_err(|refusal| {
            Failure::Internal(format!("a run was found, but its replay refuses it: {refusal}"))
        })?;
        return Ok(Some((false, outcome.config.reduction)));
    }
    Ok(is_certain(&outcome).then_some((true, outcome.config.reduction)))
}

fn is_wanted(kind: FindingKind) -> bool {
    matches!(kind, FindingKind::Deadlock | FindingKind::State { .. })
}

/// Whether nothing is there because nothing was found.
fn is_certain(outcome: &Outcome) -> bool {
    outcome.verdict == Verdict::Holds && outcome.guarantee == Guarantee::Exact
}

/// The techniques as the contest names them.
fn techniques(reduction: Reduction, threads: usize) -> String {
    let stubborn = if reduction.method == Method::None { "" } else { " STUBBORN_SETS" };
    let sleep = if reduction.sleep { " SLEEP_SETS" } else { "" };
    let processing = if threads > 1 { "PARALLEL" } else { "SEQUENTIAL" };
    format!("EXPLICIT {processing}_PROCESSING{stubborn}{sleep}")
}
