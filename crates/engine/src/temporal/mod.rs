//! Temporal properties: whether some infinite run of a system is accepted by an automaton.
//!
//! The automaton ([`Acceptor`]) accepts the runs that break the property, so that a run that is found is
//! a counterexample: a lasso, a way to a cycle and once around it. The system's graph is made as the
//! search asks for it (`graph`), reduced by persistent sets under the conditions C0 to C3 (Peled 1994;
//! Clarke, Grumberg and Peled 1999, chapter 10) if the property can't tell how often a letter is
//! repeated; the search itself (`emptiness`) walks over its product with the automaton.
//!
//! The reduction has two modes, which never mix ([`Representatives`]). *Stutter mode* keeps invisible steps from being seen in
//! more than one order. *Trace mode* (Peled 1993) extends the dependency until the property can't tell runs of one
//! trace apart. Under fairness, and for a property of safety (his Theorem 4.6: every finite run can be
//! continued fairly), any persistent set will do there; without either, only those that no infinite run avoids (`faithful`).
//!
//! What is guaranteed: `Holds` is said only if the whole product was searched, and every finding is a
//! real run of the system.

pub mod acceptor;
mod actors;
mod acyclic;
mod choice;
mod cndfs;
mod emptiness;
mod explored;
mod extended;
pub mod fairness;
mod faithful;
mod graph;
mod inside;
mod lasso;
mod nested;
mod plan;
mod product;
mod segments;
mod several;
mod sleeping;
mod states;
mod strong;
mod together;
mod visibility;
mod waiting;

#[cfg(test)]
mod tests;

pub use acceptor::{Acceptor, AcceptorEdge, Cube};
pub use fairness::Fairness;

use crate::config::{Codec, Config, Method, OnFull, Properties, Reduction, SearchKind, StoreKind};
use crate::monitor::Monitor;
use crate::outcome::{Outcome, Stop, Verdict};
use crate::search::{Run, path};
use actors::Actors;
use emptiness::Emptiness;
use extended::Extended;
use graph::{Graph, Making, Mode};
use lasso::Ground;
use mazurka_model::{Access, Atoms, Batch, FindingKind, System, Trace, Violation};
use nested::Nested;
pub(crate) use plan::{Kept, Plan};
use product::{Pair, Pairs};
use sleeping::Sleeping;
use states::Opened;
use std::borrow::Cow;
use visibility::Visibility;

/// A temporal property.
#[derive(Copy, Clone)]
pub struct Property<'a> {
    /// The system's number for it, which findings bear.
    pub number: u32,
    /// What it sees of a state.
    pub atoms: &'a dyn Atoms,
    /// The automaton of the runs that break it.
    pub acceptor: &'a Acceptor,
    /// Whether it is known that the automaton can't tell runs apart that differ only in how often a letter
    /// is repeated. If not, nothing is reduced.
    pub stutter_invariant: bool,
    /// The atoms of each of the components that the property is a Boolean combination of, as bits.
    pub components: &'a [u64],
    /// Whether it is known that every run that breaks the property does so within finitely many steps.
    pub safety: bool,
    /// Which runs may stand for others.
    pub representatives: Representatives,
    /// Which runs count.
    pub fairness: Fairness,
    /// Whether a shortest run is wanted. Then nothing is reduced, and the whole product is searched.
    pub shortest: bool,
    /// How it is searched for.
    pub emptiness: Algorithm,
}

/// Which runs of a reduced graph stand for others.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Representatives {
    /// Under fairness those of the same trace, else those with the same letters up to repetition.
    #[default]
    Auto,
    /// Those with the same letters up to repetition: stutter mode.
    Stutter,
    /// Those of the same trace: trace mode.
    Trace,
}

/// How the product is searched.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// By strong components, with any acceptance and fairness.
    #[default]
    Components,
    /// By nested depth-first search, for at most one acceptance set, without fairness; where it is not
    /// possible, by components.
    Nested,
}

impl Representatives {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Representatives::Auto => "auto",
            Representatives::Stutter => "stutter",
            Representatives::Trace => "trace",
        }
    }
}

impl Algorithm {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Components => "scc",
            Algorithm::Nested => "ndfs",
        }
    }
}

/// How runs were looked for: what was in force, `auto` resolved.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Runs {
    /// Which runs counted.
    pub fairness: Fairness,
    /// How the product was searched.
    pub emptiness: Algorithm,
    /// Which runs stood for others; none if nothing was left out.
    pub representatives: Option<Representatives>,
    /// Whether a shortest run was looked for.
    pub shortest: bool,
}

