//! Writing automata in the HOA format.

use crate::automaton::Automaton;
use crate::guard::{self, Signs};
use std::fmt::Write;

/// The automaton in the HOA format, with a name if there is one.
pub fn write(automaton: &Automaton, name: Option<&str>) -> String {
    let mut out = String::from("HOA: v1\n");
    // Writing to a string can't fail.
    let _ = write_into(automaton, name, &mut out);
    out
}

fn write_into(automaton: &Automaton, name: Option<&str>, out: &mut String) -> std::fmt::Result {
    if let Some(name) = name {
        writeln!(out, "name: {}", quoted(name))?;
    }
    writeln!(out, "States: {}", automaton.size())?;
    writeln!(out, "Start: {}", automaton.initial().0)?;
    write!(out, "AP: {}", automaton.atoms().len())?;
    for atom in automaton.atoms() {
        write!(out, " {}", quoted(atom))?;
    }
    out.push('\n');
    match automaton.sets() {
        0 => out.push_str("acc-name: all\nAcceptance: 0 t\n"),
        1 => out.push_str("acc-name: Buchi\nAcceptance: 1 Inf(0)\n"),
        sets => {
            let condition: Vec<String> = (0..sets).map(|set| format!("Inf({set})")).collect();
            writeln!(out, "acc-name: generalized-Buchi {sets}")?;
            writeln!(out, "Acceptance: {sets} {}", condition.join("&"))?;
        }
    }
    let state_based = automaton.is_state_based();
    out.push_str("properties: trans-labels explicit-labels");
    out.push_str(if state_based { " state-acc" } else { " trans-acc" });
    out.push_str(if automaton.is_deterministic() { " deterministic" } else { "" });
    out.push_str(if automaton.is_complete() { " complete" } else { "" });
    out.push_str("\n--BODY--\n");
    let signs = Signs { and: "&", or: " | ", yes: "t", no: "f" };
    for state in automaton.states() {
        let marks = if state_based { marks(automaton.marks_of(state)) } else { String::new() };
        writeln!(out, "State: {}{marks}", state.0)?;
        for edge in automaton.edges(state) {
            let label = guard::text(automaton, edge.label, &signs, |variable| variable.to_string());
            let marks = if state_based { String::new() } else { self::marks(edge.marks) };
            writeln!(out, "[{label}] {}{marks}", edge.target.0)?;
        }
    }
    out.push_str("--END--\n");
    Ok(())
}

fn marks(marks: u64) -> String {
    let sets: Vec<String> = (0..64).filter(|set| marks >> set & 1 == 1).map(|set| set.to_string()).collect();
    if sets.is_empty() { String::new() } else { format!(" {{{}}}", sets.join(" ")) }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
