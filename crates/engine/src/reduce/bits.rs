//! Sets of small numbers, as bits.

/// A set of numbers below a bound that is fixed when it is cleared. Up to 64 of them need no memory elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    first: u64,
    /// Those from 64 on.
    rest: Vec<u64>,
}

impl Bits {
    /// Empties the set and makes room for numbers below `bound`.
    #[inline]
    pub fn clear(&mut self, bound: usize) {
        self.first = 0;
        self.rest.clear();
        if bound > 64 {
            self.rest.resize(bound.div_ceil(64) - 1, 0);
        }
    }

    /// Empties the set, which keeps its bound.
    #[inline]
    pub fn empty(&mut self) {
        self.first = 0;
        // Where no bytes are filled the call would take longer than all the rest.
        if !self.rest.is_empty() {
            self.rest.fill(0);
        }
    }

    /// Whether `number` is in the set.
    #[inline]
    pub fn contains(&self, number: usize) -> bool {
        let word = if number < 64 { self.first } else { self.rest[number / 64 - 1] };
        word >> (number % 64) & 1 == 1
    }

    #[inline]
    fn word(&mut self, number: usize) -> &mut u64 {
        if number < 64 { &mut self.first } else { &mut self.rest[number / 64 - 1] }
    }

    /// Adds a number.
    #[inline]
    pub fn insert(&mut self, number: usize) {
        *self.word(number) |= 1 << (number % 64);
    }

    /// Takes a number out.
    #[inline]
    pub fn remove(&mut self, number: usize) {
        *self.word(number) &= !(1 << (number % 64));
    }

    /// Adds `count` numbers from `first` on.
    #[inline]
    pub fn insert_range(&mut self, first: usize, count: usize) {
        (first..first + count).for_each(|number| self.insert(number));
    }

    /// Adds those of the numbers from `first` on whose bits are set.
    #[inline]
    pub fn insert_from(&mut self, first: usize, bits: u64) {
        if first < 64 {
            self.first |= bits << first;
        }
        if !self.rest.is_empty() {
            numbers(bits).for_each(|bit| self.insert(first + bit));
        }
    }

    /// The words of the set, of which there is at least one.
    #[inline]
    pub fn words(&self) -> impl Iterator<Item = u64> + '_ {
        std::iter::once(self.first).chain(self.rest.iter().copied())
    }

    /// Makes this the set with these words.
    #[inline]
    pub fn copy_words(&mut self, words: &[u64]) {
        let (first, rest) = words.split_first().unwrap_or((&0, &[]));
        self.first = *first;
        self.rest.clear();
        if !rest.is_empty() {
            self.rest.extend_from_slice(rest);
        }
    }

    /// Adds all of the set with these words.
    #[inline]
    pub fn unite_words(&mut self, words: &[u64]) {
        let (first, rest) = words.split_first().unwrap_or((&0, &[]));
        self.first |= first;
        self.rest.iter_mut().zip(rest).for_each(|(a, b)| *a |= b);
    }

    /// Adds all of `other`.
    #[inline]
    pub fn unite(&mut self, other: &Bits) {
        self.first |= other.first;
        self.rest.iter_mut().zip(&other.rest).for_each(|(a, b)| *a |= b);
    }

    /// Whether all of this set is in `other`.
    pub fn is_within(&self, other: &Bits) -> bool {
        self.words().zip(other.words()).all(|(a, b)| a & !b == 0)
    }

    /// How many of this set are in `other`.
    pub fn common(&self, other: &Bits) -> usize {
        self.words().zip(other.words()).map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    /// How many of this set are in `other` and not in `without`.
    #[inline]
    pub fn common_without(&self, other: &Bits, without: &Bits) -> usize {
        let words = self.words().zip(other.words()).zip(without.words());
        words.map(|((a, b), c)| (a & b & !c).count_ones() as usize).sum()
    }

    /// How many numbers are in the set.
    #[inline]
    pub fn count(&self) -> usize {
        self.words().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether both sets have a number in common.
    pub fn meets(&self, other: &Bits) -> bool {
        self.words().zip(other.words()).any(|(a, b)| a & b != 0)
    }

    /// Appends the numbers that are not in `other`, ascending.
    #[inline]
    pub fn list_without(&self, other: &Bits, out: &mut Vec<usize>) {
        for (index, (a, b)) in self.words().zip(other.words()).enumerate() {
            let mut left = a & !b;
            while left != 0 {
                out.push(index * 64 + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }

    /// The numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words().enumerate().flat_map(|(index, word)| numbers(word).map(move |bit| index * 64 + bit))
    }
}

/// The numbers of the bits that are set, ascending.
fn numbers(mut left: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
        left &= left - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_on_both_sides_of_a_word_are_inserted_and_listed() {
        for bound in [64, 200] {
            let (mut bits, mut without, mut listed) = (Bits::default(), Bits::default(), Vec::new());
            bits.clear(bound);
            without.clear(bound);
            bits.insert_from(60, if bound == 64 { 0b1011 } else { 0b1_0110_1011 });
            without.insert(61);
            bits.list_without(&without, &mut listed);
            let words: Vec<u64> = bits.words().collect();
            let mut copied = Bits::default();
            copied.copy_words(&words);
            assert_eq!(copied, bits);
            copied.clear(bound);
            copied.unite_words(&words);
            assert_eq!(copied, bits);
            assert_eq!(listed, if bound == 64 { vec![60, 63] } else { vec![60, 63, 65, 66, 68] });
        }
    }
}
