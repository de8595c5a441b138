//! Random formulas and words, from a seed: for tests, here and elsewhere.

use crate::formula::{Formula, Formulas};
use crate::lasso::Lasso;

/// A sequence of random numbers (SplitMix64; Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number below `bound`; 0 if that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        mixed.checked_rem(bound as u64).unwrap_or(0) as usize
    }

    /// A formula with about `size` operators over `atoms`, all operators equally likely.
    pub fn formula(&mut self, formulas: &mut Formulas, atoms: &[Formula], size: usize) -> Formula {
        if size == 0 || atoms.is_empty() {
            return match (self.below(12), atoms) {
                (0, _) | (_, []) => formulas.constant(true),
                (_, atoms) => atoms[self.below(atoms.len())],
            };
        }
        let unary = self.below(12);
        if unary < 4 {
            let operand = self.formula(formulas, atoms, size - 1);
            return match unary {
                0 => formulas.not(operand),
                1 => formulas.next(operand),
                2 => formulas.finally(operand),
                _ => formulas.globally(operand),
            };
        }
        let share = self.below(size);
        let left = self.formula(formulas, atoms, share);
        let right = self.formula(formulas, atoms, size - 1 - share);
        match unary {
            4 => formulas.and([left, right]),
            5 => formulas.or([left, right]),
            6 => formulas.implies(left, right),
            7 => formulas.iff(left, right),
            8 => formulas.until(left, right),
            9 => formulas.release(left, right),
            10 => formulas.weak_until(left, right),
            _ => formulas.strong_release(left, right),
        }
    }

    /// A word of up to `longest` letters before it repeats and up to as many that repeat, over the first
    /// `atoms` atoms.
    pub fn word(&mut self, atoms: usize, longest: usize) -> Lasso {
        let (prefix, cycle) = (self.below(longest + 1), 1 + self.below(longest.max(1)));
        let letters: Vec<u64> = (0..prefix + cycle).map(|_| self.below(1 << atoms.min(20)) as u64).collect();
        let (prefix, cycle) = letters.split_at(prefix);
        Lasso::new(prefix, cycle).unwrap_or_else(|| unreachable!("a cycle has at least one letter"))
    }
}
