//! State-space caching (Godefroid, Holzmann and Pirottin 1992): closed states are kept while there is room,
//! and then the oldest make place for new ones.
//!
//! A search whose stack is exact ends and covers everything whatever else is forgotten: a state that was
//! replaced is explored again when it is met again. So the guarantee is that of an exact set, and the price is
//! time. With sleep sets most states are met only once, and little is explored twice.
//!
//! Records lie one after another in chunks, the oldest chunk first. A record of the oldest chunk that was
//! met since it was stored gets a second chance: it moves to the end, up to half of its chunk. A state
//! is found through a table of chains. States are kept as a codec writes them that learns nothing; most often [packed](super::pack), as plain
//! records are, so that as many of them fit.

use super::codec::Fixed;
use super::hash;
use super::pack::Packing;
use super::prefetch;
use std::cell::RefCell;
use std::collections::VecDeque;

/// Records start at multiples of this many bytes, and references count those.
const UNIT: usize = 8;
/// Bytes in front of a state: next in the chain, sleep set, length with two marks.
const HEADER: usize = 12;
/// No record.
const NONE: u32 = u32::MAX;
/// The state was met since it was stored.
const MET: u32 = 1 << 31;
/// The record was taken out.
const GONE: u32 = 1 << 30;
const LENGTH: u32 = GONE - 1;
const FIRST: usize = 1024;
const LEAST_CHUNK: usize = 4 << 10;
const MOST_CHUNK: usize = 1 << 20;
/// How many of the longest records a chunk has room for, if it has to be larger than that.
const RECORDS: usize = 4;

/// Closed states, as many as fit.
#[derive(Debug)]
pub struct Cache<C = Packing> {
    chunks: VecDeque<Vec<u8>>,
    /// The number of the oldest chunk since the beginning.
    oldest: u32,
    /// log2 of the units of a chunk.
    shift: u32,
    heads: Vec<u32>,
    states: usize,
    limit: u64,
    allocated: u64,
    replaced: u64,
    longest: usize,
    codec: C,
    /// The code of the state at hand.
    code: RefCell<Vec<u8>>,
}

impl Cache {
    /// An empty cache of at most `limit` bytes, of states without the bytes that are zero.
    pub fn new(limit: Option<u64>) -> Cache {
        Cache::with(Packing::of_any_size(), limit)
    }
}

impl<C: Fixed> Cache<C> {
    /// An empty cache of at most `limit` bytes, of states as a codec writes them.
    pub fn with(codec: C, limit: Option<u64>) -> Cache<C> {
        let limit = limit.unwrap_or(u64::MAX);
        let chunk = ((limit / 64) as usize).clamp(LEAST_CHUNK, MOST_CHUNK).next_power_of_two();
        Cache {
            chunks: VecDeque::new(),
            oldest: 0,
            shift: (chunk / UNIT).trailing_zeros(),
            heads: vec![NONE; FIRST],
            states: 0,
            limit,
            allocated: 0,
            replaced: 0,
            longest: 0,
            codec,
            code: RefCell::default(),
        }
    }

    /// Sets the limit anew and replaces what is above it: the stack may need the room.
    pub fn limit(&mut self, bytes: u64) {
        self.limit = bytes;
        while self.bytes() > bytes && !self.chunks.is_empty() {
            self.replace(false);
        }
        if self.chunks.is_empty() {
            self.heads = vec![NONE; FIRST];
        }
    }

