//! The tables of leaves and nodes, level by level: the numbers of what a state does not share with another one are looked up there.

use super::keys::Key;
use super::recent::Nodes;
use super::shape::{Above, Node, Shape};
use super::values::Values;
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

/// What a state changes, and what stood there. Between two changes no node is one of them.
#[derive(Debug, Default)]
struct Changes {
    /// The bytes, as bits.
    bytes: Vec<u64>,
    /// Nodes, as bits.
    nodes: Vec<u64>,
    numbers_before: Vec<(u32, u32)>,
    /// The numbers of the parts of the root as they become.
    root: Joined,
}

impl Changes {
    /// Nothing was changed yet.
    #[inline(always)]
    fn begin(&mut self, shape: &Shape, latest: &Latest) {
        self.numbers_before.clear();
        self.root = Joined::of(latest);
        if self.nodes.len() * 64 < shape.nodes.len() {
            self.nodes.resize(shape.nodes.len().div_ceil(64), 0);
        }
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
        self.numbers_before.iter().for_each(|(at, before)| latest.numbers[*at as usize] = *before);
    }
}

/// Leaves and inner nodes.
#[derive(Default)]
pub struct Levels {
    /// The values of leaves.
    pub values: Values,
    /// The nodes by their depth, from those below the roots on.
    pub nodes: Vec<Nodes>,
    changes: Changes,
    /// A number was too large for its place in a root that joins several parts.
    pub outgrown: bool,
}

impl Levels {
    /// The numbers of the parts of the root of a state of this shape, where they stand in its key, all of them inserted. What it shares with `latest` is not looked up; it becomes the
    /// latest if it is to be kept, and otherwise that stays what it is. `None`: there is no room.
    #[inline]
    pub fn root(
        &mut self,
        shape: &Shape,
        latest: &mut Latest,
        state: &[u8],
        keep: bool,
        budget: &mut Budget,
    ) -> Option<u64> {
        let was_empty = latest.numbers.is_empty();
        let change = &mut self.changes;
        change.begin(shape, latest);
        let complete = if was_empty {
            enter_leaves(shape, state, latest, change, &mut self.values, keep, budget)
        } else {
            change_leaves(shape, state, latest, change, &mut self.values, keep, budget)
        };
        let complete =
            complete.and_then(|()| change_nodes(shape, latest, change, &mut self.nodes, keep, budget));
        if complete.is_none() {
            change.forget();
        }
        let fits = change.root.fits();
        self.outgrown |= complete.is_some() && !fits && shape.is_flat();
        let joined = complete.filter(|()| fits).map(|()| change.root.numbers);
        if joined.is_some() && keep {
            latest.state.clear();
            latest.state.extend_from_slice(state);
            latest.joined = change.root.numbers;
        } else if was_empty {
            latest.numbers.clear();
        } else {
            change.undo(latest);
        }
        joined
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
        descending
            .extend(shape.parts_of(root).filter(|(position, number)| numbers[*position as usize] != *number));
        while let Some((position, number)) = descending.pop() {
            numbers[position as usize] = number;
            match (position as usize).checked_sub(leaves) {
                None => pass(position as usize, number),
                Some(node) => {
                    let node = shape.nodes[node];
                    let key = self.nodes[node.depth as usize - 1].table.keys().get(number);
                    let below = [(node.left, key.left), (node.right, key.right)].into_iter();
                    descending
                        .extend(below.filter(|(position, number)| numbers[*position as usize] != *number));
                }
            }
        }
    }

    /// The words of the leaf with this number.
    #[inline]
    pub fn value(&self, shape: &Shape, leaf: usize, number: u32) -> &[u64] {
        self.values.get(shape, leaf, number)
    }
}

