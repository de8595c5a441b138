//! The records of states in chunks of memory, each filled by one thread and read by all.
//!
//! A record is a word with the parent of a state and its length; a word that the search keeps there, if it wants one; then
//! the bytes of the state, the rest of the last word being 0. All words are atomic, so that nothing here is
//! unsafe; all but that of the search are written before others get to know the record, and never after. Processors load
//! and store such words like any others.
//!
//! A chunk is entered into a list under a lock, and stays there. Each thread has a copy of the list, and looks at the
//! list itself only when it meets a reference beyond its copy. References have 32 bits and count words, so there is room for 32 GiB. The
//! first chunks of a thread are short, so that a small search touches little memory; they take up as many references as a long one.

use crate::store::StateRef;
use crate::store::exact::prefetch;
use crate::store::pages::Pages;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The longest chunk, in bytes, unless one record needs more; the shortest; and the first one of a thread.
const LONGEST: u64 = 1 << 22;
const SHORTEST: u64 = 1 << 12;
const FIRST: u64 = 1 << 16;
const WORD: usize = size_of::<u64>();
/// So many chunks are given back by several threads.
const MANY: usize = 16;
/// Bytes that the processor fetches at once.
const LINE: usize = 64;

/// Words in front of which memory is fetched that will be written.
const AHEAD: usize = 64;

type Chunk = Pages<AtomicU64>;

/// Chunks that stay where they are while others are added. Each block of the list is twice as long as the one before.
#[derive(Debug, Default)]
struct List {
    blocks: [OnceLock<Box<[OnceLock<Chunk>]>>; u32::BITS as usize],
}

impl List {
    /// The block of a chunk, and its number there.
    fn place(chunk: usize) -> (usize, usize) {
        let block = (chunk + 1).ilog2();
        (block as usize, chunk + 1 - (1 << block))
    }

    /// The words of a chunk, if it is there.
    fn get(&self, chunk: usize) -> Option<&[AtomicU64]> {
        let (block, number) = List::place(chunk);
        Some(&self.blocks.get(block)?.get()?.get(number)?.get()?[..])
    }

    /// Adds the chunk of this number, which comes after all that are there.
    fn add(&self, number: usize, chunk: Chunk) -> Option<&[AtomicU64]> {
        let (block, number) = List::place(number);
        let empty = || (0..1usize << block).map(|_| OnceLock::new()).collect();
        Some(&self.blocks.get(block)?.get_or_init(empty).get(number)?.get_or_init(|| chunk)[..])
    }
}

/// What all threads know of the records.
#[derive(Debug)]
pub struct Records {
    chunks: List,
    /// How many chunks there are; held while one is added.
    added: Mutex<usize>,
    /// log2 of the references that a chunk takes up.
    shift: u32,
    /// Whether each record has a word for the search.
    marked: bool,
    allocated: AtomicU64,
}

impl Records {
    /// No records; each with a word for the search if `marked`; in chunks of about `chunk` bytes.
    pub fn new(marked: bool, chunk: u64) -> Records {
        let shift = (chunk.clamp(SHORTEST, LONGEST) / WORD as u64).ilog2();
        Records {
            chunks: List::default(),
            added: Mutex::default(),
            shift,
            marked,
            allocated: AtomicU64::new(0),
        }
    }

    /// Bytes allocated.
    pub fn bytes(&self) -> u64 {
        self.allocated.load(Ordering::Relaxed)
    }

    /// Gives all memory back to the system, with so many threads.
    pub fn give_back(mut self, threads: usize) {
        let blocks = self.chunks.blocks.iter_mut().filter_map(OnceLock::get_mut);
        let mut chunks: Vec<&mut Chunk> =
            blocks.flat_map(|block| block.iter_mut()).filter_map(OnceLock::get_mut).collect();
        if chunks.len() < MANY {
            return;
        }
        let share = chunks.len().div_ceil(threads.max(1));
        std::thread::scope(|scope| {
            for part in chunks.chunks_mut(share) {
                // What is not given back here is when the list is dropped.
                let give = || part.iter_mut().for_each(|chunk| chunk.give_back());
                let _ = std::thread::Builder::new().spawn_scoped(scope, give);
            }
        });
    }

    /// Words in front of a state.
    #[inline]
    fn header(&self) -> usize {
        1 + usize::from(self.marked)
    }

