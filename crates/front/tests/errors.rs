//! What people read when a model is wrong: place, message, label, help and notes of every diagnostic.

use mazurka_front::promela::{Options, Parsed, parse};
use mazurka_model::source::{Diagnostic, Severity, Span};

fn at(parsed: &Parsed, span: Span) -> String {
    parsed.sources.locate(span).map_or(String::new(), |place| format!("{}:{}", place.line, place.column))
}

fn show(parsed: &Parsed, diagnostic: &Diagnostic) -> String {
    let severity = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
    let place = diagnostic.span.map_or(String::new(), |span| at(parsed, span));
    let mut text = format!("{place} {severity}: {} ({})", diagnostic.message, diagnostic.label);
    if let Some(help) = &diagnostic.help {
        text.push_str(&format!("; help: {help}"));
    }
    for (span, note) in &diagnostic.notes {
        text.push_str(&format!("; {}: {note}", at(parsed, *span)));
    }
    text
}

fn diagnostics(text: &str) -> Vec<String> {
    let parsed = parse("model", text, &Options::default());
    for diagnostic in &parsed.diagnostics {
        assert!(diagnostic.span.is_some(), "no place: {}", diagnostic.message);
        assert!(!diagnostic.label.is_empty(), "no label: {}", diagnostic.message);
    }
    let errors = parsed.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    assert_eq!(errors, parsed.unit.is_none());
    // Small models hardly use their variables; what is said of that has tests of its own.
    let useless = |diagnostic: &&Diagnostic| !diagnostic.message.starts_with("variable `");
    parsed
        .diagnostics
        .iter()
        .filter(|d| d.severity == Severity::Error || useless(d))
        .map(|diagnostic| show(&parsed, diagnostic))
        .collect()
}

#[track_caller]
fn expect(text: &str, expected: &[&str]) {
    assert_eq!(diagnostics(text), expected, "in:\n{text}");
}

#[test]
fn syntax_errors_are_found_one_by_one() {
    expect(
        "init { x = ; y = 3 }\nproctype P( { skip }\ninit { if x fi }\nbyte z;",
        &[
            "1:12 error: unexpected `;` (expected an expression)",
            "2:13 error: unexpected `{` (expected a type)",
            "3:11 error: unexpected `x` (expected `::` before the first option)",
        ],
    );
    expect("init { skip goto L }", &["1:13 error: unexpected `goto` (expected `;` or `->` before this)"]);
    expect("init { skip", &["1:12 error: the model ends too early (expected `}` behind the statements)"]);
    expect(
        "init { do :: skip }\nbyte x;",
        &[
            "1:19 error: unexpected `}` (expected `::` or `od`); help: close the options with `od`; 1:8: the options began here",
        ],
    );
    expect(
        "byte x;\ninit {\n x = x\n + 1 }",
        &[
            "4:2 error: unexpected `+` (expected a statement); help: the end of a line ends a statement: put long expressions in parentheses",
        ],
    );
    expect(
        "init { skip unless skip unless skip }",
        &[
            "1:25 error: unexpected `unless` (expected `;`); help: put the first `unless` and its two statements in braces",
        ],
    );
    expect(
        "init { }",
        &[
            "1:8 error: a statement is missing (expected a statement before this); help: write `skip` if nothing should happen",
        ],
    );
    expect(
        "byte do;",
        &[
            "1:6 error: unexpected `do` (expected the name of a variable); help: `do` is a word of the language; choose another name",
        ],
    );
    expect("init { § }", &["1:8 error: `\\u{a7}` is not part of the language (expected an expression)"]);
    expect("intt x;", &["1:1 error: `intt` is not a type (expected a type); help: did you mean `int`?"]);
    expect(
        "init { byte x; x = 99999999999999999999 }",
        &[
            "1:20 error: this number is too large (does not even fit in 64 bits); help: use a number below 2147483648",
        ],
    );
}

