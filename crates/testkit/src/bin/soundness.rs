//! `soundness --programs 10000 --seed 1`: random programs, every reduction against the oracle.
//!
//! Prints a summary and exits with 1 if some search disagrees with the oracle, after printing a small
//! program that shows it. After `--seconds` no program is begun, and the summary is that of those before. `--persistent` also checks
//! every set that a reduction proposes against the definition. `--in-turn` takes each combination of reduction, search and
//! properties once, while orders, codecs and stores take turns: more programs in the same time. `--threads` makes only searches by two and three threads, `--giving-up` only
//! those that choose steps and give that up on the way. `--questions` leaves
//! out programs in which no process asks about another and all have one priority. `--creators` makes programs that are about
//! processes which come and go. `--print SEED` prints the program of one seed.

use mazurka_program::text;
use mazurka_testkit::campaign::{self, Plan, Summary};
use mazurka_testkit::generate;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::Instant;

const USAGE: &str = "usage: soundness [--programs N] [--seed N] [--jobs N] [--most-states N] [--budget N]
                 [--seconds N] [--differences N] [--persistent] [--in-turn] [--threads] [--giving-up] [--questions]
                 [--creators] | --print PROGRAM_SEED";

fn main() -> ExitCode {
    let mut plan = Plan::default();
    let mut most_differences = 1;
    let mut arguments = std::env::args().skip(1);
    while let Some(option) = arguments.next() {
        let flag = match option.as_str() {
            "--persistent" => Some(&mut plan.persistent),
            "--in-turn" => Some(&mut plan.in_turn),
            "--questions" => Some(&mut plan.questions),
            "--creators" => Some(&mut plan.creators),
            "--giving-up" => Some(&mut plan.giving_up),
            "--threads" => Some(&mut plan.threads),
            _ => None,
        };
        if let Some(flag) = flag {
            *flag = true;
            continue;
        }
        let Some(value) = arguments.next().and_then(|v| v.parse::<u64>().ok()) else {
            eprintln!("{option}: a number is missing\n{USAGE}");
            return ExitCode::from(2);
        };
        match option.as_str() {
            "--programs" => plan.programs = value,
            "--seed" => plan.seed = value,
            "--jobs" => plan.jobs = value as usize,
            "--most-states" => plan.most_states = value,
            "--budget" => plan.budget = value,
            "--seconds" => plan.seconds = value,
            "--differences" => most_differences = value.max(1) as usize,
            "--print" => {
                print!("{}", text::print(&generate::program(value)));
                return ExitCode::SUCCESS;
            }
            _ => {
                eprintln!("{option} is unknown\n{USAGE}");
                return ExitCode::from(2);
            }
        }
    }
    let started = Instant::now();
    let terminal = std::io::stderr().is_terminal();
    let summary = campaign::run(&plan, most_differences, &campaign::interpreter, &|so_far| {
        if terminal {
            let done = so_far.programs + so_far.skipped;
            eprint!("\r{done} of {} programs, {} differences", plan.programs, so_far.differences.len());
            let _ = std::io::stderr().flush();
        }
    });
    if terminal {
        eprintln!();
    }
    print_summary(&summary);
    println!("seconds      {:.1}", started.elapsed().as_secs_f64());
    for found in &summary.differences {
        println!(
            "\nprogram {} disagrees:\n  {}\n\n{}",
            found.seed,
            found.difference,
            text::print(&found.program)
        );
    }
    if summary.differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn print_summary(summary: &Summary) {
    let share = |part: u64| 100.0 * part as f64 / summary.programs.max(1) as f64;
    println!("programs     {} ({} skipped)", summary.programs, summary.skipped);
    println!("searches     {}", summary.searches);
    println!(
        "states       {} ({:.0} % of the programs have 20 to 5000)",
        summary.states,
        share(summary.medium)
    );
    println!("deadlock     {:.1} % of the programs", share(summary.deadlocking));
    println!("violated     {:.1} %", share(summary.violated));
    println!("no error     {:.1} %", share(summary.correct));
    let (reduced, full) = summary.reduced;
    println!("reduced to   {:.1} % of the states", 100.0 * reduced as f64 / full.max(1) as f64);
    println!("differences  {}", summary.differences.len());
}
