//! A small comparison with SPIN itself, where it is installed: models of the corpus, and random programs.
//! The large one is the command `spin-diff`.

use mazurka_testkit::differential::{Plan, run};
use mazurka_testkit::spin::table::{Judgement, rows};
use mazurka_testkit::{corpus, promela, spin};

/// How many models and how many random programs are compared.
const MODELS: usize = 24;
const PROGRAMS: u64 = 20;

#[test]
fn a_sample_of_the_corpus_and_of_random_programs_is_as_in_spin() {
    if !spin::installed() {
        println!("skipped: spin or gcc is not installed, so that there is nothing to compare with");
        return;
    }
    let mut models = Vec::new();
    spin::models(&corpus::directory().join("promela"), &mut models);
    let models: Vec<_> = models.iter().step_by((models.len() / MODELS).max(1)).cloned().collect();
    let rows = rows(&models, 20, 100_000, 2);
    let wrong: Vec<_> = rows.iter().filter(|row| !matches!(row.judgement, Judgement::Same(_))).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let plan = Plan { programs: PROGRAMS, seed: 7, most_states: 3_000, ..Plan::default() };
    let summary = run(&plan, &|_| {});
    if let Some(found) = summary.differences.first() {
        panic!("program {}: {}\n{}", found.seed, found.message, found.text);
    }
    // A comparison of programs that SPIN refuses would compare nothing.
    assert!(summary.programs >= PROGRAMS, "{summary:?}");
    assert!(summary.medium >= PROGRAMS / 3, "{summary:?}");
}

#[test]
fn random_programs_are_read_and_use_the_language() {
    let words = [
        "unless",
        "atomic",
        "d_step",
        "provided",
        "timeout",
        "typedef",
        "mtype",
        "inline",
        "#define",
        "run ",
        "select",
        "for (",
        "??",
        "!!",
        "?<",
        "?[",
        "eval(",
        "goto",
        "break",
        "else",
        "len(",
        "nempty(",
        "nfull(",
        "_nr_pr",
        "_pid",
        "assert(",
        " -> ",
        "unsigned",
        "short",
        "chan ",
        "active [2]",
        "end",
        "_last",
    ];
    let texts: Vec<String> = (0..400).map(promela::text).collect();
    for word in words {
        assert!(texts.iter().any(|text| text.contains(word)), "no program has `{word}`");
    }
    assert_eq!(texts[3], promela::text(3), "a program is a function of its seed");
    let read = texts.iter().filter(|text| spin::program("random.pml", text).is_ok()).count();
    assert!(read * 10 >= texts.len() * 9, "only {read} of {} programs can be read", texts.len());
}
