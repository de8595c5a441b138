//! `spin-temporal [QUESTIONS] [FIRST SEED]`: random Promela programs with random formulas, here and in SPIN, with and without weak
//! fairness. Prints one line for each question, `SEED FINGERPRINT ANSWER`, as `crates/testkit/tests/spin_temporal.txt` has them, and the texts
//! on which the tools differ to standard error; exits with 1 if there are any.

use mazurka_testkit::spin;
use mazurka_testkit::spin::formulas::{fingerprint, holds_of_endless_fair_runs, ours, question, theirs};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let (questions, mut seed) = match (numbers.next(), numbers.next()) {
        (None, None) => (500, 1),
        (Some(Ok(questions)), None) => (questions, 1),
        (Some(Ok(questions)), Some(Ok(seed))) => (questions, seed),
        _ => {
            eprintln!("usage: spin-temporal [QUESTIONS] [FIRST SEED]");
            return ExitCode::from(2);
        }
    };
    if !spin::installed() {
        eprintln!("spin or gcc is not installed: there is nothing to compare with");
        return ExitCode::from(2);
    }
    let (mut asked, mut passed_over, mut ending, mut different) = (0, 0, 0, 0);
    let mut counts = [0; 3];
    while asked < questions {
        let (number, question) = (seed, question(seed));
        seed += 1;
        let Some(question) = question else { continue };
        let Ok(expected) = theirs(&question.text) else {
            passed_over += 1;
            continue;
        };
        asked += 1;
        match ours(&question) {
            Ok(answer) if answer == expected => {
                println!("{number} {:016x} {}", fingerprint(&question.text), answer.word());
                counts[usize::from(answer.all) + usize::from(answer.fair)] += 1;
            }
            // Only a run that ends breaks the formula.
            Ok(answer)
                if answer.all == expected.all
                    && expected.fair
                    && holds_of_endless_fair_runs(&question) == Ok(true) =>
            {
                ending += 1;
            }
            answer => {
                different += 1;
                eprintln!("seed {number}: SPIN {expected:?}, ours {answer:?}\n{}", question.text);
            }
        }
    }
    let [violated, fair, holds] = counts;
    eprintln!(
        "{asked} questions ({passed_over} passed over by SPIN): {holds} hold, {fair} under fairness, {violated} are violated, {ending} by runs that end, which SPIN does not find with -f; {different} differ"
    );
    if different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
