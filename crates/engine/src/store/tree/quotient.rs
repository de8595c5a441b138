//! A set of keys in fewer bits than the keys have (quotienting, after Cleary 1984).
//!
//! A key of k bits is permuted, and the permuted number says by itself which bucket it belongs into: the
//! buckets part the numbers into intervals of equal length. So a slot only holds where in its interval the
//! number lies, and how many buckets further on it was put because the others were full. Nothing is lost: bucket
//! and slot together are the key.
//!
//! The parts of keys grow with time, so there is a table for each combination of their widths, and a key
//! never changes its table. While one of them grows, the old one stands beside the new one; that counts. Tables come straight from the system:
//! what one that has grown leaves behind is too small for the next, and would stay with the process.

use super::keys::Key;
use crate::store::budget::Budget;
use crate::store::pages::Pages;

const SLOTS: usize = 16;
/// The bits of a slot that say how far from its bucket it is: one more than the buckets between, 0 for
/// an empty slot.
const AWAY: u32 = 3;
const FURTHEST: usize = (1 << AWAY) - 1;

/// The table of the keys of some width.
#[derive(Debug)]
struct Table {
    /// The bits of a key.
    width: u32,
    buckets: usize,
    /// The bits of a slot.
    stride: usize,
    data: Pages<u8>,
    len: usize,
}

/// What became of an insertion into a table.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Added {
    New,
    Seen,
    /// All buckets that could hold it are full.
    Crowded,
}

impl Table {
    /// An empty table. `None`: there is no memory for it.
    fn new(width: u32, buckets: usize) -> Option<Table> {
        let stride = Table::stride(width, buckets);
        let data = Pages::new(Table::size(width, buckets)).ok()?;
        Some(Table { width, buckets, stride, data, len: 0 })
    }

    /// The bytes of a table. A slot is read as sixteen bytes, so the last one needs some more behind it.
    fn size(width: u32, buckets: usize) -> usize {
        (Table::stride(width, buckets) * buckets * SLOTS).div_ceil(8) + 16
    }

    /// The bits of a slot: enough for each place in an interval.
    fn stride(width: u32, buckets: usize) -> usize {
        let interval = (1u128 << width).div_ceil(buckets as u128);
        (u128::BITS - interval.leading_zeros() + AWAY) as usize
    }

    #[inline]
    fn slot(&self, index: usize) -> u128 {
        let bit = index * self.stride;
        let bytes = self.data[bit / 8..].first_chunk::<16>();
        let word = bytes.map_or(0, |bytes| u128::from_le_bytes(*bytes)) >> (bit % 8);
        word & !(u128::MAX << self.stride)
    }

    fn set(&mut self, index: usize, value: u128) {
        let bit = index * self.stride;
        if let Some(bytes) = self.data[bit / 8..].first_chunk_mut::<16>() {
            *bytes = (u128::from_le_bytes(*bytes) | value << (bit % 8)).to_le_bytes();
        }
    }

    /// The bucket of a permuted key, and its place in the bucket's interval.
    #[inline]
    fn home(&self, number: u64) -> (usize, u64) {
        let bucket = (u128::from(number) * self.buckets as u128) >> self.width;
        (bucket as usize, number - self.start(bucket as usize))
    }

    /// The first number of a bucket's interval.
    #[inline]
    fn start(&self, bucket: usize) -> u64 {
        ((bucket as u128) << self.width).div_ceil(self.buckets as u128) as u64
    }

    fn contains(&self, number: u64) -> bool {
        self.look(number).0 == Added::Seen
    }

    /// Whether a number is there, and otherwise the slot where it belongs and what belongs there.
    fn look(&self, number: u64) -> (Added, usize, u128) {
        let (home, rest) = self.home(number);
        for away in 0..FURTHEST.min(self.buckets) {
            let bucket = (home + away) % self.buckets;
            let wanted = u128::from(rest) << AWAY | (away as u128 + 1);
            for index in bucket * SLOTS..(bucket + 1) * SLOTS {
                match self.slot(index) {
                    0 => return (Added::New, index, wanted),
                    found if found == wanted => return (Added::Seen, index, wanted),
                    _ => {}
                }
            }
        }
        (Added::Crowded, 0, 0)
    }

