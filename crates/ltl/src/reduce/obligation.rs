//! Minimal deterministic automata for obligations: Boolean combinations of safety properties.
//!
//! Dax, Eisinger and Klaedtke, *Mechanizing the powerset construction for restricted classes of ω-automata*
//! (ATVA 2007). The subsets of states are the states of a deterministic automaton; each of its components
//! accepts or rejects as a whole, by one word that runs around in it; and weak deterministic automata
//! have a unique minimal form (Löding, *Efficient minimization of deterministic weak ω-automata*, 2001).
//! If the property is no obligation, the result accepts something else; so it is compared.

use super::budget::Budget;
use super::product::intersect;
use super::prune::prune;
use crate::automaton::{Automaton, Edge, Marks, State};
use crate::component::{Components, Graph, accepting_cycle};
use crate::diagram::{Diagrams, Label};
use std::collections::HashMap;

/// The minimal deterministic weak automaton for what `automaton` accepts, if there is one and the way
/// there fits into the budget. `complement` must accept exactly the other words.
pub(crate) fn minimise(
    automaton: &Automaton,
    complement: &Automaton,
    budget: &mut Budget,
) -> Option<Automaton> {
    let (mut subsets, members) = determinise(automaton, budget)?;
    colour(automaton, &mut subsets, &members);
    let minimal = moore(subsets);
    if intersect(&minimal, complement)? {
        return None;
    }
    let mut opposite = minimal.clone();
    opposite.edges.iter_mut().flatten().for_each(|edge| edge.marks ^= 1);
    (!intersect(&opposite, automaton)?).then(|| prune(minimal))
}

/// The subset automaton, complete, without marks; and the members of each subset.
fn determinise(automaton: &Automaton, budget: &mut Budget) -> Option<(Automaton, Vec<Vec<State>>)> {
    let mut result = Automaton::new(automaton.atoms.clone(), 1);
    let mut diagrams = automaton.diagrams.clone();
    let mut members = vec![vec![automaton.initial]];
    let mut numbers = HashMap::from([(members[0].clone(), State(0))]);
    let mut done = 0;
    while done < members.len() {
        for (label, targets) in letters(automaton, &members[done], &mut diagrams, budget)? {
            let target = *numbers.entry(targets.clone()).or_insert_with(|| {
                members.push(targets);
                result.add_state()
            });
            result.add_edge(State(done as u32), Edge { target, marks: 0, label });
        }
        done += 1;
    }
    result.diagrams = diagrams;
    Some((result, members))
}

/// The letters, divided by where they lead from a set of states.
fn letters(
    automaton: &Automaton,
    from: &[State],
    diagrams: &mut Diagrams,
    budget: &mut Budget,
) -> Option<Vec<(Label, Vec<State>)>> {
    let mut classes: Vec<(Label, Vec<State>)> = vec![(Label::TRUE, Vec::new())];
    for edge in from.iter().flat_map(|state| automaton.edges(*state)) {
        let mut refined = Vec::with_capacity(classes.len());
        for (label, targets) in classes {
            let inside = diagrams.and(label, edge.label);
            let outside = diagrams.minus(label, edge.label);
            if inside != Label::FALSE {
                let mut more = targets.clone();
                more.push(edge.target);
                more.sort_unstable();
                more.dedup();
                refined.push((inside, more));
            }
            if outside != Label::FALSE {
                refined.push((outside, targets));
            }
        }
        classes = refined;
        budget.spend(2 * classes.len())?;
    }
    let mut joined: HashMap<Vec<State>, usize> = HashMap::new();
    let mut result: Vec<(Label, Vec<State>)> = Vec::new();
    for (label, targets) in classes {
        match joined.get(&targets) {
            Some(place) => result[*place].0 = diagrams.or(result[*place].0, label),
            None => {
                joined.insert(targets.clone(), result.len());
                result.push((label, targets));
            }
        }
    }
    Some(result)
}

