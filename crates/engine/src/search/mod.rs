//! The searches: the order in which states are visited, and the provisos they can grant.
//!
//! `dfs`, `bfs` and `parallel` share the choice and expansion of a state's steps (`choose`), the store, the
//! limits and the record of findings (`run`). A search decides what happens to an edge, and whether
//! the edges of a proposed set meet the proviso.

mod bfs;
mod choose;
mod component;
mod dfs;
pub(crate) mod parallel;
pub(crate) mod path;
mod random;
mod rank;
mod run;
mod saved;
mod swarm;
mod together;

pub(crate) use choose::{sort_steps, waits_for_rest};
pub(crate) use run::Run;
pub use swarm::{Swarm, swarm};

use crate::checkpoint::{self, Reader, Refusal};
use crate::config::{Bits, Codec, Config, Limits, OnFull, SearchKind, StoreKind};
use crate::monitor::Monitor;
use crate::outcome::{Outcome, Stop};
use crate::reduce;
use crate::store::bitstate::Bitstate;
use crate::store::cache::Cache;
use crate::store::codec::Fixed;
use crate::store::compact::Compact;
use crate::store::disk::StateFile;
use crate::store::pack::Packing;
use crate::store::{
    Auto, Coded, Collapse, CompactTree, Exact, Forgetful, Huffman, Ordered, Packed, Recollection, RunLength,
    Side, Tree, Unchanged,
};
use mazurka_model::System;
use run::Finished;
use std::path::Path;

/// Explores `system` and says what was found.
///
/// Every finding comes with a trace; nothing is shown to anyone before it was executed again, which
/// is not the engine's to do.
pub fn check(system: &dyn System, config: &Config, monitor: &dyn Monitor) -> Outcome {
    begin(system, config, monitor).outcome
}

/// Explores `system` from the beginning.
fn begin(system: &dyn System, config: &Config, monitor: &dyn Monitor) -> Finished {
    explore(system, config, monitor, None).unwrap_or_else(|refusal| {
        let mut run = Run::new(system, config, monitor);
        run.note(refusal.to_string());
        run.stopped = Some(Stop::Options);
        let store = Recollection::default();
        Finished { outcome: run.finish(&store, |_| true), store }
    })
}

/// Goes on from a checkpoint of the same system under the same options; limits may be others.
pub fn resume(
    system: &dyn System,
    config: &Config,
    monitor: &dyn Monitor,
    checkpoint: &Path,
) -> Result<Outcome, Refusal> {
    let (reduction, _) = reduce::resolve(system, config);
    let resolved = Config { reduction, ..config.clone() };
    let reader = checkpoint::file::open(checkpoint, system, &resolved)?;
    explore(system, config, monitor, Some(reader)).map(|finished| finished.outcome)
}

/// Explores with the store that the options ask for. Every store has its own instance of the searches.
fn explore(
    system: &dyn System,
    config: &Config,
    monitor: &dyn Monitor,
    from: Option<Reader>,
) -> Result<Finished, Refusal> {
    if let Some(contradiction) = config.contradiction() {
        return Err(Refusal::Contradiction(contradiction));
    }
    if config.search == SearchKind::Random {
        return match from {
            None => Ok(random::search(system, config, monitor)),
            Some(_) => Err(Refusal::Contradiction("random runs keep nothing to go on from")),
        };
    }
    if config.threads > 1 {
        return match from {
            None => Ok(parallel::search(system, config, monitor)),
            Some(_) => Err(Refusal::Contradiction("only one thread can go on from a checkpoint")),
        };
    }
    let limit = config.limits.memory;
    match (config.store, config.on_full) {
        (StoreKind::Exact | StoreKind::Disk, OnFull::Stop | OnFull::Bitstate) => {
            explore_exactly(system, config, monitor, from)
        }
        (StoreKind::Exact | StoreKind::Disk, OnFull::Cache) => {
            // A cache that has not forgotten anything yet is exact.
            let mut finished = explore_with_cache(system, config, monitor, from)?;
            if finished.store.replaced > 0 {
                let note = "the memory was used up; from there on old states were forgotten, and explored again \
                            when they were met again";
                finished.outcome.notes.push(note.to_owned());
            }
            Ok(finished)
        }
        (StoreKind::Cache, _) => explore_with_cache(system, config, monitor, from),
        (StoreKind::Bitstate, _) => {
            dfs::search(system, config, monitor, from, |side| Forgetful::for_side(bits(config), side, limit))
        }
        (StoreKind::Compact, _) => dfs::search(system, config, monitor, from, |side| {
            Forgetful::for_side(Compact::new(side.sleep, limit), side, limit)
        }),
    }
}

