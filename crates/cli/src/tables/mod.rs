//! `mazurka tables`: the papers' numbers beside ours. A number that differs is an error.

mod compression;
mod dtp;
mod figure1;
mod grid;
mod pipeline;
mod protocols;
mod table2;
mod vfsm;

use crate::Exit;
use crate::arguments::TablesArguments;
use crate::failure::Failure;
use crate::monitor::{self, Watch};
use crate::output::Output;
use grid::Grid;
use mazurka_engine::{Config, Dependency, Limits, Order, Properties, Reduction, Stop};
use mazurka_model::System;
use mazurka_program::{Interpreter, Program};

/// What one cell of a table counts.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// States stored, or nodes.
    pub states: u64,
    /// Transitions, or edges.
    pub transitions: u64,
}

/// What came out of our own search.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Ours {
    /// The counts.
    Counts(Counts),
    /// Not explored to the end: there are too many states.
    TooMany,
    /// Not explored to the end: it takes too long.
    TooLong,
}

/// What a table is made with.
pub struct Bench<'a> {
    arguments: &'a TablesArguments,
    watch: Watch,
}

/// The most memory that one cell may take, whatever the limit on its states.
const MEMORY: u64 = 4 << 30;

/// The reductions that the columns stand for.
const COLUMNS: [&str; 5] = ["none", "local", "none+sleep", "local+sleep", "conditional"];

/// Makes a table.
type Maker = fn(&Bench<'_>) -> Result<Grid, Failure>;

/// The tables by name.
const TABLES: [(&str, Maker); 5] = [
    ("table2", table2::make),
    ("figure1", figure1::make),
    ("dtp", dtp::make),
    ("pipeline", pipeline::make),
    ("p1", pipeline::make_p1),
];

/// The table whose numbers can't agree and whose shape must. It takes its time, so it is made only if it is named.
const VFSM: &str = "vfsm";

/// Runs the command.
pub fn run(arguments: &TablesArguments, output: &mut Output) -> Result<Exit, Failure> {
    let wanted = |name: &str| arguments.name.as_deref().is_none_or(|given| given == name);
    if let Some(given) = &arguments.name
        && given != VFSM
        && !TABLES.iter().any(|(name, _)| name == given)
    {
        let names: Vec<&str> = TABLES.iter().map(|(name, _)| *name).chain([VFSM]).collect();
        return Err(Failure::usage(format!("there is no table `{given}`; there are {}", names.join(", "))));
    }
    if let Some(given) = arguments.reduce.iter().find(|one| !COLUMNS.contains(&one.to_string().as_str())) {
        return Err(Failure::usage(format!(
            "no table has a column `{given}`; there are {}",
            COLUMNS.join(", ")
        )));
    }
    monitor::catch_interrupts();
    let bench = Bench { arguments, watch: Watch::new(false, false) };
    let mut differences = 0;
    if arguments.name.as_deref() == Some(VFSM) {
        let colour = output.colour();
        differences += vfsm::write(&bench, output, colour)?;
        bench.watch.clear();
    }
    for (index, (name, make)) in TABLES.iter().filter(|(name, _)| wanted(name)).enumerate() {
        if *name == "dtp" && arguments.name.is_none() && dtp::file(arguments).is_err() {
            continue;
        }
        let grid = make(&bench)?;
        bench.watch.clear();
        differences += grid.differences();
        let colour = output.colour();
        grid.write(output, index > 0, colour)
            .map_err(|error| Failure::Internal(format!("the table can't be written: {error}")))?;
        if *name == "dtp" {
            compression::write(&bench, output, colour)?;
            bench.watch.clear();
        }
    }
    Ok(if differences == 0 { Exit::Holds } else { Exit::Violated })
}

impl Bench<'_> {
    /// Whether the column of a reduction was asked for.
    fn wants(&self, reduction: &str) -> bool {
        let asked = &self.arguments.reduce;
        asked.is_empty() || asked.iter().any(|one| one.to_string() == reduction)
    }

    /// Explores a program under a reduction, as the 1992 paper does: depth first, processes in order,
    /// constant dependency.
    fn count(&self, program: Program, reduction: &str) -> Result<Ours, Failure> {
        let internal = |what: String| Failure::Internal(format!("a program of the tables: {what}"));
        let reduction = reduction.parse().map_err(|error| internal(format!("{error}")))?;
        let system = Interpreter::new(program).map_err(|errors| internal(format!("{errors:?}")))?;
        self.count_system(&system, reduction, Dependency::Constant, Order::Forward)
    }

    /// Explores a system depth first.
    fn count_system(
        &self,
        system: &dyn System,
        reduction: Reduction,
        dependency: Dependency,
        order: Order,
    ) -> Result<Ours, Failure> {
        let properties = Properties { unreached: false, ..Properties::default() };
        let config = Config { reduction, dependency, order, properties, ..Config::default() };
        self.count_as(system, config)
    }

    /// The limits of the tables.
    fn limits(&self) -> Limits {
        Limits {
            states: Some(self.arguments.states),
            time: Some(self.arguments.time),
            memory: Some(MEMORY),
            depth: None,
        }
    }

    /// The size of the graph that Figure 1 of Peled's paper makes of a system.
    fn count_printed(&self, system: &dyn System, config: Config) -> Ours {
        let config = Config { limits: self.limits(), ..config };
        let size = mazurka_engine::temporal::figure_one(system, &config, &self.watch);
        size.map_or(Ours::TooLong, |(states, edges)| {
            Ours::Counts(Counts { states: states as u64, transitions: edges as u64 })
        })
    }

    /// Explores a system within the limits of the tables.
    fn count_as(&self, system: &dyn System, config: Config) -> Result<Ours, Failure> {
        let internal = |what: &str| Failure::Internal(format!("a program of the tables: {what}"));
        let config = Config { limits: self.limits(), ..config };
        let outcome = mazurka_engine::check(system, &config, &self.watch);
        match outcome.stopped {
            None => Ok(Ours::Counts(Counts {
                states: outcome.statistics.states,
                transitions: outcome.statistics.transitions(),
            })),
            Some(Stop::Interrupted) => Err(Failure::Interrupted),
            Some(Stop::Errors) => Err(internal("an error was found where there is none")),
            Some(Stop::Inconsistent | Stop::Options | Stop::Endless) => {
                Err(internal(Stop::Inconsistent.reason()))
            }
            Some(Stop::Time) => Ok(Ours::TooLong),
            Some(Stop::Memory | Stop::Depth | Stop::States) => Ok(Ours::TooMany),
        }
    }
}
