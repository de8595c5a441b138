//! The command line: every command and option, with an example each.

use crate::compare::CompareArguments;
use crate::engine::{self, Engine};
use crate::explain::ExplainArguments;
use crate::load::How;
use crate::ltl::LtlArguments;
use crate::test::TestArguments;
use crate::values::{self, Asked, FullChannel};
use clap::{ArgGroup, Args, Parser, Subcommand};
use mazurka_engine::store::bitstate::MOST_HASHES;
use mazurka_engine::temporal::{Algorithm, Fairness, Representatives};
use mazurka_engine::{Bits, Codec, Dependency, OnFull, Order, Reduction, SearchKind, StoreKind};
use mazurka_front::vfsm::Information;
use mazurka_program::Optimisations;
use std::path::PathBuf;
use std::time::Duration;

/// Finds errors in concurrent systems by exploring one interleaving of each Mazurkiewicz trace
/// instead of all of them.
#[derive(Parser, Debug)]
#[command(name = "mazurka", version, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "\
Example:
  mazurka check philosophers.mzk

Exit codes:
  0 holds   1 violated   2 the command line or the model is wrong
  3 unknown: a limit was reached   4 an internal error";

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Explore a model and say what was found
    Check(Box<CheckArguments>),
    /// One run of a model: at random, guided by a trail, or chosen step by step
    Simulate(Box<SimulateArguments>),
    /// Re-execute a saved counterexample step by step, with what changed at each step
    Replay(ReplayArguments),
    /// One model under many reductions, in one table
    Compare(Box<CompareArguments>),
    /// Why a reduction explores some steps of a state and not others
    Explain(Box<ExplainArguments>),
    /// The state graph, or each process's automaton, as DOT or SVG
    Graph(Box<GraphArguments>),
    /// A saved run as a message sequence chart
    Msc(MscArguments),
    /// The papers' tables: their numbers beside ours
    Tables(TablesArguments),
    /// The Büchi automaton of a formula: HOA, DOT, never claim
    Ltl(LtlArguments),
    /// Run the tests of a crate under all schedules that matter
    Test(Box<TestArguments>),
    /// The object library: each object's dependency and interaction tables
    Objects(ObjectsArguments),
}

const CHECK_EXAMPLE: &str = "\
Example:
  mazurka check philosophers.mzk --reduce local+sleep --memory 2G
  mazurka check net.pnml --invariant 'critical1 + critical2 <= 1'
  mazurka check net.pnml --contest ReachabilityCardinality.xml
  mazurka check model.pml --ltl '[](request -> <> granted)' --fair weak

Exit codes: 0 holds, 1 violated, 2 wrong command line or model, 3 a limit was reached, 4 internal error";

/// What `mazurka_engine::reduce::proviso` grants, and what temporal properties ask for, for people who choose options.
const NEEDS: &str = "\
What each property needs of the steps that --reduce chooses, beside that they are a persistent set:
                                  dfs        dfs, local    bfs         several
                                             or overman                threads
  deadlock                        nothing    nothing       nothing     nothing
  assert (faults too), unreached  component  stack         closed set  way out
  reception of machines (.vfsm)   component  stack         closed set  way out
  invariants of nets              sets that contain what may break them
  reception of other models       all steps: nothing is reduced
  claim, accept, progress, --ltl  no cycle of reduced states, and no step that the property sees;
                                  in place of the latter, with --representatives trace and under
                                  fairness, dependencies that the property adds

  component   each strong component that can't be left has a state that is expanded fully; stack, if
              not all states are kept (--store bitstate, compact or cache, or --on-full)
  stack       some step leads off the stack
  closed set  some step leads to a state that this expansion stored
  way out     some step leads to a state that waits or is expanded fully, or in turn to such a one

What needs less is reduced more, so ask for what you want to know.";

/// Arguments of `check`.
#[derive(Args, Debug)]
#[command(after_help = CHECK_EXAMPLE, after_long_help = format!("{NEEDS}\n\n{CHECK_EXAMPLE}"), group = ArgGroup::new("saved").multiple(true))]
pub struct CheckArguments {
    /// The model: Promela (.pml), a Petri net (.pnml), a network of machines (.vfsm, .scxml) or program text (.mzk)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Which steps of a state are explored: auto, none, local (Algorithm 2), overman,
    /// overman-located, persistent, ample (Peled), stubborn, conditional (conditional stubborn
    /// sets), deletion; add +sleep for sleep sets
    #[arg(long, value_name = "R", default_value = "auto", value_parser = values::reduction)]
    pub reduce: Reduction,

