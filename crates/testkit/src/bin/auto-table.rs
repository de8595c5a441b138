//! `auto-table [--seconds N] [--most-states N] [--jobs N] [--columns NAMES] [--alone] [--raw] [FILES…]`: is `auto`
//! as good as SPIN's reduction, and as the best of ours by itself? A table in Markdown.
//!
//! For each model: the states of the full search, of SPIN's reduction, of `auto` in both orders, and of
//! the single method that stores the fewest, with and without sleep sets. Under the table stand the
//! geometric means and the models where `auto` is worse. Searches that did not get to the end are marked
//! `-`; models that we or SPIN can't read or search are listed with the reason. Without files: the
//! examples of the installed SPIN package and `testdata/algorithms`. `--columns auto,local+sleep` runs
//! only these of our searches, `--alone` leaves SPIN out. `--raw` prints every number, one a line: states, transitions, seconds. Exits with 1 if
//! searches disagree about the errors of a model.

use mazurka_engine::{Method, Order};
use mazurka_testkit::corpus;
use mazurka_testkit::spin::measure::{Column, Measured, Patience, geometric_mean, thousands};
use mazurka_testkit::spin::{self, Counts, EXAMPLES};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const USAGE: &str = "usage: auto-table [--seconds N] [--most-states N] [--jobs N] [--columns NAMES] [--alone] [--raw] [FILES...]";

type Outcomes = Vec<(PathBuf, Result<Measured, String>)>;

struct Plan {
    files: Vec<PathBuf>,
    columns: Vec<Column>,
    patience: Patience,
    jobs: usize,
    alone: bool,
    raw: bool,
}

fn main() -> ExitCode {
    let Some(mut plan) = arguments() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    if !plan.alone && !spin::installed() {
        eprintln!("spin or gcc is not installed: there is nothing to compare with");
        return ExitCode::from(2);
    }
    if plan.files.is_empty() {
        spin::models(Path::new(EXAMPLES), &mut plan.files);
        spin::models(&corpus::directory().join("algorithms"), &mut plan.files);
    }
    let outcomes = measure(&plan);
    if !plan.raw {
        print_table(&outcomes);
    }
    let mut code = ExitCode::SUCCESS;
    for (path, outcome) in &outcomes {
        if let Some(what) = outcome.as_ref().ok().and_then(Measured::disagreement) {
            eprintln!("{}: {what}", path.display());
            code = ExitCode::FAILURE;
        }
    }
    code
}

fn arguments() -> Option<Plan> {
    let mut plan = Plan {
        files: Vec::new(),
        columns: Column::singles(),
        patience: Patience { seconds: 60, most_states: 10_000_000 },
        jobs: 2,
        alone: false,
        raw: false,
    };
    plan.columns.extend(Column::automatic());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seconds" => plan.patience.seconds = arguments.next()?.parse().ok()?,
            "--most-states" => plan.patience.most_states = arguments.next()?.parse().ok()?,
            "--jobs" => plan.jobs = arguments.next()?.parse().ok()?,
            "--columns" => plan.columns = columns(&arguments.next()?)?,
            "--alone" => plan.alone = true,
            "--raw" => plan.raw = true,
            option if option.starts_with('-') => return None,
            file => plan.files.push(file.into()),
        }
    }
    Some(plan)
}

/// The columns with these names, separated by commas; `auto` is meant in both orders.
fn columns(names: &str) -> Option<Vec<Column>> {
    let mut columns = Vec::new();
    for name in names.split(',') {
        if name == "auto" {
            columns.extend(Column::automatic());
        } else {
            columns.push(Column { reduction: name.parse().ok()?, order: Order::Forward });
        }
    }
    Some(columns)
}

