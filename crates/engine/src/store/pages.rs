//! Memory straight from the system: zeroed, and in huge pages where the system has them.
//!
//! A table that is read at random misses the address cache of the processor at nearly every look; with pages of two
//! megabytes it hardly ever does. Where huge pages are not to be had, this is ordinary memory. Records of states stay in
//! small pages: there the first touch counts, and on a virtual machine that of a huge page may cost what it saves.

use memmap2::MmapMut;
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicU64;

/// From this many bytes on huge pages are asked for.
pub const HUGE: usize = 4 << 20;

fn map(bytes: usize) -> io::Result<MmapMut> {
    let map = MmapMut::map_anon(bytes)?;
    #[cfg(target_os = "linux")]
    if bytes >= HUGE {
        // Where this is refused, small pages do.
        let _ = map.advise(memmap2::Advice::HugePage);
    }
    Ok(map)
}

/// Small pages that are there from the beginning, so that the processor need not stop at each when it is first written to.
pub fn present(bytes: usize) -> io::Result<MmapMut> {
    let map = MmapMut::map_anon(bytes)?;
    #[cfg(target_os = "linux")]
    // Where the system does not know this, pages come one by one.
    let _ = map.advise(memmap2::Advice::PopulateWrite);
    Ok(map)
}

/// Small pages that come one by one, or when they are [asked for](ask_for).
pub fn absent(bytes: usize) -> io::Result<MmapMut> {
    MmapMut::map_anon(bytes)
}

/// Asks for the pages of so many bytes of a map, as far as it has them.
pub fn ask_for(map: &MmapMut, from: usize, bytes: usize) {
    let bytes = bytes.min(map.len().saturating_sub(from));
    #[cfg(target_os = "linux")]
    // Where the system does not know this, pages come one by one.
    let _ = map.advise_range(memmap2::Advice::PopulateWrite, from, bytes);
    #[cfg(not(target_os = "linux"))]
    let _ = bytes;
}

/// A type of which all zero bytes are a value.
///
/// # Safety
///
/// Every pattern of bytes that starts as zeroes and is changed through references must be a value of the type, the
/// type must not need an alignment of more than a page, and nothing must have to be done when a value is no longer needed.
pub unsafe trait Zeroed {}

// SAFETY: every pattern of bytes is a number.
unsafe impl Zeroed for AtomicU64 {}
// SAFETY: as above.
unsafe impl Zeroed for u32 {}
// SAFETY: as above.
unsafe impl Zeroed for u8 {}

/// A slice of values that begin as zeroes.
#[derive(Debug)]
pub struct Pages<T> {
    /// None if there are no values.
    map: Option<MmapMut>,
    length: usize,
    values: PhantomData<T>,
}

impl<T> Default for Pages<T> {
    fn default() -> Pages<T> {
        Pages { map: None, length: 0, values: PhantomData }
    }
}

impl<T: Zeroed> Pages<T> {
    /// So many values, if there is memory for them.
    pub fn new(length: usize) -> io::Result<Pages<T>> {
        Pages::mapped(length, map)
    }

    /// The same in small pages that are there from the beginning.
    pub fn present(length: usize) -> io::Result<Pages<T>> {
        Pages::mapped(length, present)
    }

    /// Makes it so many values, more than there are; the others stay. Nothing changes if there is no memory.
    pub fn enlarge(&mut self, length: usize) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        if let Some(map) = &mut self.map {
            let bytes = length.checked_mul(size_of::<T>()).ok_or(io::ErrorKind::OutOfMemory)?;
            // SAFETY: nobody has a reference into the map, which may move, and what is added are zeroes.
            unsafe { map.remap(bytes, memmap2::RemapOptions::new().may_move(true))? };
            if bytes >= HUGE {
                let _ = map.advise(memmap2::Advice::HugePage);
            }
            self.length = length;
            return Ok(());
        }
        let mut longer = Pages::new(length)?;
        longer[..self.length].swap_with_slice(self);
        *self = longer;
        Ok(())
    }

    /// Gives the memory back to the system; all values are zeroes again. Several threads can do this at once, each for its own,
    /// while only one at a time can give up a map.
    pub fn give_back(&mut self) {
        #[cfg(target_os = "linux")]
        if let Some(map) = &self.map {
            // SAFETY: nobody else has a reference into the map, whose bytes are zeroes afterwards, and these are values.
            let _ = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
        }
    }

    fn mapped(length: usize, map: impl FnOnce(usize) -> io::Result<MmapMut>) -> io::Result<Pages<T>> {
        let bytes = length.checked_mul(size_of::<T>()).ok_or(io::ErrorKind::OutOfMemory)?;
        let map = if bytes > 0 { Some(map(bytes)?) } else { None };
        Ok(Pages { map, length, values: PhantomData })
    }
}

impl<T: Zeroed> Deref for Pages<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        match &self.map {
            // SAFETY: the map is long enough for so many values, begins at a page, and its zeroes are values.
            Some(map) => unsafe { std::slice::from_raw_parts(map.as_ptr().cast(), self.length) },
            None => &[],
        }
    }
}

impl<T: Zeroed> DerefMut for Pages<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.map {
            // SAFETY: as above, and the map is borrowed for as long.
            Some(map) => unsafe { std::slice::from_raw_parts_mut(map.as_mut_ptr().cast(), self.length) },
            None => &mut [],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SAFETY: every pattern of bytes is a number.
    unsafe impl Zeroed for u64 {}

    #[test]
    fn values_are_zeroes_and_keep_what_is_stored() {
        for length in [0, 1, 511, HUGE / 8 + 3] {
            let mut pages: Pages<u64> = Pages::new(length).unwrap();
            assert_eq!(pages.len(), length);
            assert!(pages.iter().all(|value| *value == 0));
            pages.iter_mut().enumerate().for_each(|(index, value)| *value = index as u64);
            assert!(pages.iter().enumerate().all(|(index, value)| *value == index as u64));
            pages.enlarge(3 * length + 5).unwrap();
            assert_eq!(pages.len(), 3 * length + 5);
            let kept = |index: usize| if index < length { index as u64 } else { 0 };
            assert!(pages.iter().enumerate().all(|(index, value)| *value == kept(index)));
            if cfg!(target_os = "linux") {
                pages.give_back();
                assert!(pages.len() == 3 * length + 5 && pages.iter().all(|value| *value == 0));
            }
        }
    }
}
