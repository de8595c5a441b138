//! Runs at random: from an initial state on, one edge of each state, chosen at random among all.
//!
//! Nothing is kept but the present run, so this goes where no store has room, as deep as the limit on the depth allows. It finds errors
//! and never says that there are none. States are counted as often as they are visited. The same seed (`--order random:SEED`) gives the same runs.

use super::run::{Finished, Run};
use crate::config::{Config, Limits, Method, Order, Reduction};
use crate::expand::Expander;
use crate::monitor::Monitor;
use crate::store::{Recollection, hash_word};
use mazurka_model::{Batch, System};
use std::borrow::Cow;
use std::collections::HashSet;

/// The longest run, unless the depth is limited.
const LONGEST: u64 = 10_000;
/// States visited, unless their number or the time is limited.
const MOST_STATES: u64 = 1_000_000;

/// Takes random runs until a limit is reached, or an error that ends the search.
pub fn search(system: &dyn System, config: &Config, monitor: &dyn Monitor) -> Finished {
    let Limits { states, time, depth, .. } = config.limits;
    let states = states.or_else(|| time.is_none().then_some(MOST_STATES));
    let limits = Limits { states, depth: None, ..config.limits };
    let reduction = Reduction { method: Method::None, sleep: false };
    let mut run = Run::new(system, &Config { limits, reduction, ..config.clone() }, monitor);
    let mut initial = Batch::default();
    system.initial(&mut initial);
    run.initial(&initial);
    let mut walk = Walk {
        expander: Expander::new(system).limited(limits.memory).halted_by(run.halt()),
        dead_ends: HashSet::new(),
        longest: depth.unwrap_or(LONGEST),
        random: match config.order {
            Order::Random(seed) => seed,
            Order::Forward | Order::Reverse => 0,
        },
    };
    let mut runs = 0u64;
    while run.stopped.is_none() {
        runs += 1;
        let first = walk.below(initial.len());
        walk.take(initial.state(first), &mut run);
    }
    run.note(format!("{runs} random runs; states are counted as often as they were visited"));
    run.statistics.atomic_steps = walk.expander.atomic_steps();
    let store = Recollection::default();
    let mut outcome = run.finish(&store, |place| walk.expander.covered(place));
    outcome.config.limits.depth = Some(walk.longest);
    Finished { outcome, store }
}

/// Takes runs.
struct Walk<'s> {
    expander: Expander<'s>,
    /// Where runs ended; one error for each is enough.
    dead_ends: HashSet<Vec<u8>>,
    longest: u64,
    random: u64,
}

impl Walk<'_> {
    /// A random number below `bound`, which is not 0.
    fn below(&mut self, bound: usize) -> usize {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        ((u128::from(hash_word(self.random)) * bound as u128) >> 64) as usize
    }

    /// One run.
    fn take(&mut self, first: &[u8], run: &mut Run<'_>) {
        let mut states: Vec<Vec<u8>> = vec![first.to_vec()];
        for depth in 0..=self.longest {
            let bytes = (states.len() * (first.len() + size_of::<Vec<u8>>())) as u64;
            if !run.go_on(self.expander.edges().len(), || (depth, bytes)) {
                return;
            }
            run.count_state();
            run.statistics.depth = run.statistics.depth.max(depth);
            let present = &states[states.len() - 1];
            let way = || states.iter().map(|state| Cow::Borrowed(state.as_slice())).collect();
            run.judge(present, way);
            self.expander.clear();
            self.expander.add(present, mazurka_model::Chosen::All);
            if let Some(stop) = self.expander.stopped() {
                run.stopped = Some(stop);
                return;
            }
            run.report_met(self.expander.met(), way);
            let edges = self.expander.edges().len();
            if edges == 0 {
                let dead = self.expander.met().is_empty() && !self.expander.is_endless();
                if dead && self.dead_ends.insert(present.clone()) {
                    run.dead_end(present, way);
                }
                return;
            }
            let chosen = self.below(edges);
            states.push(self.expander.edges().state(chosen).to_vec());
        }
    }
}