    /// A new chunk with room for so many words, and its place in the list; for a thread whose last one had `last` words. `None`: there is
    /// no room for it.
    fn add_chunk(&self, words: usize, last: usize, room: u64) -> Option<(usize, &[AtomicU64])> {
        let usual = (2 * last).max(FIRST as usize / WORD).min(1 << self.shift);
        let words = words.max(usual);
        let bytes = (words * WORD) as u64;
        if bytes > room {
            return None;
        }
        let chunk = Pages::present(words).ok()?;
        let mut added = self.added.lock().unwrap_or_else(PoisonError::into_inner);
        let number = *added;
        // The highest references stand for something else.
        if number + 1 >= 1 << (u32::BITS - self.shift) {
            return None;
        }
        let chunk = self.chunks.add(number, chunk)?;
        *added += 1;
        self.allocated.fetch_add(bytes, Ordering::Relaxed);
        Some((number, chunk))
    }
}

/// What one thread knows of the records.
#[derive(Debug, Default)]
pub struct Local<'r> {
    /// A copy of the list, up to some length.
    chunks: Vec<&'r [AtomicU64]>,
    /// The chunk that this thread fills, and the words of it that are in use.
    own: Option<(usize, &'r [AtomicU64])>,
    used: usize,
    /// Words of the record written last, which is not kept yet.
    written: usize,
    /// How far behind the beginning of a record the second line of it is asked for: the longest that was written ends there, or goes on.
    reach: usize,
}

