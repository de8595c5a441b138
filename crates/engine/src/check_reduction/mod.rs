//! The checked mode of the reductions: does what they choose keep what they promise?
//!
//! Explores the full state graph, up to a limit, and compares: every set that the configured method
//! proposes, in every state of the full graph, is checked against the definition of a persistent set
//! (`persistent`); the search with the reduction, sleep sets included, must keep every deadlock and every
//! error, and must not put any step off for ever (`reduced`). Independence is judged by executing steps in
//! both orders, so a wrong footprint, a wrong table of an object and a wrong algorithm all show up here. Where the numbers of processes
//! don't count, states that are alike count as one (`likeness`).
//!
//! For a temporal property the graph that is reduced for it is checked in its turn (`temporal`): sets, visibility, cycles, and the verdict.
//!
//! Nothing found is proof for this model and these options if the graph was complete; otherwise it is
//! evidence.

mod graph;
mod likeness;
mod persistent;
mod record;
mod reduced;
mod temporal;

use crate::config::{Config, Order};
use crate::monitor::Monitor;
use crate::reduce::{self, Reducer};
use likeness::Likeness;
use mazurka_model::System;

pub use graph::{Graph, Move};
pub use temporal::verify_temporal;

/// A promise that was broken, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Breach {
    /// What is wrong, in words.
    pub message: String,
    /// The state in which it shows, as named values.
    pub state: Vec<(String, String)>,
    /// The set that was proposed there, in words; empty if it is not about a set.
    pub set: Vec<String>,
    /// Steps outside the set, one after another from that state, the last of which is the offender.
    pub sequence: Vec<String>,
}

/// What the checked mode found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The promises broken, at most as many as asked for.
    pub breaches: Vec<Breach>,
    /// States of the full graph.
    pub states: u64,
    /// States that the reduced search visited.
    pub reduced_states: u64,
    /// Sets that were proposed and checked.
    pub sets: u64,
    /// Pairs of steps whose independence was checked.
    pub pairs: u64,
    /// Something was left out, because a limit was reached or the run was interrupted.
    pub cut: bool,
    most_breaches: usize,
}

impl Report {
    fn new(graph: &Graph<'_>, most_breaches: usize) -> Report {
        let (states, cut) = (u64::from(graph.expanded()), !graph.complete());
        Report { most_breaches, states, cut, ..Report::default() }
    }

    fn breach(&mut self, breach: Breach) {
        if !self.enough() {
            self.breaches.push(breach);
        }
    }

    fn enough(&self) -> bool {
        self.breaches.len() >= self.most_breaches
    }
}

/// Checks the reduction of `config` on `system`, in at most `most_states` states, until
/// `most_breaches` were found. The monitor is only asked whether to stop.
pub fn verify(
    system: &dyn System,
    config: &Config,
    most_states: u64,
    most_breaches: usize,
    monitor: &dyn Monitor,
) -> Report {
    verify_on(&explore(system, most_states, monitor), config, most_breaches, monitor)
}

/// The full state graph, of at most `most_states` states, on which several reductions can be checked.
pub fn explore<'s>(system: &'s dyn System, most_states: u64, monitor: &dyn Monitor) -> Graph<'s> {
    // States are numbered with 32 bits.
    let most = usize::try_from(most_states).unwrap_or(usize::MAX).min(1 << 30);
    Graph::explore(system, most, &|| !monitor.interrupted())
}

/// Checks the reduction of `config` on an explored graph.
pub fn verify_on(graph: &Graph<'_>, config: &Config, most_breaches: usize, monitor: &dyn Monitor) -> Report {
    let (reduction, _) = reduce::resolve(graph.system(), config);
    let resolved = Config { reduction, ..config.clone() };
    let likeness = Likeness::of(graph, &resolved);
    let mut reducer = reduce::numbers::relations(graph.system(), &resolved)
        .and_then(|relations| reduce::reducer_by(graph.system(), relations, &resolved));
    let mut report = match &mut reducer {
        Some(reducer) => {
            verify_sets_up_to(graph, &likeness, config.order, &mut **reducer, most_breaches, monitor)
        }
        None => Report::new(graph, most_breaches),
    };
    if !report.enough() {
        reduced::compare(graph, &likeness, config, monitor, &mut report);
    }
    report
}

/// Checks only that what `reducer` proposes is persistent, in every state of an explored graph, with the
/// steps in this order.
pub fn verify_sets(
    graph: &Graph<'_>,
    order: Order,
    reducer: &mut dyn Reducer,
    most_breaches: usize,
    monitor: &dyn Monitor,
) -> Report {
    verify_sets_up_to(graph, &Likeness::none(), order, reducer, most_breaches, monitor)
}

fn verify_sets_up_to(
    graph: &Graph<'_>,
    likeness: &Likeness<'_>,
    order: Order,
    reducer: &mut dyn Reducer,
    most_breaches: usize,
    monitor: &dyn Monitor,
) -> Report {
    let mut report = Report::new(graph, most_breaches);
    let mut checker = persistent::Checker::new(likeness);
    for number in 0..graph.expanded() {
        if monitor.interrupted() {
            report.cut = true;
            break;
        }
        checker.state(graph, number, reducer, order, &mut report);
    }
    report
}
