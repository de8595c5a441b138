//! Which operations fire in the present state, found for all at once, against one after another.

use mazurka_engine::reduce::dependency::{Firing, fires_alone, fires_now};
use mazurka_model::{Footprint, Step, System};
use mazurka_program::Interpreter;
use mazurka_testkit::{promela, spin};

/// The footprints of enabled steps in the first states of a program.
fn footprints(system: &dyn System) -> Vec<Footprint> {
    let relations = system.relations().expect("programs say what they do");
    let mut states = mazurka_model::Batch::default();
    system.initial(&mut states);
    let mut all = Vec::new();
    let mut at = 0;
    while at < states.len() && at < 40 {
        let state = states.state(at).to_vec();
        let mut enabled: Vec<Step> = Vec::new();
        system.enabled(&state, &mut enabled);
        for step in enabled {
            let mut footprint = Footprint::default();
            relations.step(&state, step, &mut footprint);
            all.push(footprint);
        }
        system.expand(&state, mazurka_model::Chosen::All, &mut states);
        at += 1;
    }
    all
}

#[test]
fn all_at_once_is_one_after_another() {
    let mut firing = Firing::default();
    let (mut now, mut later) = (0, 0);
    for seed in 0..60 {
        let Ok(program) = spin::program("random.pml", &promela::text(seed)) else { continue };
        let Ok(system) = Interpreter::new(program) else { continue };
        let relations = system.relations().expect("programs say what they do");
        for footprint in footprints(&system) {
            let accesses = &footprint.accesses;
            let one: Vec<bool> = accesses.iter().map(|a| fires_now(relations, &footprint, a)).collect();
            assert_eq!(firing.of_step(relations, &footprint), one, "program {seed}: {footprint:?}");
            now += one.iter().filter(|fires| **fires).count();
            later += one.iter().filter(|fires| !**fires).count();
            let one: Vec<bool> = accesses.iter().map(|a| fires_alone(relations, accesses, a)).collect();
            assert_eq!(firing.of_condition(relations, accesses), one, "program {seed}: {footprint:?}");
        }
    }
    assert!(now > 1_000 && later > 200, "too few operations: {now} now, {later} later");
}
