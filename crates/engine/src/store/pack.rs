//! States without their zero bytes.
//!
//! Most bytes of a state are zero: the unused slots of channels, variables that were not set yet, locations where nobody has
//! been. A packed state is a mask of eight bits for each eight bytes, which says which of them are not zero, and then those. Equal states have equal
//! codes and different ones different codes, so codes are hashed, compared and stored in place of states. That saves memory, and
//! time too: less of it is touched for the first time, fetched, and compared.
//!
//! Where states have several lengths, the length comes first, seven bits a byte.
//!
//! With AVX-512 (VBMI2) 64 bytes are packed at once; the same code comes out eight by eight where the processor has none. Codes are
//! hashed 64 bytes at a time as well, or by products of words: two different hashes, none of which leaves the process.

mod groups;
mod vector;

use super::fold;
use groups::Moving;
use mazurka_model::Batch;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// States of one size that are not longer than this are stored as they are: there is little to save.
const SHORT: usize = 32;
/// Bytes of a group, for which there is one byte of mask.
const GROUP: usize = 8;

/// How the states of a system are packed.
#[derive(Copy, Clone, Debug)]
pub struct Packing {
    /// The size of every state, if they have one.
    size: Option<usize>,
    /// Whether the processor can do it 64 bytes at a time.
    vector: bool,
    /// How it does it eight by eight.
    moving: Moving,
}

impl Packing {
    /// How states of this size, or of several, are packed; `None` if that is not worth it.
    pub fn new(size: Option<usize>) -> Option<Packing> {
        let worth = size.is_none_or(|size| size > SHORT);
        worth.then(|| Packing { size, ..Packing::of_any_size() })
    }

    /// How states of several sizes are packed.
    pub fn of_any_size() -> Packing {
        Packing { size: None, vector: vector::is_there(), moving: Moving::quickest() }
    }

    /// Appends the code of a state.
    #[inline]
    pub fn pack(self, state: &[u8], out: &mut Vec<u8>) {
        let sized = self.size.is_some();
        if self.vector { vector::pack(sized, state, out) } else { self.moving.pack(sized, state, out) }
    }

    /// The hash of a code.
    #[inline]
    pub fn hash(self, code: &[u8]) -> u64 {
        if !self.vector {
            return hash_code(code);
        }
        let (masks, bytes, size) = self.parts(code);
        vector::hash(masks, bytes, size)
    }

    /// Whether two codes are the same.
    #[inline]
    pub fn same(self, a: &[u8], b: &[u8]) -> bool {
        if self.vector { vector::same(a, b) } else { a == b }
    }

    /// Whether codes in words, that other threads may have written, are compared and unpacked where they are.
    #[inline(always)]
    pub fn reads_words(self) -> bool {
        self.vector
    }

    /// Whether the first bytes of words are a code; only where words are [read](Packing::reads_words).
    #[inline(always)]
    pub fn same_words(self, words: &[AtomicU64], code: &[u8]) -> bool {
        assert!(self.vector);
        vector::same_words(words, code)
    }

    /// Appends the state with the code that these words begin with; only where words are [read](Packing::reads_words).
    #[inline(always)]
    pub fn unpack_words(self, words: &[AtomicU64], out: &mut Vec<u8>) {
        assert!(self.vector);
        if let Some(size) = self.size {
            return vector::unpack_words(words, 0, size, out);
        }
        // No length that comes up takes more than a word.
        let first = words[0].load(Ordering::Relaxed).to_le_bytes();
        let (size, behind) = read_length(&first);
        vector::unpack_words(words, first.len() - behind.len(), size, out);
    }

    /// Appends the state with this code.
    pub fn unpack(self, code: &[u8], out: &mut Vec<u8>) {
        let (masks, bytes, size) = self.parts(code);
        if self.vector {
            vector::unpack(masks, bytes, size, out)
        } else {
            self.moving.unpack(masks, bytes, size, out)
        }
    }

    /// The masks and the bytes of a code, and the size of the state.
    #[inline]
    fn parts(self, code: &[u8]) -> (&[u8], &[u8], usize) {
        let (size, code) = self.size.map_or_else(|| read_length(code), |size| (size, code));
        let (masks, bytes) = code.split_at(size.div_ceil(GROUP));
        (masks, bytes, size)
    }
}

/// How states are hashed that are not packed, because next to nothing is kept of them.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum StateHash {
    /// As everywhere.
    Words = 0,
    /// 64 bytes at a time.
    Blocks = 1,
}

impl StateHash {
    /// The quickest that the processor has.
    pub fn quickest() -> StateHash {
        if vector::is_there() { StateHash::Blocks } else { StateHash::Words }
    }

    /// The hash of a state.
    #[inline]
    pub fn of(self, state: &[u8]) -> u64 {
        match self {
            StateHash::Blocks => vector::hash_state(state),
            StateHash::Words => super::hash(state),
        }
    }