fn measure(plan: &Plan) -> Outcomes {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..plan.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = plan.files.get(index) else { return };
                    let measured = Measured::of(path, &plan.columns, plan.patience, plan.alone);
                    if plan.raw {
                        print_raw(path, &measured);
                    }
                    let mut done = done.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    done.push((index, (path.clone(), measured)));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

/// The name of a model without what all paths have in common.
fn name(path: &Path) -> String {
    let name = path.strip_prefix(EXAMPLES).unwrap_or(path).with_extension("").display().to_string();
    let name = name.strip_prefix("Examples/").unwrap_or(&name);
    name.rsplit_once("testdata/").map_or(name, |(_, name)| name).to_owned()
}

/// Prints the numbers of a model at once, so that a run that is broken off is not in vain.
fn print_raw(path: &Path, outcome: &Result<Measured, String>) {
    let name = name(path);
    let mut text = String::new();
    match outcome {
        Err(why) => text = format!("{name}\tunread\t{why}\n"),
        Ok(measured) => {
            let ours = measured.ours.iter().map(|s| (s.column.name(), &s.counts, s.time));
            for (column, counts, time) in ours.chain([("SPIN".to_owned(), &measured.theirs, None)]) {
                let time = time.map_or("-".to_owned(), |time| format!("{:.3}", time.as_secs_f64()));
                text += &match counts {
                    Ok(Counts { states, transitions, .. }) => {
                        format!("{name}\t{column}\t{states}\t{transitions}\t{time}\n")
                    }
                    Err(why) => format!("{name}\t{column}\t-\t{why}\t{time}\n"),
                };
            }
        }
    }
    print!("{text}");
}

fn print_table(outcomes: &Outcomes) {
    println!("| model | full | SPIN | auto | auto, reverse | auto / SPIN | best single | | auto / best |");
    println!("|---|---:|---:|---:|---:|---:|---:|---|---:|");
    let mut over_spin = Vec::new();
    let mut over_best = Vec::new();
    let (mut worse_than_spin, mut worse_than_best, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
    let automatic = Column::automatic();
    for (path, outcome) in outcomes {
        let name = name(path);
        let measured = match outcome {
            Ok(measured) => measured,
            Err(why) => {
                left_out.push(format!("{name}: {}", why.chars().take(90).collect::<String>()));
                continue;
            }
        };
        let theirs = match &measured.theirs {
            Ok(counts) => Some(counts.states),
            Err(why) => {
                left_out.push(format!("{name}: SPIN: {}", why.chars().take(90).collect::<String>()));
                None
            }
        };
        let forward = measured.states(&automatic[0]);
        let reverse = measured.states(&automatic[1]);
        let smaller = forward.into_iter().chain(reverse).min();
        let best = measured.best_single();
        let ratio = |a: Option<u64>, b: Option<u64>| Some(a? as f64 / b? as f64);
        let (to_spin, to_best) = (ratio(smaller, theirs), ratio(forward, best.map(|(_, states)| states)));
        if let Some(value) = to_spin {
            if theirs > Some(1_000) {
                over_spin.push(value);
            }
            if value > 1.0 {
                worse_than_spin.push(format!("{name} {value:.2}"));
            }
        }
        if let Some(value) = to_best {
            over_best.push(value);
            if value > 1.1 {
                worse_than_best.push(format!("{name} {value:.2}"));
            }
        }
        let number = |value: Option<u64>| value.map_or("-".to_owned(), thousands);
        let shown = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
        println!(
            "| {name} | {} | {} | {} | {} | {} | {} | {} | {} |",
            number(full(measured)),
            number(theirs),
            number(forward),
            number(reverse),
            shown(to_spin),
            number(best.map(|(_, states)| states)),
            best.map_or(String::new(), |(column, _)| column.name()),
            shown(to_best)
        );
    }
    let mean = |ratios: &[f64]| geometric_mean(ratios).map_or("-".to_owned(), |mean| format!("{mean:.3}"));
    println!(
        "\n`auto`, in its better order, over SPIN, {} models where SPIN stores more than 1,000: geometric mean {}.",
        over_spin.len(),
        mean(&over_spin)
    );
    println!("SPIN stores fewer states in {}: {}.", worse_than_spin.len(), worse_than_spin.join(", "));
    println!("`auto` over the best single method, {} models: {}.", over_best.len(), mean(&over_best));
    println!("More than 10 % above it in {}: {}.", worse_than_best.len(), worse_than_best.join(", "));
    println!("Left out: {}.", left_out.join("; "));
}

/// The states of the search without reduction.
fn full(measured: &Measured) -> Option<u64> {
    let search = measured.ours.iter().find(|search| search.column.reduction.method == Method::None)?;
    search.counts.as_ref().ok().map(|counts| counts.states)
}
