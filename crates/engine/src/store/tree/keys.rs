//! Keys in the order of their insertion, each in as few bits as the keys around it need.
//!
//! A chunk knows which bits its keys use, and stores these alone (`squeeze`); a key that uses others
//! has the chunk written anew, wider. The numbers that trees are made of start small and grow slowly, so
//! this happens a few dozen times in a run, and most chunks are narrow.

use super::squeeze::Squeeze;
use super::table::Column;
use crate::store::budget::Budget;
use crate::store::fold;
use std::hash::{Hash, Hasher};

/// log2 of the keys in a chunk.
const SHIFT: u32 = 12;
const PER_CHUNK: usize = 1 << SHIFT;
/// A key is read as eight bytes, so the last one of a chunk needs some more behind it.
const SLACK: usize = 8;

/// The bits that a number in a key may have.
pub const NUMBER: u32 = 28;

/// Two numbers, and which shape they belong to. In a root the two are one number of 56 bits, in which those of several parts stand.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Key {
    /// The number of the left part.
    pub left: u32,
    /// The number of the right part.
    pub right: u32,
    /// The shape of the tree, in roots.
    pub shape: u8,
}

impl Key {
    /// One word for the hash. Different keys may have the same one.
    #[inline]
    pub fn word(self) -> u64 {
        self.root()
    }

    /// All of the key of a root in one word: what stands in a root is never too large for that.
    #[inline]
    pub fn root(self) -> u64 {
        Key::root_of(self.numbers(), self.shape)
    }

    /// The same, by the two numbers as one.
    #[inline]
    pub fn root_of(numbers: u64, shape: u8) -> u64 {
        numbers | u64::from(shape) << (2 * NUMBER)
    }

    /// A name for a node, which no other node has; its upper bits are mixed.
    #[inline]
    pub fn name(self) -> u64 {
        debug_assert_eq!(self.shape, 0, "only roots have a shape");
        (u64::from(self.left) << 32 | u64::from(self.right)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// All of a key in one word; `None` if a number has too many bits for that.
    #[inline]
    fn whole(self) -> Option<u64> {
        let fits = (self.left | self.right) >> NUMBER == 0;
        fits.then(|| self.root())
    }

    /// The key of which this is all.
    #[inline]
    pub fn of_whole(word: u64) -> Key {
        Key::of_numbers(word & !(u64::MAX << (2 * NUMBER)), (word >> (2 * NUMBER)) as u8)
    }

    /// The two numbers as one, of 56 bits.
    #[inline]
    pub fn numbers(self) -> u64 {
        u64::from(self.left) << NUMBER | u64::from(self.right)
    }

    /// The key with these two numbers.
    #[inline]
    pub fn of_numbers(numbers: u64, shape: u8) -> Key {
        Key { left: (numbers >> NUMBER) as u32, right: numbers as u32 & !(u32::MAX << NUMBER), shape }
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.word());
    }
}

#[derive(Debug)]
struct Chunk {
    /// Which of the squeezes is that of its keys.
    squeeze: u32,
    data: Box<[u8]>,
}

impl Chunk {
    fn size(squeeze: &Squeeze) -> usize {
        squeeze.stride() * PER_CHUNK / 8 + SLACK
    }

    fn get(&self, squeeze: &Squeeze, index: usize) -> u64 {
        let (byte, bit) = place(squeeze, index);
        let word = self.data[byte..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        squeeze.restore(word >> bit)
    }

    /// Writes a key where none was written before.
    fn set(&mut self, squeeze: &Squeeze, index: usize, key: u64) {
        let (byte, bit) = place(squeeze, index);
        if let Some(bytes) = self.data[byte..].first_chunk_mut::<8>() {
            *bytes = (u64::from_le_bytes(*bytes) | squeeze.squeeze(key) << bit).to_le_bytes();
        }
    }
}

/// The eight bytes of a chunk in which a key is, and the bit where it begins there.
#[inline]
fn place(squeeze: &Squeeze, index: usize) -> (usize, usize) {
    let bit = index * squeeze.stride();
    (bit / 8, bit % 8)
}

/// The keys.
#[derive(Debug, Default)]
pub struct Keys {
    chunks: Vec<Chunk>,
    /// The last is that of the last chunk.
    squeezes: Vec<Squeeze>,
    /// The bits that some key of the last chunk uses.
    used: u64,
    len: u32,
}

impl Keys {
    /// The key with this number.
    #[inline]
    pub fn get(&self, number: u32) -> Key {
        Key::of_whole(self.word(number))
    }

    /// All of it in one word.
    #[inline]
    pub fn word(&self, number: u32) -> u64 {
        let chunk = &self.chunks[(number >> SHIFT) as usize];
        chunk.get(&self.squeezes[chunk.squeeze as usize], number as usize % PER_CHUNK)
    }

