//! Depth-first search (Algorithm 1), in true depth-first order, with successors probed in batches.
//!
//! A state is expanded once, when it is first visited; its successors are hashed, their buckets
//! fetched together, and those visited before are dropped. The others wait on the stack and are
//! probed again when their turn comes, so the order is that of the textbook.
//!
//! The proviso of a reduced set is met if one of its edges leads off the stack (1992, section 3.1); or,
//! where that is enough, a strong component that can't be left gets a state that is expanded fully once
//! it is complete ([`super::component`]).
//!
//! Where nothing is chosen no proviso rests on the order, and once there are many states several are opened
//! together (`several`). So they are where choosing has left out next to nothing by then, and is given up (`several::again`).

mod exchange;
mod probe;
mod saved;
mod several;
mod stack;

pub use exchange::search_then_bits;

use super::choose::{Chooser, Expanded};
use super::component::{Components, Link};
use super::run::{Finished, Run};
use crate::checkpoint::{Reader, Refusal};
use crate::config::{Config, Order};
use crate::expand::Expander;
use crate::monitor::Monitor;
use crate::outcome::Stop;
use crate::reduce::sleep::AWAKE;
use crate::reduce::{self, Proviso};
use crate::store::{Insert, Side, StateRef, Store};
use mazurka_model::{Batch, Chosen, Step, System};
use probe::Probe;
use saved::{SEVERAL, STATES};
use several::Several;
use stack::{Frame, Stack, Survivor, Waiting};
use std::borrow::Cow;

/// Colours of stored states.
const ON_STACK: u8 = 1;
const CLOSED: u8 = 2;

/// Which steps of a state are expanded.
enum Expansion {
    /// Those that the reduction chooses, at the first visit with these asleep.
    First(u32),
    /// Those that woke up, with these asleep.
    Woken(Vec<Step>, u32),
    /// Those that were left out.
    Rest,
}

struct Dfs<'s, S: Store> {
    run: Run<'s>,
    chooser: Chooser<'s>,
    store: S,
    stack: Stack,
    sleeping: bool,
    coloured: bool,
    components: Option<Components>,
    /// Executes steps again whose bytes were not kept.
    again: Expander<'s>,
    present: Vec<u8>,
    questions: Vec<S::Question>,
    survivors: Vec<Survivor>,
    /// The question for the first of them, while it is the next one to be entered and the last batch that the store knows is theirs.
    fresh: Option<S::Question>,
    side: Side,
    /// The bytes that store and stack may use.
    limit: Option<u64>,
    /// The store was exchanged for bits.
    exchanged: bool,
    /// With this many states the order is given up.
    in_order: u64,
    /// The next initial state.
    initial: usize,
    /// `present`, to be entered with this sleep set, had no room.
    refused: Option<u32>,
}

/// Explores `system` depth first, with the store that `make` makes; from the beginning, or on from a
/// checkpoint.
pub fn search<S: Store>(
    system: &dyn System,
    config: &Config,
    monitor: &dyn Monitor,
    from: Option<Reader>,
    make: impl FnOnce(Side) -> S,
) -> Result<Finished, Refusal> {
    let mut dfs = Dfs::new(system, config, monitor, make);
    dfs.in_order = dfs.last_in_order();
    if let Some(mut from) = from {
        match from.u8()? {
            STATES => dfs.restore(&mut from)?,
            SEVERAL => {
                let mut several = Several::restored(dfs, &mut from)?;
                several.go();
                return Ok(several.finish());
            }
            _ => return Err(Refusal::Damaged("it says that the store was exchanged, which it can't be")),
        }
    }
    dfs.go();
    if !dfs.has_many() {
        return Ok(dfs.finish());
    }
    let mut several = Several::go_on_from(dfs);
    several.go();
    Ok(several.finish())
}

