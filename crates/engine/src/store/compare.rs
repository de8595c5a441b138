//! Many bytes or words compared at once, with the answers as bits, and the bits of a word moved at once.
//!
//! The compiler does not find these instructions on its own; other processors than x86-64 compare one by one.

use std::sync::atomic::AtomicU64;
#[cfg(not(target_arch = "x86_64"))]
use std::sync::atomic::Ordering;

/// Which of sixteen bytes are `byte`, as bits: one comparison of all of them. The compiler does not find
/// it on its own.
#[inline]
#[cfg(target_arch = "x86_64")]
pub fn equal_bytes(bytes: &[u8; 16], byte: u8) -> u32 {
    use std::arch::x86_64::{__m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_set1_epi8};
    // SAFETY: SSE2 is part of x86-64, and the load takes sixteen bytes from anywhere.
    unsafe {
        let all = _mm_loadu_si128(bytes.as_ptr().cast::<__m128i>());
        _mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_set1_epi8(byte as i8))) as u32
    }
}

#[inline]
#[cfg(not(target_arch = "x86_64"))]
pub fn equal_bytes(bytes: &[u8; 16], byte: u8) -> u32 {
    bytes.iter().enumerate().fold(0, |bits, (i, b)| bits | u32::from(*b == byte) << i)
}

/// Which of sixteen words are `word` once their lowest `shift` bits are gone, as bits.
#[inline(always)]
#[cfg(target_arch = "x86_64")]
pub fn equal_words(words: &[u32; 16], shift: u32, word: u32) -> u32 {
    if is_x86_feature_detected!("avx512f") {
        equal_together(words, shift, word)
    } else {
        equal_by_four(words, shift, word)
    }
}

/// The same with AVX-512, which the processor has.
#[inline(always)]
#[cfg(target_arch = "x86_64")]
fn equal_together(words: &[u32; 16], shift: u32, word: u32) -> u32 {
    let equal: u32;
    // SAFETY: all sixteen words are loaded and nothing else, and the caller has seen that the processor knows the instructions. Registers from 16 on are used, so that
    // nothing is left in the upper halves of those that other instructions use.
    unsafe {
        std::arch::asm!(
            "vmovd xmm17, {shift:e}",
            "vpbroadcastd zmm18, {word:e}",
            "vmovdqu32 zmm16, [{words}]",
            "vpsrld zmm16, zmm16, xmm17",
            "vpcmpeqd k1, zmm16, zmm18",
            "kmovw {equal:e}, k1",
            words = in(reg) words.as_ptr(),
            shift = in(reg) shift,
            word = in(reg) word,
            equal = lateout(reg) equal,
            out("zmm16") _,
            out("zmm17") _,
            out("zmm18") _,
            out("k1") _,
            options(nostack, preserves_flags, readonly),
        );
    }
    equal
}

#[inline]
#[cfg(target_arch = "x86_64")]
fn equal_by_four(words: &[u32; 16], shift: u32, word: u32) -> u32 {
    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi32, _mm_cvtsi32_si128, _mm_loadu_si128, _mm_movemask_epi8, _mm_packs_epi16,
        _mm_packs_epi32, _mm_set1_epi32, _mm_srl_epi32,
    };
    // SAFETY: SSE2 is part of x86-64, and each load takes four of the sixteen words.
    unsafe {
        let (wanted, count) = (_mm_set1_epi32(word as i32), _mm_cvtsi32_si128(shift as i32));
        let four = |at: usize| {
            let all = _mm_loadu_si128(words.as_ptr().add(at).cast::<__m128i>());
            _mm_cmpeq_epi32(_mm_srl_epi32(all, count), wanted)
        };
        let (low, high) = (_mm_packs_epi32(four(0), four(4)), _mm_packs_epi32(four(8), four(12)));
        _mm_movemask_epi8(_mm_packs_epi16(low, high)) as u32
    }
}

#[inline]
#[cfg(not(target_arch = "x86_64"))]
pub fn equal_words(words: &[u32; 16], shift: u32, word: u32) -> u32 {
    words.iter().enumerate().fold(0, |bits, (i, w)| bits | u32::from(w >> shift == word) << i)
}

