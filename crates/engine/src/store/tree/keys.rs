//! Keys in the order of their insertion, each in as few bits as the keys around it need.
//!
//! A key has three parts. A chunk knows how many bits each part takes in it; a key that does not fit
//! has the chunk written anew, wider. The numbers that trees are made of start small and grow slowly, so
//! this happens a few dozen times in a run, and most chunks are narrow.

use super::table::Column;
use crate::store::budget::Budget;
use crate::store::fold;
use std::hash::{Hash, Hasher};

/// log2 of the keys in a chunk.
const SHIFT: u32 = 10;
const PER_CHUNK: usize = 1 << SHIFT;
/// A key is read as eight bytes, so the last one of a chunk needs some more behind it.
const SLACK: usize = 8;

/// Two numbers, and which shape they belong to. All parts together have at most 64 significant bits
/// ([`Key::fits`]).
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
        let word = u64::from(self.left) << 32 | u64::from(self.right);
        word ^ u64::from(self.shape).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Whether the key can be stored beside any other that can: eight bits for the shape are left
    /// out of inner nodes and leaves, and the numbers of nodes have 28 bits.
    pub fn fits(self) -> bool {
        self.shape == 0 || (self.left | self.right) >> 28 == 0
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.word());
    }
}

/// How many bits each part takes.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
struct Widths {
    left: u8,
    right: u8,
    shape: u8,
}

impl Widths {
    fn of(key: Key) -> Widths {
        let bits = |word: u32| (u32::BITS - word.leading_zeros()) as u8;
        Widths { left: bits(key.left), right: bits(key.right), shape: bits(key.shape.into()) }
    }

    fn max(self, other: Widths) -> Widths {
        Widths {
            left: self.left.max(other.left),
            right: self.right.max(other.right),
            shape: self.shape.max(other.shape),
        }
    }

    /// From one key to the next. Up to 57 bits can be read as eight bytes, wherever they begin; more
    /// than that begin at a byte.
    fn stride(self) -> usize {
        match usize::from(self.left + self.right + self.shape) {
            narrow @ ..=57 => narrow.max(1),
            _ => 64,
        }
    }
}

#[derive(Debug)]
struct Chunk {
    widths: Widths,
    /// Bits from one key to the next.
    stride: u8,
    data: Box<[u8]>,
}

impl Chunk {
    fn new(widths: Widths) -> Chunk {
        let data = vec![0; Chunk::size(widths)].into_boxed_slice();
        Chunk { widths, stride: widths.stride() as u8, data }
    }

    fn size(widths: Widths) -> usize {
        widths.stride() * PER_CHUNK / 8 + SLACK
    }

    /// The eight bytes in which a key is, and the bit where it begins there.
    #[inline]
    fn place(&self, index: usize) -> (usize, usize) {
        let bit = index * usize::from(self.stride);
        (bit / 8, bit % 8)
    }

    #[inline]
    fn get(&self, index: usize) -> Key {
        let (byte, bit) = self.place(index);
        let word = self.data[byte..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes)) >> bit;
        let Widths { left, right, shape } = self.widths;
        let part = |from: u8, bits: u8| (word >> (from & 63)) & !(u64::MAX << bits);
        Key {
            left: part(0, left) as u32,
            right: part(left, right) as u32,
            // The shape has no bits where the other two fill the word.
            shape: part(left + right, shape) as u8,
        }
    }

    /// Writes a key where none was written before.
    fn set(&mut self, index: usize, key: Key) {
        let (byte, bit) = self.place(index);
        let Widths { left, right, shape } = self.widths;
        let mut word = u64::from(key.left) | u64::from(key.right) << left;
        if shape > 0 {
            word |= u64::from(key.shape) << (left + right);
        }
        if let Some(bytes) = self.data[byte..].first_chunk_mut::<8>() {
            *bytes = (u64::from_le_bytes(*bytes) | word << bit).to_le_bytes();
        }
    }
}

/// The keys.
#[derive(Debug, Default)]
pub struct Keys {
    chunks: Vec<Chunk>,
    len: u32,
}

impl Keys {
    /// The key with this number.
    #[inline]
    pub fn get(&self, number: u32) -> Key {
        self.chunks[(number >> SHIFT) as usize].get(number as usize % PER_CHUNK)
    }
}

impl Column for Keys {
    type Key = Key;
    /// Only roots have a shape, and no two other keys have the same word.
    const NAMES_ARE_EXACT: bool = true;

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
        fold(key.word() ^ 0x2d35_8dcc_aa6c_78a5, 0x8bb8_4b93_962e_acc9)
    }

    #[inline]
    fn hash_at(&self, number: u32) -> u64 {
        Keys::hash(&self.get(number))
    }

    #[inline]
    fn name(key: &Key, _hash: u64) -> u64 {
        key.word()
    }

    #[inline]
    fn prefetch(&self, number: u32) {
        let chunk = &self.chunks[(number >> SHIFT) as usize];
        let (byte, _) = chunk.place(number as usize % PER_CHUNK);
        crate::store::exact::prefetch(&raw const chunk.data[byte]);
    }

    #[inline]
    fn push(&mut self, key: &Key, budget: &mut Budget) -> Option<u32> {
        if !key.fits() {
            return None;
        }
        let index = self.len as usize % PER_CHUNK;
        let needed = Widths::of(*key);
        if index == 0 {
            let widths = self.chunks.last().map_or(needed, |last| last.widths.max(needed));
            if !budget.take(Chunk::size(widths)) {
                return None;
            }
            self.chunks.push(Chunk::new(widths));
        }
        let chunk = self.chunks.last_mut()?;
        if needed.max(chunk.widths) != chunk.widths {
            let mut wider = Chunk::new(needed.max(chunk.widths));
            if !budget.exchange(chunk.data.len(), wider.data.len()) {
                return None;
            }
            (0..index).for_each(|i| wider.set(i, chunk.get(i)));
            *chunk = wider;
        }
        chunk.set(index, *key);
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
            assert!(key(i).fits());
            assert_eq!(keys.push(&key(i), &mut budget), Some(i));
        }
        assert!((0..keys.count()).all(|i| keys.get(i) == key(i)));
        assert_eq!(budget.used(), keys.chunks.iter().map(|c| c.data.len() as u64).sum::<u64>());
    }

    #[test]
    fn two_whole_words_are_a_key() {
        let mut keys = Keys::default();
        let mut budget = Budget::new(None);
        let key = Key { left: u32::MAX, right: u32::MAX - 1, shape: 0 };
        assert_eq!(keys.push(&key, &mut budget), Some(0));
        assert_eq!(keys.get(0), key);
    }

    #[test]
    fn a_full_budget_leaves_the_keys_as_they_are() {
        let mut keys = Keys::default();
        let mut budget = Budget::new(Some(1000));
        assert_eq!(keys.push(&Key { left: 1, right: 1, shape: 0 }, &mut budget), Some(0));
        assert_eq!(keys.push(&Key { left: 1 << 20, right: 1, shape: 0 }, &mut budget), None);
        assert_eq!((keys.count(), keys.get(0).left), (1, 1));
    }
}