    /// The hash of a key with this word.
    #[inline]
    pub fn hash_of(word: u64) -> u64 {
        fold(word ^ 0x2d35_8dcc_aa6c_78a5, 0x8bb8_4b93_962e_acc9)
    }

    /// Makes room in the last chunk for keys that use these bits, if the budget allows.
    #[cold]
    fn keep(&mut self, bits: u64, budget: &mut Budget) -> Option<()> {
        let index = self.len as usize % PER_CHUNK;
        let before = if index == 0 { None } else { self.chunks.last() };
        let squeeze = Squeeze::new(bits);
        let size = Chunk::size(&squeeze);
        if !budget.exchange(before.map_or(0, |chunk| chunk.data.len()), size) {
            return None;
        }
        let same = self.squeezes.last().is_some_and(|last| last.kept() == squeeze.kept());
        let number = self.squeezes.len() as u32 - u32::from(same);
        let mut chunk = Chunk { squeeze: number, data: vec![0; size].into_boxed_slice() };
        if let Some(before) = before {
            let old = &self.squeezes[before.squeeze as usize];
            (0..index).for_each(|i| chunk.set(&squeeze, i, before.get(old, i)));
            self.chunks.pop();
        }
        self.chunks.push(chunk);
        if !same {
            self.squeezes.push(squeeze);
        }
        Some(())
    }
}

impl Column for Keys {
    type Key = Key;

    #[inline]
    fn count(&self) -> u32 {
        self.len
    }

    #[inline]
    fn holds(&self, number: u32, key: &Key) -> bool {
        self.get(number) == *key
    }

    #[inline]
    fn hash(key: &Key) -> u64 {
        Keys::hash_of(key.word())
    }

    #[inline]
    fn hash_at(&self, number: u32) -> u64 {
        Keys::hash_of(self.word(number))
    }

    #[inline]
    fn prefetch(&self, number: u32) {
        let chunk = &self.chunks[(number >> SHIFT) as usize];
        let (byte, _) = place(&self.squeezes[chunk.squeeze as usize], number as usize % PER_CHUNK);
        crate::store::exact::prefetch(&raw const chunk.data[byte]);
    }

    #[inline]
    fn push(&mut self, key: &Key, budget: &mut Budget) -> Option<u32> {
        let key = key.whole()?;
        let index = self.len as usize % PER_CHUNK;
        if index == 0 {
            // Most likely the next ones use what the last ones did.
            self.keep(self.used | key, budget)?;
            self.used = 0;
        } else if let Some(squeeze) = self.squeezes.last()
            && !squeeze.keeps(key)
        {
            self.keep(squeeze.kept() | key, budget)?;
        }
        self.used |= key;
        let squeeze = self.squeezes.last()?;
        self.chunks.last_mut()?.set(squeeze, index, key);
        self.len += 1;
        Some(self.len - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_growing_width_come_back() {
        let mut keys = Keys::default();
        let mut budget = Budget::new(None);
        let key = |i: u32| match i % 3 {
            0 => Key { left: i / 7, right: i * 11, shape: 0 },
            1 => Key { left: i << 12, right: 3, shape: (i >> 9) as u8 },
            _ => Key { left: i, right: i >> 3, shape: 1 },
        };
        for i in 0..3 * PER_CHUNK as u32 {
            assert_eq!(keys.push(&key(i), &mut budget), Some(i));
        }
        assert!((0..keys.count()).all(|i| keys.get(i) == key(i)));
        assert_eq!(budget.used(), keys.chunks.iter().map(|c| c.data.len() as u64).sum::<u64>());
    }

    #[test]
    fn a_key_may_be_a_whole_word_but_no_more() {
        let mut keys = Keys::default();
        let mut budget = Budget::new(None);
        let key = Key { left: (1 << 28) - 1, right: (1 << 28) - 2, shape: 255 };
        assert_eq!(keys.push(&key, &mut budget), Some(0));
        assert_eq!((keys.get(0), Key::of_numbers(key.numbers(), 255)), (key, key));
        assert_eq!(keys.push(&Key { left: 1 << 28, right: 0, shape: 0 }, &mut budget), None);
    }

    #[test]
    fn a_full_budget_leaves_the_keys_as_they_are() {
        let mut keys = Keys::default();
        let mut budget = Budget::new(Some(PER_CHUNK as u64));
        assert_eq!(keys.push(&Key { left: 1, right: 1, shape: 0 }, &mut budget), Some(0));
        assert_eq!(keys.push(&Key { left: (1 << 20) - 1, right: 1, shape: 0 }, &mut budget), None);
        assert_eq!((keys.count(), keys.get(0).left), (1, 1));
    }
}
