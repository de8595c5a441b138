//! Every construct of the language: it is read without errors, and the printed tree reads back as the
//! same tree.

use mazurka_front::promela::{Options, Parsed, ast::Unit, parse, print::print};

fn describe(parsed: &Parsed) -> String {
    let line = |diagnostic: &mazurka_model::source::Diagnostic| {
        let place = diagnostic.span.and_then(|span| parsed.sources.locate(span));
        format!("{}: {}", place.map_or(String::new(), |place| place.to_string()), diagnostic.message)
    };
    parsed.diagnostics.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn read(text: &str) -> Unit {
    let mut parsed = parse("model", text, &Options::default());
    let problems = describe(&parsed);
    parsed.unit.take().unwrap_or_else(|| panic!("{problems}\nin:\n{text}"))
}

/// Reads, prints and reads again.
fn same(text: &str) -> Unit {
    let first = read(text);
    let printed = print(&first);
    let second = read(&printed);
    assert!(first.items == second.items, "printed as:\n{printed}");
    first
}

/// The printed form of a body.
fn body(statements: &str) -> String {
    let unit = same(&format!("{GLOBALS}\ninit {{\n{statements}\n}}"));
    let text = print(&unit);
    let start = text.find("init {").expect("init is printed");
    let lines: Vec<&str> = text[start..].lines().skip(1).take_while(|line| *line != "}").collect();
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

const GLOBALS: &str = "
    mtype = { ack, nak };
    typedef Inner { byte a; bool b };
    typedef Outer { Inner one; Inner many[2]; int n };
    byte x, y, a[4];
    bool p;
    Outer s;
    chan q = [2] of { byte, byte };
    chan m = [2] of { mtype };
    chan r = [2] of { Inner };
    proctype P(byte i; chan c) { here: c?i,_ }
";

#[test]
fn declarations() {
    let unit = same(
        "bit a; bool b = true; byte c = 3, d[4] = 7; pid e; short f = -1; int g[3] = {1, 2, 3};
         unsigned h : 5 = 17; mtype = { red, green }; mtype:size = { small, large };
         mtype i = red; mtype:size j = large; chan k; chan l = [2] of { mtype:size, byte, chan, bool };
         chan o[2] = [0] of { short };
         typedef T { byte a; unsigned w : 3; bit b[2] };
         typedef U { T inner; T all[3]; chan c = [1] of { T } };
         U u; T v[2]; hidden byte z; show int zz; local short zzz;
         chan t = [3] of { T, byte };
         init { skip }",
    );
    assert_eq!(unit.items.len(), 23);
}

#[test]
fn items() {
    same(
        "byte ready;
         chan z = [0] of { byte };
         active proctype A() { skip }
         active [3] proctype B() priority 4 provided (ready > 0) { skip }
         D_proctype C(byte a, b; chan c; mtype m) { skip }
         init priority 2 { run C(1, 2, z, 3) }
         never nobody { T0: do :: ready -> goto accept :: true od; accept: ready }
         never { do :: timeout -> break od }
         trace { do :: z!1 -> z?1 od }
         notrace { if :: z!2 fi }",
    );
}

#[test]
fn statements() {
    assert_eq!(body("x = 1; x++; y--"), "x = 1; x++; y--;");
    assert_eq!(body("skip; true; (x == 1); x"), "skip; true; (x == 1); x;");
    assert_eq!(
        body("a[x+1] = a[0]; s.one.a = 1; s.many[x].b = s.one.b"),
        "a[x + 1] = a[0]; s.one.a = 1; s.many[x].b = s.one.b;"
    );
    assert_eq!(body("if :: x -> y = 1 :: else fi"), "if :: x; y = 1; :: else; fi;");
    assert_eq!(body("do :: x > 0 -> x-- :: else -> break od"), "do :: (x > 0); x--; :: else; break; od;");
    assert_eq!(body("for (x : 1 .. 3) { y++ }"), "for (x : 1 .. 3) { y++; };");
    assert_eq!(body("for (x in a) { a[x] = x }"), "for (x in a) { a[x] = x; };");
    assert_eq!(body("Inner z; for (z in r) { skip }"), "Inner z; for (z in r) { skip; };");
    assert_eq!(body("select (x : 0 .. 9)"), "select (x : 0 .. 9);");
    assert_eq!(
        body("atomic { x = 1; y = 2 }; d_step { x = 1 }"),
        "atomic { x = 1; y = 2; }; d_step { x = 1; };"
    );
    assert_eq!(body("{ x = 1 } unless { y == 1 }"), "{ x = 1; } unless { (y == 1); };");
    assert_eq!(
        body("end: accept1: skip; goto end; progress: x = 1; here:"),
        "end: accept1: skip; goto end; progress: x = 1; here: skip;"
    );
    assert_eq!(
        body(r#"printf("a\n"); printf("%d %e", x, ack); printm(ack)"#),
        r#"printf("a\n"); printf("%d %e", x, ack); printm(ack);"#
    );
    assert_eq!(
        body("assert(x == 1); assert x < 2; set_priority(_pid, 3)"),
        "assert(x == 1); assert(x < 2); set_priority(_pid, 3);"
    );
    assert_eq!(body("xr q; xs m, q; q?_,_"), "xr q; xs m, q; q?_, _;");
}

#[test]
fn messages() {
    assert_eq!(body("q!1,2; q!1(2); q!!x,y+1; q?_,_"), "q!1, 2; q!1, 2; q!!x, (y + 1); q?_, _;");
    assert_eq!(body("q?x,y; q??1,y; q?<x,_>; q??<1,x>"), "q?x, y; q??1, y; q?<x, _>; q??<1, x>;");
    assert_eq!(body("q?eval(x+1),-3; q?1(y); q?(x,y)"), "q?eval(x + 1), eval(-3); q?1, y; q?x, y;");
    assert_eq!(body("q?[x,_]; (q??[1,_] && x)"), "q?[x, _]; ((q??[1, _]) && x);");
    assert_eq!(body("m!ack; m?nak; mtype t; m?t"), "m!ack; m?nak; mtype t; m?t;");
    assert_eq!(body("Inner z; r!z; r?z"), "Inner z; r!z; r?z;");
    assert_eq!(
        body("(len(q) > 0 && nfull(q)); empty(q) || full(m); nempty(q); q?_,_; m?ack"),
        "(((len(q)) > 0) && (nfull(q))); ((empty(q)) || (full(m))); nempty(q); q?_, _; m?ack;"
    );
}

#[test]
fn expressions() {
    assert_eq!(body("x = 1 + 2 * 3 - 4 % 5 / 6"), "x = ((1 + (2 * 3)) - ((4 % 5) / 6));");
    assert_eq!(body("x = 1 << 2 < 3 == 4 & 5 ^ 6 | 7"), "x = ((((((1 << 2) < 3) == 4) & 5) ^ 6) | 7);");
    assert_eq!(body("p = x || y && !p != 1 >= 2"), "p = (x || (y && ((!p) != (1 >= 2))));");
    assert_eq!(body("x = -x + ~y - - 1 >> 1"), "x = ((((-x) + (~y)) - (-1)) >> 1);");
    assert_eq!(body("x = (p -> 1 : (y -> 2 : 3))"), "x = (p -> 1 : (y -> 2 : 3));");
    assert_eq!(body("x = run P(1, q); run P(2, q) priority 3"), "x = (run P(1, q)); run P(2, q) priority 3;");
    assert_eq!(
        body("x = _pid + _nr_pr; (_last == 1); timeout"),
        "x = (_pid + _nr_pr); (_last == 1); timeout;"
    );
    assert_eq!(
        body("(P[1]@here && P@here); (P[x+1]:i == 2 || P:i)"),
        "((P[1]@here) && (P@here)); (((P[x + 1]:i) == 2) || (P:i));"
    );
    assert_eq!(
        body("x = get_priority(_pid); (enabled(1) && pc_value(2))"),
        "x = (get_priority(_pid)); ((enabled(1)) && (pc_value(2)));"
    );
    assert_eq!(body("x = 'a' + '\\n'"), "x = (97 + 10);");
}

#[test]
fn separators_are_optional_where_spin_makes_them_so() {
    // The end of a line ends a statement, but not inside parentheses.
    assert_eq!(
        body("x = 1\ny = 2\nif\n:: x\n-> y = 1\n:: else\nfi\nx = (y\n+ 1)"),
        "x = 1; y = 2; if :: x; y = 1; :: else; fi; x = (y + 1);"
    );
    // Behind a brace nothing is needed.
    assert_eq!(
        body("{ x = 1 } y = 2; atomic { x = 1 } d_step { y = 1 } x = 3;;"),
        "{ x = 1; }; y = 2; atomic { x = 1; }; d_step { y = 1; }; x = 3;"
    );
    assert_eq!(
        body("do :: else -> break :: x -> y = 1 -> skip; od\n;\nx++\n"),
        "do :: else; break; :: x; y = 1; skip; od; x++;"
    );
    assert_eq!(body("x = y\n-x > 1"), "x = y; ((-x) > 1);");
    assert_eq!(body("for (x : 0 .. 1)\n{\nskip\n}\n"), "for (x : 0 .. 1) { skip; };");
    assert_eq!(body("{\nskip\n}\nunless\n{\nx\n}\n"), "{ skip; } unless { x; };");
    same("chan c = [1] of { byte; }; init { skip; }");
    same("typedef T {\nbyte a\nbyte b\n}\nT t\nbyte z\ninit {\nt.a = 1\n}");
}

#[test]
fn inlines_are_expanded() {
    let text = "byte x, y;
        inline set(v, e) { byte t; t = e; v = t + 1 }
        inline twice(v) { set(v, v + 1); set(v, 2) }
        inline plus(n) { return n + 1 }
        init { twice(x); set(y, (x -> 1 : 2)) y = plus(x) }";
    let unit = same(text);
    let printed = print(&unit);
    let flat: Vec<&str> = printed.lines().map(str::trim).collect();
    assert_eq!(
        flat[1..].join(" "),
        "init { { { byte t; t = (x + 1); x = (t + 1); }; { byte t; t = 2; x = (t + 1); }; }; \
         { byte t; t = (x -> 1 : 2); y = (t + 1); }; { y = (x + 1); }; }"
    );
    assert_eq!(unit.inlines.iter().map(|inline| inline.uses).collect::<Vec<_>>(), [3, 1, 1]);
}

#[test]
fn formulas() {
    let formula = |text: &str| {
        let unit = same(&format!("bool p, q, r; byte x; ltl f {{ {text} }} init {{ skip }}"));
        let printed = print(&unit);
        let start = printed.find("ltl f { ").expect("the formula is printed") + 8;
        let end = printed[start..].find(" }").expect("the formula ends") + start;
        printed[start..end].to_string()
    };
    assert_eq!(formula("[] p"), "([] (p))");
    assert_eq!(formula("[]<> !p"), "([] (<> (! (p))))");
    assert_eq!(formula("p U q && r"), "(((p) U (q)) && (r))");
    assert_eq!(formula("p -> q <-> r"), "(((p) -> (q)) <-> (r))");
    assert_eq!(formula("p || q && r U p"), "((p) || ((q) && ((r) U (p))))");
    assert_eq!(formula("[] (x == 1 -> <> (x + 1 > 2))"), "([] ((x == 1) -> (<> ((x + 1) > 2))))");
    assert_eq!(formula("always p implies eventually q"), "(([] (p)) -> (<> (q)))");
    assert_eq!(formula("p until q equivalent r weakuntil p"), "(((p) U (q)) <-> ((r) W (p)))");
    assert_eq!(formula("(p W q) V (p R q)"), "(((p) W (q)) V ((p) V (q)))");
    assert_eq!(formula("next X p release q stronguntil r"), "(((X (X (p))) V (q)) U (r))");
    assert_eq!(formula("((p && q) == r)"), "((p && q) == r)");
    same("ltl { <> (P@done && P[1]:i == 2) } active proctype P() { byte i; done: i = 2 }");
    same("ltl late { [] (later > 0) || true } byte later;");
}

#[test]
fn the_preprocessor() {
    let unit = read(
        "#define N 3\n#define MAX(a, b) ((a) > (b) -> (a) : (b))\n#define CAT(a, b) a ## b\n#define TEXT(a) #a\n\
         #define LONG x = 1; \\\n  y = 2\n#if N > 2 && defined(MAX) && !defined(NO)\nbyte x, y, xy;\n#else\nnonsense '\n#endif\n\
         #ifdef NO\n#error no\n#elif N == 3\nbyte z;\n#else\nmore nonsense\n#endif\n#undef N\n#ifndef N\n#define N 4\n#endif\n\
         #define f(x) x + g\n#define g f(1)\n\
         init { x = MAX(N, MAX(1, 2)); CAT(x, y) = N; LONG; printf(TEXT(a \"b\" + 1)); /* no */ z = 1 // end\n}",
    );
    let printed = print(&unit);
    assert!(printed.contains("x = ((4 > ((1 > 2) -> 1 : 2)) -> 4 : ((1 > 2) -> 1 : 2));"), "{printed}");
    assert!(printed.contains("xy = 4;"), "{printed}");
    assert!(printed.contains("x = 1;\n  y = 2;"), "{printed}");
    assert!(printed.contains(r#"printf("a \"b\" + 1")"#), "{printed}");
}

#[test]
fn conditions_are_those_of_c() {
    for condition in [
        "010 == 8 && 0x1F == 31 && 0XaL == 10",
        "5L == 5 && 7uL == 7 && 0 == 00",
        "1 || 5 / 0",
        "!(0 && 5 % 0)",
        "1 ? 2 : 1 / 0",
        "(0 ? 1 / 0 : 2) == 2",
        "N == 16 && __LINE__ == 2 && defined(__FILE__)",
    ] {
        let unit = read(&format!(
            "#define N 0x10u\n#if {condition}\nbyte x;\n#else\nbyte y;\n#endif\ninit {{ skip }}"
        ));
        assert!(print(&unit).contains("byte x;"), "{condition}");
    }
}

#[test]
fn lines_files_and_lists_of_arguments() {
    let unit = read(
        "#define HERE __LINE__\n#define SAY(format, ...) printf(format, ## __VA_ARGS__)\n#define ALL(args...) SAY(args)\n\
         #define COUNT(a, ...) (0 + __VA_ARGS__)\nbyte x;\ninit { x = __LINE__ + HERE;\nSAY(\"a\");\nSAY(\"%d %d\", x, x);\n\
         ALL(\"b %d\", x); x = COUNT(1, 2); printf(__FILE__) }",
    );
    let printed = print(&unit);
    for line in [
        "x = (6 + 6);",
        r#"printf("a");"#,
        r#"printf("%d %d", x, x);"#,
        r#"printf("b %d", x);"#,
        "x = (0 + 2);",
        r#"printf("model")"#,
    ] {
        assert!(printed.contains(line), "{line}\n{printed}");
    }
}

#[test]
fn definitions_and_included_files_come_from_outside() {
    let include = |from: &str, wanted: &str| match (from, wanted) {
        ("model", "one") => Ok(("one".to_string(), "#include \"two\"\nbyte x = N;".to_string())),
        ("one", "two") => Ok(("two".to_string(), "byte y = F(1);".to_string())),
        _ => Err("no such file".to_string()),
    };
    let defines = vec![("N".to_string(), "7".to_string()), ("F(a)".to_string(), "a + N".to_string())];
    let options = Options { defines, include: Box::new(include) };
    let parsed = parse("model", "#include \"one\"\ninit { x = y }", &options);
    let printed = print(&parsed.unit.expect("it is correct"));
    assert!(printed.starts_with("byte y = (1 + 7);\nbyte x = 7;\n"), "{printed}");
}
