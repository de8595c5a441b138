//! From the options of `mazurka check` to how a model is read and searched.

use crate::arguments::CheckArguments;
use crate::engine;
use crate::load::{How, Loaded, Model};
use crate::temporal::{Search, Wanted};
use crate::values::{Asked, FullChannel, Property};
use mazurka_engine::checkpoint::Checkpoints;
use mazurka_engine::temporal::Fairness;
use mazurka_engine::{Bits, Config, Limits, Properties, SearchKind, StoreKind};
use mazurka_front::vfsm::Information;
use mazurka_report::Reading;

impl CheckArguments {
    /// How the model is read.
    pub fn how(&self) -> How<'_> {
        let receptions = self.plain().contains(&Property::Reception);
        let mut temporal: Vec<Wanted> = self.property.iter().filter_map(Asked::temporal).collect();
        if self.asks_for_nothing() {
            temporal.push(Wanted::Usual);
        }
        temporal.extend(self.ltl.iter().chain(&self.pattern).cloned().map(Wanted::Ltl));
        let (full_channel, invariant) = (self.full_channel, self.invariant.as_deref());
        How {
            defines: &self.define,
            full_channel,
            receptions,
            invariant,
            temporal,
            engine: self.engine,
            optimise: self.optimise,
            whole: self.wants_every_state(),
            information: self.info,
        }
    }

    /// Why statements can't be merged: something is asked for that more than runs up to stuttering decide.
    fn wants_every_state(&self) -> Option<&'static str> {
        if self.fair != Fairness::None {
            Some("fairness is assumed")
        } else if self.shortest {
            Some("a shortest run is wanted")
        } else if self.plain().contains(&Property::Reception) {
            Some("every state is judged")
        } else {
            None
        }
    }

    /// The properties of states or steps that are asked for.
    pub fn plain(&self) -> Vec<Property> {
        self.property.iter().filter_map(Asked::plain).collect()
    }

    /// Whether only temporal properties are asked for.
    pub fn only_temporal(&self) -> bool {
        self.plain().is_empty() && !self.asks_for_nothing()
    }

    /// Whether no property is named, so that the usual ones are meant.
    fn asks_for_nothing(&self) -> bool {
        self.property.is_empty() && self.ltl.is_empty() && self.pattern.is_empty()
    }

    /// How runs that break temporal properties are looked for.
    pub fn search_for_runs(&self) -> Search {
        Search {
            fairness: self.fair,
            shortest: self.shortest,
            emptiness: self.emptiness,
            representatives: self.representatives,
        }
    }

    /// What of that a report says.
    pub fn reading(&self, loaded: &Loaded) -> Reading {
        Reading {
            spin_counts: self.spin_counts,
            full_channel_loses: self.full_channel == FullChannel::Lose,
            compiled: matches!(loaded.model, Model::Compiled(_)),
            optimise: engine::name_optimisations(loaded.optimised),
            codec_asked: self.codec.to_string(),
            swarm: self.swarm,
            invariant: self.invariant.clone(),
            information: self.information(&loaded.model),
            defines: self.define.iter().map(|(name, value)| format!("{name}={value}")).collect(),
        }
    }

    /// What the persistent sets of a network of machines are computed from.
    fn information(&self, model: &Model) -> Option<&'static str> {
        let resolved = match self.info {
            Information::Auto => Information::RunTime,
            asked => asked,
        };
        let name = Information::NAMES.iter().find(|(_, kind)| *kind == resolved).map(|(name, _)| *name);
        name.filter(|_| matches!(model, Model::Vfsm(_)))
    }

    /// Why these options can't be had together, if they can't.
    pub fn contradiction(&self) -> Option<&'static str> {
        if self.only_temporal() && (self.checkpoint.is_some() || self.resume.is_some()) {
            return Some(
                "a search for runs that break temporal properties can't be saved, or go on: leave --checkpoint and \
                 --resume out",
            );
        }
        if self.only_temporal() && self.swarm.is_some() {
            return Some(
                "a swarm does not search for runs that break temporal properties: leave --swarm out",
            );
        }
        if self.spin_counts && self.optimise.any() {
            return Some(
                "--spin-counts counts the states of the model as it was written: leave --optimise out, or \
                 --spin-counts",
            );
        }
        if self.search == SearchKind::Random && self.check_reduction.is_some() {
            return Some(
                "random runs are not reduced, so there is no reduction to check: leave --check-reduction out, or \
                 search dfs or bfs",
            );
        }
        self.config().contradiction()
    }

    /// The one place where options become configuration.
    pub fn config(&self) -> Config {
        Config {
            reduction: self.reduce,
            dependency: self.dependency,
            search: self.search,
            order: self.order,
            store: if self.swarm.is_some() { StoreKind::Bitstate } else { self.store },
            bits: Bits { hashes: self.hashes, seed: self.hash_seed },
            on_full: self.on_full,
            properties: match self.only_temporal() {
                true => Properties { deadlock: false, assertions: false, unreached: false, reception: false },
                false => properties(&self.plain()),
            },
            codec: self.codec,
            limits: Limits {
                memory: self.memory.or_else(|| {
                    memory_for(if self.swarm.is_some() { StoreKind::Bitstate } else { self.store })
                }),
                depth: self.depth,
                time: self.time,
                states: self.states,
            },
            max_errors: self.max_errors,
            folder: self.disk.clone().unwrap_or_else(std::env::temp_dir),
            checkpoints: self
                .checkpoint
                .as_ref()
                .or(self.resume.as_ref())
                .map(|file| Checkpoints { file: file.clone(), every: self.every }),
            // Each search of a swarm has one.
            threads: if self.swarm.is_some() { 1 } else { self.threads.unwrap_or(1) },
            ..Config::default()
        }
    }
}

/// What is checked if these properties are asked for; without any, the usual ones.
pub fn properties(given: &[Property]) -> Properties {
    let asked = |property| given.is_empty() || given.contains(&property);
    Properties {
        deadlock: asked(Property::Deadlock),
        assertions: asked(Property::Assert),
        unreached: asked(Property::Unreached),
        reception: given.contains(&Property::Reception),
    }
}

/// The memory limit if none is given: all that can be had, but bits are not spread over more than they need.
fn memory_for(store: StoreKind) -> Option<u64> {
    match store {
        StoreKind::Bitstate => Some(most_memory().map_or(BITSTATE_MEMORY, |most| most.min(BITSTATE_MEMORY))),
        _ => most_memory(),
    }
}

/// The memory of a bit-state search, unless more or less is asked for.
const BITSTATE_MEMORY: u64 = 512 << 20;

/// Nine tenths of the memory that is available, where the system says how much that is: a search that
/// takes more would be killed, and what it had explored lost.
pub fn most_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024 / 10 * 9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::{Arguments, Command};
    use clap::CommandFactory;
    use clap::Parser;

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn without_options_everything_is_checked() {
        let arguments = Arguments::parse_from(["mazurka", "check", "x.mzk"]);
        let Command::Check(check) = arguments.command else { panic!("not check") };
        let mut config = check.config();
        if std::path::Path::new("/proc/meminfo").exists() {
            assert!(config.limits.memory.take().is_some_and(|bytes| bytes > 0));
        }
        assert_eq!(config, Config { folder: std::env::temp_dir(), ..Config::default() });
    }
}
