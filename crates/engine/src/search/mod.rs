//! The searches: the order in which states are visited, and the provisos they can grant.
//!
//! `dfs` and `bfs` share the choice and expansion of a state's steps (`choose`), the store, the
//! limits and the record of findings (`run`). A search decides what happens to an edge, and whether
//! the edges of a proposed set meet the proviso.

mod bfs;
mod choose;
mod component;
mod dfs;
pub(crate) mod path;
mod run;

pub(crate) use choose::{sort_steps, waits_for_rest};
pub(crate) use run::Run;

use crate::config::{Codec, Config, SearchKind};
use crate::monitor::Monitor;
use crate::outcome::Outcome;
use crate::store::{Auto, Coded, Collapse, CompactTree, Exact, Huffman, Ordered, RunLength, Side, Tree};
use mazurka_model::System;

/// Explores `system` and says what was found.
///
/// Every finding comes with a trace; nothing is shown to anyone before it was executed again, which
/// is not the engine's to do.
pub fn check(system: &dyn System, config: &Config, monitor: &dyn Monitor) -> Outcome {
    let memory = config.limits.memory;
    match config.codec {
        Codec::Auto => explore(system, config, monitor, |side| Auto::new(system, side, memory)),
        Codec::Plain => {
            explore(system, config, monitor, |side| Exact::new(system.state_size(), side, memory))
        }
        Codec::RunLength => explore(system, config, monitor, |side| Coded::new(RunLength, side, memory)),
        Codec::Huffman => {
            explore(system, config, monitor, |side| Coded::new(Huffman::default(), side, memory))
        }
        Codec::Collapse => {
            explore(system, config, monitor, |side| Coded::new(Collapse::new(system), side, memory))
        }
        Codec::Tree => explore(system, config, monitor, |side| Tree::new(system, side, memory)),
        Codec::CompactTree if config.search == SearchKind::Dfs && !config.reduction.sleep => {
            dfs::search(system, config, monitor, |_| CompactTree::new(system, memory))
        }
        Codec::CompactTree => {
            let mut outcome = check(system, &Config { codec: Codec::Tree, ..config.clone() }, monitor);
            outcome.notes.push(
                "a compact tree has no order of states and no sleep sets: the tree was used instead"
                    .to_owned(),
            );
            outcome
        }
    }
}

/// Explores with the store that `make` makes. Every store has its own instance of the searches.
fn explore<S: Ordered>(
    system: &dyn System,
    config: &Config,
    monitor: &dyn Monitor,
    make: impl FnOnce(Side) -> S,
) -> Outcome {
    match config.search {
        SearchKind::Dfs => dfs::search(system, config, monitor, make),
        SearchKind::Bfs => bfs::search(system, config, monitor, make),
    }
}
