//! A run that is made step by step by whoever chooses: a person, a random number, a trail.
//!
//! A simulation only walks: it knows the state it stands in, the choices there, and the way back.
//! What it has walked is a [`Finding`] like any other, so it can be saved and confirmed.

use crate::run::{Executed, Run};
use mazurka_model::trace::TraceStep;
use mazurka_model::{Batch, Chosen, Finding, FindingKind, Step, System, Trace, Violation};

/// One way on from the present state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The step, and where it leads.
    pub executed: Executed,
    /// What is wrong with it.
    pub violation: Option<Violation>,
}

/// How a run has ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// No step is enabled, and that is as it should be.
    Proper,
    /// Something is wrong; never [`FindingKind::Stopped`].
    Wrong(FindingKind),
}

/// A run under way.
pub struct Simulation<'a> {
    system: &'a dyn System,
    number: u32,
    initial: Vec<u8>,
    taken: Vec<Choice>,
    batch: Batch,
}

impl<'a> Simulation<'a> {
    /// Starts in initial state `number`, if there is such a one.
    pub fn new(system: &'a dyn System, number: u32) -> Option<Simulation<'a>> {
        let mut batch = Batch::default();
        system.initial(&mut batch);
        let index = number as usize;
        let initial = (index < batch.len()).then(|| batch.state(index).to_vec())?;
        Some(Simulation { system, number, initial, taken: Vec::new(), batch })
    }

    /// How many steps were taken.
    pub fn len(&self) -> usize {
        self.taken.len()
    }

    /// Whether no step was taken yet.
    pub fn is_empty(&self) -> bool {
        self.taken.is_empty()
    }

    /// The present state; after a step without a successor the one in which it was taken.
    pub fn state(&self) -> &[u8] {
        let taken = self.taken.iter().rev();
        taken.flat_map(|choice| choice.executed.after.as_deref()).next().unwrap_or(&self.initial)
    }

    /// The ways on from the present state, in the system's order; none from a wrong step.
    pub fn choices(&mut self) -> Vec<Choice> {
        let mut choices = Vec::new();
        if self.last_violation().is_some() {
            return choices;
        }
        let mut enabled = Vec::new();
        self.system.enabled(self.state(), &mut enabled);
        for step in enabled {
            self.outcomes(step, &mut choices);
        }
        choices
    }

    /// The choice that a trail asks for, if it is there.
    pub fn choice(&mut self, wanted: TraceStep) -> Option<Choice> {
        let choices = self.choices();
        let exactly = choices.iter().find(|choice| choice.executed.step == wanted);
        // A wrong step without a successor has no outcome to tell apart.
        let lost =
            |choice: &&Choice| choice.executed.after.is_none() && choice.executed.step.step == wanted.step;
        exactly.or_else(|| choices.iter().find(lost)).cloned()
    }

    fn outcomes(&mut self, step: Step, choices: &mut Vec<Choice>) {
        let mut batch = std::mem::take(&mut self.batch);
        batch.clear();
        self.system.expand(self.state(), Chosen::Steps(&[step]), &mut batch);
        let violation = batch.violations().first().copied();
        for (outcome, successor) in batch.successors().iter().enumerate() {
            let step = TraceStep { step, outcome: outcome as u32 };
            let after = Some(batch.state(outcome).to_vec());
            choices
                .push(Choice { executed: Executed { step, after, interior: successor.interior }, violation });
        }
        if batch.is_empty() && violation.is_some() {
            let step = TraceStep { step, outcome: 0 };
            choices.push(Choice { executed: Executed { step, after: None, interior: false }, violation });
        }
        self.batch = batch;
    }

    /// Takes a step.
    pub fn take(&mut self, choice: Choice) {
        self.taken.push(choice);
    }

    /// Takes the last step back; false if there is none.
    pub fn back(&mut self) -> bool {
        self.taken.pop().is_some()
    }

    fn last_violation(&self) -> Option<Violation> {
        self.taken.last().and_then(|choice| choice.violation)
    }

    /// How the run has ended, if it can't go on.
    pub fn end(&mut self) -> Option<End> {
        if let Some(violation) = self.last_violation() {
            return Some(End::Wrong(FindingKind::Step { kind: violation.kind, place: violation.place }));
        }
        if self.system.judges_states() {
            let mut batch = Batch::default();
            self.system.judge(self.state(), &mut batch);
            if let Some(violation) = batch.violations().first() {
                return Some(End::Wrong(FindingKind::State { kind: violation.kind, place: violation.place }));
            }
        }
        let mut enabled = Vec::new();
        self.system.enabled(self.state(), &mut enabled);
        match enabled.is_empty() {
            false => None,
            true if self.system.valid_end(self.state()) => Some(End::Proper),
            true => Some(End::Wrong(FindingKind::Deadlock)),
        }
    }

    /// The run so far.
    pub fn run(&mut self) -> Run {
        let kind = match self.end() {
            Some(End::Wrong(kind)) => kind,
            Some(End::Proper) | None => FindingKind::Stopped,
        };
        let steps = self.taken.iter().map(|choice| choice.executed.clone()).collect();
        Run { initial: self.initial.clone(), steps, kind, repeats: None }
    }

    /// The run so far as something that can be saved and confirmed.
    pub fn finding(&mut self) -> Finding {
        let Run { kind, steps, .. } = self.run();
        let steps = steps.into_iter().map(|executed| executed.step).collect();
        Finding { kind, trace: Trace { initial: self.number, steps, repeats: None } }
    }
}
