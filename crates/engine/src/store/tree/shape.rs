//! How states of one length are cut into leaves, and which nodes stand above them.
//!
//! The system says which bytes belong together; each component is cut into words of up to eight bytes, each of which is a
//! leaf at first, and the tree is balanced, parting components only below the point where one stands alone. A shape is
//! found for the first state of each length and holds for all others of that length: any cut is right, as long as
//! it is always the same.
//!
//! At most 256 shapes are told apart. Where states have more lengths than that, the rest are filled up
//! to one of a few lengths, with a mark at their end.

use super::arrange::{Arrangement, MOST_WORDS, Top};
use super::keys::{Key, NUMBER};
use super::values::Change;
use super::word::Word;
use crate::store::compare;
use mazurka_model::System;

/// Shapes for states of exactly one length; the others are for those that are filled up.
const EXACT_SHAPES: usize = 190;
/// The byte that ends a state that is filled up with zeros.
const END: u8 = 0x80;

/// An inner node over two others, by their positions; the leaves come first.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The left child.
    pub left: u32,
    /// The right child.
    pub right: u32,
    /// How many nodes stand above.
    pub depth: u32,
}

/// A part of the root: the position of a leaf or a node, and where its number stands in the key.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Field {
    position: u32,
    shift: u32,
    /// The bits that its number may have.
    bits: u32,
}

/// What is above a leaf or a node.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Above {
    /// The root, in which its number stands here.
    Root {
        /// How far to the left.
        shift: u32,
        /// The bits that it may have.
        bits: u32,
    },
    /// The node with this number.
    Node(u32),
}

/// A byte of a state.
#[derive(Copy, Clone, Debug, Default)]
struct Byte {
    /// Which bytes are of the same word, of those 64 to which it belongs.
    of_word: u64,
    /// The leaf that it is of.
    leaf: u32,
    /// The word that it is of, and which of the leaf's that is.
    word: Word,
    place: u32,
}

/// The cut of the states of one length.
#[derive(Clone, Debug)]
pub struct Shape {
    length: usize,
    filled_up: bool,
    /// The words, leaf by leaf.
    words: Vec<Word>,
    /// The words of each leaf: the first, and one more than the last.
    leaves: Vec<(u32, u32)>,
    /// Those below the root, children before their parents.
    pub nodes: Vec<Node>,
    /// What the root joins.
    root: Vec<Field>,
    /// The node above each leaf and node, as a position; that of the root is the last.
    pub parents: Vec<u32>,
    /// What is above each of these.
    above: Vec<Above>,
    bytes: Vec<Byte>,
    /// For each leaf which bytes are its own, 64 by 64: the number of these 64, in order, and the bytes. Only those where it has some, because states may be long.
    of_leaves: Vec<(u32, u64)>,
    /// Where those of each leaf end.
    of_leaves_end: Vec<u32>,
}

impl Shape {
    /// The first cut of states of so many bytes with these components, which may be filled up to that.
    pub(super) fn new(length: usize, filled_up: bool, components: &[(u32, u32)]) -> Shape {
        let mut shape = Shape {
            length,
            filled_up,
            words: Vec::new(),
            leaves: Vec::new(),
            nodes: Vec::new(),
            root: Vec::new(),
            parents: Vec::new(),
            above: Vec::new(),
            bytes: Vec::new(),
            of_leaves: Vec::new(),
            of_leaves_end: Vec::new(),
        };
        let mut ends = Vec::new();
        for &(start, end) in components {
            let words = (start..end).step_by(8).map(|at| Word::new(at, (end - at).min(8), length));
            shape.words.extend(words);
            ends.push(shape.words.len());
        }
        if shape.words.is_empty() {
            shape.words.push(Word::new(0, 0, 0));
        }
        let words = shape.words.len();
        shape.put_into_leaves((0..words as u32).map(|word| vec![word]));
        if words == 1 {
            shape.join(&[(0, NUMBER)]);
        } else {
            shape.part(0, words, 0, &ends);
            if let Some(Node { left, right, .. }) = shape.nodes.pop() {
                shape.join(&[(left, NUMBER), (right, NUMBER)]);
            }
        }
        shape
    }

