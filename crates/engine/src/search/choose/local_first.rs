//! Steps that are chosen without a look at the other processes.
//!
//! Where the reduction proposes a local step first ([`Reducer::puts_local_first`]), the enabled steps of all processes need not be
//! listed to find it: processes are asked in their order where they stand, and the first that can only move locally, and has
//! exactly one enabled step, has it; unless one comes before it that [may be alone](Relations::may_be_alone): then the reduction is
//! asked, which may propose the local step all the same. Why this is the set that the reduction would propose, and what follows for the rest:
//!
//! - *The same step.* The enabled steps are listed process by process in the order of slots, as the system has them, so the first
//!   step that is all its process can do and is local is the one found here. It is no last resort, and whoever can only move locally asks in no
//!   other way whether nothing else can move; so none of the enabled steps is one, and the reduction would be asked.
//! - *Persistent.* No move that the process has where it stands, enabled or not, touches anything shared. So nothing that others do can change
//!   which of its moves are enabled, no step of another process moves it, and nothing depends on the step. (The removal of a process that has
//!   ended may be such a step where [numbers don't count](crate::reduce::numbers). A creation may disable it, but it is in no sequence that is to be
//!   kept, and leaves all of them possible.)
//! - *Sleep sets.* All steps that sleep are enabled. None moves the process but its own, of which there is one, and that is awake. So all are
//!   apart from the step and sleep on behind it: the sleep set behind it is that of the state.
//! - *The rest.* Whether anything was left out is not known. It is taken to be: every proviso asks for more where something was, and a state from which
//!   nothing was left out is at most completed in vain. [`Chooser::complete`] finds the same step again, and knows that it was explored.
//!
//! [`Reducer::puts_local_first`]: crate::reduce::Reducer::puts_local_first

use super::{Chooser, Expanded, Frontier};
use crate::config::Order;
use mazurka_model::{Chosen, Relations, Step};

/// What came of a local step.
pub(super) enum Local {
    /// There is none that is awake.
    Absent,
    /// It was explored, and that is enough.
    Enough(Expanded),
    /// It was explored, and does not meet the proviso.
    Explored(Step),
}

/// What tells local steps, if they are to be chosen first.
pub(super) fn relations(relations: &dyn Relations, order: Order, first: bool) -> Option<&dyn Relations> {
    // In another order another process may be the first.
    (first && order == Order::Forward).then_some(relations)
}

impl Chooser<'_> {
    /// The step that the reduction proposes first, if that is a local one. There may be no other step.
    #[inline]
    pub(super) fn local_step(&mut self, state: &[u8]) -> Option<Step> {
        self.none_is_first = false;
        let relations = self.local_first?;
        let mut from = 0;
        while let Some((process, is_local)) = relations.next_candidate(state, from) {
            if !is_local {
                // Whether it can do just one thing is for the reduction to find out, which lists its steps in any case.
                return None;
            }
            self.enabled.clear();
            self.system.enabled_of(state, process, &mut self.enabled);
            if let [only] = self.enabled[..]
                && !relations.is_last_resort(state, only)
            {
                return Some(only);
            }
            from = process.index() + 1;
        }
        self.none_is_first = true;
        None
    }

    /// Explores a local step, if the reduction proposes one first and it is awake.
    #[inline]
    pub(super) fn explore_local(&mut self, state: &[u8], sleep: u32, frontier: &mut dyn Frontier) -> Local {
        let Some(step) = self.local_step(state) else { return Local::Absent };
        if self.sets.contains(sleep, step) {
            return Local::Absent;
        }
        self.expander.add(state, Chosen::Steps(&[step]));
        if self.sleeper.is_some() {
            self.sleeps.clear();
            self.sleeps.resize(self.expander.edges().len(), sleep);
        }
        let leaves = frontier.take(self.expander.edges(), 0, &self.sleeps, &self.sets);
        if self.proviso && !leaves {
            return Local::Explored(step);
        }
        if let Some(pause) = &mut self.pause {
            pause.learn(false);
        }
        self.whole = false;
        Local::Enough(Expanded::Reduced)
    }
}
