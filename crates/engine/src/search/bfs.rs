//! Breadth-first search: shortest counterexamples, and a proviso that needs no stack.
//!
//! The arena is the queue: states are expanded in the order in which they were stored, and each
//! remembers its parent. The proviso of a reduced set is met if one of its edges leads to a state
//! that this very expansion stored; that state will be expanded later, and so on, so no enabled step
//! is put off for ever.
//!
//! A state met again with fewer steps asleep is opened again, if it was expanded already, for the
//! steps that wake up.

mod saved;

use super::choose::{Chooser, Expanded, Frontier};
use super::run::{Finished, Run};
use crate::checkpoint::{Reader, Refusal};
use crate::config::Config;
use crate::monitor::Monitor;
use crate::outcome::Stop;
use crate::reduce::sleep::{AWAKE, SleepSets};
use crate::store::{Insert, Ordered, Side, StateRef};
use mazurka_model::{Batch, Step, System};
use std::borrow::Cow;
use std::collections::VecDeque;

struct Queue<'r, 's, S: Ordered> {
    run: &'r mut Run<'s>,
    store: &'r mut S,
    /// The state under expansion.
    present: StateRef,
    /// Its bytes.
    bytes: &'r [u8],
    /// Whether stored states carry sleep sets.
    sleeping: bool,
    questions: &'r mut Vec<S::Question>,
    /// States met again with a sleep set that lacks some of theirs.
    shrunk: &'r mut Vec<(StateRef, u32)>,
    /// Some edge found no room.
    full: &'r mut bool,
}

impl<S: Ordered> Frontier for Queue<'_, '_, S> {
    fn take(&mut self, edges: &Batch, from: usize, sleeps: &[u32], sets: &SleepSets) -> bool {
        self.store.prepare(self.present, self.bytes, edges, from, self.questions);
        let mut fresh = false;
        for (index, question) in (from..).zip(&*self.questions) {
            let sleep = sleeps.get(index).copied().unwrap_or(AWAKE);
            match self.store.insert_prepared(*question, edges.state(index)) {
                Insert::New(state) => {
                    fresh = true;
                    self.run.count_state();
                    self.store.set_parent(state, self.present);
                    if self.sleeping {
                        self.store.set_sleep(state, sleep);
                    }
                }
                Insert::Seen(state) => {
                    self.run.statistics.matched += 1;
                    if self.sleeping && !sets.is_subset(self.store.sleep(state), sleep) {
                        self.shrunk.push((state, sleep));
                    }
                }
                Insert::Passed(_) => self.run.statistics.matched += 1,
                Insert::Full => {
                    self.run.stopped = Some(Stop::Memory);
                    *self.full = true;
                    return true;
                }
            }
        }
        fresh
    }
}

struct Bfs<'s, S: Ordered> {
    run: Run<'s>,
    chooser: Chooser<'s>,
    store: S,
    sleeping: bool,
    /// The last state that was expanded for the first time; all before it are expanded too.
    last: Option<StateRef>,
    /// States to open again, each with the steps that woke up there.
    reopened: VecDeque<(StateRef, Vec<Step>)>,
    depth: u64,
    /// How many states were expanded, and how many lie up to the end of the present level.
    expanded: u64,
    level_end: u64,
    side: Side,
    /// Some edge of the last state found no room, so the search can't go on from there.
    full: bool,
    present: Vec<u8>,
    questions: Vec<S::Question>,
    shrunk: Vec<(StateRef, u32)>,
}

/// Explores `system` breadth first, with the store that `make` makes.
pub fn search<S: Ordered>(
    system: &dyn System,
    config: &Config,
    monitor: &dyn Monitor,
    from: Option<Reader>,
    make: impl FnOnce(Side) -> S,
) -> Result<Finished, Refusal> {
    let run = Run::new(system, config, monitor);
    let chooser = Chooser::new(system, &run.config, run.halt());
    let sleeping = run.config.reduction.sleep;
    let side = Side { colour: false, parent: true, sleep: sleeping };
    let mut bfs = Bfs {
        run,
        chooser,
        store: make(side),
        sleeping,
        last: None,
        reopened: VecDeque::new(),
        depth: 0,
        expanded: 0,
        level_end: 0,
        side,
        full: false,
        present: Vec::new(),
        questions: Vec::new(),
        shrunk: Vec::new(),
    };
    match from {
        Some(mut from) => bfs.restore(&mut from)?,
        None => bfs.enter_initial(system),
    }
    bfs.go();
    Ok(bfs.finish())
}

