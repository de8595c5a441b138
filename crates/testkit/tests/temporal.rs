//! Temporal properties under every reduction: programs that tell a correct reduction from a wrong one, and
//! random programs with random formulas.

use mazurka_engine::Verdict::{self, Holds, Violated};
use mazurka_engine::temporal::{Fairness, Representatives};
use mazurka_front::promela::{Options, lower, parse};
use mazurka_model::{Access, Atoms};
use mazurka_testkit::temporal::{Case, METHODS, Tally, Way, check_reductions, compare, config, violated};

fn case(model: &str) -> Case {
    let parsed = parse("model.pml", model, &Options::default());
    let lowered = lower::lower("model.pml", &parsed);
    let program =
        lowered.program.unwrap_or_else(|| panic!("{:?} {:?}", parsed.diagnostics, lowered.diagnostics));
    Case::new(program).unwrap()
}

/// The answer to the first property of a model, which must be the same under every reduction and order.
#[track_caller]
fn verdict(model: &str, fairness: Fairness) -> Verdict {
    let case = case(model);
    let mut verdicts = Vec::new();
    for method in METHODS {
        for order in ["forward", "reverse", "random:7"] {
            verdicts.push(case.check(fairness, &config(method, order)).unwrap().0);
            let way = Way { fairness, representatives: Representatives::Trace, ..Way::default() };
            for sleep in ["", "+sleep"] {
                let config = config(&format!("{method}{sleep}"), order);
                verdicts.push(case.search(way, &config).unwrap().verdict);
            }
        }
    }
    assert!(verdicts.windows(2).all(|pair| pair[0] == pair[1]), "{verdicts:?}");
    if let Some(expected) = violated(&case, fairness, 10_000) {
        assert_eq!(expected, verdicts[0] == Violated);
    }
    verdicts[0]
}

const LOOP: &str = "active proctype A() { bit x; do :: x = 1 - x od }\n";

#[test]
fn the_proviso_is_not_on_the_product() {
    let model = format!(
        "bit p;\n{LOOP}active proctype B() {{ p = 1; do :: p od }}\n
         never {{
         s0: if :: !p -> goto s1 :: !p -> goto t :: !p -> goto accept fi;
         s1: if :: !p -> goto s0 fi;
         t: if :: !p -> goto accept fi;
         accept: if :: p -> goto accept fi
         }}"
    );
    assert_eq!(verdict(&model, Fairness::None), Violated);
}

#[test]
fn one_choice_serves_all_product_states() {
    // The automaton passes the same states of the system again and again, in different states of its own.
    let model = |formula| {
        format!(
            "bit p, q;\n{LOOP}active proctype B() {{ p = 1; q = 1; do :: p = 1 - p od }}\nltl {{ {formula} }}"
        )
    };
    assert_eq!(verdict(&model("!([]<> p && []<> !p)"), Fairness::None), Violated);
    assert_eq!(verdict(&model("!(<> (p && !q && <> (p && q && <> (!p && q))))"), Fairness::None), Violated);
    assert_eq!(verdict(&model("[] (q -> [] q)"), Fairness::None), Holds);
}

#[test]
fn visible_steps_are_not_reordered() {
    let model = |formula| {
        format!(
            "bit p, q; active proctype A() {{ p = 1 }} active proctype B() {{ q = 1 }} ltl {{ {formula} }}"
        )
    };
    assert_eq!(verdict(&model("!<> (p && !q)"), Fairness::None), Violated);
    assert_eq!(verdict(&model("!<> (q && !p)"), Fairness::None), Violated);
    assert_eq!(verdict(&model("<> (p && q)"), Fairness::None), Holds);
}

