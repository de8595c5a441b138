//! States as trees of numbered pairs (recursive indexing; Laarman, van de Pol, Weber 2011).
//!
//! A state is cut into leaves of a few bytes ([`shape`]). Leaves are numbered, pairs of numbers are numbered
//! again, level by level, and the pair at the root stands for the state. States share what they have in
//! common: as long as a system has many more states than its parts have, a state costs little more than
//! its root.
//!
//! A step changes a few leaves, so only the numbers on the paths above these are looked up; the rest is that
//! of the state before, whose numbers are kept for each shape.
//!
//! Nothing is lost, and a number never changes: the tree is an exact set with references that last. Each
//! level of the tree has a table of its own, so that the numbers on it stay small ([`keys`]).

pub mod compact;
pub mod keys;
pub mod quotient;
pub mod shape;
pub mod table;

use super::arena::{Side, StateRef};
use super::budget::Budget;
use super::interface::{Insert, Lookup, Ordered, Store};
use super::saved;
use super::side_data::SideData;
use crate::checkpoint::{Reader, Refusal, Writer};
use keys::Key;
use mazurka_model::{Batch, System};
use shape::{Shape, Shapes};
use std::cell::Cell;
use table::Table;

/// The last state of a shape that was looked at, with the numbers of its leaves and nodes.
#[derive(Debug, Default)]
struct Latest {
    /// Empty if nothing is known. The root's is not kept.
    numbers: Vec<u32>,
    state: Vec<u8>,
}

/// The positions of a tree that a state changes, as bits, and the numbers that stood there.
#[derive(Debug, Default)]
struct Change {
    positions: Vec<u64>,
    before: Vec<(u32, u32)>,
}

impl Change {
    /// Collects the leaves that differ and everything above them.
    #[inline]
    fn collect(&mut self, shape: &Shape, latest: &mut Latest, state: &[u8]) {
        let all = shape.parents.len();
        self.before.clear();
        self.positions.clear();
        self.positions.resize(all.div_ceil(64), 0);
        if latest.numbers.is_empty() {
            latest.numbers.resize(all, 0);
            (0..all).for_each(|position| self.positions[position / 64] |= 1 << (position % 64));
            return;
        }
        shape.differing(state, &latest.state, |leaf| {
            let mut position = leaf;
            loop {
                let (word, bit) = (&mut self.positions[position / 64], 1 << (position % 64));
                if *word & bit != 0 {
                    break;
                }
                *word |= bit;
                position = shape.parents[position] as usize;
            }
        });
    }
}

/// A state that was looked up together with others.
#[derive(Copy, Clone, Debug)]
pub struct Question {
    key: Key,
    answer: Answer,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Answer {
    /// Some part of the state was never seen, or its root was not there.
    Absent,
    /// The root is to be looked up.
    Unsure,
    Found(StateRef),
}

/// The set of visited states as trees.
pub struct Tree<'s> {
    system: &'s dyn System,
    shapes: Shapes,
    latest: Vec<Latest>,
    /// The state that was inserted or prepared for last: the latest of its shape.
    present: Option<StateRef>,
    leaves: Table,
    /// The nodes by their depth; the roots come first.
    levels: Vec<Table>,
    side: SideData,
    budget: Budget,
    longest: usize,
    change: Change,
    filled: Vec<u8>,
    loading: Cell<Vec<u32>>,
}

