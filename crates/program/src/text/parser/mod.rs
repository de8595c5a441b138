//! From text to a program, with as many errors as can be found in one go.
//!
//! Two passes over the tokens: the first reads declarations and notes where transitions begin, the
//! second reads the transitions, when all names are known. After an error reading goes on at the
//! next declaration or transition. No text makes it panic.

mod declarations;
mod effects;
mod expressions;
mod transitions;

use super::lexer::{Placed, Token, lex};
use super::names::{KEYWORDS, closest};
use crate::ir::Program;
use mazurka_model::source::{Diagnostic, Severity, SourceMap, Span};

/// What parsing gives.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The program, if there was no error.
    pub program: Option<Program>,
    /// The text, for showing diagnostics.
    pub sources: SourceMap,
    /// Errors and warnings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the text of a program; `name` is its file.
///
/// ```
/// let text = "program p  var x: byte  process P() { end location a  a -> a when x < 3 do x = x + 1 }  start P()";
/// let parsed = mazurka_program::text::parse("p.mzk", text);
/// assert!(parsed.program.is_some());
/// ```
pub fn parse(name: &str, text: &str) -> Parsed {
    let mut sources = SourceMap::default();
    let file = sources.add(name, text);
    let mut diagnostics = Vec::new();
    let tokens = lex(text, file, &mut diagnostics);
    let mut parser = Parser {
        tokens,
        next: 0,
        diagnostics,
        program: Program { sources: sources.clone(), ..Program::default() },
        bodies: Vec::new(),
        process: None,
        depth: 0,
        operators: 0,
    };
    parser.declarations();
    parser.transitions();
    let Parser { program, mut diagnostics, .. } = parser;
    if diagnostics.is_empty() {
        diagnostics = program.validate();
    }
    diagnostics.sort_by_key(|d| d.span);
    let failed = diagnostics.iter().any(|d| d.severity == Severity::Error);
    Parsed { program: (!failed).then_some(program), sources, diagnostics }
}

/// The error has been noted; the reader must find a place to go on.
struct Noted;

type Read<T> = Result<T, Noted>;

/// Where the transitions of a process type begin.
struct Body {
    process: usize,
    transitions: Vec<usize>,
    /// Locations into which every transition is atomic.
    atomic: Vec<String>,
    /// Where what is stored at the beginning stands.
    prologue: Vec<usize>,
    /// Locations as sources of transitions, not declared.
    start: Option<(String, Span)>,
    /// Channels by name among initial values: of which local, which value, the name and where.
    named: Vec<(usize, usize, String, Span)>,
}

struct Parser {
    tokens: Vec<Placed>,
    next: usize,
    diagnostics: Vec<Diagnostic>,
    program: Program,
    bodies: Vec<Body>,
    /// The process type whose names are visible.
    process: Option<usize>,
    depth: usize,
    /// How many operators the expression being read has.
    operators: usize,
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.next.min(self.tokens.len() - 1)].token
    }

    fn peek_second(&self) -> &Token {
        &self.tokens[(self.next + 1).min(self.tokens.len() - 1)].token
    }

    fn span(&self) -> Span {
        self.tokens[self.next.min(self.tokens.len() - 1)].span
    }

    /// From the beginning of `start` to the last token read.
    fn since(&self, start: Span) -> Span {
        let last = self.tokens[self.next.saturating_sub(1)].span;
        Span { end: last.end.max(start.end), ..start }
    }

    fn advance(&mut self) {
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    fn error<T>(&mut self, span: Span, message: impl Into<String>) -> Read<T> {
        self.diagnostics.push(Diagnostic::error(span, message));
        Err(Noted)
    }

    fn found(&self) -> String {
        match self.peek() {
            Token::Word(word) => format!("`{word}`"),
            Token::Quoted(name) => format!("`{name}`"),
            Token::Text(text) => format!("\"{text}\""),
            Token::Number(value) => format!("`{value}`"),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end of the text".into(),
        }
    }

    fn expected<T>(&mut self, what: &str) -> Read<T> {
        let message = format!("expected {what}, found {}", self.found());
        self.error(self.span(), message)
    }

    fn at_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(s) if *s == sign)
    }

    fn at_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(w) if w == word)
    }

    fn take_sign(&mut self, sign: &str) -> bool {
        let there = self.at_sign(sign);
        if there {
            self.advance();
        }
        there
    }

    fn take_word(&mut self, word: &str) -> bool {
        let there = self.at_word(word);
        if there {
            self.advance();
        }
        there
    }

    fn sign(&mut self, sign: &str) -> Read<()> {
        if self.take_sign(sign) { Ok(()) } else { self.expected(&format!("`{sign}`")) }
    }

    /// Whether a name comes next.
    fn at_name(&self) -> bool {
        match self.peek() {
            Token::Word(word) => !KEYWORDS.contains(&word.as_str()),
            Token::Quoted(_) => true,
            _ => false,
        }
    }

    fn name(&mut self, what: &str) -> Read<(String, Span)> {
        let span = self.span();
        match self.peek().clone() {
            Token::Word(word) if KEYWORDS.contains(&word.as_str()) => {
                let message = format!("expected {what}, found the keyword `{word}`");
                let help = format!("write `{word}` in backquotes to use it as a name");
                self.diagnostics.push(Diagnostic::error(span, message).help(help));
                Err(Noted)
            }
            Token::Word(name) | Token::Quoted(name) => {
                self.advance();
                Ok((name, span))
            }
            _ => self.expected(what),
        }
    }

    fn number(&mut self, what: &str, highest: i64) -> Read<i64> {
        let span = self.span();
        match *self.peek() {
            Token::Number(value) if value <= highest => {
                self.advance();
                Ok(value)
            }
            Token::Number(value) => {
                self.error(span, format!("{what} is at most {highest}, {value} is too large"))
            }
            _ => self.expected(what),
        }
    }

    /// Notes an unknown name, with the closest known one.
    fn unknown<'a, T>(
        &mut self,
        span: Span,
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'a str>,
    ) -> Read<T> {
        let mut diagnostic =
            Diagnostic::error(span, format!("{what} `{name}` is not declared")).label("not found");
        if let Some(near) = closest(name, known) {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        }
        self.diagnostics.push(diagnostic);
        Err(Noted)
    }

    /// Items separated by commas.
    fn comma_separated<T>(&mut self, mut item: impl FnMut(&mut Parser) -> Read<T>) -> Read<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.take_sign(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }
}
