//! States that compiled code expands together, with the same states one by one as the oracle.

use crate::compiled::Disagreement;
use fastrand::Rng;
use mazurka_jit::Compiled;
use mazurka_model::{Batch, Chosen, Part, System, ViolationKind};

/// The most states in a group.
const MOST: usize = 12;

/// States that wait to be compared.
pub struct Together<'s> {
    compiled: &'s Compiled,
    states: Vec<Vec<u8>>,
    random: Rng,
    size: usize,
    several: Batch,
    single: Batch,
    parts: Vec<Part>,
    /// Edges that were compared.
    pub edges: u64,
    /// How often compiled code left a process to the interpreter on the way.
    pub left: u64,
}

/// The edges with these numbers, and the steps inside regions on the way.
fn found(batch: &Batch, numbers: std::ops::Range<usize>, walked: u64) -> String {
    let edges: Vec<_> =
        numbers.map(|index| (batch.successors()[index].step, batch.state(index).to_vec())).collect();
    format!("{edges:?} {walked}")
}

impl<'s> Together<'s> {
    /// Nothing waits.
    pub fn new(compiled: &'s Compiled) -> Together<'s> {
        Together {
            compiled,
            states: Vec::new(),
            random: Rng::with_seed(11),
            size: 2,
            several: Batch::default(),
            single: Batch::default(),
            parts: Vec::new(),
            edges: 0,
            left: 0,
        }
    }

    /// Adds a state, and compares once there are enough of them.
    pub fn add(&mut self, state: &[u8]) -> Result<(), Disagreement> {
        self.states.push(state.to_vec());
        if self.states.len() < self.size {
            return Ok(());
        }
        let left = self.compiled.left();
        let compared = self.compare();
        self.left += self.compiled.left() - left;
        self.states.clear();
        self.size = self.random.usize(1..=MOST);
        compared
    }

    fn compare(&mut self) -> Result<(), Disagreement> {
        // What is there before stays as it is.
        self.several.clear();
        self.several.push(Default::default(), &[1, 2, 3]);
        self.several.violate(Default::default(), ViolationKind::Assertion, 0);
        self.parts.clear();
        let (out, parts) = (&mut self.several, &mut self.parts);
        let done = self.compiled.expand_several(&self.states, None, out, parts, &mut Vec::new());
        let differ = |state: &[u8], interpreted: String, compiled: String| {
            let (question, state) = ("the edges of several states".to_owned(), state.to_vec());
            Err(Disagreement { question, state, interpreted, compiled })
        };
        let kept = self.several.state(0) == [1, 2, 3] && self.several.violations().len() == 1;
        if !kept || self.parts.len() != if done { self.states.len() } else { 0 } {
            return differ(&[], "as before".to_owned(), format!("{:?}", self.several));
        }
        let mut from = 1;
        for (state, part) in self.states.iter().zip(&self.parts) {
            self.single.clear();
            self.compiled.expand_through(state, Chosen::All, &mut self.single);
            let walked = self.single.take_walked();
            let expected = found(&self.single, 0..self.single.len(), walked);
            let several = found(&self.several, from..part.end, part.walked);
            let interior = self.single.successors().iter().any(|successor| successor.interior);
            if expected != several || interior || !self.single.violations().is_empty() {
                return differ(state, expected, several);
            }
            self.edges += (part.end - from) as u64;
            from = part.end;
        }
        if from != self.several.len() {
            return differ(&[], from.to_string(), self.several.len().to_string());
        }
        Ok(())
    }
}