    fn insert(&mut self, number: u64) -> Added {
        let (added, index, value) = self.look(number);
        if added == Added::New {
            self.set(index, value);
            self.len += 1;
        }
        added
    }

    /// Passes all numbers to `take`, as long as it says so.
    fn all(&self, mut take: impl FnMut(u64) -> bool) -> bool {
        (0..self.buckets * SLOTS).all(|index| {
            let slot = self.slot(index);
            if slot == 0 {
                return true;
            }
            let away = (slot & ((1 << AWAY) - 1)) as usize - 1;
            let home = (index / SLOTS + self.buckets - away) % self.buckets;
            take(self.start(home) + (slot >> AWAY) as u64)
        })
    }

    /// The same numbers in a larger table. `None`: there is no room for it.
    fn grown(&self, budget: &mut Budget) -> Option<Table> {
        let mut buckets = if self.buckets < 64 { self.buckets * 2 } else { self.buckets / 8 * 9 };
        loop {
            let size = Table::size(self.width, buckets);
            if !budget.take(size) {
                return None;
            }
            let Some(mut larger) = Table::new(self.width, buckets) else {
                budget.give(size);
                return None;
            };
            if self.all(|number| larger.insert(number) == Added::New) {
                budget.give(Table::size(self.width, self.buckets));
                return Some(larger);
            }
            budget.give(size);
            buckets += buckets / 8 + 1;
        }
    }
}

/// How many bits each part of a key takes. Those of the numbers are even, so that there are few tables.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Class {
    left: u32,
    right: u32,
    shape: u32,
}

impl Class {
    /// How many widths a number can have, and how many a shape.
    const NUMBERS: usize = 17;
    const SHAPES: usize = 9;
    /// How many classes there are.
    const ALL: usize = Class::NUMBERS * Class::NUMBERS * Class::SHAPES;

    fn of(key: Key) -> Class {
        let width = |word: u32| (u32::BITS - word.leading_zeros()).next_multiple_of(2);
        Class { left: width(key.left), right: width(key.right), shape: u8::BITS - key.shape.leading_zeros() }
    }

    fn bits(self) -> u32 {
        self.left + self.right + self.shape
    }

    fn index(self) -> usize {
        let numbers = self.left as usize / 2 * Class::NUMBERS + self.right as usize / 2;
        numbers * Class::SHAPES + self.shape as usize
    }
}

/// No table yet.
const NONE: u16 = u16::MAX;

/// The set.
#[derive(Debug)]
pub struct Quotients {
    /// The table of each class.
    classes: Box<[u16]>,
    tables: Vec<Table>,
    len: u64,
}

impl Default for Quotients {
    fn default() -> Quotients {
        Quotients { classes: vec![NONE; Class::ALL].into_boxed_slice(), tables: Vec::new(), len: 0 }
    }
}

impl Quotients {
    /// How many keys there are.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    #[inline]
    fn table(&self, class: Class) -> Option<&Table> {
        self.tables.get(usize::from(self.classes[class.index()]))
    }

    /// Whether a key is there.
    pub fn contains(&self, key: Key) -> bool {
        let (class, number) = permuted(key);
        self.table(class).is_some_and(|table| table.contains(number))
    }

