//! States without their zero bytes.
//!
//! Most bytes of a state are zero: the unused slots of channels, variables that were not set yet, locations where nobody has
//! been. A packed state is a mask of eight bits for each eight bytes, which says which of them are not zero, and then those. Equal states have equal
//! codes and different ones different codes, so codes are hashed, compared and stored in place of states. That saves memory, and
//! time too: less of it is touched for the first time, fetched, and compared.
//!
//! Where states have several lengths, the length comes first, seven bits a byte.
//!
//! With AVX-512 (VBMI2) 64 bytes are packed at once; the same code comes out byte by byte where the processor has none.

use super::fold;
use mazurka_model::Batch;

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
}

impl Packing {
    /// How states of this size, or of several, are packed; `None` if that is not worth it.
    pub fn new(size: Option<usize>) -> Option<Packing> {
        let worth = size.is_none_or(|size| size > SHORT);
        worth.then(|| Packing { size, vector: vector::is_there() })
    }

    /// Appends the code of a state.
    #[inline]
    pub fn pack(self, state: &[u8], out: &mut Vec<u8>) {
        let sized = self.size.is_some();
        if self.vector { vector::pack(sized, state, out) } else { pack_bytes(sized, state, out) }
    }

    /// Appends the state with this code.
    pub fn unpack(self, mut code: &[u8], out: &mut Vec<u8>) {
        let mut size = self.size.unwrap_or(0);
        if self.size.is_none() {
            let mut shift = 0;
            while let [first, rest @ ..] = code {
                size |= usize::from(first & 0x7f) << shift;
                shift += 7;
                code = rest;
                if first & 0x80 == 0 {
                    break;
                }
            }
        }
        let (masks, bytes) = code.split_at(size.div_ceil(GROUP));
        if self.vector {
            vector::unpack(masks, bytes, size, out)
        } else {
            unpack_bytes(masks, bytes, size, out)
        }
    }
}

/// Where the code of a state begins and ends among [`Codes`].
pub type Place = (u32, u32);

/// The codes of states that are looked up together.
#[derive(Debug, Default)]
pub struct Codes {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Codes {
    /// Packs the states of a batch from number `from` on, in place of those before. All are packed before the first is
    /// read: bytes that were just written can't be read in other portions at once.
    pub fn pack(&mut self, packing: Packing, batch: &Batch, from: usize) {
        let (sized, Codes { bytes, ends }) = (packing.size.is_some(), self);
        bytes.clear();
        ends.clear();
        if packing.vector {
            return vector::pack_all(sized, batch, from, bytes, ends);
        }
        for index in from..batch.len() {
            pack_bytes(sized, batch.state(index), bytes);
            ends.push(bytes.len() as u32);
        }
    }

    /// The places of the codes, in order.
    #[inline]
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
        let mut start = 0;
        self.ends.iter().map(move |&end| (std::mem::replace(&mut start, end), end))
    }

    /// The code at a place.
    #[inline(always)]
    pub fn at(&self, place: Place) -> &[u8] {
        &self.bytes[place.0 as usize..place.1 as usize]
    }
}

/// Writes a length, seven bits a byte.
#[inline(always)]
fn write_length(mut length: usize, out: &mut Vec<u8>) {
    while length >= 0x80 {
        out.push(length as u8 | 0x80);
        length >>= 7;
    }
    out.push(length as u8);
}

fn pack_bytes(sized: bool, state: &[u8], out: &mut Vec<u8>) {
    if !sized {
        write_length(state.len(), out);
    }
    let masks = out.len();
    let mut end = masks + state.len().div_ceil(GROUP);
    out.resize(end + state.len(), 0);
    for (index, group) in state.chunks(GROUP).enumerate() {
        let mut mask = 0;
        for (bit, byte) in group.iter().enumerate() {
            out[end] = *byte;
            let there = *byte != 0;
            end += usize::from(there);
            mask |= u8::from(there) << bit;
        }
        out[masks + index] = mask;
    }
    out.truncate(end);
}

fn unpack_bytes(masks: &[u8], bytes: &[u8], size: usize, out: &mut Vec<u8>) {
    let start = out.len();
    let mut bytes = bytes.iter();
    for mask in masks {
        out.extend((0..GROUP).map(|bit| match mask >> bit & 1 {
            0 => 0,
            _ => bytes.next().copied().unwrap_or(0),
        }));
    }
    out.truncate(start + size);
}

/// The hash of a record, packed or not. The products don't wait for each other, unlike those of a hash that is made for bytes of any
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

/// 64 bytes at a time.
#[cfg(target_arch = "x86_64")]
mod vector {
    use super::{GROUP, write_length};
    use mazurka_model::Batch;
    use std::arch::x86_64::{
        _mm_cvtsi64_si128, _mm512_castsi128_si512, _mm512_loadu_si512, _mm512_mask_storeu_epi8,
        _mm512_maskz_compress_epi8, _mm512_maskz_expand_epi8, _mm512_maskz_loadu_epi8, _mm512_storeu_si512,
        _mm512_test_epi8_mask,
    };

    /// Bytes of a block.
    const BLOCK: usize = 64;

    pub fn is_there() -> bool {
        is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("popcnt")
    }

    #[inline]
    pub fn pack(sized: bool, state: &[u8], out: &mut Vec<u8>) {
        // SAFETY: this is called only where `is_there` says that the processor can do it.
        unsafe { pack_blocks(sized, state, out) }
    }

