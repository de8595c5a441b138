//! Packing eight bytes at a time, where the processor has no better way: what is not zero is moved together by one shuffle (SSSE3), or byte by byte.

use super::{GROUP, write_length};

/// How the bytes of a group are moved.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Moving {
    /// One after the other.
    Bytes,
    /// By a table of shuffles.
    Shuffles,
}

impl Moving {
    /// The quickest that the processor has.
    pub fn quickest() -> Moving {
        if shuffle::is_there() { Moving::Shuffles } else { Moving::Bytes }
    }

    /// Appends the code of a state.
    #[inline]
    pub fn pack(self, sized: bool, state: &[u8], out: &mut Vec<u8>) {
        match self {
            Moving::Bytes => pack(sized, state, out, mask, together),
            Moving::Shuffles => shuffle::pack(sized, state, out),
        }
    }

    /// Appends the state of a size with these masks and bytes.
    #[inline]
    pub fn unpack(self, masks: &[u8], bytes: &[u8], size: usize, out: &mut Vec<u8>) {
        match self {
            Moving::Bytes => unpack(masks, bytes, size, out, apart),
            Moving::Shuffles => shuffle::unpack(masks, bytes, size, out),
        }
    }
}

/// Bytes whose masks are found together: most groups have nothing but zeroes, and only the others are looked at.
const BLOCK: usize = 64;
type Block = [u8; BLOCK];

