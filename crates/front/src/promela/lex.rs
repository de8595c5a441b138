//! The lexer: from the text of one file to tokens.
//!
//! Comments and continued lines (a backslash before the end of the line) are white space here, so the
//! preprocessor sees a directive as the tokens up to the next one that starts a line. Keywords are
//! names: the parser tells them apart, because a macro may have the name of a keyword.
//!
//! The lexer never fails: what it can't read becomes a diagnostic and it goes on behind it.

use super::token::{Mark, Origin, Place, Text, Token, TokenKind};
use mazurka_model::source::{Diagnostic, Span};
use std::collections::HashSet;
use std::sync::Arc;

/// Gives equal names equal storage.
#[derive(Default)]
pub struct Interner {
    texts: HashSet<Text>,
}

impl Interner {
    /// The shared copy of a text.
    pub fn intern(&mut self, text: &str) -> Text {
        if let Some(known) = self.texts.get(text) {
            return known.clone();
        }
        let new: Text = Arc::from(text);
        self.texts.insert(new.clone());
        new
    }
}

/// Reads one file into tokens, without an end token.
pub fn lex(text: &str, file: u16, interner: &mut Interner, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: 0, file, interner, diagnostics };
    let mut tokens = Vec::with_capacity(text.len() / 4);
    let mut starts_line = true;
    loop {
        let before = lexer.at;
        starts_line |= lexer.skip_space();
        let Some(&first) = lexer.bytes.get(lexer.at) else { return tokens };
        let (start, spaced) = (lexer.at, lexer.at > before);
        if let Some(kind) = lexer.token(first) {
            let place = Place { span: lexer.span(start), origin: Origin::SOURCE };
            tokens.push(Token { kind, place, starts_line, spaced, painted: false });
            starts_line = false;
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    file: u16,
    interner: &'a mut Interner,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn span(&self, start: usize) -> Span {
        Span { file: self.file, start: start as u32, end: self.at as u32 }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn error(&mut self, start: usize, message: &str, label: &str, help: &str) {
        let diagnostic = Diagnostic::error(self.span(start), message).label(label).help(help);
        self.diagnostics.push(diagnostic);
    }

    /// Skips white space and comments; true if a line ended.
    fn skip_space(&mut self) -> bool {
        let mut ended = false;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' => {
                    ended = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' | b'\x0c' | b'\x0b' => self.at += 1,
                b'\\' if self.peek(1) == b'\n' => self.at += 2,
                b'\\' if self.peek(1) == b'\r' && self.peek(2) == b'\n' => self.at += 3,
                b'/' if self.peek(1) == b'/' => {
                    while self.at < self.bytes.len() && self.bytes[self.at] != b'\n' {
                        self.at += 1;
                    }
                }
                b'/' if self.peek(1) == b'*' => self.skip_comment(),
                _ => break,
            }
        }
        ended
    }

    fn skip_comment(&mut self) {
        let start = self.at;
        self.at += 2;
        match self.text.get(self.at..).and_then(|rest| rest.find("*/")) {
            Some(length) => self.at += length + 2,
            None => {
                self.error(start, "this comment has no end", "begins here", "close it with `*/`");
                self.at = self.bytes.len();
            }
        }
    }

    fn token(&mut self, first: u8) -> Option<TokenKind> {
        match first {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Some(self.name()),
            b'0'..=b'9' => Some(self.number()),
            b'"' => self.string(),
            b'\'' => self.character(),
            _ => match self.mark(first) {
                Some((mark, length)) => {
                    self.at += length;
                    Some(TokenKind::Mark(mark))
                }
                None => {
                    let character = self.text.get(self.at..)?.chars().next()?;
                    self.at += character.len_utf8();
                    Some(TokenKind::Unknown(character))
                }
            },
        }
    }

    fn name(&mut self) -> TokenKind {
        let start = self.at;
        while matches!(self.peek(0), b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'0'..=b'9') {
            self.at += 1;
        }
        let text = &self.text[start..self.at];
        TokenKind::Name(self.interner.intern(text))
    }

    fn number(&mut self) -> TokenKind {
        let mut value = Some(0_i64);
        while let digit @ b'0'..=b'9' = self.peek(0) {
            value = value.and_then(|v| v.checked_mul(10)?.checked_add(i64::from(digit - b'0')));
            self.at += 1;
        }
        TokenKind::Number(value)
    }

    fn string(&mut self) -> Option<TokenKind> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek(0) {
                b'"' => break,
                b'\\' if self.at + 1 < self.bytes.len() && self.peek(1) != b'\n' => self.at += 2,
                b'\n' => return self.unclosed_string(start),
                0 if self.at >= self.bytes.len() => return self.unclosed_string(start),
                _ => self.at += 1,
            }
        }
        self.at += 1;
        // A backslash may have skipped the first byte of a longer character; the slice ends at
        // quotes, which are never inside one.
        let text = self.text.get(start + 1..self.at - 1).unwrap_or("");
        Some(TokenKind::String(self.interner.intern(text)))
    }

    fn unclosed_string(&mut self, start: usize) -> Option<TokenKind> {
        self.at = self.at.min(self.bytes.len());
        self.error(start, "this string has no end", "begins here", "close it with `\"` on the same line");
        Some(TokenKind::String(self.interner.intern("")))
    }

    fn character(&mut self) -> Option<TokenKind> {
        let start = self.at;
        self.at += 1;
        let escaped = self.peek(0) == b'\\';
        if escaped {
            self.at += 1;
        }
        let Some(written) = self.text.get(self.at..).and_then(|rest| rest.chars().next()) else {
            self.error(start, "this character constant has no end", "begins here", "close it with `'`");
            return None;
        };
        if written != '\n' {
            self.at += written.len_utf8();
        }
        let value = match (escaped, written) {
            (true, 'n') => 10,
            (true, 'r') => 13,
            (true, 't') => 9,
            (true, 'f') => 12,
            _ => i64::from(u32::from(written)),
        };
        if self.peek(0) == b'\'' && written != '\n' {
            self.at += 1;
        } else {
            self.error(start, "this character constant has no end", "begins here", "close it with `'`");
        }
        Some(TokenKind::Character(value))
    }

    fn mark(&self, first: u8) -> Option<(Mark, usize)> {
        use Mark::*;
        let second = self.peek(1);
        Some(match (first, second) {
            (b':', b':') => (DoubleColon, 2),
            (b'-', b'>') => (Arrow, 2),
            (b'-', b'-') => (MinusMinus, 2),
            (b'+', b'+') => (PlusPlus, 2),
            (b'<', b'<') => (ShiftLeft, 2),
            (b'<', b'=') => (LessEqual, 2),
            (b'>', b'>') => (ShiftRight, 2),
            (b'>', b'=') => (GreaterEqual, 2),
            (b'=', b'=') => (Equal, 2),
            (b'!', b'=') => (NotEqual, 2),
            (b'!', b'!') => (NotNot, 2),
            (b'?', b'?') => (QuestionQuestion, 2),
            (b'&', b'&') => (AndAnd, 2),
            (b'|', b'|') => (OrOr, 2),
            (b'#', b'#') => (HashHash, 2),
            (b'.', b'.') if self.peek(2) == b'.' => (Ellipsis, 3),
            (b'.', b'.') => (DotDot, 2),
            _ => {
                let mark = match first {
                    b'(' => LeftParen,
                    b')' => RightParen,
                    b'[' => LeftBracket,
                    b']' => RightBracket,
                    b'{' => LeftBrace,
                    b'}' => RightBrace,
                    b';' => Semicolon,
                    b',' => Comma,
                    b':' => Colon,
                    b'.' => Dot,
                    b'=' => Assign,
                    b'<' => Less,
                    b'>' => Greater,
                    b'+' => Plus,
                    b'-' => Minus,
                    b'*' => Star,
                    b'/' => Slash,
                    b'%' => Percent,
                    b'&' => And,
                    b'|' => Or,
                    b'^' => Caret,
                    b'~' => Tilde,
                    b'!' => Not,
                    b'?' => Question,
                    b'@' => At,
                    b'#' => Hash,
                    _ => return None,
                };
                (mark, 1)
            }
        })
    }
}
