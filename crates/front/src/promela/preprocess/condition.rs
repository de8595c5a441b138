//! The constant expressions of `#if` and `#elif`.
//!
//! As in C: `defined` first, then macros are replaced, then names that are left count as 0. Numbers are those of
//! C too, octal and hexadecimal ones and suffixes included, which Promela itself does not know.

use super::super::token::{Mark, Token, TokenKind};
use super::Preprocessor;
use mazurka_model::source::{Diagnostic, Span};

const NESTING: usize = 200;

impl Preprocessor<'_> {
    /// Whether the condition holds; a malformed one doesn't, with a diagnostic.
    pub(super) fn condition(&mut self, span: Span, line: &[Token]) -> bool {
        let replaced = self.replace_defined(line);
        let tokens = self.expand(replaced, 0);
        let result = self.numbers_of_c(tokens).and_then(|tokens| {
            let mut evaluator = Evaluator { tokens: &tokens, at: 0, depth: 0, unevaluated: 0 };
            let value = evaluator.conditional()?;
            if evaluator.at == tokens.len() { Ok(value) } else { Err("something follows the expression") }
        });
        match result {
            Ok(value) => value != 0,
            Err(problem) => {
                let place = line.first().map_or(span, |token| token.place.span);
                self.diagnostics.push(
                    Diagnostic::error(place, format!("bad condition: {problem}"))
                        .label("in this condition")
                        .help("use integers, `defined(NAME)`, and the operators of C"),
                );
                false
            }
        }
    }

    /// Replaces `defined X` and `defined(X)` by 1 or 0.
    fn replace_defined(&self, line: &[Token]) -> Vec<Token> {
        let mut replaced = Vec::with_capacity(line.len());
        let mut at = 0;
        while let Some(token) = line.get(at) {
            let is_defined = matches!(&token.kind, TokenKind::Name(name) if &**name == "defined");
            let kind = |ahead: usize| line.get(at + ahead).map(|token| &token.kind);
            let (name, length) = match (kind(1), kind(2), kind(3)) {
                (Some(TokenKind::Name(name)), _, _) if is_defined => (Some(name), 2),
                (
                    Some(TokenKind::Mark(Mark::LeftParen)),
                    Some(TokenKind::Name(name)),
                    Some(TokenKind::Mark(Mark::RightParen)),
                ) if is_defined => (Some(name), 4),
                _ => (None, 1),
            };
            let mut copy = token.clone();
            if let Some(name) = name {
                copy.kind = TokenKind::Number(Some(i64::from(self.is_defined(name))));
            }
            replaced.push(copy);
            at += length;
        }
        replaced
    }

    /// Reads the numbers again as C does, together with the letters right behind them.
    fn numbers_of_c(&self, tokens: Vec<Token>) -> Result<Vec<Token>, &'static str> {
        let mut output: Vec<Token> = Vec::with_capacity(tokens.len());
        let mut tokens = tokens.into_iter().peekable();
        while let Some(mut token) = tokens.next() {
            if let TokenKind::Number(value) = token.kind {
                let span = token.place.span;
                let written = self.sources.file(span.file).and_then(|file| {
                    file.text.get(span.start as usize..span.end as usize).filter(|t| t.parse().ok() == value)
                });
                let letters = tokens.next_if(|next| {
                    let behind = next.place.span.file == span.file && next.place.span.start == span.end;
                    behind && matches!(next.kind, TokenKind::Name(_))
                });
                // What macros computed is not written anywhere, and has its value.
                let written = match (written, letters.map(|letters| letters.kind.written())) {
                    (Some(digits), letters) => Some(format!("{digits}{}", letters.unwrap_or_default())),
                    (None, Some(_)) => return Err("letters follow a number"),
                    (None, None) => None,
                };
                if let Some(written) = written {
                    token.kind = TokenKind::Number(Some(number_of_c(&written)?));
                }
            }
            output.push(token);
        }
        Ok(output)
    }
}

/// The value of a number as C writes it.
fn number_of_c(written: &str) -> Value {
    let digits = written.trim_end_matches(['u', 'U', 'l', 'L']);
    let lower = digits.to_ascii_lowercase();
    let (digits, radix) = match (lower.strip_prefix("0x"), lower.strip_prefix('0')) {
        (Some(rest), _) => (rest, 16),
        (None, Some(rest)) if !rest.is_empty() => (rest, 8),
        _ => (lower.as_str(), 10),
    };
    match i64::from_str_radix(digits, radix) {
        Ok(value) => Ok(value),
        Err(error) if matches!(error.kind(), std::num::IntErrorKind::PosOverflow) => {
            Err("a number is too large")
        }
        Err(_) => Err("a number has digits or letters that mean nothing"),
    }
}

