//! Reading formulas, in the spellings of SPIN (`[] <> U V && || ! ->`), of Spot (`G F U R W M X & | xor`)
//! and in words (`always eventually until weakuntil release implies`), mixed as one likes.
//!
//! From weakest to strongest: implication and equivalence, exclusive or, or, and, the binary temporal
//! operators, the unary ones. Implications and binary temporal operators group to the right, as in Spot;
//! SPIN groups them to the left, so whoever writes `a U b U c` should write parentheses.
//!
//! An atom is a name, a comparison of arithmetic expressions, or any text in double quotes; a caller
//! who knows the model reads its own ([`AtomReader`]). Errors say where, what, and what was probably meant.

mod atom;
mod operator;

pub use atom::{AtomReader, AtomText, NamesAndComparisons};

use crate::formula::{Formula, Formulas};
use operator::{Binary, Unary};
use std::fmt;
use std::ops::Range;

/// Why a text is no formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// What is wrong.
    pub message: String,
    /// The first byte of the text that it is about.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// What to do.
    pub help: Option<String>,
}

impl ParseError {
    /// An error about a range of bytes.
    pub fn new(start: usize, end: usize, message: impl Into<String>) -> ParseError {
        ParseError { message: message.into(), start, end, help: None }
    }

    /// With advice.
    pub fn help(mut self, advice: impl Into<String>) -> ParseError {
        self.help = Some(advice.into());
        self
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.start, self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ParseError {}

/// How deep a formula may be nested: more than anyone writes, and well within the stack.
const DEEPEST: usize = 500;

/// Reads a formula whose atoms are names, comparisons or quoted.
pub fn parse(formulas: &mut Formulas, text: &str) -> Result<Formula, ParseError> {
    parse_with(formulas, text, &mut NamesAndComparisons)
}

/// Reads a formula whose atoms are read by the caller.
pub fn parse_with(
    formulas: &mut Formulas,
    text: &str,
    reader: &mut dyn AtomReader,
) -> Result<Formula, ParseError> {
    parse_part(formulas, text, 0..text.len(), reader)
}

/// Reads the formula that is a part of a longer text. Places are places in the whole.
pub(crate) fn parse_part(
    formulas: &mut Formulas,
    text: &str,
    part: Range<usize>,
    reader: &mut dyn AtomReader,
) -> Result<Formula, ParseError> {
    let text = &text[..part.end];
    let mut parser = Parser { formulas, text, at: part.start, reader, depth: 0 };
    let formula = parser.binary(0)?;
    parser.skip_space();
    match parser.at < text.len() {
        true => Err(parser.unexpected_operator()),
        false => Ok(formula),
    }
}

struct Parser<'a> {
    formulas: &'a mut Formulas,
    text: &'a str,
    at: usize,
    reader: &'a mut dyn AtomReader,
    depth: usize,
}

impl Parser<'_> {
    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// A formula whose outermost binary operators bind at least as strongly as `level`.
    fn binary(&mut self, level: u8) -> Result<Formula, ParseError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let end = self.at + self.length_of_next();
            return Err(ParseError::new(self.at, end, "the formula is nested too deeply"));
        }
        self.skip_space();
        let mut begin = self.at;
        let mut left = self.unary()?;
        loop {
            let before = begin..self.at;
            self.skip_space();
            let Some((operator, length)) = operator::binary(self.rest()) else { break };
            if operator.level() < level {
                break;
            }
            let sign = self.at..self.at + length;
            self.at += length;
            self.skip_space();
            begin = self.at;
            let right = self.binary(operator.level_of_right())?;
            self.refuse_bits(sign, [before, begin..self.at])?;
            left = self.apply(operator, left, right);
        }
        self.depth -= 1;
        Ok(left)
    }

    /// Refuses `x & 4`: who writes a number there means a test of bits, which the operator of formulas is not.
    fn refuse_bits(&self, sign: Range<usize>, operands: [Range<usize>; 2]) -> Result<(), ParseError> {
        let is_number = |part: Range<usize>| {
            let text = self.text[part].trim();
            !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
        };
        let written = &self.text[sign.clone()];
        if !matches!(written, "&" | "|") || !operands.into_iter().any(is_number) {
            return Ok(());
        }
        let message = format!("`{written}` combines conditions here, and a number is none");
        let advice = format!("a test of bits is `(x {written} 4) != 0`");
        Err(ParseError::new(sign.start, sign.end, message).help(advice))
    }

    fn apply(&mut self, operator: Binary, left: Formula, right: Formula) -> Formula {
        match operator {
            Binary::Implies => self.formulas.implies(left, right),
            Binary::Iff => self.formulas.iff(left, right),
            Binary::Xor => self.formulas.xor(left, right),
            Binary::Or => self.formulas.or([left, right]),
            Binary::And => self.formulas.and([left, right]),
            Binary::Until => self.formulas.until(left, right),
            Binary::Release => self.formulas.release(left, right),
            Binary::WeakUntil => self.formulas.weak_until(left, right),
            Binary::StrongRelease => self.formulas.strong_release(left, right),
        }
    }

    fn unary(&mut self) -> Result<Formula, ParseError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let end = self.at + self.length_of_next();
            return Err(ParseError::new(self.at, end, "the formula is nested too deeply"));
        }
        let formula = self.operand();
        self.depth -= 1;
        formula
    }

    fn operand(&mut self) -> Result<Formula, ParseError> {
        self.skip_space();
        let start = self.at;
        // A name of the model goes before an operator that is glued to what follows, but not before a
        // whole word that is an operator.
        if let Some((operator, length)) = operator::unary(self.rest()) {
            self.at += length;
            if operator == Unary::Not && atom::calculates(&self.text[self.at..])? {
                let error = ParseError::new(start, self.at, "what is negated here can be read in two ways");
                return Err(error.help("write `!(x == 1)`, or `(!x) == 1`"));
            }
            let operand = self.unary()?;
            return Ok(self.prefix(operator, operand));
        }
        if self.rest().starts_with('(') {
            return self.parenthesised();
        }
        if let Some(atom) = self.reader.read(self.text, self.at)? {
            return self.atom(atom);
        }
        if let Some(operator) = operator::glued(self.rest()) {
            self.at += 1;
            let operand = self.unary()?;
            return Ok(self.prefix(operator, operand));
        }
        if self.rest().starts_with('"') {
            let (text, end) = atom::quoted(self.text, start)?;
            self.at = end;
            return Ok(self.formulas.atom(&text));
        }
        match NamesAndComparisons.read(self.text, start)? {
            Some(atom) => self.atom(atom),
            None => Err(self.missing_operand()),
        }
    }

    fn prefix(&mut self, operator: Unary, operand: Formula) -> Formula {
        match operator {
            Unary::Not => self.formulas.not(operand),
            Unary::Next => self.formulas.next(operand),
            Unary::Finally => self.formulas.finally(operand),
            Unary::Globally => self.formulas.globally(operand),
        }
    }

    fn atom(&mut self, atom: AtomText) -> Result<Formula, ParseError> {
        if atom.end <= self.at || !self.text.is_char_boundary(atom.end) {
            return Err(ParseError::new(self.at, self.at, "an atom was read that has no text"));
        }
        self.at = atom.end;
        Ok(match atom.text.as_str() {
            "true" | "1" => self.formulas.constant(true),
            "false" | "0" => self.formulas.constant(false),
            text => self.formulas.atom(text),
        })
    }

    /// A formula in parentheses, or an expression that begins with a parenthesis: `(a + b) > 3`.
    fn parenthesised(&mut self) -> Result<Formula, ParseError> {
        let (start, depth) = (self.at, self.depth);
        self.at += 1;
        let inner = match self.binary(0) {
            Ok(inner) => inner,
            Err(_) if atom::continues_behind(self.text, start) => {
                (self.at, self.depth) = (start, depth);
                return self.expression();
            }
            Err(error) => return Err(error),
        };
        self.skip_space();
        if !self.rest().starts_with(')') {
            if self.at < self.text.len() {
                return Err(self.unexpected_operator());
            }
            return Err(ParseError::new(start, start + 1, "this parenthesis is never closed"));
        }
        self.at += 1;
        self.skip_space();
        if !atom::continues(self.rest()) {
            return Ok(inner);
        }
        if self.formulas.is_temporal(inner) {
            return Err(ParseError::new(start, self.at, "a temporal formula has no value to calculate with"));
        }
        self.at = start;
        self.expression()
    }

    /// An expression, as the model reads it or as text.
    fn expression(&mut self) -> Result<Formula, ParseError> {
        match self.reader.read(self.text, self.at)? {
            Some(atom) => self.atom(atom),
            None => match NamesAndComparisons.read(self.text, self.at)? {
                Some(atom) => self.atom(atom),
                None => Err(self.missing_operand()),
            },
        }
    }

    /// The length of the word or the sign at the place.
    fn length_of_next(&self) -> usize {
        match operator::word(self.rest()).len() {
            0 => self.rest().chars().next().map_or(0, char::len_utf8),
            length => length,
        }
    }

    fn missing_operand(&self) -> ParseError {
        let end = self.at + self.length_of_next();
        let found = &self.text[self.at..end];
        if found.is_empty() {
            return ParseError::new(self.at, end, "the formula ends where an operand should follow");
        }
        let error = ParseError::new(self.at, end, format!("there should be an operand instead of `{found}`"));
        match operator::binary(self.rest()) {
            Some(_) => error.help("this operator stands between two operands"),
            None => error.help("operands are names, comparisons, and any other text in double quotes"),
        }
    }

    fn unexpected_operator(&self) -> ParseError {
        let end = self.at + self.length_of_next();
        let found = &self.text[self.at..end];
        if found == ")" {
            return ParseError::new(self.at, end, "this parenthesis was never opened");
        }
        let error =
            ParseError::new(self.at, end, format!("there should be an operator instead of `{found}`"));
        if found == "=" {
            return error.help("equality is written ==");
        }
        match operator::suggest(found) {
            Some(word) => error.help(format!("did you mean `{word}`?")),
            None => error.help("operators are U W R M && || -> <-> and their names"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::{Spelling, print};

    fn spot(text: &str) -> String {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        print(&formulas, formula, Spelling::Spot)
    }

    #[test]
    fn the_spellings_agree() {
        for text in
            ["[](p -> <>q)", "G(p -> Fq)", "always (p implies eventually q)", "□(p → ◇q)", "G(p=>F q)"]
        {
            assert_eq!(spot(text), "G(p -> F q)", "{text}");
        }
        assert_eq!(spot("p V q"), spot("p R q"));
        assert_eq!(spot("p weakuntil q"), spot("p W q"));
        assert_eq!(spot("GFp0 & XXp1"), "G F p0 & X X p1");
    }

    #[test]
    fn operators_bind_as_in_spot() {
        assert_eq!(spot("a U b & c"), spot("(a U b) & c"));
        assert_eq!(spot("a & b | c xor d -> e"), spot("(((a & b) | c) xor d) -> e"));
        assert_eq!(spot("a U b U c"), spot("a U (b U c)"));
        assert_eq!(spot("a -> b -> c"), spot("a -> (b -> c)"));
        assert_eq!(spot("!a U b"), spot("(!a) U b"));
        assert_eq!(spot("[] a U b"), spot("([] a) U b"));
        assert_eq!(spot("a || b && c"), spot("a || (b && c)"));
    }

    #[test]
    fn what_spin_would_read_in_another_way_is_refused() {
        for text in
            ["[] !x == 1", "! a[1] < 2", "!x + 1 > 2", "[] (! len(q) == 0)", "!(x) == 1", "!(a + b) > 3"]
        {
            assert!(error(text).message.contains("two ways"), "{text}");
        }
        for text in ["[] (x & 4)", "<> (1 | x)", "x & 3 & y"] {
            assert!(error(text).message.contains("a number is none"), "{text}");
        }
        for text in [
            "!(x == 1)",
            "!P@crit",
            "!P[1]:x",
            "(!x) == 1",
            "[] ((x & 4) != 0)",
            "!x U y == 1",
            "x && 1",
            "!\"x == 1\"",
        ] {
            spot(text);
        }
    }

    #[test]
    fn atoms_are_expressions() {
        assert_eq!(spot("[] x >= 3"), "G \"x >= 3\"");
        assert_eq!(spot("[] ((a + b) > c[i] && len(q) < 2)"), "G(\"(a + b) > c[i]\" & \"len(q) < 2\")");
        assert_eq!(spot("<> P[1]@crit"), "F \"P[1]@crit\"");
        assert_eq!(spot("F \"any text (at all\""), "F \"any text (at all\"");
        assert_eq!(spot("a < b -> c"), "\"a < b\" -> c");
        assert_eq!(spot("<>a -> b"), "F a -> b");
        assert_eq!(spot("F q?[ack,1]"), "F \"q?[ack,1]\"");
        assert_eq!(spot("x == -1 U y"), "\"x == -1\" U y");
    }

    fn error(text: &str) -> ParseError {
        parse(&mut Formulas::new(), text).expect_err(text)
    }

    #[test]
    fn errors_say_where_and_what() {
        let misspelt = error("p untl q");
        assert_eq!((misspelt.start, misspelt.end), (2, 6));
        assert_eq!(misspelt.help.as_deref(), Some("did you mean `until`?"));
        assert_eq!(error("p u q").help.as_deref(), Some("did you mean `U`?"));
        assert_eq!(error("(p && q").message, "this parenthesis is never closed");
        assert_eq!(error("p && q)").message, "this parenthesis was never opened");
        assert_eq!(error("p &&").message, "the formula ends where an operand should follow");
        assert_eq!(error("&& p").help.as_deref(), Some("this operator stands between two operands"));
        assert_eq!(error("x = 3").help.as_deref(), Some("equality is written =="));
        assert_eq!(error("(G p) + 1").message, "a temporal formula has no value to calculate with");
        assert!(error("\"p").message.contains("never closed"));
        assert!(error(&"(".repeat(100_000)).message.contains("too deeply"));
        assert!(error(&"!".repeat(100_000)).message.contains("too deeply"));
        assert!(error("").message.contains("ends"));
    }

    #[test]
    fn the_caller_reads_atoms() {
        struct Numbered;
        impl AtomReader for Numbered {
            fn read(&mut self, text: &str, at: usize) -> Result<Option<AtomText>, ParseError> {
                let rest = &text[at..];
                if rest.starts_with("bad") {
                    return Err(ParseError::new(at, at + 3, "not declared"));
                }
                Ok(rest.starts_with('{').then(|| {
                    let end = rest.find('}').map_or(text.len(), |found| at + found + 1);
                    AtomText { text: text[at..end].to_owned(), end }
                }))
            }
        }
        let mut formulas = Formulas::new();
        let formula = parse_with(&mut formulas, "G {x U y} U q", &mut Numbered).unwrap();
        assert_eq!(print(&formulas, formula, Spelling::Spot), "G \"{x U y}\" U q");
        assert_eq!(parse_with(&mut formulas, "F bad", &mut Numbered).unwrap_err().message, "not declared");
    }
}
