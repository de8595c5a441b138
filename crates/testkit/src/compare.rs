//! Comparison: one system under every combination of options, against what the oracle found.
//!
//! Whatever the reduction, the search must find exactly the same deadlock states (persistent sets);
//! with assertions among the properties also exactly the same violated places and unreached places
//! (the proviso against putting steps off for ever). It never stores more states than there are;
//! without a persistent-set method it stores all of them, sleep sets or not, because sleep sets
//! avoid edges and no states (Godefroid 1990). Every finding is executed again. Several threads without a reduction
//! take the transitions that one takes.

use crate::oracle::{Facts, violation_name};
use mazurka_engine::{
    Codec, Config, Dependency, Guarantee, Limits, Method, Order, Properties, Reduction, SearchKind, Silent,
    Stop, StoreKind, Verdict, check, check_reduction, contract, reduce,
};
use mazurka_model::{FindingKind, System};
use std::collections::BTreeSet;
use std::fmt;

/// How often a cache may explore as many states as there are before the comparison is given up.
const MOST_VISITS: u64 = 20;

/// A disagreement between a search and the oracle.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The options of the search; `None` if the system itself breaks the rules of systems.
    pub config: Option<Box<Config>>,
    /// What differs.
    pub message: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.config {
            None => write!(f, "checking mode: {}", self.message),
            Some(config) => write!(f, "{}: {}", options(config), self.message),
        }
    }
}

/// The options of a run, as the command line writes them.
pub fn options(config: &Config) -> String {
    let Config { reduction, dependency, search, order, properties, codec, store, .. } = config;
    let checked = match (properties.assertions, properties.unreached) {
        (false, _) => " --property deadlock",
        (true, false) => " --property deadlock --property assert",
        (true, true) => "",
    };
    let memory = config.limits.memory.map_or_else(String::new, |bytes| format!(" --memory {bytes}"));
    let threads = if config.threads > 1 { format!(" --threads {}", config.threads) } else { String::new() };
    let usual = Config::default().in_order;
    let together = match config.in_order {
        states if config.gives_up => format!(" (choosing is given up after {states} states)"),
        states if states < usual => format!(" (several together after {states} states)"),
        _ => String::new(),
    };
    format!(
        "--search {search} --reduce {reduction} --dependency {dependency} --order {order} --store {store} --codec {codec}\
         {memory}{threads}{checked}{together}"
    )
}

/// Every combination of options. Orders shuffled at random use `seed`.
pub fn every_config(seed: u64) -> Vec<Config> {
    combinations(seed, false)
}

/// Every combination of reduction, dependency, search and properties, and so every proviso. The orders of steps, the codecs and the
/// stores that forget take turns: another seed combines them in another way.
pub fn configs_in_turn(seed: u64) -> Vec<Config> {
    combinations(seed, true)
}

