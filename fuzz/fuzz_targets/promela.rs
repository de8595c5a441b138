//! Any bytes through the whole Promela front end: preprocessor, lexer, parser, checks, lowering.
//!
//! What must hold: no panic, no hang, bounded memory (the limits are in `run`); every diagnostic has its
//! place in the text; an input that gives no program gives an error. A file may include the input itself
//! under new names, so that recursion through `#include` is tried as well.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mazurka_front::promela::{Options, lower, parse};
use mazurka_model::source::Severity;
use mazurka_program::Interpreter;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let include = |from: &str, wanted: &str| match wanted {
        "self" => Ok((format!("{from}+"), text.to_string())),
        "empty" => Ok(("empty".to_string(), String::new())),
        other => Err(format!("no file {other}")),
    };
    let options = Options { include: Box::new(include), ..Options::default() };
    let parsed = parse("fuzz.pml", &text, &options);
    for diagnostic in &parsed.diagnostics {
        let span = diagnostic.span.expect("every diagnostic has a place");
        assert!(parsed.sources.locate(span).is_some(), "a place outside the text");
    }
    let lowered = lower::lower("fuzz.pml", &parsed);
    let mut diagnostics = parsed.diagnostics.iter().chain(&lowered.diagnostics);
    match lowered.program {
        None => assert!(diagnostics.any(|d| d.severity == Severity::Error), "refused without a reason"),
        Some(program) => drop(Interpreter::new(program)),
    }
});
