//! Implications that can be seen from the form of two formulas.
//!
//! What is found is true; much that is true is not found. Between formulas without temporal operators it
//! is decided exactly.

use super::Simplifier;
use crate::diagram::Label;
use crate::formula::{Formula, Node};
use crate::normal;

impl Simplifier<'_> {
    /// Whether the first surely implies the second.
    pub(super) fn implies(&mut self, left: Formula, right: Formula) -> bool {
        if left == right || self.formulas.is_false(left) || self.formulas.is_true(right) {
            return true;
        }
        if let Some(known) = self.implications.get(&(left, right)) {
            return *known;
        }
        let result = match (self.function(left), self.function(right)) {
            (Some(left), Some(right)) => self.diagrams.implies(left, right),
            _ => self.implies_by_right(left, right) || self.implies_by_left(left, right),
        };
        self.implications.insert((left, right), result);
        result
    }

    /// Whether the first surely implies the negation of the second.
    pub(super) fn excludes(&mut self, left: Formula, right: Formula) -> bool {
        let negated = normal::negate(self.formulas, right);
        self.implies(left, negated)
    }

    /// Whether one of the two surely holds.
    pub(super) fn exhausts(&mut self, left: Formula, right: Formula) -> bool {
        let negated = normal::negate(self.formulas, left);
        self.implies(negated, right)
    }

    /// The function of a formula without temporal operators.
    fn function(&mut self, formula: Formula) -> Option<Label> {
        if let Some(known) = self.functions.get(&formula) {
            return *known;
        }
        let result = match self.formulas.node(formula).clone() {
            Node::True => Some(Label::TRUE),
            Node::False => Some(Label::FALSE),
            Node::Atom(atom) => Some(self.diagrams.variable(atom.index())),
            Node::Not(one) => self.function(one).map(|one| self.diagrams.not(one)),
            Node::And(all) => all.iter().try_fold(Label::TRUE, |so_far, one| {
                let one = self.function(*one)?;
                Some(self.diagrams.and(so_far, one))
            }),
            Node::Or(all) => all.iter().try_fold(Label::FALSE, |so_far, one| {
                let one = self.function(*one)?;
                Some(self.diagrams.or(so_far, one))
            }),
            _ => None,
        };
        self.functions.insert(formula, result);
        result
    }

    fn implies_by_right(&mut self, left: Formula, right: Formula) -> bool {
        match self.formulas.node(right).clone() {
            Node::And(all) => all.iter().all(|one| self.implies(left, *one)),
            Node::Or(all) => all.iter().any(|one| self.implies(left, *one)),
            Node::Next(one) => {
                let before = match *self.formulas.node(left) {
                    Node::Next(other) => Some(other),
                    _ => None,
                };
                self.universal(left) && self.implies(left, one)
                    || before.is_some_and(|other| self.implies(other, one))
            }
            Node::Finally(one) => self.implies(left, one),
            Node::Globally(one) => self.universal(left) && self.implies(left, one),
            Node::Until(hold, end) => {
                let both = match *self.formulas.node(left) {
                    Node::Until(left_hold, left_end) => Some((left_hold, left_end)),
                    _ => None,
                };
                self.implies(left, end)
                    || both.is_some_and(|(h, e)| self.implies(h, hold) && self.implies(e, end))
            }
            Node::WeakUntil(hold, end) => {
                let both = match *self.formulas.node(left) {
                    Node::Until(h, e) | Node::WeakUntil(h, e) => Some((h, e)),
                    Node::Globally(h) => Some((h, self.formulas.constant(false))),
                    _ => None,
                };
                self.implies(left, end)
                    || both.is_some_and(|(h, e)| self.implies(h, hold) && self.implies(e, end))
            }
            Node::Release(end, hold) => {
                let both = match *self.formulas.node(left) {
                    Node::Release(e, h) | Node::StrongRelease(e, h) => Some((e, h)),
                    Node::Globally(h) => Some((self.formulas.constant(false), h)),
                    _ => None,
                };
                self.implies(left, end) && self.implies(left, hold)
                    || both.is_some_and(|(e, h)| self.implies(h, hold) && self.implies(e, end))
            }
            Node::StrongRelease(end, hold) => {
                let both = match *self.formulas.node(left) {
                    Node::StrongRelease(e, h) => Some((e, h)),
                    _ => None,
                };
                self.implies(left, end) && self.implies(left, hold)
                    || both.is_some_and(|(e, h)| self.implies(h, hold) && self.implies(e, end))
            }
            _ => false,
        }
    }

    fn implies_by_left(&mut self, left: Formula, right: Formula) -> bool {
        match self.formulas.node(left).clone() {
            Node::And(all) => all.iter().any(|one| self.implies(*one, right)),
            Node::Or(all) => all.iter().all(|one| self.implies(*one, right)),
            Node::Next(one) | Node::Finally(one) => self.eventual(right) && self.implies(one, right),
            Node::Globally(one) => self.implies(one, right),
            Node::Until(hold, end) => {
                self.implies(end, right) && (self.implies(hold, right) || self.eventual(right))
            }
            Node::WeakUntil(hold, end) => self.implies(end, right) && self.implies(hold, right),
            Node::Release(_, hold) => self.implies(hold, right),
            Node::StrongRelease(end, hold) => {
                self.implies(hold, right) || (self.eventual(right) && self.implies(end, right))
            }
            _ => false,
        }
    }
}
