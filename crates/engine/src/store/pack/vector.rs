//! Packing, hashing and comparing 64 bytes at a time, with AVX-512 (VBMI2) and its rounds of AES.
//!
//! The hash is taken of the blocks while they are packed, so that it is known before the code is in memory: one round of AES for each block and four rounds at
//! the end, in which every byte reaches every bit. It is no hash to rely on: what it takes for the same is told apart by comparing.

#[cfg(target_arch = "x86_64")]
pub(super) use avx512::{
    hash, hash_all, hash_state, is_there, pack, pack_all, same, same_words, unpack, unpack_words,
};
#[cfg(not(target_arch = "x86_64"))]
pub(super) use bytewise::{
    hash, hash_all, hash_state, is_there, pack, pack_all, same, same_words, unpack, unpack_words,
};

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use super::super::{GROUP, MOST_LENGTH, Place, write_length};
    use mazurka_model::Batch;
    use std::arch::x86_64::{
        __m512i, _mm_aesenc_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm512_aesenc_epi128,
        _mm512_castsi128_si512, _mm512_castsi512_si128, _mm512_cmpneq_epi8_mask, _mm512_extracti32x4_epi32,
        _mm512_loadu_si512, _mm512_mask_storeu_epi8, _mm512_maskz_compress_epi8, _mm512_maskz_expand_epi8,
        _mm512_maskz_loadu_epi8, _mm512_set_epi64, _mm512_set1_epi64, _mm512_storeu_si512,
        _mm512_test_epi8_mask, _mm512_xor_si512,
    };
    use std::ops::Range;
    use std::sync::atomic::AtomicU64;

    /// Bytes of a block.
    const BLOCK: usize = 64;

    pub fn is_there() -> bool {
        is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("aes")
            && is_x86_feature_detected!("vaes")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi2")
    }

    #[inline]
    pub fn pack(sized: bool, state: &[u8], out: &mut Vec<u8>) {
        // SAFETY: this is called only where `is_there` says that the processor can do it.
        unsafe { pack_one(sized, state, out) }
    }

    #[inline]
    pub fn pack_all(
        sized: bool,
        batch: &Batch,
        numbers: Range<usize>,
        out: &mut Vec<u8>,
        meet: impl FnMut(u64, Place),
    ) {
        // SAFETY: as above.
        unsafe { pack_batch(sized, batch, numbers, out, meet) }
    }

    pub fn unpack(masks: &[u8], bytes: &[u8], size: usize, out: &mut Vec<u8>) {
        // SAFETY: as above.
        unsafe { unpack_blocks(masks, bytes, size, out) }
    }

    #[inline]
    pub fn hash(masks: &[u8], bytes: &[u8], size: usize) -> u64 {
        // SAFETY: as above.
        unsafe { hash_blocks(masks, bytes, size) }
    }

    #[inline]
    pub fn hash_state(state: &[u8]) -> u64 {
        // SAFETY: as above.
        unsafe { hash_bytes(state) }
    }

    #[inline]
    pub fn hash_all(batch: &Batch, meet: impl FnMut(u64)) {
        // SAFETY: as above.
        unsafe { hash_batch(batch, meet) }
    }

    #[inline]
    pub fn same(a: &[u8], b: &[u8]) -> bool {
        // SAFETY: as above.
        unsafe { same_blocks(a, b) }
    }

    #[inline]
    pub fn same_words(words: &[AtomicU64], code: &[u8]) -> bool {
        // SAFETY: as above.
        unsafe { same_in_words(words, code) }
    }

    #[inline]
    pub fn unpack_words(words: &[AtomicU64], before: usize, size: usize, out: &mut Vec<u8>) {
        // SAFETY: as above.
        unsafe { unpack_in_words(words, before, size, out) }
    }

    /// As many ones as asked for, at most 64.
    #[inline]
    fn ones(count: usize) -> u64 {
        u64::MAX.checked_shr(64 - count as u32).unwrap_or(0)
    }

    /// The most bytes that the code of a state of this length takes, and that are written behind it.
    #[inline]
    fn most(length: usize) -> usize {
        MOST_LENGTH + length.div_ceil(GROUP) + length + BLOCK
    }

    /// Appends the codes of states, and passes the hash of each to `meet`, and where its code is. One function for
    /// many states: a call for each takes a tenth of the time.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,aes,vaes,popcnt,bmi2")]
    fn pack_states<'b>(
        sized: bool,
        states: impl Iterator<Item = &'b [u8]>,
        out: &mut Vec<u8>,
        mut meet: impl FnMut(u64, Place),
    ) {
        for state in states {
            let start = out.len();
            out.reserve(most(state.len()));
            if !sized {
                write_length(state.len(), out);
            }
            let groups = state.len().div_ceil(GROUP);
            assert!(out.capacity() - out.len() >= groups + state.len() + BLOCK, "there is room for the code");
            let mut hash = Hash::new(state.len());
            // SAFETY: what is loaded is a block, or the rest, and no more. The masks of all of them are `groups` bytes, and each
            // adds at most its length to what is behind them, so there is room for both, and for a block, which is always
            // written whole, though only some of its bytes count. All is written up to where the code ends.
            unsafe {
                let begin = out.as_mut_ptr();
                let (mut masks, mut end) = (begin.add(out.len()), begin.add(out.len() + groups));
                let (blocks, rest) = state.as_chunks::<BLOCK>();
                for block in blocks {
                    let bytes = _mm512_loadu_si512(block.as_ptr().cast());
                    let mask = _mm512_test_epi8_mask(bytes, bytes);
                    let packed = _mm512_maskz_compress_epi8(mask, bytes);
                    _mm512_storeu_si512(end.cast(), packed);
                    hash.add(mask, packed);
                    masks.cast::<u64>().write_unaligned(mask);
                    masks = masks.add(BLOCK / GROUP);
                    end = end.add(mask.count_ones() as usize);
                }
                if !rest.is_empty() {
                    let bytes = _mm512_maskz_loadu_epi8(ones(rest.len()), rest.as_ptr().cast());
                    let mask = _mm512_test_epi8_mask(bytes, bytes);
                    let packed = _mm512_maskz_compress_epi8(mask, bytes);
                    _mm512_storeu_si512(end.cast(), packed);
                    hash.add(mask, packed);
                    let wide = _mm512_castsi128_si512(_mm_cvtsi64_si128(mask as i64));
                    _mm512_mask_storeu_epi8(masks.cast(), ones(rest.len().div_ceil(GROUP)), wide);
                    end = end.add(mask.count_ones() as usize);
                }
                out.set_len(end.offset_from_unsigned(begin));
            }
            meet(hash.end(), (start, out.len()));
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,aes,vaes,popcnt,bmi2")]
    fn pack_batch(
        sized: bool,
        batch: &Batch,
        numbers: Range<usize>,
        out: &mut Vec<u8>,
        meet: impl FnMut(u64, Place),
    ) {
        pack_states(sized, numbers.map(|index| batch.state(index)), out, meet);
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,aes,vaes,popcnt,bmi2")]
    fn pack_one(sized: bool, state: &[u8], out: &mut Vec<u8>) {
        pack_states(sized, std::iter::once(state), out, |_, _| {});
    }

    /// A hash under way.
    struct Hash {
        sum: __m512i,
        key: __m512i,
    }

    impl Hash {
        /// Of a state of this length.
        #[inline]
        #[target_feature(enable = "avx512f")]
        fn new(length: usize) -> Hash {
            // The digits of pi behind the point.
            let key = _mm512_set_epi64(
                0x243f_6a88_85a3_08d3,
                0x1319_8a2e_0370_7344,
                0xa409_3822_299f_31d0_u64 as i64,
                0x082e_fa98_ec4e_6c89,
                0x4528_21e6_38d0_1377,
                0xbe54_66cf_34e9_0c6c_u64 as i64,
                0xc0ac_29b7_c97c_50dd_u64 as i64,
                0x3f84_d5b5_b547_0917,
            );
            Hash { sum: _mm512_xor_si512(key, _mm512_set1_epi64(length as i64)), key }
        }

        /// Adds a block: which of its bytes are not zero, and those.
        #[inline]
        #[target_feature(enable = "avx512f,vaes")]
        fn add(&mut self, mask: u64, packed: __m512i) {
            let block = _mm512_xor_si512(packed, _mm512_set1_epi64(mask as i64));
            self.sum = _mm512_aesenc_epi128(_mm512_xor_si512(self.sum, block), self.key);
        }

        /// Adds a block that is not packed.
        #[inline]
        #[target_feature(enable = "avx512f,vaes")]
        fn add_twice(&mut self, block: __m512i) {
            let once = _mm512_aesenc_epi128(_mm512_xor_si512(self.sum, block), self.key);
            self.sum = _mm512_aesenc_epi128(once, self.key);
        }

        /// The hash of all blocks.
        #[inline]
        #[target_feature(enable = "avx512f,aes,vaes")]
        fn end(self) -> u64 {
            let key = _mm512_castsi512_si128(self.key);
            let (a, b) = (_mm512_castsi512_si128(self.sum), _mm512_extracti32x4_epi32::<1>(self.sum));
            let (c, d) = (_mm512_extracti32x4_epi32::<2>(self.sum), _mm512_extracti32x4_epi32::<3>(self.sum));
            let whole = _mm_aesenc_si128(_mm_aesenc_si128(a, b), _mm_aesenc_si128(c, d));
            _mm_cvtsi128_si64(_mm_aesenc_si128(_mm_aesenc_si128(whole, key), key)) as u64
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,aes,vaes,popcnt,bmi2")]
    fn hash_blocks(masks: &[u8], mut bytes: &[u8], size: usize) -> u64 {
        let mut hash = Hash::new(size);
        let mut add = |mask: u64| {
            let (now, later) = bytes.split_at(mask.count_ones() as usize);
            bytes = later;
            // SAFETY: what is loaded is `now` and no more.
            hash.add(mask, unsafe { _mm512_maskz_loadu_epi8(ones(now.len()), now.as_ptr().cast()) });
        };
        let (whole, rest) = masks.as_chunks();
        whole.iter().for_each(|mask| add(u64::from_le_bytes(*mask)));
        if !rest.is_empty() {
            add(last_mask(rest));
        }
        hash.end()
    }

    /// The hashes of the states of a batch, as they are; in one function, as above.
    #[target_feature(enable = "avx512f,avx512bw,aes,vaes,bmi2")]
    fn hash_batch(batch: &Batch, mut meet: impl FnMut(u64)) {
        (0..batch.len()).for_each(|index| meet(hash_bytes(batch.state(index))));
    }

    /// The hash of bytes as they are, each block of which goes through two rounds.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,aes,vaes,bmi2")]
    fn hash_bytes(state: &[u8]) -> u64 {
        let mut hash = Hash::new(state.len());
        let (blocks, rest) = state.as_chunks::<BLOCK>();
        for block in blocks {
            // SAFETY: a block is what is loaded.
            hash.add_twice(unsafe { _mm512_loadu_si512(block.as_ptr().cast()) });
        }
        if !rest.is_empty() {
            // SAFETY: what is loaded is the rest and no more.
            hash.add_twice(unsafe { _mm512_maskz_loadu_epi8(ones(rest.len()), rest.as_ptr().cast()) });
        }
        hash.end()
    }

    /// The mask of the last block, of which some bytes are missing.
    #[inline]
    fn last_mask(masks: &[u8]) -> u64 {
        let mut whole = [0; BLOCK / GROUP];
        whole[..masks.len()].copy_from_slice(masks);
        u64::from_le_bytes(whole)
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt,bmi2")]
    fn unpack_blocks(masks: &[u8], mut bytes: &[u8], size: usize, out: &mut Vec<u8>) {
        let start = out.len();
        out.reserve(masks.len() * GROUP + BLOCK);
        for (index, masks) in masks.chunks(BLOCK / GROUP).enumerate() {
            let mask = last_mask(masks);
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

    /// Up to 64 bytes of words, as many as there are ones.
    ///
    /// # Safety
    ///
    /// The bytes must be within the words. The load is not the compiler's, so that it is no matter whether other threads write there.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    unsafe fn load_words(from: *const u8, there: u64) -> __m512i {
        let bytes;
        // SAFETY: nothing is read but what the caller vouches for.
        unsafe {
            std::arch::asm!(
                "vmovdqu8 {bytes}{{{there}}}{{z}}, [{from}]",
                bytes = lateout(zmm_reg) bytes,
                there = in(kreg) there,
                from = in(reg) from,
                options(nostack, preserves_flags, readonly),
            );
        }
        bytes
    }

    /// Whether words hold a code, as far as that goes.
    #[target_feature(enable = "avx512f,avx512bw,bmi2")]
    fn same_in_words(words: &[AtomicU64], code: &[u8]) -> bool {
        if size_of_val(words) < code.len() {
            return false;
        }
        let (mut from, mut differing) = (words.as_ptr().cast::<u8>(), 0);
        let (blocks, rest) = code.as_chunks::<BLOCK>();
        // SAFETY: the words have as many bytes as the code or more, and of both no more is loaded than the code has.
        unsafe {
            for block in blocks {
                let stored = load_words(from, u64::MAX);
                differing |= _mm512_cmpneq_epi8_mask(stored, _mm512_loadu_si512(block.as_ptr().cast()));
                from = from.add(BLOCK);
            }
            let there = ones(rest.len());
            let last = _mm512_maskz_loadu_epi8(there, rest.as_ptr().cast());
            differing | _mm512_cmpneq_epi8_mask(load_words(from, there), last) == 0
        }
    }

    /// Appends the state of this size whose code is in the words, without a length; from so many bytes on, which are a length.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt,bmi2")]
    fn unpack_in_words(words: &[AtomicU64], before: usize, size: usize, out: &mut Vec<u8>) {
        let start = out.len();
        out.reserve(size + BLOCK);
        let (mut masks, mut from) = (before, before + size.div_ceil(GROUP));
        assert!(from <= size_of_val(words), "a code has all its masks");
        let begin = words.as_ptr().cast::<u8>();
        for block in 0..size.div_ceil(BLOCK) {
            let groups = (size - block * BLOCK).div_ceil(GROUP).min(BLOCK / GROUP);
            // SAFETY: all masks are within the words.
            let mask = unsafe { load_words(begin.add(masks), ones(groups)) };
            let mask = _mm_cvtsi128_si64(_mm512_castsi512_si128(mask)) as u64;
            masks += groups;
            let count = mask.count_ones() as usize;
            assert!(from + count <= size_of_val(words), "a code is as long as its masks say");
            // SAFETY: what is loaded is within the words, as was just seen; there is room for a block behind each.
            unsafe {
                let packed = load_words(begin.add(from), ones(count));
                let expanded = _mm512_maskz_expand_epi8(mask, packed);
                _mm512_storeu_si512(out.as_mut_ptr().add(start + block * BLOCK).cast(), expanded);
            }
            from += count;
        }
        // SAFETY: as many blocks were written as the state has.
        unsafe { out.set_len(start + size) }
    }

    #[target_feature(enable = "avx512f,avx512bw,bmi2")]
    fn same_blocks(a: &[u8], b: &[u8]) -> bool {
        if a.len() != b.len() {
            return false;
        }
        let (a_blocks, a_rest) = a.as_chunks::<BLOCK>();
        let (b_blocks, b_rest) = b.as_chunks::<BLOCK>();
        let mut differing = 0;
        for (a, b) in a_blocks.iter().zip(b_blocks) {
            // SAFETY: a block is what is loaded.
            let (a, b) =
                unsafe { (_mm512_loadu_si512(a.as_ptr().cast()), _mm512_loadu_si512(b.as_ptr().cast())) };
            differing |= _mm512_cmpneq_epi8_mask(a, b);
        }
        let there = ones(a_rest.len());
        // SAFETY: the rests are what is loaded, and no more: they have the same length.
        let (a, b) = unsafe {
            let load = |rest: &[u8]| _mm512_maskz_loadu_epi8(there, rest.as_ptr().cast());
            (load(a_rest), load(b_rest))
        };
        differing | _mm512_cmpneq_epi8_mask(a, b) == 0
    }
}

/// Other processors do it byte by byte, and are never asked for this.
#[cfg(not(target_arch = "x86_64"))]
mod bytewise {
    use super::super::groups::Moving;
    use super::super::{GROUP, Packing, Place, pack_each};
    use mazurka_model::Batch;
    use std::ops::Range;
    use std::sync::atomic::{AtomicU64, Ordering};

    pub fn is_there() -> bool {
        false
    }

    pub fn pack(sized: bool, state: &[u8], out: &mut Vec<u8>) {
        Moving::Bytes.pack(sized, state, out);
    }

    pub fn pack_all(
        sized: bool,
        batch: &Batch,
        numbers: Range<usize>,
        out: &mut Vec<u8>,
        meet: impl FnMut(u64, Place),
    ) {
        // Whatever the size is: that there is one counts.
        let packing = Packing { size: sized.then_some(0), ..Packing::of_any_size() };
        pack_each(packing, batch, numbers, out, meet);
    }

    pub fn unpack(masks: &[u8], bytes: &[u8], size: usize, out: &mut Vec<u8>) {
        Moving::Bytes.unpack(masks, bytes, size, out);
    }

    pub fn hash(masks: &[u8], _: &[u8], _: usize) -> u64 {
        super::super::hash_code(masks)
    }

    pub fn hash_state(state: &[u8]) -> u64 {
        crate::store::hash(state)
    }

    pub fn hash_all(batch: &Batch, mut meet: impl FnMut(u64)) {
        (0..batch.len()).for_each(|index| meet(hash_state(batch.state(index))));
    }

    pub fn same(a: &[u8], b: &[u8]) -> bool {
        a == b
    }

    pub fn same_words(words: &[AtomicU64], code: &[u8]) -> bool {
        bytes(words)[..code.len()] == *code
    }

    pub fn unpack_words(words: &[AtomicU64], before: usize, size: usize, out: &mut Vec<u8>) {
        let code = bytes(words);
        let (masks, bytes) = code[before..].split_at(size.div_ceil(GROUP));
        unpack(masks, bytes, size, out);
    }

    fn bytes(words: &[AtomicU64]) -> Vec<u8> {
        words.iter().flat_map(|word| word.load(Ordering::Relaxed).to_le_bytes()).collect()
    }
}
