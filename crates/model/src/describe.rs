//! How a system is shown to people: steps, places in the source, values.

use crate::batch::Violation;
use crate::event::Event;
use crate::ids::{ObjectId, ProcessId, Step};
use crate::source::{SourceMap, Span};
use crate::trace::TraceStep;

/// A step in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepText {
    /// The process, such as `sender(1)`.
    pub process: String,
    /// What it does, such as `q!5`.
    pub text: String,
    /// Where that stands in the source.
    pub span: Option<Span>,
}

/// A numbered place in a model: a statement that can be executed, for unreached code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Its number, as in [`Batch::cover`](crate::Batch::cover).
    pub number: u32,
    /// What stands there.
    pub text: String,
    /// Where.
    pub span: Option<Span>,
}

/// What reports ask of a system. Never called on the path from a state to its successors.
pub trait Describe {
    /// The name of the model.
    fn name(&self) -> String;

    /// A number that changes when the model does, so that a trail is not replayed on another model.
    fn fingerprint(&self) -> u64;

    /// A number that changes when the states of the same model are represented in another way, or its own sets of steps are computed
    /// in another way, so that saved states are not taken for others. 0: in the usual way.
    fn representation(&self) -> u64 {
        0
    }

    /// The step `step` of `state`.
    fn step(&self, state: &[u8], step: Step) -> StepText;

    /// Everything in `state` that has a name, with its value, in a fixed order.
    fn values(&self, state: &[u8]) -> Vec<(String, String)>;

    /// Of [`Describe::values`], what belongs to no process in particular.
    fn globals(&self, state: &[u8]) -> Vec<(String, String)> {
        self.values(state)
    }

    /// Of [`Describe::values`], what belongs to a process.
    fn locals(&self, _state: &[u8], _process: ProcessId) -> Vec<(String, String)> {
        Vec::new()
    }

    /// The names of the processes that are alive in `state`, by slot; empty if that is not known.
    fn processes(&self, _state: &[u8]) -> Vec<String> {
        Vec::new()
    }

    /// An alternative of a process, as [`Relations::futures`](crate::Relations::futures) numbers them, enabled or
    /// not.
    fn alternative(&self, state: &[u8], process: ProcessId, alternative: usize) -> StepText {
        let names = self.processes(state);
        let name = names.get(process.index()).cloned().unwrap_or_else(|| format!("process {process}"));
        StepText { process: name, text: format!("alternative {alternative}"), span: None }
    }

    /// The name of an object; where [`Describe::values`] lists its value, the name used there.
    fn object(&self, object: ObjectId) -> String {
        format!("object {}", object.0)
    }

    /// What happens in a step of `state` that others can see: messages, processes that come and go,
    /// printed text. In the order in which it happens; a step that goes wrong tells what it did before.
    fn events(&self, _state: &[u8], _step: TraceStep) -> Vec<Event> {
        Vec::new()
    }

    /// A violation in words, such as `assertion x == 0 is false`.
    fn violation(&self, violation: &Violation) -> StepText;

    /// A violation of the step that was tried in `state`, with the values that it had there.
    fn violation_in(&self, _state: &[u8], violation: &Violation) -> StepText {
        self.violation(violation)
    }

    /// A temporal property by its number: as `process` its name, as text what it says.
    fn property(&self, property: u32) -> StepText {
        StepText { process: format!("property {property}"), ..StepText::default() }
    }

    /// The places that can be executed.
    fn places(&self) -> Vec<Place> {
        Vec::new()
    }

    /// The source text, if there is any.
    fn sources(&self) -> Option<&SourceMap> {
        None
    }
}
