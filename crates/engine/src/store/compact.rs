//! Hash compaction (Wolper and Leroy 1993; Stern and Dill 1995): a state is its hash, and states with
//! equal hashes are taken for one.
//!
//! Sixty bits of the hash tell states apart. Twelve of them choose one of 4096 tables, the other 48 are
//! stored, six bytes a state. Each table grows on its own, so growing never needs the whole twice. A
//! record may have side data of four bytes, for the number of a sleep set.
//!
//! With *n* states the expected number of pairs with equal hashes, and so the most that the probability of an
//! omission can be, is n² / 2^61.

use super::prefetch;

/// log2 of the number of tables.
const TABLE_BITS: u32 = 12;
/// Bytes of the hash that are stored.
const WIDTH: usize = 6;
/// Bits of the hash that count.
const HASH_BITS: i32 = TABLE_BITS as i32 + 8 * WIDTH as i32;
/// Slots of a table at first.
const FIRST: usize = 8;
/// No hash: the slot is empty.
const EMPTY: u64 = 0;

#[derive(Clone, Debug, Default)]
struct Table {
    /// Six bytes for each slot, the home of a hash by its size: the order of homes is that of hashes.
    slots: Vec<u8>,
    side: Vec<u32>,
    states: usize,
}

/// A set of states as hashes.
#[derive(Debug)]
pub struct Compact {
    tables: Vec<Table>,
    with_side: bool,
    states: u64,
    bytes: u64,
    limit: u64,
}

/// A slot.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    table: usize,
    slot: usize,
}

/// What became of an insertion.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Added {
    /// The hash is new.
    New(Slot),
    /// It was there.
    Seen(Slot),
    /// There is no room.
    Full,
}

impl Compact {
    /// An empty set that may use `limit` bytes.
    pub fn new(with_side: bool, limit: Option<u64>) -> Compact {
        let tables = vec![Table::default(); 1 << TABLE_BITS];
        let bytes = size_of_val(&*tables) as u64;
        Compact { tables, with_side, states: 0, bytes, limit: limit.unwrap_or(u64::MAX) }
    }

    /// Asks the processor to fetch the slot of a hash.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        let (table, stored) = split(hash);
        let table = &self.tables[table];
        if table.len() > 0 {
            prefetch(&raw const table.slots[table.home(stored) * WIDTH]);
        }
    }

    /// The slot of a hash, if it is there.
    #[inline]
    pub fn find(&self, hash: u64) -> Option<Slot> {
        let (table, stored) = split(hash);
        self.tables[table].find(stored).ok().map(|slot| Slot { table, slot })
    }

    /// Adds a hash unless it is there.
    #[inline]
    pub fn insert(&mut self, hash: u64) -> Added {
        let (number, stored) = split(hash);
        let table = &mut self.tables[number];
        let mut free = match table.find(stored) {
            Ok(slot) => return Added::Seen(Slot { table: number, slot }),
            Err(free) => free,
        };
        if table.states * 20 >= table.len() * 17 {
            let slots = if table.len() == 0 { FIRST } else { table.len() + (table.len() / 4).max(4) };
            let width = WIDTH + 4 * usize::from(self.with_side);
            let more = ((slots - table.len()) * width) as u64;
            // Both tables exist for a moment.
            let grown = self.bytes + more + (table.len() * width) as u64 <= self.limit
                && table.grow(slots, self.with_side);
            if grown {
                self.bytes += more;
                free = table.find(stored).unwrap_or_else(|free| free);
            } else if table.states + 1 >= table.len() {
                return Added::Full;
            }
        }
        table.put(free, stored);
        table.states += 1;
        self.states += 1;
        Added::New(Slot { table: number, slot: free })
    }

    /// The side data of a slot; 0 if slots have none. Slots move with insertions.
    pub fn side(&self, slot: Slot) -> u32 {
        self.tables[slot.table].side.get(slot.slot).copied().unwrap_or(0)
    }

    /// Sets the side data of a slot, if slots have any.
    pub fn set_side(&mut self, slot: Slot, side: u32) {
        if let Some(own) = self.tables[slot.table].side.get_mut(slot.slot) {
            *own = side;
        }
    }

    /// Sets the limit anew.
    pub fn limit(&mut self, bytes: u64) {
        self.limit = bytes;
    }

    /// How many tables there are.
    pub(super) const TABLES: usize = 1 << TABLE_BITS;

    /// Slots, side data and number of states of a table.
    pub(super) fn table(&self, number: usize) -> (&[u8], &[u32], usize) {
        let Table { slots, side, states } = &self.tables[number];
        (slots, side, *states)
    }

    /// Sets a table that is empty. False if the parts don't belong together.
    pub(super) fn set_table(&mut self, number: usize, slots: Vec<u8>, side: Vec<u32>, states: usize) -> bool {
        let count = slots.len() / WIDTH;
        let whole = slots.len().is_multiple_of(WIDTH) && side.len() == if self.with_side { count } else { 0 };
        self.bytes += (slots.len() + 4 * side.len()) as u64;
        self.states += states as u64;
        self.tables[number] = Table { slots, side, states };
        whole && (states < count || count == 0)
    }

    /// How many states are to be expected that were met and taken for others.
    pub fn omissions(&self) -> f64 {
        let states = self.states as f64;
        states * states / 2f64.powi(HASH_BITS + 1)
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
        self.bytes
    }
}

