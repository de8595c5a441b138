//! What becomes of a model: refusals, properties, what is executed, and faults.

use mazurka_front::promela::{Options, lower, parse};
use mazurka_model::source::Severity;
use mazurka_model::{Batch, Chosen, Describe, ProcessId, System, ViolationKind};
use mazurka_program::Interpreter;
use mazurka_program::ir::{Formula, FormulaOperator, Program, PropertyKind};
use std::collections::HashSet;

fn lowered(text: &str) -> Result<Program, Vec<String>> {
    let parsed = parse("model", text, &Options::default());
    let lowered = lower::lower("model", &parsed);
    let errors = parsed.diagnostics.iter().chain(&lowered.diagnostics);
    let errors = errors.filter(|d| d.severity == Severity::Error).map(|d| d.message.clone()).collect();
    lowered.program.ok_or(errors)
}

#[track_caller]
fn refused(text: &str, message: &str) {
    match lowered(text) {
        Ok(_) => panic!("accepted: {text}"),
        Err(errors) => assert_eq!(errors, [message], "{text}"),
    }
}

/// All faults of a model, and the statements that no step executes.
#[track_caller]
fn explored(text: &str) -> (HashSet<String>, Vec<String>) {
    let program = lowered(text).unwrap_or_else(|errors| panic!("{errors:?}"));
    let system = Interpreter::new(program).unwrap_or_else(|errors| panic!("{errors:?}"));
    let (mut batch, mut faults) = (Batch::default(), HashSet::new());
    system.initial(&mut batch);
    let mut work: Vec<Vec<u8>> = vec![batch.state(0).to_vec()];
    let mut seen: HashSet<Vec<u8>> = work.iter().cloned().collect();
    while let Some(state) = work.pop() {
        batch.clear();
        system.expand(&state, Chosen::All, &mut batch);
        for violation in batch.violations().iter().filter(|v| v.kind == ViolationKind::Fault) {
            faults.insert(system.violation(violation).text);
        }
        for index in 0..batch.len() {
            let next = batch.state(index).to_vec();
            if seen.insert(next.clone()) {
                work.push(next);
            }
        }
    }
    let covered = |number: u32| batch.covered().get(number as usize).copied().unwrap_or(false);
    let unreached = system.places().into_iter().filter(|p| !covered(p.number)).map(|p| p.text).collect();
    (faults, unreached)
}

#[test]
fn what_spin_refuses_is_refused() {
    let rendezvous = "chan q = [0] of { byte };";
    refused(
        &format!("{rendezvous} active proctype P() priority 2 {{ q!1 }} active proctype Q() {{ q?_ }}"),
        "priorities can't be combined with rendezvous channels",
    );
    refused(
        &format!("{rendezvous} active proctype P() {{ enabled(1); q!1 }} active proctype Q() {{ q?_ }}"),
        "`enabled` can't be combined with rendezvous channels",
    );
    refused(
        "chan q = [1] of { byte }; active proctype P() { xs q; if :: q!1 :: else fi } active proctype Q() { q?_ }",
        "`else` beside channel operations, with `xr` or `xs`",
    );
    assert!(lowered("chan q = [1] of { byte }; init { if :: q!1 :: else fi; q?_ }").is_ok());
    refused("byte x; proctype P() { skip } init { x = (x && run P()) }", "`run` can't stand here");
    let many =
        "chan a[200] = [1] of { bit }; chan b[56] = [1] of { bit }; init { a[0]!1; b[0]!1; a[0]?_; b[0]?_ }";
    refused(many, "256 channels exist at the start, more than 255");
}

#[test]
fn properties_are_carried_along() {
    let program = lowered(
        "byte x; chan q = [1] of { byte };
         active proctype P() { x = 1; here: q!x; q?_ }
         never { progress: do :: x > 1 -> break :: else od }
         trace { do :: q!_; q?_ od }
         ltl p { [] (x < 2) U <> P@here }
         ltl { X (x == 1) }",
    );
    let program = program.unwrap_or_else(|errors| panic!("{errors:?}"));
    let names: Vec<(&str, &str)> =
        program.properties.iter().map(|p| (p.name.as_str(), p.kind.name())).collect();
    let expected =
        [("never_0", "never claim"), ("trace_0", "trace assertion"), ("p", "formula"), ("ltl_1", "formula")];
    assert_eq!(names, expected);
    assert!(program.validate().is_empty());
    let PropertyKind::Never(automaton) = &program.properties[0].kind else { panic!() };
    assert!(automaton.locations[automaton.start.index()].progress);
    assert!(automaton.locations.iter().any(|l| l.end));
    let PropertyKind::Trace { sends, negated: false, .. } = &program.properties[1].kind else { panic!() };
    assert_eq!(sends.iter().filter(|send| **send).count(), 1);
    let PropertyKind::Formula(Formula::Binary(FormulaOperator::Until, left, right)) =
        &program.properties[2].kind
    else {
        panic!()
    };
    assert!(matches!(**left, Formula::Always(_)) && matches!(**right, Formula::Eventually(_)));
    assert_eq!(program.types.len(), 1, "a claim is no process");
}

