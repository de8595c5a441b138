//! The engine finds in the examples what `counts.rs` counts without it: the same states and transitions
//! in both searches, the same errors, each with a counterexample that could be executed again.

use mazurka::{Checker, FindingKind, Method, Model, Report, SearchKind, Verdict};

#[path = "../examples/peterson/native.rs"]
#[allow(dead_code)]
mod peterson;
#[path = "../examples/philosophers/native.rs"]
#[allow(dead_code)]
mod philosophers;
#[path = "../examples/two_phase_commit/native.rs"]
#[allow(dead_code)]
mod two_phase_commit;

use peterson::{Location, Peterson};
use philosophers::{LEFT, Table};
use two_phase_commit::TwoPhaseCommit;

const SEARCHES: [SearchKind; 2] = [SearchKind::Dfs, SearchKind::Bfs];

fn everything<M: Model>(model: &M, search: SearchKind) -> Report<M> {
    Checker::new(model).search(search).reduce(Method::None).all_errors().run()
}

#[test]
fn two_phase_commit() {
    for search in SEARCHES {
        let report = everything(&TwoPhaseCommit { managers: 3 }, search);
        report.assert_holds();
        assert_eq!(report.states(), 288);
        let report = everything(&TwoPhaseCommit { managers: 7 }, search);
        report.assert_holds();
        assert_eq!((report.states(), report.transitions()), (296_448, 2_744_706));
    }
}

#[test]
fn philosophers() {
    for search in SEARCHES {
        let report = everything(&Table { philosophers: 9 }, search);
        assert_eq!(report.verdict(), Verdict::Violated);
        assert_eq!((report.states(), report.transitions()), (19_682, 118_090));
        assert_eq!(report.counterexamples.len(), 1);
        let deadlock = report.expect_violated();
        assert_eq!(deadlock.kind, FindingKind::Deadlock);
        assert!((0..9).all(|philosopher| Table::holds(*deadlock.end(), philosopher) == LEFT));
    }
    let shortest = Checker::new(&Table { philosophers: 9 }).search(SearchKind::Bfs).run();
    assert_eq!(shortest.expect_violated().steps.len(), 9);
}

#[test]
fn peterson() {
    for search in SEARCHES {
        let right = everything(&Peterson { yields_first: false }, search);
        right.assert_holds();
        assert_eq!((right.states(), right.transitions()), (32, 65));
        let wrong = everything(&Peterson { yields_first: true }, search);
        assert_eq!((wrong.states(), wrong.transitions()), (48, 97));
        assert_eq!(wrong.expect_violated().what, "assertion `mutual exclusion` is false");
        assert_eq!(wrong.expect_violated().end().location, [Location::Critical; 2]);
    }
}