#[test]
fn embedded_c_is_refused_where_it_stands() {
    expect(
        "c_decl { int x; }\nc_state \"int y\" \"Global\"\ninit { c_code { now.x = { 1 }; }; c_expr { x > 1 }; skip }",
        &[
            "1:1 error: unsupported: embedded C (`c_decl`) (C code is not supported); help: write it in Promela",
            "2:1 error: unsupported: embedded C (`c_state`) (C code is not supported); help: write it in Promela",
            "3:8 error: unsupported: embedded C (`c_code`) (C code is not supported); help: write it in Promela",
            "3:35 error: unsupported: embedded C (`c_expr`) (C code is not supported); help: write it in Promela",
        ],
    );
}

#[test]
fn places_survive_macros_and_inlines() {
    expect(
        "#define INNER y + 1\n#define OUTER(a) (a + INNER)\nbyte x;\ninit { x = OUTER(x) }",
        &[
            "1:15 error: undeclared variable `y` (not known here); help: declare it before it is used; 2:23: in expansion of macro `INNER`; 4:12: in expansion of macro `OUTER`",
        ],
    );
    expect(
        "byte x;\ninline set(v) {\n  v = w\n}\ninit { set(x); set(z) }",
        &[
            "3:7 error: undeclared variable `w` (not known here); help: declare it before it is used; 5:8: in expansion of inline `set`",
            "5:20 error: undeclared variable `z` (not known here); help: declare it before it is used; 3:3: as parameter `v`; 5:16: in expansion of inline `set`",
        ],
    );
}

#[test]
fn what_is_used_before_it_is_declared_is_said_to_be() {
    expect(
        "byte a;\ninit { foo(a) }",
        &[
            "2:11 error: unexpected `(` (expected `;` or `->` before this); help: did you mean `for`? There is no inline or macro `foo` before this",
        ],
    );
    expect(
        "byte a;\ninit { increase(a) }\ninline increase(x) { x++ }",
        &[
            "2:16 error: unexpected `(` (expected `;` or `->` before this); help: inline `increase` is defined later: move it before this",
        ],
    );
    expect(
        "active proctype Q() { P[1]:v == 2 }\nproctype P() { byte v; v = 1 }",
        &[
            "1:27 error: unexpected `:` (expected `;` or `->` before this); help: proctype `P` is declared later: move it before this, as SPIN wants it too",
        ],
    );
}

