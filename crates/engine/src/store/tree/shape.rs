//! How states of one length are cut into leaves, and which nodes stand above them.
//!
//! The system says which bytes belong together; each component is cut into words of up to eight bytes, each of which is a
//! leaf at first, and the tree is balanced, parting components only below the point where one stands alone. A shape is
//! found for the first state of each length and holds for all others of that length: any cut is right, as long as
//! it is always the same.
//!
//! At most 256 shapes are told apart. Where states have more lengths than that, the rest are filled up
//! to one of a few lengths, with a mark at their end.

use super::arrange::Arrangement;
use super::words;
use crate::store::compare;
use mazurka_model::System;

/// Shapes for states of exactly one length; the others are for those that are filled up.
const EXACT_SHAPES: usize = 190;
/// The byte that ends a state that is filled up with zeros.
const END: u8 = 0x80;

/// Up to eight bytes of a state.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Word {
    start: u32,
    length: u32,
    /// The bits of eight bytes from its start on that are its own.
    own: u64,
    /// The leaf that it is of, and what it is mixed with there.
    leaf: u32,
    turn: u64,
}

impl Word {
    fn new(start: u32, length: u32) -> Word {
        Word { start, length, own: u64::MAX.checked_shr(64 - 8 * length).unwrap_or(0), leaf: 0, turn: 0 }
    }
}

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

/// The cut of the states of one length.
#[derive(Clone, Debug)]
pub struct Shape {
    length: usize,
    filled_up: bool,
    /// The words, leaf by leaf.
    words: Vec<Word>,
    /// The words of each leaf: the first, and one more than the last.
    leaves: Vec<(u32, u32)>,
    /// Children before their parents; the last is the root.
    pub nodes: Vec<Node>,
    /// The node above each leaf and node, as a position; the root's is its own.
    pub parents: Vec<u32>,
    /// For each byte the word that it is of, and where that ends.
    bytes: Vec<(u32, u32)>,
}

impl Shape {
    fn new(length: usize, filled_up: bool, components: &[(u32, u32)]) -> Shape {
        let mut shape = Shape {
            length,
            filled_up,
            words: Vec::new(),
            leaves: Vec::new(),
            nodes: Vec::new(),
            parents: Vec::new(),
            bytes: Vec::new(),
        };
        let mut ends = Vec::new();
        for &(start, end) in components {
            let words = (start..end).step_by(8).map(|at| Word::new(at, (end - at).min(8)));
            shape.words.extend(words);
            ends.push(shape.words.len());
        }
        if shape.words.is_empty() {
            shape.words.push(Word::new(0, 0));
        }
        let words = shape.words.len();
        shape.put_into_leaves((0..words as u32).map(|word| vec![word]));
        if words == 1 {
            shape.nodes.push(Node { left: 0, right: 0, depth: 0 });
        } else {
            shape.part(0, words, 0, &ends);
        }
        shape.find_parents();
        shape
    }

    fn put_into_leaves(&mut self, leaves: impl Iterator<Item = Vec<u32>>) {
        let before = std::mem::take(&mut self.words);
        self.leaves.clear();
        self.bytes.clear();
        self.bytes.resize(self.length, (0, 0));
        for (leaf, words) in leaves.enumerate() {
            let from = self.words.len() as u32;
            for (&word, place) in words.iter().zip(0..) {
                let word = Word { leaf: leaf as u32, turn: words::turn(place), ..before[word as usize] };
                let end = word.start + word.length;
                self.bytes[word.start as usize..end as usize].fill((self.words.len() as u32, end));
                self.words.push(word);
            }
            self.leaves.push((from, self.words.len() as u32));
        }
    }

    fn find_parents(&mut self) {
        let leaves = self.leaves.len();
        self.parents = (0..leaves + self.nodes.len()).map(|position| position as u32).collect();
        for (index, node) in self.nodes.iter().enumerate() {
            self.parents[node.left as usize] = (leaves + index) as u32;
            self.parents[node.right as usize] = (leaves + index) as u32;
        }
    }

    /// How the words are arranged.
    pub fn arrangement(&self) -> Arrangement {
        Arrangement {
            leaves: self.leaves.iter().map(|&(from, end)| (from..end).collect()).collect(),
            joins: self.nodes.iter().map(|node| (node.left, node.right)).collect(),
        }
    }

    /// Arranges the words like this from now on, which changes their order.
    pub fn arrange(&mut self, arrangement: Arrangement) {
        let Arrangement { leaves, joins } = arrangement;
        self.put_into_leaves(leaves.into_iter());
        let leaves = self.leaves.len();
        self.nodes = joins.iter().map(|&(left, right)| Node { left, right, depth: 0 }).collect();
        // From the root, which is last, to those below it.
        for index in (0..self.nodes.len()).rev() {
            let Node { left, right, depth } = self.nodes[index];
            for child in [left, right] {
                if let Some(below) = (child as usize).checked_sub(leaves) {
                    self.nodes[below].depth = depth + 1;
                }
            }
        }
        self.find_parents();
    }