    fn put_into_leaves(&mut self, leaves: impl Iterator<Item = Vec<u32>>) {
        let before = std::mem::take(&mut self.words);
        self.leaves.clear();
        self.bytes.clear();
        self.bytes.resize(self.length, Byte::default());
        for (leaf, words) in leaves.enumerate() {
            let from = self.words.len() as u32;
            self.words.extend(words.iter().map(|word| before[*word as usize]));
            for (place, word) in (0..).zip(&self.words[from as usize..]) {
                let byte = Byte { of_word: 0, leaf: leaf as u32, word: *word, place };
                self.bytes[word.start as usize..][..word.length as usize].fill(byte);
            }
            self.leaves.push((from, self.words.len() as u32));
        }
        for block in self.bytes.chunks_mut(64) {
            for index in 0..block.len() {
                let word = block[index].word;
                let of_word = block.iter().enumerate().filter(|(_, byte)| byte.word == word);
                block[index].of_word = of_word.fold(0, |bits, (at, _)| bits | 1 << at);
            }
        }
        self.of_leaves.clear();
        self.of_leaves_end.clear();
        for &(from, end) in &self.leaves {
            let own = self.of_leaves.len();
            let words = self.words[from as usize..end as usize].iter();
            for byte in words.flat_map(|word| word.start..word.start + word.length) {
                let (block, bit) = (byte / 64, 1 << (byte % 64));
                match self.of_leaves[own..].iter_mut().find(|(number, _)| *number == block) {
                    Some((_, bytes)) => *bytes |= bit,
                    None => self.of_leaves.push((block, bit)),
                }
            }
            self.of_leaves[own..].sort_unstable();
            self.of_leaves_end.push(self.of_leaves.len() as u32);
        }
        // They stay as they are, and there may be many shapes.
        self.words.shrink_to_fit();
        self.leaves.shrink_to_fit();
        self.of_leaves.shrink_to_fit();
        self.of_leaves_end.shrink_to_fit();
    }

    /// These parts make the root, each with a number of so many bits.
    fn join(&mut self, parts: &Top) {
        let mut shift = 0;
        self.root.clear();
        for &(position, bits) in parts.iter().rev() {
            self.root.push(Field { position, shift, bits });
            shift += bits;
        }
        let leaves = self.leaves.len();
        self.nodes.shrink_to_fit();
        self.parents = vec![(leaves + self.nodes.len()) as u32; leaves + self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            self.parents[node.left as usize] = (leaves + index) as u32;
            self.parents[node.right as usize] = (leaves + index) as u32;
        }
        for index in (0..self.nodes.len()).rev() {
            let above = self.nodes.get(self.parents[leaves + index] as usize - leaves);
            self.nodes[index].depth = above.map_or(1, |above| above.depth + 1);
        }
        let nodes = self.parents.iter().map(|parent| Above::Node(parent - leaves as u32));
        self.above = nodes.collect();
        for field in &self.root {
            self.above[field.position as usize] = Above::Root { shift: field.shift, bits: field.bits };
        }
    }

    /// How the words are arranged.
    pub fn arrangement(&self) -> Arrangement {
        Arrangement {
            leaves: self.leaves.iter().map(|&(from, end)| (from..end).collect()).collect(),
            joins: self.nodes.iter().map(|node| (node.left, node.right)).collect(),
            top: self.root.iter().rev().map(|field| (field.position, field.bits)).collect(),
        }
    }

    /// Whether states of so many bytes are cut like this as they are.
    #[inline]
    pub fn is_simply(&self, length: usize) -> bool {
        length == self.length && !self.filled_up
    }

    /// Whether the root joins more than two parts.
    pub fn is_flat(&self) -> bool {
        self.root.len() > 2
    }

