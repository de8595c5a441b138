//! `spin-diff [--seconds N] [--most-states N] [FILES…]`: models here and in SPIN, state for state.
//!
//! Prints a table and exits with 1 if some model differs. Without files: the examples of the installed
//! SPIN package, `testdata/promela` and `testdata/algorithms`. `--record FILES…` writes what SPIN finds
//! into the headers of the files instead.

use mazurka_testkit::corpus;
use mazurka_testkit::spin::{self, Counts};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: spin-diff [--seconds N] [--most-states N] [--record] [FILES...]";
const EXAMPLES: &str = "/usr/share/doc/spin/examples";

fn main() -> ExitCode {
    let (mut seconds, mut most_states, mut recording) = (60, 3_000_000, false);
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
                Some(value) => most_states = value,
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
    if files.is_empty() {
        spin::models(Path::new(EXAMPLES), &mut files);
        for directory in ["promela", "algorithms"] {
            spin::models(&corpus::directory().join(directory), &mut files);
        }
    }
    if recording {
        return record(&files, seconds);
    }
    compare(&files, seconds, most_states)
}

fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}

fn shown(counts: &Result<Counts, String>) -> String {
    match counts {
        Ok(c) => format!("{:>10} {:>11} {}", c.states, c.transitions, c.verdict()),
        Err(message) => message.chars().take(90).collect(),
    }
}

fn compare(files: &[PathBuf], seconds: u64, most_states: u64) -> ExitCode {
    let (mut same, mut different, mut unknown) = (0, 0, 0);
    for path in files {
        let name = path.strip_prefix(EXAMPLES).unwrap_or(path).display().to_string();
        let ours = spin::read(path).and_then(|program| spin::ours(program, most_states));
        let theirs = spin::theirs(path, seconds);
        let word = match (&ours, &theirs) {
            (Ok(ours), Ok(theirs)) if ours == theirs => {
                same += 1;
                println!("same       {name:<40} {}", shown(&Ok(*ours)));
                continue;
            }
            (_, Err(_)) => {
                unknown += 1;
                "unknown  "
            }
            _ => {
                different += 1;
                "DIFFERENT"
            }
        };
        println!("{word}  {name:<40} SPIN {}\n{:51} ours {}", shown(&theirs), "", shown(&ours));
    }
    println!("{same} the same, {different} different, {unknown} unknown to SPIN");
    if different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Writes what SPIN finds into the headers of the files.
fn record(files: &[PathBuf], seconds: u64) -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for path in files {
        let recorded = spin::theirs(path, seconds).and_then(|counts| {
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
