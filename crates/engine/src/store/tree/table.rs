//! Keys and their numbers: a key gets the next number when it is first inserted.
//!
//! Numbers never change, whatever the table grows to, so nodes can refer to each other by them. The
//! index over the keys has buckets of one cache line with sixteen slots of four bytes. A slot is the
//! number of a key and, in the bits that no number needs yet, a part of its hash: the smaller the table,
//! the more of the hash.

use crate::store::budget::Budget;
use crate::store::compare::equal_words;
use crate::store::pages::{Pages, Zeroed};
use std::alloc::{Layout, handle_alloc_error};

const SLOTS: usize = 16;
const EMPTY: u32 = u32::MAX;
/// How many buckets behind a full one are fetched together.
const FURTHER: usize = 3;
/// Up to how many buckets the index is doubled.
const SMALL: usize = 1 << 11;
/// The most bits that a number may have.
const MOST_BITS: u32 = 31;

#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Bucket([u32; SLOTS]);

// SAFETY: every pattern of bytes is such numbers.
unsafe impl Zeroed for Bucket {}

/// Where a key is, or where it belongs.
enum Place {
    At(u32),
    Free(usize, usize),
}

/// What a bucket says of a key.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Likely {
    /// It most likely has this number.
    At(u32),
    /// It is not there.
    Absent,
    /// The bucket is full of others.
    Further,
}

/// Keys in the order of their insertion.
pub trait Column {
    /// What is numbered.
    type Key: ?Sized;

    /// How many there are.
    fn count(&self) -> u32;

    /// Whether the key with this number is `key`.
    fn holds(&self, number: u32, key: &Self::Key) -> bool;

    /// The hash of a key.
    fn hash(key: &Self::Key) -> u64;

    /// The hash of the key with this number.
    fn hash_at(&self, number: u32) -> u64;

    /// Appends a key, if the budget allows.
    fn push(&mut self, key: &Self::Key, budget: &mut Budget) -> Option<u32>;

    /// Asks the processor to fetch a key.
    fn prefetch(&self, number: u32);
}

/// A table of numbered keys.
#[derive(Debug)]
pub struct Table<C> {
    buckets: Pages<Bucket>,
    keys: C,
    /// The bits of a slot that are the number.
    bits: u32,
    cannot_grow: bool,
}

impl<C: Column> Table<C> {
    /// An empty table. Its first bytes are so few that they are taken whatever the budget.
    pub fn new(keys: C, budget: &mut Budget) -> Table<C> {
        let _ = budget.take(size_of::<Bucket>());
        let mut table = Table { buckets: Pages::default(), keys, bits: 0, cannot_grow: false };
        let first = Pages::new(1).unwrap_or_else(|_| handle_alloc_error(Layout::new::<Bucket>()));
        table.replace(first);
        table
    }

    /// How many keys there are.
    pub(crate) fn len(&self) -> u32 {
        self.keys.count()
    }

    /// The keys.
    #[inline]
    pub fn keys(&self) -> &C {
        &self.keys
    }

