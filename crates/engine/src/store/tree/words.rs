//! Values of leaves in the order of their insertion: so many words each.

use super::table::Column;
use crate::store::budget::Budget;
use crate::store::fold;

/// log2 of the values in a chunk.
const SHIFT: u32 = 6;
const PER_CHUNK: usize = 1 << SHIFT;

/// What the words of a value are mixed with: the first with this, each one with more by that.
const FIRST: u64 = 0x2d35_8dcc_aa6c_78a5;
const NEXT: u64 = 0x9e37_79b9_7f4a_7c15;

/// Values of one width.
#[derive(Debug)]
pub struct Words {
    /// The words of a value.
    width: usize,
    chunks: Vec<Box<[u64]>>,
    len: u32,
}

impl Words {
    /// No values of this width yet.
    pub fn new(width: usize) -> Words {
        Words { width, chunks: Vec::new(), len: 0 }
    }

    /// The words of a value.
    #[inline]
    pub fn get(&self, number: u32) -> &[u64] {
        let at = number as usize % PER_CHUNK * self.width;
        &self.chunks[(number >> SHIFT) as usize][at..at + self.width]
    }
}

impl Column for Words {
    type Key = [u64];

    #[inline]
    fn count(&self) -> u32 {
        self.len
    }

    #[inline]
    fn holds(&self, number: u32, key: &[u64]) -> bool {
        // Nearly always they are the same, so all are looked at.
        self.get(number).iter().zip(key).fold(0, |differing, (a, b)| differing | (a ^ b)) == 0
    }

    #[inline]
    fn hash(key: &[u64]) -> u64 {
        let (pairs, last) = key.as_chunks::<2>();
        let (mut sum, mut turn) = (0u64, FIRST);
        for [left, right] in pairs {
            sum = sum.wrapping_add(fold(left ^ turn, right ^ turn.wrapping_add(NEXT)));
            turn = turn.wrapping_add(NEXT.wrapping_mul(2));
        }
        for word in last {
            sum = sum.wrapping_add(fold(word ^ turn, turn.wrapping_add(NEXT)));
        }
        fold(sum ^ 0x4b33_a62e_d433_d4a3, 0x8bb8_4b93_962e_acc9)
    }

    #[inline]
    fn hash_at(&self, number: u32) -> u64 {
        Words::hash(self.get(number))
    }

    fn push(&mut self, key: &[u64], budget: &mut Budget) -> Option<u32> {
        let index = self.len as usize % PER_CHUNK;
        if index == 0 {
            if !budget.take(PER_CHUNK * self.width * size_of::<u64>()) {
                return None;
            }
            self.chunks.push(vec![0; PER_CHUNK * self.width].into_boxed_slice());
        }
        self.chunks.last_mut()?[index * self.width..][..self.width].copy_from_slice(key);
        self.len += 1;
        Some(self.len - 1)
    }

    #[inline]
    fn prefetch(&self, number: u32) {
        crate::store::exact::prefetch(self.get(number).as_ptr());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_and_count() {
        let mut budget = Budget::new(Some(20_000));
        let mut words = Words::new(3);
        let value = |i: u64| [i, i * i, !i];
        let fitting = (0..).take_while(|i| words.push(&value(*i), &mut budget).is_some()).count();
        assert_eq!(fitting, 20_000 / (PER_CHUNK * 24) * PER_CHUNK);
        assert!((0..fitting as u32).all(|i| words.holds(i, &value(i.into()))));
        assert!(!words.holds(1, &value(2)));
    }

    #[test]
    fn the_order_of_words_matters() {
        assert_ne!(Words::hash(&[1, 2]), Words::hash(&[2, 1]));
        assert_ne!(Words::hash(&[0, 0, 7]), Words::hash(&[0, 7, 0]));
    }
}