    /// Asks the processor to fetch the chain of a hash.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        prefetch(&raw const self.heads[self.home(hash)]);
    }

    /// The number of the sleep set of a state, if the state is there.
    #[inline]
    pub fn find(&self, hash: u64, state: &[u8]) -> Option<u32> {
        self.record(hash, state).map(|at| self.word(at, 4))
    }

    /// The same, and notes that the state was met.
    pub fn meet(&mut self, hash: u64, state: &[u8]) -> Option<u32> {
        let at = self.record(hash, state)?;
        let length = self.word(at, 8);
        self.set_word(at, 8, length | MET);
        Some(self.word(at, 4))
    }

    /// Takes a state out.
    pub fn remove(&mut self, hash: u64, state: &[u8]) {
        if let Some(at) = self.record(hash, state) {
            self.unlink(hash, at);
            let length = self.word(at, 8);
            self.set_word(at, 8, length | GONE);
        }
    }

    /// Adds a state that is not there. Older ones may be replaced; if it is larger than the cache nothing is
    /// kept.
    pub fn insert(&mut self, hash: u64, state: &[u8], sleep: u32) {
        self.longest = self.longest.max(state.len());
        let code = self.encode(state);
        if code.len() < LENGTH as usize {
            if self.states >= self.heads.len() {
                self.widen();
            }
            if self.make_room(record_bytes(code.len()), true) {
                self.append(hash, &code, sleep);
            } else {
                // It will be explored again if it is met again, as those that were replaced.
                self.replaced += 1;
            }
        }
        self.code.replace(code);
    }

    /// The code of a state, in a buffer that is to be given back.
    #[inline]
    fn encode(&self, state: &[u8]) -> Vec<u8> {
        let mut code = self.code.take();
        code.clear();
        self.codec.find(state, &mut code);
        code
    }

    /// States that are there.
    pub fn len(&self) -> usize {
        self.states
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.states == 0
    }

    /// States replaced so far.
    pub fn replaced(&self) -> u64 {
        self.replaced
    }

    /// The longest state that was added.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// Bytes allocated.
    pub fn bytes(&self) -> u64 {
        self.allocated + (self.heads.len() * 4) as u64 + self.codec.bytes()
    }

    /// The number of the oldest chunk, and log2 of the units of each.
    pub(super) fn numbering(&self) -> (u32, u32) {
        (self.oldest, self.shift)
    }

    /// The heads of the chains.
    pub(super) fn heads(&self) -> &[u32] {
        &self.heads
    }

    /// The chunks, the oldest first.
    pub(super) fn chunks(&self) -> impl Iterator<Item = &[u8]> {
        self.chunks.iter().map(Vec::as_slice)
    }

    /// Takes over the chunks of another cache, with as many chains.
    pub(super) fn refill(
        &mut self,
        (oldest, shift): (u32, u32),
        heads: usize,
        chunks: Vec<Vec<u8>>,
        replaced: u64,
        longest: usize,
    ) {
        let whole = UNIT << shift;
        (self.oldest, self.shift, self.replaced, self.longest) = (oldest, shift, replaced, longest);
        self.allocated = (chunks.len() * whole) as u64;
        self.chunks = chunks.into();
        for chunk in &mut self.chunks {
            chunk.reserve_exact(whole.saturating_sub(chunk.len()));
        }
        self.heads = vec![NONE; heads.max(1)];
        self.chain();
    }

    /// Makes sure that `bytes` fit into the last chunk. False if they never will.
    fn make_room(&mut self, bytes: usize, second_chance: bool) -> bool {
        if bytes > UNIT << self.shift && !self.enlarge(bytes) {
            return false;
        }
        let chunk = UNIT << self.shift;
        let fits = |cache: &Cache<C>| cache.chunks.back().is_some_and(|last| last.len() + bytes <= chunk);
        if fits(self) {
            return true;
        }
        while self.bytes() + chunk as u64 > self.limit {
            if self.chunks.is_empty() {
                return false;
            }
            self.replace(second_chance);
            if fits(self) {
                return true;
            }
        }
        let mut fresh = Vec::new();
        if fresh.try_reserve_exact(chunk).is_err() {
            // The system has no more: what there is has to do.
            self.limit = self.bytes();
            return !self.chunks.is_empty() && self.make_room(bytes, second_chance);
        }
        self.allocated += chunk as u64;
        self.chunks.push_back(fresh);
        true
    }

    /// Has chunks that are large enough for some records of so many bytes, and replaces all states that are there, which are few or much smaller. False if the
    /// memory is too small for two of them.
    #[cold]
    fn enlarge(&mut self, bytes: usize) -> bool {
        let Some(chunk) = bytes.checked_mul(RECORDS).and_then(usize::checked_next_power_of_two) else {
            return false;
        };
        let shift = (chunk / UNIT).trailing_zeros();
        // A reference is a number of units.
        if (chunk as u64).saturating_mul(2) > self.limit || shift >= u32::BITS - 1 {
            return false;
        }
        self.replaced += self.states as u64;
        self.chunks.clear();
        (self.states, self.allocated, self.oldest, self.shift) = (0, 0, 0, shift);
        self.heads.fill(NONE);
        true
    }

    /// Replaces the states of the oldest chunk. Those that were met may move to the end.
    fn replace(&mut self, second_chance: bool) {
        let Some(used) = self.chunks.front().map(Vec::len) else { return };
        let first = self.oldest << self.shift;
        let mut spared = Vec::new();
        let mut state = Vec::new();
        let mut at = 0;
        while at < used {
            let chunk = &self.chunks[0];
            let marks = u32_at(chunk, at + 8);
            let length = (marks & LENGTH) as usize;
            let size = record_bytes(length);
            if marks & GONE == 0 {
                let hash = hash_of(&self.codec, &chunk[at + HEADER..at + HEADER + length], &mut state);
                if second_chance && marks & MET != 0 && spared.len() + size <= used / 2 {
                    spared.extend_from_slice(&chunk[at..at + size]);
                } else {
                    self.replaced += 1;
                }
                self.unlink(hash, first + (at / UNIT) as u32);
            }
            at += size;
        }
        let Some(mut chunk) = self.chunks.pop_front() else { return };
        self.oldest = self.oldest.wrapping_add(1);
        let whole = UNIT << self.shift;
        if spared.is_empty() || self.chunks.back().is_some_and(|last| last.len() + spared.len() <= whole) {
            self.allocated -= whole as u64;
        } else {
            // The chunk is used again at once, so that no room is needed for both.
            chunk.clear();
            self.chunks.push_back(chunk);
        }
        let mut at = 0;
        while at < spared.len() {
            let length = (u32_at(&spared, at + 8) & LENGTH) as usize;
            let code = &spared[at + HEADER..at + HEADER + length];
            let hash = hash_of(&self.codec, code, &mut state);
            self.append(hash, code, u32_at(&spared, at + 4));
            at += record_bytes(length);
        }
    }

    /// Appends a record for which the last chunk has room.
    fn append(&mut self, hash: u64, code: &[u8], sleep: u32) {
        let number = self.oldest.wrapping_add(self.chunks.len() as u32).wrapping_sub(1);
        let home = self.home(hash);
        let next = self.heads[home];
        let Some(chunk) = self.chunks.back_mut() else { return };
        // A record takes two units or more, so none starts with the last unit: no reference is `NONE`.
        let reference = (number << self.shift) + (chunk.len() / UNIT) as u32;
        let end = chunk.len() + record_bytes(code.len());
        chunk.extend_from_slice(&next.to_le_bytes());
        chunk.extend_from_slice(&sleep.to_le_bytes());
        chunk.extend_from_slice(&(code.len() as u32).to_le_bytes());
        chunk.extend_from_slice(code);
        chunk.resize(end, 0);
        self.heads[home] = reference;
        self.states += 1;
    }

    /// Makes the table of chains twice as large, if that fits, and enters all records again.
    fn widen(&mut self) {
        let more = self.heads.len() * 2;
        if self.bytes() + (more * 4) as u64 > self.limit {
            return;
        }
        self.heads = vec![NONE; more];
        self.chain();
    }

    /// Enters all records into the chains, which are empty.
    fn chain(&mut self) {
        self.states = 0;
        let (heads, mut state) = (self.heads.len(), Vec::new());
        for number in 0..self.chunks.len() {
            let mut at = 0;
            while at < self.chunks[number].len() {
                let chunk = &mut self.chunks[number];
                let marks = u32_at(chunk, at + 8);
                let length = (marks & LENGTH) as usize;
                if marks & GONE == 0 {
                    self.states += 1;
                    let code = &chunk[at + HEADER..at + HEADER + length];
                    let home = home(hash_of(&self.codec, code, &mut state), heads);
                    chunk[at..at + 4].copy_from_slice(&self.heads[home].to_le_bytes());
                    let number = self.oldest.wrapping_add(number as u32);
                    self.heads[home] = (number << self.shift) + (at / UNIT) as u32;
                }
                at += record_bytes(length);
            }
        }
    }

    /// The reference of a state.
    fn record(&self, hash: u64, state: &[u8]) -> Option<u32> {
        let mut at = self.heads[self.home(hash)];
        if at == NONE {
            return None;
        }
        let code = self.encode(state);
        while at != NONE {
            let (chunk, start) = self.position(at);
            let length = (u32_at(chunk, start + 8) & LENGTH) as usize;
            if chunk[start + HEADER..start + HEADER + length] == *code {
                break;
            }
            at = u32_at(chunk, start);
        }
        self.code.replace(code);
        (at != NONE).then_some(at)
    }

    /// Takes a record out of the chain of its hash.
    fn unlink(&mut self, hash: u64, reference: u32) {
        let next = self.word(reference, 0);
        let home = self.home(hash);
        self.states -= 1;
        if self.heads[home] == reference {
            self.heads[home] = next;
            return;
        }
        let mut before = self.heads[home];
        while self.word(before, 0) != reference {
            before = self.word(before, 0);
        }
        self.set_word(before, 0, next);
    }

    fn position(&self, reference: u32) -> (&[u8], usize) {
        let number = (reference >> self.shift).wrapping_sub(self.oldest) & (u32::MAX >> self.shift);
        let start = (reference as usize & ((1 << self.shift) - 1)) * UNIT;
        (&self.chunks[number as usize], start)
    }

    fn word(&self, reference: u32, at: usize) -> u32 {
        let (chunk, start) = self.position(reference);
        u32_at(chunk, start + at)
    }

    fn set_word(&mut self, reference: u32, at: usize, word: u32) {
        let number = (reference >> self.shift).wrapping_sub(self.oldest) & (u32::MAX >> self.shift);
        let start = (reference as usize & ((1 << self.shift) - 1)) * UNIT + at;
        self.chunks[number as usize][start..start + 4].copy_from_slice(&word.to_le_bytes());
    }

    fn home(&self, hash: u64) -> usize {
        home(hash, self.heads.len())
    }
}

