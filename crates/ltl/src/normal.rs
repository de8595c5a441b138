//! Negation normal form: negations only before atoms, no implications and equivalences.

use crate::formula::{Formula, Formulas, Node};
use std::collections::HashMap;

/// The negation normal form of a formula.
pub fn negation_normal_form(formulas: &mut Formulas, formula: Formula) -> Formula {
    push(formulas, formula, false, &mut HashMap::new())
}

/// The negation normal form of a formula's negation.
pub fn negate(formulas: &mut Formulas, formula: Formula) -> Formula {
    push(formulas, formula, true, &mut HashMap::new())
}

type Memo = HashMap<(Formula, bool), Formula>;

fn push(formulas: &mut Formulas, formula: Formula, negated: bool, memo: &mut Memo) -> Formula {
    if let Some(known) = memo.get(&(formula, negated)) {
        return *known;
    }
    let node = formulas.node(formula).clone();
    let result = match (node, negated) {
        (Node::True | Node::False | Node::Atom(_), false) => formula,
        (Node::True | Node::False | Node::Atom(_), true) => formulas.not(formula),
        (Node::Not(one), _) => push(formulas, one, !negated, memo),
        (Node::And(all), _) => {
            let all: Vec<Formula> = all.iter().map(|one| push(formulas, *one, negated, memo)).collect();
            formulas.junction(all, !negated)
        }
        (Node::Or(all), _) => {
            let all: Vec<Formula> = all.iter().map(|one| push(formulas, *one, negated, memo)).collect();
            formulas.junction(all, negated)
        }
        (Node::Implies(left, right), _) => {
            let left = push(formulas, left, !negated, memo);
            let right = push(formulas, right, negated, memo);
            formulas.junction([left, right], negated)
        }
        (Node::Iff(left, right), _) => {
            let both = [push(formulas, left, false, memo), push(formulas, right, negated, memo)];
            let neither = [push(formulas, left, true, memo), push(formulas, right, !negated, memo)];
            let (both, neither) = (formulas.and(both), formulas.and(neither));
            formulas.or([both, neither])
        }
        (Node::Next(one), _) => {
            let one = push(formulas, one, negated, memo);
            formulas.next(one)
        }
        (Node::Finally(one), false) | (Node::Globally(one), true) => {
            let one = push(formulas, one, negated, memo);
            formulas.finally(one)
        }
        (Node::Globally(one), false) | (Node::Finally(one), true) => {
            let one = push(formulas, one, negated, memo);
            formulas.globally(one)
        }
        (
            Node::Until(left, right)
            | Node::Release(left, right)
            | Node::WeakUntil(left, right)
            | Node::StrongRelease(left, right),
            _,
        ) => {
            let left = push(formulas, left, negated, memo);
            let right = push(formulas, right, negated, memo);
            match (formulas.node(formula), negated) {
                (Node::Until(..), false) | (Node::Release(..), true) => formulas.until(left, right),
                (Node::Release(..), false) | (Node::Until(..), true) => formulas.release(left, right),
                (Node::WeakUntil(..), false) | (Node::StrongRelease(..), true) => {
                    formulas.weak_until(left, right)
                }
                _ => formulas.strong_release(left, right),
            }
        }
    };
    memo.insert((formula, negated), result);
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;
    use crate::print::{Spelling, print};

    #[test]
    fn negations_end_before_atoms() {
        let mut formulas = Formulas::new();
        for (text, normal) in [
            ("!(p U (q -> X r))", "!p R (q & X !r)"),
            ("!(p W q)", "!p M !q"),
            ("!(p M q) & !(p R q)", "(!p W !q) & (!p U !q)"),
            ("!G(p <-> q)", "F((p & !q) | (q & !p))"),
            ("!F(p & false)", "1"),
        ] {
            let formula = parse(&mut formulas, text).unwrap();
            let result = negation_normal_form(&mut formulas, formula);
            assert_eq!(print(&formulas, result, Spelling::Spot), normal);
            let twice = negate(&mut formulas, result);
            assert_eq!(negate(&mut formulas, twice), result);
        }
    }
}