#[test]
fn an_invariant_over_two_processes_is_not_missed() {
    let model = |formula| {
        format!(
            "bit x, y; active proctype A() {{ x = 1; x = 0 }} active proctype B() {{ y = 1; y = 0 }} ltl {{ {formula} }}"
        )
    };
    assert_eq!(verdict(&model("[] !(x && y)"), Fairness::None), Violated);
    assert_eq!(verdict(&model("[] (x <= 1)"), Fairness::None), Holds);
    let locals = "active proctype A() { byte i; i = 1; i = 2 } active proctype B() { byte j; j = 1; j = 2 }
                  ltl { [] !(A:i == 1 && B:j == 1) }";
    assert_eq!(verdict(locals, Fairness::None), Violated);
}

#[test]
fn fairness_is_an_assumption_and_no_default() {
    let model = format!("bit p;\n{LOOP}active proctype B() {{ p = 1 }}\nltl {{ <> p }}");
    assert_eq!(verdict(&model, Fairness::None), Violated);
    assert_eq!(verdict(&model, Fairness::Weak), Holds);
    assert_eq!(verdict(&model, Fairness::Strong), Holds);
}

#[test]
fn finite_runs_stand_still() {
    let model = |formula| format!("bit p; active proctype A() {{ p = 1 }} ltl {{ {formula} }}");
    assert_eq!(verdict(&model("<> [] p"), Fairness::None), Holds);
    assert_eq!(verdict(&model("[] <> p"), Fairness::None), Holds);
    assert_eq!(verdict(&model("[] <> !p"), Fairness::None), Violated);
}

#[test]
fn both_orders_of_two_writes_count_under_fairness() {
    let model = "byte n; active proctype P() { n = 1 } active proctype Q() { n = 2 } ltl { <> [] (n == 1) }";
    assert_eq!(verdict(model, Fairness::None), Violated);
    assert_eq!(verdict(model, Fairness::Weak), Violated);
    assert_eq!(verdict(model, Fairness::Strong), Violated);
}

#[test]
fn a_semaphore_needs_strong_fairness() {
    let model = "bit taken; bit inside;
        active proctype A() { do :: atomic { !taken -> taken = 1 }; taken = 0 od }
        active proctype B() { atomic { !taken -> taken = 1 }; inside = 1 }
        ltl { <> inside }";
    assert_eq!(verdict(model, Fairness::Weak), Violated);
    assert_eq!(verdict(model, Fairness::Strong), Holds);
}

#[test]
fn states_inside_atomic_regions_are_not_seen() {
    let model = "bit p; active proctype A() { atomic { p = 1; p = 0 } } active proctype B() { byte x; x = 1 }
        ltl { [] !p }";
    assert_eq!(verdict(model, Fairness::None), Holds);
    // Where the region can't go on the state is one like any other.
    let waiting = "bit p, q; active proctype A() { atomic { p = 1; q; p = 0 } } active proctype B() { q = 1 }
        ltl { [] (!p || q) }";
    assert_eq!(verdict(waiting, Fairness::None), Violated);
    assert_eq!(verdict(&waiting.replace("(!p || q)", "<> !p"), Fairness::Weak), Holds);
}

#[test]
fn next_is_checked_without_reduction() {
    let one = |formula| format!("bit p; active proctype A() {{ p = 1 }} ltl {{ {formula} }}");
    assert_eq!(verdict(&one("X p"), Fairness::None), Holds);
    assert_eq!(verdict(&one("X !p"), Fairness::None), Violated);
    let two = one("X p") + " active proctype B() { skip }";
    assert_eq!(verdict(&two, Fairness::None), Violated);
}

#[test]
fn remote_locations_and_progress_are_seen() {
    let model = "active proctype A() { skip; here: skip } active proctype B() { byte x; x = 1; x = 2 }
        ltl { [] !(A@here && B:x == 0) }";
    assert_eq!(verdict(model, Fairness::None), Violated);
    let model = |label| {
        format!("{LOOP}active proctype B() {{ bit y; do :: y = 1; {label} y = 0 od }} ltl {{ [] <> !np_ }}")
    };
    assert_eq!(verdict(&model("progress:"), Fairness::None), Violated);
    assert_eq!(verdict(&model("progress:"), Fairness::Weak), Holds);
    assert_eq!(verdict(&model(""), Fairness::Weak), Violated);
}

