//! Choosing is given up: states that were visited before are opened again where something may be missing.
//!
//! Where choosing has left out next to nothing when states have become many, it only costs. From then on every state is expanded
//! fully and with nothing asleep, those too that wait from before with a sleep set, and the order is given up. That is right for what
//! was expanded before, too, if nothing is checked that needs a proviso, or the proviso is that by components, for the following reasons.
//!
//! **Sleep sets.** Nothing is asleep behind an edge that is explored from now on; less may always be asleep than could be. A state that was stored with a
//! sleep set and is met again is opened again for the steps that slept ([`Several::wake`]), and nothing sleeps there from then on. So at each
//! state still no more sleeps in the end than behind any edge to it, which is what the arguments for sleep sets need. Under the
//! proviso it is enough to explore those steps, as it always is ([`crate::search::component`]). Without a proviso a step that was left out may have
//! to be taken behind a step of the set that was explored before ([`Chooser::reopen`](crate::search::choose::Chooser::reopen));
//! there all steps are explored, and whatever run goes on from the state begins with one of them, with nothing asleep behind it.
//!
//! **Without a proviso** the argument goes along runs to a deadlock, which become shorter by each step that is
//! explored. Whether the states on the way are reduced is all the same to it.
//!
//! **The proviso by components** needs that edges of first visits lead from every state that is reduced to one that is expanded fully, up to what
//! sleeps in it. States that are visited from now on are expanded fully. Of those that were visited before:
//!
//! - A component that is complete leads there, on ways that were explored when it was completed.
//! - A state that was left, but whose component is not complete, leads to a state that is expanded fully, or out of
//!   its component, which is to one that is complete, or to a state with a lower number whose component is not complete either: otherwise it would have been
//!   expanded fully when it was left. Numbers can't become lower for ever, so such ways end at one of the former, or at a state on the stack.
//! - For a state on the stack the same is known of some ways by now (its `Link`): that they lead to a state that is expanded fully, or out of
//!   the component. If they don't, it is expanded fully when its level is done ([`Several::leave`]). A level for steps that woke up needs
//!   nothing: the first visit of its state is one of the others.
//!
//! The stack proviso is not considered: it is for stores that forget, and for methods that are asked for by name.

use super::{Opened, Several, Waiting, way};
use crate::checkpoint::{Reader, Refusal, Writer};
use crate::outcome::Stop;
use crate::reduce::sleep::AWAKE;
use crate::store::{Insert, StateRef, Store};
use mazurka_model::Elsewhere;
use std::io;

/// All steps of a state, in the place of a sleep set.
const ALL: u32 = u32::MAX;

/// A state that was visited before choosing was given up, and is to be opened again.
#[derive(Copy, Clone)]
pub(super) struct Again {
    state: StateRef,
    /// The number of the opened state it was met from.
    pub(super) parent: u32,
    /// The number of the sleep set that holds the steps, or all.
    steps: u32,
    /// Edges that were met before the search had to end; and states that were new behind them, which are the newest that wait.
    met: u32,
    fresh: u32,
}

impl Again {
    fn new(state: StateRef, parent: u32, steps: u32) -> Again {
        Again { state, parent, steps, met: 0, fresh: 0 }
    }

    /// A stored state that was met from this parent: it has to be opened again if something is asleep there, which is so no more.
    #[inline]
    pub(super) fn wake<S: Store>(store: &mut S, state: StateRef, parent: u32, all: bool) -> Option<Again> {
        let asleep = store.sleep(state);
        if asleep == AWAKE {
            return None;
        }
        store.set_sleep(state, AWAKE);
        Some(Again::new(state, parent, if all { ALL } else { asleep }))
    }

    /// Writes it.
    pub(super) fn save(&self, out: &mut Writer<'_>) -> io::Result<()> {
        let Again { state, parent, steps, met, fresh } = *self;
        [state.0, parent, steps, met, fresh].into_iter().try_for_each(|number| out.u32(number))
    }

