//! Why the steps of a state were chosen: each move of a closed set with the reason it came along.
//!
//! What was chosen is asked of the very method that a search uses. The reasons are found
//! afterwards, in the graph of [`super::moves`]: of all closed sets whose enabled steps were chosen
//! the largest is computed, and walked through from one of its steps, breadth first, so that
//! every move has a shortest chain of reasons. A search pays nothing for this.
//!
//! Methods that look at processes and objects rather than at moves and operations may choose more
//! than the operations ask for; such a step has the reason [`Reason::Method`]. Sleep sets and provisos
//! belong to a search and not to a state: neither is looked at.

use super::bits::Bits;
use super::dependency::{Judge, Relation};
use super::moves::Moves;
use super::moves::why::Link;
use crate::config::{Config, Dependency, Method, Order, Reduction};
use mazurka_model::{Access, ProcessId, Relations, Step, System};
use std::collections::VecDeque;

/// What a reduction makes of one state.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// What was in force, `auto` resolved.
    pub reduction: Reduction,
    /// The grade of dependency.
    pub dependency: Dependency,
    /// The enabled steps, in the order in which they are tried.
    pub enabled: Vec<Step>,
    /// Those that were chosen, as indices.
    pub chosen: Vec<usize>,
    /// Why all were, if so.
    pub whole: Option<Whole>,
    /// The moves of the closed set, in the order in which they came along.
    pub moves: Vec<Member>,
}

/// Why all enabled steps are explored.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Whole {
    /// There is none, or only one.
    NoChoice,
    /// Nothing is reduced.
    NoReduction,
    /// They are enabled only because nothing else is, like a timeout.
    LastResort,
    /// Whatever the search starts from, everything comes along.
    AllComeAlong,
}

/// A move of the closed set: an alternative of a process, enabled or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The process.
    pub process: ProcessId,
    /// Which of its alternatives.
    pub alternative: usize,
    /// The enabled steps that take it; none: it is not enabled.
    pub steps: Vec<usize>,
    /// Why it came along.
    pub reason: Reason,
    /// If it is not enabled, the operations that evaluate the condition that was chosen to wait for;
    /// empty: nothing that others do can enable it.
    pub awaits: Vec<Access>,
}

/// Why a move came along.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The set was built from here.
    Seed,
    /// The method asks for it, the operations do not.
    Method,
    /// The move with this number brought it along.
    Along(usize, Link),
}

/// What the reduction of `config` makes of `state`.
pub fn explain(system: &dyn System, config: &Config, state: &[u8]) -> Explanation {
    let (reduction, _) = super::resolve(system, config);
    let mut enabled = Vec::new();
    system.enabled(state, &mut enabled);
    if config.order == Order::Reverse {
        enabled.sort_by_key(|step| std::cmp::Reverse(step.process));
    }
    let mut explanation = Explanation {
        reduction,
        dependency: config.dependency,
        chosen: (0..enabled.len()).collect(),
        enabled,
        whole: None,
        moves: Vec::new(),
    };
    let enabled = &explanation.enabled;
    let resolved = Config { reduction, ..config.clone() };
    let relations = super::numbers::relations(system, &resolved);
    let reducer = relations.and_then(|relations| super::reducer_by(system, relations, &resolved));
    let (Some(mut reducer), Some(relations)) = (reducer, relations) else {
        explanation.whole = Some(Whole::NoReduction);
        return explanation;
    };
    let mut set = Vec::new();
    explanation.whole = if enabled.first().is_some_and(|first| relations.is_last_resort(state, *first)) {
        Some(Whole::LastResort)
    } else if enabled.len() < 2 {
        Some(Whole::NoChoice)
    } else if reducer.propose(state, enabled, 0, &mut set) {
        explanation.chosen = set;
        None
    } else {
        Some(Whole::AllComeAlong)
    };
    if matches!(explanation.whole, None | Some(Whole::AllComeAlong)) {
        let walk = Walk::new(relations, &explanation, state);
        explanation.moves = walk.members();
    }
    explanation
}

/// A walk through a closed set.
struct Walk<'a, 's> {
    moves: Moves<'s>,
    explanation: &'a Explanation,
    state: &'a [u8],
    /// The largest closed set whose enabled steps were chosen.
    closed: Bits,
    /// Alternatives of a process come along together.
    whole_processes: bool,
}