fn combinations(seed: u64, in_turn: bool) -> Vec<Config> {
    let orders = [Order::Forward, Order::Reverse, Order::Random(seed)];
    // What takes turns: all of them, or the one whose turn it is.
    let of = |turn: usize, all: usize| {
        let first = (seed as usize).wrapping_add(turn) % all;
        if in_turn { first..first + 1 } else { 0..all }
    };
    let mut reductions: Vec<(Reduction, Dependency)> = Vec::new();
    for method in [Method::None, Method::Local, Method::Overman, Method::OvermanLocated] {
        // Only sleep sets look at the grade of dependency.
        reductions.push((Reduction { method, sleep: false }, Dependency::Refined));
    }
    for method in [Method::None, Method::Local, Method::Overman, Method::OvermanLocated, Method::Auto] {
        for (_, grade) in Dependency::NAMES {
            reductions.push((Reduction { method, sleep: true }, grade));
        }
    }
    for method in [Method::Persistent, Method::Ample, Method::Stubborn, Method::Conditional, Method::Deletion]
    {
        for (_, grade) in Dependency::NAMES {
            for sleep in [false, true] {
                reductions.push((Reduction { method, sleep }, grade));
            }
        }
    }
    // What is used unless something is asked for.
    reductions.push((Reduction { method: Method::Auto, sleep: false }, Dependency::Refined));
    let deadlock_only = Properties { deadlock: true, assertions: false, unreached: false, reception: false };
    // Unreached places can tell the numbers of processes, which otherwise need not count.
    let errors = Properties { unreached: false, ..Properties::default() };
    let mut configs = Vec::new();
    for (reduction, dependency) in reductions {
        for (_, search) in SearchKind::WHOLE {
            for properties in [deadlock_only, errors, Properties::default()] {
                for &order in &orders[of(configs.len(), orders.len())] {
                    let limits = Limits::default();
                    // Codecs take turns: they must make no difference, whatever else is asked for.
                    let shift = if in_turn { seed as usize / orders.len() % Codec::NAMES.len() } else { 0 };
                    let codec = Codec::NAMES[(configs.len() + shift) % Codec::NAMES.len()].1;
                    configs.push(Config {
                        reduction,
                        dependency,
                        search,
                        order,
                        properties,
                        codec,
                        limits,
                        max_errors: 0,
                        ..Config::default()
                    });
                }
            }
        }
        if reduction == (Reduction { method: Method::None, sleep: false }) {
            let together =
                [(0, Codec::Plain), (5, Codec::Plain), (20, Codec::Auto), (0, Codec::Tree), (7, Codec::Tree)];
            for (in_order, codec) in together {
                configs.push(Config { reduction, in_order, codec, ..all() });
            }
            for (store, memory) in FORGETFUL {
                let limits = Limits { memory: Some(memory), ..Limits::default() };
                configs.push(Config { reduction, in_order: 3, store, limits, ..all() });
            }
        }
        let mut turn = seed as usize % 5;
        if dependency == Dependency::Refined && (reduction.method != Method::None || reduction.sleep) {
            // Choosing is given up on the way, early and late, in all orders.
            for properties in [deadlock_only, errors, Properties::default()] {
                for &order in &orders[of(configs.len(), orders.len())] {
                    let in_order = [1, 4, 9, 20, 50][turn % 5];
                    let codec = if turn.is_multiple_of(2) { Codec::Plain } else { Codec::Auto };
                    turn += 3;
                    configs.push(Config {
                        reduction,
                        order,
                        properties,
                        in_order,
                        gives_up: true,
                        codec,
                        ..all()
                    });
                }
            }
        }
        if dependency == Dependency::Refined {
            for properties in [deadlock_only, errors, Properties::default()] {
                for &(store, memory) in &FORGETFUL[of(configs.len(), FORGETFUL.len())] {
                    let limits = Limits { memory: Some(memory), ..Limits::default() };
                    let order = Order::Random(seed);
                    let config = Config { reduction, dependency, order, store, properties, limits, ..all() };
                    configs.push(config);
                }
                for (_, search) in SearchKind::WHOLE {
                    let threads = 2 + configs.len() % 2;
                    let order = Order::Random(seed);
                    configs.push(Config {
                        reduction,
                        dependency,
                        search,
                        order,
                        properties,
                        threads,
                        ..all()
                    });
                }
            }
        }
    }
    configs
}

/// Every combination of options with an exact store, for two or three threads.
pub fn several_threads(seed: u64) -> Vec<Config> {
    let one = every_config(seed)
        .into_iter()
        .filter(|config| config.store == StoreKind::Exact && config.threads == 1);
    one.enumerate()
        .map(|(index, config)| Config { threads: 2 + index % 2, codec: Codec::Plain, ..config })
        .collect()
}