    /// Asks the processor to fetch the bucket of a key.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        crate::store::exact::prefetch(&raw const self.buckets[self.home(hash)]);
    }

    /// The key that most likely has this hash, by the bucket where it belongs; it is on its way into the cache, or the next buckets are.
    #[inline(always)]
    pub fn likely(&self, hash: u64) -> Likely {
        let home = self.home(hash);
        let likely = self.likely_in(home, hash);
        if likely == Likely::Further {
            let mut at = home;
            for _ in 0..FURTHER {
                at = self.following(at);
                crate::store::exact::prefetch(&raw const self.buckets[at]);
            }
        }
        likely
    }

    /// The same by the next buckets, if that one is full.
    pub fn likely_further(&self, hash: u64) -> Likely {
        let mut at = self.home(hash);
        for _ in 0..FURTHER {
            at = self.following(at);
            match self.likely_in(at, hash) {
                Likely::Further => {}
                found => return found,
            }
        }
        Likely::Further
    }

    #[inline(always)]
    fn likely_in(&self, bucket: usize, hash: u64) -> Likely {
        let bucket = &self.buckets[bucket].0;
        let bits = equal_words(bucket, self.bits, self.tag(hash));
        if bits != 0 {
            let slot = bucket[bits.trailing_zeros() as usize];
            if slot != EMPTY {
                let number = slot & self.mask();
                self.keys.prefetch(number);
                return Likely::At(number);
            }
        }
        if bucket[SLOTS - 1] == EMPTY { Likely::Absent } else { Likely::Further }
    }

    /// The number of a key, if it is there.
    #[inline]
    pub fn find(&self, key: &C::Key) -> Option<u32> {
        self.find_hashed(key, C::hash(key))
    }

    /// The same for a key with this hash.
    #[inline]
    pub fn find_hashed(&self, key: &C::Key, hash: u64) -> Option<u32> {
        match self.place(hash, key) {
            Place::At(number) => Some(number),
            Place::Free(..) => None,
        }
    }

    /// The number of a key, and whether it is new. `None`: there is no room for it.
    #[inline]
    pub fn insert(&mut self, key: &C::Key, budget: &mut Budget) -> Option<(u32, bool)> {
        self.insert_hashed(key, C::hash(key), budget)
    }

    /// The same for a key with this hash.
    #[inline]
    pub fn insert_hashed(&mut self, key: &C::Key, hash: u64, budget: &mut Budget) -> Option<(u32, bool)> {
        match self.place(hash, key) {
            Place::At(number) => Some((number, false)),
            Place::Free(bucket, slot) => {
                self.add(bucket, slot, hash, key, budget).map(|number| (number, true))
            }
        }
    }

    fn place(&self, hash: u64, key: &C::Key) -> Place {
        let tag = self.tag(hash);
        let mut at = self.home(hash);
        loop {
            let bucket = &self.buckets[at].0;
            let mut bits = equal_words(bucket, self.bits, tag);
            while bits != 0 {
                let slot = bucket[bits.trailing_zeros() as usize];
                // The number of an empty slot is higher than any.
                let number = slot & self.mask();
                if number < self.keys.count() && self.keys.holds(number, key) {
                    return Place::At(number);
                }
                bits &= bits - 1;
            }
            if bucket[SLOTS - 1] == EMPTY {
                let free = equal_words(bucket, 0, EMPTY);
                return Place::Free(at, free.trailing_zeros() as usize);
            }
            at = self.following(at);
        }
    }

    fn add(
        &mut self,
        mut bucket: usize,
        mut slot: usize,
        hash: u64,
        key: &C::Key,
        budget: &mut Budget,
    ) -> Option<u32> {
        let slots = self.buckets.len() * SLOTS;
        let len = self.keys.count() as usize;
        if len + 2 >= 1 << MOST_BITS {
            return None;
        }
        if len >= slots / 8 * 7 {
            if self.grow(budget) {
                (bucket, slot) = self.free(hash);
            } else if len + 1 >= slots - slots / 32 {
                return None;
            }
        }
        let number = self.keys.push(key, budget)?;
        self.buckets[bucket].0[slot] = self.tag(hash) << self.bits | number;
        Some(number)
    }

    fn free(&self, hash: u64) -> (usize, usize) {
        let mut at = self.home(hash);
        loop {
            let empty = equal_words(&self.buckets[at].0, 0, EMPTY);
            if empty != 0 {
                return (at, empty.trailing_zeros() as usize);
            }
            at = self.following(at);
        }
    }

    /// Makes the index larger, by half unless it is small; false if there is no room for that.
    fn grow(&mut self, budget: &mut Budget) -> bool {
        let old = self.buckets.len();
        let new = match old {
            small @ ..SMALL => small * 2,
            large => large / 2 * 3,
        };
        let size = size_of::<Bucket>();
        if self.cannot_grow || !budget.exchange(old * size, new * size) {
            return false;
        }
        let Ok(buckets) = Pages::new(new) else {
            self.cannot_grow = true;
            budget.give((new - old) * size);
            return false;
        };
        // Memory is there once it is written to, and by then the old index is gone.
        self.replace(buckets);
        self.enter_all();
        true
    }

    /// Has these buckets from now on, all of them empty.
    fn replace(&mut self, buckets: Pages<Bucket>) {
        self.buckets = buckets;
        self.buckets.fill(Bucket([EMPTY; SLOTS]));
        // One number more than there are slots, so that no slot that is in use has all bits set.
        self.bits = (usize::BITS - (self.buckets.len() * SLOTS + 1).leading_zeros()).min(MOST_BITS);
    }

    /// Enters every key into an empty index, each once its bucket has been on its way into the cache for a while.
    fn enter_all(&mut self) {
        const AHEAD: u32 = 32;
        let mut hashes = [0; AHEAD as usize];
        let count = self.keys.count();
        for number in 0..count.saturating_add(AHEAD) {
            let place = (number % AHEAD) as usize;
            let hash = hashes[place];
            if number < count {
                let next = self.keys.hash_at(number);
                hashes[place] = next;
                self.prefetch(next);
            }
            if let Some(number) = number.checked_sub(AHEAD) {
                let (bucket, slot) = self.free(hash);
                self.buckets[bucket].0[slot] = self.tag(hash) << self.bits | number;
            }
        }
    }

    #[inline]
    fn following(&self, bucket: usize) -> usize {
        if bucket + 1 == self.buckets.len() { 0 } else { bucket + 1 }
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.buckets.len() as u128) >> 64) as usize
    }

    /// The low bits of the hash, which the bucket does not use.
    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        hash as u32 & (u32::MAX >> self.bits)
    }

    #[inline]
    fn mask(&self) -> u32 {
        !(u32::MAX << self.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::tree::keys::{Key, Keys};

    #[test]
    fn numbers_are_given_in_order_and_stay() {
        let mut budget = Budget::new(None);
        let mut table = Table::new(Keys::default(), &mut budget);
        let key =
            |i: u32| Key { left: i.wrapping_mul(2_654_435_761) >> 4, right: i % 1000, shape: (i % 2) as u8 };
        for i in 0..200_000 {
            assert_eq!(table.insert(&key(i), &mut budget), Some((i, true)));
            assert_eq!(table.insert(&key(i / 2), &mut budget), Some((i / 2, false)));
        }
        for i in 0..200_000 {
            assert_eq!((table.find(&key(i)), table.keys().get(i)), (Some(i), key(i)));
        }
        assert_eq!(table.find(&Key { left: 5, right: 2000, shape: 0 }), None);
    }

    #[test]
    fn a_full_table_says_so_and_stays_usable() {
        let mut budget = Budget::new(Some(100_000));
        let mut table = Table::new(Keys::default(), &mut budget);
        let key = |i: u32| Key { left: i, right: i, shape: 0 };
        let full = (0..).find(|i| table.insert(&key(*i), &mut budget).is_none()).unwrap_or(0);
        assert!(full > 5000 && budget.used() <= 100_000);
        assert!((0..full).all(|i| table.find(&key(i)) == Some(i)));
        assert_eq!(table.find(&key(full)), None);
    }
}
