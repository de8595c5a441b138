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
fn what_is_left_out_for_a_property_is_checked_on_demand() {
    let place = place();
    let said = place.run(&["check", "m.pml", "--check-reduction", "--reduce", "stubborn"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    for name in ["comes", "stays"] {
        let line = format!("checked: the reduction for `{name}` is sound: in ");
        let line = said.err.lines().find(|said| said.starts_with(&line)).expect("each property is checked");
        assert!(line.ends_with("the verdict is that of a full search (all of the model)"), "{said:?}");
    }
    // Inside the region there is a state that searches for other errors do not know.
    let region =
        Place::new().with("m.pml", "byte g;\nactive proctype P() { atomic { g = 1; g = 2 }; g = 0 }\n");
    let said = region.run(&["check", "m.pml", "--property", "accept", "--check-reduction"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let said = place.run(&["check", "m.pml", "--check-reduction=1", "--property", "claim:stays"]);
    assert_eq!(said.code, Some(3), "{said:?}");
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
    let model = "byte x; active proctype A() { x = 1 } never { byte n; do :: x == 0 -> n = x od }";
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

/// Accepts the runs in which `p` holds at some time and never from some later time on.
const AUTOMATON: &str = "\
HOA: v1
States: 3
Start: 0
AP: 1 \"p == 1\"
acc-name: Buchi
Acceptance: 1 Inf(0)
--BODY--
State: 0
[t] 0
[0] 1
State: 1
[t] 1
[!0] 2
State: 2 {0}
[!0] 2
--END--
";

#[test]
fn an_automaton_in_a_file_is_a_property() {
    let flips = "bit p; active proctype A() { p = 1; p = 0 } active proctype B() { byte x; x = 1; x = 2 }";
    let never = "never { T0: if :: true -> goto T0 :: p == 1 -> goto T1 fi;
                 T1: if :: true -> goto T1 :: !(p == 1) -> goto accept fi;
                 accept: if :: !(p == 1) -> goto accept fi }";
    let place = place().with("flips.pml", flips).with("f.hoa", AUTOMATON).with("f.never", never);
    for file in ["automaton:f.hoa", "hoa:f.hoa", "never:f.never"] {
        for reduction in ["auto", "none"] {
            let check = |model: &str| place.run(&["check", model, "--property", file, "--reduce", reduction]);
            assert_eq!(check("m.pml").code, Some(0), "{file}");
            let said = check("flips.pml");
            assert_eq!(said.code, Some(1), "{said:?}");
            assert!(!said.out.contains("nothing is reduced"), "{said:?}");
            assert_eq!(place.run(&["replay", "flips.pml.trail"]).code, Some(0));
        }
    }
    let said = place.run(&["check", "m.pml", "--property", "hoa:none.hoa"]);
    assert!(said.code == Some(2) && said.err.contains("there is no such file"), "{said:?}");
    place.write("f.hoa", AUTOMATON.replace("p == 1", "nobody"));
    assert_eq!(place.run(&["check", "m.pml", "--property", "hoa:f.hoa"]).code, Some(2));
    place.write("f.hoa", AUTOMATON.replace("[t] 1", "[t 1"));
    let said = place.run(&["check", "m.pml", "--property", "hoa:f.hoa"]);
    assert!(said.code == Some(2) && said.err.contains("f.hoa:"), "{said:?}");
}

#[test]
fn an_automaton_that_counts_states_turns_the_reduction_off() {
    let twice = "never { T0: if :: p -> goto T1 fi; T1: if :: p -> goto accept fi; accept: if :: true -> goto accept fi }";
    let model = "bit p = 1; active proctype A() { byte x; x = 1 } active proctype B() { p = 0 }";
    let place = Place::new().with("m.pml", model).with("twice.never", twice);
    let said = place.run(&["check", "m.pml", "--property", "never:twice.never"]);
    assert!(said.code == Some(1) && said.out.contains("how often a letter is repeated"), "{said:?}");
}

#[test]
fn nothing_is_the_shortest_run_of_a_property_that_holds() {
    let place = Place::new().with("m.pml", "bit g; active proctype P() { g = 1; g = 0 }");
    for formula in ["<>(g == 0)", "<>(g == 1)", "X(g == 1)", "[](g == 0 || g == 1)"] {
        for more in [&["--reduce", "auto"][..], &["--reduce", "none"], &["--fair", "strong"]] {
            let arguments = [&["check", "m.pml", "--ltl", formula, "--shortest"], more].concat();
            let said = place.run(&arguments);
            assert_eq!(said.code, Some(0), "{arguments:?}: {said:?}");
        }
    }
}

#[test]
fn a_step_that_waits_for_the_rest_is_met_where_the_property_does_not_look() {
    let model = "byte g; active proctype P() { g = 1; g = 2 } active proctype Q() { timeout; g = 3 }";
    // Of this region it must be looked for whether it ends, also where the property does not look.
    let region = "byte h; active proctype R() { atomic { do :: h > 7 -> h-- :: h <= 7 -> break od } }";
    let place = Place::new().with("m.pml", model).with("r.pml", format!("{model}\n{region}"));
    for model in ["m.pml", "r.pml"] {
        for fair in ["weak", "strong"] {
            let said = place.run(&["check", model, "--ltl", "(g > 9) U (g == 0)", "--fair", fair]);
            assert_eq!(said.code, Some(0), "{model} {fair}: {said:?}");
        }
    }
}

#[test]
fn a_run_of_an_optimised_program_is_one_of_the_program_as_it_was_written() {
    // The first time round `x` is 0 where it is dead, later 1.
    let once = "bit g; active proctype P() { byte x; do :: x = 1; g = x; g = 0 od }";
    let twice = "bit g; active proctype P() { byte x, y; do :: y = 3; x = y; g = x; x = 5; y = 7; g = 0 od }
                 active proctype Q() { byte z; z = 1; do :: z = 2; g = z - 2 od }";
    let place = Place::new().with("once.pml", once).with("twice.pml", twice);
    for model in ["once.pml", "twice.pml"] {
        for more in
            [&["--engine", "jit"][..], &["--engine", "interpreter"], &["--shortest"], &["--fair", "weak"]]
        {
            for optimise in ["dead", "merge", "all"] {
                let check = ["check", model, "--ltl", "<>[](g == 1)", "--optimise", optimise];
                let arguments = [&check[..], more].concat();
                let said = place.run(&arguments);
                assert_eq!(said.code, Some(1), "{arguments:?}: {said:?}");
                let unmerged = ["--fair", "--shortest"].contains(&more[0]) && optimise != "dead";
                assert_eq!(
                    said.out.contains("statements are not merged"),
                    unmerged,
                    "{arguments:?}: {said:?}"
                );
                let said = place.run(&["replay", &format!("{model}.trail")]);
                assert_eq!(said.code, Some(0), "{arguments:?}: {said:?}");
            }
        }
    }
    // The step of Q may come between the two of P, which `X` sees.
    let told = "bit g, h; active proctype P() { byte x; g = 1; x = 1; h = 1 } active proctype Q() { byte z; z = 1; z = 2 }";
    let place = place.with("told.pml", told);
    for optimise in ["none", "merge"] {
        let said = place.run(&[
            "check",
            "told.pml",
            "--ltl",
            "[]((g == 1) -> X X (h == 1))",
            "--optimise",
            optimise,
        ]);
        assert_eq!(said.code, Some(1), "{optimise}: {said:?}");
        assert_eq!(said.out.contains("statements are not merged"), optimise == "merge", "{said:?}");
    }
}

#[test]
fn a_run_that_ends_by_a_fault_in_a_region_counts() {
    let region = "byte x, y; active proctype P() { byte a; atomic { a = 1; y = a / y } } active proctype Q() { x = 1 }";
    let deterministic = region.replace("atomic", "d_step");
    let index = "byte x, y, b[2]; active proctype P() { byte a; atomic { a = 7; y = b[a] } } active proctype Q() { x = 1 }";
    let step = "byte x, y; active proctype P() { byte a; a = 1; y = a / y } active proctype Q() { x = 1 }";
    let place = Place::new().with("region.pml", region).with("index.pml", index).with("step.pml", step);
    let place = place.with("deterministic.pml", &deterministic);
    for model in ["region.pml", "deterministic.pml", "index.pml", "step.pml"] {
        // A run that ends goes round no cycle.
        for (what, code) in [(&["--ltl", "<> (y == 5)"][..], Some(1)), (&["--property", "progress"], Some(0))]
        {
            for more in [
                &["--reduce", "none"][..],
                &[],
                &["--threads", "2"],
                &["--fair", "weak"],
                &["--fair", "trace"],
            ] {
                let said = place.run(&[&["check", model], what, more].concat());
                assert_eq!(said.code, code, "{model} {what:?} {more:?}: {said:?}");
            }
        }
    }
    for more in [&["--reduce", "none"][..], &[], &["--threads", "2"]] {
        let said = place.run(&[&["check", "region.pml", "--ltl", "<> (x == 1)"], more].concat());
        assert_eq!(said.code, Some(1), "{more:?}: {said:?}");
    }
}

#[test]
fn conditions_that_can_not_be_computed_are_told() {
    let model = "byte a[2], i; active proctype P() { do :: i < 3 -> i++ :: else -> break od }";
    let place = Place::new().with("m.pml", model);
    for (formula, told) in [("[] (a[i] != 1)", true), ("[] (i < 4)", false)] {
        let said = place.run(&["check", "m.pml", "--ltl", formula]);
        let note =
            said.out.contains("`a[i] != 1` can't be computed in some states, and counts as false there");
        assert_eq!(note, told, "{formula}: {said:?}");
    }
}

#[test]
fn an_automaton_whose_states_are_not_all_there_is_refused() {
    let place = place().with("f.hoa", AUTOMATON.replace("[0] 1", "[0] 9"));
    let said = place.run(&["check", "m.pml", "--property", "automaton:f.hoa"]);
    assert!(said.code == Some(2) && said.err.contains("f.hoa:10:5"), "{said:?}");
    assert!(said.err.contains("there is no state 9"), "{said:?}");
}

#[test]
fn an_atom_of_an_automaton_may_be_a_combination_of_conditions() {
    let flips = "bit p; active proctype A() { p = 1; p = 0 }";
    let place = Place::new().with("flips.pml", flips);
    for atom in ["p == 1 && p == 1", "!(p == 0)", "p == 1 || false", "p == 0 -> p == 1", "p <-> true"] {
        place.write("f.hoa", AUTOMATON.replace("p == 1", atom));
        let said = place.run(&["check", "flips.pml", "--property", "automaton:f.hoa"]);
        assert_eq!(said.code, Some(1), "{atom}: {said:?}");
        assert_eq!(place.run(&["replay", "flips.pml.trail"]).code, Some(0), "{atom}");
    }
    for atom in ["X p", "<> (p == 1)", "p U p"] {
        place.write("f.hoa", AUTOMATON.replace("p == 1", atom));
        let said = place.run(&["check", "flips.pml", "--property", "automaton:f.hoa"]);
        assert_eq!(said.code, Some(2), "{atom}: {said:?}");
        assert!(said.err.contains("f.hoa:4:8") && said.err.contains("not of the future"), "{said:?}");
    }
    // Program text has several conditions in one guard, of which an atom is one.
    let program = "program p\nvar g: bit\nprocess P() {\n  start a\n  end location b\n  a -> b do g = 1\n}\nstart P()\n";
    place.write("p.mzk", program);
    place.write("f.hoa", AUTOMATON.replace("p == 1", "g == 1 && g == 1"));
    assert_eq!(place.run(&["check", "p.mzk", "--property", "automaton:f.hoa"]).code, Some(0));
    place.write("f.hoa", AUTOMATON.replace("p == 1", "g == 1, g == 0"));
    let said = place.run(&["check", "p.mzk", "--property", "automaton:f.hoa"]);
    assert!(said.code == Some(2) && said.err.contains("this is not one condition"), "{said:?}");
}

#[test]
fn what_is_wrong_with_an_atom_is_shown_where_it_was_written() {
    let net = "<pnml><net id=\"n\"><place id=\"a\"/><transition id=\"t\"/></net></pnml>";
    let place = place().with("n.pnml", net).with("p.mzk", crate::support::FINE);
    for model in ["m.pml", "p.mzk", "n.pnml"] {
        let said = place.run(&["check", model, "--ltl", "<> true || [](nosuch  == 1)"]);
        assert_eq!(said.code, Some(2), "{model}: {said:?}");
        assert!(said.err.contains("--ltl:1:15") && said.err.contains("nosuch"), "{model}: {said:?}");
        assert!(!said.err.contains("mazurka_formula"), "{model}: {said:?}");
    }
    place.write("f.hoa", AUTOMATON.replace("p == 1", "nosuch == 1"));
    let said = place.run(&["check", "m.pml", "--property", "automaton:f.hoa"]);
    assert!(said.code == Some(2) && said.err.contains("f.hoa:4:8"), "{said:?}");
    let said = place.run(&["check", "n.pnml", "--invariant", "a + nosuch <= 1"]);
    assert!(said.code == Some(2) && said.err.contains("--invariant:1:5"), "{said:?}");
}

#[test]
fn what_a_search_for_runs_can_not_do_is_refused_or_told() {
    let place = place();
    let formula = ["check", "m.pml", "--ltl", "[] true"];
    for (more, message) in [
        (&["--resume", "nowhere"][..], "leave --checkpoint and --resume out"),
        (&["--checkpoint", "saved"], "leave --checkpoint and --resume out"),
        (&["--swarm", "2"], "leave --swarm out"),
    ] {
        let said = place.run(&[&formula[..], more].concat());
        assert!(said.code == Some(2) && said.err.contains(message), "{more:?}: {said:?}");
    }
    let said = place.run(&[&formula[..], &["--search", "bfs"]].concat());
    assert!(said.code == Some(0) && said.out.contains("depth first"), "{said:?}");
    // Beside other properties they count for those.
    let said = place.run(&["check", "m.pml", "--checkpoint", "saved", "--max-errors", "0"]);
    assert!(said.out.contains("is not saved"), "{said:?}");
}

const MESSAGES: &str = "mtype = { a, b };
chan q = [2] of { mtype, byte };
active proctype P() { q!a(1); q!b(2) }
active proctype Q() { mtype m; byte n; q?m, n; q?m, _ }
";

#[test]
fn trace_assertions_are_assertions() {
    // In SPIN 6.5.2 the same ones are broken.
    for (trace, broken) in [
        ("trace { q!a, _; q!b, 2 }", false),
        ("trace { q!a, 2; q!b, _ }", true),
        ("trace { q!a, 1 }", true),
        ("trace { do :: q!a, _; q?a, _ :: q!b, _; q?b, _ od }", true),
        ("trace { q?a, 1; q?b, 2 }", false),
        ("trace { q?a, _; q?b, 1 }", true),
        ("notrace { q!a, _; q?a, _ }", true),
        ("notrace { q!b, _; q?a, _ }", false),
        ("notrace { q!a, _; q!b, 3 }", false),
    ] {
        let place = Place::new().with("m.pml", format!("{MESSAGES}{trace}"));
        for arguments in [&["--reduce", "none"][..], &[], &["--search", "bfs"]] {
            let said = place.run(&[&["check", "m.pml"], arguments].concat());
            assert_eq!(said.code, Some(i32::from(broken)), "{trace}: {said:?}");
        }
        if broken {
            let said = place.run(&["replay", "m.pml.trail"]);
            assert!(said.code == Some(0) && said.out.contains("trace_0"), "{said:?}");
        }
    }
    let refused = "trace { do :: q!a, _ :: q!_, 1 od }";
    let said = Place::new().with("m.pml", format!("{MESSAGES}{refused}")).run(&["check", "m.pml"]);
    assert!(said.code == Some(0) && said.err.contains("`trace_0` is left out"), "{said:?}");
}

#[test]
fn a_rendezvous_is_two_events() {
    let model =
        "chan c = [0] of { byte }; active proctype P() { c!1; c!2 } active proctype Q() { byte x; c?x; c?x }";
    for (trace, code) in
        [("trace { c!1; c?1; c!2; c?2 }", 0), ("trace { c!1; c!2 }", 0), ("trace { c!1; c?2 }", 1)]
    {
        let said = Place::new().with("m.pml", format!("{model}\n{trace}")).run(&["check", "m.pml"]);
        assert_eq!(said.code, Some(code), "{trace}: {said:?}");
    }
}

#[test]
fn a_claim_may_count() {
    let model = |least: u32| {
        format!(
            "byte x; active proctype P() {{ do :: x < 5 -> skip; skip; skip; skip; x++ od }}
             never {{ byte n; byte odd[2]; do
                      :: n < {least} && odd[n % 2] == 0 && x == n + 1 -> n++
                      :: n >= {least} -> break
                      :: else -> skip od }}"
        )
    };
    for (least, code) in [(3, 1), (5, 1), (6, 0)] {
        let place = Place::new().with("m.pml", model(least));
        let said = place.run(&["check", "m.pml", "--property", "claim"]);
        assert_eq!(said.code, Some(code), "{least}: {said:?}");
    }
    let stores = "byte x; active proctype P() { x = 3 } never { byte n; do :: n = x od }";
    let said = Place::new().with("m.pml", stores).run(&["check", "m.pml", "--property", "claim"]);
    assert!(said.code == Some(2) && said.err.contains("what the system looks like"), "{said:?}");
}

#[test]
fn modes_and_stores_are_chosen() {
    let place = place();
    let check = |arguments: &[&str]| {
        place.run(&[&["check", "m.pml", "--property", "claim:comes"], arguments].concat())
    };
    let fair = ["--fair", "trace"];
    assert_eq!(check(&fair).code, Some(0));
    assert_eq!(check(&[&fair[..], &["--reduce", "none+sleep"]].concat()).code, Some(0));
    assert_eq!(check(&["--representatives", "trace"]).code, Some(1));
    assert_eq!(check(&["--threads", "2"]).code, Some(1));
    assert_eq!(check(&["--threads", "2", "--representatives", "trace"]).code, Some(1));
    let said = check(&["--threads", "2", "--fair", "weak"]);
    assert!(said.code == Some(0) && said.out.contains("under fairness one thread"), "{said:?}");
    let said = check(&["--fair", "weak", "--representatives", "stutter"]);
    assert!(said.code == Some(0) && said.out.contains("stutter mode does not keep"), "{said:?}");
    for codec in ["plain", "tree", "collapse", "huffman", "rle", "compact-tree"] {
        assert_eq!(check(&["--codec", codec]).code, Some(1), "{codec}");
    }
    assert_eq!(check(&["--store", "disk"]).code, Some(1));
    let said = check(&["--store", "bitstate"]);
    assert!(said.code == Some(1) && said.out.contains("keeps all states"), "{said:?}");
}

#[test]
fn atomic_regions_and_deterministic_steps_are_one_step_to_a_property() {
    let place = Place::new()
        .with("through.pml", "byte x;\nactive proctype P() { do :: d_step { x = 1; x = 0 } od }\n")
        .with("around.pml", "byte x;\nactive proctype P() { do :: atomic { x = 1; x = 0 } od }\n")
        .with("past.pml", "byte x;\nactive proctype P() { d_step { x = 1; x = 2 }; do :: x = 3 od }\n")
        .with("inner.pml", "byte x;\nactive proctype P() { atomic { d_step { x = 1; x = 2 }; x = 3; x = 4 } }\n")
        .with(
            "waits.pml",
            "byte x, y, z;\nactive proctype P() { atomic { x = 1; (y == 1); x = 0 } }\nactive proctype Q() { z = 1; y = 1 }\n",
        )
        .with(
            "hands_on.pml",
            "chan c = [0] of { byte }; byte x, y;
            active proctype P() { atomic { x = 1; c!1; x = 2 }; do :: x = 3 od }
            active proctype Q() { byte b; atomic { c?b; y = 1; y = 2 } }\n",
        )
        .with("endless.pml", "bit x;\nactive proctype P() { d_step { do :: x = 1 - x od } }\n");
    let answers = [
        ("through.pml", "[] (x == 0)", Some(0)),
        ("around.pml", "[] (x == 0)", Some(0)),
        ("around.pml", "<> (x == 1)", Some(1)),
        ("past.pml", "<> (x == 1)", Some(1)),
        ("past.pml", "X (x == 2)", Some(0)),
        ("inner.pml", "<> (x == 3)", Some(1)),
        ("inner.pml", "X (x == 4)", Some(0)),
        // Who can't go on within a region stands where everyone sees it.
        ("waits.pml", "[] (x == 0 || z == 1)", Some(1)),
        ("hands_on.pml", "[] (y != 1)", Some(0)),
        ("hands_on.pml", "<> (x == 2)", Some(0)),
        ("hands_on.pml", "<> (y == 2)", Some(0)),
    ];
    let ways: [&[&str]; 6] = [
        &[],
        &["--threads", "2"],
        &["--emptiness", "ndfs"],
        &["--fair", "weak"],
        &["--fair", "weak", "--reduce", "none"],
        &["--representatives", "trace", "--reduce", "none+sleep"],
    ];
    for (model, formula, code) in answers {
        for way in ways {
            let said =
                place.run(&[&["check", model, "--ltl", formula, "--trail", "run.trail"], way].concat());
            assert_eq!(said.code, code, "{model}, {formula}, {way:?}: {said:?}");
            if code == Some(1) {
                assert_eq!(place.run(&["replay", "run.trail"]).code, Some(0), "{model}, {formula}, {way:?}");
            }
        }
    }
    // Acceptance labels are looked for inside of atomic sequences, but not of deterministic steps.
    let labelled = "byte x; active proctype P() { do :: REGION { x = 1; accept: x = 0 } od }";
    for (region, code) in [("atomic", Some(1)), ("d_step", Some(0))] {
        place.write("label.pml", labelled.replace("REGION", region));
        for way in ways {
            let said = place.run(&[&["check", "label.pml", "--property", "accept"], way].concat());
            assert_eq!(said.code, code, "{region}, {way:?}: {said:?}");
        }
    }
    for way in ways {
        let said = place.run(&[&["check", "endless.pml", "--ltl", "[] (x == 0)"], way].concat());
        assert_eq!(said.code, Some(3), "{way:?}: {said:?}");
    }
}

#[test]
fn a_run_that_ends_is_no_cycle_without_progress() {
    let ends = "byte x; active proctype P() { x = 1; x = 2 }";
    let blocks = "byte x; active proctype P() { x = 1; (x == 2) }";
    let left = "byte x; active proctype P() { do :: x < 3 -> x++ :: else -> break od }";
    let goes_on = "byte x; active proctype P() { do :: x = 1 - x :: x == 1 -> break od }";
    let inside = "byte x; active proctype P() { do :: atomic { skip; progress: x = x } od }";
    for (model, code) in [(ends, 0), (blocks, 0), (left, 0), (goes_on, 1), (inside, 1)] {
        let place = Place::new().with("m.pml", model);
        for way in [&[][..], &["--threads", "2"], &["--emptiness", "ndfs"], &["--fair", "weak"]] {
            let said = place.run(&[&["check", "m.pml", "--property", "progress"], way].concat());
            assert_eq!(said.code, Some(code), "{model}, {way:?}: {said:?}");
        }
    }
}

#[test]
fn a_property_is_asked_for_by_its_pattern() {
    let text = "byte x; active proctype P() { do :: x == 0 -> x = 1 :: x == 1 -> x = 0 od }";
    let place = Place::new().with("turn.pml", text);
    let said = place.run(&["check", "turn.pml", "--pattern", "response: x == 0 responds to x == 1"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let said = place.run(&["check", "turn.pml", "--pattern", "absence: x == 1 never occurs", "--quiet"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    let said = place.run(&["check", "turn.pml", "--pattern", "universality: x == 0"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("again and again"), "{said:?}");
}
