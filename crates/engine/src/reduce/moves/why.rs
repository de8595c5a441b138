//! Why one move must come along with another: the operations behind an edge of the graph.
//!
//! The graph itself only keeps which moves come along, because that is all a search needs. Here the
//! operations are sought again for one edge, by the same relation.

use super::{Moves, on_object};
use crate::reduce::dependency::{fires_alone, fires_now};
use mazurka_model::{Access, Footprint, ProcessId};

/// What links two moves.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// A step of the first moves the process of the second.
    SameProcess,
    /// One of the two may perform any operation on every object.
    Everything,
    /// The operation of the first, now, and one that is performed by the second or behind it.
    Interacts(Access, Access),
    /// The first is not enabled: an operation that evaluates what it waits for, and one that is
    /// performed by the second or behind it.
    Awaits(Access, Access),
}

impl Moves<'_> {
    /// Whether a node stands for moves that are not enabled.
    fn waits(&self, node: usize) -> bool {
        self.taken_by[node].is_empty() || !self.relations.tells_moves_apart()
    }

    /// What the moves of a node wait for that are not enabled: for each condition the operations that
    /// evaluate it. Empty: nothing that others do can enable them.
    pub fn awaited(&mut self, state: &[u8], node: usize) -> Vec<(Vec<Access>, bool)> {
        if !self.waits(node) {
            return Vec::new();
        }
        let (process, alternative) = self.place(node);
        self.relations.obstacles(state, process, alternative, &mut self.obstacles);
        let conditions = (0..self.obstacles.len()).map(|index| self.obstacles.get(index));
        conditions.map(|(accesses, everything)| (accesses.to_vec(), everything)).collect()
    }

    /// Why `other` is in choice number `choice` of `node`.
    pub fn why(&mut self, state: &[u8], node: usize, choice: usize, other: usize) -> Option<Link> {
        let (theirs, _) = self.place(other);
        for at in 0..self.taken_by[node].len() {
            let step = self.taken_by[node][at];
            self.look_up(state, step);
            let footprint = self.steps[step].footprint().clone();
            if footprint.processes.contains(&theirs) {
                return Some(Link::SameProcess);
            }
            if let Some(link) = self.why_step(state, &footprint, other) {
                return Some(link);
            }
        }
        let enabled = !self.taken_by[node].is_empty();
        let (own, _) = self.place(node);
        for (index, (accesses, everything)) in self.awaited(state, node).into_iter().enumerate() {
            if !enabled && index != choice {
                continue;
            }
            if everything {
                return Some(Link::Everything);
            }
            for access in &accesses {
                let now = fires_alone(self.relations, &accesses, access);
                match self.why_access(state, access, &[own], now, false, other) {
                    Some(Link::Interacts(a, b)) => return Some(Link::Awaits(a, b)),
                    Some(link) => return Some(link),
                    None => {}
                }
            }
        }
        None
    }

    fn why_step(&mut self, state: &[u8], footprint: &Footprint, other: usize) -> Option<Link> {
        if footprint.everything {
            return Some(Link::Everything);
        }
        footprint.accesses.iter().find_map(|access| {
            let now = fires_now(self.relations, footprint, access);
            self.why_access(state, access, &footprint.processes, now, now, other)
        })
    }

    fn why_access(
        &mut self,
        state: &[u8],
        access: &Access,
        moved: &[ProcessId],
        now: bool,
        enabled: bool,
        other: usize,
    ) -> Option<Link> {
        let (process, alternative) = self.place(other);
        if moved.contains(&process) {
            return None;
        }
        let excludes = self.look_at_exclusion(state, access.object, enabled);
        let kinds = self.look(state, access.object, moved, now);
        let value = kinds.map(|kinds| (&*self.value, kinds));
        let future = &self.processes.futures[process.index()].list[alternative];
        let theirs = future.accesses[on_object(&future.accesses, access.object)]
            .iter()
            .find(|theirs| self.interacts(access, theirs, value, excludes));
        match theirs {
            Some(theirs) => Some(Link::Interacts(*access, *theirs)),
            None => future.everything.then_some(Link::Everything),
        }
    }
}
