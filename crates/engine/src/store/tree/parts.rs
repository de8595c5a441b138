//! The leaves and inner nodes of trees: what turns a state into the key of its root, and back.

use super::arrange::{self, Sample};
use super::keys::{Key, Keys};
use super::shape::{Node, Shape, Shapes};
use super::table::{Column, Table};
use super::words::{self, Words};
use crate::store::Mixer;
use crate::store::budget::Budget;
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
    /// Its words, leaf by leaf. Empty if nothing is known.
    words: Vec<u64>,
    /// For each leaf what its words add up to.
    sums: Vec<u64>,
    /// For each leaf and node. The root's is not kept.
    numbers: Vec<u32>,
}

/// The leaves and nodes that a state changes, as bits, and what stood there. Between two changes no bit is set.
#[derive(Debug, Default)]
struct Change {
    leaves: Vec<u64>,
    nodes: Vec<u64>,
    words_before: Vec<(u32, u64)>,
    sums_before: Vec<(u32, u64)>,
    numbers_before: Vec<(u32, u32)>,
}

impl Change {
    /// Makes the words of `latest` those of `state`, and collects the leaves that differ.
    #[inline(always)]
    fn collect(&mut self, shape: &Shape, latest: &mut Latest, state: &[u8]) {
        let leaves = shape.leaves();
        self.words_before.clear();
        self.sums_before.clear();
        self.numbers_before.clear();
        // There are fewer nodes than leaves, or one of each.
        if self.leaves.len() * 64 < leaves {
            self.leaves.resize(leaves.div_ceil(64), 0);
            self.nodes.resize(leaves.div_ceil(64), 0);
        }
        let Latest { state: known, words, sums, numbers } = latest;
        if words.is_empty() {
            numbers.clear();
            numbers.resize(shape.parents.len(), NONE);
            words.extend((0..shape.words()).map(|word| shape.read(state, word)));
            sums.clear();
            sums.resize(leaves, 0);
            for (index, word) in words.iter().enumerate() {
                let (leaf, turn) = shape.place_of(index);
                sums[leaf] = sums[leaf].wrapping_add(words::mix(*word, turn));
            }
            (0..leaves).for_each(|leaf| self.leaves[leaf / 64] |= 1 << (leaf % 64));
            return;
        }
        shape.differing(state, known, |index| {
            let (new, old) = (shape.read(state, index), words[index]);
            let (leaf, turn) = shape.place_of(index);
            let bits = &mut self.leaves[leaf / 64];
            if *bits >> (leaf % 64) & 1 == 0 {
                *bits |= 1 << (leaf % 64);
                self.sums_before.push((leaf as u32, sums[leaf]));
            }
            self.words_before.push((index as u32, old));
            words[index] = new;
            let changed = words::mix(new, turn).wrapping_sub(words::mix(old, turn));
            sums[leaf] = sums[leaf].wrapping_add(changed);
        });
    }

    /// Puts a number in the place of another.
    #[inline(always)]
    fn put(&mut self, shape: &Shape, latest: &mut Latest, position: usize, number: u32) {
        self.numbers_before.push((position as u32, latest.numbers[position]));
        latest.numbers[position] = number;
        let above = shape.parents[position] as usize - shape.leaves();
        self.nodes[above / 64] |= 1 << (above % 64);
    }

    /// Forgets which leaves and nodes change.
    fn forget(&mut self) {
        self.leaves.fill(0);
        self.nodes.fill(0);
    }

    /// Makes everything what it was before the change.
    #[inline(always)]
    fn undo(&self, latest: &mut Latest) {
        // A word can have been passed twice.
        self.words_before.iter().rev().for_each(|(word, before)| latest.words[*word as usize] = *before);
        self.sums_before.iter().for_each(|(leaf, before)| latest.sums[*leaf as usize] = *before);
        self.numbers_before.iter().for_each(|(at, before)| latest.numbers[*at as usize] = *before);
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
        let was_empty = latest.words.is_empty();
        self.change.collect(shape, latest, state);
        let change = &mut self.change;
        let complete = follow(shape, latest, change, &mut self.leaves, &mut self.nodes, budget);
        let root = shape.nodes[shape.nodes.len() - 1];
        let number_of = |child: u32| latest.numbers[child as usize];
        let key = Key { left: number_of(root.left), right: number_of(root.right), shape: number };
        if complete.is_none() {
            change.forget();
        }
        if complete.is_some() && keep {
            latest.state.clear();
            latest.state.extend_from_slice(state);
        } else if was_empty {
            latest.words.clear();
        } else {
            change.undo(latest);
        }
        complete.map(|()| key)
    }

    /// Makes the state with this root the present one, to which its successors are compared. Nodes that it shares with the
    /// latest state are not looked at.
    pub fn come_to(&mut self, root: Key, state: &[u8]) {
        let (shape, latest) = (self.shapes.get(root.shape), &mut self.latest[usize::from(root.shape)]);
        self.change.collect(shape, latest, shape.fill(state, &mut self.filled));
        self.change.forget();
        let mut descending = std::mem::take(&mut self.descending);
        let mut numbers = std::mem::take(&mut latest.numbers);
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
        let top = shape.nodes[shape.nodes.len() - 1];
        descending.clear();
        descending.extend([(top.left, root.left), (top.right, root.right)]);
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
    /// states have to be inserted anew.
    pub fn rearranged(
        &self,
        roots: impl Iterator<Item = Key>,
        all: u64,
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
        let mut shapes = self.shapes.clone();
        let (mut old, mut new) = ((0.0, 0), (0.0, 0));
        for (number, sample) in samples.iter().enumerate() {
            let shape = shapes.get_mut(number as u8);
            // Rare shapes don't matter.
            if sample.states() * 10 >= sampled
                && let Some(arrangement) = sample.arrange(all)
            {
                old = (old.0 + sample.bytes(&shape.arrangement()), old.1 + shape.leaves());
                new = (new.0 + sample.bytes(&arrangement), new.1 + arrangement.leaves.len());
                shape.arrange(arrangement);
            }
        }
        let smaller = new.0 < 0.8 * old.0;
        let little = new.0 < 1.1 * old.0 || new.0 <= (all * arrange::MORE) as f64;
        let quicker = new.1 * 4 <= old.1 * 3 && little;
        (smaller || quicker).then(|| Parts::with(self.system, shapes, budget))
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
    latest: &mut Latest,
    change: &mut Change,
    leaves: &mut [Table<Words>],
    nodes: &mut [Table<Keys>],
    budget: &mut Budget,
) -> Option<()> {
    for index in 0..change.leaves.len() {
        let mut bits = std::mem::take(&mut change.leaves[index]);
        while bits != 0 {
            let leaf = index * 64 + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let value = &latest.words[shape.words_of(leaf)];
            let hash = words::finish(latest.sums[leaf]);
            let number = leaves[value.len() - 1].number_of(value, hash, budget)?;
            change.put(shape, latest, leaf, number);
        }
    }
    let root = shape.nodes.len() - 1;
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
            let number = nodes[depth as usize - 1].number_of(&key, Keys::hash(&key), budget)?;
            change.put(shape, latest, shape.leaves() + node, number);
        }
    }
    Some(())
}
