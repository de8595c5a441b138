//! The slots of a table that several threads fill.
//!
//! A slot is a word: 32 bits of the hash and a reference. Eight of them, a cache line, are a bucket. The same 32
//! bits tell the bucket, by multiplication, so the order of buckets is that of hashes in a table of any
//! size, and growing needs neither the states nor other memory than what is added: the slots move up ([`spread`](super::spread)).
//!
//! The table is one piece of memory, in huge pages where the system has them; a large one grows by whole segments.

use super::spread::{Piece, Spread};
use crate::store::StateRef;
use crate::store::compare::compare_slots;
use crate::store::exact::prefetch;
use crate::store::pages::Pages;
use std::sync::atomic::{AtomicU64, Ordering};

/// Slots in a bucket.
const BUCKET: usize = 8;
/// The fewest buckets.
const FIRST: usize = 128;
/// Buckets of a segment (8 MiB).
const SEGMENT: usize = 1 << 17;
/// From this many buckets on (4 MiB) the table grows in smaller steps, unless it is small beside the records.
const MIDDLING: usize = 1 << 16;
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

/// What a look at a bucket found.
pub struct Look<'t> {
    bucket: &'t [AtomicU64; BUCKET],
    /// The slots in front of the first empty one that have the tag, as bits.
    matching: u32,
    /// The first empty slot.
    pub free: Option<Free<'t>>,
}

/// What a first look at a bucket found.
pub enum First {
    /// This may be the state.
    Likely(StateRef),
    /// Nothing may be the state, and this is the first empty slot.
    Free(u32),
    /// Nothing may be the state, and no slot is empty.
    Full,
}

/// A slot that was empty.
#[derive(Copy, Clone)]
pub struct Free<'t>(&'t AtomicU64);

/// What has become of a slot that was empty.
pub enum Now {
    /// It still is.
    Empty,
    /// It was taken, and may be by the state in question.
    Likely(StateRef),
    /// It was taken by another state.
    Taken,
}

impl Look<'_> {
    /// The states that may have the hash.
    #[inline]
    pub fn references(&self) -> impl Iterator<Item = StateRef> {
        let mut bits = self.matching;
        std::iter::from_fn(move || {
            let slot = self.bucket.get(bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            // Nothing changes in a slot that is taken.
            Some(reference(slot.load(Ordering::Relaxed)))
        })
    }
}

impl Free<'_> {
    /// What has become of it.
    #[inline]
    pub fn now(self, hash: u64) -> Now {
        match self.0.load(Ordering::Acquire) {
            EMPTY => Now::Empty,
            taken if taken >> 32 == hash >> 32 => Now::Likely(reference(taken)),
            _ => Now::Taken,
        }
    }

    /// Puts a state into the slot. False: another thread was first.
    #[inline]
    pub fn take(self, hash: u64, reference: StateRef) -> bool {
        // Release: who finds the reference finds the record.
        let taken = slot(hash, reference);
        self.0.compare_exchange(EMPTY, taken, Ordering::Release, Ordering::Relaxed).is_ok()
    }
}

/// The slots.
#[derive(Debug)]
pub struct Table {
    slots: Pages<AtomicU64>,
    buckets: usize,
    /// There is no room for a larger table.
    final_size: bool,
    /// How the table grows, while it does.
    spread: Option<Spread>,
}

impl Table {
    /// An empty table with room for at least so many states.
    pub fn new(states: usize) -> Table {
        let buckets = states.div_ceil(BUCKET).max(FIRST);
        let mut table = Table { slots: Pages::default(), buckets: 0, final_size: false, spread: None };
        assert!(table.reserve(buckets), "there is memory for an empty table");
        table.buckets = buckets;
        table
    }

    /// Bytes allocated.
    pub fn bytes(&self) -> u64 {
        size_of_val(&self.slots[..]) as u64
    }

