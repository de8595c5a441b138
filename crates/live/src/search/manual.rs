//! A search in which a person decides: one execution that asks before each step.
//!
//! The person sits at the other end of two channels, so that an execution goes on from where it is and nothing is repeated but to
//! go back.

use super::replay::{Schedule, rank_of, step_of};
use super::{Choice, Strategy};
use crate::report::timeline::Timeline;
use crate::report::words;
use crate::runtime::Runtime;
use crate::runtime::control::End;
use crate::runtime::operation::NONE;
use std::sync::mpsc::{Receiver, Sender};

/// How far an execution runs by itself before it asks again.
const FAR: u32 = 1000;

/// A step that can be chosen.
#[derive(Clone, Debug)]
pub(crate) struct Possible {
    /// The thread and the outcome, as a schedule has them.
    pub(crate) step: (u32, u32),
    pub(crate) text: String,
}

/// What a person sees before a decision.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub(crate) possible: Vec<Possible>,
    pub(crate) timeline: Timeline,
    /// What led here.
    pub(crate) schedule: Schedule,
    /// How the execution ended, if it did.
    pub(crate) end: Option<String>,
}

/// What a person wants.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Wish {
    /// The step of this number.
    Step(usize),
    /// To run on without asking.
    Run,
}

/// Follows a schedule, and then asks.
#[derive(Debug)]
pub(crate) struct Manual {
    schedule: Schedule,
    place: usize,
    /// How many steps are left that nobody is asked about.
    silent: u32,
    moments: Sender<Moment>,
    wishes: Receiver<Wish>,
}

impl Manual {
    pub(crate) fn new(schedule: Schedule, moments: Sender<Moment>, wishes: Receiver<Wish>) -> Manual {
        Manual { schedule, place: 0, silent: 0, moments, wishes }
    }

    /// The step of someone who doesn't care: the thread that runs goes on if it can, and one that waits in a loop comes last.
    fn default_step(runtime: &Runtime) -> Option<(u32, u32)> {
        let current = runtime.current;
        let enabled = |&thread: &u32| runtime.enabled(thread);
        let eager = |&thread: &u32| enabled(&thread) && !runtime.threads[thread as usize].yielded;
        let thread = Some(current)
            .filter(eager)
            .or_else(|| runtime.born.iter().copied().find(eager))
            .or_else(|| runtime.born.iter().copied().find(|thread| *thread != current && enabled(thread)))
            .or_else(|| Some(current).filter(enabled))?;
        Some((thread, runtime.alternative(thread, 0)))
    }

    fn ask(&mut self, runtime: &Runtime) -> Option<(u32, u32)> {
        let mut steps = Vec::new();
        let mut possible = Vec::new();
        for thread in runtime.born.iter().copied().filter(|&thread| runtime.enabled(thread)) {
            for which in 0..runtime.alternatives(thread) {
                let choice = runtime.alternative(thread, which);
                let text = words::pending(runtime, thread, choice);
                steps.push((thread, choice));
                possible.push(Possible { step: rank_of(runtime, thread, choice), text });
            }
        }
        let timeline = Timeline::new(runtime);
        let moment = Moment { possible, timeline, schedule: self.schedule.clone(), end: None };
        self.moments.send(moment).ok()?;
        // Nobody wishes anything any more: the execution is given up.
        match self.wishes.recv().ok()? {
            Wish::Step(number) => steps.get(number).copied(),
            Wish::Run => {
                self.silent = FAR - 1;
                Manual::default_step(runtime)
            }
        }
    }
}

impl Strategy for Manual {
    fn begin(&mut self) -> u32 {
        self.place = 0;
        NONE
    }

    fn choose(&mut self, runtime: &Runtime) -> Choice {
        let Some(default) = Manual::default_step(runtime) else { return Choice::Nobody };
        if let Some(&step) = self.schedule.get(self.place) {
            self.place += 1;
            return match step_of(runtime, step) {
                Some((thread, choice)) => Choice::Step { thread, choice },
                None => Choice::Impossible(format!("step {} can't happen any more", self.place)),
            };
        }
        let chosen = if self.silent > 0 {
            self.silent -= 1;
            Some(default)
        } else {
            self.ask(runtime)
        };
        let Some((thread, choice)) = chosen else { return Choice::Redundant };
        // An execution that is repeated, because something was learnt about a loop, gets here without asking again.
        self.schedule.push(rank_of(runtime, thread, choice));
        self.place += 1;
        Choice::Step { thread, choice }
    }

    fn performed(&mut self, _runtime: &Runtime) {}

    fn finished(&mut self, _runtime: &mut Runtime, _end: &End) -> bool {
        false
    }

    fn exhaustive(&self) -> bool {
        false
    }
}
