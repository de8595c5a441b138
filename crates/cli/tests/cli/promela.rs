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
    place.write("embedded.pml", "active proctype P() { c_code { x = 1; } }\n");
    let said = place.run(&["check", "embedded.pml"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("not supported"), "{said:?}");
    assert!(said.err.contains("embedded.pml:1:"), "{said:?}");
}

const NEGATIVE: &str = "mtype = { data, ack, nak };\nchan q = [1] of { mtype };\nchan r = [1] of { mtype };\n\
    active proctype S() { q!data; end: r?ack }\nactive proctype R() { mtype m; q?m; r!nak }\n";

#[test]
fn unspecified_receptions_are_looked_for_when_asked() {
    let place = Place::new().with("nak.pml", NEGATIVE);
    // The sender may stop where it waits, so nothing else is wrong.
    assert_eq!(place.run(&["check", "nak.pml"]).code, Some(0));
    let said = place.run(&["check", "nak.pml", "--property", "reception", "--json"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("\"kind\": \"reception\""), "{said:?}");
    assert!(said.out.contains("nak.pml:4:36"), "{said:?}");
    assert!(said.out.contains("\"reduce\": \"none\""), "{said:?}");
    let said = place.run(&["replay", "nak.pml.trail"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("S(0) has no receive for what `r` holds, [nak] (after 3 steps)"), "{said:?}");
    let said = place.run(&["check", "nak.pml", "--property", "reception", "--reduce", "local"]);
    assert!(said.out.contains("conditions on whole states are checked, so nothing is reduced"), "{said:?}");
}

#[test]
fn a_full_channel_blocks_or_loses() {
    let model = "chan q = [1] of { byte };\nactive proctype P() { q!1; q!2; assert(false) }\n";
    let place = Place::new().with("full.pml", model);
    let said = place.run(&["check", "full.pml", "--quiet"]);
    assert!(said.out.contains("deadlock"), "{said:?}");
    let said = place.run(&["check", "full.pml", "--full-channel", "lose", "--spin-counts", "--json"]);
    assert!(said.out.contains("\"kind\": \"assertion\""), "{said:?}");
    assert!(said.out.contains("\"full_channel\": \"lose\",\n    \"spin_counts\": true"), "{said:?}");
    assert_eq!(place.run(&["replay", "full.pml.trail"]).code, Some(0));
    assert_eq!(place.run(&["replay", "full.pml.trail", "--full-channel", "lose"]).code, Some(0));
    assert_eq!(place.run(&["check", "full.pml", "--full-channel", "drop"]).code, Some(2));
}

#[test]
fn an_index_out_of_range_is_an_error_of_the_model() {
    let place = Place::new().with("index.pml", "byte a[2], i = 2;\nactive proctype P() {\n  a[i] = 1\n}\n");
    let said = place.run(&["check", "index.pml", "--quiet"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    let expected = "index.pml:3:3: index 2 is out of range: `a` has 2 elements in: a[i] = 1\n";
    assert!(said.out.starts_with(expected), "{said:?}");
}

#[test]
fn faults_are_found_wherever_something_is_computed() {
    let declared = "byte a[3]; byte i = 3; chan q = [2] of { byte }; chan r = [0] of { byte };\n\
        chan cs[2] = [1] of { byte }; typedef T { byte f[2] }; T t[2];\n";
    let index = "index 3 is out of range: `a` has 3 elements in: ";
    for (body, expected) in [
        ("d_step { skip; a[i] = 1 }", index),
        ("d_step { a[i] == 0 -> skip }", index),
        ("atomic { skip; if :: a[i] == 0 :: else fi }", index),
        ("q!1; q?eval(a[i])", index),
        ("q!1; q?a[i]", index),
        ("q!a[i]", index),
        ("q!1; q??[eval(a[i])]", index),
        ("r!a[i]", index),
        ("assert(a[i] == 0)", index),
        ("{ skip } unless { a[i] == 2 }", index),
        ("cs[i]!1", "index 3 is out of range: `cs` has 2 elements in: "),
        ("len(cs[i]) == 0", "index 3 is out of range: `cs` has 2 elements in: "),
        ("t[i - 4].f[2] = 1", "an index is out of range: `t.f` has 4 elements in all in: "),
        ("t[0].f[i] = 1", "an index is out of range: `t.f` has 4 elements in all in: "),
        ("i = 1 / (i - 3)", "division by zero in: "),
        ("i = 1 % (i - 3)", "division by zero in: "),
        ("q!1; q?eval(1 / (i - 3))", "division by zero in: "),
    ] {
        let model = format!("{declared}active proctype P() {{ {body} }}\nactive proctype Q() {{ r?_ }}\n");
        let place = Place::new().with("fault.pml", &model);
        let said = place.run(&["check", "fault.pml", "--quiet", "--property", "assert"]);
        assert_eq!(said.code, Some(1), "{body}: {said:?}");
        assert!(said.out.contains(expected), "{body}: {said:?}");
        assert!(said.out.starts_with("fault.pml:3:"), "{body}: {said:?}");
    }
}

#[test]
fn a_process_that_cannot_begin_is_an_error_of_the_model() {
    let model =
        "byte a[2]; byte i = 2;\nactive proctype P() {\n  byte x = 1,\n    y = a[i]; assert(x == y)\n}\n";
    let place = Place::new().with("start.pml", model);
    let said = place.run(&["check", "start.pml"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(
        said.err.contains("at the start of P(0): index 2 is out of range: `a` has 2 elements"),
        "{said:?}"
    );
    assert!(said.err.contains("start.pml:4:5"), "{said:?}");
}

#[test]
fn unreached_statements_stand_once_and_in_order() {
    let model =
        "byte x;\nactive [2] proctype P() {\n  if\n  :: x == 1 -> x = 5;\n     x = 6\n  :: else\n  fi\n}\n";
    let place = Place::new().with("dead.pml", model);
    let said = place.run(&["check", "dead.pml", "--json"]);
    let list: Vec<&str> = said.out.lines().filter(|line| line.contains("\"dead.pml:")).collect();
    let places: Vec<&str> = list.iter().map(|line| line.trim().trim_matches(['"', ','])).collect();
    assert_eq!(places, ["dead.pml:4:6", "dead.pml:4:16", "dead.pml:5:6"], "{said:?}");
}

#[test]
fn warnings_show_where_the_text_came_from_and_change_nothing() {
    let model =
        "#define BIG 300\nbyte x;\ninline set(v) { x = v }\nactive proctype P() {\n  set(BIG); x = x\n}\n";
    let place = Place::new().with("warn.pml", model);
    let said = place.run(&["check", "warn.pml"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.err.contains("warning: 300 does not fit"), "{said:?}");
    assert!(said.err.contains("note: in expansion of macro `BIG`"), "{said:?}");
    assert!(said.err.contains("note: in expansion of inline `set`"), "{said:?}");
    let said = place.run(&["check", "warn.pml", "--quiet"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
}
