//! `huffman-table [--states N]`: trains the static Huffman code on the models of `testdata`.
//!
//! Counts the bytes of the states of every model, gives each model the same weight, and prints the file
//! that fixes the lengths of the codes, `crates/engine/src/store/codec/huffman_table.rs`.

use mazurka_engine::store::codec::huffman;
use mazurka_engine::{Config, Expansion, Limits, Method, Monitor, Reduction, check};
use mazurka_program::Interpreter;
use mazurka_testkit::{corpus, spin};
use std::process::ExitCode;
use std::sync::Mutex;

/// What a model counts for, whatever its number of states.
const WEIGHT: u64 = 1_000_000;

/// Counts the bytes of expanded states.
struct Counting(Mutex<[u64; 256]>);

impl Monitor for Counting {
    fn expanded(&self, expansion: Expansion<'_>) {
        if let Ok(mut counts) = self.0.lock() {
            expansion.state.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
        }
    }

    fn watches(&self) -> bool {
        true
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let states = match arguments.as_slice() {
        [] => Some(20_000),
        [option, number] if option == "--states" => number.parse().ok(),
        _ => None,
    };
    let Some(states) = states else {
        eprintln!("usage: huffman-table [--states N]");
        return ExitCode::from(2);
    };
    let mut frequencies = [0; 256];
    let mut models = 0;
    for system in systems() {
        let counting = Counting(Mutex::new([0; 256]));
        let limits = Limits { states: Some(states), ..Limits::default() };
        let reduction = Reduction { method: Method::None, sleep: false };
        check(&system, &Config { reduction, limits, max_errors: 0, ..Config::default() }, &counting);
        let Ok(counts) = counting.0.into_inner() else { continue };
        let all: u64 = counts.iter().sum();
        for (frequency, count) in frequencies.iter_mut().zip(counts) {
            *frequency += (u128::from(count) * u128::from(WEIGHT)).div_ceil(all.max(1).into()) as u64;
        }
        models += 1;
    }
    print_file(&huffman::lengths(&frequencies), models, states);
    ExitCode::SUCCESS
}

/// Every model of the corpus, those in Promela included.
fn systems() -> Vec<Interpreter> {
    let directory = corpus::directory();
    let programs = corpus::models(&directory).unwrap_or_default().into_iter().map(|model| model.program);
    let mut paths = Vec::new();
    spin::models(&directory.join("promela"), &mut paths);
    spin::models(&directory.join("algorithms"), &mut paths);
    let promela = paths.iter().filter_map(|path| spin::read(path).ok());
    programs.chain(promela).filter_map(|program| Interpreter::new(program).ok()).collect()
}

fn print_file(lengths: &[u8; 256], models: usize, states: u64) {
    println!(
        "//! The lengths of the Huffman codes, by byte: fixed, so that a state has the same code in every run."
    );
    println!("//!");
    println!(
        "//! Written by `huffman-table` of the testkit from up to {states} states of each of {models} models."
    );
    println!();
    println!("/// How many bits the code of each byte has.");
    println!("#[rustfmt::skip]");
    println!("pub const LENGTHS: [u8; 256] = [");
    for row in lengths.chunks(16) {
        let row: Vec<String> = row.iter().map(|length| format!("{length:2}")).collect();
        println!("    {},", row.join(", "));
    }
    println!("];");
}
