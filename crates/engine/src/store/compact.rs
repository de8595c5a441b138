//! Hash compaction (Wolper and Leroy 1993; Stern and Dill 1995): a state is its hash, and states with
//! equal hashes are taken for one.
//!
//! Sixty bits of the hash tell states apart. Twelve of them choose one of 4096 tables, the other 48 are
//! stored, six bytes a state. A record may have side data of four bytes, for the number of a sleep set.
//!
//! Tables lie in groups of 64, and each group grows on its own, so growing never needs the whole twice. The memory of a group comes straight from the system and is
//! given back to it: pieces that were returned one by one would all be a little too small for the tables that grow next, and stay with the process.
//!
//! With *n* states the expected number of pairs with equal hashes, and so the most that the probability of an
//! omission can be, is n² / 2^61.

use super::pages::Pages;
use super::prefetch;

/// log2 of the number of groups, and of the number of tables in each.
const GROUP_BITS: u32 = 6;
const GROUP: usize = 1 << GROUP_BITS;
/// log2 of the number of tables.
const TABLE_BITS: u32 = 2 * GROUP_BITS;
/// Bytes of the hash that are stored.
const WIDTH: usize = 6;
/// Bits of the hash that count.
const HASH_BITS: i32 = TABLE_BITS as i32 + 8 * WIDTH as i32;
/// Slots of a table at first.
const FIRST: usize = 8;
/// What memory comes in.
const PAGE: u64 = 4096;
/// No hash: the slot is empty.
const EMPTY: u64 = 0;

/// Where the slots of a table are in its group. The home of a hash is by its size: the order of homes is that of hashes.
#[derive(Copy, Clone, Debug, Default)]
struct Table {
    start: usize,
    slots: usize,
    states: usize,
}

/// Tables that grow together.
#[derive(Debug)]
struct Group {
    tables: [Table; GROUP],
    /// Six bytes for each slot.
    slots: Pages<u8>,
    side: Pages<u32>,
}

/// What a checkpoint has of a table: slots, side data and the number of states.
pub(super) type Parts = (Vec<u8>, Vec<u32>, usize);

/// A set of states as hashes.
#[derive(Debug)]
pub struct Compact {
    groups: Vec<Group>,
    with_side: bool,
    states: u64,
    bytes: u64,
    limit: u64,
}

