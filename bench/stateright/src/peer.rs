//! A model of Mazurka as stateright sees it: the same functions behind the other trait.

use mazurka::Model;
use std::hash::Hash;

/// What stateright must be told besides the model: a condition on all states. With none at all it would
/// stop at once.
pub trait Peer:
    Model<State: Hash + Clone + PartialEq + Send + Sync, Action: Clone + PartialEq + Send + Sync> + Send + 'static
{
    fn invariant(&self, state: &Self::State) -> bool;
}

/// The wrapper.
pub struct ForStateright<M>(pub M);

impl<M: Peer> stateright::Model for ForStateright<M> {
    type State = M::State;
    type Action = M::Action;

    fn init_states(&self) -> Vec<M::State> {
        self.0.initial()
    }

    fn actions(&self, state: &M::State, actions: &mut Vec<M::Action>) {
        self.0.actions(state, actions);
    }

    fn next_state(&self, state: &M::State, action: M::Action) -> Option<M::State> {
        self.0.next(state, &action)
    }

    fn properties(&self) -> Vec<stateright::Property<Self>> {
        vec![stateright::Property::<Self>::always("invariant", |model, state| model.0.invariant(state))]
    }
}
