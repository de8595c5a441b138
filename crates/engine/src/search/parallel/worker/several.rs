//! Several states opened together, where every state is expanded fully.
//!
//! A look at the visited set waits twice for memory: for the bucket of a state, and for the record that is most likely
//! the state. Successors of one state are looked up together, but they are few, and the processor could fetch
//! more at a time. Where nothing is chosen, the edges of a state depend on nothing but the state, and in which order
//! states are stored does not matter. So a thread expands several of the states that wait, asks for the buckets of
//! all their successors, then for the records, and then stores one after another. While a state is expanded, the
//! buckets of the one before are on their way.
//!
//! What is counted and found is that of the states one by one: each has its edges, its violations and its depth.

use super::super::team::Pending;
use super::Worker;
use crate::outcome::Stop;
use crate::reduce::sleep::AWAKE;
use crate::search::choose::Expanded;
use crate::search::parallel::mark::Mark;
use crate::search::{rank, together};
use crate::store::Insert;
use mazurka_model::{Elsewhere, Known};
use std::borrow::Cow;

/// With so many states found by a thread steps begin to be left out.
const MANY: u64 = 1 << 14;

/// A state that was opened, and where its edges and violations end among those of all.
struct Opened {
    pending: Pending,
    edges: usize,
    met: usize,
    expanded: Expanded,
}

/// States that are opened together.
#[derive(Default)]
pub(super) struct Several {
    opened: Vec<Opened>,
    /// The bytes of the states, in the same order.
    states: Vec<Vec<u8>>,
    /// How many states were opened so far, and what edges they had.
    before: (u64, u64),
    /// What is known of the states that are opened.
    known: Vec<Elsewhere>,
}

impl Worker<'_> {
    /// Opens the newest states that wait, and says how many.
    pub(super) fn open_several(&mut self) -> u32 {
        let Several { mut opened, mut states, mut before, mut known } = std::mem::take(&mut self.several);
        opened.clear();
        known.clear();
        // Not more than these, even if some lie at the depth limit and are not opened at all.
        let left = self.own.len().saturating_sub(together::size(before.0, before.1));
        let waiting = self.own.len();
        self.chooser.begin_several();
        self.handle.begin(&mut self.questions);
        for pending in &self.own[left..] {
            self.handle.prefetch(pending.state);
        }
        while self.own.len() > left {
            let Some(pending) = self.own.pop() else { break };
            if states.len() == opened.len() {
                states.push(Vec::new());
            }
            let state = &mut states[opened.len()];
            self.handle.load(pending.state, state);
            if self.visit(pending, state) {
                opened.push(Opened { pending, edges: 0, met: 0, expanded: Expanded::Alive });
                known.push(pending.elsewhere);
            } else {
                self.tell();
            }
        }
        self.expand_several(&mut opened, &states, &known);
        before.0 += opened.len() as u64;
        before.1 += self.chooser.expander.edges().len() as u64;
        let taken = (waiting - self.own.len()) as u32;
        self.handle.fetch(&mut self.questions);
        self.meet_several(&opened, &states);
        self.run.stopped = self.run.stopped.or(self.chooser.expander.stopped());
        self.several = Several { opened, states, before, known };
        taken
    }

    /// Expands the states that were opened, but for the steps that are met elsewhere, and asks about what they lead to.
    fn expand_several(&mut self, opened: &mut Vec<Opened>, states: &[Vec<u8>], known: &[Elsewhere]) {
        let states = &states[..opened.len()];
        // Few states take less time than to find out how processes should rank; and those at a limit of the depth lead to nothing.
        let many = self.depth_limit.is_none()
            && self.run.statistics.states >= MANY.min(self.run.config.in_order)
            && !states.is_empty();
        let rank = if many { self.team.rank(|| rank::better(self.run.system, &states[0])) } else { None };
        let known = rank.map(|rank| Known { of: known, rank });
        let leaves_out = known.is_some();
        let alone = opened.len() == 1 && known.is_none();
        let parts = if alone { None } else { self.chooser.add_several(states, known) };
        if let Some(parts) = parts {
            let mut from = 0;
            for (one, part) in opened.iter_mut().zip(parts) {
                one.edges = part.end;
                // A thread that has found few states so far executes everything, also what another one would leave out.
                let steps = if leaves_out { one.pending.elsewhere.steps() } else { 0 };
                self.run.statistics.matched += steps;
                let none = part.end == from && steps == 0;
                one.expanded = if none { Expanded::Dead } else { Expanded::Alive };
                from = part.end;
            }
            from = 0;
            let edges = self.chooser.expander.edges();
            for (one, state) in opened.iter().zip(states) {
                self.handle.ask(one.pending.state, state, edges, from..one.edges, &mut self.questions);
                from = one.edges;
            }
            return;
        }
        for (number, state) in states.iter().enumerate() {
            let from = self.chooser.expander.edges().len();
            let expanded = self.chooser.add_all(state);
            let edges = self.chooser.expander.edges();
            let one = &mut opened[number];
            self.handle.ask(one.pending.state, state, edges, from..edges.len(), &mut self.questions);
            (one.edges, one.met, one.expanded) = (edges.len(), self.chooser.met().len(), expanded);
            if self.chooser.expander.stopped().is_some() {
                // The others go on waiting.
                self.own.extend(opened.drain(number + 1..).rev().map(|one| one.pending));
                break;
            }
        }
    }

    /// Stores the edges of states that were opened together, and reports what is wrong with each.
    fn meet_several(&mut self, opened: &[Opened], states: &[Vec<u8>]) {
        let before = self.fresh().len();
        let (mut from, mut met_from) = (0, 0);
        for (one, state) in opened.iter().zip(states) {
            let (pending, store) = (one.pending, self.store);
            let way = || store.way(pending.state).into_iter().map(Cow::Owned).collect();
            let fresh = if self.by_level { &mut self.next } else { &mut self.own };
            let (edges, onward) = (self.chooser.expander.edges(), self.chooser.expander.onward());
            for index in from..one.edges {
                let state = || edges.state(index);
                let (question, parent) = (&self.questions[index], Some(pending.state));
                match self.handle.insert_asked(question, state, parent, Mark::waiting(AWAKE)) {
                    Insert::Seen(_) | Insert::Passed(_) => self.run.statistics.matched += 1,
                    Insert::New(state) => {
                        self.run.statistics.states += 1;
                        self.team.count_state();
                        let elsewhere = onward.get(index).copied().unwrap_or_default();
                        fresh.push(Pending { state, depth: pending.depth + 1, elsewhere });
                    }
                    Insert::Full => {
                        self.run.stopped = Some(Stop::Memory);
                        break;
                    }
                }
            }
            from = one.edges;
            self.run.report_met(&self.chooser.met()[met_from..one.met], way);
            met_from = one.met;
            if one.expanded == Expanded::Dead {
                self.run.dead_end(state, way);
            }
            self.tell();
            if self.run.stopped.is_some() || self.team.ends() {
                break;
            }
        }
        // The first successor of the state that was newest is the next one.
        self.fresh()[before..].reverse();
    }
}
