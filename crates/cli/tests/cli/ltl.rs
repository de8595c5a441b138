//! `mazurka ltl` from outside.

use crate::support::Place;

#[test]
fn a_formula_is_shown_in_every_format() {
    let place = Place::new();
    for (format, begins) in [
        ("text", "formula     []<>p"),
        ("hoa", "HOA: v1"),
        ("dot", "digraph"),
        ("never", "never { /* []<>p */"),
    ] {
        let said = place.run(&["ltl", "G F p", "--format", format]);
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(said.out.starts_with(begins), "{said:?}");
    }
    let said = place.run(&["ltl", "G F p & G F q", "--generalised"]);
    assert!(said.out.contains("2 acceptance sets on edges: 1 state, 4 edges"), "{said:?}");
}

#[test]
fn a_pattern_is_a_formula() {
    let place = Place::new();
    let said = place.run(&["ltl", "--pattern", "response: q responds to p after r"]);
    assert!(said.out.starts_with("formula     [](r -> [](p -> <>q))\n"), "{said:?}");
    let said = place.run(&["ltl", "--pattern", "absence: p", "--negate"]);
    assert!(said.out.starts_with("formula     ![]!p\n"), "{said:?}");
}

#[test]
fn automata_are_read_from_files() {
    let place = Place::new();
    for format in ["hoa", "never"] {
        let written = place.run(&["ltl", "[](p -> X q)", "--format", format]).out;
        place.write("automaton", &written);
        let again = place.run(&["ltl", "--automaton", "automaton", "--format", "hoa"]);
        assert!(again.out.contains("States: 2\n"), "{again:?}");
        let shown = place.run(&["ltl", "--automaton", "automaton"]);
        assert!(shown.out.starts_with("stuttering  matters"), "{shown:?}");
    }
}

#[test]
fn what_is_wrong_is_shown_with_its_place() {
    let place = Place::new();
    let said = place.run(&["ltl", "p untl q"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("formula:1:3") && said.err.contains("did you mean `until`?"), "{said:?}");
    assert_eq!(place.run(&["ltl"]).code, Some(2));
    assert_eq!(place.run(&["ltl", "p", "--pattern", "absence: p"]).code, Some(2));
    assert_eq!(place.run(&["ltl", "p", "--generalised", "--format", "never"]).code, Some(2));
    assert_eq!(place.run(&["ltl", "--automaton", "nowhere"]).code, Some(2));
    place.write("wrong", "never { goto nowhere }");
    let said = place.run(&["ltl", "--automaton", "wrong"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("wrong:1:14"), "{said:?}");
}
