//! The exact visited set: open addressing over buckets of one cache line.
//!
//! A bucket (`buckets`) holds ten slots: a tag and a reference into the arena each. Asking for a
//! state that is not there costs one cache line; a state that is there costs one more, for its
//! bytes. Bucket numbers come from the hash by multiplication, so the table need not be a
//! power of two and can grow in small steps. A small table is dropped to grow, and built again from
//! the arena, in order; a large one grows in place. So the peak is the new table alone.
//!
//! States that are not very short are hashed, compared and stored in packed form ([`super::pack`]).

mod buckets;

use super::arena::{Arena, CHUNK, Side, StateRef};
use super::compare::same;
use super::disk::StateFile;
use super::hash_word;
use super::interface::{Insert, Lookup, Ordered, Recollection, Store, insert_each};
use super::pack::{Codes, Packing, Place, hash_code};
use super::saved;
use crate::checkpoint::{Reader, Refusal, Writer};
use buckets::{Buckets, Look};
use mazurka_model::Batch;
use std::borrow::Cow;
use std::ops::Range;

const FIRST_BUCKETS: usize = 64;
/// From this many buckets on (8 MiB) the table grows in smaller steps, unless it is small beside the records.
const LARGE: usize = 1 << 17;
/// The buckets of a huge page.
const PAGE: usize = 1 << 15;

/// A state that was looked up together with others, as [`Store::prepare`] leaves it.
#[derive(Copy, Clone, Debug)]
pub struct Question {
    hash: u64,
    /// The record that is most likely its own, or [`ABSENT`], or [`UNSURE`].
    answer: StateRef,
    /// Where its code is, if states are packed.
    code: Place,
}

/// Only a whole search can tell; no record has this number.
const UNSURE: StateRef = StateRef(u32::MAX);
/// The state was not there when it was looked up; no record has this number.
const ABSENT: StateRef = StateRef(u32::MAX - 1);

/// States of up to this many bytes are compared with their parent before anything is looked up: a
/// step that changes nothing is frequent in small models, and longer states are dearer to compare.
const SMALL: usize = 16;

/// The exact set of visited states.
#[derive(Debug)]
pub struct Exact {
    buckets: Buckets,
    arena: Arena,
    /// How records are packed, if they are.
    packing: Option<Packing>,
    /// The codes of the states that are looked up together.
    codes: Codes,
    /// The code of the state that is inserted.
    code: Vec<u8>,
    states: u64,
    longest: usize,
    limit: u64,
    /// The system refused memory for a larger table.
    cannot_grow: bool,
}

impl Exact {
    /// An empty set that may use `limit` bytes.
    pub fn new(state_size: Option<usize>, side: Side, limit: Option<u64>) -> Exact {
        let packing = Packing::new(state_size);
        let size = if packing.is_some() { None } else { state_size };
        Exact { packing, ..Exact::unpacked(size, side, limit) }
    }

    /// The same, with states as they are.
    pub fn unpacked(state_size: Option<usize>, side: Side, limit: Option<u64>) -> Exact {
        Exact::in_chunks(state_size, side, limit, CHUNK)
    }

    /// The same with an arena in chunks of about `chunk` bytes, in which states are kept as they are.
    pub fn in_chunks(state_size: Option<usize>, side: Side, limit: Option<u64>, chunk: usize) -> Exact {
        Exact {
            buckets: Buckets::new(FIRST_BUCKETS).expect("there is memory for an empty table"),
            arena: Arena::new(state_size, side, chunk),
            packing: None,
            codes: Codes::default(),
            code: Vec::new(),
            states: 0,
            longest: 0,
            limit: limit.unwrap_or(u64::MAX),
            cannot_grow: false,
        }
    }

    /// The reference of a state, if it was visited.
    pub fn find_state(&self, state: &[u8]) -> Option<StateRef> {
        let Some(packing) = self.packing else { return self.find(hash_code(state), state) };
        let mut code = Vec::new();
        packing.pack(state, &mut code);
        self.find(packing.hash(&code), &code)
    }

