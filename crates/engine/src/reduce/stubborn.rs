//! Persistent sets as closed sets of moves (Godefroid and Pirottin 1993, Definitions 8, 9 and 12).
//!
//! The graph of [`super::moves`] says which moves must come along. From each enabled step the
//! smallest closed set that contains it is sought; of those the one with the fewest enabled steps is
//! proposed first, then the others. What a move that is not enabled waits for leaves a choice between
//! conditions. [`Effort::Quick`] takes the condition that brings the fewest enabled steps, one move
//! after another. [`Effort::Deletion`] also starts from all moves and takes out one after
//! another for as long as an enabled step is left (Valmari's deletion algorithm): no closed set within
//! the result is smaller.
//!
//! By *processes* ([`Scope::Process`]) all alternatives of a process come together: the algorithm of
//! Overman with operations instead of objects, as in the 1996 paper. By *moves* each alternative is a
//! node of its own, as in the stubborn sets of Valmari.

use super::Reducer;
use super::bits::Bits;
use super::dependency::Judge;
use super::moves::Moves;
use mazurka_model::{Relations, Step};

/// What comes along together.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All alternatives of a process.
    Process,
    /// Each alternative by itself.
    Move,
}

/// How hard small sets are sought.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Effort {
    /// One closure for each enabled step.
    Quick,
    /// The deletion algorithm as well, unless a single step was found.
    Deletion,
}

/// Proposes closed sets, those with the fewest enabled steps first.
pub struct Stubborn<'s> {
    moves: Moves<'s>,
    scope: Scope,
    effort: Effort,
    closed: Bits,
    work: Vec<usize>,
    chosen: Vec<bool>,
    /// The enabled steps of the closed sets that were found, so many of them.
    candidates: Vec<Vec<usize>>,
    used: usize,
    /// The nodes that come along next.
    new: Vec<usize>,
    /// The nodes that some enabled step takes.
    enabled: Bits,
    /// Some closure of this state chose between conditions: others might be smaller.
    chose: bool,
    /// Nodes with which all enabled steps come along, whatever is chosen.
    hopeless: Bits,
}

