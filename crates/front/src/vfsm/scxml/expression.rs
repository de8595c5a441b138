//! Expressions over data: whole numbers, truth values, `In()`, comparisons, sums and what is made of them.
//!
//! They mean what they mean in ECMAScript, as far as they go: `==` takes `true` for 1, `===` does not, `&&` and `||` choose one of
//! their sides. Whatever else stands there, from a property of an object to a call, is a value that is not known, and
//! so is all that depends on it; but `false && unknown` is false.

/// How deep expressions may be nested.
const DEEPEST: usize = 50;
/// How long they may be.
const LONGEST: usize = 1000;
/// The largest number that counts.
const LARGEST: i64 = 1_000_000_000;

/// A value.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// A whole number.
    Number(i64),
    /// True or false.
    Truth(bool),
    /// Anything.
    Unknown,
}

impl Value {
    fn number(self) -> Option<i64> {
        match self {
            Value::Number(number) => Some(number),
            Value::Truth(truth) => Some(truth.into()),
            Value::Unknown => None,
        }
    }

    fn truth(self) -> Option<bool> {
        self.number().map(|number| number != 0)
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Number(number) => number.fmt(f),
            Value::Truth(truth) => truth.fmt(f),
            Value::Unknown => f.write_str("?"),
        }
    }
}

/// What stands between two expressions.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `==`
    Equal,
    /// `===`
    Identical,
    /// `!=`
    Unequal,
    /// `!==`
    Different,
    /// `<`
    Below,
    /// `<=`
    AtMost,
    /// `>`
    Above,
    /// `>=`
    AtLeast,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// A value.
    Value(Value),
    /// What a call gives, which may do anything besides.
    Call,
    /// A datum.
    Name(String),
    /// Whether a state is active.
    In(String),
    /// Not.
    Not(Box<Expression>),
    /// A number with the other sign.
    Negative(Box<Expression>),
    /// The first if it is false, else the second.
    And(Box<Expression>, Box<Expression>),
    /// The first if it is true, else the second.
    Or(Box<Expression>, Box<Expression>),
    /// A sum, a difference or a comparison.
    Binary(Sign, Box<Expression>, Box<Expression>),
}

/// What expressions look at.
pub struct Scope<'s> {
    /// Whether a state is active.
    pub active: &'s dyn Fn(&str) -> bool,
    /// The value of a datum.
    pub value: &'s dyn Fn(&str) -> Value,
}

impl Expression {
    /// Reads an expression; none if it has a form that is not known.
    pub fn parse(text: &str) -> Option<Expression> {
        if text.len() > LONGEST {
            return None;
        }
        let mut parser = Parser { rest: text.trim(), depth: 0 };
        let whole = parser.either()?;
        parser.rest.is_empty().then_some(whole)
    }

    /// Its value.
    pub fn value(&self, scope: &Scope<'_>) -> Value {
        match self {
            Expression::Value(value) => *value,
            Expression::Call => Value::Unknown,
            Expression::Name(name) => (scope.value)(name),
            Expression::In(state) => Value::Truth((scope.active)(state)),
            Expression::Not(inner) => inner.truth(scope).map_or(Value::Unknown, |truth| Value::Truth(!truth)),
            Expression::Negative(inner) => {
                inner.value(scope).number().map_or(Value::Unknown, |number| Value::Number(-number))
            }
            Expression::And(left, right) => match left.truth(scope) {
                Some(false) => left.value(scope),
                Some(true) => right.value(scope),
                None => Value::Unknown,
            },
            Expression::Or(left, right) => match left.truth(scope) {
                Some(true) => left.value(scope),
                Some(false) => right.value(scope),
                None => Value::Unknown,
            },
            Expression::Binary(sign, left, right) => {
                binary(*sign, left.value(scope), right.value(scope)).unwrap_or(Value::Unknown)
            }
        }
    }

    /// Whether it holds, if that is known.
    pub fn truth(&self, scope: &Scope<'_>) -> Option<bool> {
        match self {
            Expression::Not(inner) => inner.truth(scope).map(|truth| !truth),
            Expression::And(left, right) => match (left.truth(scope), right.truth(scope)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), other) => other,
                (None, _) => None,
            },
            Expression::Or(left, right) => match (left.truth(scope), right.truth(scope)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), other) => other,
                (None, _) => None,
            },
            other => other.value(scope).truth(),
        }
    }

    /// The expressions that it is made of.
    pub fn parts(&self) -> Vec<&Expression> {
        match self {
            Expression::Not(inner) | Expression::Negative(inner) => vec![inner],
            Expression::And(left, right) | Expression::Or(left, right) => vec![left, right],
            Expression::Binary(_, left, right) => vec![left, right],
            Expression::Value(_) | Expression::Call | Expression::Name(_) | Expression::In(_) => Vec::new(),
        }
    }

    /// Whether some part of it is so.
    pub fn any(&self, so: &dyn Fn(&Expression) -> bool) -> bool {
        so(self) || self.parts().iter().any(|part| part.any(so))
    }
}