/// A slot.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    group: usize,
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
        let groups: Vec<Group> = (0..GROUP).map(|_| Group::default()).collect();
        let bytes = size_of_val(&*groups) as u64;
        Compact { groups, with_side, states: 0, bytes, limit: limit.unwrap_or(u64::MAX) }
    }

    /// Asks the processor to fetch the slot of a hash.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        let (group, table, stored) = split(hash);
        let group = &self.groups[group];
        let table = group.tables[table];
        if table.slots > 0 {
            prefetch(&raw const group.slots[table.home(stored) * WIDTH]);
        }
    }

    /// The slot of a hash, if it is there.
    #[inline]
    pub fn find(&self, hash: u64) -> Option<Slot> {
        let (group, table, stored) = split(hash);
        self.groups[group].find(table, stored).ok().map(|slot| Slot { group, slot })
    }

    /// Adds a hash unless it is there.
    #[inline]
    pub fn insert(&mut self, hash: u64) -> Added {
        let (group, table, stored) = split(hash);
        let mut free = match self.groups[group].find(table, stored) {
            Ok(slot) => return Added::Seen(Slot { group, slot }),
            Err(free) => free,
        };
        let Table { slots, states, .. } = self.groups[group].tables[table];
        if states * 20 >= slots * 17 {
            if self.grow(group) {
                free = self.groups[group].find(table, stored).unwrap_or_else(|free| free);
            } else if states + 1 >= slots {
                return Added::Full;
            }
        }
        let own = &mut self.groups[group];
        own.put(free, stored);
        own.tables[table].states += 1;
        self.states += 1;
        Added::New(Slot { group, slot: free })
    }

    /// Makes the tables of a group larger. False if there is no room for them.
    fn grow(&mut self, group: usize) -> bool {
        let own = &mut self.groups[group];
        let lengths = own.lengths();
        let bytes = bytes_of(lengths.iter().sum(), self.with_side);
        // Both groups exist for a moment.
        let grown = if self.bytes + bytes <= self.limit { own.grown(&lengths, self.with_side) } else { None };
        let Some(grown) = grown else { return false };
        self.bytes = self.bytes + bytes - bytes_of(own.slots.len() / WIDTH, self.with_side);
        *own = grown;
        true
    }

    /// The side data of a slot; 0 if slots have none. Slots move with insertions.
    pub fn side(&self, slot: Slot) -> u32 {
        self.groups[slot.group].side.get(slot.slot).copied().unwrap_or(0)
    }

    /// Sets the side data of a slot, if slots have any.
    pub fn set_side(&mut self, slot: Slot, side: u32) {
        if let Some(own) = self.groups[slot.group].side.get_mut(slot.slot) {
            *own = side;
        }
    }

    /// Sets the limit anew.
    pub fn limit(&mut self, bytes: u64) {
        self.limit = bytes;
    }

    /// How many groups there are, and how many tables in each.
    pub(super) const GROUPS: usize = GROUP;

    /// Slots, side data and number of states of a table.
    pub(super) fn table(&self, group: usize, table: usize) -> (&[u8], &[u32], usize) {
        let own = &self.groups[group];
        let Table { start, slots, states } = own.tables[table];
        let side = if self.with_side { &own.side[start..start + slots] } else { &[] };
        (&own.slots[start * WIDTH..(start + slots) * WIDTH], side, states)
    }

    /// Sets the tables of a group that is empty. `Some(false)` if the parts don't belong together, `None` if there is no memory for them.
    pub(super) fn set_group(&mut self, group: usize, tables: &[Parts]) -> Option<bool> {
        let belongs = |(slots, side, states): &Parts| {
            let count = slots.len() / WIDTH;
            let whole = slots.len().is_multiple_of(WIDTH);
            whole && side.len() == usize::from(self.with_side) * count && (*states < count || count == 0)
        };
        if tables.len() != GROUP || !tables.iter().all(belongs) {
            return Some(false);
        }
        let mut lengths = [0; GROUP];
        lengths.iter_mut().zip(tables).for_each(|(length, table)| *length = table.0.len() / WIDTH);
        let mut own = Group::empty(&lengths, self.with_side)?;
        for (number, (slots, side, states)) in tables.iter().enumerate() {
            let Table { start, .. } = own.tables[number];
            own.tables[number].states = *states;
            own.slots[start * WIDTH..][..slots.len()].copy_from_slice(slots);
            own.side.iter_mut().skip(start).zip(side).for_each(|(own, side)| *own = *side);
            self.states += *states as u64;
        }
        self.bytes += bytes_of(lengths.iter().sum(), self.with_side);
        self.groups[group] = own;
        Some(true)
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

/// The group and the table of a hash and what is stored of it, which is never [`EMPTY`].
#[inline]
fn split(hash: u64) -> (usize, usize, u64) {
    let stored = hash & ((1 << (8 * WIDTH)) - 1);
    let table = (hash >> (64 - TABLE_BITS)) as usize;
    (table / GROUP, table % GROUP, stored.max(1))
}

/// The bytes of a group with so many slots.
fn bytes_of(slots: usize, with_side: bool) -> u64 {
    let side = if with_side { slots * size_of::<u32>() } else { 0 };
    ((slots * WIDTH) as u64).next_multiple_of(PAGE) + (side as u64).next_multiple_of(PAGE)
}

impl Table {
    #[inline]
    fn home(&self, stored: u64) -> usize {
        self.start + ((u128::from(stored) * self.slots as u128) >> (8 * WIDTH)) as usize
    }
}

impl Default for Group {
    fn default() -> Group {
        Group { tables: [Table::default(); GROUP], slots: Pages::default(), side: Pages::default() }
    }
}

impl Group {
    /// A group with tables of so many slots. `None`: there is no memory for it.
    fn empty(lengths: &[usize; GROUP], with_side: bool) -> Option<Group> {
        let mut tables = [Table::default(); GROUP];
        let mut start = 0;
        for (table, &slots) in tables.iter_mut().zip(lengths) {
            *table = Table { start, slots, states: 0 };
            start += slots;
        }
        let side = if with_side { Pages::new(start) } else { Ok(Pages::default()) };
        Some(Group { tables, slots: Pages::new(start * WIDTH).ok()?, side: side.ok()? })
    }

    /// How many slots the tables are to have: a quarter more than a table needs that is full enough to grow. Those that have less states than the others will get
    /// some, so they grow with them.
    fn lengths(&self) -> [usize; GROUP] {
        let mean = self.tables.iter().map(|table| table.states).sum::<usize>() / GROUP;
        self.tables.map(|table| (table.states.max(mean) * 25 / 17 + FIRST).max(table.slots))
    }

    #[inline]
    fn get(&self, slot: usize) -> u64 {
        let mut word = [0; 8];
        word[..WIDTH].copy_from_slice(&self.slots[slot * WIDTH..][..WIDTH]);
        u64::from_le_bytes(word)
    }

    #[inline]
    fn put(&mut self, slot: usize, stored: u64) {
        self.slots[slot * WIDTH..][..WIDTH].copy_from_slice(&stored.to_le_bytes()[..WIDTH]);
    }

    /// The slot of what is stored, or the free slot where it belongs. A table always has a free slot, unless
    /// it has none at all: then it is to grow before anything is put into it.
    #[inline]
    fn find(&self, table: usize, stored: u64) -> Result<usize, usize> {
        let table = self.tables[table];
        if table.slots == 0 {
            return Err(0);
        }
        let mut slot = table.home(stored);
        loop {
            match self.get(slot) {
                EMPTY => return Err(slot),
                found if found == stored => return Ok(slot),
                _ => slot = if slot + 1 == table.start + table.slots { table.start } else { slot + 1 },
            }
        }
    }

    /// The same in larger tables. `None`: the system has no memory for them.
    fn grown(&self, lengths: &[usize; GROUP], with_side: bool) -> Option<Group> {
        let mut grown = Group::empty(lengths, with_side)?;
        for (number, table) in self.tables.iter().enumerate() {
            for slot in table.start..table.start + table.slots {
                let stored = self.get(slot);
                if stored == EMPTY {
                    continue;
                }
                let free = grown.find(number, stored).unwrap_or_else(|free| free);
                grown.put(free, stored);
                if with_side {
                    grown.side[free] = self.side[slot];
                }
            }
            grown.tables[number].states = table.states;
        }
        Some(grown)
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
    fn one_table_may_have_most_of_the_states() {
        let mut set = Compact::new(true, None);
        let crowded = |i: u64| hash(&i.to_le_bytes()) >> if i.is_multiple_of(10) { 0 } else { 12 };
        for i in 0..50_000 {
            assert!(matches!(set.insert(crowded(i)), Added::New(_)), "{i}");
            if let Some(slot) = set.find(crowded(i)) {
                set.set_side(slot, i as u32);
            }
        }
        assert!((0..50_000).all(|i| set.find(crowded(i)).is_some_and(|slot| set.side(slot) == i as u32)));
        assert!((50_000..60_000).all(|i| set.find(crowded(i)).is_none()));
    }

    #[test]
    fn groups_are_set_as_they_were_and_parts_that_do_not_belong_together_are_refused() {
        let mut set = Compact::new(true, None);
        for i in 0..30_000u64 {
            if let Added::New(slot) = set.insert(hash(&i.to_le_bytes())) {
                set.set_side(slot, i as u32);
            }
        }
        let parts = |group| -> Vec<Parts> {
            let table = |table| {
                let (slots, side, states) = set.table(group, table);
                (slots.to_vec(), side.to_vec(), states)
            };
            (0..Compact::GROUPS).map(table).collect()
        };
        let mut again = Compact::new(true, None);
        for group in 0..Compact::GROUPS {
            assert_eq!(again.set_group(group, &parts(group)), Some(true));
        }
        assert_eq!((again.len(), again.bytes()), (set.len(), set.bytes()));
        for i in 0..31_000u64 {
            let hash = hash(&i.to_le_bytes());
            assert_eq!(again.find(hash), set.find(hash));
            assert!(again.find(hash).is_none_or(|slot| again.side(slot) == i as u32));
        }
        let mut wrong = parts(3);
        wrong[5].2 = wrong[5].0.len();
        assert_eq!(Compact::new(true, None).set_group(3, &wrong), Some(false));
        assert_eq!(Compact::new(false, None).set_group(3, &parts(3)), Some(false));
        assert_eq!(Compact::new(true, None).set_group(3, &parts(3)[1..]), Some(false));
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
