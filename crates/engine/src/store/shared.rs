//! The exact visited set of a search by several threads: no lock is taken on the way of a state.
//!
//! Each thread has a [`Handle`]. States are records in chunks of memory that one thread fills and all read
//! (`records`); one table of slots, each a tag and a reference, says which states are there (`table`).
//!
//! **A state is inserted exactly once.** A thread walks over the slots that its hash names, in an order that
//! depends on the hash and the size of the table alone. A slot goes from empty to taken by one
//! compare-and-swap, and stays as it is. So of two threads with the same state, say that the one that found it new took slot k. The
//! other comes to slot k as well, since neither stops before: every slot in front of k was taken, by other states,
//! when the first passed it, and still is. It finds there either the first one's reference, or nothing; then
//! its own compare-and-swap decides which of them is the first. The loser reads what the winner wrote.
//!
//! **What is read was written.** The words of a record are written with relaxed stores before the slot is taken
//! with release. Who reads the slot with acquire therefore sees the record, the list of chunks that contains it, and everything
//! that the inserting thread had seen: the records of the parents too. References that come another way, with
//! work that is handed over, come through a mutex, which orders as much.
//!
//! **Growing stops all threads, for a moment.** Each holds the table for reading as long as it works, and looks at a
//! flag before it inserts. If the flag is up it lets go of the table. The first that then gets it for writing adds memory,
//! and all that come by move the states to their new buckets together (`spread`); nobody looks anything up meanwhile. Nothing is
//! known of slots across an insertion, so any point between two is a safe one. References name records, which never
//! move.

mod records;
mod spread;
mod table;

use super::StateRef;
use super::interface::Insert;
use super::pack::{Codes, Packing, Place, hash_code};
use mazurka_model::Batch;
use records::{Local, Records};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, TryLockError};
use table::{First, Now, Table};

/// States of up to this many bytes are compared with their parent before they are looked up; longer ones are dearer
/// to compare.
const SMALL: usize = 16;
/// Insertions of a thread between two looks at how full the table is.
const UNCOUNTED: u64 = 64;

/// Something that threads write often, on a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Apart<T>(T);

/// The set of visited states.
#[derive(Debug)]
pub struct Shared {
    table: RwLock<Table>,
    records: Records,
    /// How records are packed, if they are.
    packing: Option<Packing>,
    /// States, up to a few of each thread.
    states: Apart<AtomicU64>,
    /// The table is to be made larger.
    grow: Apart<AtomicBool>,
    limit: u64,
    /// Bytes that the limit counts, and that are used elsewhere.
    elsewhere: AtomicU64,
    table_bytes: AtomicU64,
}

/// A state that was looked up together with others.
#[derive(Copy, Clone, Debug)]
pub struct Question {
    hash: u64,
    /// Where the state most likely is; [`NOWHERE`] if nothing speaks for any place.
    likely: StateRef,
    /// The first empty slot of its bucket, if nothing in that may be the state; or no slot of a bucket.
    free: u32,
    /// Where its code is, if states are packed.
    code: Place,
}

impl Question {
    fn open(hash: u64, code: Place) -> Question {
        Question { hash, likely: NOWHERE, free: NO_SLOT, code }
    }
}

/// No state has this reference.
const NOWHERE: StateRef = StateRef(u32::MAX);
/// No slot of a bucket has this number.
const NO_SLOT: u32 = u32::MAX;

impl Shared {
    /// An empty set for so many threads, that may use `limit` bytes, of states of this size or of several. Each state keeps its
    /// parent, and a word of the search if `marked`.
    pub fn new(size: Option<usize>, marked: bool, limit: Option<u64>, threads: usize) -> Shared {
        let limit = limit.unwrap_or(u64::MAX);
        // What all threads insert before anyone counts it must fit.
        let table = Table::new(threads * 4 * UNCOUNTED as usize);
        Shared {
            table_bytes: AtomicU64::new(table.bytes()),
            table: RwLock::new(table),
            records: Records::new(marked, limit / (32 * threads.max(1) as u64)),
            packing: Packing::new(size),
            states: Apart::default(),
            grow: Apart::default(),
            limit,
            elsewhere: AtomicU64::new(0),
        }
    }

