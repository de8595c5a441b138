//! Where choosing steps is given up on the way, a search finds what a full one finds; and it is given up only where it brings nothing.

mod support;

use mazurka_engine::{Codec, Config, Limits, Outcome, Properties, Silent, Verdict, check};
use mazurka_model::FindingKind;
use support::Walkers;

fn full(config: &Config) -> Config {
    Config { reduction: "none".parse().unwrap(), gives_up: false, in_order: 1 << 17, ..config.clone() }
}

/// What is wrong, each once.
fn kinds(outcome: &Outcome) -> Vec<String> {
    let mut kinds: Vec<String> = outcome.findings.iter().map(|found| format!("{:?}", found.kind)).collect();
    kinds.sort();
    kinds
}

#[test]
fn whenever_choosing_is_given_up_nothing_is_lost() {
    let deadlock =
        Properties { assertions: false, unreached: false, reception: false, ..Properties::default() };
    let (mut reduced, mut reopened) = (0, 0);
    for (circle, shared) in [(false, false), (true, false), (false, true), (true, true)] {
        for broken in [None, Some((0, 4)), Some((2, 4))] {
            let mut system = Walkers::new(3, 6, circle, shared);
            system.broken = broken;
            for reduction in
                ["none+sleep", "deletion", "deletion+sleep", "persistent+sleep", "stubborn+sleep", "ample"]
            {
                for properties in [deadlock, Properties::default()] {
                    for in_order in (0..24).chain([40, 70, 120, 200]) {
                        let reduction = reduction.parse().unwrap();
                        let codec = if in_order % 2 == 0 { Codec::Plain } else { Codec::Auto };
                        let config = Config {
                            reduction,
                            properties,
                            in_order,
                            codec,
                            gives_up: true,
                            max_errors: 0,
                            ..Config::default()
                        };
                        let expected = check(&system, &full(&config), &Silent);
                        let outcome = check(&system, &config, &Silent);
                        assert_eq!(outcome.verdict, expected.verdict, "{config:?}");
                        assert_eq!(outcome.guarantee, expected.guarantee, "{config:?}");
                        assert_eq!(kinds(&outcome), kinds(&expected), "{config:?}");
                        let (states, all) = (outcome.statistics.states, expected.statistics.states);
                        assert!(states <= all && (!shared || states == all), "{config:?}");
                        reduced += u32::from(states < all);
                        reopened += outcome.statistics.reopened;
                    }
                }
            }
        }
    }
    assert!(
        reduced > 100 && reopened > 100,
        "{reduced} searches were reduced, {reopened} states opened again"
    );
}

#[test]
fn without_independence_choosing_is_given_up_and_nothing_else_changes() {
    let mut system = Walkers::new(5, 9, false, true);
    for broken in [None, Some((3, 7))] {
        system.broken = broken;
        let config = Config { in_order: 10_000, max_errors: 0, ..Config::default() };
        let one = check(&system, &full(&config), &Silent);
        let given_up = check(&system, &config, &Silent);
        let in_order = check(&system, &Config { in_order: u64::MAX, ..config }, &Silent);
        for outcome in [&given_up, &in_order] {
            assert_eq!(outcome.verdict, one.verdict);
            assert_eq!(kinds(outcome), kinds(&one));
            assert_eq!(outcome.statistics.states, one.statistics.states);
            assert_eq!(outcome.statistics.transitions(), one.statistics.transitions());
            assert_eq!(outcome.statistics.errors, one.statistics.errors);
        }
        assert!(in_order.statistics.stack_bytes != given_up.statistics.stack_bytes, "it was not given up");
    }
}

#[test]
fn where_choosing_saves_something_it_is_not_given_up() {
    let system = Walkers::new(6, 6, true, false);
    let config = Config { in_order: 100, ..Config::default() };
    let in_order = check(&system, &Config { in_order: u64::MAX, ..config.clone() }, &Silent);
    let outcome = check(&system, &config, &Silent);
    assert_eq!(outcome.statistics.states, in_order.statistics.states);
    assert_eq!(outcome.statistics.matched, in_order.statistics.matched);
}

#[test]
fn limits_hold_and_ways_are_right_where_choosing_is_given_up() {
    let mut system = Walkers::new(4, 8, true, false);
    system.broken = Some((3, 6));
    for in_order in [1, 10, 100, 1000] {
        let reduction = "none+sleep".parse().unwrap();
        let config = Config { reduction, in_order, gives_up: true, ..Config::default() };
        let outcome = check(&system, &config, &Silent);
        assert_eq!(outcome.verdict, Verdict::Violated);
        let found = &outcome.findings[0];
        assert!(matches!(found.kind, FindingKind::Step { .. }), "{:?}", found.kind);
        let limits = Limits { states: Some(in_order + 50), ..Limits::default() };
        system.broken = None;
        let cut = check(&system, &Config { limits, ..config }, &Silent);
        assert_eq!(cut.statistics.states, in_order + 50);
        assert_eq!(cut.verdict, Verdict::Unknown);
        system.broken = Some((3, 6));
    }
}
