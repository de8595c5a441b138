//! A search that was interrupted and goes on from its checkpoint ends as one that was not; a file that is
//! damaged or foreign is refused.

mod support;

use mazurka_engine::checkpoint::{Checkpoints, Refusal};
use mazurka_engine::{
    Codec, Config, Limits, Monitor, OnFull, Outcome, SearchKind, Silent, Stop, StoreKind, check, resume,
};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use support::Walkers;

/// Interrupts a search when it has asked this often.
struct After(AtomicU32);

impl After {
    fn new(questions: u32) -> After {
        After(AtomicU32::new(questions))
    }
}

impl Monitor for After {
    fn interrupted(&self) -> bool {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        left == 0
    }
}

/// A file that is gone when the test is over.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Temporary {
        let name = format!("mazurka-{}-{name}.checkpoint", std::process::id());
        Temporary(std::env::temp_dir().join(name))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn random(seed: &mut u64) -> u32 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as u32
}

/// What must be the same, whatever happened on the way.
fn essence(outcome: &Outcome) -> impl PartialEq + std::fmt::Debug {
    let s = &outcome.statistics;
    (
        (outcome.verdict, format!("{:?}", outcome.guarantee), outcome.stopped),
        (s.states, s.matched, s.depth, s.errors, s.reopened, s.atomic_steps, s.replaced),
        outcome.findings.clone(),
        outcome.unreached.clone(),
        outcome.notes.clone(),
    )
}

fn configs() -> Vec<Config> {
    let mut configs = Vec::new();
    for (_, search) in SearchKind::WHOLE {
        let pairs = StoreKind::NAMES.map(|(_, store)| Codec::NAMES.map(|(_, codec)| (store, codec)));
        for (store, codec) in pairs.into_iter().flatten() {
            for reduction in ["none", "none+sleep", "local", "deletion", "persistent+sleep"] {
                let config = Config {
                    search,
                    store,
                    codec,
                    reduction: reduction.parse().unwrap(),
                    max_errors: 0,
                    limits: Limits { memory: Some(6 << 20), ..Limits::default() },
                    folder: std::env::temp_dir(),
                    ..Config::default()
                };
                // Where a codec and a store are combined, one reduction is enough.
                let combined = store != StoreKind::Exact && codec != Codec::Plain;
                if combined && (codec == Codec::Auto || reduction != "none+sleep") {
                    continue;
                }
                // The states of a compact tree can't be listed.
                if config.contradiction().is_none() && codec != Codec::CompactTree {
                    // The order is given up at the beginning, or on the way.
                    let any_order = search == SearchKind::Dfs && reduction == "none";
                    let from: &[u64] = if store == StoreKind::Exact { &[0, 300] } else { &[300] };
                    let together = from.iter().map(|&in_order| Config { in_order, ..config.clone() });
                    configs.extend(together.filter(|_| any_order));
                    // So it is where choosing is given up.
                    let kept = matches!(codec, Codec::Plain | Codec::Auto)
                        && search == SearchKind::Dfs
                        && store == StoreKind::Exact;
                    if kept && matches!(reduction, "none+sleep" | "deletion" | "persistent+sleep") {
                        let given_up =
                            [20, 300].map(|in_order| Config { in_order, gives_up: true, ..config.clone() });
                        configs.extend(given_up);
                    }
                    configs.push(config);
                }
            }
        }
    }
    configs
}

