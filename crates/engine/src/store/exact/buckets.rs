//! The table of the exact set: where the records of states are.
//!
//! A bucket is a cache line of ten slots, which are filled one after another. A slot has a reference to a record, a tag of
//! fifteen bits, and how far behind the bucket where the record belongs it was put because that was full. The upper half of the hash, multiplied by the number of buckets, gives the
//! bucket, and the rest of the product the tag. Such products lie as far apart as there are buckets, so that in a table that is not small the tag tells them
//! all from each other: with the bucket it is the upper half of the hash. So the table grows in place, by any
//! step, and neither reads the records nor needs other memory than what is added.

use super::prefetch;
use crate::store::StateRef;
use crate::store::compare::equal_bytes;
use crate::store::pages::{HUGE, Pages, Zeroed};
use std::io;

const SLOTS: usize = 10;
/// From this many buckets on (8 MiB), as a power of two, a tag leaves out nothing.
const WHOLE: u32 = 17;
/// Set in the tag of every slot that is taken.
const TAKEN: u16 = 0x8000;
/// Bits that tell how far a record is behind its bucket; and that it is as far as this or farther.
const DISTANCE: u32 = 3;
const FAR: usize = 7;

#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
struct Bucket {
    /// The lower halves of the tags, then the upper ones: 0 if the slot is empty.
    tags: [u8; 2 * SLOTS],
    distances: u32,
    references: [u32; SLOTS],
}

// SAFETY: a bucket is numbers, all of which may be 0, and a page is aligned to more than a cache line.
unsafe impl Zeroed for Bucket {}

impl Bucket {
    /// The slots whose tag has this upper half, as bits.
    #[inline(always)]
    fn upper(&self, half: u8) -> u32 {
        const BEHIND: usize = 2 * SLOTS - 16;
        self.tags.last_chunk().map_or(0, |tags| equal_bytes(tags, half)) >> (SLOTS - BEHIND)
    }

    /// The slots whose tag is `tag`, as bits.
    #[inline(always)]
    fn matching(&self, tag: u16) -> u32 {
        let [lower, upper] = tag.to_le_bytes();
        self.tags.first_chunk().map_or(0, |tags| equal_bytes(tags, lower)) & self.upper(upper)
    }

    #[inline(always)]
    fn first_empty(&self) -> Option<usize> {
        let empty = self.upper(0);
        (empty != 0).then(|| empty.trailing_zeros() as usize)
    }
}

/// Where a state belongs.
#[derive(Copy, Clone, Debug)]
pub struct Spot {
    /// The bucket.
    pub bucket: usize,
    tag: u16,
}

/// What a look at a bucket found.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Look {
    /// This record may be that of the state, and perhaps others.
    Likely(StateRef),
    /// Nothing there may be, and there is an empty slot.
    Absent,
    /// Nothing there may be, and no slot is empty.
    Full,
}

/// The table.
#[derive(Debug, Default)]
pub struct Buckets {
    all: Pages<Bucket>,
    /// Bits of a product that the tag leaves out.
    shift: u32,
}

fn shift_for(buckets: usize) -> u32 {
    buckets.ilog2().max(WHOLE)
}

impl Buckets {
    /// So many empty buckets, if there is memory for them.
    pub fn new(buckets: usize) -> io::Result<Buckets> {
        // A small table is soon used everywhere.
        let all =
            if Buckets::bytes(buckets) < HUGE as u64 { Pages::present(buckets) } else { Pages::new(buckets) };
        Ok(Buckets { all: all?, shift: shift_for(buckets) })
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// How many slots they have.
    #[inline]
    pub fn slots(&self) -> usize {
        self.all.len() * SLOTS
    }

    /// The bytes that so many take.
    pub fn bytes(buckets: usize) -> u64 {
        (buckets * size_of::<Bucket>()) as u64
    }

    /// Where a state with this hash belongs.
    #[inline(always)]
    pub fn spot(&self, hash: u64) -> Spot {
        self.spot_of(hash >> 32)
    }

    #[inline(always)]
    fn spot_of(&self, half: u64) -> Spot {
        let product = half * self.all.len() as u64;
        let tag = (product as u32 >> self.shift) as u16 | TAKEN;
        Spot { bucket: (product >> 32) as usize, tag }
    }

    /// Asks the processor to fetch the bucket of a hash.
    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        self.prefetch_bucket(self.spot(hash).bucket);
    }

    /// Asks the processor to fetch a bucket.
    #[inline(always)]
    pub fn prefetch_bucket(&self, bucket: usize) {
        prefetch(&raw const self.all[bucket]);
    }

