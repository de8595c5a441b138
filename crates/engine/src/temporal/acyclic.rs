//! The cycle condition (C3 of ample sets) on the graph of the system: every cycle has a state that is
//! expanded fully.
//!
//! In other words, the states where steps were left out form no cycle among themselves. Whether they do
//! has nothing to do with the order in which a search, which walks over pairs of a state and a state of an
//! automaton, happens to meet them: a test on the stack of that search would be wrong. So the condition
//! is kept on the graph itself. A state may be reduced if none of its chosen successors leads back to
//! it through reduced states. A reduced state is *settled* once all states behind it, up to ones that
//! are expanded fully, are chosen: no state that is yet to be chosen can be reached from it that way,
//! so only states that are not settled need to be searched.

use std::collections::{HashMap, HashSet};

/// States searched for a way back before the condition is given up and the state expanded fully.
const PATIENCE: usize = 4096;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Status {
    Unchosen,
    /// Reduced, and some state behind it is not chosen yet.
    Pending,
    /// Expanded fully, or reduced with nothing open behind it.
    Settled,
}

/// The states of a graph as far as the cycle condition is concerned.
#[derive(Debug, Default)]
pub struct Acyclic {
    status: Vec<Status>,
    /// For each pending state, how many of its successors are not settled.
    waiting: HashMap<u32, u32>,
    /// The pending states that wait for a state to be settled.
    waiters: HashMap<u32, Vec<u32>>,
}

impl Acyclic {
    /// Adds a state that is not chosen yet; states are numbered from 0.
    pub fn add(&mut self) {
        self.status.push(Status::Unchosen);
    }

    /// Bytes allocated, about.
    pub fn bytes(&self) -> u64 {
        (self.status.capacity() + 48 * self.waiting.len() + 64 * self.waiters.len()) as u64
    }

    /// Whether `node`, which is not chosen yet, may be reduced to these successors. `chosen` gives the
    /// chosen successors of a pending state.
    pub fn allows<'g>(&self, node: u32, targets: &[u32], chosen: impl Fn(u32) -> &'g [u32]) -> bool {
        if targets.contains(&node) {
            return false;
        }
        let pending = |target: &&u32| self.status[**target as usize] == Status::Pending;
        let mut seen: HashSet<u32> = targets.iter().filter(pending).copied().collect();
        let mut open: Vec<u32> = seen.iter().copied().collect();
        while let Some(next) = open.pop() {
            for &target in chosen(next) {
                if target == node || seen.len() > PATIENCE {
                    return false;
                }
                if self.status[target as usize] == Status::Pending && seen.insert(target) {
                    open.push(target);
                }
            }
        }
        true
    }

    /// Notes that `node` is reduced to these successors, which [`Acyclic::allows`].
    pub fn reduce(&mut self, node: u32, targets: &[u32]) {
        let mut unsettled: Vec<u32> =
            targets.iter().copied().filter(|t| self.status[*t as usize] != Status::Settled).collect();
        unsettled.sort_unstable();
        unsettled.dedup();
        if unsettled.is_empty() {
            return self.settle(node);
        }
        self.status[node as usize] = Status::Pending;
        self.waiting.insert(node, unsettled.len() as u32);
        for target in unsettled {
            self.waiters.entry(target).or_default().push(node);
        }
    }

    /// Notes that nothing is left out of `node`.
    pub fn settle(&mut self, node: u32) {
        let mut settled = vec![node];
        while let Some(node) = settled.pop() {
            self.status[node as usize] = Status::Settled;
            self.waiting.remove(&node);
            for waiter in self.waiters.remove(&node).unwrap_or_default() {
                if let Some(count) = self.waiting.get_mut(&waiter) {
                    *count -= 1;
                    if *count == 0 {
                        settled.push(waiter);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_back_through_reduced_states_is_found_however_long() {
        // 0 → 1 → 2 → 3, chosen out of order.
        let chosen = |node: u32| -> &'static [u32] { &[&[1], &[2], &[3], &[0]][node as usize][..] };
        let mut graph = Acyclic::default();
        (0..5).for_each(|_| graph.add());
        for node in [2, 0, 1] {
            assert!(graph.allows(node, chosen(node), chosen));
            graph.reduce(node, chosen(node));
        }
        assert!(!graph.allows(3, &[0], chosen));
        assert!(!graph.allows(3, &[3], chosen));
        assert!(graph.allows(3, &[4], chosen));
        graph.settle(3);
        assert!(graph.waiting.is_empty() && graph.waiters.is_empty());
        assert!(graph.allows(4, &[0, 1, 2, 3], chosen));
    }
}
