//! The state graph: every state that a search explores, with deadlocks and errors marked.

use super::record::{Record, explore};
use crate::arguments::GraphArguments;
use crate::failure::Failure;
use crate::load::Loaded;
use crate::monitor;
use mazurka_engine::{Config, Reduction, Stop};
use mazurka_model::{Describe, Step, System, ViolationKind};
use mazurka_report::graph::{Edge, Graph, Node};
use mazurka_report::number::{count, counted};
use mazurka_report::steps::one_line;
use std::collections::{HashMap, HashSet};

/// The graph, and whether it is whole.
pub fn graph(loaded: &Loaded, arguments: &GraphArguments) -> Result<(Graph, bool), Failure> {
    monitor::catch_interrupts();
    let config = |reduction| Config {
        reduction,
        dependency: arguments.dependency,
        search: arguments.search,
        ..Config::default()
    };
    let (chosen, outcome) = explore(loaded.system(), config(arguments.reduce), arguments.limit);
    if outcome.stopped == Some(Stop::Inconsistent) {
        return Err(Failure::Internal(Stop::Inconsistent.reason().to_owned()));
    }
    let mut whole = chosen.states.len() as u64 <= arguments.limit && outcome.stopped.is_none();
    let mut drawing = Drawing::new(loaded.system(), arguments);
    drawing.add(&chosen, false);
    if arguments.left_out {
        let full = Reduction { method: mazurka_engine::Method::None, sleep: false };
        let (all, outcome) = explore(loaded.system(), config(full), arguments.limit);
        whole &= all.states.len() as u64 <= arguments.limit && outcome.stopped.is_none();
        drawing.add(&all, true);
    }
    let mut graph = drawing.graph;
    graph.title = format!(
        "{}: {}, {}, reduction {}",
        loaded.path,
        counted(graph.nodes.iter().filter(|node| !node.faint && node.more != ERROR).count() as u64, "state"),
        counted(graph.edges.iter().filter(|edge| !edge.faint).count() as u64, "step"),
        outcome.config.reduction
    );
    if outcome.stopped == Some(Stop::Interrupted) {
        graph.notes.push("interrupted: some states are missing".to_owned());
    } else if !whole {
        let limit = count(arguments.limit);
        graph.notes.push(format!("cut at {limit} states: there are more (--limit)"));
    }
    if arguments.left_out {
        let faint = graph.nodes.iter().filter(|node| node.faint).count();
        graph.notes.push(format!("{} left out by the reduction, in grey", counted(faint as u64, "state")));
    }
    Ok((graph, whole))
}

/// What the nodes say of themselves that stand for an error and for no state.
const ERROR: &str = "no state: the step has no successor";

struct Drawing<'a> {
    system: &'a dyn System,
    describe: &'a dyn Describe,
    values: bool,
    limit: usize,
    graph: Graph,
    numbers: HashMap<Vec<u8>, usize>,
    /// The edges drawn so far, those to errors without a number.
    known: HashSet<(usize, usize, String)>,
}

impl<'a> Drawing<'a> {
    fn new(system: &'a dyn System, arguments: &GraphArguments) -> Drawing<'a> {
        Drawing {
            system,
            describe: system.describe(),
            values: arguments.values,
            limit: arguments.limit as usize,
            graph: Graph::default(),
            numbers: HashMap::new(),
            known: HashSet::new(),
        }
    }

    /// Adds what was explored; if `faint`, what of it is not there yet.
    fn add(&mut self, record: &Record, faint: bool) {
        for (number, state) in record.states.iter().enumerate().take(self.limit) {
            if !self.numbers.contains_key(state) {
                self.numbers.insert(state.clone(), self.graph.nodes.len());
                let node = self.node(state, number == 0, faint);
                self.graph.nodes.push(node);
            }
        }
        for step in &record.steps {
            let state = &record.states[step.from];
            let (Some(&from), Some(&to)) = (self.numbers.get(state), self.numbers.get(&step.to)) else {
                continue;
            };
            let label = self.label(state, step.step);
            if self.known.insert((from, to, label.clone())) {
                self.graph.edges.push(Edge { from, to, label, faint, ..Edge::default() });
            }
        }
        for (state, step, violation) in &record.met {
            let state = &record.states[*state];
            let Some(&from) = self.numbers.get(state) else { continue };
            let label = self.label(state, *step);
            let text = self.describe.violation(violation).text;
            let mut marked = false;
            if violation.kind == ViolationKind::Assertion {
                let mine = |edge: &&mut Edge| edge.from == from && edge.label == label;
                for edge in self.graph.edges.iter_mut().filter(mine) {
                    (edge.bad, marked) = (true, true);
                }
            }
            if !marked && self.known.insert((from, usize::MAX, format!("{label}\n{text}"))) {
                let label_of_node = vec!["error".to_owned(), text];
                self.graph.nodes.push(Node {
                    label: label_of_node,
                    more: ERROR.to_owned(),
                    bad: true,
                    faint,
                    ..Node::default()
                });
                let to = self.graph.nodes.len() - 1;
                self.graph.edges.push(Edge { from, to, label, bad: true, faint, ..Edge::default() });
            }
        }
    }

    fn node(&self, state: &[u8], initial: bool, faint: bool) -> Node {
        let mut enabled = Vec::new();
        self.system.enabled(state, &mut enabled);
        let dead = enabled.is_empty();
        let end = dead && self.system.valid_end(state);
        let values = self.describe.values(state);
        let lines: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let mut label = vec![self.graph.nodes.len().to_string()];
        if self.values {
            label.extend(lines.iter().cloned());
        }
        let mut marks = Vec::new();
        if dead {
            marks.push(if end { "end" } else { "deadlock" }.to_owned());
        }
        Node { label, more: lines.join("\n"), initial, end, bad: dead && !end, faint, marks, round: false }
    }

    fn label(&self, state: &[u8], step: Step) -> String {
        let text = self.describe.step(state, step);
        format!("{}: {}", text.process, one_line(&text.text))
    }
}
