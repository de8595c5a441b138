//! Each construct by itself: what it does, when it blocks, when it is a fault.

mod support;
use mazurka_model::{Batch, Chosen, Describe, System, ViolationKind};
use support::{Explored, explore, model};

/// The values of `name` in all reachable states that have no successor, sorted.
fn final_values(source: &str, name: &str) -> Vec<String> {
    let system = model(source);
    let mut out = Vec::new();
    for state in explore(&system).states {
        let mut enabled = Vec::new();
        system.enabled(&state, &mut enabled);
        if enabled.is_empty() {
            let values = system.values(&state);
            out.push(values.iter().find(|(n, _)| n == name).expect("a known name").1.clone());
        }
    }
    out.sort();
    out.dedup();
    out
}

fn one_process(declarations: &str, body: &str) -> String {
    format!("program t {declarations} process P() {{ end location done {body} }} start P()")
}

fn faults(source: &str) -> Vec<String> {
    let system = model(source);
    let found = explore(&system);
    found
        .violations
        .iter()
        .filter(|v| v.kind == ViolationKind::Fault)
        .map(|v| system.violation(v).text)
        .collect()
}

#[test]
fn values_wrap_around() {
    for (ty, value, left) in
        [("bit", 3, "1"), ("byte", 256, "0"), ("short", 32768, "-32768"), ("unsigned(5)", 33, "1")]
    {
        let source = one_process(&format!("var x: {ty}"), &format!("start a a -> done do x = {value}"));
        assert_eq!(final_values(&source, "x"), [left]);
    }
}

#[test]
fn expressions_follow_c() {
    for (expression, value) in [
        ("7 / 2 * 2 + 7 % 2", "7"),
        ("-7 / 2", "-3"),
        ("-7 % 2", "-1"),
        ("1 << 4 | 3 ^ 1", "18"),
        ("~0 & 255", "255"),
        ("2147483647 + 1 < 0", "1"),
        ("1 ? 2 : 3", "2"),
        ("!5 || !!5 && 2 > 1", "1"),
        ("0 && 1 / 0", "0"),
        ("1 << 40", "0"),
        ("-1 >> 40", "-1"),
        ("_pid + _processes", "1"),
    ] {
        let source = one_process("var x: int", &format!("start a a -> done do x = {expression}"));
        assert_eq!(final_values(&source, "x"), [value], "{expression}");
    }
}

#[test]
fn otherwise_means_nothing_else() {
    let source = one_process("var x: byte", "start a a -> done otherwise do x = 2 a -> done when x do x = 1");
    assert_eq!(final_values(&source, "x"), ["2"]);
    let source =
        one_process("var x: byte = 1", "start a a -> done when x do x = 3 a -> done otherwise do x = 2");
    assert_eq!(final_values(&source, "x"), ["3"]);
    // What stands behind it does not count.
    let source =
        one_process("var x: byte = 1", "start a a -> done otherwise do x = 2 a -> done when x do x = 3");
    assert_eq!(final_values(&source, "x"), ["2", "3"]);
}

#[test]
fn otherwise_waits_for_effects_that_block_late() {
    // The first alternative blocks only at its second effect, the send into a full channel.
    let body = "start a a -> b do q!1 b -> done do x = 1; q!2 b -> done otherwise do x = 9";
    let source = one_process("var x: byte chan q[1]: byte", body);
    assert_eq!(final_values(&source, "x"), ["9"]);
}

#[test]
fn queues_are_first_in_first_out() {
    let body = "start a a -> b do q!1,2; q!3,4 b -> c do q?x,_ c -> done do q?3,y";
    let source = one_process("var x: byte var y: byte chan q[2]: byte, byte", body);
    assert_eq!(final_values(&source, "x"), ["1"]);
    assert_eq!(final_values(&source, "y"), ["4"]);
    assert_eq!(final_values(&source, "q"), ["[]"]);
}

#[test]
fn receives_match_before_they_bind() {
    let body = "start a a -> b do q!7,5 b -> done do q?x,(x)";
    assert_eq!(final_values(&one_process("var x: byte = 5 chan q[2]: byte, byte", body), "x"), ["7"]);
    assert_eq!(final_values(&one_process("var x: byte = 7 chan q[2]: byte, byte", body), "P(0)@"), ["b"]);
}