    /// Looks into a bucket for what belongs to a spot.
    #[inline(always)]
    pub fn look(&self, bucket: usize, spot: Spot) -> Look {
        let bucket = &self.all[bucket];
        let bits = bucket.matching(spot.tag);
        match bucket.references.get(bits.trailing_zeros() as usize) {
            Some(reference) => Look::Likely(StateRef(*reference)),
            None if bucket.upper(0) != 0 => Look::Absent,
            None => Look::Full,
        }
    }

    /// The first record that may be at a spot for which `is` answers yes.
    #[inline(always)]
    pub fn find(&self, spot: Spot, mut is: impl FnMut(StateRef) -> bool) -> Option<StateRef> {
        let mut at = spot.bucket;
        loop {
            let bucket = &self.all[at];
            let mut bits = bucket.matching(spot.tag);
            while let Some(reference) = bucket.references.get(bits.trailing_zeros() as usize) {
                if is(StateRef(*reference)) {
                    return Some(StateRef(*reference));
                }
                bits &= bits - 1;
            }
            if bucket.upper(0) != 0 {
                return None;
            }
            at = self.following(at);
        }
    }

    /// The bucket behind one; behind the last, the first.
    #[inline]
    pub fn following(&self, bucket: usize) -> usize {
        if bucket + 1 == self.all.len() { 0 } else { bucket + 1 }
    }

    /// Puts a record that is not there where it belongs. Not all slots are taken.
    #[inline(always)]
    pub fn put(&mut self, spot: Spot, reference: StateRef) {
        let (mut at, mut distance) = (spot.bucket, 0);
        while !self.put_into(at, distance, spot.tag, reference) {
            (at, distance) = (self.following(at), distance + 1);
        }
    }

    /// Puts a record into a bucket so far behind the one where it belongs. False: that is full.
    #[inline(always)]
    fn put_into(&mut self, bucket: usize, distance: usize, tag: u16, reference: StateRef) -> bool {
        let bucket = &mut self.all[bucket];
        let Some(slot) = bucket.first_empty() else { return false };
        [bucket.tags[slot], bucket.tags[SLOTS + slot]] = tag.to_le_bytes();
        bucket.references[slot] = reference.0;
        bucket.distances |= (distance.min(FAR) as u32) << (DISTANCE * slot as u32);
        true
    }

    /// Whether the table grows by itself. A small one does not.
    pub fn can_spread(&self) -> bool {
        self.all.len() >= 1 << WHOLE
    }

    /// Makes a table larger that can spread; `hash` gives the hash of a record, and is asked for few. Nothing changes if there
    /// is no memory.
    pub fn grow(&mut self, buckets: usize, hash: impl Fn(StateRef) -> u64) -> io::Result<()> {
        let (old, shift) = (self.all.len(), self.shift);
        self.all.enlarge(buckets)?;
        self.shift = shift_for(buckets);
        self.spread(old, shift, hash);
        Ok(())
    }

    /// Moves every record to where it belongs now; there were `old` buckets.
    ///
    /// Buckets are emptied from the last to the first. A record moves up or stays, except for one that had been put behind its own
    /// bucket. Such a one waits until its new bucket was emptied. So a record is only ever put into
    /// buckets from which nothing is taken any more, and all in front of it on its way stay full. Those whose way leads beyond
    /// the last bucket to the first come at the end.
    fn spread(&mut self, old: usize, shift: u32, hash: impl Fn(StateRef) -> u64) {
        let (mut waiting, mut round) = (Vec::new(), Vec::new());
        let quotient = Quotient::by(old as u64);
        for number in (0..old).rev() {
            let bucket = std::mem::take(&mut self.all[number]);
            for slot in 0..bucket.first_empty().unwrap_or(SLOTS) {
                let reference = StateRef(bucket.references[slot]);
                let half = match (bucket.distances >> (DISTANCE * slot as u32)) as usize & FAR {
                    FAR => hash(reference) >> 32,
                    distance => {
                        let home =
                            if number < distance { number + old - distance } else { number - distance };
                        let tag = u16::from_le_bytes([bucket.tags[slot], bucket.tags[SLOTS + slot]]) & !TAKEN;
                        // The only product that there can be from here on up to what the tag leaves out.
                        quotient.of((home as u64) << 32 | u64::from(tag) << shift)
                    }
                };
                if self.spot_of(half).bucket < number {
                    waiting.push((half, reference));
                } else if !self.put_before_end(half, reference) {
                    round.push((half, reference));
                }
            }
            let mut index = 0;
            while let Some(&(half, reference)) = waiting.get(index) {
                if self.spot_of(half).bucket < number {
                    index += 1;
                    continue;
                }
                waiting.swap_remove(index);
                if !self.put_before_end(half, reference) {
                    round.push((half, reference));
                }
            }
        }
        for (half, reference) in round {
            self.put(self.spot_of(half), reference);
        }
    }

