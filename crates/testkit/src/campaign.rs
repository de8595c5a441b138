//! A campaign: many random programs, each compared under many combinations of options.
//!
//! Small programs are compared under every combination. Large ones are compared under as many,
//! drawn at random, as a budget of states allows, so that a campaign's time is spent on many programs
//! rather than on a few large ones; the checking mode looks at a limited number of states.

use crate::compare::{
    Difference, compare, configs_in_turn, every_config, keeps_contract, keeps_promises, several_threads,
};
use crate::generate;
use crate::oracle::{Facts, explore};
use crate::shrink::shrink;
use fastrand::Rng;
use mazurka_engine::{Config, Method, Silent, StoreKind, check_reduction};
use mazurka_model::System;
use mazurka_program::{Interpreter, Program};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// What a campaign does.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How many programs.
    pub programs: u64,
    /// Different seeds give different programs.
    pub seed: u64,
    /// Programs with more states are skipped.
    pub most_states: u64,
    /// States that all searches of one program may visit together, about.
    pub budget: u64,
    /// No program is begun after so many seconds.
    pub seconds: u64,
    /// How many threads.
    pub jobs: usize,
    /// Also check every set that a reduction proposes against the definition of a persistent set.
    pub persistent: bool,
    /// Each combination of reduction, search and properties once, while orders, codecs and stores that forget take turns.
    pub in_turn: bool,
    /// Only searches by several threads.
    pub threads: bool,
    /// Only searches that choose steps and give that up.
    pub giving_up: bool,
    /// Only programs in which processes ask about others or have priorities; the others count as skipped.
    pub questions: bool,
    /// Programs that are about processes which come and go.
    pub creators: bool,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            programs: 1_000,
            seed: 1,
            most_states: 20_000,
            budget: 150_000,
            seconds: u64::MAX,
            jobs: 2,
            persistent: false,
            in_turn: false,
            threads: false,
            giving_up: false,
            questions: false,
            creators: false,
        }
    }
}

/// What a campaign found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Programs compared.
    pub programs: u64,
    /// Programs skipped, because they have too many states or an atomic region that is too long.
    pub skipped: u64,
    /// Searches run.
    pub searches: u64,
    /// States of all programs compared.
    pub states: u64,
    /// Programs with 20 to 5,000 states.
    pub medium: u64,
    /// Programs with a deadlock.
    pub deadlocking: u64,
    /// Programs with a false assertion or a fault.
    pub violated: u64,
    /// Programs with neither.
    pub correct: u64,
    /// States that the searches with a persistent-set method stored, and as many as there were.
    pub reduced: (u64, u64),
    /// The differences found.
    pub differences: Vec<Disagreement>,
}

/// A program on which a search disagrees with the oracle.
#[derive(Clone, Debug, PartialEq)]
pub struct Disagreement {
    /// The seed of the program.
    pub seed: u64,
    /// The difference, on the small program.
    pub difference: Difference,
    /// A small program that shows it.
    pub program: Program,
}

/// How a program is turned into the system under test. Tests of the harness put a faulty one here.
pub type Build<'b> = &'b (dyn Fn(&Program) -> Option<Box<dyn System>> + Sync);

/// The interpreter of a program.
pub fn interpreter(program: &Program) -> Option<Box<dyn System>> {
    Interpreter::new(program.clone()).ok().map(|system| Box::new(system) as Box<dyn System>)
}

/// The longest atomic region of a program that is compared.
const LONGEST_REGION: u64 = 500;
/// States in which the checking mode looks at a program.
const CHECKED_STATES: u64 = 1_500;
/// So many states are few: bits for them need [little memory](MEMORY_FOR_FEW), and a search is not mostly the making of a large array.
const FEW_STATES: u64 = 1_000;
const MEMORY_FOR_FEW: u64 = 5 << 20;
/// How often a program that is being shrunk is tried.
const MOST_TRIALS: usize = 20_000;

/// Compares the programs of `plan`; stops early once `most_differences` were found. `progress` is told
/// the summary so far now and then.
pub fn run(
    plan: &Plan,
    most_differences: usize,
    build: Build<'_>,
    progress: &(dyn Fn(&Summary) + Sync),
) -> Summary {
    let summary = Mutex::new(Summary::default());
    let next = AtomicU64::new(0);
    let enough = AtomicBool::new(false);
    let started = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..plan.jobs.max(1) {
            scope.spawn(|| {
                while !enough.load(Ordering::Relaxed) && started.elapsed().as_secs() < plan.seconds {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= plan.programs {
                        return;
                    }
                    let seed = program_seed(plan.seed, index);
                    let result = judge(plan, seed, build);
                    let mut all = summary.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    all.add(result);
                    if all.differences.len() >= most_differences {
                        enough.store(true, Ordering::Relaxed);
                    }
                    if (all.programs + all.skipped) % 64 == 0 {
                        progress(&all);
                    }
                }
            });
        }
    });
    summary.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The seed of program number `index` of a campaign.
