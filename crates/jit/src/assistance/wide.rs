//! Copies of states in pieces of 32 or 64 bytes, for processors that have such registers.
//!
//! A copy is made for every successor, and most states have between 16 and 256 bytes: so each length is a few loads and stores
//! without a loop, the pieces of the beginning and those of the end, which may overlap.

use super::Context;
use mazurka_model::Step;
use std::arch::x86_64::{
    __m256i, __m512i, _mm256_loadu_si256, _mm256_storeu_si256, _mm512_loadu_si512, _mm512_storeu_si512,
};

/// Begins a successor as a copy of the state; gives its bytes.
///
/// # Safety
///
/// As for the others; and the processor has these registers.
#[target_feature(enable = "avx")]
pub unsafe extern "C" fn begin(context: *mut Context, pid: u64, code: u64) -> *mut u8 {
    unsafe {
        let context = &mut *context;
        let bytes = (*context.batch).begin_anew(Step::new(pid as u16, code as u32), context.length);
        let to = bytes.as_mut_ptr();
        copy(to, context.state, context.length);
        to
    }
}

/// The same with pieces of 64 bytes.
///
/// # Safety
///
/// As for the others; and the processor has these registers.
#[target_feature(enable = "avx512f")]
pub unsafe extern "C" fn begin_wider(context: *mut Context, pid: u64, code: u64) -> *mut u8 {
    unsafe {
        let context = &mut *context;
        let bytes = (*context.batch).begin_anew(Step::new(pid as u16, code as u32), context.length);
        let to = bytes.as_mut_ptr();
        copy_wider(to, context.state, context.length);
        to
    }
}

/// Copies a state, most of it in pieces of 64 bytes.
///
/// # Safety
///
/// Both places have `length` bytes, and they don't overlap.
#[target_feature(enable = "avx512f")]
#[inline]
unsafe fn copy_wider(to: *mut u8, from: *const u8, length: usize) {
    unsafe {
        match length {
            64..=128 => wider_ends::<1>(to, from, length),
            129..=192 => wider_ends::<2>(to, from, length),
            193..=256 => wider_ends::<3>(to, from, length),
            _ => copy(to, from, length),
        }
    }
}

/// Copies the first `COUNT` pieces of 64 bytes of a state and the last one; it has no more than these.
///
/// # Safety
///
/// Both places have `length` bytes, at least `COUNT` pieces, and don't overlap.
#[target_feature(enable = "avx512f")]
#[inline]
unsafe fn wider_ends<const COUNT: usize>(to: *mut u8, from: *const u8, length: usize) {
    const PIECE: usize = size_of::<__m512i>();
    let last = length - PIECE;
    // SAFETY: each piece lies within the state.
    unsafe {
        for index in 0..COUNT {
            _mm512_storeu_si512(
                to.add(PIECE * index).cast(),
                _mm512_loadu_si512(from.add(PIECE * index).cast()),
            );
        }
        _mm512_storeu_si512(to.add(last).cast(), _mm512_loadu_si512(from.add(last).cast()));
    }
}

/// Copies a state.
///
/// # Safety
///
/// Both places have `length` bytes, and they don't overlap.
#[target_feature(enable = "avx")]
#[inline]
unsafe fn copy(to: *mut u8, from: *const u8, length: usize) {
    unsafe {
        match length {
            32..=64 => ends::<1>(to, from, length),
            65..=128 => ends::<2>(to, from, length),
            129..=192 => ends::<3>(to, from, length),
            193..=256 => ends::<4>(to, from, length),
            16..32 => {
                let ends: [[u8; 16]; 2] = [from.cast(), from.add(length - 16).cast()].map(|half| *half);
                *to.cast() = ends[0];
                *to.add(length - 16).cast() = ends[1];
            }
            _ => std::ptr::copy_nonoverlapping(from, to, length),
        }
    }
}

/// Copies the first and the last `COUNT` pieces of a state that has no more than these.
///
/// # Safety
///
/// Both places have `length` bytes, at least `COUNT` pieces, and don't overlap.
#[target_feature(enable = "avx")]
#[inline]
unsafe fn ends<const COUNT: usize>(to: *mut u8, from: *const u8, length: usize) {
    const PIECE: usize = size_of::<__m256i>();
    for index in 0..COUNT {
        for at in [PIECE * index, length - PIECE * (index + 1)] {
            // SAFETY: the piece lies within the state.
            unsafe { _mm256_storeu_si256(to.add(at).cast(), _mm256_loadu_si256(from.add(at).cast())) };
        }
    }
}

#[cfg(test)]
mod tests {
    fn every_byte_is_copied_and_none_behind(copy: impl Fn(*mut u8, *const u8, usize)) {
        let from: Vec<u8> = (0..700).map(|i| (i % 251) as u8 + 1).collect();
        for length in 0..=600 {
            let mut to = vec![0; 700];
            copy(to.as_mut_ptr(), from.as_ptr(), length);
            assert!(to[..length] == from[..length] && to[length..].iter().all(|byte| *byte == 0), "{length}");
        }
    }

    #[test]
    fn copies_in_pieces_are_copies() {
        if std::arch::is_x86_feature_detected!("avx") {
            // SAFETY: both have more bytes than that, and the processor was asked.
            every_byte_is_copied_and_none_behind(|to, from, length| unsafe { super::copy(to, from, length) });
        }
        if std::arch::is_x86_feature_detected!("avx512f") {
            // SAFETY: as above.
            every_byte_is_copied_and_none_behind(|to, from, length| unsafe {
                super::copy_wider(to, from, length);
            });
        }
    }
}
