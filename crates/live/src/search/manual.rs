//! A search in which a person decides: one execution up to where a decision is needed.

use super::replay::Schedule;
use super::{Choice, Strategy};
use crate::report::words;
use crate::runtime::Runtime;
use crate::runtime::control::End;
use crate::runtime::operation::NONE;
use std::cell::RefCell;
use std::rc::Rc;

/// A step that can be chosen.
#[derive(Clone, Debug)]
pub(crate) struct Possible {
    pub(crate) thread: u32,
    pub(crate) choice: u32,
    pub(crate) text: String,
}

/// What was possible at the end of the schedule.
pub(crate) type Possibilities = Rc<RefCell<Vec<Possible>>>;

/// Follows a schedule and stops.
#[derive(Debug)]
pub(crate) struct Manual {
    schedule: Schedule,
    place: usize,
    found: Possibilities,
}

impl Manual {
    pub(crate) fn new(schedule: Schedule, found: Possibilities) -> Manual {
        Manual { schedule, place: 0, found }
    }
}

impl Strategy for Manual {
    fn begin(&mut self) -> u32 {
        self.place = 0;
        self.found.borrow_mut().clear();
        NONE
    }

    fn choose(&mut self, runtime: &Runtime) -> Choice {
        let enabled = || runtime.born.iter().copied().filter(|&thread| runtime.enabled(thread));
        if enabled().next().is_none() {
            return Choice::Nobody;
        }
        if let Some(&(thread, choice)) = self.schedule.get(self.place) {
            self.place += 1;
            if (thread as usize) < runtime.threads.len()
                && runtime.enabled(thread)
                && runtime.possible(thread, choice)
            {
                return Choice::Step { thread, choice };
            }
            return Choice::Impossible(format!("step {} can't happen any more", self.place));
        }
        let mut found = self.found.borrow_mut();
        for thread in enabled() {
            for which in 0..runtime.alternatives(thread) {
                let choice = runtime.alternative(thread, which);
                let text = words::pending(runtime, thread, choice);
                found.push(Possible { thread, choice, text });
            }
        }
        Choice::Redundant
    }

    fn performed(&mut self, _runtime: &Runtime) {}

    fn finished(&mut self, _runtime: &mut Runtime, _end: &End) -> bool {
        false
    }

    fn exhaustive(&self) -> bool {
        false
    }
}
