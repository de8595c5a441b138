//! Networks of virtual finite state machines from outside: every command that takes a model takes one.

use crate::support::Place;

/// A model of the corpus.
fn corpus(name: &str) -> String {
    let path = format!("{}/../../testdata/vfsm/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("the corpus is there")
}

/// Two talkers for a queue with room for one message.
const CROWD: &str = "machine TALKER(to) { inputs I; outputs O; events E; on E: +I; do O: send to.E;
    S initial progress { NS: I > T; } T end { E: O; D: I; } }
machine LISTENER { inputs I; events E; on E: +I; S initial end { } }
system crowd { processor p queue 1 { l: LISTENER; } processor q { a: TALKER(l); } processor r { b: TALKER(l); }
    initially a.E, b.E; }
";

fn models() -> Place {
    let models = ["handshake.vfsm", "crossing.scxml", "cd_remove_restore.vfsm"];
    models.iter().fold(Place::new().with("crowd.vfsm", CROWD), |place, name| place.with(name, corpus(name)))
}

#[test]
fn an_overflow_says_which_send_it_was_and_is_replayed() {
    let place = models();
    for reduce in ["none", "auto", "persistent", "deletion", "stubborn+sleep"] {
        let said = place.run(&["check", "crowd.vfsm", "--reduce", reduce]);
        assert_eq!(said.code, Some(1), "{said:?}");
        let message = "the queue of p is full: `l.E` does not fit behind 1 messages";
        assert!(said.out.contains(message) || said.out.contains("`E` is not expected"), "{said:?}");
    }
    let said = place.run(&["check", "crowd.vfsm", "--max-errors", "0", "--reduce", "none", "--json"]);
    assert!(said.out.contains("\"overflow\"") && said.out.contains("\"unexpected\""), "{said:?}");
    // Overflows are told whatever is asked for, where they are met.
    let said = place.run(&["check", "crowd.vfsm", "--property", "deadlock", "--reduce", "none"]);
    assert!(said.code == Some(1) && said.out.contains("executed by"), "{said:?}");
    let said = place.run(&["replay", "crowd.vfsm.trail"]);
    assert!(said.code == Some(0) && said.out.contains("p queue"), "{said:?}");
    let said = place.run(&["msc", "crowd.vfsm.trail"]);
    assert!(said.code == Some(0) && said.out.contains("l.E"), "{said:?}");
}

#[test]
fn an_unexpected_input_is_replayed() {
    let place = models();
    let said = place.run(&[
        "check",
        "crowd.vfsm",
        "--property",
        "reception",
        "--reduce",
        "none",
        "--max-errors",
        "2",
    ]);
    assert!(said.code == Some(1) && said.out.contains("`E` is not expected in state S"), "{said:?}");
    for trail in ["crowd.vfsm.trail", "crowd.vfsm.1.trail"] {
        let said = place.run(&["replay", trail]);
        assert!(said.code != Some(4), "{said:?}");
    }
}

#[test]
fn temporal_properties_are_checked() {
    let place = models();
    let said = place.run(&["check", "handshake.vfsm"]);
    assert!(said.code == Some(0) && said.out.contains("over: holds"), "{said:?}");
    let said = place.run(&["check", "handshake.vfsm", "--ltl", "[] !sender@S_ERROR"]);
    assert!(said.code == Some(1) && said.out.contains("sender"), "{said:?}");
    assert_eq!(place.run(&["replay", "handshake.vfsm.trail"]).code, Some(0));
    let said = place.run(&["check", "handshake.vfsm", "--ltl", "<> sender@NOWHERE"]);
    assert!(said.code == Some(2) && said.err.contains("has no state `NOWHERE`"), "{said:?}");
    let said = place.run(&["check", "handshake.vfsm", "--property", "progress"]);
    assert!(said.code == Some(2) && said.err.contains("no state is declared as progress"), "{said:?}");
    let said = place.run(&["check", "cd_remove_restore.vfsm", "--property", "progress", "--time", "60"]);
    assert!(said.code == Some(1), "{said:?}");
}

