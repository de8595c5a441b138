//! Walks a trace step by step and judges its end.
//!
//! Before a step is executed it is looked for among the enabled steps: `System::expand` may assume
//! that the steps it is given are enabled, and a damaged trail is no reason to break that promise.

use crate::refusal::{Reason, Refusal};
use crate::run::{Executed, Run};
use mazurka_model::trace::{TraceStep, execute};
use mazurka_model::{Batch, Chosen, Finding, FindingKind, Step, System, Violation, ViolationKind};

/// Re-executes the trace of `finding` and checks that it ends in the error that is claimed.
///
/// A deadlock is a state outside atomic regions without an enabled step that is not a valid end. A
/// wrong step must report the claimed violation, at the claimed place, as the last step of the trace;
/// it need not have a successor unless it is a false assertion. A broken condition on states must be
/// reported of the last state. A run that breaks a temporal property must come back to the state where its
/// repeated part begins, or end where nothing can move; whether it breaks the property is for those to say
/// who know what the property means.
pub fn confirm(system: &dyn System, finding: &Finding) -> Result<Run, Refusal> {
    let mut walk = Walk::start(system, finding.trace.initial)?;
    let steps = &finding.trace.steps;
    match finding.kind {
        FindingKind::Deadlock => {
            for step in steps {
                walk.advance(*step)?;
            }
            walk.expect_deadlock()?;
        }
        FindingKind::Step { kind, place } => {
            let Some((last, earlier)) = steps.split_last() else {
                return Err(Refusal { at: None, reason: Reason::NoStep });
            };
            for step in earlier {
                walk.advance(*step)?;
            }
            walk.expect_violation(*last, kind, place)?;
        }
        FindingKind::State { kind, place } => {
            for step in steps {
                walk.advance(*step)?;
            }
            walk.expect_broken_state(kind, place)?;
        }
        FindingKind::Temporal { .. } => {
            for step in steps {
                walk.advance(*step)?;
            }
            walk.expect_repetition(finding.trace.repeats)?;
        }
        // Whatever the run stops in, it only has to be a run.
        FindingKind::Stopped => {
            for step in steps {
                walk.advance(*step)?;
            }
        }
    }
    let repeats = finding.trace.repeats;
    Ok(Run { initial: walk.initial, steps: walk.steps, kind: finding.kind, repeats })
}

/// A run under way.
pub(crate) struct Walk<'a> {
    system: &'a dyn System,
    initial: Vec<u8>,
    /// Whether the initial state lies within an atomic region.
    initial_interior: bool,
    steps: Vec<Executed>,
    batch: Batch,
    enabled: Vec<Step>,
}