#[test]
fn a_statement_is_executed_if_any_copy_of_it_is() {
    let (_, unreached) =
        explored("byte x; active proctype P() { { x = 1; x = 2; x = 3; x = 4 } unless { x == 2; x = 9 } }");
    assert_eq!(unreached, ["P: x = 3", "P: x = 4"]);
}

#[test]
fn what_no_path_leads_to_is_never_executed() {
    let (_, unreached) = explored(
        "byte x; active proctype P() { L0: x = 1; goto L0; L1: x = 2; goto L1; { x = 3 } unless { x == 4 } }",
    );
    assert_eq!(unreached, ["P: x = 2", "P: (x == 4)", "P: x = 3", "P: -end-"]);
    let (_, unreached) = explored(
        "byte x; active proctype P() { do :: x == 1 -> break; x = 2 :: else -> d_step { x = 3; goto done; x = 4; done: x = 1 } od }",
    );
    assert_eq!(unreached, ["P: x = 2", "P: x = 4"]);
}

#[test]
fn only_statements_of_the_source_are_never_executed() {
    // The step that leaves the choice, and with it the inner atomic sequence, is in no source.
    let (_, unreached) = explored(
        "byte x; active proctype P() { x == 1; atomic { if :: x = 2 -> x = 3 :: x = 4 fi; do :: break :: x = 5 od }; atomic { if :: x = 6; fi } }",
    );
    let statements = ["(x == 1)", "x = 2", "x = 4", "x = 3", "break", "x = 5", "x = 6", "-end-"];
    let unreached: HashSet<String> = unreached.into_iter().collect();
    assert_eq!(unreached, statements.map(|statement| format!("P: {statement}")).into());
}

#[test]
fn the_end_of_a_process_is_at_its_closing_brace() {
    let program = lowered("active proctype P() { skip }").unwrap_or_default();
    let system = Interpreter::new(program).unwrap_or_else(|errors| panic!("{errors:?}"));
    let place = system.places().into_iter().find(|place| place.text == "P: -end-");
    assert_eq!(place.and_then(|place| place.span).map(|span| (span.start, span.end)), Some((27, 28)));
}

#[test]
fn a_model_without_a_process_is_refused() {
    for text in ["", "byte x;", "proctype P() { skip }", "active [0] proctype P() { skip }"] {
        refused(text, "no process runs in this model");
    }
    let parsed = parse("model", "byte x; proctype P(byte n) { x = n }", &Options::default());
    let lowered = lower::lower("model", &parsed);
    let help = lowered.diagnostics.iter().find_map(|diagnostic| diagnostic.help.as_deref());
    assert_eq!(help, Some("write `active proctype P`, or `init { run P(…) }`"));
}

#[test]
fn questions_without_an_answer_are_faults() {
    let (faults, _) = explored("active proctype P() { L: skip } active proctype Q() { P[1]@L }");
    assert_eq!(faults, HashSet::from(["the process with this number is of another type in: P[1]@L".into()]));
    let circle = "whether a process can move depends on itself in: enabled";
    let (faults, _) = explored("active proctype P() { enabled(1) } active proctype Q() { enabled(0) }");
    assert_eq!(faults, HashSet::from([format!("{circle}(1)"), format!("{circle}(0)")]));
    let (faults, _) = explored("active proctype P() { enabled(0) }");
    assert_eq!(faults, HashSet::from([format!("{circle}(0)")]));
    let (faults, _) = explored("active proctype P() { set_priority(0, 256) }");
    assert_eq!(
        faults,
        HashSet::from(["a priority is not between 1 and 255 in: set_priority(0, 256)".into()])
    );
    let (faults, _) = explored("chan STDIN; byte c; init { STDIN?c }");
    assert_eq!(faults, HashSet::from(["no such channel in: STDIN?c".into()]));
}