/// Which of eight words, which are a cache line, have this upper half, and which have a lower half of 0, as bits; each word as it is at some time meanwhile. Other threads may
/// write them. What such a thread wrote before a word can be read once the word is seen.
#[inline(always)]
#[cfg(target_arch = "x86_64")]
pub fn compare_slots(words: &[AtomicU64; 8], half: u32) -> (u32, u32) {
    if is_x86_feature_detected!("avx512f") {
        compare_together(words, half)
    } else {
        compare_by_four(words, half)
    }
}

/// The same with AVX-512, which the processor has: one load, and two comparisons of all words.
#[inline(always)]
#[cfg(target_arch = "x86_64")]
fn compare_together(words: &[AtomicU64; 8], half: u32) -> (u32, u32) {
    let (same, empty): (u32, u32);
    // SAFETY: as below; a line is loaded, and the caller has seen that the processor knows the instructions. Registers from 16 on are used, so that
    // nothing is left in the upper halves of those that other instructions use.
    unsafe {
        std::arch::asm!(
            "vmovdqu64 zmm16, [{words}]",
            "vpbroadcastq zmm17, {half}",
            "vpsrlq zmm18, zmm16, 32",
            "vpcmpeqq k1, zmm18, zmm17",
            "vpsllq zmm16, zmm16, 32",
            "vptestnmq k2, zmm16, zmm16",
            "kmovw {same:e}, k1",
            "kmovw {empty:e}, k2",
            words = in(reg) words.as_ptr(),
            half = in(reg) u64::from(half),
            same = lateout(reg) same,
            empty = lateout(reg) empty,
            out("zmm16") _,
            out("zmm17") _,
            out("zmm18") _,
            out("k1") _,
            out("k2") _,
            options(nostack, preserves_flags, readonly),
        );
    }
    (same, empty)
}

#[inline(always)]
#[cfg(target_arch = "x86_64")]
fn compare_by_four(words: &[AtomicU64; 8], half: u32) -> (u32, u32) {
    use std::arch::x86_64::{
        _mm_castps_si128, _mm_cmpeq_epi32, _mm_movemask_epi8, _mm_packs_epi16, _mm_packs_epi32,
        _mm_set1_epi32, _mm_setzero_si128, _mm_shuffle_ps,
    };
    let (mut a, mut b, mut c, mut d);
    // SAFETY: the loads are within the words. They are not the compiler's, so that other threads may
    // write meanwhile; each word is aligned, so that it is read whole, and what is read later is read after it, as always
    // on such processors. SSE2 is part of x86-64.
    unsafe {
        std::arch::asm!(
            "movdqu {a}, [{words}]",
            "movdqu {b}, [{words} + 16]",
            "movdqu {c}, [{words} + 32]",
            "movdqu {d}, [{words} + 48]",
            words = in(reg) words.as_ptr(),
            a = out(xmm_reg) a,
            b = out(xmm_reg) b,
            c = out(xmm_reg) c,
            d = out(xmm_reg) d,
            options(nostack, preserves_flags),
        );
        let (half, none) = (_mm_set1_epi32(half as i32), _mm_setzero_si128());
        let upper = |a, b| _mm_cmpeq_epi32(_mm_castps_si128(_mm_shuffle_ps::<0b11_01_11_01>(a, b)), half);
        let lower = |a, b| _mm_cmpeq_epi32(_mm_castps_si128(_mm_shuffle_ps::<0b10_00_10_00>(a, b)), none);
        let same = _mm_packs_epi32(upper(a, b), upper(c, d));
        let empty = _mm_packs_epi32(lower(a, b), lower(c, d));
        let bits = _mm_movemask_epi8(_mm_packs_epi16(same, empty)) as u32;
        (bits & 0xff, bits >> 8)
    }
}

