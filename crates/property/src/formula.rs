//! Formulas of programs as formulas of the logic, and back.

use crate::conditions::{Named, Parts, parts};
use mazurka_ltl::formula::Node;
use mazurka_ltl::{Formula, Formulas};
use mazurka_program::interpreter::Condition;
use mazurka_program::ir::{self, BinaryOperator, Expression, FormulaOperator, UnaryOperator};

/// A formula over a program's conditions as one over their names.
pub fn to_ltl(formula: &ir::Formula, formulas: &mut Formulas, named: &mut Named) -> Formula {
    match formula {
        ir::Formula::Atom(expression) => condition(expression, formulas, named),
        ir::Formula::Not(one) => {
            let one = to_ltl(one, formulas, named);
            formulas.not(one)
        }
        ir::Formula::Always(one) => {
            let one = to_ltl(one, formulas, named);
            formulas.globally(one)
        }
        ir::Formula::Eventually(one) => {
            let one = to_ltl(one, formulas, named);
            formulas.finally(one)
        }
        ir::Formula::Next(one) => {
            let one = to_ltl(one, formulas, named);
            formulas.next(one)
        }
        ir::Formula::Binary(operator, left, right) => {
            let (left, right) = (to_ltl(left, formulas, named), to_ltl(right, formulas, named));
            match operator {
                FormulaOperator::And => formulas.and([left, right]),
                FormulaOperator::Or => formulas.or([left, right]),
                FormulaOperator::Implies => formulas.implies(left, right),
                FormulaOperator::Equivalent => formulas.iff(left, right),
                FormulaOperator::Until => formulas.until(left, right),
                FormulaOperator::WeakUntil => formulas.weak_until(left, right),
                FormulaOperator::Release => formulas.release(left, right),
            }
        }
    }
}

fn condition(expression: &Expression, formulas: &mut Formulas, named: &mut Named) -> Formula {
    match parts(expression) {
        Parts::Constant(value) => formulas.constant(value),
        Parts::Not(one) => {
            let one = condition(one, formulas, named);
            formulas.not(one)
        }
        Parts::And(left, right) => {
            let both = [condition(left, formulas, named), condition(right, formulas, named)];
            formulas.and(both)
        }
        Parts::Or(left, right) => {
            let both = [condition(left, formulas, named), condition(right, formulas, named)];
            formulas.or(both)
        }
        Parts::Whole => named.atom(formulas, Condition::Expression(expression.clone())),
    }
}

/// A formula that speaks of one state as a condition on states; none if it speaks of more.
pub fn as_condition(formula: &ir::Formula) -> Option<Expression> {
    let not = |one: Expression| Expression::Unary(UnaryOperator::Not, Box::new(one));
    let binary = |operator, left: Expression, right: Expression| {
        Expression::Binary(operator, Box::new(left), Box::new(right))
    };
    Some(match formula {
        ir::Formula::Atom(expression) => expression.clone(),
        ir::Formula::Not(one) => not(as_condition(one)?),
        ir::Formula::Binary(operator, left, right) => {
            let (left, right) = (as_condition(left)?, as_condition(right)?);
            match operator {
                FormulaOperator::And => binary(BinaryOperator::And, left, right),
                FormulaOperator::Or => binary(BinaryOperator::Or, left, right),
                FormulaOperator::Implies => binary(BinaryOperator::Or, not(left), right),
                // Any number but 0 is true.
                FormulaOperator::Equivalent => binary(BinaryOperator::Equal, not(left), not(right)),
                FormulaOperator::Until | FormulaOperator::WeakUntil | FormulaOperator::Release => {
                    return None;
                }
            }
        }
        ir::Formula::Always(_) | ir::Formula::Eventually(_) | ir::Formula::Next(_) => return None,
    })
}

/// A formula of the logic as one of a program, each atom replaced by what `atom` gives for its index.
pub fn from_ltl(formulas: &Formulas, formula: Formula, atom: &dyn Fn(usize) -> ir::Formula) -> ir::Formula {
    let one = |formula: &Formula| Box::new(from_ltl(formulas, *formula, atom));
    let binary =
        |operator, left: &Formula, right: &Formula| ir::Formula::Binary(operator, one(left), one(right));
    let fold = |operator, all: &[Formula], empty: i32| {
        let mut rest = all.iter().map(|part| *one(part));
        let first = rest.next().unwrap_or(ir::Formula::Atom(Expression::Constant(empty)));
        rest.fold(first, |left, right| ir::Formula::Binary(operator, Box::new(left), Box::new(right)))
    };
    match formulas.node(formula) {
        Node::True => ir::Formula::Atom(Expression::Constant(1)),
        Node::False => ir::Formula::Atom(Expression::Constant(0)),
        Node::Atom(number) => atom(number.index()),
        Node::Not(inner) => ir::Formula::Not(one(inner)),
        Node::And(all) => fold(FormulaOperator::And, all, 1),
        Node::Or(all) => fold(FormulaOperator::Or, all, 0),
        Node::Implies(left, right) => binary(FormulaOperator::Implies, left, right),
        Node::Iff(left, right) => binary(FormulaOperator::Equivalent, left, right),
        Node::Next(inner) => ir::Formula::Next(one(inner)),
        Node::Finally(inner) => ir::Formula::Eventually(one(inner)),
        Node::Globally(inner) => ir::Formula::Always(one(inner)),
        Node::Until(left, right) => binary(FormulaOperator::Until, left, right),
        Node::WeakUntil(left, right) => binary(FormulaOperator::WeakUntil, left, right),
        Node::Release(left, right) => binary(FormulaOperator::Release, left, right),
        // The right side until both.
        Node::StrongRelease(left, right) => {
            let both = Box::new(binary(FormulaOperator::And, left, right));
            ir::Formula::Binary(FormulaOperator::Until, one(right), both)
        }
    }
}
