//! Networks of machines: how they are read, how they are executed, and what is said of mistakes.

use mazurka_front::vfsm::{Parsed, VfsmSystem, parse};
use mazurka_model::source::Severity;
use mazurka_model::{Batch, Chosen, Step, System, ViolationKind};

fn read(text: &str) -> Parsed {
    parse("test.vfsm", text, &[])
}

fn system(text: &str) -> VfsmSystem {
    let parsed = read(text);
    VfsmSystem::new(parsed.network.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics)))
}

/// The errors of a text: line, column and message.
fn errors(text: &str) -> Vec<(usize, usize, String)> {
    let parsed = read(text);
    assert!(parsed.network.is_none(), "there should be an error");
    let wrong = parsed.diagnostics.iter().filter(|one| one.severity == Severity::Error);
    let place = |span| parsed.sources.locate(span).map_or((0, 0), |at| (at.line, at.column));
    wrong
        .map(|one| {
            let (line, column) = one.span.map_or((0, 0), place);
            (line, column, one.message.clone())
        })
        .collect()
}

fn warnings(text: &str) -> Vec<String> {
    let parsed = read(text);
    assert!(parsed.network.is_some(), "{:?}", parsed.diagnostics);
    parsed.diagnostics.into_iter().map(|one| one.message).collect()
}

/// A run that always takes the first successor of the step with this text: the values at its end.
fn follow(system: &VfsmSystem, wanted: &[&str]) -> Vec<(String, String)> {
    let mut batch = Batch::default();
    system.initial(&mut batch);
    let mut state = batch.state(0).to_vec();
    for text in wanted {
        let step = find(system, &state, text);
        batch.clear();
        system.expand(&state, Chosen::Steps(&[step]), &mut batch);
        assert!(batch.violations().is_empty(), "{text}: {:?}", batch.violations());
        state = batch.state(0).to_vec();
    }
    system.describe().values(&state)
}

fn find(system: &VfsmSystem, state: &[u8], wanted: &str) -> Step {
    let mut enabled = Vec::new();
    system.enabled(state, &mut enabled);
    let words = |step: &Step| {
        let text = system.describe().step(state, *step);
        format!("{} {}", text.process, text.text)
    };
    let found = enabled.iter().find(|step| words(step).starts_with(wanted));
    *found.unwrap_or_else(|| {
        panic!("{wanted} is not among {:?}", enabled.iter().map(words).collect::<Vec<_>>())
    })
}

fn value<'v>(values: &'v [(String, String)], name: &str) -> &'v str {
    values.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
}

const SMALL: &str = "system s { processor p { m: M; } }";

/// The violations of the first steps.
fn first_violations(text: &str) -> Vec<ViolationKind> {
    let system = system(text);
    let (mut first, mut batch) = (Batch::default(), Batch::default());
    system.initial(&mut first);
    system.expand(first.state(0), Chosen::All, &mut batch);
    batch.violations().iter().map(|one| one.kind).collect()
}

#[test]
fn the_example_of_the_paper_is_executed_as_the_paper_says() {
    let text = include_str!("../../../testdata/vfsm/handshake.vfsm");
    let system = system(text);
    let values = follow(&system, &["sender ?GO", "peer ?MSG1 / O_REPLY"]);
    assert_eq!(value(&values, "sender"), "S_SEND_REQ");
    assert_eq!(value(&values, "sender.T"), "running");
    assert_eq!(value(&values, "switch queue"), "[sender.ACK]");
    let values =
        follow(&system, &["sender ?GO", "peer ?MSG1 / O_REPLY", "sender ?ACK / O_MSG_OK, O_STOP_TIMER"]);
    assert_eq!(value(&values, "sender"), "S_SEND_NEXT_MSG");
    assert_eq!(value(&values, "sender.T"), "stopped");
    assert_eq!(value(&values, "sender.VIR"), "{I_ACK}");
    let values = follow(&system, &["sender ?GO", "sender.T expires", "sender ?T / O_REPORT_ERROR"]);
    assert_eq!(value(&values, "sender"), "S_ERROR");
}