    /// The hashes of all states of a batch.
    #[inline]
    pub fn of_all(self, batch: &Batch, mut meet: impl FnMut(u64)) {
        match self {
            StateHash::Blocks => vector::hash_all(batch, meet),
            StateHash::Words => (0..batch.len()).for_each(|index| meet(super::hash(batch.state(index)))),
        }
    }
}

/// Where the code of a state begins and ends among [`Codes`].
pub type Place = (usize, usize);

/// The codes of states that are looked up together.
#[derive(Debug, Default)]
pub struct Codes {
    bytes: Vec<u8>,
}

impl Codes {
    /// Forgets all codes.
    #[inline]
    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Packs the states of a batch with these numbers, and passes the hash of each to `meet`, and where its code is.
    #[inline]
    pub fn pack(
        &mut self,
        packing: Packing,
        batch: &Batch,
        numbers: Range<usize>,
        meet: impl FnMut(u64, Place),
    ) {
        match packing.vector {
            true => vector::pack_all(packing.size.is_some(), batch, numbers, &mut self.bytes, meet),
            false => pack_each(packing, batch, numbers, &mut self.bytes, meet),
        }
    }

    /// The code at a place.
    #[inline(always)]
    pub fn at(&self, place: Place) -> &[u8] {
        &self.bytes[place.0..place.1]
    }
}

/// The most bytes that a length takes.
const MOST_LENGTH: usize = usize::BITS.div_ceil(7) as usize;

/// Writes a length, seven bits a byte.
#[inline(always)]
fn write_length(mut length: usize, out: &mut Vec<u8>) {
    while length >= 0x80 {
        out.push(length as u8 | 0x80);
        length >>= 7;
    }
    out.push(length as u8);
}

/// Reads a length; what is behind it, too.
#[inline(always)]
fn read_length(mut code: &[u8]) -> (usize, &[u8]) {
    let (mut length, mut shift) = (0, 0);
    while let [first, rest @ ..] = code {
        length |= usize::from(first & 0x7f) << shift;
        shift += 7;
        code = rest;
        if first & 0x80 == 0 {
            break;
        }
    }
    (length, code)
}

/// Packs the states of a batch with these numbers one after the other, and passes the hash of each to `meet`, and where its code is.
fn pack_each(
    packing: Packing,
    batch: &Batch,
    numbers: Range<usize>,
    bytes: &mut Vec<u8>,
    mut meet: impl FnMut(u64, Place),
) {
    for index in numbers {
        let start = bytes.len();
        packing.moving.pack(packing.size.is_some(), batch.state(index), bytes);
        meet(hash_code(&bytes[start..]), (start, bytes.len()));
    }
}

