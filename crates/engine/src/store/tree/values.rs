//! The values of leaves, and what became of them lately: most steps do again what others did before.
//!
//! What becomes of a value when some of its words are replaced depends on nothing else, and values keep their numbers. So a change that is
//! remembered with all that belongs to it, the number of the value before and each word with its place, need not be
//! looked up again, nor is the value read that came of it.

use super::arrange::MOST_WORDS;
use super::shape::Shape;
use super::table::Table;
use super::words::Words;
use crate::store::budget::Budget;
use crate::store::fold;

/// The most words of a change that is remembered.
const MOST_CHANGED: u32 = 3;
/// The bits of the place of a word.
const PLACE: u32 = 8;
/// How many changes are remembered at first, and at most.
const FIRST: usize = 32;
const MOST: usize = 1 << 12;
/// There are more of them once there are so many values for each.
const VALUES: usize = 2;

/// Some words of a leaf that become others. Whatever is done with one stays in registers: what is written in pieces can't be read at once as a whole.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct Change {
    /// The words, the last one first.
    values: (u64, u64, u64),
    /// The place of each, from 1 on, that of the last in the lowest bits.
    places: u32,
    /// There are more of them.
    many: bool,
}

impl Change {
    /// The word at a place becomes this. They come in an order that depends on their places alone; one may come again at once.
    #[inline(always)]
    pub fn add(&mut self, place: u32, value: u64) {
        if self.places & ((1 << PLACE) - 1) == place + 1 {
            return;
        }
        self.many |= self.places >> (PLACE * (MOST_CHANGED - 1)) != 0;
        self.places = self.places << PLACE | (place + 1);
        self.values = (value, self.values.0, self.values.1);
    }

    /// The places of the words, and how many the leaf has.
    #[inline(always)]
    fn places_of(&self, words: usize) -> u32 {
        self.places | (words as u32) << (PLACE * MOST_CHANGED)
    }

    /// A number that changes of a value hardly share, whose upper bits are mixed.
    #[inline(always)]
    fn hash(&self, before: u32, places: u32) -> u64 {
        let (last, second, first) = self.values;
        let words = last ^ second.rotate_left(23) ^ first.rotate_left(46);
        let place = u64::from(before) << 32 | u64::from(places);
        fold(words ^ 0x2d35_8dcc_aa6c_78a5, place ^ 0x8bb8_4b93_962e_acc9)
    }
}

/// A change of a value, and what came of it.
#[derive(Copy, Clone, Debug, Default)]
struct Became {
    values: (u64, u64, u64),
    /// With the number of words; 0 if nothing is remembered here.
    places: u32,
    before: u32,
    after: u32,
}

/// The values of leaves.
#[derive(Debug)]
pub struct Values {
    /// By how many words they have, from 1 on.
    pub tables: Vec<Table<Words>>,
    /// Changes that were made lately, each in the place that its hash says.
    became: Box<[Became]>,
    /// How many values there will be when more are remembered.
    next: usize,
    all: usize,
    /// The words of a leaf.
    value: [u64; MOST_WORDS],
}

impl Default for Values {
    fn default() -> Values {
        let became = vec![Became::default(); FIRST].into_boxed_slice();
        Values { tables: Vec::new(), became, next: VALUES * FIRST, all: 0, value: [0; MOST_WORDS] }
    }
}

impl Values {
    /// There are leaves of so many words. The first bytes are so few that they are taken whatever the budget.
    pub fn make_room(&mut self, words: usize, budget: &mut Budget) {
        if self.tables.is_empty() {
            let _ = budget.take(size_of_val(&*self.became));
        }
        while self.tables.len() < words {
            self.tables.push(Table::new(Words::new(self.tables.len() + 1), budget));
        }
    }

    /// The words of a leaf with this number.
    #[inline]
    pub fn get(&self, shape: &Shape, leaf: usize, number: u32) -> &[u64] {
        self.tables[shape.words_of(leaf).len() - 1].keys().get(number)
    }

    /// The number of a leaf of `state`, which was `before` until this change; it is inserted if it is not there. `None`: there is no room for it.
    #[inline(always)]
    pub fn changed(
        &mut self,
        (shape, leaf): (&Shape, usize),
        before: u32,
        change: &Change,
        state: &[u8],
        budget: &mut Budget,
    ) -> Option<u32> {
        let places = change.places_of(shape.words_of(leaf).len());
        let known = &self.became[self.place(change.hash(before, places))];
        let ((a, b, c), (x, y, z)) = (known.values, change.values);
        let numbers = (known.places ^ places) | (known.before ^ before) | u32::from(change.many);
        if (a ^ x) | (b ^ y) | (c ^ z) | u64::from(numbers) == 0 {
            let number = known.after;
            debug_assert_eq!(
                shape.read(state, leaf, &mut [0; MOST_WORDS]),
                self.get(shape, leaf, number),
                "what was remembered is what would be found"
            );
            return Some(number);
        }
        self.look_up((shape, leaf), before, *change, state, budget)
    }

