//! Eventual and universal formulas, seen from their form.
//!
//! An *eventual* formula `e` holds as soon as it holds later: `F e = e`. A *universal* one `u` holds later if it
//! holds now: `G u = u`. What is both, such as `G F p`, does not depend on any finite beginning.

use super::Simplifier;
use crate::formula::{Formula, Node};

impl Simplifier<'_> {
    /// Whether `F f = f`, seen from the form.
    pub(super) fn eventual(&mut self, formula: Formula) -> bool {
        if let Some(known) = self.eventual.get(&formula) {
            return *known;
        }
        let result = match self.formulas.node(formula).clone() {
            Node::True | Node::False | Node::Finally(_) => true,
            Node::Atom(_) | Node::Not(_) | Node::Implies(..) | Node::Iff(..) => false,
            Node::And(all) | Node::Or(all) => all.iter().all(|one| self.eventual(*one)),
            Node::Next(one) | Node::Globally(one) => self.eventual(one),
            Node::Until(_, right) => self.eventual(right),
            Node::WeakUntil(left, right) | Node::Release(left, right) | Node::StrongRelease(left, right) => {
                self.eventual(left) && self.eventual(right)
            }
        };
        self.eventual.insert(formula, result);
        result
    }

    /// Whether `G f = f`, seen from the form.
    pub(super) fn universal(&mut self, formula: Formula) -> bool {
        if let Some(known) = self.universal.get(&formula) {
            return *known;
        }
        let result = match self.formulas.node(formula).clone() {
            Node::True | Node::False | Node::Globally(_) => true,
            Node::Atom(_) | Node::Not(_) | Node::Implies(..) | Node::Iff(..) => false,
            Node::And(all) | Node::Or(all) => all.iter().all(|one| self.universal(*one)),
            Node::Next(one) | Node::Finally(one) => self.universal(one),
            Node::Release(_, right) => self.universal(right),
            Node::WeakUntil(left, right) | Node::Until(left, right) | Node::StrongRelease(left, right) => {
                self.universal(left) && self.universal(right)
            }
        };
        self.universal.insert(formula, result);
        result
    }

    /// Whether it is both.
    pub(super) fn suspendable(&mut self, formula: Formula) -> bool {
        self.eventual(formula) && self.universal(formula)
    }

    /// Parts the operands of a conjunction or disjunction by a property. None unless some have it.
    pub(super) fn part(
        &mut self,
        all: &[Formula],
        property: fn(&mut Self, Formula) -> bool,
    ) -> Option<(Vec<Formula>, Vec<Formula>)> {
        let (have, rest): (Vec<Formula>, Vec<Formula>) = all.iter().partition(|one| property(self, **one));
        (!have.is_empty()).then_some((have, rest))
    }
}
