//! The tokens of the HOA format, with their places.

use crate::parse::ParseError;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name before a colon.
    Header(String),
    /// A name.
    Word(String),
    /// `@name`.
    Alias(String),
    /// Text in double quotes.
    Text(String),
    /// A number.
    Number(u32),
    /// One of `[](){}&|!`.
    Sign(char),
    /// `--BODY--`, `--END--` or `--ABORT--`.
    Mark(&'static str),
}

/// A token and the bytes it stands at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// All tokens of a text with one automaton.
pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, ParseError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    loop {
        at = skip(text, at)?;
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else { return Ok(tokens) };
        let (token, length) = match first {
            '[' | ']' | '(' | ')' | '{' | '}' | '&' | '|' | '!' => (Token::Sign(first), 1),
            '"' => quoted(rest).ok_or_else(|| ParseError::new(at, at + 1, "this text is never closed"))?,
            '0'..='9' => {
                let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
                let number = rest[..digits].parse();
                let number =
                    number.map_err(|_| ParseError::new(at, at + digits, "this number is too large"))?;
                (Token::Number(number), digits)
            }
            '@' => {
                let length = name_length(&rest[1..]);
                (Token::Alias(rest[1..1 + length].to_owned()), 1 + length)
            }
            '-' => match ["--BODY--", "--END--", "--ABORT--"].into_iter().find(|mark| rest.starts_with(mark))
            {
                Some(mark) => (Token::Mark(mark), mark.len()),
                None => return Err(ParseError::new(at, at + 1, "there should be a header or an item")),
            },
            c if c.is_ascii_alphabetic() || c == '_' => {
                let length = name_length(rest);
                let name = rest[..length].to_owned();
                if rest[length..].starts_with(':') {
                    (Token::Header(name), length + 1)
                } else {
                    (Token::Word(name), length)
                }
            }
            c => {
                let message = format!("`{c}` has no meaning in this format");
                return Err(ParseError::new(at, at + c.len_utf8(), message));
            }
        };
        let ends = token == Token::Mark("--END--");
        tokens.push(Placed { token, start: at, end: at + length });
        if ends {
            let behind = skip(text, at + length)?;
            if behind == text.len() {
                return Ok(tokens);
            }
            let end = behind + text[behind..].chars().next().map_or(0, char::len_utf8);
            let error = ParseError::new(behind, end, "something follows behind the automaton");
            return Err(error.help("one automaton is read: put others into files of their own"));
        }
        at += length;
    }
}

fn name_length(text: &str) -> usize {
    text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-')).unwrap_or(text.len())
}

/// Skips white space and comments, which may be nested.
fn skip(text: &str, mut at: usize) -> Result<usize, ParseError> {
    loop {
        let rest = &text[at..];
        at += rest.len() - rest.trim_start().len();
        if !text[at..].starts_with("/*") {
            return Ok(at);
        }
        let start = at;
        let mut depth = 0;
        loop {
            let rest = &text[at..];
            if rest.starts_with("/*") {
                depth += 1;
                at += 2;
            } else if rest.starts_with("*/") {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    break;
                }
            } else {
                match rest.chars().next() {
                    Some(c) => at += c.len_utf8(),
                    None => return Err(ParseError::new(start, start + 2, "this comment is never closed")),
                }
            }
        }
    }
}

fn quoted(rest: &str) -> Option<(Token, usize)> {
    let mut content = String::new();
    let mut signs = rest.char_indices().skip(1);
    while let Some((offset, c)) = signs.next() {
        match c {
            '"' => return Some((Token::Text(content), offset + 1)),
            '\\' => content.push(signs.next()?.1),
            c => content.push(c),
        }
    }
    None
}