    /// When two operations on one object depend on each other: refined, conditional, constant, object
    #[arg(long, value_name = "D", default_value = "refined", value_parser = values::dependency)]
    pub dependency: Dependency,

    /// The order of visiting states: dfs, bfs; or random: runs at random, which keep no states and find errors only
    #[arg(long, value_name = "S", default_value = "dfs", value_parser = values::search)]
    pub search: SearchKind,

    /// The order in which processes are tried: forward, reverse, random:SEED
    #[arg(long, value_name = "O", default_value = "forward", value_parser = values::order)]
    pub order: Order,

    /// What to check (repeatable): deadlock, assert, unreached, claim (the never claims and formulas of
    /// the model; one of them: claim:NAME) [default: these four, or only the formulas of --ltl and --pattern],
    /// accept (no acceptance cycles), progress (no cycles without progress), automaton:FILE (no run is accepted
    /// by an automaton in HOA, or matched by a never claim), reception (messages for which a waiting
    /// process has no receive)
    #[arg(long, value_name = "P", value_parser = values::asked)]
    pub property: Vec<Asked>,

    /// A formula of linear temporal logic over the model's expressions, or over the markings of a net, that
    /// every run must satisfy (repeatable), such as \"[](request -> <> granted)\" or \"G(request -> F granted)\"
    #[arg(long, value_name = "F")]
    pub ltl: Vec<String>,

    /// A formula by its specification pattern and scope (repeatable), such as \"response: granted responds to
    /// request after started\"; `mazurka ltl --pattern` shows which formula that is
    #[arg(long, value_name = "PATTERN", value_parser = values::pattern)]
    pub pattern: Vec<String>,

    /// Which runs count for temporal properties: none (all), weak (who can always move, moves again and
    /// again), strong (who can move again and again, moves again and again), trace (behind what can be done
    /// comes something that depends on it)
    #[arg(long, value_name = "F", default_value = "none", value_parser = values::fair)]
    pub fair: Fairness,

    /// How runs that break temporal properties are looked for: scc (strong components), ndfs (nested
    /// depth-first search)
    #[arg(long, value_name = "E", default_value = "scc", value_parser = values::emptiness)]
    pub emptiness: Algorithm,

    /// Which runs may stand for others when a temporal property is reduced: stutter (those with the same
    /// letters up to repetition), trace (those of the same trace: under fairness, for safety, or with sleep
    /// sets), auto (trace under fairness, else stutter)
    #[arg(long, value_name = "R", default_value = "auto", value_parser = values::representatives)]
    pub representatives: Representatives,

    /// Look for a shortest run that breaks a temporal property, without reduction; for other errors,
    /// --search bfs does so
    #[arg(long)]
    pub shortest: bool,

    /// What shall hold in every marking of a Petri net, such as "p1 + 2*p2 <= 3 && !fireable(t)"
    #[arg(long, value_name = "F")]
    pub invariant: Option<String>,

    /// Answer the properties of this file of the Model Checking Contest, one line each
    #[arg(long, value_name = "FILE", conflicts_with_all = ["property", "ltl", "pattern", "invariant", "json", "trail", "verify_model", "check_reduction"])]
    pub contest: Option<PathBuf>,

    /// What a send to a full channel does: block until there is room, or lose the message and go on
    #[arg(long, value_name = "F", default_value = "block", value_parser = values::full_channel)]
    pub full_channel: FullChannel,

    /// What executes the model: jit (machine code), interpreter; both give the same states
    #[arg(long, value_name = "E", default_value = "jit", value_parser = engine::parse)]
    pub engine: Engine,

    /// What the persistent sets of a network of machines (.vfsm) are computed from: per-vfsm, per-state, run-time, or
    /// auto, the one with the smallest sets (run-time)
    #[arg(long, value_name = "I", default_value = "auto")]
    pub info: Information,

    /// What is done to the model first: none, all, or a list of dead (variables that are not read again are reset),
    /// merge (steps that concern nobody else are taken at once; not under fairness, with X, for a shortest run or receptions) and fold (what is constant is
    /// computed)
    #[arg(long, value_name = "O", default_value = "none", value_parser = engine::parse_optimise)]
    pub optimise: Optimisations,

    /// Count states and transitions as SPIN does without its optimisations (spin -o1 -o2 -o3); use
    /// it with --reduce none
    #[arg(long)]
    pub spin_counts: bool,