impl<S: Ordered> Bfs<'_, S> {
    fn enter_initial(&mut self, system: &dyn System) {
        let mut initial = Batch::default();
        system.initial(&mut initial);
        self.run.initial(&initial);
        for index in 0..initial.len() {
            let state = initial.state(index);
            match self.store.insert(state) {
                Insert::New(reference) => {
                    self.run.count_state();
                    self.store.set_parent(reference, reference);
                }
                Insert::Seen(_) | Insert::Passed(_) => self.run.statistics.matched += 1,
                Insert::Full => self.run.stopped = Some(Stop::Memory),
            }
        }
        self.level_end = self.store.len();
    }

    /// The next state to expand for the first time.
    fn next(&self) -> Option<StateRef> {
        match self.last {
            Some(last) => self.store.after(last),
            None => self.store.first(),
        }
    }

    fn go(&mut self) {
        loop {
            let memory = self.run.config.limits.memory;
            let going = self.run.go_on(self.chooser.expander.edges().len(), || {
                let others = self.chooser.bytes_within(memory);
                // The store has what the others leave.
                if let Some(memory) = memory {
                    self.store.set_limit(memory.saturating_sub(others));
                }
                (self.depth, self.store.bytes() + others)
            });
            if self.store.is_lost() {
                self.run.stopped = self.run.stopped.or(Some(Stop::Memory));
                return;
            }
            if self.run.is_save_due() && !self.full && self.chooser.expander.stopped().is_none() {
                let written = self.run.save_with(|out| self.save(out));
                self.run.saved(written);
            }
            if !going {
                return;
            }
            // A state to be opened again comes first: its steps were due earlier.
            if let Some((state, woken)) = self.reopened.pop_front() {
                self.open(state, Some(woken));
                continue;
            }
            let Some(state) = self.next() else { return };
            self.last = Some(state);
            self.open(state, None);
            self.expanded += 1;
            if self.expanded == self.level_end && self.expanded < self.store.len() {
                self.depth += 1;
                self.level_end = self.store.len();
            }
        }
    }

    /// Expands a state: for the first time, or for the steps that woke up.
    fn open(&mut self, state: StateRef, woken: Option<Vec<Step>>) {
        self.store.load(state, &mut self.present);
        if woken.is_none() {
            let store = &self.store;
            self.run.judge(&self.present, || way(store, state));
            if self.run.config.limits.depth.is_some_and(|limit| self.depth >= limit) {
                return self.run.at_depth_limit(&self.present, || way(store, state));
            }
        }
        let sleep = if self.sleeping { self.store.sleep(state) } else { AWAKE };
        let mut queue = Queue {
            run: &mut self.run,
            store: &mut self.store,
            present: state,
            bytes: &self.present,
            sleeping: self.sleeping,
            questions: &mut self.questions,
            shrunk: &mut self.shrunk,
            full: &mut self.full,
        };
        let expanded = match woken {
            Some(steps) => {
                self.chooser.reopen(&self.present, &steps, sleep, &mut queue);
                Expanded::Alive
            }
            None => self.chooser.expand(&self.present, sleep, &mut queue),
        };
        self.run.expanded(&self.present, &self.chooser.expander, self.chooser.whole);
        self.run.stopped = self.run.stopped.or(self.chooser.expander.stopped());
        self.wake();
        let store = &self.store;
        self.run.report_met(self.chooser.met(), || way(store, state));
        if expanded == Expanded::Dead {
            self.run.dead_end(&self.present, || way(store, state));
        }
    }

    /// Intersects the sleep sets of states that were met again, and has those opened again that were
    /// expanded before. The state under expansion counts as expanded.
    fn wake(&mut self) {
        for (state, sleep) in self.shrunk.drain(..) {
            let stored = self.store.sleep(state);
            if self.chooser.sets.is_subset(stored, sleep) {
                continue;
            }
            let (woken, both) = self.chooser.sets.split(stored, sleep);
            self.store.set_sleep(state, both);
            if self.last.is_some_and(|last| state <= last) {
                self.run.statistics.reopened += 1;
                self.reopened.push_back((state, woken));
            }
        }
    }

    fn finish(self) -> Finished {
        let Bfs { mut run, chooser, store, depth, .. } = self;
        run.statistics.depth = depth;
        run.statistics.atomic_steps = chooser.expander.atomic_steps();
        run.statistics.state_bytes = store.longest() as u64;
        run.statistics.store_bytes = store.bytes() + chooser.sets.bytes();
        if run.config.reduction.sleep {
            run.statistics.sleep_bytes = chooser.sets.bytes_with(store.len());
        }
        let store = store.recollection();
        Finished { outcome: run.finish(&store, |place| chooser.expander.covered(place)), store }
    }
}

/// The way from an initial state to `state`, by parents.
fn way<S: Ordered>(store: &S, mut state: StateRef) -> Vec<Cow<'_, [u8]>> {
    let mut states = vec![store.state(state)];
    while store.parent(state) != state {
        state = store.parent(state);
        states.push(store.state(state));
    }
    states.reverse();
    states
}
