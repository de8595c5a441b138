//! Who can move in a state, and to whom an edge is fair: what fairness is judged by.
//!
//! Those to whom a run may be unfair are processes or, for the assumption (*), steps. Sets of them are stored once
//! and numbered.

use super::fairness::ActorSet;
use crate::config::Dependency;
use crate::reduce::dependency::Judge;
use mazurka_model::{Footprint, ProcessId, Step, System};
use std::collections::HashMap;

/// To whom a run may be unfair.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Actors {
    /// To no one.
    Nobody,
    /// To processes.
    Processes,
    /// To steps, which are put off for ever by others that they don't depend on.
    Steps,
}

/// The sets of actors met.
pub struct ActorSets<'s> {
    system: &'s dyn System,
    actors: Actors,
    /// By which steps depend on each other as far as fairness is concerned.
    judge: Option<Judge<'s>>,
    sets: Vec<ActorSet>,
    numbers: HashMap<ActorSet, u32>,
    /// Steps as actors.
    steps: HashMap<Step, u32>,
    taken: Footprint,
    other: Footprint,
}

impl<'s> ActorSets<'s> {
    /// None yet but the empty set, number 0.
    pub fn new(system: &'s dyn System, actors: Actors) -> ActorSets<'s> {
        let relations = system.relations().filter(|_| actors == Actors::Steps);
        ActorSets {
            system,
            actors,
            judge: relations.map(|relations| Judge::new(relations, Dependency::Constant)),
            sets: vec![ActorSet::default()],
            numbers: HashMap::from([(ActorSet::default(), 0)]),
            steps: HashMap::new(),
            taken: Footprint::default(),
            other: Footprint::default(),
        }
    }

    /// A set by its number.
    pub fn get(&self, number: u32) -> &ActorSet {
        &self.sets[number as usize]
    }

    fn number(&mut self, set: ActorSet) -> u32 {
        let next = self.sets.len() as u32;
        *self.numbers.entry(set.clone()).or_insert_with(|| {
            self.sets.push(set);
            next
        })
    }

    /// The set of those who can move in a state with these enabled steps.
    pub fn enabled(&mut self, state: &[u8], enabled: &[Step]) -> u32 {
        if self.actors == Actors::Nobody {
            return 0;
        }
        let mut set = ActorSet::default();
        for step in enabled {
            match self.actors {
                Actors::Nobody => {}
                Actors::Processes => self.moved(state, *step, &mut set),
                Actors::Steps => {
                    let next = self.steps.len() as u32;
                    set.insert(*self.steps.entry(*step).or_insert(next));
                }
            }
        }
        self.number(set)
    }

    /// The set of those to whom a step of a state is fair: the processes that it moves, or the steps that depend on
    /// it.
    pub fn served(&mut self, state: &[u8], step: Step) -> u32 {
        let mut set = ActorSet::default();
        match self.actors {
            Actors::Nobody => {}
            Actors::Processes => self.moved(state, step, &mut set),
            Actors::Steps => self.dependents(state, step, &mut set),
        }
        self.number(set)
    }

    /// Adds the processes that a step moves.
    fn moved(&mut self, state: &[u8], step: Step, out: &mut ActorSet) {
        out.insert(step.process.0.into());
        if let Some(relations) = self.system.relations() {
            let mut alternatives: Vec<(ProcessId, usize)> = Vec::new();
            relations.step(state, step, &mut self.taken);
            relations.alternatives(step, &self.taken, &mut alternatives);
            alternatives.into_iter().for_each(|(process, _)| out.insert(process.0.into()));
        }
    }

    /// Adds the steps of a state that depend on one of them.
    fn dependents(&mut self, state: &[u8], step: Step, out: &mut ActorSet) {
        let (Some(relations), Some(judge)) = (self.system.relations(), &mut self.judge) else { return };
        let mut enabled = Vec::new();
        self.system.enabled(state, &mut enabled);
        relations.step(state, step, &mut self.taken);
        for one in enabled {
            relations.step(state, one, &mut self.other);
            if one == step || judge.dependent(state, &self.taken, &self.other) {
                self.steps.get(&one).into_iter().for_each(|number| out.insert(*number));
            }
        }
    }
}