    /// Puts a record where it belongs, or behind. False: all buckets from there to the last are full.
    #[inline(always)]
    fn put_before_end(&mut self, half: u64, reference: StateRef) -> bool {
        let spot = self.spot_of(half);
        let mut way = (spot.bucket..self.all.len()).zip(0..);
        way.any(|(at, distance)| self.put_into(at, distance, spot.tag, reference))
    }
}

/// Division by one number, again and again.
struct Quotient {
    divisor: u64,
    /// 2^64 divided by it, cut off.
    inverse: u64,
}

impl Quotient {
    /// By a number that is more than 1.
    fn by(divisor: u64) -> Quotient {
        Quotient { divisor, inverse: ((1u128 << 64) / u128::from(divisor)) as u64 }
    }

    /// A number divided by it, made whole upwards.
    #[inline(always)]
    fn of(&self, number: u64) -> u64 {
        // At most two too small.
        let mut quotient = ((u128::from(number) * u128::from(self.inverse)) >> 64) as u64;
        while quotient * self.divisor < number {
            quotient += 1;
        }
        quotient
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hashes that crowd in a few places, one of them at the end.
    fn crowded(states: u64) -> Vec<u64> {
        let place = |i: u64| match i % 3 {
            0 => u64::MAX << 50,
            _ => crate::store::hash(&(i / 700).to_le_bytes()) & u64::MAX << 50,
        };
        (0..states).map(|i| place(i) | crate::store::hash(&i.to_le_bytes()) >> 14).collect()
    }

    #[test]
    fn what_was_put_in_is_found_after_growing() {
        let hashes = crowded(4000);
        let mut table = Buckets::new(1 << WHOLE).unwrap();
        assert!(table.can_spread() && !Buckets::new((1 << WHOLE) - 1).unwrap().can_spread());
        let mut next = 0;
        for more in [131_073, 131_072 * 3 / 2, 200_001, 400_000, 1 << 19, 1_000_003] {
            for _ in 0..600 {
                table.put(table.spot(hashes[next]), StateRef(next as u32));
                next += 1;
            }
            table.grow(more, |reference| hashes[reference.0 as usize]).unwrap();
            assert_eq!(table.len(), more);
            let taken = |bucket: &Bucket| bucket.first_empty().unwrap_or(SLOTS);
            assert_eq!(table.all.iter().map(taken).sum::<usize>(), next);
            for (index, hash) in hashes.iter().enumerate() {
                let spot = table.spot(*hash);
                let found = table.find(spot, |reference| reference.0 as usize == index).is_some();
                assert_eq!(found, index < next, "{index} among {more} buckets");
                if found && table.all[spot.bucket].matching(spot.tag) != 0 {
                    assert!(matches!(table.look(spot.bucket, spot), Look::Likely(_)));
                }
            }
        }
        let elsewhere = table.spot(0x1234_5678 << 32);
        assert_eq!(table.look(elsewhere.bucket, elsewhere), Look::Absent);
    }

    #[test]
    fn quotients_are_whole() {
        for divisor in [2, 3, 131_072, 131_073, 360_448, 0xffff_fff1] {
            let quotient = Quotient::by(divisor);
            for i in 0..10_000u64 {
                let number = crate::store::hash(&i.to_le_bytes()) % (divisor << 32);
                for number in [number, i, number / divisor * divisor, divisor * (i + 1) - 1] {
                    assert_eq!(quotient.of(number), number.div_ceil(divisor), "{number} by {divisor}");
                }
            }
        }
    }

    #[test]
    fn small_tables_tell_most_hashes_apart() {
        let mut table = Buckets::new(64).unwrap();
        let hashes: Vec<u64> = (0..500u64).map(|i| crate::store::hash(&i.to_le_bytes())).collect();
        for (index, hash) in hashes.iter().enumerate() {
            table.put(table.spot(*hash), StateRef(index as u32));
        }
        let mut asked = 0;
        for (index, hash) in hashes.iter().enumerate() {
            let found = table.find(table.spot(*hash), |reference| {
                asked += 1;
                reference.0 as usize == index
            });
            assert_eq!(found, Some(StateRef(index as u32)));
        }
        assert!(asked < 510, "{asked}");
    }
}
