//! A net as it is drawn: its places with their tokens, its transitions, and the arcs between them.

use mazurka_front::petri::Net;
use mazurka_report::graph::{Edge, Graph, Node};

/// The net. Places that hold tokens at first are drawn as those with which everything starts.
pub fn graph(net: &Net) -> Graph {
    let mut nodes = Vec::new();
    for place in &net.places {
        let mut label = vec![place.name.clone()];
        label.extend((place.initial > 0).then(|| tokens(place.initial)));
        label.extend(place.capacity.map(|most| format!("at most {most}")));
        nodes.push(Node { label, initial: place.initial > 0, round: true, ..Node::default() });
    }
    let mut edges = Vec::new();
    for transition in &net.transitions {
        let at = nodes.len();
        nodes.push(Node { label: vec![transition.name.clone()], ..Node::default() });
        let weight = |weight: u32| if weight == 1 { String::new() } else { weight.to_string() };
        for &(place, w) in &transition.inputs {
            edges.push(Edge { from: place as usize, to: at, label: weight(w), ..Edge::default() });
        }
        for &(place, w) in &transition.outputs {
            edges.push(Edge { from: at, to: place as usize, label: weight(w), ..Edge::default() });
        }
    }
    Graph { title: net.name.clone(), nodes, edges, notes: Vec::new() }
}

/// A few tokens as dots, more as a number.
fn tokens(number: u32) -> String {
    match number {
        0..=5 => "\u{25cf}".repeat(number as usize),
        more => more.to_string(),
    }
}
