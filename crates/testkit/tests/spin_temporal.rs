//! Answers that SPIN gave to random formulas over random Promela programs, with and without weak fairness.
//!
//! `spin_temporal.txt` was written by the command `spin-temporal` where SPIN 6.5.2 was installed; a line has the seed of a question, a
//! fingerprint of its text and SPIN's answer. If the making of programs changes, it has to be written anew.

use mazurka_testkit::spin::formulas::{fingerprint, ours, question};

#[test]
fn answers_are_those_of_spin() {
    let mut asked = [0; 3];
    for line in include_str!("spin_temporal.txt").lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [seed, text, answer] = words[..] else { panic!("not a line of spin-temporal: {line}") };
        let seed = seed.parse().expect("a seed");
        let question = question(seed).expect("a question");
        let found = format!("{:016x}", fingerprint(&question.text));
        assert_eq!(found, text, "the question of seed {seed} is another one: run spin-temporal again");
        let ours = ours(&question).unwrap_or_else(|why| panic!("{why}\n{}", question.text));
        assert_eq!(ours.word(), answer, "{}", question.text);
        asked[usize::from(ours.all) + usize::from(ours.fair)] += 1;
    }
    let [violated, fair, holds] = asked;
    assert!(violated >= 20 && fair >= 1 && holds >= 20, "{asked:?}");
}
