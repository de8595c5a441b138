//! What footprints say of single transitions.

mod support;
use mazurka_model::{Batch, Footprint, Operand, ProcessId, Relations, System};
use support::model;

/// The operations of process 0 in the initial state, as `object.Kind(inputs)`.
fn next(source: &str) -> Vec<String> {
    let system = model(source);
    let mut batch = Batch::default();
    system.initial(&mut batch);
    let mut footprint = Footprint::default();
    system.next(batch.state(0), ProcessId(0), &mut footprint);
    let mut out: Vec<String> = footprint
        .accesses
        .iter()
        .map(|access| {
            let object = &system.objects()[access.object.index()];
            let inputs: Vec<String> = access
                .operation
                .operands
                .iter()
                .filter_map(|o| match o {
                    Operand::Is(value) => Some(value.to_string()),
                    Operand::Any => None,
                })
                .collect();
            format!("{}.{}({})", access.object.0, object.kind_name(access.operation.kind), inputs.join(","))
        })
        .collect();
    if footprint.everything {
        out.push("everything".into());
    }
    out
}

fn one(declarations: &str, transition: &str) -> Vec<String> {
    next(&format!(
        "program t {declarations} process P(i: byte, via: chan) {{ local k: byte = 2 end location d start s
         s -> d {transition} d -> d do k = 1 - k }}
         process W() {{ end location d start s s -> d do x = 1; a[0] = 1 }} start P(1, q), W()"
    ))
}

const DECLARED: &str = "var x: byte var a: byte[3] var fixed: byte[3] chan q[2]: byte chan r[2]: byte, byte chan c[0]: byte semaphore s = 1";

#[test]
fn variables() {
    assert_eq!(one(DECLARED, "do x = x + 3"), ["0.Add(3)"]);
    assert_eq!(one(DECLARED, "do x = x - 1"), ["0.Add(-1)"]);
    assert_eq!(one(DECLARED, "do x = 2 * 3 + x"), ["0.Add(6)"]);
    assert_eq!(one(DECLARED, "do x = x + -1"), ["0.Add(-1)"]);
    assert_eq!(one(DECLARED, "do x = x + k"), ["0.Add(2)"]);
    assert_eq!(one(DECLARED, "do x = k + x"), ["0.Add(2)"]);
    assert_eq!(one(DECLARED, "do x = x - k"), ["0.Add()"]);
    assert_eq!(one(DECLARED, "do x = x + a[1]"), ["1.Read(1)", "0.Add()"]);
    // Neither is an addition.
    assert_eq!(one(DECLARED, "do x = k - x"), ["0.Read()", "0.Write()"]);
    assert_eq!(one(DECLARED, "do x = x + x"), ["0.Read()", "0.Write()"]);
    assert_eq!(one(DECLARED, "do x = x + (x == 1)"), ["0.Read()", "0.Write()"]);
    assert_eq!(one(DECLARED, "do x = 300"), ["0.Write(44)"]);
    assert_eq!(one(DECLARED, "do x = i"), ["0.Write(1)"]);
    assert_eq!(one(DECLARED, "when x do x = x + 1"), ["0.AwaitNot(0)", "0.Read()", "0.Write()"]);
    assert_eq!(one(DECLARED, "when x == 1 && 2 != x"), ["0.Await(1)", "0.AwaitNot(2)"]);
    assert_eq!(one(DECLARED, "when !x"), ["0.Await(0)"]);
    assert_eq!(one(DECLARED, "when !(x == 1)"), ["0.AwaitNot(1)"]);
    assert_eq!(one(DECLARED, "when x > 1"), ["0.Read()"]);
    assert_eq!(one(DECLARED, "when fixed[i] == i && k do k = 3"), [""; 0]);
}

#[test]
fn arrays() {
    assert_eq!(one(DECLARED, "when a[i + 1] do a[k] = 1"), ["1.AwaitNot(2,0)", "1.Write(2,1)"]);
    assert_eq!(one(DECLARED, "do a[_pid] = a[_pid] + 1"), ["1.Add(0,1)"]);
    // The index changes before it is used, or may change before the process moves.
    assert_eq!(one(DECLARED, "do k = 1; a[k] = k"), ["1.Write()"]);
    assert_eq!(one(DECLARED, "when a[x]"), ["0.Read()", "1.AwaitNot(0)"]);
}

