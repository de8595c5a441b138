//! What each machine can do, worked out beforehand.
//!
//! How a machine reacts depends on its state, its register and the event alone. All that it can meet, whatever
//! the rest of the network does, is enumerated when the system is made, up to a budget; what lies beyond
//! the budget is worked out when it is met, and kept, up to a budget of its own. So a transition is a look into a table, and the
//! run-time information of the reduction (1996, section VI.C: a machine executed in "shadow mode") comes with it.

use super::network::Network;
use super::run::{Operation, Operations, Outcome, outcomes};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, PoisonError, RwLock};

/// The most outcomes that are worked out beforehand, and the most that are kept besides.
const BUDGET: usize = 20_000;
const BUDGET_LATER: usize = 200_000;
/// The most work that is spent on them beforehand, in operations.
const WORK: usize = 400_000;

/// What a machine can do in one situation.
#[derive(Clone, Debug, Default)]
pub struct Reaction {
    /// The ways in which it can react.
    pub outcomes: Vec<Outcome>,
    /// What any of them operates on.
    pub operations: Operations,
    /// By queue of another process: the most messages that one outcome sends there.
    pub most: Vec<(usize, usize)>,
    /// Whether some outcome changes the machine's state or register.
    pub changes: bool,
}

/// A situation: machine and event, state, register.
type Key = (u32, u32, u64);

/// A quick hash of a few words.
#[derive(Default)]
pub struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64((*byte).into()));
    }
    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 29;
    }
}

/// The reactions that are kept.
#[derive(Debug, Default)]
pub struct Table {
    known: HashMap<Key, Reaction, BuildHasherDefault<Mix>>,
    later: RwLock<Later>,
}

/// The reactions that were met beyond the budget.
#[derive(Debug, Default)]
struct Later {
    known: HashMap<Key, Arc<Reaction>, BuildHasherDefault<Mix>>,
    outcomes: usize,
}

/// A reaction that was found, or worked out.
pub enum Found<'t> {
    /// From the table.
    Kept(&'t Reaction),
    /// From what was met before, or worked out now.
    Made(Arc<Reaction>),
}

impl std::ops::Deref for Found<'_> {
    type Target = Reaction;
    #[inline]
    fn deref(&self) -> &Reaction {
        match self {
            Found::Kept(reaction) => reaction,
            Found::Made(reaction) => reaction,
        }
    }
}

impl Table {
    /// The table of a network.
    pub fn new(network: &Network) -> Table {
        let mut table = Table::default();
        let (mut budget, mut work) = (BUDGET, WORK);
        for (number, machine) in network.machines.iter().enumerate() {
            let initial = machine.states.iter().enumerate().filter(|(_, state)| state.initial);
            let mut open: Vec<(u32, u64)> = initial.map(|(state, _)| (state as u32, 0)).collect();
            let mut seen: HashMap<(u32, u64), (), BuildHasherDefault<Mix>> =
                open.iter().map(|one| (*one, ())).collect();
            while let Some((state, register)) = open.pop() {
                for event in 0..machine.events.len() as u32 {
                    let mut cost = 0;
                    let reaction = react(network, number, state, register, event, &mut cost);
                    for outcome in reaction.outcomes.iter().filter(|outcome| !outcome.is_fatal()) {
                        let next = (outcome.state, outcome.register);
                        if seen.insert(next, ()).is_none() {
                            open.push(next);
                        }
                    }
                    let Some(left) = budget.checked_sub(reaction.outcomes.len()) else { return table };
                    let Some(rest) = work.checked_sub(cost) else { return table };
                    (budget, work) = (left, rest);
                    table.known.insert((machine.first_message + event, state, register), reaction);
                }
            }
        }
        table
    }

    /// What a machine can do when it gets a message.
    #[inline]
    pub fn look(&self, network: &Network, message: u32, state: u32, register: u64) -> Found<'_> {
        match self.known.get(&(message, state, register)) {
            Some(reaction) => Found::Kept(reaction),
            None => Found::Made(self.look_further(network, (message, state, register))),
        }
    }

    /// The same for what was not worked out beforehand.
    fn look_further(&self, network: &Network, key: Key) -> Arc<Reaction> {
        // A thread that panicked left the table as it was, or with one more entry.
        let later = self.later.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = later.known.get(&key) {
            return known.clone();
        }
        drop(later);
        let to = network.messages[key.0 as usize];
        let made = Arc::new(react(network, to.machine as usize, key.1, key.2, to.event, &mut 0));
        let mut later = self.later.write().unwrap_or_else(PoisonError::into_inner);
        if later.outcomes < BUDGET_LATER && later.known.insert(key, made.clone()).is_none() {
            later.outcomes += made.outcomes.len();
        }
        made
    }

    /// How many situations are worked out beforehand.
    pub fn len(&self) -> usize {
        self.known.len()
    }
}

fn react(
    network: &Network,
    number: usize,
    state: u32,
    register: u64,
    event: u32,
    work: &mut usize,
) -> Reaction {
    let machine = &network.machines[number];
    let outcomes = outcomes(machine, state, register, event, work);
    let mut reaction = Reaction { outcomes, ..Reaction::default() };
    for outcome in &reaction.outcomes {
        reaction.changes |= (outcome.state, outcome.register) != (state, register);
        let mut counts: Vec<(usize, usize)> = Vec::new();
        for operation in &outcome.operations {
            reaction.operations.note(network, number, *operation);
            if let Operation::Send(message) = operation {
                let process = network.destination(*message);
                if process != machine.process {
                    match counts.iter_mut().find(|(known, _)| *known == process) {
                        Some((_, count)) => *count += 1,
                        None => counts.push((process, 1)),
                    }
                }
            }
        }
        for (process, count) in counts {
            match reaction.most.iter_mut().find(|(known, _)| *known == process) {
                Some((_, most)) => *most = (*most).max(count),
                None => reaction.most.push((process, count)),
            }
        }
    }
    reaction
}