/// The table of a hash and what is stored of it, which is never [`EMPTY`].
#[inline]
fn split(hash: u64) -> (usize, u64) {
    let stored = hash & ((1 << (8 * WIDTH)) - 1);
    ((hash >> (64 - TABLE_BITS)) as usize, stored.max(1))
}

impl Table {
    #[inline]
    fn len(&self) -> usize {
        self.slots.len() / WIDTH
    }

    #[inline]
    fn home(&self, stored: u64) -> usize {
        ((u128::from(stored) * self.len() as u128) >> (8 * WIDTH)) as usize
    }

    #[inline]
    fn get(&self, slot: usize) -> u64 {
        let mut word = [0; 8];
        word[..WIDTH].copy_from_slice(&self.slots[slot * WIDTH..][..WIDTH]);
        u64::from_le_bytes(word)
    }

    fn put(&mut self, slot: usize, stored: u64) {
        self.slots[slot * WIDTH..][..WIDTH].copy_from_slice(&stored.to_le_bytes()[..WIDTH]);
    }

    /// The slot of what is stored, or the free slot where it belongs. A table always has a free slot, unless
    /// it has none at all: then it is to grow before anything is put into it.
    #[inline]
    fn find(&self, stored: u64) -> Result<usize, usize> {
        if self.slots.is_empty() {
            return Err(0);
        }
        let mut slot = self.home(stored);
        loop {
            match self.get(slot) {
                EMPTY => return Err(slot),
                found if found == stored => return Ok(slot),
                _ => slot = if slot + 1 == self.len() { 0 } else { slot + 1 },
            }
        }
    }

    /// False if the system has no memory for that many slots.
    fn grow(&mut self, slots: usize, with_side: bool) -> bool {
        let mut grown = Table::default();
        let side = if with_side { slots } else { 0 };
        if grown.slots.try_reserve_exact(slots * WIDTH).is_err()
            || grown.side.try_reserve_exact(side).is_err()
        {
            return false;
        }
        grown.slots.resize(slots * WIDTH, 0);
        grown.side.resize(side, 0);
        for slot in (0..self.len()).filter(|slot| self.get(*slot) != EMPTY) {
            let stored = self.get(slot);
            let free = grown.find(stored).unwrap_or_else(|free| free);
            grown.put(free, stored);
            if with_side {
                grown.side[free] = self.side[slot];
            }
        }
        grown.states = self.states;
        *self = grown;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::hash;

    #[test]
    fn holds_what_was_put_in_and_nothing_else() {
        let mut set = Compact::new(true, None);
        for i in 0..400_000u64 {
            let hash = hash(&i.to_le_bytes());
            match set.insert(hash) {
                Added::New(slot) => set.set_side(slot, i as u32),
                other => panic!("{i}: {other:?}"),
            }
            assert!(matches!(set.insert(hash), Added::Seen(slot) if set.side(slot) == i as u32));
        }
        for i in 0..400_000u64 {
            let slot = set.find(hash(&i.to_le_bytes())).unwrap();
            assert_eq!(set.side(slot), i as u32);
        }
        assert!((400_000..500_000u64).all(|i| set.find(hash(&i.to_le_bytes())).is_none()));
        assert_eq!(set.len(), 400_000);
        assert!(set.omissions() < 1e-6 && set.omissions() > 0.0);
    }

    #[test]
    fn equal_hashes_are_one_state() {
        let mut set = Compact::new(false, None);
        assert!(matches!(set.insert(0), Added::New(_)));
        assert!(matches!(set.insert(1), Added::Seen(_)), "0 stands for no hash, so it is taken for 1");
        assert!(matches!(set.insert(1 << 63), Added::New(_)));
        assert!(matches!(set.insert(1 << 49), Added::Seen(_)), "bits 48 to 51 don't count");
    }

    #[test]
    fn takes_about_seven_bytes_a_state_and_keeps_its_limit() {
        let limit = 16 << 20;
        let mut set = Compact::new(false, Some(limit));
        let stored =
            (0u64..).take_while(|i| !matches!(set.insert(hash(&i.to_le_bytes())), Added::Full)).count();
        assert!(set.bytes() <= limit);
        assert!(set.bytes() as f64 / (stored as f64) < 7.6, "{} for {stored}", set.bytes());
        assert!((0..stored as u64).all(|i| set.find(hash(&i.to_le_bytes())).is_some()));
        assert_eq!(set.insert(hash(&(stored as u64).to_le_bytes())), Added::Full);
    }
}