/// Searches `system` for a run that breaks `property`.
///
/// Of the configuration the reduction, the dependency, the order, the limits and the threads count; the search is
/// always depth first, and sleep sets are used in trace mode only. Several threads make nested searches together; under fairness, for a
/// shortest run, with sleep sets and with a limit on the depth one thread searches. The states counted are those of the product.
pub fn check(
    system: &dyn System,
    property: &Property<'_>,
    config: &Config,
    monitor: &dyn Monitor,
) -> Outcome {
    let plan = Plan::new(system, property, config);
    // Where the automaton does not move, no edge of a set is taken, and a cycle of such states is not accepted.
    let counted;
    let property = match property.atoms.overlooks() && property.acceptor.all_marks() == 0 {
        true => {
            counted = property.acceptor.with_a_set();
            &Property { acceptor: &counted, ..*property }
        }
        false => property,
    };
    let mut outcome = attempt(system, property, config, monitor, &plan).unwrap_or_else(|why| {
        let plan = Plan::full(Some(why.to_owned()), &[]);
        attempt(system, property, config, monitor, &plan).unwrap_or_else(|_| {
            // Nothing in a full graph calls for another attempt.
            Outcome { verdict: Verdict::Unknown, ..Outcome::nothing_asked(config) }
        })
    });
    for atom in property.atoms.undefined() {
        outcome.notes.push(format!("`{atom}` can't be computed in some states, and counts as false there"));
    }
    outcome
}

