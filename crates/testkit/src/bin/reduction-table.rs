//! `reduction-table [--seconds N] [--most-states N] [FILES…]`: reductions of the same models, here and
//! in SPIN, as a table in Markdown.
//!
//! All states, then those that SPIN's own reduction stores, then those that each of ours stores; every
//! search keeps assertions and invalid end states and goes on after errors. Under the table stands the
//! geometric mean of `auto` in its better order over SPIN, of the models where SPIN stores over 1,000.
//! Exits with 1 if some search disagrees about the errors. Without files: `testdata/algorithms`.
//! Smaller is better, yet no measure of time.

use mazurka_engine::{Config, Method, Order, Reduction};
use mazurka_testkit::corpus;
use mazurka_testkit::spin::measure::{geometric_mean, thousands};
use mazurka_testkit::spin::{self, Counts};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: reduction-table [--seconds N] [--most-states N] [FILES...]";

/// The columns of our reductions.
const OURS: [(&str, Method, Order); 5] = [
    ("local", Method::Local, Order::Forward),
    ("overman", Method::Overman, Order::Forward),
    ("ample", Method::Ample, Order::Forward),
    ("auto", Method::Auto, Order::Forward),
    ("auto, reverse", Method::Auto, Order::Reverse),
];

fn main() -> ExitCode {
    let (mut seconds, mut most_states) = (60, 3_000_000);
    let mut files: Vec<PathBuf> = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|v| v.parse::<u64>().ok());
        let understood = match argument.as_str() {
            "--seconds" => number().map(|value| seconds = value),
            "--most-states" => number().map(|value| most_states = value),
            option if option.starts_with('-') => None,
            file => {
                files.push(file.into());
                Some(())
            }
        };
        if understood.is_none() {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    }
    if !spin::installed() {
        eprintln!("spin or gcc is not installed: there is nothing to compare with");
        return ExitCode::from(2);
    }
    if files.is_empty() {
        spin::models(&corpus::directory().join("algorithms"), &mut files);
    }
    table(&files, seconds, most_states)
}

fn table(files: &[PathBuf], seconds: u64, most_states: u64) -> ExitCode {
    let names = OURS.map(|(name, ..)| name).join(" | ");
    println!("| model | errors | full | SPIN | {names} |");
    println!("|---|---|{}", "---:|".repeat(OURS.len() + 2));
    let mut ratios = Vec::new();
    let mut code = ExitCode::SUCCESS;
    for path in files {
        match row(path, seconds, most_states) {
            Ok((line, theirs, smallest)) => {
                println!("{line}");
                if theirs > 1_000 {
                    ratios.push(smallest as f64 / theirs as f64);
                }
            }
            Err(message) => {
                eprintln!("{}: {message}", path.display());
                code = ExitCode::FAILURE;
            }
        }
    }
    if let Some(mean) = geometric_mean(&ratios) {
        println!("\n{} models where SPIN stores more than 1,000; mean ratio {mean:.3}.", ratios.len());
    }
    code
}

/// A line of the table, how many states SPIN stores, and how many `auto` in its better order.
fn row(path: &Path, seconds: u64, most_states: u64) -> Result<(String, u64, u64), String> {
    let program = spin::read(path)?;
    let full = spin::ours(program.clone(), most_states)?;
    let theirs = spin::theirs_reduced(path, seconds)?;
    let mut ours: Vec<(&str, Counts)> = Vec::new();
    let mut smallest = full.states;
    for (name, method, order) in OURS {
        let reduction = Reduction { method, sleep: false };
        let config = Config { reduction, order, ..Config::default() };
        let counts = spin::ours_with(program.clone(), most_states, config)?;
        ours.push((name, counts));
        if method == Method::Auto {
            smallest = smallest.min(counts.states);
        }
    }
    for (name, counts) in ours.iter().chain(&[("SPIN", theirs)]) {
        if counts.verdict() != full.verdict() {
            return Err(format!("{name} finds {}, there is {}", counts.verdict(), full.verdict()));
        }
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let columns = [full, theirs].into_iter().chain(ours.iter().map(|(_, counts)| *counts));
    let numbers = columns.map(|counts| thousands(counts.states)).collect::<Vec<String>>().join(" | ");
    Ok((format!("| {name} | {} | {numbers} |", full.verdict().replace("holds", "")), theirs.states, smallest))
}
