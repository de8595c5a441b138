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
//! flag before it inserts. If the flag is up it lets go of the table; the first that then gets it for writing
//! makes it larger. Nothing is known of slots across an insertion, so any point between two is a
//! safe one. References name records, which never move.

mod records;
mod table;

use super::interface::Insert;
use super::pack::{Codes, Packed, Packing, Place};
use super::{StateRef, hash};
use mazurka_model::Batch;
use records::{Local, Records};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, TryLockError};
use table::Table;

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
    /// Where its code is, if states are packed.
    code: Place,
}

/// No state has this reference.
const NOWHERE: StateRef = StateRef(u32::MAX);

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
        Handle {
            shared: self,
            table: None,
            local: Local::default(),
            codes: Codes::default(),
            code: Vec::new(),
            longest: 0,
            uncounted: 0,
            full: false,
        }
    }

    /// Bytes allocated for all of it.
    pub fn bytes(&self) -> u64 {
        self.table_bytes.load(Ordering::Relaxed) + self.records.bytes()
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
    fn load(&self, local: &mut Local, state: StateRef, code: &mut Vec<u8>, out: &mut Vec<u8>) {
        match self.packing {
            Some(packing) => {
                local.load(&self.records, state, code);
                out.clear();
                packing.unpack(code, out);
            }
            None => local.load(&self.records, state, out),
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Table> {
        self.table.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the table larger, or waits until another thread has done so. A thread must not queue for the lock: once the
    /// table has grown, those who hold it to read keep it until it has to grow again.
    #[cold]
    fn grow(&self) {
        while self.grow.0.load(Ordering::Relaxed) {
            let mut table = match self.table.try_write() {
                Ok(table) => table,
                Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => {
                    // Who reads lets go before the next insertion; who writes is at it.
                    drop(self.read());
                    std::thread::yield_now();
                    continue;
                }
            };
            if self.grow.0.load(Ordering::Relaxed) {
                table.grow(self.room(), self.records.bytes(), self.states.0.load(Ordering::Relaxed));
                self.table_bytes.store(table.bytes(), Ordering::Relaxed);
                self.grow.0.store(false, Ordering::Relaxed);
            }
        }
    }
}

/// What one thread works with.
#[derive(Debug)]
pub struct Handle<'a> {
    shared: &'a Shared,
    /// Held while the thread works.
    table: Option<RwLockReadGuard<'a, Table>>,
    local: Local,
    /// The codes of the states that are looked up together.
    codes: Codes,
    /// The code of one state.
    code: Vec<u8>,
    /// The longest state that was inserted.
    longest: usize,
    /// Insertions that were not added to those of all.
    uncounted: u64,
    /// There is no room for another state.
    full: bool,
}

impl<'a> Handle<'a> {
    /// Lets go of the table, before a time in which nothing is asked: others need not wait then until it is
    /// larger.
    pub fn rest(&mut self) {
        self.table = None;
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
        let shared = self.shared;
        let table = self.table.get_or_insert_with(|| shared.read());
        out.clear();
        if let Some(packing) = shared.packing {
            self.codes.pack(packing, batch, from, |hash| table.prefetch(hash));
            let open = |code: &Packed| Question { hash: code.hash, likely: NOWHERE, code: code.place };
            out.extend(self.codes.all().iter().map(open));
        } else {
            out.extend((from..batch.len()).map(|index| {
                let state = batch.state(index);
                let hash = hash(state);
                // A step that changes nothing is frequent in small models, and needs no table.
                if state.len() <= SMALL && state == present {
                    return Question { hash, likely: parent, code: (0, 0) };
                }
                table.prefetch(hash);
                Question { hash, likely: NOWHERE, code: (0, 0) }
            }));
        }
        for question in out.iter_mut().filter(|question| question.likely == NOWHERE) {
            if let Some(likely) = table.likely(question.hash) {
                self.local.prefetch(&shared.records, likely);
                question.likely = likely;
            }
        }
    }

    /// Adds a state that was prepared for, unless it is there, with this parent and word; without a parent it
    /// is its own.
    pub fn insert_prepared(
        &mut self,
        question: Question,
        state: &[u8],
        parent: Option<StateRef>,
        mark: u64,
    ) -> Insert {
        self.longest = self.longest.max(state.len());
        let codes = std::mem::take(&mut self.codes);
        let record = match self.shared.packing {
            Some(_) => codes.at(question.code),
            None => state,
        };
        let known =
            question.likely != NOWHERE && self.local.is(&self.shared.records, question.likely, record);
        let insert = match known {
            true => Insert::Seen(question.likely),
            false => self.insert_hashed(question.hash, record, parent, mark),
        };
        self.codes = codes;
        insert
    }

    /// Adds a state unless it is there.
    pub fn insert(&mut self, state: &[u8], parent: Option<StateRef>, mark: u64) -> Insert {
        self.longest = self.longest.max(state.len());
        let Some(packing) = self.shared.packing else {
            return self.insert_hashed(hash(state), state, parent, mark);
        };
        let mut code = std::mem::take(&mut self.code);
        code.clear();
        packing.pack(state, &mut code);
        let insert = self.insert_hashed(packing.hash(&code), &code, parent, mark);
        self.code = code;
        insert
    }

    fn insert_hashed(&mut self, hash: u64, state: &[u8], parent: Option<StateRef>, mark: u64) -> Insert {
        let shared = self.shared;
        loop {
            if shared.grow.0.load(Ordering::Relaxed) {
                self.table = None;
                shared.grow();
            }
            let table = &**self.table.get_or_insert_with(|| shared.read());
            let local = &mut self.local;
            let mut written = None;
            let mut bucket = table.home(hash);
            for _ in 0..table.buckets() {
                for slot in table.bucket(bucket) {
                    let mut found = slot.load(Ordering::Acquire);
                    if found == table::EMPTY {
                        if self.full {
                            return Insert::Full;
                        }
                        let reference = match written {
                            Some(reference) => reference,
                            None => {
                                match local.write(&shared.records, state, parent, mark, || shared.room()) {
                                    Some(reference) => *written.insert(reference),
                                    None => {
                                        self.full = true;
                                        return Insert::Full;
                                    }
                                }
                            }
                        };
                        let taken = table::slot(hash, reference);
                        // Release: who finds the reference finds the record. Acquire: so do we, if another was first.
                        match slot.compare_exchange(table::EMPTY, taken, Ordering::Release, Ordering::Acquire)
                        {
                            Ok(_) => {
                                local.keep();
                                self.count();
                                return Insert::New(reference);
                            }
                            Err(other) => found = other,
                        }
                    }
                    if table::same_tag(hash, found) {
                        let reference = table::reference(found);
                        if local.is(&shared.records, reference, state) {
                            return Insert::Seen(reference);
                        }
                    }
                }
                bucket = table.following(bucket);
            }
            // Every slot is taken, so it is high time.
            if !table.can_grow() {
                return Insert::Full;
            }
            shared.grow.0.store(true, Ordering::Relaxed);
        }
    }

    /// A state's reference, if it is there. One that another thread inserts meanwhile may be there or not.
    pub fn find(&mut self, state: &[u8]) -> Option<StateRef> {
        let Some(packing) = self.shared.packing else { return self.find_hashed(hash(state), state) };
        let mut code = std::mem::take(&mut self.code);
        code.clear();
        packing.pack(state, &mut code);
        let found = self.find_hashed(packing.hash(&code), &code);
        self.code = code;
        found
    }

    fn find_hashed(&mut self, hash: u64, record: &[u8]) -> Option<StateRef> {
        let shared = self.shared;
        let table = &**self.table.get_or_insert_with(|| shared.read());
        let mut bucket = table.home(hash);
        for _ in 0..table.buckets() {
            for slot in table.bucket(bucket) {
                let found = slot.load(Ordering::Acquire);
                if found == table::EMPTY {
                    return None;
                }
                let reference = table::reference(found);
                if table::same_tag(hash, found) && self.local.is(&shared.records, reference, record) {
                    return Some(reference);
                }
            }
            bucket = table.following(bucket);
        }
        None
    }

    /// Counts a state that was inserted, and now and then looks how full the table is.
    #[inline]
    fn count(&mut self) {
        self.uncounted += 1;
        if self.uncounted < UNCOUNTED {
            return;
        }
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

    /// Asks the processor to fetch a state.
    #[inline]
    pub fn prefetch(&mut self, state: StateRef) {
        self.local.prefetch(&self.shared.records, state);
    }

    /// Makes `out` the bytes of a state.
    #[inline]
    pub fn load(&mut self, state: StateRef, out: &mut Vec<u8>) {
        self.shared.load(&mut self.local, state, &mut self.code, out);
    }

    /// The word that the search keeps with a state. All reads and exchanges of these words are in one order.
    #[inline]
    pub fn mark(&mut self, state: StateRef) -> u64 {
        self.local.mark(&self.shared.records, state)
    }

    /// Gives a state the word `new` if its present one is `old`. Whether it was.
    pub fn exchange_mark(&mut self, state: StateRef, old: u64, new: u64) -> bool {
        self.local.exchange_mark(&self.shared.records, state, old, new)
    }

    /// The length of the longest state that this thread inserted.
    pub fn longest(&self) -> usize {
        self.longest
    }
}

#[cfg(test)]
mod tests;
