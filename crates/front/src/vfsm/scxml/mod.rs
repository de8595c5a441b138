//! State charts in SCXML (W3C 2015) as networks of machines: a documented subset.
//!
//! Each document, the outermost and those that it invokes, becomes a machine, in a process of its own on one processor:
//! who is invoked has priority over who invokes it, so that it begins and ends at once. The situations of a document, active
//! states with the values of data, become the states of the machine (`flatten`, `execute`; `make`). An event that a document sends to
//! itself goes into the internal queue, as a raised one does; one that is sent later is a timer, and so is one for another
//! machine, sent on when it expires. Events that nobody sends come from the environment: the machine may give them to itself whenever it
//! has nothing else to do. What is not known of data (`expression`) is not guessed wrongly: both answers are tried, and a warning
//! says so.

mod data;
mod execute;
mod expression;
mod flatten;
mod inspect;
mod make;
mod read;
mod tree;

use super::ast::{File, Instance, Name, Number, Process, Processor, System};
use super::{Parsed, finish};
use make::{Making, START};
use mazurka_model::source::{Severity, SourceMap};
use std::collections::BTreeSet;
use tree::{Action, Document};

/// Messages that fit into a queue.
const ROOM: u32 = 8;

/// Reads a network from the text of an SCXML file, which invokes no other file.
pub fn parse(name: &str, text: &str) -> Parsed {
    parse_with(name, text, &mut |_| Err("there is only one file".to_owned()))
}

/// Reads a network from the text of an SCXML file; `load` gives the text of a file that it invokes.
pub fn parse_with(name: &str, text: &str, load: &mut dyn FnMut(&str) -> Result<String, String>) -> Parsed {
    let mut sources = SourceMap::default();
    let mut diagnostics = Vec::new();
    // Whatever decides the runs is part of what tells this model from others.
    let mut whole = text.to_owned();
    let mut load = |name: &str| {
        let text = load(name)?;
        whole += "\n";
        whole += &text;
        Ok(text)
    };
    let mut documents = read::read(name, text, &mut load, &mut sources, &mut diagnostics);
    tell_apart(&mut documents);
    let mut tree = File::default();
    let sent = everything_sent(&documents);
    for number in 0..documents.len() {
        tree.machines.extend(Making::new(&documents, number, &sent, &mut diagnostics).make());
    }
    // Without one of its machines a system would only be blamed for what is missing.
    if diagnostics.iter().any(|one| one.severity == Severity::Error) {
        diagnostics.sort_by_key(|one| one.span);
        return Parsed { network: None, diagnostics, sources };
    }
    if let Some(first) = documents.first() {
        tree.systems.push(system(&documents, first));
    }
    finish(tree, sources, &whole, &[], diagnostics)
}

/// Gives documents of the same name different ones.
fn tell_apart(documents: &mut [Document]) {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for (number, document) in documents.iter_mut().enumerate() {
        if !seen.insert(document.name.clone()) {
            document.name = format!("{}_{number}", document.name);
            seen.insert(document.name.clone());
        }
    }
}

fn system(documents: &[Document], first: &Document) -> System {
    let name = |text: &str, span| Name { text: text.to_owned(), span };
    let process = |document: &Document| {
        let span = document.nodes[0].span;
        let instance = name(&document.name, span);
        Process {
            name: instance.clone(),
            queue: Some(Number::Literal(ROOM, span)),
            internal: Some(Number::Literal(ROOM, span)),
            instances: vec![Instance { name: instance.clone(), machine: instance, arguments: Vec::new() }],
        }
    };
    // Who is invoked stands behind who invokes it, and goes before it.
    let processes = documents.iter().rev().map(process).collect();
    let span = first.nodes[0].span;
    System {
        name: name(&first.name, span),
        processors: vec![Processor { name: name(&first.name, span), processes, shared: true }],
        messages: vec![(name(&first.name, span), name(START, span))],
        formulas: Vec::new(),
    }
}

/// The document to which something is sent; none if it leaves the system.
fn target(documents: &[Document], from: usize, text: &str) -> Option<usize> {
    match text {
        "" | "#_internal" => Some(from),
        "#_parent" => documents[from].invoked.as_ref().map(|(_, parent)| *parent),
        other => {
            let wanted = other.strip_prefix("#_").unwrap_or(other);
            let wanted = wanted.strip_prefix("scxml_").unwrap_or(wanted);
            documents.iter().position(|one| {
                one.name == wanted || one.invoked.as_ref().is_some_and(|(id, _)| id == wanted)
            })
        }
    }
}

/// For each document the events that some document sends to it.
fn everything_sent(documents: &[Document]) -> Vec<BTreeSet<String>> {
    let mut sent = vec![BTreeSet::new(); documents.len()];
    for (number, document) in documents.iter().enumerate() {
        for action in document.actions() {
            match action {
                Action::Raise(event, _) => drop(sent[number].insert(event.clone())),
                Action::Send { event, target: to, .. } => {
                    if let Some(to) = target(documents, number, to) {
                        sent[to].insert(event.clone());
                    }
                }
                Action::Cancel(_) | Action::Assign { .. } | Action::If(_) | Action::Script(_) => {}
            }
        }
    }
    sent
}
