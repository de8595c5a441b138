//! Table II of the 1992 paper for protocols 1 to 3 (N=5, M=10), to the digit, and its N=1000 remark.

mod support;

use mazurka_engine::{Config, SearchKind, Silent, Verdict, check};
use support::Walkers;

fn run(system: &Walkers, reduction: &str, search: SearchKind) -> (u64, u64) {
    let config = Config { reduction: reduction.parse().unwrap(), search, ..Config::default() };
    let outcome = check(system, &config, &Silent);
    assert_eq!(outcome.verdict, Verdict::Holds);
    (outcome.statistics.states, outcome.statistics.transitions())
}

fn row(circle: bool, shared: bool) -> Vec<(u64, u64)> {
    let system = Walkers::new(5, 10, circle, shared);
    ["none", "local", "none+sleep", "local+sleep"].map(|r| run(&system, r, SearchKind::Dfs)).to_vec()
}

#[test]
fn protocol_1_independent_acyclic() {
    assert_eq!(row(false, false), [(100_001, 450_002), (47, 47), (100_001, 100_001), (47, 47)]);
}

#[test]
fn protocol_2_independent_cyclic() {
    assert_eq!(row(true, false), [(100_001, 500_002), (100_001, 111_112), (100_001, 111_112), (47, 52)]);
}

#[test]
fn protocol_3_dependent_acyclic() {
    assert_eq!(row(false, true), [(100_001, 450_002); 4]);
}

#[test]
fn figure_1_full_and_reduced() {
    let mut system = Walkers::new(2, 3, false, false);
    system.started_late = false;
    let edges = |r| {
        let (states, transitions) = run(&system, r, SearchKind::Dfs);
        (states, transitions - 1)
    };
    assert_eq!(edges("none"), (9, 12));
    assert_eq!(edges("local"), (5, 4));
}

#[test]
fn a_thousand_processes_with_local_first() {
    let system = Walkers::new(1000, 10, false, false);
    assert_eq!(run(&system, "local", SearchKind::Dfs), (9_002, 9_002));
}

#[test]
fn both_searches_store_the_same_states() {
    for circle in [false, true] {
        let system = Walkers::new(4, 6, circle, true);
        for reduction in ["none", "none+sleep"] {
            assert_eq!(run(&system, reduction, SearchKind::Dfs), run(&system, reduction, SearchKind::Bfs));
        }
    }
}

#[test]
fn an_assertion_is_never_put_off_for_ever() {
    for reduction in ["none", "local", "overman", "overman-located"] {
        for sleep in ["", "+sleep"] {
            for search in [SearchKind::Dfs, SearchKind::Bfs] {
                for circle in [false, true] {
                    let mut system = Walkers::new(3, 4, circle, false);
                    system.broken = Some((2, 3));
                    let reduction = format!("{reduction}{sleep}").parse().unwrap();
                    let config = Config { reduction, search, ..Config::default() };
                    let outcome = check(&system, &config, &Silent);
                    assert_eq!(outcome.verdict, Verdict::Violated, "{config:?}");
                    assert_eq!(outcome.findings.len(), 1);
                }
            }
        }
    }
}