#[test]
fn sorted_sends_and_receives_anywhere() {
    let body = "start a a -> b do q!!5; q!!3; q!!4 b -> done do q??4; peek q?x; q?[3]_";
    let wrong = one_process("var x: byte chan q[4]: byte", body);
    assert!(mazurka_program::text::parse("t", &wrong).program.is_none());
    let body = "start a a -> b do q!!5; q!!3; q!!4 b -> done when q?[3], q??[5], !q?[4] do q??4; peek q?x";
    let source = one_process("var x: byte chan q[4]: byte", body);
    assert_eq!(final_values(&source, "q"), ["[3; 5]"]);
    assert_eq!(final_values(&source, "x"), ["3"]);
}

#[test]
fn lengths_and_tests_of_channels() {
    let body =
        "start a a -> b when empty(q), !full(q) do q!1 b -> c when len(q) == 1 do q!2 c -> done when full(q)";
    assert_eq!(final_values(&one_process("chan q[2]: byte", body), "P(0)@"), ["done"]);
}

#[test]
fn a_handshake_moves_two() {
    let source = "program t chan c[0]: byte, byte var x: byte
        process S() { end location done start a a -> done do c!1,7 }
        process R() { end location done start a a -> done do c?2,x a -> done do c?1,x }
        start S(), R()";
    let system = model(source);
    let found = explore(&system);
    assert_eq!((found.states.len(), found.transitions, found.deadlocks), (2, 1, 0));
    assert_eq!(final_values(source, "x"), ["7"]);
    let mut steps = Vec::new();
    system.enabled(&found.states[0], &mut steps);
    assert_eq!(system.step(&found.states[0], steps[0]).text, "do c!1, 7 with R(1): do c?1, x");
}

#[test]
fn every_partner_is_offered() {
    let source = "program t chan c[0]: byte
        process S() { end location done start a a -> done do c!1 }
        process R() { end location done start a a -> done do c?_ a -> b do c?1 b -> done }
        start R(), S(), R()";
    let system = model(source);
    let mut batch = Batch::default();
    system.initial(&mut batch);
    let initial = batch.state(0).to_vec();
    batch.clear();
    system.expand(&initial, Chosen::All, &mut batch);
    assert_eq!(batch.len(), 4);
}

#[test]
fn channels_are_values() {
    let source = "program t chan q[1]: byte chan post[1]: chan var x: byte var held: chan[2] = [0, q]
        process S() { end location done start a a -> b do post!held[1] b -> c when len(q) == 1 do q?x c -> done }
        process R() { local mine: chan end location done start a a -> b do post?mine b -> done do mine!9 }
        start S(), R()";
    assert_eq!(final_values(source, "x"), ["9"]);
}

#[test]
fn own_channels_can_be_handed_out() {
    let source = "program t chan post[1]: chan var x: byte
        process S() { chan mine[1]: byte end location done start a a -> b do post!mine b -> done do mine?x }
        process R() { local to: chan end location done start a a -> b do post?to b -> done do to!(_pid + 40) }
        start S(), R(), S(), R()";
    let values = final_values(source, "x");
    assert_eq!(values, ["41", "43"]);
}

#[test]
fn processes_come_and_go_in_order() {
    let source = "program t var x: byte var died: byte
        process Main() { local child: byte end location done start a a -> b do child = run Child(3); x = child b -> c do run Child(5) c -> done when _processes == 1 }
        process Child(n: byte) { start a a -> b do x = x + n b -> b do died = died * 10 + _pid; exit }
        start Main()";
    assert_eq!(final_values(source, "Main(0).child"), ["1"]);
    // The younger dies first, or the older dies before the younger is born and slot 1 is used again.
    assert_eq!(final_values(source, "died"), ["11", "21"]);
    assert_eq!(model(source).state_size(), None);
}

#[test]
fn exits_wait_for_younger_processes() {
    let source =
        "program t process Main() { end location done start a a -> b do run Child() b -> done do exit }
        process Child() { end location a } start Main()";
    let found = explore(&model(source));
    // The child never ends, so the creator can't: it stays at b, which is no valid end.
    assert_eq!((found.states.len(), found.deadlocks), (2, 1));
}

