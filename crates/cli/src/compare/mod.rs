//! `mazurka compare`: one model under many reductions, in one table.

mod agree;
mod arguments;
mod plan;

use crate::Exit;
use crate::failure::Failure;
use crate::monitor::{self, Watch};
use crate::output::Output;
use crate::{explore, load, save};
use agree::Found;
pub use arguments::CompareArguments;
use mazurka_engine::{Config, Limits, Stop};
use mazurka_report::Comparison;
use mazurka_report::compare::Row;
use std::io::Write;
use std::time::Duration;

/// With fewer states than this, much of what stores take is what they begin with.
const FEW: u64 = 100_000;

/// How long a search may be that nothing is kept of.
const WARMING: Duration = Duration::from_secs(1);

/// Runs the command.
pub fn run(arguments: &CompareArguments, output: &mut Output) -> Result<Exit, Failure> {
    let mut loaded = load::model(&arguments.file, &arguments.how())?;
    let configs = plan::configs(arguments);
    let properties = loaded.usual(arguments.config(), &arguments.property).properties;
    let mut comparison = Comparison {
        model: loaded.path.clone(),
        options: arguments.options(properties),
        ..Comparison::default()
    };
    let mut found = Vec::new();
    monitor::catch_interrupts();
    let watch = Watch::new(false, arguments.json);
    if arguments.stores
        && let Some(first) = configs.first()
    {
        // The first search pays for pages of code and memory that the others find. Times are related to it here.
        let time = Some(first.limits.time.map_or(WARMING, |time| time.min(WARMING)));
        let config = Config { limits: Limits { time, ..first.limits }, ..first.clone() };
        let config = loaded.usual(config, &arguments.property);
        explore::check(&mut loaded, &config, &watch);
        watch.clear();
    }
    for (index, config) in configs.iter().enumerate() {
        let config = &loaded.usual(config.clone(), &arguments.property);
        let outcome = explore::check(&mut loaded, config, &watch);
        watch.clear();
        if outcome.stopped == Some(Stop::Inconsistent) {
            return Err(Failure::Internal(Stop::Inconsistent.reason().to_owned()));
        }
        for finding in &outcome.findings {
            mazurka_replay::confirm(loaded.reference(), finding).map_err(|refusal| {
                let kind = finding.kind.name();
                Failure::Internal(format!(
                    "{} found an error ({kind}), but its replay refuses it: {refusal}",
                    config.reduction
                ))
            })?;
        }
        let errors = Found::new(&outcome, config, loaded.system().describe());
        comparison.rows.push(Row::new(config.reduction, &outcome, errors.errors.iter().cloned().collect()));
        found.push(errors);
        for note in &outcome.notes {
            if !comparison.notes.contains(note) {
                comparison.notes.push(note.clone());
            }
        }
        if outcome.stopped == Some(Stop::Interrupted) {
            comparison.notes.push(format!("interrupted: {} of {} runs", index + 1, configs.len()));
            break;
        }
    }
    if arguments.stores && comparison.rows.iter().any(|row| row.complete() && row.states < FEW) {
        comparison.notes.push(
            "where there are fewer than 100,000 states, much of the bytes is what a store begins with, and with a few \
             thousand nearly all: ratios say little then"
                .to_owned(),
        );
    }
    comparison.disagreements = agree::disagreements(&found);
    show(&comparison, arguments, output)?;
    if !comparison.disagreements.is_empty() {
        return Err(Failure::Internal(format!(
            "the runs disagree on {}, so a reduction has lost an error: {}",
            loaded.path, comparison.disagreements[0]
        )));
    }
    let interrupted = monitor::interrupted();
    let complete = comparison.rows.iter().any(|row| row.complete());
    Ok(if complete && !interrupted { Exit::Holds } else { Exit::Unknown })
}

fn show(comparison: &Comparison, arguments: &CompareArguments, output: &mut Output) -> Result<(), Failure> {
    let internal = |error: &dyn std::fmt::Display| {
        Failure::Internal(format!("the comparison can't be written: {error}"))
    };
    if let Some(path) = &arguments.svg {
        save::drawing("--svg", path, &mut |out| comparison.write_svg(out))?;
    }
    if arguments.json {
        let text = comparison.json(env!("CARGO_PKG_VERSION")).map_err(|error| internal(&error))?;
        return writeln!(output, "{text}").map_err(|error| internal(&error));
    }
    let colour = output.colour();
    comparison.write(output, colour).map_err(|error| internal(&error))?;
    match &arguments.svg {
        Some(path) => writeln!(output, "Drawn in {}", path.display()).map_err(|error| internal(&error)),
        None => Ok(()),
    }
}