pub fn program_seed(seed: u64, index: u64) -> u64 {
    seed.wrapping_mul(1_000_000_007).wrapping_add(index)
}

/// What came of one program.
struct Compared {
    facts: Facts,
    searches: u64,
    reduced: (u64, u64),
    disagreement: Option<Disagreement>,
}

impl Summary {
    /// Adds a program, or one that was skipped.
    fn add(&mut self, compared: Option<Compared>) {
        let Some(Compared { facts, searches, reduced, disagreement }) = compared else {
            self.skipped += 1;
            return;
        };
        self.programs += 1;
        self.searches += searches;
        self.states += facts.states;
        self.medium += u64::from((20..=5_000).contains(&facts.states));
        self.deadlocking += u64::from(!facts.deadlocks.is_empty());
        self.violated += u64::from(!facts.violated.is_empty());
        self.correct += u64::from(facts.deadlocks.is_empty() && facts.violated.is_empty());
        self.reduced.0 += reduced.0;
        self.reduced.1 += reduced.1;
        self.differences.extend(disagreement);
    }
}

/// Compares one program; `None` if it is skipped.
fn judge(plan: &Plan, seed: u64, build: Build<'_>) -> Option<Compared> {
    let program = if plan.creators { generate::creators(seed) } else { generate::program(seed) };
    if plan.questions && !generate::has_questions(&program) {
        return None;
    }
    let system = build(&program)?;
    let facts = explore(&*system, plan.most_states, LONGEST_REGION).ok()?;
    let mut configs = match plan {
        Plan { threads: true, .. } => several_threads(seed),
        Plan { in_turn: true, .. } => configs_in_turn(seed),
        _ => every_config(seed),
    };
    configs.retain(|config| config.gives_up || !plan.giving_up);
    if facts.states <= FEW_STATES {
        for config in configs.iter_mut().filter(|config| config.store == StoreKind::Bitstate) {
            config.limits.memory = Some(MEMORY_FOR_FEW);
        }
    }
    let affordable = (plan.budget / facts.states.max(1)).max(24) as usize;
    if affordable < configs.len() {
        Rng::with_seed(seed).shuffle(&mut configs);
        configs.truncate(affordable);
    }
    let mut searches = 0;
    let mut reduced = (0, 0);
    let mut difference = keeps_contract(&*system, CHECKED_STATES).err();
    let graph = plan.persistent.then(|| check_reduction::explore(&*system, facts.states, &Silent));
    for config in &configs {
        if difference.is_some() {
            break;
        }
        searches += 1;
        let kept = graph.as_ref().map_or(Ok(()), |graph| keeps_promises(graph, config));
        match kept.and_then(|()| compare(&*system, &facts, config)) {
            Ok(states) if config.reduction.method != Method::None => {
                reduced.0 += states;
                reduced.1 += facts.states;
            }
            Ok(_) => {}
            Err(found) => difference = Some(found),
        }
    }
    let disagreement = difference.map(|found| minimise(plan, seed, &program, &found, build));
    Some(Compared { facts, searches, reduced, disagreement })
}

/// The difference that a program shows under these options, of sets that are not persistent too if asked; `None` also for a program that is unfit.
pub fn difference(
    program: &Program,
    config: Option<&Config>,
    most_states: u64,
    persistent: bool,
    build: Build<'_>,
) -> Option<Difference> {
    let system = build(program)?;
    let facts = explore(&*system, most_states, LONGEST_REGION).ok()?;
    match config {
        None => keeps_contract(&*system, CHECKED_STATES).err(),
        Some(config) => {
            let graph = || check_reduction::explore(&*system, facts.states, &Silent);
            let kept = if persistent { keeps_promises(&graph(), config) } else { Ok(()) };
            kept.and_then(|()| compare(&*system, &facts, config)).err()
        }
    }
}

fn minimise(plan: &Plan, seed: u64, program: &Program, found: &Difference, build: Build<'_>) -> Disagreement {
    let config = found.config.as_deref();
    let mut last = found.clone();
    let small = shrink(program, MOST_TRIALS, &mut |candidate| match difference(
        candidate,
        config,
        plan.most_states,
        plan.persistent,
        build,
    ) {
        Some(found) => {
            last = found;
            true
        }
        None => false,
    });
    Disagreement { seed, difference: last, program: small }
}
