//! A small hand-written system to report on: two clerks that take two stamps in opposite order.
//!
//! The state is one byte a clerk (how many stamps it holds, or 3: done) and one byte a stamp (who
//! holds it, 0: nobody). A clerk that holds both stamps asserts that no letter is left, falsely.

use mazurka_model::source::{SourceMap, Span};
use mazurka_model::{Batch, Chosen, Describe, Place, Step, StepText, System, Violation, ViolationKind};

const TEXT: &str = "clerk(own, other) {\n    take own\n    take other\n    assert letters == 0\n}\n";

/// The system.
pub struct Clerks {
    sources: SourceMap,
}

impl Clerks {
    /// Two clerks.
    pub fn new() -> Clerks {
        let mut sources = SourceMap::default();
        sources.add("clerks.mzk", TEXT);
        Clerks { sources }
    }

    fn span(line: &str) -> Option<Span> {
        let start = TEXT.find(line)? as u32;
        Some(Span { file: 0, start, end: start + line.len() as u32 })
    }

    fn stamp(clerk: usize, held: u8) -> usize {
        2 + (clerk + usize::from(held)) % 2
    }
}

impl System for Clerks {
    fn initial(&self, out: &mut Batch) {
        out.push(Step::default(), &[0, 0, 0, 0]);
    }

    fn expand(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
        let mut steps = Vec::new();
        match chosen {
            Chosen::Steps(chosen) => steps.extend_from_slice(chosen),
            Chosen::All | Chosen::Process(_) => self.enabled(state, &mut steps),
        }
        for step in steps {
            let clerk = step.process.index();
            let mut next = state.to_vec();
            if state[clerk] == 2 {
                out.violate(step, ViolationKind::Assertion, 2);
            } else {
                next[Clerks::stamp(clerk, state[clerk])] = clerk as u8 + 1;
            }
            next[clerk] += 1;
            out.push(step, &next);
        }
    }

    fn enabled(&self, state: &[u8], out: &mut Vec<Step>) {
        for clerk in 0..2 {
            let held = state[clerk];
            if held == 2 || held < 2 && state[Clerks::stamp(clerk, held)] == 0 {
                out.push(Step::new(clerk as u16, u32::from(held)));
            }
        }
    }

    fn valid_end(&self, state: &[u8]) -> bool {
        state[..2] == [3, 3]
    }

    fn describe(&self) -> &dyn Describe {
        self
    }
}

impl Describe for Clerks {
    fn name(&self) -> String {
        "clerks".to_owned()
    }

    fn fingerprint(&self) -> u64 {
        42
    }

    fn step(&self, _state: &[u8], step: Step) -> StepText {
        let text = ["take own", "take other", "assert letters == 0"][step.code as usize % 3];
        StepText {
            process: format!("clerk({})", step.process),
            text: text.to_owned(),
            span: Clerks::span(text),
        }
    }

    fn values(&self, state: &[u8]) -> Vec<(String, String)> {
        let clerks = (0..2).map(|clerk| (format!("clerk({clerk})"), format!("line {}", state[clerk] + 2)));
        let stamps = (0..2).map(|stamp| (format!("stamp[{stamp}]"), state[2 + stamp].to_string()));
        clerks.chain(stamps).collect()
    }

    fn violation(&self, violation: &Violation) -> StepText {
        StepText {
            process: format!("clerk({})", violation.step.process),
            text: "assertion `letters == 0` is false".to_owned(),
            span: Clerks::span("letters == 0"),
        }
    }

    fn places(&self) -> Vec<Place> {
        Vec::new()
    }

    fn sources(&self) -> Option<&SourceMap> {
        Some(&self.sources)
    }
}