    /// What one thread works with.
    pub fn handle(&self) -> Handle<'_> {
        let access = Access {
            shared: self,
            table: None,
            steady: false,
            local: Local::default(),
            uncounted: 0,
            full: false,
        };
        Handle { access, codes: Codes::default(), code: Vec::new(), crowded: Vec::new(), longest: 0 }
    }

    /// Bytes allocated for all of it.
    pub fn bytes(&self) -> u64 {
        self.table_bytes.load(Ordering::Relaxed) + self.records.bytes()
    }

    /// Gives all memory back to the system, with so many threads: for one that takes a while.
    pub fn give_back(self, threads: usize) {
        self.records.give_back(threads);
    }

    /// Tells how many bytes that the limit counts are used elsewhere.
    pub fn set_elsewhere(&self, bytes: u64) {
        self.elsewhere.store(bytes, Ordering::Relaxed);
    }

    /// The bytes that are left.
    fn room(&self) -> u64 {
        self.limit.saturating_sub(self.bytes() + self.elsewhere.load(Ordering::Relaxed))
    }

    /// The states from one without a parent to `state`.
    pub fn way(&self, mut state: StateRef) -> Vec<Vec<u8>> {
        let mut local = Local::default();
        let mut states = Vec::new();
        let mut code = Vec::new();
        loop {
            let mut bytes = Vec::new();
            self.load(&mut local, state, &mut code, &mut bytes);
            states.push(bytes);
            let parent = local.parent(&self.records, state);
            if parent == state {
                break;
            }
            state = parent;
        }
        states.reverse();
        states
    }

    /// Makes `out` the bytes of a state.
    #[inline]
    fn load<'a>(&'a self, local: &mut Local<'a>, state: StateRef, code: &mut Vec<u8>, out: &mut Vec<u8>) {
        match self.packing {
            Some(packing) if packing.reads_words() => {
                out.clear();
                packing.unpack_words(local.bytes(&self.records, state).0, out);
            }
            Some(packing) => {
                local.load(&self.records, state, code);
                out.clear();
                packing.unpack(code, out);
            }
            None => local.load(&self.records, state, out),
        }
    }

    /// Whether a record is this one.
    #[inline(always)]
    fn is<'a>(&'a self, local: &mut Local<'a>, reference: StateRef, record: &[u8]) -> bool {
        match self.packing {
            Some(packing) if packing.reads_words() => {
                let (words, length) = local.bytes(&self.records, reference);
                length == record.len() && packing.same_words(words, record)
            }
            _ => local.is(&self.records, reference, record),
        }
    }

    fn locked(&self) -> RwLockReadGuard<'_, Table> {
        self.table.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The table, which does not grow as long as it is held.
    fn read(&self) -> RwLockReadGuard<'_, Table> {
        loop {
            let table = self.locked();
            if !table.is_growing() {
                return table;
            }
            drop(table);
            self.grow();
        }
    }

    /// Makes the table larger, together with all threads that come here meanwhile. A thread must not queue for the lock: once the
    /// table has grown, those who hold it to read keep it until it has to grow again.
    #[cold]
    fn grow(&self) {
        while self.grow.0.load(Ordering::Relaxed) {
            self.locked().help();
            let mut table = match self.table.try_write() {
                Ok(table) => table,
                Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => {
                    // Who reads lets go before the next insertion; who writes is at it.
                    std::thread::yield_now();
                    continue;
                }
            };
            if !self.grow.0.load(Ordering::Relaxed) {
                break;
            }
            if !table.is_growing() {
                table.begin_growth(self.room(), self.records.bytes(), self.states.0.load(Ordering::Relaxed));
                self.table_bytes.store(table.bytes(), Ordering::Relaxed);
            }
            // A small table is moved by whoever comes first; in a large one others may be at work, or be about to.
            if table.end_growth() {
                self.grow.0.store(false, Ordering::Relaxed);
            }
        }
    }
}