    /// Asks the processor to fetch the bucket of a key.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        let (class, number) = permuted(key);
        if let Some(table) = self.table(class) {
            let bit = table.home(number).0 * SLOTS * table.stride;
            crate::store::exact::prefetch(&raw const table.data[bit / 8]);
        }
    }

    /// Adds a key; whether it is new. `None`: there is no room for it.
    pub fn insert(&mut self, key: Key, budget: &mut Budget) -> Option<bool> {
        let (class, number) = permuted(key);
        let at = match self.classes[class.index()] {
            NONE => {
                let width = class.bits();
                if width > 64 || !budget.take(Table::size(width, 1)) {
                    return None;
                }
                let Some(table) = Table::new(width, 1) else {
                    budget.give(Table::size(width, 1));
                    return None;
                };
                self.tables.push(table);
                self.classes[class.index()] = self.tables.len() as u16 - 1;
                self.tables.len() - 1
            }
            at => usize::from(at),
        };
        loop {
            let table = &mut self.tables[at];
            if table.len < table.buckets * SLOTS / 25 * 23 || table.contains(number) {
                match table.insert(number) {
                    Added::Crowded => {}
                    added => {
                        self.len += u64::from(added == Added::New);
                        return Some(added == Added::New);
                    }
                }
            }
            *table = table.grown(budget)?;
        }
    }
}

/// The widths of a key's parts, and the key as a number of that many bits, permuted.
#[inline]
fn permuted(key: Key) -> (Class, u64) {
    let class = Class::of(key);
    let mut number = u64::from(key.left) | u64::from(key.right).checked_shl(class.left).unwrap_or(0);
    if class.shape > 0 {
        number |= u64::from(key.shape) << (class.left + class.right);
    }
    (class, permute(number, class.bits()))
}

/// A permutation of the numbers of `bits` bits. Each of its steps can be undone: a multiplication by an odd
/// number, and an exclusive or with the upper half.
#[inline]
fn permute(number: u64, bits: u32) -> u64 {
    if bits < 2 {
        return number;
    }
    let mask = u64::MAX >> (64 - bits);
    let half = bits.div_ceil(2);
    let fold = |number: u64| number ^ number >> half;
    let multiply = |number: u64, factor: u64| number.wrapping_mul(factor) & mask;
    fold(multiply(fold(multiply(fold(number), 0x9e37_79b9_7f4a_7c15)), 0xd6e8_feb8_6659_fd93))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn permutations_meet_no_number_twice() {
        for bits in 0..=16 {
            let all: HashSet<u64> = (0..1 << bits).map(|number| permute(number, bits)).collect();
            assert_eq!(all.len(), 1 << bits);
            assert!(all.iter().all(|number| number >> bits == 0));
        }
    }

    #[test]
    fn holds_what_was_put_in_and_nothing_else() {
        let mut budget = Budget::new(None);
        let mut set = Quotients::default();
        let mut model = HashSet::new();
        let mut random = 1u64;
        for i in 0..150_000u32 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let key = Key {
                left: (random >> 40) as u32 >> (i % 23),
                right: i >> (i % 7),
                shape: (random >> 33) as u8 & 3,
            };
            let new = model.insert((key.left, key.right, key.shape));
            assert_eq!(set.insert(key, &mut budget), Some(new));
        }
        assert_eq!(set.len(), model.len() as u64);
        for i in 0..150_000u32 {
            let key = Key { left: i, right: i / 3, shape: 2 };
            assert_eq!(set.contains(key), model.contains(&(i, i / 3, 2)));
        }
        assert!(model.iter().all(|&(left, right, shape)| set.contains(Key { left, right, shape })));
    }

    #[test]
    fn keys_of_the_widest_kind_fit() {
        let mut budget = Budget::new(None);
        let mut set = Quotients::default();
        for i in 0..1000 {
            let key = Key { left: u32::MAX - i, right: u32::MAX, shape: 0 };
            assert_eq!(set.insert(key, &mut budget), Some(true));
            assert!(set.contains(key));
        }
    }

    #[test]
    fn a_full_budget_is_told() {
        let mut budget = Budget::new(Some(20_000));
        let mut set = Quotients::default();
        let key = |i| Key { left: i, right: 1 << 20, shape: 0 };
        let full = (0..).find(|i| set.insert(key(*i), &mut budget).is_none()).unwrap_or(0);
        assert!(full > 1000 && budget.used() <= 20_000);
        assert!((0..full).all(|i| set.contains(key(i))));
    }
}
