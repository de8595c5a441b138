//! Records of states in chunks that never move: references survive growth, nothing is copied.
//!
//! A record is `side data · length · state`. Where all states have one size the length is left out
//! and a reference is the record's number; otherwise records start at multiples of four bytes, or eight in a file, and a
//! reference counts those. The order of records is the order of insertion, so a breadth-first search
//! needs no queue of its own: the arena is the queue.
//!
//! References have 32 bits: at most 2^32 states of one size, or 16 GiB of states of several sizes in memory and 32 GiB in a file.

use super::disk::{Chunk, StateFile};
use super::pages;
use std::io::ErrorKind;

/// The usual size of a chunk, unless one record needs more.
pub const CHUNK: usize = 1 << 20;
/// Records of several sizes start at multiples of this.
const UNIT: usize = 4;
/// The same in a file, which can be larger than memory.
const UNIT_IN_FILE: usize = 8;
/// From this chunk on all pages of a chunk are asked for at once.
const FEW: usize = 4;
/// So many bytes of the chunks before are.
const PIECE: usize = 1 << 17;
/// Bytes that the processor fetches at once.
const LINE: usize = 64;

/// The most bytes that a state can have.
const LONGEST: usize = (1 << 30) - 2;

/// A stored state.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StateRef(pub u32);

/// Which side data a record carries.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Side {
    /// One byte of colour: on the stack, or closed.
    pub colour: bool,
    /// The parent of the state.
    pub parent: bool,
    /// The number of the state's sleep set.
    pub sleep: bool,
}

impl Side {
    fn bytes(self) -> usize {
        usize::from(self.colour) + 4 * usize::from(self.parent) + 4 * usize::from(self.sleep)
    }
}

/// Chunks of records.
#[derive(Debug)]
pub struct Arena {
    side: Side,
    side_bytes: usize,
    /// The size of every state, if there is one.
    fixed: Option<usize>,
    /// Bytes from one reference to the next.
    unit: usize,
    /// log2 of the references a chunk holds.
    shift: u32,
    chunks: Vec<Chunk>,
    /// Where chunks lie, if not in memory.
    file: Option<StateFile>,
    /// The next free reference.
    next: u64,
    /// From this reference on pages were not asked for yet.
    present: u64,
    longest: usize,
    /// How far behind the beginning of a record the second line of it is asked for.
    reach: usize,
    allocated: u64,
}

impl Arena {
    /// An empty arena for states of size `fixed`, or of any size, in chunks of about `chunk` bytes.
    pub fn new(fixed: Option<usize>, side: Side, chunk: usize) -> Arena {
        Arena::in_units(fixed, side, chunk, UNIT)
    }

    /// The same with records of several sizes at multiples of `unit` bytes.
    fn in_units(fixed: Option<usize>, side: Side, chunk: usize, unit: usize) -> Arena {
        let side_bytes = side.bytes();
        let unit = fixed.map_or(unit, |size| (size + side_bytes).max(1));
        let per_chunk = (chunk / unit).max(1);
        let shift = usize::BITS - 1 - per_chunk.leading_zeros();
        Arena {
            side,
            side_bytes,
            fixed,
            unit,
            shift,
            chunks: Vec::new(),
            file: None,
            next: 0,
            present: 0,
            longest: 0,
            reach: 0,
            allocated: 0,
        }
    }

    /// One more than the highest reference that a record could have so far.
    pub fn end(&self) -> u64 {
        self.next
    }

    /// Passes each record in order to `take`, and gives back the
    /// memory of each chunk once all its records were taken. False as soon as `take` says so.
    pub fn drain(&mut self, mut take: impl FnMut(&Arena, StateRef) -> bool) -> bool {
        let mut next = self.first();
        while let Some(state) = next {
            if !take(self, state) {
                return false;
            }
            next = self.after(state);
            let chunk = (state.0 >> self.shift) as usize;
            if next.is_none_or(|next| (next.0 >> self.shift) as usize != chunk) {
                self.allocated -= self.chunks[chunk].len() as u64;
                self.chunks[chunk] = Chunk::default();
            }
        }
        true
    }

