//! Whether a language can tell words apart that differ only in how often letters are repeated.
//!
//! Michaud and Duret-Lutz, *Practical stutter-invariance checks for ω-regular languages* (SPIN 2015). A language
//! is stutter-invariant if repeating letters leads neither into it nor out of it. So: no word of the language with
//! letters repeated is in the complement, and no word of the complement with letters repeated is in the
//! language. Both are questions of emptiness. Reductions that leave out steps which change no atom are
//! right only for such properties.

use crate::automaton::{Automaton, MOST_SETS, Marks};
use crate::component::{Graph, accepting_cycle};
use crate::formula::{Formula, Formulas};
use crate::normal;
use crate::reduce::complement;
use crate::reduce::letters::Classes;
use crate::translate::translate;
use std::collections::HashMap;

/// More classes of letters than this are not treated.
const MOST_CLASSES: usize = 4096;

/// More nodes of a product than this are not treated.
const MOST_NODES: usize = 1_000_000;

/// More states of a complement than this are not made.
const MOST_STATES: usize = 5_000;

/// Whether a formula is stutter-invariant; none if that would take too long to find out.
///
/// Without the next operator every formula is (Lamport 1983); with it some are.
pub fn formula_is_invariant(formulas: &mut Formulas, formula: Formula) -> Option<bool> {
    if !formulas.has_next(formula) {
        return Some(true);
    }
    let negated = normal::negate(formulas, formula);
    let plain = translate(formulas, formula).ok()?.generalised;
    let negated = translate(formulas, negated).ok()?.generalised;
    is_invariant_with(&plain, &negated)
}

/// Whether the language of an automaton is stutter-invariant; none if that would take too long.
pub fn is_invariant(automaton: &Automaton) -> Option<bool> {
    let complement = complement(automaton, MOST_STATES)?;
    is_invariant_with(automaton, &complement)
}

/// Whether the language of an automaton is stutter-invariant, given an automaton of the complement.
pub fn is_invariant_with(automaton: &Automaton, complement: &Automaton) -> Option<bool> {
    let repeated = repetition_meets(automaton, complement)?;
    Some(!repeated && !repetition_meets(complement, automaton)?)
}

/// Whether a word of the first, with letters repeated finitely often each, is a word of the second.
fn repetition_meets(first: &Automaton, second: &Automaton) -> Option<bool> {
    let sets = first.sets() + second.sets();
    if sets + 1 >= MOST_SETS {
        return None;
    }
    let classes = Classes::new(&[first, second], MOST_CLASSES)?;
    let (first_moves, second_moves) = (&classes.moves[0], &classes.moves[1]);
    // One more set: the first automaton goes on infinitely often, so that no letter is repeated for ever.
    let goes_on: Marks = 1 << sets;
    let all = first.all_marks() | second.all_marks() << first.sets() | goes_on;
    let start = (first.initial().index(), second.initial().index(), None);
    let mut numbers: HashMap<(usize, usize, Option<usize>), usize> = HashMap::from([(start, 0)]);
    let mut nodes = vec![start];
    let mut graph: Graph = Vec::new();
    while graph.len() < nodes.len() {
        if nodes.len() > MOST_NODES {
            return None;
        }
        let (left, right, repeating) = nodes[graph.len()];
        let mut steps: Vec<(usize, usize, usize, Marks)> = Vec::new();
        match repeating {
            Some(class) => {
                for (target, marks) in &second_moves[right][class] {
                    steps.push((left, *target, class, marks << first.sets()));
                }
            }
            None => {
                for class in 0..classes.count {
                    for (left_target, left_marks) in &first_moves[left][class] {
                        for (right_target, right_marks) in &second_moves[right][class] {
                            let marks = left_marks | right_marks << first.sets() | goes_on;
                            steps.push((*left_target, *right_target, class, marks));
                        }
                    }
                }
            }
        }
        let mut out = Vec::new();
        for (left, right, class, marks) in steps {
            // The letter may be repeated next, or not.
            for node in [(left, right, None), (left, right, Some(class))] {
                let number = *numbers.entry(node).or_insert_with(|| {
                    nodes.push(node);
                    nodes.len() - 1
                });
                out.push((number, marks));
            }
        }
        graph.push(out);
    }
    Some(accepting_cycle(&graph, 0, all))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;
    use crate::random::Random;

    #[test]
    fn next_matters_only_sometimes() {
        for (text, expected) in [
            ("X p", false),
            ("p U q", true),
            ("F(p & X(!p U q))", false),
            ("F(p & X !p)", true),
            ("X F p", false),
            ("X G F p", true),
            ("G(p -> X p)", true),
            ("G(p -> X !p)", false),
            ("p & X X q", false),
            ("F(p & X(!p & q))", true),
            ("X p | X !p", true),
        ] {
            let mut formulas = Formulas::new();
            let formula = parse(&mut formulas, text).unwrap();
            assert_eq!(formula_is_invariant(&mut formulas, formula), Some(expected), "{text}");
            // The same by complementing the automaton.
            let automaton = translate(&mut formulas, formula).unwrap().buchi;
            assert_eq!(is_invariant(&automaton), Some(expected), "{text}");
        }
    }

    #[test]
    fn automata_of_formulas_without_next_are_invariant() {
        let mut answered = 0;
        for seed in 0..150 {
            let mut random = Random::new(seed);
            let mut formulas = Formulas::new();
            let atoms: Vec<Formula> = ["p", "q"].iter().map(|name| formulas.atom(name)).collect();
            let formula = random.formula(&mut formulas, &atoms, 6);
            if formulas.has_next(formula) {
                continue;
            }
            let automaton = translate(&mut formulas, formula).unwrap().buchi;
            let answer = is_invariant(&automaton);
            assert_ne!(answer, Some(false), "seed {seed}");
            answered += usize::from(answer.is_some());
        }
        assert!(answered > 50, "{answered}");
    }
}
