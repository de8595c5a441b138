//! Any acceptance condition as generalised Büchi.
//!
//! A condition is a disjunction of conjunctions of `Inf` and `Fin`. For each conjunction there is a copy of the
//! automaton without the edges that may be taken only finitely often; a run guesses when it has taken the
//! last of them and moves over. Conditions without `Fin` need no copies: each disjunction of `Inf`s is one set.

use crate::automaton::{Automaton, Edge, MOST_SETS, Marks, State};

/// An acceptance condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    True,
    False,
    /// Edges in the set (or, if negated, outside it) infinitely often.
    Inf(u32, bool),
    /// Only finitely often.
    Fin(u32, bool),
    And(Vec<Condition>),
    Or(Vec<Condition>),
}

/// Sets of edges by their marks: an edge is in it if it has one of the sets, or lacks one of the negated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Union {
    has: Marks,
    lacks: Marks,
}

impl Union {
    fn of(set: u32, negated: bool) -> Union {
        let mark = 1 << set;
        if negated { Union { has: 0, lacks: mark } } else { Union { has: mark, lacks: 0 } }
    }

    fn contains(&self, marks: Marks) -> bool {
        self.has & marks != 0 || self.lacks & !marks != 0
    }
}

/// One way to be accepted: each of the sets infinitely often, none of the forbidden from some time on.
#[derive(Clone, Debug, Default)]
struct Way {
    often: Vec<Union>,
    forbidden: Union,
}

/// More conjunctions than this are refused.
const MOST_WAYS: usize = 64;

/// An automaton with the marks of the file, as generalised Büchi. None if there would be too many sets
/// or copies.
pub(super) fn generalise(automaton: Automaton, condition: &Condition) -> Option<Automaton> {
    if let Some(sets) = conjunctive(condition) {
        let mut automaton = automaton;
        automaton.sets = u32::try_from(sets.len()).ok().filter(|count| *count < MOST_SETS)?;
        for edge in automaton.edges.iter_mut().flatten() {
            edge.marks = marks(&sets, edge.marks);
        }
        return Some(automaton);
    }
    let ways = disjunctive(condition)?;
    let sets = ways.iter().map(|way| way.often.len()).max().unwrap_or(0).max(1);
    let mut result = automaton.clone();
    result.sets = u32::try_from(sets).ok().filter(|count| *count < MOST_SETS)?;
    result.edges.iter_mut().flatten().for_each(|edge| edge.marks = 0);
    for way in &ways {
        let offset = result.size() as u32;
        let mut often = way.often.clone();
        // A set that every edge is in makes up for those that other ways have more.
        often.resize(sets, Union { has: Marks::MAX, lacks: Marks::MAX });
        for (source, edges) in automaton.edges.iter().enumerate() {
            let allowed = edges.iter().filter(|edge| !way.forbidden.contains(edge.marks));
            let copied: Vec<Edge> = allowed
                .map(|edge| Edge {
                    target: State(edge.target.0 + offset),
                    marks: marks(&often, edge.marks),
                    label: edge.label,
                })
                .collect();
            // Moving over is possible with any edge that stays allowed.
            result.edges[source].extend(copied.iter().map(|edge| Edge { marks: 0, ..*edge }));
            result.edges.push(copied);
        }
    }
    result.tidy();
    Some(result)
}

fn marks(sets: &[Union], old: Marks) -> Marks {
    let inside = sets.iter().enumerate().filter(|(_, set)| set.contains(old));
    inside.fold(0, |marks, (number, _)| marks | 1 << number)
}

/// A conjunction of disjunctions of `Inf`, if the condition is one.
fn conjunctive(condition: &Condition) -> Option<Vec<Union>> {
    match condition {
        Condition::True => Some(Vec::new()),
        Condition::False => Some(vec![Union::default()]),
        Condition::And(all) => {
            let parts: Option<Vec<Vec<Union>>> = all.iter().map(conjunctive).collect();
            parts.map(|parts| parts.concat())
        }
        other => disjunction(other).map(|one| vec![one]),
    }
}

fn disjunction(condition: &Condition) -> Option<Union> {
    match condition {
        Condition::False => Some(Union::default()),
        Condition::Inf(set, negated) => Some(Union::of(*set, *negated)),
        Condition::Or(all) => all.iter().try_fold(Union::default(), |union, one| {
            let one = disjunction(one)?;
            Some(Union { has: union.has | one.has, lacks: union.lacks | one.lacks })
        }),
        _ => None,
    }
}

/// The ways to be accepted.
fn disjunctive(condition: &Condition) -> Option<Vec<Way>> {
    let ways = match condition {
        Condition::True => vec![Way::default()],
        Condition::False => Vec::new(),
        Condition::Inf(set, negated) => {
            vec![Way { often: vec![Union::of(*set, *negated)], forbidden: Union::default() }]
        }
        Condition::Fin(set, negated) => {
            vec![Way { often: Vec::new(), forbidden: Union::of(*set, *negated) }]
        }
        Condition::Or(all) => {
            let parts: Option<Vec<Vec<Way>>> = all.iter().map(disjunctive).collect();
            parts?.concat()
        }
        Condition::And(all) => all.iter().try_fold(vec![Way::default()], |ways, one| {
            let more = disjunctive(one)?;
            let pairs = ways.iter().flat_map(|way| more.iter().map(move |other| (way, other)));
            let joined = pairs.map(|(way, other)| Way {
                often: [way.often.as_slice(), other.often.as_slice()].concat(),
                forbidden: Union {
                    has: way.forbidden.has | other.forbidden.has,
                    lacks: way.forbidden.lacks | other.forbidden.lacks,
                },
            });
            Some(joined.take(MOST_WAYS + 1).collect()).filter(|ways: &Vec<Way>| ways.len() <= MOST_WAYS)
        })?,
    };
    (ways.len() <= MOST_WAYS).then_some(ways)
}
