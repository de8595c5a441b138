//! The successors of several states that are opened together, on their way up from what they change.
//!
//! First it is found out what each of them changes, and what most likely becomes of that; only then it is looked at, once all of it has been on its
//! way into the cache.

use super::keys::Key;
use super::levels::{Joined, Latest, Levels};
use super::shape::{Node, Shape};
use super::table::{Column, Likely};
use super::words::Words;
use crate::store::budget::Budget;

/// A leaf that a successor changes.
#[derive(Copy, Clone, Debug)]
struct Changed {
    leaf: u32,
    /// How many words it has, and where they are among those of all.
    words: u32,
    from: u32,
    /// Its number, most likely.
    likely: Option<u32>,
    hash: u64,
}

/// The successors, and what they change.
#[derive(Debug, Default)]
pub struct Climb {
    changes: Vec<Changed>,
    /// Where the changes of each successor end. `None` if it is not to be compared to the state from which it was met.
    ends: Vec<Option<usize>>,
    /// The numbers of the leaves and nodes of a successor.
    numbers: Vec<u32>,
    /// The words of the leaves that are changed.
    words: Vec<u64>,
}

impl Climb {
    /// There are no successors.
    pub fn clear(&mut self) {
        self.changes.clear();
        self.words.clear();
        self.ends.clear();
    }

    /// A successor that has to be looked up by itself.
    pub fn add_alone(&mut self) {
        self.ends.push(None);
    }

    /// A successor of the state `latest`, of the same shape.
    #[inline]
    pub fn add(&mut self, shape: &Shape, latest: &Latest, state: &[u8], levels: &Levels) {
        let first = self.changes.len();
        shape.differing(state, &latest.state, |leaf, _| {
            // A long leaf may be passed twice.
            if self.changes[first..].iter().all(|change| change.leaf != leaf) {
                let from = self.words.len();
                self.words.extend(shape.words_in(state, leaf as usize));
                let value = &self.words[from..];
                let (hash, words) = (Words::hash(value), value.len() as u32);
                levels.leaves[value.len() - 1].table.prefetch(hash);
                self.changes.push(Changed { leaf, words, from: from as u32, likely: None, hash });
            }
        });
        self.ends.push(Some(self.changes.len()));
    }

    /// All successors were added: looks for what they change.
    #[inline]
    pub fn look(&mut self, levels: &Levels) {
        for change in &mut self.changes {
            if let Likely::At(number) = levels.leaves[change.words as usize - 1].table.likely(change.hash) {
                change.likely = Some(number);
            }
        }
    }

    /// Whether a successor is looked up by itself.
    #[inline]
    pub fn is_alone(&self, successor: usize) -> bool {
        self.ends[successor].is_none()
    }

    /// The numbers of the parts of the root of a successor of `latest`, where they stand in its key. The successors that were
    /// [added](Climb::add) come in order, each with where the changes of the one before ended, which becomes where its own end. `None`: there is no room, or a
    /// number is too large.
    #[inline]
    pub fn joined(
        &mut self,
        successor: usize,
        from: &mut usize,
        shape: &Shape,
        latest: &Latest,
        levels: &mut Levels,
        budget: &mut Budget,
    ) -> Option<u64> {
        let end = self.ends[successor].unwrap_or(*from);
        let changes = &self.changes[std::mem::replace(from, end)..end];
        let mut root = Joined::of(latest);
        let mut nodes = 0u64;
        for change in changes {
            let position = change.leaf as usize;
            let value = &self.words[change.from as usize..][..change.words as usize];
            let values = &mut levels.leaves[change.words as usize - 1].table;
            let number = match change.likely {
                Some(number) if values.keys().holds(number, value) => number,
                _ => values.insert(value, budget)?.0,
            };
            if let Some(node) = root.put(shape.above(position), number) {
                if nodes == 0 {
                    self.numbers.clone_from(&latest.numbers);
                }
                self.numbers[position] = number;
                nodes |= 1 << node;
            }
        }
        while nodes != 0 {
            // Nodes above are added on the way; their numbers are higher.
            let node = nodes.trailing_zeros() as usize;
            nodes &= nodes - 1;
            let Node { left, right, depth } = shape.nodes[node];
            let number_of = |child: u32| self.numbers[child as usize];
            let key = Key { left: number_of(left), right: number_of(right), shape: 0 };
            let number = levels.nodes[depth as usize - 1].number_of(key, budget)?;
            let position = shape.leaves() + node;
            if let Some(node) = root.put(shape.above(position), number) {
                self.numbers[position] = number;
                nodes |= 1 << node;
            }
        }
        levels.outgrown |= !root.fits() && shape.is_flat();
        root.fits().then_some(root.numbers)
    }
}