/// What one thread works with.
#[derive(Debug)]
pub struct Handle<'a> {
    access: Access<'a>,
    /// The codes of the states that are looked up together.
    codes: Codes,
    /// The code of one state.
    code: Vec<u8>,
    /// Questions whose bucket is full, and the following one.
    crowded: Vec<(usize, usize)>,
    /// The longest state that was inserted.
    longest: usize,
}

/// The table and the records, as one thread has them.
#[derive(Debug)]
struct Access<'a> {
    shared: &'a Shared,
    /// Held while the thread works.
    table: Option<RwLockReadGuard<'a, Table>>,
    /// The table has been held since answers were fetched, so that slots are where they were.
    steady: bool,
    local: Local<'a>,
    /// Insertions that were not added to those of all.
    uncounted: u64,
    /// There is no room for another state.
    full: bool,
}

impl<'a> Handle<'a> {
    /// Lets go of the table, before a time in which nothing is asked: others need not wait then until it is
    /// larger.
    pub fn rest(&mut self) {
        self.access.let_go();
    }

    /// Looks up the states of a batch from number `from` on, all successors of `present`, whose reference is
    /// `parent`: all together, so that the processor can fetch them together. Clears `out` first, and writes one
    /// question for each.
    pub fn prepare(
        &mut self,
        parent: StateRef,
        present: &[u8],
        batch: &Batch,
        from: usize,
        out: &mut Vec<Question>,
    ) {
        self.begin(out);
        self.ask(parent, present, batch, from..batch.len(), out);
        self.fetch(out);
    }

    /// Forgets the questions that were asked before.
    #[inline]
    pub fn begin(&mut self, questions: &mut Vec<Question>) {
        self.codes.clear();
        questions.clear();
    }

    /// Adds a question for each state of a batch with these numbers, and asks the processor to fetch their buckets. All are
    /// successors of `present`, whose reference is `parent`; successors of several states may be asked about before
    /// the answers are fetched.
    #[inline]
    pub fn ask(
        &mut self,
        parent: StateRef,
        present: &[u8],
        batch: &Batch,
        numbers: Range<usize>,
        out: &mut Vec<Question>,
    ) {
        let shared = self.access.shared;
        let table = self.access.table.get_or_insert_with(|| shared.read());
        if let Some(packing) = shared.packing {
            out.reserve(numbers.len());
            self.codes.pack(packing, batch, numbers, |hash, code| {
                table.prefetch(hash);
                out.push(Question::open(hash, code));
            });
        } else {
            out.extend(numbers.map(|index| {
                let state = batch.state(index);
                let question = Question::open(hash_code(state), (0, 0));
                // A step that changes nothing is frequent in small models, and needs no table.
                if state.len() <= SMALL && state == present {
                    return Question { likely: parent, ..question };
                }
                table.prefetch(question.hash);
                question
            }));
        }
    }

    /// Asks the processor to fetch the records that the states in question most likely are.
    #[inline]
    pub fn fetch(&mut self, questions: &mut [Question]) {
        let shared = self.access.shared;
        let Access { table, local, steady, .. } = &mut self.access;
        let table = &**table.get_or_insert_with(|| shared.read());
        *steady = true;
        self.crowded.clear();
        for (index, question) in questions.iter_mut().enumerate() {
            if question.likely != NOWHERE {
                continue;
            }
            let home = table.home(question.hash);
            match table.first(home, question.hash) {
                First::Likely(likely) => {
                    local.prefetch(&shared.records, likely);
                    question.likely = likely;
                }
                First::Free(slot) => question.free = slot,
                First::Full => {
                    let following = table.following(home);
                    table.prefetch_bucket(following);
                    self.crowded.push((index, following));
                }
            }
        }
        // Where the bucket is full, the state may be in the following one.
        for &(index, following) in &self.crowded {
            let question = &mut questions[index];
            if let First::Likely(likely) = table.first(following, question.hash) {
                local.prefetch(&shared.records, likely);
                question.likely = likely;
            }
        }
    }

