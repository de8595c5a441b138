//! The engine finds in the examples what `counts.rs` counts without it: the same states and transitions
//! in both searches, the same errors, each with a counterexample that could be executed again.

use mazurka::program::{Interpreter, text};
use mazurka::{
    Checker, Config, FindingKind, Method, Model, Outcome, Reduction, Report, Run, SearchKind, Silent,
    Verdict, check_system,
};

#[path = "../examples/peterson/native.rs"]
#[allow(dead_code)]
mod peterson;
#[path = "../examples/peterson/program.rs"]
mod peterson_program;
#[path = "../examples/philosophers/native.rs"]
#[allow(dead_code)]
mod philosophers;
#[path = "../examples/philosophers/program.rs"]
mod philosophers_program;
#[path = "../examples/two_phase_commit/native.rs"]
#[allow(dead_code)]
mod two_phase_commit;
#[path = "../examples/two_phase_commit/program.rs"]
mod two_phase_commit_program;

use peterson::{Location, Peterson};
use philosophers::{LEFT, Table};
use two_phase_commit::TwoPhaseCommit;

const SEARCHES: [SearchKind; 2] = [SearchKind::Dfs, SearchKind::Bfs];

fn everything<M: Model>(model: &M, search: SearchKind) -> Report<M> {
    Checker::new(model).search(search).reduce(Method::None).all_errors().run()
}

/// The same with a program, given as text.
fn program(text: &str, search: SearchKind) -> (Outcome, Vec<Run>) {
    let parsed = text::parse("example.mzk", text);
    let program = parsed.program.unwrap_or_else(|| panic!("{:#?}", parsed.diagnostics));
    let interpreter = Interpreter::new(program).expect("a parsed program is valid");
    let reduction = Reduction { method: Method::None, sleep: false };
    let config = Config { search, reduction, max_errors: 0, ..Config::default() };
    check_system(&interpreter, &config, &Silent)
}

/// States, transitions and the kinds of the errors.
fn summary(outcome: &Outcome) -> (u64, u64, Vec<&'static str>) {
    let kinds = outcome.findings.iter().map(|finding| finding.kind.name()).collect();
    (outcome.statistics.states, outcome.statistics.transitions(), kinds)
}

#[test]
fn programs_have_the_same_state_spaces() {
    for search in SEARCHES {
        for managers in [3, 6] {
            let native = everything(&TwoPhaseCommit { managers }, search);
            let (outcome, _) = program(&two_phase_commit_program::text(managers), search);
            assert_eq!(summary(&outcome), summary(&native.outcome));
        }
        for philosophers in [2, 3, 8] {
            let native = everything(&Table { philosophers }, search);
            let (outcome, runs) = program(&philosophers_program::text(philosophers), search);
            assert_eq!(summary(&outcome), summary(&native.outcome));
            assert_eq!(runs.len(), 1);
        }
        for yields_first in [false, true] {
            let native = everything(&Peterson { yields_first }, search);
            let (outcome, _) = program(&peterson_program::text(yields_first), search);
            assert_eq!(outcome.statistics.states, native.states());
            assert_eq!(outcome.statistics.transitions(), native.transitions());
            assert_eq!(outcome.verdict, native.verdict());
        }
    }
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
