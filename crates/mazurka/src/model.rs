//! The trait that a model written in Rust implements.

use crate::assertion::Assertions;
use crate::encode::Encode;
use crate::footprints::Footprints;
use mazurka_model::ProcessId;
use std::fmt::Debug;

/// A transition system written in Rust: where it starts, what can happen, and where that leads.
///
/// Only `initial`, `actions` and `next` are required. All methods must depend on their arguments alone:
/// a model that looks at a clock or a random number can't be explored or replayed.
pub trait Model: Sync {
    /// A state of the whole system: plain-old-data, or [`Serialised`](crate::Serialised).
    type State: Encode + Debug;

    /// Something that can happen in a state.
    type Action: Debug + 'static;

    /// The states in which a run can start.
    fn initial(&self) -> Vec<Self::State>;

    /// Appends what can happen in `state`, always in the same order. Listing too much is harmless as
    /// long as `next` refuses it.
    fn actions(&self, state: &Self::State, out: &mut Vec<Self::Action>);

    /// The state after `action`; `None` if it is not possible in `state` after all.
    fn next(&self, state: &Self::State, action: &Self::Action) -> Option<Self::State>;

    /// Whether `action` is possible in `state`: exactly when `next` gives a state. Override it if that
    /// can be told without computing the state; only reductions ask.
    fn enabled(&self, state: &Self::State, action: &Self::Action) -> bool {
        self.next(state, action).is_some()
    }

    /// Whether `state`, in which nothing is possible, is a proper end. All others are reported as
    /// deadlocks.
    fn valid_end(&self, _state: &Self::State) -> bool {
        false
    }

    /// Adds what must be true. Asked once, before the search.
    fn assertions(&self, _out: &mut Assertions<Self>) {}

    /// The process that performs an action. Without processes everything belongs to process 0.
    fn process(&self, _action: &Self::Action) -> ProcessId {
        ProcessId(0)
    }

    /// What the actions do to shared objects. `None`: nothing is known, and nothing is reduced.
    fn footprints(&self) -> Option<&dyn Footprints<State = Self::State, Action = Self::Action>> {
        None
    }

    /// The name of the model in reports.
    fn describe_model(&self) -> String {
        std::any::type_name::<Self>().to_owned()
    }

    /// A number that differs between instances of the model, so that the trail of one is not replayed on
    /// another. Needed only where the initial states don't tell them apart already.
    fn instance(&self) -> u64 {
        0
    }

    /// The name of a process in reports.
    fn describe_process(&self, process: ProcessId) -> String {
        format!("process {process}")
    }

    /// An action in words.
    fn describe_action(&self, _state: &Self::State, action: &Self::Action) -> String {
        format!("{action:?}")
    }

    /// The parts of a state that people want to see, by name, in a fixed order.
    fn describe_state(&self, state: &Self::State) -> Vec<(String, String)> {
        vec![("state".to_owned(), format!("{state:?}"))]
    }
}
