//! A system for tests: processes that walk through states of their own, in a line or in a circle,
//! and may write one shared object at every step.

// Each test file uses its own part of this.
#![allow(dead_code)]

use mazurka_model::object::{Condition, Domain, KindInfo, ObjectType};
use mazurka_model::{
    Batch, Chosen, Describe, Footprint, ObjectId, Operation, OperationKind, ProcessId, Relations, Step,
    StepText, System, Violation, ViolationKind,
};

/// An object all of whose operations depend on each other.
#[derive(Debug)]
pub struct Shared;

impl ObjectType for Shared {
    fn name(&self) -> &'static str {
        "shared"
    }
    fn summary(&self) -> &'static str {
        "always dependent"
    }
    fn kinds(&self) -> &'static [KindInfo] {
        &[KindInfo { name: "Use", inputs: &[] }]
    }
    fn initial(&self) -> Vec<i64> {
        Vec::new()
    }
    fn apply(&self, _: &[i64], _: &Operation, next: &mut Vec<i64>) -> Option<i64> {
        next.clear();
        Some(0)
    }
    fn dependent(&self, _: &Operation, _: &Operation, _: &[i64]) -> bool {
        true
    }
    fn interacts(&self, _: &Operation, _: &Operation, _: &[i64]) -> bool {
        true
    }
    fn constant(&self, _: &Operation, _: &Operation) -> bool {
        true
    }
    fn domain(&self) -> Domain {
        Domain { compared: Vec::new(), operations: Vec::new(), within: |_| true }
    }
    fn conditions(&self) -> &'static [Condition] {
        &[]
    }
}

/// A rule that a system may break.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Lie {
    /// A step is listed as enabled and never executed.
    EnabledButStuck,
    /// Every step writes something shared, and no footprint says so.
    HiddenWrite,
}

/// `processes` walkers through `length` states each, started together by one first step.
pub struct Walkers {
    pub processes: usize,
    pub length: u8,
    pub circle: bool,
    pub shared: bool,
    /// One more state before the walkers exist.
    pub started_late: bool,
    /// The walker and the position at which an assertion fails.
    pub broken: Option<(usize, u8)>,
    pub lie: Option<Lie>,
    /// Bytes of a state that never change.
    pub ballast: usize,
    objects: Vec<Box<dyn ObjectType>>,
}

impl Walkers {
    pub fn new(processes: usize, length: u8, circle: bool, shared: bool) -> Walkers {
        let objects: Vec<Box<dyn ObjectType>> = vec![Box::new(Shared)];
        Walkers {
            processes,
            length,
            circle,
            shared,
            started_late: true,
            broken: None,
            lie: None,
            ballast: 0,
            objects,
        }
    }

    /// Where walker `p` goes from `position`.
    fn next_position(&self, position: u8) -> Option<u8> {
        match position + 1 {
            next if next < self.length => Some(next),
            _ if self.circle => Some(0),
            _ => None,
        }
    }

    fn not_started(&self, state: &[u8]) -> bool {
        state[self.processes] == 0
    }
}

impl System for Walkers {
    fn initial(&self, out: &mut Batch) {
        let mut state = vec![0; self.processes + 1];
        state[self.processes] = u8::from(!self.started_late);
        state.resize(self.processes + 1 + self.ballast, 7);
        out.push(Step::default(), &state);
    }

    fn expand(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
        let mut steps = Vec::new();
        self.enabled(state, &mut steps);
        if let Chosen::Steps(wanted) = chosen {
            steps = wanted.iter().copied().filter(|s| steps.contains(s)).collect();
        }
        for step in steps.into_iter().filter(|s| s.code != 2000) {
            if let Chosen::Process(p) = chosen
                && p != step.process
            {
                continue;
            }
            out.begin(step, state);
            let p = step.process.index();
            if self.not_started(state) {
                out.draft()[self.processes] = 1;
            } else if let Some(next) = self.next_position(state[p]) {
                out.draft()[p] = next;
                if self.lie == Some(Lie::HiddenWrite) {
                    out.draft()[self.processes] = 1 + p as u8;
                }
                if self.broken == Some((p, next)) {
                    out.violate(step, ViolationKind::Assertion, 7);
                }
            }
            out.keep(false);
        }
    }

    fn enabled(&self, state: &[u8], out: &mut Vec<Step>) {
        if self.not_started(state) {
            out.push(Step::new(0, 1000));
            return;
        }
        for (p, position) in state[..self.processes].iter().enumerate() {
            if self.next_position(*position).is_some() {
                out.push(Step::new(p as u16, u32::from(*position)));
            }
        }
        if self.lie == Some(Lie::EnabledButStuck) {
            out.push(Step::new(0, 2000));
        }
    }

    fn valid_end(&self, _: &[u8]) -> bool {
        true
    }

    fn state_size(&self) -> Option<usize> {
        Some(self.processes + 1 + self.ballast)
    }

    fn relations(&self) -> Option<&dyn Relations> {
        Some(self)
    }

    fn describe(&self) -> &dyn Describe {
        self
    }
}

impl Relations for Walkers {
    fn processes(&self, state: &[u8]) -> usize {
        if self.not_started(state) { 1 } else { self.processes }
    }
    fn objects(&self) -> &[Box<dyn ObjectType>] {
        &self.objects
    }
    fn value(&self, _: &[u8], _: ObjectId, out: &mut Vec<i64>) {
        out.clear();
    }
    fn step(&self, state: &[u8], step: Step, out: &mut Footprint) {
        self.next(state, step.process, out);
    }
    fn next(&self, state: &[u8], process: ProcessId, out: &mut Footprint) {
        out.clear();
        out.processes.push(process);
        if self.shared || self.not_started(state) {
            out.access(ObjectId(0), Operation::new(process, OperationKind(0)));
        }
    }
    fn next_is_local(&self, state: &[u8], _: ProcessId) -> bool {
        !self.shared && !self.not_started(state)
    }
    fn support(&self, state: &[u8], process: ProcessId, _: bool, out: &mut Vec<u64>) {
        self.next_objects(state, process, out);
    }
    fn next_objects(&self, state: &[u8], process: ProcessId, out: &mut Vec<u64>) -> bool {
        out.clear();
        out.push(u64::from(!self.next_is_local(state, process)));
        true
    }
}

impl Describe for Walkers {
    fn name(&self) -> String {
        "walkers".to_owned()
    }
    fn fingerprint(&self) -> u64 {
        self.processes as u64 * 1_000 + u64::from(self.length)
    }
    fn step(&self, _: &[u8], step: Step) -> StepText {
        StepText { process: step.process.to_string(), text: "walk".to_owned(), span: None }
    }
    fn values(&self, state: &[u8]) -> Vec<(String, String)> {
        state.iter().enumerate().map(|(i, v)| (i.to_string(), v.to_string())).collect()
    }
    fn violation(&self, _: &Violation) -> StepText {
        StepText::default()
    }
}