#[test]
fn an_error_in_a_macro_is_told_once() {
    expect(
        "#define SET(x) x = wrong\nbyte a;\ninit { SET(a); SET(a); a = wrong }",
        &[
            "1:20 error: undeclared variable `wrong` (not known here); help: declare it before it is used; 3:8: in expansion of macro `SET`",
            "3:28 error: undeclared variable `wrong` (not known here); help: declare it before it is used",
        ],
    );
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_model() {
    expect("\u{feff}byte x;\ninit { x = 1 }", &[]);
    expect(
        "\u{feff}byte x; init { y = 1 }",
        &["1:16 error: undeclared variable `y` (not known here); help: declare it before it is used"],
    );
}

#[test]
fn the_preprocessor_explains_itself() {
    expect(
        "#if 1\nbyte x;",
        &["1:2 error: this conditional has no `#endif` (opened here); help: add `#endif`"],
    );
    expect(
        "#endif\n#else\nbyte x;",
        &[
            "1:2 error: `#endif` without `#if` (nothing is open here); help: remove it, or add `#if`",
            "2:2 error: `#else` without `#if` (nothing is open here); help: remove it, or add `#if`",
        ],
    );
    expect(
        "#if 1 / 0\n#endif\nbyte x;",
        &[
            "1:5 error: bad condition: division by zero (in this condition); help: use integers, `defined(NAME)`, and the operators of C",
        ],
    );
    for (condition, problem) in [
        ("08", "a number has digits or letters that mean nothing"),
        ("5x", "a number has digits or letters that mean nothing"),
        ("0xFFFFFFFFFFFFFFFFFF", "a number is too large"),
        ("0 || 1 / 0", "division by zero"),
    ] {
        let expected = format!(
            "1:5 error: bad condition: {problem} (in this condition); help: use integers, `defined(NAME)`, and the operators of C"
        );
        expect(&format!("#if {condition}\n#endif\nbyte x;"), &[&expected]);
    }
    expect(
        "#define F(..., a) a\nbyte x;",
        &[
            "1:10 error: bad parameter list of macro `F` (begins here); help: write names with commas between them and `)` behind the last",
        ],
    );
    expect(
        "#ifndef N\n#error set N\n#endif\nbyte x;",
        &[
            "2:2 error: #error: set N (the model asks for this error); help: see the conditionals around it, and the definitions that they test",
        ],
    );
    expect(
        "#define F(a) a\nbyte x = F(1, 2);",
        &[
            "2:10 error: macro `F` has 1 parameters, not 2 (called here); help: give one argument for each parameter",
            "2:17 error: unexpected `;` (expected an expression)",
        ],
    );
    expect(
        "#include \"none\"\nbyte x;",
        &[
            "1:10 error: can't include `none`: there are no files to include here (wanted here); help: the name is relative to the file with the `#include`",
        ],
    );
    expect(
        "#define N 1\n#define N 2\nbyte x = N;",
        &[
            "2:9 warning: macro `N` is defined again, differently (this definition is used from here on); help: write `#undef N` before it if this is meant; 1:9: first defined here",
        ],
    );
    expect(
        "#nonsense\nbyte x;",
        &[
            "1:2 error: unknown directive `#nonsense` (not a directive); help: a line that begins with `#` is for the preprocessor",
        ],
    );
}

#[test]
fn unknown_names_come_with_a_guess() {
    expect(
        "byte counter;\ninit { conuter = 1 }",
        &["2:8 error: undeclared variable `conuter` (not known here); help: did you mean `counter`?"],
    );
    expect(
        "proctype Worker() { skip }\ninit { run Woker() }",
        &["2:12 error: there is no proctype `Woker` (unknown proctype); help: did you mean `Worker`?"],
    );
    expect(
        "init { goto lopp; loop: skip }",
        &["1:13 error: there is no label `lopp` (unknown label); help: did you mean `loop`?"],
    );
    expect(
        "typedef T { byte field };\nT t;\ninit { t.feild = 1; t.field.x = 2 }",
        &[
            "3:10 error: type `T` has no field `feild` (unknown field); help: did you mean `field`?",
            "3:29 error: a field of something that is no structure (what stands before the dot is a number); help: remove the dot and the field",
        ],
    );
    expect(
        "active proctype P() { byte i; here: i = 1 }\nltl { P@hree && P:j == 1 }",
        &[
            "2:19 error: proctype `P` has no variable `j` (unknown variable); help: declare it in the proctype",
            "2:9 error: proctype `P` has no label `hree` (unknown label); help: did you mean `here`?",
        ],
    );
}

#[test]
fn declarations_are_checked() {
    expect(
        "byte x;\nint x;",
        &[
            "2:5 error: variable `x` is declared twice (declared again here); help: rename one of the two; 1:6: first declared here",
        ],
    );
    expect(
        "byte x;\ninit { byte x; x = 1 }",
        &[
            "2:13 warning: `x` hides a variable of the same name (declared again here); help: rename it; SPIN refuses this; 1:6: hidden from here on",
        ],
    );
    expect("init { { byte x; x = 1 }; { byte x; x = 2 } }", &[]);
    expect(
        "byte a[0]; byte b[n]; byte n; byte c[3] = {1,2,3,4};",
        &[
            "1:8 error: the length of an array must be from 1 to 1048576, not 0 (not allowed here); help: use a number, or a name defined with `#define`",
            "1:19 error: undeclared variable `n` (not known here); help: declare it before it is used",
            "1:19 error: the length of an array must be a constant (not allowed here); help: use a number, or a name defined with `#define`",
            "1:36 error: 4 values for an array of 3 (too many values); help: remove some, or make the array longer",
        ],
    );
    expect(
        "unsigned u; byte w : 3;",
        &[
            "1:10 error: an `unsigned` needs a width (no width); help: write `unsigned x : bits`",
            "1:22 error: only `unsigned` has a width (a width); help: remove it, or declare the variable as `unsigned`",
        ],
    );
    expect(
        "byte x = 256; bit b = 2; short s = -40000; unsigned u : 3 = 9; int i = -1;",
        &[
            "1:10 warning: 256 does not fit: the values are from 0 to 255 (always stored as 0); help: use a larger type",
            "1:23 warning: 2 does not fit: the values are from 0 to 1 (always stored as 0); help: use a larger type",
            "1:36 warning: -40000 does not fit: the values are from -32768 to 32767 (always stored as 25536); help: use a larger type",
            "1:61 warning: 9 does not fit: the values are from 0 to 7 (always stored as 1); help: use a larger type",
        ],
    );
    expect(
        "mtype = { a, b };\nmtype = { b };\nmtype:t = { c };\nmtype:t v = a;",
        &[
            "2:11 error: mtype value `b` is declared twice (declared again here); help: rename one of the two; 1:14: first declared here",
            "4:13 warning: `a` is not a value of mtype `t` (another mtype); help: values of different mtypes have the same numbers",
        ],
    );
}

#[test]
fn statements_are_checked() {
    expect(
        "init { np_ }",
        &[
            "1:8 error: `np_` outside a claim (only a claim can ask whether there is progress); help: use it in a `never` claim or in a formula",
        ],
    );
    expect("init { skip }\nnever { do :: np_ od }", &[]);
    expect(
        "active proctype P() { L: skip }\ninit { d_step { P@L; skip } }",
        &[
            "2:17 error: a label of another process inside `d_step` (not allowed here); help: ask for it before the `d_step`, or use `atomic`",
        ],
    );
    expect(
        "init { break }",
        &[
            "1:8 error: `break` outside a loop (nothing to leave here); help: `break` leaves the `do` or `for` around it; use `goto` elsewhere",
        ],
    );
    expect(
        "init { L: skip; L: skip }",
        &[
            "1:17 error: label `L` is defined twice (defined again here); help: rename one of the two; 1:8: first defined here",
        ],
    );
    expect("inline f() { goto out; out: skip }\ninit { f(); f() }", &[]);
    expect(
        "byte x;\ninit { do :: x > 0 -> x-- od; x = 1 }",
        &[
            "2:31 warning: unreachable statement (no execution comes here); help: remove it, or give it a label and jump to it",
        ],
    );
    expect(
        "byte x;\ninit { if :: x -> goto L :: else -> goto L fi; x = 1; L: x = 2 }",
        &[
            "2:48 warning: unreachable statement (no execution comes here); help: remove it, or give it a label and jump to it",
        ],
    );
    expect(
        "byte x;\ninit { if :: else -> x = 1 :: else -> x = 2 fi; else }",
        &[
            "2:31 error: a second `else` (never chosen); help: remove one of the two; 2:14: the first is here",
            "2:49 error: `else` that begins no option (not the first statement of an option); help: write it directly behind `::`",
        ],
    );
    expect(
        "byte a[2];\ninit { a = 1; a[2] = 1; _pid = 1; a[0] = _ }",
        &[
            "2:8 error: `a` is an array (an index is missing); help: write `a[index]`",
            "2:17 warning: index 2 is outside `a`, which has 2 elements (will fail when it is executed); help: the largest index is 1",
            "2:25 error: `_pid` can't be changed (the system sets it); help: use a variable of your own",
            "2:42 error: `_` can't be read (only written); help: use a variable of your own",
        ],
    );
    expect(
        "init { d_step { skip; goto L }; L: skip }",
        &[
            "1:28 error: a jump into or out of `d_step` (the label is on the other side of the braces); help: use `atomic`, or jump to the last statement inside the `d_step`",
        ],
    );
    expect(
        "byte x;\nnever { x = 1 }\ntrace { x == 1 }",
        &[
            "2:9 warning: a never claim should change nothing (this has an effect); help: a claim only watches the processes: use conditions",
            "3:9 error: not an event (not a send or a receive); help: a trace consists of channel operations, choices, loops and jumps",
        ],
    );
}

#[test]
fn calls_and_messages_are_checked() {
    expect(
        "proctype P(byte a, b) { skip }\ninit { run P(1); run P(1, 2, 3); run P(1, 2) }",
        &[
            "2:8 error: proctype `P` has 2 parameters, not 1 (too few arguments); help: give one argument for each parameter; 1:10: declared here",
            "2:18 error: proctype `P` has 2 parameters, not 3 (too many arguments); help: give one argument for each parameter; 1:10: declared here",
        ],
    );
    expect(
        "inline f(a) { a = 1 }\nbyte x;\ninit { f(x, 1) }",
        &[
            "3:8 error: inline `f` has 1 parameters, not 2 (called here); help: give one argument for each parameter; 1:8: defined here",
        ],
    );
    expect(
        "inline f() { g() }\ninline g() { f() }\ninit { f() }",
        &[
            "2:14 error: inline `f` calls itself (called again here); help: an inline is text: use a loop, or a proctype; 1:14: in expansion of inline `g`; 3:8: in expansion of inline `f`",
        ],
    );
    expect(
        "chan q = [1] of { byte, byte };\nbyte x;\ninit { q!1; q!1,2,3; q?x,_; x!1 }",
        &[
            "3:8 warning: this send has 1 field, the channel 2 fields (too few); help: the missing fields are sent as 0",
            "3:13 error: this send has 3 fields, the channel 2 fields (too many); help: remove some, or add fields to the channel",
            "3:29 error: `x` is not a channel (used as a channel); help: declare it as `chan`",
        ],
    );
    expect(
        "chan q = [1] of { byte };\ninit { q!1 }",
        &[
            "2:8 warning: nothing receives from channel `q` (sent here); help: receive the messages somewhere, or remove the channel; 1:6: declared here",
        ],
    );
    expect("chan q = [1] of { byte };\nproctype P(chan c) { byte x; c?x }\ninit { run P(q); q!1 }", &[]);
    expect(
        "chan q = [1] of { byte };\ninit { !full(q); q!1; q?_ }",
        &[
            "2:9 error: this can only be joined with `&&` and `||` (not an operand of other operators); help: for the opposite use `nfull` for `full`, `nempty` for `empty`",
        ],
    );
    expect(
        "proctype P() { skip }\ninit { (run P() > 0); assert(run P()) }",
        &[
            "2:8 error: `run` as a part of an expression (its effect would depend on the other parts); help: use `run` as a statement of its own, or assign its result",
            "2:29 error: `run` in this statement (not allowed here); help: start the process in a statement before and keep its number in a variable",
        ],
    );
}

#[test]
fn claims_about_channels_are_compared_with_their_use() {
    expect(
        "chan q = [1] of { byte };\nactive proctype A() { xs q; q!1 }\nactive proctype B() { xs q; q!2; q?_ }",
        &[
            "2:23 warning: `xs q` is false (another process sends to `q` too); help: remove it: who uses a channel alone is found out without it; 3:29: here",
            "3:23 warning: `xs q` is false (another process claims it too); help: remove it: who uses a channel alone is found out without it",
        ],
    );
    expect(
        "chan q = [1] of { byte };\nactive [2] proctype A() { xr q; q?_ }\nactive proctype B() { xs q; q!2 }",
        &[
            "2:27 warning: `xr q` is false (there are several processes of this type); help: remove it: who uses a channel alone is found out without it",
        ],
    );
    expect(
        "chan q = [1] of { byte }; active proctype A() { xr q; q?_ } active proctype B() { xs q; q!2 }",
        &[],
    );
    expect(
        "chan q = [1] of { byte }; byte g; active proctype A() { xs q; q!1; if :: len(q) > 0 -> g = 1 :: else fi } active proctype B() { q?g }",
        &[],
    );
}

#[test]
fn formulas_are_checked() {
    expect(
        "byte x;\nltl { [] x == 1 }",
        &[
            "2:7 error: a temporal operator inside an arithmetic expression (this part is a formula, not a number); help: unary operators bind strongest: write `[] (x == 1)`, not `[] x == 1`",
        ],
    );
    expect(
        "bool p;\nltl { p -> p -> p }",
        &[
            "2:14 warning: `a -> b -> c` means `(a -> b) -> c` (groups to the left, as in SPIN); help: use parentheses to say what is meant",
        ],
    );
    expect(
        "ltl { [] p }",
        &["1:10 error: undeclared variable `p` (not known here); help: declare it before it is used"],
    );
}