impl<'s, S: Store> Dfs<'s, S> {
    fn new(
        system: &'s dyn System,
        config: &Config,
        monitor: &'s dyn Monitor,
        make: impl FnOnce(Side) -> S,
    ) -> Dfs<'s, S> {
        let run = Run::new(system, config, monitor);
        let chooser = Chooser::new(system, &run.config, run.halt());
        let sleeping = run.config.reduction.sleep;
        let coloured = chooser.wants_proviso();
        let by_component = coloured && reduce::proviso(system, &run.config) == Proviso::Component;
        let coloured = coloured && !by_component;
        let side = Side { colour: coloured, parent: by_component, sleep: sleeping };
        let stack = Stack::new(config.limits.memory);
        let again = Expander::new(system).limited(config.limits.memory).halted_by(run.halt());
        Dfs {
            run,
            chooser,
            store: make(side),
            stack,
            sleeping,
            coloured,
            components: by_component.then(Components::default),
            again,
            present: Vec::new(),
            questions: Vec::new(),
            survivors: Vec::new(),
            fresh: None,
            side,
            limit: config.limits.memory,
            exchanged: false,
            in_order: u64::MAX,
            initial: 0,
            refused: None,
        }
    }

    /// The number of states after which several may be opened together: where no choice and no proviso rests on the order, or
    /// choosing can be given up, and nobody watches it.
    fn last_in_order(&self) -> u64 {
        let config = &self.run.config;
        let in_vain = config.gives_up || self.chooser.pause.is_some() && config.order == Order::Forward;
        // The stack proviso is not one of those under which choosing is given up.
        let gives_up = in_vain && !self.coloured && config.keeps_all();
        let any_order = self.chooser.chooses_nothing() && !self.sleeping || gives_up;
        if any_order && !self.run.is_watched() && self.store.asks_several() {
            config.in_order
        } else {
            u64::MAX
        }
    }
}

