//! `mazurka msc` and `mazurka graph` from outside.

use crate::support::{FINE, FORKS, LOST_UPDATE, Place};

const PING: &str = "\
mtype = { ping, pong };
chan there = [2] of { mtype, byte };
chan meet = [0] of { bit };
active proctype A() { there!ping(1); there!pong(2); meet!1 }
active proctype B() {
  byte got;
progress:
  atomic { there?ping(got); meet?1 };
  assert(got == 2)
}
";

/// Two processes with a step of their own before one on what they share.
const LOCAL: &str = "\
program steps
var x: byte
process P() {
  local i: byte
  start a
  end location c
  a -> b do i = 1
  b -> c do x = x + 1; assert x < 2
}
start P(), P()
";

fn with_trail() -> Place {
    let place = Place::new().with("ping.pml", PING);
    assert_eq!(place.run(&["check", "ping.pml"]).code, Some(1));
    place
}

#[test]
fn a_counterexample_becomes_a_chart() {
    let place = with_trail();
    let said = place.run(&["msc", "ping.pml.trail"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("A(0)") && said.out.contains("B(1)"), "{said:?}");
    assert!(said.out.contains("─there!ping,1 #1─"), "{said:?}");
    assert!(said.out.contains("═meet!1═"), "{said:?}");
    assert!(said.out.contains("✗"), "{said:?}");
    assert!(said.out.contains("never received: there!pong,2 #2 from A(0)\n"), "{said:?}");
    assert!(!said.out.contains("assert(got == 2)"), "{said:?}");
    let all = place.run(&["msc", "ping.pml.trail", "--all"]);
    assert!(all.out.contains("assert((got == 2))") || all.out.contains("assert(got == 2)"), "{all:?}");
}

#[test]
fn a_chart_is_drawn_into_a_file_that_is_free() {
    let place = with_trail();
    let said = place.run(&["msc", "ping.pml.trail", "--svg", "ping.svg"]);
    assert_eq!((said.code, said.out.as_str()), (Some(0), "Drawn in ping.svg\n"), "{said:?}");
    assert!(place.read("ping.svg").starts_with("<svg xmlns="));
    assert_eq!(place.run(&["msc", "ping.pml.trail", "--svg", "ping.svg"]).code, Some(0));
    for file in ["ping.pml", "no/where.svg", "."] {
        let said = place.run(&["msc", "ping.pml.trail", "--svg", file]);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.starts_with("error: --svg "), "{said:?}");
    }
    assert_eq!(place.read("ping.pml"), PING);
}

#[test]
fn a_chart_needs_a_trail() {
    let place = Place::new().with("ping.pml", PING).with("forks.mzk", FORKS);
    for arguments in [&["msc"][..], &["msc", "nowhere"], &["msc", "ping.pml"]] {
        assert_eq!(place.run(arguments).code, Some(2), "{arguments:?}");
    }
}

#[test]
fn the_state_graph_marks_ends_and_deadlocks() {
    let place = Place::new().with("forks.mzk", FORKS).with("lost.mzk", LOST_UPDATE);
    let said = place.run(&["graph", "forks.mzk"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(said.err, "", "{said:?}");
    let states: Vec<&str> =
        said.out.lines().filter(|line| line.contains(" [label=") && !line.contains("->")).collect();
    assert!(said.out.contains(&format!("{} states", states.len())), "{said:?}");
    assert_eq!(states.iter().filter(|line| line.contains("(deadlock)") && line.contains("red")).count(), 1);
    assert_eq!(
        states.iter().filter(|line| line.contains("(end)") && line.contains("peripheries=2")).count(),
        1
    );
    assert!(said.out.contains("-> n0_1 [label=\"P(0): when fork[mine] == 0"), "{said:?}");
    let wrong = place.run(&["graph", "lost.mzk", "--values"]);
    assert!(
        wrong.out.lines().any(|line| line.contains("assert x == 2") && line.contains("color=red")),
        "{wrong:?}"
    );
    assert!(wrong.out.contains("x = 1\\n"), "{wrong:?}");
}

#[test]
fn the_states_are_those_of_check() {
    let place = Place::new().with("local.mzk", LOCAL);
    let states = |reduction: &str| {
        let said = place.run(&["check", "local.mzk", "--reduce", reduction, "--max-errors", "0", "--json"]);
        let json: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
        json["states"].as_u64().expect("a number")
    };
    let mut counts = Vec::new();
    for reduction in ["none", "local", "none+sleep", "local+sleep", "overman"] {
        let said = place.run(&["graph", "local.mzk", "--reduce", reduction]);
        let wanted = format!(": {} states, ", states(reduction));
        assert!(said.out.contains(&wanted), "{reduction}: {wanted} {said:?}");
        counts.push(states(reduction));
    }
    assert!(counts[1] < counts[0], "a reduction must leave something out here: {counts:?}");
    let both = place.run(&["graph", "local.mzk", "--reduce", "local", "--left-out"]);
    let grey = both.out.lines().filter(|line| !line.contains("->") && line.contains("gray")).count() as u64;
    assert_eq!(grey, counts[0] - counts[1], "{both:?}");
    assert!(both.err.contains("left out by the reduction"), "{both:?}");
}

#[test]
fn a_graph_that_is_cut_says_so() {
    let place = Place::new().with("lost.mzk", LOST_UPDATE).with("fine.mzk", FINE);
    let said = place.run(&["graph", "lost.mzk", "--limit", "5"]);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert!(said.err.contains("cut at 5 states"), "{said:?}");
    assert!(said.out.contains(": 5 states, "), "{said:?}");
    // A limit that is just met cuts nothing.
    let whole = place.run(&["graph", "fine.mzk", "--limit", "2"]);
    assert_eq!((whole.code, whole.err.as_str()), (Some(0), ""), "{whole:?}");
}

#[test]
fn automata_show_statements_with_lines_and_marks() {
    let place = Place::new().with("ping.pml", PING);
    let said = place.run(&["graph", "ping.pml", "--automata"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("label=\"A()\"") && said.out.contains("label=\"B()\""), "{said:?}");
    assert!(said.out.contains("label=\"4: there!ping, 1\""), "{said:?}");
    assert!(said.out.contains("(progress)"), "{said:?}");
    assert!(said.out.contains("[atomic]\", style=bold"), "{said:?}");
    assert!(said.out.contains("(end)\", ") && said.out.contains("peripheries=2"), "{said:?}");
    let drawn = place.run(&["graph", "ping.pml", "--automata", "--svg", "a.svg"]);
    assert_eq!(drawn.code, Some(0), "{drawn:?}");
    assert!(place.read("a.svg").trim_end().ends_with("</svg>"));
}

#[test]
fn wrong_command_lines_are_refused() {
    let place = Place::new().with("fine.mzk", FINE);
    for arguments in [
        &["graph"][..],
        &["graph", "nowhere.mzk"],
        &["graph", "fine.mzk", "--limit", "0"],
        &["graph", "fine.mzk", "--reduce", "magic"],
        &["graph", "fine.mzk", "--automata", "--reduce", "local"],
        &["graph", "fine.mzk", "--svg", "fine.mzk"],
    ] {
        let said = place.run(arguments);
        assert_eq!(said.code, Some(2), "{arguments:?}: {said:?}");
        assert!(said.err.starts_with("error: "), "{arguments:?}: {said:?}");
    }
}
