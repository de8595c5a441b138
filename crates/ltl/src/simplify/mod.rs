//! Simplification of formulas by rewriting and by implications that are seen from the form.
//!
//! Somenzi and Bloem, *Efficient Büchi automata from LTL formulae* (CAV 2000), and Etessami and Holzmann,
//! *Optimizing Büchi automata* (CONCUR 2000), for the eventual and universal formulas. The result is in
//! negation normal form and holds of the same words. There is no smallest formula that it aims at: what it
//! removes is what makes tableaux large.

mod implication;
mod junction;
mod purity;
mod temporal;

use crate::diagram::{Diagrams, Label};
use crate::formula::{Formula, Formulas, Node};
use crate::normal;
use std::collections::HashMap;

/// A formula in negation normal form that holds of the same words, and is usually smaller.
pub fn simplify(formulas: &mut Formulas, formula: Formula) -> Formula {
    let normal = normal::negation_normal_form(formulas, formula);
    let mut simplifier = Simplifier {
        formulas,
        done: HashMap::new(),
        implications: HashMap::new(),
        eventual: HashMap::new(),
        universal: HashMap::new(),
        diagrams: Diagrams::new(),
        functions: HashMap::new(),
    };
    simplifier.simplify(normal)
}

/// How often one formula may be rewritten: rules could undo each other, and must not do so for ever.
const MOST_REWRITINGS: usize = 50;

struct Simplifier<'a> {
    formulas: &'a mut Formulas,
    done: HashMap<Formula, Formula>,
    implications: HashMap<(Formula, Formula), bool>,
    eventual: HashMap<Formula, bool>,
    universal: HashMap<Formula, bool>,
    diagrams: Diagrams,
    /// The functions of formulas without temporal operators; none for others.
    functions: HashMap<Formula, Option<Label>>,
}

impl Simplifier<'_> {
    /// The operands first, then the formula itself, until no rule applies.
    fn simplify(&mut self, formula: Formula) -> Formula {
        self.simplify_within(formula, MOST_REWRITINGS)
    }

    fn simplify_within(&mut self, formula: Formula, budget: usize) -> Formula {
        if let Some(known) = self.done.get(&formula) {
            return *known;
        }
        let inner = self.rebuild(formula, budget);
        let rewritten = if budget == 0 { inner } else { self.rewrite(inner) };
        let result = if rewritten == formula || budget == 0 {
            rewritten
        } else {
            self.simplify_within(rewritten, budget - 1)
        };
        self.done.insert(formula, result);
        result
    }

    /// The formula with its operands simplified.
    fn rebuild(&mut self, formula: Formula, budget: usize) -> Formula {
        let operands = self.formulas.operands(formula);
        let operands: Vec<Formula> =
            operands.into_iter().map(|one| self.simplify_within(one, budget)).collect();
        self.formulas.with_operands(formula, &operands)
    }

    /// One rule at the outermost operator, if one applies.
    fn rewrite(&mut self, formula: Formula) -> Formula {
        let node = self.formulas.node(formula).clone();
        let result = match node {
            Node::True | Node::False | Node::Atom(_) | Node::Not(_) | Node::Implies(..) | Node::Iff(..) => {
                None
            }
            Node::Next(one) => (self.eventual(one) && self.universal(one)).then_some(one),
            Node::Finally(one) => self.finally(one),
            Node::Globally(one) => self.globally(one),
            Node::Until(left, right) => self.until(left, right),
            Node::WeakUntil(left, right) => self.weak_until(left, right),
            Node::Release(left, right) => self.release(left, right),
            Node::StrongRelease(left, right) => self.strong_release(left, right),
            Node::And(all) => self.junction(&all, true),
            Node::Or(all) => self.junction(&all, false),
        };
        result.unwrap_or(formula)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;
    use crate::print::{Spelling, print};

    #[test]
    fn what_is_known_to_be_simpler_is_simpler() {
        for (text, simple) in [
            ("p U F q", "F q"),
            ("G F G p", "F G p"),
            ("X G F p", "G F p"),
            ("(p & q) U q", "q"),
            ("p U (p U q)", "p U q"),
            ("!p U p", "F p"),
            ("G p & F p", "G p"),
            ("G p & G q", "G(p & q)"),
            ("F p | F q", "F(p | q)"),
            ("X p & X q", "X(p & q)"),
            ("(p W q) & F q", "p U q"),
            ("(p U q) | G p", "p W q"),
            ("(p U q) & (r U q)", "(p & r) U q"),
            ("G(p | G F q)", "G F q | G p"),
            ("F X p", "X F p"),
            ("p & !p", "0"),
            ("p & (p | q)", "p"),
            ("F(p & G F q)", "G F q & F p"),
            ("G(p R q)", "G q"),
            ("p & X G p", "G p"),
            ("q | (p & X(p U q))", "p U q"),
        ] {
            let mut formulas = Formulas::new();
            for name in ["p", "q", "r"] {
                formulas.atom(name);
            }
            let formula = parse(&mut formulas, text).unwrap();
            let result = simplify(&mut formulas, formula);
            assert_eq!(print(&formulas, result, Spelling::Spot), simple, "{text}");
        }
    }
}
