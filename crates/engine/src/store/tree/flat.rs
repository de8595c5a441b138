//! A short way for states that are not long and whose leaves are all parts of the root, as most are once they are arranged: the root of a successor follows from that of the state
//! before, with the leaves that changed looked up.
//!
//! Everything is of a fixed size here, so that it stays in registers and nothing is checked twice.

use super::shape::Above;
use super::values::{Change, Values};
use crate::store::compare;

/// The longest states, in times 64 bytes; the most words, and the most leaves.
const BLOCKS: usize = 4;
const WORDS: usize = 64;
const LEAVES: usize = 8;

/// Bytes of a state, as bits.
type Bytes = [u64; BLOCKS];

/// A word of a state.
#[derive(Copy, Clone, Debug, Default)]
struct Word {
    /// Its bytes.
    bytes: Bytes,
    /// Where the eight bytes begin that are read, how far it lies to the left there, and which bits are its own.
    read: u32,
    shift: u32,
    own: u64,
    /// The leaf that it is of, and which of the leaf's words that is.
    leaf: u32,
    place: u32,
}

/// A leaf.
#[derive(Copy, Clone, Debug, Default)]
struct Leaf {
    bytes: Bytes,
    /// How many words it has.
    words: u32,
    /// Where its number stands in the root, and the bits that it may have.
    shift: u32,
    bits: u32,
}

/// A word of a state as it is given: where it begins, how many bytes it has, where the eight bytes begin that are read.
#[derive(Copy, Clone, Debug)]
pub struct Given {
    pub start: u32,
    pub length: u32,
    pub read: u32,
}

/// How states of one length are cut, if that is so simple.
#[derive(Clone, Debug)]
pub struct Flat {
    length: usize,
    /// The word that each byte is of.
    of_bytes: [u8; 64 * BLOCKS],
    words: [Word; WORDS],
    leaves: [Leaf; LEAVES],
}

impl Flat {
    /// For states of so many bytes with these leaves, each as its words and what is above it. `None`: they are too long, have too many words or leaves, or a node is above a leaf.
    pub fn new<'w>(
        length: usize,
        leaves: impl ExactSizeIterator<Item = (&'w [Given], Above)>,
    ) -> Option<Box<Flat>> {
        if !(8..=64 * BLOCKS).contains(&length) || leaves.len() > LEAVES {
            return None;
        }
        let mut flat = Box::new(Flat {
            length,
            of_bytes: [0; 64 * BLOCKS],
            words: [Word::default(); WORDS],
            leaves: [Leaf::default(); LEAVES],
        });
        let mut number = 0;
        for (index, (words, above)) in leaves.enumerate() {
            let Above::Root { shift, bits } = above else { return None };
            flat.leaves[index] = Leaf { words: words.len() as u32, shift, bits, ..Leaf::default() };
            for (place, given) in (0..).zip(words) {
                let word = flat.words.get_mut(number)?;
                let Given { start, length, read } = *given;
                let own = u64::MAX.checked_shr(64 - 8 * length).unwrap_or(0);
                *word = Word {
                    read,
                    shift: 8 * (start - read),
                    own,
                    leaf: index as u32,
                    place,
                    ..Word::default()
                };
                for byte in start as usize..(start + length) as usize {
                    word.bytes[byte / 64] |= 1 << (byte % 64);
                    flat.leaves[index].bytes[byte / 64] |= 1 << (byte % 64);
                    flat.of_bytes[byte] = number as u8;
                }
                number += 1;
            }
        }
        Some(flat)
    }

    /// The numbers of the parts of the root of `state`, by those of another state, and bits that are set if one is too large. `look_up` finds the number of a leaf that was `before` until this
    /// change, where that is not remembered. `None`: there is no room.
    #[inline(always)]
    pub fn root(
        &self,
        state: &[u8],
        other: &[u8],
        joined: u64,
        values: &mut Values,
        look_up: impl FnMut(&mut Values, usize, u32, Change) -> Option<u32>,
    ) -> Option<(u64, u32)> {
        match self.length.div_ceil(64) {
            1 => self.root_of::<1>(state, other, joined, values, look_up),
            2 => self.root_of::<2>(state, other, joined, values, look_up),
            3 => self.root_of::<3>(state, other, joined, values, look_up),
            _ => self.root_of::<BLOCKS>(state, other, joined, values, look_up),
        }
    }

    #[inline(never)]
    fn root_of<const N: usize>(
        &self,
        state: &[u8],
        other: &[u8],
        mut joined: u64,
        values: &mut Values,
        mut look_up: impl FnMut(&mut Values, usize, u32, Change) -> Option<u32>,
    ) -> Option<(u64, u32)> {
        let mut differing = [0; N];
        compare::differing_blocks(state, other, &mut differing);
        let mut too_large = 0;
        while !is_empty(&differing) {
            let mut word = self.first(&differing);
            let number = word.leaf as usize % LEAVES;
            let leaf = &self.leaves[number];
            let mut left = [0; N];
            for block in 0..N {
                left[block] = differing[block] & leaf.bytes[block];
                differing[block] ^= left[block];
            }
            let mut change = Change::default();
            loop {
                change.add(word.place, word.of(state));
                (0..N).for_each(|block| left[block] &= !word.bytes[block]);
                if is_empty(&left) {
                    break;
                }
                word = self.first(&left);
            }
            let field = !(u64::MAX << leaf.bits);
            let before = (joined >> leaf.shift & field) as u32;
            let after = match values.remembered(before, &change, leaf.words) {
                Some(after) => after,
                None => look_up(values, number, before, change)?,
            };
            too_large |= after >> leaf.bits;
            joined = joined & !(field << leaf.shift) | u64::from(after) << leaf.shift;
        }
        Some((joined, too_large))
    }

    /// The word of the first of some bytes.
    #[inline(always)]
    fn first<const N: usize>(&self, bytes: &[u64; N]) -> &Word {
        let mut at = 64 * (N - 1) as u32 + bytes[N - 1].trailing_zeros();
        for block in (0..N - 1).rev() {
            let first = 64 * block as u32 + bytes[block].trailing_zeros();
            at = if bytes[block] != 0 { first } else { at };
        }
        &self.words[usize::from(self.of_bytes[at as usize % (64 * BLOCKS)]) % WORDS]
    }
}

impl Word {
    #[inline(always)]
    fn of(&self, state: &[u8]) -> u64 {
        let eight = state.get(self.read as usize..).and_then(|bytes| bytes.first_chunk());
        eight.map_or(0, |eight| u64::from_le_bytes(*eight)) >> self.shift & self.own
    }
}

#[inline(always)]
fn is_empty<const N: usize>(bytes: &[u64; N]) -> bool {
    bytes.iter().fold(0, |all, bits| all | bits) == 0
}
