//! A small depth-first search that can be made to make mistakes: the plainest form of what the engine does,
//! for systems without atomic regions.

use mazurka_engine::Dependency;
use mazurka_engine::reduce::Reducer;
use mazurka_engine::reduce::dependency::Judge;
use mazurka_model::{Batch, Chosen, Footprint, Relations, Step, System};
use std::collections::{BTreeSet, HashMap};

/// What of a search is done wrongly, or not at all.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// Nothing is.
    None,
    /// No proviso.
    NoProviso,
    /// The proviso is judged on sleeping edges too.
    SleepingEdgesCount,
}

/// The errors that a search found: the deadlock states, and the places of violations.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Errors {
    pub deadlocks: BTreeSet<Vec<u8>>,
    pub violated: BTreeSet<u32>,
}

pub struct Careless<'s> {
    system: &'s dyn System,
    relations: &'s dyn Relations,
    reducer: Box<dyn Reducer + 's>,
    judge: Judge<'s>,
    sleeps: bool,
    mistake: Mistake,
    /// The sleep set of each state.
    visited: HashMap<Vec<u8>, BTreeSet<Step>>,
    stack: Vec<Vec<u8>>,
    errors: Errors,
}

impl<'s> Careless<'s> {
    pub fn new(
        system: &'s dyn System,
        reducer: Box<dyn Reducer + 's>,
        sleeps: bool,
        mistake: Mistake,
    ) -> Careless<'s> {
        let relations = system.relations().expect("programs have relations");
        let judge = Judge::new(relations, Dependency::Refined);
        let (visited, stack, errors) = (HashMap::new(), Vec::new(), Errors::default());
        Careless { system, relations, reducer, judge, sleeps, mistake, visited, stack, errors }
    }

    /// Explores everything; what it found.
    pub fn errors(mut self) -> Errors {
        let mut initial = Batch::default();
        self.system.initial(&mut initial);
        self.visit(initial.state(0), &BTreeSet::new());
        self.errors
    }

    fn visit(&mut self, state: &[u8], sleep: &BTreeSet<Step>) {
        let mut enabled = Vec::new();
        self.system.enabled(state, &mut enabled);
        if let Some(stored) = self.visited.get(state) {
            let woken: Vec<Step> = stored.difference(sleep).copied().collect();
            if woken.is_empty() {
                return;
            }
            let both: BTreeSet<Step> = stored.intersection(sleep).copied().collect();
            self.visited.insert(state.to_vec(), both.clone());
            self.stack.push(state.to_vec());
            self.explore(state, &woken, &mut both.into_iter().collect());
            self.stack.pop();
            return;
        }
        self.visited.insert(state.to_vec(), sleep.clone());
        if enabled.is_empty() && !self.system.valid_end(state) {
            self.errors.deadlocks.insert(state.to_vec());
        }
        self.stack.push(state.to_vec());
        let mut taken: Vec<Step> = sleep.iter().copied().collect();
        // All at once: the reducer is asked about other states before the next attempt.
        let mut sets = Vec::new();
        let mut set = Vec::new();
        while self.reducer.propose(state, &enabled, sets.len(), &mut set) {
            sets.push(set.clone());
        }
        let mut enough = false;
        for set in sets {
            if enough {
                break;
            }
            let chosen: Vec<Step> = set.iter().map(|&index| enabled[index]).collect();
            let awake: Vec<Step> = chosen.iter().filter(|step| !taken.contains(step)).copied().collect();
            let judged = if self.mistake == Mistake::SleepingEdgesCount { &chosen } else { &awake };
            enough = self.mistake == Mistake::NoProviso || self.leaves_the_stack(state, judged);
            self.explore(state, &awake, &mut taken);
        }
        if !enough {
            let rest: Vec<Step> = enabled.iter().filter(|step| !taken.contains(step)).copied().collect();
            self.explore(state, &rest, &mut taken);
        }
        self.stack.pop();
    }

    fn leaves_the_stack(&self, state: &[u8], steps: &[Step]) -> bool {
        let mut edges = Batch::default();
        self.system.expand(state, Chosen::Steps(steps), &mut edges);
        (0..edges.len()).any(|index| !self.stack.iter().any(|open| open == edges.state(index)))
    }

    /// Takes these steps one after another; behind each those sleep that were taken before and commute.
    fn explore(&mut self, state: &[u8], steps: &[Step], taken: &mut Vec<Step>) {
        for &step in steps {
            let own = self.footprint(state, step);
            let mut behind = BTreeSet::new();
            for &other in taken.iter().filter(|_| self.sleeps) {
                let footprint = self.footprint(state, other);
                if !self.judge.dependent(state, &footprint, &own) {
                    behind.insert(other);
                }
            }
            taken.push(step);
            let mut edges = Batch::default();
            self.system.expand(state, Chosen::Steps(&[step]), &mut edges);
            self.errors.violated.extend(edges.violations().iter().map(|violation| violation.place));
            (0..edges.len()).for_each(|index| self.visit(edges.state(index), &behind));
        }
    }

    fn footprint(&self, state: &[u8], step: Step) -> Footprint {
        let mut footprint = Footprint::default();
        self.relations.step(state, step, &mut footprint);
        footprint
    }
}