impl<'a, 's> Walk<'a, 's> {
    fn new(relations: &'s dyn Relations, explanation: &'a Explanation, state: &'a [u8]) -> Walk<'a, 's> {
        let (grade, relation) = match explanation.reduction.method {
            Method::Local | Method::Overman | Method::OvermanLocated => {
                (Dependency::Object, Relation::Constant)
            }
            Method::Stubborn => (explanation.dependency, Relation::Constant),
            Method::Ample => (explanation.dependency, Relation::Together),
            _ => (explanation.dependency, Relation::Interaction),
        };
        let mut moves = Moves::new(relations, Judge::new(relations, grade).by(relation));
        moves.load(state, &explanation.enabled);
        let nodes = moves.nodes();
        let mut closed = Bits::default();
        closed.clear(nodes);
        let chosen = |step: &usize| explanation.chosen.contains(step);
        (0..nodes).filter(|&n| moves.steps_of(n).iter().all(chosen)).for_each(|n| closed.insert(n));
        loop {
            let before = closed.count();
            for node in 0..nodes {
                if closed.contains(node)
                    && !moves.choices(state, node).iter().any(|choice| choice.is_within(&closed))
                {
                    closed.remove(node);
                }
            }
            if closed.count() == before {
                break;
            }
        }
        let whole_processes = matches!(
            explanation.reduction.method,
            Method::Local | Method::Overman | Method::OvermanLocated | Method::Persistent
        );
        Walk { moves, explanation, state, closed, whole_processes }
    }

    /// The members found from the step from which the most chosen steps are, and then those that
    /// only the method asks for.
    fn members(mut self) -> Vec<Member> {
        let mut best: Vec<(usize, Member)> = Vec::new();
        let enabled = |found: &[(usize, Member)]| found.iter().filter(|(_, m)| !m.steps.is_empty()).count();
        for seed in self.explanation.chosen.clone() {
            let found = self.from(seed);
            if best.is_empty() || enabled(&found) > enabled(&best) {
                best = found;
            }
        }
        let mut members: Vec<Member> = best.into_iter().map(|(_, member)| member).collect();
        for &step in &self.explanation.chosen {
            if !members.iter().any(|member| member.steps.contains(&step)) {
                let nodes: Vec<usize> = self.moves.nodes_of(step).collect();
                members.extend(nodes.into_iter().map(|node| self.member(node, Reason::Method)));
            }
        }
        members
    }

    /// The members found from an enabled step, each with its node.
    fn from(&mut self, seed: usize) -> Vec<(usize, Member)> {
        let nodes: Vec<usize> = self.moves.nodes_of(seed).collect();
        let mut members: Vec<(usize, Member)> = Vec::new();
        let mut queue = VecDeque::new();
        for node in nodes {
            queue.push_back(members.len());
            members.push((node, self.member(node, Reason::Seed)));
        }
        while let Some(number) = queue.pop_front() {
            let node = members[number].0;
            let mut come: Vec<(usize, Link)> = Vec::new();
            if self.whole_processes {
                let (first, count) = self.moves.siblings(node);
                come.extend((first..first + count).map(|sibling| (sibling, Link::SameProcess)));
            }
            if let Some(choice) = self.choice(node) {
                let others: Vec<usize> = self.moves.choices(self.state, node)[choice].iter().collect();
                for other in others {
                    if let Some(link) = self.moves.why(self.state, node, choice, other) {
                        come.push((other, link));
                    }
                }
            }
            for (other, link) in come {
                if !members.iter().any(|(known, _)| *known == other) {
                    queue.push_back(members.len());
                    members.push((other, self.member(other, Reason::Along(number, link))));
                }
            }
        }
        members
    }

    /// Which of the sets that may come along with a node does.
    fn choice(&mut self, node: usize) -> Option<usize> {
        let closed = &self.closed;
        let choices = self.moves.choices(self.state, node).iter().enumerate();
        let within = choices.filter(|(_, choice)| choice.is_within(closed));
        within.min_by_key(|(_, choice)| choice.count()).map(|(index, _)| index)
    }

    fn member(&mut self, node: usize, reason: Reason) -> Member {
        let (process, alternative) = self.moves.place(node);
        let steps = self.moves.steps_of(node).to_vec();
        let mut awaits = Vec::new();
        if steps.is_empty()
            && let Some(choice) = self.choice(node)
        {
            let conditions = self.moves.awaited(self.state, node);
            awaits = conditions.into_iter().nth(choice).map(|(accesses, _)| accesses).unwrap_or_default();
        }
        Member { process, alternative, steps, reason, awaits }
    }
}
