//! The comparison as one JSON object, for scripts. The names of its fields are a contract: fields may
//! be added, never changed.

use super::{Comparison, Row, limit};
use serde::Serialize;

impl Comparison {
    /// The whole object, over several lines, without a newline at the end.
    pub fn json(&self, version: &str) -> serde_json::Result<String> {
        let report = Report {
            version,
            model: &self.model,
            options: &self.options,
            agree: self.disagreements.is_empty(),
            disagreements: &self.disagreements,
            notes: &self.notes,
            runs: self.rows.iter().map(|row| self.one(row)).collect(),
        };
        serde_json::to_string_pretty(&report)
    }

    fn one<'a>(&'a self, row: &'a Row) -> Run<'a> {
        Run {
            reduce: row.asked.to_string(),
            used: row.used.to_string(),
            dependency: row.dependency.to_string(),
            order: row.order.to_string(),
            store: row.store.to_string(),
            codec: row.codec.to_string(),
            complete: row.complete(),
            limit: row.stopped.map(limit),
            verdict: row.verdict.name(),
            guarantee: row.guarantee.name(),
            kinds: &row.kinds,
            errors: &row.errors,
            states: row.states,
            transitions: row.transitions,
            seconds: row.time.as_secs_f64(),
            bytes: row.bytes,
            store_bytes: row.store_bytes,
            bytes_per_state: row.bytes_per_state(),
            disk_bytes: row.disk_bytes,
            sleep_bytes: row.sleep_bytes,
            ratio_to_none: self.share(row),
            bytes_ratio_to_plain: self.memory_to_plain(row),
            seconds_ratio_to_plain: self.time_to_plain(row),
        }
    }
}

#[derive(Serialize)]
struct Report<'a> {
    version: &'a str,
    model: &'a str,
    options: &'a str,
    agree: bool,
    disagreements: &'a [String],
    notes: &'a [String],
    runs: Vec<Run<'a>>,
}

/// The counts of a run that is not complete are lower bounds. A ratio is `null` unless this run and the one that it relates to
/// were made and are complete: that under `none` in the same order, that with plain records which differs in nothing else.
#[derive(Serialize)]
struct Run<'a> {
    reduce: String,
    used: String,
    dependency: String,
    order: String,
    store: String,
    codec: String,
    complete: bool,
    limit: Option<&'static str>,
    verdict: &'static str,
    guarantee: &'static str,
    kinds: &'a [&'static str],
    errors: &'a [String],
    states: u64,
    transitions: u64,
    seconds: f64,
    bytes: u64,
    store_bytes: u64,
    bytes_per_state: f64,
    disk_bytes: u64,
    sleep_bytes: u64,
    ratio_to_none: Option<f64>,
    bytes_ratio_to_plain: Option<f64>,
    seconds_ratio_to_plain: Option<f64>,
}
