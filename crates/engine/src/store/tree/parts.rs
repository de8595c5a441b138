//! The leaves and inner nodes of trees: what turns a state into the key of its root, and back.

use super::arrange::{self, MOST_WORDS, Sample};
use super::keys::{Key, Keys};
use super::shape::{Node, Shape, Shapes};
use super::table::Table;
use super::words::Words;
use crate::store::budget::Budget;
use crate::store::{Mixer, fold};
use mazurka_model::System;
use std::cell::Cell;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// How many states are looked at to find a better arrangement.
pub const SAMPLE: usize = 1 << 14;
/// How many bytes of parts for each state are little.
const LITTLE: u64 = 2;
/// A number that no leaf and no node has.
const NONE: u32 = u32::MAX;

/// The last state of a shape that was looked at, with the numbers of its leaves and nodes.
#[derive(Debug, Default)]
struct Latest {
    state: Vec<u8>,
    /// For each leaf and node. The root's is not kept. Empty if nothing is known.
    numbers: Vec<u32>,
}

/// What a state changes, and what stood there. Between two changes no bit is set.
#[derive(Debug, Default)]
struct Change {
    /// Leaves, some of them twice, each with a byte that differs.
    leaves: Vec<(u32, u32)>,
    /// Nodes, as bits.
    nodes: Vec<u64>,
    numbers_before: Vec<(u32, u32)>,
    /// The words of a leaf.
    value: [u64; MOST_WORDS],
}

impl Change {
    /// Collects the leaves in which `state` differs from the latest one.
    #[inline(always)]
    fn collect(&mut self, shape: &Shape, latest: &mut Latest, state: &[u8]) {
        let leaves = shape.leaves();
        self.leaves.clear();
        self.numbers_before.clear();
        // With the root there are fewer nodes than leaves, or one of each.
        if self.nodes.len() * 64 < leaves {
            self.nodes.resize(leaves.div_ceil(64), 0);
        }
        if latest.numbers.is_empty() {
            latest.numbers.resize(shape.parents.len(), NONE);
            self.leaves.extend((0..leaves).map(|leaf| (leaf as u32, 0)));
            return;
        }
        shape.differing(state, &latest.state, |leaf, byte| self.leaves.push((leaf, byte as u32)));
    }

    /// Puts a number in the place of another.
    #[inline(always)]
    fn put(&mut self, shape: &Shape, latest: &mut Latest, position: usize, number: u32) {
        self.numbers_before.push((position as u32, latest.numbers[position]));
        latest.numbers[position] = number;
        let above = shape.parents[position] as usize - shape.leaves();
        self.nodes[above / 64] |= 1 << (above % 64);
    }

    /// Forgets which nodes change.
    fn forget(&mut self) {
        self.nodes.fill(0);
    }

    /// Makes everything what it was before the change.
    #[inline(always)]
    fn undo(&self, latest: &mut Latest) {
        // A leaf can have been changed twice.
        self.numbers_before.iter().rev().for_each(|(at, before)| latest.numbers[*at as usize] = *before);
    }
}