    /// Nodes join what the root joined, so that it joins two parts, whose numbers may be as large as any.
    pub fn raise(&mut self) {
        let mut parts: Vec<u32> = self.root.iter().map(|field| field.position).collect();
        while parts.len() > 2 {
            let (left, right) = (parts.remove(0), parts.remove(0));
            parts.push((self.leaves.len() + self.nodes.len()) as u32);
            self.nodes.push(Node { left, right, depth: 0 });
        }
        let parts: Vec<(u32, u32)> = parts.into_iter().map(|position| (position, NUMBER)).collect();
        self.join(&parts);
    }

    /// What is above a leaf or a node.
    #[inline]
    pub fn above(&self, position: usize) -> Above {
        self.above[position]
    }

    /// The parts of a root, with their numbers.
    #[inline]
    pub fn parts_of(&self, key: Key) -> impl Iterator<Item = (u32, u32)> + '_ {
        let joined = key.numbers();
        let number = move |field: &Field| (joined >> field.shift) as u32 & !(u32::MAX << field.bits);
        self.root.iter().map(move |field| (field.position, number(field)))
    }

    /// Arranges the words like this from now on, which changes their order.
    pub fn arrange(&mut self, arrangement: Arrangement) {
        let Arrangement { leaves, joins, top } = arrangement;
        self.put_into_leaves(leaves.into_iter());
        self.nodes = joins.iter().map(|&(left, right)| Node { left, right, depth: 0 }).collect();
        self.join(&top);
    }

    /// How many times 64 bytes a state has, the last of which may be fewer.
    #[inline]
    fn blocks(&self) -> usize {
        self.length.div_ceil(64)
    }

    /// Which bytes of two states differ, 64 by 64.
    #[inline(always)]
    pub fn differing(&self, a: &[u8], b: &[u8], out: &mut Vec<u64>) {
        out.clear();
        compare::differing(a, b, |bits| out.push(bits));
    }

    /// Takes a leaf from the bytes that [differ](Shape::differing) from those of `state`, those before `block` being none: the leaf, and the words of it that
    /// `state` has in the place of others. `None`: there is none left.
    #[inline(always)]
    pub fn take_changed(
        &self,
        state: &[u8],
        differing: &mut [u64],
        block: &mut usize,
    ) -> Option<(usize, Change)> {
        while *differing.get(*block)? == 0 {
            *block += 1;
        }
        let first = 64 * *block + differing[*block].trailing_zeros() as usize;
        let leaf = self.bytes[first].leaf as usize;
        let mut change = Change::default();
        debug_assert_eq!(differing.len(), self.blocks(), "the states are of this shape");
        let begin = leaf.checked_sub(1).map_or(0, |before| self.of_leaves_end[before]);
        let of_leaf = &self.of_leaves[begin as usize..self.of_leaves_end[leaf] as usize];
        for &(number, own) in of_leaf {
            let number = number as usize;
            let mut bits = differing[number] & own;
            differing[number] ^= bits;
            while bits != 0 {
                let byte = &self.bytes[64 * number + bits.trailing_zeros() as usize];
                change.add(byte.place, byte.word.of(state));
                bits &= !byte.of_word;
            }
        }
        Some((leaf, change))
    }

    /// Builds the tree over the words from `from` up to `end`, each of which is a leaf, and gives its position.
    fn part(&mut self, from: usize, end: usize, depth: u32, ends: &[usize]) -> u32 {
        if end - from == 1 {
            return from as u32;
        }
        let half = from.midpoint(end).max(from + 1);
        // Ends ascend, and the nearest one is on either side.
        let inside = &ends[ends.partition_point(|at| *at <= from)..ends.partition_point(|at| *at < end)];
        let behind = inside.partition_point(|at| *at < half);
        let nearest = inside[behind.saturating_sub(1)..].iter().copied().take(2);
        let middle = nearest.min_by_key(|at| at.abs_diff(half)).unwrap_or(half);
        let left = self.part(from, middle, depth + 1, ends);
        let right = self.part(middle, end, depth + 1, ends);
        self.nodes.push(Node { left, right, depth });
        (self.words.len() + self.nodes.len() - 1) as u32
    }

    /// How many leaves there are.
    pub fn leaves(&self) -> usize {
        self.leaves.len()
    }

    /// How many words there are.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// The fewest [bytes](Shape::bytes) for states of so many bytes.
    pub fn least_bytes(length: usize) -> u64 {
        length.saturating_mul(size_of::<Byte>()) as u64
    }

    /// Bytes that are kept of it, with what is kept of a state of this shape.
    pub fn bytes(&self) -> usize {
        let own = size_of_val(&*self.words)
            + size_of_val(&*self.leaves)
            + size_of_val(&*self.nodes)
            + size_of_val(&*self.parents)
            + size_of_val(&*self.above)
            + size_of_val(&*self.bytes)
            + size_of_val(&*self.of_leaves)
            + size_of_val(&*self.of_leaves_end);
        own + self.length + size_of_val(&*self.parents)
    }

    /// Which words are those of a leaf.
    #[inline]
    pub fn words_of(&self, leaf: usize) -> std::ops::Range<usize> {
        let (from, end) = self.leaves[leaf];
        from as usize..end as usize
    }

    /// The words of a leaf, for which there is enough room in `out`.
    #[inline]
    pub fn read<'v>(&self, state: &[u8], leaf: usize, out: &'v mut [u64; MOST_WORDS]) -> &'v [u64] {
        let words = &self.words[self.words_of(leaf)];
        words.iter().zip(&mut *out).for_each(|(word, out)| *out = word.of(state));
        &out[..words.len()]
    }

    /// Writes the bytes of a leaf.
    pub fn write(&self, state: &mut [u8], leaf: usize, value: &[u64]) {
        let words = self.words[self.words_of(leaf)].iter();
        words.zip(value).for_each(|(word, value)| word.put(state, *value));
    }

    /// Room for the leaves of a state.
    pub fn blank(&self, state: &mut Vec<u8>) {
        state.clear();
        state.resize(self.length, 0);
    }

    /// Removes what a state was filled up with.
    pub fn unfill(&self, state: &mut Vec<u8>) {
        if self.filled_up {
            state.truncate(state.iter().rposition(|byte| *byte != 0).unwrap_or(0));
        }
    }

    /// The state as it is cut: with a mark and zeros behind it if it is filled up.
    #[inline]
    pub fn fill<'a>(&self, state: &'a [u8], buffer: &'a mut Vec<u8>) -> &'a [u8] {
        if !self.filled_up {
            return state;
        }
        buffer.clear();
        buffer.extend_from_slice(state);
        buffer.push(END);
        buffer.resize(self.length, 0);
        buffer
    }
}

