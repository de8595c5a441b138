//! The one expansion routine of all searches: from a state to its successors.
//!
//! A system may mark a successor as *interior*: an atomic region is under way there. Interior states
//! are no states of their own; the routine goes on from them until the region ends (`region`), and hands out
//! what lies behind, under the step that entered the region.
//!
//! A system may go some of that way by itself ([`System::expand_through`]), which is quicker. How long a region is, and whether it
//! goes round in a circle, can't be told then, so that regions are walked step by step once one turns out not to be small.

mod region;

use crate::monitor::Halt;
use crate::outcome::Stop;
use mazurka_model::{Batch, Chosen, Elsewhere, Known, Part, Step, System, Violation};
use region::{Early, Exits, Pace, Walker};

/// A violation met in an expansion, and the step of the expanded state that leads to it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Met {
    /// The step taken in the expanded state.
    pub first: Step,
    /// The violation, whose own step may lie inside an atomic region.
    pub violation: Violation,
}

/// How much there was before something was added.
#[derive(Copy, Clone)]
struct Mark {
    edges: usize,
    violations: usize,
    met: usize,
    steps: u64,
    endless: bool,
}

/// Expands states of one system into a buffer that is used again and again.
pub struct Expander<'s> {
    system: &'s dyn System,
    edges: Batch,
    met: Vec<Met>,
    walker: Walker<'s>,
    /// Successors under way to where regions end.
    entered: Batch,
    endless: bool,
    stopped: Option<Stop>,
    /// What became of states that were expanded together.
    parts: Vec<Part>,
    onward: Vec<Elsewhere>,
    /// How often that is not tried, because it could not be done lately; and how often the next time that it can't be.
    patience: (u32, u32),
}

/// The most times that states are not tried to be expanded together.
const MOST_PATIENCE: u32 = 1 << 10;

impl<'s> Expander<'s> {
    /// An expander of `system`.
    pub fn new(system: &'s dyn System) -> Expander<'s> {
        Expander {
            system,
            edges: Batch::default(),
            met: Vec::new(),
            walker: Walker::new(system),
            entered: Batch::default(),
            endless: false,
            stopped: None,
            parts: Vec::new(),
            onward: Vec::new(),
            patience: (0, 1),
        }
    }

    /// Gives up on a region once the search, with what its edges and the walk through it take, has more than this many bytes.
    pub fn limited(mut self, bytes: Option<u64>) -> Expander<'s> {
        self.walker.limit = bytes.unwrap_or(u64::MAX);
        self
    }

