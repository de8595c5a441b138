//! Every combination of store, limit, reduction and search ends in the right word, and nothing is said to
//! hold after anything was lost.

mod support;

use mazurka_engine::{
    Codec, Config, Guarantee, Limits, OnFull, Properties, SearchKind, Silent, Stop, StoreKind, Swarm,
    Verdict, check, swarm,
};
use std::time::Duration;
use support::Walkers;

#[derive(Copy, Clone, Debug, PartialEq)]
enum Limit {
    None,
    /// Enough of everything.
    Ample,
    Memory,
    Depth,
    Time,
    States,
}

const LIMITS: [Limit; 6] =
    [Limit::None, Limit::Ample, Limit::Memory, Limit::Depth, Limit::Time, Limit::States];

/// Enough for bits to lose nothing, and for the rest.
const PLENTY: u64 = 8 << 20;

impl Limit {
    fn limits(self) -> Limits {
        let none = Limits { memory: Some(PLENTY), ..Limits::default() };
        match self {
            Limit::None => none,
            Limit::Ample => Limits {
                depth: Some(1 << 20),
                time: Some(Duration::from_secs(3600)),
                states: Some(1 << 30),
                ..none
            },
            Limit::Memory => Limits { memory: Some(48 << 10), ..none },
            Limit::Depth => Limits { depth: Some(3), ..none },
            Limit::Time => Limits { time: Some(Duration::ZERO), ..none },
            Limit::States => Limits { states: Some(30), ..none },
        }
    }
}

