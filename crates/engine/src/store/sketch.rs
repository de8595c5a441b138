//! How many different states there were, without keeping them (HyperLogLog; Flajolet and others 2007).
//!
//! A register keeps the longest row of zeroes that began the hash of a state that fell to it. With 2^14
//! registers the estimate is off by 0.8 % (standard error). The sketch of a union is the greater of each pair of
//! registers, so searches can be added up that saw partly the same states.

const BITS: u32 = 14;
const REGISTERS: usize = 1 << BITS;

/// An estimate of the number of different states added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch {
    registers: Box<[u8]>,
}

impl Default for Sketch {
    fn default() -> Sketch {
        Sketch { registers: vec![0; REGISTERS].into_boxed_slice() }
    }
}

impl Sketch {
    /// Adds a state by its hash.
    #[inline]
    pub fn add(&mut self, hash: u64) {
        // Stores place states by the same hash, some of which depend on its first bits; so it is mixed.
        let hash = super::fold(hash, 0xd6e8_feb8_6659_fd93);
        let register = (hash >> (64 - BITS)) as usize;
        let rank = ((hash << BITS) | 1 << (BITS - 1)).leading_zeros() as u8 + 1;
        let kept = &mut self.registers[register];
        *kept = (*kept).max(rank);
    }

    /// Adds everything that was added to `other`.
    pub fn merge(&mut self, other: &Sketch) {
        for (own, others) in self.registers.iter_mut().zip(&*other.registers) {
            *own = (*own).max(*others);
        }
    }

    /// How many different states were added, about.
    pub fn estimate(&self) -> f64 {
        let count = REGISTERS as f64;
        let sum: f64 = self.registers.iter().map(|rank| 2f64.powi(-i32::from(*rank))).sum();
        let raw = 0.7213 / (1.0 + 1.079 / count) * count * count / sum;
        let empty = self.registers.iter().filter(|rank| **rank == 0).count();
        if raw <= 2.5 * count && empty > 0 { count * (count / empty as f64).ln() } else { raw }
    }

    /// The registers.
    pub fn registers(&self) -> &[u8] {
        &self.registers
    }

    /// A sketch with these registers; `None` if their number is wrong.
    pub fn from_registers(registers: &[u8]) -> Option<Sketch> {
        (registers.len() == REGISTERS).then(|| Sketch { registers: registers.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::hash;

    #[test]
    fn counts_different_states_within_a_few_percent() {
        for count in [1u64, 100, 5_000, 40_000, 300_000, 2_000_000] {
            let mut sketch = Sketch::default();
            (0..count).chain(0..count / 2).for_each(|i| sketch.add(hash(&i.to_le_bytes())));
            let estimate = sketch.estimate();
            assert!((estimate / count as f64 - 1.0).abs() < 0.03, "{estimate} for {count}");
        }
    }

    #[test]
    fn a_union_counts_what_is_in_both_once() {
        let of = |range: std::ops::Range<u64>| {
            let mut sketch = Sketch::default();
            range.for_each(|i| sketch.add(hash(&i.to_le_bytes())));
            sketch
        };
        let mut union = of(0..60_000);
        union.merge(&of(30_000..90_000));
        assert_eq!(union, of(0..90_000));
    }
}
