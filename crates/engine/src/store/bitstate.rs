//! The bit-state set (supertrace; Holzmann 1988): a state is a few bits, and nothing tells two states
//! with the same bits apart.
//!
//! An array of bits as large as the memory allows, in blocks of one cache line. A state has one block
//! and *k* bits of it, all from independent parts of its hash, which a seed varies. A state whose bits are all set
//! counts as visited. So a state may be taken for visited although it is not: it is *omitted*, and so is what
//! can be reached through it alone. The search covers what it covers; only how much is not known for sure.
//!
//! What is known is what to expect. A state that is not there is taken for visited with the probability that
//! all its bits are set by others: the mean of (set bits / 512)^k over the blocks, which is kept up to
//! date with every insertion. [`Bitstate::omissions`] adds these up over the states that were met first.
//! States behind omitted ones are not met and not counted.

use super::compare::{are_set, count_ones};
use super::lately::Lately;
use super::pages::{Pages, Zeroed};
use super::prefetch;

/// log2 of the most and the fewest states that are remembered because they were met lately: up to a quarter of a megabyte of hashes, which the
/// second level of cache has room for.
const MOST_LATELY: u32 = 15;
const LEAST_LATELY: u32 = 4;
/// The share of the memory for them.
const LATELY_SHARE: u64 = 32;
/// Bits of a block.
const BITS: usize = 512;
/// Bits of a state, unless asked for otherwise.
pub const HASHES: u32 = 6;
/// The most bits of a state.
pub const MOST_HASHES: u32 = 14;
/// The chance of being taken for visited from which on nothing can be estimated.
const HOPELESS: f64 = 0.5;
/// Bit numbers in one word of hash.
const IN_A_WORD: u32 = 7;

#[derive(Copy, Clone, Debug)]
#[repr(C, align(64))]
struct Block([u64; BITS / 64]);

// SAFETY: every pattern of bytes is such numbers.
unsafe impl Zeroed for Block {}

impl Block {
    fn count(&self) -> usize {
        count_ones(&self.0)
    }
}

/// A set of states as bits.
#[derive(Debug)]
pub struct Bitstate {
    blocks: Pages<Block>,
    hashes: u32,
    seed: u64,
    /// (n / 512)^k: the probability that a state finds its bits set in a block with n set bits.
    chances: Box<[f64]>,
    /// The sum of these over all blocks.
    chance: f64,
    /// The share of one block in all.
    share: f64,
    omissions: f64,
    states: u64,
    /// Hashes of states that are there.
    lately: Lately,
}

/// The block and the bits of a state.
#[derive(Copy, Clone, Debug)]
pub struct Place {
    block: usize,
    /// Bit numbers, nine bits each.
    bits: u64,
    hash: u64,
}

impl Bitstate {
    /// An empty set of about `bytes` bytes with `hashes` bits a state. `None`: the system has no such memory.
    pub fn new(bytes: u64, hashes: u32, seed: u64) -> Option<Bitstate> {
        let lately = (bytes / LATELY_SHARE / size_of::<u64>() as u64).max(1).ilog2();
        let lately = lately.clamp(LEAST_LATELY, MOST_LATELY);
        let rest = bytes.saturating_sub((size_of::<u64>() as u64) << lately);
        let blocks = usize::try_from(rest / size_of::<Block>() as u64).ok()?.max(1);
        Bitstate::of_blocks(blocks, lately, hashes, seed)
    }

    fn of_blocks(blocks: usize, lately: u32, hashes: u32, seed: u64) -> Option<Bitstate> {
        let blocks = Pages::new(blocks).ok()?;
        let hashes = hashes.clamp(1, MOST_HASHES);
        let chances = (0..=BITS).map(|set| (set as f64 / BITS as f64).powi(hashes as i32)).collect();
        let lately = Lately::of_hashes(lately);
        let share = 1.0 / blocks.len() as f64;
        Some(Bitstate {
            blocks,
            hashes,
            seed,
            chances,
            chance: 0.0,
            share,
            omissions: 0.0,
            states: 0,
            lately,
        })
    }

    /// Where a state with this hash belongs; the processor is asked to fetch it.
    #[inline]
    pub fn place(&self, hash: u64) -> Place {
        let place = self.of(hash);
        prefetch(&raw const self.blocks[place.block]);
        place
    }