/// Stores that do not keep every state, each with memory in which it loses nothing for sure to speak of; the
/// cache with so little that it has to forget.
const FORGETFUL: [(StoreKind, u64); 3] =
    [(StoreKind::Bitstate, 32 << 20), (StoreKind::Compact, 64 << 20), (StoreKind::Cache, 96 << 10)];

fn all() -> Config {
    Config { max_errors: 0, ..Config::default() }
}

/// Compares one search with the facts. The number of states that it stored.
pub fn compare(system: &dyn System, facts: &Facts, config: &Config) -> Result<u64, Difference> {
    compare_unlimited(system, facts, config)
        .map_err(|message| Difference { config: Some(Box::new(config.clone())), message })
}

/// Compares what the system says of itself with what it does, in at most `most_states` states.
pub fn keeps_contract(system: &dyn System, most_states: u64) -> Result<(), Difference> {
    let report = contract::verify(system, most_states, 1);
    match report.breaches.first() {
        None => Ok(()),
        Some(breach) => {
            let state: Vec<String> =
                breach.state.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            let message =
                format!("{}; steps [{}]; in {}", breach.message, breach.steps.join(" | "), state.join(", "));
            Err(Difference { config: None, message })
        }
    }
}

/// Checks what a reduction promises, set by set, on the full graph of a system.
pub fn keeps_promises(graph: &check_reduction::Graph<'_>, config: &Config) -> Result<(), Difference> {
    let report = check_reduction::verify_on(graph, config, 1, &Silent);
    let Some(breach) = report.breaches.first() else { return Ok(()) };
    let state: Vec<String> = breach.state.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let message = format!(
        "{}; set [{}]; sequence [{}]; in {}",
        breach.message,
        breach.set.join(" | "),
        breach.sequence.join(" | "),
        state.join(", ")
    );
    Err(Difference { config: Some(Box::new(config.clone())), message })
}

fn compare_unlimited(system: &dyn System, facts: &Facts, config: &Config) -> Result<u64, String> {
    let Properties { assertions, unreached, .. } = config.properties;
    // A search that goes astray is stopped soon after.
    let cache = config.store == StoreKind::Cache;
    let most = if cache { MOST_VISITS * (facts.states + 1) } else { facts.states + 1 };
    let limits = Limits { states: Some(most), ..config.limits };
    let outcome = check(system, &Config { limits, ..config.clone() }, &Silent);
    if cache && matches!(outcome.stopped, Some(Stop::Memory | Stop::States)) {
        // The stack alone may be more than a small cache, and what is forgotten may be explored too often.
        return match outcome.verdict {
            Verdict::Holds => Err("verified after the search was cut".to_owned()),
            Verdict::Violated | Verdict::Unknown => Ok(outcome.statistics.states),
        };
    }
    // A state that was forgotten is counted again.
    let states = match outcome.statistics.replaced {
        0 => outcome.statistics.states,
        _ => outcome.statistics.states.min(facts.states),
    };
    let whole = config.reduction.method == Method::None;
    if states > facts.states || (whole && states != facts.states) {
        return Err(format!("{states} states stored, there are {}", facts.states));
    }
    if let Some(stop) = outcome.stopped {
        return Err(format!("the search ended early: {}", stop.reason()));
    }
    let usual = Config::default().in_order;
    if (config.threads > 1 || config.in_order < usual) && whole && !config.reduction.sleep {
        let in_order = Config { threads: 1, in_order: usual, ..config.clone() };
        let one = check(system, &in_order, &Silent).statistics.transitions();
        let several = outcome.statistics.transitions();
        if one != several {
            return Err(format!("{several} transitions, one thread in depth-first order takes {one}"));
        }
    }
    let mut deadlocks = BTreeSet::new();
    let mut violated = BTreeSet::new();
    for finding in &outcome.findings {
        let run = mazurka_replay::confirm(system, finding)
            .map_err(|refusal| format!("a {} can't be confirmed: {refusal}", finding.kind.name()))?;
        match finding.kind {
            FindingKind::Deadlock => {
                if !deadlocks.insert(run.end().to_vec()) {
                    return Err("a deadlock is reported twice".to_owned());
                }
                continue;
            }
            FindingKind::Step { kind, place } => violated.insert((violation_name(kind), place)),
            FindingKind::Stopped | FindingKind::Temporal { .. } => continue,
            FindingKind::State { place, .. } => violated.insert((finding.kind.name(), place)),
        };
    }
    same_deadlocks(system, facts, config, &deadlocks)?;
    if assertions {
        same("violation", &facts.violated, &violated, |(kind, place)| format!("{kind} {place}"))?;
    } else if !violated.iter().all(|(kind, place)| {
        // What can't be represented is told whatever was asked for.
        *kind == "overflow" && facts.violated.contains(&(*kind, *place))
    }) {
        return Err("violations are reported that were not asked for".to_owned());
    }
    if unreached && (config.keeps_all() || cache) {
        let found: BTreeSet<u32> = outcome.unreached.iter().map(|p| p.number).collect();
        let text = |number: &u32| {
            let places = system.describe().places();
            places.iter().find(|p| p.number == *number).map_or_else(String::new, |p| p.text.clone())
        };
        same("unreached place", &facts.unreached, &found, text)?;
    }
    let errors = !deadlocks.is_empty() || !violated.is_empty();
    let verdict = match (errors, outcome.guarantee) {
        (true, _) => Verdict::Violated,
        (false, Guarantee::Exact) => Verdict::Holds,
        (false, Guarantee::Probabilistic(_) | Guarantee::Bounded) => Verdict::Unknown,
    };
    let certain = config.keeps_all() || cache;
    if certain != (outcome.guarantee == Guarantee::Exact) {
        return Err(format!("the guarantee is {}", outcome.guarantee.name()));
    }
    if outcome.verdict != verdict {
        return Err(format!("the verdict is {}", outcome.verdict.name()));
    }
    Ok(states)
}