    /// An empty arena whose records lie in a file.
    pub fn in_file(self, file: StateFile) -> Arena {
        let chunk = self.chunk_bytes();
        Arena { file: Some(file), ..Arena::in_units(self.fixed, self.side, chunk, UNIT_IN_FILE) }
    }

    /// Bytes of memory allocated.
    pub fn bytes(&self) -> u64 {
        self.allocated
    }

    /// Bytes of the file.
    pub fn bytes_on_disk(&self) -> u64 {
        self.file.as_ref().map_or(0, StateFile::len)
    }

    /// Why the file could not grow, if it could not.
    pub fn refused_by_disk(&self) -> Option<ErrorKind> {
        self.file.as_ref()?.refusal()
    }

    /// The longest state stored.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// The first record, if there is any.
    pub fn first(&self) -> Option<StateRef> {
        (self.next > 0).then_some(StateRef(0))
    }

    /// The record inserted after `state`.
    pub fn after(&self, state: StateRef) -> Option<StateRef> {
        let next = if self.fixed.is_some() {
            u64::from(state.0) + 1
        } else {
            let units = self.record_bytes(self.state(state).len()).div_ceil(self.unit) as u64;
            if units > 1 << self.shift {
                let next = u64::from((state.0 >> self.shift) + 1) << self.shift;
                return (next < self.next).then_some(StateRef(next as u32));
            }
            let next = u64::from(state.0) + units;
            // A record that did not fit into the rest of a chunk starts the following one, and the
            // rest is zero, which is no length.
            if next < self.next && !self.is_record(StateRef(next as u32)) {
                ((next >> self.shift) + 1) << self.shift
            } else {
                next
            }
        };
        (next < self.next).then_some(StateRef(next as u32))
    }

    /// Whether `state` was inserted before `other`.
    pub fn is_before(&self, state: StateRef, other: StateRef) -> bool {
        state.0 < other.0
    }

    /// Appends a record. `None`: there is no room for it within `limit` bytes, or no memory.
    pub fn push(&mut self, state: &[u8], limit: u64) -> Option<StateRef> {
        let bytes = self.record_bytes(state.len());
        let units = (bytes.div_ceil(self.unit)) as u64;
        let per_chunk = 1u64 << self.shift;
        let mut at = self.next;
        if at & (per_chunk - 1) != 0 && (at & (per_chunk - 1)) + units > per_chunk {
            at = ((at >> self.shift) + 1) << self.shift;
        }
        // The two highest references stand for none.
        if at + units > u64::from(u32::MAX - 1) || state.len() > LONGEST {
            return None;
        }
        if (at >> self.shift) as usize == self.chunks.len() {
            self.grow(bytes, limit)?;
        }
        if at + units > self.present {
            self.ask_for_pages(at, bytes);
        }
        let reference = StateRef(at as u32);
        let (side, fixed) = (self.side_bytes, self.fixed.is_some());
        let record = self.record_mut(reference);
        if fixed {
            record[side..side + state.len()].copy_from_slice(state);
        } else {
            let header = write_length(&mut record[side..], state.len());
            record[side + header..side + header + state.len()].copy_from_slice(state);
        }
        // A record that is longer than a chunk has one of its own.
        self.next = at + units.min(per_chunk);
        if state.len() > self.longest {
            self.longest = state.len();
            self.reach = (bytes - 1).min(LINE);
        }
        Some(reference)
    }

    /// The bytes of a state.
    #[inline(always)]
    pub fn state(&self, reference: StateRef) -> &[u8] {
        let chunk = &self.chunks[(reference.0 >> self.shift) as usize];
        let at = (reference.0 as usize & ((1 << self.shift) - 1)) * self.unit + self.side_bytes;
        match self.fixed {
            Some(size) => &chunk[at..at + size],
            None => {
                let (length, header) = read_length(&chunk[at..]);
                &chunk[at + header..at + header + length]
            }
        }
    }

    /// The size of every state, if they have one.
    pub fn state_size(&self) -> Option<usize> {
        self.fixed
    }

