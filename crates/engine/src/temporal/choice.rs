//! Which steps of a state are taken: a small set that the property allows, or all of them.
//!
//! This knows how steps are proposed, seen and expanded, and nothing of graphs: whether a set may be taken without a cycle
//! of reduced states (the condition C3) is for the graph to say, one thread's or that of several.

use super::actors::Actors;
use super::extended::Extended;
use super::faithful::Faithful;
use super::graph::Mode;
use super::visibility::Visibility;
use crate::config::{Config, Order};
use crate::expand::Expander;
use crate::monitor::{Expansion, Halt, Monitor};
use crate::outcome::Stop;
use crate::reduce::pause::Pause;
use crate::reduce::{self, Reducer};
use crate::search::{sort_steps, waits_for_rest};
use mazurka_model::{Batch, Chosen, Footprint, ProcessId, Step, System, Violation, ViolationKind};

/// Orders of the processes of one state in which a method is asked for a set.
const MOST_ORDERS: usize = 4;

/// Whether a set of steps that leads to the states of this batch may be taken alone.
pub type Allows<'a> = dyn FnMut(&Batch) -> bool + 'a;

/// What chooses.
pub struct Choice<'s> {
    pub(super) system: &'s dyn System,
    visibility: Option<Visibility<'s>>,
    /// In trace mode.
    extended: Option<&'s Extended<'s>>,
    pub(super) reducer: Option<Box<dyn Reducer + 's>>,
    pub(super) order: Order,
    actors: Actors,
    /// The property sees nothing of what happens inside of atomic regions.
    overlooks: bool,
    footprint: Footprint,
    /// Only strongly faithful sets will do, if this is there.
    faithful: Option<Faithful>,
    pause: Pause,
    /// When other orders of the processes than the first are not tried.
    reordering: Pause,
    expander: Expander<'s>,
    /// Who wants to be told what was chosen.
    watcher: Option<&'s dyn Monitor>,
    pub(super) single: Batch,
    pub(super) enabled: Vec<Step>,
    visible: Vec<bool>,
    /// A step of the state asked about last whose result can't be represented.
    pub overflow: Option<Violation>,
    /// A step was met that waits until nothing else can move: then process fairness depends on more than
    /// the extended dependencies know of.
    pub met_last_resort: bool,
    /// Why nothing more can be chosen.
    pub stopped: Option<Stop>,
}

