//! A swarm (Holzmann, Joshi and Groce 2008): several small bit-state searches, each with an order and hashes of its
//! own, at the same time.
//!
//! What one search takes for visited, another does not, and one that is cut short by a limit has seen other parts of the
//! system than the next. An error that any of them finds is an error. How much they have seen together is
//! estimated: a state that one search omits with probability p and another with q is omitted by both with
//! probability pq, because their hashes are independent. States that can be reached only through omitted ones are
//! not counted, here as there.
//!
//! So the product says something of the states that were met. That nothing at all was lost it can't say: where each search has
//! lost some state, what lies behind those states was met by none. One search that has lost nothing is enough for that. The probability that
//! it did lose something is about the number of states that are to be expected lost ([`Omission`]); but it is the best of several
//! searches, and by chance the least of *n* such numbers is as small as a given one *n* times as often. So *n* times the least is what is claimed, where
//! those that a limit has cut short count, too: the ones that come to their end before it may be those that lost most.

use super::begin;
use super::run::Finished;
use crate::config::{Bits, Config, Order, StoreKind};
use crate::monitor::{Expansion, Monitor, Progress};
use crate::outcome::{Guarantee, Omission, Outcome, Statistics, Stop, Verdict};
use crate::store::hash;
use crate::store::sketch::Sketch;
use mazurka_model::trace::execute;
use mazurka_model::{Batch, Finding, FindingKind, System, Trace};
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How many searches, and how many of them at a time.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Swarm {
    /// All searches.
    pub searches: usize,
    /// Those at a time; they share the memory.
    pub threads: usize,
}

/// Watches one of the searches: lets the monitor of all see the sum, and ends the search when another one
/// has found enough.
struct Part<'a> {
    all: &'a dyn Monitor,
    enough: &'a AtomicBool,
    /// States and transitions of the searches that are over.
    over: &'a [AtomicU64; 2],
}

impl Monitor for Part<'_> {
    fn progress(&self, progress: &Progress) {
        let [states, transitions] = self.over;
        self.all.progress(&Progress {
            states: progress.states + states.load(Ordering::Relaxed),
            transitions: progress.transitions + transitions.load(Ordering::Relaxed),
            ..*progress
        });
    }

    fn interrupted(&self) -> bool {
        self.enough.load(Ordering::Relaxed) || self.all.interrupted()
    }

    fn expanded(&self, expansion: Expansion<'_>) {
        self.all.expanded(expansion);
    }

    fn watches(&self) -> bool {
        self.all.watches()
    }
}

/// Explores `system` with a swarm of bit-state searches. The store of the configuration is not asked for.
pub fn swarm(system: &dyn System, config: &Config, monitor: &dyn Monitor, swarm: Swarm) -> Outcome {
    let started = Instant::now();
    let searches = swarm.searches.max(1);
    let swarm = Swarm { searches, threads: swarm.threads.clamp(1, searches) };
    let next = AtomicUsize::new(0);
    let enough = AtomicBool::new(false);
    let over = [AtomicU64::new(0), AtomicU64::new(0)];
    let finished: Mutex<Vec<(usize, Finished)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..swarm.threads {
            scope.spawn(|| {
                let part = Part { all: monitor, enough: &enough, over: &over };
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= searches || number > 0 && part.interrupted() {
                        return;
                    }
                    let Some(config) = member(config, number, swarm, started.elapsed()) else { return };
                    let one = begin(system, &config, &part);
                    let Outcome { statistics, stopped, .. } = &one.outcome;
                    over[0].fetch_add(statistics.states, Ordering::Relaxed);
                    over[1].fetch_add(statistics.transitions(), Ordering::Relaxed);
                    if *stopped == Some(Stop::Errors) {
                        enough.store(true, Ordering::Relaxed);
                    }
                    // A search that panicked took its thread along; the list it left is whole.
                    finished.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((number, one));
                }
            });
        }
    });
    let mut finished = finished.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    // In their own order, whichever was first.
    finished.sort_by_key(|(number, _)| *number);
    let all: Vec<Finished> = finished.into_iter().map(|(_, one)| one).collect();
    let mut outcome = merge(system, &all, config, swarm.threads);
    outcome.statistics.search_time = started.elapsed();
    outcome
}

/// The options of one search that begins after so much time: the first keeps the order that was asked for. All of them together keep to the
/// limits. `None`: there is no time left for another one.
fn member(config: &Config, number: usize, swarm: Swarm, elapsed: Duration) -> Option<Config> {
    let seed = hash(&(config.bits.seed ^ (number as u64) << 32).to_le_bytes());
    let mut limits = config.limits;
    limits.memory = limits.memory.map(|memory| memory / swarm.threads as u64);
    limits.states = limits.states.map(|states| (states / swarm.searches as u64).max(1));
    limits.time = limits.time.map(|time| time.saturating_sub(elapsed));
    if number > 0 && limits.time == Some(Duration::ZERO) {
        return None;
    }
    Some(Config {
        store: StoreKind::Bitstate,
        order: if number == 0 { config.order } else { Order::Random(seed) },
        bits: Bits { seed: if number == 0 { config.bits.seed } else { seed }, ..config.bits },
        limits,
        checkpoints: None,
        threads: 1,
        ..config.clone()
    })
}