    /// Whether a table with so many states should grow: fuller buckets are full too often, and each look behind one waits for memory.
    pub fn is_crowded(&self, states: u64) -> bool {
        states >= (self.buckets * BUCKET / 5 * 3) as u64
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
    #[inline(always)]
    fn bucket(&self, number: usize) -> &[AtomicU64; BUCKET] {
        &self.slots.as_chunks().0[number]
    }

    fn bucket_mut(&mut self, number: usize) -> &mut [AtomicU64; BUCKET] {
        &mut self.slots.as_chunks_mut().0[number]
    }

    /// Looks at all slots of a bucket, without a branch for each: how many are taken can't be foreseen.
    #[inline]
    pub fn look(&self, number: usize, hash: u64) -> Look<'_> {
        let bucket = self.bucket(number);
        let (same, empty) = compare_slots(bucket, (hash >> 32) as u32);
        // What other threads put behind the first empty slot meanwhile is not looked at: they have filled that one too.
        let matching = same & (empty & empty.wrapping_neg()).wrapping_sub(1);
        Look { bucket, matching, free: bucket.get(empty.trailing_zeros() as usize).map(Free) }
    }

    /// Asks the processor to fetch the bucket of a hash.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        prefetch(self.bucket(self.home(hash)).as_ptr());
    }

    /// Asks the processor to fetch a bucket.
    #[inline]
    pub fn prefetch_bucket(&self, number: usize) {
        prefetch(self.bucket(number).as_ptr());
    }

    /// The first state in a bucket that may have this hash, or where the first empty slot is.
    ///
    /// Slots are filled one after another, so there are as many taken ones in front of the first empty one as there are at all. If
    /// a slot was filled while others behind it were still to be looked at, and one of those was taken then, the slot that
    /// is given has been filled too: nobody can put a state there without looking again.
    #[inline]
    pub fn first(&self, number: usize, hash: u64) -> First {
        let bucket = self.bucket(number);
        let (same, empty) = compare_slots(bucket, (hash >> 32) as u32);
        // A tag may be that of an empty slot.
        if let Some(slot) = bucket.get((same & !empty).trailing_zeros() as usize) {
            // Nothing changes in a slot that is taken.
            return First::Likely(reference(slot.load(Ordering::Relaxed)));
        }
        match BUCKET as u32 - empty.count_ones() {
            all if all == BUCKET as u32 => First::Full,
            taken => First::Free(taken),
        }
    }

    /// A slot of a bucket, if it has one of this number.
    #[inline]
    pub fn slot(&self, bucket: usize, number: u32) -> Option<Free<'_>> {
        self.bucket(bucket).get(number as usize).map(Free)
    }

    /// Begins to make the table larger, within `room` bytes of which the records of new states need their share: so many
    /// states have taken so many bytes of records.
    pub fn begin_growth(&mut self, room: u64, records: u64, states: u64) {
        let bytes = |buckets: usize| (buckets * BUCKET * size_of::<u64>()) as u64;
        let wanted = match self.buckets {
            small @ ..4096 => small * 4,
            middling @ ..MIDDLING if bytes(middling * 4) <= records / 3 => middling * 4,
            middling @ ..MIDDLING => middling * 2,
            large if bytes(large * 2) <= records / 3 => large * 2,
            large => large / 2 * 3,
        };
        let whole =
            |buckets: usize| if buckets > SEGMENT { buckets.next_multiple_of(SEGMENT) } else { buckets };
        let share = room / (SHARE + records / states.max(1)) * SHARE;
        let fits = self.buckets as u64 + share / bytes(1);
        let fits = match usize::try_from(fits).unwrap_or(usize::MAX) {
            large @ SEGMENT.. => large / SEGMENT * SEGMENT,
            small => small,
        };
        let buckets = whole(wanted).min(fits);
        // A little more is not worth the work.
        self.final_size = buckets < self.buckets + self.buckets / 16 || !self.reserve(buckets);
        if !self.final_size {
            self.spread = Some(Spread::new(self.buckets, buckets));
            self.buckets = buckets;
        }
    }

    /// Makes room for so many buckets; false if the system refuses the memory.
    fn reserve(&mut self, buckets: usize) -> bool {
        let (length, kept) = (buckets * BUCKET, self.slots.len());
        if length <= kept {
            return true;
        }
        if kept >= SEGMENT * BUCKET {
            return self.slots.enlarge(length).is_ok();
        }
        // What was in small pages comes into huge ones.
        let Ok(mut longer) = Pages::new(length) else { return false };
        longer[..kept].swap_with_slice(&mut self.slots);
        self.slots = longer;
        true
    }

    /// Whether the table has begun to grow and not ended. Nothing is looked for in it meanwhile.
    pub fn is_growing(&self) -> bool {
        self.spread.is_some()
    }

    /// Moves states of a table that grows to where they belong, together with other threads, and waits for these.
    pub fn help(&self) {
        let Some(spread) = &self.spread else { return };
        let mut filled = Vec::new();
        spread.help(|piece, aside| self.carry(piece, &mut filled, aside));
    }

    /// Moves the states of some buckets, which nobody else looks at, to others.
    fn carry(&self, piece: Piece, filled: &mut Vec<u8>, aside: &mut Vec<u64>) {
        let (first, end) = piece.to;
        filled.clear();
        filled.resize(end - first, 0);
        for number in piece.from.0..piece.from.1 {
            for slot in self.bucket(number) {
                let value = slot.load(Ordering::Relaxed);
                if value == EMPTY {
                    continue;
                }
                slot.store(EMPTY, Ordering::Relaxed);
                let mut home = self.home(value);
                if home < first {
                    aside.push(value);
                    continue;
                }
                while home < end && filled[home - first] == BUCKET as u8 {
                    home += 1;
                }
                if home >= end {
                    aside.push(value);
                    continue;
                }
                let at = &mut filled[home - first];
                self.bucket(home)[usize::from(*at)].store(value, Ordering::Relaxed);
                *at += 1;
            }
        }
    }

    /// Ends a growth once all threads that help have done their part. False: they have not.
    pub fn end_growth(&mut self) -> bool {
        if self.spread.as_ref().is_some_and(|spread| !spread.is_done()) {
            return false;
        }
        if let Some(mut spread) = self.spread.take() {
            let mut aside = spread.take_aside();
            self.spread_first(spread.rest(), &mut aside);
            aside.into_iter().for_each(|slot| self.put(slot));
        }
        true
    }

    /// Moves the states of the buckets in front of this one; those behind were moved before. What goes beyond the
    /// last bucket is kept aside.
    ///
    /// Buckets are emptied from the last to the first. A state moves up or stays, except for one that had been put behind its own
    /// bucket because that was full. Such a one waits until its new bucket was emptied. So a state is only ever put into
    /// buckets from which nothing is taken any more, and all in front of it on its way stay taken.
    fn spread_first(&mut self, end: usize, aside: &mut Vec<u64>) {
        let mut waiting: Vec<u64> = Vec::new();
        for number in (0..end).rev() {
            let taken = self.bucket_mut(number).each_mut().map(|slot| std::mem::take(slot.get_mut()));
            for slot in taken.into_iter().filter(|slot| *slot != EMPTY) {
                if self.home(slot) < number {
                    waiting.push(slot);
                } else if !self.put_before_end(slot) {
                    aside.push(slot);
                }
            }
            let mut index = 0;
            while index < waiting.len() {
                if self.home(waiting[index]) < number {
                    index += 1;
                    continue;
                }
                let slot = waiting.swap_remove(index);
                if !self.put_before_end(slot) {
                    aside.push(slot);
                }
            }
        }
    }

    /// Puts a state where it belongs, or behind. False: all buckets from there to the last are full.
    #[inline]
    fn put_before_end(&mut self, slot: u64) -> bool {
        let home = self.home(slot);
        (home..self.buckets).any(|number| self.put_into(number, slot))
    }

    /// Puts a state into a bucket, unless that is full.
    #[inline]
    fn put_into(&mut self, number: usize, slot: u64) -> bool {
        let free = self.bucket_mut(number).iter_mut().map(AtomicU64::get_mut).find(|free| **free == EMPTY);
        free.map(|free| *free = slot).is_some()
    }

    /// Puts a state where it belongs, or behind; behind the last bucket, from the first on.
    fn put(&mut self, slot: u64) {
        let mut number = self.home(slot);
        for _ in 0..self.buckets {
            if self.put_into(number, slot) {
                return;
            }
            number = self.following(number);
        }
        debug_assert!(false, "a larger table has room for what was in a smaller one");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hashes whose upper halves crowd in a few places, as many as asked for.
    fn crowded(states: u32) -> Vec<u64> {
        (0..states).map(|i| crate::store::hash(&(i / 7).to_le_bytes()) & !0xff_ffff_ffff | 0x77).collect()
    }

    fn grow_to(table: &mut Table, buckets: usize) {
        table.spread = Some(Spread::new(table.buckets, buckets));
        table.buckets = buckets;
        let table_now = &*table;
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| table_now.help());
            }
        });
        assert!(table.end_growth());
    }

    #[test]
    fn what_was_put_in_is_found_after_growing() {
        let mut table = Table::new(0);
        let hashes = crowded(3000);
        let mut next = 0;
        for step in [3000usize, 3001, 3500, 4100, 9000, SEGMENT, 2 * SEGMENT, 5 * SEGMENT] {
            let fill = (table.buckets * BUCKET * 9 / 10).min(hashes.len());
            for (index, hash) in hashes.iter().enumerate().take(fill).skip(next) {
                table.put(slot(*hash, StateRef(index as u32)));
            }
            next = fill.max(next);
            assert!(table.reserve(step));
            grow_to(&mut table, step);
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

    /// All states of all buckets, in any order.
    fn contents(table: &Table) -> Vec<u64> {
        let slots = table.slots.iter().map(|slot| slot.load(Ordering::Relaxed));
        let mut contents: Vec<u64> = slots.filter(|slot| *slot != EMPTY).collect();
        contents.sort_unstable();
        contents
    }

    /// Whether a look that ends at the first empty slot finds a state.
    fn finds(table: &Table, wanted: u64) -> bool {
        let mut number = table.home(wanted);
        for _ in 0..table.buckets {
            for slot in table.bucket(number).iter().map(|slot| slot.load(Ordering::Relaxed)) {
                if slot == wanted || slot == EMPTY {
                    return slot == wanted;
                }
            }
            number = table.following(number);
        }
        false
    }

    #[test]
    fn full_tables_grow_by_any_step_and_lose_nothing() {
        let random = |seed: u64| crate::store::hash(&seed.to_le_bytes());
        for round in 0..96u64 {
            let mut table = Table::new(0);
            let mut expected = Vec::new();
            for growth in 0..4u64 {
                // From nearly empty to full up to the last slot; with hashes spread evenly, or crowded at both ends.
                let slots = (table.buckets * BUCKET) as u64;
                let fill = if round % 4 == 0 { slots } else { random(round * 8 + growth) % slots };
                while (expected.len() as u64) < fill {
                    let count = expected.len() as u64;
                    let hash = match (round / 4 + growth) % 3 {
                        0 => random(round << 32 | count),
                        1 => random(round << 32 | count) | 0xfff8 << 48,
                        _ => random(round << 32 | count) & ((1 << 58) - 1),
                    };
                    let slot = slot(hash, StateRef(count as u32));
                    table.put(slot);
                    expected.push(slot);
                }
                let larger = table.buckets + 1 + random(round + growth) as usize % (2 * table.buckets);
                assert!(table.reserve(larger));
                grow_to(&mut table, larger);
                expected.sort_unstable();
                assert_eq!(contents(&table), expected);
                assert!(expected.iter().all(|slot| finds(&table, *slot)));
            }
        }
    }

    #[test]
    fn growth_leaves_room_for_the_records() {
        let mut table = Table::new(0);
        let before = table.bytes();
        // 1000 states took 52 bytes each; of 64,000 bytes the table may have a fifth or so.
        table.begin_growth(64_000, 52_000, 1000);
        table.help();
        assert!(table.end_growth());
        assert!(table.can_grow());
        assert!(table.bytes() > before && table.bytes() <= before + 64_000 / 5);
        table.begin_growth(1_000, 52_000, 1000);
        assert!(!table.can_grow());
    }

    #[test]
    fn a_bucket_is_a_cache_line() {
        let mut table = Table::new(0);
        for buckets in [700, 5000, 100_000, 2 * SEGMENT] {
            assert!(table.reserve(buckets));
            assert_eq!(table.bucket(0).as_ptr().addr() % 64, 0);
            table.buckets = buckets;
            assert_eq!(table.bucket(buckets - 1).len(), BUCKET);
        }
    }
}
