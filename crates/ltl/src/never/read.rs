//! Reading never claims: labels, `if` and `do` with guards, jumps, and Boolean guards over atoms.
//!
//! This is for claims that tools wrote, or people who think in automata. It has no variables and no
//! assignments; a claim with those is Promela and is read as part of a model.

use super::flow::{Act, Flow, Point};
use crate::automaton::Automaton;
use crate::diagram::{Diagrams, Label};
use crate::formula::{Formula, Formulas, Node};
use crate::parse::{self, AtomReader, NamesAndComparisons, ParseError};
use std::collections::HashMap;

/// How deep choices may be nested.
const DEEPEST: usize = 100;

/// Reads a claim whose atoms are names, comparisons or quoted.
pub fn read(text: &str) -> Result<Automaton, ParseError> {
    read_with(text, &mut NamesAndComparisons)
}

/// Reads a claim whose atoms are read by the caller.
pub fn read_with(text: &str, reader: &mut dyn AtomReader) -> Result<Automaton, ParseError> {
    let mut claim = Claim {
        text,
        at: 0,
        reader,
        formulas: Formulas::new(),
        diagrams: Diagrams::new(),
        flow: Flow::default(),
        labels: HashMap::new(),
        depth: 0,
    };
    let start = claim.claim()?;
    let atoms = claim.formulas.atoms().to_vec();
    Ok(claim.flow.automaton(start, atoms, claim.diagrams))
}

struct Claim<'a> {
    text: &'a str,
    at: usize,
    reader: &'a mut dyn AtomReader,
    formulas: Formulas,
    diagrams: Diagrams,
    flow: Flow,
    /// The points that labels name, and where a label was first mentioned while it has no place yet.
    labels: HashMap<String, (Point, Option<usize>)>,
    depth: usize,
}

/// Where a sequence of statements is: what ends it, and where `break` leads.
#[derive(Copy, Clone)]
struct Place {
    leave: Option<Point>,
}