#[test]
fn an_interrupted_search_ends_as_one_that_was_not() {
    let file = Temporary::new("interrupted");
    let mut seed = 11;
    let mut interruptions = 0;
    for (shared, circle) in [(true, false), (false, true)] {
        let mut system = Walkers::new(4, 8, circle, shared);
        system.broken = Some((1, 5));
        for config in configs() {
            let expected = check(&system, &config, &Silent);
            for _ in 0..2 {
                let seconds = if random(&mut seed).is_multiple_of(4) { 0 } else { 3600 };
                let every = Duration::from_secs(seconds);
                let checkpoints = Some(Checkpoints { file: file.0.clone(), every });
                let config = Config { checkpoints, ..config.clone() };
                let mut outcome = check(&system, &config, &After::new(random(&mut seed) % 12));
                while outcome.stopped == Some(Stop::Interrupted) {
                    interruptions += 1;
                    let monitor = After::new(1 + random(&mut seed) % 12);
                    outcome = resume(&system, &config, &monitor, &file.0).unwrap();
                }
                assert_eq!(essence(&outcome), essence(&expected), "{config:?}");
            }
        }
    }
    assert!(interruptions > 100, "{interruptions}");
}

#[test]
fn a_search_that_met_a_limit_goes_on_with_a_higher_one() {
    let file = Temporary::new("limit");
    let checkpoints = Some(Checkpoints { file: file.0.clone(), every: Duration::from_secs(3600) });
    let system = Walkers::new(4, 9, false, true);
    for config in configs() {
        let expected = check(&system, &config, &Silent);
        let mut states = 500;
        let limits = Limits { states: Some(states), ..config.limits };
        let mut config = Config { checkpoints: checkpoints.clone(), limits, ..config };
        let mut outcome = check(&system, &config, &Silent);
        while outcome.stopped.is_some() {
            assert_eq!(outcome.stopped, Some(Stop::States), "{config:?}");
            states += 1700;
            config.limits.states = Some(states);
            outcome = resume(&system, &config, &Silent, &file.0).unwrap();
        }
        assert_eq!(essence(&outcome), essence(&expected), "{config:?}");
    }
}

#[test]
fn after_the_store_was_exchanged_a_checkpoint_is_as_good() {
    let file = Temporary::new("exchanged");
    let system = Walkers::new(5, 9, false, true);
    let limits = Limits { memory: Some(1 << 20), ..Limits::default() };
    for on_full in [OnFull::Bitstate, OnFull::Cache] {
        let config = Config { on_full, limits, ..Config::default() };
        let expected = check(&system, &config, &Silent);
        assert_eq!(expected.stopped, None);
        assert_eq!(expected.notes.len(), 1, "the result says so: {:?}", expected.notes);
        let checkpoints = Some(Checkpoints { file: file.0.clone(), every: Duration::from_secs(3600) });
        let config = Config { checkpoints, ..config };
        let mut outcome = check(&system, &config, &After::new(50));
        while outcome.stopped == Some(Stop::Interrupted) {
            outcome = resume(&system, &config, &After::new(50), &file.0).unwrap();
        }
        if on_full == OnFull::Bitstate {
            assert_eq!(essence(&outcome), essence(&expected));
        }
        assert_eq!((outcome.verdict, outcome.guarantee), (expected.verdict, expected.guarantee));
    }
}

#[test]
fn too_little_memory_for_a_while_loses_nothing() {
    let file = Temporary::new("memory");
    let checkpoints = Some(Checkpoints { file: file.0.clone(), every: Duration::from_secs(3600) });
    let system = Walkers::new(5, 9, false, true);
    for (reduction, in_order) in [("none", 1 << 17), ("none", 100), ("none+sleep", 100), ("deletion", 100)] {
        let little = Limits { memory: Some(1 << 20), ..Limits::default() };
        let reduction = reduction.parse().unwrap();
        let config = Config {
            reduction,
            in_order,
            codec: Codec::Plain,
            limits: little,
            checkpoints: checkpoints.clone(),
            ..Config::default()
        };
        assert_eq!(check(&system, &config, &Silent).stopped, Some(Stop::Memory));
        let more = Config { limits: Limits::default(), ..config };
        let outcome = resume(&system, &more, &Silent, &file.0).unwrap();
        assert_eq!(outcome.statistics.states, 59_050);
        assert_eq!(outcome.stopped, None);
    }
}