    #[inline]
    fn of(&self, hash: u64) -> Place {
        let bits = super::fold(hash.rotate_left(32) ^ self.seed, 0xa076_1d64_78bd_642f);
        Place { block: self.block(hash), bits, hash }
    }

    /// Whether a state with this hash counts as visited; where it belongs has been fetched.
    #[inline]
    pub fn is_fetched(&self, hash: u64) -> bool {
        self.has(self.of(hash))
    }

    /// Whether a state with this hash was found or added lately, so that it is there. Otherwise the processor is asked to fetch where it
    /// belongs.
    #[inline]
    pub fn is_known(&self, hash: u64) -> bool {
        let known = self.lately.has(hash, hash);
        // Which of them are known the processor can't foresee, so there is no jump.
        let fetched = hash & u64::from(known).wrapping_sub(1);
        prefetch(&raw const self.blocks[self.block(fetched)]);
        known
    }

    /// It will soon be asked whether this hash is known.
    #[inline]
    pub fn announce(&self, hash: u64) {
        self.lately.prefetch(hash);
    }

    /// Whether nearly all states that were not known are new when their turn comes.
    #[inline]
    pub fn is_foreseen(&self) -> bool {
        self.lately.is_foreseen()
    }

    /// Adds a state whose turn has come. Whether it is new.
    #[inline]
    pub fn insert_in_turn(&mut self, place: Place) -> bool {
        let new = self.insert(place);
        self.lately.learn(new);
        new
    }

    #[inline]
    fn block(&self, hash: u64) -> usize {
        let own = super::fold(hash ^ self.seed, 0x9e37_79b9_7f4a_7c15);
        ((u128::from(own) * self.blocks.len() as u128) >> 64) as usize
    }

    /// Whether a state that belongs there counts as visited.
    #[inline]
    pub fn contains(&self, place: Place) -> bool {
        let found = self.has(place);
        if found {
            self.lately.note(place.hash, place.hash);
        }
        found
    }

    /// The same without a thought of what comes later.
    #[inline(always)]
    fn has(&self, place: Place) -> bool {
        let block = &self.blocks[place.block].0;
        match self.hashes.checked_sub(IN_A_WORD) {
            None | Some(0) => are_set(block, place.bits, self.hashes),
            Some(more) => are_set(block, place.bits, IN_A_WORD) && are_set(block, place.more_bits(), more),
        }
    }

    /// Adds a state that belongs there. Whether it is new.
    #[inline]
    pub fn insert(&mut self, place: Place) -> bool {
        let new = self.add(place);
        self.lately.note(place.hash, place.hash);
        new
    }

    /// Adds a state that belongs there, and does not remember that it was met lately. Whether it is new.
    #[inline]
    pub fn add(&mut self, place: Place) -> bool {
        if self.has(place) {
            return false;
        }
        let present = self.chance();
        self.omissions += present / (1.0 - present).max(f64::MIN_POSITIVE);
        self.states += 1;
        let block = &mut self.blocks[place.block];
        let before = block.count();
        let mut set = 0;
        place.each(self.hashes, |bit| {
            set += (!block.0[bit / 64] >> (bit % 64) & 1) as usize;
            block.0[bit / 64] |= 1 << (bit % 64);
        });
        self.chance += self.chances[before + set] - self.chances[before];
        true
    }

    /// How many states are to be expected that were met and taken for others. Where every other new state
    /// is taken for visited, most of them leave no mark, and nothing can be said: infinitely many.
    pub fn omissions(&self) -> f64 {
        if self.chance() > HOPELESS { f64::INFINITY } else { self.omissions }
    }

    /// Forgets what was to be expected so far: it did not happen.
    pub fn forgive(&mut self) {
        self.omissions = 0.0;
    }

    /// The probability that a new state is taken for visited.
    pub fn chance(&self) -> f64 {
        self.chance * self.share
    }

    /// Makes an empty set of this many blocks. False if the system has no such memory.
    pub(super) fn resize(&mut self, blocks: usize) -> bool {
        match Bitstate::of_blocks(blocks.max(1), self.lately.bits(), self.hashes, self.seed) {
            Some(fresh) => {
                *self = fresh;
                self.blocks.len() == blocks
            }
            None => false,
        }
    }

