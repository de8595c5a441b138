//! What [`Native`] answers to the reductions, from the [`Footprints`] of its model.
//!
//! Every doubt is settled towards more dependency: an action that can't be found again, an object that
//! the model didn't declare, a state that can't be read all count as "depends on everything".

use crate::encode::Encode;
use crate::footprints::{Footprints, ObjectSet};
use crate::model::Model;
use crate::native::Native;
use crate::scratch::Scratch;
use mazurka_model::object::ObjectType;
use mazurka_model::{Footprint, ObjectId, ProcessId, Relations, Step};

impl<M: Model> Native<'_, M> {
    /// Adds what `action` does to `out`.
    fn add(
        &self,
        footprints: &dyn Footprints<State = M::State, Action = M::Action>,
        state: &M::State,
        action: &M::Action,
        out: &mut Footprint,
    ) {
        footprints.footprint(state, action, out);
        if out.accesses.iter().any(|access| access.object.index() >= self.objects.len()) {
            out.accesses.retain(|access| access.object.index() < self.objects.len());
            out.everything = true;
        }
    }
}

impl<M: Model> Relations for Native<'_, M> {
    fn processes(&self, _state: &[u8]) -> usize {
        self.footprints.map_or(0, Footprints::processes)
    }

    fn objects(&self) -> &[Box<dyn ObjectType>] {
        &self.objects
    }

    fn value(&self, state: &[u8], object: ObjectId, out: &mut Vec<i64>) {
        out.clear();
        if let (Some(footprints), Ok(state)) = (self.footprints, M::State::decode(state)) {
            footprints.value(&state, object, out);
        }
    }

    fn step(&self, state: &[u8], step: Step, out: &mut Footprint) {
        out.clear();
        out.processes.push(step.process);
        out.everything = true;
        let (Some(footprints), Ok(state)) = (self.footprints, M::State::decode(state)) else { return };
        let mut scratch = Scratch::<M::Action>::take();
        self.list(&state, &mut scratch.actions);
        let mut found = false;
        for action in &scratch.actions {
            if self.model.process(action) == step.process && footprints.code(action) == step.code {
                out.everything &= found;
                found = true;
                self.add(footprints, &state, action, out);
            }
        }
        scratch.give_back();
    }

    fn next(&self, state: &[u8], process: ProcessId, out: &mut Footprint) {
        out.clear();
        out.processes.push(process);
        let (Some(footprints), Ok(state)) = (self.footprints, M::State::decode(state)) else {
            out.everything = true;
            return;
        };
        let mut scratch = Scratch::<M::Action>::take();
        footprints.moves(&state, process, &mut scratch.actions);
        for action in &scratch.actions {
            self.add(footprints, &state, action, out);
        }
        scratch.give_back();
    }

    fn next_is_local(&self, state: &[u8], process: ProcessId) -> bool {
        let mut footprint = Footprint::default();
        self.next(state, process, &mut footprint);
        footprint.is_local() && footprint.processes == [process]
    }

    fn support(&self, state: &[u8], process: ProcessId, located: bool, out: &mut Vec<u64>) {
        let mut objects = ObjectSet::over(self.objects.len(), std::mem::take(out));
        match (self.footprints, M::State::decode(state)) {
            (Some(footprints), Ok(state)) if located => {
                footprints.still_touches(&state, process, &mut objects);
            }
            (Some(footprints), Ok(_)) => footprints.touches(process, &mut objects),
            _ => objects.insert_all(),
        }
        *out = objects.into_words();
    }

    fn next_objects(&self, state: &[u8], process: ProcessId, out: &mut Vec<u64>) -> bool {
        let mut footprint = Footprint::default();
        self.next(state, process, &mut footprint);
        let mut objects = ObjectSet::over(self.objects.len(), std::mem::take(out));
        for access in &footprint.accesses {
            objects.insert(access.object);
        }
        *out = objects.into_words();
        !footprint.everything
    }
}
