//! Ample sets (Peled 1993, section 4.2, `ample`): enabled steps that are closed under dependency.
//!
//! From an enabled step the set grows by every enabled step that depends on one of its own. Something that
//! depends on it and is *not* enabled ends the attempt, unless it can't become enabled before a step of the set
//! is taken. That is so
//!
//! - of what a process does later, if one of its present alternatives is in the set;
//! - of an alternative that demands an operation which is never enabled together with one of the set
//!   (the relation E: a receive beside a test for empty, locking beside unlocking);
//! - of an alternative that waits for a condition which nobody outside the set can change.
//!
//! Then the set is a faithful decomposition (Definition 4.3), and so a persistent set: the first step outside it that
//! depends on it would find all its steps still enabled. Unlike the printed procedure this one takes the enabled steps
//! in first and judges then what is left, so it gives up less often. By the constant dependency it is
//! Peled's D and E; at the finer grades ▷ takes the place of D ∖ E.
//!
//! SPIN's rule (a process all of whose steps touch only what belongs to it, or ends of channels that nobody else uses) is
//! the case in which the steps of one process are such a set. The process need not declare that it is the only one:
//! who may still use a channel is found out.
//!
//! Deadlocks are kept; what else a property needs is the search's to grant, as for every method. The printed test that no
//! step of the set closes a cycle is such a proviso, one that temporal properties need, and is not made here.

use super::Reducer;
use super::bits::Bits;
use super::dependency::{Judge, Relation};
use super::moves::Moves;
use mazurka_model::{Relations, Step};

/// Proposes ample sets: one of a single step as soon as it is found, else the smallest first.
pub struct Ample<'s> {
    moves: Moves<'s>,
    /// The nodes of the processes that have steps in the set, and nodes that these steps keep shut.
    inside: Bits,
    shut: Bits,
    /// The nodes outside that depend on the set.
    missing: Bits,
    /// The steps of the set.
    set: Vec<usize>,
    /// The sets that were found and not yet proposed.
    candidates: Vec<Vec<usize>>,
    /// The enabled step with whose process the next set starts.
    next: usize,
}

impl<'s> Ample<'s> {
    /// For a system with these relations, judged by `judge`.
    pub fn new(relations: &'s dyn Relations, judge: Judge<'s>) -> Ample<'s> {
        Ample {
            moves: Moves::new(relations, judge.by(Relation::Together)),
            inside: Bits::default(),
            shut: Bits::default(),
            missing: Bits::default(),
            set: Vec::new(),
            candidates: Vec::new(),
            next: 0,
        }
    }

    /// Takes in all enabled steps of the process to which a node belongs, and of those that they move.
    fn join(&mut self, node: usize) {
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            if self.inside.contains(node) {
                continue;
            }
            let (first, count) = self.moves.siblings(node);
            self.inside.insert_range(first, count);
            for sibling in first..first + count {
                for &step in self.moves.steps_of(sibling) {
                    if !self.set.contains(&step) {
                        self.set.push(step);
                        pending.extend(self.moves.nodes_of(step));
                    }
                }
            }
        }
    }

    /// Grows the set from an enabled step; false if that comes to nothing.
    fn grow(&mut self, state: &[u8], seed: usize, enabled: usize) -> bool {
        let nodes = self.moves.nodes();
        self.inside.clear(nodes);
        self.shut.clear(nodes);
        self.set.clear();
        let Some(start) = self.moves.nodes_of(seed).next() else { return false };
        self.join(start);
        while self.set.len() < enabled {
            self.find_missing(state);
            if self.missing.count() == 0 {
                return self.is_closed(state);
            }
            let Some(node) = self.dependent_step(state) else { return false };
            self.join(node);
        }
        false
    }

    /// The nodes outside of which something depends on the set, and that could be taken before it.
    fn find_missing(&mut self, state: &[u8]) {
        let nodes = self.moves.nodes();
        self.missing.clear(nodes);
        for node in self.inside.iter() {
            if !self.moves.steps_of(node).is_empty() {
                for choice in self.moves.choices(state, node) {
                    self.missing.unite(choice);
                }
            }
        }
        self.inside.iter().for_each(|node| self.missing.remove(node));
        let mut changed = true;
        while changed {
            changed = false;
            for node in 0..nodes {
                if self.missing.contains(node) && self.stays_shut(state, node) {
                    self.missing.remove(node);
                    self.shut.insert(node);
                    changed = true;
                }
            }
        }
    }

    /// Whether a node of which no step is enabled stays so until a step of the set is taken.
    fn stays_shut(&mut self, state: &[u8], node: usize) -> bool {
        if !self.moves.steps_of(node).is_empty() {
            return false;
        }
        let (inside, shut) = (&self.inside, &self.shut);
        let kept = |choice: &Bits| choice.iter().all(|other| inside.contains(other) || shut.contains(other));
        self.moves.choices(state, node).iter().any(kept) || self.moves.shut_by(state, node, &self.set)
    }

    /// A missing node of a process that has an enabled step which itself depends on the set.
    fn dependent_step(&mut self, state: &[u8]) -> Option<usize> {
        let Ample { moves, missing, set, .. } = self;
        missing.iter().find(|&node| {
            let (first, count) = moves.siblings(node);
            (first..first + count).any(|sibling| {
                (0..moves.steps_of(sibling).len()).any(|at| {
                    let step = moves.steps_of(sibling)[at];
                    set.iter().any(|&own| moves.step_interacts(state, own, step))
                })
            })
        })
    }

    /// Whether all alternatives of the processes inside are enabled, or stay shut.
    fn is_closed(&mut self, state: &[u8]) -> bool {
        (0..self.moves.nodes()).all(|node| {
            !self.inside.contains(node)
                || !self.moves.steps_of(node).is_empty()
                || self.stays_shut(state, node)
        })
    }

    /// Tries the next process; whether there was one.
    fn seek(&mut self, state: &[u8], enabled: &[Step]) -> bool {
        let Some(seed) = enabled.get(self.next) else { return false };
        let start = self.next;
        self.next += enabled[start..].iter().take_while(|step| step.process == seed.process).count();
        if self.grow(state, start, enabled.len()) {
            self.set.sort_unstable();
            if !self.candidates.contains(&self.set) {
                self.candidates.push(self.set.clone());
            }
        }
        true
    }
}

impl Reducer for Ample<'_> {
    fn propose(&mut self, state: &[u8], enabled: &[Step], attempt: usize, set: &mut Vec<usize>) -> bool {
        if enabled.len() < 2 {
            return false;
        }
        if attempt == 0 {
            self.moves.load(state, enabled);
            self.candidates.clear();
            self.next = 0;
        }
        loop {
            let smallest = self.candidates.iter().enumerate().min_by_key(|(_, candidate)| candidate.len());
            if let Some((index, candidate)) = smallest
                && (candidate.len() == 1 || self.next == enabled.len())
            {
                set.clone_from(candidate);
                self.candidates.remove(index);
                return true;
            }
            if !self.seek(state, enabled) {
                return false;
            }
        }
    }
}
