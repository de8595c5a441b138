//! Which states count as one: each by itself, or those that are alike up to the numbers of processes.
//!
//! Where a reduction [forgets the numbers](crate::reduce::numbers), its sets are persistent among states up to likeness, and removals
//! are no steps there. So orders of steps are compared by what the states behind them are like, removals may be put off for ever, and of deadlocks that
//! are alike one is enough.

use super::graph::Graph;
use crate::config::Config;
use crate::reduce::numbers;
use mazurka_model::{Relations, Step};
use std::collections::{BTreeSet, HashMap};

/// What states of a graph are like.
pub struct Likeness<'s> {
    relations: Option<&'s dyn Relations>,
    /// By the number of a state; empty if each is a class by itself.
    classes: Vec<u32>,
}

impl<'s> Likeness<'s> {
    /// Each state counts.
    pub fn none() -> Likeness<'s> {
        Likeness { relations: None, classes: Vec::new() }
    }

    /// What counts under options whose reduction is resolved.
    pub fn of(graph: &Graph<'s>, config: &Config) -> Likeness<'s> {
        let relations = numbers::relations(graph.system(), config);
        let Some(relations) = relations.filter(|_| numbers::forgets(graph.system(), config)) else {
            return Likeness::none();
        };
        let mut known: HashMap<Vec<u8>, u32> = HashMap::new();
        let mut bytes = Vec::new();
        let classes = (0..graph.len()).map(|number| {
            relations.likeness(graph.state(number), &mut bytes);
            let next = known.len() as u32;
            *known.entry(bytes.clone()).or_insert(next)
        });
        Likeness { relations: Some(relations), classes: classes.collect() }
    }

    /// What a state counts as.
    pub fn class(&self, number: u32) -> u32 {
        self.classes.get(number as usize).copied().unwrap_or(number)
    }

    /// What states count as, each once.
    pub fn classes(&self, numbers: &[u32]) -> BTreeSet<u32> {
        numbers.iter().map(|&number| self.class(number)).collect()
    }

    /// Whether a step changes nothing that counts.
    pub fn is_removal(&self, state: &[u8], step: Step) -> bool {
        self.relations.is_some_and(|relations| relations.is_removal(state, step))
    }
}
