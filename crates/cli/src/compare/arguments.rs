//! The options of `compare`.

use crate::engine::Engine;
use crate::load::How;
use crate::options::{most_memory, properties};
use crate::values::{self, FullChannel, Property};
use clap::Args;
use mazurka_engine::{Config, Dependency, Limits, Order, Properties, Reduction, SearchKind};
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLE: &str = "\
Example:
  mazurka compare model.pml --time 60
  mazurka compare model.pml --svg model.svg
  mazurka compare model.pml --stores --reduce local
  mazurka compare model.pml --stores --memory 64M
  mazurka compare model.pml --all --property deadlock --json

Every run looks for all errors, so that no run is smaller because it stopped at one. A run that hits a
limit is shown as such; its numbers are lower bounds.

Exit codes: 0 all complete runs agree, 2 wrong command line or model, 3 no run was complete,
4 complete runs disagree, so a reduction has lost an error";

/// Arguments of `compare`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLE)]
pub struct CompareArguments {
    /// The model: Promela (.pml), a Petri net (.pnml), a network of machines (.vfsm, .scxml) or program text (.mzk)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Every reduction with every grade of dependency in both orders
    #[arg(long, conflicts_with_all = ["reduce", "dependency", "order"])]
    pub all: bool,

    /// Every codec, and the stores disk and compact, with the reductions asked for [default: none]; with --memory also
    /// cache and bitstate. Memory and time are related to those of plain records
    #[arg(long, conflicts_with = "all")]
    pub stores: bool,

    /// Only these reductions (repeatable) [default: none, local, overman, ample, persistent,
    /// stubborn, conditional, deletion and auto, each also with +sleep]
    #[arg(long, value_name = "R", value_parser = values::reduction)]
    pub reduce: Vec<Reduction>,

    /// These grades of dependency (repeatable): refined, conditional, constant, object [default: refined]
    #[arg(long, value_name = "D", value_parser = values::dependency)]
    pub dependency: Vec<Dependency>,

    /// The orders in which processes are tried (repeatable): forward, reverse, random:SEED [default:
    /// forward]
    #[arg(long, value_name = "O", value_parser = values::order)]
    pub order: Vec<Order>,

    /// The order of visiting states: dfs, bfs
    #[arg(long, value_name = "S", default_value = "dfs", value_parser = values::whole_search)]
    pub search: SearchKind,

    /// What to check (repeatable): deadlock, assert, unreached [default: these three], reception
    #[arg(long, value_name = "P", value_parser = values::property)]
    pub property: Vec<Property>,

    /// Limit on the memory of each run, such as 512M or 2G [default: nine tenths of what is free]
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    pub memory: Option<u64>,

    /// Limit on the time of each run in seconds (or 5min, 2h)
    #[arg(long, value_name = "S", value_parser = values::time)]
    pub time: Option<Duration>,

    /// Limit on the states of each run
    #[arg(long, value_name = "N")]
    pub states: Option<u64>,

    /// Write the table as one JSON object
    #[arg(long)]
    pub json: bool,

    /// Draw the numbers of states into this file as well
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// What a send to a full channel does: block, lose
    #[arg(long, value_name = "F", default_value = "block", value_parser = values::full_channel)]
    pub full_channel: FullChannel,

    /// Define a macro of a Promela model, as for a C preprocessor (repeatable)
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = values::definition)]
    pub define: Vec<(String, String)>,
}

impl CompareArguments {
    /// How the model is read.
    pub fn how(&self) -> How<'_> {
        let receptions = self.property.contains(&Property::Reception);
        How {
            defines: &self.define,
            full_channel: self.full_channel,
            receptions,
            engine: Engine::Jit,
            ..How::default()
        }
    }

    /// What all runs have in common.
    pub fn config(&self) -> Config {
        Config {
            search: self.search,
            properties: properties(&self.property),
            limits: Limits {
                memory: self.memory.or_else(most_memory),
                depth: None,
                time: self.time,
                states: self.states,
            },
            max_errors: 0,
            ..Config::default()
        }
    }

    /// The same in words.
    pub fn options(&self, properties: Properties) -> String {
        let checked = [
            (properties.deadlock, "deadlock"),
            (properties.assertions, "assert"),
            (properties.unreached, "unreached"),
            (properties.reception, "reception"),
        ];
        let checked: Vec<&str> = checked.iter().filter(|(on, _)| *on).map(|(_, name)| *name).collect();
        format!("search {}, property {}", self.search, checked.join(", "))
    }
}
