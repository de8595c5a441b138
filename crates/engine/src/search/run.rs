//! What every search keeps beside its frontier: limits, counts, findings, and the final answer.

use super::path::{Target, Way};
use crate::checkpoint::{self, Writer};
use crate::config::{Config, OnFull, Properties, StoreKind};
use crate::expand::{Expander, Met};
use crate::monitor::{Expansion, Halt, Monitor, Progress};
use crate::outcome::{Guarantee, Omission, Outcome, Statistics, Stop, Verdict};
use crate::reduce;
use crate::store::Recollection;
use mazurka_model::{Batch, Finding, FindingKind, Place, System, Trace, ViolationKind};
use std::borrow::Cow;
use std::collections::HashSet;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Findings kept with their traces; further errors are only counted.
const MOST_FINDINGS: usize = 10_000;
/// Expansions between two looks at the clock.
const PATIENCE: u32 = 256;

/// A search that is over.
pub struct Finished {
    /// What it found.
    pub outcome: Outcome,
    /// What its store says of itself.
    pub store: Recollection,
}

/// The record of one run.
pub struct Run<'s> {
    /// The system explored.
    pub system: &'s dyn System,
    /// What is in force, the reduction resolved.
    pub config: Config,
    /// The counts so far.
    pub statistics: Statistics,
    /// Why the search is to end, if it is.
    pub stopped: Option<Stop>,
    /// Some state was not expanded because it lies at the depth limit.
    pub beyond_depth: bool,
    /// Whether states are judged by themselves.
    judges: bool,
    judged: Batch,
    monitor: &'s dyn Monitor,
    /// Whether the monitor is told of every expansion.
    watched: bool,
    pub(super) notes: Vec<String>,
    pub(super) findings: Vec<Finding>,
    /// The way to the last of them.
    way: Way,
    /// Step violations reported so far: one trace per place is enough.
    pub(super) reported: HashSet<FindingKind>,
    /// The deadlocks reported so far, where states may be forgotten and met as new ones again.
    pub(super) deadlocks: HashSet<Box<[u8]>>,
    forgets: bool,
    pub(super) started: Instant,
    last_progress: Instant,
    pub(super) patience: u32,
    last_saved: Instant,
    /// A checkpoint is due.
    due: bool,
    /// The end of the search was saved, or it was tried to.
    end_is_saved: bool,
    /// The bytes of the last look.
    used: Arc<AtomicU64>,
}