impl<'s> Tree<'s> {
    /// An empty set that may use `limit` bytes.
    pub fn new(system: &'s dyn System, side: Side, limit: Option<u64>) -> Tree<'s> {
        let mut budget = Budget::new(limit);
        Tree {
            system,
            shapes: Shapes::default(),
            latest: Vec::new(),
            present: None,
            leaves: Table::new(&mut budget),
            levels: vec![Table::new(&mut budget)],
            side: SideData::new(side),
            budget,
            longest: 0,
            change: Change::default(),
            filled: Vec::new(),
            loading: Cell::default(),
        }
    }

    /// The key of a state's root. What differs from the latest state of this shape is looked up; the
    /// state becomes the latest itself if `keep`. `None`: some part is not there.
    #[inline]
    fn root(&mut self, state: &[u8], keep: bool) -> Option<Key> {
        let (leaves, levels) = (&mut self.leaves, &mut self.levels);
        let number = self.shapes.of_length(state.len())?;
        let place = (self.shapes.get(number), &mut self.latest[usize::from(number)]);
        let state = place.0.fill(state, &mut self.filled);
        follow(place, number, state, &mut self.change, keep, |table, key| match table {
            None => leaves.find_again(key),
            Some(depth) => levels[depth as usize].find_again(key),
        })
    }

    /// The key of a state's root, all its parts inserted; it becomes the latest of its shape. `None`:
    /// there is no room.
    fn insert_parts(&mut self, state: &[u8]) -> Option<Key> {
        let number = self.shape_of(state);
        let (leaves, levels, budget) = (&mut self.leaves, &mut self.levels, &mut self.budget);
        let place = (self.shapes.get(number), &mut self.latest[usize::from(number)]);
        let state = place.0.fill(state, &mut self.filled);
        follow(place, number, state, &mut self.change, true, |table, key| {
            let table = match table {
                None => &mut *leaves,
                Some(depth) => &mut levels[depth as usize],
            };
            table.find_again(key).or_else(|| table.insert(key, budget).map(|(found, _)| found))
        })
    }

    fn shape_of(&mut self, state: &[u8]) -> u8 {
        let number = self.shapes.of(self.system, state);
        while self.latest.len() < self.shapes.len() {
            let depth = self.shapes.get(self.latest.len() as u8).nodes.iter().map(|node| node.depth).max();
            self.latest.push(Latest::default());
            while self.levels.len() <= depth.unwrap_or(0) as usize {
                self.levels.push(Table::new(&mut self.budget));
            }
        }
        number
    }

    /// Writes the bytes of the state with this root into `out`.
    fn load_root(&self, root: Key, out: &mut Vec<u8>) {
        let shape = self.shapes.get(root.shape);
        let leaves = shape.leaves();
        let mut numbers = self.loading.take();
        numbers.resize(shape.parents.len(), 0);
        for (index, node) in shape.nodes.iter().enumerate().rev() {
            let key = match node.depth {
                0 => root,
                depth => self.levels[depth as usize].key(numbers[leaves + index]),
            };
            numbers[node.left as usize] = key.left;
            numbers[node.right as usize] = key.right;
        }
        shape.blank(out);
        for (leaf, number) in numbers[..leaves].iter().enumerate() {
            let key = self.leaves.key(*number);
            shape.write(out, leaf, u64::from(key.left) << 32 | u64::from(key.right));
        }
        shape.unfill(out);
        self.loading.set(numbers);
    }

    fn insert_root(&mut self, key: Key, length: usize) -> Insert {
        // Room for the side data comes first, so that no root is without.
        if self.side.reserve(&mut self.budget).is_none() {
            return Insert::Full;
        }
        match self.levels[0].insert(key, &mut self.budget) {
            None => Insert::Full,
            Some((number, false)) => Insert::Seen(StateRef(number)),
            Some((number, true)) => {
                self.side.push();
                self.longest = self.longest.max(length);
                Insert::New(StateRef(number))
            }
        }
    }
}

impl Store for Tree<'_> {
    type Question = Question;

    fn insert(&mut self, state: &[u8]) -> Insert {
        match self.insert_parts(state) {
            Some(key) => {
                let inserted = self.insert_root(key, state.len());
                self.present = match inserted {
                    Insert::New(state) | Insert::Seen(state) => Some(state),
                    Insert::Passed(_) | Insert::Full => None,
                };
                inserted
            }
            None => Insert::Full,
        }
    }

    fn prepare(
        &mut self,
        parent: StateRef,
        present: &[u8],
        batch: &Batch,
        from: usize,
        out: &mut Vec<Question>,
    ) {
        out.clear();
        // From here on successors differ from the latest state only in what their step changed. All
        // parts of the present state are there, since it is stored.
        if self.present != Some(parent) {
            self.root(present, true);
            self.present = Some(parent);
        }
        for index in from..batch.len() {
            out.push(match self.root(batch.state(index), false) {
                Some(key) => {
                    self.levels[0].prefetch(table::hash(key));
                    Question { key, answer: Answer::Unsure }
                }
                None => Question { key: Key::default(), answer: Answer::Absent },
            });
        }
        for question in out.iter_mut().filter(|q| q.answer == Answer::Unsure) {
            if let Some(number) = self.levels[0].likely(table::hash(question.key)) {
                question.answer = Answer::Found(StateRef(number));
            }
        }
        for question in out.iter_mut() {
            if let Answer::Found(state) = question.answer
                && self.levels[0].key(state.0) != question.key
            {
                question.answer = Answer::Unsure;
            }
        }
    }

