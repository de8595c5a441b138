//! A search by several threads over one visited set.
//!
//! A state is stored when it is met and expanded later, by the thread that met it or by one to which the work was handed
//! over ([`team`]). Each thread takes its newest state first, as a depth-first search does; or, breadth first, all
//! threads finish a level before one begins the next, so that counterexamples are shortest. Without a reduction the
//! states and transitions are those of a search by one thread, in another order.
//!
//! **The proviso** of a reduced set is that it leads out of what is reduced, in a sense that needs no stack ([`mark`]): from every
//! state that is reduced a path of explored edges leads to one that is expanded fully. Nothing on that path depends on
//! what was put off, so it is taken on the way, or there.
//!
//! **Sleep sets** need no order between states either, only one for each state: its sleep set shrinks, by an atomic
//! exchange for the intersection with the set that it is met with, and says whether the state was opened. Who
//! shrinks the set of a state that was opened explores there what woke up, with the new set asleep. So the visits of a
//! state are numbered by these exchanges, whenever they are carried out, and the proof in [`super::component`]
//! speaks of nothing else: it needs the sets of first visits, what wakes up at each later one, and the set that a state
//! has in the end. As there, a step sleeps behind steps *apart* from it where a proviso is kept. The path to a
//! state that is expanded fully is the one above, along edges of first visits.
//!
//! **Counterexamples** go by parents: a state's parent was stored before it, so the way back ends at an initial
//! state.
//!
//! What is found does not depend on how threads are scheduled, if all errors are asked for and no limit is reached:
//! the verdict, the deadlocks, the places that go wrong. Under a reduction the number of states does depend on
//! it, and which error is found first always does.

mod mark;
pub(crate) mod team;
mod worker;

use super::run::{Finished, Run};
use crate::config::{Config, Method};
use crate::monitor::Monitor;
use crate::outcome::Stop;
use crate::reduce::sleep::{AWAKE, SleepSets};
use crate::reduce::{self, Proviso};
use crate::store::{Insert, Recollection, Shared};
use mark::Mark;
use mazurka_model::{Batch, Elsewhere, FindingKind, System};
use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use team::{Pending, Team};
use worker::{Worker, Yield};

/// Explores `system` with as many threads as the options say.
pub fn search(system: &dyn System, config: &Config, monitor: &dyn Monitor) -> Finished {
    let mut run = Run::new(system, config, monitor);
    let memory = config.limits.memory;
    let reduction = run.config.reduction;
    let judged = reduction.method != Method::None && reduce::proviso(system, &run.config) != Proviso::None;
    let marked = reduction.sleep || judged;
    let store = Shared::new(system.state_size(), marked, memory, config.threads);
    let first = initial(system, &mut run, &store);
    let team = Team::new(config, first);
    let sets = Arc::new(Mutex::new(SleepSets::default()));
    let work = |number: usize| {
        let part = team.part(monitor);
        Worker::new(system, &run.config, &part, &team, &store, number, &sets).work()
    };
    let mut yields = Vec::new();
    if run.stopped.is_none() {
        std::thread::scope(|scope| {
            let mut others = Vec::new();
            for number in 1..config.threads {
                let name = format!("search {number}");
                match std::thread::Builder::new().name(name).spawn_scoped(scope, move || work(number)) {
                    Ok(thread) => others.push(thread),
                    // Fewer do it too.
                    Err(_) => team.dismiss(),
                }
            }
            yields.push(work(0));
            for other in others {
                match other.join() {
                    Ok(one) => yields.push(one),
                    // A system that panics does so as if there were one thread.
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
        run.stopped = run.stopped.or(team.stopped());
    }
    let finished = finish(run, yields, &store, config.threads);
    store.give_back(config.threads);
    finished
}

/// Stores the initial states, and gives those that are to be expanded.
fn initial(system: &dyn System, run: &mut Run<'_>, store: &Shared) -> Vec<Pending> {
    let mut initial = Batch::default();
    system.initial(&mut initial);
    run.initial(&initial);
    let mut handle = store.handle();
    let mut first = Vec::new();
    for index in 0..initial.len() {
        match handle.insert(initial.state(index), None, Mark::waiting(AWAKE)) {
            Insert::New(state) => {
                run.count_state();
                first.push(Pending { state, depth: 0, elsewhere: Elsewhere::NONE });
            }
            Insert::Full => run.stopped = Some(Stop::Memory),
            Insert::Seen(_) | Insert::Passed(_) => run.statistics.matched += 1,
        }
    }
    run.statistics.state_bytes = handle.longest() as u64;
    first
}

/// Puts together what the threads found.
fn finish(mut run: Run<'_>, yields: Vec<Yield>, store: &Shared, threads: usize) -> Finished {
    let mut sets = 0;
    let mut covered = HashSet::new();
    if run.stopped != Some(Stop::Inconsistent) && yields.len() < threads && !yields.is_empty() {
        run.note(format!("the system refused some threads: {} searched", yields.len()));
    }
    let most = match run.config.max_errors {
        0 => usize::MAX,
        most => most,
    };
    for one in yields {
        let (all, counts) = (&mut run.statistics, &one.statistics);
        all.states += counts.states;
        all.matched += counts.matched;
        all.atomic_steps += counts.atomic_steps;
        all.reopened += counts.reopened;
        all.errors += counts.errors;
        all.depth = all.depth.max(counts.depth);
        all.state_bytes = all.state_bytes.max(counts.state_bytes);
        all.stack_bytes += counts.stack_bytes;
        sets += one.sleep_set_bytes;
        run.beyond_depth |= one.beyond_depth;
        run.stopped = run.stopped.or(one.stopped);
        covered.extend(one.covered);
        for finding in one.findings {
            // Each place once; a state that is a deadlock is expanded by one thread only.
            let known = finding.kind != FindingKind::Deadlock && !run.reported.insert(finding.kind);
            if !known && run.findings.len() < most {
                run.findings.push(finding);
            }
        }
    }
    // Short ones first, whoever found them.
    run.findings.sort_by_key(|finding| finding.trace.steps.len());
    run.statistics.store_bytes = store.bytes() + sets;
    if run.config.reduction.sleep {
        run.statistics.sleep_bytes = sets + run.statistics.states * size_of::<u32>() as u64;
    }
    let store = Recollection::default();
    Finished { outcome: run.finish(&store, |place| covered.contains(&place)), store }
}
