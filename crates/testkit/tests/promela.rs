//! Every Promela model of the corpus: as many states and transitions as SPIN recorded in its header,
//! and the same errors under every reduction.
//!
//! The models of algorithms are larger than those of the language's corners, and those of long atomic regions
//! take longer: only the smaller ones are explored, under the options that people use.

use mazurka_engine::{Config, Dependency, Method, Order, StoreKind};
use mazurka_program::Interpreter;
use mazurka_testkit::compare::keeps_contract;
use mazurka_testkit::{compare, corpus, every_config, explore, spin};
use std::path::Path;

/// The models of algorithms with more states than this are left to `spin-diff`.
const MOST_STATES: u64 = 30_000;

/// More steps than any atomic region of the corpus has, on all its ways together.
const LONGEST_REGION: u64 = 1_000_000;

#[test]
fn every_model_is_what_spin_says() {
    let (explored, wrong) = disagreements("promela", &every_config(7), u64::MAX);
    assert!(explored >= 80, "the corpus is missing: {explored} models");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_algorithm_is_what_spin_says() {
    let configs: Vec<Config> = every_config(7).into_iter().filter(is_usual).collect();
    assert!(!configs.is_empty(), "no options are tried");
    let (explored, wrong) = disagreements("algorithms", &configs, MOST_STATES);
    assert!(explored >= 20, "the corpus is missing: {explored} small models");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_long_region_is_what_spin_says() {
    let configs: Vec<Config> = every_config(7).into_iter().filter(is_usual).collect();
    let (explored, wrong) = disagreements("regions", &configs, MOST_STATES);
    assert!(explored >= 3, "the corpus is missing: {explored} models");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// How many models of a directory have at most so many states, and which of them are not what their
/// headers say.
fn disagreements(directory: &str, configs: &[Config], most_states: u64) -> (usize, Vec<String>) {
    let mut paths = Vec::new();
    spin::models(&corpus::directory().join(directory), &mut paths);
    let (mut count, mut wrong) = (0, Vec::new());
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
        let [states, transitions, verdict] = ["states", "transitions", "verdict"].map(|word| {
            let start = format!("// {word}: ");
            text.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or_default()
        });
        if states.parse().is_ok_and(|states: u64| states > most_states) {
            continue;
        }
        count += 1;
        let recorded = format!("{states} {transitions} {verdict}");
        match explored(&path, configs) {
            Ok(found) if found == recorded => {}
            Ok(found) => wrong.push(format!("{name}: {found}, SPIN found {recorded}")),
            Err(message) => wrong.push(format!("{name}: {message}")),
        }
    }
    (count, wrong)
}

/// What people use: the default reduction with everything checked, and sleep sets alone.
fn is_usual(config: &Config) -> bool {
    let method = config.reduction.method;
    let reduced = method == Method::Auto || (method == Method::None && config.order == Order::Forward);
    let ordered = matches!(config.order, Order::Forward | Order::Reverse);
    let kept = config.store == StoreKind::Exact;
    reduced && ordered && kept && config.dependency == Dependency::Refined && config.properties.assertions
}

/// The counts and the verdict of the full search, if all these searches agree with it.
fn explored(path: &Path, configs: &[Config]) -> Result<String, String> {
    let program = spin::read(path)?;
    let counts = spin::ours(program.clone(), 100_000)?;
    let system = Interpreter::new(program).map_err(|e| format!("{e:?}"))?;
    let facts = explore(&system, 100_000, LONGEST_REGION).map_err(|e| format!("{e:?}"))?;
    keeps_contract(&system, 10_000).map_err(|d| d.to_string())?;
    for config in configs {
        compare(&system, &facts, config).map_err(|d| d.to_string())?;
    }
    Ok(format!("{} {} {}", counts.states, counts.transitions, counts.verdict()))
}