/// Looks up all leaves of a state, where nothing is known of another one. `None`: there is no room.
#[cold]
fn enter_leaves(
    shape: &Shape,
    state: &[u8],
    latest: &mut Latest,
    changes: &mut Changes,
    values: &mut Values,
    keep: bool,
    budget: &mut Budget,
) -> Option<()> {
    latest.numbers.resize(shape.parents.len(), NONE);
    for leaf in 0..shape.leaves() {
        let number = values.number_of((shape, leaf), state, budget)?;
        changes.put(shape, latest, leaf, number, keep);
    }
    Some(())
}

/// Looks up the leaves in which a state differs from the latest one. `None`: there is no room.
#[inline(always)]
fn change_leaves(
    shape: &Shape,
    state: &[u8],
    latest: &mut Latest,
    changes: &mut Changes,
    values: &mut Values,
    keep: bool,
    budget: &mut Budget,
) -> Option<()> {
    shape.differing(state, &latest.state, &mut changes.bytes);
    let mut block = 0;
    while let Some((leaf, change)) = shape.take_changed(state, &mut changes.bytes, &mut block) {
        let number = values.changed((shape, leaf), latest.numbers[leaf], &change, state, budget)?;
        changes.put(shape, latest, leaf, number, keep);
    }
    Some(())
}

/// Follows the paths from the leaves that a state changes up to the root, below which it ends. `None`: there is no room.
#[inline(always)]
fn change_nodes(
    shape: &Shape,
    latest: &mut Latest,
    changes: &mut Changes,
    nodes: &mut [Nodes],
    keep: bool,
    budget: &mut Budget,
) -> Option<()> {
    for index in 0..shape.nodes.len().div_ceil(64) {
        // Nodes above are added on the way; their numbers are higher.
        while changes.nodes[index] != 0 {
            let node = index * 64 + changes.nodes[index].trailing_zeros() as usize;
            changes.nodes[index] &= changes.nodes[index] - 1;
            let Node { left, right, depth } = shape.nodes[node];
            let number_of = |child: u32| latest.numbers[child as usize];
            let key = Key { left: number_of(left), right: number_of(right), shape: 0 };
            let number = nodes[depth as usize - 1].number_of(key, budget)?;
            changes.put(shape, latest, shape.leaves() + node, number, keep);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::tree::arrange::Arrangement;

    #[test]
    fn what_changes_lead_to_is_what_is_found_anew() {
        let mut random = 1u64;
        let mut below = |end: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize % end
        };
        // Where a part of the root is narrow its number soon has no room there.
        for (length, narrow) in [24, 31, 63, 64, 65, 127, 128, 131, 190, 192, 255, 256]
            .into_iter()
            .flat_map(|length| [(length, false), (length, true)])
        {
            // Words lie across the borders, and those of a leaf far from each other.
            let middle = length as u32 / 3;
            let mut shape = Shape::new(length, false, &[(0, middle), (middle, length as u32)]);
            let leaves = (0..3).map(|leaf| (leaf..shape.words() as u32).step_by(3).collect()).collect();
            shape.arrange(Arrangement {
                leaves,
                joins: Vec::new(),
                top: vec![(0, if narrow { 6 } else { 18 }), (1, 19), (2, 19)],
            });
            let (mut budget, mut levels) = (Budget::new(None), Levels::default());
            levels.values.make_room(24, &mut budget);
            let (mut latest, mut state) = (Latest::default(), vec![0; length]);
            assert!(levels.root(&shape, &mut latest, &state, true, &mut budget).is_some());
            for _ in 0..4000 {
                let mut next = state.clone();
                (0..=below(5)).for_each(|_| next[below(length)] = below(3) as u8);
                let short = levels.root(&shape, &mut latest, &next, false, &mut budget);
                let mut alone = Latest::default();
                let long = levels.root(&shape, &mut alone, &next, true, &mut budget);
                assert!((narrow || long.is_some()) && short == long, "{length} bytes");
                if long.is_some() && below(3) == 0 {
                    (latest, state) = (alone, next);
                }
            }
        }
    }
}
