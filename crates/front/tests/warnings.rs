//! Warnings: what each says and where, and that idiomatic models get none.

use mazurka_front::promela::{Options, Parsed, parse};
use mazurka_model::source::{Diagnostic, Severity, Span};

fn at(parsed: &Parsed, span: Span) -> String {
    parsed.sources.locate(span).map_or(String::new(), |place| format!("{}:{}", place.line, place.column))
}

fn show(parsed: &Parsed, diagnostic: &Diagnostic) -> String {
    let place = diagnostic.span.map_or(String::new(), |span| at(parsed, span));
    let help = diagnostic.help.clone().unwrap_or_default();
    let mut text = format!("{place} {} ({}); {help}", diagnostic.message, diagnostic.label);
    for (span, note) in &diagnostic.notes {
        text.push_str(&format!("; {}: {note}", at(parsed, *span)));
    }
    text
}

#[track_caller]
fn expect(text: &str, expected: &[&str]) {
    let parsed = parse("model", text, &Options::default());
    assert!(parsed.diagnostics.iter().all(|d| d.severity == Severity::Warning), "{:?}", parsed.diagnostics);
    let found: Vec<String> = parsed.diagnostics.iter().map(|d| show(&parsed, d)).collect();
    assert_eq!(found, expected, "in:\n{text}");
}

#[test]
fn a_variable_that_is_never_used() {
    expect(
        "byte x;\ninit { byte y; skip }",
        &[
            "1:6 variable `x` is never used (declared here); remove it",
            "2:13 variable `y` is never used (declared here); remove it",
        ],
    );
    // Mentioned where nothing refers to it: a macro or inline for another day, a part left out.
    expect("byte x;\n#define p (x == 1)\ninit { skip }", &[]);
    expect("byte x;\ninline f() { x = 1 }\ninit { skip }", &[]);
    expect("byte x;\n#ifdef MORE\nltl { [] (x == 0) }\n#endif\ninit { skip }", &[]);
    expect(
        "byte x; /* x is for later */\ninit { skip }",
        &["1:6 variable `x` is never used (declared here); remove it"],
    );
    // The signature of a proctype may be larger than this one needs.
    expect("proctype P(byte unused) { skip }\ninit { run P(1) }", &[]);
}

#[test]
fn a_variable_that_is_never_read() {
    expect(
        "byte x;\ninit { x = 1; x = 2 }",
        &[
            "1:6 variable `x` is set but never read (its values only make more states); remove it, or use its value somewhere",
        ],
    );
    expect("byte x;\ninit { x = 1; printf(\"%d\", x) }", &[]);
    expect("byte x;\ninit { x = 1 }\nltl { <> (x == 1) }", &[]);
    expect("byte x;\ninit { x++ }", &[]);
    expect("show byte x; hidden byte y;\ninit { x = 1; y = 1 }", &[]);
    // Something has to take what a statement gives.
    expect("proctype P() { skip }\ninit { pid p; p = run P() }", &[]);
    expect("chan q = [1] of { byte };\ninit { byte x; q!1; q?x; select(x : 1 .. 2) }", &[]);
    expect("active proctype P() { byte i; i = 3; here: skip }\nltl { [] (P:i < 4) }", &[]);
}

#[test]
fn a_variable_that_is_never_set() {
    expect(
        "bool go;\ninit { go; skip }",
        &[
            "1:6 variable `go` is read but never set (it always has its first value, 0); assign it somewhere, or write the constant",
        ],
    );
    expect("bool go = true;\ninit { go; skip }", &[]);
    expect(
        "chan q;\ninit { q!1 }",
        &[
            "1:6 variable `q` is never given a channel (it stands for no channel); give it one: `chan name = [capacity] of { … }`, or assign it",
        ],
    );
    expect(
        "chan q = [1] of { byte };\nproctype P(chan c) { chan d; d = c; d?_ }\ninit { run P(q); q!1 }",
        &[],
    );
}

#[test]
fn a_channel_that_is_used_at_one_end_only() {
    expect(
        "chan q = [1] of { byte };\ninit { byte x; q?x; assert(x == 1) }",
        &[
            "2:16 nothing sends to channel `q` (waits here for ever); send a message somewhere, or remove the channel; 1:6: declared here",
        ],
    );
    expect(
        "chan q = [1] of { byte };\ninit { q!1 }",
        &[
            "2:8 nothing receives from channel `q` (sent here); receive the messages somewhere, or remove the channel; 1:6: declared here",
        ],
    );
    expect("chan q = [1] of { byte };\nproctype P(chan c) { c!1 }\ninit { byte x; run P(q); q?x }", &[]);
}

#[test]
fn a_comparison_that_the_type_decides() {
    expect(
        "byte x;\ninit { x++; x < 0; 300 > x; x >= 0; x == 256; x != -1; x < 255; 0 < x }",
        &[
            "2:13 this comparison is always false (the values are from 0 to 255); use a larger type, or another bound",
            "2:20 this comparison is always true (the values are from 0 to 255); use a larger type, or another bound",
            "2:29 this comparison is always true (the values are from 0 to 255); use a larger type, or another bound",
            "2:37 this comparison is always false (the values are from 0 to 255); use a larger type, or another bound",
            "2:47 this comparison is always true (the values are from 0 to 255); use a larger type, or another bound",
        ],
    );
    expect(
        "int x; unsigned u : 2;\ninit { x++; u++; x < 0; u <= 3; u < 3 }",
        &[
            "2:25 this comparison is always true (the values are from 0 to 3); use a larger type, or another bound",
        ],
    );
    // An assertion may say what is so anyway.
    expect("init { assert(_pid >= 0 && _pid < 5) }", &[]);
}

