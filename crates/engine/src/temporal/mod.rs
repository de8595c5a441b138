//! Temporal properties: whether some infinite run of a system is accepted by an automaton.
//!
//! The automaton ([`Acceptor`]) accepts the runs that break the property, so that a run that is found is
//! a counterexample: a lasso, a way to a cycle and once around it. The system's graph is made as the
//! search asks for it (`graph`), reduced by persistent sets under the conditions C0 to C3 (Peled 1994;
//! Clarke, Grumberg and Peled 1999, chapter 10) if the property can't tell how often a letter is
//! repeated; the search itself (`emptiness`) walks over its product with the automaton.
//!
//! What is guaranteed: `Holds` is said only if the whole product was searched, and every finding is a
//! real run of the system. Under fairness nothing is reduced.

pub mod acceptor;
mod acyclic;
mod emptiness;
pub mod fairness;
mod graph;
mod lasso;
mod nested;
mod product;
mod strong;
mod visibility;

#[cfg(test)]
mod tests;

pub use acceptor::{Acceptor, AcceptorEdge, Cube};
pub use fairness::Fairness;

use crate::config::{Codec, Config, Method, OnFull, Properties, Reduction, StoreKind};
use crate::monitor::Monitor;
use crate::outcome::Outcome;
use crate::reduce;
use crate::search::Run;
use crate::store::Recollection;
use emptiness::Emptiness;
use graph::{Graph, Making};
use lasso::Ground;
use mazurka_model::{Atoms, Batch, FindingKind, System, Trace};
use nested::Nested;
use product::{Pair, Pairs};
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
    /// Which runs count.
    pub fairness: Fairness,
    /// Whether a shortest run is wanted. Then nothing is reduced, and the whole product is searched.
    pub shortest: bool,
    /// How it is searched for.
    pub emptiness: Algorithm,
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

/// Searches `system` for a run that breaks `property`.
///
/// Of the configuration the reduction, the dependency, the order and the limits count; the search is
/// always depth first, and sleep sets are not used. The states counted are those of the product.
pub fn check(
    system: &dyn System,
    property: &Property<'_>,
    config: &Config,
    monitor: &dyn Monitor,
) -> Outcome {
    let (reduction, note) = resolve(system, property, config.reduction);
    let none = Properties { deadlock: false, assertions: false, unreached: false, reception: false };
    // Whatever other searches keep of a state, this one keeps all.
    let exact =
        Config { store: StoreKind::Exact, codec: Codec::Plain, on_full: OnFull::Stop, ..config.clone() };
    let mut run = Run::new(system, &Config { reduction, properties: none, ..exact }, monitor);
    note.into_iter().for_each(|note| run.note(note));
    let visibility = match (reduction.method, system.relations()) {
        (Method::None, _) | (_, None) => None,
        (_, Some(relations)) => Some(Visibility::new(relations, property.atoms)),
    };
    if visibility.as_ref().is_some_and(Visibility::sees_everything) {
        run.note("the property looks at more than shared objects, so nothing is reduced".to_owned());
    }
    let with_steps = property.fairness != Fairness::None;
    let mut graph = Graph::new(
        Making { system, atoms: property.atoms, visibility, with_steps, halt: run.halt() },
        &run.config,
    );
    let mut initial = Batch::default();
    system.initial(&mut initial);
    run.initial(&initial);
    let mut starts = Vec::new();
    for (index, successor) in initial.successors().iter().enumerate() {
        starts.extend(graph.node(initial.state(index), successor.interior));
    }
    run.stopped = run.stopped.or(graph.stopped);
    let single = property.acceptor.all_marks().count_ones() <= 1;
    let possible = single && property.fairness == Fairness::None && !property.shortest;
    match property.emptiness {
        Algorithm::Nested if possible => search_nested(&mut run, &mut graph, property, &starts),
        asked => {
            if asked == Algorithm::Nested {
                run.note("nested search is not possible here, so strong components are followed".to_owned());
            }
            search_components(&mut run, &mut graph, property, &starts);
        }
    }
    run.statistics.state_bytes = graph.state_bytes();
    run.statistics.atomic_steps = graph.atomic_steps();
    let mut outcome = run.finish(&Recollection::default(), |_| true);
    let (states, edges) = (graph.len(), graph.edges());
    outcome.notes.push(format!("the graph of the model: {states} states, {edges} edges"));
    outcome
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
    let mut ground = Ground { graph, moves, pairs, fairness: property.fairness };
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
        let mut ground = Ground { graph, moves, pairs, fairness: property.fairness };
        let lasso = ground.lasso(&initial_pairs(property, starts, pairs), &found);
        let trace = lasso.and_then(|lasso| lasso.trace(run.system, ground.graph));
        report(run, property, trace);
    }
}

fn report(run: &mut Run<'_>, property: &Property<'_>, trace: Option<Trace>) {
    run.statistics.errors += 1;
    run.report_run(FindingKind::Temporal { property: property.number }, trace);
}

/// The product states where runs may begin.
fn initial_pairs(property: &Property<'_>, starts: &[u32], met: &Pairs) -> Vec<Pair> {
    let pair = |node: &u32| Pair { node: *node, state: property.acceptor.initial() };
    starts.iter().map(pair).filter(|pair| met.number(*pair).is_some()).collect()
}

/// The reduction in force, and why it is not the one asked for.
fn resolve(system: &dyn System, property: &Property<'_>, asked: Reduction) -> (Reduction, Option<String>) {
    let obstacle = if system.relations().is_none() {
        Some("the system says nothing of its operations, so nothing is reduced")
    } else if !property.stutter_invariant {
        Some("the property may tell how often a letter is repeated, so nothing is reduced")
    } else if property.fairness != Fairness::None {
        Some("fairness is assumed, so nothing is reduced")
    } else if property.shortest {
        Some("a shortest run is wanted, so nothing is reduced")
    } else {
        None
    };
    let none = Reduction { method: Method::None, sleep: false };
    match (obstacle, asked.method) {
        (_, Method::None) => (none, None),
        (Some(why), _) => (none, Some(why.to_owned())),
        (None, Method::Auto) => (Reduction { method: reduce::strongest(system), sleep: false }, None),
        (None, method) => {
            let note = asked.sleep.then(|| "sleep sets are not used for temporal properties".to_owned());
            (Reduction { method, sleep: false }, note)
        }
    }
}