    /// States, the sum of chances and omissions, for a checkpoint.
    pub(super) fn counts(&self) -> (u64, f64, f64) {
        (self.states, self.chance, self.omissions)
    }

    /// Sets them.
    pub(super) fn set_counts(&mut self, (states, chance, omissions): (u64, f64, f64)) {
        (self.states, self.chance, self.omissions) = (states, chance, omissions);
    }

    /// The bits.
    pub(super) fn words(&self) -> impl ExactSizeIterator<Item = &[u64; BITS / 64]> {
        self.blocks.iter().map(|block| &block.0)
    }

    /// The bits, to be set.
    pub(super) fn words_mut(&mut self) -> impl Iterator<Item = &mut [u64; BITS / 64]> {
        self.blocks.iter_mut().map(|block| &mut block.0)
    }

    /// The share of the bits that are set.
    pub fn fill(&self) -> f64 {
        let set: usize = self.blocks.iter().map(Block::count).sum();
        set as f64 / (self.blocks.len() * BITS) as f64
    }

    /// States added.
    pub fn len(&self) -> u64 {
        self.states
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.states == 0
    }

    /// Bytes allocated.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.blocks) as u64 + self.lately.bytes()
    }
}

impl Place {
    /// The numbers of the bits for which there was no room in the first word.
    fn more_bits(self) -> u64 {
        super::fold(self.bits, 0xe703_7ed1_a0b4_28db)
    }

    /// Passes the numbers of its bits.
    #[inline(always)]
    fn each(self, hashes: u32, mut pass: impl FnMut(usize)) {
        let mut word = self.bits;
        for number in 0..hashes {
            if number == IN_A_WORD {
                word = self.more_bits();
            }
            pass(word as usize % BITS);
            word >>= 9;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::hash;

    /// Adds `states` different states and counts those that were taken for others.
    fn omitted(bytes: u64, hashes: u32, seed: u64, states: u64) -> (Bitstate, u64) {
        let mut set = Bitstate::new(bytes, hashes, seed).unwrap();
        let mut omitted = 0;
        for i in 0..states {
            let place = set.place(hash(&i.to_le_bytes()));
            omitted += u64::from(!set.insert(place));
            assert!(set.contains(place), "what was added is there");
        }
        (set, omitted)
    }

    #[test]
    fn what_is_expected_is_what_happens() {
        for (bytes, hashes) in [(100_000, 1), (100_000, 3), (60_000, 6), (100_000, 9), (150_000, 14)] {
            let (set, omitted) = omitted(bytes, hashes, 7, 100_000);
            let expected = set.omissions();
            assert_eq!(set.len() + omitted, 100_000);
            // The standard deviation is about the root.
            let off = (omitted as f64 - expected).abs();
            assert!(off < 5.0 * expected.sqrt() + 5.0, "k={hashes}: {omitted} omitted, {expected} expected");
        }
    }

    #[test]
    fn at_fifty_bits_a_state_almost_nothing_is_lost() {
        let (set, omitted) = omitted(50 * 200_000 / 8, HASHES, 0, 200_000);
        assert!(omitted <= 6, "{omitted}");
        assert!(set.omissions() < 2.0 && set.fill() < 0.13);
    }

    #[test]
    fn seeds_lose_different_states() {
        let lost = |seed| {
            let mut set = Bitstate::new(50_000, 3, seed).unwrap();
            let lost = (0..100_000u64).filter(|i| {
                let place = set.place(hash(&i.to_le_bytes()));
                !set.insert(place)
            });
            lost.collect::<std::collections::HashSet<u64>>()
        };
        let (a, b) = (lost(1), lost(2));
        let both = a.intersection(&b).count() as f64;
        // A state is lost by both with the square of its chance; late states have most of the chance, which
        // grows with the third power of their number: so 16/7 of the product of the shares.
        let expected = a.len() as f64 * b.len() as f64 / 100_000.0 * 16.0 / 7.0;
        assert!(both > 0.0 && both < 1.3 * expected, "{both} against {expected}");
        assert!(expected < 0.3 * a.len() as f64);
    }

    #[test]
    fn the_smallest_set_is_full_at_once_and_says_so() {
        let (set, omitted) = omitted(0, 6, 0, 10_000);
        assert!(omitted > 9_000 && set.fill() > 0.9);
        assert_eq!(set.omissions(), f64::INFINITY);
    }
}
