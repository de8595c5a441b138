//! Random networks of virtual finite state machines, and what must be so of each of them.
//!
//! A network is a function of its seed, and written as text, so that one that shows a mistake can be read. It has few
//! machines with few states, but all that the language has: priorities, internal messages, free machines, timers that are
//! restarted, alternatives, feedback, and queues so small that they overflow.
//!
//! What is compared ([`examine`]): the system keeps its contract; whatever the reduction, deadlocks, unexpected inputs,
//! overflows, livelocks within machines, false assertions and unreached places are those of the oracle; every set that is
//! proposed is persistent by execution; and cycles without progress are found with and without reduction.

use crate::compare::{Difference, compare, every_config, keeps_contract, keeps_promises, options};
use crate::oracle::{Facts, explore};
use fastrand::Rng;
use mazurka_engine::temporal::{self, Algorithm, Fairness, Property, Representatives};
use mazurka_engine::{Config, Method, Reduction, Silent, Verdict, check_reduction};
use mazurka_front::vfsm::{Condition, Information, VfsmSystem, parse};
use mazurka_ltl::Formulas;
use mazurka_property::Prepared;
use std::fmt::Write as _;

/// The kinds of information, all of them.
pub const INFORMATION: [Information; 4] =
    [Information::PerVfsm, Information::PerState, Information::RunTime, Information::Auto];

/// A network with fewer states shows nothing.
const FEWEST: u64 = 10;

/// What a random machine has.
struct Shape {
    process: usize,
    states: usize,
    inputs: usize,
    events: usize,
    outputs: usize,
    timers: usize,
    free: bool,
}

/// The text of the network of a seed.
pub fn text(seed: u64) -> String {
    let mut random = Rng::with_seed(seed);
    let random = &mut random;
    let mut processors = Vec::new();
    let mut shapes: Vec<Shape> = Vec::new();
    let mut count = 0;
    for _ in 0..random.usize(2..=3) {
        let mut processes = Vec::new();
        for _ in 0..if random.u32(0..3) == 0 { 2 } else { 1 } {
            let machines = if random.u32(0..4) == 0 { 2 } else { 1 };
            processes.push(machines);
            for machine in 0..machines {
                shapes.push(Shape {
                    process: count,
                    states: random.usize(1..=4),
                    inputs: random.usize(1..=3),
                    events: random.usize(1..=3),
                    outputs: random.usize(1..=3),
                    timers: usize::from(random.u32(0..3) == 0),
                    free: machine == 0 && random.bool(),
                });
            }
            count += 1;
        }
        processors.push(processes);
    }
    let mut text = String::new();
    for number in 0..shapes.len() {
        machine(random, number, &shapes, &mut text);
    }
    // Writing to a string can't fail.
    let _ = writeln!(text, "system random_{seed} {{");
    let mut next = 0;
    for (number, processes) in processors.iter().enumerate() {
        let _ = writeln!(text, "  processor p{number} {{");
        for (process, machines) in processes.iter().enumerate() {
            let (queue, internal) = (random.u32(1..=3), random.u32(1..=2));
            let _ = writeln!(text, "    process p{number}_{process} queue {queue} internal {internal} {{");
            for _ in 0..*machines {
                let _ = writeln!(text, "      m{next}: M{next};");
                next += 1;
            }
            text += "    }\n";
        }
        text += "  }\n";
    }
    let mut messages = Vec::new();
    let mut processes: Vec<usize> = shapes.iter().map(|shape| shape.process).collect();
    processes.dedup();
    for process in processes {
        let to = shapes.iter().position(|shape| shape.process == process).unwrap_or(0);
        // A queue has room for one message at least.
        if random.u32(0..3) > 0 {
            messages.push(format!("m{to}.{}", one(random, "E", shapes[to].events)));
        }
    }
    if !messages.is_empty() {
        let _ = writeln!(text, "  initially {};", messages.join(", "));
    }
    text += "}\n";
    text
}

/// One of several names that differ in their numbers.
fn one(random: &mut Rng, letter: &str, count: usize) -> String {
    format!("{letter}{}", random.usize(0..count))
}

fn condition(random: &mut Rng, inputs: usize) -> String {
    let first = one(random, "I", inputs);
    match random.u32(0..8) {
        0 => format!("!{first}"),
        1 => format!("{first} & !{}", one(random, "I", inputs)),
        2 => format!("{first} | {}", one(random, "I", inputs)),
        3 if random.u32(0..4) == 0 => "always".to_owned(),
        _ => first,
    }
}

fn list(letter: &str, count: usize) -> String {
    (0..count).map(|number| format!("{letter}{number}")).collect::<Vec<_>>().join(", ")
}

