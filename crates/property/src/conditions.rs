//! The conditions on states that a property speaks of, each with a name.

use mazurka_ltl::{Formula, Formulas};
use mazurka_program::interpreter::Condition;
use mazurka_program::ir::{BinaryOperator, Expression, UnaryOperator};

/// Conditions, numbered in the order in which they were met; equal ones are one.
#[derive(Debug)]
pub struct Named<C = Condition> {
    pub conditions: Vec<C>,
}

impl<C> Default for Named<C> {
    fn default() -> Named<C> {
        Named { conditions: Vec::new() }
    }
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

impl<C: PartialEq> Named<C> {
    /// The number of a condition, which is added if it is new.
    pub fn add(&mut self, condition: C) -> usize {
        match self.conditions.iter().position(|known| *known == condition) {
            Some(number) => number,
            None => {
                self.conditions.push(condition);
                self.conditions.len() - 1
            }
        }
    }

    /// A condition as an atom of a formula, whose index there is its number.
    pub fn atom(&mut self, formulas: &mut Formulas, condition: C) -> Formula {
        let number = self.add(condition);
        formulas.atom(&name(number))
    }

    /// The names of all conditions.
    pub fn names(&self) -> Vec<String> {
        (0..self.conditions.len()).map(name).collect()
    }
}

fn name(number: usize) -> String {
    format!("c{number}")
}