impl<S: Store> Dfs<'_, S> {
    fn go(&mut self) {
        let mut initial = Batch::default();
        self.run.system.initial(&mut initial);
        self.run.initial(&initial);
        if let Some(sleep) = self.refused.take() {
            self.enter(sleep, 0, None);
        }
        loop {
            while !self.stack.frames.is_empty() && !self.has_many() && self.proceed() {
                self.save_if_due();
            }
            if self.run.stopped.is_some() {
                return self.save_if_due();
            }
            if self.has_many() {
                return;
            }
            if self.initial >= initial.len() {
                return;
            }
            self.present.clear();
            self.present.extend_from_slice(initial.state(self.initial));
            self.initial += 1;
            self.enter(AWAKE, 0, None);
        }
    }

    /// Whether it is time to open several states together.
    #[inline]
    fn has_many(&self) -> bool {
        let states = self.run.statistics.states;
        states >= self.in_order && self.run.stopped.is_none() && self.chooser.is_in_vain(states)
    }

    /// Writes a checkpoint if it is time. A state whose expansion was given up can't be saved.
    #[inline]
    fn save_if_due(&mut self) {
        if self.run.is_save_due() && self.chooser.expander.stopped().is_none() {
            let written = self.run.save_with(|out| self.save(out));
            self.run.saved(written);
        }
    }

    /// Takes one successor from the top of the stack, or leaves the top level.
    fn proceed(&mut self) -> bool {
        let limit = self.limit;
        let going = self.run.go_on(self.chooser.expander.edges().len(), || {
            let components = self.components.as_ref().map_or(0, Components::bytes);
            let others = self.stack.bytes() + self.chooser.bytes_within(limit) + components;
            if let Some(limit) = limit {
                // What the stack takes the store can't have.
                self.store.set_limit(limit.saturating_sub(others));
            }
            (self.stack.frames.len() as u64, self.store.bytes() + others)
        });
        if self.store.is_lost() {
            self.run.stopped = self.run.stopped.or(Some(Stop::Memory));
        }
        if !going || self.run.stopped.is_some() {
            return false;
        }
        let fresh = self.fresh.take();
        match self.stack.next(&mut self.present) {
            None => {
                if self.components.is_some() {
                    self.leave_component();
                } else if let Some(frame) = self.stack.frames.pop() {
                    if self.coloured {
                        self.store.set_colour(frame.state, frame.after);
                    }
                    self.store.release(frame.state);
                }
                self.run.stopped.is_none()
            }
            Some((waiting, kept)) => {
                // Where nothing new lies behind this one, the next one's turn comes soon.
                if let Some(next) = self.stack.waiting.last() {
                    self.store.expect(next.mark);
                }
                if kept || self.execute_again(waiting) {
                    self.enter(waiting.sleep, waiting.mark, fresh.filter(|_| kept));
                }
                self.run.stopped.is_none()
            }
        }
    }

    /// Leaves the top level, unless its state must be expanded fully first.
    fn leave_component(&mut self) {
        let Some(components) = &mut self.components else { return };
        let Some(frame) = self.stack.frames.last().copied() else { return };
        if frame.woken {
            self.stack.frames.pop();
            self.store.release(frame.state);
            if let Some(parent) = self.stack.frames.last_mut() {
                parent.link.join(frame.link);
            }
            return;
        }
        if components.is_ignoring(&self.store, frame.state, frame.link) {
            let mut state = std::mem::take(&mut self.present);
            self.store.load(frame.state, &mut state);
            self.expand(frame.state, &state, frame.link, Expansion::Rest);
            self.present = state;
            return;
        }
        self.stack.frames.pop();
        let parent = self.stack.frames.last_mut().map(|parent| &mut parent.link);
        components.leave(&mut self.store, frame.state, frame.link, parent);
    }

    /// Executes a step again whose successor was not kept; false if it leads nowhere this time.
    fn execute_again(&mut self, waiting: Waiting) -> bool {
        let Some(frame) = self.stack.frames.last() else { return false };
        self.again.clear();
        self.again.add(&self.store.state(frame.state), Chosen::Steps(&[waiting.step]));
        if let Some(stop) = self.again.stopped() {
            self.run.stopped = Some(stop);
            return false;
        }
        let edges = self.again.edges();
        let index = waiting.outcome as usize;
        if index >= edges.len() {
            self.run.inconsistent();
            return false;
        }
        self.present.clear();
        self.present.extend_from_slice(edges.state(index));
        true
    }

    /// Visits `self.present`, reached with these steps asleep, which the store knows by this mark, or was asked about just now.
    fn enter(&mut self, sleep: u32, mark: u64, fresh: Option<S::Question>) {
        let inserted = match fresh {
            Some(question) => self.store.insert_prepared(question, &self.present),
            None => self.store.insert_marked(mark, &self.present),
        };
        match inserted {
            Insert::New(state) => {
                self.run.count_state();
                if self.sleeping {
                    self.store.set_sleep(state, sleep);
                }
                self.open(state, sleep, None);
            }
            Insert::Seen(state) => {
                self.run.statistics.matched += 1;
                if let (Some(components), Some(frame)) = (&self.components, self.stack.frames.last_mut())
                    && !frame.woken
                {
                    components.edge(&self.store, state, &mut frame.link);
                }
                if self.sleeping {
                    let stored = self.store.sleep(state);
                    if !self.chooser.sets.is_subset(stored, sleep) {
                        let (woken, both) = self.chooser.sets.split(stored, sleep);
                        self.store.set_sleep(state, both);
                        self.run.statistics.reopened += 1;
                        self.store.hold(state);
                        self.open(state, both, Some(woken));
                    }
                }
            }
            Insert::Passed(stored) => {
                self.run.statistics.matched += 1;
                if let (Some(_), Some(frame)) = (&self.components, self.stack.frames.last_mut()) {
                    Components::edge_out(&mut frame.link);
                }
                if self.sleeping && !self.chooser.sets.is_subset(stored, sleep) {
                    let (woken, both) = self.chooser.sets.split(stored, sleep);
                    self.run.statistics.reopened += 1;
                    match self.store.recall(&self.present, both) {
                        Some(state) => self.open(state, both, Some(woken)),
                        None => {
                            // It will be met, and counted, again.
                            self.run.statistics.matched -= 1;
                            self.run.statistics.reopened -= 1;
                            self.refuse(sleep);
                        }
                    }
                }
            }
            Insert::Full => self.refuse(sleep),
        }
    }

    /// There is no room for `self.present`.
    fn refuse(&mut self, sleep: u32) {
        self.refused = Some(sleep);
        self.run.stopped = Some(Stop::Memory);
    }

    /// Puts a state on the stack and expands it: as its first visit, or for the steps that woke up.
    fn open(&mut self, state: StateRef, sleep: u32, woken: Option<Vec<Step>>) {
        let mut after = CLOSED;
        if self.coloured {
            if woken.is_some() {
                after = self.store.colour(state);
            }
            self.store.set_colour(state, ON_STACK);
        }
        let depth = self.stack.frames.len() as u64;
        let woken_up = woken.is_some();
        let link = match &mut self.components {
            Some(_) if woken_up => Link::DETACHED,
            Some(components) => components.enter(&mut self.store, state),
            None => Link::default(),
        };
        let base = self.stack.waiting.len() as u32;
        self.stack.frames.push(Frame { state, base, after, link, woken: woken_up });
        self.run.statistics.depth = self.run.statistics.depth.max(depth);
        let (store, frames) = (&self.store, &self.stack.frames);
        if woken.is_none() {
            self.run.judge(&self.present, || way(store, frames));
        }
        if self.run.config.limits.depth.is_some_and(|limit| depth >= limit) {
            // Nothing is left out of a state that is not expanded at all; the outcome says so.
            if let Some(frame) = self.stack.frames.last_mut() {
                frame.link.full = true;
            }
            let (store, frames) = (&self.store, &self.stack.frames);
            return self.run.at_depth_limit(&self.present, || way(store, frames));
        }
        let present = std::mem::take(&mut self.present);
        let expansion = match woken {
            Some(steps) => Expansion::Woken(steps, sleep),
            None => Expansion::First(sleep),
        };
        self.expand(state, &present, link, expansion);
        self.present = present;
    }

    /// Expands the state at the top of the stack.
    fn expand(&mut self, state: StateRef, present: &[u8], mut link: Link, expansion: Expansion) {
        self.survivors.clear();
        let asleep = match expansion {
            Expansion::Rest if self.sleeping => self.store.sleep(state),
            _ => AWAKE,
        };
        // Steps that woke up may depend on what the state leaves out, so no proviso rests on them.
        let mut apart = Link::DETACHED;
        let counted = if matches!(expansion, Expansion::Woken(..)) { &mut apart } else { &mut link };
        let mut probe = Probe {
            parent: state,
            present,
            store: &mut self.store,
            sleeping: self.sleeping,
            coloured: self.coloured,
            components: self.components.as_ref().map(|components| (components, counted)),
            questions: &mut self.questions,
            survivors: &mut self.survivors,
            fresh: None,
            matched: 0,
        };
        let expanded = match expansion {
            Expansion::First(sleep) => self.chooser.expand(present, sleep, &mut probe),
            Expansion::Woken(steps, sleep) => {
                self.chooser.reopen(present, &steps, sleep, &mut probe);
                Expanded::Alive
            }
            Expansion::Rest => {
                self.chooser.complete(present, asleep, &mut probe);
                Expanded::Alive
            }
        };
        self.run.statistics.matched += probe.matched;
        self.fresh = probe.fresh;
        link.full |= expanded != Expanded::Reduced;
        if let Some(frame) = self.stack.frames.last_mut() {
            frame.link = link;
        }
        self.run.expanded(present, &self.chooser.expander, self.chooser.whole);
        match self.chooser.expander.stopped() {
            Some(stop) => self.run.stopped = Some(stop),
            None => self.stack.wait(self.chooser.expander.edges(), &self.survivors),
        }
        let (store, frames) = (&self.store, &self.stack.frames);
        self.run.report_met(self.chooser.met(), || way(store, frames));
        if expanded == Expanded::Dead {
            self.run.dead_end(present, || way(store, frames));
        }
    }

    fn finish(self) -> Finished {
        let stack_bytes = self.stack.bytes();
        conclude(self.run, self.chooser, self.store, stack_bytes)
    }
}

/// The end of a search: its last counts, and its answer.
fn conclude<S: Store>(mut run: Run<'_>, chooser: Chooser<'_>, store: S, stack_bytes: u64) -> Finished {
    run.statistics.atomic_steps = chooser.expander.atomic_steps();
    run.statistics.state_bytes = store.longest() as u64;
    run.statistics.store_bytes = store.bytes() + chooser.sets.bytes();
    if run.config.reduction.sleep {
        // A cache has forgotten some of the states that were entered.
        let sleep_bytes = chooser.sets.bytes_with(store.len());
        run.statistics.sleep_bytes = sleep_bytes.min(run.statistics.store_bytes);
    }
    run.statistics.stack_bytes = stack_bytes;
    let store = store.recollection();
    Finished { outcome: run.finish(&store, |place| chooser.expander.covered(place)), store }
}

/// The states on the stack, the initial one first.
fn way<'a, S: Store>(store: &'a S, frames: &[Frame]) -> Vec<Cow<'a, [u8]>> {
    frames.iter().map(|f| store.state(f.state)).collect()
}
