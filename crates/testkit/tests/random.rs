//! A short campaign, as part of the ordinary tests. The long one is the command `soundness`.

use mazurka_program::text;
use mazurka_testkit::campaign::{Plan, interpreter, run};

#[test]
fn every_search_agrees_with_the_oracle_on_random_programs() {
    let plan = Plan { programs: 150, seed: 2, budget: 10_000, ..Plan::default() };
    let summary = run(&plan, 1, &interpreter, &|_| {});
    if let Some(found) = summary.differences.first() {
        panic!("program {}: {}\n{}", found.seed, found.difference, text::print(&found.program));
    }
    // A campaign without errors to lose, or without reduction, would agree about nothing.
    assert!(summary.programs >= 100, "{summary:?}");
    assert!(summary.deadlocking >= 30 && summary.violated >= 30, "{summary:?}");
    assert!(summary.medium >= 60, "{summary:?}");
    assert!(summary.reduced.0 < summary.reduced.1, "nothing was reduced: {summary:?}");
}

#[test]
fn searches_that_give_up_choosing_agree_with_the_oracle() {
    let plan = Plan { programs: 150, seed: 4, budget: 10_000, giving_up: true, ..Plan::default() };
    for creators in [false, true] {
        let summary = run(&Plan { creators, ..plan }, 1, &interpreter, &|_| {});
        if let Some(found) = summary.differences.first() {
            panic!("program {}: {}\n{}", found.seed, found.difference, text::print(&found.program));
        }
        assert!(summary.programs >= 80 && summary.deadlocking + summary.violated >= 40, "{summary:?}");
        assert!(summary.reduced.0 < summary.reduced.1, "nothing was reduced: {summary:?}");
    }
}

#[test]
fn several_threads_agree_with_the_oracle_and_reduced_sets_keep_their_promises() {
    let small = Plan { programs: 40, seed: 9, budget: 2_000, most_states: 2_000, ..Plan::default() };
    let plan = Plan { threads: true, persistent: true, ..small };
    let summary = run(&plan, 1, &interpreter, &|_| {});
    if let Some(found) = summary.differences.first() {
        panic!("program {}: {}\n{}", found.seed, found.difference, text::print(&found.program));
    }
    assert!(summary.programs >= 25 && summary.reduced.0 < summary.reduced.1, "{summary:?}");
}
