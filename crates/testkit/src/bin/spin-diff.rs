//! `spin-diff`: models here and in SPIN, state for state, full search and simulation.
//!
//! Prints a table (same, different, or skipped with a reason) and exits with 1 if some model differs.
//! Without files: the examples of the installed SPIN package, `testdata/promela` and `testdata/algorithms`.
//! `--random N` compares N random programs instead; `--show N` prints the program of a seed. `--record FILES…` writes what SPIN
//! finds into the headers of the files.

use mazurka_testkit::differential::{self, Plan};
use mazurka_testkit::spin::table::{self, Judgement, Row};
use mazurka_testkit::spin::{self, Counts, EXAMPLES, Verifier};
use mazurka_testkit::{corpus, promela};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: spin-diff [--seconds N] [--most-states N] [FILES...]
       spin-diff --record [FILES...]
       spin-diff --random N [--seed N] [--most-states N]
       spin-diff --show SEED";

fn main() -> ExitCode {
    let (mut seconds, mut recording) = (60, false);
    let (mut random, mut seed, mut given) = (None, 1, None);
    let mut files: Vec<PathBuf> = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|v| v.parse::<u64>().ok());
        match argument.as_str() {
            "--seconds" => match number() {
                Some(value) => seconds = value,
                None => return usage(),
            },
            "--most-states" => match number() {
                Some(value) => given = Some(value),
                None => return usage(),
            },
            "--random" => match number() {
                Some(value) => random = Some(value),
                None => return usage(),
            },
            "--seed" => match number() {
                Some(value) => seed = value,
                None => return usage(),
            },
            "--show" => match number() {
                Some(value) => {
                    print!("{}", promela::text(value));
                    return ExitCode::SUCCESS;
                }
                None => return usage(),
            },
            "--record" => recording = true,
            option if option.starts_with('-') => return usage(),
            file => files.push(file.into()),
        }
    }
    if !spin::installed() {
        eprintln!("spin or gcc is not installed: there is nothing to compare with");
        return ExitCode::from(2);
    }
    if let Some(programs) = random {
        let most_states = given.unwrap_or(Plan::default().most_states);
        return made_up(&Plan { programs, seed, most_states, ..Plan::default() });
    }
    if files.is_empty() {
        spin::models(Path::new(EXAMPLES), &mut files);
        for directory in ["promela", "algorithms"] {
            spin::models(&corpus::directory().join(directory), &mut files);
        }
    }
    if recording {
        return record(&files, seconds);
    }
    compare(&files, seconds, given.unwrap_or(10_000_000))
}

fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}

fn compare(files: &[PathBuf], seconds: u64, most_states: u64) -> ExitCode {
    let rows = table::rows(files, seconds, most_states, 2);
    let (mut same, mut different, mut skipped, mut simulated) = (0, 0, 0, 0);
    for Row { path, judgement, simulation } in &rows {
        let name = path.strip_prefix(EXAMPLES).unwrap_or(path).display().to_string();
        let name = name.rsplit_once("testdata/").map_or(name.as_str(), |(_, name)| name);
        let simulation = simulation.map_or("", |end| end.name());
        simulated += u32::from(!simulation.is_empty());
        match judgement {
            Judgement::Same(counts) => {
                same += 1;
                let Counts { states, transitions, .. } = counts;
                let verdict = counts.verdict();
                println!("same       {name:<42} {states:>10} {transitions:>11}  {verdict:<19}  {simulation}");
            }
            Judgement::Different(what) => {
                different += 1;
                println!("DIFFERENT  {name:<42} {what}");
            }
            Judgement::Skipped(why) => {
                skipped += 1;
                println!("skipped    {name:<42} {}", why.chars().take(100).collect::<String>());
            }
        }
    }
    println!("{same} the same, {different} different, {skipped} skipped; {simulated} simulated");
    if different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Compares random programs.
fn made_up(plan: &Plan) -> ExitCode {
    let begin = std::time::Instant::now();
    let summary = differential::run(plan, &|so_far| {
        eprint!("\r{} programs, {} differences", so_far.programs, so_far.differences.len());
    });
    eprintln!();
    for found in &summary.differences {
        println!("program {}: {}\n{}", found.seed, found.message, found.text);
    }
    let percent = |part: u64| 100.0 * part as f64 / summary.programs.max(1) as f64;
    println!(
        "programs     {} ({} too large, {} refused by SPIN)",
        summary.programs, summary.large, summary.refused
    );
    println!(
        "states       {} ({:.1} % of the programs have 10 to 20000)",
        summary.states,
        percent(summary.medium)
    );
    println!("deadlock     {:.1} % of the programs", percent(summary.deadlocking));
    println!("assertion    {:.1} %", percent(summary.violated));
    println!("differences  {}", summary.differences.len());
    println!("seconds      {:.1}", begin.elapsed().as_secs_f64());
    if !summary.refusal.is_empty() {
        println!("last refusal {}", summary.refusal);
    }
    if summary.differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Writes what SPIN finds into the headers of the files.
fn record(files: &[PathBuf], seconds: u64) -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for path in files {
        let recorded = Verifier::of_any_size(path, seconds).and_then(|counts| {
            let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
            let is_ours = |line: &&str| {
                ["// states:", "// transitions:", "// verdict:"].iter().any(|start| line.starts_with(start))
            };
            let comments = text.lines().take_while(|line| line.starts_with("//"));
            let kept: Vec<&str> = comments.clone().filter(|line| !is_ours(line)).collect();
            let rest: Vec<&str> = text.lines().skip(comments.count()).collect();
            let numbers = format!(
                "// states: {}\n// transitions: {}\n// verdict: {}",
                counts.states,
                counts.transitions,
                counts.verdict()
            );
            let mut lines: Vec<&str> = kept;
            lines.push(&numbers);
            lines.extend(rest);
            std::fs::write(path, lines.join("\n") + "\n").map_err(|e| e.to_string())
        });
        if let Err(message) = recorded {
            eprintln!("{}: {message}", path.display());
            code = ExitCode::FAILURE;
        }
    }
    code
}
