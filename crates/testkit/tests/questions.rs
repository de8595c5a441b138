//! Programs whose processes ask about each other (`_enabled`, `_location`), have priorities or wait for a timeout beside handshakes: reduced as
//! others are, and found to be what they are without.

use mazurka_engine::{Config, Method, Reduction, Silent, check};
use mazurka_model::System;
use mazurka_program::Interpreter;
use mazurka_testkit::campaign::{self, Plan};
use mazurka_testkit::{corpus, spin};

/// How many states a search stores.
fn states(system: &dyn System, reduction: Reduction) -> u64 {
    let config = Config { reduction, ..Config::default() };
    check(system, &config, &Silent).statistics.states
}

/// What used to make every step depend on every other costs no more than it must.
#[test]
fn questions_leave_others_alone() {
    for (file, full, most) in [
        ("promela/enabled_watchdog.pml", 11_702, 1_240),
        ("promela/priority_interrupts.pml", 7_225, 360),
        ("priority_classes.mzk", 48, 32),
        ("location_barrier.mzk", 105, 15),
        ("promela/timeout_beside_handshake.pml", 5_655, 2_089),
    ] {
        let path = corpus::directory().join(file);
        let program = match file.ends_with("mzk") {
            true => corpus::read(&path).map(|model| model.program),
            false => spin::read(&path),
        };
        let system = Interpreter::new(program.unwrap_or_else(|e| panic!("{file}: {e}")));
        let system = system.unwrap_or_else(|e| panic!("{file}: {e:?}"));
        assert_eq!(states(&system, Reduction { method: Method::None, sleep: false }), full, "{file}");
        let reduced = states(&system, Config::default().reduction);
        assert!(reduced <= most, "{file}: {reduced} states");
    }
}

#[test]
fn random_questions_are_answered_alike_by_every_search() {
    let plan = Plan {
        programs: 200,
        seed: 31,
        most_states: 600,
        budget: 3_000,
        persistent: true,
        questions: true,
        ..Plan::default()
    };
    let summary = campaign::run(&plan, 1, &campaign::interpreter, &|_| {});
    assert!(summary.programs >= 30, "too few programs: {}", summary.programs);
    let found = summary.differences.first();
    let shown = found.map(|found| {
        let text = mazurka_program::text::print(&found.program);
        format!("program {}: {}\n{text}", found.seed, found.difference)
    });
    assert_eq!(shown, None);
}
