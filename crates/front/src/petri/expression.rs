//! Formulas as people write them: `2*p1 + p2 <= 3 && !fireable(t1)`.
//!
//! Operators, weakest first: `->`, `||`, `&&`, `!`, comparisons (`<= < >= > == !=`), `+ -`, and a number
//! times a place. `deadlock`, `true` and `false` are words. A name that is not made of letters, digits,
//! `_` and `.` stands in double quotes.

use super::formula::{Comparison, Formula, Sum, compare};
use super::net::Net;
use mazurka_model::source::{Diagnostic, SourceMap, Span};

/// How deep parentheses and negations may be nested.
const DEEPEST: usize = 200;

/// Reads a formula; what is wrong is told with the text as its source.
pub fn parse(net: &Net, text: &str) -> Result<Formula, (Vec<Diagnostic>, SourceMap)> {
    let mut sources = SourceMap::default();
    let file = sources.add("formula", text);
    let mut parser = Parser { net, text, file, at: 0, depth: 0 };
    let formula = parser.implication().and_then(|formula| match parser.peek() {
        "" => Ok(formula),
        rest => Err(parser.error(format!("`{}` is not expected here", first_word(rest)))),
    });
    formula.map_err(|error| (vec![error], sources))
}

fn first_word(text: &str) -> &str {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    &text[..end]
}

