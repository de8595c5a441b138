//! The C preprocessor, as far as models use it: macros with and without arguments, `#include`,
//! conditionals, `#error`.
//!
//! It works on tokens, not on text, so that every token keeps the place where it was written and the
//! chain of macros it came through. It is bounded: the number of tokens that macros produce, the
//! number of files and the depth of everything have limits, and a model that exceeds one gets a
//! diagnostic.
//!
//! Known differences from a C compiler's preprocessor: `__LINE__` and `__FILE__` are the only predefined macros,
//! `#line` changes nothing, and a directive inside the arguments of a macro ends the arguments.

mod condition;
mod directive;
mod expand;

use super::Options;
use super::lex::{Interner, lex};
use super::token::{Expansions, Mark, Place, Text, Token, TokenKind};
use mazurka_model::source::{Diagnostic, SourceMap, Span};
use std::collections::HashMap;

/// How many tokens all macros and inlines of a model together may produce.
pub const EXPANSION_BUDGET: usize = 1_000_000;
const INCLUDE_DEPTH: usize = 64;
const MAXIMAL_FILES: usize = 4_096;

/// What the preprocessor leaves to the parser.
pub struct Preprocessed {
    /// The tokens of the model.
    pub tokens: Vec<Token>,
    /// The macros they came through.
    pub expansions: Expansions,
    /// What was wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// How many more tokens may be produced by expansion.
    pub budget: usize,
    /// The names of the macros, in order.
    pub macros: Vec<Text>,
}

/// Runs the preprocessor over a model.
pub fn preprocess(name: &str, text: &str, options: &Options<'_>, sources: &mut SourceMap) -> Preprocessed {
    let mut state = Preprocessor {
        sources,
        options,
        interner: Interner::default(),
        macros: HashMap::new(),
        expansions: Expansions::default(),
        diagnostics: Vec::new(),
        output: Vec::new(),
        budget: EXPANSION_BUDGET,
        exhausted: false,
        including: Vec::new(),
        files: 0,
    };
    let text = without_mark(text);
    let model = state.sources.add(name, text);
    if !options.defines.is_empty() {
        let lines: Vec<String> =
            options.defines.iter().map(|(name, value)| format!("#define {name} {value}\n")).collect();
        let text = lines.concat();
        let file = state.sources.add("<command line>", text.as_str());
        state.file(file, "<command line>", &text);
    }
    state.file(model, name, text);
    let mut macros: Vec<Text> = state.macros.keys().cloned().collect();
    macros.sort();
    Preprocessed {
        tokens: state.output,
        expansions: state.expansions,
        diagnostics: state.diagnostics,
        budget: state.budget,
        macros,
    }
}

/// A text without the byte order mark that some editors begin it with.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// A macro.
struct Macro {
    /// `None` for a macro without an argument list.
    parameters: Option<Vec<Text>>,
    /// The last parameter stands for all arguments from there on.
    variadic: bool,
    body: Vec<Token>,
    place: Place,
}

struct Preprocessor<'a> {
    sources: &'a mut SourceMap,
    options: &'a Options<'a>,
    interner: Interner,
    macros: HashMap<Text, std::rc::Rc<Macro>>,
    expansions: Expansions,
    diagnostics: Vec<Diagnostic>,
    output: Vec<Token>,
    budget: usize,
    exhausted: bool,
    including: Vec<String>,
    files: usize,
}

/// One `#if` that is open.
struct Conditional {
    /// The text around it is used.
    outer: bool,
    /// A branch of it was used.
    taken: bool,
    /// The current branch is used.
    active: bool,
    /// `#else` was seen.
    last: bool,
    span: Span,
}

impl Preprocessor<'_> {
    fn is_defined(&self, name: &Text) -> bool {
        self.macros.contains_key(name) || matches!(name.as_ref(), "__LINE__" | "__FILE__")
    }

    fn file(&mut self, file: u16, name: &str, text: &str) {
        let end = Span { file, start: 0, end: 0 };
        if u32::try_from(text.len()).is_err() {
            self.diagnostics.push(Diagnostic::error(end, "this file is larger than 4 GB"));
            return;
        }
        self.files += 1;
        self.including.push(name.to_string());
        let mut found = Vec::new();
        let tokens = lex(text, file, &mut self.interner, &mut found);
        let mut conditionals: Vec<Conditional> = Vec::new();
        let mut skipped: Vec<(u32, u32)> = Vec::new();
        let mut at = 0;
        while at < tokens.len() && !self.exhausted {
            let active = conditionals.last().is_none_or(|c| c.active);
            if is_directive(&tokens[at]) {
                let end = line_end(&tokens, at);
                self.directive(name, &tokens[at..end], &mut conditionals);
                at = end;
                continue;
            }
            let mut end = at;
            while end < tokens.len() && !is_directive(&tokens[end]) {
                end += 1;
            }
            if active {
                let expanded = self.expand(tokens[at..end].to_vec(), 0);
                self.output.extend(expanded);
            } else {
                skipped.push((tokens[at].place.span.start, tokens[end - 1].place.span.end));
            }
            at = end;
        }
        found.retain(|diagnostic| {
            let at = diagnostic.span.map_or(0, |span| span.start);
            let next = skipped.partition_point(|(start, _)| *start <= at);
            next.checked_sub(1).is_none_or(|before| at >= skipped[before].1)
        });
        self.diagnostics.extend(found);
        for open in conditionals {
            self.diagnostics.push(
                Diagnostic::error(open.span, "this conditional has no `#endif`")
                    .label("opened here")
                    .help("add `#endif`"),
            );
        }
        self.including.pop();
    }
}

fn is_directive(token: &Token) -> bool {
    token.starts_line && token.kind == TokenKind::Mark(Mark::Hash)
}

/// One past the last token of the line that begins at `start`.
fn line_end(tokens: &[Token], start: usize) -> usize {
    tokens[start + 1..]
        .iter()
        .position(|token| token.starts_line)
        .map_or(tokens.len(), |length| start + 1 + length)
}
