//! How [`Native`] shows states and steps to people.

use crate::assertion::Assertions;
use crate::encode::Encode;
use crate::model::Model;
use crate::native::Native;
use mazurka_model::{Describe, Step, StepText, Violation};

impl<M: Model> Describe for Native<'_, M> {
    fn name(&self) -> String {
        self.model.describe_model()
    }

    /// A hash (FNV-1a) of everything that can be known of a model without exploring it. A model whose
    /// actions changed keeps its fingerprint; replaying then fails at the step that is gone.
    fn fingerprint(&self) -> u64 {
        let mut hash = Fnv::default();
        hash.add(self.model.describe_model().as_bytes());
        hash.add(&self.model.instance().to_le_bytes());
        let mut scratch = Vec::new();
        for state in self.model.initial() {
            if let Ok(bytes) = state.bytes(&mut scratch) {
                hash.add(bytes);
            }
        }
        let mut assertions = Assertions(Vec::new());
        self.model.assertions(&mut assertions);
        for assertion in assertions.0 {
            hash.add(assertion.name().as_bytes());
        }
        hash.0
    }

    fn step(&self, state: &[u8], step: Step) -> StepText {
        let text = self.state(state).and_then(|state| {
            let action = self.action(&state, step, 0)?;
            Some(self.model.describe_action(&state, &action))
        });
        StepText {
            process: self.model.describe_process(step.process),
            text: text.unwrap_or_else(|| format!("step {} (not possible here)", step.code)),
            span: None,
        }
    }

    fn values(&self, state: &[u8]) -> Vec<(String, String)> {
        match self.state(state) {
            Some(state) => self.model.describe_state(&state),
            None => vec![("bytes".to_owned(), format!("{state:?}"))],
        }
    }

    fn violation(&self, violation: &Violation) -> StepText {
        let text = match self.assertions.get(violation.place as usize) {
            Some(assertion) => format!("assertion `{}` is false", assertion.name()),
            None => "a state can't be stored as bytes or read back".to_owned(),
        };
        StepText { process: self.model.describe_process(violation.step.process), text, span: None }
    }
}

/// FNV-1a; each part is preceded by its length so that parts can't run together.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in (bytes.len() as u64).to_le_bytes().iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
