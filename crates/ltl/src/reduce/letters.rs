//! Letters that no label tells apart, as classes.

use crate::automaton::Automaton;
use crate::diagram::{Diagrams, Label};

/// For each state and class, where edges lead and their marks.
pub(crate) type Moves = Vec<Vec<Vec<(usize, u64)>>>;

/// Automata over one set of atoms, their labels replaced by the classes of letters that they allow.
pub(crate) struct Classes {
    /// How many classes there are.
    pub(crate) count: usize,
    /// Each class as a function of `diagrams`.
    pub(crate) labels: Vec<Label>,
    /// The functions, over `atoms`.
    pub(crate) diagrams: Diagrams,
    /// The atoms of all automata.
    pub(crate) atoms: Vec<String>,
    /// The edges of each automaton.
    pub(crate) moves: Vec<Moves>,
}

impl Classes {
    /// The classes of some automata; none if there are more than `limit`.
    pub(crate) fn new(automata: &[&Automaton], limit: usize) -> Option<Classes> {
        let (mut diagrams, mut atoms) = (Diagrams::new(), Vec::new());
        let mut edges = Vec::new();
        for automaton in automata {
            edges.push(super::product::imported(automaton, &mut diagrams, &mut atoms));
        }
        let mut labels = vec![Label::TRUE];
        let mut seen = Vec::new();
        for (_, _, label) in edges.iter().flatten().flatten() {
            if seen.contains(label) {
                continue;
            }
            seen.push(*label);
            let halves = labels
                .iter()
                .flat_map(|class| [diagrams.and(*class, *label), diagrams.minus(*class, *label)]);
            labels = halves.filter(|half| *half != Label::FALSE).collect();
            if labels.len() > limit {
                return None;
            }
        }
        let moves = edges
            .iter()
            .map(|edges| {
                let of_class = |out: &Vec<(usize, u64, Label)>, class: &Label, diagrams: &mut Diagrams| {
                    let allowed = out.iter().filter(|(_, _, label)| diagrams.implies(*class, *label));
                    allowed.map(|(target, marks, _)| (*target, *marks)).collect()
                };
                let of_state = |out| labels.iter().map(|class| of_class(out, class, &mut diagrams)).collect();
                edges.iter().map(of_state).collect()
            })
            .collect();
        Some(Classes { count: labels.len(), labels, diagrams, atoms, moves })
    }
}
