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

pub mod keys;
pub mod shape;
pub mod table;

use super::arena::{Side, StateRef};
use super::budget::Budget;
use super::interface::{Insert, Lookup, Ordered, Store};
use super::side_data::SideData;
use keys::Key;
use mazurka_model::{Batch, System};
use shape::{Shape, Shapes};
use std::cell::Cell;
use table::Table;

/// The last state of a shape that was looked at, with the numbers of its leaves and nodes.
#[derive(Debug, Default)]
struct Latest {
    /// Empty if nothing is known.
    numbers: Vec<u32>,
    state: Vec<u8>,
}

/// What a successor changes in a tree.
#[derive(Debug, Default)]
struct Change {
    /// The positions whose number differs, children before parents.
    positions: Vec<u32>,
    /// Their numbers.
    numbers: Vec<u32>,
    /// For each position, where it stands in `positions`, if `marked` says so.
    index: Vec<u32>,
    /// The round in which a position was last marked.
    marked: Vec<u32>,
    round: u32,
}

impl Change {
    /// Collects the leaves that differ and everything above them.
    fn collect(&mut self, shape: &Shape, latest: &Latest, state: &[u8]) {
        self.positions.clear();
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.marked.clear();
            self.round = 1;
        }
        let all = shape.parents.len();
        if self.marked.len() < all {
            self.marked.resize(all, 0);
            self.index.resize(all, 0);
        }
        let leaves = shape.leaves();
        if latest.numbers.is_empty() {
            self.positions.extend(0..all as u32);
        } else {
            let differ = |leaf: &usize| shape.read(state, *leaf) != shape.read(&latest.state, *leaf);
            for leaf in (0..leaves).filter(differ) {
                let mut position = leaf as u32;
                while self.marked[position as usize] != self.round {
                    self.marked[position as usize] = self.round;
                    self.positions.push(position);
                    position = shape.parents[position as usize];
                }
            }
            self.positions.sort_unstable();
        }
        for (index, position) in self.positions.iter().enumerate() {
            self.marked[*position as usize] = self.round;
            self.index[*position as usize] = index as u32;
        }
        self.numbers.clear();
    }

    #[inline]
    fn number(&self, latest: &Latest, position: u32) -> u32 {
        if self.marked[position as usize] == self.round {
            self.numbers[self.index[position as usize] as usize]
        } else {
            latest.numbers[position as usize]
        }
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

    /// Makes `state` the latest of its shape and gives the key of its root. With `insert`, parts that
    /// are new are inserted; otherwise they make it `Err(true)`. `Err(false)`: there is no room.
    fn settle(&mut self, state: &[u8], insert: bool) -> Result<Key, bool> {
        let number = self.shape_of(state);
        let shape = self.shapes.get(number);
        let state = shape.fill(state, &mut self.filled);
        let latest = &mut self.latest[usize::from(number)];
        self.change.collect(shape, latest, state);
        let mut root = None;
        for position in &self.change.positions {
            let (table, key) = part(
                shape,
                *position,
                |leaf| shape.read(state, leaf),
                |child| self.change.number(latest, child),
            );
            let table = match table {
                None => &mut self.leaves,
                Some(0) => {
                    root = Some(Key { shape: number, ..key });
                    break;
                }
                Some(depth) => &mut self.levels[depth as usize],
            };
            let found = if insert {
                table.insert(key, &mut self.budget).map(|(found, _)| found).ok_or(false)
            } else {
                table.find(key).ok_or(true)
            };
            match found {
                Ok(found) => self.change.numbers.push(found),
                Err(reason) => return Err(reason),
            }
        }
        if latest.numbers.is_empty() {
            latest.numbers.resize(shape.parents.len(), 0);
        }
        for (position, found) in self.change.positions.iter().zip(&self.change.numbers) {
            latest.numbers[*position as usize] = *found;
        }
        latest.state.clear();
        latest.state.extend_from_slice(state);
        Ok(root.unwrap_or_else(|| {
            let node = shape.nodes[shape.nodes.len() - 1];
            let number_of = |child: u32| latest.numbers[child as usize];
            Key { left: number_of(node.left), right: number_of(node.right), shape: number }
        }))
    }

    /// The key of a state's root, if all its parts are there. Changes nothing.
    fn root(&mut self, state: &[u8]) -> Option<Key> {
        let number = self.shapes.of_length(state.len())?;
        let shape = self.shapes.get(number);
        let state = shape.fill(state, &mut self.filled);
        let latest = &self.latest[usize::from(number)];
        self.change.collect(shape, latest, state);
        for position in &self.change.positions {
            let (table, key) = part(
                shape,
                *position,
                |leaf| shape.read(state, leaf),
                |child| self.change.number(latest, child),
            );
            let found = match table {
                None => self.leaves.find(key)?,
                Some(0) => return Some(Key { shape: number, ..key }),
                Some(depth) => self.levels[depth as usize].find(key)?,
            };
            self.change.numbers.push(found);
        }
        // Nothing differs from the latest state.
        let node = shape.nodes[shape.nodes.len() - 1];
        let number_of = |child: u32| latest.numbers[child as usize];
        Some(Key { left: number_of(node.left), right: number_of(node.right), shape: number })
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
        match self.settle(state, true) {
            Ok(key) => self.insert_root(key, state.len()),
            Err(_) => Insert::Full,
        }
    }

    fn prepare(
        &mut self,
        _parent: StateRef,
        present: &[u8],
        batch: &Batch,
        from: usize,
        out: &mut Vec<Question>,
    ) {
        out.clear();
        // From here on successors differ from the latest state only in what their step changed. All
        // parts of the present state are there, since it is stored.
        let _ = self.settle(present, false);
        for index in from..batch.len() {
            out.push(match self.root(batch.state(index)) {
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
        let root = self.levels[0].key(state.0);
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
}

impl Ordered for Tree<'_> {
    fn first(&self) -> Option<StateRef> {
        (self.levels[0].len() > 0).then_some(StateRef(0))
    }

    fn after(&self, state: StateRef) -> Option<StateRef> {
        (state.0 + 1 < self.levels[0].len()).then_some(StateRef(state.0 + 1))
    }
}

/// The table of a position, `None` for a leaf and otherwise by depth, and its key there.
#[inline(always)]
fn part(
    shape: &Shape,
    position: u32,
    leaf: impl Fn(usize) -> u64,
    number: impl Fn(u32) -> u32,
) -> (Option<u32>, Key) {
    match (position as usize).checked_sub(shape.leaves()) {
        None => (None, leaf_key(leaf(position as usize))),
        Some(index) => {
            let node = shape.nodes[index];
            (Some(node.depth), Key { left: number(node.left), right: number(node.right), shape: 0 })
        }
    }
}

#[inline]
fn leaf_key(word: u64) -> Key {
    Key { left: (word >> 32) as u32, right: word as u32, shape: 0 }
}
