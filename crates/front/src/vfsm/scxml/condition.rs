//! Conditions of SCXML transitions: `In()`, `true`, `false` and what is made of them is evaluated; anything else is
//! about data, and not known.

/// What is known of a condition.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Truth {
    /// Whether it holds.
    Known(bool),
    /// Nothing.
    Unknown,
}

/// How deep parentheses and negations may be nested.
const DEEPEST: usize = 50;

/// Evaluates a condition in a configuration, of which `active` says whether a state is in it.
pub fn evaluate(text: Option<&str>, active: &dyn Fn(&str) -> bool) -> Truth {
    let Some(text) = text else { return Truth::Known(true) };
    let mut parser = Parser { rest: text, active, depth: 0 };
    match parser.either() {
        Some(truth) if parser.rest.trim().is_empty() => truth,
        _ => Truth::Unknown,
    }
}

struct Parser<'t> {
    rest: &'t str,
    active: &'t dyn Fn(&str) -> bool,
    depth: usize,
}

impl Parser<'_> {
    fn take(&mut self, sign: &str) -> bool {
        match self.rest.trim_start().strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn either(&mut self) -> Option<Truth> {
        let mut all = self.both()?;
        while self.take("||") {
            all = match (all, self.both()?) {
                (Truth::Known(true), _) | (_, Truth::Known(true)) => Truth::Known(true),
                (Truth::Known(false), other) | (other, Truth::Known(false)) => other,
                _ => Truth::Unknown,
            };
        }
        Some(all)
    }

    fn both(&mut self) -> Option<Truth> {
        let mut all = self.one()?;
        while self.take("&&") {
            all = match (all, self.one()?) {
                (Truth::Known(false), _) | (_, Truth::Known(false)) => Truth::Known(false),
                (Truth::Known(true), other) | (other, Truth::Known(true)) => other,
                _ => Truth::Unknown,
            };
        }
        Some(all)
    }

    fn one(&mut self) -> Option<Truth> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let truth = if self.take("!") {
            match self.one()? {
                Truth::Known(holds) => Truth::Known(!holds),
                Truth::Unknown => Truth::Unknown,
            }
        } else if self.take("(") {
            let inner = self.either()?;
            self.take(")").then_some(inner)?
        } else if self.take("true") {
            Truth::Known(true)
        } else if self.take("false") {
            Truth::Known(false)
        } else if self.take("In(") {
            let end = self.rest.find(')')?;
            let name = self.rest[..end].trim().trim_matches(['\'', '"']);
            let truth = Truth::Known((self.active)(name));
            self.rest = &self.rest[end + 1..];
            truth
        } else {
            return None;
        };
        self.depth -= 1;
        Some(truth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_evaluated() {
        let truth = |text: &str| evaluate(Some(text), &|name| name == "a");
        assert_eq!(truth("In('a') && !In(\"b\")"), Truth::Known(true));
        assert_eq!(truth("(In('b') || false)"), Truth::Known(false));
        assert_eq!(truth("x > 3"), Truth::Unknown);
        assert_eq!(truth("In('a') && x"), Truth::Unknown);
        assert_eq!(truth(""), Truth::Unknown);
        assert_eq!(truth(&"!".repeat(1000)), Truth::Unknown);
        assert_eq!(evaluate(None, &|_| false), Truth::Known(true));
    }
}
