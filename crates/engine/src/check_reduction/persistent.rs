//! Are the proposed sets persistent? Definition 7 of Godefroid and Pirottin (1993), taken at its word.
//!
//! For a set T proposed in state s, all states that can be reached from s without a step of T are
//! visited, and every step taken on the way must be independent, in the state in which it is taken, of
//! every step of T: neither disables the other, both orders lead to the same states, and the same goes
//! wrong in both (Definition 5, by execution). A step with several successors is compared by the set of
//! them. What was visited for T from one state need not be visited again from another one: the
//! sequences from there are ends of sequences from here.
//!
//! Where [states that are alike](super::likeness) count as one, so they do here. Removals lead from one to another of these, so they depend on nothing: a
//! set that has one needs nothing else, and the rest of it is compared as ever.

use super::graph::{Graph, Move};
use super::likeness::Likeness;
use super::{Breach, Report};
use crate::config::Order;
use crate::reduce::Reducer;
use crate::search::{sort_steps, waits_for_rest};
use mazurka_model::Step;
use std::collections::{HashMap, HashSet, VecDeque};

/// How two steps go together in a state.
enum Verdict {
    Independent,
    /// They depend on each other, in this way.
    Dependent(&'static str),
    /// A state behind them was not expanded.
    Unknown,
}

/// What was visited, by set of steps.
pub struct Checker<'l> {
    likeness: &'l Likeness<'l>,
    sets: HashMap<Vec<Step>, HashSet<u32>>,
}

impl<'l> Checker<'l> {
    /// For states that count as this says.
    pub fn new(likeness: &'l Likeness<'l>) -> Checker<'l> {
        Checker { likeness, sets: HashMap::new() }
    }

    /// Checks every set that `reducer` proposes in a state of the graph.
    pub fn state(
        &mut self,
        graph: &Graph<'_>,
        number: u32,
        reducer: &mut dyn Reducer,
        order: Order,
        report: &mut Report,
    ) {
        let state = graph.state(number);
        let mut enabled: Vec<Step> = graph.moves(number).unwrap_or(&[]).iter().map(|m| m.step).collect();
        sort_steps(order, state, &mut enabled);
        // Searches ask no reducer where nothing is enabled but what waits for that.
        if enabled.is_empty() || waits_for_rest(graph.system(), state, &enabled) {
            return;
        }
        let mut set = Vec::new();
        let mut attempt = 0;
        while !report.enough() && reducer.propose(state, &enabled, attempt, &mut set) {
            attempt += 1;
            report.sets += 1;
            let mut steps: Vec<Step> = set.iter().filter_map(|&index| enabled.get(index).copied()).collect();
            steps.sort_unstable();
            steps.dedup();
            if steps.is_empty() && set.is_empty() && reducer.may_choose_nothing() {
                continue;
            }
            if steps.is_empty() || steps.len() != set.len() {
                let message = "the proposed set is empty, or names a step twice or one that is not enabled";
                report.breach(self.describe(graph, number, &steps, &[], message));
                continue;
            }
            steps.retain(|step| !self.likeness.is_removal(state, *step));
            self.follow(graph, number, steps, report);
        }
    }

    /// Visits what can be reached from a state without a step of the set.
    fn follow(&mut self, graph: &Graph<'_>, start: u32, set: Vec<Step>, report: &mut Report) {
        let mut visited = self.sets.remove(&set).unwrap_or_default();
        let mut parents: HashMap<u32, (u32, Step)> = HashMap::new();
        let mut queue = VecDeque::new();
        if visited.insert(start) {
            queue.push_back(start);
        }
        'states: while let Some(number) = queue.pop_front() {
            let Some(moves) = graph.moves(number) else {
                report.cut = true;
                continue;
            };
            for outside in moves.iter().filter(|m| set.binary_search(&m.step).is_err()) {
                let removal = self.likeness.is_removal(graph.state(number), outside.step);
                for member in set.iter().filter(|_| !removal) {
                    let verdict = match moves.iter().find(|m| m.step == *member) {
                        Some(member) => independent(graph, self.likeness, outside, member),
                        None => Verdict::Dependent("a step of the set is no longer enabled"),
                    };
                    report.pairs += 1;
                    match verdict {
                        Verdict::Independent => {}
                        Verdict::Unknown => report.cut = true,
                        Verdict::Dependent(how) => {
                            let mut way = vec![(number, outside.step)];
                            let mut at = number;
                            while let Some(&(before, step)) = parents.get(&at) {
                                way.push((before, step));
                                at = before;
                            }
                            way.reverse();
                            let member = graph.words(start, *member);
                            let message = format!(
                                "the set is not persistent: the last step outside it depends on \
                                 `{member}` ({how})"
                            );
                            report.breach(self.describe(graph, start, &set, &way, &message));
                            break 'states;
                        }
                    }
                }
                for &result in &outside.results {
                    if visited.insert(result) {
                        parents.insert(result, (number, outside.step));
                        queue.push_back(result);
                    }
                }
            }
        }
        self.sets.insert(set, visited);
    }

    fn describe(
        &self,
        graph: &Graph<'_>,
        state: u32,
        set: &[Step],
        way: &[(u32, Step)],
        message: &str,
    ) -> Breach {
        Breach {
            message: message.to_owned(),
            state: graph.system().describe().values(graph.state(state)),
            set: set.iter().map(|step| graph.words(state, *step)).collect(),
            sequence: way.iter().map(|(at, step)| graph.words(*at, *step)).collect(),
        }
    }
}

/// Definition 5 for two steps that are enabled in the same state, by what they lead to.
fn independent(graph: &Graph<'_>, likeness: &Likeness<'_>, a: &Move, b: &Move) -> Verdict {
    let ab = match second(graph, a, b) {
        Ok(states) => states,
        Err(verdict) => return verdict,
    };
    let ba = match second(graph, b, a) {
        Ok(states) => states,
        Err(verdict) => return verdict,
    };
    if likeness.classes(&ab) == likeness.classes(&ba) {
        Verdict::Independent
    } else {
        Verdict::Dependent("their order makes a difference")
    }
}

/// The states behind `a` and then `b`, ascending.
fn second(graph: &Graph<'_>, a: &Move, b: &Move) -> Result<Vec<u32>, Verdict> {
    let mut all = Vec::new();
    for result in &a.results {
        let moves = graph.moves(*result).ok_or(Verdict::Unknown)?;
        let later =
            moves.iter().find(|m| m.step == b.step).ok_or(Verdict::Dependent("one disables the other"))?;
        if later.wrongs != b.wrongs {
            return Err(Verdict::Dependent("one changes what goes wrong in the other"));
        }
        all.extend_from_slice(&later.results);
    }
    all.sort_unstable();
    all.dedup();
    Ok(all)
}
