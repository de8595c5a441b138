//! From formulas to Büchi automata: the construction, and every reduction that this crate has.
//!
//! A formula and its negation are translated together, because each is what the other's reductions are
//! checked with. There is no single best construction, so a few are done and the smallest result is kept:
//! two styles of the tableau, several degeneralisations, and the minimal deterministic automaton if the
//! formula is an obligation. All of them are right; the choice affects only the size.

mod tableau;
mod union;

use crate::automaton::Automaton;
use crate::formula::{Formula, Formulas, Node};
use crate::reduce::budget::Budget;
use crate::reduce::degeneralise::degeneralise;
use crate::reduce::merge::merge;
use crate::reduce::obligation::minimise;
use crate::reduce::prune::prune;
use crate::reduce::simulation::simulate;
use crate::reduce::{STEPS, measure, single_set};
use crate::{normal, simplify};
use std::fmt;
use tableau::{Style, tableau};
use union::union;

/// The automaton would have more states than the limit.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the automaton of the formula is too large")
    }
}

impl std::error::Error for TooLarge {}

/// The most states of a tableau.
const MOST_STATES: usize = 20_000;

/// A choice between more formulas than this is translated one by one.
const FEW: usize = 6;

/// The automata of a formula.
#[derive(Clone, Debug)]
pub struct Translation {
    /// Generalised, with acceptance on edges: what the formula accepts.
    pub generalised: Automaton,
    /// Büchi, with acceptance on states: the same language.
    pub buchi: Automaton,
}

/// The smallest automata of a formula that are found.
pub fn translate(formulas: &mut Formulas, formula: Formula) -> Result<Translation, TooLarge> {
    let (mut candidates, split) = tableaux(formulas, formula)?;
    // Without the negation some reductions are left out, but the result is right. That of a choice between many is too large.
    let negation = if split { None } else { negation(formulas, formula) };
    let mut deterministic = None;
    if let Some(negation) = &negation {
        let budget = &mut Budget::new(STEPS);
        deterministic = candidates.iter().find_map(|one| minimise(one, negation, budget));
        candidates = merged(candidates, negation, false);
    }
    let budget = &mut Budget::new(STEPS);
    let degeneralised =
        candidates.iter().flat_map(|one| degeneralise(one, budget).into_iter().min_by_key(measure));
    let mut buchi: Vec<Automaton> = degeneralised.chain(deterministic.clone()).collect();
    if let Some(negation) = &negation {
        buchi = merged(buchi, negation, true);
    }
    let mut buchi = buchi.into_iter().min_by_key(measure).ok_or(TooLarge)?;
    candidates.extend(deterministic);
    candidates.push(buchi.clone());
    let mut generalised = candidates.into_iter().min_by_key(measure).ok_or(TooLarge)?;
    generalised.collect();
    single_set(&mut buchi);
    buchi.collect();
    Ok(Translation { generalised, buchi })
}

/// States merged that the negation allows to merge; small automata first, so that they get their share of the work.
fn merged(mut automata: Vec<Automaton>, negation: &Automaton, state_based: bool) -> Vec<Automaton> {
    automata.sort_by_key(measure);
    let (for_mergers, for_simulation) = (&mut Budget::new(STEPS), &mut Budget::new(STEPS));
    let merge_one = |one| simulate(merge(one, negation, state_based, for_mergers), for_simulation);
    automata.into_iter().map(merge_one).collect()
}

/// The smallest tableau of a formula's negation, if it is not too large.
fn negation(formulas: &mut Formulas, formula: Formula) -> Option<Automaton> {
    let negated = normal::negate(formulas, formula);
    let (all, _) = tableaux(formulas, negated).ok()?;
    all.into_iter().min_by_key(measure)
}

/// The tableaux of a formula in both styles, pruned and reduced by simulation. A choice between many formulas gets the union of theirs, because
/// its own function would be too large; whether it is one.
fn tableaux(formulas: &mut Formulas, formula: Formula) -> Result<(Vec<Automaton>, bool), TooLarge> {
    let atoms = formulas.atoms_of(formula);
    let formula = simplify::simplify(formulas, formula);
    let parts = choices(formulas, formula);
    let mut results = Vec::new();
    let budget = &mut Budget::new(STEPS);
    for style in [Style::Products, Style::Letters] {
        let each: Result<Vec<_>, _> =
            parts.iter().map(|part| tableau(formulas, *part, &atoms, style, MOST_STATES)).collect();
        if let Ok(each) = each {
            results.push(simulate(prune(union(each)), budget));
        }
    }
    if results.is_empty() { Err(TooLarge) } else { Ok((results, parts.len() > 1)) }
}

/// What a formula offers a choice between, if that is much: formulas whose disjunction it is.
fn choices(formulas: &mut Formulas, formula: Formula) -> Vec<Formula> {
    let (parts, eventually) = match formulas.node(formula) {
        Node::Or(parts) => (parts.to_vec(), false),
        Node::Finally(inner) => match formulas.node(*inner) {
            Node::Or(parts) => (parts.to_vec(), true),
            _ => return vec![formula],
        },
        _ => return vec![formula],
    };
    let (mut temporal, present): (Vec<_>, Vec<_>) =
        parts.into_iter().partition(|part| formulas.is_temporal(*part));
    if temporal.len() <= FEW {
        return vec![formula];
    }
    if !present.is_empty() {
        temporal.push(formulas.or(present));
    }
    if eventually {
        temporal.iter_mut().for_each(|part| *part = formulas.finally(*part));
    }
    temporal
}