impl<'r> Local<'r> {
    /// The words from the beginning of a record on.
    #[inline(always)]
    fn words(&mut self, records: &'r Records, state: StateRef) -> &'r [AtomicU64] {
        let chunk = (state.0 >> records.shift) as usize;
        if chunk >= self.chunks.len() {
            self.look(records);
        }
        &self.chunks[chunk][state.0 as usize & ((1 << records.shift) - 1)..]
    }

    #[cold]
    fn look(&mut self, records: &'r Records) {
        while let Some(chunk) = records.chunks.get(self.chunks.len()) {
            self.chunks.push(chunk);
        }
    }

    /// Writes a record where the next one has its place; what is not kept is overwritten. `None`: `room` is too
    /// small for another chunk.
    pub fn write(
        &mut self,
        records: &'r Records,
        state: &[u8],
        parent: Option<StateRef>,
        mark: u64,
        room: impl FnOnce() -> u64,
    ) -> Option<StateRef> {
        let header = records.header();
        let words = header + state.len().div_ceil(WORD);
        let last = self.own.map_or(0, |(_, chunk)| chunk.len());
        if self.used + words > last {
            self.own = Some(records.add_chunk(words, last, room())?);
            self.used = 0;
        }
        let (index, chunk) = self.own?;
        let reference = StateRef((index << records.shift | self.used) as u32);
        let record = &chunk[self.used..self.used + words];
        // The records behind this one come soon. Nobody waits for memory to be written, except for who takes a slot next.
        let ahead = chunk.as_ptr().wrapping_add(self.used + AHEAD);
        prefetch(ahead);
        prefetch(ahead.wrapping_byte_add(64));
        let first = u64::from(parent.unwrap_or(reference).0) | (state.len() as u64) << 32;
        record[0].store(first, Ordering::Relaxed);
        if records.marked {
            record[1].store(mark, Ordering::Relaxed);
        }
        let (whole, rest) = state.as_chunks::<WORD>();
        for (word, bytes) in record[header..].iter().zip(whole) {
            word.store(u64::from_le_bytes(*bytes), Ordering::Relaxed);
        }
        if !rest.is_empty() {
            record[words - 1].store(last_word(state), Ordering::Relaxed);
        }
        self.written = words;
        self.reach = self.reach.max((words * WORD - 1).min(LINE));
        Some(reference)
    }

    /// Keeps the record written last.
    #[inline]
    pub fn keep(&mut self) {
        self.used += std::mem::take(&mut self.written);
    }

    /// The words of the bytes of a record, and how many bytes these are.
    #[inline(always)]
    pub fn bytes(&mut self, records: &'r Records, state: StateRef) -> (&'r [AtomicU64], usize) {
        let words = self.words(records, state);
        let length = (words[0].load(Ordering::Relaxed) >> 32) as usize;
        (&words[records.header()..][..length.div_ceil(WORD)], length)
    }

    /// Whether a record is that of `state`.
    #[inline(always)]
    pub fn is(&mut self, records: &'r Records, reference: StateRef, state: &[u8]) -> bool {
        let header = records.header();
        let words = self.words(records, reference);
        if (words[0].load(Ordering::Relaxed) >> 32) as usize != state.len() {
            return false;
        }
        let (whole, rest) = state.as_chunks::<WORD>();
        let words = &words[header..];
        // All of them: that takes less than to stop at the first that differs.
        let differing = words.iter().zip(whole).fold(0, |differing, (word, bytes)| {
            differing | (word.load(Ordering::Relaxed) ^ u64::from_le_bytes(*bytes))
        });
        differing == 0 && (rest.is_empty() || words[whole.len()].load(Ordering::Relaxed) == last_word(state))
    }

    /// Asks the processor to fetch a record.
    #[inline]
    pub fn prefetch(&mut self, records: &'r Records, state: StateRef) {
        let reach = self.reach;
        let record = self.words(records, state).as_ptr();
        prefetch(record);
        prefetch(record.wrapping_byte_add(reach));
    }

    /// Makes `out` the bytes of a state.
    #[inline]
    pub fn load(&mut self, records: &'r Records, state: StateRef, out: &mut Vec<u8>) {
        let (words, length) = self.bytes(records, state);
        out.resize(words.len() * WORD, 0);
        for (bytes, word) in out.as_chunks_mut::<WORD>().0.iter_mut().zip(words) {
            *bytes = word.load(Ordering::Relaxed).to_le_bytes();
        }
        out.truncate(length);
    }

    /// The parent of a state.
    pub fn parent(&mut self, records: &'r Records, state: StateRef) -> StateRef {
        StateRef(self.words(records, state)[0].load(Ordering::Relaxed) as u32)
    }

    /// The word that the search keeps with a state. All reads and exchanges of these words are in one order.
    #[inline]
    pub fn mark(&mut self, records: &'r Records, state: StateRef) -> u64 {
        debug_assert!(records.marked);
        self.words(records, state)[1].load(Ordering::SeqCst)
    }

    /// Gives a state the word `new` if its present one is `old`. Whether it was.
    pub fn exchange_mark(&mut self, records: &'r Records, state: StateRef, old: u64, new: u64) -> bool {
        debug_assert!(records.marked);
        let word = &self.words(records, state)[1];
        word.compare_exchange(old, new, Ordering::SeqCst, Ordering::Relaxed).is_ok()
    }
}

/// The last bytes of a state, which are fewer than a word has, as a word. They are not put together in memory, where a word that was written in pieces can't be read at once.
#[inline(always)]
fn last_word(state: &[u8]) -> u64 {
    let missing = 8 * (state.len().wrapping_neg() % WORD) as u32;
    match state.last_chunk() {
        Some(last) => u64::from_le_bytes(*last) >> missing,
        None => state.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_all_sizes_come_back() {
        for marked in [false, true] {
            let records = Records::new(marked, 1 << 14);
            let (mut local, mut other) = (Local::default(), Local::default());
            let states: Vec<Vec<u8>> = (0..3000usize)
                .map(|i| vec![i as u8; i * 7919 % 100 + usize::from(i % 500 == 3) * 70_000])
                .collect();
            let mut written = Vec::new();
            for (i, state) in states.iter().enumerate() {
                let parent = written.last().copied();
                // What is written and not kept leaves no trace.
                local.write(&records, &[9; 70], parent, 5, || u64::MAX).unwrap();
                let reference = local.write(&records, state, parent, i as u64, || u64::MAX).unwrap();
                local.keep();
                written.push(reference);
            }
            let mut bytes = Vec::new();
            for (i, (state, reference)) in states.iter().zip(&written).enumerate() {
                other.load(&records, *reference, &mut bytes);
                assert_eq!(&bytes, state);
                assert!(other.is(&records, *reference, state));
                assert!(!other.is(&records, *reference, &states[(i + 1) % states.len()]));
                assert_eq!(other.parent(&records, *reference), written[i.saturating_sub(1)]);
                if marked {
                    assert_eq!(other.mark(&records, *reference), i as u64);
                    assert!(!other.exchange_mark(&records, *reference, i as u64 + 1, 0));
                    assert!(other.exchange_mark(&records, *reference, i as u64, 77 << 40));
                    assert_eq!(local.mark(&records, *reference), 77 << 40);
                    assert_eq!(local.parent(&records, *reference), written[i.saturating_sub(1)]);
                    assert!(other.is(&records, *reference, state));
                }
            }
        }
    }

    #[test]
    fn no_chunk_is_added_without_room() {
        let records = Records::new(false, SHORTEST);
        let mut local = Local::default();
        let mut stored = 0u64;
        let room = |records: &Records| (3 * SHORTEST).saturating_sub(records.bytes());
        while local.write(&records, &stored.to_le_bytes(), None, 0, || room(&records)).is_some() {
            local.keep();
            stored += 1;
        }
        assert_eq!(records.bytes(), 3 * SHORTEST);
        // Two words each.
        assert_eq!(stored, 3 * SHORTEST / 16);
    }
}