impl<'a> Walk<'a> {
    pub(crate) fn start(system: &'a dyn System, number: u32) -> Result<Walk<'a>, Refusal> {
        let mut batch = Batch::default();
        system.initial(&mut batch);
        let index = number as usize;
        let Some(successor) = batch.successors().get(index) else {
            let reason = Reason::NoSuchInitialState { given: number, count: batch.len() };
            return Err(Refusal { at: None, reason });
        };
        Ok(Walk {
            system,
            initial: batch.state(index).to_vec(),
            initial_interior: successor.interior,
            steps: Vec::new(),
            batch,
            enabled: Vec::new(),
        })
    }

    /// The state reached so far. Every step but a last one has a successor.
    pub(crate) fn state(&self) -> &[u8] {
        self.state_at(self.steps.len())
    }

    /// The state behind so many steps.
    pub(crate) fn state_at(&self, steps: usize) -> &[u8] {
        self.steps[..steps].last().and_then(|executed| executed.after.as_deref()).unwrap_or(&self.initial)
    }

    /// Executes a step, which must be enabled. The outcome is `None` if the step has no such one.
    fn execute(&mut self, step: TraceStep) -> Result<Executed, Refusal> {
        let mut enabled = std::mem::take(&mut self.enabled);
        enabled.clear();
        self.system.enabled(self.state(), &mut enabled);
        let known = enabled.contains(&step.step);
        self.enabled = enabled;
        if !known {
            return Err(self.refuse(Reason::NotEnabled(step.step)));
        }
        let mut batch = std::mem::take(&mut self.batch);
        let after = execute(self.system, self.state(), step, &mut batch);
        let interior =
            after.is_some() && batch.successors().get(step.outcome as usize).is_some_and(|s| s.interior);
        self.batch = batch;
        Ok(Executed { step, after, interior })
    }

    /// Executes a step that must lead on.
    pub(crate) fn advance(&mut self, step: TraceStep) -> Result<(), Refusal> {
        let executed = self.execute(step)?;
        if executed.after.is_none() {
            return Err(self.no_such_outcome(step));
        }
        self.steps.push(executed);
        Ok(())
    }

    fn expect_deadlock(&mut self) -> Result<(), Refusal> {
        let interior = self.steps.last().map_or(self.initial_interior, |executed| executed.interior);
        let mut enabled = Vec::new();
        self.system.enabled(self.state(), &mut enabled);
        let reason = if let Some(step) = enabled.first() {
            Reason::StillEnabled(*step)
        } else if interior {
            Reason::WithinAtomic
        } else if self.system.valid_end(self.state()) {
            Reason::ValidEnd
        } else {
            return Ok(());
        };
        Err(Refusal { at: self.steps.len().checked_sub(1), reason })
    }

    /// The steps from number `repeats` on must lead back to the state before them; if there are none, the
    /// last state must have no successor.
    fn expect_repetition(&mut self, repeats: Option<usize>) -> Result<(), Refusal> {
        let at = self.steps.len().checked_sub(1);
        let Some(from) = repeats.filter(|from| *from <= self.steps.len()) else {
            return Err(Refusal { at, reason: Reason::NotRepeated });
        };
        if from == self.steps.len() {
            let mut batch = std::mem::take(&mut self.batch);
            batch.clear();
            self.system.expand(self.state(), Chosen::All, &mut batch);
            return match batch.successors().first() {
                Some(successor) => Err(Refusal { at, reason: Reason::GoesOn(successor.step) }),
                None => Ok(()),
            };
        }
        if self.state_at(from) != self.state() {
            return Err(Refusal { at, reason: Reason::NotRepeated });
        }
        Ok(())
    }

    fn expect_broken_state(&mut self, kind: ViolationKind, place: u32) -> Result<(), Refusal> {
        let mut batch = std::mem::take(&mut self.batch);
        batch.clear();
        self.system.judge(self.state(), &mut batch);
        let reported = batch.violations();
        if reported.iter().any(|violation| violation.kind == kind && violation.place == place) {
            return Ok(());
        }
        let reason = Reason::NotViolated { kind, place, reported: reported.to_vec() };
        Err(Refusal { at: self.steps.len().checked_sub(1), reason })
    }

    fn expect_violation(&mut self, step: TraceStep, kind: ViolationKind, place: u32) -> Result<(), Refusal> {
        let mut executed = self.execute(step)?;
        let claimed = Violation { step: step.step, kind, place };
        let reported = self.batch.violations();
        if !reported.contains(&claimed) {
            let reason = Reason::NotViolated { kind, place, reported: reported.to_vec() };
            return Err(self.refuse(reason));
        }
        match kind {
            // A false assertion is executed all the same, so the claimed outcome must exist.
            // Unless the step goes on to a fault, which leaves nothing.
            ViolationKind::Assertion
                if executed.after.is_none() && !reported.iter().any(|v| v.kind == ViolationKind::Fault) =>
            {
                return Err(self.no_such_outcome(step));
            }
            ViolationKind::Assertion | ViolationKind::Contract | ViolationKind::Reception => {}
            // What a fault would leave has no meaning, even if the step has other outcomes.
            ViolationKind::Fault | ViolationKind::Overflow => {
                executed.after = None;
                executed.interior = false;
            }
        }
        self.steps.push(executed);
        Ok(())
    }

    fn no_such_outcome(&self, step: TraceStep) -> Refusal {
        let count = self.batch.len();
        self.refuse(Reason::NoSuchOutcome { step: step.step, given: step.outcome, count })
    }

    /// Refuses the step that comes next.
    fn refuse(&self, reason: Reason) -> Refusal {
        Refusal { at: Some(self.steps.len()), reason }
    }
}
