//! A program and its optimised form, side by side: the same steps, the same violations.
//!
//! Both are walked together from their initial states; in every pair of states that is met, the enabled steps, the
//! successors by their steps, what is wrong with them and whether they are interior must be the same. That is a
//! bisimulation, so every property of runs that the steps decide is kept. Where statements are merged there are fewer states: then the
//! answers are compared.

use crate::oracle::explore;
use crate::temporal::{Case, config, violated};
use mazurka_engine::Verdict;
use mazurka_engine::temporal::Fairness;
use mazurka_model::{Batch, Chosen, System};
use mazurka_program::{Interpreter, Optimisations, Program};
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

/// Walks through a program with and without resets of dead variables and folded constants, over at most `most_pairs` pairs of
/// states; `None` if the program is not valid.
pub fn compare(program: &Program, most_pairs: usize) -> Option<Result<Compared, String>> {
    let plain = Interpreter::new(program.clone()).ok()?;
    let mut changed = program.clone();
    changed.optimise(Optimisations { merge: false, ..Optimisations::ALL });
    let optimised = Interpreter::new(changed).ok()?;
    Some(walk(&plain, &optimised, most_pairs))
}

/// Explores a program with and without merged statements and folded constants, and compares what there is to know of both; `None` if one of them is not valid or
/// has too many states.
pub fn compare_merged(program: &Program, most_states: u64) -> Option<Result<Compared, String>> {
    let mut changed = program.clone();
    changed.optimise(Optimisations { dead: false, ..Optimisations::ALL });
    // The same values are at the same places in both then.
    let plain = Program { keeps_turn: changed.keeps_turn, ..program.clone() };
    let facts =
        |program: Program| explore(&Interpreter::new(program).ok()?, most_states, LONGEST_REGION).ok();
    let (one, other) = (facts(plain)?, facts(changed)?);
    let differs = [
        ("deadlocks", one.deadlocks != other.deadlocks),
        ("violations", one.violated != other.violated),
        ("unreached statements", one.unreached != other.unreached),
    ];
    if let Some((what, _)) = differs.iter().find(|(_, differs)| *differs) {
        return Some(Err(format!("the {what} are not the same: {one:?} but {other:?}")));
    }
    if other.states > one.states {
        return Some(Err(format!("{} states, merged {}", one.states, other.states)));
    }
    let (plain, optimised) = (one.states as usize, other.states as usize);
    Some(Ok(Compared { plain, optimised, cut: false }))
}

/// Asks for the first property of a program with and without all optimisations, by the oracle and by the engine with this method; `None` if that
/// can't be answered, or the property can tell how often a letter is repeated.
pub fn compare_temporal(program: &Program, method: &str, most_states: usize) -> Option<Result<bool, String>> {
    let plain = Case::new(program.clone()).ok()?;
    if !plain.prepared.stutter_invariant {
        return None;
    }
    let expected = violated(&plain, Fairness::None, most_states)?;
    let mut changed = program.clone();
    changed.optimise(Optimisations::ALL);
    let found = Case::new(changed).ok()?.check(Fairness::None, &config(method, "forward"));
    Some(match found {
        Ok((Verdict::Unknown, _)) => return None,
        Ok((verdict, _)) if (verdict == Verdict::Violated) == expected => Ok(expected),
        Ok((verdict, _)) => Err(format!("the oracle says {expected}, the optimised program {verdict:?}")),
        Err(why) => Err(why),
    })
}

/// The longest atomic region that is explored.
const LONGEST_REGION: u64 = 500;

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
