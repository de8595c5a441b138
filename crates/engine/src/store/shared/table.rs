//! The slots of a table that several threads fill.
//!
//! A slot is a word: 32 bits of the hash and a reference. Eight of them, a cache line, are a bucket. The same 32
//! bits tell the bucket, by multiplication, so the order of buckets is that of hashes in a table of any
//! size, and growing needs neither the states nor other memory than what is added: the slots move up, the last first.

use crate::store::StateRef;
use crate::store::exact::prefetch;
use std::sync::atomic::{AtomicU64, Ordering};

/// Slots in a bucket.
const BUCKET: usize = 8;
/// The fewest buckets.
const FIRST: usize = 128;
/// From this many buckets on (4 MiB, 64 MiB) the table grows in smaller steps.
const MIDDLING: usize = 1 << 16;
const LARGE: usize = 1 << 20;
/// Bytes of the table that a state takes, about.
const SHARE: u64 = 12;

/// A slot without a state.
pub const EMPTY: u64 = 0;

/// The slot of a state. References count from 1 there, so no slot that is taken is [`EMPTY`].
#[inline]
pub fn slot(hash: u64, reference: StateRef) -> u64 {
    hash & !0xffff_ffff | (u64::from(reference.0) + 1)
}

/// The reference in a slot that is taken.
#[inline]
pub fn reference(slot: u64) -> StateRef {
    StateRef((slot as u32).wrapping_sub(1))
}

/// Whether the state in a slot may have this hash.
#[inline]
pub fn same_tag(hash: u64, slot: u64) -> bool {
    (hash ^ slot) >> 32 == 0
}

/// The slots.
#[derive(Debug)]
pub struct Table {
    /// The buckets begin at `start`, so that each is one cache line.
    slots: Vec<AtomicU64>,
    start: usize,
    buckets: usize,
    /// There is no room for a larger table.
    final_size: bool,
}

impl Table {
    /// An empty table with room for at least so many states.
    pub fn new(states: usize) -> Table {
        let buckets = states.div_ceil(BUCKET).max(FIRST);
        let mut slots = Vec::new();
        slots.resize_with((buckets + 1) * BUCKET, AtomicU64::default);
        let start = aligned(&slots);
        Table { slots, start, buckets, final_size: false }
    }

    /// Bytes allocated.
    pub fn bytes(&self) -> u64 {
        (self.slots.capacity() * size_of::<AtomicU64>()) as u64
    }

    /// Whether a table with so many states should grow.
    pub fn is_crowded(&self, states: u64) -> bool {
        states >= (self.buckets * BUCKET / 4 * 3) as u64
    }

    /// Whether it is so full that no more states should be added.
    pub fn is_full(&self, states: u64) -> bool {
        states >= (self.buckets * BUCKET / 100 * 97) as u64
    }

    /// Whether there was room for a larger one when that was last asked.
    pub fn can_grow(&self) -> bool {
        !self.final_size
    }

    /// The bucket in which a state belongs. Behind it comes the [`Table::following`] one, and so on.
    #[inline]
    pub fn home(&self, hash: u64) -> usize {
        (((hash >> 32) * self.buckets as u64) >> 32) as usize
    }

    /// The bucket behind one; behind the last, the first.
    #[inline]
    pub fn following(&self, number: usize) -> usize {
        if number + 1 == self.buckets { 0 } else { number + 1 }
    }

    /// How many buckets there are.
    #[inline]
    pub fn buckets(&self) -> usize {
        self.buckets
    }

    /// The slots of a bucket, in the order in which they are filled.
    #[inline]
    pub fn bucket(&self, number: usize) -> &[AtomicU64] {
        let at = self.start + number * BUCKET;
        &self.slots[at..at + BUCKET]
    }