fn binary(sign: Sign, left: Value, right: Value) -> Option<Value> {
    let (a, b) = (left.number()?, right.number()?);
    let same = std::mem::discriminant(&left) == std::mem::discriminant(&right) && a == b;
    let sum = match sign {
        Sign::Plus => a + b,
        Sign::Minus => a - b,
        Sign::Equal => return Some(Value::Truth(a == b)),
        Sign::Unequal => return Some(Value::Truth(a != b)),
        Sign::Identical => return Some(Value::Truth(same)),
        Sign::Different => return Some(Value::Truth(!same)),
        Sign::Below => return Some(Value::Truth(a < b)),
        Sign::AtMost => return Some(Value::Truth(a <= b)),
        Sign::Above => return Some(Value::Truth(a > b)),
        Sign::AtLeast => return Some(Value::Truth(a >= b)),
    };
    (sum.abs() <= LARGEST).then_some(Value::Number(sum))
}

struct Parser<'t> {
    rest: &'t str,
    depth: usize,
}

/// Signs by their text, those that begin like others first.
const COMPARISONS: [(&str, Sign); 8] = [
    ("===", Sign::Identical),
    ("!==", Sign::Different),
    ("==", Sign::Equal),
    ("!=", Sign::Unequal),
    ("<=", Sign::AtMost),
    (">=", Sign::AtLeast),
    ("<", Sign::Below),
    (">", Sign::Above),
];

fn is_part_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

impl<'t> Parser<'t> {
    fn take(&mut self, sign: &str) -> bool {
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn either(&mut self) -> Option<Expression> {
        let mut all = self.both()?;
        while self.take("||") {
            all = Expression::Or(Box::new(all), Box::new(self.both()?));
        }
        Some(all)
    }

    fn both(&mut self) -> Option<Expression> {
        let mut all = self.comparison(&COMPARISONS[..4])?;
        while self.take("&&") {
            all = Expression::And(Box::new(all), Box::new(self.comparison(&COMPARISONS[..4])?));
        }
        Some(all)
    }

    /// Equalities bind less than orders.
    fn comparison(&mut self, signs: &[(&str, Sign)]) -> Option<Expression> {
        let equalities = signs.len() == 4 && signs[0].1 == Sign::Identical;
        let operand = |parser: &mut Self| match equalities {
            true => parser.comparison(&COMPARISONS[4..]),
            false => parser.sum(),
        };
        let mut all = operand(self)?;
        // A shift is not known.
        while !self.rest.starts_with("<<")
            && !self.rest.starts_with(">>")
            && let Some((_, sign)) = signs.iter().find(|(text, _)| self.take(text))
        {
            all = Expression::Binary(*sign, Box::new(all), Box::new(operand(self)?));
        }
        Some(all)
    }

    fn sum(&mut self) -> Option<Expression> {
        let mut all = self.one()?;
        loop {
            // What changes a datum within an expression is not known.
            if ["++", "--", "+=", "-="].iter().any(|sign| self.rest.starts_with(sign)) {
                return None;
            }
            let sign = if self.take("+") {
                Sign::Plus
            } else if self.take("-") {
                Sign::Minus
            } else {
                return Some(all);
            };
            all = Expression::Binary(sign, Box::new(all), Box::new(self.one()?));
        }
    }

    fn one(&mut self) -> Option<Expression> {
        self.depth += 1;
        if self.depth > DEEPEST || self.rest.starts_with("++") || self.rest.starts_with("--") {
            return None;
        }
        let one = if self.take("!") {
            Expression::Not(Box::new(self.one()?))
        } else if self.take("-") {
            Expression::Negative(Box::new(self.one()?))
        } else if self.take("(") {
            let inner = self.either()?;
            self.take(")").then_some(inner)?
        } else if self.rest.starts_with(['\'', '"']) {
            self.text()?;
            Expression::Value(Value::Unknown)
        } else {
            self.name_or_number()?
        };
        self.depth -= 1;
        self.behind(one)
    }

    /// The characters of a literal.
    fn text(&mut self) -> Option<&'t str> {
        let quote = self.rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        let end = self.rest[1..].find(quote)?;
        let text = &self.rest[1..=end];
        self.rest = self.rest[end + 2..].trim_start();
        (!text.contains('\\')).then_some(text)
    }

