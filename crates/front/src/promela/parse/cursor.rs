//! The parser's position, errors, limits, and the implied semicolons.
//!
//! SPIN inserts a semicolon (1) behind `}` and `else` unless something follows that can't come after
//! one, and (2) inside a body, outside parentheses, at the end of a line whose last token may end a
//! statement. Both are computed here when a token is passed: `Parser::implied` then makes the
//! position look as if a semicolon stood there, so expressions end where SPIN ends them.

use super::super::ast::{InlineDefinition, Item, Name, Reference, ReferenceId, Unit, VariableId};
use super::super::token::{Expansions, Mark, Place, Text, Token, TokenKind};
use super::inline::Inline;
use super::words::{begins_item, ends_statement, is_embedded_c, is_reserved};
use super::{Failed, Parse};
use mazurka_model::source::{Diagnostic, Severity};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// How deep statements and parentheses may be nested.
pub const NESTING: usize = 200;
/// How many operators one expression may have.
pub const OPERATORS: usize = 2_000;
/// After this many errors the parser gives up.
pub const MAXIMAL_ERRORS: usize = 50;

/// The parser's state.
pub struct Parser {
    pub(super) tokens: Rc<Vec<Token>>,
    pub(super) at: usize,
    /// A semicolon is implied before the current token.
    pub(super) implied: bool,
    /// The place of the token passed last.
    pub(super) previous: Place,
    pub(super) parentheses: usize,
    /// Ends of lines matter: in the body of a process or a typedef.
    pub(super) in_body: bool,
    /// No statement of the body was seen: declarations only say how variables begin.
    pub(super) initialising: bool,
    pub(super) expansions: Expansions,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) budget: usize,
    pub(super) nesting: usize,
    pub(super) operators: usize,
    pub(super) types: HashSet<Text>,
    pub(super) mtypes: HashSet<Text>,
    pub(super) proctypes: HashSet<Text>,
    pub(super) inlines: HashMap<Text, Rc<Inline>>,
    /// For guesses.
    pub(super) macros: Vec<Text>,
    pub(super) definitions: Vec<InlineDefinition>,
    /// The inlines being expanded, and where `return` stores.
    pub(super) expanding: Vec<(Text, Option<Reference>)>,
    errors: usize,
    last_error: Option<(usize, usize)>,
    references: u32,
    variables: u32,
}

impl Parser {
    pub(super) fn new(
        tokens: Vec<Token>,
        expansions: Expansions,
        diagnostics: Vec<Diagnostic>,
        budget: usize,
    ) -> Parser {
        Parser {
            tokens: Rc::new(tokens),
            at: 0,
            implied: false,
            previous: Place::default(),
            parentheses: 0,
            in_body: false,
            initialising: true,
            expansions,
            diagnostics,
            budget,
            nesting: 0,
            operators: 0,
            types: HashSet::new(),
            mtypes: HashSet::new(),
            proctypes: HashSet::new(),
            inlines: HashMap::new(),
            macros: Vec::new(),
            definitions: Vec::new(),
            expanding: Vec::new(),
            errors: 0,
            last_error: None,
            references: 0,
            variables: 0,
        }
    }

    pub(super) fn finish(self, items: Vec<Item>) -> (Unit, Vec<Diagnostic>) {
        let unit = Unit {
            items,
            inlines: self.definitions,
            expansions: self.expansions,
            references: self.references,
            variables: self.variables,
        };
        (unit, self.diagnostics)
    }

    pub(super) fn reference_id(&mut self) -> ReferenceId {
        self.references += 1;
        ReferenceId(self.references - 1)
    }

    pub(super) fn variable_id(&mut self) -> VariableId {
        self.variables += 1;
        VariableId(self.variables - 1)
    }

    // ---- looking ----

    /// The token at the position, implied semicolon or not. There always is one: the last is the end
    /// and is never passed.
    pub(super) fn token(&self) -> &Token {
        &self.tokens[self.at]
    }

    pub(super) fn ahead(&self, count: usize) -> &TokenKind {
        &self.tokens[(self.at + count).min(self.tokens.len() - 1)].kind
    }

    pub(super) fn place(&self) -> Place {
        self.token().place
    }

    pub(super) fn mark(&self) -> Option<Mark> {
        match self.token().kind {
            _ if self.implied => Some(Mark::Semicolon),
            TokenKind::Mark(mark) => Some(mark),
            _ => None,
        }
    }

    pub(super) fn is(&self, mark: Mark) -> bool {
        self.mark() == Some(mark)
    }

    pub(super) fn word(&self) -> Option<&Text> {
        match &self.token().kind {
            TokenKind::Name(text) if !self.implied => Some(text),
            _ => None,
        }
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        self.word().is_some_and(|text| &**text == word)
    }

    pub(super) fn is_end(&self) -> bool {
        self.token().kind == TokenKind::End
    }