#[test]
fn faults_have_no_successor() {
    let text = |body| faults(&one_process("var a: byte[2] var x: byte var c: chan chan q[1]: byte", body));
    assert_eq!(text("start s s -> done do a[2] = 1"), ["an index is out of range in: do a[2] = 1"]);
    assert_eq!(text("start s s -> done when 1 / x"), ["division by zero in: when 1 / x"]);
    assert_eq!(text("start s s -> done do x = 1; c!1"), ["no such channel in: do x = 1; c!1"]);
    assert_eq!(text("start s s -> t do c = q t -> done do c!1,2").len(), 1);
    let many = "program t limit 3 process P() { end location a a -> a do run P() } start P()";
    let system = model(many);
    let Explored { states, violations, .. } = explore(&system);
    assert_eq!(states.len(), 3);
    assert!(violations.iter().all(|v| v.kind == ViolationKind::Fault));
    assert!(!violations.is_empty());
}

#[test]
fn false_assertions_go_on() {
    let source = one_process("var x: byte", "start a a -> done do assert x == 1; x = 2");
    let system = model(&source);
    let found = explore(&system);
    assert_eq!(found.violations.len(), 1);
    assert_eq!(system.violation(&found.violations[0]).text, "assertion x == 1 is false");
    assert_eq!(final_values(&source, "x"), ["2"]);
}

#[test]
fn atomic_regions_are_not_interrupted() {
    let source = |flag: &str| {
        format!(
            "program t var x: byte process P() {{ local k: byte end location done start a {flag} location b
             a -> b do k = x b -> done do x = k + 1 }} start P(), P()"
        )
    };
    assert_eq!(final_values(&source(""), "x"), ["1", "2"]);
    assert_eq!(final_values(&source("atomic"), "x"), ["2"]);
    let found = explore(&model(&source("atomic")));
    assert_eq!((found.states.len(), found.interior), (5, 4));
}

#[test]
fn atomicity_is_lost_where_the_process_blocks_and_comes_back() {
    // P gets stuck inside its region until Q opens the gate; then it goes on alone again, so Q
    // never sees x == 1.
    let source = "program t var gate: bit var x: byte var seen: byte
        process P() { end location done start a atomic location b atomic location c
          a -> b b -> c when gate do x = 1 c -> done do x = 2 }
        process Q() { end location done start a a -> b do gate = 1 b -> done do seen = x }
        start P(), Q()";
    assert_eq!(final_values(source, "seen"), ["0", "2"]);
    assert_eq!(explore(&model(source)).deadlocks, 0);
}

#[test]
fn a_handshake_in_a_region_passes_control_to_the_receiver() {
    let source = |receiver: &str| {
        format!(
            "program t chan c[0]: byte var log: int
             process S() {{ end location done start a atomic location b a -> b do c!1 b -> done do log = log * 10 + 1 }}
             process R() {{ end location done start a {receiver} location b a -> b do c?_ b -> done do log = log * 10 + 2 }}
             start S(), R()"
        )
    };
    // The receiver's region goes on; if it has none, nobody's does.
    assert_eq!(final_values(&source("atomic"), "log"), ["21"]);
    assert_eq!(final_values(&source(""), "log"), ["12", "21"]);
}

#[test]
fn a_thousand_processes() {
    let starts = vec!["P()"; 1000].join(", ");
    let source = format!(
        "program t limit 2000 chan c[0]: byte var x: byte
         process P() {{ end location done start a a -> done when _pid == 0 do c!7 a -> done when _pid == 999 do c?_ }}
         start {starts}"
    );
    let system = model(&source);
    let mut batch = Batch::default();
    system.initial(&mut batch);
    let initial = batch.state(0).to_vec();
    let mut steps = Vec::new();
    system.enabled(&initial, &mut steps);
    assert_eq!(steps.len(), 1);
    batch.clear();
    system.expand(&initial, Chosen::Steps(&steps), &mut batch);
    assert_eq!(batch.len(), 1);
    assert!(system.step(&initial, steps[0]).text.contains("P(999)"));
}

#[test]
fn executed_transitions_are_covered() {
    let system = model(&one_process("var x: byte", "start a a -> done a -> done when x"));
    let mut batch = Batch::default();
    system.initial(&mut batch);
    let initial = batch.state(0).to_vec();
    system.expand(&initial, Chosen::All, &mut batch);
    assert_eq!(batch.covered(), [true]);
    assert_eq!(system.places().len(), 2);
    assert_eq!(system.places()[1].text, "P: when x");
}