/// The false assertions of a model.
#[track_caller]
fn violated(text: &str) -> HashSet<String> {
    let program = lowered(text).unwrap_or_else(|errors| panic!("{errors:?}"));
    let system = Interpreter::new(program).unwrap_or_else(|errors| panic!("{errors:?}"));
    let mut batch = Batch::default();
    system.initial(&mut batch);
    let mut work: Vec<Vec<u8>> = vec![batch.state(0).to_vec()];
    let (mut seen, mut found) = (HashSet::new(), HashSet::new());
    while let Some(state) = work.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        batch.clear();
        system.expand(&state, Chosen::All, &mut batch);
        found.extend(batch.violations().iter().map(|violation| system.violation(violation).text));
        work.extend((0..batch.len()).map(|index| batch.state(index).to_vec()));
    }
    found
}

#[test]
fn a_d_proctype_keeps_its_promise_or_not() {
    let broken = |statement: &str| {
        HashSet::from([format!("P is not deterministic: it can do something else instead of: {statement}")])
    };
    let model = |body: &str| {
        format!(
            "byte x; chan q = [1] of {{ byte }}; active D_proctype P() {{ {body} }} active proctype Q() {{ x = 2; q!1; q?_ }}"
        )
    };
    assert_eq!(violated(&model("if :: x = 1 :: x = 3 fi")), broken("x = 3"));
    assert_eq!(violated(&model("if :: x == 2 -> x = 3 :: x >= 2 fi")), broken("(x >= 2)"));
    assert_eq!(violated(&model("if :: q?[1] -> skip :: q?x fi")), broken("q?x"));
    assert_eq!(violated(&model("if :: q?x :: x == 2 -> skip fi")), broken("(x == 2)"));
    assert_eq!(
        violated(&model("if :: x == 2 -> x = 3 :: x == 0 :: else fi; if :: x == 1 :: else fi")),
        [].into()
    );
    assert_eq!(violated(&model("{ x == 0; x == 9 } unless { x == 2 }")), [].into());
    assert_eq!(violated(&model("d_step { if :: x < 2 :: x < 3 fi }; x = 5")), [].into());
    // In an ordinary proctype it is a choice.
    assert_eq!(violated("byte x; active proctype P() { if :: x = 1 :: x = 3 fi }"), [].into());
}

#[test]
fn assertions_are_shown_as_promela_has_them() {
    let text = "chan q = [1] of { byte }; byte x[2];
        active proctype A() { byte l; L: q!l; q?l; (false) }
        active proctype B() { assert(!(A[0]@L)); assert(A[0]:l == 1); assert(q??[eval(x[0])]); assert(x[1] == 1) }";
    let program = lowered(text).unwrap_or_else(|errors| panic!("{errors:?}"));
    let system = Interpreter::new(program).unwrap_or_else(|errors| panic!("{errors:?}"));
    let (mut batch, mut shown) = (Batch::default(), Vec::new());
    system.initial(&mut batch);
    let mut state = batch.state(0).to_vec();
    for _ in 0..4 {
        batch.clear();
        system.expand(&state, Chosen::Process(ProcessId(1)), &mut batch);
        shown.extend(batch.violations().iter().map(|violation| system.violation(violation).text));
        state = batch.state(0).to_vec();
    }
    let conditions = ["!(A[0]@L)", "(A[0]:l) == 1", "q??[eval(x[0])]", "x[1] == 1"];
    assert_eq!(shown, conditions.map(|condition| format!("assertion {condition} is false")));
}

#[test]
fn a_blocked_d_step_names_the_statement_that_blocks() {
    let (faults, _) = explored("byte x; active proctype P() { d_step { x = 1; x = 2; x == 3; x = 4 } }");
    assert_eq!(faults, HashSet::from(["a deterministic step blocks in: (x == 3)".into()]));
    let (faults, _) =
        explored("byte x; active proctype P() { d_step { x = 1; if :: x == 5 -> x = 6 :: x == 7 fi } }");
    assert_eq!(faults, HashSet::from(["a deterministic step blocks in: (x == 5)".into()]));
}

#[test]
fn processes_and_channels_are_limited_as_in_spin() {
    let (faults, _) = explored("proctype P() { (false) } init { do :: run P() od }");
    assert_eq!(faults, HashSet::from(["too many processes in: run P()".into()]));
    let (faults, _) =
        explored("proctype P() { chan own[30] = [1] of { bit }; (false) } init { do :: run P() od }");
    assert_eq!(faults, HashSet::from(["too many channels in: run P()".into()]));
}
