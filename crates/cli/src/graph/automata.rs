//! The automaton of each process type: its locations, and its statements with their lines.

use mazurka_model::source::Span;
use mazurka_program::Program;
use mazurka_program::ir::{Effect, Location, ProcessType, Transition};
use mazurka_program::text::print_transition;
use mazurka_report::graph::{Edge, Graph, Node};
use mazurka_report::steps::one_line;

/// One graph for each process type.
pub fn graphs(program: &Program) -> Vec<Graph> {
    program.types.iter().map(|process| graph(program, process)).collect()
}

fn graph(program: &Program, process: &ProcessType) -> Graph {
    let node = |(index, location): (usize, &Location)| Node {
        label: vec![location.name.clone()],
        more: line(program, location.span).map_or_else(String::new, |line| format!("line {line}")),
        initial: index == process.start.index(),
        end: location.end,
        marks: marks(location),
        ..Node::default()
    };
    let edge = |transition: &Transition| Edge {
        from: transition.from.index(),
        to: transition.to.index(),
        label: label(program, process, transition),
        atomic: transition.atomic,
        ..Edge::default()
    };
    let parameters: Vec<&str> =
        process.locals.iter().take(process.parameters).map(|local| local.name.as_str()).collect();
    Graph {
        title: format!("{}({})", process.name, parameters.join(", ")),
        nodes: process.locations.iter().enumerate().map(node).collect(),
        // That a process vanishes where it has ended says no more than that it may end there.
        edges: process.transitions.iter().filter(|t| t.effects != [Effect::Exit]).map(edge).collect(),
        notes: Vec::new(),
    }
}

fn marks(location: &Location) -> Vec<String> {
    let all = [
        (location.end, "end"),
        (location.progress, "progress"),
        (location.accept, "accept"),
        (location.committed, "d_step"),
    ];
    all.into_iter().filter(|(set, _)| *set).map(|(_, mark)| mark.to_owned()).collect()
}

fn label(program: &Program, process: &ProcessType, transition: &Transition) -> String {
    let text = match transition.statement.is_empty() {
        true => print_transition(program, process, transition),
        false => transition.statement.clone(),
    };
    let line = line(program, transition.span).map_or_else(String::new, |line| format!("{line}: "));
    let atomic = if transition.atomic { " [atomic]" } else { "" };
    format!("{line}{}{atomic}", one_line(&text))
}

fn line(program: &Program, span: Span) -> Option<usize> {
    let known = span != Span::default();
    known.then(|| program.sources.locate(span)).flatten().map(|location| location.line)
}
