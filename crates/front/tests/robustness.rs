//! No input makes the front end panic, hang, or grow without limit.

use mazurka_front::promela::{Options, Parsed, lower, parse, print::print};
use mazurka_model::source::Severity;

fn read(text: &str) -> Parsed {
    parse("model", text, &Options::default())
}

#[track_caller]
fn refused(text: &str, why: &str) {
    let parsed = read(text);
    let found = parsed
        .diagnostics
        .iter()
        .any(|diagnostic| diagnostic.severity == Severity::Error && diagnostic.message.contains(why));
    let messages: Vec<&str> = parsed.diagnostics.iter().map(|d| d.message.as_str()).take(5).collect();
    assert!(found, "expected an error about `{why}`, found {messages:?}");
}

#[test]
fn deep_nesting_is_refused() {
    let deep = 100_000;
    let expression = format!("init {{ byte x; x = {}1{} }}", "(".repeat(deep), ")".repeat(deep));
    refused(&expression, "nested more than");
    refused(&format!("init {{ byte x; x = {}1 }}", "- ".repeat(deep)), "nested more than");
    refused(&format!("init {{ byte x; x = {}1 }}", "!".repeat(deep)), "nested more than");
    refused(&format!("init {{ {} skip", "{".repeat(deep)), "nested more than");
    refused(&format!("init {{ {} skip", "if :: ".repeat(deep)), "nested more than");
    refused(&format!("byte a[2]; init {{ {}1", "a[".repeat(deep)), "nested more than");
    refused(&format!("init {{ skip; {}", "{ skip } unless { ".repeat(deep)), "nested more than");
    refused(&format!("ltl {{ {} true }}", "[] ".repeat(deep)), "nested more than");
    refused(&format!("ltl {{ {} true", "(".repeat(deep)), "nested more than");
    refused(&format!("chan q = [1] of {{ byte }}; init {{ q?{}1", "(".repeat(deep)), "nested more than");
    refused(&format!("#if {}1\n#endif", "(".repeat(deep)), "nested too deeply");
    refused(&format!("#if {}1\n#endif", "- ".repeat(deep)), "nested too deeply");
}

#[test]
fn long_expressions_are_bounded() {
    let sum = |terms: usize| format!("int x; init {{ x = 1{} }}", " + 1".repeat(terms));
    assert!(read(&sum(1_900)).unit.is_some());
    refused(&sum(100_000), "operators");
    refused(&format!("ltl {{ true{} }}", " && true".repeat(100_000)), "operators");
    let long = format!("init {{ {} skip }}", "skip; ".repeat(100_000));
    assert!(read(&long).unit.is_some());
    let references = format!("byte x; init {{ x{} = 1 }}", ".x".repeat(100_000));
    assert!(read(&references).unit.is_none());
    let labels = format!("init {{ {} skip }}", (0..20_000).map(|n| format!("l{n}: ")).collect::<String>());
    assert!(read(&labels).unit.is_some());
}

#[test]
fn the_deepest_trees_that_are_allowed_survive_every_pass() {
    let (blocks, parentheses) = (90, 90);
    let text = format!(
        "int x; init {{ {} x = {}1{}{} {} }} ltl {{ {}true{} }}",
        "{ ".repeat(blocks),
        "(".repeat(parentheses),
        ")".repeat(parentheses),
        " - 1".repeat(1_999),
        "}".repeat(blocks),
        "[] (".repeat(90),
        ")".repeat(90),
    );
    let parsed = read(&text);
    let unit = parsed.unit.expect("it is correct");
    let copy = unit.clone();
    assert!(copy.items == unit.items);
    // The printer's parentheses make it deeper than the parser allows, but it must print.
    assert!(print(&unit).len() > text.len());
}