/// Leaves and inner nodes.
pub struct Parts<'s> {
    system: &'s dyn System,
    shapes: Shapes,
    latest: Vec<Latest>,
    /// The shape of the state to which others are compared.
    present: Option<u8>,
    /// The values of leaves by how many words they have, from 1 on.
    leaves: Vec<Table<Words>>,
    /// The nodes by their depth, from those below the roots on.
    nodes: Vec<Table<Keys>>,
    change: Change,
    /// A number was too large for its place in a root that joins several parts.
    outgrown: bool,
    filled: Vec<u8>,
    descending: Vec<(u32, u32)>,
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
            present: None,
            leaves: Vec::new(),
            nodes: Vec::new(),
            change: Change::default(),
            outgrown: false,
            filled: Vec::new(),
            descending: Vec::new(),
            loading: Cell::default(),
        };
        parts.follow_shapes(budget);
        parts
    }

    /// The key of a state's root, all its parts inserted; the state becomes the latest of its shape. `None`:
    /// there is no room.
    pub fn insert(&mut self, state: &[u8], budget: &mut Budget) -> Option<Key> {
        self.present = None;
        self.root(state, budget)
    }

    /// The same for a successor of the [present](Parts::come_to) state, which stays what it is. Where steps change few bytes few
    /// parts are looked up.
    #[inline]
    pub fn root(&mut self, state: &[u8], budget: &mut Budget) -> Option<Key> {
        let number = match self.shapes.of_length(state.len()) {
            Some(number) => number,
            None => {
                let number = self.shapes.of(self.system, state);
                self.follow_shapes(budget);
                number
            }
        };
        let keep = self.present != Some(number);
        let (shape, latest) = (self.shapes.get(number), &mut self.latest[usize::from(number)]);
        let state = shape.fill(state, &mut self.filled);
        let was_empty = latest.numbers.is_empty();
        self.change.collect(shape, latest, state);
        let change = &mut self.change;
        let complete = follow(shape, state, latest, change, &mut self.leaves, &mut self.nodes, budget);
        if complete.is_none() {
            change.forget();
        }
        let key = complete.and_then(|()| shape.key(&latest.numbers, number));
        if key.is_none() {
            self.outgrown |= complete.is_some() && shape.is_flat();
        }
        if key.is_some() && keep {
            latest.state.clear();
            latest.state.extend_from_slice(state);
        } else if was_empty {
            latest.numbers.clear();
        } else {
            change.undo(latest);
        }
        key
    }

    /// Makes the state with this root the present one, to which its successors are compared. Nodes that it shares with the
    /// latest state are not looked at.
    pub fn come_to(&mut self, root: Key, state: &[u8]) {
        let (shape, latest) = (self.shapes.get(root.shape), &mut self.latest[usize::from(root.shape)]);
        let mut descending = std::mem::take(&mut self.descending);
        let mut numbers = std::mem::take(&mut latest.numbers);
        numbers.resize(shape.parents.len(), NONE);
        self.descend_from(root, &mut numbers, &mut descending, |_, _| {});
        self.descending = descending;
        let latest = &mut self.latest[usize::from(root.shape)];
        latest.numbers = numbers;
        latest.state.clear();
        latest.state.extend_from_slice(self.shapes.get(root.shape).fill(state, &mut self.filled));
        self.present = Some(root.shape);
    }

    /// Makes room for what belongs to each shape.
    fn follow_shapes(&mut self, budget: &mut Budget) {
        while self.latest.len() < self.shapes.len() {
            let shape = self.shapes.get(self.latest.len() as u8);
            let depth = shape.nodes.iter().map(|node| node.depth).max();
            let width = (0..shape.leaves()).map(|leaf| shape.words_of(leaf).len()).max();
            self.latest.push(Latest::default());
            while self.nodes.len() < depth.unwrap_or(0) as usize {
                self.nodes.push(Table::new(Keys::default(), budget));
            }
            while self.leaves.len() < width.unwrap_or(0) {
                self.leaves.push(Table::new(Words::new(self.leaves.len() + 1), budget));
            }
        }
    }

    /// Makes `numbers` those of the state with this root, from above: what stands below a number that is the same already is not
    /// looked at. Passes the leaves that are others.
    #[inline(always)]
    fn descend_from(
        &self,
        root: Key,
        numbers: &mut [u32],
        descending: &mut Vec<(u32, u32)>,
        mut pass: impl FnMut(usize, u32),
    ) {
        let shape = self.shapes.get(root.shape);
        let leaves = shape.leaves();
        descending.clear();
        descending.extend(shape.parts_of(root));
        while let Some((position, number)) = descending.pop() {
            let known = &mut numbers[position as usize];
            if *known == number {
                continue;
            }
            *known = number;
            match (position as usize).checked_sub(leaves) {
                None => pass(position as usize, number),
                Some(node) => {
                    let node = shape.nodes[node];
                    let key = self.nodes[node.depth as usize - 1].keys().get(number);
                    descending.extend([(node.left, key.left), (node.right, key.right)]);
                }
            }
        }
    }

    /// The numbers of the leaves of the state with this root come first in `numbers`.
    fn descend(&self, root: Key, numbers: &mut Vec<u32>) -> &Shape {
        let shape = self.shapes.get(root.shape);
        numbers.clear();
        numbers.resize(shape.parents.len(), NONE);
        self.descend_from(root, numbers, &mut Vec::new(), |_, _| {});
        shape
    }

    /// Writes the bytes of the state with this root into `out`.
    pub fn load(&self, root: Key, out: &mut Vec<u8>) {
        let mut numbers = self.loading.take();
        let shape = self.descend(root, &mut numbers);
        shape.blank(out);
        for (leaf, number) in numbers[..shape.leaves()].iter().enumerate() {
            shape.write(out, leaf, self.value(shape, leaf, *number));
        }
        shape.unfill(out);
        self.loading.set(numbers);
    }

    /// The words of the leaf with this number.
    fn value(&self, shape: &Shape, leaf: usize, number: u32) -> &[u64] {
        self.leaves[shape.words_of(leaf).len() - 1].keys().get(number)
    }

    /// About how many bytes all parts take.
    fn bytes(&self) -> u64 {
        let values = self.leaves.iter().zip(1..).map(|(table, words)| (table, arrange::value_bytes(words)));
        let values: u64 = values.map(|(table, bytes)| u64::from(table.len()) * bytes).sum();
        values + self.nodes.iter().map(|table| u64::from(table.len()) * arrange::NODE).sum::<u64>()
    }

    /// Room for the same states arranged in another way, if a sample of the roots of `all` states says that this is worth it: it
    /// takes less memory by a fifth, or little with a quarter fewer leaves. Where parts take little beside roots they stay. All
    /// states have to be inserted anew. A root has at most `most_parts` parts from then on.
    pub fn rearranged(
        &self,
        roots: impl Iterator<Item = Key>,
        all: u64,
        most_parts: usize,
        budget: &mut Budget,
    ) -> Option<Parts<'s>> {
        if self.bytes() <= all * LITTLE {
            return None;
        }
        let mut samples: Vec<Sample> =
            (0..self.shapes.len()).map(|shape| Sample::new(self.shapes.get(shape as u8).words())).collect();
        let (mut numbers, mut words) = (Vec::new(), Vec::new());
        let mut values: HashMap<u64, u32, BuildHasherDefault<Mixer>> = HashMap::default();
        for root in roots {
            let shape = self.descend(root, &mut numbers);
            words.resize(shape.words(), 0);
            for (leaf, number) in numbers[..shape.leaves()].iter().enumerate() {
                for (word, value) in shape.words_of(leaf).zip(self.value(shape, leaf, *number)) {
                    let next = values.len() as u32;
                    words[word] = *values.entry(*value).or_insert(next);
                }
            }
            samples[usize::from(root.shape)].add(&words);
        }
        let sampled: usize = samples.iter().map(Sample::states).sum();
        let goal = arrange::goal(all);
        let mut shapes = self.shapes.clone();
        let (mut old, mut new) = ((0.0, 0), (0.0, 0));
        for (number, sample) in samples.iter().enumerate() {
            let shape = shapes.get_mut(number as u8);
            // Rare shapes don't matter.
            if sample.states() * 10 >= sampled
                && let Some(arrangement) = sample.arrange(goal, most_parts)
            {
                old = (old.0 + sample.bytes(&shape.arrangement()), old.1 + shape.leaves());
                new = (new.0 + sample.bytes(&arrangement), new.1 + arrangement.leaves.len());
                shape.arrange(arrangement);
            }
        }
        let smaller = new.0 < 0.8 * old.0;
        let little = new.0 < 1.1 * old.0 || new.0 <= goal as f64;
        let quicker = new.1 * 4 <= old.1 * 3 && little;
        (smaller || quicker).then(|| Parts::with(self.system, shapes, budget))
    }

    /// Room for the same states with roots that join two parts each, if there was no key for a state because its root joins more, whose
    /// numbers became too large for that. All states have to be inserted anew.
    pub fn raised(&self, budget: &mut Budget) -> Option<Parts<'s>> {
        self.outgrown.then(|| {
            let mut shapes = self.shapes.clone();
            (0..shapes.len()).for_each(|shape| shapes.get_mut(shape as u8).raise());
            Parts::with(self.system, shapes, budget)
        })
    }
}

