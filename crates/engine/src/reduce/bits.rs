//! Sets of small numbers, as bits.

/// A set of numbers below a bound that is fixed when it is cleared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// Empties the set and makes room for numbers below `bound`.
    pub fn clear(&mut self, bound: usize) {
        self.words.clear();
        self.words.resize(bound.div_ceil(64), 0);
    }

    /// Makes this set equal to `other`.
    pub fn copy_from(&mut self, other: &Bits) {
        self.words.clear();
        self.words.extend_from_slice(&other.words);
    }

    /// Whether `number` is in the set.
    #[inline]
    pub fn contains(&self, number: usize) -> bool {
        self.words[number / 64] >> (number % 64) & 1 == 1
    }

    /// Adds a number.
    #[inline]
    pub fn insert(&mut self, number: usize) {
        self.words[number / 64] |= 1 << (number % 64);
    }

    /// Takes a number out.
    #[inline]
    pub fn remove(&mut self, number: usize) {
        self.words[number / 64] &= !(1 << (number % 64));
    }

    /// Adds `count` numbers from `first` on.
    pub fn insert_range(&mut self, first: usize, count: usize) {
        (first..first + count).for_each(|number| self.insert(number));
    }

    /// Adds all of `other`.
    pub fn unite(&mut self, other: &Bits) {
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a |= b);
    }

    /// Whether all of this set is in `other`.
    pub fn is_within(&self, other: &Bits) -> bool {
        self.words.iter().zip(&other.words).all(|(a, b)| a & !b == 0)
    }

    /// How many of this set are in `other`.
    pub fn common(&self, other: &Bits) -> usize {
        self.words.iter().zip(&other.words).map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    /// How many of this set are in `other` and not in `without`.
    pub fn common_without(&self, other: &Bits, without: &Bits) -> usize {
        let words = self.words.iter().zip(&other.words).zip(&without.words);
        words.map(|((a, b), c)| (a & b & !c).count_ones() as usize).sum()
    }

    /// How many numbers are in the set.
    pub fn count(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether both sets have a number in common.
    pub fn meets(&self, other: &Bits) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// The numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(index * 64 + bit)
            })
        })
    }
}
