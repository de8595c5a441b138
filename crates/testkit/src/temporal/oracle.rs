//! Whether some run breaks a property, decided on the whole product and without the engine.
//!
//! Emptiness is decided by the fixed point of Emerson and Lei (1986): states are taken away from which some
//! acceptance set can't be reached any more. Fairness is more acceptance sets; strong fairness is tried for every set of
//! processes that a run may leave alone.

use super::Case;
use mazurka_engine::temporal::{AcceptorEdge, Cube, Fairness};
use mazurka_model::{Access, Batch, Chosen, Footprint, OperationKind, Step, System};
use std::collections::HashMap;

/// An edge of the whole product: from, to, and the conditions that it meets, as bits: acceptance sets, and
/// from bit 64 on the processes, or steps, that it is fair to.
type ProductEdge = (usize, usize, u128);

/// The condition that the automaton moves. No automaton of these tests has as many sets.
const MOVES: u128 = 1 << 63;

/// The whole product of a case.
struct Product {
    edges: Vec<ProductEdge>,
    /// For each state, who can move there, as bits.
    enabled: Vec<u64>,
    /// For each state, whether the property looks there.
    seen: Vec<bool>,
    /// There are too many to be bits.
    crowded: bool,
    /// Steps that runs may be unfair to.
    steps: HashMap<Step, u32>,
}

impl Product {
    /// `None` if there are more than so many states. Under weak fairness, and that of traces, an edge is fair also to those
    /// that can't move where it begins.
    fn new(case: &Case, most_states: usize, fairness: Fairness) -> Option<Product> {
        let (atoms, system) = (case.atoms(), case.system());
        let acceptor = &case.prepared.acceptor;
        let mut numbers: HashMap<(Vec<u8>, u32), usize> = HashMap::new();
        let mut batch = Batch::default();
        system.initial(&mut batch);
        let mut waiting: Vec<(Vec<u8>, u32)> = vec![(batch.state(0).to_vec(), acceptor.initial())];
        numbers.insert(waiting[0].clone(), 0);
        let mut product = Product {
            edges: Vec::new(),
            enabled: Vec::new(),
            seen: Vec::new(),
            crowded: false,
            steps: HashMap::new(),
        };
        while product.enabled.len() < waiting.len() {
            if waiting.len() > most_states {
                return None;
            }
            let next = product.enabled.len();
            let (state, place) = waiting[next].clone();
            let mut steps = Vec::new();
            system.enabled(&state, &mut steps);
            batch.clear();
            system.expand(&state, Chosen::All, &mut batch);
            let enabled = match fairness {
                // Where every step fails nobody can move.
                _ if batch.is_empty() => 0,
                Fairness::None => 0,
                Fairness::Trace => steps.iter().fold(0, |all, step| all | product.step_bit(*step)),
                _ => steps
                    .iter()
                    .fold(0, |all, step| all | product.process_bits(&movers(system, &state, *step))),
            };
            product.enabled.push(enabled);
            let mut successors: Vec<(Vec<u8>, u64)> = Vec::new();
            for (index, successor) in batch.successors().iter().enumerate() {
                let taken = successor.step;
                let moved = match fairness {
                    Fairness::None => 0,
                    Fairness::Trace => {
                        let met = steps.iter().filter(|step| dependent(system, &state, taken, **step));
                        met.fold(0, |all, step| all | product.step_bit(*step))
                    }
                    _ => product.process_bits(&movers(system, &state, taken)),
                };
                successors.push((batch.state(index).to_vec(), moved));
            }
            if successors.is_empty() {
                successors.push((state.clone(), 0));
            }
            // Where the property does not look its automaton does not move, unless the run ends there.
            let passed = [AcceptorEdge { target: place, marks: 0, guard: vec![Cube::ANY] }];
            let looks = batch.is_empty() || atoms.sees(&state);
            product.seen.push(looks);
            let edges = if looks { acceptor.edges(place) } else { &passed };
            let letter = atoms.letter(&state);
            for edge in edges.iter().filter(|edge| edge.allows(letter)) {
                for (successor, moved) in &successors {
                    let pair = (successor.clone(), edge.target);
                    let number = *numbers.entry(pair.clone()).or_insert_with(|| {
                        waiting.push(pair);
                        waiting.len() - 1
                    });
                    // That others wait while one goes through an atomic region is not held against it, unless the run ends there.
                    let excused = matches!(fairness, Fairness::Weak | Fairness::Trace) && looks;
                    let fair = moved | if excused { !enabled } else { 0 };
                    let moves = if looks { MOVES } else { 0 };
                    product.edges.push((
                        next,
                        number,
                        moves | u128::from(edge.marks) | u128::from(fair) << 64,
                    ));
                }
            }
        }
        Some(product)
    }

