//! What makes choosing quick changes nothing: the sets are those that are proposed where nothing is kept from state to
//! state and all sets are sought before one is proposed. What is kept is forgotten now and then.

use mazurka_engine::Dependency;
use mazurka_engine::reduce::Reducer;
use mazurka_engine::reduce::dependency::{Judge, Relation};
use mazurka_engine::reduce::stubborn::{Effort, Scope, Stubborn};
use mazurka_jit::Compiled;
use mazurka_model::{Batch, Chosen, ProcessId, Step, System};
use mazurka_program::Interpreter;
use mazurka_testkit::campaign::{interpreter, program_seed};
use mazurka_testkit::{corpus, generate, spin};
use std::cmp::Reverse;
use std::collections::HashSet;

/// States of a system, depth first, so that successive ones have much in common.
fn states(system: &dyn System, most: usize) -> Vec<Vec<u8>> {
    let mut batch = Batch::default();
    system.initial(&mut batch);
    let mut waiting: Vec<Vec<u8>> = (0..batch.len()).map(|index| batch.state(index).to_vec()).collect();
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    let mut found = Vec::new();
    while let Some(state) = waiting.pop() {
        if found.len() >= most || !seen.insert(state.clone()) {
            continue;
        }
        batch.clear();
        system.expand(&state, Chosen::All, &mut batch);
        waiting.extend((0..batch.len()).map(|index| batch.state(index).to_vec()));
        found.push(state);
    }
    found
}

/// The first so many proposals at a state.
fn proposals(reducer: &mut Stubborn<'_>, state: &[u8], enabled: &[Step], most: usize) -> Vec<Vec<usize>> {
    let mut set = Vec::new();
    (0..most).map_while(|at| reducer.propose(state, enabled, at, &mut set).then(|| set.clone())).collect()
}

/// Compares both ways of choosing in states of a system; how many sets of one step were proposed.
fn compare(system: &dyn System, most: usize) -> usize {
    let relations = system.relations().expect("programs have relations");
    let states = states(system, most);
    let mut single = 0;
    for (scope, effort, relation, grade) in [
        (Scope::Move, Effort::Deletion, Relation::Interaction, Dependency::Refined),
        (Scope::Move, Effort::Deletion, Relation::Interaction, Dependency::Conditional),
        (Scope::Process, Effort::Quick, Relation::Interaction, Dependency::Refined),
        (Scope::Move, Effort::Quick, Relation::Constant, Dependency::Constant),
    ] {
        let new = || Stubborn::new(relations, Judge::new(relations, grade).by(relation), scope, effort);
        let (mut quick, mut slow) = (new(), new().without_haste());
        for (number, state) in states.iter().enumerate() {
            let mut enabled = Vec::new();
            system.enabled(state, &mut enabled);
            if number % 2 == 1 {
                enabled.sort_by_key(|step| Reverse(step.process));
            }
            if number % 61 == 60 {
                quick.forget();
            }
            // Not always all of them are asked for.
            let most = 1 + number % 4;
            let expected = proposals(&mut slow, state, &enabled, most);
            assert_eq!(
                proposals(&mut quick, state, &enabled, most),
                expected,
                "state {number}, {scope:?}, {effort:?}, {grade:?}, of {enabled:?}"
            );
            single += usize::from(expected.first().is_some_and(|set| set.len() == 1));
            let in_order = number % 2 == 0 && effort == Effort::Deletion && enabled.len() > 1;
            if in_order
                && quick.puts_local_first()
                && let Some(step) = local_step(system, state)
            {
                assert_eq!(enabled[expected[0][0]], step, "state {number}, of {enabled:?}");
                assert_eq!(expected[0].len(), 1, "state {number}");
            }
        }
    }
    single
}

/// The step that is chosen without a look at the other processes, as a search finds it.
fn local_step(system: &dyn System, state: &[u8]) -> Option<Step> {
    let relations = system.relations()?;
    let mut from = 0;
    while let Some((process, is_local)) = relations.next_candidate(state, from) {
        if !is_local {
            return None;
        }
        let mut own = Vec::new();
        system.enabled_of(state, process, &mut own);
        if let [only] = own[..]
            && !relations.is_last_resort(state, only)
        {
            return Some(only);
        }
        from = process.index() + 1;
    }
    None
}

/// Compares the steps of each process with those of all, and what is asked of one process with what is asked of the first; how many steps were
/// chosen without a look at others.
fn one_by_one(system: &dyn System, most: usize) -> usize {
    let relations = system.relations().expect("programs have relations");
    let mut local = 0;
    for state in states(system, most) {
        let mut enabled = Vec::new();
        system.enabled(&state, &mut enabled);
        let processes = (0..relations.processes(&state)).map(|slot| ProcessId(slot as u16));
        let mut listed = Vec::new();
        for process in processes.clone() {
            let from = listed.len();
            system.enabled_of(&state, process, &mut listed);
            assert!(listed[from..].iter().all(|step| step.process == process));
        }
        assert_eq!(listed, enabled, "process by process");
        let resorts = enabled.iter().any(|step| relations.is_last_resort(&state, *step));
        assert_eq!(relations.some_last_resort(&state, &enabled), resorts);
        for from in 0..=processes.len() {
            let is_candidate =
                |p: &ProcessId| relations.next_is_local(&state, *p) || relations.may_be_alone(&state, *p);
            assert_eq!(
                relations.next_candidate(&state, from),
                processes
                    .clone()
                    .skip(from)
                    .find(is_candidate)
                    .map(|process| (process, relations.next_is_local(&state, process)))
            );
        }
        if let Some(step) = local_step(system, &state) {
            assert!(!resorts && enabled.contains(&step));
            local += 1;
        }
    }
    local
}

#[test]
fn steps_are_those_of_the_processes_one_by_one() {
    let mut local = 0;
    for index in 0..300 {
        let program = generate::program(program_seed(12, index));
        let Ok(system) = Interpreter::new(program) else { continue };
        local += one_by_one(&system, 100);
        if let Ok(compiled) = Compiled::new(Box::new(system)) {
            local += one_by_one(&compiled, 100);
        }
    }
    assert!(local > 1_000, "only {local} steps were chosen without a look at others");
}

#[test]
fn random_programs_get_the_same_sets() {
    let mut single = 0;
    for index in 0..400 {
        let program = generate::program(program_seed(11, index));
        if let Some(system) = interpreter(&program) {
            single += compare(&*system, 120);
        }
    }
    assert!(single > 1_000, "only {single} sets of one step were proposed");
}

#[test]
fn models_get_the_same_sets() {
    let mut single = 0;
    let mut paths = Vec::new();
    spin::models(&corpus::directory().join("algorithms"), &mut paths);
    for path in paths {
        let program = spin::read(&path).expect("it can be read");
        let system = interpreter(&program).expect("it can be executed");
        single += compare(&*system, 150);
    }
    assert!(single > 500, "only {single} sets of one step were proposed");
}
