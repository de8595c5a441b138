//! One model under many reductions: what each run came to, side by side.
//!
//! A run that hit a limit counts as a lower bound everywhere: it has a `>` in the table, no share of
//! the full search, and no end in the drawing. It is never shown as smaller than a complete one. Nor is one
//! whose store may have taken states for others the smallest: what it lost cost nothing.

mod json;
mod lollipop;
mod text;

use mazurka_engine::{Codec, Dependency, Guarantee, Order, Outcome, Reduction, Stop, StoreKind, Verdict};
use std::time::Duration;

/// The runs of one model.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// The model, as the user named it.
    pub model: String,
    /// What is the same in all runs, as the command line writes it.
    pub options: String,
    /// The runs, in the order in which they were made.
    pub rows: Vec<Row>,
    /// Where complete runs contradict each other; empty if all agree.
    pub disagreements: Vec<String>,
    /// Remarks.
    pub notes: Vec<String>,
}

/// One run.
#[derive(Clone, Debug)]
pub struct Row {
    /// The reduction that was asked for.
    pub asked: Reduction,
    /// The reduction that was in force: `auto` resolved.
    pub used: Reduction,
    /// The grade of dependency.
    pub dependency: Dependency,
    /// The order in which processes were tried.
    pub order: Order,
    /// What was kept of visited states.
    pub store: StoreKind,
    /// How stored states became bytes.
    pub codec: Codec,
    /// States stored.
    pub states: u64,
    /// Transitions.
    pub transitions: u64,
    /// Time in the search.
    pub time: Duration,
    /// Bytes of the store and, at its largest, of the stack or frontier.
    pub bytes: u64,
    /// Bytes of the store alone.
    pub store_bytes: u64,
    /// Bytes in a file, which are not among them.
    pub disk_bytes: u64,
    /// Bytes of the store that sleep sets take.
    pub sleep_bytes: u64,
    /// The answer.
    pub verdict: Verdict,
    /// How far it can be trusted.
    pub guarantee: Guarantee,
    /// Why the run ended early, if it did.
    pub stopped: Option<Stop>,
    /// The kinds of errors found, by name, each once.
    pub kinds: Vec<&'static str>,
    /// The errors found, each in words once.
    pub errors: Vec<String>,
}

impl Row {
    /// What the run of `asked` came to; `errors` are its findings in words.
    pub fn new(asked: Reduction, outcome: &Outcome, errors: Vec<String>) -> Row {
        let counts = &outcome.statistics;
        let mut kinds: Vec<&'static str> = outcome.findings.iter().map(|f| f.kind.name()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        Row {
            asked,
            used: outcome.config.reduction,
            dependency: outcome.config.dependency,
            order: outcome.config.order,
            store: outcome.config.store,
            codec: outcome.config.codec,
            states: counts.states,
            transitions: counts.transitions(),
            time: counts.search_time,
            bytes: counts.store_bytes + counts.stack_bytes,
            store_bytes: counts.store_bytes,
            disk_bytes: counts.disk_bytes,
            sleep_bytes: counts.sleep_bytes,
            verdict: outcome.verdict,
            guarantee: outcome.guarantee,
            stopped: outcome.stopped,
            kinds,
            errors,
        }
    }

    /// Whether the run came to its end.
    pub fn complete(&self) -> bool {
        self.stopped.is_none()
    }

    /// Whether it came to its end and has lost no state.
    fn exact(&self) -> bool {
        self.complete() && self.guarantee == Guarantee::Exact
    }

    /// The codec, or the store where that is another one than the exact one, which alone is compared by codecs.
    fn kept(&self) -> String {
        match self.store {
            StoreKind::Exact => self.codec.to_string(),
            store => store.to_string(),
        }
    }

    /// Whether another run differs in nothing but what it keeps of states.
    fn explores_as(&self, other: &Row) -> bool {
        (self.asked, self.dependency, self.order) == (other.asked, other.dependency, other.order)
    }

    /// Bytes of the store for each state.
    pub fn bytes_per_state(&self) -> f64 {
        self.store_bytes as f64 / self.states.max(1) as f64
    }

    /// The answer in a few words.
    fn answer(&self) -> String {
        let word = match self.verdict {
            Verdict::Violated => format!("violated: {}", self.kinds.join(", ")),
            verdict => verdict.name().to_owned(),
        };
        match (self.stopped, self.guarantee) {
            (Some(stop), _) => format!("{word} ({})", limit(stop)),
            (None, Guarantee::Probabilistic(omission)) => format!("{word} ({omission})"),
            (None, _) => word,
        }
    }
}

impl Comparison {
    /// The complete run without any reduction in the same order: what the others are compared with.
    pub fn full(&self, order: Order) -> Option<&Row> {
        // A cache counts states as often as it stores them.
        let counts = |row: &&Row| row.exact() && row.store.keeps_all();
        let full = |row: &&Row| row.order == order && row.asked.to_string() == "none";
        self.rows.iter().filter(counts).find(full)
    }

    /// The states of a complete run in relation to those of the complete run without reduction.
    pub fn share(&self, row: &Row) -> Option<f64> {
        let full = self.full(row.order).filter(|_| row.complete())?;
        Some(row.states as f64 / full.states.max(1) as f64)
    }

    /// The memory of a complete run, store and stack, in relation to that of the same search with plain records.
    pub fn memory_to_plain(&self, row: &Row) -> Option<f64> {
        let plain = self.plain(row)?;
        Some(row.bytes as f64 / plain.bytes.max(1) as f64)
    }

    /// The time of a complete run in relation to that of the same search with plain records.
    pub fn time_to_plain(&self, row: &Row) -> Option<f64> {
        let plain = self.plain(row)?;
        Some(row.time.as_secs_f64() / plain.time.as_secs_f64().max(f64::MIN_POSITIVE))
    }

    /// The complete run with plain records in an exact store that explores as this one does, if it is complete, too. None if this is the only one
    /// that does so.
    fn plain(&self, row: &Row) -> Option<&Row> {
        let alike = || self.rows.iter().filter(|other| other.explores_as(row));
        let plain = |other: &&Row| other.store == StoreKind::Exact && other.codec == Codec::Plain;
        let found = alike().find(plain).filter(|plain| plain.complete() && row.complete());
        found.filter(|_| alike().nth(1).is_some())
    }

    /// Whether runs differ in what they keep of states.
    fn compares_stores(&self) -> bool {
        self.rows.windows(2).any(|pair| pair[0].kept() != pair[1].kept())
    }
}

/// Which limit ended a run.
fn limit(stop: Stop) -> &'static str {
    match stop {
        Stop::Errors => "stopped at an error",
        Stop::Memory => "memory limit",
        Stop::Depth => "depth limit",
        Stop::Time => "time limit",
        Stop::States => "state limit",
        Stop::Interrupted => "interrupted",
        Stop::Options => "contradiction",
        Stop::Endless => "endless region",
        Stop::Inconsistent => "contradictory system",
    }
}
