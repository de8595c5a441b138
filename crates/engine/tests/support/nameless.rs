//! A description that says nothing, for systems that only a test knows.

use mazurka_model::{Describe, Step, StepText, Violation};

/// Nothing is said of the system.
pub struct Nameless;

impl Describe for Nameless {
    fn name(&self) -> String {
        "nameless".to_owned()
    }
    fn fingerprint(&self) -> u64 {
        0
    }
    fn step(&self, _: &[u8], _: Step) -> StepText {
        StepText::default()
    }
    fn values(&self, _: &[u8]) -> Vec<(String, String)> {
        Vec::new()
    }
    fn violation(&self, _: &Violation) -> StepText {
        StepText::default()
    }
}