    /// Gives up on a region when it is time to.
    pub fn halted_by(mut self, halt: Halt<'s>) -> Expander<'s> {
        self.walker.halt = halt;
        self
    }

    /// Why a region was given up, if one was: edges are missing, and the search has to end.
    pub fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    /// Whether a region was entered in the expansion of the last state that may go round in a circle, so that the state has
    /// steps even if it has no edges.
    pub fn is_endless(&self) -> bool {
        self.endless
    }

    /// Forgets the edges and violations of the last state.
    pub fn clear(&mut self) {
        self.edges.clear();
        self.met.clear();
        self.onward.clear();
        self.endless = false;
    }

    /// Begins another state, and keeps the edges and violations of those before.
    pub fn begin_another(&mut self) {
        self.endless = false;
    }

    /// Adds the edges of `state` under the chosen steps.
    #[inline]
    pub fn add(&mut self, state: &[u8], chosen: Chosen<'_>) {
        let before = self.mark();
        match chosen {
            // Copying what was just written takes longer than to write it again.
            Chosen::All => self.system.expand_through(state, Chosen::All, &mut self.edges),
            others => self.system.expand_through(state, others, &mut self.edges),
        }
        self.walker.steps += self.edges.take_walked();
        if !self.note(before, Pace::Through) {
            self.add_slowly(state, chosen, before);
        }
    }

    /// Adds the edges of several states under all their steps, those of each together, if that is done best for all at once: with a part for each. Then
    /// nothing was violated, and no region is endless. None: they have to be added one by one.
    ///
    /// Steps that are known to be met [elsewhere](Elsewhere) are left out; which are behind each edge, [`Expander::onward`] tells then.
    pub fn add_several(&mut self, states: &[Vec<u8>], known: Option<Known<'_>>) -> Option<&[Part]> {
        self.onward.clear();
        if self.patience.0 > 0 {
            self.patience.0 -= 1;
            return None;
        }
        self.parts.clear();
        let (edges, parts, onward) = (&mut self.edges, &mut self.parts, &mut self.onward);
        if !self.system.expand_several(states, known, edges, parts, onward) {
            self.patience = (self.patience.1, (2 * self.patience.1).min(MOST_PATIENCE));
            return None;
        }
        self.patience = (0, 1);
        self.walker.steps += self.parts.iter().map(|part| part.walked).sum::<u64>();
        Some(&self.parts)
    }

    /// Of each edge of the states that were added together: which steps are met elsewhere behind it. Empty if nothing is known.
    #[inline]
    pub fn onward(&self) -> &[Elsewhere] {
        &self.onward
    }

    /// Adds the initial states.
    pub fn add_initial(&mut self) {
        let before = self.mark();
        self.system.initial(&mut self.edges);
        self.note(before, Pace::Single);
    }

    #[inline]
    fn mark(&self) -> Mark {
        let (edges, violations) = (self.edges.len(), self.edges.violations().len());
        Mark { edges, violations, met: self.met.len(), steps: self.walker.steps, endless: self.endless }
    }

    /// Adds the same edges again, step by step.
    #[cold]
    fn add_slowly(&mut self, state: &[u8], chosen: Chosen<'_>, before: Mark) {
        self.edges.truncate(before.edges);
        self.edges.truncate_violations(before.violations);
        self.met.truncate(before.met);
        (self.walker.steps, self.endless) = (before.steps, before.endless);
        self.system.expand(state, chosen, &mut self.edges);
        self.note(before, Pace::Single);
    }

    /// Takes over what was added. False if a region is too long for the pace at which it was walked.
    #[inline]
    fn note(&mut self, before: Mark, pace: Pace) -> bool {
        let new = &self.edges.violations()[before.violations..];
        self.met.extend(new.iter().map(|v| Met { first: v.step, violation: *v }));
        if self.edges.has_interior()
            && let Some(first) = self.edges.successors()[before.edges..].iter().position(|s| s.interior)
        {
            return self.drain(before.edges + first, pace);
        }
        true
    }

    /// The edges: successors that are states of their own, each under the step that leads there.
    pub fn edges(&self) -> &Batch {
        &self.edges
    }

    /// The violations met.
    pub fn met(&self) -> &[Met] {
        &self.met
    }

    /// Bytes of the buffers.
    pub fn bytes(&self) -> u64 {
        self.edges.bytes() + self.entered.bytes() + self.walker.bytes()
    }

    /// Steps taken inside atomic regions so far.
    pub fn atomic_steps(&self) -> u64 {
        self.walker.steps
    }

    /// Whether place `place` was executed in any expansion so far.
    pub fn covered(&self, place: u32) -> bool {
        let in_batch = |batch: &Batch| batch.covered().get(place as usize).copied().unwrap_or(false);
        in_batch(&self.edges) || self.walker.batches().any(in_batch)
    }

    /// All places that were executed in any expansion so far, in order.
    pub fn all_covered(&self) -> Vec<u32> {
        let batches = self.walker.batches().chain([&self.edges]);
        let most = batches.map(|batch| batch.covered().len()).max().unwrap_or(0) as u32;
        (0..most).filter(|place| self.covered(*place)).collect()
    }

    /// Takes over the counts of an expander that went before.
    pub fn restore(&mut self, atomic_steps: u64, covered: &[u32]) {
        self.walker.steps = atomic_steps;
        covered.iter().for_each(|place| self.edges.cover(*place));
    }

    /// Replaces the interior successors from number `from` on by what lies behind them. False if a region is too long for the pace.
    fn drain(&mut self, from: usize, pace: Pace) -> bool {
        self.edges.hand_over(&mut self.entered, from);
        let mut exits = Exits { edges: &mut self.edges, met: &mut self.met };
        for (index, successor) in self.entered.successors().iter().enumerate() {
            let state = self.entered.state(index);
            if !successor.interior {
                exits.edges.push(successor.step, state);
                continue;
            }
            match self.walker.walk(successor.step, state, pace, &mut exits) {
                Ok(ends) => self.endless |= !ends,
                Err(Early::Large) => return false,
                Err(Early::Stop(stop)) => {
                    self.stopped = Some(stop);
                    return true;
                }
            }
        }
        true
    }
}
