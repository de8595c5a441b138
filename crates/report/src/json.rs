//! The outcome of `check` as one JSON object, for scripts. The names of its fields are a contract:
//! fields may be added, never changed.

use crate::check::{Checked, Reading};
use crate::number;
use crate::run;
use crate::temporal::TemporalResult;
use mazurka_engine::temporal::Representatives;
use mazurka_engine::{Config, Guarantee, OnFull, StoreKind};
use mazurka_model::Place;
use mazurka_model::source::Span;
use serde::Serialize;

/// The whole object, over several lines, without a newline at the end.
pub fn check(checked: &Checked<'_>, version: &str) -> serde_json::Result<String> {
    let outcome = checked.outcome;
    let counts = &outcome.statistics;
    let omission = match outcome.guarantee {
        Guarantee::Probabilistic(omission) => Some(omission),
        Guarantee::Exact | Guarantee::Bounded => None,
    };
    let report = Report {
        version,
        model: checked.model,
        verdict: outcome.verdict.name(),
        guarantee: outcome.guarantee.name(),
        guarantee_reason: &outcome.guarantee_reason,
        expected_coverage: omission.map(|omission| omission.coverage),
        omission_probability: omission.map(|omission| omission.probability()),
        options: options(&outcome.config, &checked.reading, &checked.temporal),
        states: counts.states,
        matched: counts.matched,
        transitions: counts.transitions(),
        atomic_steps: counts.atomic_steps,
        replaced: counts.replaced,
        distinct_states: counts.distinct,
        depth: counts.depth,
        errors: counts.errors,
        violations: violations(checked),
        temporal: checked.temporal.iter().map(temporal).collect(),
        unreached: unreached(checked),
        state_bytes: counts.state_bytes,
        store_bytes: counts.store_bytes,
        sleep_bytes: counts.sleep_bytes,
        bytes_per_state: counts.store_bytes as f64 / counts.states.max(1) as f64,
        disk_bytes: counts.disk_bytes,
        peak_memory_bytes: checked.peak_memory,
        seconds: Seconds {
            parse: checked.parse.as_secs_f64(),
            compile: checked.compile.as_secs_f64(),
            search: counts.search_time.as_secs_f64(),
        },
        states_per_second: number::rate(counts.states, counts.search_time),
    };
    serde_json::to_string_pretty(&report)
}

#[derive(Serialize)]
struct Report<'a> {
    version: &'a str,
    model: &'a str,
    verdict: &'static str,
    guarantee: &'static str,
    guarantee_reason: &'a str,
    expected_coverage: Option<f64>,
    omission_probability: Option<f64>,
    options: Options<'a>,
    states: u64,
    matched: u64,
    transitions: u64,
    atomic_steps: u64,
    replaced: u64,
    distinct_states: Option<u64>,
    depth: u64,
    errors: u64,
    violations: Vec<Violation<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    temporal: Vec<Temporal<'a>>,
    unreached: Vec<String>,
    state_bytes: u64,
    store_bytes: u64,
    sleep_bytes: u64,
    bytes_per_state: f64,
    disk_bytes: u64,
    peak_memory_bytes: u64,
    seconds: Seconds,
    states_per_second: f64,
}

/// What was in force, `auto` resolved. A limit that was not set is `null`.
#[derive(Serialize)]
struct Options<'a> {
    reduce: String,
    dependency: String,
    search: String,
    order: String,
    store: String,
    on_full: String,
    hashes: Option<u32>,
    hash_seed: Option<u64>,
    swarm: Option<u32>,
    codec: String,
    codec_asked: &'a str,
    engine: &'static str,
    optimise: &'a str,
    threads: usize,
    /// Those of runs by their names.
    property: Vec<&'a str>,
    fair: String,
    /// Of the last search for runs, as what follows; nothing if there was none.
    emptiness: Option<&'static str>,
    /// Nothing if every run stood for itself.
    representatives: Option<&'static str>,
    shortest: bool,
    invariant: Option<&'a str>,
    info: Option<&'static str>,
    define: &'a [String],
    memory: Option<u64>,
    depth: Option<u64>,
    time: Option<f64>,
    states: Option<u64>,
    max_errors: usize,
    full_channel: &'static str,
    spin_counts: bool,
}

#[derive(Serialize)]
struct Violation<'a> {
    kind: &'static str,
    message: String,
    location: Option<String>,
    depth: usize,
    /// Of an infinite run: so many steps stand before those that are repeated for ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    repeats: Option<usize>,
    trail: Option<&'a str>,
}

