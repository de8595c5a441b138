//! Automata as drawings for Graphviz.

use crate::automaton::Automaton;
use crate::guard;
use std::fmt::Write;

/// The automaton as a DOT graph. Accepting states of a Büchi automaton have a double border; other
/// acceptance is written on the edges.
pub fn write(automaton: &Automaton, name: Option<&str>) -> String {
    let mut out = String::new();
    // Writing to a string can't fail.
    let _ = write_into(automaton, name, &mut out);
    out
}

fn write_into(automaton: &Automaton, name: Option<&str>, out: &mut String) -> std::fmt::Result {
    let on_states = automaton.is_state_based() && automaton.sets() == 1;
    writeln!(out, "digraph automaton {{")?;
    writeln!(out, "  rankdir=LR;")?;
    if let Some(name) = name {
        writeln!(out, "  label=\"{}\"; labelloc=t;", escaped(name))?;
    }
    writeln!(out, "  node [shape=circle];")?;
    writeln!(out, "  start [shape=point, width=0.05];")?;
    writeln!(out, "  start -> {};", automaton.initial().0)?;
    for state in automaton.states() {
        let double = on_states && automaton.marks_of(state) == 1;
        writeln!(out, "  {}{};", state.0, if double { " [shape=doublecircle]" } else { "" })?;
    }
    for state in automaton.states() {
        for edge in automaton.edges(state) {
            let mut label = guard::readable(automaton, edge.label);
            if !on_states && edge.marks != 0 {
                let sets: Vec<String> =
                    (0..64).filter(|set| edge.marks >> set & 1 == 1).map(|set| set.to_string()).collect();
                let _ = write!(label, " {{{}}}", sets.join(","));
            }
            writeln!(out, "  {} -> {} [label=\"{}\"];", state.0, edge.target.0, escaped(&label))?;
        }
    }
    writeln!(out, "}}")
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use crate::formula::Formulas;
    use crate::parse::parse;
    use crate::translate::translate;

    #[test]
    fn accepting_states_are_drawn_twice() {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, "F \"x \\\"y\\\"\"").unwrap();
        let drawn = super::write(&translate(&mut formulas, formula).unwrap().buchi, Some("F"));
        assert_eq!(drawn.matches("doublecircle").count(), 1);
        assert!(drawn.contains("[label=\"\\\"x \\\\\\\"y\\\\\\\"\\\"\"]"), "{drawn}");
    }
}