    /// Asks the processor to fetch the bucket of a hash.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        prefetch(self.bucket(self.home(hash)).as_ptr());
    }

    /// The first state in the bucket of a hash that may have it.
    #[inline]
    pub fn likely(&self, hash: u64) -> Option<StateRef> {
        let slots = self.bucket(self.home(hash)).iter().map(|slot| slot.load(Ordering::Acquire));
        slots.take_while(|slot| *slot != EMPTY).find(|slot| same_tag(hash, *slot)).map(reference)
    }

    /// Makes the table larger, within `room` bytes of which the records of new states need their share: so many
    /// states have taken so many bytes of records.
    pub fn grow(&mut self, room: u64, records: u64, states: u64) {
        let wanted = match self.buckets {
            small @ ..4096 => small * 4,
            middling @ ..MIDDLING => middling * 2,
            large @ ..LARGE => large / 2 * 3,
            huge => huge / 4 * 5,
        };
        let share = room / (SHARE + records / states.max(1)) * SHARE;
        let fits = self.buckets as u64 + share / (BUCKET * size_of::<u64>()) as u64;
        let buckets = wanted.min(usize::try_from(fits).unwrap_or(usize::MAX));
        // A little more is not worth the work.
        self.final_size = buckets < self.buckets + self.buckets / 16 || !self.reserve(buckets);
        if !self.final_size {
            self.spread(buckets);
        }
    }

    /// Makes room for so many buckets; false if the system refuses the memory.
    fn reserve(&mut self, buckets: usize) -> bool {
        let slots = (buckets + 1) * BUCKET;
        if self.slots.try_reserve_exact(slots - self.slots.len()).is_err() {
            return false;
        }
        self.slots.resize_with(slots, AtomicU64::default);
        // The memory may have moved. In front of the buckets and behind them there is nothing but empty slots.
        let start = aligned(&self.slots);
        match start >= self.start {
            true => self.slots.rotate_right(start - self.start),
            false => self.slots.rotate_left(self.start - start),
        }
        self.start = start;
        true
    }

    /// Moves every state to where it belongs among so many buckets, for which there is room.
    ///
    /// Buckets are emptied from the last to the first. A state moves up or stays, except for one that had been put behind its own
    /// bucket because that was full. Such a one waits until its new bucket was emptied. So a state is only ever put into
    /// buckets from which nothing is taken any more, and all in front of it on its way stay taken.
    fn spread(&mut self, buckets: usize) {
        let old = std::mem::replace(&mut self.buckets, buckets);
        let mut waiting: Vec<u64> = Vec::new();
        for number in (0..old).rev() {
            let at = self.start + number * BUCKET;
            let taken = self.slots[at..at + BUCKET].iter_mut().map(|slot| std::mem::take(slot.get_mut()));
            waiting.extend(taken.filter(|slot| *slot != EMPTY));
            let mut index = 0;
            while index < waiting.len() {
                if self.home(waiting[index]) >= number {
                    let slot = waiting.swap_remove(index);
                    self.put(slot);
                } else {
                    index += 1;
                }
            }
        }
    }

    fn put(&mut self, slot: u64) {
        let mut number = self.home(slot);
        for _ in 0..self.buckets {
            let at = self.start + number * BUCKET;
            let bucket = &mut self.slots[at..at + BUCKET];
            if let Some(free) = bucket.iter_mut().map(AtomicU64::get_mut).find(|free| **free == EMPTY) {
                *free = slot;
                return;
            }
            number = self.following(number);
        }
        debug_assert!(false, "a larger table has room for what was in a smaller one");
    }
}

/// The first slot that begins a cache line.
fn aligned(slots: &[AtomicU64]) -> usize {
    let line = BUCKET * size_of::<AtomicU64>();
    let beyond = slots.as_ptr().addr() % line;
    (line - beyond) % line / size_of::<AtomicU64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hashes whose upper halves crowd in a few places, as many as asked for.
    fn crowded(states: u32) -> Vec<u64> {
        (0..states).map(|i| crate::store::hash(&(i / 7).to_le_bytes()) & !0xff_ffff_ffff | 0x77).collect()
    }

    #[test]
    fn what_was_put_in_is_found_after_growing() {
        let mut table = Table::new(0);
        let hashes = crowded(3000);
        let mut next = 0;
        for step in [3000usize, 3001, 3500, 4100, 9000] {
            let fill = (table.buckets * BUCKET * 9 / 10).min(hashes.len());
            for (index, hash) in hashes.iter().enumerate().take(fill).skip(next) {
                table.put(slot(*hash, StateRef(index as u32)));
            }
            next = fill.max(next);
            assert!(table.reserve(step));
            table.spread(step);
            let taken = table.slots.iter().filter(|slot| slot.load(Ordering::Relaxed) != EMPTY).count();
            assert_eq!(taken, next);
            for (index, hash) in hashes.iter().enumerate().take(next) {
                let mut number = table.home(*hash);
                let mut found = false;
                while !found {
                    for slot in table.bucket(number).iter().map(|slot| slot.load(Ordering::Relaxed)) {
                        assert_ne!(slot, EMPTY, "{index} is not found among {step} buckets");
                        found |= reference(slot) == StateRef(index as u32);
                        if found {
                            break;
                        }
                    }
                    number = table.following(number);
                }
            }
        }
        assert_eq!(next, hashes.len());
    }

    #[test]
    fn growth_leaves_room_for_the_records() {
        let mut table = Table::new(0);
        let before = table.bytes();
        // 1000 states took 52 bytes each; of 64,000 bytes the table may have a fifth or so.
        table.grow(64_000, 52_000, 1000);
        assert!(table.can_grow());
        assert!(table.bytes() > before && table.bytes() <= before + 64_000 / 5);
        table.grow(1_000, 52_000, 1000);
        assert!(!table.can_grow());
    }

    #[test]
    fn a_bucket_is_a_cache_line() {
        let mut table = Table::new(0);
        for buckets in [700, 5000, 100_000] {
            assert!(table.reserve(buckets));
            assert_eq!(table.bucket(0).as_ptr().addr() % 64, 0);
            table.buckets = buckets;
            assert_eq!(table.bucket(buckets - 1).len(), BUCKET);
        }
    }
}