    pub(super) fn is_separator(&self) -> bool {
        matches!(self.mark(), Some(Mark::Semicolon | Mark::Arrow))
    }

    /// The real token ends a sequence of statements.
    pub(super) fn ends_sequence(&self) -> bool {
        match &self.token().kind {
            TokenKind::End => true,
            TokenKind::Mark(mark) => matches!(mark, Mark::RightBrace | Mark::DoubleColon),
            TokenKind::Name(text) => matches!(text.as_ref(), "fi" | "od") || begins_item(text),
            _ => false,
        }
    }

    // ---- moving ----

    /// Passes the token, or the implied semicolon before it.
    pub(super) fn advance(&mut self) {
        if self.implied {
            self.implied = false;
            return;
        }
        if self.is_end() {
            return;
        }
        self.previous = self.place();
        match self.token().kind {
            TokenKind::Mark(Mark::LeftParen) => self.parentheses += 1,
            TokenKind::Mark(Mark::RightParen) => self.parentheses = self.parentheses.saturating_sub(1),
            _ => {}
        }
        self.at += 1;
        self.implied = self.semicolon_implied();
    }

    fn semicolon_implied(&self) -> bool {
        let (before, next) = (&self.tokens[self.at - 1].kind, self.token());
        let ends_line = next.starts_line && self.in_body && self.parentheses == 0;
        let (behind_brace, candidate) = match before {
            TokenKind::Mark(Mark::RightBrace) => (true, true),
            TokenKind::Mark(Mark::RightParen | Mark::RightBracket | Mark::PlusPlus | Mark::MinusMinus)
            | TokenKind::Number(_)
            | TokenKind::Character(_) => (false, ends_line),
            TokenKind::Name(word) if &**word == "else" => (false, true),
            TokenKind::Name(word) => {
                let ends = ends_line
                    && (ends_statement(word)
                        || !(is_reserved(word)
                            || self.types.contains(word)
                            || self.proctypes.contains(word)));
                (false, ends)
            }
            _ => (false, false),
        };
        candidate
            && match &next.kind {
                TokenKind::End => false,
                TokenKind::Mark(mark) => !matches!(
                    mark,
                    Mark::Semicolon | Mark::Arrow | Mark::RightBrace | Mark::DoubleColon | Mark::Comma
                ),
                TokenKind::Name(word) => {
                    !(matches!(word.as_ref(), "fi" | "od" | "unless")
                        || behind_brace && matches!(word.as_ref(), "proctype" | "init" | "never"))
                }
                _ => true,
            }
    }

    /// As after a closing brace: a semicolon may be missing here.
    pub(super) fn imply_behind_brace(&mut self) {
        self.implied = match &self.token().kind {
            TokenKind::Mark(mark) => {
                !matches!(mark, Mark::Semicolon | Mark::Arrow | Mark::RightBrace | Mark::DoubleColon)
            }
            TokenKind::Name(word) => !matches!(word.as_ref(), "fi" | "od" | "unless"),
            TokenKind::End => false,
            _ => true,
        };
    }