#[test]
fn warnings_say_where_the_text_came_from() {
    expect(
        "#define BIG 300\n#define SET(v) v = BIG\nbyte x;\ninit { SET(x); assert(x) }",
        &[
            "1:13 300 does not fit: the values are from 0 to 255 (always stored as 44); use a larger type; 2:20: in expansion of macro `BIG`; 4:8: in expansion of macro `SET`",
        ],
    );
    expect(
        "byte x;\ninline set(v) {\n  x = v;\n  goto done;\n  x = 0;\ndone: skip }\ninit { set(1); assert(x) }",
        &[
            "5:3 unreachable statement (no execution comes here); remove it, or give it a label and jump to it; 7:8: in expansion of inline `set`",
        ],
    );
}

#[test]
fn a_rendezvous_channel_can_not_be_polled() {
    let poll = "this poll is always false (a rendezvous channel holds no message); receive from it, or give it room; SPIN refuses to poll a rendezvous channel";
    expect(
        "chan r = [0] of { byte };\nactive proctype A() { if :: r?[1] :: !(r??[1]) fi; r!1 }\nactive proctype B() { r?_ }",
        &[&format!("2:29 {poll}"), &format!("2:39 {poll}")],
    );
    expect(
        "chan r = [1] of { byte };\nactive proctype A() { if :: r?[1] :: else fi; r!1 }\nactive proctype B() { r?_ }",
        &[],
    );
}

#[test]
fn only_jumps_make_a_label_reachable() {
    let unreachable =
        "unreachable statement (no execution comes here); remove it, or give it a label and jump to it";
    expect(
        "\nactive proctype P() {\nL0: skip;\ngoto L0;\nL1: skip;\nskip }",
        &[&format!("5:5 {unreachable}")],
    );
    // Each stretch is told of once.
    expect(
        "\nactive proctype P() {\ngoto L1;\nskip;\nskip;\nL1: skip;\ngoto L1;\nskip }",
        &[&format!("4:1 {unreachable}"), &format!("8:1 {unreachable}")],
    );
}

#[test]
fn shadowing_concerns_parameters_and_inner_blocks() {
    expect(
        "byte x = 1;\nproctype P(byte x) { assert(x) }\ninit { assert(x); run P(1) }",
        &[
            "2:17 `x` hides a variable of the same name (declared again here); rename it; SPIN refuses this; 1:6: hidden from here on",
        ],
    );
    expect(
        "init { byte i = 1; { byte i = 2; assert(i) }; assert(i) }",
        &[
            "1:27 `i` hides a variable of the same name (declared again here); rename it; SPIN refuses this; 1:13: hidden from here on",
        ],
    );
}

/// The only error of a model: its message and help.
fn error(text: &str) -> String {
    let parsed = parse("model", text, &Options::default());
    let errors: Vec<&Diagnostic> =
        parsed.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
    let texts: Vec<String> =
        errors.iter().map(|d| format!("{}: {}", d.message, d.help.clone().unwrap_or_default())).collect();
    texts.join(" / ")
}

#[test]
fn misspelt_words_come_with_a_guess() {
    assert_eq!(error("init { atomc { skip } }"), "unexpected `{`: did you mean `atomic`?");
    assert_eq!(error("init { asert(1) }"), "unexpected `(`: did you mean `assert`?");
    assert_eq!(
        error("init { byte i; fro (i : 1 .. 3) { skip } }"),
        "unexpected `(`: did you mean `for`? There is no inline or macro `fro` before this"
    );
    assert_eq!(error("inline step(a) { skip }\ninit { setp(1) }"), "unexpected `(`: did you mean `step`?");
    assert_eq!(
        error("#define INCREASE(a) a++\ninit { INCRAESE(1) }"),
        "unexpected `(`: did you mean `INCREASE`?"
    );
    assert_eq!(
        error("#define MAXIMUM 3\ninit { MAXIMM > 1 }"),
        "undeclared variable `MAXIMM`: did you mean `MAXIMUM`?"
    );
    assert_eq!(error("init { do :: brek od }"), "undeclared variable `brek`: did you mean `break`?");
    assert_eq!(
        error("init { if :: 1 -> skip :: esle fi }"),
        "undeclared variable `esle`: did you mean `else`?"
    );
    assert_eq!(error("init { skp }"), "undeclared variable `skp`: did you mean `skip`?");
    assert!(error("#ifdf X\ninit { skip }").starts_with("unknown directive `#ifdf`: did you mean `#ifdef`?"));
    assert_eq!(error("prcotype P() { skip }"), "`prcotype` is not a type: did you mean `proctype`?");
    assert_eq!(
        error("byte level;\ninit { lvel = 1; levle = 2 }"),
        "undeclared variable `lvel`: did you mean `level`? / undeclared variable `levle`: did you mean `level`?"
    );
}
