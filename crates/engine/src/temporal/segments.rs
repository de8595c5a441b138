//! An array that several threads share and that grows without moving: what is not asked for takes no room.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers of a segment, segments of a group, and groups, at most.
const SEGMENT: usize = 1 << 12;
const GROUP: usize = 1 << 9;
const GROUPS: usize = 1 << 9;

type Segment<T> = OnceLock<Box<[T]>>;
type Group<T> = OnceLock<Box<[Segment<T>]>>;

/// The array: for each number, so many places, each with the default value at first.
#[derive(Debug)]
pub struct Segments<T> {
    groups: Box<[Group<T>]>,
    each: usize,
    allocated: AtomicU64,
}

impl<T: Default> Segments<T> {
    /// Numbers are below this.
    pub const END: u32 = (SEGMENT * GROUP * GROUPS) as u32;

    /// With so many places for each number.
    pub fn new(each: usize) -> Segments<T> {
        let groups: Box<[_]> = (0..GROUPS).map(|_| OnceLock::new()).collect();
        let bytes = size_of_val(&*groups) as u64;
        Segments { groups, each, allocated: AtomicU64::new(bytes) }
    }

    /// The places of a number, which is below [`Segments::END`].
    #[inline]
    pub fn get(&self, number: u32) -> &[T] {
        let number = number as usize;
        let group = self.groups[number / SEGMENT / GROUP].get_or_init(|| {
            self.count::<Segment<T>>(GROUP);
            (0..GROUP).map(|_| OnceLock::new()).collect()
        });
        let segment = group[number / SEGMENT % GROUP].get_or_init(|| {
            self.count::<T>(SEGMENT * self.each);
            (0..SEGMENT * self.each).map(|_| T::default()).collect()
        });
        &segment[number % SEGMENT * self.each..][..self.each]
    }

    fn count<U>(&self, places: usize) {
        self.allocated.fetch_add((places * size_of::<U>()) as u64, Ordering::Relaxed);
    }

    /// Bytes allocated.
    pub fn bytes(&self) -> u64 {
        self.allocated.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    #[test]
    fn numbers_have_places_of_their_own() {
        let all: Segments<AtomicU32> = Segments::new(3);
        let numbers = [0, 1, SEGMENT as u32 - 1, SEGMENT as u32, 5_000_000, Segments::<AtomicU32>::END - 1];
        for number in numbers {
            all.get(number).iter().zip(0..).for_each(|(place, i)| place.store(number ^ i, Ordering::Relaxed));
        }
        for number in numbers {
            let found: Vec<u32> = all.get(number).iter().map(|place| place.load(Ordering::Relaxed)).collect();
            assert_eq!(found, [number, number ^ 1, number ^ 2]);
        }
        assert!((12 * 4 * SEGMENT as u64..1 << 20).contains(&all.bytes()), "four segments: {}", all.bytes());
    }
}
