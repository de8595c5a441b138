//! Does a run show that a place grows without bound?
//!
//! If a marking covers an earlier one of the same run, the steps between them can be taken again and again,
//! and every place that has more tokens the second time grows for ever (Karp and Miller 1969). A run
//! that leads to an overflow either shows that, or the place needs a wider word.

use super::system::NetSystem;
use mazurka_model::trace::execute;
use mazurka_model::{Batch, System, Trace};

/// A part of a run that can be repeated for ever, and a place that grows each time.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The number of steps before it.
    pub from: usize,
    /// The number of steps at its end.
    pub until: usize,
    /// A place that grows.
    pub place: u32,
}

/// Pairs of markings that are compared before a run is given up.
const PATIENCE: usize = 4_000_000;

/// Looks for a part of a run that can be repeated and lets a place grow.
pub fn growth(system: &NetSystem, trace: &Trace) -> Option<Growth> {
    let mut batch = Batch::default();
    system.initial(&mut batch);
    let mut markings = vec![batch.state(0).to_vec()];
    for step in &trace.steps {
        match execute(system, &markings[markings.len() - 1], *step, &mut batch) {
            Some(state) => markings.push(state),
            None => break,
        }
    }
    let places = system.initial.len() as u32;
    let mut patience = PATIENCE;
    // The latest markings hold the most tokens, so that a covered one is found there first.
    for until in (1..markings.len()).rev() {
        for from in (0..until).rev() {
            patience = patience.checked_sub(1)?;
            let (before, after) = (&markings[from], &markings[until]);
            let tokens = |state: &[u8], place| system.tokens(state, place);
            if (0..places).all(|place| tokens(after, place) >= tokens(before, place))
                && let Some(place) = (0..places).find(|&place| tokens(after, place) > tokens(before, place))
            {
                return Some(Growth { from, until, place });
            }
        }
    }
    None
}
