//! What executions have shown so far, and the conclusion from it.

use super::options::Checker;
use super::result::{Report, Verdict};
use crate::failure::Failure;
use std::collections::HashMap;
use std::panic::Location;
use std::time::Duration;

/// What executions have shown so far.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) executions: u64,
    pub(super) redundant: u64,
    pub(super) cut: u64,
    pub(super) steps: u64,
    pub(super) longest: u64,
    pub(super) threads: usize,
    pub(super) failures: Vec<Failure>,
    pub(super) limit: Option<String>,
    pub(super) exhausted: bool,
    /// A checkpoint could not be made.
    pub(super) unsaved: bool,
    pub(super) sometimes: HashMap<&'static Location<'static>, (String, bool)>,
}

impl Tally {
    pub(super) fn add(&mut self, other: Tally) {
        self.executions += other.executions;
        self.redundant += other.redundant;
        self.cut += other.cut;
        self.steps += other.steps;
        self.longest = self.longest.max(other.longest);
        self.threads = self.threads.max(other.threads);
        self.failures.extend(other.failures);
        self.limit = self.limit.take().or(other.limit);
        self.exhausted &= other.exhausted;
        for (place, (text, met)) in other.sometimes {
            self.sometimes.entry(place).or_insert((text, false)).1 |= met;
        }
    }

    /// Draws the conclusion.
    pub(super) fn report(mut self, checker: &Checker, time: Duration) -> Report {
        let unmet = self.sometimes.iter().filter(|(_, (_, met))| !met);
        let mut never: Vec<String> =
            unmet.map(|(location, (text, _))| format!("`{text}` at {location}")).collect();
        never.sort();
        if self.unsaved
            && let Some(limit) = &mut self.limit
        {
            limit.push_str("; no checkpoint, because there are static variables");
        }
        if self.cut > 0 && self.limit.is_none() {
            let most = checker.rules.most_steps;
            self.limit = Some(format!("{} executions were cut after {most} steps", self.cut));
        }
        let complete = self.exhausted && self.limit.is_none() && self.cut == 0;
        if self.limit.is_none() && !complete && self.failures.is_empty() {
            self.limit = Some("not all executions were tried".to_owned());
        }
        // A condition that was never met is only certain to be impossible if everything was tried.
        let violated = !self.failures.is_empty() || (complete && !never.is_empty());
        let verdict = match (violated, complete) {
            (true, _) => Verdict::Violated,
            (false, true) => Verdict::Holds,
            (false, false) => Verdict::Unknown,
        };
        Report {
            verdict,
            limit: self.limit,
            executions: self.executions,
            redundant: self.redundant,
            steps: self.steps,
            longest: self.longest,
            threads: self.threads,
            failures: self.failures,
            never,
            time,
        }
    }
}
