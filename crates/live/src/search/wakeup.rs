//! Wakeup trees: what is still to be explored from a state, as sequences that are known to lead to something new
//! (Abdulla, Aronis, Jonsson and Sagonas 2017, section 6).

use crate::runtime::operation::{Access, NONE, dependent};

/// A node of a wakeup tree: a step, and the steps after it.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub(crate) step: Access,
    pub(crate) children: Vec<Branch>,
}

impl Branch {
    /// A single step, after which nothing is prescribed.
    pub(crate) fn leaf(step: Access) -> Branch {
        Branch { step, children: Vec::new() }
    }

    /// A sequence as a tree.
    fn chain(steps: &[Access]) -> Option<Branch> {
        let mut rest = Vec::new();
        for &step in steps.iter().rev() {
            rest = vec![Branch { step, children: rest }];
        }
        rest.pop()
    }
}

/// A step that need not be explored from a state.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Sleeper {
    pub(crate) step: Access,
    /// Whether all that follows it has been explored; else someone is at it.
    pub(crate) explored: bool,
}

/// A sequence of steps from a state, with what in it precedes what.
#[derive(Debug, Default)]
pub(crate) struct Sequence {
    pub(crate) steps: Vec<Access>,
    /// Which steps are not taken out.
    left: Vec<bool>,
    /// For each step, the place of each earlier step that happens before it.
    before: Vec<Vec<u32>>,
    /// How many outcomes the last step can have, if that is open.
    pub(crate) outcomes: u32,
}

impl Sequence {
    pub(crate) fn clear(&mut self) {
        self.steps.clear();
        self.left.clear();
    }

    /// Adds a step; `precedes(i)` says whether step `i` happens before it.
    pub(crate) fn push(&mut self, step: Access, precedes: impl Fn(usize) -> bool) {
        let place = self.steps.len();
        if self.before.len() <= place {
            self.before.resize_with(place + 1, Vec::new);
        }
        let list = &mut self.before[place];
        list.clear();
        list.extend((0..place).filter(|&earlier| precedes(earlier)).map(|earlier| earlier as u32));
        self.steps.push(step);
        self.left.push(true);
    }

    /// Takes out all steps from this place on but the last.
    pub(crate) fn shorten(&mut self, needed: usize) {
        let last = self.steps.len() - 1;
        self.left[needed.min(last)..last].fill(false);
    }

    fn first_of(&self, thread: u32) -> Option<usize> {
        (0..self.steps.len()).find(|&place| self.left[place] && self.steps[place].thread == thread)
    }

    fn is_initial(&self, place: usize) -> bool {
        self.before[place].iter().all(|&earlier| !self.left[earlier as usize])
    }

    fn remaining(&self) -> impl Iterator<Item = &Access> {
        self.steps.iter().zip(&self.left).filter(|(_, left)| **left).map(|(step, _)| step)
    }

    /// Whether a step is a weak initial of the sequence: some equivalent sequence, perhaps a longer one, starts
    /// with it. The answer names its place if it occurs.
    pub(crate) fn weak_initial(&self, step: &Access) -> Option<Option<usize>> {
        match self.first_of(step.thread) {
            Some(place) => {
                // Two outcomes of one operation are different steps. An open outcome is any of them: the last
                // step of the sequence is like another only if it can have but one.
                let other = self.steps[place].choice;
                let open = place + 1 == self.steps.len() && self.outcomes > 1;
                let same = other == step.choice || step.choice == NONE || (other == NONE && !open);
                (same && self.is_initial(place)).then_some(Some(place))
            }
            None => self.remaining().all(|other| !dependent(step, other)).then_some(None),
        }
    }

    /// Whether the last step can come first, and all of its outcomes are among these steps.
    pub(crate) fn all_outcomes<'a>(&self, steps: impl Iterator<Item = &'a Access>) -> bool {
        let last = self.steps.len() - 1;
        let thread = self.steps[last].thread;
        self.outcomes > 1
            && self.first_of(thread) == Some(last)
            && self.is_initial(last)
            && steps.filter(|step| step.thread == thread).count() as u32 >= self.outcomes
    }

    /// The threads whose next steps are initials.
    pub(crate) fn initials(&self) -> impl Iterator<Item = &Access> {
        (0..self.steps.len())
            .filter(|&place| self.left[place] && self.is_initial(place))
            .map(|place| &self.steps[place])
    }

    /// Inserts the sequence into a tree, unless the tree already leads to it. `true` if it was inserted.
    pub(crate) fn insert(&mut self, tree: &mut Vec<Branch>) -> bool {
        let mut level = tree;
        loop {
            let found = level
                .iter()
                .enumerate()
                .find_map(|(index, branch)| self.weak_initial(&branch.step).map(|place| (index, place)));
            let Some((index, place)) = found else {
                let rest: Vec<Access> = self.remaining().copied().collect();
                return match Branch::chain(&rest) {
                    Some(branch) => {
                        level.push(branch);
                        true
                    }
                    None => false,
                };
            };
            if let Some(place) = place {
                self.left[place] = false;
            }
            if level[index].children.is_empty() || !self.left.contains(&true) {
                return false;
            }
            level = &mut level[index].children;
        }
    }
}
