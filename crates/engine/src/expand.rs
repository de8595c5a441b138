//! The one expansion routine of all searches: from a state to its successors.
//!
//! A system may mark a successor as *interior*: an atomic region is under way there. Interior states
//! are no states of their own; the routine goes on from them, depth first and in order, until the
//! region ends, and hands out what lies behind, under the step that entered the region. A region
//! that does not end is cut after some fuel: its interior states are then stored like any others,
//! and stay marked as interior, because only one process can move there: an edge to such a state
//! meets no proviso. Fuel is given to each successor anew, so that a step has the same successors
//! whether it is executed alone or beside others.

use mazurka_model::{Batch, Chosen, Step, Successor, System, Violation};

/// Interior states behind one successor after which they are stored like any others.
const FUEL: u64 = 20_000;
/// Nesting of interior states after which they are stored like any others.
const DEEPEST: usize = 10_000;

/// A violation met in an expansion, and the step of the expanded state that leads to it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Met {
    /// The step taken in the expanded state.
    pub first: Step,
    /// The violation, whose own step may lie inside an atomic region.
    pub violation: Violation,
}

struct Level {
    batch: Batch,
    cursor: usize,
}

/// Expands states of one system into a buffer that is used again and again.
pub struct Expander<'s> {
    system: &'s dyn System,
    edges: Batch,
    met: Vec<Met>,
    levels: Vec<Level>,
    atomic_steps: u64,
    /// The most bytes that edges may take.
    limit: u64,
    overflowed: bool,
}

impl<'s> Expander<'s> {
    /// An expander of `system`.
    pub fn new(system: &'s dyn System) -> Expander<'s> {
        Expander {
            system,
            edges: Batch::default(),
            met: Vec::new(),
            levels: Vec::new(),
            atomic_steps: 0,
            limit: u64::MAX,
            overflowed: false,
        }
    }

    /// Gives up on a region once its edges take more than this many bytes.
    pub fn limited(mut self, bytes: Option<u64>) -> Expander<'s> {
        self.limit = bytes.unwrap_or(u64::MAX);
        self
    }

    /// Whether a region was given up: edges are missing, and the search has to end.
    pub fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// Forgets the edges and violations of the last state.
    pub fn clear(&mut self) {
        self.edges.clear();
        self.met.clear();
    }

    /// Adds the edges of `state` under the chosen steps.
    #[inline]
    pub fn add(&mut self, state: &[u8], chosen: Chosen<'_>) {
        let from = self.edges.len();
        let violations = self.edges.violations().len();
        self.system.expand(state, chosen, &mut self.edges);
        self.note(from, violations);
    }

    /// Adds the initial states.
    pub fn add_initial(&mut self) {
        self.system.initial(&mut self.edges);
        self.note(0, 0);
    }

    fn note(&mut self, from: usize, violations: usize) {
        let new = &self.edges.violations()[violations..];
        self.met.extend(new.iter().map(|v| Met { first: v.step, violation: *v }));
        if self.edges.has_interior() && self.edges.successors()[from..].iter().any(|s| s.interior) {
            self.drain(from);
        }
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
        self.edges.bytes() + self.levels.iter().map(|level| level.batch.bytes()).sum::<u64>()
    }

    /// Steps taken inside atomic regions so far.
    pub fn atomic_steps(&self) -> u64 {
        self.atomic_steps
    }

    /// Whether place `place` was executed in any expansion so far.
    pub fn covered(&self, place: u32) -> bool {
        let in_batch = |batch: &Batch| batch.covered().get(place as usize).copied().unwrap_or(false);
        in_batch(&self.edges) || self.levels.iter().any(|l| in_batch(&l.batch))
    }

    /// All places that were executed in any expansion so far, in order.
    pub fn all_covered(&self) -> Vec<u32> {
        let batches = self.levels.iter().map(|level| &level.batch).chain([&self.edges]);
        let most = batches.map(|batch| batch.covered().len()).max().unwrap_or(0) as u32;
        (0..most).filter(|place| self.covered(*place)).collect()
    }

    /// Takes over the counts of an expander that went before.
    pub fn restore(&mut self, atomic_steps: u64, covered: &[u32]) {
        self.atomic_steps = atomic_steps;
        covered.iter().for_each(|place| self.edges.cover(*place));
    }

    /// Replaces the interior successors from number `from` on by what lies behind them.
    fn drain(&mut self, from: usize) {
        let mut fuel = 0;
        self.open_level(0);
        let first_level = &mut self.levels[0].batch;
        for index in from..self.edges.len() {
            let Successor { step, interior, .. } = self.edges.successors()[index];
            first_level.push(step, self.edges.state(index));
            first_level.keep(interior);
        }
        self.edges.truncate(from);
        let mut depth = 0;
        let mut first = Step::default();
        loop {
            let level = &mut self.levels[depth];
            let Some(&Successor { step, interior, .. }) = level.batch.successors().get(level.cursor) else {
                if depth == 0 {
                    return;
                }
                depth -= 1;
                continue;
            };
            level.cursor += 1;
            if depth == 0 {
                first = step;
                fuel = FUEL;
            }
            if !interior || fuel == 0 || depth == DEEPEST {
                self.edges.push(first, self.levels[depth].batch.state(self.levels[depth].cursor - 1));
                self.edges.keep(interior);
                if self.edges.bytes() > self.limit {
                    self.overflowed = true;
                    return;
                }
                continue;
            }
            fuel -= 1;
            self.atomic_steps += 1;
            depth += 1;
            self.open_level(depth);
            let (outer, inner) = self.levels.split_at_mut(depth);
            let (outer, inner) = (&outer[depth - 1], &mut inner[0].batch);
            self.system.expand(outer.batch.state(outer.cursor - 1), Chosen::All, inner);
            self.met.extend(inner.violations().iter().map(|v| Met { first, violation: *v }));
        }
    }

    fn open_level(&mut self, depth: usize) {
        if depth == self.levels.len() {
            self.levels.push(Level { batch: Batch::default(), cursor: 0 });
        }
        self.levels[depth].batch.clear();
        self.levels[depth].cursor = 0;
    }
}
