//! The union of automata over the same atoms: what any of them accepts.

use crate::automaton::{Automaton, Edge, State};

/// The union of these automata, of which there is at least one, all over the same atoms. A state of its own chooses between their first steps.
pub(super) fn union(mut automata: Vec<Automaton>) -> Automaton {
    if automata.len() == 1 {
        return automata.remove(0);
    }
    let sets = automata.iter().map(Automaton::sets).max().unwrap_or(0);
    let atoms = automata.first().map_or_else(Vec::new, |first| first.atoms().to_vec());
    let variables: Vec<usize> = (0..atoms.len()).collect();
    let mut whole = Automaton::new(atoms, sets);
    for automaton in &automata {
        let first = whole.size() as u32;
        automaton.states().for_each(|_| _ = whole.add_state());
        // What one of them has no set for, it does not ask for.
        let free = whole.all_marks() & !automaton.all_marks();
        for state in automaton.states() {
            for edge in automaton.edges(state) {
                let label = whole.diagrams.import(&automaton.diagrams, edge.label, &variables);
                let target = State(edge.target.0 + first);
                let copy = Edge { target, marks: edge.marks | free, label };
                whole.add_edge(State(state.0 + first), copy);
                if state == automaton.initial() {
                    whole.add_edge(whole.initial(), copy);
                }
            }
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use crate::formula::Formulas;
    use crate::normal::negation_normal_form;
    use crate::parse::parse;
    use crate::translate::translate;

    #[test]
    fn a_choice_between_many_formulas_stays_small() {
        for count in [7, 16, 40] {
            let all: Vec<String> = (0..count).map(|number| format!("G F p{number}")).collect();
            let mut formulas = Formulas::new();
            let formula = parse(&mut formulas, &format!("!({})", all.join(" && "))).expect("a formula");
            let formula = negation_normal_form(&mut formulas, formula);
            let translation = translate(&mut formulas, formula).expect("it is small");
            assert_eq!(translation.generalised.size(), count + 1);
            assert_eq!(translation.buchi.size(), count + 1);
        }
    }
}