    /// Adds a state that was prepared for, unless it is there, with this parent and word; without a parent it
    /// is its own.
    #[inline]
    pub fn insert_prepared(
        &mut self,
        question: Question,
        state: &[u8],
        parent: Option<StateRef>,
        mark: u64,
    ) -> Insert {
        self.insert_asked(&question, || state, parent, mark)
    }

    /// The same, with the state where it is asked for: what was packed is not looked at again.
    #[inline(always)]
    pub fn insert_asked<'b>(
        &mut self,
        question: &Question,
        state: impl Fn() -> &'b [u8],
        parent: Option<StateRef>,
        mark: u64,
    ) -> Insert {
        let Access { shared, local, .. } = &mut self.access;
        let record = if shared.packing.is_some() { self.codes.at(question.code) } else { state() };
        if question.likely != NOWHERE && shared.is(local, question.likely, record) {
            return Insert::Seen(question.likely);
        }
        let insert = self.access.insert(question.hash, question.free, record, parent, mark);
        if matches!(insert, Insert::New(_)) {
            self.longest = self.longest.max(state().len());
        }
        insert
    }

    /// Adds a state unless it is there.
    pub fn insert(&mut self, state: &[u8], parent: Option<StateRef>, mark: u64) -> Insert {
        self.longest = self.longest.max(state.len());
        let Some(packing) = self.access.shared.packing else {
            return self.access.insert(hash_code(state), NO_SLOT, state, parent, mark);
        };
        self.code.clear();
        packing.pack(state, &mut self.code);
        self.access.insert(packing.hash(&self.code), NO_SLOT, &self.code, parent, mark)
    }

    /// A state's reference, if it is there. One that another thread inserts meanwhile may be there or not.
    pub fn find(&mut self, state: &[u8]) -> Option<StateRef> {
        let Some(packing) = self.access.shared.packing else {
            return self.access.find(hash_code(state), state);
        };
        self.code.clear();
        packing.pack(state, &mut self.code);
        self.access.find(packing.hash(&self.code), &self.code)
    }

    /// Asks the processor to fetch a state.
    #[inline]
    pub fn prefetch(&mut self, state: StateRef) {
        self.access.local.prefetch(&self.access.shared.records, state);
    }

    /// Makes `out` the bytes of a state.
    #[inline]
    pub fn load(&mut self, state: StateRef, out: &mut Vec<u8>) {
        self.access.shared.load(&mut self.access.local, state, &mut self.code, out);
    }

    /// The word that the search keeps with a state. All reads and exchanges of these words are in one order.
    #[inline]
    pub fn mark(&mut self, state: StateRef) -> u64 {
        self.access.local.mark(&self.access.shared.records, state)
    }

    /// Gives a state the word `new` if its present one is `old`. Whether it was.
    pub fn exchange_mark(&mut self, state: StateRef, old: u64, new: u64) -> bool {
        self.access.local.exchange_mark(&self.access.shared.records, state, old, new)
    }

    /// The length of the longest state that this thread inserted.
    pub fn longest(&self) -> usize {
        self.longest
    }
}

