//! The checked mode of the reductions: on everything small it finds nothing, and what is wrong it finds.

use mazurka_engine::check_reduction::{explore, verify_on, verify_sets};
use mazurka_engine::reduce::Reducer;
use mazurka_engine::{Config, Dependency, Method, Order, Properties, Reduction, SearchKind, Silent};
use mazurka_model::{Step, System};
use mazurka_program::Interpreter;
use mazurka_testkit::campaign::{interpreter, program_seed};
use mazurka_testkit::compare::keeps_promises;
use mazurka_testkit::{corpus, generate, promela, spin};
use std::path::PathBuf;

/// Larger models are left to the long campaign.
const MOST_STATES: u64 = 300;

/// The methods that rest on the graph of moves at every grade, alternating what is checked; and the others.
fn configs() -> Vec<Config> {
    let mut configs = Vec::new();
    for (_, dependency) in Dependency::NAMES {
        for (_, method) in Method::NAMES {
            let plain =
                matches!(method, Method::Auto | Method::Local | Method::Overman | Method::OvermanLocated);
            if method == Method::None || plain && dependency != Dependency::Refined {
                continue;
            }
            for sleep in [false, true] {
                let even = configs.len() % 2 == 0;
                configs.push(Config {
                    reduction: Reduction { method, sleep },
                    dependency,
                    search: if configs.len() % 4 < 2 { SearchKind::Dfs } else { SearchKind::Bfs },
                    order: if configs.len() % 3 == 0 { Order::Reverse } else { Order::Forward },
                    properties: Properties {
                        assertions: even || sleep,
                        unreached: even || sleep,
                        ..Properties::default()
                    },
                    max_errors: 0,
                    ..Config::default()
                });
            }
        }
    }
    configs
}

/// What is wrong with the reductions of a system; `None` if it is too large.
fn breaches(system: &dyn System, configs: &[Config]) -> Option<Vec<String>> {
    let graph = explore(system, MOST_STATES, &Silent);
    graph.complete().then(|| {
        configs
            .iter()
            .filter_map(|c| keeps_promises(&graph, c).err())
            .map(|d| d.to_string())
            .take(1)
            .collect()
    })
}

fn models(directory: &str, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(corpus::directory().join(directory)).expect("the corpus is there");
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == extension));
    paths.sort();
    paths
}

#[test]
fn the_small_models_of_the_corpus_are_reduced_soundly() {
    let configs = configs();
    let (mut count, mut wrong) = (0, Vec::new());
    for path in models(".", "mzk").into_iter().chain(models("promela", "pml")) {
        let name = path.display().to_string();
        let program = match path.extension().is_some_and(|e| e == "mzk") {
            true => corpus::read(&path).map(|model| model.program),
            false => spin::read(&path),
        };
        let system = Interpreter::new(program.unwrap_or_else(|e| panic!("{name}: {e}")));
        let system = system.unwrap_or_else(|e| panic!("{name}: {e:?}"));
        if let Some(found) = breaches(&system, &configs) {
            count += 1;
            wrong.extend(found.into_iter().map(|breach| format!("{name}: {breach}")));
        }
    }
    assert!(count >= 100, "the corpus is missing: {count} small models");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn random_programs_are_reduced_soundly() {
    let configs = configs();
    let mut count = 0;
    for index in 0..150 {
        let seed = program_seed(5, index);
        let Some(system) = interpreter(&generate::program(seed)) else { continue };
        if let Some(found) = breaches(&*system, &configs) {
            count += 1;
            assert!(found.is_empty(), "program {seed}: {}", found.join("\n"));
        }
    }
    assert!(count >= 50, "too few small programs: {count}");
}

/// How many of these random Promela programs are small; those that are reduced wrongly fail the test.
fn random_promela(seeds: std::ops::Range<u64>) -> usize {
    let configs = configs();
    let mut count = 0;
    for seed in seeds {
        let text = promela::text(seed);
        let Ok(program) = spin::program("random.pml", &text) else { continue };
        let Ok(system) = Interpreter::new(program) else { continue };
        if let Some(found) = breaches(&system, &configs) {
            count += 1;
            assert!(found.is_empty(), "program {seed}: {}\n{text}", found.join("\n"));
        }
    }
    count
}

#[test]
fn random_promela_programs_are_reduced_soundly() {
    let count = random_promela(0..100);
    assert!(count >= 25, "too few small programs: {count}");
}

#[test]
#[ignore = "takes minutes"]
fn many_random_promela_programs_are_reduced_soundly() {
    let count = random_promela(1_000..6_000);
    assert!(count >= 1_500, "too few small programs: {count}");
}

/// A step into a region that never ends has no successor, but is explored where all steps are.
#[test]
fn a_step_into_a_region_without_end_is_not_put_off() {
    let text = "program endless\nvar g: bit\nprocess Worker() {\n  local i: unsigned(2)\n  end location done\n  work -> work when i < 3 do i = i + 1\n  \
                work -> done when i == 3 do g = 1\n}\nprocess Spinner() {\n  atomic location inside\n  end location idle\n  idle -> inside do g = 0\n  \
                inside -> inside\n  idle -> idle when g == 1 do g = 0\n}\nstart Worker(), Spinner()\n";
    let parsed = mazurka_program::text::parse("endless.mzk", text);
    let program = parsed.program.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
    let system = Interpreter::new(program).unwrap_or_else(|e| panic!("{e:?}"));
    assert_eq!(breaches(&system, &configs()), Some(Vec::new()));
}

/// Takes the first enabled step and nothing else, whatever it depends on.
struct FirstOnly;

impl Reducer for FirstOnly {
    fn propose(&mut self, _: &[u8], enabled: &[Step], attempt: usize, set: &mut Vec<usize>) -> bool {
        set.clear();
        set.push(0);
        attempt == 0 && enabled.len() > 1
    }
}

/// Takes nothing at all.
struct Nothing;

impl Reducer for Nothing {
    fn propose(&mut self, _: &[u8], _: &[Step], attempt: usize, set: &mut Vec<usize>) -> bool {
        set.clear();
        attempt == 0
    }
}

#[test]
fn wrong_sets_are_caught() {
    let model = corpus::read(&corpus::directory().join("peterson_broken.mzk")).expect("it can be read");
    let system = Interpreter::new(model.program).expect("it can be built");
    let graph = explore(&system, 10_000, &Silent);
    assert!(graph.complete());
    let report = verify_sets(&graph, Order::Forward, &mut FirstOnly, 1, &Silent);
    let breach = report.breaches.first().expect("the first step alone is not persistent");
    assert_eq!(breach.set.len(), 1, "{breach:?}");
    assert!(!breach.sequence.is_empty() && !breach.state.is_empty(), "{breach:?}");
    let report = verify_sets(&graph, Order::Forward, &mut Nothing, 1, &Silent);
    assert!(report.breaches[0].message.contains("empty"), "{report:?}");
}

#[test]
fn a_graph_that_is_cut_is_not_called_whole() {
    let model = corpus::read(&corpus::directory().join("peterson.mzk")).expect("it can be read");
    let system = Interpreter::new(model.program).expect("it can be built");
    let graph = explore(&system, 5, &Silent);
    let report = verify_on(&graph, &Config::default(), 5, &Silent);
    assert!(report.cut && report.states == 5 && report.breaches.is_empty(), "{report:?}");
}