#[test]
fn propositions_are_over_globals() {
    use mazurka_program::ir::{Expression, GlobalId};
    let mut system = model(&one_process("var x: byte = 3", "start a a -> done"));
    let mut batch = Batch::default();
    system.initial(&mut batch);
    let three = system.proposition(&Expression::from(GlobalId(0)).equals(3)).expect("a global");
    let four = system.proposition(&Expression::from(GlobalId(0)).equals(4)).expect("a global");
    assert!(system.holds(batch.state(0), three));
    assert!(!system.holds(batch.state(0), four));
    assert_eq!(system.proposition(&Expression::Pid), None);
    assert_eq!(system.proposition(&GlobalId(7).into()), None);
}

#[test]
fn a_full_channel_may_lose_what_is_sent() {
    let source = |top: &str| {
        format!(
            "program t {top} chan q[1]: byte var x: byte
             process P() {{ local k: byte start a end location z
               a -> b do q!1
               b -> c do q!2; x = 1
               b -> c otherwise
               c -> z do q?k; x = x + k }}
             start P()"
        )
    };
    assert_eq!(final_values(&source(""), "x"), ["1"]);
    assert_eq!(final_values(&source("overflow"), "x"), ["2"]);
    let program = mazurka_program::text::parse("m", &source("overflow")).program.expect("it is right");
    assert!(program.overflow);
    assert!(mazurka_program::text::print(&program).contains("\noverflow\n"));
}

/// The message about the only fault of a model.
fn fault_text(source: &str) -> String {
    let system = model(source);
    let mut batch = Batch::default();
    for state in explore(&system).states {
        batch.clear();
        system.expand(&state, mazurka_model::Chosen::All, &mut batch);
        if let Some(violation) = batch.violations().first() {
            return system.describe().violation_in(&state, violation).text;
        }
    }
    String::new()
}

#[test]
fn an_index_out_of_range_is_named_with_its_array_and_bound() {
    let text = |body: &str| {
        fault_text(&format!(
            "program t var a: byte[3] var i: byte = 2 chan q[2]: byte chan r[0]: byte
             process P() {{ local l: int[1] local k: byte = 7 start s end location d {body} }}
             process Q() {{ local far: byte[2] start s end location d s -> d do r?far[i] }}
             start P(), Q()"
        ))
    };
    assert!(text("s -> d do a[k] = 1").starts_with("index 7 is out of range: `a` has 3 elements in: "));
    assert!(text("s -> d do l[0 - 1] = 1").starts_with("index -1 is out of range: `l` has 1 element in: "));
    assert!(text("s -> d when a[k - 3] == 0").starts_with("index 4 is out of range: `a`"));
    assert!(text("s -> t do q!1 t -> d do q?a[k]").starts_with("index 7 is out of range: `a`"));
    assert!(text("s -> t do q!1 t -> d do q?(a[k])").starts_with("index 7 is out of range: `a`"));
    assert!(text("s -> d do q!a[3]").starts_with("index 3 is out of range: `a`"));
    // In the partner of a handshake.
    assert!(text("s -> d do r!1").starts_with("index 2 is out of range: `far` has 2 elements in: "));
    // A later effect of the same step.
    assert!(text("s -> d do i = 3; a[i] = a[i]").starts_with("index 3 is out of range: `a`"));
    assert!(text("s -> d do k = 1 / (2 - i)").starts_with("division by zero in: "));
    assert!(text("s -> d do k = 1 % (2 - i)").starts_with("division by zero in: "));
}

#[test]
fn odd_arithmetic_has_a_value_and_never_panics() {
    let value = |expression: &str| {
        let source = format!(
            "program t var x: int var n: int = -2147483648 var m: int = -1
             process P() {{ start s end location d s -> d do x = {expression} }} start P()"
        );
        final_values(&source, "x").join(" ")
    };
    assert_eq!(value("n / m"), "-2147483648");
    assert_eq!(value("n % m"), "0");
    assert_eq!(value("-n"), "-2147483648");
    assert_eq!(value("n - 1"), "2147483647");
    assert_eq!(value("1 << 31"), "-2147483648");
    for shifted in ["1 << 32", "1 << 1000000", "1 << m", "m << n", "4 >> 32", "4 >> m"] {
        assert_eq!(value(shifted), "0", "{shifted}");
    }
    assert_eq!(value("m >> 40"), "-1");
}