/// Appends the code of a state. `mask` tells which bytes of a block are not zero, and `together` moves those of a group with a mask to its beginning.
///
/// Nothing in here is a closure that takes groups one by one: it would not be compiled for this processor.
#[inline(always)]
fn pack(
    sized: bool,
    state: &[u8],
    out: &mut Vec<u8>,
    mask: impl Fn(&Block) -> u64,
    together: impl Fn(u64, u8) -> u64,
) {
    if !sized {
        write_length(state.len(), out);
    }
    let groups = state.len().div_ceil(GROUP);
    let mut masks = out.len();
    let behind = masks + groups;
    let mut end = behind;
    // What is moved of a group is written whole, whatever of it is zero.
    out.resize(end + groups * GROUP + GROUP, 0);
    let (whole, rest) = state.as_chunks::<BLOCK>();
    let mut last = [0; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    for block in whole.iter().chain((!rest.is_empty()).then_some(&last)) {
        let mask = mask(block);
        let count = (behind - masks).min(BLOCK / GROUP);
        out[masks..masks + count].copy_from_slice(&mask.to_le_bytes()[..count]);
        masks += count;
        let mut some = some_groups(mask);
        while some != 0 {
            let group = some.trailing_zeros() as usize / 8;
            let own = (mask >> (8 * group)) as u8;
            let bytes = block.as_chunks().0.get(group).map_or(0, |bytes| u64::from_le_bytes(*bytes));
            out[end..end + GROUP].copy_from_slice(&together(bytes, own).to_le_bytes());
            end += own.count_ones() as usize;
            some &= some - 1;
        }
    }
    out.truncate(end);
}

/// Appends the state of a size with these masks and bytes. `apart` moves the bytes of a group to where its mask says that they are.
#[inline(always)]
fn unpack(masks: &[u8], mut bytes: &[u8], size: usize, out: &mut Vec<u8>, apart: impl Fn(u64, u8) -> u64) {
    let start = out.len();
    out.resize(start + masks.len() * GROUP, 0);
    let mut groups = out[start..].as_chunks_mut::<GROUP>().0;
    for masks in masks.chunks(BLOCK / GROUP) {
        let mask = first_bytes(masks);
        let (now, later) = groups.split_at_mut(masks.len());
        groups = later;
        let mut some = some_groups(mask);
        while some != 0 {
            let group = some.trailing_zeros() as usize / 8;
            let own = (mask >> (8 * group)) as u8;
            let packed =
                bytes.first_chunk().map_or_else(|| first_bytes(bytes), |now| u64::from_le_bytes(*now));
            if let Some(group) = now.get_mut(group) {
                *group = apart(packed, own).to_le_bytes();
            }
            bytes = bytes.get(own.count_ones() as usize..).unwrap_or_default();
            some &= some - 1;
        }
    }
    out.truncate(start + size);
}

/// A bit in each byte that is not zero.
#[inline(always)]
fn some_groups(mask: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    (((mask & LOW) + LOW) | mask) & !LOW
}

/// At most eight bytes, and zeroes behind them.
#[inline(always)]
fn first_bytes(bytes: &[u8]) -> u64 {
    let mut whole = [0; GROUP];
    whole[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(whole)
}

/// Which bytes are not zero, one group after the other.
fn mask(block: &Block) -> u64 {
    let groups = block.as_chunks::<GROUP>().0.iter().enumerate();
    groups.fold(0, |all, (index, group)| {
        let some = some_groups(u64::from_le_bytes(*group)) >> 7;
        // The eight bits come together in the highest byte.
        all | some.wrapping_mul(0x0102_0408_1020_4080) >> 56 << (8 * index)
    })
}

/// Moves the bytes of a mask to the beginning, one after the other.
fn together(group: u64, mask: u8) -> u64 {
    let (mut moved, mut count) = (0, 0);
    for at in (0..8).filter(|at| mask >> at & 1 == 1) {
        moved |= (group >> (8 * at) & 0xff) << (8 * count);
        count += 1;
    }
    moved
}

/// Moves bytes to where a mask says that they are, one after the other.
fn apart(mut bytes: u64, mask: u8) -> u64 {
    let mut group = 0;
    for at in (0..8).filter(|at| mask >> at & 1 == 1) {
        group |= (bytes & 0xff) << (8 * at);
        bytes >>= 8;
    }
    group
}

#[cfg(target_arch = "x86_64")]
mod shuffle {
    use super::super::GROUP;
    use super::Block;
    use std::arch::x86_64::{
        _mm_cmpeq_epi8, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_movemask_epi8, _mm_set_epi64x,
        _mm_setzero_si128, _mm_shuffle_epi8,
    };

    /// For each mask where each byte comes from; nowhere if it is at least 0x80.
    type Table = [u64; 256];
    static TOGETHER: Table = table(true);
    static APART: Table = table(false);

    const fn table(together: bool) -> Table {
        let mut table = [0; 256];
        let mut mask = 0;
        while mask < 256 {
            let mut row = [0x80; GROUP];
            let (mut at, mut count) = (0, 0);
            while at < GROUP {
                if mask >> at & 1 == 1 {
                    if together {
                        row[count] = at as u8;
                    } else {
                        row[at] = count as u8;
                    }
                    count += 1;
                }
                at += 1;
            }
            table[mask] = u64::from_le_bytes(row);
            mask += 1;
        }
        table
    }

    pub fn is_there() -> bool {
        is_x86_feature_detected!("ssse3") && is_x86_feature_detected!("popcnt")
    }

    #[inline]
    pub fn pack(sized: bool, state: &[u8], out: &mut Vec<u8>) {
        // SAFETY: this is called only where `is_there` says that the processor can do it.
        unsafe { pack_groups(sized, state, out) }
    }

    #[inline]
    pub fn unpack(masks: &[u8], bytes: &[u8], size: usize, out: &mut Vec<u8>) {
        // SAFETY: as above.
        unsafe { unpack_groups(masks, bytes, size, out) }
    }

    #[target_feature(enable = "ssse3,popcnt")]
    fn pack_groups(sized: bool, state: &[u8], out: &mut Vec<u8>) {
        let moved = |group, mask| moved(group, &TOGETHER, mask);
        super::pack(sized, state, out, |block| mask(block), moved);
    }

    #[target_feature(enable = "ssse3,popcnt")]
    fn unpack_groups(masks: &[u8], bytes: &[u8], size: usize, out: &mut Vec<u8>) {
        super::unpack(masks, bytes, size, out, |bytes, mask| moved(bytes, &APART, mask));
    }

    /// Which bytes of a block are not zero.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn mask(block: &Block) -> u64 {
        let mut zero = 0;
        for (index, part) in block.as_chunks::<16>().0.iter().enumerate() {
            let [low, high] =
                [0, 8].map(|at| i64::from_le_bytes(std::array::from_fn(|byte| part[at + byte])));
            let equal = _mm_cmpeq_epi8(_mm_set_epi64x(high, low), _mm_setzero_si128());
            zero |= (_mm_movemask_epi8(equal) as u64) << (16 * index);
        }
        !zero
    }

    #[inline]
    #[target_feature(enable = "ssse3")]
    fn moved(bytes: u64, table: &Table, mask: u8) -> u64 {
        let from = _mm_cvtsi64_si128(table[usize::from(mask)] as i64);
        _mm_cvtsi128_si64(_mm_shuffle_epi8(_mm_cvtsi64_si128(bytes as i64), from)) as u64
    }
}

/// Other processors are never asked for this.
#[cfg(not(target_arch = "x86_64"))]
mod shuffle {
    use super::Moving;

    pub fn is_there() -> bool {
        false
    }

    pub fn pack(sized: bool, state: &[u8], out: &mut Vec<u8>) {
        Moving::Bytes.pack(sized, state, out);
    }

    pub fn unpack(masks: &[u8], bytes: &[u8], size: usize, out: &mut Vec<u8>) {
        Moving::Bytes.unpack(masks, bytes, size, out);
    }
}
