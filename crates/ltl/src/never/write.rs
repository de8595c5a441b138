//! Writing Büchi automata as never claims.

use crate::automaton::{Automaton, State};
use crate::guard::{self, Signs};
use std::fmt::Write;

/// The automaton as a never claim. None unless it is a Büchi automaton with acceptance on states.
///
/// Atoms are written as they are, in parentheses unless they are names: they should be Promela.
pub fn write(automaton: &Automaton, comment: Option<&str>) -> Option<String> {
    if automaton.sets() != 1 || !automaton.is_state_based() {
        return None;
    }
    let mut out = String::new();
    // Writing to a string can't fail.
    let _ = write_into(automaton, comment, &mut out);
    Some(out)
}

fn write_into(automaton: &Automaton, comment: Option<&str>, out: &mut String) -> std::fmt::Result {
    match comment {
        Some(comment) => writeln!(out, "never {{ /* {} */", comment.replace("*/", "* /"))?,
        None => writeln!(out, "never {{")?,
    }
    let signs = Signs { and: " && ", or: " || ", yes: "true", no: "false" };
    // SPIN begins with the first state.
    let others = automaton.states().filter(|state| *state != automaton.initial());
    for state in [automaton.initial()].into_iter().chain(others) {
        writeln!(out, "{}:", name(automaton, state))?;
        if automaton.edges(state).is_empty() {
            writeln!(out, "  false;")?;
            continue;
        }
        writeln!(out, "  do")?;
        for edge in automaton.edges(state) {
            let label =
                guard::text(automaton, edge.label, &signs, |variable| atom(&automaton.atoms()[variable]));
            writeln!(out, "  :: ({label}) -> goto {}", name(automaton, edge.target))?;
        }
        writeln!(out, "  od;")?;
    }
    writeln!(out, "}}")
}

fn name(automaton: &Automaton, state: State) -> String {
    let kind = if automaton.marks_of(state) == 1 { "accept" } else { "T0" };
    match state == automaton.initial() {
        true => format!("{kind}_init"),
        false => format!("{kind}_S{}", state.0),
    }
}

fn atom(text: &str) -> String {
    let plain = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if plain { text.to_owned() } else { format!("({text})") }
}