/// The shapes met so far.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    shapes: Vec<Shape>,
    /// The shape of the states of a length; a few lengths are looked for in order.
    lengths: Vec<(usize, u8)>,
}

impl Shapes {
    /// The shape with this number.
    #[inline]
    pub fn get(&self, number: u8) -> &Shape {
        &self.shapes[usize::from(number)]
    }

    /// The shape with this number, to be arranged in another way.
    pub fn get_mut(&mut self, number: u8) -> &mut Shape {
        &mut self.shapes[usize::from(number)]
    }

    /// The number of the shape of states of this length, if one was met.
    #[inline]
    pub fn of_length(&self, length: usize) -> Option<u8> {
        self.lengths.iter().find(|(known, _)| *known == length).map(|(_, number)| *number)
    }

    /// The number of the shape for a state like this.
    pub fn of(&mut self, system: &dyn System, state: &[u8]) -> u8 {
        if let Some(number) = self.of_length(state.len()) {
            return number;
        }
        let number = if self.shapes.len() < EXACT_SHAPES {
            let mut components = Vec::new();
            components_of(system, state, &mut components);
            self.shapes.push(Shape::new(state.len(), false, &components));
            self.shapes.len() - 1
        } else {
            let length = round_up(state.len() + 1);
            let known = self.shapes.iter().position(|shape| shape.filled_up && shape.length == length);
            known.unwrap_or_else(|| {
                self.shapes.push(Shape::new(length, true, &[(0, length as u32)]));
                self.shapes.len() - 1
            })
        };
        self.lengths.push((state.len(), number as u8));
        number as u8
    }