/// A small checkpoint of a search, and its options.
fn saved(file: &Temporary) -> (Walkers, Config) {
    let system = Walkers::new(3, 9, false, true);
    let checkpoints = Some(Checkpoints { file: file.0.clone(), every: Duration::ZERO });
    let limits = Limits { states: Some(300), ..Limits::default() };
    let config = Config { checkpoints, limits, ..Config::default() };
    assert_eq!(check(&system, &config, &Silent).stopped, Some(Stop::States));
    (system, Config { limits: Limits::default(), checkpoints: None, ..config })
}

#[test]
fn a_file_that_was_cut_or_changed_is_refused() {
    let file = Temporary::new("damaged");
    let (system, config) = saved(&file);
    let whole = std::fs::read(&file.0).unwrap();
    let refusal = |bytes: &[u8]| {
        std::fs::write(&file.0, bytes).unwrap();
        resume(&system, &config, &Silent, &file.0).map(|outcome| outcome.verdict)
    };
    assert!(refusal(&whole).is_ok());
    for length in (0..whole.len()).step_by(7).chain(whole.len() - 20..whole.len()) {
        let refused = refusal(&whole[..length]);
        assert!(matches!(refused, Err(Refusal::Foreign | Refusal::Damaged(_))), "{length}: {refused:?}");
    }
    for at in (0..whole.len()).step_by(5).chain(whole.len() - 20..whole.len()) {
        let mut changed = whole.clone();
        changed[at] ^= 1 << (at % 8);
        let refused = refusal(&changed);
        assert!(matches!(refused, Err(Refusal::Foreign | Refusal::Damaged(_))), "{at}: {refused:?}");
    }
    let twice = [whole.clone(), whole].concat();
    assert!(matches!(refusal(&twice), Err(Refusal::Damaged(_))));
    assert_eq!(refusal(b"something else entirely"), Err(Refusal::Foreign));
}

/// What a power failure may leave: a part of the next checkpoint under its working name, beside the one before,
/// or, on a file system that renames before it writes, blocks of zeros under the name itself.
#[test]
fn a_power_failure_within_a_write_leaves_a_checkpoint_or_a_refusal() {
    let file = Temporary::new("power");
    let (system, config) = saved(&file);
    let whole = std::fs::read(&file.0).unwrap();
    let partial = Temporary(PathBuf::from(format!("{}.partial", file.0.display())));
    let expected = check(&system, &config, &Silent);
    for length in (0..whole.len()).step_by(whole.len() / 20) {
        std::fs::write(&partial.0, &whole[..length]).unwrap();
        let outcome = resume(&system, &config, &Silent, &file.0).unwrap();
        assert_eq!(essence(&outcome), essence(&expected));
        let mut zeros = whole.clone();
        zeros[length..].fill(0);
        std::fs::write(&partial.0, &zeros).unwrap();
        let refused = resume(&system, &config, &Silent, &partial.0).map(|outcome| outcome.verdict);
        assert!(matches!(refused, Err(Refusal::Foreign | Refusal::Damaged(_))), "{length}: {refused:?}");
    }
}

#[test]
fn a_checkpoint_of_something_else_is_refused() {
    let file = Temporary::new("foreign");
    let (system, config) = saved(&file);
    let other = Walkers::new(3, 8, false, true);
    assert_eq!(resume(&other, &config, &Silent, &file.0).map(|_| ()), Err(Refusal::Model));
    let others = [
        Config { max_errors: 0, ..config.clone() },
        Config { search: SearchKind::Bfs, ..config.clone() },
        Config { store: StoreKind::Compact, ..config.clone() },
        Config { on_full: OnFull::Cache, ..config.clone() },
        Config { reduction: "none".parse().unwrap(), ..config.clone() },
    ];
    for config in others {
        let refused = resume(&system, &config, &Silent, &file.0).map(|_| ());
        assert!(matches!(refused, Err(Refusal::Options { .. })), "{refused:?}");
    }
    let nowhere = Temporary::new("nowhere");
    let refused = resume(&system, &config, &Silent, &nowhere.0).map(|_| ());
    assert!(matches!(refused, Err(Refusal::Unreadable(_))));
    let tight = Config { limits: Limits { memory: Some(5_000), ..Limits::default() }, ..config };
    assert_eq!(resume(&system, &tight, &Silent, &file.0).map(|_| ()), Err(Refusal::Memory));
}