fn merge(system: &dyn System, all: &[Finished], config: &Config, threads: usize) -> Outcome {
    let mut statistics = Statistics::default();
    let mut found = Found { system, findings: Vec::new(), deadlocks: HashSet::new() };
    let mut notes: Vec<String> = Vec::new();
    let mut seen = Sketch::default();
    let (mut omitted, mut least) = (1.0, f64::INFINITY);
    let mut through = 0;
    let mut stopped = None;
    for Finished { outcome, store } in all {
        let counts = &outcome.statistics;
        statistics.states += counts.states;
        statistics.matched += counts.matched;
        statistics.atomic_steps += counts.atomic_steps;
        statistics.reopened += counts.reopened;
        statistics.depth = statistics.depth.max(counts.depth);
        statistics.errors = statistics.errors.max(counts.errors);
        statistics.state_bytes = statistics.state_bytes.max(counts.state_bytes);
        statistics.store_bytes = statistics.store_bytes.max(counts.store_bytes * threads as u64);
        statistics.stack_bytes = statistics.stack_bytes.max(counts.stack_bytes * threads as u64);
        outcome.findings.iter().for_each(|finding| found.add(finding, config.max_errors));
        notes.extend(outcome.notes.iter().filter(|note| !notes.contains(note)).cloned().collect::<Vec<_>>());
        if let Some(sketch) = &store.distinct {
            seen.merge(sketch);
        }
        match outcome.guarantee {
            Guarantee::Probabilistic(omission) => {
                through += 1;
                omitted *= omission.lost;
                least = omission.expected.min(least);
            }
            Guarantee::Exact | Guarantee::Bounded => {}
        }
        if stopped != Some(Stop::Errors) {
            stopped =
                outcome.stopped.filter(|stop| *stop != Stop::Interrupted || stopped.is_none()).or(stopped);
        }
    }
    let findings = found.findings;
    let distinct = seen.estimate();
    statistics.distinct = Some(distinct as u64);
    statistics.errors = statistics.errors.max(findings.len() as u64);
    let searches = all.len();
    notes.push(format!(
        "{searches} searches, {through} of them to their end; about {} different states",
        distinct as u64
    ));
    // One search that came to its end is enough to say how much was met; the others only add to it.
    let guarantee = if through > 0 && stopped != Some(Stop::Errors) {
        stopped = None;
        let (expected, coverage) = ((distinct * omitted).max(least * all.len() as f64), 1.0 - omitted);
        Guarantee::Probabilistic(Omission { expected, coverage, lost: omitted })
    } else {
        Guarantee::Bounded
    };
    let reason = match (guarantee, stopped) {
        (Guarantee::Probabilistic(omission), _) => format!("states may be taken for others; {omission}"),
        (_, Some(stop)) => stop.reason().to_owned(),
        (_, None) => "no search came to its end".to_owned(),
    };
    let resolved = all.first().map_or_else(|| config.clone(), |one| one.outcome.config.clone());
    Outcome {
        verdict: if findings.is_empty() { Verdict::Unknown } else { Verdict::Violated },
        guarantee,
        guarantee_reason: reason,
        stopped,
        findings,
        unreached: Vec::new(),
        statistics,
        config: Config { limits: config.limits, threads, ..resolved },
        runs: None,
        notes,
    }
}

/// What the searches found, once each: one finding for each place, and one for each state that is a deadlock, whatever the ways to it.
struct Found<'s> {
    system: &'s dyn System,
    findings: Vec<Finding>,
    deadlocks: HashSet<Vec<u8>>,
}

impl Found<'_> {
    /// Adds a finding that is not there yet, unless there are as many as are wanted (0: all).
    fn add(&mut self, finding: &Finding, most: usize) {
        let new = match finding.kind {
            // A run that can't be executed again is refused where findings are confirmed.
            FindingKind::Deadlock => {
                end(self.system, &finding.trace).is_none_or(|end| self.deadlocks.insert(end))
            }
            kind => self.findings.iter().all(|known| known.kind != kind),
        };
        if new && (most == 0 || self.findings.len() < most) {
            self.findings.push(finding.clone());
        }
    }
}

/// Where a run ends.
fn end(system: &dyn System, trace: &Trace) -> Option<Vec<u8>> {
    let mut batch = Batch::default();
    system.initial(&mut batch);
    let initial = trace.initial as usize;
    let mut state = (initial < batch.len()).then(|| batch.state(initial).to_vec())?;
    for step in &trace.steps {
        state = execute(system, &state, *step, &mut batch)?;
    }
    Some(state)
}