    /// A state of eight bytes, as a number. All states have that size.
    #[inline(always)]
    pub fn word_state(&self, reference: StateRef) -> u64 {
        let chunk = &self.chunks[(reference.0 >> self.shift) as usize];
        let at = (reference.0 as usize & ((1 << self.shift) - 1)) * self.unit + self.side_bytes;
        match chunk[at..].first_chunk() {
            Some(bytes) => u64::from_le_bytes(*bytes),
            None => 0,
        }
    }

    /// Asks the processor to fetch a record.
    #[inline]
    pub fn prefetch(&self, reference: StateRef) {
        let record = self.record(reference).as_ptr();
        super::exact::prefetch(record);
        // The line in which it ends, or the second one if it has more.
        super::exact::prefetch(record.wrapping_add(self.reach));
    }

    /// The colour of a state; 0 at first.
    #[inline]
    pub fn colour(&self, reference: StateRef) -> u8 {
        debug_assert!(self.side.colour);
        self.record(reference)[0]
    }

    /// Colours a state.
    #[inline]
    pub fn set_colour(&mut self, reference: StateRef, colour: u8) {
        debug_assert!(self.side.colour);
        self.record_mut(reference)[0] = colour;
    }

    /// The parent of a state; itself for an initial state.
    #[inline]
    pub fn parent(&self, reference: StateRef) -> StateRef {
        debug_assert!(self.side.parent);
        StateRef(self.word(reference, usize::from(self.side.colour)))
    }

    /// Notes the parent of a state.
    #[inline]
    pub fn set_parent(&mut self, reference: StateRef, parent: StateRef) {
        debug_assert!(self.side.parent);
        self.set_word(reference, usize::from(self.side.colour), parent.0);
    }

    /// The number of a state's sleep set.
    #[inline]
    pub fn sleep(&self, reference: StateRef) -> u32 {
        debug_assert!(self.side.sleep);
        self.word(reference, self.side_bytes - 4)
    }

    /// Notes the number of a state's sleep set.
    #[inline]
    pub fn set_sleep(&mut self, reference: StateRef, sleep: u32) {
        debug_assert!(self.side.sleep);
        self.set_word(reference, self.side_bytes - 4, sleep);
    }

    #[inline]
    fn word(&self, reference: StateRef, at: usize) -> u32 {
        self.record(reference)[at..].first_chunk().map_or(0, |word| u32::from_le_bytes(*word))
    }

    #[inline]
    fn set_word(&mut self, reference: StateRef, at: usize, word: u32) {
        self.record_mut(reference)[at..at + 4].copy_from_slice(&word.to_le_bytes());
    }

    fn record_bytes(&self, state: usize) -> usize {
        match self.fixed {
            Some(_) => self.unit,
            None => self.side_bytes + length_bytes(state) + state,
        }
    }

    fn chunk_bytes(&self) -> usize {
        self.unit << self.shift
    }

    fn grow(&mut self, record: usize, limit: u64) -> Option<()> {
        let size = self.chunk_bytes().max(record);
        if let Some(file) = &mut self.file {
            self.chunks.push(file.map(size).ok()?);
            return Some(());
        }
        if self.bytes() + size as u64 > limit {
            return None;
        }
        self.allocated += size as u64;
        self.chunks.try_reserve(1).ok()?;
        // The first chunks may be all there is, so that their pages are asked for when their turn comes.
        let mapped = if self.chunks.len() < FEW { pages::absent(size) } else { pages::present(size) };
        self.chunks.push(match mapped {
            Ok(pages) => Chunk::Mapped(pages),
            Err(_) => Chunk::Memory(vec![0; size].into_boxed_slice()),
        });
        Some(())
    }

    /// Asks for the pages of a record of so many bytes at this reference, and for some behind them.
    #[cold]
    fn ask_for_pages(&mut self, at: u64, bytes: usize) {
        let chunk = (at >> self.shift) as usize;
        let end = ((chunk + 1) as u64) << self.shift;
        self.present = end;
        if chunk >= FEW || self.file.is_some() {
            return;
        }
        if let Chunk::Mapped(map) = &self.chunks[chunk] {
            let from = (at & ((1 << self.shift) - 1)) as usize * self.unit;
            let piece = PIECE.max(bytes);
            pages::ask_for(map, from, piece);
            self.present = end.min(at + (piece / self.unit) as u64);
        }
    }