#[test]
fn a_checkpoint_that_can_t_be_written_is_noted_and_the_search_goes_on() {
    let system = Walkers::new(4, 9, false, true);
    let file = PathBuf::from("/nonexistent/folder/file");
    let checkpoints = Some(Checkpoints { file, every: Duration::ZERO });
    let outcome = check(&system, &Config { checkpoints, ..Config::default() }, &Silent);
    assert_eq!(outcome.stopped, None);
    assert_eq!(outcome.notes.len(), 1, "{:?}", outcome.notes);
    assert!(outcome.notes[0].contains("/nonexistent/folder/file"));
}

#[test]
fn a_search_goes_on_where_the_store_has_become_a_tree_among_states_that_are_opened_together() {
    let file = Temporary::new("planted");
    let checkpoints = Some(Checkpoints { file: file.0.clone(), every: Duration::from_secs(3600) });
    let mut system = Walkers::new(5, 9, false, true);
    system.ballast = 60;
    let config = Config {
        reduction: "none".parse().unwrap(),
        limits: Limits { memory: Some(4 << 20), ..Limits::default() },
        in_order: 200,
        max_errors: 0,
        ..Config::default()
    };
    let expected = check(&system, &config, &Silent);
    assert_eq!((expected.stopped, expected.statistics.states), (None, 59_050));
    // Where plain records have no room any more, a tree is made of them; some of these limits end the search just there.
    let plain = Config { codec: Codec::Plain, ..config.clone() };
    let full = check(&system, &plain, &Silent).statistics.states;
    assert!(full < 59_050, "the memory is too much for the test");
    for states in full - 40..full + 40 {
        let limits = Limits { states: Some(states), ..config.limits };
        let cut = Config { checkpoints: checkpoints.clone(), limits, ..config.clone() };
        let outcome = check(&system, &cut, &Silent);
        assert_eq!((outcome.stopped, outcome.statistics.states), (Some(Stop::States), states));
        let outcome = resume(&system, &config, &Silent, &file.0).unwrap();
        assert_eq!(essence(&outcome), essence(&expected), "after {states} states");
        // With less memory the search ends early, or is not begun.
        let little = Limits { memory: Some(1 << 20), ..Limits::default() };
        match resume(&system, &Config { limits: little, ..config.clone() }, &Silent, &file.0) {
            Ok(outcome) => assert_eq!(outcome.stopped, Some(Stop::Memory)),
            Err(refusal) => assert_eq!(refusal, Refusal::Memory),
        }
    }
}

#[test]
fn limits_hold_where_the_order_is_given_up() {
    let file = Temporary::new("given-up");
    let checkpoints = Some(Checkpoints { file: file.0.clone(), every: Duration::from_secs(3600) });
    let system = Walkers::new(5, 9, false, true);
    for in_order in [100, 1000] {
        let config = Config { reduction: "none".parse().unwrap(), in_order, ..Config::default() };
        for more in 0..30 {
            let limits = Limits { states: Some(in_order + more), ..Limits::default() };
            let config = Config { limits, checkpoints: checkpoints.clone(), ..config.clone() };
            let outcome = check(&system, &config, &Silent);
            assert_eq!((outcome.stopped, outcome.statistics.states), (Some(Stop::States), in_order + more));
            let config = Config { limits: Limits::default(), ..config };
            let outcome = resume(&system, &config, &Silent, &file.0).unwrap();
            assert_eq!((outcome.stopped, outcome.statistics.states), (None, 59_050));
        }
    }
}
