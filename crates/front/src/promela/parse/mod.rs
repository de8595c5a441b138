//! The parser: recursive descent with recovery.
//!
//! It follows the grammar of SPIN 6.5.2, with its implied semicolons. After an error
//! it goes on at the next statement or item, so one run reports several. What it accepts beyond SPIN
//! is harmless: stray semicolons, a comma behind a channel initialiser.

mod cursor;
mod declaration;
mod expression;
mod inline;
mod item;
mod ltl;
mod message;
mod statement;
mod words;

use super::ast::{Item, Unit};
use super::preprocess::Preprocessed;
use super::token::{Place, Token, TokenKind};
use cursor::Parser;
use mazurka_model::source::{Diagnostic, Span};

/// A syntax error that was reported; the caller recovers.
#[derive(Debug)]
pub struct Failed;

/// What parsing functions return.
pub type Parse<T> = Result<T, Failed>;

/// Builds the tree. What could not be read is missing from it, with an error.
pub fn parse(preprocessed: Preprocessed) -> (Unit, Vec<Diagnostic>) {
    let Preprocessed { mut tokens, expansions, diagnostics, budget, macros } = preprocessed;
    let end = tokens.last().map_or(Span::default(), |token| token.place.span);
    let span = Span { start: end.end, ..end };
    tokens.push(Token {
        kind: TokenKind::End,
        place: Place { span, ..Place::default() },
        starts_line: true,
        spaced: true,
        painted: false,
    });
    let mut parser = Parser::new(tokens, expansions, diagnostics, budget);
    parser.macros = macros;
    let items: Vec<Item> = parser.items();
    parser.finish(items)
}
