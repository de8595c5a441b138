//! What a set was found to contain lately, so that it need not be asked again.
//!
//! A depth-first search meets a state again soon or hardly ever: the two orders of independent steps meet where it has just been. A set that
//! is larger than the processor's caches is slow to answer, and this is small enough to stay in one. It is for sets
//! that never forget, and knows a state by a name that no other state has in the set; so it changes nothing but the time.
//!
//! What was not met lately is most often new. Then looking for it is better put off until its turn comes, when it is entered anyway
//! and what belongs to it has been fetched. [`Lately::is_foreseen`] says whether that has been so.

use std::cell::Cell;

/// How many states may have been looked for in vain before experience counts.
const PATIENCE: u64 = 1024;

/// Names, each in the place that the first bits of a hash say.
#[derive(Debug)]
pub struct Lately {
    names: Box<[Cell<u64>]>,
    /// How far to the right the bits of a hash are that say the place.
    shift: u32,
    /// States that were new when their turn came, and those that were not.
    new: u64,
    in_vain: u64,
}

impl Lately {
    /// Room for 2^`bits` names, each of which is the hash itself.
    pub fn of_hashes(bits: u32) -> Lately {
        // No place holds a hash that belongs there.
        Lately::with(bits, |place| !(place << (u64::BITS - bits)))
    }

    /// Room for 2^`bits` names, none of which is 0.
    pub fn of_names(bits: u32) -> Lately {
        Lately::with(bits, |_| 0)
    }

    fn with(bits: u32, nothing: impl Fn(u64) -> u64) -> Lately {
        let names = (0..1 << bits).map(|place| Cell::new(nothing(place))).collect();
        Lately { names, shift: u64::BITS - bits, new: 0, in_vain: 0 }
    }

    /// Whether this name, with this hash, was noted lately.
    #[inline]
    pub fn has(&self, hash: u64, name: u64) -> bool {
        self.names[(hash >> self.shift) as usize].get() == name
    }

    /// The set contains what has this name.
    #[inline]
    pub fn note(&self, hash: u64, name: u64) {
        self.names[(hash >> self.shift) as usize].set(name);
    }

    /// Asks the processor to fetch the place of a hash.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        super::prefetch(&raw const self.names[(hash >> self.shift) as usize]);
    }

    /// A state was looked for when its turn had come, and was new or not.
    #[inline]
    pub fn learn(&mut self, new: bool) {
        self.new += u64::from(new);
        self.in_vain += u64::from(!new);
    }

    /// Whether at least four of five states were new when their turn came.
    #[inline]
    pub fn is_foreseen(&self) -> bool {
        self.in_vain * 4 <= self.new + PATIENCE
    }

    /// log2 of the names for which there is room.
    pub fn bits(&self) -> u32 {
        u64::BITS - self.shift
    }

    /// Bytes allocated.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.names) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::hash;

    #[test]
    fn knows_what_was_noted_and_not_replaced_since() {
        let lately = Lately::of_hashes(12);
        assert!([0, 1, u64::MAX, 1 << 63, !0 >> 12].iter().all(|hash| !lately.has(*hash, *hash)));
        let hash = |i: u64| hash(&i.to_le_bytes());
        assert!((0..10_000).all(|i| !lately.has(hash(i), hash(i))));
        for i in 0..20_000 {
            lately.note(hash(i), hash(i));
            assert!(lately.has(hash(i), hash(i)));
        }
        let still = (0..20_000).filter(|i| lately.has(hash(*i), hash(*i))).count();
        assert!(still > 1 << 11 && still <= 1 << 12, "{still}");
    }

    #[test]
    fn experience_says_whether_what_was_not_met_lately_is_new() {
        let mut lately = Lately::of_names(4);
        assert!(!lately.has(7, 9) && lately.is_foreseen());
        (0..2 * PATIENCE).for_each(|i| lately.learn(i % 2 == 0));
        assert!(!lately.is_foreseen());
        (0..8 * PATIENCE).for_each(|_| lately.learn(true));
        assert!(lately.is_foreseen());
    }
}