#[test]
fn macros_and_inlines_cannot_explode() {
    let mut doubling = "#define A0 1 +\n".to_string();
    for n in 1..64 {
        doubling.push_str(&format!("#define A{n} A{} A{}\n", n - 1, n - 1));
    }
    refused(&format!("{doubling}int x = A63 1;"), "macros expand to more than");
    refused(
        &format!("#define F(x) x x\nint x = {}1{};", "F(".repeat(60), ")".repeat(60)),
        "macros expand to more than",
    );
    refused(&format!("#define F(x) x\nint x = {}1{};", "F(".repeat(5_000), ")".repeat(5_000)), "nested");
    let quoting = format!(
        "#define Q(x) #x\n#define S(x) Q(x)\ninit {{ printf({}\"\\\"{}) }}",
        "S(".repeat(100),
        ")".repeat(100)
    );
    assert!(read(&quoting).unit.is_none());
    let mut inlines = "byte x; inline f0() { x = 1 }\n".to_string();
    for n in 1..64 {
        inlines.push_str(&format!("inline f{n}() {{ f{}(); f{}() }}\n", n - 1, n - 1));
    }
    refused(&format!("{inlines}init {{ f63() }}"), "inlines expand to too much text");
    let mut chain = "byte x; inline f0() { x = 1 }\n".to_string();
    for n in 1..1_000 {
        chain.push_str(&format!("inline f{n}() {{ f{}() }}\n", n - 1));
    }
    refused(&format!("{chain}init {{ f999() }}"), "nested more than");
    // A macro that names itself is not expanded again.
    let parsed =
        read("#define x y\n#define y x\n#define f(a) f(a) + g\n#define g f\nbyte x, y; init { x = y }");
    assert!(parsed.unit.is_some());
}

#[test]
fn files_that_include_themselves_are_refused() {
    let include = |_: &str, wanted: &str| Ok((wanted.to_string(), "#include \"b\"\n".to_string()));
    let options = Options { include: Box::new(include), ..Options::default() };
    let parsed = parse("a", "#include \"b\"\n", &options);
    assert!(parsed.diagnostics[0].message.contains("includes itself"));
    // Under ever new names.
    let include =
        |from: &str, _: &str| Ok((format!("{from}b"), "#include \"x\"\n#include \"x\"\n".to_string()));
    let options = Options { include: Box::new(include), ..Options::default() };
    let parsed = parse("a", "#include \"x\"\n", &options);
    assert!(parsed.diagnostics.iter().any(|d| d.message.contains("too many included files")));
}

#[test]
fn errors_do_not_pile_up() {
    let parsed = read(&"init { ( } ) x @ ; ".repeat(20_000));
    assert!(parsed.unit.is_none());
    assert!(parsed.diagnostics.len() <= 60, "{}", parsed.diagnostics.len());
}

#[test]
fn many_unknown_names_and_many_known_ones_take_no_time() {
    let declared: String = (0..20_000).map(|n| format!("byte known{n};\n")).collect();
    let used: String = (0..20_000).map(|n| format!("unknown{n} = 1;\n")).collect();
    let parsed = read(&format!("{declared}init {{ {used} }}"));
    assert_eq!(parsed.diagnostics.len(), 100);
    let skipped = read(&"#if 0\n\"\n#endif\n#nonsense\n".repeat(20_000));
    assert_eq!(skipped.diagnostics.len(), 100);
}

/// A small generator of numbers (xorshift), so that failures repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

