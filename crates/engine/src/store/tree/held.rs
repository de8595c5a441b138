//! The states of a compact tree that a search holds: their roots, their side data, and a table to find them.
//!
//! A depth-first search lets go of states in the reverse order in which it came to hold them, one by one or a strong component at a time. So
//! they are numbered as on a stack. A number in the middle that is given back stays empty until those above it are. A deep search holds
//! a good part of all states, so little is kept of each: roots and side data in chunks that never move; a count only of what is held more
//! than once; and no table where nobody asks what is held.

use super::keys::{Key, Keys};
use super::table::Column;
use crate::store::arena::{Side, StateRef};
use crate::store::budget::Budget;
use crate::store::side_data::SideData;
use std::collections::HashMap;

/// log2 of the roots in a chunk.
const SHIFT: u32 = 10;
const PER_CHUNK: usize = 1 << SHIFT;
/// A free slot of the table.
const FREE: u32 = u32::MAX;
const FIRST: usize = 64;
/// What stands in the place of a root that was given back: no number of a node is that high.
const NOTHING: Key = Key { left: u32::MAX, right: u32::MAX, shape: 0 };

/// The states that are held.
#[derive(Debug)]
pub struct Held {
    chunks: Vec<Box<[Key]>>,
    len: u32,
    kinds: Side,
    side: SideData,
    /// How many states there is side data for.
    highest: u32,
    /// How often a state is held beyond the first time.
    again: HashMap<u32, u32>,
    /// The numbers of states, each in the first free slot after that which the hash of its root says. Empty if nothing is looked for.
    table: Vec<u32>,
    /// Slots in use.
    entered: usize,
}

impl Held {
    /// None, with this side data; if there is none of it, nobody will ask whether a state is held. The first bytes are so few that they are taken
    /// whatever the budget.
    pub fn new(kinds: Side, budget: &mut Budget) -> Held {
        let asked = kinds.colour || kinds.parent;
        let table = if asked { vec![FREE; FIRST] } else { Vec::new() };
        let _ = budget.take(size_of_val(&*table));
        Held {
            chunks: Vec::new(),
            len: 0,
            kinds,
            side: SideData::new(kinds),
            highest: 0,
            again: HashMap::new(),
            table,
            entered: 0,
        }
    }

    /// The root of a state that is held.
    #[inline]
    pub fn root(&self, number: u32) -> Key {
        self.chunks[(number >> SHIFT) as usize][number as usize % PER_CHUNK]
    }

    /// The number of the state with this root, if it is held and there is a table.
    #[inline]
    pub fn find(&self, root: Key) -> Option<u32> {
        if self.table.is_empty() {
            return None;
        }
        let mut slot = self.home(root);
        while self.table[slot] != FREE {
            let number = self.table[slot];
            if self.root(number) == root {
                return Some(number);
            }
            slot = self.following(slot);
        }
        None
    }

    /// Makes room for one state more, if the budget allows.
    pub fn reserve(&mut self, budget: &mut Budget) -> Option<()> {
        if self.len as usize == self.chunks.len() * PER_CHUNK {
            if self.len == u32::MAX >> 1 || !budget.take(PER_CHUNK * size_of::<Key>()) {
                return None;
            }
            self.chunks.push(vec![NOTHING; PER_CHUNK].into_boxed_slice());
        }
        if self.len == self.highest {
            self.side.reserve(budget)?;
        }
        // At most four fifths of the slots are in use.
        if !self.table.is_empty() && (self.entered + 1) * 5 > self.table.len() * 4 {
            let (old, new) = (self.table.len(), self.table.len() / 2 * 3);
            if !budget.exchange(size_of::<u32>() * old, size_of::<u32>() * new) {
                return None;
            }
            self.table = Vec::new();
            self.enter_all(new);
        }
        Some(())
    }