impl Claim<'_> {
    fn error(&self, message: impl Into<String>) -> ParseError {
        let length = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        ParseError::new(self.at, self.at + length, message)
    }

    /// Skips white space and comments.
    fn skip(&mut self) -> Result<(), ParseError> {
        loop {
            let rest = &self.text[self.at..];
            self.at += rest.len() - rest.trim_start().len();
            let rest = &self.text[self.at..];
            if rest.starts_with("/*") {
                match rest.find("*/") {
                    Some(end) => self.at += end + 2,
                    None => return Err(self.error("this comment is never closed")),
                }
            } else if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else {
                return Ok(());
            }
        }
    }

    fn word(&self) -> &str {
        let rest = &self.text[self.at..];
        &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())]
    }

    fn take_word(&mut self, word: &str) -> Result<bool, ParseError> {
        self.skip()?;
        let found = self.word() == word;
        self.at += if found { word.len() } else { 0 };
        Ok(found)
    }

    fn take(&mut self, sign: &str) -> Result<bool, ParseError> {
        self.skip()?;
        let found = self.text[self.at..].starts_with(sign);
        self.at += if found { sign.len() } else { 0 };
        Ok(found)
    }

    fn claim(&mut self) -> Result<Point, ParseError> {
        if !self.take_word("never")? {
            return Err(self.error("a claim begins with `never`"));
        }
        self.skip()?;
        self.at += self.word().len();
        if !self.take("{")? {
            return Err(self.error("there should be a `{` here"));
        }
        let start = self.flow.point();
        let end = self.sequence(start, Place { leave: None })?;
        self.flow.set(end, Act::End);
        if !self.take("}")? {
            return Err(self.error("there should be a statement or a `}` here"));
        }
        self.skip()?;
        if self.at < self.text.len() {
            return Err(self.error("there should be nothing after the claim"));
        }
        let missing = self.labels.iter().filter_map(|(name, (_, place))| place.map(|place| (place, name)));
        match missing.min() {
            Some((place, name)) => {
                Err(ParseError::new(place, place + name.len(), format!("there is no label `{name}`")))
            }
            None => Ok(start),
        }
    }

    /// The point of a label. Mentioned before it is defined, it gets one.
    fn label(&mut self, name: &str, place: usize) -> Point {
        if let Some((point, _)) = self.labels.get(name) {
            return *point;
        }
        let point = self.flow.point();
        self.labels.insert(name.to_owned(), (point, Some(place)));
        point
    }

    /// Statements from a point on, up to what can't be one; the point after them.
    fn sequence(&mut self, start: Point, place: Place) -> Result<Point, ParseError> {
        let mut at = start;
        loop {
            while self.take(";")? || self.take("->")? {}
            self.skip()?;
            let rest = &self.text[self.at..];
            let word = self.word();
            if rest.is_empty()
                || rest.starts_with('}')
                || rest.starts_with("::")
                || word == "fi"
                || word == "od"
            {
                return Ok(at);
            }
            let after_word = self.text[self.at + word.len()..].trim_start();
            if !word.is_empty() && after_word.starts_with(':') && !after_word.starts_with("::") {
                at = self.labelled(at)?;
            } else {
                at = self.statement(at, place)?;
            }
        }
    }

    /// A label before a statement: the point of the statement is the label's.
    fn labelled(&mut self, at: Point) -> Result<Point, ParseError> {
        let (name, place) = (self.word().to_owned(), self.at);
        let point = self.label(&name, place);
        if self.labels.insert(name.clone(), (point, None)).is_some_and(|(_, open)| open.is_none()) {
            return Err(ParseError::new(place, place + name.len(), "there already is a label of this name"));
        }
        self.at += name.len();
        self.take(":")?;
        // A second label of one statement marks the same state.
        let accepting =
            name.starts_with("accept") || (self.flow.accepting.contains(&at) && self.is_label(at));
        if accepting {
            self.flow.accepting.push(point);
        }
        self.flow.set(at, Act::Jump(point));
        Ok(point)
    }

    fn is_label(&self, point: Point) -> bool {
        self.labels.values().any(|(labelled, _)| *labelled == point)
    }

    fn statement(&mut self, at: Point, place: Place) -> Result<Point, ParseError> {
        let word = self.word().to_owned();
        let next = self.flow.point();
        match word.as_str() {
            "if" | "do" => {
                self.at += word.len();
                self.choice(at, next, word == "do", place)?;
            }
            "goto" => {
                self.at += word.len();
                self.skip()?;
                let (name, place) = (self.word().to_owned(), self.at);
                if name.is_empty() {
                    return Err(self.error("there should be a label here"));
                }
                self.at += name.len();
                let target = self.label(&name, place);
                self.flow.set(at, Act::Jump(target));
            }
            "break" => {
                let Some(leave) = place.leave else {
                    return Err(self.error("there is no loop to leave here"));
                };
                self.at += word.len();
                self.flow.set(at, Act::Jump(leave));
            }
            "skip" => {
                self.at += word.len();
                self.flow.set(at, Act::Step(Label::TRUE, next));
            }
            "else" => {
                self.at += word.len();
                self.flow.set(at, Act::Else(next));
            }
            "atomic" | "d_step" => {
                self.at += word.len();
                if !self.take("{")? {
                    return Err(self.error("there should be a `{` here"));
                }
                let end = self.sequence(at, place)?;
                self.flow.set(end, Act::Jump(next));
                if !self.take("}")? {
                    return Err(self.error("there should be a statement or a `}` here"));
                }
            }
            "assert" => return self.assertion(at),
            _ => {
                let label = self.guard()?;
                self.flow.set(at, Act::Step(label, next));
            }
        }
        Ok(next)
    }

    fn choice(&mut self, at: Point, next: Point, repeated: bool, place: Place) -> Result<(), ParseError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error("choices are nested too deeply"));
        }
        let mut options = Vec::new();
        while self.take("::")? {
            let start = self.flow.point();
            options.push(start);
            let inner = if repeated { Place { leave: Some(next) } } else { place };
            let end = self.sequence(start, inner)?;
            // An option without statements would leave this open.
            self.flow.set(end, Act::Jump(if repeated { at } else { next }));
        }
        let end = if repeated { "od" } else { "fi" };
        if options.is_empty() || !self.take_word(end)? {
            return Err(self.error(format!("there should be `::` or `{end}` here")));
        }
        self.flow.set(at, Act::Choice(options));
        self.depth -= 1;
        Ok(())
    }

    /// `assert(e)` after a guard that excludes `e`, as SPIN writes it: the claim has matched.
    fn assertion(&mut self, at: Point) -> Result<Point, ParseError> {
        let place = self.at;
        self.at += "assert".len();
        let asserted = self.guard()?;
        let before = self.flow.acts.iter().find_map(|act| match act {
            Act::Step(label, next) if *next == at => Some(*label),
            _ => None,
        });
        let excluded = before.is_some_and(|guard| self.diagrams.and(guard, asserted) == Label::FALSE);
        if !excluded {
            let message = "in a claim, an assertion can only deny the guard before it";
            return Err(ParseError::new(place, self.at, message));
        }
        self.flow.set(at, Act::End);
        Ok(self.flow.point())
    }

    /// A Boolean expression, up to `->`, `;`, `::`, or a bracket or word that ends the option.
    fn guard(&mut self) -> Result<Label, ParseError> {
        self.skip()?;
        let start = self.at;
        let rest = &self.text[start..];
        let (mut depth, mut quoted, mut previous) = (0_usize, false, ' ');
        let mut length = rest.len();
        for (offset, c) in rest.char_indices() {
            let here = &rest[offset..];
            let begins_word = !(previous.is_ascii_alphanumeric() || previous == '_');
            let ends = |word: &str| {
                begins_word
                    && here.starts_with(word)
                    && !here[word.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
            };
            match c {
                '"' if previous != '\\' => quoted = !quoted,
                _ if quoted => {}
                '(' | '[' => depth += 1,
                ')' | ']' => depth = depth.saturating_sub(1),
                _ if depth > 0 => {}
                ';' | '}' => {
                    length = offset;
                    break;
                }
                _ if here.starts_with("->") || here.starts_with("::") || ends("fi") || ends("od") => {
                    length = offset;
                    break;
                }
                _ => {}
            }
            previous = c;
        }
        let end = start + length;
        let formula = parse::parse_part(&mut self.formulas, self.text, start..end, self.reader)?;
        self.at = end;
        if self.formulas.is_temporal(formula) {
            return Err(ParseError::new(start, end, "a guard speaks of one state, not of the future"));
        }
        Ok(self.function(formula))
    }

    fn function(&mut self, formula: Formula) -> Label {
        match self.formulas.node(formula).clone() {
            Node::True => Label::TRUE,
            Node::Atom(atom) => self.diagrams.variable(atom.index()),
            Node::Not(one) => {
                let one = self.function(one);
                self.diagrams.not(one)
            }
            Node::And(all) => all.iter().fold(Label::TRUE, |so_far, one| {
                let one = self.function(*one);
                self.diagrams.and(so_far, one)
            }),
            Node::Or(all) => all.iter().fold(Label::FALSE, |so_far, one| {
                let one = self.function(*one);
                self.diagrams.or(so_far, one)
            }),
            Node::Implies(left, right) => {
                let (left, right) = (self.function(left), self.function(right));
                self.diagrams.choice(left, right, Label::TRUE)
            }
            Node::Iff(left, right) => {
                let (left, right) = (self.function(left), self.function(right));
                let opposite = self.diagrams.not(right);
                self.diagrams.choice(left, right, opposite)
            }
            // `false`; a guard has no temporal operators.
            _ => Label::FALSE,
        }
    }
}