#[test]
fn processes_have_priorities_and_internal_messages_come_first() {
    let text = "machine A(peer) { inputs I; outputs O; events E; on E: +I; do O: send peer.E; S initial end { IA: I ? O; } }
        machine B { inputs I; events E; on E: +I; S initial end { D: I; } }
        system s { processor p {
            process high { h: B; }
            process low { a: A(b); b: B; }
        } processor q { x: A(h); }
        initially a.E, b.E, x.E; }";
    let system = system(text);
    let mut batch = Batch::default();
    system.initial(&mut batch);
    let state = batch.state(0).to_vec();
    // One machine of each processor is enabled, whatever lies in the other queues.
    let mut enabled = Vec::new();
    system.enabled(&state, &mut enabled);
    assert_eq!(enabled.len(), 2);
    // The message to a machine of the same process overtakes the one that came from outside.
    let values = follow(&system, &["a ?E / O", "b ?E"]);
    assert_eq!((value(&values, "low internal"), value(&values, "low queue")), ("[]", "[b.E]"));
    // A message to the process of higher priority disables what was enabled before.
    let values = follow(&system, &["x ?E / O", "h ?E", "a ?E"]);
    assert_eq!(value(&values, "low internal"), "[b.E]");
}

#[test]
fn what_goes_wrong_is_reported() {
    let machine = |body: &str| {
        format!(
            "machine M {{ inputs I, J; outputs O, P; events E; timers strict T; on E: +I; on T: +J;
             do O: start T, start T; do P: send m.E; {body} }}
             system s {{ processor p internal 1 {{ m: M; }} initially m.E; }}"
        )
    };
    assert_eq!(first_violations(&machine("S { }")), [ViolationKind::Reception]);
    assert_eq!(first_violations(&machine("S { D: I; }")), []);
    assert_eq!(first_violations(&machine("S { NS: I > S; }")), [ViolationKind::Fault]);
    assert_eq!(first_violations(&machine("S { D: *; A: !I; }")), [ViolationKind::Assertion]);
    assert_eq!(first_violations(&machine("S { IA: I ? O; }")), [ViolationKind::Assertion]);
    assert_eq!(first_violations(&machine("S { IA: I ? P; }")), []);
    assert_eq!(first_violations(&machine("S { IA: I ? P, P; }")), [ViolationKind::Overflow]);
}

#[test]
fn feedback_changes_the_register_at_once_and_alternatives_are_steps() {
    let text = "machine M { inputs I, J, K; outputs O; events E, F; on E: +I; on F: -I +J | +K; do O: feedback F | nothing;
        S { IA: I ? O; NS: J > A; K > B; } A end { D: *; } B end { } }
        system s { processor p { m: M; } initially m.E; }";
    let system = system(text);
    let (mut first, mut batch) = (Batch::default(), Batch::default());
    system.initial(&mut first);
    system.expand(first.state(0), Chosen::All, &mut batch);
    let ends: Vec<String> = (0..batch.len())
        .map(|index| {
            let values = system.describe().values(batch.state(index));
            format!("{} {}", value(&values, "m"), value(&values, "m.VIR"))
        })
        .collect();
    assert_eq!(ends, ["A {J}", "B {I, K}", "S {I}"]);
}

#[test]
fn families_and_constants_make_states() {
    let text = "const N = 2; machine M(n) { inputs I; events E; on E: +I;
        S[i in 0..n] initial { NS: I > S[i + 1] else DONE; } DONE end { D: I; } }
        system s { processor p { m: M(N); } initially m.E; }";
    let three = parse("test.vfsm", text, &[("N".to_owned(), "3".to_owned())]);
    let states = |parsed: &Parsed| parsed.network.as_ref().map(|one| one.machines[0].states.len());
    assert_eq!((states(&read(text)), states(&three)), (Some(4), Some(5)));
    let values = follow(&system(text), &["m ?E > S[1] > S[2] > DONE"]);
    assert_eq!(value(&values, "m"), "DONE");
    let wrong = parse("test.vfsm", text, &[("K".to_owned(), "3".to_owned())]);
    assert!(wrong.diagnostics[0].message.contains("no constant `K`"));
}