/// Marks the edges out of the states that Löding's colours make accepting.
fn colour(automaton: &Automaton, subsets: &mut Automaton, members: &[Vec<State>]) {
    let graph = super::prune::graph(subsets);
    let components = Components::new(&graph, subsets.initial.index());
    let mut states: Vec<Vec<usize>> = vec![Vec::new(); components.marks.len()];
    for node in 0..graph.len() {
        states[components.of[node].unwrap_or(0)].push(node);
    }
    // Even colours accept. Edges lead to smaller components, whose colours are known.
    let mut colours: Vec<u32> = Vec::new();
    for (component, inside) in states.iter().enumerate() {
        let below = inside
            .iter()
            .flat_map(|node| &graph[*node])
            .filter_map(|(target, _)| components.of[*target].filter(|c| *c != component))
            .map(|c| colours[c])
            .max();
        let colour = match components.marks[component] {
            None => below.unwrap_or(1),
            Some(_) => {
                let odd = u32::from(!accepts_around(automaton, subsets, members, &components, inside[0]));
                let below = below.unwrap_or(odd);
                below + u32::from(below % 2 != odd)
            }
        };
        colours.push(colour);
    }
    for (node, edges) in subsets.edges.iter_mut().enumerate() {
        let colour = components.of[node].map_or(1, |c| colours[c]);
        edges.iter_mut().for_each(|edge| edge.marks = Marks::from(colour.is_multiple_of(2)));
    }
}

/// Whether the automaton accepts some word that runs around from a subset to itself.
fn accepts_around(
    automaton: &Automaton,
    subsets: &Automaton,
    members: &[Vec<State>],
    components: &Components,
    start: usize,
) -> bool {
    let cycle = cycle(subsets, components, start);
    let length = cycle.len();
    let mut diagrams = subsets.diagrams.clone();
    // One more node, from which the members of the first subset can be reached.
    let mut graph: Graph = vec![Vec::new(); automaton.size() * length + 1];
    graph[automaton.size() * length] =
        members[start].iter().map(|state| (state.index() * length, 0)).collect();
    for (position, (subset, label)) in cycle.iter().enumerate() {
        for state in &members[*subset] {
            for edge in automaton.edges(*state) {
                if diagrams.and(edge.label, *label) != Label::FALSE {
                    let target = edge.target.index() * length + (position + 1) % length;
                    graph[state.index() * length + position].push((target, edge.marks));
                }
            }
        }
    }
    accepting_cycle(&graph, automaton.size() * length, automaton.all_marks())
}

/// A shortest way around in a component: subsets, and the letters to the next.
fn cycle(subsets: &Automaton, components: &Components, start: usize) -> Vec<(usize, Label)> {
    let mut previous: HashMap<usize, (usize, Label)> = HashMap::new();
    let mut order = vec![start];
    let mut next = 0;
    while !previous.contains_key(&start) && next < order.len() {
        let node = order[next];
        next += 1;
        for edge in subsets.edges(State(node as u32)) {
            let target = edge.target.index();
            if components.of[target] == components.of[start] && !previous.contains_key(&target) {
                previous.insert(target, (node, edge.label));
                order.push(target);
            }
        }
    }
    let mut cycle = Vec::new();
    let mut node = start;
    loop {
        let (before, label) = previous[&node];
        cycle.push((before, label));
        node = before;
        if node == start {
            break;
        }
    }
    cycle.reverse();
    cycle
}

/// Merges the states of a complete deterministic automaton that no word distinguishes (Moore 1956).
fn moore(mut automaton: Automaton) -> Automaton {
    let mut classes: Vec<usize> = automaton.states().map(|s| automaton.marks_of(s) as usize).collect();
    let mut count = 0;
    loop {
        let mut numbers: HashMap<(usize, Vec<(usize, Label)>), usize> = HashMap::new();
        let mut refined = Vec::with_capacity(classes.len());
        for state in 0..automaton.size() {
            let mut out: Vec<(usize, Label)> = Vec::new();
            for edge in automaton.edges[state].clone() {
                let class = classes[edge.target.index()];
                match out.iter_mut().find(|(other, _)| *other == class) {
                    Some((_, label)) => *label = automaton.diagrams.or(*label, edge.label),
                    None => out.push((class, edge.label)),
                }
            }
            out.sort_unstable();
            let fresh = numbers.len();
            refined.push(*numbers.entry((classes[state], out)).or_insert(fresh));
        }
        classes = refined;
        if numbers.len() == count {
            break;
        }
        count = numbers.len();
    }
    let places: Vec<Option<State>> = classes.iter().map(|class| Some(State(*class as u32))).collect();
    automaton.mapped(&places, count)
}
