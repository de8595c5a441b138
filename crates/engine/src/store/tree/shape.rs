//! How states of one length are cut into leaves, and which nodes stand above them.
//!
//! The system says which bytes belong together; each component is cut into leaves of up to eight bytes, and
//! the tree is balanced, parting components only below the point where one stands alone. A shape is found
//! for the first state of each length and holds for all others of that length: any cut is right, as long as
//! it is always the same.
//!
//! At most 256 shapes are told apart. Where states have more lengths than that, the rest are filled up
//! to one of a few lengths, with a mark at their end.

use super::arrange::Joins;
use mazurka_model::System;

/// Shapes for states of exactly one length; the others are for those that are filled up.
const EXACT_SHAPES: usize = 190;
/// The byte that ends a state that is filled up with zeros.
const END: u8 = 0x80;

/// Up to eight bytes of a state.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Leaf {
    start: u32,
    length: u32,
    /// The bits of eight bytes from its start on that are its own.
    own: u64,
}

impl Leaf {
    fn new(start: u32, length: u32) -> Leaf {
        Leaf { start, length, own: u64::MAX.checked_shr(64 - 8 * length).unwrap_or(0) }
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
    leaves: Vec<Leaf>,
    /// Children before their parents; the last is the root.
    pub nodes: Vec<Node>,
    /// The node above each leaf and node, as a position; the root's is its own.
    pub parents: Vec<u32>,
    /// For each eight bytes of the state where the leaves that have some of them are listed: the first,
    /// and one more than the last.
    touching: Vec<(u32, u32)>,
    listed: Vec<u32>,
}

impl Shape {
    fn new(length: usize, filled_up: bool, components: &[(u32, u32)]) -> Shape {
        let mut shape = Shape {
            length,
            filled_up,
            leaves: Vec::new(),
            nodes: Vec::new(),
            parents: Vec::new(),
            touching: Vec::new(),
            listed: Vec::new(),
        };
        let mut ends = Vec::new();
        for &(start, end) in components {
            let leaves = (start..end).step_by(8).map(|at| Leaf::new(at, (end - at).min(8)));
            shape.leaves.extend(leaves);
            ends.push(shape.leaves.len());
        }
        if shape.leaves.is_empty() {
            shape.leaves.push(Leaf::new(0, 0));
        }
        let leaves = shape.leaves.len();
        if leaves == 1 {
            shape.nodes.push(Node { left: 0, right: 0, depth: 0 });
        } else {
            shape.part(0, leaves, 0, &ends);
        }
        shape.find_parents();
        for part in (0..length as u32).step_by(8) {
            let from = shape.listed.len() as u32;
            let has_some = |leaf: &Leaf| leaf.start < part + 8 && part < leaf.start + leaf.length;
            let leaves = shape.leaves.iter().zip(0..).filter(|(leaf, _)| has_some(leaf));
            shape.listed.extend(leaves.map(|(_, index)| index));
            shape.touching.push((from, shape.listed.len() as u32));
        }
        shape
    }

    fn find_parents(&mut self) {
        let leaves = self.leaves.len();
        self.parents = (0..leaves + self.nodes.len()).map(|position| position as u32).collect();
        for (index, node) in self.nodes.iter().enumerate() {
            self.parents[node.left as usize] = (leaves + index) as u32;
            self.parents[node.right as usize] = (leaves + index) as u32;
        }
    }

    /// Which two positions each node joins.
    pub fn joins(&self) -> Joins {
        self.nodes.iter().map(|node| (node.left, node.right)).collect()
    }

    /// Arranges the leaves like this from now on.
    pub fn join(&mut self, joins: &Joins) {
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

    /// Passes the leaves in which two states may differ, some of them twice.
    #[inline]
    pub fn differing(&self, a: &[u8], b: &[u8], mut pass: impl FnMut(usize)) {
        let (a_parts, a_rest) = a.as_chunks::<8>();
        let (b_parts, b_rest) = b.as_chunks::<8>();
        let mut part = |index: usize| {
            let (from, end) = self.touching[index];
            for &leaf in &self.listed[from as usize..end as usize] {
                let leaf = leaf as usize;
                if self.read(a, leaf) != self.read(b, leaf) {
                    pass(leaf);
                }
            }
        };
        for (index, (a, b)) in a_parts.iter().zip(b_parts).enumerate() {
            if u64::from_le_bytes(*a) != u64::from_le_bytes(*b) {
                part(index);
            }
        }
        if a_rest != b_rest {
            part(a_parts.len());
        }
    }

    /// Builds the tree over the leaves from `from` up to `end`, and gives its position.
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
        (self.leaves.len() + self.nodes.len() - 1) as u32
    }

    /// How many leaves there are.
    pub fn leaves(&self) -> usize {
        self.leaves.len()
    }

    /// The bytes of a leaf, as a number.
    #[inline]
    pub fn read(&self, state: &[u8], leaf: usize) -> u64 {
        let Leaf { start, length, own } = self.leaves[leaf];
        if let Some(bytes) = state[start as usize..].first_chunk::<8>() {
            return u64::from_le_bytes(*bytes) & own;
        }
        let mut word = [0; 8];
        let bytes = &state[start as usize..(start + length) as usize];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    }

    /// Writes the bytes of a leaf.
    pub fn write(&self, state: &mut [u8], leaf: usize, word: u64) {
        let Leaf { start, length, .. } = self.leaves[leaf];
        let bytes = &word.to_le_bytes()[..length as usize];
        state[start as usize..(start + length) as usize].copy_from_slice(bytes);
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
        (0..4).for_each(|leaf| shape.write(&mut back, leaf, shape.read(&state, leaf)));
        assert_eq!(back, state);
    }

    #[test]
    fn leaves_can_be_arranged_in_another_way() {
        let mut shape = shape(32, &[(0, 8), (8, 16), (16, 24), (24, 32)]);
        assert_eq!(shape.joins(), [(0, 1), (2, 3), (4, 5)]);
        let joins = vec![(1, 3), (4, 0), (2, 5)];
        shape.join(&joins);
        assert_eq!(shape.joins(), joins);
        assert_eq!(shape.nodes.iter().map(|node| node.depth).collect::<Vec<u32>>(), [2, 1, 0]);
        assert_eq!(shape.parents, [5, 4, 6, 4, 5, 6, 6]);
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