/// Compares deadlocks: one by one, or up to the numbers of processes where these don't count. None may be false in any case.
fn same_deadlocks(
    system: &dyn System,
    facts: &Facts,
    config: &Config,
    found: &BTreeSet<Vec<u8>>,
) -> Result<(), String> {
    let show = |state: &Vec<u8>| {
        let values = system.describe().values(state);
        let values: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        values.join(", ")
    };
    let (resolved, _) = reduce::resolve(system, config);
    let resolved = Config { reduction: resolved, ..config.clone() };
    let relations = reduce::numbers::relations(system, &resolved);
    let Some(relations) = relations.filter(|_| reduce::numbers::forgets(system, &resolved)) else {
        return same("deadlock", &facts.deadlocks, found, show);
    };
    let like = |state: &Vec<u8>| {
        let mut bytes = Vec::new();
        relations.likeness(state, &mut bytes);
        bytes
    };
    let alike: BTreeSet<Vec<u8>> = found.iter().map(like).collect();
    match facts.deadlocks.iter().find(|state| !alike.contains(&like(state))) {
        Some(lost) => Err(format!("a deadlock is lost, and all that are alike: {}", show(lost))),
        None if found.is_subset(&facts.deadlocks) => Ok(()),
        None => Err("a deadlock is false".to_owned()),
    }
}

/// Fails with the first element that only one of the sets has.
fn same<T: Ord>(
    what: &str,
    expected: &BTreeSet<T>,
    found: &BTreeSet<T>,
    show: impl Fn(&T) -> String,
) -> Result<(), String> {
    let counts = || format!("{} found, there are {}", found.len(), expected.len());
    if let Some(lost) = expected.difference(found).next() {
        return Err(format!("a {what} is lost ({}): {}", counts(), show(lost)));
    }
    if let Some(false_one) = found.difference(expected).next() {
        return Err(format!("a {what} is false ({}): {}", counts(), show(false_one)));
    }
    Ok(())
}
