//! The property files of the Model Checking Contest.
//!
//! Read are `EF`, `AG` and LTL (what holds of all paths) over cardinalities, fireability and deadlock. What else
//! there may be (CTL, upper bounds) is kept as a property that can't be computed, so that the answers
//! stay complete and in order.

use super::formula::{Comparison, Formula, Sum, compare};
use super::linear::Linear;
use super::net::Net;
use super::xml::{Open, Token, Xml};
use mazurka_model::source::{Diagnostic, SourceMap, Span};

/// A property of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name.
    pub id: String,
    /// What it asks, or why that can't be answered.
    pub query: Result<Query, String>,
}

/// What a property asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// Whether some marking that can be reached meets the formula.
    Reachable(Formula),
    /// Whether every marking that can be reached meets the formula.
    Invariant(Formula),
    /// Whether every run satisfies the formula.
    Linear(Linear),
}

/// How deep elements may be nested.
const DEEPEST: usize = 400;

/// Reads a file of properties of a net.
pub fn parse(net: &Net, name: &str, text: &str) -> Result<Vec<Property>, (Vec<Diagnostic>, SourceMap)> {
    let mut sources = SourceMap::default();
    let file = sources.add(name, text);
    let mut reading = Reading { net, xml: Xml::new(file, text) };
    reading.document().map_err(|error| (vec![error], sources))
}

/// What is wrong within a formula.
enum Trouble {
    /// The file is wrong.
    Wrong(Diagnostic),
    /// The formula is of a kind that is not supported.
    Unsupported(String),
}

impl From<Diagnostic> for Trouble {
    fn from(error: Diagnostic) -> Trouble {
        Trouble::Wrong(error)
    }
}

struct Reading<'a> {
    net: &'a Net,
    xml: Xml<'a>,
}

