//! Promela from outside: macros from the command line, included files, diagnostics, replay.

use crate::support::Place;

const COUNT: &str =
    "#include \"bound.h\"\nbyte x;\nactive [N] proctype P() { x = x + 1; assert(x < BOUND) }\n";

fn place() -> Place {
    Place::new().with("count.pml", COUNT).with("bound.h", "#define BOUND 3\n")
}

#[test]
fn macros_come_from_the_command_line_and_from_included_files() {
    let place = place();
    assert_eq!(place.run(&["check", "count.pml", "-D", "N=2"]).code, Some(0));
    let said = place.run(&["check", "count.pml", "-DN=3", "--quiet"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.starts_with("count.pml:3:38: assertion x < 3 is false\n"), "{said:?}");
}

#[test]
fn a_trail_is_replayed_under_the_same_macros_only() {
    let place = place();
    assert_eq!(place.run(&["check", "count.pml", "-DN=3"]).code, Some(1));
    let said = place.run(&["replay", "count.pml.trail", "-DN=3"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("x = (x + 1)    count.pml:3"), "{said:?}");
    let said = place.run(&["replay", "count.pml.trail", "-DN=4"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("is not the model"), "{said:?}");
}

#[test]
fn wrong_models_are_refused_at_their_place() {
    let place = place();
    let said = place.run(&["check", "count.pml"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("undeclared variable `N`"), "{said:?}");
    assert!(said.err.contains("count.pml:3:9"), "{said:?}");
    place.write("priority.pml", "active proctype P() priority 3 { skip }\n");
    let said = place.run(&["check", "priority.pml"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("not supported yet"), "{said:?}");
    assert!(said.err.contains("priority.pml:1:"), "{said:?}");
}
