//! Named conditions that must be true in every reachable state, or of every step.
//!
//! The difference matters to the reductions. A reduction explores one order of independent steps and
//! leaves the others out, and with them the states in between. A condition on **states** may be false
//! only in a state that was left out, so it turns every reduction off (see
//! [`Native`](crate::Native)). A condition on **steps** keeps them on, and in exchange promises to look
//! only at what the step's own footprint covers: the process that moves, and the objects on which the
//! action performs operations, in the way in which it performs them. The step then sees the same values
//! in every order of independent steps, so exploring one order is enough.

use crate::model::Model;
use std::fmt;

/// A named condition.
pub struct Assertion<M: Model + ?Sized> {
    pub(crate) name: String,
    pub(crate) condition: Condition<M>,
}

/// The assertions of a model, as it lists them.
pub struct Assertions<M: Model + ?Sized>(pub(crate) Vec<Assertion<M>>);

impl<M: Model + ?Sized> Assertions<M> {
    /// A condition on every reachable state, initial ones included. Turns reductions off while
    /// assertions are checked.
    pub fn state(&mut self, name: impl Into<String>, condition: fn(&M, &M::State) -> bool) {
        self.0.push(Assertion { name: name.into(), condition: Condition::State(condition) });
    }

    /// A condition on every step: the state before, the action, the state after. Under a reduction it
    /// may look only at what the action's footprint covers.
    pub fn step(
        &mut self,
        name: impl Into<String>,
        condition: fn(&M, &M::State, &M::Action, &M::State) -> bool,
    ) {
        self.0.push(Assertion { name: name.into(), condition: Condition::Step(condition) });
    }
}

/// What an assertion looks at.
pub(crate) enum Condition<M: Model + ?Sized> {
    State(fn(&M, &M::State) -> bool),
    Step(StepCondition<M>),
}

/// A condition on the state before, the action, and the state after.
pub(crate) type StepCondition<M> =
    fn(&M, &<M as Model>::State, &<M as Model>::Action, &<M as Model>::State) -> bool;

impl<M: Model + ?Sized> Assertion<M> {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it looks at whole states.
    pub fn is_on_states(&self) -> bool {
        matches!(self.condition, Condition::State(_))
    }
}

impl<M: Model + ?Sized> fmt::Debug for Assertion<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_on_states() { "state" } else { "step" };
        write!(f, "Assertion::{kind}({:?})", self.name)
    }
}