impl Reading<'_> {
    fn document(&mut self) -> Result<Vec<Property>, Diagnostic> {
        let mut properties = Vec::new();
        loop {
            match self.xml.next()? {
                Token::Open(open) if open.name == "property-set" => {}
                Token::Open(open) if open.name == "property" => properties.push(self.property(&open)?),
                Token::Open(open) if self.xml.depth() == 1 => {
                    let message = format!("this is `{}`, not a file of properties", open.name);
                    return Err(Diagnostic::error(open.span, message)
                        .help("the root of a property file of the contest is <property-set>"));
                }
                Token::Open(_) => self.xml.skip()?,
                Token::Close | Token::Text(..) => {}
                Token::End => return Ok(properties),
            }
        }
    }

    fn property(&mut self, open: &Open) -> Result<Property, Diagnostic> {
        let here = self.xml.depth();
        let (mut id, mut query) = (None, None);
        while self.xml.depth() >= here {
            let Token::Open(open) = self.xml.next()? else { continue };
            match open.name.as_str() {
                "id" => id = Some(self.xml.text()?.0),
                "formula" => query = Some(self.formula()?),
                _ => self.xml.skip()?,
            }
        }
        let id = id.ok_or_else(|| Diagnostic::error(open.span, "this property has no `id`"))?;
        let query = query.ok_or_else(|| Diagnostic::error(open.span, "this property has no `formula`"))?;
        Ok(Property { id, query })
    }

    /// Reads the formula of a property to its end, whatever it is.
    fn formula(&mut self) -> Result<Result<Query, String>, Diagnostic> {
        let here = self.xml.depth();
        let query = match self.query() {
            Ok(query) => Ok(query),
            Err(Trouble::Unsupported(why)) => Err(why),
            Err(Trouble::Wrong(error)) => return Err(error),
        };
        while self.xml.depth() >= here {
            self.xml.next()?;
        }
        Ok(query)
    }

    fn query(&mut self) -> Result<Query, Trouble> {
        let path = self.child()?;
        if matches!(path.name.as_str(), "deadlock" | "is-deadlock") {
            return Ok(Query::Reachable(Formula::Deadlock));
        }
        let inner = self.child_of(&path, &["exists-path", "all-paths"])?;
        let formula = self.linear(&inner)?;
        let unsupported = || Trouble::Unsupported(format!("this of `{}` is not supported yet", path.name));
        match (path.name.as_str(), formula) {
            ("all-paths", Linear::Globally(inner)) => Ok(match inner.state() {
                Some(state) => Query::Invariant(state),
                None => Query::Linear(Linear::Globally(inner)),
            }),
            ("all-paths", formula) => Ok(Query::Linear(formula)),
            (_, Linear::Finally(inner)) => inner.state().map(Query::Reachable).ok_or_else(unsupported),
            _ => Err(unsupported()),
        }
    }

    /// The next element within one that must have one of these names.
    fn child_of(&mut self, open: &Open, names: &[&str]) -> Result<Open, Trouble> {
        match names.contains(&open.name.as_str()) {
            true => self.child(),
            false => Err(Trouble::Unsupported(format!("`{}` is not supported yet", open.name))),
        }
    }

    /// A formula on runs, from its opening tag to its end.
    fn linear(&mut self, open: &Open) -> Result<Linear, Trouble> {
        if self.xml.depth() > DEEPEST {
            return Err(Diagnostic::error(open.span, "this is nested too deeply").into());
        }
        let formula = match open.name.as_str() {
            "negation" => Linear::Not(self.linear_child()?),
            "next" => Linear::Next(self.linear_child()?),
            "finally" => Linear::Finally(self.linear_child()?),
            "globally" => Linear::Globally(self.linear_child()?),
            "conjunction" => return Ok(Linear::And(self.linear_parts()?)),
            "disjunction" => return Ok(Linear::Or(self.linear_parts()?)),
            "until" => Linear::Until(self.side("before")?, self.side("reach")?),
            _ => return Ok(Linear::State(self.state(open)?)),
        };
        self.end()?;
        Ok(formula)
    }

    fn linear_child(&mut self) -> Result<Box<Linear>, Trouble> {
        let inner = self.child()?;
        Ok(Box::new(self.linear(&inner)?))
    }

    fn linear_parts(&mut self) -> Result<Vec<Linear>, Trouble> {
        let mut parts = Vec::new();
        while let Some(open) = self.maybe_child()? {
            parts.push(self.linear(&open)?);
        }
        Ok(parts)
    }

    /// One side of an until, in an element of its own.
    fn side(&mut self, name: &str) -> Result<Box<Linear>, Trouble> {
        let open = self.child()?;
        let inner = self.child_of(&open, &[name])?;
        let side = Box::new(self.linear(&inner)?);
        self.end()?;
        Ok(side)
    }

    /// The next element within the one that was opened last.
    fn child(&mut self) -> Result<Open, Trouble> {
        match self.maybe_child()? {
            Some(open) => Ok(open),
            None => Err(Trouble::Unsupported("a formula is missing".to_owned())),
        }
    }

    fn maybe_child(&mut self) -> Result<Option<Open>, Trouble> {
        loop {
            match self.xml.next()? {
                Token::Open(open) => return Ok(Some(open)),
                Token::Close | Token::End => return Ok(None),
                Token::Text(..) => {}
            }
        }
    }

    /// A condition on markings that is made of no others, from its opening tag to its end.
    fn state(&mut self, open: &Open) -> Result<Formula, Trouble> {
        let formula = match open.name.as_str() {
            "is-fireable" => return Ok(Formula::Fireable(self.names("transition", Net::transition)?)),
            "deadlock" | "is-deadlock" => Formula::Deadlock,
            "true" => Formula::Constant(true),
            "false" => Formula::Constant(false),
            "integer-le" => self.comparison(Comparison::AtMost, open.span)?,
            "integer-lt" => self.comparison(Comparison::Less, open.span)?,
            "integer-ge" => self.comparison(Comparison::AtLeast, open.span)?,
            "integer-gt" => self.comparison(Comparison::Greater, open.span)?,
            "integer-eq" => self.comparison(Comparison::Equal, open.span)?,
            "integer-ne" => self.comparison(Comparison::Different, open.span)?,
            other => return Err(Trouble::Unsupported(format!("`{other}` is not supported yet"))),
        };
        self.end()?;
        Ok(formula)
    }

    /// Reads to the end of the element that is being read, in which nothing more is expected.
    fn end(&mut self) -> Result<(), Trouble> {
        match self.maybe_child()? {
            None => Ok(()),
            Some(open) => {
                Err(Diagnostic::error(open.span, format!("`{}` is not expected here", open.name)).into())
            }
        }
    }

    fn comparison(&mut self, comparison: Comparison, span: Span) -> Result<Formula, Trouble> {
        let left = self.child()?;
        let left = self.sum(&left)?;
        let right = self.child()?;
        let right = self.sum(&right)?;
        compare(&left, comparison, &right)
            .ok_or_else(|| Diagnostic::error(span, "the numbers of this comparison are too large").into())
    }

    /// A sum of tokens, from its opening tag to its end.
    fn sum(&mut self, open: &Open) -> Result<Sum, Trouble> {
        if self.xml.depth() > DEEPEST {
            return Err(Diagnostic::error(open.span, "this is nested too deeply").into());
        }
        let mut sum = Sum::default();
        let mut fits = true;
        match open.name.as_str() {
            "integer-constant" => {
                let (text, span) = self.xml.text()?;
                let wrong = || Diagnostic::error(span, format!("`{text}` is not a number"));
                sum.constant = text.parse().map_err(|_| wrong())?;
                fits = sum.constant.abs() < super::formula::LARGEST;
            }
            "tokens-count" => {
                for place in self.names("place", Net::place)? {
                    fits &= sum.add(&Sum { terms: vec![(place, 1)], constant: 0 }, 1);
                }
            }
            "integer-sum" | "integer-difference" => {
                // All parts but the first of a difference are taken away.
                let (mut times, later) = (1, if open.name == "integer-sum" { 1 } else { -1 });
                while let Some(part) = self.maybe_child()? {
                    let part = self.sum(&part)?;
                    fits &= sum.add(&part, times);
                    times = later;
                }
            }
            other => return Err(Trouble::Unsupported(format!("`{other}` is not supported yet"))),
        }
        if !fits {
            return Err(Diagnostic::error(open.span, "the numbers of this sum are too large").into());
        }
        Ok(sum)
    }

    /// The names within an element, to its end.
    fn names(&mut self, what: &str, find: fn(&Net, &str) -> Option<u32>) -> Result<Vec<u32>, Trouble> {
        let mut found = Vec::new();
        while let Some(open) = self.maybe_child()? {
            if open.name != what {
                let message = format!("`{}` is not expected here, but `{what}`", open.name);
                return Err(Diagnostic::error(open.span, message).into());
            }
            let (name, span) = self.xml.text()?;
            let unknown = || Diagnostic::error(span, format!("the net has no {what} `{name}`"));
            found.push(find(self.net, &name).ok_or_else(unknown)?);
        }
        Ok(found)
    }
}