/// Explores with an exact set under the codec that is asked for, in memory or in a file.
fn explore_exactly(
    system: &dyn System,
    config: &Config,
    monitor: &dyn Monitor,
    from: Option<Reader>,
) -> Result<Finished, Refusal> {
    let (limit, size) = (config.limits.memory, system.state_size());
    let file = match config.store {
        StoreKind::Disk => Some(StateFile::new(&config.folder).map_err(|error| {
            let folder = config.folder.display();
            Refusal::Disk(format!("{folder}: {error}"))
        })?),
        _ => None,
    };
    let plain = |side, file| Exact::new(size, side, limit).kept_in(file);
    match config.codec {
        Codec::Plain => keep_all(system, config, monitor, from, |side| plain(side, file)),
        // A tree is in memory, and what goes over to bits must not lose states on the way to one before.
        Codec::Auto if file.is_some() || config.on_full == OnFull::Bitstate => {
            keep_all(system, config, monitor, from, |side| plain(side, file))
        }
        Codec::Auto => keep_all(system, config, monitor, from, |side| Auto::new(system, side, limit)),
        Codec::None => {
            keep_all(system, config, monitor, from, |side| Exact::unpacked(size, side, limit).kept_in(file))
        }
        Codec::RunLength => {
            keep_all(system, config, monitor, from, |side| Coded::new(RunLength, side, limit).kept_in(file))
        }
        Codec::Huffman => keep_all(system, config, monitor, from, |side| {
            Coded::new(Huffman::default(), side, limit).kept_in(file)
        }),
        Codec::Packed if Packed::is_for(system) => keep_all(system, config, monitor, from, |side| {
            Coded::new(Packed::new(system), side, limit).kept_in(file)
        }),
        Codec::Packed => {
            // A checkpoint names the options that were asked for, so they stay what they are.
            keep_all(system, config, monitor, from, |side| plain(side, file)).map(without_widths)
        }
        Codec::Collapse => keep_all(system, config, monitor, from, |side| {
            Coded::new(Collapse::new(system), side, limit).kept_in(file)
        }),
        Codec::Tree => keep_all(system, config, monitor, from, |side| {
            let tree = Tree::new(system, side, limit);
            let nameless = config.search == SearchKind::Dfs && side == Side::default();
            if nameless { tree.nameless() } else { tree }
        }),
        Codec::CompactTree if config.search == SearchKind::Dfs && !config.reduction.sleep => {
            dfs::search(system, config, monitor, from, |side| CompactTree::new(system, side, limit))
        }
        Codec::CompactTree => {
            let tree = Config { codec: Codec::Tree, ..config.clone() };
            let mut finished = explore(system, &tree, monitor, from)?;
            let note = "a compact tree has no order of states and no sleep sets: the tree was used instead";
            finished.outcome.notes.push(note.to_owned());
            Ok(finished)
        }
    }
}

/// Explores with a cache under the codec that is asked for.
fn explore_with_cache(
    system: &dyn System,
    config: &Config,
    monitor: &dyn Monitor,
    from: Option<Reader>,
) -> Result<Finished, Refusal> {
    match config.codec {
        Codec::None => cached(system, config, monitor, from, Unchanged),
        Codec::RunLength => cached(system, config, monitor, from, RunLength),
        Codec::Huffman => cached(system, config, monitor, from, Huffman::default()),
        Codec::Packed if Packed::is_for(system) => cached(system, config, monitor, from, Packed::new(system)),
        codec => {
            let finished = cached(system, config, monitor, from, Packing::of_any_size())?;
            Ok(if codec == Codec::Packed { without_widths(finished) } else { finished })
        }
    }
}

/// Explores with a cache of states as a codec writes them.
fn cached(
    system: &dyn System,
    config: &Config,
    monitor: &dyn Monitor,
    from: Option<Reader>,
    codec: impl Fixed,
) -> Result<Finished, Refusal> {
    let limit = config.limits.memory;
    dfs::search(system, config, monitor, from, |_| Forgetful::new(Cache::with(codec, limit), limit))
}

/// Why states are not packed though that was asked for.
pub(crate) const NO_WIDTHS: &str =
    "nothing is known of which values the bytes of such a system can have: states are stored plain";

/// Says that states were not packed.
fn without_widths(mut finished: Finished) -> Finished {
    finished.outcome.notes.push(NO_WIDTHS.to_owned());
    finished.outcome.config.codec = Codec::Plain;
    finished
}

/// Explores with a store that keeps all states, at least until it is full.
fn keep_all<S: Ordered>(
    system: &dyn System,
    config: &Config,
    monitor: &dyn Monitor,
    from: Option<Reader>,
    make: impl FnOnce(Side) -> S,
) -> Result<Finished, Refusal> {
    match (config.search, config.on_full) {
        (SearchKind::Bfs, _) => bfs::search(system, config, monitor, from, make),
        (SearchKind::Dfs | SearchKind::Random, OnFull::Bitstate) => {
            let bits = |bytes: Option<u64>| {
                // The bits get three quarters of a search's memory.
                let memory = bytes.map(|bytes| bytes / 3 * 4);
                bits(&Config { limits: Limits { memory, ..config.limits }, ..config.clone() })
            };
            dfs::search_then_bits(system, config, monitor, from, make, bits)
        }
        (SearchKind::Dfs | SearchKind::Random, OnFull::Stop | OnFull::Cache) => {
            dfs::search(system, config, monitor, from, make)
        }
    }
}

/// Bytes of bits where there is no limit.
const BITS: u64 = 256 << 20;

/// The bits of a bit-state search: three quarters of the memory, or less if the system has less. The rest is
/// for the stack.
fn bits(config: &Config) -> Bitstate {
    let Bits { hashes, seed } = config.bits;
    let mut bytes = config.limits.memory.map_or(BITS, |limit| limit / 4 * 3);
    loop {
        match Bitstate::new(bytes, hashes, seed) {
            Some(bits) => return bits,
            None => bytes /= 2,
        }
    }
}
