//! The oracle: a plain exploration of everything, with nothing in common with the engine.
//!
//! States are kept whole in a standard set and every successor is followed. Interior states of atomic
//! regions are followed too, but are no states of their own. Slow and simple on purpose: what the
//! engine is compared with must not share its mistakes.

use mazurka_model::{Batch, Chosen, Step, System, ViolationKind};
use std::collections::{BTreeSet, HashSet};

/// What there is to know of a system: the answers that every search must give.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// How many states can be reached, interior ones not counted.
    pub states: u64,
    /// The states without an enabled step that are no valid ends.
    pub deadlocks: BTreeSet<Vec<u8>>,
    /// The places of false assertions and of faults.
    pub violated: BTreeSet<(&'static str, u32)>,
    /// The places that are never executed.
    pub unreached: BTreeSet<u32>,
}

/// Why a system is not explored to its end.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// It has more states than allowed.
    TooManyStates,
    /// An atomic region has more interior states than allowed; such a region may never end.
    LongRegion,
}

/// The name of a kind of violation, for messages and sorted sets.
pub fn violation_name(kind: ViolationKind) -> &'static str {
    match kind {
        ViolationKind::Assertion => "assertion",
        ViolationKind::Fault => "fault",
        ViolationKind::Contract => "contract",
        ViolationKind::Reception => "reception",
        ViolationKind::Overflow => "overflow",
    }
}

/// Explores everything, unless it has more than `most_states` states or some atomic region has more
/// than `longest_region` interior states on all its ways together.
pub fn explore(system: &dyn System, most_states: u64, longest_region: u64) -> Result<Facts, Unfit> {
    let mut facts = Facts::default();
    let mut batch = Batch::default();
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    let mut pending: Vec<Vec<u8>> = Vec::new();
    let mut enabled: Vec<Step> = Vec::new();
    let mut region: Vec<Vec<u8>> = Vec::new();
    system.initial(&mut batch);
    for index in 0..batch.len() {
        if seen.insert(batch.state(index).to_vec()) {
            pending.push(batch.state(index).to_vec());
        }
    }
    while let Some(state) = pending.pop() {
        facts.states += 1;
        if facts.states > most_states {
            return Err(Unfit::TooManyStates);
        }
        enabled.clear();
        system.enabled(&state, &mut enabled);
        if enabled.is_empty() && !system.valid_end(&state) {
            facts.deadlocks.insert(state.clone());
        }
        // Interior states are not remembered from one expansion to the next, so that their number is
        // what an engine that does not remember them at all has to go through at least.
        let mut interior = 0;
        region.push(state);
        while let Some(state) = region.pop() {
            batch.clear();
            system.expand(&state, Chosen::All, &mut batch);
            facts.violated.extend(batch.violations().iter().map(|v| (violation_name(v.kind), v.place)));
            for (index, successor) in batch.successors().iter().enumerate() {
                if successor.interior {
                    interior += 1;
                    if interior > longest_region {
                        return Err(Unfit::LongRegion);
                    }
                    region.push(batch.state(index).to_vec());
                } else if !seen.contains(batch.state(index)) {
                    seen.insert(batch.state(index).to_vec());
                    pending.push(batch.state(index).to_vec());
                }
            }
        }
    }
    let covered = |number: u32| batch.covered().get(number as usize).copied().unwrap_or(false);
    facts.unreached = system.describe().places().iter().map(|p| p.number).filter(|n| !covered(*n)).collect();
    Ok(facts)
}
