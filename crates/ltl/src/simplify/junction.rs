//! Rules for two operands of a conjunction or of a disjunction.
//!
//! The rules for disjunctions are those for conjunctions with everything exchanged: `U` and `R`, `W` and `M`,
//! `F` and `G`.

use super::Simplifier;
use crate::formula::{Formula, Node};

impl Simplifier<'_> {
    /// The first rule that applies to some pair of operands.
    pub(super) fn junction(&mut self, all: &[Formula], conjunction: bool) -> Option<Formula> {
        for (number, one) in all.iter().enumerate() {
            for other in &all[number + 1..] {
                let joined = self.pair(*one, *other, conjunction);
                if let Some(joined) = joined.or_else(|| self.pair(*other, *one, conjunction)) {
                    let rest = all.iter().copied().filter(|each| each != one && each != other);
                    let operands: Vec<Formula> = rest.chain([joined]).collect();
                    return Some(self.formulas.junction(operands, conjunction));
                }
            }
        }
        None
    }

    fn pair(&mut self, one: Formula, other: Formula, conjunction: bool) -> Option<Formula> {
        if self.implies(one, other) {
            return Some(if conjunction { one } else { other });
        }
        if conjunction && self.excludes(one, other) || !conjunction && self.exhausts(one, other) {
            return Some(self.formulas.constant(!conjunction));
        }
        if conjunction { self.conjoined(one, other) } else { self.disjoined(one, other) }
    }

    fn conjoined(&mut self, one: Formula, other: Formula) -> Option<Formula> {
        let all = &mut *self.formulas;
        match (all.node(one).clone(), all.node(other).clone()) {
            (Node::Next(f), Node::Next(g)) => {
                let both = all.and([f, g]);
                Some(all.next(both))
            }
            (Node::Globally(f), Node::Globally(g)) => {
                let both = all.and([f, g]);
                Some(all.globally(both))
            }
            (Node::Finally(f), Node::Finally(g)) => match (all.node(f), all.node(g)) {
                (Node::Globally(f), Node::Globally(g)) => {
                    let both = [*f, *g];
                    let both = all.and(both);
                    let always = all.globally(both);
                    Some(all.finally(always))
                }
                _ => None,
            },
            (Node::Until(f, end), Node::Until(g, other_end)) if end == other_end => {
                let both = all.and([f, g]);
                Some(all.until(both, end))
            }
            (Node::WeakUntil(f, end), Node::WeakUntil(g, other_end)) if end == other_end => {
                let both = all.and([f, g]);
                Some(all.weak_until(both, end))
            }
            (Node::Release(end, f), Node::Release(other_end, g)) if end == other_end => {
                let both = all.and([f, g]);
                Some(all.release(end, both))
            }
            (Node::StrongRelease(end, f), Node::StrongRelease(other_end, g)) if end == other_end => {
                let both = all.and([f, g]);
                Some(all.strong_release(end, both))
            }
            (Node::Finally(f), Node::WeakUntil(hold, end)) if f == end => Some(all.until(hold, end)),
            (Node::Finally(f), Node::Release(end, hold)) if f == end => Some(all.strong_release(end, hold)),
            // f & X G f = G f.
            (_, Node::Next(later)) if *all.node(later) == Node::Globally(one) => Some(later),
            // g & (f | X(f R g)) = f R g, and the same for M.
            (_, Node::Or(parts)) => parts.iter().find_map(|part| {
                let Node::Next(later) = *all.node(*part) else { return None };
                let (Node::Release(end, hold) | Node::StrongRelease(end, hold)) = *all.node(later) else {
                    return None;
                };
                let rest: Vec<Formula> = parts.iter().copied().filter(|each| each != part).collect();
                (hold == one && all.or(rest) == end).then_some(later)
            }),
            _ => None,
        }
    }

    fn disjoined(&mut self, one: Formula, other: Formula) -> Option<Formula> {
        let all = &mut *self.formulas;
        match (all.node(one).clone(), all.node(other).clone()) {
            (Node::Next(f), Node::Next(g)) => {
                let either = all.or([f, g]);
                Some(all.next(either))
            }
            (Node::Finally(f), Node::Finally(g)) => {
                let either = all.or([f, g]);
                Some(all.finally(either))
            }
            (Node::Globally(f), Node::Globally(g)) => match (all.node(f), all.node(g)) {
                (Node::Finally(f), Node::Finally(g)) => {
                    let either = [*f, *g];
                    let either = all.or(either);
                    let sometimes = all.finally(either);
                    Some(all.globally(sometimes))
                }
                _ => None,
            },
            (Node::Until(hold, f), Node::Until(other_hold, g)) if hold == other_hold => {
                let either = all.or([f, g]);
                Some(all.until(hold, either))
            }
            (Node::WeakUntil(hold, f), Node::WeakUntil(other_hold, g)) if hold == other_hold => {
                let either = all.or([f, g]);
                Some(all.weak_until(hold, either))
            }
            (Node::Release(f, hold), Node::Release(g, other_hold)) if hold == other_hold => {
                let either = all.or([f, g]);
                Some(all.release(either, hold))
            }
            (Node::StrongRelease(f, hold), Node::StrongRelease(g, other_hold)) if hold == other_hold => {
                let either = all.or([f, g]);
                Some(all.strong_release(either, hold))
            }
            (Node::Globally(f), Node::Until(hold, end)) if f == hold => Some(all.weak_until(hold, end)),
            (Node::Globally(f), Node::StrongRelease(end, hold)) if f == hold => Some(all.release(end, hold)),
            // f | X F f = F f.
            (_, Node::Next(later)) if *all.node(later) == Node::Finally(one) => Some(later),
            // g | (f & X(f U g)) = f U g, and the same for W.
            (_, Node::And(parts)) => parts.iter().find_map(|part| {
                let Node::Next(later) = *all.node(*part) else { return None };
                let (Node::Until(hold, end) | Node::WeakUntil(hold, end)) = *all.node(later) else {
                    return None;
                };
                let rest: Vec<Formula> = parts.iter().copied().filter(|each| each != part).collect();
                (end == one && all.and(rest) == hold).then_some(later)
            }),
            _ => None,
        }
    }
}
