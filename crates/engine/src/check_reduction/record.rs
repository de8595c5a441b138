//! A record of what a search explored, kept beside it.

use super::graph::{Wrong, wrong};
use crate::monitor::{Expansion, Monitor};
use mazurka_model::Step;
use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;

/// What became of a state.
#[derive(Debug, Default)]
pub struct Visit {
    /// The steps explored.
    pub explored: BTreeSet<Step>,
    /// Where they lead.
    pub successors: BTreeSet<Box<[u8]>>,
    /// Everything that was awake was explored.
    pub whole: bool,
}

/// All states that were expanded, and what went wrong.
#[derive(Default)]
pub struct Record {
    pub visits: HashMap<Box<[u8]>, Visit>,
    pub wrongs: BTreeSet<Wrong>,
}

/// Records all expansions of a search.
pub struct Recorder<'m> {
    record: Mutex<Record>,
    monitor: &'m dyn Monitor,
}

impl<'m> Recorder<'m> {
    /// Asks `monitor` whether to stop.
    pub fn new(monitor: &'m dyn Monitor) -> Recorder<'m> {
        Recorder { record: Mutex::default(), monitor }
    }

    /// What was recorded.
    pub fn finish(self) -> Record {
        self.record.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Monitor for Recorder<'_> {
    fn interrupted(&self) -> bool {
        self.monitor.interrupted()
    }

    fn watches(&self) -> bool {
        true
    }

    fn expanded(&self, expansion: Expansion<'_>) {
        let mut record = self.record.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        record.wrongs.extend(expansion.met.iter().map(|m| wrong(&m.violation)));
        let visit = record.visits.entry(expansion.state.into()).or_default();
        visit.whole |= expansion.whole;
        visit.explored.extend(expansion.met.iter().map(|m| m.first));
        for (index, successor) in expansion.edges.successors().iter().enumerate() {
            visit.explored.insert(successor.step);
            visit.successors.insert(expansion.edges.state(index).into());
        }
    }
}