/// What came of one temporal property. Its counts are of the product with its automaton.
#[derive(Serialize)]
struct Temporal<'a> {
    name: &'a str,
    verdict: &'static str,
    reduce: String,
    emptiness: Option<&'static str>,
    representatives: Option<&'static str>,
    store: String,
    codec: String,
    threads: usize,
    states: u64,
    matched: u64,
    transitions: u64,
    depth: u64,
    store_bytes: u64,
    seconds: f64,
    notes: &'a [String],
}

#[derive(Serialize)]
struct Seconds {
    parse: f64,
    compile: f64,
    search: f64,
}

fn options<'a>(config: &Config, reading: &'a Reading, temporal: &'a [TemporalResult]) -> Options<'a> {
    let asked = [
        (config.properties.deadlock, "deadlock"),
        (config.properties.assertions, "assert"),
        (config.properties.unreached, "unreached"),
        (config.properties.reception, "reception"),
    ];
    let asked = asked.into_iter().filter(|(asked, _)| *asked).map(|(_, name)| name);
    let of_runs = temporal.iter().map(|result| result.name.as_str());
    let runs = temporal.last().and_then(|result| result.outcome.runs);
    let has_bits = config.store == StoreKind::Bitstate || config.on_full == OnFull::Bitstate;
    Options {
        reduce: config.reduction.to_string(),
        dependency: config.dependency.to_string(),
        search: config.search.to_string(),
        order: config.order.to_string(),
        store: config.store.to_string(),
        on_full: config.on_full.to_string(),
        hashes: has_bits.then_some(config.bits.hashes),
        hash_seed: has_bits.then_some(config.bits.seed),
        swarm: reading.swarm,
        codec: config.codec.to_string(),
        codec_asked: &reading.codec_asked,
        engine: if reading.compiled { "jit" } else { "interpreter" },
        optimise: &reading.optimise,
        threads: config.threads,
        property: asked.chain(of_runs).collect(),
        fair: runs.map(|runs| runs.fairness).unwrap_or_default().to_string(),
        emptiness: runs.map(|runs| runs.emptiness.name()),
        representatives: runs.and_then(|runs| runs.representatives).map(Representatives::name),
        shortest: runs.is_some_and(|runs| runs.shortest),
        invariant: reading.invariant.as_deref(),
        info: reading.information,
        define: &reading.defines,
        memory: config.limits.memory,
        depth: config.limits.depth,
        time: config.limits.time.map(|time| time.as_secs_f64()),
        states: config.limits.states,
        max_errors: config.max_errors,
        full_channel: if reading.full_channel_loses { "lose" } else { "block" },
        spin_counts: reading.spin_counts,
    }
}

fn violations<'a>(checked: &'a Checked<'_>) -> Vec<Violation<'a>> {
    let one = |shown: &'a crate::Shown| {
        let finding = run::finding(&shown.run, checked.describe);
        Violation {
            kind: shown.run.kind.name(),
            message: finding.text,
            location: location(checked, finding.span),
            depth: shown.run.steps.len(),
            repeats: shown.run.repeats,
            trail: shown.trail.as_deref(),
        }
    };
    checked.violations.iter().map(one).collect()
}

fn temporal(result: &TemporalResult) -> Temporal<'_> {
    let TemporalResult { name, outcome } = result;
    let counts = &outcome.statistics;
    Temporal {
        name,
        verdict: outcome.verdict.name(),
        reduce: outcome.config.reduction.to_string(),
        emptiness: outcome.runs.map(|runs| runs.emptiness.name()),
        representatives: outcome.runs.and_then(|runs| runs.representatives).map(Representatives::name),
        store: outcome.config.store.to_string(),
        codec: outcome.config.codec.to_string(),
        threads: outcome.config.threads,
        states: counts.states,
        matched: counts.matched,
        transitions: counts.transitions(),
        depth: counts.depth,
        store_bytes: counts.store_bytes,
        seconds: counts.search_time.as_secs_f64(),
        notes: &outcome.notes,
    }
}

/// A place that was never executed: where it stands, or what it says if it has no place in a source.
/// Sorted by place, each place once.
fn unreached(checked: &Checked<'_>) -> Vec<String> {
    let shown = |place: &Place| location(checked, place.span).unwrap_or_else(|| place.text.clone());
    let mut all: Vec<String> = checked.unreached().into_iter().map(shown).collect();
    all.dedup();
    all
}

/// A place as `file:line:column`.
fn location(checked: &Checked<'_>, span: Option<Span>) -> Option<String> {
    let sources = checked.describe.sources()?;
    span.and_then(|span| sources.locate(span)).map(|location| location.to_string())
}