    #[inline]
    fn find_prepared(&self, question: Question, _state: &[u8]) -> Lookup {
        let found = match question.answer {
            Answer::Absent => None,
            Answer::Unsure => self.levels[0].find(question.key).map(StateRef),
            Answer::Found(state) => Some(state),
        };
        found.map_or(Lookup::Absent, Lookup::Stored)
    }

    fn insert_prepared(&mut self, question: Question, state: &[u8]) -> Insert {
        match question.answer {
            Answer::Found(state) => Insert::Seen(state),
            Answer::Unsure => self.insert_root(question.key, state.len()),
            Answer::Absent => self.insert(state),
        }
    }

    fn load(&self, state: StateRef, out: &mut Vec<u8>) {
        self.load_root(self.levels[0].key(state.0), out);
    }

    #[inline]
    fn colour(&self, state: StateRef) -> u8 {
        self.side.colour(state)
    }

    #[inline]
    fn set_colour(&mut self, state: StateRef, colour: u8) {
        self.side.set_colour(state, colour);
    }

    #[inline]
    fn parent(&self, state: StateRef) -> StateRef {
        self.side.parent(state)
    }

    #[inline]
    fn set_parent(&mut self, state: StateRef, parent: StateRef) {
        self.side.set_parent(state, parent);
    }

    #[inline]
    fn sleep(&self, state: StateRef) -> u32 {
        self.side.sleep(state)
    }

    #[inline]
    fn set_sleep(&mut self, state: StateRef, sleep: u32) {
        self.side.set_sleep(state, sleep);
    }

    fn len(&self) -> u64 {
        self.levels[0].len().into()
    }

    fn bytes(&self) -> u64 {
        self.budget.used()
    }

    fn set_limit(&mut self, bytes: u64) {
        self.budget.set_limit(bytes);
    }

    fn longest(&self) -> usize {
        self.longest
    }

    fn save(&self, side: Side, out: &mut Writer<'_>) -> std::io::Result<()> {
        saved::save_in_order(self, side, out)
    }

    fn restore(&mut self, side: Side, from: &mut Reader) -> Result<(), Refusal> {
        saved::restore_in_order(self, side, from)
    }
}

impl Ordered for Tree<'_> {
    fn first(&self) -> Option<StateRef> {
        (self.levels[0].len() > 0).then_some(StateRef(0))
    }

    fn after(&self, state: StateRef) -> Option<StateRef> {
        (state.0 + 1 < self.levels[0].len()).then_some(StateRef(state.0 + 1))
    }
}

/// Follows the paths from what a state changes up to the root, whose key it gives. `find` is asked for
/// the number of each key, with the table it is in: `None` for a leaf, by depth for a node. The state
/// becomes the latest if all is found and `keep`; otherwise the latest stays what it was.
#[inline(always)]
fn follow(
    (shape, latest): (&Shape, &mut Latest),
    number: u8,
    state: &[u8],
    change: &mut Change,
    keep: bool,
    mut find: impl FnMut(Option<u32>, Key) -> Option<u32>,
) -> Option<Key> {
    let was_empty = latest.numbers.is_empty();
    change.collect(shape, latest, state);
    let leaves = shape.leaves();
    let root = shape.parents.len() - 1;
    let mut complete = true;
    'all: for (index, &word) in change.positions.iter().enumerate() {
        let mut word = word;
        while word != 0 {
            let position = index * 64 + word.trailing_zeros() as usize;
            word &= word - 1;
            if position == root {
                break 'all;
            }
            let found = match position.checked_sub(leaves) {
                None => find(None, leaf_key(shape.read(state, position))),
                Some(node) => {
                    let node = shape.nodes[node];
                    let number_of = |child: u32| latest.numbers[child as usize];
                    let key = Key { left: number_of(node.left), right: number_of(node.right), shape: 0 };
                    find(Some(node.depth), key)
                }
            };
            let Some(found) = found else {
                complete = false;
                break 'all;
            };
            change.before.push((position as u32, latest.numbers[position]));
            latest.numbers[position] = found;
        }
    }
    let node = shape.nodes[shape.nodes.len() - 1];
    let number_of = |child: u32| latest.numbers[child as usize];
    let key = Key { left: number_of(node.left), right: number_of(node.right), shape: number };
    if complete && keep {
        latest.state.clear();
        latest.state.extend_from_slice(state);
    } else if was_empty {
        latest.numbers.clear();
    } else {
        for (position, before) in &change.before {
            latest.numbers[*position as usize] = *before;
        }
    }
    complete.then_some(key)
}

#[inline]
fn leaf_key(word: u64) -> Key {
    Key { left: (word >> 32) as u32, right: word as u32, shape: 0 }
}
