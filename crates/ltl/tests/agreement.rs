//! Random formulas: what is simplified, translated and reduced agrees with the definitions, word by word.

use mazurka_ltl::formula::Formulas;
use mazurka_ltl::print::{Spelling, print};
use mazurka_ltl::random::Random;
use mazurka_ltl::reduce::complement;
use mazurka_ltl::simplify::simplify;
use mazurka_ltl::translate::translate;
use mazurka_ltl::{Automaton, Formula, lasso};
use std::time::{Duration, Instant};

const NAMES: [&str; 3] = ["p", "q", "r"];

/// Where the atoms of an automaton are among all atoms.
fn indices(automaton: &Automaton, formulas: &Formulas) -> Vec<usize> {
    let place =
        |name| formulas.atoms().iter().position(|known| known == name).expect("an atom of the formula");
    automaton.atoms().iter().map(place).collect()
}

fn compare(seeds: std::ops::Range<u64>, words: usize) -> Duration {
    let mut longest = Duration::ZERO;
    for seed in seeds {
        let mut random = Random::new(seed);
        let mut formulas = Formulas::new();
        let atoms: Vec<Formula> = NAMES.iter().map(|name| formulas.atom(name)).collect();
        let size = 1 + random.below(9);
        let formula = random.formula(&mut formulas, &atoms, size);
        let negation = formulas.not(formula);
        let simple = simplify(&mut formulas, formula);
        let text = print(&formulas, formula, Spelling::Spot);
        let begin = Instant::now();
        let plain = translate(&mut formulas, formula).unwrap_or_else(|e| panic!("{text}: {e}"));
        longest = longest.max(begin.elapsed());
        let negated = translate(&mut formulas, negation).unwrap_or_else(|e| panic!("!({text}): {e}"));
        assert!(plain.buchi.is_state_based() && plain.buchi.sets() == 1, "{text}");
        for _ in 0..words {
            let word = random.word(NAMES.len(), 5);
            let expected = lasso::holds(&formulas, formula, &word);
            assert_eq!(
                lasso::holds(&formulas, simple, &word),
                expected,
                "seed {seed}, simplified {text}, {word:?}"
            );
            for (automaton, expected, what) in [
                (&plain.generalised, expected, "generalised"),
                (&plain.buchi, expected, "Büchi"),
                (&negated.generalised, !expected, "negated, generalised"),
                (&negated.buchi, !expected, "negated, Büchi"),
            ] {
                let accepted = automaton.accepts(&word, &indices(automaton, &formulas));
                assert_eq!(accepted, expected, "seed {seed}, {what}, {text}, {word:?}");
            }
        }
    }
    longest
}

/// Choices between many formulas are translated one by one.
#[test]
fn unions_accept_what_one_of_many_formulas_does() {
    let mut split = 0;
    for seed in 0..25 {
        let mut random = Random::new(seed);
        let mut formulas = Formulas::new();
        let atoms: Vec<Formula> = (0..6).map(|number| formulas.atom(&format!("p{number}"))).collect();
        let parts: Vec<Formula> = (0..7 + random.below(4))
            .map(|_| {
                let [first, second] = [(); 2].map(|()| {
                    let size = 2 + random.below(3);
                    random.formula(&mut formulas, &atoms, size)
                });
                let last = formulas.globally(second);
                formulas.and([first, last])
            })
            .collect();
        let choice = formulas.or(parts);
        let eventually = random.below(3) == 0;
        let formula = if eventually { formulas.finally(choice) } else { choice };
        let simple = simplify(&mut formulas, formula);
        split += usize::from(formulas.operands(simple).len() > 6);
        let text = print(&formulas, formula, Spelling::Spot);
        let Ok(translation) = translate(&mut formulas, formula) else { panic!("{text} is too large") };
        for _ in 0..40 {
            let word = random.word(atoms.len(), 5);
            let expected = lasso::holds(&formulas, formula, &word);
            for automaton in [&translation.generalised, &translation.buchi] {
                let accepted = automaton.accepts(&word, &indices(automaton, &formulas));
                assert_eq!(accepted, expected, "seed {seed}, {text}, {word:?}");
            }
        }
    }
    assert!(split > 10, "only {split} choices between many formulas");
}

#[test]
fn complements_accept_exactly_the_other_words() {
    let mut made = 0;
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let mut formulas = Formulas::new();
        let atoms: Vec<Formula> = NAMES.iter().map(|name| formulas.atom(name)).collect();
        let formula = random.formula(&mut formulas, &atoms, 5);
        let buchi = translate(&mut formulas, formula).expect("a small formula").buchi;
        let Some(complement) = complement(&buchi, 3_000) else { continue };
        made += usize::from(!buchi.is_deterministic());
        for _ in 0..40 {
            let word = random.word(NAMES.len(), 4);
            let accepted = buchi.accepts(&word, &indices(&buchi, &formulas));
            let other = complement.accepts(&word, &indices(&complement, &formulas));
            let text = print(&formulas, formula, Spelling::Spot);
            assert_ne!(accepted, other, "seed {seed}, {text}, {word:?}");
        }
    }
    assert!(made > 20, "only {made} complements of automata that are not deterministic");
}

#[test]
fn automata_agree_with_direct_evaluation() {
    compare(0..600, 20);
}

#[test]
#[ignore = "takes minutes: cargo test --release -p mazurka-ltl --test agreement -- --ignored --nocapture"]
fn automata_agree_with_direct_evaluation_on_20000_formulas() {
    let longest = compare(0..20_000, 20);
    println!("20,000 formulas; the longest translation took {longest:?}");
}
