//! Several threads find what one finds: the same states, the same errors, the same limits; and end together.

mod support;

use mazurka_engine::checkpoint::Checkpoints;
use mazurka_engine::{
    Codec, Config, Guarantee, Limits, Monitor, OnFull, Outcome, Progress, Properties, SearchKind, Silent,
    Stop, StoreKind, Verdict, check,
};
use mazurka_model::{Batch, Chosen, Describe, Relations, Step, System};
use std::sync::Mutex;
use std::time::Duration;
use support::Walkers;

const SEARCHES: [SearchKind; 2] = [SearchKind::Dfs, SearchKind::Bfs];
const METHODS: [&str; 8] =
    ["none", "none+sleep", "local", "overman", "persistent+sleep", "deletion", "auto", "stubborn+sleep"];

fn config(reduction: &str, search: SearchKind, threads: usize) -> Config {
    Config { reduction: reduction.parse().unwrap(), search, threads, ..Config::default() }
}

#[test]
fn without_a_reduction_states_and_transitions_are_those_of_one_thread() {
    for (processes, length, circle) in [(1, 1, false), (2, 3, true), (4, 9, false), (5, 9, true)] {
        let system = Walkers::new(processes, length, circle, false);
        let one = check(&system, &config("none", SearchKind::Bfs, 1), &Silent).statistics;
        for search in SEARCHES {
            for threads in [2, 3, 7] {
                let outcome = check(&system, &config("none", search, threads), &Silent);
                let many = outcome.statistics;
                assert_eq!((outcome.verdict, outcome.guarantee), (Verdict::Holds, Guarantee::Exact));
                assert_eq!((many.states, many.transitions()), (one.states, one.transitions()));
                assert_eq!(many.state_bytes, one.state_bytes);
                if search == SearchKind::Bfs {
                    assert_eq!(many.depth, one.depth, "levels are levels");
                }
            }
        }
    }
}

#[test]
fn an_error_is_found_whatever_the_reduction_and_ends_the_search() {
    for shared in [false, true] {
        let mut system = Walkers::new(4, 8, true, shared);
        system.broken = Some((2, 7));
        for reduction in METHODS {
            for search in SEARCHES {
                for threads in [2, 3] {
                    let config = config(reduction, search, threads);
                    let outcome = check(&system, &config, &Silent);
                    assert_eq!(outcome.verdict, Verdict::Violated, "{config:?}");
                    assert_eq!(outcome.stopped, Some(Stop::Errors));
                    assert_eq!(outcome.findings.len(), 1);
                    let steps = outcome.findings[0].trace.steps.len();
                    assert!(steps >= 8);
                    if search == SearchKind::Bfs && reduction == "none" {
                        assert_eq!(steps, 8, "the shortest way");
                    }
                    let all = check(&system, &Config { max_errors: 0, ..config }, &Silent);
                    assert_eq!((all.verdict, all.guarantee), (Verdict::Violated, Guarantee::Exact));
                    assert_eq!(all.findings.len(), 1, "one run for each place");
                }
            }
        }
    }
}

#[test]
fn a_walk_that_is_not_put_off_for_ever() {
    // Walkers that go round in circles, and one whose last step is wrong: with no proviso it could wait for ever.
    let mut system = Walkers::new(3, 4, true, false);
    for broken in 0..3 {
        system.broken = Some((broken, 3));
        for reduction in METHODS {
            for threads in [2, 3] {
                let config = Config { max_errors: 0, ..config(reduction, SearchKind::Dfs, threads) };
                assert_eq!(check(&system, &config, &Silent).findings.len(), 1, "{reduction} {broken}");
            }
        }
    }
}

fn cut(limits: Limits, monitor: &dyn Monitor, stop: Stop) {
    let system = Walkers::new(6, 10, false, true);
    for search in SEARCHES {
        for reduction in ["none", "auto"] {
            let config = Config { limits, ..config(reduction, search, 2) };
            if config.contradiction().is_some() {
                assert!(limits.depth.is_some() && search == SearchKind::Dfs);
                continue;
            }
            let outcome = check(&system, &config, monitor);
            assert_eq!((outcome.verdict, outcome.guarantee), (Verdict::Unknown, Guarantee::Bounded));
            assert_eq!(outcome.stopped, Some(stop), "{config:?}");
            assert!(outcome.statistics.states > 0 && outcome.statistics.states < 1_000_001);
            assert!(outcome.unreached.is_empty());
            if let Some(limit) = limits.memory {
                let used = outcome.statistics.store_bytes + outcome.statistics.stack_bytes;
                assert!(used <= limit + limit / 20, "{used}");
                assert!(outcome.statistics.states * 24 > limit / 2, "{:?}", outcome.statistics);
            }
            if let Some(limit) = limits.states {
                assert!((limit..limit + 20).contains(&outcome.statistics.states));
            }
        }
    }
}

#[test]
fn limits_cut_the_search_for_all() {
    cut(Limits { memory: Some(4 << 20), ..Limits::default() }, &Silent, Stop::Memory);
    cut(Limits { depth: Some(12), ..Limits::default() }, &Silent, Stop::Depth);
    cut(Limits { time: Some(Duration::ZERO), ..Limits::default() }, &Silent, Stop::Time);
    cut(Limits { states: Some(1000), ..Limits::default() }, &Silent, Stop::States);
    struct Impatient;
    impl Monitor for Impatient {
        fn interrupted(&self) -> bool {
            true
        }
    }
    cut(Limits::default(), &Impatient, Stop::Interrupted);
}

