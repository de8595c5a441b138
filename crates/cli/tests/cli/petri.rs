//! Petri nets from outside: every command that takes a model takes a net.

use crate::support::Place;

/// A net of the corpus.
fn corpus(name: &str) -> String {
    let path = format!("{}/../../testdata/petri/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("the corpus is there")
}

fn nets() -> Place {
    let names =
        ["philosophers.pnml", "mutex.pnml", "broken_mutex.pnml", "unbounded.pnml", "grows_large.pnml"];
    names.iter().fold(Place::new(), |place, name| place.with(name, corpus(name)))
}

#[test]
fn deadlocks_are_found_and_replayed() {
    let place = nets();
    let said = place.run(&["check", "philosophers.pnml"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("takeLeft0") && said.out.contains("think0 + fork0 -> left0"), "{said:?}");
    let said = place.run(&["replay", "philosophers.pnml.trail"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let said = place.run(&["check", "philosophers.pnml", "--reduce", "none", "--max-errors", "0"]);
    assert!(said.out.contains("34 states"), "{said:?}");
    assert_eq!(place.run(&["check", "mutex.pnml"]).code, Some(0));
}

#[test]
fn invariants_are_checked_with_reduction() {
    let place = nets();
    let invariant = ["--invariant", "critical0 + critical1 <= 1"];
    let run = |file: &str| place.run(&[&["check", file][..], &invariant].concat());
    assert_eq!(run("mutex.pnml").code, Some(0));
    let said = run("broken_mutex.pnml");
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("the invariant `critical0 + critical1 <= 1` is false"), "{said:?}");
    let said = place.run(&["replay", "broken_mutex.pnml.trail"]);
    assert!(said.code == Some(2) && said.err.contains("--invariant"), "{said:?}");
    let said = place.run(&[&["replay", "broken_mutex.pnml.trail"][..], &invariant].concat());
    assert_eq!(said.code, Some(0), "{said:?}");
    let said = place.run(&["check", "mutex.pnml", "--invariant", "nobody <= 1"]);
    assert!(said.code == Some(2) && said.err.contains("--invariant:1:1"), "{said:?}");
}

#[test]
fn growth_without_bound_is_told_from_growth() {
    let place = nets();
    let said = place.run(&["check", "unbounded.pnml"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(
        said.out.contains("the net is unbounded") && said.out.contains("`left` gets more tokens"),
        "{said:?}"
    );
    assert_eq!(place.run(&["replay", "unbounded.pnml.trail"]).code, Some(0));
    let said = place.run(&["check", "grows_large.pnml"]);
    assert!(said.code == Some(1) && !said.out.contains("unbounded"), "{said:?}");
    assert!(said.out.contains("to = 400"), "{said:?}");
    assert_eq!(place.run(&["replay", "grows_large.pnml.trail"]).code, Some(0));
}

#[test]
fn the_contest_gets_its_answers() {
    let property =
        |id: &str, formula: &str| format!("<property><id>{id}</id><formula>{formula}</formula></property>");
    let count = "<integer-le><integer-constant>2</integer-constant><tokens-count><place>critical0</place>\
                 <place>critical1</place></tokens-count></integer-le>";
    let fireable = "<is-fireable><transition>leave0</transition></is-fireable>";
    let text = [
        property("a", &format!("<exists-path><finally>{count}</finally></exists-path>")),
        property("b", &format!("<all-paths><globally><negation>{count}</negation></globally></all-paths>")),
        property("c", &format!("<exists-path><finally>{fireable}</finally></exists-path>")),
        property("d", "<exists-path><finally><deadlock/></finally></exists-path>"),
        property("e", &format!("<all-paths><finally>{fireable}</finally></all-paths>")),
        property(
            "f",
            &format!(
                "<all-paths><globally><finally><negation>{count}</negation></finally></globally></all-paths>"
            ),
        ),
        property(
            "g",
            &format!(
                "<all-paths><until><before><negation>{fireable}</negation></before><reach><next>{count}</next>\
                 </reach></until></all-paths>"
            ),
        ),
        property("h", &format!("<exists-path><globally>{fireable}</globally></exists-path>")),
    ];
    let place = nets().with("p.xml", format!("<property-set>{}</property-set>", text.concat()));
    for (file, expected) in [
        ("mutex.pnml", ["a FALSE", "b TRUE", "c TRUE", "d FALSE", "e FALSE", "f TRUE", "g FALSE"]),
        ("broken_mutex.pnml", ["a TRUE", "b FALSE", "c TRUE", "d FALSE", "e FALSE", "f TRUE", "g FALSE"]),
    ] {
        for reduction in ["auto", "none", "stubborn", "conditional+sleep", "local"] {
            let said = place.run(&["check", file, "--contest", "p.xml", "--reduce", reduction]);
            assert_eq!(said.code, Some(3), "{said:?}");
            let lines: Vec<&str> = said.out.lines().collect();
            assert_eq!(lines.len(), 8, "{said:?}");
            for (line, answer) in lines.iter().zip(expected) {
                assert!(line.starts_with(&format!("FORMULA {answer} TECHNIQUES ")), "{reduction}: {line}");
            }
            assert_eq!(lines[7], "FORMULA h CANNOT_COMPUTE");
        }
    }
    let said = place.run(&["check", "unbounded.pnml", "--contest", "p.xml"]);
    assert!(said.code == Some(2) && said.err.contains("p.xml:1:"), "{said:?}");
}

#[test]
fn formulas_over_markings_are_checked_and_their_runs_replayed() {
    let place = nets();
    for (formula, code) in [
        ("[] (critical0 + critical1 <= 1)", 0),
        ("[] <> (critical0 >= 1)", 1),
        ("[] (fireable(leave0) -> critical0 >= 1)", 0),
        ("(critical0 == 0) U fireable(leave0)", 1),
        ("X deadlock", 1),
    ] {
        for reduction in ["auto", "none", "stubborn", "ample"] {
            let said = place.run(&["check", "mutex.pnml", "--ltl", formula, "--reduce", reduction]);
            assert_eq!(said.code, Some(code), "{formula} {reduction}: {said:?}");
            if code == 1 {
                assert!(said.out.contains("again and again:"), "{said:?}");
                let said = place.run(&["replay", "mutex.pnml.trail"]);
                assert_eq!(said.code, Some(0), "{said:?}");
            }
        }
    }
    let said = place.run(&["check", "mutex.pnml", "--ltl", "[] nobody >= 1"]);
    assert!(said.code == Some(2) && said.err.contains("the net has no place `nobody`"), "{said:?}");
    let said = place.run(&["check", "mutex.pnml", "--property", "progress"]);
    assert!(said.code == Some(2) && said.err.contains("a net states no property"), "{said:?}");
}

#[test]
fn runs_of_a_net_that_outgrows_its_words_are_searched_again_or_reported() {
    let place = nets();
    let said = place.run(&["check", "unbounded.pnml", "--ltl", "[] <> (there >= 7)", "--reduce", "none"]);
    assert!(said.code == Some(1) && said.out.contains("the net is unbounded"), "{said:?}");
    let said = place.run(&["check", "grows_large.pnml", "--ltl", "<> (to == 400)"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let said = place.run(&["check", "grows_large.pnml", "--ltl", "[] (to < 300)"]);
    assert!(said.code == Some(1) && said.out.contains("the formula [] (to < 300)"), "{said:?}");
    assert_eq!(place.run(&["replay", "grows_large.pnml.trail"]).code, Some(0));
}

/// What the tokens of an unbounded net never decide is not decided.
#[test]
fn an_unbounded_net_has_no_certain_no() {
    let formula = |place: &str, least: u32| {
        format!(
            "<property><id>{place}</id><formula><exists-path><finally><integer-le><integer-constant>{least}\
             </integer-constant><tokens-count><place>{place}</place></tokens-count></integer-le></finally>\
             </exists-path></formula></property>"
        )
    };
    let text = format!("<property-set>{}{}</property-set>", formula("left", 7), formula("there", 2));
    let place = nets().with("p.xml", text);
    let said = place.run(&["check", "unbounded.pnml", "--contest", "p.xml", "--reduce", "none"]);
    let lines: Vec<&str> = said.out.lines().collect();
    assert!(lines[0].starts_with("FORMULA left TRUE TECHNIQUES"), "{said:?}");
    assert_eq!(lines[1], "FORMULA there CANNOT_COMPUTE", "{said:?}");
}

#[test]
fn nets_are_drawn_simulated_compared_and_explained() {
    let place = nets();
    let said = place.run(&["graph", "mutex.pnml", "--automata"]);
    assert!(said.code == Some(0) && said.out.contains("shape=ellipse"), "{said:?}");
    let said = place.run(&["graph", "mutex.pnml", "--svg", "states.svg"]);
    assert!(said.code == Some(0) && place.read("states.svg").contains("<svg"), "{said:?}");
    let said = place.run(&["simulate", "mutex.pnml", "--seed", "1", "--steps", "300"]);
    assert!(said.out.contains("lock + wait1 -> critical1"), "{said:?}");
    let said = place.run(&["compare", "philosophers.pnml"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let said = place.run(&["explain", "philosophers.pnml"]);
    assert!(said.code == Some(0) && said.out.contains("Consume(1)"), "{said:?}");
    let said =
        place.run(&["check", "philosophers.pnml", "--verify-model", "--check-reduction", "--trail", "x"]);
    assert!(said.err.contains("the reduction is sound in 34 states"), "{said:?}");
}