    /// Reads it.
    pub(super) fn restore(from: &mut Reader) -> Result<Again, Refusal> {
        let again = Again::new(StateRef(from.u32()?), from.u32()?, from.u32()?);
        Ok(Again { met: from.u32()?, fresh: from.u32()?, ..again })
    }
}

impl<S: Store> Several<'_, S> {
    /// A stored state was met, as a successor of this opened one.
    #[inline]
    pub(super) fn wake(&mut self, state: StateRef, parent: u32) {
        if self.dfs.sleeping
            && let Some(again) = Again::wake(&mut self.dfs.store, state, parent, self.opens_all)
        {
            self.dfs.run.statistics.reopened += 1;
            self.again.push(again);
        }
    }

    /// Leaves the newest level of the time of depth-first order. If its state is reduced, and perhaps leads to none that is not, it is
    /// expanded fully.
    pub(super) fn leave(&mut self) {
        let Some(frame) = self.dfs.stack.frames.pop() else { return };
        let judged = self.dfs.components.is_some() && !frame.woken;
        if judged && !frame.link.leads_on() {
            if self.dfs.sleeping {
                self.dfs.store.set_sleep(frame.state, AWAKE);
            }
            self.again.push(Again::new(frame.state, self.newest(), ALL));
        }
    }

    /// Opens a state again, and looks up what it leads to.
    pub(super) fn open_again(&mut self, again: Again) {
        let Again { state, parent, steps, met, fresh } = again;
        self.members.clear();
        let mut bytes = std::mem::take(&mut self.dfs.present);
        self.dfs.store.load(state, &mut bytes);
        let depth = self.opened.get(parent as usize).map_or(0, |parent| parent.depth + 1);
        let number = self.opened.len() as u32;
        self.opened.push(Opened { state, parent, depth });
        self.dfs.run.statistics.depth = self.dfs.run.statistics.depth.max(u64::from(depth));
        if self.dfs.run.config.limits.depth.is_some_and(|limit| u64::from(depth) >= limit) {
            let (store, opened) = (&self.dfs.store, &self.opened);
            self.dfs.run.at_depth_limit(&bytes, || way(store, opened, number));
            self.dfs.present = bytes;
            return;
        }
        let atomic_steps = self.dfs.chooser.expander.atomic_steps();
        self.dfs.chooser.begin_several();
        match steps {
            ALL => _ = self.dfs.chooser.add_all(&bytes),
            sleep => self.dfs.chooser.add_sleeping(&bytes, sleep),
        }
        self.dfs.present = bytes;
        let base = self.waiting.len().saturating_sub(fresh as usize);
        for index in met as usize..self.dfs.chooser.expander.edges().len() {
            let successor = self.dfs.chooser.expander.edges().state(index);
            let met = match self.dfs.store.insert(successor) {
                Insert::New(state) => {
                    self.dfs.run.count_state();
                    self.waiting.push(Waiting { state, parent: number, elsewhere: Elsewhere::NONE });
                    index + 1
                }
                Insert::Seen(state) => {
                    self.dfs.run.statistics.count_matched(1);
                    self.wake(state, number);
                    index + 1
                }
                Insert::Passed(_) => {
                    self.dfs.run.statistics.count_matched(1);
                    index + 1
                }
                Insert::Full => {
                    self.dfs.run.stopped = Some(Stop::Memory);
                    index
                }
            };
            if self.dfs.run.stopped.is_some() {
                // The rest is met, and what is wrong reported, when the search goes on.
                let fresh = (self.waiting.len() - base) as u32;
                self.again.push(Again { met: met as u32, fresh, ..again });
                self.dfs.chooser.expander.restore(atomic_steps, &[]);
                return;
            }
        }
        // The first successor is the next one.
        self.waiting[base..].reverse();
        let (store, opened) = (&self.dfs.store, &self.opened);
        self.dfs.run.report_met(self.dfs.chooser.met(), || way(store, opened, number));
        self.dfs.run.stopped = self.dfs.run.stopped.or(self.dfs.chooser.expander.stopped());
    }
}
