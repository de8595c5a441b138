//! Automata written and read back accept the same; every form of the format is read.

use super::{read, write};
use crate::automaton::Automaton;
use crate::formula::Formulas;
use crate::parse::parse;
use crate::random::Random;
use crate::translate::translate;

fn indices(automaton: &Automaton, names: &[&str]) -> Vec<usize> {
    automaton.atoms().iter().map(|atom| names.iter().position(|name| name == atom).unwrap()).collect()
}

/// Whether an automaton over p and q and a formula agree on random words.
fn agrees(automaton: &Automaton, text: &str) {
    let names = ["p", "q"];
    let mut formulas = Formulas::new();
    names.iter().for_each(|name| _ = formulas.atom(name));
    let formula = parse(&mut formulas, text).unwrap();
    let mut random = Random::new(1);
    for _ in 0..300 {
        let word = random.word(2, 4);
        let expected = crate::lasso::holds(&formulas, formula, &word);
        assert_eq!(automaton.accepts(&word, &indices(automaton, &names)), expected, "{text} of {word:?}");
    }
}

#[test]
fn what_is_written_is_read_back() {
    for text in ["G(p -> F q)", "p U X q", "G F p & G F q", "false", "true", "F G p | (q W p)"] {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, text).unwrap();
        let translation = translate(&mut formulas, formula).unwrap();
        for automaton in [translation.generalised, translation.buchi] {
            let written = write(&automaton, Some(text));
            let again = read(&written).unwrap_or_else(|error| panic!("{written}\n{error}"));
            agrees(&again, text);
            assert_eq!(write(&again, Some(text)), written);
        }
    }
}

fn with_body(header: &str, body: &str) -> Result<Automaton, crate::parse::ParseError> {
    read(&format!(
        "HOA: v1 /* a /* nested */ comment */\nAP: 2 \"p\" \"q\"\n{header}\n--BODY--\n{body}\n--END--\n"
    ))
}

#[test]
fn other_forms_are_read() {
    // Several initial states, aliases, acceptance on states.
    let two = with_body(
        "States: 3 Start: 0 Start: 1 Alias: @a 0&!1 acc-name: Buchi Acceptance: 1 Inf(0)",
        "State: 0 \"first\" [@a] 2 State: 1 [!@a & 1] 2 State: 2 {0} [t] 2",
    );
    agrees(&two.unwrap(), "p || q");
    // Labels on states.
    let labelled = with_body("Start: 0 Acceptance: 0 t", "State: [0] 0 0 1 State: [1] 1 0 1");
    agrees(&labelled.unwrap(), "p && G(p || q)");
    // Implicit labels: !p!q, p!q, !pq, pq.
    let implicit = with_body("Start: 0 Acceptance: 1 Inf(0)", "State: 0 0 0 {0} 0 0 {0}");
    agrees(&implicit.unwrap(), "G F p");
    // No initial state.
    agrees(&with_body("Acceptance: 0 t", "State: 0 [t] 0").unwrap(), "false");
}

#[test]
fn any_acceptance_becomes_generalised_buchi() {
    let edges = "State: 0 [0&1] 0 {0 1} [0&!1] 0 {0} [!0&1] 0 {1} [!0&!1] 0";
    for (condition, text) in [
        ("Inf(0) & Inf(1)", "G F p && G F q"),
        ("Inf(0) | Inf(1)", "G F (p || q)"),
        ("Inf(!0)", "G F !p"),
        ("Fin(0)", "F G !p"),
        ("Fin(!0)", "F G p"),
        ("Fin(0) & Inf(1)", "F G !p && G F q"),
        ("(Fin(0) | Inf(1)) & (Fin(1) | Inf(0))", "G F p <-> G F q"),
        ("Inf(0)&Inf(1) | Fin(0)&Fin(1)", "G F p <-> G F q"),
        ("f | Fin(1) & t", "F G !q"),
        ("f", "false"),
        ("t", "true"),
    ] {
        let automaton = with_body(&format!("Start: 0 Acceptance: 2 {condition}"), edges);
        agrees(&automaton.unwrap_or_else(|error| panic!("{condition}: {error}")), text);
    }
}

#[test]
fn what_is_wrong_is_said() {
    for (header, body, message) in [
        ("Acceptance: 1 Inf(1)", "", "no acceptance set with this number"),
        ("Acceptance: 1 Inf(0) Start: 0&1", "", "alternating"),
        ("Acceptance: 1 Inf(0) Start: 0", "State: 0 [2] 0", "no atom with this number"),
        ("Acceptance: 1 Inf(0) Start: 0", "State: 0 [0] 0 {1}", "no acceptance set with this number"),
        ("Acceptance: 0 t States: 4000000000", "", "states are not read"),
        ("Acceptance: 0 t States: 40000000000", "", "too large"),
        ("Acceptance: 99 t", "", "not supported"),
        ("Start: 0", "State: 0", "no `Acceptance:`"),
        ("Acceptance: 0 t Controllable: 0", "", "changes the meaning"),
        ("Acceptance: 0 t Start: 0", "State: 0 0 0 0 0 0", "no letter left"),
        ("Acceptance: 0 t Start: 0", "State: 0 [@x] 0", "no alias"),
        ("Acceptance: 0 t Start: 0", "--ABORT--", "given up"),
        ("Acceptance: 0 t Start: 0 States: 1", "State: 0 [0] 9", "no state 9: `States:` says"),
        ("Acceptance: 0 t Start: 0", "State: 0 [0] 9", "no state 9: no `State:`"),
        ("Acceptance: 0 t Start: 1 States: 1", "State: 0 [0] 0", "no state 1"),
        ("Acceptance: 0 t Start: 0 States: 1", "State: 0 State: 1", "no state 1"),
        ("Acceptance: 0 t Start: 0 States: 2", "State: 0 [0] 0", "describes state 1"),
        ("Acceptance: 0 t Start: 0", "State: 0 [0] 0 State: 0 [1] 0", "described before"),
        ("Acceptance: 0 t States: 1 States: 2", "", "already is a header `States`"),
        ("Acceptance: 0 t Start: 0", "State: 0 0 0", "some letters only"),
    ] {
        let error = with_body(header, body).expect_err(header);
        assert!(error.message.contains(message), "{error}");
    }
    let deep = format!("State: 0 [{}0] 0", "(".repeat(100_000));
    assert!(with_body("Acceptance: 0 t Start: 0", &deep).unwrap_err().message.contains("deeply"));
    assert!(read("").is_err() && read("HOA: v2").is_err() && read("HOA: v1 \"").is_err());
    assert!(read("HOA: v1 /* /* */").unwrap_err().message.contains("never closed"));
}