fn combinations(mut each: impl FnMut(Config, Limit)) {
    for (_, store) in StoreKind::NAMES {
        for (_, on_full) in OnFull::NAMES {
            for (_, search) in SearchKind::WHOLE {
                for limit in LIMITS {
                    for reduction in ["none", "none+sleep", "local", "deletion", "auto", "persistent+sleep"] {
                        for deadlock_only in [false, true] {
                            let properties = if deadlock_only {
                                Properties { assertions: false, unreached: false, ..Properties::default() }
                            } else {
                                Properties::default()
                            };
                            let config = Config {
                                store,
                                on_full,
                                search,
                                reduction: reduction.parse().unwrap(),
                                properties,
                                limits: limit.limits(),
                                max_errors: 0,
                                ..Config::default()
                            };
                            each(config.clone(), limit);
                            // What several threads can't have is refused in one place.
                            if store == StoreKind::Exact && on_full == OnFull::Stop || reduction == "none" {
                                each(Config { threads: 2, ..config }, limit);
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn every_combination_ends_in_the_right_word() {
    // All steps depend on each other, so that every reduction explores all of the 4,097 states.
    let system = Walkers::new(4, 8, false, true);
    let (mut exact, mut probable, mut bounded, mut refused) = (0, 0, 0, 0);
    combinations(|config, limit| {
        let outcome = check(&system, &config, &Silent);
        let said = format!("{config:?}: {:?} {:?} {:?}", outcome.verdict, outcome.guarantee, outcome.stopped);
        assert!(outcome.findings.is_empty(), "{said}");
        // The rule itself.
        assert_eq!(outcome.verdict == Verdict::Holds, outcome.guarantee == Guarantee::Exact, "{said}");
        assert_eq!(outcome.guarantee_reason.is_empty(), outcome.guarantee == Guarantee::Exact, "{said}");
        if config.contradiction().is_some() {
            refused += 1;
            assert_eq!((outcome.stopped, outcome.statistics.states), (Some(Stop::Options), 0), "{said}");
            assert_eq!(outcome.guarantee, Guarantee::Bounded, "{said}");
            return;
        }
        let cut = match limit {
            Limit::None | Limit::Ample => false,
            Limit::Depth | Limit::Time | Limit::States => true,
            // What forgets or keeps bits never has too little, unless for the stack.
            Limit::Memory => outcome.stopped == Some(Stop::Memory),
        };
        let all = 4_097;
        match outcome.guarantee {
            Guarantee::Exact => {
                exact += 1;
                assert!(!cut && outcome.stopped.is_none(), "{said}");
                assert!(config.store.keeps_all() || config.store == StoreKind::Cache, "{said}");
                assert!(outcome.statistics.states >= all, "{said}");
            }
            Guarantee::Probabilistic(omission) => {
                probable += 1;
                assert!(!cut && outcome.stopped.is_none(), "{said}");
                assert!(!config.store.keeps_all() || config.on_full == OnFull::Bitstate, "{said}");
                assert!(config.store != StoreKind::Cache, "{said}");
                // What is said to be lost is at least of the order of what is.
                let lost = (all - outcome.statistics.states) as f64;
                assert!(lost == 0.0 || lost < 30.0 * (omission.expected + 1.0), "{said}");
                assert!((0.0..=1.0).contains(&omission.coverage), "{said}");
            }
            Guarantee::Bounded => {
                bounded += 1;
                assert!(cut && outcome.stopped.is_some(), "{said}");
            }
        }
        if limit == Limit::Memory && config.store == StoreKind::Exact && config.on_full == OnFull::Stop {
            assert_eq!(outcome.stopped, Some(Stop::Memory), "{said}");
        }
    });
    assert!(exact > 100 && probable > 50 && bounded > 200 && refused > 100);
}

#[test]
fn every_store_finds_the_error_and_shows_the_run() {
    let mut system = Walkers::new(4, 8, false, true);
    system.broken = Some((2, 7));
    combinations(|config, limit| {
        if config.contradiction().is_some() || limit != Limit::None || !config.properties.assertions {
            return;
        }
        let outcome = check(&system, &config, &Silent);
        assert_eq!(outcome.verdict, Verdict::Violated, "{config:?}");
        let trace = &outcome.findings[0].trace;
        assert!(trace.steps.len() >= 8, "{config:?}");
    });
}

#[test]
fn sleep_sets_are_off_where_they_are_not_kept_and_the_result_says_so() {
    let system = Walkers::new(3, 4, false, false);
    for (store, on_full) in [(StoreKind::Bitstate, OnFull::Stop), (StoreKind::Exact, OnFull::Bitstate)] {
        let limits = Limits { memory: Some(PLENTY), ..Limits::default() };
        let config =
            Config { store, on_full, limits, reduction: "none+sleep".parse().unwrap(), ..Config::default() };
        let outcome = check(&system, &config, &Silent);
        assert!(!outcome.config.reduction.sleep);
        assert!(outcome.notes.iter().any(|note| note.contains("sleep")), "{:?}", outcome.notes);
    }
}

#[test]
fn a_cache_explores_again_what_it_forgot_and_says_how_often() {
    let system = Walkers::new(5, 6, false, true);
    let limits = Limits { memory: Some(40 << 10), ..Limits::default() };
    let config = Config {
        store: StoreKind::Cache,
        limits,
        reduction: "none+sleep".parse().unwrap(),
        ..Config::default()
    };
    let outcome = check(&system, &config, &Silent);
    assert_eq!((outcome.verdict, outcome.guarantee), (Verdict::Holds, Guarantee::Exact));
    let statistics = outcome.statistics;
    assert!(statistics.replaced > 1_000, "{statistics:?}");
    let distinct = statistics.distinct.unwrap() as f64;
    assert!((distinct / 7_777.0 - 1.0).abs() < 0.05 && statistics.states > 7_777, "{statistics:?}");
}

#[test]
fn a_full_store_goes_on_with_the_weaker_guarantee_and_says_so() {
    let system = Walkers::new(5, 9, false, true);
    let limits = Limits { memory: Some(1 << 20), ..Limits::default() };
    for reduction in ["none", "deletion", "local"] {
        let config = Config { limits, reduction: reduction.parse().unwrap(), ..Config::default() };
        assert_eq!(check(&system, &config, &Silent).stopped, Some(Stop::Memory));
        let bits = check(&system, &Config { on_full: OnFull::Bitstate, ..config.clone() }, &Silent);
        assert!(matches!(bits.guarantee, Guarantee::Probabilistic(_)), "{bits:?}");
        assert!((59_000..=59_050).contains(&bits.statistics.states), "{bits:?}");
        let cache = check(&system, &Config { on_full: OnFull::Cache, ..config }, &Silent);
        assert_eq!((cache.verdict, cache.guarantee), (Verdict::Holds, Guarantee::Exact));
        for outcome in [bits, cache] {
            assert!(outcome.notes.iter().any(|note| note.contains("used up")), "{:?}", outcome.notes);
        }
    }
}

#[test]
fn a_swarm_sees_more_than_each_of_its_searches() {
    let system = Walkers::new(5, 9, false, true);
    // About six bits a state for each search.
    let limits = Limits { memory: Some(2 * 59_050 * 6 / 8 * 4 / 3), ..Limits::default() };
    let config = Config { limits, reduction: "none".parse().unwrap(), ..Config::default() };
    let swarm_of = |searches| swarm(&system, &config, &Silent, Swarm { searches, threads: 2 });
    let (two, eight) = (swarm_of(2), swarm_of(8));
    let (Guarantee::Probabilistic(less), Guarantee::Probabilistic(more)) = (two.guarantee, eight.guarantee)
    else {
        panic!("{:?} {:?}", two.guarantee, eight.guarantee)
    };
    assert_eq!(eight.verdict, Verdict::Unknown, "nothing is verified by bits");
    assert!(more.coverage > less.coverage, "{less:?} {more:?}");
    let distinct = eight.statistics.distinct.unwrap() as f64;
    assert!(distinct > 0.97 * 59_050.0 && distinct < 1.03 * 59_050.0, "{distinct}");
    assert_eq!(
        eight.statistics.states,
        swarm_of(8).statistics.states,
        "the same however threads are scheduled"
    );
}

/// One search that lost nothing has met everything, whatever the others did; how many states each of several searches has lost says nothing of
/// those that none has met.
#[test]
fn how_likely_a_swarm_has_lost_a_state_rests_on_its_best_search() {
    let system = Walkers::new(2, 2, false, true);
    let limits = Limits { memory: Some(64 << 20), ..Limits::default() };
    let config = Config { limits, ..Config::default() };
    let of = |searches| {
        let outcome = swarm(&system, &config, &Silent, Swarm { searches, threads: 1 });
        let Guarantee::Probabilistic(omission) = outcome.guarantee else { panic!("{outcome:?}") };
        assert!(!outcome.guarantee_reason.contains(" 0.0"), "{}", outcome.guarantee_reason);
        (omission.probability(), omission.coverage)
    };
    let (alone, _) = of(1);
    for searches in [2, 20] {
        let (probability, coverage) = of(searches);
        assert!(probability >= alone && probability <= 21.0 * alone, "{searches}: {probability} {alone}");
        assert_eq!(coverage, 1.0);
    }
}

#[test]
fn a_swarm_shows_an_error_that_one_of_its_searches_found() {
    let mut system = Walkers::new(4, 8, false, true);
    system.broken = Some((2, 7));
    let limits = Limits { memory: Some(8 << 20), ..Limits::default() };
    let config = Config { limits, ..Config::default() };
    let outcome = swarm(&system, &config, &Silent, Swarm { searches: 6, threads: 3 });
    assert_eq!((outcome.verdict, outcome.stopped), (Verdict::Violated, Some(Stop::Errors)));
    assert_eq!(outcome.findings.len(), 1);
    let cut = Config { limits: Limits { states: Some(100), ..limits }, max_errors: 0, ..config };
    let system = Walkers::new(4, 8, false, true);
    let outcome = swarm(&system, &cut, &Silent, Swarm { searches: 6, threads: 3 });
    assert_eq!((outcome.verdict, outcome.guarantee), (Verdict::Unknown, Guarantee::Bounded));
    assert_eq!(outcome.stopped, Some(Stop::States));
}

/// A compact tree keeps no sleep sets, so the default reduction has none there; asked for by name, a tree takes its place.
#[test]
fn a_compact_tree_has_no_sleep_sets() {
    let system = Walkers::new(3, 3, false, false);
    for (reduction, sleeps) in [("auto", false), ("auto+sleep", true), ("deletion+sleep", true)] {
        let config =
            Config { codec: Codec::CompactTree, reduction: reduction.parse().unwrap(), ..Config::default() };
        let outcome = check(&system, &config, &Silent);
        assert_eq!(outcome.config.reduction.sleep, sleeps, "{reduction}");
        assert_eq!(outcome.config.codec == Codec::CompactTree, !sleeps, "{reduction}");
    }
}
