//! The automaton that a property is: generalised Büchi, with acceptance on edges.
//!
//! It accepts the runs that *break* the property. A run is accepted if it takes edges of each acceptance
//! set infinitely often; with no set, every infinite run is. The engine does not know where an automaton
//! comes from: a formula, a never claim, or another tool.
//!
//! A run that ends is continued by standing still for ever, unless the automaton is one that [only accepts](Acceptor::of_endless_runs) runs
//! that go on.

use std::collections::HashMap;

/// A conjunction of atoms and negated atoms: the letters with `letter & care == value`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Cube {
    /// The atoms that count.
    pub care: u64,
    /// Which of those hold.
    pub value: u64,
}

impl Cube {
    /// Every letter.
    pub const ANY: Cube = Cube { care: 0, value: 0 };

    /// Whether it allows a letter.
    pub fn allows(self, letter: u64) -> bool {
        letter & self.care == self.value
    }
}

/// An edge out of some state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AcceptorEdge {
    /// Where it leads.
    pub target: u32,
    /// The acceptance sets it belongs to, bit by bit.
    pub marks: u64,
    /// The letters it may be taken with: those that one of the cubes allows.
    pub guard: Vec<Cube>,
}

impl AcceptorEdge {
    /// Whether it may be taken where `letter` holds.
    pub fn allows(&self, letter: u64) -> bool {
        self.guard.iter().any(|cube| cube.allows(letter))
    }
}

/// A generalised Büchi automaton over the letters of some [atoms](mazurka_model::Atoms).
///
/// ```
/// use mazurka_engine::temporal::{Acceptor, AcceptorEdge, Cube};
/// // Atom 0 is false from some point on: what breaks "always again".
/// let mut acceptor = Acceptor::new(2, 0, 1);
/// let never_again = Cube { care: 1, value: 0 };
/// acceptor.add_edge(0, AcceptorEdge { target: 0, marks: 0, guard: vec![Cube::ANY] });
/// acceptor.add_edge(0, AcceptorEdge { target: 1, marks: 0, guard: vec![never_again] });
/// acceptor.add_edge(1, AcceptorEdge { target: 1, marks: 1, guard: vec![never_again] });
/// assert_eq!(acceptor.edges(1).len(), 1);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Acceptor {
    edges: Vec<Vec<AcceptorEdge>>,
    initial: u32,
    sets: u32,
    endless: bool,
}

impl Acceptor {
    /// `states` states without edges, one of them initial, and `sets` acceptance sets, at most 64.
    pub fn new(states: u32, initial: u32, sets: u32) -> Acceptor {
        Acceptor { edges: vec![Vec::new(); states as usize], initial, sets: sets.min(64), endless: false }
    }

    /// The same for runs that go on for ever only: one that ends is not accepted.
    pub fn of_endless_runs(mut self) -> Acceptor {
        self.endless = true;
        self
    }

    /// Whether a run that ends, continued by standing still, may be accepted.
    pub fn accepts_ends(&self) -> bool {
        !self.endless
    }

    /// Adds an edge out of a state.
    pub fn add_edge(&mut self, source: u32, edge: AcceptorEdge) {
        self.edges[source as usize].push(edge);
    }

    /// The edges out of a state.
    pub fn edges(&self, state: u32) -> &[AcceptorEdge] {
        &self.edges[state as usize]
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.edges.len()
    }

    /// Where runs begin.
    pub fn initial(&self) -> u32 {
        self.initial
    }

    /// The marks of an edge that is in every set.
    pub fn all_marks(&self) -> u64 {
        if self.sets == 64 { u64::MAX } else { (1 << self.sets) - 1 }
    }

    /// An automaton without sets as one whose only set has all edges.
    pub fn with_a_set(&self) -> Acceptor {
        let mut counted = Acceptor { sets: 1, ..self.clone() };
        counted.edges.iter_mut().flatten().for_each(|edge| edge.marks = 1);
        counted
    }

    /// An automaton with the same runs and a single acceptance set, and its states that are accepting: those that all
    /// edges of the set lead to, and no others. It counts through the sets (Choueka 1974).
    pub fn with_accepting_states(&self) -> (Acceptor, Vec<bool>) {
        let last = self.sets;
        // A state of this automaton, and how many sets were met since all were: at the last one all are.
        let mut places: Vec<(u32, u32)> = vec![(self.initial, 0)];
        let mut numbers: HashMap<(u32, u32), u32> = HashMap::from([((self.initial, 0), 0)]);
        let mut counting = Acceptor::new(0, 0, 1);
        while counting.edges.len() < places.len() {
            let (state, met) = places[counting.edges.len()];
            let mut edges = Vec::new();
            for edge in &self.edges[state as usize] {
                let mut next = if met == last { 0 } else { met };
                while next < last && edge.marks >> next & 1 == 1 {
                    next += 1;
                }
                let place = (edge.target, next);
                let target = *numbers.entry(place).or_insert_with(|| {
                    places.push(place);
                    places.len() as u32 - 1
                });
                let marks = u64::from(next == last);
                edges.push(AcceptorEdge { target, marks, guard: edge.guard.clone() });
            }
            counting.edges.push(edges);
        }
        let accepting = places.iter().map(|(_, met)| *met == last).collect();
        (counting, accepting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_counted_through_one_after_another() {
        let mut two = Acceptor::new(1, 0, 2);
        for marks in 0..4 {
            let guard = vec![Cube { care: 3, value: marks }];
            two.add_edge(0, AcceptorEdge { target: 0, marks, guard });
        }
        let (counting, accepting) = two.with_accepting_states();
        let step = |state: u32, letter: u64| {
            counting.edges(state).iter().find(|edge| edge.allows(letter)).map_or(0, |edge| edge.target)
        };
        let visits = |word: &[u64]| {
            let mut state = counting.initial();
            let states = (0..20 * word.len()).map(|i| {
                state = step(state, word[i % word.len()]);
                accepting[state as usize]
            });
            states.filter(|accepting| *accepting).count()
        };
        assert!(visits(&[3]) >= 19 && visits(&[2, 0, 1]) >= 18);
        assert!(visits(&[1]) == 0 && visits(&[2, 0]) == 0);
        let none = Acceptor::new(1, 0, 0).with_accepting_states();
        assert_eq!(none.1, [true]);
    }
}