impl<'s> Stubborn<'s> {
    /// For a system with these relations.
    pub fn new(relations: &'s dyn Relations, judge: Judge<'s>, scope: Scope, effort: Effort) -> Stubborn<'s> {
        Stubborn {
            moves: Moves::new(relations, judge),
            scope,
            effort,
            closed: Bits::default(),
            work: Vec::new(),
            chosen: Vec::new(),
            candidates: Vec::new(),
            used: 0,
            new: Vec::new(),
            enabled: Bits::default(),
            chose: false,
            hopeless: Bits::default(),
        }
    }

    fn insert(&mut self, node: usize) {
        match self.scope {
            Scope::Move => {
                if !self.closed.contains(node) {
                    self.closed.insert(node);
                    self.work.push(node);
                }
            }
            Scope::Process => {
                let (first, count) = self.moves.siblings(node);
                for sibling in first..first + count {
                    if !self.closed.contains(sibling) {
                        self.closed.insert(sibling);
                        self.work.push(sibling);
                    }
                }
            }
        }
    }

    fn insert_new(&mut self) {
        for index in 0..self.new.len() {
            self.insert(self.new[index]);
        }
    }

    /// Closes what is in `self.work`; false if it comes to as many steps as `most`.
    fn close(&mut self, state: &[u8], most: usize) -> bool {
        let mut steps = 0;
        self.chosen.iter_mut().for_each(|c| *c = false);
        while let Some(node) = self.work.pop() {
            if self.hopeless.contains(node) {
                return false;
            }
            for &step in self.moves.steps_of(node) {
                if !std::mem::replace(&mut self.chosen[step], true) {
                    steps += 1;
                }
            }
            if steps >= most {
                return false;
            }
            let (closed, enabled) = (&self.closed, &self.enabled);
            let best = match self.moves.choices(state, node) {
                [] => continue,
                [only] => only,
                several => {
                    self.chose = true;
                    let size = |c: &&Bits| (c.common_without(enabled, closed), c.count());
                    match several.iter().min_by_key(size) {
                        Some(best) => best,
                        None => continue,
                    }
                }
            };
            self.new.clear();
            self.new.extend(best.iter().filter(|&n| !closed.contains(n)));
            self.insert_new();
        }
        true
    }

    fn keep(&mut self) {
        let steps = (0..self.chosen.len()).filter(|&s| self.chosen[s]);
        if self.used == self.candidates.len() {
            self.candidates.push(Vec::new());
        }
        let candidate = &mut self.candidates[self.used];
        candidate.clear();
        candidate.extend(steps);
        if !self.candidates[..self.used].contains(&self.candidates[self.used]) {
            self.used += 1;
        }
    }

    fn seek(&mut self, state: &[u8], enabled: &[Step]) {
        self.used = 0;
        self.moves.load(state, enabled);
        let nodes = self.moves.nodes();
        self.enabled.clear(nodes);
        for node in 0..nodes {
            if !self.moves.steps_of(node).is_empty() {
                self.enabled.insert(node);
            }
        }
        self.chosen.clear();
        self.chosen.resize(enabled.len(), false);
        self.hopeless.clear(nodes);
        let mut alternatives = false;
        for step in 0..enabled.len() {
            // A closed set within one that was found is looked for only if effort is asked for.
            let found = || self.candidates[..self.used].iter().any(|c| c.contains(&step));
            if self.effort == Effort::Quick && found() {
                continue;
            }
            self.closed.clear(nodes);
            self.work.clear();
            self.new.clear();
            self.new.extend(self.moves.nodes_of(step));
            self.insert_new();
            self.chose = false;
            if self.close(state, enabled.len()) {
                self.keep();
                if self.candidates[self.used - 1].len() == 1 {
                    break;
                }
            } else if !self.chose {
                let (moves, hopeless) = (&self.moves, &mut self.hopeless);
                moves.nodes_of(step).for_each(|node| hopeless.insert(node));
            }
            alternatives |= self.chose;
        }
        let fewest = self.candidates[..self.used].iter().map(Vec::len).min();
        // Where nothing was chosen the closures are the smallest closed sets there are.
        if self.effort == Effort::Deletion && fewest != Some(1) && alternatives {
            self.delete(state, enabled.len());
        }
        self.candidates[..self.used].sort_by_key(Vec::len);
    }

    /// The deletion algorithm: from all moves.
    fn delete(&mut self, state: &[u8], steps: usize) {
        let nodes = self.moves.nodes();
        self.closed.clear(nodes);
        self.closed.insert_range(0, nodes);
        let order: Vec<usize> = self.enabled.iter().collect();
        let mut before = Bits::default();
        for node in order {
            if !self.closed.contains(node) {
                continue;
            }
            before.copy_from(&self.closed);
            self.take_out(state, node);
            if !self.closed.meets(&self.enabled) {
                self.closed.copy_from(&before);
            }
        }
        self.chosen.iter_mut().for_each(|c| *c = false);
        for node in self.closed.iter() {
            self.moves.steps_of(node).iter().for_each(|&s| self.chosen[s] = true);
        }
        if self.chosen.iter().filter(|c| **c).count() < steps {
            self.keep();
        }
    }

    /// Takes a node out of `self.closed`, and all that can't stay without it.
    fn take_out(&mut self, state: &[u8], node: usize) {
        let nodes = self.moves.nodes();
        self.work.clear();
        self.work.push(node);
        while let Some(node) = self.work.pop() {
            if !self.closed.contains(node) {
                continue;
            }
            self.closed.remove(node);
            if self.scope == Scope::Process {
                let (first, count) = self.moves.siblings(node);
                self.work.extend(first..first + count);
            }
            for other in 0..nodes {
                if self.closed.contains(other)
                    && !self.moves.choices(state, other).iter().any(|c| c.is_within(&self.closed))
                {
                    self.work.push(other);
                }
            }
        }
    }
}

impl Reducer for Stubborn<'_> {
    fn propose(&mut self, state: &[u8], enabled: &[Step], attempt: usize, set: &mut Vec<usize>) -> bool {
        if enabled.len() < 2 {
            return false;
        }
        if attempt == 0 {
            self.seek(state, enabled);
        }
        let Some(candidate) = self.candidates[..self.used].get(attempt) else { return false };
        set.clear();
        set.extend_from_slice(candidate);
        set.len() < enabled.len()
    }
}
