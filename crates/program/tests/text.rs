//! The notation: what is printed can be read back, what is wrong is said where and how, and no text
//! makes the reader panic.

mod support;
use mazurka_model::source::Diagnostic;
use mazurka_program::text::{parse, print};

const EVERYTHING: &str = r#"
program everything
limit 1000
limit 300 channels
var x: int = -5
var ready: bit
var a: byte[3] = [1, 2, 3]
var u: unsigned(5)
var to: chan[2] = [q, 0]
chan q[2]: byte, short
chan r[0]: chan
chan `weird name`[1]: bit
semaphore s = 2
mutex m
rwlock w
condvar c
barrier b = 3
timer t
place p = 4
flag f
process P(me: byte, via: chan) {
  local x: byte = 7            // hides the global x
  local k: int[4]
  chan own[1]: byte
  start think
  end progress location `end`
  accept atomic location grab
  think -> grab when a[me] == 0, x < 3 || -x >= 2 && !ready do a[me] = 1; ::x = x
  think -> grab when (1 + 2) * 3 - (4 - 5) - 6 > -1, ~me & 3 | 4 ^ 5, x << 2 >> 1 == 0
  think -> grab when ready ? x : x ? 1 : 2, (ready ? 1 : 2) + 1, !(x + 1), -(-1), -(1), - -1 < 0
  grab -> `end` do via!3, k[x]; q!!x, -1; to[1]!(!ready)
  grab -> `end` do q?x, (x); q??k[me + 1], _; peek q?5, (a[2])
  grab -> `end` do via?x
  grab -> `end` when q?[x, _], q??[1, 2], via?[_], len(q) + len(to[0]) > empty(own), full(own)
  grab -> `end` do s.wait(); s.signal(); x = s.value(); x = (s.value()); x = s.value() + 1
  grab -> `end` when s.zero(), !f.test() do m.lock(); p.consume(x + 1); c.notify_one(_pid)
  grab -> `end` do x = run P(me + 1, own); run P(_processes, r); assert x == 1; print "say \"%d\"\n", x; exit
  grab -> `end` when _of(P[me], at think), _of(P, at `end`) + _of(P[1], x), _of(P[x], k[me + 1])
  grab -> `end` when _enabled(me), _location(0) == 2, _nonprogress do _priority(_pid) = _priority(0) + 1
  `end` -> think otherwise
  `end` -> think otherwise when x do x = own
}
start P(0, q) priority 3, P(1, 0)
"#;

#[test]
fn what_is_printed_is_read_back() {
    let models = [EVERYTHING, include_str!("models/two_phase_commit.mzk")];
    for source in models {
        let first = parse("a.mzk", source);
        let program = first.program.unwrap_or_else(|| panic!("{:#?}", first.diagnostics));
        let text = print(&program);
        let second = parse("b.mzk", &text);
        let again = second.program.unwrap_or_else(|| panic!("{text}\n{:#?}", second.diagnostics));
        assert_eq!(again.clone().without_spans(), program.without_spans(), "{text}");
        assert_eq!(print(&again), text);
    }
}

fn errors(source: &str) -> Vec<Diagnostic> {
    let parsed = parse("t.mzk", source);
    assert!(parsed.program.is_none(), "{source}");
    assert!(!parsed.diagnostics.is_empty());
    parsed.diagnostics
}

#[test]
fn several_errors_at_once() {
    let source = "program t
var x: bite
var good: byte
process P() {
  local k: byte
  start a
  a -> b when godo == 1
  a -> a do k = = 1
  a -> a do good
  a -> a do q!1
  a -> c do k = 2
}
start P(), Q()";
    let found = errors(source);
    let parsed = parse("t.mzk", source);
    let lines: Vec<usize> =
        found.iter().map(|d| parsed.sources.locate(d.span.expect("a place")).expect("a line").line).collect();
    assert_eq!(lines, [2, 7, 8, 9, 10, 11, 13]);
    assert!(found[3].help.as_deref().is_some_and(|h| h.contains("when")));
}

