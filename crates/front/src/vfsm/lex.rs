//! The tokens of a `.vfsm` file.
//!
//! Names, numbers and punctuation; comments as in C. A character that no token begins with is reported and
//! passed over, so that the parser sees the rest of the file.

use mazurka_model::source::{Diagnostic, Span};

/// What a token is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name or a word of the language.
    Word,
    /// A number.
    Number(u32),
    /// Punctuation: one character, or `..`.
    Mark(&'static str),
    /// The end of the file.
    End,
}

/// A token and where it stands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where.
    pub span: Span,
}

/// Punctuation, longer ones first. Doubled operators mean the same as single ones.
const MARKS: [(&str, &str); 23] = [
    ("..", ".."),
    ("&&", "&"),
    ("||", "|"),
    ("{", "{"),
    ("}", "}"),
    ("(", "("),
    (")", ")"),
    ("[", "["),
    ("]", "]"),
    (":", ":"),
    (";", ";"),
    (",", ","),
    ("?", "?"),
    (">", ">"),
    ("|", "|"),
    ("&", "&"),
    ("!", "!"),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    (".", "."),
    ("=", "="),
    ("@", "@"),
];

/// The tokens of a text, the last of which is [`Kind::End`].
pub fn lex(file: u16, text: &str, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    let span = |start: usize, end: usize| Span { file, start: start as u32, end: end as u32 };
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let start = at;
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        if let Some(comment) = rest.strip_prefix("/*") {
            match comment.find("*/") {
                Some(end) => at += end + 4,
                None => {
                    diagnostics.push(
                        Diagnostic::error(span(start, start + 2), "this comment has no end")
                            .help("close it with `*/`"),
                    );
                    at = text.len();
                }
            }
            continue;
        }
        if first.is_alphabetic() || first == '_' {
            let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            at += length;
            tokens.push(Token { kind: Kind::Word, span: span(start, at) });
            continue;
        }
        if first.is_ascii_digit() {
            at += rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let number = text[start..at].parse().unwrap_or_else(|_| {
                diagnostics.push(Diagnostic::error(span(start, at), "this number is too large"));
                0
            });
            tokens.push(Token { kind: Kind::Number(number), span: span(start, at) });
            continue;
        }
        match MARKS.iter().find(|(mark, _)| rest.starts_with(mark)) {
            Some((mark, meaning)) => {
                at += mark.len();
                tokens.push(Token { kind: Kind::Mark(meaning), span: span(start, at) });
            }
            None => {
                at += first.len_utf8();
                // A formula may hold any character; only the parser knows where one stands.
                tokens.push(Token { kind: Kind::Mark(""), span: span(start, at) });
            }
        }
    }
    tokens.push(Token { kind: Kind::End, span: span(text.len(), text.len()) });
    tokens
}