#[inline(always)]
#[cfg(not(target_arch = "x86_64"))]
pub fn compare_slots(words: &[AtomicU64; 8], half: u32) -> (u32, u32) {
    words.iter().enumerate().fold((0, 0), |(same, empty), (index, word)| {
        let word = word.load(Ordering::Acquire);
        let is = |what: bool| u32::from(what) << index;
        (same | is((word >> 32) as u32 == half), empty | is(word as u32 == 0))
    })
}

/// Which of sixteen bytes differ, as bits.
#[inline]
#[cfg(target_arch = "x86_64")]
fn differing_of_sixteen(a: &[u8; 16], b: &[u8; 16]) -> u64 {
    use std::arch::x86_64::{__m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8};
    // SAFETY: SSE2 is part of x86-64, and the loads take sixteen bytes from anywhere.
    unsafe {
        let load = |bytes: &[u8; 16]| _mm_loadu_si128(bytes.as_ptr().cast::<__m128i>());
        u64::from(!_mm_movemask_epi8(_mm_cmpeq_epi8(load(a), load(b))) as u16)
    }
}

#[inline]
#[cfg(not(target_arch = "x86_64"))]
fn differing_of_sixteen(a: &[u8; 16], b: &[u8; 16]) -> u64 {
    a.iter().zip(b).enumerate().fold(0, |bits, (i, (a, b))| bits | u64::from(a != b) << i)
}

/// Passes where two strings of the same length differ, 64 bytes by 64, the last of which may be fewer: bits for these bytes.
#[inline(always)]
pub fn differing(a: &[u8], b: &[u8], mut pass: impl FnMut(u64)) {
    let length = a.len().min(b.len());
    let (a, b) = (&a[..length], &b[..length]);
    let (a_blocks, a_rest) = a.as_chunks::<16>();
    let (b_blocks, _) = b.as_chunks::<16>();
    let (a_fours, a_few) = a_blocks.as_chunks::<4>();
    let (b_fours, b_few) = b_blocks.as_chunks::<4>();
    for (a, b) in a_fours.iter().zip(b_fours) {
        let sixteen = |at: usize| differing_of_sixteen(&a[at], &b[at]) << (16 * at);
        pass(sixteen(0) | sixteen(1) | sixteen(2) | sixteen(3));
    }
    let mut bits = 0;
    for (index, (a, b)) in a_few.iter().zip(b_few).enumerate() {
        bits |= differing_of_sixteen(a, b) << (16 * index);
    }
    let behind = 16 * a_few.len();
    match (a.last_chunk(), b.last_chunk()) {
        // The last sixteen bytes, less those that were compared before.
        (Some(a), Some(b)) if !a_rest.is_empty() => {
            bits |= differing_of_sixteen(a, b) >> (16 - a_rest.len()) << behind;
        }
        (None, _) => {
            let all = a.iter().zip(b).enumerate();
            bits = all.fold(0, |bits, (index, (a, b))| bits | u64::from(a != b) << index);
        }
        _ => {}
    }
    if !length.is_multiple_of(64) {
        pass(bits);
    }
}

/// Whether two short strings are equal. From 8 to 32 bytes are compared in place, as two words or pairs of words that may overlap;
/// the rest is a call, which keeps the loops around it short.
#[inline(always)]
pub fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    match a.len() {
        8..=16 => ends::<8>(a) == ends(b),
        17..=32 => ends::<16>(a) == ends(b),
        _ => same_of_any_size(a, b),
    }
}

/// The first and the last bytes of a string, of which there may be more.
#[inline(always)]
fn ends<const N: usize>(bytes: &[u8]) -> Option<(&[u8; N], &[u8; N])> {
    Some((bytes.first_chunk()?, bytes.last_chunk()?))
}

#[inline(never)]
fn same_of_any_size(a: &[u8], b: &[u8]) -> bool {
    a == b
}

/// Whether the first `count` of seven bits of eight words are set, whose numbers are nine bits each of `numbers`. All of them are looked at, since
/// where to stop early can't be foreseen by the processor.
#[inline(always)]
pub fn are_set(words: &[u64; 8], numbers: u64, count: u32) -> bool {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") {
        let wanted = (1 << count) - 1;
        return set_together(words, numbers) & wanted == wanted;
    }
    each_is_set(words, numbers, count)
}