fn action(random: &mut Rng, number: usize, shapes: &[Shape]) -> String {
    let own = &shapes[number];
    match random.u32(0..9) {
        0 if own.timers > 0 => "stop T0".to_owned(),
        1..=2 if own.timers > 0 => "start T0".to_owned(),
        3 => format!("feedback {}", one(random, "E", own.events)),
        _ => {
            let to = random.usize(0..shapes.len());
            format!("send m{to}.{}", one(random, "E", shapes[to].events))
        }
    }
}

fn machine(random: &mut Rng, number: usize, shapes: &[Shape], text: &mut String) {
    let Shape { states, inputs, events, outputs, timers, free, .. } = shapes[number];
    let mut out = String::new();
    let mark = if free { "free " } else { "" };
    let _ = writeln!(out, "{mark}machine M{number} {{");
    let _ = writeln!(
        out,
        "  inputs {}; outputs {}; events {};",
        list("I", inputs),
        list("O", outputs),
        list("E", events)
    );
    if timers > 0 {
        let strict = if random.bool() { "strict " } else { "" };
        let _ = writeln!(out, "  timers {strict}T0;");
    }
    let names = (0..events).map(|event| format!("E{event}")).chain((0..timers).map(|_| "T0".to_owned()));
    for event in names {
        let change = |random: &mut Rng| {
            let insert = one(random, "I", inputs);
            match random.u32(0..6) {
                0 => "nothing".to_owned(),
                1 => format!("-{insert}"),
                2 => format!("+{insert} -{}", one(random, "I", inputs)),
                _ => format!("-* +{insert}"),
            }
        };
        let mut alternatives = vec![change(random)];
        if random.u32(0..4) == 0 {
            alternatives.push(change(random));
        }
        let _ = writeln!(out, "  on {event}: {};", alternatives.join(" | "));
    }
    for output in 0..outputs {
        let mut alternatives = Vec::new();
        for _ in 0..if random.u32(0..4) == 0 { 2 } else { 1 } {
            let mut actions = vec![action(random, number, shapes)];
            if random.u32(0..4) == 0 {
                actions.push(action(random, number, shapes));
            }
            alternatives.push(if random.u32(0..6) == 0 { "nothing".to_owned() } else { actions.join(", ") });
        }
        let _ = writeln!(out, "  do O{output}: {};", alternatives.join(" | "));
    }
    for state in 0..states {
        let mut marks = String::new();
        for (mark, often) in [(" initial", 12), (" end", 2), (" progress", 4)] {
            if random.u32(0..often) == 0 {
                marks += mark;
            }
        }
        let _ = writeln!(out, "  S{state}{marks} {{");
        for (label, often) in [("E", 3), ("X", 4)] {
            if random.u32(0..often) == 0 {
                let _ = writeln!(out, "    {label}: {};", one(random, "O", outputs));
            }
        }
        if random.u32(0..3) > 0 {
            let _ = writeln!(out, "    IA: {} ? {};", condition(random, inputs), one(random, "O", outputs));
        }
        for entry in 0..random.u32(0..=2) {
            let label = if entry == 0 { "NS:" } else { "" };
            let _ =
                writeln!(out, "    {label} {} > {};", condition(random, inputs), one(random, "S", states));
        }
        if free && random.u32(0..3) > 0 {
            let when = if random.bool() { "always".to_owned() } else { condition(random, inputs) };
            let _ = writeln!(out, "    F: {when} ? {};", one(random, "E", events));
        }
        if random.u32(0..3) > 0 {
            out += "    D: *;\n";
        }
        if random.u32(0..8) == 0 {
            let _ = writeln!(out, "    A: {};", condition(random, inputs));
        }
        out += "  }\n";
    }
    out += "}\n";
    text.push_str(&out);
}

/// The system of a seed; the text never has a mistake. In every fourth one the free machines of a processor share it as those of state charts
/// do, which no text can say.
pub fn system(seed: u64) -> Result<VfsmSystem, String> {
    let parsed = parse("random.vfsm", &text(seed), &[]);
    let first = || parsed.diagnostics.iter().map(|one| one.message.clone()).collect::<Vec<_>>().join("; ");
    let mut network = parsed.network.ok_or_else(first)?;
    network.processors.iter_mut().for_each(|processor| processor.shared = seed % 4 == 3);
    Ok(VfsmSystem::new(network))
}

/// What was compared of a network.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Examined {
    /// Its states.
    pub states: u64,
    /// Searches that were compared with the oracle.
    pub searches: u64,
    /// Those of them that stored fewer states than there are.
    pub reduced: u64,
    /// Whether it has deadlocks, unexpected inputs, overflows, and machines that never settle.
    pub has: [bool; 4],
    /// Whether there is a cycle without progress.
    pub livelock: bool,
}

