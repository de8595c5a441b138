//! The first look at the edges of a state: those that lead to new states survive, and the proviso is judged.

use super::ON_STACK;
use super::stack::Survivor;
use crate::reduce::sleep::{AWAKE, SleepSets};
use crate::search::choose::Frontier;
use crate::search::component::{Components, Link};
use crate::store::{Lookup, StateRef, Store};
use mazurka_model::Batch;

/// Looks at the edges of the state under expansion: which lead to new states, and whether the proviso is met.
pub struct Probe<'r, S: Store> {
    /// The state under expansion, and its bytes.
    pub parent: StateRef,
    pub present: &'r [u8],
    pub store: &'r mut S,
    pub sleeping: bool,
    pub coloured: bool,
    /// The components, if they are followed, and how the state under expansion is linked to others.
    pub components: Option<(&'r Components, &'r mut Link)>,
    pub questions: &'r mut Vec<S::Question>,
    pub survivors: &'r mut Vec<Survivor>,
    /// The question for the first survivor, if it is one of those that were looked at last.
    pub fresh: Option<S::Question>,
    pub matched: u64,
}

impl<S: Store> Frontier for Probe<'_, S> {
    fn take(&mut self, edges: &Batch, from: usize, sleeps: &[u32], sets: &SleepSets) -> bool {
        self.fresh = None;
        self.store.prepare(self.parent, self.present, edges, from, self.questions);
        if let Some((components, link)) = &mut self.components {
            for (index, question) in (from..).zip(&*self.questions) {
                let sleep = sleeps.get(index).copied().unwrap_or(AWAKE);
                match self.store.find_prepared(*question, edges.state(index)) {
                    Lookup::Stored(state)
                        if !self.sleeping || sets.is_subset(self.store.sleep(state), sleep) =>
                    {
                        self.matched += 1;
                        components.edge(self.store, state, link);
                    }
                    Lookup::Passed(_) => {
                        self.matched += 1;
                        Components::edge_out(link);
                    }
                    found => {
                        if self.survivors.is_empty() && found == Lookup::Absent {
                            self.fresh = Some(*question);
                        }
                        let mark = self.store.mark(*question);
                        self.survivors.push(Survivor { edge: index as u32, sleep, mark });
                    }
                }
            }
            // A set that is asleep leads nowhere, so another one is tried.
            return !(self.sleeping && edges.len() == from);
        }
        if !self.coloured && !self.sleeping {
            for (index, question) in (from..).zip(&*self.questions) {
                match self.store.find_prepared(*question, edges.state(index)) {
                    Lookup::Stored(_) | Lookup::Passed(_) => self.matched += 1,
                    Lookup::Absent => {
                        if self.survivors.is_empty() {
                            self.fresh = Some(*question);
                        }
                        let mark = self.store.mark(*question);
                        self.survivors.push(Survivor { edge: index as u32, sleep: AWAKE, mark });
                    }
                }
            }
            return false;
        }
        let mut leaves = false;
        for (index, question) in (from..).zip(&*self.questions) {
            let sleep = sleeps.get(index).copied().unwrap_or(AWAKE);
            let found = self.store.find_prepared(*question, edges.state(index));
            let stays = self.coloured
                && matches!(found, Lookup::Stored(state) if self.store.colour(state) == ON_STACK);
            leaves |= self.coloured && !stays;
            let stored = match found {
                Lookup::Absent => None,
                Lookup::Stored(_) if !self.sleeping => Some(AWAKE),
                Lookup::Stored(state) => Some(self.store.sleep(state)),
                Lookup::Passed(stored) => Some(stored),
            };
            if stored.is_some_and(|stored| sets.is_subset(stored, sleep)) {
                self.matched += 1;
            } else {
                if self.survivors.is_empty() && stored.is_none() {
                    self.fresh = Some(*question);
                }
                let mark = self.store.mark(*question);
                self.survivors.push(Survivor { edge: index as u32, sleep, mark });
            }
        }
        leaves
    }
}
