//! The way of compiled code through atomic regions, with the interpreter's step by step as the oracle.
//!
//! A search asks for the states behind a region, and compiled code may go there by itself. So an expander of the
//! engine works over each of the two, and the edges with their steps, bytes and order must be the same, as must what was
//! met on the way, the steps taken inside regions, whether a region may go round in a circle, and in the end the statements executed.
//!
//! Regions that don't end, or are very long, are walked through again and again, so that only so many steps are compared in one program.

use crate::compiled::Disagreement;
use fastrand::Rng;
use mazurka_engine::expand::Expander;
use mazurka_jit::Compiled;
use mazurka_model::{Batch, Chosen, System};
use mazurka_program::Program;

/// Steps inside regions after which no more are compared.
const MOST_STEPS: u64 = 400_000;
/// What a region that may go round in a circle takes in steps, beside those that count.
const CIRCLE: u64 = 40_000;
/// Bytes that one region may take.
const MEMORY: u64 = 8 << 20;

/// Two expanders of one program.
pub struct Ways<'s> {
    compiled: &'s Compiled,
    interpreted: Expander<'s>,
    machine: Expander<'s>,
    batch: Batch,
    /// Steps that compiled code took by itself.
    pub walked: u64,
    /// How often compiled code left a process to the interpreter on the way.
    pub left: u64,
    circles: u64,
    given_up: bool,
}

/// Makes regions anywhere in a program, of which many have no end, and some may not be interrupted.
pub fn hold(mut program: Program, seed: u64) -> Program {
    let mut random = Rng::with_seed(seed);
    let (atomic, committed) = (random.u8(30..90), random.u8(0..20));
    for process in &mut program.types {
        process.transitions.iter_mut().for_each(|transition| transition.atomic = random.u8(..100) < atomic);
        process.locations.iter_mut().for_each(|location| location.committed = random.u8(..100) < committed);
    }
    program
}

/// What an expander has found.
fn found(expander: &Expander<'_>) -> String {
    let edges = expander.edges();
    let successors = edges.successors().iter().enumerate();
    let successors: Vec<_> = successors.map(|(i, s)| (s.step, s.interior, edges.state(i))).collect();
    let (met, endless) = (expander.met(), expander.is_endless());
    format!("{successors:?} {met:?} {:?} {endless} {}", edges.violations(), expander.atomic_steps())
}

fn same(a: &Expander<'_>, b: &Expander<'_>) -> bool {
    let (edges, others) = (a.edges(), b.edges());
    let step = |batch: &Batch, index: usize| {
        let successor = batch.successors()[index];
        (successor.step, successor.interior)
    };
    edges.len() == others.len()
        && (0..edges.len()).all(|i| step(edges, i) == step(others, i) && edges.state(i) == others.state(i))
        && edges.violations() == others.violations()
        && (a.met(), a.is_endless(), a.atomic_steps()) == (b.met(), b.is_endless(), b.atomic_steps())
}

impl<'s> Ways<'s> {
    /// The ways of a program and of its interpreter.
    pub fn new(compiled: &'s Compiled) -> Ways<'s> {
        let limited = |system: &'s dyn System| Expander::new(system).limited(Some(MEMORY));
        Ways {
            compiled,
            interpreted: limited(compiled.interpreter()),
            machine: limited(compiled),
            batch: Batch::default(),
            walked: 0,
            left: 0,
            circles: 0,
            given_up: false,
        }
    }

    /// Compares the edges of a state.
    pub fn compare(&mut self, state: &[u8], chosen: Chosen<'_>) -> Result<(), Disagreement> {
        if self.given_up {
            return Ok(());
        }
        let left = self.compiled.left();
        self.batch.clear();
        self.compiled.expand_through(state, chosen, &mut self.batch);
        self.walked += self.batch.take_walked();
        for expander in [&mut self.interpreted, &mut self.machine] {
            expander.clear();
            expander.add(state, chosen);
        }
        self.left += self.compiled.left() - left;
        self.circles += u64::from(self.interpreted.is_endless());
        let steps = self.interpreted.atomic_steps() + self.circles * CIRCLE;
        // Where memory is short, the two need not stop at the same place.
        self.given_up = steps > MOST_STEPS || self.interpreted.stopped().or(self.machine.stopped()).is_some();
        if self.given_up || same(&self.interpreted, &self.machine) {
            return Ok(());
        }
        Err(Disagreement {
            question: format!("the edges under {chosen:?}"),
            state: state.to_vec(),
            interpreted: found(&self.interpreted),
            compiled: found(&self.machine),
        })
    }

    /// Whether regions are too long, or may go round in a circle, for whole searches to be compared.
    pub fn are_long(&self) -> bool {
        self.given_up || self.circles > 0
    }

    /// Compares the statements that were executed.
    pub fn compare_covered(&self) -> Result<(), Disagreement> {
        let (interpreted, compiled) = (self.interpreted.all_covered(), self.machine.all_covered());
        if self.given_up || interpreted == compiled {
            return Ok(());
        }
        Err(Disagreement {
            question: "the statements executed on the way through regions".to_owned(),
            state: Vec::new(),
            interpreted: format!("{interpreted:?}"),
            compiled: format!("{compiled:?}"),
        })
    }
}