/// Compares everything on the network of a seed; nothing if it has more states than allowed, or hardly any. Of the options each
/// `step`th is used, other ones for other seeds.
pub fn examine(seed: u64, most_states: u64, step: usize) -> Result<Option<Examined>, String> {
    let mut system = system(seed)?;
    let Ok(facts) = explore(&system, most_states, 0) else { return Ok(None) };
    if facts.states < FEWEST {
        return Ok(None);
    }
    let shown = |difference: Difference| difference.to_string();
    keeps_contract(&system, most_states).map_err(shown)?;
    let has = |kind: &str| facts.violated.iter().any(|(known, _)| *known == kind);
    let mut examined = Examined {
        states: facts.states,
        has: [!facts.deadlocks.is_empty(), has("reception"), has("overflow"), has("fault")],
        ..Examined::default()
    };
    for information in INFORMATION {
        system = system.with_information(information);
        // Only the sets of the system itself know of the information.
        let own = |config: &Config| matches!(config.reduction.method, Method::Persistent | Method::Auto);
        let configs: Vec<Config> = every_config(seed)
            .into_iter()
            .filter(|one| information == Information::Auto || own(one))
            // Stores that forget take much memory each, so they have their turn now and then.
            .filter(|one| one.keeps_all() || seed.is_multiple_of(16))
            .collect();
        for config in configs.iter().skip(seed as usize % step).step_by(step) {
            let states = compare(&system, &facts, config)
                .map_err(|difference| format!("{information:?}: {difference}"))?;
            examined.searches += 1;
            examined.reduced += u64::from(states < facts.states);
        }
        promises(&system, &facts, &configs, seed, most_states)
            .map_err(|difference| format!("{information:?}: {difference}"))?;
        examined.livelock = livelocks(&system).map_err(|message| format!("{information:?}: {message}"))?;
    }
    Ok(Some(examined))
}

/// Every proposed set is persistent, by execution. Deadlocks alone are kept also where a set is not persistent because
/// of overflows, so such networks are left out there.
fn promises(
    system: &VfsmSystem,
    facts: &Facts,
    configs: &[Config],
    seed: u64,
    most_states: u64,
) -> Result<(), Difference> {
    let graph = check_reduction::explore(system, most_states, &Silent);
    let overflows = facts.violated.iter().any(|(kind, _)| *kind == "overflow");
    let mut configs: Vec<&Config> =
        configs.iter().filter(|one| one.properties.assertions || !overflows).collect();
    let wanted = Reduction { method: Method::Persistent, sleep: false };
    let own = configs.iter().position(|one| one.reduction == wanted && one.properties.assertions);
    let alone = configs.iter().position(|one| one.reduction == wanted && !one.properties.assertions);
    let chosen = [own, alone, (!configs.is_empty()).then(|| seed as usize % configs.len())];
    configs = chosen.into_iter().flatten().map(|index| configs[index]).collect();
    configs.into_iter().try_for_each(|config| keeps_promises(&graph, config))
}

/// Whether there is a cycle without progress, with every reduction as without one.
fn livelocks(system: &VfsmSystem) -> Result<bool, String> {
    let mut formulas = Formulas::new();
    let formula =
        mazurka_ltl::parse::parse(&mut formulas, "[] <> ! np_").map_err(|error| error.to_string())?;
    let prepared = Prepared::of_formula(formulas, formula, vec![Condition::NonProgress])
        .map_err(|refused| refused.to_string())?;
    let atoms = system.atoms(&prepared.conditions);
    let mut livelock = false;
    for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong, Fairness::Trace] {
        let mut expected = None;
        for method in [Method::None, Method::Persistent, Method::Conditional, Method::Deletion, Method::Ample]
        {
            let property = Property {
                number: 0,
                atoms: &atoms,
                acceptor: &prepared.acceptor,
                stutter_invariant: prepared.stutter_invariant,
                components: &prepared.components,
                safety: prepared.safety,
                representatives: Representatives::Auto,
                fairness,
                shortest: false,
                emptiness: Algorithm::Components,
            };
            let config = Config { reduction: Reduction { method, sleep: false }, ..Config::default() };
            let outcome = temporal::check(system, &property, &config, &Silent);
            let found = outcome.verdict == Verdict::Violated;
            if *expected.get_or_insert(found) != found {
                return Err(format!("{}: cycles without progress, {fairness}: {found}", options(&config)));
            }
        }
        if fairness == Fairness::None {
            livelock = expected.unwrap_or(false);
        }
    }
    Ok(livelock)
}