const SEEDS: [&str; 4] = [
    "#define N 3\n#define MAX(a,b) ((a) > (b) -> (a) : (b))\n#if N > 2\nmtype = { ack, nak };\n#else\n'x\n#endif\n\
     typedef T { byte a; bool b[2] };\nT t; byte x = 3, a[N] = {1, 2, 3}; chan q = [N] of { mtype, byte };\n\
     inline set(v, e) { byte tmp; tmp = e; v = tmp; goto done; done: skip }\n\
     proctype P(byte i; chan c) { end: do :: c!ack(i) :: c?nak,eval(i) -> break :: else -> set(x, MAX(i, 2)) od unless { timeout } }\n\
     init { atomic { run P(1, q); run P(2, q) priority 2 }; t.b[1] = true; printf(\"%d\\n\", x) }\n",
    "bool p, q; byte i; chan c = [0] of { byte };\nltl one { [] (p -> <> q) && (p U q W p V q) <-> X p }\n\
     never { T0: if :: p -> goto accept :: true fi; accept: do :: !q od }\ntrace { do :: c!1; c?1 od }\n\
     active [2] proctype A() provided (p) { for (i : 1 .. 3) { select (i : 0 .. 2) }\n d_step { i++; i-- }\n\
     c!i; c??<i>; (c?[1] || nfull(c) && len(c) > 0); assert(A[0]@here || A:z == 1)\nbyte z\nhere: skip }\n",
    "byte x; init { x = 1 }",
    "/* a comment */ // another\n#define f(x, y) x##y\n#define h(x) #x\ninline g(a) { return a }\nbyte xy; init { f(x, y) = 1; xy = g(2); printf(h(a + 1)) }\n",
];

const PIECES: [&str; 40] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    "->",
    "::",
    ":",
    "if",
    "fi",
    "do",
    "od",
    "atomic",
    "unless",
    "goto",
    "inline",
    "#define ",
    "\n#if 0\n",
    "\n#endif\n",
    "\n#else\n",
    "##",
    "#",
    "\"",
    "'",
    "\\\n",
    "/*",
    "*/",
    "ltl {",
    "init {",
    "proctype ",
    "run P(",
    "f(",
    "set(",
    "g(",
    "99999999999",
    "\u{0}",
    "é",
    "c_code {",
];

