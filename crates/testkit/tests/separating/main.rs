//! Programs that tell a correct reduction from a wrong one, each a test of its own: whatever the method,
//! the sleep sets, the grade of dependency, the search and the order, the same deadlocks and violations are
//! found as by the oracle, every finding can be executed again, and every chosen set is persistent. For several
//! of them a search with the very mistake that they are about is shown to lose the error.
//!
//! Programs about temporal properties, fairness, priorities of processors and inexact stores are not among them.

mod careless;
mod mistakes;
mod programs;
mod spin_defects;

use mazurka_engine::{Config, Method, Order, Silent, check_reduction};
use mazurka_program::Interpreter;
use mazurka_testkit::compare::{keeps_contract, keeps_promises};
use mazurka_testkit::{compare, every_config, explore, spin};

/// The system of a Promela model.
fn promela(source: &str) -> Interpreter {
    let program = spin::program("separating.pml", source).unwrap_or_else(|e| panic!("{e}\n{source}"));
    Interpreter::new(program).unwrap_or_else(|e| panic!("{e:?}\n{source}"))
}

/// Checks that a system has exactly these kinds of errors and that every search keeps them.
fn kept(system: &Interpreter, expected: &[&str]) {
    let facts = explore(system, 10_000, 100).expect("it is small");
    let mut errors: Vec<&str> = facts.violated.iter().map(|(kind, _)| *kind).collect();
    errors.extend((!facts.deadlocks.is_empty()).then_some("deadlock"));
    errors.dedup();
    assert_eq!(errors, expected);
    keeps_contract(system, 10_000).unwrap_or_else(|difference| panic!("{difference}"));
    let graph = check_reduction::explore(system, 10_000, &Silent);
    for config in every_config(3) {
        compare(system, &facts, &config).unwrap_or_else(|difference| panic!("{difference}"));
        // The sets don't depend on the search, nor on the seed.
        let sets = config.order == Order::Forward && config.reduction.method != Method::None;
        if sets && !config.reduction.sleep && config.properties.assertions {
            keeps_promises(&graph, &config).unwrap_or_else(|difference| panic!("{difference}"));
        }
    }
}

/// Whether some options leave out states of a system: a test without reduction would show nothing.
fn is_reduced(system: &Interpreter) -> bool {
    let stored = |config: &Config| mazurka_engine::check(system, config, &Silent).statistics.states;
    let all = explore(system, 10_000, 100).expect("it is small").states;
    every_config(3).iter().any(|config| stored(config) < all)
}