fn each_is_set(words: &[u64; 8], mut numbers: u64, count: u32) -> bool {
    let mut all = 1;
    for _ in 0..count {
        all &= words[numbers as usize / 64 % 8] >> (numbers % 64);
        numbers >>= 9;
    }
    all & 1 == 1
}

/// Which of the seven bits are set, as bits, with AVX-512, which the processor has: each lane takes a number apart, fetches its word, and turns the bit
/// to where it is tested.
#[inline(always)]
#[cfg(target_arch = "x86_64")]
fn set_together(words: &[u64; 8], numbers: u64) -> u32 {
    #[repr(align(64))]
    struct Line([u64; 8]);
    static PLACES: Line = Line([0, 9, 18, 27, 36, 45, 54, 63]);
    let set: u32;
    // SAFETY: two lines are loaded, and the caller has seen that the processor knows the instructions. Registers from 16 on are used, so that
    // nothing is left in the upper halves of those that other instructions use.
    unsafe {
        std::arch::asm!(
            "vpbroadcastq zmm16, {numbers}",
            "vpsrlvq zmm16, zmm16, [{places}]",
            "vpsrlq zmm17, zmm16, 6",
            // Of a number of a word only the last three bits count, and of a rotation only the last six.
            "vpermq zmm17, zmm17, [{words}]",
            "vprorvq zmm17, zmm17, zmm16",
            "vpsllq zmm17, zmm17, 63",
            "vptestmq k1, zmm17, zmm17",
            "kmovw {set:e}, k1",
            numbers = in(reg) numbers,
            places = in(reg) PLACES.0.as_ptr(),
            words = in(reg) words.as_ptr(),
            set = lateout(reg) set,
            out("zmm16") _,
            out("zmm17") _,
            out("k1") _,
            options(nostack, preserves_flags, readonly),
        );
    }
    set
}

/// Whether the processor spreads the bits of a word as fast as it adds: one that knows AVX-512 does, while others may take long for it.
#[inline(always)]
#[cfg(target_arch = "x86_64")]
fn spreads() -> bool {
    is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("bmi2")
}

/// The lowest bits of a word in the places of the bits of `mask`, the lowest first. `None`: the processor is not fast at that.
#[inline(always)]
pub fn spread(word: u64, mask: u64) -> Option<u64> {
    #[cfg(target_arch = "x86_64")]
    if spreads() {
        let all: u64;
        // SAFETY: the processor has the instruction, which reads and writes registers alone.
        unsafe {
            std::arch::asm!("pdep {all}, {word}, {mask}", all = lateout(reg) all, word = in(reg) word, mask = in(reg) mask,
                options(pure, nomem, nostack, preserves_flags));
        }
        return Some(all);
    }
    let _ = (word, mask);
    None
}

/// The bits of a word that are in the places of the bits of `mask`, side by side. `None`: as above.
#[inline(always)]
pub fn gather(word: u64, mask: u64) -> Option<u64> {
    #[cfg(target_arch = "x86_64")]
    if spreads() {
        let all: u64;
        // SAFETY: as above.
        unsafe {
            std::arch::asm!("pext {all}, {word}, {mask}", all = lateout(reg) all, word = in(reg) word, mask = in(reg) mask,
                options(pure, nomem, nostack, preserves_flags));
        }
        return Some(all);
    }
    let _ = (word, mask);
    None
}

/// How many bits of eight words are set.
#[inline]
pub fn count_ones(words: &[u64; 8]) -> usize {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor has the instruction.
        return unsafe { count_by_instruction(words) };
    }
    words.iter().map(|word| word.count_ones() as usize).sum()
}

