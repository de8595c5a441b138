//! Infinite words that repeat, and whether a formula holds of one: the semantics, word by word.
//!
//! This is what everything else in this crate is tested against, so it is as plain as it can be: the value
//! of every part of the formula at every position, by the definitions.

use crate::formula::{Atom, Formula, Formulas, Node};
use std::collections::HashMap;

/// An infinite word: its letters, the last of which is followed by the one at `again`.
///
/// A letter is a set of atoms, by their indices; only the first 64 atoms can occur.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    letters: Vec<u64>,
    again: usize,
}

impl Lasso {
    /// A word that begins with `prefix` and then repeats `cycle` for ever. None if the cycle is empty.
    pub fn new(prefix: &[u64], cycle: &[u64]) -> Option<Lasso> {
        (!cycle.is_empty()).then(|| Lasso { letters: [prefix, cycle].concat(), again: prefix.len() })
    }

    /// How many positions there are before the word repeats.
    pub fn positions(&self) -> usize {
        self.letters.len()
    }

    /// The position after this one.
    pub fn following(&self, position: usize) -> usize {
        if position + 1 == self.letters.len() { self.again } else { position + 1 }
    }

    /// Whether an atom is in the letter at a position.
    pub fn has(&self, position: usize, atom: Atom) -> bool {
        self.has_index(position, atom.index())
    }

    /// Whether the atom with this index is in the letter at a position.
    pub fn has_index(&self, position: usize, index: usize) -> bool {
        index < 64 && self.letters[position] >> index & 1 == 1
    }
}

/// Whether the formula holds of the word.
pub fn holds(formulas: &Formulas, formula: Formula, word: &Lasso) -> bool {
    let mut values: HashMap<Formula, Vec<bool>> = HashMap::new();
    for part in formulas.parts(formula) {
        let value = {
            let of = |one: &Formula| values[one].as_slice();
            let each =
                |value: &dyn Fn(usize) -> bool| (0..word.positions()).map(value).collect::<Vec<bool>>();
            match formulas.node(part) {
                Node::True => each(&|_| true),
                Node::False => each(&|_| false),
                Node::Atom(atom) => each(&|i| word.has(i, *atom)),
                Node::Not(one) => each(&|i| !of(one)[i]),
                Node::And(all) => each(&|i| all.iter().all(|one| of(one)[i])),
                Node::Or(all) => each(&|i| all.iter().any(|one| of(one)[i])),
                Node::Implies(left, right) => each(&|i| !of(left)[i] || of(right)[i]),
                Node::Iff(left, right) => each(&|i| of(left)[i] == of(right)[i]),
                Node::Next(one) => each(&|i| of(one)[word.following(i)]),
                Node::Finally(one) => unroll(word, false, &|i, later| of(one)[i] || later),
                Node::Globally(one) => unroll(word, true, &|i, later| of(one)[i] && later),
                Node::Until(left, right) => {
                    unroll(word, false, &|i, later| of(right)[i] || (of(left)[i] && later))
                }
                Node::WeakUntil(left, right) => {
                    unroll(word, true, &|i, later| of(right)[i] || (of(left)[i] && later))
                }
                Node::Release(left, right) => {
                    unroll(word, true, &|i, later| of(right)[i] && (of(left)[i] || later))
                }
                Node::StrongRelease(left, right) => {
                    unroll(word, false, &|i, later| of(right)[i] && (of(left)[i] || later))
                }
            }
        };
        values.insert(part, value);
    }
    values[&formula][0]
}

/// The least (from `start` false) or greatest (true) solution of `value(i) = step(i, value(i + 1))`.
fn unroll(word: &Lasso, start: bool, step: &dyn Fn(usize, bool) -> bool) -> Vec<bool> {
    let mut values = vec![start; word.positions()];
    // The second time around, the value after the last position is right.
    for _ in 0..2 {
        for position in (0..word.positions()).rev() {
            values[position] = step(position, values[word.following(position)]);
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;

    #[test]
    fn the_definitions_hold() {
        let mut formulas = Formulas::new();
        let (p, q) = (1, 2);
        formulas.atom("p");
        formulas.atom("q");
        let word = Lasso::new(&[p, p, q], &[0, p | q]).unwrap();
        for (text, expected) in [
            ("p U q", true),
            ("q R p", false),
            ("q M p", false),
            ("p W q", true),
            ("p W false", false),
            ("G F (p & q)", true),
            ("F G q", false),
            ("X X X (!p & X (p & q))", true),
            ("X X X (q R !q)", false),
            ("X X X (p R !q)", false),
            ("F p <-> !G !p", true),
            ("p xor q", true),
        ] {
            let formula = parse(&mut formulas, text).unwrap();
            assert_eq!(holds(&formulas, formula, &word), expected, "{text}");
        }
        assert_eq!(Lasso::new(&[p], &[]), None);
    }
}
