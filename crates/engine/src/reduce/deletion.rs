//! Valmari's deletion algorithm: the largest closed set without a move, again and again.
//!
//! A node may stay for as long as one of its sets of companions is whole. Taking a node out breaks the sets
//! it is in; a node all of whose sets are broken goes as well. Who is in which set is written down once
//! for a state, so that a deletion costs no more than the sets that it breaks, and can be taken back.

use super::bits::Bits;
use super::moves::Moves;

/// The graph of a state, upside down, and what is left of it.
#[derive(Debug, Default)]
pub struct Deletion {
    left: Bits,
    /// By node: the sets of companions it is in, by number.
    member_of: Vec<Vec<u32>>,
    /// By set: whose it is, and how many of its nodes are gone.
    owner: Vec<u32>,
    gone: Vec<u32>,
    /// By node: how many of its sets are whole.
    whole: Vec<u32>,
    /// By node: the nodes that go with it, from this on so many.
    siblings: Vec<(usize, usize)>,
    /// The nodes that must stay.
    essential: Bits,
    /// The nodes taken out last, those of them whose sets were looked through, and the others.
    taken: Vec<usize>,
    done: Vec<usize>,
    work: Vec<usize>,
    /// Something essential was taken out.
    hopeless: bool,
}

impl Deletion {
    /// Starts with all nodes of a state; those of one process go together if `by_process`.
    pub fn load(&mut self, moves: &mut Moves<'_>, state: &[u8], by_process: bool) {
        let nodes = moves.nodes();
        self.left.clear(nodes);
        self.left.insert_range(0, nodes);
        self.essential.clear(nodes);
        if self.member_of.len() < nodes {
            self.member_of.resize_with(nodes, Vec::new);
        }
        self.member_of[..nodes].iter_mut().for_each(Vec::clear);
        self.owner.clear();
        self.whole.clear();
        self.siblings.clear();
        for node in 0..nodes {
            self.siblings.push(if by_process { moves.siblings(node) } else { (node, 1) });
            let choices = moves.choices(state, node);
            self.whole.push(choices.len() as u32);
            for choice in choices {
                let set = self.owner.len() as u32;
                self.owner.push(node as u32);
                choice.iter().for_each(|member| self.member_of[member].push(set));
            }
        }
        self.gone.clear();
        self.gone.resize(self.owner.len(), 0);
    }

    /// What is left.
    pub fn left(&self) -> &Bits {
        &self.left
    }

    /// None of these nodes may be taken out.
    pub fn protect(&mut self, nodes: &Bits) {
        self.essential.unite(nodes);
    }

    /// Takes a node out, and all that can't stay without it, unless something essential had to go or, where
    /// that matters, none of the nodes `some` would be left. A node that can't be taken out is essential
    /// from then on: it is in every closed set that is left.
    pub fn take_out(&mut self, node: usize, some: Option<&Bits>) {
        if !self.left.contains(node) || self.essential.contains(node) {
            return;
        }
        self.taken.clear();
        self.done.clear();
        self.hopeless = false;
        self.remove(node);
        while let Some(node) = self.work.pop() {
            self.done.push(node);
            let (first, count) = self.siblings[node];
            (first..first + count).for_each(|sibling| self.remove(sibling));
            for at in 0..self.member_of[node].len() {
                let set = self.member_of[node][at] as usize;
                self.gone[set] += 1;
                if self.gone[set] == 1 {
                    let owner = self.owner[set] as usize;
                    self.whole[owner] -= 1;
                    if self.whole[owner] == 0 {
                        self.remove(owner);
                    }
                }
            }
            if self.hopeless {
                break;
            }
        }
        if self.hopeless || some.is_some_and(|some| !self.left.meets(some)) {
            self.take_back();
            self.essential.insert(node);
        }
    }

    fn remove(&mut self, node: usize) {
        if self.left.contains(node) {
            self.hopeless |= self.essential.contains(node);
            self.left.remove(node);
            self.taken.push(node);
            self.work.push(node);
        }
    }

    fn take_back(&mut self) {
        self.work.clear();
        for &node in &self.taken {
            self.left.insert(node);
        }
        for &node in &self.done {
            for &set in &self.member_of[node] {
                let set = set as usize;
                self.gone[set] -= 1;
                if self.gone[set] == 0 {
                    self.whole[self.owner[set] as usize] += 1;
                }
            }
        }
    }
}