#[test]
fn every_kind_of_information_can_be_had() {
    let place = models();
    for information in ["per-vfsm", "per-state", "run-time", "auto"] {
        let said = place.run(&[
            "check",
            "handshake.vfsm",
            "--reduce",
            "persistent",
            "--info",
            information,
            "--check-reduction",
        ]);
        assert_eq!(said.code, Some(0), "{said:?}");
    }
    let said = place.run(&["check", "handshake.vfsm", "--info", "psychic"]);
    assert!(said.code == Some(2) && said.err.contains("run-time"), "{said:?}");
}

#[test]
fn it_is_simulated_drawn_and_explained() {
    let place = models();
    let said = place.run(&["simulate", "handshake.vfsm", "--seed", "1", "--changes"]);
    assert!(said.code == Some(0) && said.out.contains("sender.VIR"), "{said:?}");
    let said = place.run(&["graph", "handshake.vfsm", "--automata"]);
    assert!(
        said.code == Some(0) && said.out.contains("S_SEND_REQ") && said.out.contains("I_TIMEOUT"),
        "{said:?}"
    );
    assert_eq!(place.run(&["graph", "handshake.vfsm"]).code, Some(0));
    assert_eq!(place.run(&["explain", "handshake.vfsm"]).code, Some(0));
    assert_eq!(place.run(&["compare", "handshake.vfsm"]).code, Some(0));
}

#[test]
fn state_charts_are_read() {
    let place = models();
    let said = place.run(&["check", "crossing.scxml", "--max-errors", "0"]);
    assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
    assert!(said.err.contains("the condition `staffed` is not evaluated"), "{said:?}");
    let said = place.run(&["check", "crossing.scxml", "--ltl", "[] (crossing@shut+go -> !crossing@open)"]);
    assert_eq!(said.code, Some(0), "{said:?}");
}

/// Counts without end, in a machine of another file.
const COUNTING: &str =
    "<scxml name='counting'><state id='a'><invoke id='c' src='counter.scxml'/></state></scxml>";
const COUNTER: &str = "<scxml><datamodel><data id='n' expr='0' max='3'/></datamodel>
  <state id='up'>
    <transition event='x' target='up'><assign location='n' expr='n + 1'/></transition>
  </state></scxml>";

#[test]
fn a_chart_with_data_is_checked_replayed_and_simulated() {
    let place = Place::new()
        .with("lock.scxml", corpus("lock.scxml"))
        .with("keypad.scxml", corpus("keypad.scxml"))
        .with("counting.scxml", COUNTING)
        .with("counter.scxml", COUNTER);
    for reduce in ["none", "auto"] {
        let said = place.run(&["check", "lock.scxml", "--reduce", reduce]);
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(said.err.contains("keypad.scxml") && said.err.contains("code.isRight()"), "{said:?}");
        // Power may fail again and again, so it need not be shut.
        let said = place.run(&[
            "check",
            "lock.scxml",
            "--reduce",
            reduce,
            "--ltl",
            "[] (lock@open -> <> lock@shut)",
        ]);
        assert_eq!(said.code, Some(1), "{said:?}");
        let said = place.run(&["replay", "lock.scxml.trail"]);
        assert!(said.code == Some(0) && said.out.contains("power.fails"), "{said:?}");
        // Whatever is asked for, what leaves its bounds is told, with its place.
        for property in ["deadlock", "assert"] {
            let said = place.run(&["check", "counting.scxml", "--reduce", reduce, "--property", property]);
            assert!(
                said.code == Some(1) && said.out.contains("`n` would be 4, outside of -1..3"),
                "{said:?}"
            );
            assert!(said.out.contains("counter.scxml:3:"), "{said:?}");
            let said = place.run(&["replay", "counting.scxml.trail"]);
            assert!(said.code == Some(0) && said.out.contains("up (n=3)"), "{said:?}");
        }
    }
    // A trail does not belong to a chart whose other file has changed.
    let changed = place.with("counter.scxml", COUNTER.replace("max='3'", "max='2'"));
    let said = changed.run(&["replay", "counting.scxml.trail"]);
    assert_ne!(said.code, Some(0), "{said:?}");
    let said = changed.run(&["simulate", "lock.scxml", "--seed", "3", "--changes", "--steps", "20"]);
    // It may go on for ever.
    assert!(said.code == Some(3) && said.out.contains("wrong=0"), "{said:?}");
}
