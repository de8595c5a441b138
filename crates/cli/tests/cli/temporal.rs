//! Temporal properties from outside: formulas, claims, fairness, lassos and their trails.

use crate::support::Place;

const STARVING: &str = "\
bit p;
active proctype A() { bit x; do :: x = 1 - x od }
active proctype B() { p = 1 }
ltl comes { <> p }
ltl stays { [] (p -> [] p) }
";

fn place() -> Place {
    Place::new().with("m.pml", STARVING)
}

#[test]
fn the_properties_of_a_model_are_checked_by_name_or_all() {
    let place = place();
    let said = place.run(&["check", "m.pml"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("a run breaks the formula comes"), "{said:?}");
    assert!(said.out.contains("again and again:"), "{said:?}");
    assert!(said.out.contains("not checked any more: stays"), "{said:?}");
    let said = place.run(&["check", "m.pml", "--property", "claim:stays"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("no run breaks the property"), "{said:?}");
    let said = place.run(&["check", "m.pml", "--property", "claim:goes"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("comes, stays"), "{said:?}");
    assert_eq!(place.run(&["check", "m.pml", "--property", "deadlock"]).code, Some(0));
}

#[test]
fn fairness_is_assumed_if_asked() {
    let place = place();
    assert_eq!(place.run(&["check", "m.pml", "--property", "claim", "--fair", "weak"]).code, Some(0));
    assert_eq!(place.run(&["check", "m.pml", "--property", "claim", "--fair", "strong"]).code, Some(0));
    assert_eq!(place.run(&["check", "m.pml", "--property", "claim", "--fair", "none"]).code, Some(1));
    assert_eq!(place.run(&["check", "m.pml", "--fair", "perhaps"]).code, Some(2));
}

#[test]
fn formulas_come_from_the_command_line_in_either_spelling() {
    let place = place().with("m.mzk", crate::support::FINE);
    for formula in
        ["[] (p -> [] p)", "G(p -> G p)", "always (p == 1 implies always p != 0)", "!<>(p && <> !p)"]
    {
        let said = place.run(&["check", "m.pml", "--ltl", formula]);
        assert_eq!(said.code, Some(0), "{formula}: {said:?}");
    }
    let said = place.run(&["check", "m.pml", "--ltl", "[] !p", "--quiet"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.starts_with("a run breaks the formula [] !p\n"), "{said:?}");
    let said = place.run(&["check", "m.mzk", "--ltl", "F (x == 1)"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let said = place.run(&["check", "m.mzk", "--ltl", "G (x == 0)"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    for wrong in ["[] (", "[] nobody", "p U"] {
        let said = place.run(&["check", "m.pml", "--ltl", wrong]);
        assert_eq!(said.code, Some(2), "{wrong}: {said:?}");
    }
}

#[test]
fn a_lasso_is_saved_and_replayed() {
    let place = place();
    for arguments in [&["--ltl", "<> p"][..], &["--property", "claim:comes"], &["--property", "progress"]] {
        let said = place.run(&[&["check", "m.pml", "--trail", "run.trail"], arguments].concat());
        assert_eq!(said.code, Some(1), "{said:?}");
        let said = place.run(&["replay", "run.trail"]);
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(said.out.contains("again and again"), "{said:?}");
    }
    assert_eq!(place.run(&["msc", "run.trail"]).code, Some(0));
    let text = place.read("run.trail");
    assert!(text.contains("\"property\": \"progress\"") && text.contains("\"repeats\": "), "{text}");
    place.write("run.trail", text.replace("\"repeats\": ", "\"repeats\": 1"));
    let said = place.run(&["replay", "run.trail"]);
    assert_eq!(said.code, Some(2), "{said:?}");
}

#[test]
fn the_json_has_each_property_and_where_a_run_repeats() {
    let place = place();
    let said = place.run(&["check", "m.pml", "--json", "--max-errors", "0"]);
    let json: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(json["verdict"], "violated");
    assert_eq!(json["temporal"][0]["name"], "comes");
    assert_eq!(json["temporal"][0]["verdict"], "violated");
    assert_eq!(json["temporal"][1]["verdict"], "holds");
    assert_eq!(json["violations"][0]["kind"], "temporal");
    assert_eq!(json["violations"][0]["repeats"], 0);
}

#[test]
fn acceptance_and_progress_look_at_labels() {
    let finite = "active proctype A() { byte x; do :: x < 3 -> accept: x++ :: else -> break od }";
    let place = Place::new().with("labels.pml", finite);
    assert_eq!(place.run(&["check", "labels.pml", "--property", "accept"]).code, Some(0));
    // Who stands at a label while others go round passes it again and again.
    let beside = format!("{finite} active proctype B() {{ bit y; do :: y = 1; progress: y = 0 od }}");
    place.write("labels.pml", beside);
    assert_eq!(place.run(&["check", "labels.pml", "--property", "accept"]).code, Some(1));
    assert_eq!(place.run(&["check", "labels.pml", "--property", "progress"]).code, Some(0));
    place.write("labels.pml", "active proctype A() { bit x; do :: x = 1; accept: x = 0 od }");
    assert_eq!(place.run(&["check", "labels.pml", "--property", "accept"]).code, Some(1));
    assert_eq!(place.run(&["check", "labels.pml", "--property", "progress"]).code, Some(1));
}

#[test]
fn nested_search_answers_the_same() {
    let place = place();
    assert_eq!(
        place.run(&["check", "m.pml", "--property", "claim:comes", "--emptiness", "ndfs"]).code,
        Some(1)
    );
    assert_eq!(
        place.run(&["check", "m.pml", "--property", "claim:stays", "--emptiness", "ndfs"]).code,
        Some(0)
    );
    let said =
        place.run(&["check", "m.pml", "--property", "claim:comes", "--emptiness", "ndfs", "--fair", "weak"]);
    assert!(said.code == Some(0) && said.out.contains("strong components are followed"), "{said:?}");
    assert_eq!(place.run(&["check", "m.pml", "--emptiness", "luck"]).code, Some(2));
}

#[test]
fn a_claim_that_can_not_be_checked_is_named() {
    let model = "byte x; active proctype A() { x = 1 } never { byte n; do :: x == 0 -> n++ od }";
    let place = Place::new().with("own.pml", model);
    let said = place.run(&["check", "own.pml"]);
    assert!(said.code == Some(0) && said.err.contains("`never_0` is left out"), "{said:?}");
    assert_eq!(place.run(&["check", "own.pml", "--property", "claim"]).code, Some(2));
}

#[test]
fn a_limit_leaves_a_property_open() {
    let place = Place::new().with("large.mzk", crate::support::large());
    let said =
        place.run(&["check", "large.mzk", "--ltl", "G (x < 256)", "--states", "1000", "--reduce", "none"]);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.out.contains("unknown"), "{said:?}");
}

#[test]
fn a_shortest_run_is_found() {
    let place = Place::new().with(
        "long.pml",
        "byte n; active proctype A() { do :: n < 100 -> n++ :: n == 100 -> n = 99 :: n == 3 -> n = 2 od }",
    );
    let said = place.run(&["check", "long.pml", "--ltl", "!([]<> (n > 2))", "--shortest", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(json["violations"][0]["depth"], 8, "{said:?}");
    assert_eq!(json["violations"][0]["repeats"], 4, "{said:?}");
}
