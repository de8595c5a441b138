//! A confirmed run of a model into an error, in the model's own types.

use crate::model::Model;
use crate::native::Native;
use mazurka_model::trace::TraceStep;
use mazurka_model::{Describe, FindingKind};
use mazurka_replay::Run;
use std::fmt;

/// A run into an error, re-executed step by step before it got here.
pub struct Counterexample<M: Model> {
    /// What it ends in.
    pub kind: FindingKind,
    /// The same in words, such as ``assertion `mutual exclusion` is false``.
    pub what: String,
    /// Where it starts.
    pub initial: M::State,
    /// What happens, and the state after each action. Only the last may have none.
    pub steps: Vec<(M::Action, Option<M::State>)>,
    text: Vec<String>,
}

impl<M: Model> Counterexample<M> {
    /// Reads a run in the types of its model; `None` if a state or an action can't be found again.
    pub(crate) fn of(system: &Native<'_, M>, run: &Run) -> Option<Counterexample<M>> {
        let mut steps = Vec::new();
        let mut text = Vec::new();
        for (index, executed) in run.steps.iter().enumerate() {
            let before = system.state(run.before(index))?;
            let TraceStep { step, outcome } = executed.step;
            let action = system.action(&before, step, outcome)?;
            let process = system.model.describe_process(step.process);
            text.push(format!("{process}: {}", system.model.describe_action(&before, &action)));
            let after = match &executed.after {
                Some(bytes) => Some(system.state(bytes)?),
                None => None,
            };
            steps.push((action, after));
        }
        let what = match run.violation() {
            Some(violation) => system.violation(&violation).text,
            None => "deadlock".to_owned(),
        };
        Some(Counterexample { kind: run.kind, what, initial: system.state(&run.initial)?, steps, text })
    }

    /// The last state: the deadlock itself, or what the wrong step left or was taken in.
    pub fn end(&self) -> &M::State {
        self.steps.iter().rev().find_map(|(_, after)| after.as_ref()).unwrap_or(&self.initial)
    }

    /// The actions alone.
    pub fn actions(&self) -> impl Iterator<Item = &M::Action> {
        self.steps.iter().map(|(action, _)| action)
    }
}

impl<M: Model> fmt::Debug for Counterexample<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Counterexample")
            .field("what", &self.what)
            .field("initial", &self.initial)
            .field("steps", &self.steps)
            .finish()
    }
}

/// So many steps of a long run are shown at each end.
const SHOWN: usize = 20;

impl<M: Model> fmt::Display for Counterexample<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}, after {} steps from {:?}", self.what, self.steps.len(), self.initial)?;
        let left_out = self.steps.len().saturating_sub(2 * SHOWN);
        for (number, (line, (_, after))) in self.text.iter().zip(&self.steps).enumerate() {
            if left_out > 0 && (SHOWN..SHOWN + left_out).contains(&number) {
                if number == SHOWN {
                    writeln!(f, "       … {left_out} steps …")?;
                }
                continue;
            }
            match after {
                Some(state) => writeln!(f, "{:>5}  {line}  ->  {state:?}", number + 1)?,
                None => writeln!(f, "{:>5}  {line}", number + 1)?,
            }
        }
        Ok(())
    }
}