impl<'s> Run<'s> {
    /// Starts the clock.
    pub fn new(system: &'s dyn System, config: &Config, monitor: &'s dyn Monitor) -> Run<'s> {
        let (reduction, note) = reduce::resolve(system, config);
        let now = Instant::now();
        Run {
            system,
            config: Config { reduction, ..config.clone() },
            statistics: Statistics::default(),
            stopped: None,
            beyond_depth: false,
            judges: system.judges_states() && config.properties.on_states(),
            judged: Batch::default(),
            monitor,
            watched: monitor.watches(),
            notes: note.into_iter().collect(),
            findings: Vec::new(),
            way: Way::default(),
            reported: HashSet::new(),
            deadlocks: HashSet::new(),
            forgets: config.store == StoreKind::Cache || config.on_full == OnFull::Cache,
            started: now,
            last_progress: now,
            patience: 1,
            last_saved: now,
            due: false,
            end_is_saved: false,
            used: Arc::default(),
        }
    }

    /// Who watches.
    pub fn monitor(&self) -> &'s dyn Monitor {
        self.monitor
    }

    /// When long work within an expansion has to be given up.
    pub fn halt(&self) -> Halt<'s> {
        let deadline = self.config.limits.time.and_then(|limit| self.started.checked_add(limit));
        let Config { limits, threads, .. } = self.config;
        Halt::new(self.monitor, deadline, limits, threads).with_memory(Arc::clone(&self.used))
    }

    /// Whether to go on after an expansion into `edges` edges. `measure` gives depth and bytes, and is
    /// only asked now and then, the sooner the larger expansions are.
    #[inline]
    pub fn go_on(&mut self, edges: usize, measure: impl FnOnce() -> (u64, u64)) -> bool {
        if self.is_look_due(1, edges) {
            self.look(measure());
        }
        self.stopped.is_none()
    }

    /// Whether it is time to look at the limits, after so many expansions into `edges` edges.
    #[inline]
    pub fn is_look_due(&mut self, expansions: u32, edges: usize) -> bool {
        self.patience = self.patience.saturating_sub(expansions + (edges / 16) as u32);
        let due = self.patience == 0;
        if due {
            self.patience = PATIENCE;
        }
        due
    }

    /// Looks at the limits and tells the monitor, with the present depth and bytes.
    pub fn look(&mut self, (depth, memory): (u64, u64)) {
        let now = Instant::now();
        self.used.store(memory, Ordering::Relaxed);
        let elapsed = now - self.started;
        let limits = self.config.limits;
        if self.monitor.interrupted() {
            self.stopped = Some(Stop::Interrupted);
        } else if limits.time.is_some_and(|limit| elapsed >= limit) {
            self.stopped = Some(Stop::Time);
        } else if limits.memory.is_some_and(|limit| memory > limit) {
            self.stopped = Some(Stop::Memory);
        }
        if let Some(checkpoints) = &self.config.checkpoints {
            self.due = now - self.last_saved >= checkpoints.every;
        }
        if now - self.last_progress >= Duration::from_millis(100) {
            self.last_progress = now;
            self.monitor.progress(&Progress {
                states: self.statistics.states,
                transitions: self.statistics.transitions(),
                depth,
                memory,
                elapsed,
            });
        }
    }

    /// Whether the search is to be saved now: from time to time, and when a limit or an interruption has
    /// ended it, from which it can go on.
    #[inline]
    pub fn is_save_due(&self) -> bool {
        self.due || self.config.checkpoints.is_some() && self.is_cut_short()
    }

    /// Whether a limit or an interruption has ended the search, so that it could go on.
    fn is_cut_short(&self) -> bool {
        matches!(self.stopped, Some(Stop::Interrupted | Stop::Time | Stop::Memory | Stop::States))
    }

    /// Writes a checkpoint whose contents `write` writes.
    pub fn save_with(&self, write: impl FnOnce(&mut Writer<'_>) -> io::Result<()>) -> io::Result<()> {
        match &self.config.checkpoints {
            Some(checkpoints) => checkpoint::file::write(&checkpoints.file, self.system, &self.config, write),
            None => Ok(()),
        }
    }

    /// Notes what became of a checkpoint that was due.
    pub fn saved(&mut self, written: io::Result<()>) {
        self.due = false;
        self.end_is_saved = self.stopped.is_some();
        if let (Err(error), Some(checkpoints)) = (written, &self.config.checkpoints) {
            let note = format!("the checkpoint {} was not written: {error}", checkpoints.file.display());
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        // Writing may take longer than the time between two checkpoints.
        self.last_saved = Instant::now();
    }

    /// Counts a new state.
    #[inline]
    pub fn count_state(&mut self) {
        self.statistics.states += 1;
        if self.config.limits.states.is_some_and(|limit| self.statistics.states >= limit) {
            self.stopped = self.stopped.or(Some(Stop::States));
        }
    }

    /// Whether the monitor is told of every expansion.
    pub fn is_watched(&self) -> bool {
        self.watched
    }

    /// Tells the monitor what the expansion of `state` came to.
    #[inline]
    pub fn expanded(&self, state: &[u8], expander: &Expander<'_>, whole: bool) {
        if self.watched {
            self.monitor.expanded(Expansion { state, edges: expander.edges(), met: expander.met(), whole });
        }
    }

    /// Reports what was met in the expansion of the last of `states`, the way there from an initial
    /// state.
    pub fn report_met<'a>(&mut self, met: &[Met], states: impl Fn() -> Vec<Cow<'a, [u8]>>) {
        for m in met {
            let v = m.violation;
            let Properties { assertions, reception, .. } = self.config.properties;
            let asked = match v.kind {
                ViolationKind::Contract | ViolationKind::Overflow => true,
                ViolationKind::Reception => assertions || reception,
                ViolationKind::Assertion | ViolationKind::Fault => assertions,
            };
            if !asked {
                continue;
            }
            self.statistics.errors += 1;
            let kind = FindingKind::Step { kind: v.kind, place: v.place };
            if self.reported.insert(kind) {
                self.report(kind, &states(), Some(Target::Violation(m.first, v)));
            }
        }
    }

    /// Reports the conditions on states that the last of `states` breaks, if the system has any.
    pub fn judge<'a>(&mut self, state: &[u8], states: impl Fn() -> Vec<Cow<'a, [u8]>>) {
        if !self.judges {
            return;
        }
        self.judged.clear();
        self.system.judge(state, &mut self.judged);
        for index in 0..self.judged.violations().len() {
            let reception = self.judged.violations()[index].kind == ViolationKind::Reception;
            let Properties { assertions, reception: asked, .. } = self.config.properties;
            if !(if reception { asked } else { assertions }) {
                continue;
            }
            self.statistics.errors += 1;
            let violation = self.judged.violations()[index];
            let kind = FindingKind::State { kind: violation.kind, place: violation.place };
            if self.reported.insert(kind) {
                self.report(kind, &states(), None);
            }
        }
    }

    /// Judges `state`, the last of `states`, which has no enabled step.
    pub fn dead_end<'a>(&mut self, state: &[u8], states: impl Fn() -> Vec<Cow<'a, [u8]>>) {
        if self.config.properties.deadlock && !self.system.valid_end(state) && self.is_news(state) {
            self.statistics.errors += 1;
            self.report(FindingKind::Deadlock, &states(), None);
        }
    }

    /// Whether a deadlock was not met before, as far as that is known.
    fn is_news(&mut self, state: &[u8]) -> bool {
        !self.forgets || self.deadlocks.len() >= MOST_FINDINGS || self.deadlocks.insert(state.into())
    }

    /// Judges `state`, the last of `states`, which lies at the depth limit and is not expanded.
    pub fn at_depth_limit<'a>(&mut self, state: &[u8], states: impl Fn() -> Vec<Cow<'a, [u8]>>) {
        let mut enabled = Vec::new();
        self.system.enabled(state, &mut enabled);
        if enabled.is_empty() {
            self.dead_end(state, states);
        } else {
            self.beyond_depth = true;
        }
    }

    fn report(&mut self, kind: FindingKind, states: &[Cow<'_, [u8]>], last: Option<Target<'_>>) {
        let trace = match self.findings.len() < MOST_FINDINGS {
            true => self.way.trace(self.system, states, last),
            false => return self.stop_at_errors(),
        };
        self.report_run(kind, trace);
    }

    /// Reports an error with its run; without one, the system contradicts itself.
    pub fn report_run(&mut self, kind: FindingKind, trace: Option<Trace>) {
        match trace {
            Some(trace) => self.findings.push(Finding { kind, trace }),
            None => self.inconsistent(),
        }
        self.stop_at_errors();
    }

    fn stop_at_errors(&mut self) {
        if self.stopped.is_none()
            && self.config.max_errors > 0
            && self.findings.len() >= self.config.max_errors
        {
            self.stopped = Some(Stop::Errors);
        }
    }

    /// Looks at the initial states: none at all, or one that could not be written, is no system.
    pub fn initial(&mut self, initial: &Batch) {
        if initial.is_empty() || !initial.violations().is_empty() {
            self.notes.push("the system has no initial state, or one that can't be stored".to_owned());
            self.inconsistent();
        }
    }

    /// Adds a remark.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// A step executed again did not lead where it led before: nothing can be said of such a system.
    pub fn inconsistent(&mut self) {
        self.stopped = Some(Stop::Inconsistent);
    }

    /// Draws the conclusion, with what the store says of itself. `covered` says whether a place was executed.
    pub fn finish(mut self, store: &Recollection, covered: impl Fn(u32) -> bool) -> Outcome {
        self.statistics.search_time = self.started.elapsed();
        // Where states that were given up are met again it may have been below zero for a moment, in which the search was stopped.
        self.statistics.matched = (self.statistics.matched as i64).max(0) as u64;
        self.statistics.replaced = store.replaced;
        self.statistics.disk_bytes = store.on_disk;
        if store.replaced > 0 {
            let distinct = store.distinct.as_ref().map(|sketch| sketch.estimate() as u64);
            self.statistics.distinct = distinct.map(|distinct| distinct.min(self.statistics.states));
        }
        let incomplete = self.stopped.or(self.beyond_depth.then_some(Stop::Depth));
        let guarantee = match (incomplete, store.omissions) {
            (Some(_), _) => Guarantee::Bounded,
            (None, Some(expected)) => {
                Guarantee::Probabilistic(Omission::new(self.statistics.states, expected))
            }
            (None, None) => Guarantee::Exact,
        };
        // Nothing is said to hold that rests on anything but a look at every state.
        let verdict = match (self.findings.is_empty(), guarantee) {
            (true, Guarantee::Exact) => Verdict::Holds,
            (true, _) => Verdict::Unknown,
            (false, _) => Verdict::Violated,
        };
        let reason = match (guarantee, incomplete) {
            (Guarantee::Probabilistic(omission), _) => format!("states may be taken for others; {omission}"),
            (_, Some(stop)) => stop.reason().to_owned(),
            (_, None) => String::new(),
        };
        let unreached = if self.config.properties.unreached && guarantee == Guarantee::Exact {
            unreached(self.system.describe().places().into_iter().filter(|p| !covered(p.number)))
        } else {
            Vec::new()
        };
        let left_open = self.is_cut_short() && !self.end_is_saved;
        let mut notes = self.notes;
        if let Some(checkpoints) = self.config.checkpoints.as_ref().filter(|_| left_open) {
            let file = checkpoints.file.display();
            notes.push(format!(
                "the search ended in the middle of a state, so its end was not saved to {file}"
            ));
        }
        notes.extend(
            (store.refused_by_disk.iter())
                .map(|error| format!("it was the file of states that could not grow: {error}")),
        );
        notes.extend(self.system.remarks());
        let codec = self.config.codec_in_force(store.tree);
        Outcome {
            verdict,
            guarantee,
            guarantee_reason: reason,
            stopped: incomplete,
            findings: self.findings,
            unreached,
            statistics: self.statistics,
            config: Config { codec, ..self.config },
            runs: None,
            notes,
        }
    }
}

/// Places in the order of the source.
fn unreached(places: impl Iterator<Item = Place>) -> Vec<Place> {
    let mut places: Vec<Place> = places.collect();
    places.sort_by(|a, b| (a.span, &a.text, a.number).cmp(&(b.span, &b.text, b.number)));
    places
}
