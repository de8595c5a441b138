//! How processes rank where steps are left out because they are met elsewhere ([`Elsewhere`]).
//!
//! Either rank is right, but where messages flow from processes with low numbers to those with high ones, say, one of them may leave
//! twice as many steps to be executed as the other. Which it is, is tried: a few thousand states are explored from one state of the search, by each rank, apart
//! from everything else. States that were seen are known by their hashes there, since nothing rests on the answer but time.

use crate::expand::Expander;
use crate::store::hash;
use mazurka_model::{Elsewhere, Known, Rank, System};
use std::collections::HashSet;

/// So many states are explored by each rank, at most, and so many bytes: what waits is a copy, and no limit on memory knows of it.
const SAMPLE: usize = 1 << 12;
const BYTES: usize = 1 << 20;
/// States that are opened together.
const TOGETHER: usize = 16;

/// The rank that leaves fewer steps to be executed behind `state`; `None` if the system does not leave out any.
pub fn better(system: &dyn System, state: &[u8]) -> Option<Rank> {
    let ascending = executed(system, state, Rank::Ascending)?;
    let descending = executed(system, state, Rank::Descending)?;
    Some(if descending < ascending { Rank::Descending } else { Rank::Ascending })
}

/// How many steps are executed for each state that is met, behind `state`.
fn executed(system: &dyn System, state: &[u8], rank: Rank) -> Option<f64> {
    let mut expander = Expander::new(system);
    let mut seen = HashSet::from([hash(state)]);
    let mut waiting = vec![(state.to_vec(), Elsewhere::NONE)];
    let (mut executed, mut told) = (0, false);
    let most = SAMPLE.min(BYTES / state.len().max(1));
    while seen.len() < most && !waiting.is_empty() {
        let (states, of): (Vec<_>, Vec<_>) =
            waiting.drain(waiting.len().saturating_sub(TOGETHER)..).rev().unzip();
        expander.clear();
        if expander.add_several(&states, Some(Known { of: &of, rank })).is_none() {
            // What has to be expanded state by state takes the same time by either rank.
            continue;
        }
        let edges = expander.edges();
        told |= !expander.onward().is_empty();
        executed += edges.len();
        let from = waiting.len();
        for index in 0..edges.len() {
            if seen.insert(hash(edges.state(index))) {
                let elsewhere = expander.onward().get(index).copied().unwrap_or_default();
                waiting.push((edges.state(index).to_vec(), elsewhere));
            }
        }
        waiting[from..].reverse();
    }
    told.then(|| executed as f64 / seen.len() as f64)
}
