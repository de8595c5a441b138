//! `vfsm-soundness --networks 5000 --seed 1`: random networks of machines, every reduction and every kind of information
//! against the oracle.
//!
//! Prints a summary, and exits with 1 if something differs, after printing the network that shows it. `--print SEED`
//! prints the network of one seed.

use mazurka_testkit::vfsm;
use std::process::ExitCode;
use std::time::Instant;

const USAGE: &str =
    "usage: vfsm-soundness [--networks N] [--seed N] [--most-states N] [--step N] | --print SEED";

fn main() -> ExitCode {
    let (mut networks, mut seed, mut most_states, mut step) = (500u64, 1u64, 400u64, 11u64);
    let mut arguments = std::env::args().skip(1);
    while let Some(option) = arguments.next() {
        let Some(value) = arguments.next().and_then(|value| value.parse::<u64>().ok()) else {
            eprintln!("{option}: a number is missing\n{USAGE}");
            return ExitCode::from(2);
        };
        match option.as_str() {
            "--networks" => networks = value,
            "--seed" => seed = value,
            "--most-states" => most_states = value,
            "--step" => step = value.max(1),
            "--print" => {
                print!("{}", vfsm::text(value));
                return ExitCode::SUCCESS;
            }
            _ => {
                eprintln!("{option} is unknown\n{USAGE}");
                return ExitCode::from(2);
            }
        }
    }
    let started = Instant::now();
    let (mut compared, mut skipped, mut states, mut searches, mut reduced) = (0u64, 0u64, 0u64, 0u64, 0u64);
    let mut has = [0u64; 5];
    let mut at = seed;
    while compared < networks {
        match vfsm::examine(at, most_states, step as usize) {
            Ok(None) => skipped += 1,
            Ok(Some(one)) => {
                compared += 1;
                states += one.states;
                searches += one.searches;
                reduced += one.reduced;
                for (count, found) in has.iter_mut().zip(one.has.into_iter().chain([one.livelock])) {
                    *count += u64::from(found);
                }
            }
            Err(difference) => {
                println!("network {at} disagrees:\n  {difference}\n\n{}", vfsm::text(at));
                return ExitCode::FAILURE;
            }
        }
        at += 1;
    }
    println!("networks     {compared} ({skipped} skipped: too large, or too small)");
    println!("states       {states}");
    println!("searches     {searches}, {reduced} of which stored fewer states");
    let [deadlock, unexpected, overflow, fault, livelock] = has;
    println!("deadlocks in {deadlock}, unexpected inputs in {unexpected}, overflows in {overflow}");
    println!("machines that never settle in {fault}, cycles without progress in {livelock}");
    println!("seconds      {:.1}", started.elapsed().as_secs_f64());
    ExitCode::SUCCESS
}