    /// Forgets the length that was met last, and its shape if that is of no other.
    pub fn take_back(&mut self) {
        let last = self.lengths.pop().map(|(_, number)| usize::from(number));
        let is_of_another = self.lengths.iter().any(|(_, number)| Some(usize::from(*number)) == last);
        if !is_of_another && last.is_some_and(|last| last + 1 == self.shapes.len()) {
            self.shapes.pop();
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.shapes.len()
    }
}

/// A number with at most two significant bits, not less than `length`.
fn round_up(length: usize) -> usize {
    let unit = 1usize << (usize::BITS - length.leading_zeros()).saturating_sub(2);
    length.div_ceil(unit) * unit
}

/// The components of a state as first and last byte: those that the system tells if they are a partition of
/// the state, and all of it otherwise.
pub fn components_of(system: &dyn System, state: &[u8], out: &mut Vec<(u32, u32)>) {
    out.clear();
    system.components(state, out);
    out.retain(|(start, end)| start < end);
    let mut sorted = out.clone();
    sorted.sort_unstable();
    let mut end = 0;
    let partition = sorted.iter().all(|part| {
        let follows = part.0 == end;
        end = part.1;
        follows
    });
    if !partition || end as usize != state.len() {
        out.clear();
        out.push((0, state.len() as u32));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key of the root whose parts have these numbers. `None` if one is too large.
    fn key_of(shape: &Shape, numbers: &[u32], number: u8) -> Option<Key> {
        let mut joined = 0;
        for (position, number) in numbers.iter().enumerate() {
            match shape.above(position) {
                Above::Root { shift, bits } if number >> bits == 0 => {
                    joined = joined & !(((1 << bits) - 1) << shift) | u64::from(*number) << shift;
                }
                Above::Root { .. } => return None,
                Above::Node(_) => {}
            }
        }
        Some(Key::of_numbers(joined, number))
    }

    fn shape(length: u32, components: &[(u32, u32)]) -> Shape {
        Shape::new(length as usize, false, components)
    }

    #[test]
    fn a_tree_parts_between_components() {
        let shape = shape(21, &[(0, 3), (13, 21), (3, 13)]);
        assert_eq!(shape.leaves(), 4);
        // Two leaves in the last component, which stand under one node.
        assert_eq!(shape.nodes, [Node { left: 0, right: 1, depth: 1 }, Node { left: 2, right: 3, depth: 1 }]);
        let state: Vec<u8> = (1..=21).collect();
        let mut back = Vec::new();
        shape.blank(&mut back);
        (0..4).for_each(|leaf| shape.write(&mut back, leaf, shape.read(&state, leaf, &mut [0; MOST_WORDS])));
        assert_eq!(back, state);
    }

    #[test]
    fn leaves_can_be_arranged_in_another_way() {
        let mut shape = shape(32, &[(0, 8), (8, 16), (16, 24), (24, 32)]);
        assert_eq!(shape.arrangement().joins, [(0, 1), (2, 3)]);
        assert_eq!(shape.arrangement().top, [(4, 28), (5, 28)]);
        let other = Arrangement {
            leaves: vec![vec![1], vec![3, 0], vec![2]],
            joins: vec![(0, 1)],
            top: vec![(2, 28), (3, 28)],
        };
        shape.arrange(other.clone());
        let arranged = shape.arrangement();
        assert_eq!(arranged.leaves, [vec![0], vec![1, 2], vec![3]]);
        assert_eq!((arranged.joins, arranged.top), (other.joins, other.top));
        assert_eq!(shape.nodes, [Node { left: 0, right: 1, depth: 1 }]);
        assert_eq!(shape.parents, [3, 3, 4, 4]);
        let state: Vec<u8> = (1..=32).collect();
        let mut changed = state.clone();
        changed[25] = 0;
        changed[7] = 0;
        changed[9] = 0;
        let (mut differing, mut block, mut leaves) = (Vec::new(), 0, Vec::new());
        shape.differing(&state, &changed, &mut differing);
        while let Some((leaf, _)) = shape.take_changed(&changed, &mut differing, &mut block) {
            leaves.push(leaf);
        }
        assert_eq!(leaves, [1, 0]);
    }

    #[test]
    fn a_root_joins_several_parts_as_long_as_their_numbers_are_small() {
        let mut shape = shape(40, &[(0, 40)]);
        let leaves = (0..5).map(|word| vec![word]).collect();
        let top = vec![(0, 10), (5, 20), (3, 9), (4, 17)];
        shape.arrange(Arrangement { leaves, joins: vec![(1, 2)], top: top.clone() });
        assert!(shape.is_flat() && shape.arrangement().top == top);
        let numbers = [1023, 7, 8, 500, (1 << 17) - 1, 1 << 19];
        let key = key_of(&shape, &numbers, 3).expect("they are small enough");
        let parts: Vec<(u32, u32)> = shape.parts_of(key).collect();
        assert_eq!(parts, [4, 3, 5, 0].map(|position| (position, numbers[position as usize])));
        assert_eq!(key_of(&shape, &[1024, 7, 8, 500, 5, 6], 3), None);
        shape.raise();
        assert!(!shape.is_flat() && key_of(&shape, &[1024, 7, 8, 500, 5, 6, 7, 8], 3).is_some());
        assert_eq!(shape.parents, [7, 5, 5, 6, 6, 7, 8, 8]);
        assert_eq!(shape.nodes.iter().map(|node| node.depth).collect::<Vec<u32>>(), [2, 1, 1]);
    }

    #[test]
    fn what_is_known_of_leaves_grows_with_the_length_alone() {
        let shape = shape(80_000, &[(0, 40_001), (40_001, 80_000)]);
        // A word that lies across a border is in two.
        assert!(shape.of_leaves.len() <= 2 * shape.words.len());
        let all = shape.of_leaves.iter().map(|(_, bytes)| bytes.count_ones()).sum::<u32>();
        assert_eq!(all, 80_000);
    }

    #[test]
    fn lengths_are_rounded_to_two_significant_bits() {
        let rounded: Vec<usize> = [1, 2, 3, 4, 5, 7, 9, 13, 100].map(round_up).to_vec();
        assert_eq!(rounded, [1, 2, 3, 4, 6, 8, 12, 16, 128]);
        let all: std::collections::HashSet<usize> = (1..1 << 20).map(round_up).collect();
        assert!(all.len() < 64);
    }

    #[test]
    fn words_are_read_wherever_they_end() {
        for length in 1..30u32 {
            let state: Vec<u8> = (1..=length as u8).collect();
            for start in 0..length {
                let shape = shape(length, &[(0, start), (start, length)].map(|(a, b)| (a, b.max(a))));
                let mut back = vec![0; state.len()];
                for leaf in 0..shape.leaves() {
                    shape.write(&mut back, leaf, shape.read(&state, leaf, &mut [0; MOST_WORDS]));
                }
                assert_eq!(back, state);
            }
        }
    }

    #[test]
    fn the_smallest_states_have_a_root_too() {
        for length in [0, 1, 8] {
            let shape = shape(length, &[(0, length)]);
            assert_eq!((shape.leaves(), key_of(&shape, &[5], 0)), (1, Some(Key::of_numbers(5, 0))));
        }
    }
}
