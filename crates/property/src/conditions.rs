//! The conditions on states that a property speaks of, each with a name.

use crate::Refused;
use mazurka_ltl::{Formula, Formulas};
use mazurka_model::atoms::MOST_ATOMS;
use mazurka_program::interpreter::Condition;
use mazurka_program::ir::{BinaryOperator, Expression, UnaryOperator};

/// Conditions, numbered in the order in which they were met; equal ones are one.
#[derive(Debug, Default)]
pub struct Named {
    pub conditions: Vec<Condition>,
}

/// A condition taken apart as far as it is made of others.
pub enum Parts<'e> {
    Constant(bool),
    Not(&'e Expression),
    And(&'e Expression, &'e Expression),
    Or(&'e Expression, &'e Expression),
    Whole,
}

/// Takes a condition apart.
pub fn parts(expression: &Expression) -> Parts<'_> {
    match expression {
        Expression::Constant(value) => Parts::Constant(*value != 0),
        Expression::Unary(UnaryOperator::Not, one) => Parts::Not(one),
        Expression::Binary(BinaryOperator::And, left, right) => Parts::And(left, right),
        Expression::Binary(BinaryOperator::Or, left, right) => Parts::Or(left, right),
        _ => Parts::Whole,
    }
}

impl Named {
    /// The number of a condition, which is added if it is new.
    pub fn add(&mut self, condition: Condition) -> usize {
        match self.conditions.iter().position(|known| *known == condition) {
            Some(number) => number,
            None => {
                self.conditions.push(condition);
                self.conditions.len() - 1
            }
        }
    }

    /// A condition as an atom of a formula, whose index there is its number.
    pub fn atom(&mut self, formulas: &mut Formulas, condition: Condition) -> Formula {
        let number = self.add(condition);
        formulas.atom(&name(number))
    }

    /// The names of all conditions.
    pub fn names(&self) -> Vec<String> {
        (0..self.conditions.len()).map(name).collect()
    }

    /// The number of the condition with a name.
    pub fn number(&self, wanted: &str) -> usize {
        (0..self.conditions.len()).find(|number| name(*number) == wanted).unwrap_or_default()
    }

    /// Whether a letter has room for all of them.
    pub fn check(&self) -> Result<(), Refused> {
        match self.conditions.len() {
            count if count > MOST_ATOMS => Err(Refused::TooManyConditions(count)),
            _ => Ok(()),
        }
    }
}

fn name(number: usize) -> String {
    format!("c{number}")
}
