//! `mazurka check`: explores a model, confirms every error by replay, reports, and saves trails.

use crate::arguments::CheckArguments;
use crate::failure::Failure;
use crate::load::{self, Loaded};
use crate::monitor::{self, Watch};
use crate::output::Output;
use crate::temporal::{self, Ready};
use crate::{Exit, contest, explore, reduction, save, verify};
use mazurka_engine::checkpoint::Refusal;
use mazurka_engine::store::disk::StateFile;
use mazurka_engine::{Config, Guarantee, Outcome, SearchKind, Stop, StoreKind, Swarm, Verdict};
use mazurka_model::{Finding, FindingKind};
use mazurka_replay::Run;
use mazurka_report::{Checked, Shown, TemporalResult, Trail, json};
use std::io::Write;

/// Runs the command.
pub fn run(arguments: &CheckArguments, output: &mut Output) -> Result<Exit, Failure> {
    let mut loaded = load::model(&arguments.file, &arguments.how())?;
    if let Some(contradiction) = arguments.contradiction() {
        return Err(Failure::usage(contradiction));
    }
    if let Some(properties) = &arguments.contest {
        return contest::run(&mut loaded, properties, arguments, output);
    }
    let config = loaded.usual(arguments.config(), &arguments.plain());
    let trails = save::Trails::new(&arguments.file, arguments.trail.as_deref())?;
    arguments.checkpoint.as_deref().map_or(Ok(()), save::checkpoint)?;
    if config.store == StoreKind::Disk {
        StateFile::new(&config.folder).map_err(|error| {
            Failure::usage(format!("--disk {}: there can't be a file: {error}", config.folder.display()))
        })?;
    }
    if !arguments.quiet {
        show_warnings(&loaded, output);
    }
    monitor::catch_interrupts();
    if let Some(states) = arguments.verify_model {
        verify::model(loaded.system(), states, config.limits.time, arguments.quiet)?;
    }
    let whole = match arguments.check_reduction {
        Some(states) => {
            reduction::check(&loaded, &config, arguments.search_for_runs(), states, arguments.quiet)?
        }
        None => true,
    };
    let watch = Watch::new(arguments.progress, arguments.quiet);
    let (mut outcome, temporal) = search(&mut loaded, arguments, &config, &watch)?;
    watch.clear();
    if outcome.stopped == Some(Stop::Inconsistent) {
        // The system is made by this program, so the contradiction is ours and not the model's.
        return Err(Failure::Internal(Stop::Inconsistent.reason().to_owned()));
    }
    if !whole && outcome.verdict == Verdict::Holds {
        // Nothing may be said to hold while it is open whether the reduction keeps its promises.
        (outcome.verdict, outcome.guarantee) = (Verdict::Unknown, Guarantee::Bounded);
        outcome.guarantee_reason =
            "the reduction was checked in a part of the model only; --check-reduction=STATES takes more"
                .to_owned();
    }
    unroll(&loaded, &mut outcome.findings);
    let runs = confirm(&loaded, &outcome.findings)?;
    // It takes as long as to write the whole model, and a search may find thousands of errors.
    let fingerprint = if runs.is_empty() { 0 } else { loaded.system().describe().fingerprint() };
    let violations = runs
        .into_iter()
        .zip(&outcome.findings)
        .enumerate()
        .map(|(index, (run, finding))| {
            let trail = save(&trails, index, fingerprint, &loaded, finding, output);
            Shown { run, trail }
        })
        .collect();
    let checked = Checked {
        model: &loaded.path,
        outcome: &outcome,
        describe: loaded.reference().describe(),
        violations,
        temporal,
        parse: loaded.parse,
        compile: loaded.compile,
        peak_memory: peak_memory(&outcome),
        reading: arguments.reading(&loaded),
    };
    report(&checked, arguments, output)?;
    Ok(match outcome.verdict {
        Verdict::Holds => Exit::Holds,
        Verdict::Violated => Exit::Violated,
        Verdict::Unknown => Exit::Unknown,
    })
}

/// Explores the model: from the beginning, from a checkpoint, or with a swarm.
fn explore(
    loaded: &mut Loaded,
    config: &Config,
    arguments: &CheckArguments,
    watch: &Watch,
) -> Result<Outcome, Failure> {
    if let Some(searches) = arguments.swarm {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = arguments.threads.unwrap_or_else(cores);
        let swarm = Swarm { searches: searches as usize, threads };
        return Ok(mazurka_engine::swarm(loaded.system(), config, watch, swarm));
    }
    let Some(file) = &arguments.resume else { return Ok(explore::check(loaded, config, watch)) };
    loop {
        match mazurka_engine::resume(loaded.system(), config, watch, file) {
            // The search may have given the places of a net more room.
            Err(Refusal::Model) if loaded.widen() => {}
            Err(refusal) => {
                return Err(Failure::usage(format!("can't go on from {}: {refusal}", file.display())));
            }
            Ok(outcome) => return Ok(outcome),
        }
    }
}