impl Access<'_> {
    fn let_go(&mut self) {
        self.table = None;
        self.steady = false;
    }

    /// Adds a record unless it is there. If nothing in its bucket was likely to be it when answers were fetched, `free` was the first empty
    /// slot there.
    #[inline]
    fn insert(&mut self, hash: u64, free: u32, record: &[u8], parent: Option<StateRef>, mark: u64) -> Insert {
        let shared = self.shared;
        if shared.grow.0.load(Ordering::Relaxed) {
            self.let_go();
            shared.grow();
        }
        // If the slot is still empty, so is everything behind it, and what is in front was looked at. It often is not, because states that are opened
        // together lead to the same ones; then nothing is written in vain.
        let slot = match &self.table {
            Some(table) if self.steady => table.slot(table.home(hash), free),
            _ => None,
        };
        let now = slot.map_or(Now::Taken, |slot| slot.now(hash));
        if let Now::Likely(likely) = now
            && shared.is(&mut self.local, likely, record)
        {
            return Insert::Seen(likely);
        }
        if let (Now::Empty, Some(slot), false) = (now, slot, self.full) {
            let written = self.local.write(&shared.records, record, parent, mark, || shared.room());
            let Some(reference) = written else {
                self.full = true;
                return Insert::Full;
            };
            if slot.take(hash, reference) {
                self.local.keep();
                self.count();
                return Insert::New(reference);
            }
        }
        self.insert_anywhere(hash, record, parent, mark)
    }

    fn insert_anywhere(&mut self, hash: u64, record: &[u8], parent: Option<StateRef>, mark: u64) -> Insert {
        let shared = self.shared;
        loop {
            let table = &**self.table.get_or_insert_with(|| shared.read());
            let local = &mut self.local;
            let mut written = None;
            let mut bucket = table.home(hash);
            let mut passed = 0;
            while passed < table.buckets() {
                let look = table.look(bucket, hash);
                for reference in look.references() {
                    if shared.is(local, reference, record) {
                        return Insert::Seen(reference);
                    }
                }
                let Some(free) = look.free else {
                    bucket = table.following(bucket);
                    passed += 1;
                    continue;
                };
                if self.full {
                    return Insert::Full;
                }
                let reference = match written {
                    Some(reference) => reference,
                    None => match local.write(&shared.records, record, parent, mark, || shared.room()) {
                        Some(reference) => *written.insert(reference),
                        None => {
                            self.full = true;
                            return Insert::Full;
                        }
                    },
                };
                // If another thread was first it may have stored this state there, so the bucket is looked at again.
                if free.take(hash, reference) {
                    local.keep();
                    self.count();
                    return Insert::New(reference);
                }
            }
            // Every slot is taken, so it is high time.
            if !table.can_grow() {
                return Insert::Full;
            }
            shared.grow.0.store(true, Ordering::Relaxed);
            self.let_go();
            shared.grow();
        }
    }

    fn find(&mut self, hash: u64, record: &[u8]) -> Option<StateRef> {
        let shared = self.shared;
        let table = &**self.table.get_or_insert_with(|| shared.read());
        let mut bucket = table.home(hash);
        for _ in 0..table.buckets() {
            let look = table.look(bucket, hash);
            let same = |reference: &StateRef| shared.is(&mut self.local, *reference, record);
            if let Some(found) = look.references().find(same) {
                return Some(found);
            }
            if look.free.is_some() {
                return None;
            }
            bucket = table.following(bucket);
        }
        None
    }

    /// Counts a state that was inserted, and now and then looks how full the table is.
    #[inline]
    fn count(&mut self) {
        self.uncounted += 1;
        if self.uncounted >= UNCOUNTED {
            self.tell();
        }
    }

    fn tell(&mut self) {
        let shared = self.shared;
        let states = shared.states.0.fetch_add(self.uncounted, Ordering::Relaxed) + self.uncounted;
        self.uncounted = 0;
        let table = self.table.get_or_insert_with(|| shared.read());
        if table.is_crowded(states) {
            match table.can_grow() {
                true => shared.grow.0.store(true, Ordering::Relaxed),
                false => self.full = table.is_full(states),
            }
        }
    }
}

#[cfg(test)]
mod tests;