    #[inline(never)]
    fn look_up(
        &mut self,
        (shape, leaf): (&Shape, usize),
        before: u32,
        change: Change,
        state: &[u8],
        budget: &mut Budget,
    ) -> Option<u32> {
        let after = self.number_of((shape, leaf), state, budget)?;
        if self.all >= self.next {
            self.remember_more(budget);
        }
        if !change.many {
            let places = change.places_of(shape.words_of(leaf).len());
            let place = self.place(change.hash(before, places));
            self.became[place] = Became { values: change.values, places, before, after };
        }
        Some(after)
    }

    /// The number of a leaf of `state`, which is inserted if it is not there. `None`: there is no room for it.
    pub fn number_of(
        &mut self,
        (shape, leaf): (&Shape, usize),
        state: &[u8],
        budget: &mut Budget,
    ) -> Option<u32> {
        let value = shape.read(state, leaf, &mut self.value);
        let (number, new) = self.tables[value.len() - 1].insert(value, budget)?;
        self.all += usize::from(new);
        Some(number)
    }

    #[inline(always)]
    fn place(&self, hash: u64) -> usize {
        (hash >> 32) as usize & (self.became.len() - 1)
    }

    /// Remembers twice as many changes from now on, if the budget allows.
    #[cold]
    fn remember_more(&mut self, budget: &mut Budget) {
        let (few, many) = (self.became.len(), self.became.len() * 2);
        self.next = if many < MOST { VALUES * many } else { usize::MAX };
        if budget.exchange(few * size_of::<Became>(), many * size_of::<Became>()) {
            self.became = vec![Became::default(); many].into_boxed_slice();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::tree::arrange::Arrangement;

    #[test]
    fn changes_are_the_same_only_if_all_of_them_is() {
        let change = |words, parts: &[(u32, u64)]| {
            let mut change = Change::default();
            parts.iter().for_each(|(place, value)| change.add(*place, *value));
            (change.places_of(words), change)
        };
        let all = [
            change(3, &[]),
            change(3, &[(0, 0)]),
            change(3, &[(0, 7)]),
            change(4, &[(0, 7)]),
            change(3, &[(1, 7)]),
            change(24, &[(23, 7)]),
            change(24, &[(0, 7), (23, 7)]),
            change(24, &[(1, 7), (23, 7)]),
            change(24, &[(1, 7), (22, 7), (23, 0)]),
            change(24, &[(1, 7), (22, 7), (23, 1)]),
            change(24, &[(0, 0), (22, 7), (23, 1)]),
        ];
        for (i, (places, change)) in all.iter().enumerate() {
            assert!(!change.many && *places != 0);
            let named = |(places, change): &(u32, Change)| (*places, change.values);
            assert!(all.iter().enumerate().all(|(j, b)| i == j || (*places, change.values) != named(b)));
        }
        assert_eq!(change(3, &[(0, 7), (0, 7), (2, 1), (2, 1)]), change(3, &[(0, 7), (2, 1)]));
        assert!(!change(9, &[(0, 7), (1, 7), (2, 1), (2, 1)]).1.many);
        assert!(change(9, &[(0, 7), (1, 7), (2, 1), (3, 1)]).1.many);
        assert!(change(9, &[(0, 7), (1, 7), (2, 1), (3, 1), (4, 7), (5, 8), (7, 9), (8, 8)]).1.many);
    }

    #[test]
    fn what_is_remembered_is_what_would_be_found() {
        let mut budget = Budget::new(None);
        for length in [1, 7, 21, 64, 70, 131, 200] {
            let middle = (length / 3) as u32;
            let mut shape = Shape::new(
                length,
                false,
                &[(0, middle), (middle, length as u32)].map(|(a, b)| (a, b.max(a))),
            );
            let words = shape.words() as u32;
            if words > 3 {
                // Leaves whose words lie far from each other.
                let leaves = (0..3).map(|leaf| (leaf..words).step_by(3).collect()).collect();
                shape.arrange(Arrangement {
                    leaves,
                    joins: Vec::new(),
                    top: vec![(0, 18), (1, 19), (2, 19)],
                });
            }
            let mut values = Values::default();
            values.make_room(MOST_WORDS, &mut budget);
            let mut random = 1u64;
            let mut below = |end: usize| {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (random >> 33) as usize % end
            };
            let mut state = vec![0; length];
            let mut numbers: Vec<u32> = (0..shape.leaves())
                .map(|leaf| values.number_of((&shape, leaf), &state, &mut budget).expect("there is room"))
                .collect();
            let (mut differing, mut remembered) = (Vec::new(), 0);
            for _ in 0..20_000 {
                let mut next = state.clone();
                (0..=below(5)).for_each(|_| next[below(length)] = below(2) as u8);
                shape.differing(&next, &state, &mut differing);
                let mut block = 0;
                while let Some((leaf, change)) = shape.take_changed(&next, &mut differing, &mut block) {
                    let before = values.all;
                    let number = values.changed((&shape, leaf), numbers[leaf], &change, &next, &mut budget);
                    let found = values.number_of((&shape, leaf), &next, &mut budget);
                    assert_eq!(number, found, "leaf {leaf} of {length} bytes");
                    numbers[leaf] = found.expect("there is room");
                    remembered += u32::from(before == values.all);
                }
                // No leaf was left out.
                for (leaf, number) in numbers.iter().enumerate() {
                    assert_eq!(values.number_of((&shape, leaf), &next, &mut budget), Some(*number));
                }
                state = next;
            }
            assert!(remembered > 0);
        }
    }
}