    /// Limit on the memory for states, such as 512M or 2G [default: nine tenths of what is free; for
    /// bitstate 512M]
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    pub memory: Option<u64>,

    /// Limit on the steps from the initial state
    #[arg(long, value_name = "N")]
    pub depth: Option<u64>,

    /// Limit on the time of the search in seconds (or 5min, 2h); errors found are executed again after it
    #[arg(long, value_name = "S", value_parser = values::time)]
    pub time: Option<Duration>,

    /// Limit on the number of states
    #[arg(long, value_name = "N")]
    pub states: Option<u64>,

    /// Go on until this many errors are found; 0: find all, but of deadlocks that differ only in numbers of processes a
    /// reduced search shows one
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub max_errors: usize,

    /// Write the result as one JSON object
    #[arg(long)]
    pub json: bool,

    /// Where to save the counterexample [default: FILE.trail in the current directory]
    #[arg(long, value_name = "FILE")]
    pub trail: Option<PathBuf>,

    /// Write the verdict and one line for each error, nothing else
    #[arg(long, short)]
    pub quiet: bool,

    /// Write progress to standard error even if it is no terminal
    #[arg(long, conflicts_with = "quiet")]
    pub progress: bool,

    /// First compare, in this many states, what the model says of its steps with what they do
    /// [default if given without a number: 10000]
    #[arg(long, value_name = "STATES", num_args = 0..=1, require_equals = true, default_missing_value = "10000")]
    pub verify_model: Option<u64>,

    /// First explore, up to this many states, without the reduction, and check that every set it chooses
    /// is persistent, that its proviso holds and that it keeps every error; for temporal properties, that
    /// what is left out is invisible and on no cycle, and that the verdict stays the same [default if given without
    /// a number: 10000]
    #[arg(long, value_name = "STATES", num_args = 0..=1, require_equals = true, default_missing_value = "10000")]
    pub check_reduction: Option<u64>,

    /// What is kept of visited states: exact (all), disk (all, in a file), cache (as many as fit, the rest is
    /// explored again), compact (a hash each), bitstate (a few bits each); the last two may miss states
    #[arg(long, value_name = "S", default_value = "exact", value_parser = values::store)]
    pub store: StoreKind,

    /// The folder for the file of a store on disk [default: that for temporary files]
    #[arg(long, value_name = "DIR")]
    pub disk: Option<PathBuf>,

    /// What to do when an exact store is full: stop, or go on with bitstate or cache
    #[arg(long, value_name = "F", default_value = "stop", value_parser = values::on_full)]
    pub on_full: OnFull,

    /// Bits of a state in a bitstate store
    #[arg(long, value_name = "K", default_value_t = Bits::default().hashes,
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_HASHES)))]
    pub hashes: u32,

    /// Varies which bits of a bitstate store a state has
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub hash_seed: u64,

    /// Several bitstate searches with different orders and hashes instead of one, as many at a time as there are
    /// cores, or threads; they share the memory
    #[arg(long, value_name = "N", conflicts_with_all = ["checkpoint", "resume", "on_full"],
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub swarm: Option<u32>,

    /// Save the search to this file from time to time, and when a limit or Ctrl-C ends it
    #[arg(long, value_name = "FILE", group = "saved")]
    pub checkpoint: Option<PathBuf>,

    /// The time between two checkpoints, such as 30s or 5min
    #[arg(long, value_name = "T", default_value = "60s", requires = "saved", value_parser = values::time)]
    pub every: Duration,

    /// Go on from a checkpoint, with the same model and options; limits may be others. Unless --checkpoint says
    /// otherwise, the search is saved to the same file
    #[arg(long, value_name = "FILE", group = "saved")]
    pub resume: Option<PathBuf>,

    /// How a stored state becomes bytes, losing nothing: auto (plain while there is room, a tree when
    /// memory gets scarce), plain (without bytes that are zero), none (as it is), rle (run-length), huffman, packed (each byte in as many bits as its values need), collapse
    /// (each part once), tree, compact-tree. Stores of hashes or bits have none; a cache has neither collapse nor trees, a
    /// store on disk no trees
    #[arg(long, value_name = "C", default_value = "auto")]
    pub codec: Codec,

    /// Search with this many threads, which share one exact store of plain states, also for runs that break temporal
    /// properties, except under fairness; of a swarm, so many searches
    /// at a time [default: 1; of a swarm, as many as there are cores]
    #[arg(long, value_name = "N", value_parser = values::threads)]
    pub threads: Option<usize>,

    /// Define a macro of a Promela model, as for a C preprocessor, or give a constant of a network another value
    /// (repeatable)
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = values::definition)]
    pub define: Vec<(String, String)>,
}