    /// Holds a state that is not held yet, for which there is room, and returns its number.
    pub fn push(&mut self, root: Key) -> u32 {
        let number = self.len;
        self.set_root(number, root);
        self.len += 1;
        if number == self.highest {
            self.side.push();
            self.highest += 1;
        } else {
            // The side data is that of a state which had this number before.
            self.set_colour(number, 0);
            self.set_parent(number, StateRef(0));
        }
        if !self.table.is_empty() {
            self.enter(number);
        }
        number
    }

    /// Holds a state once more.
    pub fn hold(&mut self, number: u32) {
        *self.again.entry(number).or_default() += 1;
    }

    /// Lets go of a state once. Whether it is held no more.
    pub fn release(&mut self, number: u32) -> bool {
        if !self.again.is_empty()
            && let Some(times) = self.again.get_mut(&number)
        {
            *times -= 1;
            if *times == 0 {
                self.again.remove(&number);
            }
            return false;
        }
        if !self.table.is_empty() {
            self.remove(number);
        }
        self.set_root(number, NOTHING);
        while self.len > 0 && self.root(self.len - 1) == NOTHING {
            self.len -= 1;
        }
        true
    }

    /// The colour of a state; 0 at first, and always if no colours are kept.
    #[inline]
    pub fn colour(&self, number: u32) -> u8 {
        if self.kinds.colour { self.side.colour(StateRef(number)) } else { 0 }
    }

    /// Colours a state.
    #[inline]
    pub fn set_colour(&mut self, number: u32, colour: u8) {
        if self.kinds.colour {
            self.side.set_colour(StateRef(number), colour);
        }
    }

    /// The number that the search keeps with a state.
    #[inline]
    pub fn parent(&self, number: u32) -> StateRef {
        if self.kinds.parent { self.side.parent(StateRef(number)) } else { StateRef(0) }
    }

    /// Keeps a number with a state.
    #[inline]
    pub fn set_parent(&mut self, number: u32, parent: StateRef) {
        if self.kinds.parent {
            self.side.set_parent(StateRef(number), parent);
        }
    }