/// Reads states one after another: what a state shares with the one before is not read again.
pub struct Visitor<'p, 's> {
    parts: &'p Parts<'s>,
    /// Of each shape the numbers of the leaves and nodes of the state that was read last, and its bytes.
    latest: Vec<(Vec<u32>, Vec<u8>)>,
    descending: Vec<(u32, u32)>,
    unfilled: Vec<u8>,
}

impl<'p, 's> Visitor<'p, 's> {
    /// A visitor of what `parts` hold.
    pub fn new(parts: &'p Parts<'s>) -> Visitor<'p, 's> {
        let latest = vec![(Vec::new(), Vec::new()); parts.shapes.len()];
        Visitor { parts, latest, descending: Vec::new(), unfilled: Vec::new() }
    }

    /// The bytes of the state with this root.
    pub fn state(&mut self, root: Key) -> &[u8] {
        let (numbers, state) = &mut self.latest[usize::from(root.shape)];
        let shape = self.parts.shapes.get(root.shape);
        if numbers.is_empty() {
            numbers.resize(shape.parents.len(), NONE);
            shape.blank(state);
        }
        self.parts.descend_from(root, numbers, &mut self.descending, |leaf, number| {
            shape.write(state, leaf, self.parts.value(shape, leaf, number));
        });
        self.unfilled.clone_from(state);
        shape.unfill(&mut self.unfilled);
        &self.unfilled
    }
}