const SIMULATE_EXAMPLE: &str = "\
Example:
  mazurka simulate model.pml --seed 7 --globals
  mazurka simulate model.pml -i

Exit codes: 0 the run ended properly, 1 something was wrong, 2 wrong command line or model, 3 cut short";

/// Arguments of `simulate`.
#[derive(Args, Debug)]
#[command(after_help = SIMULATE_EXAMPLE)]
pub struct SimulateArguments {
    /// The model: Promela (.pml), a Petri net (.pnml), a network of machines (.vfsm, .scxml) or program text (.mzk)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// The random choices: the same number gives the same run [default: another one each time]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Stop a random run after this many steps [default: 10000]
    #[arg(long, value_name = "N", conflicts_with_all = ["trail", "interactive"])]
    pub steps: Option<u64>,

    /// Take the steps of a saved run
    #[arg(long, value_name = "T")]
    pub trail: Option<PathBuf>,

    /// Choose each step yourself (behind the end of the trail, if there is one); ? shows how
    #[arg(long, short, conflicts_with = "quiet")]
    pub interactive: bool,

    /// After each step, show the values that it changed
    #[arg(long)]
    pub changes: bool,

    /// After each step, show all global values
    #[arg(long)]
    pub globals: bool,

    /// After each step, show all values of the process that moved
    #[arg(long)]
    pub locals: bool,

    /// Show the messages that are sent
    #[arg(long)]
    pub sends: bool,

    /// Show the messages that are received
    #[arg(long)]
    pub receives: bool,

    /// Write what the model prints, exactly, and nothing else
    #[arg(long, short)]
    pub quiet: bool,

    /// Save the run, for `replay`, `msc` or --trail
    #[arg(long, value_name = "T")]
    pub save: Option<PathBuf>,

    /// What a send to a full channel does: block, lose
    #[arg(long, value_name = "F", default_value = "block", value_parser = values::full_channel)]
    pub full_channel: FullChannel,

    /// Define a macro of a Promela model, as for a C preprocessor, or give a constant of a network another value
    /// (repeatable)
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = values::definition)]
    pub define: Vec<(String, String)>,
}

/// A saved run and the model that it belongs to.
#[derive(Args, Debug)]
pub struct TrailArguments {
    /// The run that `check` or `simulate` saved
    #[arg(value_name = "TRAIL")]
    pub trail: PathBuf,

    /// The model, if it has been moved since
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,

    /// What a send to a full channel does: block, lose; if the run was saved with lose, it does
    #[arg(long, value_name = "F", default_value = "block", value_parser = values::full_channel)]
    pub full_channel: FullChannel,

    /// The invariant of a Petri net, as it was given when the run was saved
    #[arg(long, value_name = "F")]
    pub invariant: Option<String>,

    /// A macro of a Promela model, instead of those that the run was saved with (repeatable)
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = values::definition)]
    pub define: Vec<(String, String)>,
}

const REPLAY_EXAMPLE: &str = "\
Example:
  mazurka replay philosophers.mzk.trail

Exit codes: 0 the run was reproduced, 2 it was not or can't be read";

/// Arguments of `replay`.
#[derive(Args, Debug)]
#[command(after_help = REPLAY_EXAMPLE)]
pub struct ReplayArguments {
    /// The run.
    #[command(flatten)]
    pub trail: TrailArguments,
}

const GRAPH_EXAMPLE: &str = "\
Example:
  mazurka graph model.pml --svg states.svg
  mazurka graph model.pml --reduce local+sleep --left-out | dot -Tpdf -o states.pdf
  mazurka graph model.pml --automata --svg automata.svg

Exit codes: 0 the graph is whole, 2 wrong command line or model, 3 it was cut (--limit)";

/// Arguments of `graph`.
#[derive(Args, Debug)]
#[command(after_help = GRAPH_EXAMPLE)]
pub struct GraphArguments {
    /// The model: Promela (.pml), a Petri net (.pnml), a network of machines (.vfsm, .scxml) or program text (.mzk)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Show the automaton of each process type, or the net, instead of the states
    #[arg(long, conflicts_with_all = ["reduce", "dependency", "search", "limit", "left_out", "values"])]
    pub automata: bool,