    fn step_bit(&mut self, step: Step) -> u64 {
        let next = self.steps.len() as u32;
        let number = *self.steps.entry(step).or_insert(next);
        self.crowded |= number >= 64;
        1u64.checked_shl(number).unwrap_or(0)
    }

    fn process_bits(&mut self, processes: &[u16]) -> u64 {
        self.crowded |= processes.iter().any(|process| *process >= 64);
        processes.iter().fold(0, |all, process| all | 1u64.checked_shl((*process).into()).unwrap_or(0))
    }

    /// Whether there is an infinite run through states that are alive which meets each of the conditions again
    /// and again.
    fn has_run(&self, mut alive: Vec<bool>, conditions: u128) -> bool {
        let needed: Vec<u128> = (0..128).map(|bit| 1 << bit).filter(|bit| conditions & bit != 0).collect();
        // Without conditions any edge will do.
        let needed = if needed.is_empty() { vec![u128::MAX] } else { needed };
        let count = |alive: &[bool]| alive.iter().filter(|alive| **alive).count();
        let mut before_it = vec![Vec::new(); alive.len()];
        self.edges.iter().for_each(|&(from, to, _)| before_it[to].push(from));
        loop {
            let before = count(&alive);
            for condition in &needed {
                let wanted = |met: u128| met & condition != 0 || *condition == u128::MAX;
                let mut reaches = vec![false; alive.len()];
                let mut waiting = Vec::new();
                for &(from, to, met) in &self.edges {
                    if alive[from] && alive[to] && wanted(met) && !reaches[from] {
                        reaches[from] = true;
                        waiting.push(from);
                    }
                }
                while let Some(state) = waiting.pop() {
                    for &from in &before_it[state] {
                        if alive[from] && !reaches[from] {
                            reaches[from] = true;
                            waiting.push(from);
                        }
                    }
                }
                alive = reaches;
            }
            if count(&alive) == before {
                return before > 0;
            }
        }
    }
}

/// The processes that a step moves.
pub fn movers(system: &dyn System, state: &[u8], step: Step) -> Vec<u16> {
    let Some(relations) = system.relations() else { return vec![step.process.0] };
    let mut footprint = Default::default();
    let mut alternatives = Vec::new();
    relations.step(state, step, &mut footprint);
    relations.alternatives(step, &footprint, &mut alternatives);
    alternatives.iter().map(|(process, _)| process.0).collect()
}

/// Whether two steps of a state depend on each other by the constant relation of unrefined operations.
pub fn dependent(system: &dyn System, state: &[u8], one: Step, other: Step) -> bool {
    let Some(relations) = system.relations() else { return true };
    let (mut a, mut b) = (Footprint::default(), Footprint::default());
    relations.step(state, one, &mut a);
    relations.step(state, other, &mut b);
    if a.processes.iter().any(|process| b.processes.contains(process)) {
        return true;
    }
    if a.everything || b.everything {
        return !a.is_local() && !b.is_local();
    }
    let conflict = |x: &Access, y: &Access| {
        let object = &relations.objects()[x.object.index()];
        let any = x.operation.kind == OperationKind::ANY || y.operation.kind == OperationKind::ANY;
        x.object == y.object
            && (any || object.constant(&object.unrefined(&x.operation), &object.unrefined(&y.operation)))
    };
    a.accesses.iter().any(|x| b.accesses.iter().any(|y| conflict(x, y)))
}

/// Whether some run breaks the property, decided without the engine; `None` if there are more than so many
/// product states, or under fairness, many processes; or if no run does, and one may stay where the property does not look, in an atomic region that need not end.
///
/// A strongly fair run leaves some processes alone from some point on, which can't move then, and moves all
/// others again and again: every such set of processes is tried.
pub fn violated(case: &Case, fairness: Fairness, most_states: usize) -> Option<bool> {
    let product = Product::new(case, most_states, fairness)?;
    // A run on which the automaton does not move any more is none that it accepts, whatever its sets.
    let acceptance = MOVES | u128::from(case.prepared.acceptor.all_marks());
    let all = vec![true; product.enabled.len()];
    let actors = product.enabled.iter().fold(0, |all, enabled| all | enabled);
    let many = product.crowded || fairness == Fairness::Strong && actors >= 1 << 6;
    if fairness != Fairness::None && many {
        return None;
    }
    let violated = match fairness {
        Fairness::None => product.has_run(all, acceptance),
        Fairness::Weak | Fairness::Trace => product.has_run(all, acceptance | u128::from(actors) << 64),
        Fairness::Strong => (0..=actors).filter(|alone| alone & !actors == 0).any(|alone| {
            let alive = product.enabled.iter().map(|enabled| enabled & alone == 0).collect();
            product.has_run(alive, acceptance | u128::from(actors & !alone) << 64)
        }),
    };
    let unseen = product.seen.iter().map(|seen| !seen).collect();
    (violated || !product.has_run(unseen, 0)).then_some(violated)
}