#[test]
fn a_depth_limit_counts_levels() {
    let system = Walkers::new(2, 3, false, false);
    for (depth, verdict) in [(5, Verdict::Holds), (4, Verdict::Unknown)] {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let config = Config { limits, ..config("none", SearchKind::Bfs, 2) };
        assert_eq!(check(&system, &config, &Silent).verdict, verdict);
    }
}

#[test]
fn what_makes_no_sense_together_is_refused() {
    let system = Walkers::new(2, 3, false, false);
    let usual = config("auto", SearchKind::Dfs, 2);
    assert_eq!(check(&system, &usual, &Silent).verdict, Verdict::Holds);
    let checkpoints = Some(Checkpoints { file: "unused".into(), every: Duration::from_secs(60) });
    let mut refused = vec![
        Config { checkpoints, ..usual.clone() },
        Config { on_full: OnFull::Bitstate, ..usual.clone() },
        Config { on_full: OnFull::Cache, ..usual.clone() },
        Config { limits: Limits { depth: Some(9), ..Limits::default() }, ..usual.clone() },
    ];
    for store in [StoreKind::Bitstate, StoreKind::Compact, StoreKind::Cache, StoreKind::Disk] {
        refused.push(Config { store, ..usual.clone() });
    }
    for codec in
        [Codec::RunLength, Codec::Huffman, Codec::Packed, Codec::Collapse, Codec::Tree, Codec::CompactTree]
    {
        refused.push(Config { codec, ..usual.clone() });
    }
    for config in refused {
        let outcome = check(&system, &config, &Silent);
        assert_eq!((outcome.stopped, outcome.statistics.states), (Some(Stop::Options), 0), "{config:?}");
        assert!(outcome.notes.iter().any(|note| note.contains("thread")), "{:?}", outcome.notes);
    }
}

#[test]
fn progress_is_that_of_all_threads() {
    #[derive(Default)]
    struct Watch(Mutex<Vec<Progress>>);
    impl Monitor for Watch {
        fn progress(&self, progress: &Progress) {
            self.0.lock().unwrap().push(*progress);
        }
    }
    let watch = Watch::default();
    let limits = Limits { time: Some(Duration::from_millis(450)), ..Limits::default() };
    let system = Walkers::new(7, 30, true, false);
    let outcome = check(&system, &Config { limits, ..config("none", SearchKind::Dfs, 2) }, &watch);
    let seen = watch.0.into_inner().unwrap();
    let last = seen.last().expect("it goes on for long enough");
    assert!(last.states <= outcome.statistics.states && last.transitions >= last.states);
    assert!(
        last.memory > 0
            && last.memory <= outcome.statistics.store_bytes + outcome.statistics.stack_bytes * 2 + (1 << 20)
    );
}

/// A system that panics in one of its states.
struct Trap(Walkers);

impl System for Trap {
    fn initial(&self, out: &mut Batch) {
        self.0.initial(out);
    }
    fn expand(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
        assert!(state[..3] != [7, 7, 7], "a trap");
        self.0.expand(state, chosen, out);
    }
    fn enabled(&self, state: &[u8], out: &mut Vec<Step>) {
        self.0.enabled(state, out);
    }
    fn valid_end(&self, state: &[u8]) -> bool {
        self.0.valid_end(state)
    }
    fn state_size(&self) -> Option<usize> {
        self.0.state_size()
    }
    fn relations(&self) -> Option<&dyn Relations> {
        self.0.relations()
    }
    fn describe(&self) -> &dyn Describe {
        self.0.describe()
    }
}

#[test]
fn a_system_that_panics_does_so_as_with_one_thread() {
    let system = Trap(Walkers::new(4, 9, false, true));
    for threads in [1, 2, 4] {
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            check(&system, &config("none", SearchKind::Dfs, threads), &Silent)
        }));
        let panic = caught.expect_err("every search comes to that state");
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"a trap"));
    }
}

#[test]
fn deadlocks_are_those_of_one_thread() {
    /// Nothing but the start is a proper end.
    struct Stuck(Walkers);
    impl System for Stuck {
        fn initial(&self, out: &mut Batch) {
            self.0.initial(out);
        }
        fn expand(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
            self.0.expand(state, chosen, out);
        }
        fn enabled(&self, state: &[u8], out: &mut Vec<Step>) {
            self.0.enabled(state, out);
        }
        fn valid_end(&self, _: &[u8]) -> bool {
            false
        }
        fn relations(&self) -> Option<&dyn Relations> {
            self.0.relations()
        }
        fn describe(&self) -> &dyn Describe {
            self.0.describe()
        }
    }
    let system = Stuck(Walkers::new(4, 6, false, true));
    let only = Properties { assertions: false, unreached: false, ..Properties::default() };
    for reduction in METHODS {
        for properties in [Properties::default(), only] {
            for threads in [1, 2, 3] {
                let config =
                    Config { properties, max_errors: 0, ..config(reduction, SearchKind::Dfs, threads) };
                let Outcome { verdict, findings, .. } = check(&system, &config, &Silent);
                assert_eq!((verdict, findings.len()), (Verdict::Violated, 1), "{reduction} {threads}");
                assert_eq!(findings[0].trace.steps.len(), 21);
            }
        }
    }
}
