//! Optimised programs behave like the programs that were written, step by step.

use mazurka_program::Program;
use mazurka_program::ir::{Property, PropertyKind};
use mazurka_testkit::optimised::{compare, compare_merged, compare_temporal};
use mazurka_testkit::temporal::METHODS;
use mazurka_testkit::temporal::generate::formula;
use mazurka_testkit::{campaign, corpus, generate, promela, spin};

const MOST_PAIRS: usize = 3_000;
const MOST_STATES: u64 = 3_000;

/// A random program, in one of two languages.
fn program(campaign: u64, index: u64) -> (u64, Option<Program>) {
    let seed = campaign::program_seed(campaign, index);
    let program = match index % 2 {
        0 => Some(generate::program(seed)),
        _ => spin::program("random", &promela::text(seed)).ok(),
    };
    (seed, program)
}

#[test]
fn the_corpus_behaves_the_same() {
    let (mut fewer, mut merged) = (0, 0);
    for folder in ["algorithms", "promela"] {
        for entry in std::fs::read_dir(corpus::directory().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            let name = path.display().to_string();
            let Ok(program) = spin::program(&name, &text) else { continue };
            if let Some(compared) = compare(&program, MOST_PAIRS) {
                let compared = compared.unwrap_or_else(|difference| panic!("{name}: {difference}"));
                fewer += usize::from(compared.optimised < compared.plain);
            }
            if let Some(compared) = compare_merged(&program, MOST_STATES) {
                let compared = compared.unwrap_or_else(|difference| panic!("{name}: {difference}"));
                merged += usize::from(compared.optimised < compared.plain);
            }
        }
    }
    assert!(fewer > 5, "nothing has fewer states");
    assert!(merged > 5, "nothing has fewer states with merged statements");
}

#[test]
fn random_programs_behave_the_same() {
    let (mut fewer, mut more) = (0, 0);
    for index in 0..400 {
        let (seed, program) = program(21, index);
        if let Some(compared) = program.and_then(|program| compare(&program, MOST_PAIRS)) {
            let compared = compared.unwrap_or_else(|difference| panic!("seed {seed}: {difference}"));
            fewer += usize::from(!compared.cut && compared.optimised < compared.plain);
            more += usize::from(!compared.cut && compared.optimised > compared.plain);
        }
    }
    assert!(fewer > 10 && 5 * more < fewer, "{fewer} have fewer states, {more} have more");
}

fn merged(campaign: u64, count: u64) {
    let (mut fewer, mut compared) = (0, 0);
    for index in 0..count {
        let (seed, program) = program(campaign, index);
        if let Some(found) = program.and_then(|program| compare_merged(&program, MOST_STATES)) {
            let found = found.unwrap_or_else(|difference| panic!("seed {seed}: {difference}"));
            compared += 1;
            fewer += usize::from(found.optimised < found.plain);
        }
    }
    println!("{compared} programs compared, {fewer} have fewer states");
    assert!(fewer > count as usize / 20, "{fewer} of {compared} have fewer states");
}

fn temporal(campaign: u64, count: u64) {
    let (mut holds, mut broken) = (0, 0);
    for index in 0..count {
        let (seed, program) = program(campaign, index);
        let Some(mut program) = program else { continue };
        let mut random = fastrand::Rng::with_seed(seed);
        let kind = PropertyKind::Formula(formula(&program, &mut random));
        let (name, span) = ("random".to_owned(), Default::default());
        program.properties = vec![Property { name, kind, span }];
        let method = METHODS[index as usize % METHODS.len()];
        if let Some(found) = compare_temporal(&program, method, MOST_STATES as usize) {
            match found.unwrap_or_else(|difference| panic!("seed {seed}, {method}: {difference}")) {
                true => broken += 1,
                false => holds += 1,
            }
        }
    }
    println!("{broken} properties broken, {holds} hold");
    assert!(broken > count / 20 && holds > count / 20, "{broken} broken, {holds} hold");
}

#[test]
fn merged_programs_have_the_same_errors() {
    merged(22, 400);
}

#[test]
fn merged_programs_have_the_same_temporal_properties() {
    temporal(23, 300);
}

/// `cargo test --release -p mazurka-testkit --test optimised -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn twenty_thousand_merged_programs() {
    merged(24, 20_000);
    temporal(25, 20_000);
}