#[test]
fn every_reduction_agrees_with_the_whole_product_on_random_programs() {
    let mut tally = Tally::default();
    let mut seed = 0;
    while tally.cases < 300 {
        if let Err(difference) = compare(seed, 1_500, &mut tally) {
            panic!("{difference}");
        }
        seed += 1;
    }
    // Agreement about nothing would be none.
    assert!(tally.violated > 60 && tally.violated < 240, "{tally:?}");
    assert!(tally.strongly > 20 && tally.strongly < tally.violated, "{tally:?}");
    assert!(tally.reduced < tally.full, "{tally:?}");
    assert!(tally.claims > 10 && tally.invariant > 150 && tally.safety > 20, "{tally:?}");
    assert!(tally.nets > 50 && tally.by_traces >= tally.weakly, "{tally:?}");
    assert!(tally.fair_reduced < tally.fair_full && tally.trace_reduced < tally.trace_full, "{tally:?}");
}

fn reductions_keep_what_they_promise(seeds: std::ops::Range<u64>) {
    let mut sets = 0;
    for seed in seeds.clone() {
        sets += check_reductions(seed, 400).unwrap_or_else(|breach| panic!("{breach}"));
    }
    println!("something was left out in {sets} states");
    assert!(sets > 10 * (seeds.end - seeds.start), "something was left out in {sets} states only");
}

#[test]
fn what_is_left_out_of_random_models_is_persistent_invisible_and_on_no_cycle() {
    reductions_keep_what_they_promise(0..150);
}

#[test]
#[ignore = "takes long"]
fn what_is_left_out_of_many_random_models_is_persistent_invisible_and_on_no_cycle() {
    reductions_keep_what_they_promise(1_000..11_000);
}

/// Atoms that conceal what they look at.
struct Concealing<'a>(&'a dyn Atoms);

impl Atoms for Concealing<'_> {
    fn count(&self) -> usize {
        self.0.count()
    }

    fn letter(&self, state: &[u8]) -> u64 {
        self.0.letter(state)
    }

    fn looks_at(&self, _atom: usize, _out: &mut Vec<Access>) -> bool {
        true
    }
}

#[test]
fn the_checked_mode_sees_that_visible_steps_are_reordered() {
    let case =
        case("bit p, q;\nactive proctype A() { p = 1 }\nactive proctype B() { q = 1 }\nltl { [] (q -> p) }");
    let atoms = case.atoms();
    let (way, config) =
        (Way { representatives: Representatives::Stutter, ..Way::default() }, config("stubborn", "forward"));
    let honest = case.check_reduction(&*atoms, way, &config);
    assert_eq!((honest.breaches.len(), honest.cut), (0, false), "{honest:?}");
    let report = case.check_reduction(&Concealing(&*atoms), way, &config);
    let breach = report.breaches.first().expect("a step that is seen is taken alone");
    assert!(breach.message.contains("changes what the property sees"), "{breach:?}");
}

/// A program that found a defect once: where every step fails nobody can move, with sleep sets too.
#[test]
fn where_every_step_fails_nobody_can_move() {
    let mut tally = Tally::default();
    compare(18_754, 2_000, &mut tally).unwrap_or_else(|difference| panic!("{difference}"));
    // Inside an atomic region, too.
    compare(3_972, 2_000, &mut tally).unwrap_or_else(|difference| panic!("{difference}"));
    assert_eq!(tally.cases, 2);
}

#[test]
fn a_lasso_does_not_stray_into_a_region_that_leads_to_the_same_state() {
    let model = "bit p; active proctype A() { if :: atomic { p = 1; p = 0 } :: p = 0 fi } ltl { <> p }";
    assert_eq!(verdict(model, Fairness::None), Violated);
}

