//! A search for a run that breaks a property by several threads, from beginning to end.
//!
//! The threads search ([`super::cndfs`]); when one has found a cycle, or all are through, one thread makes a run of it, as short
//! ways as the states met allow, and draws the conclusion.

use super::actors::Actors;
use super::choice::Choice;
use super::cndfs::{self, Common, Worker, Yield};
use super::emptiness::Found;
use super::extended::Extended;
use super::graph::route;
use super::lasso::{Ground, Terrain};
use super::plan::Plan;
use super::product::{Moves, Pair};
use super::together::{Maker, Together};
use super::{Fairness, Property, mode, report, report_violation};
use crate::config::Limits;
use crate::outcome::{Outcome, Stop};
use crate::search::Run;
use crate::search::parallel::team::Team;
use crate::store::Recollection;
use mazurka_model::Batch;
use std::borrow::Cow;

/// Searches with so many threads, under the options of `run`.
pub fn search(
    mut run: Run<'_>,
    property: &Property<'_>,
    extended: Option<&Extended<'_>>,
    plan: &Plan,
    threads: usize,
) -> Outcome {
    let threads = threads.min(cndfs::MOST_THREADS);
    run.config.threads = threads;
    let system = run.system;
    let together =
        Together::new(property.atoms, property.acceptor.accepts_ends(), run.config.limits.memory, threads);
    let common = Common::new(together, property.acceptor);
    let ask = Ask { property, extended, plan, limits: run.config.limits };
    let mut maker = Maker::new(&common.graph, ask.choice(&run));
    let mut initial = Batch::default();
    system.initial(&mut initial);
    run.initial(&initial);
    let mut starts = Vec::new();
    for (index, successor) in initial.successors().iter().enumerate() {
        match maker.node(initial.state(index), successor.interior) {
            Some(start) => starts.push(start),
            None => run.stopped = run.stopped.or(Some(Stop::Memory)),
        }
    }
    maker.rest();
    let team = Team::new(&run.config, Vec::new());
    if run.stopped.is_none() {
        let yields = work(&run, &ask, &common, &team, &starts, threads);
        gather(&mut run, yields, threads);
    }
    run.statistics.store_bytes = common.bytes();
    match (common.take_found(), common.graph.overflow()) {
        (Some(found), _) => conclude(&mut run, property, &common, &mut maker, &starts, &found),
        (None, Some((node, violation))) => {
            let route = route(|node| common.graph.successors(node), &starts, node).unwrap_or_default();
            let states: Vec<Cow<'_, [u8]>> =
                route.iter().map(|node| Cow::Owned(maker.state(*node).into_owned())).collect();
            run.stopped = team.stopped();
            report_violation(&mut run, violation, &states);
        }
        (None, None) => run.stopped = run.stopped.or(team.stopped()),
    }
    let mut outcome = run.finish(&Recollection::default(), |_| true);
    let (states, edges) = common.graph.size();
    outcome.notes.push(format!("the graph of the model: {states} states, {edges} edges"));
    outcome
}

/// Where a search is made: what all threads are given.
#[derive(Copy, Clone)]
struct Ask<'a> {
    property: &'a Property<'a>,
    extended: Option<&'a Extended<'a>>,
    plan: &'a Plan,
    /// Those of all threads together.
    limits: Limits,
}

impl<'a> Ask<'a> {
    /// What chooses steps, for one thread.
    fn choice(&self, run: &Run<'a>) -> Choice<'a> {
        let mode = mode(run.system, self.property, self.plan.mode, self.extended);
        let choice =
            Choice::new(run.system, mode, Actors::Nobody, run.halt().within(self.limits), &run.config);
        let choice = choice.overlooking(self.property.atoms.overlooks_regions());
        if self.plan.strongly { choice.strongly() } else { choice }
    }
}

/// Lets the threads work, and gives what they leave.
fn work(
    run: &Run<'_>,
    ask: &Ask<'_>,
    common: &Common<'_>,
    team: &Team,
    starts: &[u32],
    threads: usize,
) -> Vec<Yield> {
    let (system, config, monitor) = (run.system, &run.config, run.monitor());
    let one = |number: usize| {
        let part = team.part(monitor);
        let run = Worker::run(system, config, &part);
        let maker = Maker::new(&common.graph, ask.choice(&run));
        Worker::new(run, maker, team, common, number).work(starts)
    };
    let mut yields = Vec::new();
    std::thread::scope(|scope| {
        let one = &one;
        let mut others = Vec::new();
        for number in 1..threads {
            let name = format!("search {number}");
            // If the system refuses a thread, fewer do it too.
            let thread = std::thread::Builder::new().name(name).spawn_scoped(scope, move || one(number));
            others.extend(thread);
        }
        yields.push(one(0));
        for other in others {
            match other.join() {
                Ok(one) => yields.push(one),
                // A system that panics does so as if there were one thread.
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    yields
}

/// Puts together what the threads counted.
fn gather(run: &mut Run<'_>, yields: Vec<Yield>, threads: usize) {
    if yields.len() < threads {
        run.note(format!("the system refused some threads: {} searched", yields.len()));
    }
    for one in yields {
        let (all, counts) = (&mut run.statistics, &one.statistics);
        all.states += counts.states;
        all.matched += counts.matched;
        all.atomic_steps += counts.atomic_steps;
        all.depth = all.depth.max(counts.depth);
        all.state_bytes = all.state_bytes.max(counts.state_bytes);
        all.stack_bytes += counts.stack_bytes;
        run.beyond_depth |= one.beyond_depth;
    }
}

/// Makes a run of a cycle that was found.
fn conclude(
    run: &mut Run<'_>,
    property: &Property<'_>,
    common: &Common<'_>,
    maker: &mut Maker<'_>,
    starts: &[u32],
    found: &Found,
) {
    let mut moves = Moves::new(&common.acceptor);
    maker.read_all(|letter, bits| {
        for state in 0..common.acceptor.states() as u32 {
            moves.prepare(state, letter, bits);
        }
    });
    let pair = |node: &u32| Pair { node: *node, state: common.acceptor.initial() };
    let initial: Vec<Pair> = starts.iter().map(pair).filter(|pair| common.met(*pair)).collect();
    let met = |pair: Pair| common.met(pair);
    let mut ground = Ground { graph: maker, moves: &moves, met: &met, fairness: Fairness::None };
    let trace = ground.lasso(&initial, found).and_then(|lasso| lasso.trace(run.system, ground.graph));
    report(run, property, trace);
}
