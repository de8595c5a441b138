//! Steps that compiled code leaves out because they are met [elsewhere](mazurka_model::Elsewhere), with searches that leave out nothing as the oracle.
//!
//! Of each state that is met it is looked whether the steps that are left out are as many as was said, and lead where two steps lead in the other order:
//! first the step that is left out, then the one that has just been taken. Then the engine's searches, by one thread and by two and in several stores, must come to the same
//! states, edges, errors and steps inside regions, whether they leave out steps or not.

use crate::compiled::Disagreement;
use fastrand::Rng;
use mazurka_engine::expand::Expander;
use mazurka_engine::{Codec, Config, Limits, Method, Reduction, Silent, check};
use mazurka_jit::Compiled;
use mazurka_model::{Batch, Chosen, Elsewhere, Known, ProcessId, Rank, Step, System};
use std::collections::HashSet;

/// The most states that are opened together.
const MOST: usize = 12;

/// A step, and the state that it leads to.
type Edge = (Step, Vec<u8>);

/// The edges of a state under the steps of a process, and the steps inside regions on the way; `None` if something is wrong with them.
fn edges(expander: &mut Expander<'_>, state: &[u8], process: ProcessId) -> Option<(Vec<Edge>, u64)> {
    let before = expander.atomic_steps();
    expander.clear();
    expander.add(state, Chosen::Process(process));
    let edges = expander.edges();
    let usual = edges.violations().is_empty() && expander.met().is_empty() && !expander.is_endless();
    let found = edges.successors().iter().enumerate();
    usual.then(|| {
        let edges = found.map(|(index, successor)| (successor.step, edges.state(index).to_vec()));
        (edges.collect(), expander.atomic_steps() - before)
    })
}

fn differ<T>(
    question: &str,
    state: &[u8],
    expected: impl Into<String>,
    found: impl Into<String>,
) -> Result<T, Disagreement> {
    let (question, state) = (question.to_owned(), state.to_vec());
    Err(Disagreement { question, state, interpreted: expected.into(), compiled: found.into() })
}

/// Looks at what is said to be met elsewhere behind a step from one state to another; how many steps that are.
fn look(
    one: &mut Expander<'_>,
    from: &[u8],
    (step, to): (Step, &[u8]),
    said: Elsewhere,
) -> Result<u64, Disagreement> {
    let (mut steps, mut walked) = (0, 0);
    for process in (0..Elsewhere::PROCESSES as u16).map(ProcessId).filter(|process| said.has(*process)) {
        let (Some(before), Some(behind)) = (edges(one, from, process), edges(one, to, process)) else {
            return differ(
                "what is wrong with steps that are met elsewhere",
                to,
                "nothing",
                format!("{process:?}"),
            );
        };
        steps += behind.0.len() as u64;
        walked += behind.1;
        let codes = |edges: &[Edge]| edges.iter().map(|(step, _)| *step).collect::<Vec<_>>();
        if codes(&before.0) != codes(&behind.0) {
            let texts = (format!("{:?}", codes(&before.0)), format!("{:?}", codes(&behind.0)));
            return differ("the steps that are met elsewhere", to, texts.0, texts.1);
        }
        for ((_, between), (other, target)) in before.0.iter().zip(&behind.0) {
            let round = edges(one, between, step.process);
            let meets = |(again, met): &Edge| *again == step && met == target;
            if !round.is_some_and(|(edges, _)| edges.iter().any(meets)) {
                return differ("where two steps lead", from, format!("{step:?} {other:?}"), "elsewhere");
            }
        }
    }
    if (steps, walked) != (said.steps(), said.walked()) {
        let texts = (format!("{steps} {walked}"), format!("{said:?}"));
        return differ("how many steps are met elsewhere", to, texts.0, texts.1);
    }
    Ok(steps)
}

/// Explores everything by one rank, and looks at all that is said. How many states there are, and how many steps were left out.
fn explore(compiled: &Compiled, rank: Rank, random: &mut Rng) -> Result<(u64, u64), Disagreement> {
    let (mut several, mut one) = (Expander::new(compiled), Expander::new(compiled));
    let mut initial = Batch::default();
    compiled.initial(&mut initial);
    let mut waiting: Vec<_> =
        (0..initial.len()).map(|at| (initial.state(at).to_vec(), Elsewhere::NONE)).collect();
    let mut seen: HashSet<Vec<u8>> = waiting.iter().map(|(state, _)| state.clone()).collect();
    let mut left_out = 0;
    while !waiting.is_empty() {
        let size = random.usize(1..=MOST).min(waiting.len());
        let (states, known): (Vec<_>, Vec<_>) = waiting.split_off(waiting.len() - size).into_iter().unzip();
        several.clear();
        let parts = several.add_several(&states, Some(Known { of: &known, rank })).map(<[_]>::to_vec);
        let Some(parts) = parts else {
            for state in &states {
                several.clear();
                several.add(state, Chosen::All);
                for index in 0..several.edges().len() {
                    let successor = several.edges().state(index);
                    if seen.insert(successor.to_vec()) {
                        waiting.push((successor.to_vec(), Elsewhere::NONE));
                    }
                }
            }
            continue;
        };
        left_out += known.iter().map(|known| known.steps()).sum::<u64>();
        let mut from = 0;
        for (state, part) in states.iter().zip(parts) {
            for index in from..part.end {
                let (step, successor) =
                    (several.edges().successors()[index].step, several.edges().state(index));
                let said = several.onward().get(index).copied().unwrap_or_default();
                look(&mut one, state, (step, successor), said)?;
                if seen.insert(successor.to_vec()) {
                    waiting.push((successor.to_vec(), said));
                }
            }
            from = part.end;
        }
    }
    Ok((seen.len() as u64, left_out))
}

/// Compares everything in a system of at most so many states, or nothing if it has more. How many steps were left out.
pub fn compare(compiled: &Compiled, most_states: u64, random: &mut Rng) -> Result<u64, Disagreement> {
    let config = Config {
        reduction: Reduction { method: Method::None, sleep: false },
        max_errors: 0,
        limits: Limits { states: Some(most_states), ..Limits::default() },
        in_order: u64::MAX,
        ..Config::default()
    };
    let counts = |config: &Config| {
        let outcome = check(compiled, config, &Silent);
        let statistics = &outcome.statistics;
        let counts = (statistics.states, statistics.matched, statistics.errors, statistics.atomic_steps);
        (counts, outcome.verdict, outcome.stopped.is_none())
    };
    let expected = counts(&config);
    if !expected.2 {
        return Ok(0);
    }
    for (codec, threads) in [(Codec::Plain, 1), (Codec::Tree, 1), (Codec::Plain, 1 + random.usize(..3))] {
        let in_order = if random.bool() { 0 } else { random.u64(..100) };
        let found = counts(&Config { in_order, codec, threads, ..config.clone() });
        if found != expected {
            let question = format!("the search with {codec:?}, {threads} threads, after {in_order} states");
            return differ(&question, &[], format!("{expected:?}"), format!("{found:?}"));
        }
    }
    let mut left_out = 0;
    for rank in [Rank::Ascending, Rank::Descending] {
        let (states, steps) = explore(compiled, rank, random)?;
        left_out += steps;
        if states != expected.0.0 {
            return differ(
                "the states, by rank",
                &[],
                expected.0.0.to_string(),
                format!("{states} {rank:?}"),
            );
        }
    }
    Ok(left_out)
}