#[test]
fn mutated_models_never_panic() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut correct = 0;
    for round in 0..6_000 {
        let mut bytes = SEEDS[round % SEEDS.len()].as_bytes().to_vec();
        for _ in 0..random.below(5) {
            let at = random.below(bytes.len() + 1);
            let end = (at + random.below(12)).min(bytes.len());
            match random.below(5) {
                0 => drop(bytes.drain(at..end)),
                1 => bytes.splice(at..at, PIECES[random.below(PIECES.len())].bytes()).for_each(drop),
                2 => bytes.splice(at..end, PIECES[random.below(PIECES.len())].bytes()).for_each(drop),
                3 => {
                    let copy: Vec<u8> = bytes[at..end].to_vec();
                    let to = random.below(bytes.len() + 1);
                    bytes.splice(to..to, copy).for_each(drop);
                }
                _ if at < bytes.len() => bytes[at] = random.below(256) as u8,
                _ => {}
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        let parsed = read(&text);
        for diagnostic in &parsed.diagnostics {
            let span = diagnostic.span.expect("every diagnostic has a place");
            assert!(parsed.sources.locate(span).is_some(), "a place outside the text:\n{text}");
        }
        let lowered = lower::lower("model", &parsed);
        let mut all = parsed.diagnostics.iter().chain(&lowered.diagnostics);
        let refused = all.any(|diagnostic| diagnostic.severity == Severity::Error);
        assert!(lowered.program.is_some() || refused, "refused without a reason:\n{text}");
        if let Some(unit) = parsed.unit {
            correct += 1;
            let again = read(&print(&unit));
            let unit_again = again.unit.unwrap_or_else(|| {
                panic!("printed wrongly: {:?}\n{}\nfrom\n{text}", again.diagnostics[0], print(&unit))
            });
            assert!(unit.items == unit_again.items, "printed differently:\n{}\nfrom\n{text}", print(&unit));
        }
    }
    assert!(correct > 100, "only {correct} models were correct, so the printer was hardly tested");
}

/// Reads and lowers a text that must be refused; the first error.
#[track_caller]
fn first_error(text: &str) -> String {
    let parsed = read(text);
    let lowered = lower::lower("model", &parsed);
    let mut all = parsed.diagnostics.iter().chain(&lowered.diagnostics);
    let error = all.find(|diagnostic| diagnostic.severity == Severity::Error);
    assert!(
        error.is_some() && lowered.program.is_none(),
        "accepted: {}",
        text.chars().take(80).collect::<String>()
    );
    error.map(|error| error.message.clone()).unwrap_or_default()
}

#[test]
fn huge_constants_are_refused() {
    for text in [
        "byte a[99999999999999999999999]; init { skip }",
        "byte a[2000000000]; init { a[0] = 1 }",
        "byte a[-1]; init { a[0] = 1 }",
        "byte a[0]; init { a[0] = 1 }",
        "chan q = [100000] of { byte }; init { q!1 }",
        "chan q = [-1] of { byte }; init { q!1 }",
        "typedef T { byte a[60000] }; typedef U { T t[60000] }; U u[60000]; init { u[0].t[0].a[0] = 1 }",
        "active [2000000000] proctype P() { skip }",
        "active [-1] proctype P() { skip }",
        "unsigned u : 99999999999; init { u = 1 }",
        "#if 99999999999999999999999999\n#endif\ninit { skip }",
    ] {
        assert!(!first_error(text).is_empty());
    }
    // A number that is only a value keeps its lowest bits, as in SPIN.
    let parsed = read("int x; init { x = 4294967297 }");
    assert!(parsed.unit.is_some(), "{:?}", parsed.diagnostics);
}

#[test]
fn many_of_a_kind_take_no_time() {
    let begin = std::time::Instant::now();
    let arrays: String = (0..400).map(|n| format!("chan q{n}[255] = [1] of {{ byte }};\n")).collect();
    first_error(&format!("{arrays}active proctype P() {{ q1[0]!1 }}"));
    first_error(&format!("active proctype P() {{ {arrays} q1[0]!1 }}"));
    first_error("chan q[199999] = [1] of { byte }; active proctype P() { q[0]!1 }");
    let variables: String = (0..50_000).map(|n| format!("byte v{n};\n")).collect();
    let labels: String = (0..50_000).map(|n| format!("l{n}: v1 = 1;\n")).collect();
    let same: String = "{ byte k; k = 1 };".repeat(20_000);
    let parsed = read(&format!("{variables} active proctype P() {{ {labels} {same} skip }}"));
    assert!(lower::lower("model", &parsed).program.is_some(), "{:?}", parsed.diagnostics.first());
    // A limit that only a change of complexity exceeds, also on a slow, busy or unoptimised machine.
    assert!(begin.elapsed() < std::time::Duration::from_secs(30), "it took {:?}", begin.elapsed());
}

#[test]
fn what_contains_itself_is_refused() {
    first_error("inline f() { f() } init { f() }");
    first_error("inline f() { g() } inline g() { f() } init { f() }");
    first_error("typedef T { T t }; T t; init { skip }");
    first_error("typedef T { U u }; typedef U { T t }; T t; init { skip }");
    first_error("init { a: goto b; b: goto a }");
}

#[test]
fn binary_files_are_refused() {
    let mut random = Random(7);
    for _ in 0..50 {
        let bytes: Vec<u8> = (0..4_096).map(|_| random.below(256) as u8).collect();
        first_error(&String::from_utf8_lossy(&bytes));
    }
    first_error("\u{7f}ELF\u{2}\u{1}\u{1}\u{0}\u{0}\u{0}\u{0}");
    first_error("\u{0}");
    first_error("\u{feff}\u{feff}byte x;");
}

#[test]
fn noise_never_panics() {
    let mut random = Random(42);
    for _ in 0..300 {
        let bytes: Vec<u8> = (0..random.below(2_000)).map(|_| random.below(256) as u8).collect();
        read(&String::from_utf8_lossy(&bytes));
        let pieces: String = (0..random.below(400)).map(|_| PIECES[random.below(PIECES.len())]).collect();
        read(&pieces);
    }
}
