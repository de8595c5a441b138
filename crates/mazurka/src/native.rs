//! The adapter that shows a [`Model`] to the engine as a [`System`].
//!
//! One dynamic call a state: inside, everything is monomorphic in the model. Nothing is allocated once
//! the buffers have grown; they are kept per thread.
//!
//! What it guarantees: a model without footprints is never reduced, and neither is one whose assertions
//! look at whole states while those are checked ([`Native::without_assertions`] is the way to search
//! such a model for deadlocks alone under a reduction). A state that can't be written or read back is
//! reported as a broken contract, with the step that leads to it.

use crate::assertion::{Assertion, Assertions, Condition, StepCondition};
use crate::encode::Encode;
use crate::footprints::Footprints;
use crate::model::Model;
use crate::scratch::Scratch;
use mazurka_model::object::ObjectType;
use mazurka_model::{Batch, Chosen, Describe, Relations, Step, System, ViolationKind};

/// A model as the engine sees it.
pub struct Native<'m, M: Model> {
    pub(crate) model: &'m M,
    pub(crate) assertions: Vec<Assertion<M>>,
    /// Those of them that look at steps, with their places.
    on_steps: Vec<(u32, StepCondition<M>)>,
    pub(crate) footprints: Option<&'m dyn Footprints<State = M::State, Action = M::Action>>,
    pub(crate) objects: Vec<Box<dyn ObjectType>>,
}