#[inline]
fn home(hash: u64, heads: usize) -> usize {
    ((u128::from(hash) * heads as u128) >> 64) as usize
}

fn record_bytes(code: usize) -> usize {
    (HEADER + code).div_ceil(UNIT) * UNIT
}

/// The hash of the state with a code, which is decoded into `state`.
fn hash_of(codec: &impl Fixed, code: &[u8], state: &mut Vec<u8>) -> u64 {
    state.clear();
    codec.decode(code, state);
    hash(state)
}

#[inline]
fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::codec::{Huffman, RunLength, Unchanged};
    use std::collections::HashMap;

    fn state(i: u64) -> Vec<u8> {
        let mut bytes = i.to_le_bytes().to_vec();
        bytes.resize(8 + (i as usize * 7) % 40, 1);
        bytes
    }

    #[test]
    fn without_a_limit_nothing_is_forgotten() {
        let mut cache = Cache::new(None);
        for i in 0..100_000 {
            assert_eq!(cache.find(hash(&state(i)), &state(i)), None);
            cache.insert(hash(&state(i)), &state(i), i as u32);
        }
        assert!((0..100_000).all(|i| cache.find(hash(&state(i)), &state(i)) == Some(i as u32)));
        assert_eq!((cache.len(), cache.replaced()), (100_000, 0));
    }

    #[test]
    fn long_states_are_kept_if_there_is_room_for_some() {
        let long = |i: usize| -> Vec<u8> { (0..3 << 19).map(|at| (at * (i + 3) % 251) as u8 | 1).collect() };
        for (limit, kept) in [(None, 5), (Some(64 << 20), 5), (Some(17 << 20), 2), (Some(4 << 20), 0)] {
            let mut cache = Cache::with(Unchanged, limit);
            (0..9).for_each(|i| cache.insert(hash(&state(i)), &state(i), 0));
            for i in 0..5 {
                cache.insert(hash(&long(i)), &long(i), i as u32);
                cache.insert(hash(&state(i as u64)), &state(i as u64), 1);
            }
            let found = (0..5).filter(|&i| cache.find(hash(&long(i)), &long(i)) == Some(i as u32)).count();
            assert!(found >= kept, "{limit:?}: {found}");
            assert!(cache.bytes() <= limit.unwrap_or(u64::MAX));
            assert!(
                cache.replaced() >= 9 + 5 - found as u64 || kept == 0 && cache.replaced() == 5,
                "{limit:?}"
            );
        }
    }

    #[test]
    fn what_is_found_is_what_was_put_in() {
        finds_what_was_put_in(Packing::of_any_size());
        finds_what_was_put_in(Unchanged);
        finds_what_was_put_in(RunLength);
        finds_what_was_put_in(Huffman::default());
    }

    fn finds_what_was_put_in(codec: impl Fixed) {
        let limit = 1 << 20;
        let mut cache = Cache::with(codec, Some(limit));
        let mut model: HashMap<Vec<u8>, u32> = HashMap::new();
        let mut seed = 3u64;
        let (mut hits, mut lookups) = (0, 0);
        for round in 0..400_000u32 {
            seed = hash(&seed.to_le_bytes());
            let s = state(seed % 60_000);
            let h = hash(&s);
            lookups += 1;
            match cache.meet(h, &s) {
                Some(sleep) => {
                    assert_eq!(model.get(&s), Some(&sleep), "what is found is the latest");
                    hits += 1;
                    if seed >> 32 & 3 == 0 {
                        cache.remove(h, &s);
                        assert_eq!(cache.find(h, &s), None);
                        model.remove(&s);
                    }
                }
                None => {
                    cache.insert(h, &s, round);
                    model.insert(s, round);
                }
            }
            assert!(cache.bytes() <= limit);
        }
        assert!(hits > lookups / 5 && cache.replaced() > 10_000, "{hits} of {lookups}");
    }

    #[test]
    fn states_that_are_met_stay_longer() {
        let mut cache = Cache::new(Some(512 << 10));
        let often = state(1_000_000);
        cache.insert(hash(&often), &often, 7);
        for i in 0..200_000 {
            cache.insert(hash(&state(i)), &state(i), 0);
            assert_eq!(cache.meet(hash(&often), &often), Some(7), "after {i}");
        }
        assert_eq!(cache.find(hash(&state(0)), &state(0)), None);
    }

    #[test]
    fn gives_room_back() {
        let mut cache = Cache::new(Some(1 << 20));
        (0..30_000).for_each(|i| cache.insert(hash(&state(i)), &state(i), 0));
        cache.limit(256 << 10);
        assert!(cache.bytes() <= 256 << 10);
        let kept = (0..30_000).filter(|i| cache.find(hash(&state(*i)), &state(*i)).is_some()).count();
        assert_eq!(kept, cache.len());
        cache.limit(0);
        assert!(cache.is_empty());
        cache.insert(1, &[1], 0);
        assert!(cache.is_empty(), "there is no room at all");
    }

    #[test]
    fn numbers_of_chunks_may_run_over() {
        let mut cache = Cache::new(Some(100 << 10));
        cache.oldest = u32::MAX - 5;
        for i in 0..50_000 {
            cache.insert(hash(&state(i)), &state(i), i as u32);
            assert_eq!(cache.find(hash(&state(i)), &state(i)), Some(i as u32));
        }
        assert!(cache.replaced() > 40_000);
    }
}