    /// Gives up the table and keeps the records, with how they are packed.
    pub fn into_arena(self) -> (Arena, Option<Packing>) {
        (self.arena, self.packing)
    }

    /// The same with the records in a file, if there is one; then only the table counts against the limit.
    pub fn kept_in(self, file: Option<StateFile>) -> Exact {
        match file {
            Some(file) => Exact { arena: self.arena.in_file(file), ..self },
            None => self,
        }
    }

    #[inline(always)]
    fn ask_for(&self, hash: u64) -> Question {
        self.buckets.prefetch(hash);
        Question { hash, answer: UNSURE, code: (0, 0) }
    }

    /// Whether the states of a batch from number `from` on are all of eight bytes: such states are compared and hashed as numbers.
    #[inline(always)]
    fn words<'b>(&self, batch: &'b Batch, from: usize) -> Option<&'b [[u8; 8]]> {
        let (words, rest) = batch.tail(from)?.as_chunks();
        (self.arena.state_size() == Some(8) && rest.is_empty()).then_some(words)
    }

    /// Asks for the states of a batch from number `from` on; if all are successors of one state, with its reference and bytes.
    #[inline(always)]
    fn ask_all(
        &mut self,
        parent: Option<(StateRef, &[u8])>,
        batch: &Batch,
        from: usize,
        out: &mut Vec<Question>,
    ) {
        if let Some(packing) = self.packing {
            let mut codes = std::mem::take(&mut self.codes);
            codes.clear();
            out.reserve(batch.len() - from);
            codes.pack(packing, batch, from..batch.len(), |hash, code| {
                self.buckets.prefetch(hash);
                out.push(Question { hash, answer: UNSURE, code });
            });
            self.codes = codes;
            return;
        }
        let known = |state: &[u8]| parent.filter(|(_, present)| state == *present);
        let own = |(parent, _)| Question { hash: 0, answer: parent, code: (0, 0) };
        if let Some(words) = self.words(batch, from) {
            let ask = |word: &[u8; 8]| self.ask_for(hash_word(u64::from_le_bytes(*word)));
            return out.extend(words.iter().map(|word| known(word).map_or_else(|| ask(word), own)));
        }
        out.extend((from..batch.len()).map(|index| {
            let state = batch.state(index);
            let known = if state.len() <= SMALL { known(state) } else { None };
            known.map_or_else(|| self.ask_for(hash_code(state)), own)
        }));
    }

    /// Whether a record is that of a state, whose code is at this place if states are packed.
    #[inline(always)]
    fn is(&self, record: StateRef, state: &[u8], code: Place) -> bool {
        match (self.packing, state.as_array()) {
            (Some(packing), _) => packing.same(self.arena.state(record), self.codes.at(code)),
            (None, Some(word)) if self.arena.state_size() == Some(8) => {
                self.arena.word_state(record) == u64::from_le_bytes(*word)
            }
            (None, _) => same(self.arena.state(record), state),
        }
    }

    /// Answers each open question with the first record of its bucket that has its tag.
    #[inline(always)]
    fn fetch_records(&self, questions: &mut [Question]) {
        let mut crowded = false;
        for question in questions.iter_mut().filter(|q| q.answer == UNSURE) {
            let spot = self.buckets.spot(question.hash);
            match self.buckets.look(spot.bucket, spot) {
                Look::Likely(record) => {
                    question.answer = record;
                    self.arena.prefetch(record);
                }
                Look::Absent => question.answer = ABSENT,
                Look::Full => {
                    crowded = true;
                    self.buckets.prefetch_bucket(self.buckets.following(spot.bucket));
                }
            }
        }
        if !crowded {
            return;
        }
        // Where the bucket is full, the state may be in the following one.
        for question in questions.iter_mut().filter(|q| q.answer == UNSURE) {
            let spot = self.buckets.spot(question.hash);
            match self.buckets.look(self.buckets.following(spot.bucket), spot) {
                Look::Likely(record) => {
                    question.answer = record;
                    self.arena.prefetch(record);
                }
                Look::Absent => question.answer = ABSENT,
                Look::Full => {}
            }
        }
    }

    /// The reference of a state, if it was visited.
    #[inline(never)]
    fn find(&self, hash: u64, state: &[u8]) -> Option<StateRef> {
        self.buckets.find(self.buckets.spot(hash), |record| same(self.arena.state(record), state))
    }

    /// Adds a state, with this hash if it is known, unless it is there.
    #[inline(always)]
    fn insert_state(&mut self, known: Option<u64>, state: &[u8]) -> Insert {
        self.longest = self.longest.max(state.len());
        let Some(packing) = self.packing else {
            return self.insert_hashed(known.unwrap_or_else(|| hash_code(state)), state);
        };
        let mut code = std::mem::take(&mut self.code);
        code.clear();
        packing.pack(state, &mut code);
        let insert = self.insert_hashed(known.unwrap_or_else(|| packing.hash(&code)), &code);
        self.code = code;
        insert
    }

    /// Adds a record unless it is there.
    #[inline]
    fn insert_hashed(&mut self, hash: u64, state: &[u8]) -> Insert {
        // Most often the first bucket tells that the state is new.
        let spot = self.buckets.spot(hash);
        if self.buckets.look(spot.bucket, spot) != Look::Absent
            && let Some(reference) = self.find(hash, state)
        {
            return Insert::Seen(reference);
        }
        self.add(hash, state)
    }

    /// Adds a state that is not there.
    fn add(&mut self, hash: u64, state: &[u8]) -> Insert {
        let slots = self.buckets.slots();
        // Fuller buckets spill more often.
        let full = slots / 5 * 4;
        if self.states as usize >= full && !self.grow() && self.states as usize >= slots / 100 * 97 {
            return Insert::Full;
        }
        let room = self.limit.saturating_sub(Buckets::bytes(self.buckets.len()));
        let Some(reference) = self.arena.push(state, room) else { return Insert::Full };
        self.buckets.put(self.buckets.spot(hash), reference);
        self.states += 1;
        Insert::New(reference)
    }

    /// Makes the table larger: twice as large or more, and by less once it is some megabytes long. False
    /// if there is no room for that.
    fn grow(&mut self) -> bool {
        if self.cannot_grow {
            return false;
        }
        let double = 2 * self.buckets.len();
        let more = match self.buckets.len() {
            small @ ..4096 => (small * 4).max(FIRST_BUCKETS),
            // Every record is entered anew, so the table grows in few steps where it is small beside them.
            ..LARGE if Buckets::bytes(2 * double) <= self.arena.bytes() / 3 => 2 * double,
            ..LARGE => double,
            _ if Buckets::bytes(double) <= self.arena.bytes() / 8 => double,
            // By three eighths, in whole huge pages.
            large => (large / 8 * 11 + PAGE / 2) / PAGE * PAGE,
        };
        if Buckets::bytes(more) + self.arena.bytes() > self.limit {
            return false;
        }
        if self.buckets.can_spread() {
            let (arena, packing) = (&self.arena, self.packing);
            let grown = self.buckets.grow(more, |record| hash_record(packing, arena.state(record)));
            self.cannot_grow = grown.is_err();
        } else {
            self.rebuild(more);
        }
        !self.cannot_grow
    }

    /// Replaces the table by one of so many buckets, or if there is no memory as large as it was, and enters every record of the arena: a
    /// few at a time, so that the processor can fetch their buckets together.
    fn rebuild(&mut self, buckets: usize) {
        const AHEAD: usize = 16;
        let kept = self.buckets.len();
        self.buckets = Buckets::default();
        self.buckets = match Buckets::new(buckets) {
            Ok(larger) => larger,
            Err(_) => {
                self.cannot_grow = true;
                Buckets::new(kept).expect("as much memory was just given back")
            }
        };
        let mut hashes = [(0u64, StateRef(0)); AHEAD];
        let mut next = self.arena.first();
        while next.is_some() {
            let mut n = 0;
            while let (Some(reference), true) = (next, n < AHEAD) {
                let hash = hash_record(self.packing, self.arena.state(reference));
                self.buckets.prefetch(hash);
                hashes[n] = (hash, reference);
                n += 1;
                next = self.arena.after(reference);
            }
            for &(hash, reference) in &hashes[..n] {
                self.buckets.put(self.buckets.spot(hash), reference);
            }
        }
    }
}

