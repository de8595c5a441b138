//! `jit-diff --programs 10000 --seed 1 [FILE...]`: compiled code against the interpreter, state by state.
//!
//! Compares random programs, half of them program text and half Promela, or the models in these files. Half of the program text has atomic
//! regions anywhere, many of them without an end. Prints a
//! summary, and exits with 1 after the first difference.

use mazurka_program::Program;
use mazurka_testkit::compiled::{Agreement, compare};
use mazurka_testkit::{campaign, corpus, generate, promela, spin, through};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

const USAGE: &str = "usage: jit-diff [--programs N] [--seed N] [--most-states N] [FILE...]";

#[derive(Default)]
struct Total {
    programs: u64,
    skipped: u64,
    cut: u64,
    all: Agreement,
}

impl Total {
    /// Adds a program. False if compiled code disagrees.
    fn add(&mut self, name: &str, program: Option<Program>, most_states: u64) -> bool {
        match program.and_then(|program| compare(program, most_states)) {
            None => self.skipped += 1,
            Some(Ok(found)) => {
                self.programs += 1;
                self.cut += u64::from(found.cut);
                self.all.states += found.states;
                self.all.edges += found.edges;
                self.all.violations += found.violations;
                self.all.interior += found.interior;
                self.all.left += found.left;
                self.all.walked += found.walked;
                self.all.together += found.together;
                self.all.left_out += found.left_out;
                self.all.interpreted += found.interpreted;
            }
            Some(Err(found)) => {
                println!("{name}: {found}");
                return false;
            }
        }
        true
    }
}

fn main() -> ExitCode {
    let (mut programs, mut seed, mut most_states) = (1_000, 1, 20_000);
    let mut files = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(option) = arguments.next() {
        if !option.starts_with("--") {
            files.push(option);
            continue;
        }
        let Some(value) = arguments.next().and_then(|v| v.parse::<u64>().ok()) else {
            eprintln!("{option}: a number is missing\n{USAGE}");
            return ExitCode::from(2);
        };
        match option.as_str() {
            "--programs" => programs = value,
            "--seed" => seed = value,
            "--most-states" => most_states = value,
            _ => {
                eprintln!("{option} is unknown\n{USAGE}");
                return ExitCode::from(2);
            }
        }
    }
    let started = Instant::now();
    let mut total = Total::default();
    for file in &files {
        let program = match file.ends_with(".mzk") {
            true => corpus::read(Path::new(file)).ok().map(|model| model.program),
            false => std::fs::read_to_string(file).ok().and_then(|text| spin::program(file, &text).ok()),
        };
        if !total.add(file, program, most_states) {
            return ExitCode::FAILURE;
        }
    }
    for index in 0..if files.is_empty() { programs } else { 0 } {
        let seed = campaign::program_seed(seed, index);
        let (kind, program) = match index % 4 {
            0 => ("program text", Some(generate::program(seed))),
            2 => ("program text with regions", Some(through::hold(generate::program(seed), seed))),
            _ => ("Promela", spin::program("random", &promela::text(seed)).ok()),
        };
        if !total.add(&format!("{kind} of seed {seed}"), program, most_states) {
            return ExitCode::FAILURE;
        }
    }
    let Total { programs, skipped, cut, all } = total;
    println!("programs     {programs}, {skipped} skipped, {cut} cut short");
    println!("states       {}, {} inside atomic regions", all.states, all.interior);
    println!("edges        {}", all.edges);
    println!("violations   {}", all.violations);
    println!("walked       {} steps through regions by compiled code", all.walked);
    println!("together     {} edges of states that were expanded together", all.together);
    println!("left out     {} steps that are met elsewhere", all.left_out);
    println!("left         {} times to the interpreter", all.left);
    println!("interpreted  {} process types", all.interpreted);
    println!("differences  0");
    println!("seconds      {:.1}", started.elapsed().as_secs_f64());
    ExitCode::SUCCESS
}
