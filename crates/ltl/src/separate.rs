//! The components of a formula that contribute to the dependency relation one by one.
//!
//! Peled, *All from one, one for all* (CAV 1993), section 4.1. A formula is a Boolean combination of its
//! components; so it is enough that each component can't tell equivalent sequences apart, and each needs
//! dependencies only between the operations that affect *it*. The printed table has slips; here every rule is an
//! equivalence, applied to whole results until none applies, with its dual for release, and for the weak
//! until and strong release.
//!
//! Guaranteed: words that agree on every component agree on the formula. The components are in
//! negation normal form, each once, without constants.

use crate::formula::{Formula, Formulas, Node};
use crate::normal;
use std::collections::HashSet;

/// The components of a formula.
pub fn separate(formulas: &mut Formulas, formula: Formula) -> Vec<Formula> {
    let mut waiting = vec![normal::negation_normal_form(formulas, formula)];
    let mut seen: HashSet<Formula> = waiting.iter().copied().collect();
    let mut components = Vec::new();
    while let Some(one) = waiting.pop() {
        match divide(formulas, one) {
            // Reversed, because the last is taken first.
            Some(parts) => waiting.extend(parts.into_iter().rev().filter(|part| seen.insert(*part))),
            None if matches!(formulas.node(one), Node::True | Node::False) => {}
            None => components.push(one),
        }
    }
    components
}

/// The operands of a conjunction (or disjunction), if it is one.
fn operands(formulas: &Formulas, formula: Formula, conjunction: bool) -> Option<Vec<Formula>> {
    match formulas.node(formula) {
        Node::And(all) if conjunction => Some(all.to_vec()),
        Node::Or(all) if !conjunction => Some(all.to_vec()),
        _ => None,
    }
}

/// One rule: formulas of which this one is a Boolean combination.
fn divide(formulas: &mut Formulas, formula: Formula) -> Option<Vec<Formula>> {
    let node = formulas.node(formula).clone();
    let each = |all: Vec<Formula>, formulas: &mut Formulas, make: fn(&mut Formulas, Formula) -> Formula| {
        Some(all.into_iter().map(|one| make(formulas, one)).collect())
    };
    match node {
        Node::And(all) | Node::Or(all) => Some(all.to_vec()),
        Node::Not(one) => Some(vec![one]),
        Node::Globally(inner) => {
            if let Some(all) = operands(formulas, inner, true) {
                return each(all, formulas, Formulas::globally);
            }
            let Node::Finally(inmost) = *formulas.node(inner) else { return None };
            let all = operands(formulas, inmost, false)?;
            each(all, formulas, |formulas, one| {
                let sometimes = formulas.finally(one);
                formulas.globally(sometimes)
            })
        }
        Node::Finally(inner) => {
            if let Some(all) = operands(formulas, inner, false) {
                return each(all, formulas, Formulas::finally);
            }
            let Node::Globally(inmost) = *formulas.node(inner) else { return None };
            let all = operands(formulas, inmost, true)?;
            each(all, formulas, |formulas, one| {
                let always = formulas.globally(one);
                formulas.finally(always)
            })
        }
        // (f & g) U h = f U h & g U h, and h U (f | g) = h U f | h U g.
        Node::Until(left, right) => binary(formulas, left, right, true, Formulas::until),
        Node::WeakUntil(left, right) => binary(formulas, left, right, true, Formulas::weak_until),
        // (f | g) R h = f R h | g R h, and h R (f & g) = h R f & h R g.
        Node::Release(left, right) => binary(formulas, left, right, false, Formulas::release),
        Node::StrongRelease(left, right) => binary(formulas, left, right, false, Formulas::strong_release),
        _ => None,
    }
}

fn binary(
    formulas: &mut Formulas,
    left: Formula,
    right: Formula,
    left_conjunction: bool,
    make: fn(&mut Formulas, Formula, Formula) -> Formula,
) -> Option<Vec<Formula>> {
    if let Some(all) = operands(formulas, left, left_conjunction) {
        return Some(all.into_iter().map(|one| make(formulas, one, right)).collect());
    }
    let all = operands(formulas, right, !left_conjunction)?;
    Some(all.into_iter().map(|one| make(formulas, left, one)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lasso;
    use crate::parse::parse;
    use crate::print::{Spelling, print};
    use crate::random::Random;
    use std::collections::HashMap;

    #[test]
    fn each_rule_divides_as_it_should() {
        for (text, expected) in [
            ("p && (q || !r)", &["p", "q", "r"] as &[&str]),
            ("[](p && q)", &["G p", "G q"]),
            ("[]<>(p || q)", &["G F p", "G F q"]),
            ("<>(p || q)", &["F p", "F q"]),
            ("<>[](p && q)", &["F G p", "F G q"]),
            ("(p && q) U r", &["p U r", "q U r"]),
            ("p U (q || r)", &["p U q", "p U r"]),
            // On whole results, and through negations.
            ("!<>(p || []<>(q && r))", &["G !p", "G F G(!q | !r)"]),
            ("[](p && <>(q || r))", &["G p", "G F q", "G F r"]),
            ("(p && q) U (r || s)", &["p U r", "p U s", "q U r", "q U s"]),
            ("!(p U (q || r))", &["!p R !q", "!p R !r"]),
            // What must not be divided.
            ("[](p || q)", &["G(p | q)"]),
            ("<>(p && q)", &["F(p & q)"]),
            ("[]<>(p && q)", &["G F(p & q)"]),
            ("(p || q) U r", &["(p | q) U r"]),
            ("true || p", &[]),
        ] {
            let mut formulas = Formulas::new();
            for name in ["p", "q", "r", "s"] {
                formulas.atom(name);
            }
            let formula = parse(&mut formulas, text).unwrap();
            let components = separate(&mut formulas, formula);
            let printed: Vec<String> =
                components.iter().map(|one| print(&formulas, *one, Spelling::Spot)).collect();
            assert_eq!(printed, expected, "{text}");
        }
    }

    #[test]
    fn words_that_agree_on_the_components_agree_on_the_formula() {
        let mut divided = 0;
        for seed in 0..600 {
            let mut random = Random::new(seed);
            let mut formulas = Formulas::new();
            let atoms: Vec<Formula> = ["p", "q", "r"].iter().map(|name| formulas.atom(name)).collect();
            let formula = random.formula(&mut formulas, &atoms, 8);
            let components = separate(&mut formulas, formula);
            divided += usize::from(components.len() > 1);
            let mut seen: HashMap<Vec<bool>, bool> = HashMap::new();
            for _ in 0..60 {
                let word = random.word(3, 4);
                let values = components.iter().map(|one| lasso::holds(&formulas, *one, &word)).collect();
                let value = lasso::holds(&formulas, formula, &word);
                let known = *seen.entry(values).or_insert(value);
                assert_eq!(known, value, "{} of {word:?}", print(&formulas, formula, Spelling::Spot));
            }
        }
        assert!(divided > 200);
    }
}