#[test]
fn channels() {
    assert_eq!(one(DECLARED, "do via!258"), ["4.Send(2)"]);
    assert_eq!(one(DECLARED, "do q?3"), ["4.ReceiveIs(3)"]);
    assert_eq!(one(DECLARED, "do q?k"), ["4.Receive()"]);
    assert_eq!(one(DECLARED, "do r?k,3"), ["5.ReceiveIs()"]);
    assert_eq!(
        one(DECLARED, "when q?[(i)], empty(r), full(r), len(q)"),
        ["4.AwaitHead(1)", "5.AwaitEmpty()", "5.AwaitFull()", "4.AwaitMessage()"]
    );
    assert_eq!(one(DECLARED, "do c!1"), ["6.Offer()"]);
    assert_eq!(one(DECLARED, "do c?k"), ["6.Accept()"]);
}

#[test]
fn tests_of_a_length_are_recognised() {
    let awaited = |wanted: &str, conditions: &[&str]| {
        for condition in conditions {
            assert_eq!(one(DECLARED, &format!("when {condition}")), [wanted], "{condition}");
        }
    };
    awaited(
        "4.AwaitEmpty()",
        &[
            "len(q) == 0",
            "0 == len(q)",
            "len(q) < 1",
            "1 > len(q)",
            "!len(q)",
            "len(q) == 2 - 2",
            "len(via) <= 0",
        ],
    );
    awaited(
        "4.AwaitMessage()",
        &[
            "len(q) > 0",
            "0 < len(q)",
            "len(q) != 0",
            "len(q) >= 1",
            "!(len(q) == 0)",
            "len(q) && 1",
            "!empty(q)",
        ],
    );
    awaited(
        "4.AwaitFull()",
        &["len(q) == 2", "2 == len(q)", "len(q) >= 2", "len(q) > 1", "!(len(q) < 1 + 1)"],
    );
    awaited("4.AwaitRoom()", &["len(q) < 2", "len(q) != 2", "2 > len(q)", "len(q) <= 1", "!full(q)"]);
    // Where both answers matter, they are tests.
    assert_eq!(one(DECLARED, "do k = len(q) == 0"), ["4.Empty()"]);
    assert_eq!(one(DECLARED, "when len(q) == 2 || k == 0"), ["4.Full()"]);
    // Always true or false, so nothing is looked at.
    for constant in ["len(q) <= 2", "len(q) < 0", "len(q) >= 0", "len(q) == 3", "len(c) == 0"] {
        assert_eq!(one(DECLARED, &format!("when {constant}")), [""; 0], "{constant}");
    }
    // One of several answers, or of a channel whose capacity is not known.
    for length in ["len(q) == 1", "len(q) + 1 == 2", "len(q) == k", "len(via) == 2"] {
        assert_eq!(one(DECLARED, &format!("when {length}")), ["4.Length()"], "{length}");
    }
    let same = "var x: byte var a: byte[3] chan q[2]: byte chan r[2]: byte";
    assert_eq!(one(same, "when len(via) == 2"), ["2.AwaitFull()"]);
    // What a value is used for counts: a length that is stored is one.
    assert_eq!(one(DECLARED, "do k = len(q)"), ["4.Length()"]);
}

#[test]
fn otherwise_looks_at_its_siblings() {
    let alternatives = |first: &str| one(DECLARED, &format!("otherwise do k = 1 s -> d {first}"));
    assert_eq!(alternatives("when x"), ["0.Read()", "0.AwaitNot(0)"]);
    assert_eq!(alternatives("do q!1"), ["4.Full()", "4.Send(1)"]);
    assert_eq!(alternatives("do q?_"), ["4.Empty()", "4.Receive()"]);
    assert_eq!(alternatives("do s.wait()"), ["3.Any()", "3.Wait()"]);
    assert_eq!(alternatives("do c!1"), ["6.Offer()", "everything"]);
}