#[test]
fn mistakes_are_told_where_they_are() {
    let of_machine = |body: &str| {
        errors(&format!("{SMALL}\nmachine M {{ inputs I; outputs O; events E; on E: +I;\n{body} }}"))
    };
    let only = |body: &str, line, column, message: &str| {
        let found = of_machine(body);
        assert_eq!(found, [(line, column, message.to_owned())], "{body}");
    };
    only("S { NS: X > S; }", 3, 9, "the machine `M` has no input `X`");
    only("S { NS: I > T; }", 3, 13, "the machine `M` has no state `T`");
    only("S { E: P; }", 3, 8, "the machine `M` has no output `P`");
    only("S { } S { }", 3, 7, "the state `S` is declared twice");
    only("S { F: E; }", 3, 8, "the machine `M` is not free, so it can't act by itself");
    only("do O: start T; S { }", 3, 13, "the machine `M` has no timer `T`");
    only("do O: send x.E; S { }", 3, 12, "there is no machine `x`");
    only("do O: send m.F; S { }", 3, 14, "the machine `M` has no event `F`");
    only(
        "do O: jump; S { }",
        3,
        7,
        "`send`, `start`, `stop`, `feedback` or `nothing` is expected here, not `jump`",
    );
    only("S { IA: I > S; }", 3, 11, "`?` is expected here, not `>`");
    only("S { NS: (I > S; }", 3, 12, "`)` is expected here, not `>`");
    only("S[i in 1..2] { NS: I > S[i + 1]; }", 3, 24, "there is no state `S[3]`");
    only("S[i in 1..2] { NS: I > S; }", 3, 24, "`S` is a family of states: which one is meant?");
    only("on E: nothing; S { }", 3, 4, "the mapping of event `E` is declared twice");
    let message = |text: &str| errors(text).into_iter().map(|(_, _, message)| message).collect::<Vec<_>>();
    assert_eq!(message("machine M { S { } }"), ["there is no system: nothing says which machines there are"]);
    assert_eq!(message("system s { processor p { m: N; } }"), ["there is no machine `N`"]);
    assert_eq!(
        message("machine M(x) { S { } } system s { processor p { m: M; } }"),
        ["`M` has 1 parameters, and 0 are given"]
    );
    assert_eq!(
        message("machine M { events E; S { } } system s { processor p { m: M; } }"),
        ["nothing says which inputs the event `E` stands for"]
    );
    assert_eq!(
        message("machine M { S { } } system s { processor p queue 0 { m: M; } }"),
        ["a queue holds 1 to 1000 messages, not 0"]
    );
    assert_eq!(
        message("free machine M { S { } } system s { processor p { m: M; n: M; } }"),
        ["the process `p` has a second free machine"]
    );
    assert_eq!(
        message("machine M { S { /* } }"),
        ["this comment has no end", "`}` is expected here, not the end of the file"]
    );
    // One run reports mistakes in several places.
    let several = of_machine("do O: jump;\nS { NS: X > S; }\nT { IA I ? O; }");
    assert_eq!(several.iter().map(|(line, _, _)| *line).collect::<Vec<_>>(), [3, 4, 5]);
}

#[test]
fn odd_things_are_warned_of() {
    let text = format!(
        "{SMALL} machine M {{ inputs I, J; outputs O; events E, F; on E: +I; on F: +I; S initial {{ IA: I ? O; }} T {{ }} }}
         machine N {{ S {{ }} }}"
    );
    let expected = [
        "nobody sends `E` to `M`",
        "nobody sends `F` to `M`",
        "the input `J` is never produced",
        "the output `O` has no mapping",
        "no next-state condition leads to the state `T`",
        "the machine `N` is in no process",
    ];
    let found = warnings(&text);
    for one in expected {
        assert!(found.iter().any(|message| message == one), "{one}: {found:?}");
    }
    assert_eq!(found.len(), expected.len(), "{found:?}");
}

#[test]
fn the_examples_have_no_warnings() {
    for (name, text) in [
        ("handshake", include_str!("../../../testdata/vfsm/handshake.vfsm")),
        ("voice_storage", include_str!("../../../testdata/vfsm/voice_storage.vfsm")),
        ("mfc", include_str!("../../../testdata/vfsm/mfc.vfsm")),
        ("cd_remove_restore", include_str!("../../../testdata/vfsm/cd_remove_restore.vfsm")),
        ("speech_handler", include_str!("../../../testdata/vfsm/speech_handler.vfsm")),
    ] {
        assert_eq!(warnings(text), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn any_part_of_a_file_is_read_without_panic() {
    let text = include_str!("../../../testdata/vfsm/mfc.vfsm");
    for end in (0..text.len()).step_by(37).filter(|end| text.is_char_boundary(*end)) {
        read(&text[..end]);
        read(&text[end..]);
    }
    // Every token left out once.
    let small = include_str!("../../../testdata/vfsm/handshake.vfsm");
    let words: Vec<&str> = small.split_inclusive([' ', ';', '{', '}', ':', '\n']).collect();
    for gap in 0..words.len() {
        let rest: String =
            words.iter().enumerate().filter(|(index, _)| *index != gap).map(|(_, word)| *word).collect();
        if let Some(network) = read(&rest).network {
            let system = VfsmSystem::new(network);
            let mut batch = Batch::default();
            system.initial(&mut batch);
            let mut next = Batch::default();
            system.expand(batch.state(0), Chosen::All, &mut next);
        }
    }
}
