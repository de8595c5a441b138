//! Memory straight from the system: zeroed, and in huge pages where the system has them.
//!
//! A table that is read at random misses the address cache of the processor at nearly every look; with pages of two
//! megabytes it hardly ever does, and the first touch of memory costs one interruption for two megabytes instead of
//! five hundred. Where huge pages are not to be had, this is ordinary memory.

use memmap2::MmapMut;
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// From this many bytes on huge pages are asked for.
const HUGE: usize = 4 << 20;

fn map(bytes: usize) -> io::Result<MmapMut> {
    let map = MmapMut::map_anon(bytes)?;
    #[cfg(target_os = "linux")]
    if bytes >= HUGE {
        // Where this is refused, small pages do.
        let _ = map.advise(memmap2::Advice::HugePage);
    }
    Ok(map)
}

/// A type of which all zero bytes are a value.
///
/// # Safety
///
/// Every pattern of bytes that starts as zeroes and is changed through references must be a value of the type, and the
/// type must not need an alignment of more than a page.
pub unsafe trait Zeroed: Copy {}

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

/// Memory that is handed out in parts.
#[derive(Debug)]
pub struct Region {
    map: Arc<MmapMut>,
    start: *mut u8,
    length: usize,
    used: usize,
}

/// A part of a region, which lives as long as one of its parts.
#[derive(Debug)]
pub struct Part {
    start: *mut u8,
    length: usize,
    _region: Arc<MmapMut>,
}

// SAFETY: the memory behind the pointer belongs to the value alone, like that of a box.
unsafe impl Send for Part {}
// SAFETY: as above.
unsafe impl Sync for Part {}
// SAFETY: a region only remembers where the next part begins.
unsafe impl Send for Region {}
// SAFETY: as above.
unsafe impl Sync for Region {}

impl Region {
    /// A region of so many bytes, if there is memory for it.
    pub fn new(length: usize) -> io::Result<Region> {
        let mut map = map(length)?;
        let start = map.as_mut_ptr();
        Ok(Region { map: Arc::new(map), start, length, used: 0 })
    }

    /// The next part of so many zeroed bytes, if there are as many left.
    pub fn cut(&mut self, length: usize) -> Option<Part> {
        if self.length - self.used < length {
            return None;
        }
        // SAFETY: the part lies within the map, as was just checked.
        let start = unsafe { self.start.add(self.used) };
        self.used += length;
        Some(Part { start, length, _region: Arc::clone(&self.map) })
    }
}

impl Deref for Part {
    type Target = [u8];
    #[inline(always)]
    fn deref(&self) -> &[u8] {
        // SAFETY: the part lies within a map that it keeps alive, and overlaps no other part.
        unsafe { std::slice::from_raw_parts(self.start, self.length) }
    }
}

impl DerefMut for Part {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.length) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_zeroed_and_apart() {
        let mut region = Region::new(3 * HUGE).unwrap();
        let mut parts: Vec<Part> = std::iter::from_fn(|| region.cut(HUGE)).collect();
        assert_eq!(parts.len(), 3);
        drop(region);
        for (index, part) in parts.iter_mut().enumerate() {
            assert!(part.iter().all(|byte| *byte == 0));
            part.fill(index as u8 + 1);
        }
        parts.remove(1);
        assert!(parts[0].iter().all(|byte| *byte == 1) && parts[1].iter().all(|byte| *byte == 3));
    }
}
