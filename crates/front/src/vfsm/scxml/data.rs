//! The data of a document: small numbers and truth values, each within bounds.
//!
//! A datum is part of the states of the machine, so its values must be few. Its bounds are stated (`min` and `max`), or found: from the
//! smallest to the largest number that it begins with, is compared with or gets, data that are compared with it or assigned to it
//! included, and one step more on either side where it is counted. A value beyond is reported when a run gets there, never
//! wrapped.

use super::expression::{Expression, Sign, Value};
use super::tree::{Action, Document};
use mazurka_model::source::Span;

/// A datum.
#[derive(Clone, Debug)]
pub struct Datum {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// What it is first.
    pub first: Value,
    /// Stated bounds.
    pub stated: (Option<i64>, Option<i64>),
    /// The smallest and the largest number that it can be.
    pub bounds: (i64, i64),
}

/// What is known of a group of data that are compared with or assigned to each other.
#[derive(Clone, Default)]
struct Group {
    numbers: Vec<i64>,
    step: i64,
}

/// Finds the bounds of the data of a document.
pub fn bound(document: &mut Document) {
    let mut finder = Finder {
        names: document.data.iter().map(|one| one.name.clone()).collect(),
        group: (0..document.data.len()).collect(),
        found: vec![Group::default(); document.data.len()],
    };
    for (number, datum) in document.data.iter().enumerate() {
        if let Value::Number(first) = datum.first {
            finder.found[number].numbers.push(first);
        }
    }
    for node in &document.nodes {
        for transition in &node.transitions {
            if let Some(expression) = transition.condition.as_ref().and_then(|one| one.parsed.as_ref()) {
                finder.condition(expression);
            }
            finder.actions(&transition.actions);
        }
        finder.actions(&node.entry);
        finder.actions(&node.exit);
        finder.actions(&node.initial_actions);
    }
    for number in 0..document.data.len() {
        let root = finder.root(number);
        let members = (0..document.data.len()).filter(|&one| finder.root(one) == root);
        let mut all = Group::default();
        for one in members {
            all.numbers.extend(&finder.found[one].numbers);
            all.step = all.step.max(finder.found[one].step);
        }
        let least = all.numbers.iter().min().copied().unwrap_or(0) - all.step;
        let most = all.numbers.iter().max().copied().unwrap_or(0) + all.step;
        let datum = &mut document.data[number];
        datum.bounds = (datum.stated.0.unwrap_or(least), datum.stated.1.unwrap_or(most));
    }
}

struct Finder {
    names: Vec<String>,
    group: Vec<usize>,
    found: Vec<Group>,
}

impl Finder {
    fn root(&self, mut one: usize) -> usize {
        while self.group[one] != one {
            one = self.group[one];
        }
        one
    }

    fn unite(&mut self, all: &[usize]) {
        for pair in all.windows(2) {
            let (one, other) = (self.root(pair[0]), self.root(pair[1]));
            self.group[one] = other;
        }
    }

    fn actions(&mut self, actions: &[Action]) {
        for action in actions {
            match action {
                Action::Assign { location, expression, .. } => {
                    let (Some(to), Some(expression)) = (self.find(location), expression) else { continue };
                    self.condition(expression);
                    let (mut data, numbers) = self.contents(expression);
                    if data.is_empty() {
                        self.found[to].numbers.extend(numbers);
                    } else {
                        // A number beside a datum is how far it is moved, or what is compared with it.
                        let step = numbers.iter().map(|number| number.abs()).max().unwrap_or(0);
                        self.found[to].step = self.found[to].step.max(step);
                        data.push(to);
                        self.unite(&data);
                    }
                }
                Action::If(branches) => {
                    for branch in branches {
                        if let Some(expression) =
                            branch.condition.as_ref().and_then(|one| one.parsed.as_ref())
                        {
                            self.condition(expression);
                        }
                        self.actions(&branch.actions);
                    }
                }
                Action::Raise(..) | Action::Send { .. } | Action::Cancel(_) | Action::Script(_) => {}
            }
        }
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// The data and the numbers in an expression.
    fn contents(&self, expression: &Expression) -> (Vec<usize>, Vec<i64>) {
        match expression {
            Expression::Name(name) => (self.find(name).into_iter().collect(), Vec::new()),
            Expression::Value(Value::Number(number)) => (Vec::new(), vec![*number]),
            Expression::Negative(inner) => {
                let (data, numbers) = self.contents(inner);
                (data, numbers.into_iter().map(|number| -number).collect())
            }
            other => {
                let (mut data, mut numbers) = (Vec::new(), Vec::new());
                for part in other.parts() {
                    let (more, also) = self.contents(part);
                    data.extend(more);
                    numbers.extend(also);
                }
                (data, numbers)
            }
        }
    }

    /// Notes what is compared with what.
    fn condition(&mut self, expression: &Expression) {
        match expression {
            Expression::Binary(sign, ..) if !matches!(sign, Sign::Plus | Sign::Minus) => {
                let (data, numbers) = self.contents(expression);
                if let Some(&first) = data.first() {
                    self.found[first].numbers.extend(numbers);
                    self.unite(&data);
                }
            }
            _ => {}
        }
        expression.parts().into_iter().for_each(|part| self.condition(part));
    }
}
