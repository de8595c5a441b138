//! Where an atom ends: names, calls, indices and labels, compared and calculated with.
//!
//! The text of an atom is kept as it was written, white space apart. Nothing here knows what it means.

use super::ParseError;
use super::operator;

/// The text of an atom, and where it ends in the formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtomText {
    /// What the atom is called from now on. Atoms with equal texts are one.
    pub text: String,
    /// One past its last byte in the text of the formula.
    pub end: usize,
}

/// Reads the atoms of a formula: the part of the parser that knows the model.
pub trait AtomReader {
    /// Reads the atom that begins at byte `at` of `text`. None if none of the model's does: then it is
    /// read as text, up to where comparisons and arithmetic end. Operators, quotes and parentheses were
    /// looked for before, except for parentheses that turned out to begin an expression.
    fn read(&mut self, text: &str, at: usize) -> Result<Option<AtomText>, ParseError>;
}

/// Reads names, and comparisons and arithmetic over names, without asking what they mean.
#[derive(Copy, Clone, Debug, Default)]
pub struct NamesAndComparisons;

impl AtomReader for NamesAndComparisons {
    fn read(&mut self, text: &str, at: usize) -> Result<Option<AtomText>, ParseError> {
        let rest = &text[at..];
        if operator::glued(rest).is_some() {
            return Ok(None);
        }
        let Some(end) = expression(text, at)? else { return Ok(None) };
        let normal: Vec<&str> = text[at..end].split_whitespace().collect();
        Ok(Some(AtomText { text: normal.join(" "), end }))
    }
}

/// Signs that go on with an arithmetic expression.
const ARITHMETIC: &[&str] =
    &["==", "!=", "<=", ">=", "<<", ">>", "<", ">", "+", "-", "*", "/", "%", "@", ":", "."];

/// Whether an arithmetic operator stands here.
pub(super) fn continues(rest: &str) -> bool {
    arithmetic(rest).is_some()
}

/// Whether one stands behind the bracket that closes the one at `at`.
pub(super) fn continues_behind(text: &str, at: usize) -> bool {
    closing(text, at).is_ok_and(|end| continues(text[end..].trim_start()))
}

fn arithmetic(rest: &str) -> Option<usize> {
    if rest.starts_with("<>") || operator::binary(rest).is_some() {
        return None;
    }
    ARITHMETIC.iter().find(|sign| rest.starts_with(**sign)).map(|sign| sign.len())
}

fn skip_space(text: &str, at: usize) -> usize {
    text.len() - text[at..].trim_start().len()
}

/// Whether a text begins with an operand, in parentheses or not, that is compared or calculated with.
pub(super) fn calculates(text: &str) -> Result<bool, ParseError> {
    let at = skip_space(text, 0);
    if text[at..].starts_with('(') {
        return Ok(continues_behind(text, at));
    }
    let Some(end) = operand(text, at)? else { return Ok(false) };
    let sign = skip_space(text, end);
    // `P@label`, `P[1]:variable` and `a.b` are operands still.
    Ok(arithmetic(&text[sign..]).is_some() && !text[sign..].starts_with(['@', ':', '.']))
}

/// The end of the expression that begins at `at`; none if none does.
fn expression(text: &str, at: usize) -> Result<Option<usize>, ParseError> {
    let Some(mut end) = operand(text, at)? else { return Ok(None) };
    loop {
        let sign = skip_space(text, end);
        let Some(length) = arithmetic(&text[sign..]) else { return Ok(Some(end)) };
        let next = skip_space(text, sign + length);
        let next = next + usize::from(text[next..].starts_with('-'));
        match operand(text, next)? {
            Some(found) => end = found,
            None => {
                let written = &text[sign..sign + length];
                return Err(ParseError::new(
                    sign,
                    sign + length,
                    format!("there should be an operand after `{written}`"),
                ));
            }
        }
    }
}

/// A name or a number with what follows it directly, or an expression in parentheses.
fn operand(text: &str, at: usize) -> Result<Option<usize>, ParseError> {
    let rest = &text[at..];
    if rest.starts_with('(') {
        return closing(text, at).map(Some);
    }
    let word = operator::word(rest);
    if word.is_empty() || operator::is_word(word) {
        return Ok(None);
    }
    let mut end = at + word.len();
    loop {
        let rest = &text[end..];
        let opened = if rest.starts_with('(') || (rest.starts_with('[') && !rest.starts_with("[]")) {
            end
        } else if rest.starts_with("??[") {
            end + 2
        } else if rest.starts_with("?[") {
            end + 1
        } else {
            return Ok(Some(end));
        };
        end = closing(text, opened)?;
    }
}

/// One past the bracket that closes the one at `at`.
fn closing(text: &str, at: usize) -> Result<usize, ParseError> {
    let mut open = Vec::new();
    for (offset, c) in text[at..].char_indices() {
        match c {
            '(' => open.push(')'),
            '[' => open.push(']'),
            ')' | ']' if open.pop() != Some(c) => {
                let place = at + offset;
                return Err(ParseError::new(place, place + 1, "this bracket closes none that was opened"));
            }
            _ => {}
        }
        if open.is_empty() {
            return Ok(at + offset + 1);
        }
    }
    Err(ParseError::new(at, at + 1, "this bracket is never closed"))
}

/// The text in double quotes that begins at `at`, with `\"` and `\\` resolved, and where it ends.
pub(super) fn quoted(text: &str, at: usize) -> Result<(String, usize), ParseError> {
    let mut content = String::new();
    let mut signs = text[at + 1..].char_indices();
    while let Some((offset, c)) = signs.next() {
        match c {
            '"' => return Ok((content, at + offset + 2)),
            '\\' => match signs.next() {
                Some((_, escaped @ ('"' | '\\'))) => content.push(escaped),
                Some((_, other)) => content.extend(['\\', other]),
                None => break,
            },
            _ => content.push(c),
        }
    }
    Err(ParseError::new(at, at + 1, "this quotation is never closed"))
}
