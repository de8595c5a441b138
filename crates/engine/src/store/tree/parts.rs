//! The leaves and inner nodes of trees: what turns a state into the key of its root, and back.

use super::arrange::{self, Sample};
use super::keys::Key;
use super::levels::{Latest, Levels, NONE};
use super::members::Members;
use super::recent::Nodes;
use super::shape::{Shape, Shapes};
use crate::store::Mixer;
use crate::store::budget::Budget;
use mazurka_model::{Batch, System};
use std::cell::Cell;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// How many states are looked at to find a better arrangement.
pub const SAMPLE: usize = 1 << 14;
/// The fewest that are looked at.
const LEAST_SAMPLE: usize = 1 << 8;
/// How many bytes of parts for each state are little.
const LITTLE: u64 = 2;
/// Leaves and inner nodes.
pub struct Parts<'s> {
    system: &'s dyn System,
    shapes: Shapes,
    latest: Vec<Latest>,
    /// The shape of the state to which others are compared.
    present: Option<u8>,
    /// The states that are opened together.
    members: Members,
    levels: Levels,
    filled: Vec<u8>,
    descending: Vec<(u32, u32)>,
    loading: Cell<Vec<u32>>,
}

impl<'s> Parts<'s> {
    /// None.
    pub fn new(system: &'s dyn System) -> Parts<'s> {
        Parts {
            system,
            shapes: Shapes::default(),
            latest: Vec::new(),
            present: None,
            members: Members::default(),
            levels: Levels::default(),
            filled: Vec::new(),
            descending: Vec::new(),
            loading: Cell::default(),
        }
    }

    /// None yet, but for states of these shapes. `None`: there is no room for what is kept of them.
    fn with(system: &'s dyn System, shapes: Shapes, budget: &mut Budget) -> Option<Parts<'s>> {
        let mut parts = Parts { shapes, ..Parts::new(system) };
        parts.follow_shapes(budget).then_some(parts)
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
        let number = self.shape_of(state, budget)?;
        let keep = self.present != Some(number);
        let (shape, latest) = (self.shapes.get(number), &mut self.latest[usize::from(number)]);
        let state = shape.fill(state, &mut self.filled);
        let joined = self.levels.root(shape, latest, state, keep, budget)?;
        Some(Key::of_numbers(joined, number))
    }

    /// The number of the shape of a state. `None`: there is no room for what is kept of it.
    #[inline]
    fn shape_of(&mut self, state: &[u8], budget: &mut Budget) -> Option<u8> {
        if let Some(number) = self.shapes.of_length(state.len()) {
            return Some(number);
        }
        // To find a shape for nothing may take long.
        if budget.rest().limit() < Shape::least_bytes(state.len()) {
            return None;
        }
        let number = self.shapes.of(self.system, state);
        if !self.follow_shapes(budget) {
            self.shapes.take_back();
            return None;
        }
        Some(number)
    }

    /// Writes the bytes of the state with this root into `out`. It is the next of those that are opened together, or the first of them.
    pub fn open(&mut self, first: bool, root: Key, out: &mut Vec<u8>) {
        if first {
            self.members.clear();
        }
        let shape = self.shapes.get(root.shape);
        let state = self.members.add(&self.levels, shape, root, &mut self.descending);
        out.clear();
        out.extend_from_slice(state);
        shape.unfill(out);
    }

    /// The same as [`root`](Parts::root) for each state of a batch, all of them successors of the states that are opened together: those of each of these end
    /// before the number that `ends` says. Roots are passed as [words](Key::root).
    pub fn roots(
        &mut self,
        batch: &Batch,
        ends: impl Iterator<Item = usize> + Clone,
        budget: &mut Budget,
        mut found: impl FnMut(Option<u64>),
    ) {
        let starts = std::iter::once(0).chain(ends.clone());
        for (member, (start, end)) in starts.zip(ends).enumerate() {
            for index in start..end {
                let state = batch.state(index);
                found(match self.members.get_mut(member) {
                    Some((number, latest)) if self.shapes.get(number).is_simply(state.len()) => {
                        let joined = self.levels.root(self.shapes.get(number), latest, state, false, budget);
                        joined.map(|joined| Key::root_of(joined, number))
                    }
                    _ => self.insert(state, budget).map(Key::root),
                });
            }
        }
    }

    /// Makes the state with this root the present one, to which its successors are compared. Nodes that it shares with the
    /// latest state are not looked at.
    pub fn come_to(&mut self, root: Key, state: &[u8]) {
        let (shape, latest) = (self.shapes.get(root.shape), &mut self.latest[usize::from(root.shape)]);
        latest.numbers.resize(shape.parents.len(), NONE);
        self.levels.descend_from(shape, root, &mut latest.numbers, &mut self.descending, |_, _| {});
        latest.joined = root.numbers();
        latest.state.clear();
        latest.state.extend_from_slice(shape.fill(state, &mut self.filled));
        self.present = Some(root.shape);
    }

    /// Makes room for what belongs to each shape. False if there is not enough: a shape takes many times the bytes of a state.
    fn follow_shapes(&mut self, budget: &mut Budget) -> bool {
        while self.latest.len() < self.shapes.len() {
            let shape = self.shapes.get(self.latest.len() as u8);
            if !budget.take(shape.bytes()) {
                return false;
            }
            let depth = shape.nodes.iter().map(|node| node.depth).max();
            let width = (0..shape.leaves()).map(|leaf| shape.words_of(leaf).len()).max();
            self.latest.push(Latest::default());
            while self.levels.nodes.len() < depth.unwrap_or(0) as usize {
                self.levels.nodes.push(Nodes::new(budget));
            }
            self.levels.values.make_room(width.unwrap_or(0), budget);
        }
        true
    }

    /// The numbers of the leaves of the state with this root come first in `numbers`.
    fn descend(&self, root: Key, numbers: &mut Vec<u32>) -> &Shape {
        let shape = self.shapes.get(root.shape);
        numbers.clear();
        numbers.resize(shape.parents.len(), NONE);
        self.levels.descend_from(shape, root, numbers, &mut Vec::new(), |_, _| {});
        shape
    }

    /// Writes the bytes of the state with this root into `out`.
    pub fn load(&self, root: Key, out: &mut Vec<u8>) {
        let mut numbers = self.loading.take();
        let shape = self.descend(root, &mut numbers);
        shape.blank(out);
        for (leaf, number) in numbers[..shape.leaves()].iter().enumerate() {
            shape.write(out, leaf, self.levels.value(shape, leaf, *number));
        }
        shape.unfill(out);
        self.loading.set(numbers);
    }

    /// About how many bytes all parts take.
    fn bytes(&self) -> u64 {
        let tables = self.levels.values.tables.iter().zip(1..);
        let values = tables.map(|(table, words)| u64::from(table.len()) * arrange::value_bytes(words));
        let nodes = self.levels.nodes.iter().map(|nodes| u64::from(nodes.table.len()) * arrange::NODE);
        values.sum::<u64>() + nodes.sum::<u64>()
    }

    /// How many states are looked at to arrange them anew, so that the sample, of which there are copies, takes no more than a small share of the memory.
    pub fn sample_size(&self, memory: u64) -> usize {
        /// The share, and bytes for a word of a state.
        const SHARE: u64 = 32;
        const WORD: u64 = 16;
        let words = (0..self.shapes.len()).map(|shape| self.shapes.get(shape as u8).words());
        let arranged = words.filter(|words| *words <= arrange::MOST_LOOKED_AT).max().unwrap_or(1).max(1);
        let most = memory / SHARE / (WORD * arranged as u64);
        SAMPLE.min(most as usize).max(LEAST_SAMPLE)
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
        if !self.have_room_again(budget) {
            return None;
        }
        let samples = self.samples(roots);
        let sampled: usize = samples.iter().map(Sample::states).sum();
        let goal = arrange::goal(all);
        let mut shapes = self.shapes.clone();
        let (mut leaves, mut bytes, mut changed) = ((0, 0), 0.0, Vec::new());
        for (number, sample) in (0..).zip(&samples) {
            let shape = shapes.get_mut(number);
            // Rare shapes don't matter.
            if sample.states() > 0
                && sample.states() * 10 >= sampled
                && let Some((arrangement, its_bytes)) = sample.arrange(goal, most_parts)
            {
                leaves = (leaves.0 + shape.leaves(), leaves.1 + arrangement.leaves.len());
                bytes += its_bytes;
                changed.push((number, sample));
                shape.arrange(arrangement);
            }
        }
        let fewer = leaves.1 * 4 <= leaves.0 * 3;
        // What they take as they are is not counted unless that decides.
        let is_better = fewer && bytes <= goal as f64 || {
            let before =
                |&(number, sample): &(u8, &Sample)| sample.bytes(&self.shapes.get(number).arrangement());
            let before: f64 = changed.iter().map(before).sum();
            bytes < 0.8 * before || fewer && bytes < 1.1 * before
        };
        if is_better { Parts::with(self.system, shapes, budget) } else { None }
    }

    /// Whether there is room for the shapes once more.
    fn have_room_again(&self, budget: &Budget) -> bool {
        let bytes = (0..self.shapes.len()).map(|shape| self.shapes.get(shape as u8).bytes() as u64);
        bytes.sum::<u64>() <= budget.rest().limit()
    }

    /// What the states with these roots hold, by their shapes.
    fn samples(&self, roots: impl Iterator<Item = Key>) -> Vec<Sample> {
        let words = (0..self.shapes.len()).map(|shape| self.shapes.get(shape as u8).words());
        let mut samples: Vec<Sample> = words.map(Sample::new).collect();
        let mut latest: Vec<Vec<u32>> = vec![Vec::new(); samples.len()];
        let mut descending = Vec::new();
        let mut values: HashMap<u64, u32, BuildHasherDefault<Mixer>> = HashMap::default();
        // States with more words are not arranged anew, and a sample of them would take much memory in vain.
        let arranged = |root: &Key| self.shapes.get(root.shape).words() <= arrange::MOST_LOOKED_AT;
        for root in roots.filter(arranged) {
            let shape = self.shapes.get(root.shape);
            let (sample, numbers) =
                (&mut samples[usize::from(root.shape)], &mut latest[usize::from(root.shape)]);
            numbers.resize(shape.parents.len(), NONE);
            self.levels.descend_from(shape, root, numbers, &mut descending, |leaf, number| {
                let words = shape.words_of(leaf);
                if words.len() == 1 {
                    // The number stands for the value, too.
                    sample.put(words.start, number);
                    return;
                }
                for (word, value) in words.zip(self.levels.value(shape, leaf, number)) {
                    let next = values.len() as u32;
                    sample.put(word, *values.entry(*value).or_insert(next));
                }
            });
            sample.add();
        }
        samples
    }

    /// Room for the same states with roots that join two parts each, if there was no key for a state because its root joins more, whose
    /// numbers became too large for that. All states have to be inserted anew.
    pub fn raised(&self, budget: &mut Budget) -> Option<Parts<'s>> {
        if !self.levels.outgrown || !self.have_room_again(budget) {
            return None;
        }
        let mut shapes = self.shapes.clone();
        (0..shapes.len()).for_each(|shape| shapes.get_mut(shape as u8).raise());
        Parts::with(self.system, shapes, budget)
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
        self.parts.levels.descend_from(shape, root, numbers, &mut self.descending, |leaf, number| {
            shape.write(state, leaf, self.parts.levels.value(shape, leaf, number));
        });
        self.unfilled.clone_from(state);
        shape.unfill(&mut self.unfilled);
        &self.unfilled
    }
}
