//! Petri nets, at random and of the corpus, under every combination of options.

use mazurka_engine::check_reduction;
use mazurka_engine::{Config, Method, Properties, SearchKind, Silent, Verdict, check};
use mazurka_front::petri::formula::Formula;
use mazurka_front::petri::{NetSystem, expression, parse, unbounded};
use mazurka_model::{Batch, Chosen, FindingKind, System};
use mazurka_testkit::compare::{keeps_contract, keeps_promises};
use mazurka_testkit::{compare, corpus, every_config, explore, petri};
use std::collections::{BTreeMap, HashSet};

const MOST_STATES: u64 = 300;

/// Nets of seeds that are bounded and not trivial.
fn nets(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (u64, NetSystem)> {
    seeds.map(|seed| (seed, NetSystem::new(petri::net(seed)))).filter(|(_, system)| {
        explore(system, MOST_STATES, 0)
            .is_ok_and(|facts| facts.states > 3 && !facts.violated.iter().any(|v| v.0 == "overflow"))
    })
}

/// Every option on every net finds the same deadlocks and the same dead transitions as the oracle, and no
/// system lies about its steps.
#[test]
fn every_search_agrees_with_the_oracle_on_random_nets() {
    let (mut compared, mut deadlocking, mut reduced) = (0, 0, 0);
    for (seed, system) in nets(0..700) {
        let facts = explore(&system, MOST_STATES, 0).expect("it was explored before");
        if let Err(difference) = keeps_contract(&system, MOST_STATES) {
            panic!("net {seed}: {difference}");
        }
        compared += 1;
        deadlocking += usize::from(!facts.deadlocks.is_empty());
        let all = every_config(seed);
        // One part of the options for each net: each option is used with many.
        for config in all.iter().skip(seed as usize % 5).step_by(5) {
            match compare(&system, &facts, config) {
                Ok(states) => reduced += usize::from(states < facts.states),
                Err(difference) => panic!("net {seed}: {difference}"),
            }
        }
    }
    assert!(compared >= 150 && deadlocking >= 30 && reduced >= 1000, "{compared} {deadlocking} {reduced}");
}

/// Every set that is chosen is persistent, by execution.
#[test]
fn chosen_sets_are_persistent() {
    let mut checked = 0;
    for (seed, system) in nets(1000..1150) {
        let graph = check_reduction::explore(&system, MOST_STATES, &Silent);
        for config in every_config(seed).iter().skip(seed as usize % 7).step_by(7) {
            checked += 1;
            if let Err(difference) = keeps_promises(&graph, config) {
                panic!("net {seed}: {difference}");
            }
        }
    }
    assert!(checked >= 500, "{checked}");
}

/// Whether some marking that can be reached breaks the invariant, by looking at all of them.
fn breaks(system: &NetSystem) -> bool {
    let mut batch = Batch::default();
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    let mut pending = Vec::new();
    system.initial(&mut batch);
    pending.push(batch.state(0).to_vec());
    while let Some(state) = pending.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        batch.clear();
        system.judge(&state, &mut batch);
        if !batch.violations().is_empty() {
            return true;
        }
        batch.clear();
        system.expand(&state, Chosen::All, &mut batch);
        pending.extend((0..batch.len()).map(|index| batch.state(index).to_vec()));
    }
    false
}