/// Searches as planned; if that turns out not to be right for this system, why.
fn attempt(
    system: &dyn System,
    property: &Property<'_>,
    config: &Config,
    monitor: &dyn Monitor,
    plan: &Plan,
) -> Result<Outcome, &'static str> {
    let none = Properties { deadlock: false, assertions: false, unreached: false, reception: false };
    // Whatever other searches keep of a state, this one keeps all.
    let Opened { states, store, codec, notes } = states::states(system, config);
    let search = SearchKind::Dfs;
    let exact = Config { search, store, codec, on_full: OnFull::Stop, checkpoints: None, ..config.clone() };
    let (reduction, dependency) = (plan.reduction, plan.dependency(property, config));
    let mut run = Run::new(system, &Config { reduction, dependency, properties: none, ..exact }, monitor);
    // In this search the reduction is not what other searches would make of it.
    run.config.reduction = reduction;
    plan.notes.iter().chain(&notes).for_each(|note| run.note(note.clone()));
    let processes = matches!(property.fairness, Fairness::Weak | Fairness::Strong);
    let extended = match plan.mode {
        Kept::Trace => Extended::new(system, property.atoms, property.components, processes),
        Kept::All | Kept::Stutter => None,
    };
    let mode = mode(system, property, plan.mode, extended.as_ref());
    let blind = match &mode {
        Mode::Full => plan.mode == Kept::Trace,
        Mode::Stutter(visibility) => visibility.sees_everything(),
        Mode::Trace(_) => false,
    };
    if blind {
        run.note("the property looks at more than shared objects, so nothing is reduced".to_owned());
    }
    let representatives = match &mode {
        Mode::Stutter(_) if !blind => Some(Representatives::Stutter),
        Mode::Trace(_) => Some(Representatives::Trace),
        Mode::Full | Mode::Stutter(_) => None,
    };
    let Property { fairness, shortest, .. } = *property;
    let in_force = if blind { Reduction { method: Method::None, sleep: false } } else { reduction };
    let told = |outcome: Outcome, emptiness| Outcome {
        runs: Some(Runs { fairness, emptiness, representatives, shortest }),
        config: Config { reduction: in_force, ..outcome.config },
        ..outcome
    };
    let sleeping = matches!(mode, Mode::Trace(_)) && reduction.sleep;
    if config.threads > 1 {
        let obstacle = match property {
            _ if sleeping => Some("with sleep sets"),
            _ if property.atoms.overlooks() && !system.regions_end() => {
                Some("where an atomic region may go on for ever")
            }
            // A red search would go beyond the limit, and wait there for states that no blue one ever leaves.
            _ if config.limits.depth.is_some() => Some("with a limit on the depth"),
            Property { shortest: true, .. } => Some("for a shortest run"),
            Property { fairness: Fairness::None, .. } => None,
            _ => Some("under fairness"),
        };
        match obstacle {
            None => {
                if !matches!(config.codec, Codec::Auto | Codec::Plain) || store == StoreKind::Disk {
                    run.note("several threads keep states as they are, in memory".to_owned());
                }
                (run.config.store, run.config.codec) = (StoreKind::Exact, Codec::Plain);
                let outcome = several::search(run, property, extended.as_ref(), plan, config.threads);
                return Ok(told(outcome, Algorithm::Nested));
            }
            Some(when) => {
                run.config.threads = 1;
                run.note(format!("{when} one thread searches for runs that break a property"));
            }
        }
    }
    let actors = match property.fairness {
        Fairness::None => Actors::Nobody,
        Fairness::Weak | Fairness::Strong => Actors::Processes,
        Fairness::Trace => Actors::Steps,
    };
    let ends = property.acceptor.accepts_ends();
    let whole = property.atoms.overlooks_regions() && !property.shortest;
    let making =
        Making { system, atoms: property.atoms, states, mode, ends, whole, actors, halt: run.halt() };
    let mut graph = Graph::new(making, &run.config);
    if plan.strongly {
        graph = graph.strongly();
    }
    let mut initial = Batch::default();
    system.initial(&mut initial);
    run.initial(&initial);
    let mut starts = Vec::new();
    for (index, successor) in initial.successors().iter().enumerate() {
        starts.extend(graph.node(initial.state(index), successor.interior));
    }
    run.stopped = run.stopped.or(graph.stopped);
    if let Some(extended) = extended.as_ref().filter(|_| sleeping) {
        let config = run.config.clone();
        Sleeping::new(&mut graph, extended, &config).make(&mut run, &starts);
    }
    let single = property.acceptor.all_marks().count_ones() <= 1;
    let possible = single && property.fairness == Fairness::None && !property.shortest;
    let emptiness = if possible { property.emptiness } else { Algorithm::Components };
    match emptiness {
        Algorithm::Nested => search_nested(&mut run, &mut graph, property, &starts),
        Algorithm::Components => {
            if property.emptiness == Algorithm::Nested {
                run.note("nested search is not possible here, so strong components are followed".to_owned());
            }
            search_components(&mut run, &mut graph, property, &starts);
        }
    }
    let fair = property.fairness != Fairness::None && extended.is_some();
    // Where the form of the system shows that regions end, nothing need be looked for.
    let open = !system.regions_end() && run.stopped.is_none() && run.statistics.errors == 0;
    let unseen = open && property.atoms.overlooks() && inside::lasts_where_looked(&graph);
    let lasts = open && fair && inside::may_last_for_ever(&mut graph, &mut run, &starts);
    // What follows may have been met in states that only the look at regions went to.
    report_overflow(&mut run, &graph, &starts);
    if graph.met_last_resort() && extended.is_some() && processes {
        return Err("a step waits until nothing else can move, so nothing is reduced under this fairness");
    }
    if lasts && run.stopped.is_none() {
        return Err("a process may stay in an atomic region for ever, so nothing is reduced under fairness");
    }
    if sleeping && graph.overflow.is_some() {
        return Err("a state can't be represented, so nothing is reduced");
    }
    if unseen {
        // Nothing is seen of a run that stays there, so nothing can be said of it.
        run.stopped = run.stopped.or(Some(Stop::Endless));
    }
    run.statistics.state_bytes = graph.state_bytes();
    run.statistics.atomic_steps = graph.atomic_steps();
    let mut outcome = told(run.finish(&graph.recollection(), |_| true), emptiness);
    let (states, edges) = (graph.len(), graph.edges());
    outcome.notes.push(format!("the graph of the model: {states} states, {edges} edges"));
    Ok(outcome)
}

/// What is left out of a graph, as planned, as far as it is possible.
fn mode<'s>(
    system: &'s dyn System,
    property: &Property<'s>,
    kept: Kept,
    extended: Option<&'s Extended<'s>>,
) -> Mode<'s> {
    match (kept, system.relations(), extended) {
        (Kept::Stutter, Some(relations), _) => Mode::Stutter(Visibility::new(relations, property.atoms)),
        (Kept::Trace, _, Some(extended)) => Mode::Trace(extended),
        _ => Mode::Full,
    }
}

/// The size of the graph that Figure 1 of Peled's paper makes of a system, under these options: the reduction's method, if
/// it is one, gives the ample sets, and with sleep sets they are modified as there. None if a limit ended
/// that, or the system says nothing of its operations.
pub fn figure_one(system: &dyn System, config: &Config, monitor: &dyn Monitor) -> Option<(usize, usize)> {
    let extended = Extended::plain(system)?;
    let mut run = Run::new(system, config, monitor);
    run.config.reduction = config.reduction;
    let (mode, actors, halt) = (Mode::Trace(&extended), Actors::Nobody, run.halt());
    let states = states::states(system, config).states;
    let mut graph = Graph::new(
        Making { system, atoms: &Nothing, states, mode, ends: true, whole: false, actors, halt },
        &run.config,
    );
    let mut initial = Batch::default();
    system.initial(&mut initial);
    let mut starts = Vec::new();
    for index in 0..initial.len() {
        starts.extend(graph.node(initial.state(index), initial.successors()[index].interior));
    }
    let mut sleeping = Sleeping::new(&mut graph, &extended, config);
    sleeping.make(&mut run, &starts).then(|| sleeping.size())
}