/// Whether a process has come to where it can shake hands, others can tell: by an `else`, or because a region was interrupted.
#[test]
fn coming_to_a_handshake_is_not_merged() {
    let alone = "chan r = [0] of { byte }; byte g;
        active proctype R() { byte x; g = 1; x = 1; r?x }
        active proctype S() { g == 1; if :: r!1 :: else -> assert(false) fi }";
    let interrupted = "chan r = [0] of { byte }; byte g, h;
        active proctype R() { byte x; g = 1; x = 1; r?h }
        active proctype S() { atomic { g == 1; h = 1; r!0 } }
        active proctype Q() { assert(h == 0) }";
    for (name, text) in [("alone", alone), ("interrupted", interrupted)] {
        let program = spin::program(name, text).unwrap();
        let compared = compare_merged(&program, 1_000).unwrap();
        assert!(compared.is_ok(), "{name}: {compared:?}");
    }
}

/// Processes that compute between handshakes, wait for globals, and go elsewhere where nobody shakes hands.
fn shaking_hands(random: &mut fastrand::Rng) -> String {
    let mut text = "chan r = [0] of { byte }, s = [0] of { byte }; byte g, h;\n".to_owned();
    for process in 0..random.u8(2..4) {
        text += &format!("active proctype P{process}() {{ byte a, b;\n");
        for _ in 0..random.u8(2..6) {
            let (number, channel) = (random.u8(0..3), if random.bool() { "r" } else { "s" });
            let (global, local) =
                (if random.bool() { "g" } else { "h" }, if random.bool() { "a" } else { "b" });
            let statement = match random.u8(0..10) {
                0..3 => format!("{local} = a + {number}"),
                3 => format!("{global} = {number}"),
                4 => format!("{global} == {number}"),
                5 => format!("{channel}!{number}"),
                6 => format!("{channel}?{local}"),
                7 => format!("if :: {channel}!{number} :: else -> {global} = 2 fi"),
                8 => format!("atomic {{ {global} = {number}; {channel}!{number}; {local} = 1 }}"),
                _ => format!("assert({global} != 2 || {local} < 2)"),
            };
            text += &format!("  {statement};\n");
        }
        text += "}\n";
    }
    text
}

#[test]
fn merged_programs_that_shake_hands_have_the_same_errors() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut fewer = 0;
    for _ in 0..3_000 {
        let text = shaking_hands(&mut random);
        let program = spin::program("hands", &text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        let compared = compare_merged(&program, MOST_STATES).expect("it is small");
        let compared = compared.unwrap_or_else(|difference| panic!("{text}{difference}"));
        fewer += usize::from(compared.optimised < compared.plain);
    }
    assert!(fewer > 300, "only {fewer} have fewer states");
}

/// A step to a place that is looked at is seen, also if it computes in locals only.
#[test]
fn coming_to_a_place_that_is_looked_at_is_not_merged() {
    let seen_by_a_formula = "byte x; active proctype P() { byte a; A: x == 0; a = a + 1; B: x == 3 }
        active proctype Q() { x = 1; x = 2; x = 3 } ltl p { [] (P@A || P@B || x != 1) }";
    let program = spin::program("formula", seen_by_a_formula).unwrap();
    assert_eq!(compare_temporal(&program, "none", 1_000), Some(Ok(true)));
    let seen_by_a_process = "byte x; active proctype P() { byte a; A: x == 0; a = a + 1; B: x == 5 }
        active proctype Q() { x = 1; (!P@A && !P@B); assert(false) }";
    let program = spin::program("process", seen_by_a_process).unwrap();
    let compared = compare_merged(&program, 1_000).unwrap().unwrap();
    assert_eq!(compared.plain, compared.optimised);
    let timeout = "bit x, y; active proctype P() { byte a; x = 1; a = 1; y == 1 }
        ltl p { [] (x == 1 -> timeout) }";
    let program = spin::program("timeout", timeout).unwrap();
    assert_eq!(compare_temporal(&program, "none", 1_000), Some(Ok(true)));
    let progress =
        "byte x; active proctype P() { byte a; progress_a: x == 1 -> a = a + 1; progress_b: x == 9 }
        active proctype Q() { do :: x = 1 :: x = 0 od }";
    let mut program = spin::program("progress", progress).unwrap();
    let (name, span, kind) = ("progress".to_owned(), Default::default(), PropertyKind::Progress);
    program.properties = vec![Property { name, kind, span }];
    assert_eq!(compare_temporal(&program, "none", 1_000), Some(Ok(true)));
}
