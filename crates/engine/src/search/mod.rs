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

use crate::config::{Config, SearchKind};
use crate::monitor::Monitor;
use crate::outcome::Outcome;
use mazurka_model::System;

/// Explores `system` and says what was found.
///
/// Every finding comes with a trace; nothing is shown to anyone before it was executed again, which
/// is not the engine's to do.
pub fn check(system: &dyn System, config: &Config, monitor: &dyn Monitor) -> Outcome {
    match config.search {
        SearchKind::Dfs => dfs::search(system, config, monitor),
        SearchKind::Bfs => bfs::search(system, config, monitor),
    }
}
