//! Reaching a limit ends in `unknown`, says why, and never calls anything verified.

#[path = "support/nameless.rs"]
mod nameless;
mod support;

use mazurka_engine::{Config, Guarantee, Limits, Monitor, SearchKind, Silent, Stop, Verdict, check};
use mazurka_model::{Batch, Chosen, Describe, Step, System};
use nameless::Nameless;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use support::Walkers;

fn stopped(limits: Limits, monitor: &dyn Monitor) {
    for search in [SearchKind::Dfs, SearchKind::Bfs] {
        let system = Walkers::new(6, 10, false, false);
        let reduction = "none".parse().unwrap();
        let config = Config { reduction, search, limits, ..Config::default() };
        let outcome = check(&system, &config, monitor);
        assert_eq!(outcome.verdict, Verdict::Unknown, "{config:?}");
        assert_eq!(outcome.guarantee, Guarantee::Bounded);
        assert!(!outcome.guarantee_reason.is_empty());
        assert!(outcome.statistics.states > 0 && outcome.statistics.states < 1_000_001);
        assert!(outcome.unreached.is_empty());
        if let Some(limit) = limits.memory {
            assert!(outcome.statistics.store_bytes <= limit);
        }
    }
}

#[test]
fn memory() {
    stopped(Limits { memory: Some(4 << 20), ..Limits::default() }, &Silent);
}

#[test]
fn depth() {
    stopped(Limits { depth: Some(12), ..Limits::default() }, &Silent);
}

#[test]
fn time() {
    stopped(Limits { time: Some(Duration::ZERO), ..Limits::default() }, &Silent);
}

#[test]
fn states() {
    stopped(Limits { states: Some(1000), ..Limits::default() }, &Silent);
}

#[test]
fn interruption() {
    struct Impatient;
    impl Monitor for Impatient {
        fn interrupted(&self) -> bool {
            true
        }
    }
    stopped(Limits::default(), &Impatient);
}

#[test]
fn a_depth_limit_that_is_not_reached_is_no_limit() {
    let system = Walkers::new(2, 3, false, false);
    for search in [SearchKind::Dfs, SearchKind::Bfs] {
        for (depth, verdict) in [(5, Verdict::Holds), (4, Verdict::Unknown)] {
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let config = Config { reduction: "none".parse().unwrap(), search, limits, ..Config::default() };
            assert_eq!(check(&system, &config, &Silent).verdict, verdict);
        }
    }
}

#[test]
fn an_error_found_within_a_limit_is_still_an_error() {
    let mut system = Walkers::new(6, 10, false, false);
    system.broken = Some((0, 2));
    let limits = Limits { states: Some(100), ..Limits::default() };
    let config = Config { reduction: "none".parse().unwrap(), limits, ..Config::default() };
    let outcome = check(&system, &config, &Silent);
    assert_eq!((outcome.verdict, outcome.stopped), (Verdict::Violated, Some(Stop::Errors)));
}

/// A process whose first step enters an atomic region in which it counts for ever.
struct Counting {
    /// The largest number that it came to.
    most: AtomicU32,
}

impl System for Counting {
    fn initial(&self, out: &mut Batch) {
        out.push(Step::default(), &[0; 4]);
    }

    fn expand(&self, state: &[u8], _: Chosen<'_>, out: &mut Batch) {
        let number = u32::from_le_bytes([state[0], state[1], state[2], state[3]]).wrapping_add(1);
        self.most.fetch_max(number, Ordering::Relaxed);
        out.push(Step::default(), &number.to_le_bytes());
        out.keep(true);
    }

    fn enabled(&self, _: &[u8], out: &mut Vec<Step>) {
        out.push(Step::default());
    }

    fn valid_end(&self, _: &[u8]) -> bool {
        true
    }

    fn describe(&self) -> &dyn Describe {
        &Nameless
    }
}

#[test]
fn limits_hold_within_a_region_that_never_ends() {
    // A state on the way through a region takes a level of its own, and is kept.
    const LEAST_BYTES: u64 = 300;
    let memory = 32 << 20;
    for (limits, stop, most) in [
        (Limits { memory: Some(memory), ..Limits::default() }, Stop::Memory, memory / LEAST_BYTES),
        (Limits { states: Some(1000), ..Limits::default() }, Stop::States, 250_000),
        (Limits { depth: Some(1000), ..Limits::default() }, Stop::Depth, 250_000),
        (Limits { time: Some(Duration::from_millis(10)), ..Limits::default() }, Stop::Time, u64::MAX),
    ] {
        for search in [SearchKind::Dfs, SearchKind::Bfs] {
            let system = Counting { most: AtomicU32::new(0) };
            let config = Config { search, limits, ..Config::default() };
            let outcome = check(&system, &config, &Silent);
            assert_eq!((outcome.verdict, outcome.stopped), (Verdict::Unknown, Some(stop)), "{config:?}");
            let counted = u64::from(system.most.load(Ordering::Relaxed));
            assert!(counted <= most, "{counted}: {config:?}");
        }
    }
}