/// The hash of a record.
#[inline]
fn hash_record(packing: Option<Packing>, record: &[u8]) -> u64 {
    packing.map_or_else(|| hash_code(record), |packing| packing.hash(record))
}

impl Store for Exact {
    type Question = Question;

    #[inline]
    fn insert(&mut self, state: &[u8]) -> Insert {
        self.insert_state(None, state)
    }

    /// First the buckets are fetched together, then the records that the states most likely are. These are compared, and what is
    /// rare is looked for, by [`Store::find_prepared`].
    #[inline]
    fn prepare(
        &mut self,
        parent: StateRef,
        present: &[u8],
        batch: &Batch,
        from: usize,
        out: &mut Vec<Question>,
    ) {
        out.clear();
        self.ask_all(Some((parent, present)), batch, from, out);
        self.fetch_records(out);
    }

    fn asks_several(&self) -> bool {
        true
    }

    #[inline]
    fn ask(&mut self, batch: &Batch, _ends: impl Iterator<Item = usize> + Clone, out: &mut Vec<Question>) {
        out.clear();
        self.ask_all(None, batch, 0, out);
    }

    #[inline]
    fn fetch(&mut self, _batch: &Batch, out: &mut [Question]) {
        self.fetch_records(out);
    }

    #[inline]
    fn fetch_record(&self, state: StateRef) {
        self.arena.prefetch(state);
    }

