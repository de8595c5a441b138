//! Process fairness: which infinite runs are looked at.
//!
//! *Weak* fairness (justice): a process that from some point on can always move, moves infinitely often.
//! *Strong* fairness (compassion): a process that can move infinitely often, moves infinitely often. A
//! handshake moves both its processes. States inside atomic regions don't count as states where the
//! others can't move: what one process does alone is one step as far as fairness is concerned. Only if
//! a run never leaves an atomic region again, the others can't move indeed.

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
}

impl Fairness {
    /// All assumptions by the names of the command line.
    pub const NAMES: [(&'static str, Fairness); 3] =
        [("none", Fairness::None), ("weak", Fairness::Weak), ("strong", Fairness::Strong)];
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

/// A set of processes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ProcessSet(Vec<u64>);

impl ProcessSet {
    /// Adds a process.
    pub fn insert(&mut self, process: u16) {
        let word = usize::from(process / 64);
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (process % 64);
    }

    /// Whether a process is in the set.
    pub fn contains(&self, process: u16) -> bool {
        self.0.get(usize::from(process / 64)).is_some_and(|word| word >> (process % 64) & 1 == 1)
    }

    /// Adds all of another set.
    pub fn unite(&mut self, other: &ProcessSet) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine |= theirs);
    }

    /// Keeps only what is in another set too.
    pub fn intersect(&mut self, other: &ProcessSet) {
        self.0.truncate(other.0.len());
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine &= theirs);
    }

    /// Takes out all of another set.
    pub fn subtract(&mut self, other: &ProcessSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine &= !theirs);
    }

    /// Whether nothing is in the set.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Whether the sets have a process in common.
    pub fn meets(&self, other: &ProcessSet) -> bool {
        self.0.iter().zip(&other.0).any(|(mine, theirs)| mine & theirs != 0)
    }

    /// The processes, in order.
    pub fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        let bits = |(index, word): (usize, &u64)| {
            let word = *word;
            (0..64u16).filter(move |bit| word >> bit & 1 == 1).map(move |bit| index as u16 * 64 + bit)
        };
        self.0.iter().enumerate().flat_map(bits)
    }
}

/// What a strongly connected set of states says about fairness.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chances {
    /// Who can move in every state outside atomic regions; `None` if there is no such state.
    pub always: Option<ProcessSet>,
    /// Who can move in some state outside atomic regions.
    pub sometimes: ProcessSet,
    /// Who moves on some edge.
    pub moves: ProcessSet,
}

impl Chances {
    /// Of one state, in which these processes can move.
    pub fn of_state(enabled: &ProcessSet, interior: bool) -> Chances {
        match interior {
            true => Chances::default(),
            false => Chances {
                always: Some(enabled.clone()),
                sometimes: enabled.clone(),
                moves: ProcessSet::default(),
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
    pub fn wronged(&self, fairness: Fairness) -> ProcessSet {
        let mut wronged = match fairness {
            Fairness::None => ProcessSet::default(),
            Fairness::Weak => self.always.clone().unwrap_or_default(),
            Fairness::Strong => self.sometimes.clone(),
        };
        wronged.subtract(&self.moves);
        wronged
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(processes: &[u16]) -> ProcessSet {
        let mut set = ProcessSet::default();
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
