//! Promela: preprocessor, lexer, parser, and the checks a model must pass before anything is built
//! from it.
//!
//! SPIN 6.5.2 is the reference for the language. Embedded C is recognised and refused. [`parse()`]
//! never panics and always ends, whatever it is given: nesting, expansion and the number of errors
//! have limits, and exceeding one is a diagnostic.
//!
//! ```
//! use mazurka_front::promela::{Options, parse};
//!
//! let parsed = parse("count.pml", "byte x; active proctype P() { x++; assert(x == 1) }", &Options::default());
//! assert!(parsed.diagnostics.is_empty());
//! assert_eq!(parsed.unit.unwrap().items.len(), 2);
//! ```

pub mod ast;
pub mod check;
pub mod lex;
pub mod lower;
pub mod parse;
pub mod preprocess;
pub mod print;
pub mod token;

use mazurka_model::source::{Diagnostic, Severity, SourceMap, Span};
use std::collections::HashSet;
use token::{ExpansionKind, Expansions, Origin};

/// How many errors, and how many warnings, are reported at most.
pub const MAXIMAL_DIAGNOSTICS: usize = 100;

/// Finds an included file: given the name of the including file and the name in the `#include`,
/// the name and the text of the file, or why there is none.
pub type Include<'a> = dyn Fn(&str, &str) -> Result<(String, String), String> + 'a;

/// How to read a model.
pub struct Options<'a> {
    /// Macros defined from outside: names (with parameters, if any) and bodies.
    pub defines: Vec<(String, String)>,
    /// Finds included files.
    pub include: Box<Include<'a>>,
}

impl Default for Options<'_> {
    /// No definitions and no files to include.
    fn default() -> Self {
        let include = |_: &str, _: &str| Err("there are no files to include here".to_string());
        Options { defines: Vec::new(), include: Box::new(include) }
    }
}

/// What came of reading a model.
pub struct Parsed {
    /// The tree and what its names mean, if there was no error.
    pub unit: Option<ast::Unit>,
    /// What the names of the tree mean. Only complete if there is a unit.
    pub symbols: check::Symbols,
    /// The files, for the spans.
    pub sources: SourceMap,
    /// Errors and warnings, in the order of the passes.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// Whether there was an error.
    pub fn failed(&self) -> bool {
        self.unit.is_none()
    }
}

/// Reads and checks a model.
pub fn parse(name: &str, text: &str, options: &Options<'_>) -> Parsed {
    let mut sources = SourceMap::default();
    let preprocessed = preprocess::preprocess(name, text, options, &mut sources);
    let macros = preprocessed.macros.clone();
    let (unit, mut diagnostics) = parse::parse(preprocessed);
    // Names that a broken declaration should have declared would all be reported as unknown.
    let mut symbols = check::Symbols::default();
    if !has_error(&diagnostics) {
        let (found, more) = check::check(&unit, check::Surroundings { sources: &sources, macros: &macros });
        symbols = found;
        diagnostics.extend(more);
    }
    let unit = if has_error(&diagnostics) { None } else { Some(unit) };
    once(&mut diagnostics);
    limit(&mut diagnostics);
    Parsed { unit, symbols, sources, diagnostics }
}

/// Says once what is wrong inside a macro or an inline, however often that is used.
fn once(diagnostics: &mut Vec<Diagnostic>) {
    let mut said = HashSet::new();
    diagnostics.retain(|diagnostic| said.insert((diagnostic.span, diagnostic.message.clone())));
}

/// Drops what nobody would read: all but the first errors and the first warnings.
fn limit(diagnostics: &mut Vec<Diagnostic>) {
    let (mut errors, mut warnings) = (0, 0);
    diagnostics.retain(|diagnostic| {
        let count = if diagnostic.severity == Severity::Error { &mut errors } else { &mut warnings };
        *count += 1;
        *count <= MAXIMAL_DIAGNOSTICS
    });
}

fn has_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}

/// The chain of macros and inlines behind a place, as notes.
pub(crate) fn expansion_notes(expansions: &Expansions, origin: Origin) -> Vec<(Span, String)> {
    let note = |expansion: &token::Expansion| {
        let text = match expansion.kind {
            ExpansionKind::Macro => format!("in expansion of macro `{}`", expansion.name),
            ExpansionKind::Inline => format!("in expansion of inline `{}`", expansion.name),
            ExpansionKind::Parameter => format!("as parameter `{}`", expansion.name),
        };
        (expansion.call, text)
    };
    expansions.chain(origin).take(16).map(note).collect()
}
