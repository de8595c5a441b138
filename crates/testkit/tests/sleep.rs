//! Sleep sets under state matching: what is left out at a state commutes with every way that leads there.
//!
//! A step that was never explored at a state must have been asleep on *every* explored edge into it, also on
//! those that came later, when the state was expanded already: enabled before the edge, and independent of it. A search that
//! doesn't open such a state again breaks this. Without a persistent-set method it finds all states nevertheless
//! as long as processes are tried in one order, so nothing but this would tell.

use mazurka_engine::reduce::dependency::Judge;
use mazurka_engine::{Config, Dependency, Expansion, Method, Monitor, Order, Reduction, SearchKind, check};
use mazurka_model::{Footprint, Relations, Step, System};
use mazurka_testkit::campaign::{interpreter, program_seed};
use mazurka_testkit::{explore, generate};
use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;

/// The steps explored at each state, with the states that they lead to.
type Explored = HashMap<Vec<u8>, BTreeSet<(Step, Vec<u8>)>>;

#[derive(Default)]
struct Edges(Mutex<(Explored, bool)>);

impl Monitor for Edges {
    fn watches(&self) -> bool {
        true
    }

    fn expanded(&self, expansion: Expansion<'_>) {
        let mut guard = self.0.lock().unwrap();
        let (explored, interior) = &mut *guard;
        *interior |= expansion.edges.has_interior();
        let edges = explored.entry(expansion.state.to_vec()).or_default();
        for (index, edge) in expansion.edges.successors().iter().enumerate() {
            edges.insert((edge.step, expansion.edges.state(index).to_vec()));
        }
    }
}

fn footprint(relations: &dyn Relations, state: &[u8], step: Step) -> Footprint {
    let mut footprint = Footprint::default();
    relations.step(state, step, &mut footprint);
    footprint
}

fn enabled(system: &dyn System, state: &[u8]) -> Vec<Step> {
    let mut steps = Vec::new();
    system.enabled(state, &mut steps);
    steps
}

/// A step that was left out though it does not commute with an edge that leads to its state.
fn wrongly_asleep(system: &dyn System, explored: &Explored) -> Option<String> {
    let relations = system.relations().expect("programs have relations");
    let mut judge = Judge::new(relations, Dependency::Refined);
    for (before, edges) in explored {
        for (edge, state) in edges {
            let taken = |step: &Step| explored[state].iter().any(|(other, _)| other == step);
            for left in enabled(system, state).into_iter().filter(|step| !taken(step)) {
                let (a, b) = (footprint(relations, before, left), footprint(relations, before, *edge));
                if !enabled(system, before).contains(&left) || judge.dependent(before, &a, &b) {
                    return Some(format!("{left:?} behind {edge:?}"));
                }
            }
        }
    }
    None
}

#[test]
fn what_sleeps_commutes_with_every_way_to_its_state() {
    let mut reopened = [0, 0];
    for index in 0..300 {
        let seed = program_seed(11, index);
        let Some(system) = interpreter(&generate::program(seed)) else { continue };
        // Steps that violate something lead nowhere, and regions lead through states that are not stored.
        let Ok(facts) = explore(&*system, 500, 50) else { continue };
        if !facts.violated.is_empty() {
            continue;
        }
        for (at, (_, search)) in SearchKind::WHOLE.into_iter().enumerate() {
            for order in [Order::Forward, Order::Reverse] {
                let reduction = Reduction { method: Method::None, sleep: true };
                let config = Config { reduction, search, order, max_errors: 0, ..Config::default() };
                let edges = Edges::default();
                let outcome = check(&*system, &config, &edges);
                let (explored, interior) = edges.0.into_inner().unwrap();
                if !interior {
                    reopened[at] += outcome.statistics.reopened;
                    let wrong = wrongly_asleep(&*system, &explored);
                    assert_eq!(wrong, None, "program {seed}, {search}, {order}");
                }
            }
        }
    }
    assert!(reopened.iter().all(|&states| states >= 100), "too few states were opened again: {reopened:?}");
}
