//! From formulas to Büchi automata: the construction, and every reduction that this crate has.
//!
//! A formula and its negation are translated together, because each is what the other's reductions are
//! checked with. There is no single best construction, so a few are done and the smallest result is kept:
//! two styles of the tableau, several degeneralisations, and the minimal deterministic automaton if the
//! formula is an obligation. All of them are right; the choice affects only the size.

mod tableau;

use crate::automaton::Automaton;
use crate::formula::{Formula, Formulas};
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

/// The automata of a formula and of its negation.
#[derive(Clone, Debug)]
pub struct Translation {
    /// Generalised, with acceptance on edges: what the formula accepts.
    pub generalised: Automaton,
    /// Büchi, with acceptance on states: the same language.
    pub buchi: Automaton,
}

/// The smallest automata of a formula that are found.
pub fn translate(formulas: &mut Formulas, formula: Formula) -> Result<Translation, TooLarge> {
    let negated = normal::negate(formulas, formula);
    let tableaux = tableaux(formulas, formula)?;
    // Without the negation some reductions are left out, but the result is right.
    let negation = self::tableaux(formulas, negated).ok().and_then(|all| all.into_iter().min_by_key(measure));
    let mut candidates = tableaux;
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

/// The tableaux of a formula in both styles, pruned and reduced by simulation.
fn tableaux(formulas: &mut Formulas, formula: Formula) -> Result<Vec<Automaton>, TooLarge> {
    let atoms = formulas.atoms_of(formula);
    let formula = simplify::simplify(formulas, formula);
    let mut results = Vec::new();
    let budget = &mut Budget::new(STEPS);
    for style in [Style::Products, Style::Letters] {
        if let Ok(automaton) = tableau(formulas, formula, &atoms, style, MOST_STATES) {
            results.push(simulate(prune(automaton), budget));
        }
    }
    if results.is_empty() { Err(TooLarge) } else { Ok(results) }
}