/// Follows the paths from what a state changes up to the root, below which it ends. `None`: there is no room.
#[inline(always)]
fn follow(
    shape: &Shape,
    state: &[u8],
    latest: &mut Latest,
    change: &mut Change,
    leaves: &mut [Table<Words>],
    nodes: &mut [Table<Keys>],
    budget: &mut Budget,
) -> Option<()> {
    for index in 0..change.leaves.len() {
        let (leaf, byte) = change.leaves[index];
        let leaf = leaf as usize;
        let table = &mut leaves[shape.words_of(leaf).len() - 1];
        // What was changed in which value says most often what became of it.
        let name = changed(latest.numbers[leaf], state, byte);
        let known =
            table.found_lately(name).filter(|number| shape.holds(state, leaf, table.keys().get(*number)));
        let number = match known {
            Some(number) => number,
            None => table.number_of(shape.read(state, leaf, &mut change.value), name, budget)?,
        };
        change.put(shape, latest, leaf, number);
    }
    let root = shape.nodes.len();
    if root == 0 {
        change.nodes[0] = 0;
        return Some(());
    }
    for index in 0..change.nodes.len() {
        // Nodes above are added on the way; their numbers are higher.
        while change.nodes[index] != 0 {
            let node = index * 64 + change.nodes[index].trailing_zeros() as usize;
            change.nodes[index] &= change.nodes[index] - 1;
            if node == root {
                break;
            }
            let Node { left, right, depth } = shape.nodes[node];
            let number_of = |child: u32| latest.numbers[child as usize];
            let key = Key { left: number_of(left), right: number_of(right), shape: 0 };
            let table = &mut nodes[depth as usize - 1];
            let number = match table.found_lately(key.name()) {
                Some(number) => number,
                None => table.number_of(&key, key.name(), budget)?,
            };
            change.put(shape, latest, shape.leaves() + node, number);
        }
    }
    Some(())
}

/// A name for what becomes of a leaf with this number when a byte of it is that of `state`, and those behind it.
#[inline]
fn changed(number: u32, state: &[u8], byte: u32) -> u64 {
    let from = (byte as usize).min(state.len().saturating_sub(8));
    let word = state[from..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    fold(word ^ 0x2d35_8dcc_aa6c_78a5, (u64::from(number) << 32 | u64::from(byte)) ^ 0x8bb8_4b93_962e_acc9)
}