/// The hash of a record that is not packed, or is where the processor has no better way. The products don't wait for each other, unlike those of a hash that is made for bytes of any
/// origin: what is told apart here is told apart again by comparing.
#[inline]
pub fn hash_code(code: &[u8]) -> u64 {
    const KEY: u64 = 0x2d35_8dcc_aa6c_78a5;
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let word =
        |bytes: &[u8; 16], at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap_or([0; 8]));
    let pair = |bytes: &[u8; 16], key: u64| fold(word(bytes, 0) ^ key, word(bytes, 8) ^ key.rotate_left(29));
    let Some(last) = code.last_chunk() else { return super::hash(code) };
    let mut key = KEY;
    let mut sum = pair(last, code.len() as u64 ^ 0x8bb8_4b93_962e_acc9);
    for whole in code.as_chunks().0 {
        sum = sum.wrapping_add(pair(whole, key));
        key = key.wrapping_add(STEP);
    }
    fold(sum ^ KEY, 0x4b33_a62e_d433_d4a3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mazurka_model::Step;
    use std::collections::HashMap;

    /// States of a length whose bytes are zero more or less often.
    fn states(length: usize) -> impl Iterator<Item = Vec<u8>> {
        (0..40u64).map(move |seed| {
            let byte = |at: usize| {
                let random = crate::store::hash(&(seed * 1009 + at as u64).to_le_bytes());
                if random % 40 < seed { (random >> 32) as u8 } else { 0 }
            };
            (0..length).map(byte).collect()
        })
    }

    #[test]
    fn states_come_back_and_have_one_code_each() {
        let lengths = (0..200).chain([255, 256, 300, 1000, 20_000]);
        for length in lengths {
            for size in [None, Some(length)] {
                let mut by_code: HashMap<Vec<u8>, Vec<u8>> = HashMap::new();
                for state in states(length) {
                    let slow = Packing { size, vector: false, moving: Moving::Bytes };
                    let middle = Packing { moving: Moving::quickest(), ..slow };
                    let fast = Packing { vector: vector::is_there(), ..middle };
                    // What stands in the buffer before stays there.
                    let (mut code, mut back) = (vec![7; 3], vec![8; 5]);
                    slow.pack(&state, &mut code);
                    slow.unpack(&code[3..], &mut back);
                    assert_eq!((&code[..3], &back[..5], &back[5..]), (&[7; 3][..], &[8; 5][..], &state[..]));
                    let bytewise = std::mem::replace(&mut code, vec![7; 3]);
                    back.truncate(5);
                    middle.pack(&state, &mut code);
                    assert_eq!(bytewise, code, "length {length}, size {size:?}");
                    middle.unpack(&code[3..], &mut back);
                    assert_eq!((&code[..3], &back[..5], &back[5..]), (&[7; 3][..], &[8; 5][..], &state[..]));
                    let mut other = Vec::new();
                    fast.pack(&state, &mut other);
                    assert_eq!(other, code[3..], "length {length}, size {size:?}");
                    back.clear();
                    fast.unpack(&other, &mut back);
                    assert_eq!(back, state, "length {length}, size {size:?}");
                    assert!(fast.same(&other, &code[3..]));
                    let (mut batch, mut codes) = (Batch::default(), Codes::default());
                    batch.push(Step::new(0, 0), &[]);
                    batch.push(Step::new(0, 1), &state);
                    let mut met = Vec::new();
                    for times in 1..3 {
                        codes.pack(fast, &batch, 1..batch.len(), |hash, place| met.push((hash, place)));
                        assert_eq!(met.len(), times);
                        let (hash, place) = met[times - 1];
                        assert_eq!((hash, codes.at(place)), (fast.hash(&other), &other[..]));
                    }
                    if fast.reads_words() {
                        let words: Vec<AtomicU64> = other
                            .chunks(8)
                            .map(|bytes| {
                                let mut word = [0; 8];
                                word[..bytes.len()].copy_from_slice(bytes);
                                AtomicU64::new(u64::from_le_bytes(word))
                            })
                            .collect();
                        back.truncate(0);
                        back.extend([8; 5]);
                        fast.unpack_words(&words, &mut back);
                        assert_eq!((&back[..5], &back[5..]), (&[8; 5][..], &state[..]));
                        assert!(fast.same_words(&words, &other));
                        for at in (0..other.len()).step_by(1 + other.len() / 40) {
                            let mut different = other.clone();
                            different[at] ^= 0x20;
                            assert!(!fast.same_words(&words, &different), "byte {at} of {length}");
                        }
                        let longer = [&other[..], &[0; 9]].concat();
                        assert!(!fast.same_words(&words, &longer));
                    }
                    let known = by_code.insert(other, state.clone());
                    assert!(known.is_none_or(|known| known == state));
                }
            }
        }
    }

    #[test]
    fn states_of_several_lengths_have_different_codes() {
        let packing = Packing::new(None).unwrap();
        let mut codes = std::collections::HashSet::new();
        for length in 0..500 {
            let mut code = Vec::new();
            packing.pack(&vec![0; length], &mut code);
            assert!(codes.insert(code), "length {length}");
        }
    }

    #[test]
    fn codes_are_the_same_only_if_all_bytes_are() {
        let packing = Packing::of_any_size();
        for length in (1..140).chain([191, 192, 193, 500]) {
            let a: Vec<u8> = (0..length).map(|at| at as u8).collect();
            assert!(packing.same(&a, &a.clone()) && !packing.same(&a, &a[1..]));
            for at in 0..length {
                let mut b = a.clone();
                b[at] ^= 0x10;
                assert!(!packing.same(&a, &b), "byte {at} of {length}");
            }
        }
        assert!(packing.same(&[], &[]));
    }

    #[test]
    fn hashes_of_codes_differ_in_all_bits() {
        hashes_differ(hash_code);
        hashes_differ(|state| StateHash::quickest().of(state));
        let packing = |size| Packing { size: Some(size), ..Packing::of_any_size() };
        hashes_differ(|state| {
            let mut code = Vec::new();
            packing(state.len()).pack(state, &mut code);
            packing(state.len()).hash(&code)
        });
    }

    fn hashes_differ(hash_code: impl Fn(&[u8]) -> u64) {
        // States that differ in one byte, of lengths around those of a block.
        let mut hashes = std::collections::HashSet::new();
        let (mut states, mut low, mut high) = (0, [0u32; 256], [0u32; 256]);
        for length in [40, 47, 48, 49, 63, 64, 65, 84, 96] {
            for at in 0..length {
                for value in 1..=255 {
                    let mut code = vec![3; length];
                    code[at] = if value == 3 { 0 } else { value };
                    let hash = hash_code(&code);
                    states += 1;
                    hashes.insert(hash);
                    low[hash as usize % 256] += 1;
                    high[(hash >> 56) as usize] += 1;
                }
            }
        }
        assert_eq!(hashes.len(), states);
        let expected = states as u32 / 256;
        let even = |counts: &[u32]| counts.iter().all(|count| *count > expected / 2 && *count < expected * 2);
        assert!(even(&low) && even(&high), "{low:?} {high:?}");
    }

    #[test]
    fn zeroes_take_little() {
        let mut state = vec![0; 188];
        (0..40).for_each(|at| state[at * 4] = 9);
        let mut code = Vec::new();
        Packing::new(Some(188)).unwrap().pack(&state, &mut code);
        assert_eq!(code.len(), 24 + 40);
        assert!(Packing::new(Some(SHORT)).is_none());
    }
}