    fn name_or_number(&mut self) -> Option<Expression> {
        let end = self.rest.find(|c: char| !is_part_of_name(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        let first = word.chars().next()?;
        if first.is_ascii_digit() {
            // Numbers that begin with 0 have another base, or did once; a point makes a number of another kind.
            let plain = word == "0" || first != '0' && word.bytes().all(|byte| byte.is_ascii_digit());
            let number = word.parse::<i64>().ok().filter(|number| plain && *number <= LARGEST)?;
            return (!rest.starts_with('.')).then_some(Expression::Value(Value::Number(number)));
        }
        Some(match word {
            "true" => Expression::Value(Value::Truth(true)),
            "false" => Expression::Value(Value::Truth(false)),
            "In" if self.take("(") => {
                let state = self.text()?.to_owned();
                self.take(")").then_some(Expression::In(state))?
            }
            "new" | "typeof" | "void" | "delete" | "function" | "null" | "undefined" | "NaN" | "Infinity" => {
                return None;
            }
            _ => Expression::Name(word.to_owned()),
        })
    }

    /// Properties, elements and calls of what was read make something unknown of it.
    fn behind(&mut self, one: Expression) -> Option<Expression> {
        let mut one = one;
        loop {
            if self.take(".") {
                let end = self.rest.find(|c: char| !is_part_of_name(c)).unwrap_or(self.rest.len());
                if end == 0 {
                    return None;
                }
                self.rest = self.rest[end..].trim_start();
                if one != Expression::Call {
                    one = Expression::Value(Value::Unknown);
                }
            } else if self.rest.starts_with(['(', '[']) {
                if self.rest.starts_with('(') {
                    one = Expression::Call;
                } else if one != Expression::Call {
                    one = Expression::Value(Value::Unknown);
                }
                self.brackets()?;
            } else {
                return Some(one);
            }
        }
    }

    /// Passes over what is in brackets.
    fn brackets(&mut self) -> Option<()> {
        let mut depth = 0;
        loop {
            match self.rest.chars().next()? {
                '\'' | '"' => drop(self.text()?),
                c => {
                    depth += match c {
                        '(' | '[' => 1,
                        ')' | ']' => -1,
                        _ => 0,
                    };
                    self.rest = &self.rest[c.len_utf8()..];
                    if depth == 0 {
                        self.rest = self.rest.trim_start();
                        return Some(());
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<Value> {
        let values = |name: &str| match name {
            "n" => Value::Number(3),
            "ok" => Value::Truth(true),
            _ => Value::Unknown,
        };
        let scope = Scope { active: &|name| name == "a", value: &values };
        Expression::parse(text).map(|one| one.value(&scope))
    }

    fn truth(text: &str) -> Option<bool> {
        let values = |name: &str| if name == "n" { Value::Number(3) } else { Value::Unknown };
        let scope = Scope { active: &|name| name == "a", value: &values };
        Expression::parse(text).and_then(|one| one.truth(&scope))
    }

    #[test]
    fn values_are_those_of_ecmascript() {
        let is = |text: &str, expected: Value| assert_eq!(value(text), Some(expected), "{text}");
        is("n + 1 - 2", Value::Number(2));
        is("-n < 2 == true", Value::Truth(true));
        is("n >= 3 && n <= 3", Value::Truth(true));
        is("n && 7", Value::Number(7));
        is("0 || n", Value::Number(3));
        is("!n", Value::Truth(false));
        is("ok == 1", Value::Truth(true));
        is("ok === 1", Value::Truth(false));
        is("ok !== true", Value::Truth(false));
        is("1 - 1 - 1", Value::Number(-1));
        is("(n - (1 - 1)) != 3", Value::Truth(false));
        is("In('a') && !In(\"b\")", Value::Truth(true));
        is("ok + 1", Value::Number(2));
    }

    #[test]
    fn what_is_not_known_stays_unknown_and_no_more() {
        for text in
            ["x", "n > x", "x && n", "_event.data", "f(n, ')') + 1", "'text' == n", "n[1]", "1000000000 + n"]
        {
            assert_eq!(value(text), Some(Value::Unknown), "{text}");
        }
        for text in [
            "",
            "n +",
            "n++",
            "++n",
            "n = 3",
            "1.5",
            "07",
            "n * 2",
            "n << 1",
            "In(a)",
            "(n",
            "n ? 1 : 2",
            "a.",
            "f(",
            "'",
            "null",
        ] {
            assert_eq!(value(text), None, "{text}");
        }
        assert_eq!(value(&"!".repeat(1000)), None);
        assert_eq!(value(&"(".repeat(1000)), None);
        assert_eq!(truth("n < 3 && x"), Some(false));
        assert_eq!(truth("x && n < 3"), Some(false));
        assert_eq!(truth("x.y || In('a')"), Some(true));
        assert_eq!(truth("In('a') && x"), None);
        assert_eq!(truth("!(x || false)"), None);
    }
}
