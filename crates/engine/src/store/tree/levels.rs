//! The tables of leaves and nodes, level by level: the numbers of what a state does not share with another one are looked up there.

use super::arrange::MOST_WORDS;
use super::keys::Key;
use super::recent::{Leaves, Nodes};
use super::shape::{Above, Node, Shape};
use crate::store::budget::Budget;

/// A number that no leaf and no node has.
pub const NONE: u32 = u32::MAX;

/// A state as it is cut, with the numbers of its leaves and nodes: the last one of a shape that was looked at, or one of several that are opened together.
#[derive(Debug, Default)]
pub struct Latest {
    /// Its bytes.
    pub state: Vec<u8>,
    /// For each leaf and node. The root's is not kept. Empty if nothing is known.
    pub numbers: Vec<u32>,
    /// The numbers of the parts of the root, where they stand in its key.
    pub joined: u64,
}

/// The numbers of the parts of a root as they become.
#[derive(Copy, Clone, Debug, Default)]
pub struct Joined {
    /// Where they stand in its key.
    pub numbers: u64,
    /// Bits that are set if one is too large.
    too_large: u32,
}

impl Joined {
    /// Those of a state.
    pub fn of(latest: &Latest) -> Joined {
        Joined { numbers: latest.joined, too_large: 0 }
    }

    /// Puts a number in its place, unless that is in a node, which is given.
    #[inline(always)]
    pub fn put(&mut self, above: Above, number: u32) -> Option<u32> {
        match above {
            Above::Node(node) => Some(node),
            Above::Root { shift, bits } => {
                self.too_large |= number >> bits;
                let others = self.numbers & !(((1 << bits) - 1) << shift);
                self.numbers = others | u64::from(number) << shift;
                None
            }
        }
    }

    /// Whether all are small enough.
    pub fn fits(self) -> bool {
        self.too_large == 0
    }
}

/// What a state changes, and what stood there. Between two changes no bit is set.
#[derive(Debug, Default)]
struct Change {
    /// Leaves, some of them twice, each with a byte that differs.
    leaves: Vec<(u32, u32)>,
    /// Nodes, as bits.
    nodes: Vec<u64>,
    numbers_before: Vec<(u32, u32)>,
    /// The numbers of the parts of the root as they become.
    root: Joined,
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
        self.root = Joined::of(latest);
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

    /// Puts a number in the place of another. Those of parts of the root need not be known later unless they are to be kept.
    #[inline(always)]
    fn put(&mut self, shape: &Shape, latest: &mut Latest, position: usize, number: u32, keep: bool) {
        let above = shape.above(position);
        match self.root.put(above, number) {
            Some(node) => self.nodes[node as usize / 64] |= 1 << (node % 64),
            None if !keep => return,
            None => {}
        }
        self.numbers_before.push((position as u32, latest.numbers[position]));
        latest.numbers[position] = number;
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
#[derive(Default)]
pub struct Levels {
    /// The values of leaves by how many words they have, from 1 on.
    pub leaves: Vec<Leaves>,
    /// The nodes by their depth, from those below the roots on.
    pub nodes: Vec<Nodes>,
    change: Change,
    /// A number was too large for its place in a root that joins several parts.
    pub outgrown: bool,
}

impl Levels {
    /// The key of the root of a state of the shape with this number, all its parts inserted. What it shares with `latest` is not looked up; it becomes the
    /// latest if it is to be kept, and otherwise that stays what it is. `None`: there is no room.
    #[inline]
    pub fn root(
        &mut self,
        (shape, number): (&Shape, u8),
        latest: &mut Latest,
        state: &[u8],
        keep: bool,
        budget: &mut Budget,
    ) -> Option<Key> {
        let was_empty = latest.numbers.is_empty();
        self.change.collect(shape, latest, state);
        let change = &mut self.change;
        let complete = follow(shape, state, latest, change, &mut self.leaves, &mut self.nodes, keep, budget);
        if complete.is_none() {
            change.forget();
        }
        let fits = change.root.fits();
        self.outgrown |= complete.is_some() && !fits && shape.is_flat();
        let key = complete.filter(|()| fits).map(|()| Key::of_numbers(change.root.numbers, number));
        if key.is_some() && keep {
            latest.state.clear();
            latest.state.extend_from_slice(state);
            latest.joined = change.root.numbers;
        } else if was_empty {
            latest.numbers.clear();
        } else {
            change.undo(latest);
        }
        key
    }

    /// Makes `numbers` those of the state with this root, from above: what stands below a number that is the same already is not
    /// looked at. Passes the leaves that are others.
    #[inline(always)]
    pub fn descend_from(
        &self,
        shape: &Shape,
        root: Key,
        numbers: &mut [u32],
        descending: &mut Vec<(u32, u32)>,
        mut pass: impl FnMut(usize, u32),
    ) {
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
                    let key = self.nodes[node.depth as usize - 1].table.keys().get(number);
                    descending.extend([(node.left, key.left), (node.right, key.right)]);
                }
            }
        }
    }

    /// The words of the leaf with this number.
    #[inline]
    pub fn value(&self, shape: &Shape, leaf: usize, number: u32) -> &[u64] {
        self.leaves[shape.words_of(leaf).len() - 1].table.keys().get(number)
    }
}

/// Follows the paths from what a state changes up to the root, below which it ends. `None`: there is no room.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
fn follow(
    shape: &Shape,
    state: &[u8],
    latest: &mut Latest,
    change: &mut Change,
    leaves: &mut [Leaves],
    nodes: &mut [Nodes],
    keep: bool,
    budget: &mut Budget,
) -> Option<()> {
    for index in 0..change.leaves.len() {
        let (leaf, byte) = change.leaves[index];
        let leaf = leaf as usize;
        let values = &mut leaves[shape.words_of(leaf).len() - 1];
        // What was changed in which value says most often what became of it.
        let name = shape.change(latest.numbers[leaf], state, byte);
        let known = values.became(name);
        let known = known.filter(|number| shape.holds(state, leaf, values.table.keys().get(*number)));
        let number = match known {
            Some(number) => number,
            None => values.number_of(shape.read(state, leaf, &mut change.value), name, budget)?,
        };
        change.put(shape, latest, leaf, number, keep);
    }
    for index in 0..change.nodes.len() {
        // Nodes above are added on the way; their numbers are higher.
        while change.nodes[index] != 0 {
            let node = index * 64 + change.nodes[index].trailing_zeros() as usize;
            change.nodes[index] &= change.nodes[index] - 1;
            let Node { left, right, depth } = shape.nodes[node];
            let number_of = |child: u32| latest.numbers[child as usize];
            let key = Key { left: number_of(left), right: number_of(right), shape: 0 };
            let number = nodes[depth as usize - 1].number_of(key, budget)?;
            change.put(shape, latest, shape.leaves() + node, number, keep);
        }
    }
    Some(())
}
