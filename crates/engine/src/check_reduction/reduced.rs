//! What the reduced search explored, against the full graph: nothing is lost, nothing is put off for ever.
//!
//! *Kept*: every deadlock state is visited, or one that counts as the same, every place that goes wrong goes wrong, the same places stay
//! unreached, and no state is visited that does not exist.
//!
//! *The proviso*, for properties that need one: no step that is enabled in a visited state is put off for
//! ever. Without sleep sets: from that state some explored path leads, through states in which the step
//! is enabled, to one in which it is explored. That is what keeps assertions; it allows cycles without a
//! fully expanded state, as do the provisos of both searches, for as long as a way leads out of them.
//! With sleep sets, where a step may be left out because it was explored elsewhere, every visited state
//! must reach one in which everything that was awake was explored.

use super::graph::Graph;
use super::likeness::Likeness;
use super::record::{Record, Recorder, Visit};
use super::{Breach, Report};
use crate::config::{Config, Limits};
use crate::monitor::Monitor;
use crate::outcome::{Guarantee, Outcome};
use crate::reduce::{self, Proviso};
use mazurka_model::{Step, System};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Runs the search of `config` over the system of `graph` and compares.
pub fn compare(
    graph: &Graph<'_>,
    likeness: &Likeness<'_>,
    config: &Config,
    monitor: &dyn Monitor,
    report: &mut Report,
) {
    let recorder = Recorder::new(monitor);
    let limits = Limits { states: Some(u64::from(graph.expanded()) + 1), ..Limits::default() };
    let config = Config { limits, max_errors: 0, ..config.clone() };
    let outcome = crate::check(graph.system(), &config, &recorder);
    let record = recorder.finish();
    report.reduced_states = record.visits.len() as u64;
    if graph.complete() {
        kept(graph, likeness, &config, &record, &outcome, report);
    }
    if outcome.stopped.is_some() {
        report.cut = true;
    } else if reduce::proviso(graph.system(), &outcome.config) != Proviso::None {
        let places = Places::new(&record);
        if outcome.config.reduction.sleep {
            places.all_reach_whole(graph.system(), report);
        } else {
            places.nothing_ignored(graph.system(), likeness, report);
        }
    }
}

fn kept(
    graph: &Graph<'_>,
    likeness: &Likeness<'_>,
    config: &Config,
    record: &Record,
    outcome: &Outcome,
    report: &mut Report,
) {
    let values = |state: &[u8]| graph.system().describe().values(state);
    if let Some(state) = record.visits.keys().find(|state| graph.number(state).is_none()) {
        let message = "the reduced search visits a state that the full one does not know".to_owned();
        report.breach(Breach { message, state: values(state), ..Breach::default() });
    }
    if config.properties.deadlock {
        let visited = record.visits.keys().filter_map(|state| graph.number(state));
        let found: BTreeSet<u32> = visited
            .filter(|number| graph.is_deadlock(*number))
            .map(|number| likeness.class(number))
            .collect();
        for number in (0..graph.expanded()).filter(|number| graph.is_deadlock(*number)) {
            if !found.contains(&likeness.class(number)) {
                let message = "the reduced search loses this deadlock".to_owned();
                report.breach(Breach { message, state: values(graph.state(number)), ..Breach::default() });
            }
        }
    }
    if config.properties.assertions {
        for (_, violation) in graph.wrongs.iter().filter(|(wrong, _)| !record.wrongs.contains(wrong)) {
            let text = graph.system().describe().violation(violation).text;
            let message = format!("the reduced search loses an error: {text}");
            report.breach(Breach { message, ..Breach::default() });
        }
    }
    // Nobody says what is unreached where states may be missing.
    if config.properties.unreached && outcome.guarantee == Guarantee::Exact {
        let found: BTreeSet<u32> = outcome.unreached.iter().map(|place| place.number).collect();
        for place in graph.system().describe().places() {
            if graph.covered(place.number) == found.contains(&place.number) {
                let message =
                    format!("the reduced search is wrong about whether a place is reached: {}", place.text);
                report.breach(Breach { message, ..Breach::default() });
            }
        }
    }
}

/// The explored part as a graph with numbered states.
struct Places<'r> {
    visits: Vec<(&'r [u8], &'r Visit)>,
    predecessors: Vec<Vec<usize>>,
}

impl<'r> Places<'r> {
    fn new(record: &'r Record) -> Places<'r> {
        let mut visits: Vec<(&[u8], &Visit)> = record.visits.iter().map(|(s, v)| (&**s, v)).collect();
        // A report must not depend on the order of a hash table.
        visits.sort_by_key(|(state, _)| *state);
        let numbers: HashMap<&[u8], usize> = visits.iter().enumerate().map(|(n, v)| (v.0, n)).collect();
        let mut predecessors = vec![Vec::new(); visits.len()];
        for (number, (_, visit)) in visits.iter().enumerate() {
            for successor in &visit.successors {
                if let Some(&at) = numbers.get(&**successor) {
                    predecessors[at].push(number);
                }
            }
        }
        Places { visits, predecessors }
    }

    /// The states that reach one of `good` through states that `through` admits.
    fn reach(&self, good: Vec<usize>, through: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut reaches = vec![false; self.visits.len()];
        good.iter().for_each(|&number| reaches[number] = true);
        let mut work = good;
        while let Some(number) = work.pop() {
            for &before in &self.predecessors[number] {
                if !reaches[before] && through(before) {
                    reaches[before] = true;
                    work.push(before);
                }
            }
        }
        reaches
    }

    fn all_reach_whole(&self, system: &dyn System, report: &mut Report) {
        let good = (0..self.visits.len()).filter(|&number| self.visits[number].1.whole).collect();
        let reaches = self.reach(good, |_| true);
        if let Some(number) = (0..self.visits.len()).find(|&number| !reaches[number]) {
            let message = "the proviso is broken: no state that can be reached from this one by explored steps \
                           is expanded fully";
            let state = system.describe().values(self.visits[number].0);
            report.breach(Breach { message: message.to_owned(), state, ..Breach::default() });
        }
    }

    fn nothing_ignored(&self, system: &dyn System, likeness: &Likeness<'_>, report: &mut Report) {
        // Where a step is enabled but not explored, and where it is. What leads into a region that never ends has no edge that would show it, but is
        // explored with all the others where nothing is left out.
        let mut put_off: BTreeMap<Step, Vec<usize>> = BTreeMap::new();
        let mut taken: BTreeMap<Step, Vec<usize>> = BTreeMap::new();
        let mut enabled = Vec::new();
        for (number, (state, visit)) in self.visits.iter().enumerate() {
            enabled.clear();
            system.enabled(state, &mut enabled);
            for step in enabled.iter().filter(|step| !likeness.is_removal(state, **step)) {
                let explored = visit.whole || visit.explored.contains(step);
                let places = if explored { &mut taken } else { &mut put_off };
                places.entry(*step).or_default().push(number);
            }
        }
        for (step, states) in put_off {
            let mut waits = vec![false; self.visits.len()];
            states.iter().for_each(|&number| waits[number] = true);
            let good = taken.remove(&step).unwrap_or_default();
            let reaches = self.reach(good, |number| waits[number]);
            if let Some(number) = states.into_iter().find(|&number| !reaches[number]) {
                let state = self.visits[number].0;
                let text = system.describe().step(state, step);
                let message = format!(
                    "the proviso is broken: the step `{}: {}` is put off for ever from here on",
                    text.process, text.text
                );
                let state = system.describe().values(state);
                report.breach(Breach { message, state, ..Breach::default() });
            }
        }
    }
}