    pub(super) fn accept(&mut self, mark: Mark) -> bool {
        let found = self.is(mark);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn accept_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    /// Passes this mark or fails. `what` says what it belongs to.
    pub(super) fn expect(&mut self, mark: Mark, what: &str) -> Parse<Place> {
        // A semicolon before a closing brace separates nothing, and the end of a line is no semicolon
        // where none could be.
        while mark == Mark::RightBrace && self.is_separator() {
            self.advance();
        }
        if self.token().kind == TokenKind::Mark(mark) {
            self.implied = false;
        }
        if self.accept(mark) {
            return Ok(self.previous);
        }
        let label = format!("expected `{}` {what}", mark.text());
        Err(self.unexpected(&label, None))
    }

    /// Passes a name that is not reserved.
    pub(super) fn name(&mut self, what: &str) -> Parse<Name> {
        let place = self.place();
        if let TokenKind::Name(text) = &self.token().kind {
            let text = text.clone();
            self.implied = false;
            if is_embedded_c(&text) {
                return Err(self.embedded_c());
            }
            if is_reserved(&text) {
                let help = format!("`{text}` is a word of the language; choose another name");
                return Err(self.unexpected(&format!("expected {what}"), Some(&help)));
            }
            self.advance();
            return Ok(Name { text, place });
        }
        Err(self.unexpected(&format!("expected {what}"), None))
    }

    /// From `first` to the token passed last.
    pub(super) fn since(&self, first: Place) -> Place {
        self.expansions.join(first, self.previous)
    }

    /// Runs `inner` one level deeper, or fails if that is too deep.
    pub(super) fn nested<T>(&mut self, inner: impl FnOnce(&mut Parser) -> Parse<T>) -> Parse<T> {
        if self.nesting >= NESTING {
            let message = format!("nested more than {NESTING} deep");
            let diagnostic = Diagnostic::error(self.place().span, message)
                .label("at this place")
                .help("split it into smaller parts");
            self.report(diagnostic, self.place());
            self.give_up();
            return Err(Failed);
        }
        self.nesting += 1;
        let result = inner(self);
        self.nesting -= 1;
        result
    }

    // ---- errors ----

    /// Reports a diagnostic at a place, with the macros and inlines the place came through.
    pub(super) fn report(&mut self, mut diagnostic: Diagnostic, place: Place) {
        if diagnostic.severity == Severity::Error {
            if self.errors >= MAXIMAL_ERRORS {
                return;
            }
            self.errors += 1;
            if self.errors == MAXIMAL_ERRORS {
                self.give_up();
            }
        }
        diagnostic.notes.extend(super::super::expansion_notes(&self.expansions, place.origin));
        self.diagnostics.push(diagnostic);
    }

    /// Goes to the end of the tokens.
    fn give_up(&mut self) {
        self.errors = MAXIMAL_ERRORS;
        self.implied = false;
        self.at = self.tokens.len() - 1;
    }

    pub(super) fn gave_up(&self) -> bool {
        self.errors >= MAXIMAL_ERRORS
    }

    /// Reports that the current token can't stand here, once per token.
    pub(super) fn unexpected(&mut self, label: &str, help: Option<&str>) -> Failed {
        if let TokenKind::Name(word) = &self.token().kind
            && !self.implied
            && is_embedded_c(word)
        {
            return self.embedded_c();
        }
        let here = (Rc::as_ptr(&self.tokens).addr(), self.at);
        if self.last_error == Some(here) {
            return Failed;
        }
        self.last_error = Some(here);
        let place = self.place();
        let message = match (&self.token().kind, self.implied) {
            (TokenKind::End, _) => "the model ends too early".to_string(),
            (_, true) => "the statement ends too early".to_string(),
            (TokenKind::Unknown(character), _) => {
                format!("`{}` is not part of the language", character.escape_default())
            }
            (kind, _) => format!("unexpected `{}`", shortened(&kind.written())),
        };
        let mut diagnostic = Diagnostic::error(place.span, message).label(label);
        diagnostic.help = help.map(str::to_string).or_else(|| self.misspelt());
        if self.implied && diagnostic.help.is_none() {
            diagnostic = diagnostic.help(
                "the end of a line ends a statement outside parentheses; put the expression in parentheses",
            );
        }
        self.report(diagnostic, place);
        Failed
    }

    /// What the word before a brace or a parenthesis that can't stand there may have been meant to be.
    pub(super) fn misspelt(&self) -> Option<String> {
        if !matches!(self.token().kind, TokenKind::Mark(Mark::LeftBrace | Mark::LeftParen)) {
            return None;
        }
        let TokenKind::Name(word) = &self.tokens[self.at.checked_sub(1)?].kind else { return None };
        let words =
            ["atomic", "d_step", "assert", "for", "select", "printf", "printm", "len", "empty", "full"];
        let more = ["nempty", "nfull", "do", "if", "eval", "enabled", "init", "never", "trace"];
        let names = self.inlines.keys().chain(&self.macros).map(|name| name.as_ref());
        let known = words.into_iter().chain(more).chain(names);
        let guess = super::super::check::closest(word, known.filter(|_| !is_reserved(word)))?;
        Some(format!("did you mean `{guess}`?"))
    }

    /// Refuses embedded C and passes it.
    pub(super) fn embedded_c(&mut self) -> Failed {
        let place = self.place();
        let word = self.token().kind.written();
        let diagnostic = Diagnostic::error(place.span, format!("unsupported: embedded C (`{word}`)"))
            .label("C code is not supported")
            .help("write it in Promela");
        self.report(diagnostic, place);
        self.advance();
        self.implied = false;
        if self.is(Mark::LeftBracket) {
            self.skip_balanced(Mark::LeftBracket, Mark::RightBracket);
        }
        if self.is(Mark::LeftBrace) {
            self.skip_balanced(Mark::LeftBrace, Mark::RightBrace);
        }
        while matches!(self.token().kind, TokenKind::String(_)) {
            self.advance();
        }
        Failed
    }

    fn skip_balanced(&mut self, open: Mark, close: Mark) {
        let mut depth = 0;
        while !self.is_end() {
            self.implied = false;
            if self.is(open) {
                depth += 1;
            } else if self.is(close) {
                depth -= 1;
            }
            self.advance();
            if depth == 0 {
                return;
            }
        }
    }
}

/// A long token, cut for a message.
fn shortened(text: &str) -> String {
    if text.chars().count() <= 40 {
        return text.to_string();
    }
    text.chars().take(37).chain("...".chars()).collect()
}
