//! Repeats a schedule.

use super::{Choice, Strategy};
use crate::runtime::Runtime;
use crate::runtime::control::End;
use crate::runtime::operation::NONE;

/// The choices of an execution: thread and outcome, step by step.
pub(crate) type Schedule = Vec<(u32, u32)>;

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
        while let Some(&(thread, choice)) = self.schedule.get(self.place) {
            self.place += 1;
            let there = (thread as usize) < runtime.threads.len() && runtime.enabled(thread);
            if there && runtime.possible(thread, choice) {
                return Some(Choice::Step { thread, choice });
            }
            if !self.lenient {
                let anyone = runtime.born.iter().any(|&thread| runtime.enabled(thread));
                return Some(if anyone {
                    Choice::Impossible(format!(
                        "step {} of the schedule, of thread {thread}, can't happen",
                        self.place
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