    /// Passes the words in which two states differ, some of them twice.
    #[inline(always)]
    pub fn differing(&self, a: &[u8], b: &[u8], mut pass: impl FnMut(usize)) {
        compare::differing(a, b, |from, mut bits| {
            while bits != 0 {
                let (word, end) = self.bytes[from + bits.trailing_zeros() as usize];
                pass(word as usize);
                // The rest of the bytes are of the same word.
                bits &= u64::MAX.checked_shl(end - from as u32).unwrap_or(0);
            }
        });
    }

    /// Builds the tree over the words from `from` up to `end`, each of which is a leaf, and gives its position.
    fn part(&mut self, from: usize, end: usize, depth: u32, ends: &[usize]) -> u32 {
        if end - from == 1 {
            return from as u32;
        }
        let half = from.midpoint(end).max(from + 1);
        let inside = ends.iter().copied().filter(|at| from < *at && *at < end);
        let middle = inside.min_by_key(|at| at.abs_diff(half)).unwrap_or(half);
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

    /// Which words are those of a leaf.
    #[inline]
    pub fn words_of(&self, leaf: usize) -> std::ops::Range<usize> {
        let (from, end) = self.leaves[leaf];
        from as usize..end as usize
    }

    /// The leaf of a word, and what the word is mixed with there.
    #[inline]
    pub fn place_of(&self, word: usize) -> (usize, u64) {
        let Word { leaf, turn, .. } = self.words[word];
        (leaf as usize, turn)
    }

    /// The bytes of a word, as a number.
    #[inline]
    pub fn read(&self, state: &[u8], word: usize) -> u64 {
        let Word { start, length, own, .. } = self.words[word];
        if let Some(bytes) = state[start as usize..].first_chunk::<8>() {
            return u64::from_le_bytes(*bytes) & own;
        }
        let mut word = [0; 8];
        let bytes = &state[start as usize..(start + length) as usize];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    }

    /// Writes the bytes of a leaf.
    pub fn write(&self, state: &mut [u8], leaf: usize, value: &[u64]) {
        for (word, value) in self.words[self.words_of(leaf)].iter().zip(value) {
            let Word { start, length, .. } = *word;
            let bytes = &value.to_le_bytes()[..length as usize];
            state[start as usize..(start + length) as usize].copy_from_slice(bytes);
        }
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

    fn shape(length: u32, components: &[(u32, u32)]) -> Shape {
        Shape::new(length as usize, false, components)
    }

    #[test]
    fn a_tree_parts_between_components() {
        let shape = shape(21, &[(0, 3), (13, 21), (3, 13)]);
        assert_eq!(shape.leaves(), 4);
        // Two leaves in the last component, which stand under one node.
        assert_eq!(shape.nodes.len(), 3);
        assert_eq!(shape.nodes[1], Node { left: 2, right: 3, depth: 1 });
        let state: Vec<u8> = (1..=21).collect();
        let mut back = Vec::new();
        shape.blank(&mut back);
        (0..4).for_each(|leaf| shape.write(&mut back, leaf, &[shape.read(&state, leaf)]));
        assert_eq!(back, state);
    }

    #[test]
    fn leaves_can_be_arranged_in_another_way() {
        let mut shape = shape(32, &[(0, 8), (8, 16), (16, 24), (24, 32)]);
        assert_eq!(shape.arrangement().joins, [(0, 1), (2, 3), (4, 5)]);
        let other = Arrangement { leaves: vec![vec![1], vec![3, 0], vec![2]], joins: vec![(0, 1), (2, 3)] };
        shape.arrange(other);
        assert_eq!(shape.arrangement().leaves, [vec![0], vec![1, 2], vec![3]]);
        assert_eq!(shape.arrangement().joins, [(0, 1), (2, 3)]);
        assert_eq!(shape.nodes.iter().map(|node| node.depth).collect::<Vec<u32>>(), [1, 0]);
        assert_eq!(shape.parents, [3, 3, 4, 4, 4]);
        let state: Vec<u8> = (1..=32).collect();
        let mut changed = state.clone();
        changed[25] = 0;
        changed[7] = 0;
        let mut words = Vec::new();
        shape.differing(&state, &changed, |word| words.push((word, shape.place_of(word).0)));
        assert_eq!(words, [(2, 1), (1, 1)]);
    }

    #[test]
    fn lengths_are_rounded_to_two_significant_bits() {
        let rounded: Vec<usize> = [1, 2, 3, 4, 5, 7, 9, 13, 100].map(round_up).to_vec();
        assert_eq!(rounded, [1, 2, 3, 4, 6, 8, 12, 16, 128]);
        let all: std::collections::HashSet<usize> = (1..1 << 20).map(round_up).collect();
        assert!(all.len() < 64);
    }

    #[test]
    fn the_smallest_states_have_a_root_too() {
        for length in [0, 1, 8] {
            let shape = shape(length, &[(0, length)]);
            assert_eq!((shape.leaves(), shape.nodes.len()), (1, 1));
        }
    }
}
