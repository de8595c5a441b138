//! The machines of a network as they are drawn: their states, and the next-state conditions between them.

use mazurka_front::vfsm::Network;
use mazurka_front::vfsm::network::{Machine, State};
use mazurka_report::graph::{Edge, Graph, Node};
use mazurka_report::steps::one_line;

/// One graph for each definition that is used.
pub fn graphs(network: &Network) -> Vec<Graph> {
    let mut drawn: Vec<&str> = Vec::new();
    let mut graphs = Vec::new();
    for machine in &network.machines {
        if !drawn.contains(&machine.definition.as_str()) {
            drawn.push(&machine.definition);
            graphs.push(graph(network, machine));
        }
    }
    graphs
}

fn graph(network: &Network, machine: &Machine) -> Graph {
    let source = |place: u32| {
        let span = network.places.get(place as usize).map(|(_, span)| *span)?;
        network.sources.file(span.file)?.text.get(span.start as usize..span.end as usize)
    };
    let outputs = |numbers: &[u32]| {
        let names = numbers.iter().map(|number| machine.outputs[*number as usize].name.as_str());
        names.collect::<Vec<_>>().join(", ")
    };
    let node = |state: &State| {
        let mut label = vec![state.name.clone()];
        for (name, numbers) in [("E", &state.entry), ("X", &state.exit)] {
            label.extend((!numbers.is_empty()).then(|| format!("{name}: {}", outputs(numbers))));
        }
        label.extend(state.actions.iter().filter_map(|(_, _, place)| source(*place)).map(one_line));
        let marks = [(state.end, "end"), (state.progress, "progress")];
        let marks = marks.into_iter().filter(|(set, _)| *set).map(|(_, mark)| mark.to_owned());
        Node { label, initial: state.initial, end: state.end, marks: marks.collect(), ..Node::default() }
    };
    let mut edges = Vec::new();
    for (from, state) in machine.states.iter().enumerate() {
        for (_, to, place) in &state.next {
            // The condition is what stands before the arrow.
            let text = source(*place).unwrap_or_default();
            let condition = text.rsplit_once('>').map_or(text, |(condition, _)| condition.trim());
            edges.push(Edge { from, to: *to as usize, label: one_line(condition), ..Edge::default() });
        }
    }
    Graph {
        title: machine.definition.clone(),
        nodes: machine.states.iter().map(node).collect(),
        edges,
        notes: Vec::new(),
    }
}