#[inline]
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn count_by_instruction(words: &[u64; 8]) -> usize {
    words.iter().map(|word| word.count_ones() as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_compared_each_by_itself() {
        #[repr(align(64))]
        struct Line([AtomicU64; 8]);
        let line = Line(Default::default());
        for seed in 0..2000u64 {
            let random = |i: u64| crate::store::hash(&(8 * seed + i).to_le_bytes());
            let half = random(99) >> 32;
            for (word, i) in line.0.iter().zip(0..) {
                let value = match random(i) % 4 {
                    0 => 0,
                    1 => half << 32 | (i + 1),
                    2 => random(i + 50),
                    _ => (half ^ 1 << i) << 32 | u64::from(u32::MAX),
                };
                word.store(value, std::sync::atomic::Ordering::Relaxed);
            }
            let bits = |is: &dyn Fn(u64) -> bool| -> u32 {
                let all = line.0.iter().map(|word| word.load(std::sync::atomic::Ordering::Relaxed));
                all.enumerate().map(|(index, word)| u32::from(is(word)) << index).sum()
            };
            let expected = (bits(&|word| word >> 32 == half), bits(&|word| word as u32 == 0));
            assert_eq!(compare_slots(&line.0, half as u32), expected);
            #[cfg(target_arch = "x86_64")]
            assert_eq!(compare_by_four(&line.0, half as u32), expected);
        }
    }

    #[test]
    fn bits_are_set_only_if_each_of_them_is() {
        for seed in 0..5000u64 {
            let random = |i: u64| crate::store::hash(&(32 * seed + i).to_le_bytes());
            // Many bits, so that all of them are set now and then; and only those that are asked for.
            let mut words: [u64; 8] = std::array::from_fn(|i| random(i as u64) | random(i as u64 + 8));
            let numbers = random(16);
            for count in 0..=7 {
                let bits = (0..count).map(|index| (numbers >> (9 * index)) as usize % 512);
                let expected = bits.clone().all(|bit| words[bit / 64] >> (bit % 64) & 1 == 1);
                assert_eq!(are_set(&words, numbers, count), expected);
                assert_eq!(each_is_set(&words, numbers, count), expected);
                words = [0; 8];
                bits.clone().for_each(|bit| words[bit / 64] |= 1 << (bit % 64));
                assert!(are_set(&words, numbers, count) && each_is_set(&words, numbers, count));
                for bit in bits {
                    words[bit / 64] &= !(1 << (bit % 64));
                    assert!(!are_set(&words, numbers, count) && !each_is_set(&words, numbers, count));
                    words[bit / 64] |= 1 << (bit % 64);
                }
            }
        }
    }

    #[test]
    fn every_byte_that_differs_is_passed_once() {
        for length in 0..200 {
            let a: Vec<u8> = (0..length).map(|i| i as u8).collect();
            for step in [1, 3, 7, 16, 61] {
                for first in 0..step.min(length) {
                    let mut b = a.clone();
                    let expected: Vec<usize> = (first..length).step_by(step).collect();
                    expected.iter().for_each(|at| b[*at] ^= 0x40);
                    let mut found = Vec::new();
                    let mut from = 0;
                    differing(&a, &b, |bits| {
                        found.extend((0..64).filter(|bit| bits >> bit & 1 == 1).map(|bit| from + bit));
                        from += 64;
                    });
                    assert_eq!((found, from), (expected, length.next_multiple_of(64)), "length {length}");
                }
            }
        }
    }

    #[test]
    fn strings_are_the_same_only_if_every_byte_is() {
        for length in 0..70 {
            let a: Vec<u8> = (0..length).map(|i| i as u8).collect();
            assert!(same(&a, &a.clone()) && !same(&a, &[&a[..], &[0]].concat()));
            for at in 0..length {
                let mut b = a.clone();
                b[at] ^= 0x80;
                assert!(!same(&a, &b), "byte {at} of {length}");
            }
        }
    }

    #[test]
    fn equal_ones_are_bits() {
        let bytes: [u8; 16] = std::array::from_fn(|i| i as u8 % 5);
        assert_eq!(equal_bytes(&bytes, 2), 0b0001_0000_1000_0100);
        let words: [u32; 16] = std::array::from_fn(|i| (i as u32 % 3) << 7 | 5);
        assert_eq!(equal_words(&words, 7, 1), 0b0010_0100_1001_0010);
        #[cfg(target_arch = "x86_64")]
        assert_eq!(equal_by_four(&words, 7, 1), 0b0010_0100_1001_0010);
    }
}