    /// Draw into this file instead of writing DOT
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Only the states and steps that a search with this reduction explores, as for `check`
    #[arg(long, value_name = "R", default_value = "none", value_parser = values::reduction)]
    pub reduce: Reduction,

    /// When two operations on one object depend on each other, as for `check`
    #[arg(long, value_name = "D", default_value = "refined", value_parser = values::dependency)]
    pub dependency: Dependency,

    /// The order of visiting states: dfs, bfs
    #[arg(long, value_name = "S", default_value = "dfs", value_parser = values::whole_search)]
    pub search: SearchKind,

    /// Show as well, in grey, what the reduction leaves out
    #[arg(long)]
    pub left_out: bool,

    /// Write the values of each state into its node
    #[arg(long)]
    pub values: bool,

    /// Show at most this many states
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub limit: u64,

    /// What a send to a full channel does: block, lose
    #[arg(long, value_name = "F", default_value = "block", value_parser = values::full_channel)]
    pub full_channel: FullChannel,

    /// Define a macro of a Promela model, as for a C preprocessor, or give a constant of a network another value
    /// (repeatable)
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = values::definition)]
    pub define: Vec<(String, String)>,
}

impl GraphArguments {
    /// How to read the model.
    pub fn how(&self) -> How<'_> {
        How { defines: &self.define, full_channel: self.full_channel, ..How::default() }
    }
}

const MSC_EXAMPLE: &str = "\
Example:
  mazurka msc model.pml.trail
  mazurka msc model.pml.trail --svg model.svg

Exit codes: 0 the chart was drawn, 2 the run can't be read or is not possible";

/// Arguments of `msc`.
#[derive(Args, Debug)]
#[command(after_help = MSC_EXAMPLE)]
pub struct MscArguments {
    /// The run.
    #[command(flatten)]
    pub trail: TrailArguments,

    /// Draw the chart into this file instead of writing it as text
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Show every step, not only messages, processes that come and go, and what is printed
    #[arg(long)]
    pub all: bool,
}

const TABLES_EXAMPLE: &str = "\
Example:
  mazurka tables table2
  mazurka tables table2 -n 1000 --reduce local

Tables, and for which reductions of --reduce each has columns or rows:
  table2    Table II of the 1992 paper, protocols 1 to 3
              none, local, none+sleep, local+sleep
  figure1   Figure 1 of the 1992 paper
              none, local
  dtp       Table II of the 1992 paper, the protocol DTP (from SPIN's example models, if installed)
              none, local, none+sleep, local+sleep
  dtp-1993  The table of Godefroid and Pirottin 1993 for DTP, with refined dependencies
              conditional, deletion, deletion+sleep
  pipeline  The table of Peled's paper of 1993, a pipeline of 3 to 7 processes
              none, conditional
  p1        The program P1 of that paper
              none, none+sleep, conditional
  vfsm      Table I of 1996 and its four examples, written anew; only if named

Exit codes: 0 all numbers agree, 1 one differs, 2 wrong command line";

/// Arguments of `tables`.
#[derive(Args, Debug)]
#[command(after_help = TABLES_EXAMPLE)]
pub struct TablesArguments {
    /// Which table [default: all]
    #[arg(value_name = "NAME")]
    pub name: Option<String>,

    /// The number of processes of Table II
    #[arg(short = 'n', value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=4000))]
    pub processes: u16,

    /// The number of local states of each process of Table II
    #[arg(short = 'm', value_name = "M", default_value_t = 10, value_parser = clap::value_parser!(u16).range(2..=60000))]
    pub local_states: u16,

    /// Only the columns or rows of these reductions (repeatable); which tables have them is said below
    #[arg(long, value_name = "R", value_parser = values::reduction)]
    pub reduce: Vec<Reduction>,

    /// Leave out what has more states than this
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    pub states: u64,

    /// Leave out what takes longer than this, in seconds (or 5min, 2h)
    #[arg(long, value_name = "S", default_value = "60", value_parser = values::time)]
    pub time: Duration,

    /// The model of the tables `dtp` and `dtp-1993` [default: that of the installed package `spin`]
    #[arg(long, value_name = "FILE")]
    pub dtp: Option<PathBuf>,
}

const OBJECTS_EXAMPLE: &str = "\
Example:
  mazurka objects
  mazurka objects fifo";

/// Arguments of `objects`.
#[derive(Args, Debug)]
#[command(after_help = OBJECTS_EXAMPLE)]
pub struct ObjectsArguments {
    /// Which object [default: a list of all]
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
}
