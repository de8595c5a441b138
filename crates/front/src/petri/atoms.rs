//! Conditions on markings as the [atoms](Atoms) of temporal properties.
//!
//! Every sum of tokens that a condition compares is an object of the net ([levels](super::formula::Levels)), to
//! which a transition adds its net effect. So a transition that leaves all sums as they are is one
//! that a temporal property can't see, even if it moves tokens between the places of a sum.

use super::formula::{Formula, Goal};
use super::relations::{Operations, observation};
use super::system::NetSystem;
use mazurka_model::{Access, Atoms};

/// Conditions made ready by [`NetSystem::conditions`].
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    goals: Vec<Goal>,
}

/// Conditions over the markings of a net.
#[derive(Copy, Clone, Debug)]
pub struct NetAtoms<'a> {
    system: &'a NetSystem,
    conditions: &'a Conditions,
}

impl NetSystem {
    /// Prepares the conditions that a temporal property is made of. They stay right whatever the width of
    /// the words, but not if the net gets another invariant.
    pub fn conditions(&mut self, formulas: &[Formula]) -> Conditions {
        let goals = formulas.iter().map(|formula| self.levels.goal(&self.net, formula, false)).collect();
        self.operations = Operations::new(&self.moves, &self.initial, &self.levels);
        Conditions { goals }
    }

    /// Conditions as atoms over the markings of this net.
    pub fn atoms<'a>(&'a self, conditions: &'a Conditions) -> NetAtoms<'a> {
        NetAtoms { system: self, conditions }
    }
}

impl Atoms for NetAtoms<'_> {
    fn count(&self) -> usize {
        self.conditions.goals.len()
    }

    fn letter(&self, state: &[u8]) -> u64 {
        let holds = |goal: &Goal| goal.holds(&|number| self.system.level(number, state));
        let goals = self.conditions.goals.iter().take(64).enumerate();
        goals.fold(0, |letter, (atom, goal)| letter | u64::from(holds(goal)) << atom)
    }

    fn looks_at(&self, atom: usize, out: &mut Vec<Access>) -> bool {
        looks(self.system, &self.conditions.goals[atom], out);
        true
    }
}

fn looks(system: &NetSystem, goal: &Goal, out: &mut Vec<Access>) {
    match goal {
        Goal::Constant(_) => {}
        Goal::AtLeast(..) | Goal::AtMost(..) => out.extend(observation(&system.operations, goal)),
        Goal::All(parts) | Goal::Any(parts) => parts.iter().for_each(|part| looks(system, part, out)),
    }
}