struct Parser<'a> {
    net: &'a Net,
    text: &'a str,
    file: u16,
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    /// What is left, without space before it.
    fn peek(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        &self.text[self.at..]
    }

    fn error(&self, message: impl Into<String>) -> Diagnostic {
        let end = self.at + self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        Diagnostic::error(Span { file: self.file, start: self.at as u32, end: end as u32 }, message)
    }

    /// Takes one of these if it comes next.
    fn take(&mut self, wanted: &[&str]) -> bool {
        let rest = self.peek();
        match wanted.iter().find(|one| rest.starts_with(**one)) {
            Some(one) => {
                self.at += one.len();
                true
            }
            None => false,
        }
    }

    fn enter(&mut self) -> Result<(), Diagnostic> {
        self.depth += 1;
        if self.depth > DEEPEST { Err(self.error("this is nested too deeply")) } else { Ok(()) }
    }

    fn implication(&mut self) -> Result<Formula, Diagnostic> {
        self.enter()?;
        let left = self.disjunction()?;
        let formula = match self.take(&["->"]) {
            true => Formula::Or(vec![Formula::Not(Box::new(left)), self.implication()?]),
            false => left,
        };
        self.depth -= 1;
        Ok(formula)
    }

    fn disjunction(&mut self) -> Result<Formula, Diagnostic> {
        let mut parts = vec![self.conjunction()?];
        while self.take(&["||", "|"]) {
            parts.push(self.conjunction()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Formula::Or(parts) })
    }

    fn conjunction(&mut self) -> Result<Formula, Diagnostic> {
        let mut parts = vec![self.negation()?];
        while self.take(&["&&", "&"]) {
            parts.push(self.negation()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Formula::And(parts) })
    }

    fn negation(&mut self) -> Result<Formula, Diagnostic> {
        if self.take(&["!"]) {
            self.enter()?;
            let inner = self.negation()?;
            self.depth -= 1;
            return Ok(Formula::Not(Box::new(inner)));
        }
        if self.peek().starts_with('(') {
            // A parenthesis holds a formula or a part of a sum: which one, shows behind it.
            let (start, depth) = (self.at, self.depth);
            self.at += 1;
            match self.implication() {
                Ok(formula) if self.take(&[")"]) => return Ok(formula),
                Ok(_) => return Err(self.error("`)` is missing")),
                Err(error) => {
                    (self.at, self.depth) = (start, depth);
                    return self.comparison().map_err(|_| error);
                }
            }
        }
        for (word, formula) in [
            ("deadlock", Formula::Deadlock),
            ("true", Formula::Constant(true)),
            ("false", Formula::Constant(false)),
        ] {
            if self.word() == Some(word) && self.net.place(word).is_none() {
                self.at += word.len();
                return Ok(formula);
            }
        }
        if self.word() == Some("fireable") && self.peek()["fireable".len()..].trim_start().starts_with('(') {
            self.at += "fireable".len();
            return self.fireable();
        }
        self.comparison()
    }

    fn fireable(&mut self) -> Result<Formula, Diagnostic> {
        self.take(&["("]);
        let mut transitions = Vec::new();
        loop {
            self.peek();
            let start = self.at;
            let name = self.name()?;
            match self.net.transition(&name) {
                Some(transition) => transitions.push(transition),
                None => {
                    self.at = start;
                    return Err(self.error(format!("the net has no transition `{name}`")));
                }
            }
            if !self.take(&[","]) {
                break;
            }
        }
        if self.take(&[")"]) { Ok(Formula::Fireable(transitions)) } else { Err(self.error("`)` is missing")) }
    }

    fn comparison(&mut self) -> Result<Formula, Diagnostic> {
        let left = self.sum()?;
        let operators = [
            ("<=", Comparison::AtMost),
            (">=", Comparison::AtLeast),
            ("==", Comparison::Equal),
            ("!=", Comparison::Different),
            ("<", Comparison::Less),
            (">", Comparison::Greater),
            ("=", Comparison::Equal),
        ];
        let Some((_, comparison)) = operators.iter().find(|(text, _)| self.take(&[text])) else {
            return Err(self.error("a comparison is expected here, such as `<= 1`"));
        };
        let right = self.sum()?;
        compare(&left, *comparison, &right).ok_or_else(|| self.error("a number is too large"))
    }

    fn sum(&mut self) -> Result<Sum, Diagnostic> {
        let mut sum = Sum::default();
        let mut times = 1;
        loop {
            let term = self.term()?;
            if !sum.add(&term, times) {
                return Err(self.error("a number is too large"));
            }
            let rest = self.peek();
            times = match (rest.starts_with('+'), rest.starts_with('-') && !rest.starts_with("->")) {
                (true, _) => 1,
                (_, true) => -1,
                _ => return Ok(sum),
            };
            self.at += 1;
        }
    }

    fn term(&mut self) -> Result<Sum, Diagnostic> {
        if self.take(&["("]) {
            self.enter()?;
            let sum = self.sum()?;
            self.depth -= 1;
            return if self.take(&[")"]) { Ok(sum) } else { Err(self.error("`)` is missing")) };
        }
        let mut times = 1;
        if self.peek().starts_with(|c: char| c.is_ascii_digit()) {
            let word = self.word().unwrap_or_default();
            if self.net.place(word).is_none() {
                let Some(number) = word.parse().ok().filter(|n: &i64| *n < super::formula::LARGEST) else {
                    return Err(self.error(format!("`{word}` is no number, or too large, and no place")));
                };
                self.at += word.len();
                if !self.take(&["*"]) {
                    return Ok(Sum { constant: number, terms: Vec::new() });
                }
                times = number;
            }
        }
        self.peek();
        let start = self.at;
        let name = self.name()?;
        match self.net.place(&name) {
            Some(place) => Ok(Sum { constant: 0, terms: vec![(place, times)] }),
            None => {
                self.at = start;
                Err(self.error(format!("the net has no place `{name}`")))
            }
        }
    }

    fn word(&mut self) -> Option<&'a str> {
        let rest = self.peek();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
        (end > 0).then(|| &rest[..end])
    }

    fn name(&mut self) -> Result<String, Diagnostic> {
        if self.take(&["\""]) {
            let rest = &self.text[self.at..];
            let Some(end) = rest.find('"') else {
                return Err(self.error("the name has no end: `\"` is missing"));
            };
            self.at += end + 1;
            return Ok(rest[..end].to_owned());
        }
        match self.word() {
            Some(word) => {
                self.at += word.len();
                Ok(word.to_owned())
            }
            None => Err(self.error("a name is expected here")),
        }
    }
}
