//! `mazurka tables`: the papers' numbers beside ours. A number that differs is an error.

mod compression;
mod dtp;
mod figure1;
mod grid;
mod pipeline;
mod protocols;
mod refined;
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

/// The reductions that the columns of Table II stand for: Algorithms 1, 2, 3 and 2+3.
const COLUMNS: [&str; 4] = ["none", "local", "none+sleep", "local+sleep"];

/// A table that is made of a grid of numbers.
struct Table {
    /// What it is called on the command line.
    name: &'static str,
    /// The reductions that its columns or rows stand for.
    reductions: &'static [&'static str],
    /// Makes it.
    make: fn(&Bench<'_>) -> Result<Grid, Failure>,
    /// Whether it needs the model DTP, which is not ours to ship.
    needs_dtp: bool,
}

impl Table {
    const fn new(
        name: &'static str,
        reductions: &'static [&'static str],
        make: fn(&Bench<'_>) -> Result<Grid, Failure>,
    ) -> Table {
        Table { name, reductions, make, needs_dtp: false }
    }

    const fn of_dtp(self) -> Table {
        Table { needs_dtp: true, ..self }
    }
}

/// The tables, in the order in which they are shown.
const TABLES: [Table; 6] = [
    Table::new("table2", &COLUMNS, table2::make),
    Table::new("figure1", &["none", "local"], figure1::make),
    Table::new("dtp", &COLUMNS, dtp::make).of_dtp(),
    Table::new("dtp-1993", &refined::REDUCTIONS, refined::make).of_dtp(),
    Table::new("pipeline", &["none", "conditional"], pipeline::make),
    Table::new("p1", &["none", "none+sleep", "conditional"], pipeline::make_p1),
];

/// The table whose numbers can't agree and whose shape must. It takes its time, so it is made only if it is named.
const VFSM: &str = "vfsm";

/// Runs the command.
pub fn run(arguments: &TablesArguments, output: &mut Output) -> Result<Exit, Failure> {
    let given = arguments.name.as_deref();
    let named: Vec<&Table> =
        TABLES.iter().filter(|one| given.is_none_or(|given| given == one.name)).collect();
    if let Some(given) = given
        && given != VFSM
        && named.is_empty()
    {
        let names: Vec<&str> = TABLES.iter().map(|table| table.name).chain([VFSM]).collect();
        return Err(Failure::usage(format!("there is no table `{given}`; there are {}", names.join(", "))));
    }
    if let Some(reduction) = arguments.reduce.iter().find(|one| !named.iter().any(|table| table.has(one))) {
        return Err(not_there(given, &named, reduction));
    }
    monitor::catch_interrupts();
    let bench = Bench { arguments, watch: Watch::new(false, false) };
    let mut differences = 0;
    if arguments.name.as_deref() == Some(VFSM) {
        let colour = output.colour();
        differences += vfsm::write(&bench, output, colour)?;
        bench.watch.clear();
    }
    let mut shown = 0;
    for table in named {
        let can_be_made = given.is_some() || !table.needs_dtp || dtp::file(arguments).is_ok();
        if !can_be_made || !table.reductions.iter().any(|reduction| bench.wants(reduction)) {
            continue;
        }
        let grid = (table.make)(&bench)?;
        bench.watch.clear();
        differences += grid.differences();
        let colour = output.colour();
        grid.write(output, shown > 0, colour)
            .map_err(|error| Failure::Internal(format!("the table can't be written: {error}")))?;
        shown += 1;
        if table.name == "dtp" {
            compression::write(&bench, output, colour)?;
            bench.watch.clear();
        }
    }
    Ok(if differences == 0 { Exit::Holds } else { Exit::Violated })
}

impl Table {
    /// Whether some column or row stands for a reduction.
    fn has(&self, reduction: &Reduction) -> bool {
        self.reductions.contains(&reduction.to_string().as_str())
    }
}

/// Why a reduction can't be asked for: it is in none of the tables that were. An empty table would look like one that agrees.
fn not_there(given: Option<&str>, named: &[&Table], reduction: &Reduction) -> Failure {
    let which = given.map_or("no table has".to_owned(), |name| format!("the table `{name}` has no"));
    let mut there: Vec<&str> = Vec::new();
    for one in named.iter().flat_map(|table| table.reductions) {
        if !there.contains(one) {
            there.push(one);
        }
    }
    if there.is_empty() {
        return Failure::usage(format!("{which} reductions to choose from: leave --reduce out"));
    }
    let refusal = Failure::usage(format!("{which} `{reduction}`; there are {}", there.join(", ")));
    let others: Vec<&str> =
        TABLES.iter().filter(|table| table.has(reduction)).map(|table| table.name).collect();
    match others.is_empty() {
        true => refusal,
        false => refusal.help(format!("it is in {}", others.join(", "))),
    }
}

impl Bench<'_> {
    /// Whether the column or row of a reduction was asked for.
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
