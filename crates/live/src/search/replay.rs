//! Repeats a schedule.

use super::{Choice, Strategy};
use crate::runtime::Runtime;
use crate::runtime::control::End;
use crate::runtime::operation::{Kind, NONE};

/// The choices of an execution: thread and outcome, step by step. A thread is known by when it was born, which the steps before
/// decide; the numbers of the run time depend on what other executions have met.
pub(crate) type Schedule = Vec<(u32, u32)>;

fn birth(runtime: &Runtime, thread: u32) -> u32 {
    runtime.born.iter().position(|&born| born == thread).map_or(NONE, |place| place as u32)
}

/// A step as a schedule has it. The outcome of a notification is a thread, too.
pub(crate) fn rank_of(runtime: &Runtime, thread: u32, choice: u32) -> (u32, u32) {
    rank_as(runtime, runtime.threads[thread as usize].pending.kind, thread, choice)
}

fn rank_as(runtime: &Runtime, kind: Kind, thread: u32, choice: u32) -> (u32, u32) {
    let choice = match kind {
        Kind::NotifyOne if choice != NONE => birth(runtime, choice),
        _ => choice,
    };
    (birth(runtime, thread), choice)
}

/// The thread and the outcome of a step of a schedule; `None` if they can't be now.
pub(crate) fn step_of(runtime: &Runtime, (rank, choice): (u32, u32)) -> Option<(u32, u32)> {
    let thread = *runtime.born.get(rank as usize)?;
    if !runtime.enabled(thread) {
        return None;
    }
    let choice = match runtime.threads[thread as usize].pending.kind {
        Kind::NotifyOne if choice != NONE => *runtime.born.get(choice as usize)?,
        _ => choice,
    };
    runtime.possible(thread, choice).then_some((thread, choice))
}

/// The schedule of what has happened.
pub(crate) fn schedule_of(runtime: &Runtime) -> Schedule {
    let events = runtime.events.iter();
    events
        .map(|event| rank_as(runtime, event.operation.kind, event.access.thread, event.access.choice))
        .collect()
}

/// Follows a schedule; after its end the thread that runs goes on while it can.
#[derive(Debug)]
pub(crate) struct Replay {
    schedule: Schedule,
    /// Steps that are not possible are left out; else they are an error.
    lenient: bool,
    place: usize,
    last: u32,
}

impl Replay {
    pub(crate) fn new(schedule: Schedule, lenient: bool) -> Replay {
        Replay { schedule, lenient, place: 0, last: NONE }
    }

    fn follow(&mut self, runtime: &Runtime) -> Option<Choice> {
        while let Some(&step) = self.schedule.get(self.place) {
            self.place += 1;
            if let Some((thread, choice)) = step_of(runtime, step) {
                return Some(Choice::Step { thread, choice });
            }
            if !self.lenient {
                let anyone = runtime.born.iter().any(|&thread| runtime.enabled(thread));
                return Some(if anyone {
                    Choice::Impossible(format!(
                        "step {} of the schedule, of the thread that was born as number {}, can't happen",
                        self.place, step.0
                    ))
                } else {
                    Choice::Nobody
                });
            }
        }
        None
    }
}

impl Strategy for Replay {
    fn begin(&mut self) -> u32 {
        self.place = 0;
        self.last = NONE;
        NONE
    }

    fn choose(&mut self, runtime: &Runtime) -> Choice {
        if let Some(choice) = self.follow(runtime) {
            if let Choice::Step { thread, .. } = choice {
                self.last = thread;
            }
            return choice;
        }
        let goes_on = Some(self.last).filter(|&thread| thread != NONE && runtime.enabled(thread));
        let next = goes_on.or_else(|| runtime.born.iter().copied().find(|&thread| runtime.enabled(thread)));
        let Some(thread) = next else { return Choice::Nobody };
        self.last = thread;
        Choice::Step { thread, choice: runtime.alternative(thread, 0) }
    }

    fn performed(&mut self, _runtime: &Runtime) {}

    fn finished(&mut self, _runtime: &mut Runtime, _end: &End) -> bool {
        false
    }

    fn exhaustive(&self) -> bool {
        false
    }
}