#[test]
fn misspelled_names_get_suggestions() {
    let suggestion = |body: &str| {
        let source = format!(
            "program t var counter: byte semaphore gate = 1
             process Worker() {{ location waiting waiting -> waiting {body} }} start Worker()"
        );
        errors(&source)[0].help.clone().unwrap_or_default()
    };
    assert_eq!(suggestion("when countre"), "did you mean `counter`?");
    assert_eq!(suggestion("do gate.singal()"), "did you mean `signal`?");
    assert_eq!(suggestion("do run Wroker()"), "did you mean `Worker`?");
    assert!(suggestion("do gate.frobnicate()").contains("wait, signal, value, zero"));
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in [("(", ")"), ("-", ""), ("!", ""), ("1 ? ", " : 1"), ("a[", "]")] {
        let expression = format!("{}x{}", open.repeat(100_000), close.repeat(100_000));
        let source = format!(
            "program t var x: byte var a: byte[2] process P() {{ start a a -> a when {expression} }}"
        );
        assert!(errors(&source)[0].message.contains("nested"), "{open}");
    }
    let chain = vec!["x"; 100_000].join(" + ");
    let source = format!("program t var x: byte process P() {{ start a a -> a when {chain} }}");
    assert!(errors(&source)[0].message.contains("operators"));
    let polls = "?[x]".repeat(100_000);
    let source = format!("program t var x: byte process P() {{ start a a -> a when x{polls} }}");
    assert!(errors(&source)[0].message.contains("polls"));
}

#[test]
fn semantic_errors_are_found() {
    for (declarations, body, message) in [
        ("", "a -> a do x = 1, 2", "expected `when`"),
        ("var y: byte[0]", "a -> a", "no elements"),
        ("var y: byte[2] = [1]", "a -> a", "initial values"),
        ("var y: byte[2]", "a -> a do y = 1", "needs an index"),
        ("", "a -> a do x[1] = 1", "not an array"),
        ("chan q[1]: byte", "a -> a do q!1,2", "1 fields, 2 given"),
        ("chan q[0]: byte", "a -> a do x = 1; q!1", "first effect"),
        ("chan q[0]: byte", "a -> a otherwise do q?x", "never executable"),
        ("", "a -> a do exit; x = 1", "last effect"),
        ("", "a -> a do run P(1)", "0 arguments, 1 given"),
        ("barrier b = 0", "a -> a", "waits for 0"),
        ("semaphore s", "a -> a", "needs its initial value"),
        ("semaphore s = 1", "a -> a do s.wait(3)", "0 inputs, 1 given"),
        ("var x: byte", "a -> a", "declared twice"),
    ] {
        let source = format!("program t var x: byte {declarations} process P() {{ {body} }} start P()");
        let found = errors(&source);
        assert!(found.iter().any(|d| d.message.contains(message)), "{source}: {found:?}");
    }
}

/// Every prefix, and every text with a token left out, doubled or swapped with its neighbour.
#[test]
fn no_text_makes_it_panic() {
    for end in (0..EVERYTHING.len()).filter(|i| EVERYTHING.is_char_boundary(*i)) {
        let _ = parse("t", &EVERYTHING[..end]);
    }
    let words: Vec<&str> = EVERYTHING.split_inclusive(|c: char| !c.is_ascii_alphanumeric()).collect();
    for i in 0..words.len() {
        let mut without = words.clone();
        without.remove(i);
        let _ = parse("t", &without.concat());
        let mut doubled = words.clone();
        doubled.insert(i, words[i]);
        let _ = parse("t", &doubled.concat());
        let mut swapped = words.clone();
        swapped.swap(i, (i + 1) % words.len());
        let parsed = parse("t", &swapped.concat());
        if let Some(program) = parsed.program {
            let again = parse("t", &print(&program)).program.map(|p| p.without_spans());
            assert_eq!(again, Some(program.without_spans()));
        }
    }
}
