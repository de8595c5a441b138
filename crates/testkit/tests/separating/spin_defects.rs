//! What users reported of SPIN 6.5.2, as far as it does not concern temporal properties.

use super::{kept, programs, promela};
use mazurka_engine::{Config, Method, Reduction, SearchKind, Silent, check};

/// With its reduction SPIN finds nothing here.
#[test]
fn an_assertion_about_the_number_of_a_process() {
    let system = promela("active proctype f() { assert(_pid == 1) } init { run f() }");
    kept(&system, &["assertion"]);
    assert!(check(&system, &Config::default(), &Silent).findings.len() == 1);
}

/// It ends SPIN's verifier with a signal.
#[test]
fn a_division_by_zero_is_an_error_of_the_model() {
    let system = promela(
        "byte d = 1, x;
         active proctype Divider() { x = 6 / d; x = 6 % d }
         active proctype Setter() { d = 0 }",
    );
    kept(&system, &["fault"]);
    kept(&promela("byte d; active proctype P() { if :: 1 / d == 0 -> skip :: else -> skip fi }"), &["fault"]);
}

/// Trails of SPIN's may end "after -4 steps". Here every finding of every search is executed again; beside
/// that the trail of a search must end in the very state where it was found.
#[test]
fn every_trail_can_be_executed() {
    for source in [programs::IGNORING, programs::LATE_CREATION, programs::DISABLED_ALTERNATIVE] {
        let system = promela(source);
        for (_, search) in SearchKind::WHOLE {
            let outcome = check(&system, &Config { search, max_errors: 0, ..Config::default() }, &Silent);
            assert!(!outcome.findings.is_empty());
            for finding in &outcome.findings {
                let run = mazurka_replay::confirm(&system, finding).unwrap_or_else(|e| panic!("{e}"));
                assert!(!run.end().is_empty());
            }
        }
    }
}

/// A model has as many states as it has, whichever way they are visited.
#[test]
fn both_searches_store_the_same_number_of_states() {
    let rendezvous = "chan c = [0] of { byte }; byte g;
         active proctype A() { do :: atomic { c!1; g = 1 } :: g == 1 -> g = 0 od }
         active proctype B() { do :: c?_ :: g == 0 -> g = 2 od }";
    let sources = [programs::IGNORING, programs::LATE_CREATION, programs::PROVISO_WITH_SLEEP, rendezvous];
    for system in sources.map(promela) {
        let states = SearchKind::WHOLE.map(|(_, search)| {
            let reduction = Reduction { method: Method::None, sleep: false };
            let config = Config { search, reduction, max_errors: 0, ..Config::default() };
            check(&system, &config, &Silent).statistics.states
        });
        assert_eq!(states[0], states[1]);
    }
}
