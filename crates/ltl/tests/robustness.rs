//! Texts that make no sense: nothing panics, and every error has a place in the text.

use mazurka_ltl::random::Random;
use mazurka_ltl::{Formulas, ParseError, hoa, never, parse, pattern};

const TOKENS: &[&str] = &[
    "p",
    "q",
    "é",
    "x",
    "3",
    "\"",
    "\"a b\"",
    "(",
    ")",
    "[",
    "]",
    "[]",
    "<>",
    "{",
    "}",
    "!",
    "&&",
    "||",
    "->",
    "<->",
    "U",
    "W",
    "R",
    "G",
    "F",
    "X",
    "GFp",
    "==",
    "=",
    "<",
    "+",
    "-",
    "@",
    ":",
    "::",
    ";",
    "?",
    "?[",
    "until",
    "and",
    "not",
    "never",
    "do",
    "od",
    "if",
    "fi",
    "goto",
    "T0",
    "accept",
    "break",
    "skip",
    "else",
    "atomic",
    "assert",
    "true",
    "/*",
    "*/",
    "//",
    "response:",
    "absence:",
    "responds",
    "to",
    "precedes",
    "before",
    "after",
    "between",
    "globally",
    "HOA:",
    "v1",
    "AP:",
    "2",
    "States:",
    "Start:",
    "Acceptance:",
    "Inf",
    "Fin",
    "0",
    "1",
    "t",
    "f",
    "--BODY--",
    "--END--",
    "State:",
    "Alias:",
    "@a",
    "\n",
    " ",
    "\\",
    "□",
    "→",
];

/// Texts that are nearly right, so that the readers get far into them.
const BEGINNINGS: &[&str] = &[
    "",
    "never { ",
    "never { do :: p -> ",
    "HOA: v1 AP: 2 \"p\" \"q\" Acceptance: 1 ",
    "HOA: v1 AP: 2 \"p\" \"q\" Start: 0 Acceptance: 2 Inf(0)&Fin(1) --BODY-- State: 0 ",
    "response: ",
    "absence: p between ",
    "G(p -> ",
];

fn placed(text: &str, error: Option<ParseError>) {
    if let Some(error) = error {
        assert!(error.start <= error.end, "{text:?}: {error:?}");
        assert!(text.get(error.start..error.end).is_some(), "{text:?}: {error:?}");
    }
}

#[test]
fn nothing_panics() {
    let mut random = Random::new(7);
    for _ in 0..40_000 {
        let mut text = BEGINNINGS[random.below(BEGINNINGS.len())].to_owned();
        for _ in 0..random.below(14) {
            text.push_str(TOKENS[random.below(TOKENS.len())]);
            if random.below(3) > 0 {
                text.push(' ');
            }
        }
        let mut formulas = Formulas::new();
        placed(&text, parse::parse(&mut formulas, &text).err());
        placed(&text, pattern::parse(&mut formulas, &text).err());
        placed(&text, never::read(&text).err());
        placed(&text, hoa::read(&text).err());
    }
}

#[test]
fn depth_is_limited_everywhere() {
    for opening in ["(", "!", "é U (", "X ", "[] ", "p -> ", "never { if :: ", "a U "] {
        let text = opening.repeat(20_000);
        let mut formulas = Formulas::new();
        placed(&text, Some(parse::parse(&mut formulas, &text).expect_err("too deep")));
        placed(&text, never::read(&text).err());
    }
}
