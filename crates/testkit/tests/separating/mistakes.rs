//! The mistakes that the programs are about do lose their errors, and the same search without them does not.

use super::careless::{Careless, Errors, Mistake};
use super::{programs, promela};
use mazurka_engine::reduce::{Reducer, reducer};
use mazurka_engine::{Config, Method, Reduction};
use mazurka_model::{Access, Footprint, Future, Relations, Step, System};
use mazurka_program::Interpreter;

fn errors(system: &Interpreter, method: Method, sleeps: bool, mistake: Mistake) -> Errors {
    let config = Config { reduction: Reduction { method, sleep: sleeps }, ..Config::default() };
    let chosen = reducer(system, &config);
    let chosen = chosen.unwrap_or_else(|| Box::new(Everything));
    Careless::new(system, chosen, sleeps, mistake).errors()
}

/// Proposes nothing, so that everything is explored.
struct Everything;

impl Reducer for Everything {
    fn propose(&mut self, _: &[u8], _: &[Step], _: usize, _: &mut Vec<usize>) -> bool {
        false
    }
}

#[test]
fn without_a_proviso_the_rest_is_ignored() {
    let system = promela(programs::IGNORING);
    assert_eq!(errors(&system, Method::Local, false, Mistake::None).violated.len(), 1);
    assert!(errors(&system, Method::Local, false, Mistake::NoProviso).violated.is_empty());
}

#[test]
fn a_proviso_that_counts_sleeping_edges_loses_an_error() {
    let system = promela(programs::PROVISO_WITH_SLEEP);
    assert_eq!(errors(&system, Method::Local, true, Mistake::None).violated.len(), 1);
    assert!(errors(&system, Method::Local, true, Mistake::SleepingEdgesCount).violated.is_empty());
}

/// Takes a process alone if the steps that it can take now are local.
struct EnabledOnly<'s>(&'s dyn Relations);

impl Reducer for EnabledOnly<'_> {
    fn propose(&mut self, state: &[u8], enabled: &[Step], attempt: usize, set: &mut Vec<usize>) -> bool {
        let mut footprint = Footprint::default();
        let mut local = |step: &Step| {
            self.0.step(state, *step, &mut footprint);
            footprint.is_local()
        };
        let mut alone: Vec<_> = enabled.iter().map(|step| step.process).collect();
        alone.dedup();
        alone.retain(|process| enabled.iter().filter(|s| s.process == *process).all(&mut local));
        let Some(process) = alone.get(attempt) else { return false };
        set.clear();
        set.extend((0..enabled.len()).filter(|&index| enabled[index].process == *process));
        true
    }
}

#[test]
fn looking_at_enabled_steps_only_loses_an_error() {
    let system = promela(programs::DISABLED_ALTERNATIVE);
    let wrong = Box::new(EnabledOnly(system.relations().expect("programs have relations")));
    let careless = Careless::new(&system, wrong, false, Mistake::None).errors();
    let all = errors(&system, Method::Local, false, Mistake::None);
    assert_eq!(all.violated.len(), 1);
    assert!(careless.violated.is_empty(), "{careless:?}");
}

/// Takes a step alone if in the present value nothing that others may still do depends on it.
struct PresentValueOnly<'s>(&'s dyn Relations);

impl PresentValueOnly<'_> {
    fn is_alone(&self, state: &[u8], step: Step) -> bool {
        let (mut footprint, mut futures, mut value) = (Footprint::default(), Vec::new(), Vec::new());
        self.0.step(state, step, &mut footprint);
        let mut depends = |access: &Access, future: &Future| {
            self.0.value(state, access.object, &mut value);
            let object = &self.0.objects()[access.object.index()];
            let same = future.accesses.iter().filter(|other| other.object == access.object);
            future.everything
                || same.into_iter().any(|other| object.dependent(&access.operation, &other.operation, &value))
        };
        (0..self.0.processes(state) as u16).map(mazurka_model::ProcessId).all(|process| {
            if process == step.process {
                return true;
            }
            self.0.futures(state, process, &mut futures);
            !footprint.accesses.iter().any(|access| futures.iter().any(|future| depends(access, future)))
        })
    }
}

impl Reducer for PresentValueOnly<'_> {
    fn propose(&mut self, state: &[u8], enabled: &[Step], attempt: usize, set: &mut Vec<usize>) -> bool {
        let alone: Vec<usize> =
            (0..enabled.len()).filter(|&index| self.is_alone(state, enabled[index])).collect();
        set.clear();
        set.extend(alone.get(attempt));
        !set.is_empty()
    }
}

/// A receive beside a later test for full: in the present value they are independent, and ▷ knows that they
/// need not stay so.
#[test]
fn looking_at_the_present_value_only_loses_an_error() {
    let system = promela(
        "chan q = [2] of { byte };
         active proctype Receiver() { byte x; q?x }
         active proctype Sender() { q!1; q!1; if :: full(q) -> assert(false) :: else fi }",
    );
    let wrong = Box::new(PresentValueOnly(system.relations().expect("programs have relations")));
    let careless = Careless::new(&system, wrong, false, Mistake::None).errors();
    assert_eq!(errors(&system, Method::Conditional, false, Mistake::None).violated.len(), 1);
    assert!(careless.violated.is_empty(), "{careless:?}");
}