/// No write is invisible here, and each component of the formula looks at one process.
#[test]
fn trace_mode_reduces_where_everything_is_visible() {
    let model = "bit p, q, r; active proctype A() { p = 1 } active proctype B() { q = 1 } active proctype C() { r = 1 }
        ltl { <> p && <> q && <> r }";
    let states = |fairness, method| {
        let way = Way { fairness, ..Way::default() };
        let answer = case(model).search(way, &config(method, "forward")).unwrap();
        assert_eq!(answer.verdict, Holds);
        answer.states
    };
    // Without fairness only the ends of the processes are invisible.
    assert!(states(Fairness::Trace, "auto") < states(Fairness::None, "auto"));
    assert!(2 * states(Fairness::Trace, "auto") < states(Fairness::Trace, "none"));
    // The same formula in one piece keeps the order of all three.
    let joint = model.replace("<> p && <> q && <> r", "<> (p && q && r)");
    assert_eq!(verdict(&joint, Fairness::Trace), Holds);
}

/// By the assumption (*) nobody is put off by what has nothing to do with them; who competes for something may be.
#[test]
fn trace_fairness_is_weaker_than_weak() {
    let alone = format!("bit p;\n{LOOP}active proctype B() {{ p = 1 }}\nltl {{ <> p }}");
    assert_eq!(verdict(&alone, Fairness::Trace), Holds);
    let model =
        "byte x; bit p; active proctype A() { do :: x = 1 :: x = 2 od } active proctype B() { x = 3; p = 1 }
        ltl { <> p }";
    assert_eq!(verdict(model, Fairness::Trace), Violated);
    assert_eq!(verdict(model, Fairness::Weak), Holds);
}

/// A run that breaks a property of safety goes on fairly afterwards, so fairness changes nothing (Theorem 4.6).
#[test]
fn safety_needs_no_fairness() {
    let model = |formula| {
        format!(
            "byte u, v; active proctype C() {{ u = 1; u = 2 }} active proctype D() {{ v = 1; v = 2 }}
             {LOOP} ltl {{ {formula} }}"
        )
    };
    for (formula, expected) in
        [("[] (u <= 2)", Holds), ("[] !(u == 1 && v == 1)", Violated), ("(u < 2) W (v == 2)", Violated)]
    {
        for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong, Fairness::Trace] {
            assert_eq!(verdict(&model(formula), fairness), expected, "{formula} {fairness}");
        }
    }
}

/// What sleeps because a region was entered elsewhere relies on where that region ended, which may be a state that is not done.
#[test]
fn a_step_into_a_region_puts_nothing_to_sleep() {
    let model = "bit h, g; active proctype A() { do :: atomic { skip; skip }; skip od }
        active proctype B() { bit x; do :: x = g; h = 1 od }
        ltl { ! <> (g == 0) }";
    assert_eq!(verdict(model, Fairness::Weak), Violated);
}

/// Nothing is seen of a run that never leaves an atomic region, so nothing is said to hold of it.
#[test]
fn an_endless_region_leaves_the_question_open() {
    let model = "bit p; active proctype A() { bit x; x = 1; atomic { do :: x = 1 - x od } } active proctype B() { p = 1 }
        ltl { <> p }";
    let case = case(model);
    for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong, Fairness::Trace] {
        for method in METHODS {
            let found = case.check(fairness, &config(method, "forward")).unwrap().0;
            assert_eq!(found, Verdict::Unknown, "{fairness} {method}");
        }
    }
}

/// With sleep sets the whole graph is made first. A region in it that the property does not come to is no question.
#[test]
fn an_endless_region_behind_the_answer_is_none_of_its_business() {
    let found = |property: &str| {
        let region = "bit p; active proctype A() { bit x; x = 1; atomic { do :: x = 1 - x od } }";
        let case = case(&format!("{region} active proctype B() {{ p = 1 }} ltl {{ <> {property} }}"));
        let way = Way { representatives: Representatives::Trace, ..Way::default() };
        case.search(way, &config("none+sleep", "forward")).unwrap().verdict
    };
    assert_eq!(found("(p == 0)"), Verdict::Holds);
    assert_eq!(found("p"), Verdict::Unknown);
}
