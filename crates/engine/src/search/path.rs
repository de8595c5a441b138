//! From two neighbouring states of the search back to the steps between them.
//!
//! A search keeps states, not steps. The steps of a counterexample are found again when it is
//! needed, by expanding each state on the way once more, through the interior states of atomic
//! regions.

use mazurka_model::trace::TraceStep;
use mazurka_model::{Batch, Chosen, Step, System, Trace, Violation};
use std::borrow::Cow;
use std::collections::HashSet;

/// What the last expansion on the way is to arrive at.
#[derive(Copy, Clone)]
pub enum Target<'a> {
    /// This state.
    State(&'a [u8]),
    /// This violation, behind a first step.
    Violation(Step, Violation),
}

/// The trace through `states`, each reachable from the one before by one expansion, and on to
/// `last`. `None` if the system does not answer as it did during the search.
pub fn trace(system: &dyn System, states: &[Cow<'_, [u8]>], last: Option<Target<'_>>) -> Option<Trace> {
    Way::default().trace(system, states, last)
}

/// Bytes of states of a way that are kept for the next one, at most.
const MOST_KEPT: usize = 4 << 20;

/// The way of the last trace: the next one often begins alike, and has the same steps as far as it does.
#[derive(Debug, Default)]
pub struct Way {
    initial: u32,
    /// Those that are kept, and by state how many steps lead there.
    states: Vec<Box<[u8]>>,
    lengths: Vec<usize>,
    steps: Vec<TraceStep>,
}

impl Way {
    /// The trace through `states`, as [`trace`] finds it.
    pub fn trace(
        &mut self,
        system: &dyn System,
        states: &[Cow<'_, [u8]>],
        last: Option<Target<'_>>,
    ) -> Option<Trace> {
        let trace = self.follow(system, states).and_then(|()| {
            let mut steps = self.steps.clone();
            if let Some(target) = last {
                let first = match target {
                    Target::State(_) => None,
                    Target::Violation(first, _) => Some(first),
                };
                connect(system, &states[states.len() - 1], first, target, &mut steps)?;
            }
            Some(Trace { initial: self.initial, steps, repeats: None })
        });
        if trace.is_none() {
            *self = Way::default();
        }
        self.steps.truncate(self.lengths.last().copied().unwrap_or(0));
        trace
    }

    /// Makes this the way through `states`, of which the first are kept.
    fn follow(&mut self, system: &dyn System, states: &[Cow<'_, [u8]>]) -> Option<()> {
        let common = self.states.iter().zip(states).take_while(|(a, b)| a[..] == b[..]).count();
        self.states.truncate(common);
        self.lengths.truncate(common);
        self.steps.truncate(self.lengths.last().copied().unwrap_or(0));
        let mut bytes: usize = self.states.iter().map(|state| state.len()).sum();
        for (index, state) in states.iter().enumerate().skip(common) {
            if index == 0 {
                let mut batch = Batch::default();
                system.initial(&mut batch);
                self.initial = (0..batch.len()).find(|i| batch.state(*i) == &**state)? as u32;
            } else {
                connect(system, &states[index - 1], None, Target::State(state), &mut self.steps)?;
            }
            bytes += state.len();
            if bytes <= MOST_KEPT {
                self.states.push((**state).into());
                self.lengths.push(self.steps.len());
            }
        }
        Some(())
    }
}

/// Appends one step from `from` to `target`: this one, if it is given.
pub fn step(
    system: &dyn System,
    from: &[u8],
    step: Option<Step>,
    target: &[u8],
    steps: &mut Vec<TraceStep>,
) -> Option<()> {
    let wanted: Vec<Step> = step.into_iter().collect();
    let chosen = if wanted.is_empty() { Chosen::All } else { Chosen::Steps(&wanted) };
    let batch = open(system, from, chosen).batch;
    let index = (0..batch.len()).find(|index| batch.state(*index) == target)?;
    let step = batch.successors()[index].step;
    let outcome = batch.successors()[..index].iter().filter(|earlier| earlier.step == step).count() as u32;
    steps.push(TraceStep { step, outcome });
    Some(())
}

struct Level {
    batch: Batch,
    cursor: usize,
}

/// Appends the steps of one expansion from `from` to `target`, beginning with `first` if that is given.
pub fn connect(
    system: &dyn System,
    from: &[u8],
    first: Option<Step>,
    target: Target<'_>,
    steps: &mut Vec<TraceStep>,
) -> Option<()> {
    let start = steps.len();
    let mut visited: HashSet<Vec<u8>> = HashSet::new();
    let mut levels = match first {
        Some(first) => vec![open(system, from, Chosen::Steps(&[first]))],
        None => vec![open(system, from, Chosen::All)],
    };
    loop {
        let level = levels.last_mut()?;
        if level.cursor == 0
            && let Target::Violation(_, wanted) = target
            && level.batch.violations().contains(&wanted)
        {
            steps.push(TraceStep { step: wanted.step, outcome: 0 });
            return Some(());
        }
        let Some(successor) = level.batch.successors().get(level.cursor) else {
            levels.pop();
            if levels.is_empty() {
                return None;
            }
            steps.truncate(start + levels.len() - 1);
            continue;
        };
        let (step, interior) = (successor.step, successor.interior);
        let earlier = &level.batch.successors()[..level.cursor];
        let outcome = earlier.iter().filter(|s| s.step == step).count() as u32;
        level.cursor += 1;
        steps.truncate(start + levels.len() - 1);
        let level = &levels[levels.len() - 1];
        steps.push(TraceStep { step, outcome });
        if let Target::State(wanted) = target
            && state_at(level) == wanted
        {
            return Some(());
        }
        if interior && visited.insert(state_at(level).to_vec()) {
            let next = open(system, state_at(level), Chosen::All);
            levels.push(next);
        }
    }
}

fn state_at(level: &Level) -> &[u8] {
    level.batch.state(level.cursor - 1)
}

fn open(system: &dyn System, state: &[u8], chosen: Chosen<'_>) -> Level {
    let mut batch = Batch::default();
    system.expand(state, chosen, &mut batch);
    Level { batch, cursor: 0 }
}