    #[inline(always)]
    fn find_prepared(&self, question: Question, state: &[u8]) -> Lookup {
        if question.answer == ABSENT {
            return Lookup::Absent;
        }
        if question.answer < ABSENT && self.is(question.answer, state, question.code) {
            return Lookup::Stored(question.answer);
        }
        let record = if self.packing.is_some() { self.codes.at(question.code) } else { state };
        self.find(question.hash, record).map_or(Lookup::Absent, Lookup::Stored)
    }

    #[inline(always)]
    fn insert_prepared(&mut self, question: Question, state: &[u8]) -> Insert {
        if question.answer < ABSENT && self.is(question.answer, state, question.code) {
            return Insert::Seen(question.answer);
        }
        // What was absent may have been inserted since: a batch can hold a state twice.
        if self.packing.is_none() {
            return self.insert_state(Some(question.hash), state);
        }
        self.longest = self.longest.max(state.len());
        let codes = std::mem::take(&mut self.codes);
        let insert = self.insert_hashed(question.hash, codes.at(question.code));
        self.codes = codes;
        insert
    }

    #[inline]
    fn insert_asked(
        &mut self,
        questions: &[Question],
        batch: &Batch,
        numbers: Range<usize>,
        mut met: impl FnMut(Insert) -> bool,
    ) {
        let Some(packing) = self.packing else { return insert_each(self, questions, batch, numbers, met) };
        let codes = std::mem::take(&mut self.codes);
        for (number, question) in numbers.clone().zip(&questions[numbers]) {
            let code = codes.at(question.code);
            let known = question.answer < ABSENT && packing.same(self.arena.state(question.answer), code);
            let insert = if known {
                Insert::Seen(question.answer)
            } else {
                self.longest = self.longest.max(batch.state(number).len());
                self.insert_hashed(question.hash, code)
            };
            if !met(insert) {
                break;
            }
        }
        self.codes = codes;
    }

    #[inline(always)]
    fn mark(&self, question: Question) -> u64 {
        question.hash
    }

    #[inline(always)]
    fn expect(&self, mark: u64) {
        self.buckets.prefetch(mark);
    }

    #[inline(always)]
    fn insert_marked(&mut self, mark: u64, state: &[u8]) -> Insert {
        // A hash of 0 may be one that is not known.
        self.insert_state((mark != 0).then_some(mark), state)
    }

