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
use crate::store::Insert;
use std::borrow::Cow;

/// The most states that are opened together; and edges, after which no other state is added to them.
const MOST_STATES: usize = 16;
const ENOUGH_EDGES: usize = 32;

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
}

impl Worker<'_> {
    /// Opens the newest states that wait, and says how many.
    pub(super) fn open_several(&mut self) -> u32 {
        let Several { mut opened, mut states } = std::mem::take(&mut self.several);
        opened.clear();
        // Not more than these, even if some lie at the depth limit and are not opened at all.
        let left = self.own.len().saturating_sub(MOST_STATES);
        let waiting = self.own.len();
        self.chooser.begin_several();
        self.handle.begin(&mut self.questions);
        for pending in &self.own[left..] {
            self.handle.prefetch(pending.state);
        }
        while self.own.len() > left && self.chooser.expander.edges().len() < ENOUGH_EDGES {
            let Some(pending) = self.own.pop() else { break };
            if states.len() == opened.len() {
                states.push(Vec::new());
            }
            let state = &mut states[opened.len()];
            self.handle.load(pending.state, state);
            if !self.visit(pending, state) {
                self.tell();
                continue;
            }
            let from = self.chooser.expander.edges().len();
            let expanded = self.chooser.add_all(state);
            let edges = self.chooser.expander.edges();
            self.handle.ask(pending.state, state, edges, from, &mut self.questions);
            let met = self.chooser.met().len();
            opened.push(Opened { pending, edges: edges.len(), met, expanded });
            if self.chooser.expander.stopped().is_some() {
                break;
            }
        }
        let taken = (waiting - self.own.len()) as u32;
        self.handle.fetch(&mut self.questions);
        self.meet_several(&opened, &states);
        self.run.stopped = self.run.stopped.or(self.chooser.expander.stopped());
        self.several = Several { opened, states };
        taken
    }

    /// Stores the edges of states that were opened together, and reports what is wrong with each.
    fn meet_several(&mut self, opened: &[Opened], states: &[Vec<u8>]) {
        let before = self.fresh().len();
        let (mut from, mut met_from) = (0, 0);
        for (one, state) in opened.iter().zip(states) {
            let (pending, store) = (one.pending, self.store);
            let way = || store.way(pending.state).into_iter().map(Cow::Owned).collect();
            let fresh = if self.by_level { &mut self.next } else { &mut self.own };
            let edges = self.chooser.expander.edges();
            for index in from..one.edges {
                let state = || edges.state(index);
                let (question, parent) = (&self.questions[index], Some(pending.state));
                match self.handle.insert_asked(question, state, parent, Mark::waiting(AWAKE)) {
                    Insert::Seen(_) | Insert::Passed(_) => self.run.statistics.matched += 1,
                    Insert::New(state) => {
                        self.run.statistics.states += 1;
                        self.team.count_state();
                        fresh.push(Pending { state, depth: pending.depth + 1 });
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