    pub fn pack_all(sized: bool, batch: &Batch, from: usize, out: &mut Vec<u8>, ends: &mut Vec<u32>) {
        // SAFETY: as above.
        unsafe { pack_batch(sized, batch, from, out, ends) }
    }

    pub fn unpack(masks: &[u8], bytes: &[u8], size: usize, out: &mut Vec<u8>) {
        // SAFETY: as above.
        unsafe { unpack_blocks(masks, bytes, size, out) }
    }

    /// As many ones as asked for, at most 64.
    #[inline]
    fn ones(count: usize) -> u64 {
        u64::MAX.checked_shr(64 - count as u32).unwrap_or(0)
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
    fn pack_batch(sized: bool, batch: &Batch, from: usize, out: &mut Vec<u8>, ends: &mut Vec<u32>) {
        for index in from..batch.len() {
            pack_blocks(sized, batch.state(index), out);
            ends.push(out.len() as u32);
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
    fn pack_blocks(sized: bool, state: &[u8], out: &mut Vec<u8>) {
        if !sized {
            write_length(state.len(), out);
        }
        let groups = state.len().div_ceil(GROUP);
        // A block is always written whole, though only some of its bytes count.
        out.reserve(groups + state.len() + BLOCK);
        let start = out.len();
        // SAFETY: what is loaded is a block, or the rest, and no more. The masks of all of them are `groups` bytes, and each
        // adds at most its length to what is behind them, so there is room for both. All is written up to where the code ends.
        unsafe {
            let begin = out.as_mut_ptr();
            let (mut masks, mut end) = (begin.add(start), begin.add(start + groups));
            let (blocks, rest) = state.as_chunks::<BLOCK>();
            for block in blocks {
                let bytes = _mm512_loadu_si512(block.as_ptr().cast());
                let mask = _mm512_test_epi8_mask(bytes, bytes);
                _mm512_storeu_si512(end.cast(), _mm512_maskz_compress_epi8(mask, bytes));
                masks.cast::<u64>().write_unaligned(mask);
                masks = masks.add(BLOCK / GROUP);
                end = end.add(mask.count_ones() as usize);
            }
            if !rest.is_empty() {
                let bytes = _mm512_maskz_loadu_epi8(ones(rest.len()), rest.as_ptr().cast());
                let mask = _mm512_test_epi8_mask(bytes, bytes);
                _mm512_storeu_si512(end.cast(), _mm512_maskz_compress_epi8(mask, bytes));
                let wide = _mm512_castsi128_si512(_mm_cvtsi64_si128(mask as i64));
                _mm512_mask_storeu_epi8(masks.cast(), ones(rest.len().div_ceil(GROUP)), wide);
                end = end.add(mask.count_ones() as usize);
            }
            out.set_len(end.offset_from_unsigned(begin));
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
    fn unpack_blocks(masks: &[u8], mut bytes: &[u8], size: usize, out: &mut Vec<u8>) {
        let start = out.len();
        out.reserve(masks.len() * GROUP + BLOCK);
        for (index, masks) in masks.chunks(BLOCK / GROUP).enumerate() {
            let mut whole = [0; 8];
            whole[..masks.len()].copy_from_slice(masks);
            let mask = u64::from_le_bytes(whole);
            let (now, later) = bytes.split_at(mask.count_ones() as usize);
            bytes = later;
            // SAFETY: what is loaded is `now` and no more; there is room for a block behind each.
            unsafe {
                let packed = _mm512_maskz_loadu_epi8(ones(now.len()), now.as_ptr().cast());
                let block = _mm512_maskz_expand_epi8(mask, packed);
                _mm512_storeu_si512(out.as_mut_ptr().add(start + index * BLOCK).cast(), block);
            }
        }
        // SAFETY: there is a mask for each eight bytes, so that all of them were written.
        unsafe { out.set_len(start + size.min(masks.len() * GROUP)) }
    }
}

/// Other processors do it byte by byte.
#[cfg(not(target_arch = "x86_64"))]
mod vector {
    use mazurka_model::Batch;

    pub fn is_there() -> bool {
        false
    }

    pub fn pack(sized: bool, state: &[u8], out: &mut Vec<u8>) {
        super::pack_bytes(sized, state, out);
    }

    pub fn pack_all(sized: bool, batch: &Batch, from: usize, out: &mut Vec<u8>, ends: &mut Vec<u32>) {
        for index in from..batch.len() {
            pack(sized, batch.state(index), out);
            ends.push(out.len() as u32);
        }
    }

    pub fn unpack(masks: &[u8], bytes: &[u8], size: usize, out: &mut Vec<u8>) {
        super::unpack_bytes(masks, bytes, size, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
                    let slow = Packing { size, vector: false };
                    let fast = Packing { size, vector: vector::is_there() };
                    // What stands in the buffer before stays there.
                    let (mut code, mut back) = (vec![7; 3], vec![8; 5]);
                    slow.pack(&state, &mut code);
                    slow.unpack(&code[3..], &mut back);
                    assert_eq!((&code[..3], &back[..5], &back[5..]), (&[7; 3][..], &[8; 5][..], &state[..]));
                    let mut other = Vec::new();
                    fast.pack(&state, &mut other);
                    assert_eq!(other, code[3..], "length {length}, size {size:?}");
                    back.clear();
                    fast.unpack(&other, &mut back);
                    assert_eq!(back, state, "length {length}, size {size:?}");
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
    fn hashes_of_codes_differ_in_all_bits() {
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