/// No atoms at all.
struct Nothing;

impl Atoms for Nothing {
    fn count(&self) -> usize {
        0
    }

    fn letter(&self, _state: &[u8]) -> u64 {
        0
    }

    fn looks_at(&self, _atom: usize, _out: &mut Vec<Access>) -> bool {
        true
    }
}

fn search_components(run: &mut Run<'_>, graph: &mut Graph<'_>, property: &Property<'_>, starts: &[u32]) {
    let mut search = Emptiness::new(graph, property.acceptor, property.fairness);
    // Under fairness there is no shortest way around to be found with little effort.
    if property.shortest && property.fairness == Fairness::None {
        search = search.collecting();
    }
    let mut found = None;
    for start in starts {
        if run.stopped.is_some() || found.is_some() {
            break;
        }
        found = search.search(run, *start);
    }
    run.statistics.store_bytes = search.bytes();
    let collected = search.take_collected();
    let Emptiness { graph, moves, pairs, .. } = &mut search;
    let met = |pair: Pair| pairs.number(pair).is_some();
    let mut ground = Ground { graph: &mut **graph, moves, met: &met, fairness: property.fairness };
    if let Some(found) = found {
        let lasso = ground.lasso(&initial_pairs(property, starts, pairs), &found);
        let trace = lasso.and_then(|lasso| lasso.trace(run.system, ground.graph));
        report(run, property, trace);
    } else if !collected.is_empty() {
        let lasso = ground.shortest(&initial_pairs(property, starts, pairs), &collected);
        if lasso.as_ref().is_some_and(|(_, certain)| !certain) || run.stopped.is_some() {
            run.note("there may be a shorter run".to_owned());
        }
        let trace = lasso.and_then(|(lasso, _)| lasso.trace(run.system, ground.graph));
        report(run, property, trace);
    }
}

fn search_nested(run: &mut Run<'_>, graph: &mut Graph<'_>, property: &Property<'_>, starts: &[u32]) {
    let mut search = Nested::new(graph, property.acceptor);
    let mut found = None;
    for start in starts {
        if run.stopped.is_some() || found.is_some() {
            break;
        }
        found = search.search(run, *start);
    }
    run.statistics.store_bytes = search.bytes();
    if let Some(found) = found {
        let Nested { graph, moves, pairs, .. } = &mut search;
        let met = |pair: Pair| pairs.number(pair).is_some();
        let mut ground = Ground { graph: &mut **graph, moves, met: &met, fairness: property.fairness };
        let lasso = ground.lasso(&initial_pairs(property, starts, pairs), &found);
        let trace = lasso.and_then(|lasso| lasso.trace(run.system, ground.graph));
        report(run, property, trace);
    }
}

fn report(run: &mut Run<'_>, property: &Property<'_>, trace: Option<Trace>) {
    run.statistics.errors += 1;
    run.report_run(FindingKind::Temporal { property: property.number }, trace);
}

/// Reports a step whose result the system can't represent, if the search met one, which ended it.
fn report_overflow(run: &mut Run<'_>, graph: &Graph<'_>, starts: &[u32]) {
    let Some((node, violation)) = graph.overflow else { return };
    let route = graph.route(starts, node).unwrap_or_default();
    let states: Vec<Cow<'_, [u8]>> = route.iter().map(|node| graph.state(*node)).collect();
    report_violation(run, violation, &states);
}

/// Reports a step that fails behind the last of these states, the way there.
fn report_violation(run: &mut Run<'_>, violation: Violation, states: &[Cow<'_, [u8]>]) {
    let last = Some(path::Target::Violation(violation.step, violation));
    let trace = if states.is_empty() { None } else { path::trace(run.system, states, last) };
    run.statistics.errors += 1;
    run.report_run(FindingKind::Step { kind: violation.kind, place: violation.place }, trace);
}

/// The product states where runs may begin.
fn initial_pairs(property: &Property<'_>, starts: &[u32], met: &Pairs) -> Vec<Pair> {
    let pair = |node: &u32| Pair { node: *node, state: property.acceptor.initial() };
    starts.iter().map(pair).filter(|pair| met.number(*pair).is_some()).collect()
}
