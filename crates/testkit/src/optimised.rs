//! A program and its optimised form, side by side: the same steps, the same violations.
//!
//! Both are walked together from their initial states; in every pair of states that is met, the enabled steps, the
//! successors by their steps, what is wrong with them and whether they are interior must be the same. That is a
//! bisimulation, so every property of runs that the steps decide is kept.

use mazurka_model::{Batch, Chosen, System};
use mazurka_program::{Interpreter, Program};
use std::collections::HashSet;

/// How many states there are, as far as both were walked.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Of the program as it was written.
    pub plain: usize,
    /// Of the optimised one.
    pub optimised: usize,
    /// Some pairs were left out, because there were too many.
    pub cut: bool,
}

/// Walks through a program with and without resets of dead variables, over at most `most_pairs` pairs of states; `None` if
/// the program is not valid.
pub fn compare(program: &Program, most_pairs: usize) -> Option<Result<Compared, String>> {
    let plain = Interpreter::new(program.clone().without_resets()).ok()?;
    let mut changed = program.clone();
    changed.reset_dead_variables();
    let optimised = Interpreter::new(changed).ok()?;
    Some(walk(&plain, &optimised, most_pairs))
}

fn walk(plain: &Interpreter, optimised: &Interpreter, most_pairs: usize) -> Result<Compared, String> {
    let (mut one, mut other) = (Batch::default(), Batch::default());
    let first = (plain.layout().initial.clone(), optimised.layout().initial.clone());
    let mut seen: HashSet<(Vec<u8>, Vec<u8>)> = HashSet::from([first.clone()]);
    let mut pending = vec![first];
    let mut cut = false;
    while let Some((left, right)) = pending.pop() {
        one.clear();
        other.clear();
        plain.expand(&left, Chosen::All, &mut one);
        optimised.expand(&right, Chosen::All, &mut other);
        let steps =
            |batch: &Batch| batch.successors().iter().map(|s| (s.step, s.interior)).collect::<Vec<_>>();
        if steps(&one) != steps(&other) || one.violations() != other.violations() {
            return Err(format!(
                "in {left:?} and {right:?}: {:?} {:?} but {:?} {:?}",
                steps(&one),
                one.violations(),
                steps(&other),
                other.violations()
            ));
        }
        if plain.valid_end(&left) != optimised.valid_end(&right) {
            return Err(format!("only one of {left:?} and {right:?} is a valid end"));
        }
        for index in 0..one.len() {
            let pair = (one.state(index).to_vec(), other.state(index).to_vec());
            if seen.len() >= most_pairs {
                cut = true;
            } else if seen.insert(pair.clone()) {
                pending.push(pair);
            }
        }
    }
    let count = |states: HashSet<&Vec<u8>>| states.len();
    Ok(Compared {
        plain: count(seen.iter().map(|(left, _)| left).collect()),
        optimised: count(seen.iter().map(|(_, right)| right).collect()),
        cut,
    })
}