    #[inline]
    fn record(&self, reference: StateRef) -> &[u8] {
        let chunk = &self.chunks[(reference.0 >> self.shift) as usize];
        &chunk[(reference.0 as usize & ((1 << self.shift) - 1)) * self.unit..]
    }

    #[inline]
    fn record_mut(&mut self, reference: StateRef) -> &mut [u8] {
        let chunk = &mut self.chunks[(reference.0 >> self.shift) as usize];
        &mut chunk[(reference.0 as usize & ((1 << self.shift) - 1)) * self.unit..]
    }

    /// Whether a record starts here; otherwise the rest of the chunk is unused.
    fn is_record(&self, reference: StateRef) -> bool {
        // The start of a chunk is always a record.
        let first = reference.0.trailing_zeros() >= self.shift;
        first || self.record(reference).get(self.side_bytes).is_some_and(|length| *length != 0)
    }
}

/// Lengths are stored plus one, in one byte, two or four, of which the first is never zero: its upper bits tell how many there are.
#[inline]
fn length_bytes(length: usize) -> usize {
    match length {
        0..0x7f => 1,
        0x7f..0x3fff => 2,
        _ => 4,
    }
}

#[inline]
fn write_length(out: &mut [u8], length: usize) -> usize {
    let (bytes, stored) = (length_bytes(length), length as u32 + 1);
    match bytes {
        1 => out[0] = stored as u8,
        2 => out[..2].copy_from_slice(&(0x8000 | stored as u16).to_be_bytes()),
        _ => out[..4].copy_from_slice(&(0xc000_0000 | stored).to_be_bytes()),
    }
    bytes
}

/// A length, and how many bytes it takes.
#[inline]
fn read_length(record: &[u8]) -> (usize, usize) {
    if record[0] < 0x80 {
        return (usize::from(record[0]) - 1, 1);
    }
    read_long_length(record)
}

fn read_long_length(record: &[u8]) -> (usize, usize) {
    if record[0] < 0xc0 {
        let stored = u16::from_be_bytes([record[0], record[1]]) & 0x3fff;
        (usize::from(stored) - 1, 2)
    } else {
        let stored = u32::from_be_bytes([record[0], record[1], record[2], record[3]]) & 0x3fff_ffff;
        (stored as usize - 1, 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_several_sizes_come_back_in_order() {
        let side = Side { colour: true, parent: true, sleep: true };
        let mut arena = Arena::new(None, side, CHUNK);
        let states: Vec<Vec<u8>> = (0..5000usize)
            .map(|i| {
                vec![
                    (i % 251) as u8;
                    (i * 7919) % 1500
                        + usize::from(i % 900 == 0) * 70_000
                        + usize::from(i % 2000 == 7) * 1_500_000
                ]
            })
            .collect();
        let references: Vec<StateRef> = states.iter().map(|s| arena.push(s, u64::MAX).unwrap()).collect();
        for (i, r) in references.iter().enumerate() {
            arena.set_colour(*r, (i % 3) as u8);
            arena.set_parent(*r, StateRef(i as u32 * 3));
            arena.set_sleep(*r, i as u32 * 5);
        }
        let mut at = arena.first();
        for (i, r) in references.iter().enumerate() {
            assert_eq!(at, Some(*r), "record {i}");
            assert_eq!(arena.state(*r), states[i]);
            assert_eq!(arena.colour(*r), (i % 3) as u8);
            assert_eq!(arena.parent(*r), StateRef(i as u32 * 3));
            assert_eq!(arena.sleep(*r), i as u32 * 5);
            at = arena.after(*r);
        }
        assert_eq!(at, None);
    }

    #[test]
    fn a_full_arena_says_so() {
        let mut arena = Arena::new(Some(8), Side::default(), CHUNK);
        let limit = arena.chunk_bytes() as u64;
        let mut stored = 0;
        while arena.push(&[0; 8], limit).is_some() {
            stored += 1;
        }
        assert_eq!(stored, limit / 8);
    }
}
