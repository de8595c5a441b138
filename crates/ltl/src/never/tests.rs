//! Claims written and read back accept the same; what SPIN and people write is read.

use super::{read, write};
use crate::automaton::Automaton;
use crate::formula::Formulas;
use crate::parse::{ParseError, parse};
use crate::random::Random;
use crate::translate::translate;

/// Whether an automaton over p and q and a formula agree on random words.
fn agrees(automaton: &Automaton, text: &str) {
    let mut formulas = Formulas::new();
    ["p", "q"].iter().for_each(|name| _ = formulas.atom(name));
    let formula = parse(&mut formulas, text).unwrap();
    let index: Vec<usize> =
        automaton.atoms().iter().map(|a| formulas.atoms().iter().position(|b| a == b).unwrap()).collect();
    let mut random = Random::new(2);
    for _ in 0..300 {
        let word = random.word(2, 4);
        let expected = crate::lasso::holds(&formulas, formula, &word);
        assert_eq!(automaton.accepts(&word, &index), expected, "{text} of {word:?}");
    }
}

#[test]
fn what_is_written_is_read_back() {
    for text in ["[](p -> <>q)", "p U q", "[]<>p && []<>q", "false", "true", "<>[]p || X q"] {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, text).unwrap();
        let translation = translate(&mut formulas, formula).unwrap();
        let written = write(&translation.buchi, Some(text)).expect("a Büchi automaton");
        agrees(&read(&written).unwrap_or_else(|error| panic!("{written}\n{error}")), text);
    }
}

#[test]
fn only_state_based_automata_can_be_written() {
    let mut formulas = Formulas::new();
    let formula = parse(&mut formulas, "G F p & G F q").unwrap();
    assert_eq!(write(&translate(&mut formulas, formula).unwrap().generalised, None), None);
}

#[test]
fn the_usual_claims_are_read() {
    for (claim, text) in [
        ("never { do :: p -> break :: else od; accept: do :: true od }", "<>p"),
        (
            "never { T0: if :: (!p && q) -> goto T0 :: p -> goto accept_all fi; accept_all: skip }",
            "(!p && q) U p",
        ),
        ("never { do :: atomic { (!(p)) -> assert(!(!(p))) } :: (1) od }", "<>!p"),
        ("never { /* a */ p; q; accept_x: progress: do :: skip od // b\n}", "p && X q"),
        ("never { p -> q }", "p && X q"),
        ("never { accept_a: accept_b: do :: p od }", "[]p"),
        ("never named { do :: true :: p -> goto accept_S1 od; accept_S1: do :: p :: (p -> q) od }", "<>p"),
    ] {
        let automaton = read(claim).unwrap_or_else(|error| panic!("{claim}: {error}"));
        agrees(&automaton, text);
    }
}

#[test]
fn choices_may_be_nested() {
    // Two steps at a time, which the logic can't say; but q must come, and may come after any even number.
    let claim = read("never { do :: if :: p -> skip :: q -> break fi od; accept: do :: 1 od }").unwrap();
    for (text, meets) in [
        ("[] !q", false),
        ("!q && !p", false),
        ("!q && X q && X X (!p && !q)", false),
        ("!q && X !q && X X q && p", true),
        ("q", true),
    ] {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, text).unwrap();
        let automaton = translate(&mut formulas, formula).unwrap().buchi;
        assert_eq!(crate::reduce::intersect(&claim, &automaton), Some(meets), "{text}");
    }
}

fn error(text: &str) -> ParseError {
    read(text).expect_err(text)
}

#[test]
fn what_is_wrong_is_said_where_it_is() {
    let missing = error("never { goto nowhere }");
    assert_eq!((missing.start, missing.end), (13, 20));
    assert_eq!(missing.message, "there is no label `nowhere`");
    let guard = error("never { do :: (p &&) od }");
    assert_eq!(guard.start, 19);
    for (text, message) in [
        ("", "begins with `never`"),
        ("never { p", "statement or a `}`"),
        ("never { a: a: p }", "already is a label"),
        ("never { break }", "no loop"),
        ("never { do od }", "`::`"),
        ("never { if :: p od }", "`fi`"),
        ("never { [] p }", "not of the future"),
        ("never { p; assert(q) }", "deny"),
        ("never { p } q", "nothing after"),
        ("never { /* p }", "never closed"),
    ] {
        assert!(error(text).message.contains(message), "{text}: {}", error(text));
    }
    assert!(error(&format!("never {{ {}", "do :: ".repeat(100_000))).message.contains("deeply"));
    let circle = read("never { a: goto b; b: goto a }").unwrap();
    assert!(crate::reduce::is_empty(&circle));
}