fn report(checked: &Checked<'_>, arguments: &CheckArguments, output: &mut Output) -> Result<(), Failure> {
    let colour = output.colour();
    let written = if arguments.json {
        let text = json::check(checked, env!("CARGO_PKG_VERSION"))
            .map_err(|error| Failure::Internal(format!("the JSON can't be written: {error}")))?;
        if !arguments.quiet {
            // The JSON has no field for remarks; they must not be lost.
            for note in &checked.outcome.notes {
                warn(&format!("note: {note}"));
            }
        }
        writeln!(output, "{text}")
    } else if arguments.quiet {
        checked.write_quietly(output, colour)
    } else {
        checked.write(output, colour)
    };
    written.map_err(|error| Failure::Internal(format!("the report can't be written: {error}")))
}

/// Searches for errors of states and steps, then for runs that break temporal properties.
fn search(
    loaded: &mut Loaded,
    arguments: &CheckArguments,
    config: &Config,
    watch: &Watch,
) -> Result<(Outcome, Vec<TemporalResult>), Failure> {
    let mut outcome = match arguments.only_temporal() {
        true => Outcome::nothing_asked(config),
        false => explore(loaded, config, arguments, watch)?,
    };
    outcome.notes.extend(loaded.note.clone());
    let how = arguments.search_for_runs();
    let mut results = Vec::new();
    let mut skipped = Vec::new();
    if !loaded.temporal.is_empty() {
        if config.search != SearchKind::Dfs {
            let note = "runs that break temporal properties are searched for depth first; --shortest finds a shortest";
            outcome.notes.push(note.to_owned());
        }
        if config.checkpoints.is_some() {
            outcome.notes.push("the search for runs that break temporal properties is not saved".to_owned());
        }
    }
    for number in 0..loaded.temporal.len() {
        let name = loaded.system().describe().property(number as u32).process;
        let enough = config.max_errors > 0 && outcome.findings.len() >= config.max_errors;
        if enough || !matches!(outcome.stopped, None | Some(Stop::Errors | Stop::Depth)) {
            skipped.push(name);
            continue;
        }
        let found = temporal::check(loaded, number, how, config, watch)?;
        if arguments.only_temporal() {
            outcome.statistics.add(&found.statistics);
            outcome.config = found.config.clone();
        }
        results.push(temporal::join(&mut outcome, name, found));
    }
    if !skipped.is_empty() {
        outcome.notes.push(format!("not checked any more: {}", skipped.join(", ")));
    }
    Ok((outcome, results))
}

/// Makes infinite runs of an optimised program runs of the program as it was written: what nobody looks at may have other
/// values there when the steps of a run are repeated for the first time.
fn unroll(loaded: &Loaded, findings: &mut [Finding]) {
    if loaded.original.is_none() {
        return;
    }
    for finding in findings.iter_mut().filter(|finding| matches!(finding.kind, FindingKind::Temporal { .. }))
    {
        // What is not possible is refused, with a reason, when the run is confirmed.
        if let Ok(trace) = mazurka_replay::unroll(loaded.reference(), &finding.trace) {
            finding.trace = trace;
        }
    }
}

/// No error is shown that an independent walk over the system does not reproduce, and no infinite run that
/// does not break its property by the meaning of that.
fn confirm(loaded: &Loaded, findings: &[Finding]) -> Result<Vec<Run>, Failure> {
    let confirm = |finding: &Finding| {
        temporal::confirm(loaded, broken(loaded, finding), finding).map_err(|refusal| {
            let kind = finding.kind.name();
            Failure::Internal(format!("an error ({kind}) was found, but its replay refuses it: {refusal}"))
        })
    };
    findings.iter().map(confirm).collect()
}

/// The temporal property that a finding is about.
fn broken<'l>(loaded: &'l Loaded, finding: &Finding) -> Option<&'l Ready> {
    match finding.kind {
        FindingKind::Temporal { property } => loaded.temporal.get(property as usize),
        _ => None,
    }
}

/// Saves one error. If that fails the error is still worth showing.
fn save(
    trails: &save::Trails,
    index: usize,
    fingerprint: u64,
    loaded: &Loaded,
    finding: &Finding,
    output: &Output,
) -> Option<String> {
    let trail = Trail {
        model: trails.model_path().to_owned(),
        fingerprint,
        options: loaded.options.clone(),
        finding: finding.clone(),
        property: broken(loaded, finding).map(|ready| ready.wanted.to_string()),
    };
    match trails.save(index, &trail) {
        Ok(path) => path,
        Err(message) => {
            warn(&format!(
                "{} the counterexample is not saved: {message}",
                output.error_colour().warn("warning:")
            ));
            None
        }
    }
}

fn show_warnings(loaded: &Loaded, output: &Output) {
    if let Some(sources) = loaded.system().describe().sources() {
        for warning in &loaded.warnings {
            warn(&mazurka_report::diagnostic::render(warning, sources, output.error_colour()));
        }
    }
}

fn warn(message: &str) {
    // If standard error is closed there is no one to tell.
    let _ = writeln!(std::io::stderr(), "{message}");
}

/// The most memory that the program has used: as the system counts it where it does, else what the
/// search accounts for.
fn peak_memory(outcome: &Outcome) -> u64 {
    let accounted = outcome.statistics.store_bytes + outcome.statistics.stack_bytes;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kilobytes.map_or(accounted, |kilobytes| kilobytes * 1024)
}