impl<'m, M: Model> Native<'m, M> {
    /// The model with its assertions.
    pub fn new(model: &'m M) -> Native<'m, M> {
        let mut assertions = Assertions(Vec::new());
        model.assertions(&mut assertions);
        let on_steps = (0..).zip(&assertions.0).filter_map(|(place, assertion)| match assertion.condition {
            Condition::Step(condition) => Some((place, condition)),
            Condition::State(_) => None,
        });
        let on_steps = on_steps.collect();
        Native { assertions: assertions.0, on_steps, ..Native::without_assertions(model) }
    }

    /// The model without its assertions, so that conditions on whole states don't stand in the way of a
    /// reduction.
    pub fn without_assertions(model: &'m M) -> Native<'m, M> {
        let footprints = model.footprints();
        let objects = footprints.map_or_else(Vec::new, Footprints::objects);
        Native { model, assertions: Vec::new(), on_steps: Vec::new(), footprints, objects }
    }

    /// Gives up reductions, and with them the need for names of steps that outlive a state.
    pub fn forget_footprints(&mut self) {
        self.footprints = None;
    }

    /// The assertion whose condition on states keeps this model from being reduced, if there is one.
    pub fn obstacle(&self) -> Option<&Assertion<M>> {
        self.footprints?;
        self.assertions.iter().find(|assertion| assertion.is_on_states())
    }

    /// The state with these bytes, as the model knows it.
    pub fn state(&self, bytes: &[u8]) -> Option<M::State> {
        M::State::decode(bytes).ok()
    }

    /// The action behind a step of `state`: the one that leads to successor number `outcome`, where
    /// several actions have one name.
    pub fn action(&self, state: &M::State, step: Step, outcome: u32) -> Option<M::Action> {
        let mut actions = Vec::new();
        self.list(state, &mut actions);
        let mut matching = (0..actions.len()).filter(|&index| {
            let action = &actions[index];
            self.step_of(index, action) == step && self.model.enabled(state, action)
        });
        let found = matching.nth(outcome as usize)?;
        Some(actions.swap_remove(found))
    }

    /// Lists what can happen in `state`, processes in ascending order if anything depends on that.
    #[inline]
    pub(crate) fn list(&self, state: &M::State, actions: &mut Vec<M::Action>) {
        self.model.actions(state, actions);
        if self.footprints.is_some() && !actions.is_sorted_by_key(|action| self.model.process(action)) {
            actions.sort_by_key(|action| self.model.process(action));
        }
    }

    /// The name of the action at this place of the list. Without footprints nothing relies on names
    /// that outlive a state, and the place will do.
    #[inline]
    pub(crate) fn step_of(&self, index: usize, action: &M::Action) -> Step {
        let code = match self.footprints {
            Some(footprints) => footprints.code(action),
            None => index as u32,
        };
        Step { process: self.model.process(action), code }
    }

    /// The number of the place at which a state that can't be stored is reported.
    pub(crate) fn broken(&self) -> u32 {
        self.assertions.len() as u32
    }

    /// Executes one action into the batch.
    #[inline(always)]
    fn fire(&self, state: &M::State, action: &M::Action, step: Step, scratch: &mut Vec<u8>, out: &mut Batch) {
        let Some(next) = self.model.next(state, action) else { return };
        let Ok(bytes) = next.bytes(scratch) else {
            return out.violate(step, ViolationKind::Contract, self.broken());
        };
        out.push(step, bytes);
        for &(place, condition) in &self.on_steps {
            if !condition(self.model, state, action, &next) {
                out.violate(step, ViolationKind::Assertion, place);
            }
        }
    }
}

impl<M: Model> System for Native<'_, M> {
    fn initial(&self, out: &mut Batch) {
        let mut scratch = Vec::new();
        for state in self.model.initial() {
            match state.bytes(&mut scratch) {
                Ok(bytes) => out.push(Step::default(), bytes),
                Err(_) => out.violate(Step::default(), ViolationKind::Contract, self.broken()),
            }
        }
    }

    fn regions_end(&self) -> bool {
        true
    }

    fn expand(&self, state: &[u8], chosen: Chosen<'_>, out: &mut Batch) {
        let Ok(state) = M::State::decode(state) else {
            return out.violate(Step::default(), ViolationKind::Contract, self.broken());
        };
        let mut scratch = Scratch::<M::Action>::take();
        let Scratch { actions, bytes } = &mut *scratch;
        self.list(&state, actions);
        match chosen {
            Chosen::All => {
                for (index, action) in actions.iter().enumerate() {
                    self.fire(&state, action, self.step_of(index, action), bytes, out);
                }
            }
            Chosen::Process(process) => {
                for (index, action) in actions.iter().enumerate() {
                    if self.model.process(action) == process {
                        self.fire(&state, action, self.step_of(index, action), bytes, out);
                    }
                }
            }
            Chosen::Steps(steps) => {
                for &step in steps {
                    for (index, action) in actions.iter().enumerate() {
                        if self.step_of(index, action) == step {
                            self.fire(&state, action, step, bytes, out);
                        }
                    }
                }
            }
        }
        scratch.give_back();
    }

    fn enabled(&self, state: &[u8], out: &mut Vec<Step>) {
        let Ok(state) = M::State::decode(state) else { return };
        let mut scratch = Scratch::<M::Action>::take();
        self.list(&state, &mut scratch.actions);
        let start = out.len();
        for (index, action) in scratch.actions.iter().enumerate() {
            if self.model.enabled(&state, action) {
                let step = self.step_of(index, action);
                // Actions with one name are one step with several outcomes.
                if !out[start..].contains(&step) {
                    out.push(step);
                }
            }
        }
        scratch.give_back();
    }

    fn valid_end(&self, state: &[u8]) -> bool {
        M::State::decode(state).is_ok_and(|state| self.model.valid_end(&state))
    }

    fn judge(&self, state: &[u8], out: &mut Batch) {
        let Ok(state) = M::State::decode(state) else { return };
        for (place, assertion) in self.assertions.iter().enumerate() {
            if let Condition::State(condition) = assertion.condition
                && !condition(self.model, &state)
            {
                out.violate(Step::default(), ViolationKind::Assertion, place as u32);
            }
        }
    }

    fn judges_states(&self) -> bool {
        self.assertions.iter().any(Assertion::is_on_states)
    }

    fn state_size(&self) -> Option<usize> {
        M::State::SIZE
    }

    fn relations(&self) -> Option<&dyn Relations> {
        match self.footprints {
            Some(_) if self.obstacle().is_none() => Some(self),
            _ => None,
        }
    }

    fn describe(&self) -> &dyn Describe {
        self
    }
}
