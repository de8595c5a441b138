//! From text to tokens. Nothing is refused: what is no token becomes an error, and reading goes on.

use mazurka_model::source::{Diagnostic, Span};

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    /// A word: a keyword or a name.
    Word(String),
    /// A name in backquotes.
    Quoted(String),
    /// A text in double quotes, as it stands.
    Text(String),
    /// A number.
    Number(i64),
    /// Punctuation or an operator.
    Sign(&'static str),
    /// The end of the text.
    End,
}

/// A token and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placed {
    pub token: Token,
    pub span: Span,
}

/// Longer signs first.
const SIGNS: &[&str] = &[
    "->", "::", "??", "!!", "!=", "==", "<=", ">=", "<<", ">>", "&&", "||", "(", ")", "[", "]", "{", "}",
    ",", ";", ":", ".", "?", "!", "=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "~",
];

/// All tokens of a text, with an end token last.
pub fn lex(text: &str, file: u16, errors: &mut Vec<Diagnostic>) -> Vec<Placed> {
    let mut tokens = Vec::new();
    let mut at = 0;
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
        let span = |end: usize| Span { file, start: start as u32, end: end as u32 };
        let token = if first.is_ascii_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            at += end;
            Token::Word(rest[..end].into())
        } else if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            at += end;
            let value = rest[..end].parse().ok().filter(|v| *v <= i64::from(u32::MAX));
            Token::Number(value.unwrap_or_else(|| {
                errors
                    .push(Diagnostic::error(span(at), format!("`{}` is not a 32-bit number", &rest[..end])));
                0
            }))
        } else if first == '`' {
            match rest[1..].find(['`', '\n']) {
                Some(end) if rest[1 + end..].starts_with('`') && end > 0 => {
                    at += end + 2;
                    Token::Quoted(rest[1..1 + end].into())
                }
                _ => {
                    at += rest.find('\n').unwrap_or(rest.len());
                    errors
                        .push(Diagnostic::error(span(at), "a name in backquotes is not closed, or is empty"));
                    continue;
                }
            }
        } else if first == '"' {
            match closing_quote(&rest[1..]) {
                Some(end) => {
                    at += end + 2;
                    Token::Text(rest[1..1 + end].into())
                }
                None => {
                    at += rest.find('\n').unwrap_or(rest.len());
                    errors.push(Diagnostic::error(span(at), "a text in double quotes is not closed"));
                    continue;
                }
            }
        } else if let Some(sign) = SIGNS.iter().find(|s| rest.starts_with(**s)) {
            at += sign.len();
            Token::Sign(sign)
        } else {
            at += first.len_utf8();
            errors.push(Diagnostic::error(span(at), format!("`{first}` means nothing here")));
            continue;
        };
        tokens.push(Placed { token, span: span(at) });
    }
    let end = text.len() as u32;
    tokens.push(Placed { token: Token::End, span: Span { file, start: end, end } });
    tokens
}

/// Where the quote stands that closes a text, on the same line and without a backslash before it.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '\n' => return None,
            '"' if !escaped => return Some(at),
            _ => escaped = c == '\\' && !escaped,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_and_errors() {
        let mut errors = Vec::new();
        let tokens = lex("a -> b // c\n`x y` 12 $ q!!1 99999999999", 0, &mut errors);
        assert_eq!(errors.len(), 2);
        assert_eq!(tokens[1].token, Token::Sign("->"));
        assert_eq!(tokens[3].token, Token::Quoted("x y".into()));
        assert_eq!(tokens[6].token, Token::Sign("!!"));
        let mut errors = Vec::new();
        let tokens = lex("\"a \\\" b\" \"open\n", 0, &mut errors);
        assert_eq!(tokens[0].token, Token::Text("a \\\" b".into()));
        assert_eq!((tokens.len(), errors.len()), (2, 1));
        assert_eq!(tokens.last().map(|t| &t.token), Some(&Token::End));
    }
}