/// An invariant is broken under a reduction exactly if it is broken; what else is checked plays no role.
#[test]
fn invariants_are_kept_on_random_nets() {
    let nothing = Properties { deadlock: false, assertions: true, unreached: false, reception: false };
    let choices = [
        nothing,
        Properties { deadlock: true, ..nothing },
        Properties { deadlock: true, unreached: true, ..nothing },
    ];
    let (mut broken, mut kept, mut states, mut full) = (0, 0, 0, 0);
    for (seed, system) in nets(2000..2700) {
        let formula = petri::formula(system.net(), seed);
        let all = explore(&system, MOST_STATES, 0).expect("it was explored before").states;
        let system = system.with_invariant(&formula, "the formula");
        let expected = breaks(&system);
        *(if expected { &mut broken } else { &mut kept }) += 1;
        let methods = [
            Method::Persistent,
            Method::Stubborn,
            Method::Conditional,
            Method::Deletion,
            Method::Ample,
            Method::Local,
        ];
        let reductions = methods.iter().flat_map(|&method| [(method, false), (method, true)]);
        for (method, sleep) in reductions {
            for (_, search) in SearchKind::WHOLE {
                for properties in choices {
                    let reduction = mazurka_engine::Reduction { method, sleep };
                    let config = Config { reduction, search, properties, max_errors: 0, ..Config::default() };
                    let outcome = check(&system, &config, &Silent);
                    let found = outcome.findings.iter().any(|f| matches!(f.kind, FindingKind::State { .. }));
                    assert_eq!(
                        found, expected,
                        "net {seed}, {reduction}, {search}, {properties:?}: {formula:?}"
                    );
                    assert!(outcome.statistics.states <= all, "net {seed}: more states than there are");
                    for finding in &outcome.findings {
                        if let Err(refusal) = mazurka_replay::confirm(&system, finding) {
                            panic!("net {seed}: {refusal}");
                        }
                    }
                    if !expected && method == Method::Deletion && properties == nothing {
                        states += outcome.statistics.states;
                        full += all;
                    }
                }
            }
        }
    }
    assert!(broken >= 60 && kept >= 25, "{broken} {kept}");
    assert!(states * 2 < full, "hardly anything was reduced: {states} of {full}");
}

/// The entries of the comment at the top of a net.
fn header(text: &str) -> BTreeMap<&str, &str> {
    let comment = text.split("<!--").nth(1).and_then(|rest| rest.split("-->").next()).unwrap_or("");
    comment.lines().filter_map(|line| line.split_once(": ")).map(|(a, b)| (a.trim(), b.trim())).collect()
}

/// Every net of the corpus is what its header says, whatever the options.
#[test]
fn the_corpus_is_what_its_headers_say() {
    let mut nets = 0;
    let entries = std::fs::read_dir(corpus::directory().join("petri")).expect("the corpus is there");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|e| e == "pnml")) {
        nets += 1;
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).expect("it can be read");
        let header = header(&text);
        let parsed = parse(&name, &text);
        assert!(parsed.diagnostics.is_empty(), "{name}: {:?}", parsed.diagnostics);
        let mut system = NetSystem::new(parsed.net.expect("there is no error"));
        let expected = header["expect"];
        if expected == "overflow" {
            let outcome = check(&system, &Config::default(), &Silent);
            assert_eq!(outcome.verdict, Verdict::Violated, "{name}");
            assert_eq!(outcome.findings[0].kind.name(), "overflow", "{name}");
            let growth = unbounded::growth(&system, &outcome.findings[0].trace).expect("it grows");
            assert_eq!(system.net().places[growth.place as usize].name, "left");
            continue;
        }
        while let Some(wider) = system.width().wider()
            && explore(&system, 2_000, 0).is_ok_and(|facts| !facts.violated.is_empty())
        {
            system = system.with_width(wider);
        }
        let facts = explore(&system, 2_000, 0).expect("it is small");
        assert_eq!(Some(facts.states.to_string().as_str()), header.get("states").copied(), "{name}");
        if let Some(deadlocks) = header.get("deadlocks") {
            assert_eq!(facts.deadlocks.len().to_string(), *deadlocks, "{name}");
        }
        for config in every_config(1) {
            if let Err(difference) = compare(&system, &facts, &config) {
                panic!("{name}: {difference}");
            }
        }
        assert_eq!(expected == "deadlock", !facts.deadlocks.is_empty(), "{name}");
        if let Some(invariant) = header.get("invariant") {
            let formula: Formula = expression::parse(system.net(), invariant).expect("it can be read");
            let system = system.with_invariant(&formula, *invariant);
            let outcome = check(&system, &Config::default(), &Silent);
            let verdict = if expected == "invariant" { Verdict::Violated } else { Verdict::Holds };
            assert_eq!(outcome.verdict, verdict, "{name}");
        }
    }
    assert!(nets >= 8, "{nets}");
}
