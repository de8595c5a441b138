//! Rules for formulas whose outermost operator is temporal. Each returns the rewritten formula, if it applies.

use super::Simplifier;
use crate::formula::{Formula, Node};

impl Simplifier<'_> {
    /// Rules for `F f`.
    pub(super) fn finally(&mut self, one: Formula) -> Option<Formula> {
        if self.eventual(one) {
            return Some(one);
        }
        match self.formulas.node(one).clone() {
            Node::Next(inner) => {
                let later = self.formulas.finally(inner);
                Some(self.formulas.next(later))
            }
            Node::Until(_, right) => Some(self.formulas.finally(right)),
            Node::StrongRelease(left, right) => {
                let both = self.formulas.and([left, right]);
                Some(self.formulas.finally(both))
            }
            // F(e | f) = e | F f.
            Node::Or(all) => {
                let (have, rest) = self.part(&all, Self::eventual)?;
                let rest = self.formulas.or(rest);
                let rest = self.formulas.finally(rest);
                Some(self.formulas.or(have.into_iter().chain([rest])))
            }
            // F(s & f) = s & F f, if s does not depend on any beginning.
            Node::And(all) => {
                let (have, rest) = self.part(&all, Self::suspendable)?;
                let rest = self.formulas.and(rest);
                let rest = self.formulas.finally(rest);
                Some(self.formulas.and(have.into_iter().chain([rest])))
            }
            // F G(e & f) = G e & F G f.
            Node::Globally(inner) => {
                let Node::And(all) = self.formulas.node(inner).clone() else { return None };
                let (have, rest) = self.part(&all, Self::eventual)?;
                let (have, rest) = (self.formulas.and(have), self.formulas.and(rest));
                let (have, rest) = (self.formulas.globally(have), self.formulas.globally(rest));
                let rest = self.formulas.finally(rest);
                Some(self.formulas.and([have, rest]))
            }
            _ => None,
        }
    }

    /// Rules for `G f`.
    pub(super) fn globally(&mut self, one: Formula) -> Option<Formula> {
        if self.universal(one) {
            return Some(one);
        }
        match self.formulas.node(one).clone() {
            Node::Next(inner) => {
                let always = self.formulas.globally(inner);
                Some(self.formulas.next(always))
            }
            Node::Release(_, right) => Some(self.formulas.globally(right)),
            Node::WeakUntil(left, right) => {
                let either = self.formulas.or([left, right]);
                Some(self.formulas.globally(either))
            }
            // G(u & f) = u & G f.
            Node::And(all) => {
                let (have, rest) = self.part(&all, Self::universal)?;
                let rest = self.formulas.and(rest);
                let rest = self.formulas.globally(rest);
                Some(self.formulas.and(have.into_iter().chain([rest])))
            }
            // G(s | f) = s | G f, if s does not depend on any beginning.
            Node::Or(all) => {
                let (have, rest) = self.part(&all, Self::suspendable)?;
                let rest = self.formulas.or(rest);
                let rest = self.formulas.globally(rest);
                Some(self.formulas.or(have.into_iter().chain([rest])))
            }
            // G F(u | f) = F u | G F f.
            Node::Finally(inner) => {
                let Node::Or(all) = self.formulas.node(inner).clone() else { return None };
                let (have, rest) = self.part(&all, Self::universal)?;
                let (have, rest) = (self.formulas.or(have), self.formulas.or(rest));
                let (have, rest) = (self.formulas.finally(have), self.formulas.finally(rest));
                let rest = self.formulas.globally(rest);
                Some(self.formulas.or([have, rest]))
            }
            _ => None,
        }
    }

    /// Rules for `f U g`.
    pub(super) fn until(&mut self, left: Formula, right: Formula) -> Option<Formula> {
        if self.eventual(right) || self.implies(left, right) {
            return Some(right);
        }
        if self.exhausts(left, right) {
            return Some(self.formulas.finally(right));
        }
        match (self.formulas.node(left).clone(), self.formulas.node(right).clone()) {
            (Node::Next(left), Node::Next(right)) => {
                let inner = self.formulas.until(left, right);
                return Some(self.formulas.next(inner));
            }
            (_, Node::Until(hold, _)) if self.implies(left, hold) => return Some(right),
            (_, Node::And(all)) => {
                if let Some((have, rest)) = self.part(&all, Self::suspendable) {
                    let rest = self.formulas.and(rest);
                    let inner = self.formulas.until(left, rest);
                    return Some(self.formulas.and(have.into_iter().chain([inner])));
                }
            }
            _ => {}
        }
        let shorter = self.without_implying(left, right)?;
        Some(self.formulas.until(shorter, right))
    }

    /// Rules for `f W g`.
    pub(super) fn weak_until(&mut self, left: Formula, right: Formula) -> Option<Formula> {
        if self.implies(left, right) {
            return Some(right);
        }
        if self.exhausts(left, right) {
            return Some(self.formulas.constant(true));
        }
        if self.universal(left) {
            return Some(self.formulas.or([left, right]));
        }
        if self.eventual(right) {
            let always = self.formulas.globally(left);
            return Some(self.formulas.or([always, right]));
        }
        match (self.formulas.node(left).clone(), self.formulas.node(right).clone()) {
            (Node::Next(left), Node::Next(right)) => {
                let inner = self.formulas.weak_until(left, right);
                return Some(self.formulas.next(inner));
            }
            (_, Node::WeakUntil(hold, _)) if self.implies(left, hold) => return Some(right),
            (_, Node::Or(all)) => {
                if let Some((have, rest)) = self.part(&all, Self::suspendable) {
                    let rest = self.formulas.or(rest);
                    let inner = self.formulas.weak_until(left, rest);
                    return Some(self.formulas.or(have.into_iter().chain([inner])));
                }
            }
            _ => {}
        }
        let shorter = self.without_implying(left, right)?;
        Some(self.formulas.weak_until(shorter, right))
    }

    /// Rules for `f R g`.
    pub(super) fn release(&mut self, left: Formula, right: Formula) -> Option<Formula> {
        if self.universal(right) || self.implies(right, left) {
            return Some(right);
        }
        if self.excludes(right, left) {
            return Some(self.formulas.globally(right));
        }
        match (self.formulas.node(left).clone(), self.formulas.node(right).clone()) {
            (Node::Next(left), Node::Next(right)) => {
                let inner = self.formulas.release(left, right);
                return Some(self.formulas.next(inner));
            }
            (_, Node::Release(end, _)) if self.implies(end, left) => return Some(right),
            (_, Node::Or(all)) => {
                if let Some((have, rest)) = self.part(&all, Self::suspendable) {
                    let rest = self.formulas.or(rest);
                    let inner = self.formulas.release(left, rest);
                    return Some(self.formulas.or(have.into_iter().chain([inner])));
                }
            }
            _ => {}
        }
        let shorter = self.without_implied(left, right)?;
        Some(self.formulas.release(shorter, right))
    }

    /// Rules for `f M g`.
    pub(super) fn strong_release(&mut self, left: Formula, right: Formula) -> Option<Formula> {
        if self.implies(right, left) {
            return Some(right);
        }
        if self.excludes(right, left) {
            return Some(self.formulas.constant(false));
        }
        if self.eventual(left) {
            return Some(self.formulas.and([left, right]));
        }
        if self.universal(right) {
            let end = self.formulas.finally(left);
            return Some(self.formulas.and([end, right]));
        }
        match (self.formulas.node(left).clone(), self.formulas.node(right).clone()) {
            (Node::Next(left), Node::Next(right)) => {
                let inner = self.formulas.strong_release(left, right);
                return Some(self.formulas.next(inner));
            }
            (_, Node::StrongRelease(end, _)) if self.implies(end, left) => return Some(right),
            (_, Node::And(all)) => {
                if let Some((have, rest)) = self.part(&all, Self::suspendable) {
                    let rest = self.formulas.and(rest);
                    let inner = self.formulas.strong_release(left, rest);
                    return Some(self.formulas.and(have.into_iter().chain([inner])));
                }
            }
            _ => {}
        }
        let shorter = self.without_implied(left, right)?;
        Some(self.formulas.strong_release(shorter, right))
    }

    /// `(f | h) U g = f U g` if `h` implies `g`; likewise for W.
    fn without_implying(&mut self, left: Formula, right: Formula) -> Option<Formula> {
        let Node::Or(all) = self.formulas.node(left).clone() else { return None };
        let kept: Vec<Formula> = all.iter().copied().filter(|one| !self.implies(*one, right)).collect();
        (kept.len() < all.len()).then(|| self.formulas.or(kept))
    }

    /// `(f & h) R g = f R g` if `g` implies `h`; likewise for M.
    fn without_implied(&mut self, left: Formula, right: Formula) -> Option<Formula> {
        let Node::And(all) = self.formulas.node(left).clone() else { return None };
        let kept: Vec<Formula> = all.iter().copied().filter(|one| !self.implies(right, *one)).collect();
        (kept.len() < all.len()).then(|| self.formulas.and(kept))
    }
}
