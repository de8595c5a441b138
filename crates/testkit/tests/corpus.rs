//! Every model of the corpus, under every combination of options, against the oracle and its header.

use mazurka_engine::{Dependency, Method, Order, Reduction};
use mazurka_program::Interpreter;
use mazurka_testkit::compare::keeps_contract;
use mazurka_testkit::corpus::{directory, models};
use mazurka_testkit::{compare, every_config, explore};

/// How many shuffled orders are tried with sleep sets alone.
const SEEDS: u64 = 150;

const SLEEP: Reduction = Reduction { method: Method::None, sleep: true };

#[test]
fn every_search_finds_what_the_header_says() {
    let models = models(&directory()).unwrap_or_else(|message| panic!("{message}"));
    assert!(models.len() >= 25, "the corpus is missing: {} models", models.len());
    let mut wrong = Vec::new();
    for model in models {
        let name = model.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let system = Interpreter::new(model.program.clone()).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let Ok(facts) = explore(&system, 100_000, 1_000) else {
            wrong.push(format!("{name}: too many states"));
            continue;
        };
        wrong.extend(model.contradicted(&facts).map(|message| format!("{name}: {message}")));
        wrong.extend(keeps_contract(&system, 10_000).err().map(|d| format!("{name}: {d}")));
        // With one fixed order of processes sleep sets hide no state; shuffled ones might.
        let shuffled = (1..SEEDS).flat_map(every_config).filter(|c| {
            matches!(c.order, Order::Random(_)) && c.reduction == SLEEP && c.dependency == Dependency::Refined
        });
        let configs = every_config(0).into_iter().chain(shuffled);
        let differences = configs.filter_map(|c| compare(&system, &facts, &c).err());
        wrong.extend(differences.take(1).map(|d| format!("{name}: {d}")));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
