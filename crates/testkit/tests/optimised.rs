//! Optimised programs behave like the programs that were written, step by step.

use mazurka_testkit::optimised::compare;
use mazurka_testkit::{campaign, corpus, generate, promela, spin};

const MOST_PAIRS: usize = 3_000;

#[test]
fn the_corpus_behaves_the_same() {
    let mut fewer = 0;
    for folder in ["algorithms", "promela"] {
        for entry in std::fs::read_dir(corpus::directory().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            let name = path.display().to_string();
            if let Some(compared) = spin::program(&name, &text).ok().and_then(|p| compare(&p, MOST_PAIRS)) {
                let compared = compared.unwrap_or_else(|difference| panic!("{name}: {difference}"));
                fewer += usize::from(compared.optimised < compared.plain);
            }
        }
    }
    assert!(fewer > 5, "nothing has fewer states");
}

#[test]
fn random_programs_behave_the_same() {
    let (mut fewer, mut more) = (0, 0);
    for index in 0..400 {
        let seed = campaign::program_seed(21, index);
        let program = match index % 2 {
            0 => Some(generate::program(seed)),
            _ => spin::program("random", &promela::text(seed)).ok(),
        };
        if let Some(compared) = program.and_then(|program| compare(&program, MOST_PAIRS)) {
            let compared = compared.unwrap_or_else(|difference| panic!("seed {seed}: {difference}"));
            fewer += usize::from(!compared.cut && compared.optimised < compared.plain);
            more += usize::from(!compared.cut && compared.optimised > compared.plain);
        }
    }
    assert!(fewer > 10 && 5 * more < fewer, "{fewer} have fewer states, {more} have more");
}
