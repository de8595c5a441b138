//! `mazurka explain` from outside.

use crate::support::{FORKS, Place};

/// Two processes at two ends of a channel, one that reads what the first writes, and one by itself.
const CHANNEL: &str = "\
program channel
chan q[2]: unsigned(2)
var x: byte
process Sender() {
  start a
  end location c
  a -> b do x = 1
  b -> c do q!1
}
process Receiver() {
  local got: byte
  start a
  end location b
  a -> b do q?got
}
process Reader() {
  local seen: byte
  start a
  end location b
  a -> b do seen = x
}
process Alone() {
  local i: byte
  start a
  end location b
  a -> b do i = 1
}
start Sender(), Receiver(), Reader(), Alone()
";

#[test]
fn what_is_chosen_is_marked_and_has_a_reason() {
    let place = Place::new().with("channel.mzk", CHANNEL);
    let said = place.run(&["explain", "channel.mzk", "--reduce", "conditional"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.starts_with("state 0: reduction conditional, dependency refined\n"), "{said:?}");
    assert!(said.out.contains("3 steps enabled, 1 chosen:\n"), "{said:?}");
    assert!(said.out.contains("\n  * Alone(3): do i = 1  channel.mzk:26\n"), "{said:?}");
    assert!(said.out.contains("\n    Sender(0): do x = 1  channel.mzk:7\n"), "{said:?}");
    assert!(said.out.contains("the set is built from here"), "{said:?}");
}

#[test]
fn a_chain_names_operations_objects_and_values() {
    let place = Place::new().with("forks.mzk", FORKS);
    let said = place.run(&["explain", "forks.mzk", "--reduce", "conditional", "--values"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("\n    fork = [0, 0]\n"), "{said:?}");
    assert!(said.out.contains("all others come along"), "{said:?}");
    assert!(said.out.contains("of move 1 on fork (= [0, 0]) might interact with"), "{said:?}");
}

/// Two processes, each of which releases another that interferes with the other one.
const CROSSED: &str = "\
program crossed
chan q[1]: bit
chan r[1]: bit
var x: byte
var y: byte
process Left() {
  start a
  end location c
  a -> b do x = 1
  b -> c do r!1
}
process Right() {
  start a
  end location c
  a -> b do y = 1
  b -> c do q!1
}
process AfterLeft() {
  start a
  end location b
  a -> b do r?_; y = 2
}
process AfterRight() {
  start a
  end location b
  a -> b do q?_; x = 2
}
start Left(), Right(), AfterLeft(), AfterRight()
";

#[test]
fn what_is_not_enabled_waits_for_something() {
    let place = Place::new().with("crossed.mzk", CROSSED);
    let said = place.run(&["explain", "crossed.mzk", "--reduce", "conditional"]);
    let expected = "\
state 0: reduction conditional, dependency refined
  2 steps enabled, 2 chosen:
  * Left(0): do x = 1  crossed.mzk:9
  * Right(1): do y = 1  crossed.mzk:15
  whatever step one starts from, all others come along: all are explored
  Why:
  1  Left(0): do x = 1  crossed.mzk:9
       the set is built from here
  2  AfterRight(3): do q?_; x = 2  crossed.mzk:26
       Write(1) of move 1 on x (= 0) might interact with Write(2), here or behind it
       not enabled: waits until this changes: Empty on q (= [])
  3  Right(1): do y = 1  crossed.mzk:15
       move 2 is not enabled: what Empty on q (= []) says must change, and Send(1), here or behind it, might change it
  4  AfterLeft(2): do r?_; y = 2  crossed.mzk:21
       Write(1) of move 3 on y (= 0) might interact with Write(2), here or behind it
       not enabled: waits until this changes: Empty on r (= [])
";
    assert_eq!((said.code, said.out.as_str()), (Some(0), expected), "{said:?}");
}

#[test]
fn every_state_of_a_run_is_explained() {
    let place = Place::new().with("forks.mzk", FORKS);
    assert_eq!(place.run(&["check", "forks.mzk"]).code, Some(1));
    let said = place.run(&["explain", "forks.mzk", "--trail", "forks.mzk.trail", "--reduce", "deletion"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.starts_with("start: reduction deletion"), "{said:?}");
    assert!(said.out.contains("\nafter step 2: reduction deletion"), "{said:?}");
    assert!(said.out.contains("no step is enabled"), "{said:?}");
}

#[test]
fn scripts_read_the_same_reasons() {
    let place = Place::new().with("forks.mzk", FORKS);
    let said = place.run(&["explain", "forks.mzk", "--reduce", "conditional", "--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let json: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    let state = &json["states"][0];
    assert_eq!(state["state"], "state 0");
    assert_eq!(state["enabled"][0]["chosen"], true);
    assert_eq!(state["moves"][0]["relation"], "seed");
    let other = &state["moves"][1];
    assert_eq!((&other["relation"], &other["by"]), (&"interacts".into(), &0.into()));
    assert_eq!(other["operations"]["object"], "fork");
}

#[test]
fn a_state_that_is_not_there_is_refused() {
    let place = Place::new().with("forks.mzk", FORKS);
    let said = place.run(&["explain", "forks.mzk", "--state", "1000000"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(
        said.err.contains("there is no state 1000000") && said.err.contains("numbered from 0"),
        "{said:?}"
    );
    assert_eq!(place.run(&["explain", "forks.mzk", "--order", "random:1"]).code, Some(2));
    assert_eq!(place.run(&["explain", "forks.mzk", "--trail", "forks.mzk"]).code, Some(2));
}