struct Evaluator<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
    /// How many operators around say that the value does not matter.
    unevaluated: usize,
}

type Value = Result<i64, &'static str>;

impl Evaluator<'_> {
    fn accept(&mut self, mark: Mark) -> bool {
        let found = self.tokens.get(self.at).is_some_and(|token| token.kind == TokenKind::Mark(mark));
        self.at += usize::from(found);
        found
    }

    fn conditional(&mut self) -> Value {
        let condition = self.binary(0)?;
        if !self.accept(Mark::Question) {
            return Ok(condition);
        }
        self.enter()?;
        let yes = self.unless(condition == 0, Evaluator::conditional)?;
        if !self.accept(Mark::Colon) {
            return Err("`?` without `:`");
        }
        let no = self.unless(condition != 0, Evaluator::conditional)?;
        self.depth -= 1;
        Ok(if condition != 0 { yes } else { no })
    }

    /// Reads something whose value does not matter if `ignored`.
    fn unless(&mut self, ignored: bool, inner: impl FnOnce(&mut Self) -> Value) -> Value {
        self.unevaluated += usize::from(ignored);
        let value = inner(self);
        self.unevaluated -= usize::from(ignored);
        value
    }

    fn enter(&mut self) -> Result<(), &'static str> {
        self.depth += 1;
        if self.depth > NESTING { Err("it is nested too deeply") } else { Ok(()) }
    }

    fn binary(&mut self, minimum: u8) -> Value {
        let mut left = self.unary()?;
        while let Some((mark, strength)) = self.operator().filter(|(_, strength)| *strength >= minimum) {
            self.at += 1;
            self.enter()?;
            let decided = matches!((mark, left != 0), (Mark::OrOr, true) | (Mark::AndAnd, false));
            let right = self.unless(decided, |inner| inner.binary(strength + 1))?;
            self.depth -= 1;
            left = match apply(mark, left, right) {
                Err(_) if self.unevaluated > 0 => 0,
                value => value?,
            };
        }
        Ok(left)
    }

    fn operator(&self) -> Option<(Mark, u8)> {
        use Mark::*;
        let TokenKind::Mark(mark) = self.tokens.get(self.at)?.kind else { return None };
        let strength = match mark {
            OrOr => 0,
            AndAnd => 1,
            Or => 2,
            Caret => 3,
            And => 4,
            Equal | NotEqual => 5,
            Less | LessEqual | Greater | GreaterEqual => 6,
            ShiftLeft | ShiftRight => 7,
            Plus | Minus => 8,
            Star | Slash | Percent => 9,
            _ => return None,
        };
        Some((mark, strength))
    }

    fn unary(&mut self) -> Value {
        self.enter()?;
        let token = self.tokens.get(self.at).ok_or("it ends too early")?;
        self.at += 1;
        let value = match &token.kind {
            TokenKind::Number(value) => value.ok_or("a number is too large")?,
            TokenKind::Character(value) => *value,
            TokenKind::Name(_) => 0,
            TokenKind::Mark(Mark::Not) => i64::from(self.unary()? == 0),
            TokenKind::Mark(Mark::NotNot) => i64::from(self.unary()? != 0),
            TokenKind::Mark(Mark::Minus) => self.unary()?.wrapping_neg(),
            TokenKind::Mark(Mark::Plus) => self.unary()?,
            TokenKind::Mark(Mark::Tilde) => !self.unary()?,
            TokenKind::Mark(Mark::LeftParen) => {
                let inner = self.conditional()?;
                if !self.accept(Mark::RightParen) {
                    return Err("`(` without `)`");
                }
                inner
            }
            _ => return Err("an operand is missing"),
        };
        self.depth -= 1;
        Ok(value)
    }
}

fn apply(mark: Mark, left: i64, right: i64) -> Value {
    use Mark::*;
    Ok(match mark {
        OrOr => i64::from(left != 0 || right != 0),
        AndAnd => i64::from(left != 0 && right != 0),
        Or => left | right,
        Caret => left ^ right,
        And => left & right,
        Equal => i64::from(left == right),
        NotEqual => i64::from(left != right),
        Less => i64::from(left < right),
        LessEqual => i64::from(left <= right),
        Greater => i64::from(left > right),
        GreaterEqual => i64::from(left >= right),
        ShiftLeft => left.wrapping_shl(right as u32),
        ShiftRight => left.wrapping_shr(right as u32),
        Plus => left.wrapping_add(right),
        Minus => left.wrapping_sub(right),
        Star => left.wrapping_mul(right),
        Slash if right != 0 => left.wrapping_div(right),
        Percent if right != 0 => left.wrapping_rem(right),
        _ => return Err("division by zero"),
    })
}