    /// The roots of all states that are held, in order; `None` for a number that was given back.
    pub fn roots(&self) -> impl Iterator<Item = Option<Key>> + '_ {
        (0..self.len).map(|number| self.root(number)).map(|root| (root != NOTHING).then_some(root))
    }

    /// The roots of the same states are these from now on, as [`Held::roots`] gives them.
    pub fn replace(&mut self, roots: &[Option<Key>]) {
        for (number, root) in (0..).zip(roots) {
            self.set_root(number, root.unwrap_or(NOTHING));
        }
        self.enter_all(self.table.len());
    }

    /// Bytes allocated, all of the budget.
    pub fn bytes(&self) -> u64 {
        let roots = self.chunks.len() * PER_CHUNK * size_of::<Key>();
        self.side.bytes() + (roots + size_of_val(&*self.table)) as u64
    }

    fn set_root(&mut self, number: u32, root: Key) {
        self.chunks[(number >> SHIFT) as usize][number as usize % PER_CHUNK] = root;
    }

    /// Has a table of so many slots, in which all states are.
    fn enter_all(&mut self, slots: usize) {
        self.table.clear();
        self.table.resize(slots, FREE);
        self.entered = 0;
        for number in 0..self.len {
            if slots > 0 && self.root(number) != NOTHING {
                self.enter(number);
            }
        }
    }

    fn enter(&mut self, number: u32) {
        let mut slot = self.home(self.root(number));
        while self.table[slot] != FREE {
            slot = self.following(slot);
        }
        self.table[slot] = number;
        self.entered += 1;
    }

    /// Takes a number out of the table. Those behind it that stand further on than they belong move up, so that they are found.
    fn remove(&mut self, number: u32) {
        let mut hole = self.home(self.root(number));
        while self.table[hole] != number {
            hole = self.following(hole);
        }
        let mut slot = self.following(hole);
        while self.table[slot] != FREE {
            let home = self.home(self.root(self.table[slot]));
            if self.distance(home, slot) >= self.distance(hole, slot) {
                self.table[hole] = self.table[slot];
                hole = slot;
            }
            slot = self.following(slot);
        }
        self.table[hole] = FREE;
        self.entered -= 1;
    }

    /// How many slots from one to another.
    fn distance(&self, from: usize, to: usize) -> usize {
        if to >= from { to - from } else { to + self.table.len() - from }
    }

    #[inline]
    fn home(&self, root: Key) -> usize {
        ((u128::from(Keys::hash(&root)) * self.table.len() as u128) >> 64) as usize
    }

    #[inline]
    fn following(&self, slot: usize) -> usize {
        if slot + 1 == self.table.len() { 0 } else { slot + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::hash;

    const COLOURED: Side = Side { colour: true, parent: false, sleep: false };

    fn key(number: u64) -> Key {
        Key { left: number as u32 % 50, right: (number / 50) as u32, shape: (number % 3) as u8 }
    }

    #[test]
    fn knows_what_is_held_in_whatever_order_it_is_given_back() {
        let mut budget = Budget::new(None);
        let mut held = Held::new(COLOURED, &mut budget);
        let mut model: HashMap<u64, (u32, u8)> = HashMap::new();
        let mut random = 1u64;
        for round in 0..100_000u64 {
            random = hash(&random.to_le_bytes());
            let state = random % 4000;
            assert_eq!(held.find(key(state)), model.get(&state).map(|(number, _)| *number));
            match model.get(&state).copied() {
                None => {
                    held.reserve(&mut budget).expect("there is no limit");
                    let number = held.push(key(state));
                    assert_eq!(held.colour(number), 0);
                    held.set_colour(number, (round % 4) as u8);
                    model.insert(state, (number, (round % 4) as u8));
                }
                Some((number, colour)) => {
                    assert_eq!((held.root(number), held.colour(number)), (key(state), colour));
                    held.hold(number);
                    assert!(!held.release(number), "it is held once more");
                    assert!(held.release(number));
                    model.remove(&state);
                }
            }
        }
        assert!(model.len() > 1000 && held.entered == model.len());
        assert_eq!(budget.used(), held.bytes());
    }

    #[test]
    fn what_is_given_back_from_the_top_is_used_again() {
        let mut budget = Budget::new(None);
        let mut held = Held::new(Side::default(), &mut budget);
        for _ in 0..10 {
            for number in 0..3000 {
                held.reserve(&mut budget).expect("there is no limit");
                assert_eq!(held.push(key(number.into())), number);
                assert_eq!(held.find(key(number.into())), None, "there is no table");
            }
            (0..3000).rev().for_each(|number| assert!(held.release(number)));
        }
        assert_eq!(budget.used(), held.bytes());
        assert_eq!(budget.used(), 3 * (PER_CHUNK * size_of::<Key>()) as u64);
    }

    #[test]
    fn other_roots_take_the_place_of_the_first() {
        let mut budget = Budget::new(None);
        let mut held = Held::new(COLOURED, &mut budget);
        for number in 0..500u32 {
            held.reserve(&mut budget).expect("there is no limit");
            held.push(key(number.into()));
        }
        held.release(7);
        let other = |root: Key| Key { left: root.right + 70, right: root.left, ..root };
        let roots: Vec<_> = held.roots().map(|root| root.map(other)).collect();
        held.replace(&roots);
        assert!((0..500).filter(|n| *n != 7).all(|n| held.find(other(key(n.into()))) == Some(n)));
        assert_eq!(held.find(other(key(7))), None);
        assert_eq!(held.find(key(3)), None);
    }

    #[test]
    fn a_full_budget_is_told() {
        let mut budget = Budget::new(Some(40_000));
        let mut held = Held::new(COLOURED, &mut budget);
        let full = (0..).find(|number| {
            let room = held.reserve(&mut budget).is_some();
            room.then(|| held.push(key(*number))).is_none()
        });
        assert!(full.is_some_and(|full| full > 1000) && budget.used() <= 40_000);
        assert!((0..full.unwrap_or(0)).all(|number| held.find(key(number)) == Some(number as u32)));
    }
}