impl<'s> Choice<'s> {
    /// Under options whose reduction is resolved.
    pub fn new(
        system: &'s dyn System,
        mode: Mode<'s>,
        actors: Actors,
        halt: Halt<'s>,
        config: &Config,
    ) -> Choice<'s> {
        let (reducer, visibility, extended) = match mode {
            Mode::Full => (None, None, None),
            Mode::Stutter(visibility) => (reduce::reducer(system, config), Some(visibility), None),
            Mode::Trace(extended) => (reduce::reducer(extended, config), None, Some(extended)),
        };
        Choice {
            system,
            visibility,
            extended,
            reducer,
            order: config.order,
            actors,
            overlooks: false,
            footprint: Footprint::default(),
            faithful: None,
            pause: Pause::of(system, config).unwrap_or_default(),
            reordering: Pause::default(),
            watcher: halt.watcher(),
            expander: Expander::new(system).limited(config.limits.memory).halted_by(halt),
            single: Batch::default(),
            enabled: Vec::new(),
            visible: Vec::new(),
            overflow: None,
            met_last_resort: false,
            stopped: None,
        }
    }

    /// Takes only strongly faithful sets.
    pub fn strongly(mut self) -> Choice<'s> {
        self.faithful = Some(Faithful::default());
        self
    }

    /// Takes atomic regions as one step, because the property sees nothing of what happens there, if `overlooks`.
    pub fn overlooking(mut self, overlooks: bool) -> Choice<'s> {
        self.overlooks = overlooks;
        self
    }

    /// Bytes of the buffers.
    pub fn bytes(&self) -> u64 {
        self.expander.bytes() + self.reducer.as_ref().map_or(0, |reducer| reducer.bytes())
    }

    /// Steps inside atomic regions that were passed.
    pub fn atomic_steps(&self) -> u64 {
        self.expander.atomic_steps()
    }

    /// The edges of what was chosen last.
    pub fn edges(&self) -> [&Batch; 2] {
        [self.expander.edges(), &self.single]
    }

    /// Finds the enabled steps of a state, in the order in which they are tried.
    pub fn enable(&mut self, state: &[u8]) {
        self.enabled.clear();
        self.system.enabled(state, &mut self.enabled);
        sort_steps(self.order, state, &mut self.enabled);
    }

    /// Chooses steps of a state and expands it by them. Whether some were left out.
    pub fn choose(&mut self, state: &[u8], interior: bool, allows: &mut Allows<'_>) -> bool {
        self.enable(state);
        self.visible.clear();
        if let Some(visibility) = &mut self.visibility {
            self.visible.extend(self.enabled.iter().map(|step| visibility.sees(state, *step)));
        }
        let reduced = self.choose_some(state, interior, allows);
        if !reduced {
            self.choose_all(state);
        }
        self.stopped = self.stopped.or(self.expander.stopped());
        // Of an expansion that was given up edges are missing.
        if let Some(watcher) = self.watcher.filter(|_| self.stopped.is_none()) {
            for (edges, met) in [(self.expander.edges(), self.expander.met()), (&self.single, &[])] {
                watcher.expanded(Expansion { state, edges, met, whole: !reduced });
            }
        }
        reduced
    }

    /// The enabled steps of a state that are taken with the atomic region behind them, because the property sees nothing of it.
    pub fn hidden_steps(&mut self, state: &[u8]) -> Vec<Step> {
        let mut steps = Vec::new();
        self.system.enabled(state, &mut steps);
        steps.retain(|step| self.is_whole(state, *step));
        steps
    }

    /// Whether a step is taken with the atomic region behind it: the property sees nothing of that, and who moves in it
    /// is known beforehand, if that matters.
    fn is_whole(&mut self, state: &[u8], step: Step) -> bool {
        if !self.overlooks {
            return self.visibility.as_mut().is_some_and(|visibility| !visibility.sees(state, step));
        }
        let Some(relations) = self.system.relations().filter(|_| self.actors != Actors::Nobody) else {
            return true;
        };
        let mut movers = Vec::new();
        relations.step(state, step, &mut self.footprint);
        relations.alternatives(step, &self.footprint, &mut movers);
        self.footprint.processes.iter().all(|process| movers.iter().any(|(mover, _)| mover == process))
    }

    /// A step was met that waits until nothing else can move.
    pub fn meet_last_resort(&mut self) {
        self.met_last_resort = true;
        if self.extended.is_some() && self.actors == Actors::Processes {
            self.stopped = self.stopped.or(Some(Stop::Options));
        }
    }

    /// Takes a persistent set, if one may be taken. Where none may be in many states one after another, some
    /// states are not asked about.
    fn choose_some(&mut self, state: &[u8], interior: bool, allows: &mut Allows<'_>) -> bool {
        let all_seen = self.visibility.is_some() && self.visible.iter().all(|visible| *visible);
        if self.reducer.is_none() || interior || all_seen {
            return false;
        }
        if waits_for_rest(self.system, state, &self.enabled) {
            self.meet_last_resort();
            return false;
        }
        if self.enabled.len() < 2 || self.pause.goes_on() {
            return false;
        }
        let chosen = self.seek_set(state, allows);
        self.pause.learn(!chosen);
        chosen
    }

    /// Looks for a persistent set that is taken. A method stops at the first small set that it finds, which need not do
    /// here, so it is asked again with the processes in another order: those come first that are not
    /// useless and were in no set before. Where that was in vain in many states one after another, it is not done in some.
    fn seek_set(&mut self, state: &[u8], allows: &mut Allows<'_>) -> bool {
        let seen = self.enabled.iter().zip(&self.visible).filter(|(_, visible)| **visible);
        let mut useless: Vec<ProcessId> = seen.map(|(step, _)| step.process).collect();
        let mut ordered = self.enabled.clone();
        let mut set = Vec::new();
        for order in 0..MOST_ORDERS {
            ordered.sort_by_key(|step| useless.contains(&step.process));
            let first = ordered[0].process;
            if useless.contains(&first) || order == 1 && self.reordering.goes_on() {
                return false;
            }
            useless.push(first);
            let mut attempt = 0;
            while let Some(reducer) = &mut self.reducer
                && reducer.propose(state, &ordered, attempt, &mut set)
            {
                attempt += 1;
                let steps: Vec<Step> = set.iter().map(|index| ordered[*index]).collect();
                if self.take(state, &steps, allows) {
                    if order > 0 {
                        self.reordering.learn(false);
                    }
                    return true;
                }
                useless.extend(steps.iter().map(|step| step.process));
            }
            if order > 0 {
                self.reordering.learn(true);
            }
        }
        false
    }

    /// Takes a persistent set, if it may be taken. In trace mode each step is taken by itself, and where a region begins
    /// nothing is left out.
    fn take(&mut self, state: &[u8], steps: &[Step], allows: &mut Allows<'_>) -> bool {
        if steps.len() == self.enabled.len() {
            return false;
        }
        if let Some(extended) = self.extended {
            if self.faithful.as_mut().is_some_and(|faithful| !faithful.strongly(extended, state, steps)) {
                return false;
            }
            self.expander.clear();
            return self.expand_singly(state, steps) && allows(&self.single);
        }
        let hidden = |step: &Step| {
            let index = self.enabled.iter().position(|enabled| enabled == step);
            index.is_some_and(|index| !self.visible[index])
        };
        if !steps.iter().all(hidden) {
            return false;
        }
        self.single.clear();
        self.expander.clear();
        self.expander.add(state, Chosen::Steps(steps));
        self.leads_on(steps) && allows(self.expander.edges())
    }

    /// Expands a state by these steps, each by itself. False if one leads into a region, to nowhere, or fails.
    pub(super) fn expand_singly(&mut self, state: &[u8], steps: &[Step]) -> bool {
        self.single.clear();
        self.system.expand(state, Chosen::Steps(steps), &mut self.single);
        let edges = self.single.successors();
        let fails = self.single.violations().iter().any(|met| met.kind != ViolationKind::Assertion);
        let leads_on = |step: &Step| edges.iter().any(|edge| edge.step == *step);
        !fails && !edges.iter().any(|edge| edge.interior) && steps.iter().all(leads_on)
    }

    /// Whether all these steps, by which the state was expanded, lead somewhere, out of regions.
    fn leads_on(&self, steps: &[Step]) -> bool {
        let edges = self.expander.edges();
        // Where a step fails the run ends, and what the others would do is lost.
        let fails = self.expander.met().iter().any(|met| met.violation.kind != ViolationKind::Assertion);
        let leads_on = |step: &Step| edges.successors().iter().any(|edge| edge.step == *step);
        let interior = edges.successors().iter().any(|edge| edge.interior);
        !fails && !interior && !self.expander.is_endless() && steps.iter().all(leads_on)
    }

    /// Takes all enabled steps: with the atomic region behind them, if the property does not see what happens there, else
    /// by themselves.
    fn choose_all(&mut self, state: &[u8]) {
        self.single.clear();
        self.expander.clear();
        if self.visibility.is_none() && !self.overlooks {
            self.system.expand(state, Chosen::Steps(&self.enabled), &mut self.single);
        } else {
            let enabled = std::mem::take(&mut self.enabled);
            let (hidden, shown): (Vec<Step>, Vec<Step>) =
                enabled.iter().partition(|step| self.is_whole(state, **step));
            self.enabled = enabled;
            self.expander.add(state, Chosen::Steps(&hidden));
            let fails = self.expander.met().iter().any(|met| met.violation.kind != ViolationKind::Assertion);
            if self.expander.is_endless() || fails {
                // A run may stay in a region for ever, or end in it, so its states count.
                self.expander.clear();
                self.system.expand(state, Chosen::Steps(&self.enabled), &mut self.single);
            } else {
                self.system.expand(state, Chosen::Steps(&shown), &mut self.single);
            }
        }
        let met = self.expander.met().iter().map(|met| &met.violation).chain(self.single.violations());
        let overflow = met.into_iter().find(|met| met.kind == ViolationKind::Overflow).copied();
        if let Some(violation) = overflow.filter(|_| !self.system.represents_all()) {
            // What lies behind is unknown, so nothing can be said of runs that come here.
            self.overflow = Some(violation);
            self.stopped = self.stopped.or(Some(Stop::Errors));
        }
    }
}