    #[inline]
    fn load(&self, state: StateRef, out: &mut Vec<u8>) {
        out.clear();
        match self.packing {
            Some(packing) => packing.unpack(self.arena.state(state), out),
            None => out.extend_from_slice(self.arena.state(state)),
        }
    }

    fn state(&self, state: StateRef) -> Cow<'_, [u8]> {
        match self.packing {
            Some(packing) => {
                let mut bytes = Vec::new();
                packing.unpack(self.arena.state(state), &mut bytes);
                Cow::Owned(bytes)
            }
            None => Cow::Borrowed(self.arena.state(state)),
        }
    }

    #[inline]
    fn colour(&self, state: StateRef) -> u8 {
        self.arena.colour(state)
    }

    #[inline]
    fn set_colour(&mut self, state: StateRef, colour: u8) {
        self.arena.set_colour(state, colour);
    }

    #[inline]
    fn parent(&self, state: StateRef) -> StateRef {
        self.arena.parent(state)
    }

    #[inline]
    fn set_parent(&mut self, state: StateRef, parent: StateRef) {
        self.arena.set_parent(state, parent);
    }

    #[inline]
    fn sleep(&self, state: StateRef) -> u32 {
        self.arena.sleep(state)
    }

    #[inline]
    fn set_sleep(&mut self, state: StateRef, sleep: u32) {
        self.arena.set_sleep(state, sleep);
    }

    fn len(&self) -> u64 {
        self.states
    }

    fn bytes(&self) -> u64 {
        Buckets::bytes(self.buckets.len()) + self.arena.bytes()
    }

    fn set_limit(&mut self, bytes: u64) {
        self.limit = bytes;
    }

    fn longest(&self) -> usize {
        self.longest
    }

    fn recollection(&self) -> Recollection {
        Recollection {
            on_disk: self.arena.bytes_on_disk(),
            refused_by_disk: self.arena.refused_by_disk(),
            ..Recollection::default()
        }
    }

    fn save(&self, side: Side, out: &mut Writer<'_>) -> std::io::Result<()> {
        saved::save_in_order(self, side, out)
    }

    fn restore(&mut self, side: Side, from: &mut Reader) -> Result<(), Refusal> {
        saved::restore_in_order(self, side, from)
    }
}

impl Ordered for Exact {
    fn first(&self) -> Option<StateRef> {
        self.arena.first()
    }

    fn after(&self, state: StateRef) -> Option<StateRef> {
        self.arena.after(state)
    }
}

/// Asks the processor to fetch the cache line at `address`.
#[inline]
pub(crate) fn prefetch<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch is a hint; it never faults, whatever the address.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_was_put_in_and_nothing_else() {
        let mut set = Exact::new(None, Side::default(), None);
        let state = |i: u32| i.to_le_bytes()[..1 + (i as usize % 4)].to_vec();
        let mut reference = std::collections::HashMap::new();
        for i in 0..300_000u32 {
            let s = state(i);
            match set.insert(&s) {
                Insert::New(r) => assert!(reference.insert(s, r).is_none()),
                Insert::Seen(r) => assert_eq!(reference.get(&s), Some(&r)),
                other => unreachable!("there is no limit, and nothing is forgotten: {other:?}"),
            }
        }
        assert_eq!(set.len(), reference.len() as u64);
        for (s, r) in &reference {
            assert_eq!(set.find_state(s), Some(*r));
        }
        assert_eq!(set.find_state(b"not there"), None);
    }

    #[test]
    fn stays_within_its_limit_and_stays_usable_when_full() {
        let limit = 3 << 20;
        let mut set = Exact::new(Some(8), Side::default(), Some(limit));
        let mut stored = 0u64;
        let full = (0u64..).find(|i| {
            let s = i.to_le_bytes();
            match set.insert(&s) {
                Insert::Full => true,
                _ => {
                    stored += 1;
                    false
                }
            }
        });
        assert_eq!(full, Some(stored));
        assert_eq!(set.len(), stored);
        assert!(set.bytes() <= limit);
        assert!((0..stored).all(|i| set.find_state(&i.to_le_bytes()).is_some()));
        assert!(set.find_state(&stored.to_le_bytes()).is_none());
    }
}