#[test]
fn atomic_regions_are_united() {
    let source = |inside: &str| {
        format!(
            "program t var x: byte var y: byte chan c[0]: byte
             process P() {{ atomic location m end location d start s s -> m do x = 1 m -> d do {inside} }}
             process W() {{ end location s s -> s do c?_; x = 2; y = 2 }} start P(), W()"
        )
    };
    assert_eq!(next(&source("y = y + 1")), ["0.Write(1)", "1.Add(1)"]);
    assert_eq!(next(&source("c!1")), ["0.Write(1)", "2.Offer()", "everything"]);
}

#[test]
fn supports_shrink_along_the_way() {
    let system = model(
        "program t var x: byte var y: byte chan q[1]: byte chan r[1]: byte
         process P(to: chan) { end location d start a a -> b do x = 1 b -> d do to!1 }
         process Q() { end location d start a a -> d when x + y do y = 1; run P(q) }
         start P(r), Q()",
    );
    let mut batch = Batch::default();
    system.initial(&mut batch);
    let mut set = Vec::new();
    system.support(batch.state(0), ProcessId(0), true, &mut set);
    // x and r.
    assert_eq!(set, [0b1001]);
    system.support(batch.state(0), ProcessId(1), true, &mut set);
    // All: the channel of the process to be created is not known.
    assert_eq!(set, [0b11111]);
}

/// The operations of process 0 in the initial state, with three processes of two other types behind it; objects are x, the process
/// table, then those of the types that are asked.
fn asking(question: &str) -> Vec<String> {
    next(&format!(
        "program t var x: byte var y: byte
         process P() {{ end location d start s s -> d {question} }}
         process W() {{ end location d start s s -> t when x t -> d do x = 1; y = 1 }}
         process V() {{ end location d start s s -> d when y == 2 }}
         start P(), W(), W(), V()"
    ))
}

#[test]
fn who_asks_where_a_process_stands_depends_on_its_moves() {
    // Nobody asks P, so its own move concerns nobody.
    assert_eq!(asking("when _location(2) == 2"), ["3.Ask(2)"]);
    assert_eq!(asking("when _location(3) == 2"), ["3.Ask(3)"]);
    // It may be anyone; then its own move is one that somebody may ask about.
    let any = asking("when _location(x) == 2");
    assert_eq!(any, ["3.Ask()", "4.Ask()", "5.Ask()", "0.Read()", "3.Move(0)"]);
    // There is no such process, and there never will be.
    assert_eq!(asking("when _location(9) == 0"), [] as [&str; 0]);
}

#[test]
fn who_asks_whether_a_process_can_move_looks_at_what_it_waits_for() {
    // W waits for x only; what it does once it can move is not for its guards to see.
    assert_eq!(asking("when _enabled(1)"), ["3.Ask(1)", "0.Read()"]);
    assert_eq!(asking("when _enabled(3)"), ["3.Ask(3)", "1.Read()"]);
}

#[test]
fn who_may_be_kept_back_looks_at_those_of_higher_priority() {
    let source = |own: &str, theirs: &str, effect: &str| {
        format!(
            "program t var x: byte var y: byte
             process P() {{ local k: byte end location d start s s -> d do k = 1 }}
             process W() {{ end location d start s s -> d when x do x = 0; y = 1 }}
             process V() {{ end location d start s s -> d do x = 1 {effect} }}
             start P() {own}, W() {theirs}, V()"
        )
    };
    assert_eq!(next(&source("", "priority 2", "")), ["3.Ask()", "0.Read()"]);
    // Processes of one priority, or of a lower one, keep nobody back. W is asked by V.
    assert_eq!(next(&source("priority 2", "priority 2", "")), ["3.Move(0)"]);
    assert_eq!(next(&source("priority 3", "priority 2", "")), ["3.Move(0)"]);
    assert_eq!(next(&source("", "", "")), [] as [&str; 0]);
    // A priority that may change is read by all that may be kept back.
    let changing = next(&source("", "", "; _priority(1) = 2"));
    assert_eq!(changing, ["4.Read()", "3.Ask()", "0.Read()"]);
}

#[test]
fn handshakes_that_are_asked_about_concern_everyone() {
    let source = "program t chan c[0]: byte
         process P() { end location d start s s -> d when _enabled(1) }
         process W() { end location d start s s -> d do c!1 }
         process V() { end location d start s s -> d do c?_ }
         start P(), W(), V()";
    assert!(next(source).contains(&"everything".to_owned()));
}
