//! Fairness: which infinite runs are looked at.
//!
//! *Weak* fairness (justice): a process that from some point on can always move, moves infinitely often.
//! *Strong* fairness (compassion): a process that can move infinitely often, moves infinitely often. A
//! handshake moves both its processes. States inside atomic regions don't count as states where the
//! others can't move: what one process does alone is one step as far as fairness is concerned. Only if
//! a run never leaves an atomic region again, the others can't move indeed.
//!
//! *Trace* fairness, the assumption (*) of Peled (1993, section 3.2): if a step can be taken, some step that depends on
//! it, perhaps itself, is taken later. The dependency is always the constant one of unrefined operations, whatever
//! dependency a reduction goes by, so that no answer depends on that. A step that can be taken stays so until
//! a step is taken that depends on it, so a cycle is unfair exactly if some step can be taken in all its
//! states outside of regions and no step on it depends on that one. It is weaker than weak fairness.

use std::fmt;
use std::str::FromStr;

use crate::config::{UnknownName, by_name, name_of};

/// A fairness assumption.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fairness {
    /// Every run counts.
    #[default]
    None,
    /// Who can always move, moves again and again.
    Weak,
    /// Who can move again and again, moves again and again.
    Strong,
    /// Behind what can be done comes something that depends on it.
    Trace,
}

impl Fairness {
    /// All assumptions by the names of the command line.
    pub const NAMES: [(&'static str, Fairness); 4] = [
        ("none", Fairness::None),
        ("weak", Fairness::Weak),
        ("strong", Fairness::Strong),
        ("trace", Fairness::Trace),
    ];

    /// Whether it is enough that who is wronged can't move in one state of those visited again and again.
    pub fn excuses_pauses(self) -> bool {
        matches!(self, Fairness::Weak | Fairness::Trace)
    }
}

impl FromStr for Fairness {
    type Err = UnknownName;
    fn from_str(text: &str) -> Result<Fairness, UnknownName> {
        by_name(&Fairness::NAMES, text)
    }
}

impl fmt::Display for Fairness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name_of(&Fairness::NAMES, self))
    }
}

/// A set of those to whom a run may be unfair: processes or, under trace fairness, steps, by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ActorSet(Vec<u64>);

impl ActorSet {
    /// The empty set.
    pub const NOBODY: &'static ActorSet = &ActorSet(Vec::new());

    /// Adds one.
    pub fn insert(&mut self, actor: u32) {
        let word = (actor / 64) as usize;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (actor % 64);
    }

    /// Whether one is in the set.
    pub fn contains(&self, actor: u32) -> bool {
        self.0.get((actor / 64) as usize).is_some_and(|word| word >> (actor % 64) & 1 == 1)
    }

    /// Adds all of another set.
    pub fn unite(&mut self, other: &ActorSet) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine |= theirs);
    }

    /// Keeps only what is in another set too.
    pub fn intersect(&mut self, other: &ActorSet) {
        self.0.truncate(other.0.len());
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine &= theirs);
    }

    /// Takes out all of another set.
    pub fn subtract(&mut self, other: &ActorSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine &= !theirs);
    }

    /// Whether nothing is in the set.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Whether the sets have one in common.
    pub fn meets(&self, other: &ActorSet) -> bool {
        self.0.iter().zip(&other.0).any(|(mine, theirs)| mine & theirs != 0)
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let bits = |(index, word): (usize, &u64)| {
            let word = *word;
            (0..64u32).filter(move |bit| word >> bit & 1 == 1).map(move |bit| index as u32 * 64 + bit)
        };
        self.0.iter().enumerate().flat_map(bits)
    }
}

/// What a strongly connected set of states says about fairness.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chances {
    /// Who can move in every state outside atomic regions; `None` if there is no such state.
    pub always: Option<ActorSet>,
    /// Who can move in some state outside atomic regions.
    pub sometimes: ActorSet,
    /// Who moves on some edge.
    pub moves: ActorSet,
}

impl Chances {
    /// Of one state, in which these processes can move.
    pub fn of_state(enabled: &ActorSet, interior: bool) -> Chances {
        match interior {
            true => Chances::default(),
            false => Chances {
                always: Some(enabled.clone()),
                sometimes: enabled.clone(),
                moves: ActorSet::default(),
            },
        }
    }

    /// Joins what two sets of states say.
    pub fn join(&mut self, other: &Chances) {
        match (&mut self.always, &other.always) {
            (Some(mine), Some(theirs)) => mine.intersect(theirs),
            (mine @ None, theirs) => mine.clone_from(theirs),
            (Some(_), None) => {}
        }
        self.sometimes.unite(&other.sometimes);
        self.moves.unite(&other.moves);
    }

    /// Who is wronged by a run that visits all these states again and again.
    pub fn wronged(&self, fairness: Fairness) -> ActorSet {
        let mut wronged = match fairness {
            Fairness::None => ActorSet::default(),
            Fairness::Weak | Fairness::Trace => self.always.clone().unwrap_or_default(),
            Fairness::Strong => self.sometimes.clone(),
        };
        wronged.subtract(&self.moves);
        wronged
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(processes: &[u32]) -> ActorSet {
        let mut set = ActorSet::default();
        processes.iter().for_each(|p| set.insert(*p));
        set
    }

    #[test]
    fn sets_of_different_lengths_agree() {
        let (mut few, many) = (set(&[1]), set(&[1, 3, 200]));
        assert!(few.meets(&many) && !few.meets(&set(&[0, 200])));
        few.unite(&many);
        assert_eq!(few.iter().collect::<Vec<_>>(), [1, 3, 200]);
        few.intersect(&set(&[3, 64]));
        assert_eq!(few.iter().collect::<Vec<_>>(), [3]);
        few.subtract(&many);
        assert!(few.is_empty() && !few.contains(3));
    }

    #[test]
    fn interior_states_are_no_excuse() {
        let mut chances = Chances::of_state(&set(&[0, 1]), false);
        chances.join(&Chances::of_state(&set(&[0]), true));
        chances.moves.insert(0);
        assert_eq!(chances.wronged(Fairness::Weak).iter().collect::<Vec<_>>(), [1]);
        chances.join(&Chances::of_state(&set(&[0]), false));
        assert!(chances.wronged(Fairness::Weak).is_empty());
        assert_eq!(chances.wronged(Fairness::Strong).iter().collect::<Vec<_>>(), [1]);
    }
}
