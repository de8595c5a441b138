//! Automata of the logic in the plain form that the engine knows.

use mazurka_engine::temporal::{Acceptor, AcceptorEdge, Cube};
use mazurka_ltl::Automaton;

/// An automaton whose atoms have these numbers in a letter.
pub fn acceptor(automaton: &Automaton, number: impl Fn(&str) -> usize) -> Acceptor {
    let numbers: Vec<usize> = automaton.atoms().iter().map(|name| number(name)).collect();
    let mut acceptor = Acceptor::new(automaton.size() as u32, automaton.initial().0, automaton.sets());
    for state in automaton.states() {
        for edge in automaton.edges(state) {
            let cubes = automaton.products(edge.label).into_iter().map(|product| {
                product.into_iter().fold(Cube::ANY, |cube, (variable, holds)| {
                    let bit = 1 << numbers[variable];
                    Cube { care: cube.care | bit, value: cube.value | if holds { bit } else { 0 } }
                })
            });
            let (target, marks) = (edge.target.0, edge.marks);
            acceptor.add_edge(state.0, AcceptorEdge { target, marks, guard: cubes.collect() });
        }
    }
    acceptor
}
