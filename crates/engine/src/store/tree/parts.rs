//! The leaves and inner nodes of trees: what turns a state into the key of its root, and back.

use super::arrange::Sample;
use super::keys::Key;
use super::shape::{Shape, Shapes};
use super::table::Table;
use crate::store::budget::Budget;
use mazurka_model::System;
use std::cell::Cell;

/// How many states are looked at to find a better arrangement.
pub const SAMPLE: usize = 1 << 14;

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

/// Leaves and inner nodes.
pub struct Parts<'s> {
    system: &'s dyn System,
    shapes: Shapes,
    latest: Vec<Latest>,
    leaves: Table,
    /// The nodes by their depth, from those below the roots on.
    nodes: Vec<Table>,
    change: Change,
    filled: Vec<u8>,
    loading: Cell<Vec<u32>>,
}

impl<'s> Parts<'s> {
    /// None.
    pub fn new(system: &'s dyn System, budget: &mut Budget) -> Parts<'s> {
        Parts::with(system, Shapes::default(), budget)
    }

    /// None yet, but for states of these shapes.
    fn with(system: &'s dyn System, shapes: Shapes, budget: &mut Budget) -> Parts<'s> {
        let mut parts = Parts {
            system,
            shapes,
            latest: Vec::new(),
            leaves: Table::new(budget),
            nodes: Vec::new(),
            change: Change::default(),
            filled: Vec::new(),
            loading: Cell::default(),
        };
        parts.follow_shapes(budget);
        parts
    }

    /// The key of a state's root. What differs from the latest state of this shape is looked up; the
    /// state becomes the latest itself if `keep`. `None`: some part is not there.
    #[inline]
    pub fn root(&mut self, state: &[u8], keep: bool) -> Option<Key> {
        let (leaves, nodes) = (&mut self.leaves, &mut self.nodes);
        let number = self.shapes.of_length(state.len())?;
        let place = (self.shapes.get(number), &mut self.latest[usize::from(number)]);
        let state = place.0.fill(state, &mut self.filled);
        follow(place, number, state, &mut self.change, keep, |table, key| match table {
            None => leaves.find_again(key),
            Some(depth) => nodes[depth as usize - 1].find_again(key),
        })
    }

    /// The key of a state's root, all its parts inserted; it becomes the latest of its shape. `None`:
    /// there is no room.
    pub fn insert(&mut self, state: &[u8], budget: &mut Budget) -> Option<Key> {
        let number = self.shapes.of(self.system, state);
        self.follow_shapes(budget);
        let (leaves, nodes) = (&mut self.leaves, &mut self.nodes);
        let place = (self.shapes.get(number), &mut self.latest[usize::from(number)]);
        let state = place.0.fill(state, &mut self.filled);
        follow(place, number, state, &mut self.change, true, |table, key| {
            let table = match table {
                None => &mut *leaves,
                Some(depth) => &mut nodes[depth as usize - 1],
            };
            table.find_again(key).or_else(|| table.insert(key, budget).map(|(found, _)| found))
        })
    }

    /// Makes room for what belongs to each shape.
    fn follow_shapes(&mut self, budget: &mut Budget) {
        while self.latest.len() < self.shapes.len() {
            let depth = self.shapes.get(self.latest.len() as u8).nodes.iter().map(|node| node.depth).max();
            self.latest.push(Latest::default());
            while self.nodes.len() < depth.unwrap_or(0) as usize {
                self.nodes.push(Table::new(budget));
            }
        }
    }

    /// The numbers of the leaves of the state with this root come first in `numbers`.
    fn descend(&self, root: Key, numbers: &mut Vec<u32>) -> &Shape {
        let shape = self.shapes.get(root.shape);
        let leaves = shape.leaves();
        numbers.resize(shape.parents.len(), 0);
        for (index, node) in shape.nodes.iter().enumerate().rev() {
            let key = match node.depth {
                0 => root,
                depth => self.nodes[depth as usize - 1].key(numbers[leaves + index]),
            };
            numbers[node.left as usize] = key.left;
            numbers[node.right as usize] = key.right;
        }
        shape
    }

    /// Writes the bytes of the state with this root into `out`.
    pub fn load(&self, root: Key, out: &mut Vec<u8>) {
        let mut numbers = self.loading.take();
        let shape = self.descend(root, &mut numbers);
        shape.blank(out);
        for (leaf, number) in numbers[..shape.leaves()].iter().enumerate() {
            let key = self.leaves.key(*number);
            shape.write(out, leaf, u64::from(key.left) << 32 | u64::from(key.right));
        }
        shape.unfill(out);
        self.loading.set(numbers);
    }

    /// Room for the same states arranged in another way, if a sample of their roots says that this
    /// has a fifth fewer nodes. All states have to be inserted anew.
    pub fn rearranged(&self, roots: impl Iterator<Item = Key>, budget: &mut Budget) -> Option<Parts<'s>> {
        let mut samples: Vec<Sample> =
            (0..self.shapes.len()).map(|shape| Sample::new(self.shapes.get(shape as u8).leaves())).collect();
        let mut numbers = Vec::new();
        for root in roots {
            let shape = self.descend(root, &mut numbers);
            samples[usize::from(root.shape)].add(numbers[..shape.leaves()].iter().copied());
        }
        let all: usize = samples.iter().map(Sample::states).sum();
        let mut shapes = self.shapes.clone();
        let (mut old, mut new) = (0, 0);
        for (number, sample) in samples.iter().enumerate() {
            let shape = shapes.get_mut(number as u8);
            // Rare shapes don't matter.
            if sample.states() * 10 >= all
                && let Some(joins) = sample.arrange()
            {
                old += sample.nodes(&shape.joins());
                new += sample.nodes(&joins);
                shape.join(&joins);
            }
        }
        (new * 5 < old * 4).then(|| Parts::with(self.system, shapes, budget))
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
