//! A graph that is made step by step from outside, edge by edge, instead of state by state.

use super::graph::Graph;
use crate::outcome::Stop;
use crate::search::waits_for_rest;
use mazurka_model::{Chosen, Step, ViolationKind};

impl Graph<'_> {
    /// The steps that can be taken in a state, in the order in which they are tried.
    pub(super) fn steps_of(&mut self, node: u32, state: &[u8]) -> Vec<Step> {
        self.choice.enable(state);
        self.nodes.list[node as usize].enabled = self.actors.enabled(state, &self.choice.enabled);
        self.choice.enabled.clone()
    }

    /// Whether nothing may be left out in a state, nor sleep.
    pub(super) fn must_expand_fully(&mut self, node: u32, state: &[u8], enabled: &[Step]) -> bool {
        let last_resort = waits_for_rest(self.choice.system, state, enabled);
        if last_resort {
            self.choice.meet_last_resort();
            self.stopped = self.stopped.or(self.choice.stopped);
        }
        last_resort || self.is_interior(node)
    }

    /// The next set that the method in force proposes.
    pub(super) fn propose(&mut self, state: &[u8], enabled: &[Step], attempt: usize) -> Option<Vec<Step>> {
        let mut set = Vec::new();
        let proposed = self.choice.reducer.as_mut()?.propose(state, enabled, attempt, &mut set);
        proposed.then(|| set.iter().map(|index| enabled[*index]).collect())
    }

    /// The states that a step leads to, and whether some of them are inside a region.
    pub(super) fn targets_of(&mut self, node: u32, state: &[u8], step: Step) -> (Vec<u32>, bool) {
        let mut single = std::mem::take(&mut self.choice.single);
        single.clear();
        self.choice.system.expand(state, Chosen::Steps(&[step]), &mut single);
        let mut targets = Vec::new();
        for (index, successor) in single.successors().iter().enumerate() {
            targets.extend(self.node(single.state(index), successor.interior));
        }
        let region = single.has_interior();
        let overflow = single.violations().iter().find(|met| met.kind == ViolationKind::Overflow);
        if let Some(met) = overflow.filter(|_| !self.choice.system.represents_all()) {
            self.overflow = Some((node, *met));
            self.stopped = self.stopped.or(Some(Stop::Errors));
        }
        self.choice.single = single;
        (targets, region)
    }

    /// Whether nothing that can be done in a state leads anywhere. Then nobody can move there.
    pub(super) fn is_dead(&mut self, node: u32) -> bool {
        let state = self.nodes.store.state(self.nodes.list[node as usize].state);
        self.choice.single.clear();
        self.choice.system.expand(&state, Chosen::All, &mut self.choice.single);
        let dead = self.choice.single.is_empty();
        if dead {
            self.nodes.list[node as usize].enabled = self.actors.enabled(&state, &[]);
        }
        dead
    }

    /// Sets the edges of a state for good; without any, nothing moves there.
    pub(super) fn set_edges(&mut self, node: u32, edges: &[(u32, Step)]) {
        let first = self.edges.targets.len();
        edges.iter().for_each(|(target, step)| self.edges.add(first, *target, *step));
        if edges.is_empty() && self.ends {
            self.edges.add(first, node, Step::default());
        }
        let count = (self.edges.targets.len() - first) as u32;
        let noted = &mut self.nodes.list[node as usize];
        (noted.first, noted.edges, noted.chosen) = (first as u64, count, true);
        noted.stands_still = edges.is_empty();
    }
}
