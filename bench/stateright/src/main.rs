//! One run compares Mazurka with stateright on the same packed models.
//!
//! Both tools execute the same Rust functions for actions and successors (those of Mazurka's examples) on
//! the same eight-byte states, with one thread and without reduction or symmetry. Each measurement is a
//! process of its own; the tools alternate; the first round is discarded; medians are compared.
//!
//! ```text
//! cargo run --release                     # everything, five rounds that count
//! cargo run --release -- --rounds 9 --json results.json
//! ```

mod measure;
mod peer;
mod table;
mod work;

#[path = "../../../crates/mazurka/examples/philosophers/native.rs"]
#[allow(dead_code)]
mod philosophers;
#[path = "../../../crates/mazurka/examples/two_phase_commit/native.rs"]
#[allow(dead_code)]
mod two_phase_commit;

use measure::Sample;
use std::process::ExitCode;
use work::{Search, Subject, Tool, Work};

const COMPARISONS: [(Subject, Search); 5] = [
    (Subject::TwoPhaseCommit, Search::Bfs),
    (Subject::Philosophers, Search::Bfs),
    (Subject::TwoPhaseCommit, Search::Dfs),
    (Subject::FewPhilosophers, Search::Dfs),
    (Subject::Philosophers, Search::Dfs),
];

const USAGE: &str = "usage: bench-stateright [--rounds N] [--json FILE]";

fn main() -> ExitCode {
    match run(std::env::args().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Vec<String>) -> Result<(), String> {
    if let [flag, work] = arguments.as_slice()
        && flag == "--child"
    {
        return child(work);
    }
    let mut rounds = 5;
    let mut json = None;
    let mut rest = arguments.iter();
    while let Some(flag) = rest.next() {
        let value = rest.next().ok_or(USAGE)?;
        match flag.as_str() {
            "--rounds" => rounds = value.parse().ok().filter(|rounds| *rounds > 0).ok_or(USAGE)?,
            "--json" => json = Some(value.clone()),
            _ => return Err(USAGE.to_owned()),
        }
    }
    let mut rows = Vec::new();
    for (subject, search) in COMPARISONS {
        rows.push(compare(subject, search, rounds)?);
    }
    print!("{}", table::markdown(&rows));
    if let Some(path) = json {
        let text = serde_json::to_string_pretty(&rows).map_err(|error| error.to_string())?;
        std::fs::write(&path, text).map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(())
}

/// Measures both tools in turn; the first round only warms up. A tool that fails is not tried again.
fn compare(subject: Subject, search: Search, rounds: usize) -> Result<table::Row, String> {
    let mut samples: [Option<Vec<Sample>>; 2] = [Some(Vec::new()), Some(Vec::new())];
    for round in 0..=rounds {
        for (tool, samples) in [Tool::Mazurka, Tool::Stateright].into_iter().zip(&mut samples) {
            let Some(kept) = samples else { continue };
            let sample = measure::spawn(&Work { tool, subject, search })?;
            eprintln!("{} {search:?}, round {round}: {tool:?} {sample:?}", subject.name());
            match sample {
                Some(sample) if round > 0 => kept.push(sample),
                Some(_) => {}
                None => *samples = None,
            }
        }
    }
    let [mazurka, stateright] = samples;
    Ok(table::Row::new(subject, search, mazurka.as_deref(), stateright.as_deref()))
}

/// The child's side: does one piece of work and prints what it took.
fn child(work: &str) -> Result<(), String> {
    let work: Work = serde_json::from_str(work).map_err(|error| error.to_string())?;
    let sample = measure::take(|| work.run());
    println!("{}", serde_json::to_string(&sample).map_err(|error| error.to_string())?);
    Ok(())
}
