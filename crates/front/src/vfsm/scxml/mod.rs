//! State charts in SCXML (W3C 2015) as networks of machines: a documented subset.
//!
//! Each document, the outermost and those that it invokes, becomes a machine, in a process of its own on one processor:
//! who is invoked has priority over who invokes it, so that it begins and ends at once. The configurations of active
//! states become the states of the machine (`flatten`). An event that a document sends to itself goes into
//! the internal queue, as a raised one does; one that is sent later is a timer. Events that nobody sends come from the
//! environment: the machine may give them to itself whenever it has nothing else to do. What a transition asks of data is not
//! evaluated: both answers are tried, and a warning says so.

mod condition;
mod flatten;
mod tree;

use super::ast::{
    Action as Act, Change, Condition, File, InputMapping, Instance, Machine, Name, Number, OutputMapping,
    Process, Processor, State, StateName, System,
};
use super::{Parsed, finish};
use flatten::{Chart, Configuration, Deed, MOST_GUESSES, Way};
use mazurka_model::source::{Diagnostic, Severity, SourceMap, Span};
use std::collections::{BTreeMap, BTreeSet};
use tree::{Action, Document};

/// Messages that fit into a queue.
const ROOM: u32 = 8;
/// The most configurations of a document.
const MOST_CONFIGURATIONS: usize = 1000;
/// Events that no document can name.
const START: &str = "(start)";
const CANCEL: &str = "(cancel)";
const FORGET: &str = "(forget)";
const GUESS: &str = "(guess)";

/// Reads a network from the text of an SCXML file.
pub fn parse(name: &str, text: &str) -> Parsed {
    let mut sources = SourceMap::default();
    let file = sources.add(name, text);
    let mut diagnostics = Vec::new();
    let mut documents = tree::read(file, text, &mut diagnostics);
    tell_apart(&mut documents);
    let mut tree = File::default();
    let sent = everything_sent(&documents);
    for number in 0..documents.len() {
        let making = Making {
            documents: &documents,
            number,
            sent: &sent,
            diagnostics: &mut diagnostics,
            machine: Machine::default(),
            outputs: BTreeMap::new(),
        };
        tree.machines.extend(making.make());
    }
    // Without one of its machines a system would only be blamed for what is missing.
    if diagnostics.iter().any(|one| one.severity == Severity::Error) {
        diagnostics.sort_by_key(|one| one.span);
        return Parsed { network: None, diagnostics, sources };
    }
    if let Some(first) = documents.first() {
        tree.systems.push(system(&documents, first));
    }
    finish(tree, sources, text, &[], diagnostics)
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
        processors: vec![Processor { name: name(&first.name, span), processes }],
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

fn all_actions(document: &Document) -> impl Iterator<Item = &Action> {
    document.nodes.iter().flat_map(|node| {
        let own = node.entry.iter().chain(&node.exit);
        own.chain(node.transitions.iter().flat_map(|transition| &transition.actions))
    })
}

/// For each document the events that some document sends to it.
fn everything_sent(documents: &[Document]) -> Vec<BTreeSet<String>> {
    let mut sent = vec![BTreeSet::new(); documents.len()];
    for (number, document) in documents.iter().enumerate() {
        for action in all_actions(document) {
            match action {
                Action::Raise(event, _) => drop(sent[number].insert(event.clone())),
                Action::Send { event, target: to, .. } => {
                    if let Some(to) = target(documents, number, to) {
                        sent[to].insert(event.clone());
                    }
                }
                Action::Cancel(_) => {}
            }
        }
    }
    sent
}

struct Making<'d> {
    documents: &'d [Document],
    number: usize,
    sent: &'d [BTreeSet<String>],
    diagnostics: &'d mut Vec<Diagnostic>,
    machine: Machine,
    /// What an output does, by its name.
    outputs: BTreeMap<String, Vec<Act>>,
}

impl<'d> Making<'d> {
    fn document(&self) -> &'d Document {
        &self.documents[self.number]
    }

    fn named(&self, text: impl Into<String>) -> Name {
        Name { text: text.into(), span: self.document().nodes[0].span }
    }

    /// The events of the document, reserved ones left out.
    fn events(&self) -> BTreeSet<String> {
        let transitions = self.document().nodes.iter().flat_map(|node| &node.transitions);
        let waited = transitions.flat_map(|transition| &transition.events);
        let names = waited.map(|one| one.trim_end_matches('*').trim_end_matches('.').to_owned());
        let mut events: BTreeSet<String> = names.filter(|name| !name.is_empty()).collect();
        events.extend(self.sent[self.number].iter().cloned());
        events
    }

    /// The machine; none if something is wrong that was reported.
    fn make(mut self) -> Option<Machine> {
        let document = self.document();
        self.machine.name = self.named(document.name.clone());
        let mut chart = Chart::new(document);
        if !self.check(&chart) {
            return None;
        }
        let events = self.events();
        let made = |event: &str| event.starts_with("done.") || event.starts_with("error.");
        let outside: Vec<&String> =
            events.iter().filter(|event| !self.sent[self.number].contains(*event) && !made(event)).collect();
        self.machine.free = !outside.is_empty();
        let (first, deeds) = chart.first();
        let mut open = vec![first.clone()];
        let mut known: BTreeMap<Configuration, Vec<(Option<String>, Way)>> = BTreeMap::new();
        while let Some(configuration) = open.pop() {
            if known.contains_key(&configuration) {
                continue;
            }
            if known.len() >= MOST_CONFIGURATIONS {
                let span = document.nodes[0].span;
                let message =
                    format!("there are more than {MOST_CONFIGURATIONS} configurations of active states");
                self.diagnostics.push(Diagnostic::error(span, message));
                return None;
            }
            let mut ways = Vec::new();
            if !chart.is_finished(&configuration) {
                for event in std::iter::once(None).chain(events.iter().map(|event| Some(event.as_str()))) {
                    let Some(found) = chart.ways(&configuration, event) else {
                        let message = format!(
                            "more than {MOST_GUESSES} conditions on data meet where `{}` is active",
                            chart.name(&configuration)
                        );
                        self.diagnostics.push(Diagnostic::error(document.nodes[0].span, message));
                        return None;
                    };
                    ways.extend(found.into_iter().map(|way| (event.map(str::to_owned), way)));
                }
            }
            open.extend(ways.iter().map(|(_, way)| way.to.clone()));
            known.insert(configuration, ways);
        }
        self.assemble(&chart, &known, &events, &outside, &first, deeds);
        self.remark(&chart, &known);
        Some(self.machine)
    }

    /// Whether all names that lead somewhere do.
    fn check(&mut self, chart: &Chart<'_>) -> bool {
        let mut fine = true;
        for (number, node) in self.document().nodes.iter().enumerate() {
            let transitions =
                node.transitions.iter().flat_map(|one| one.targets.iter().map(|name| (name, one.span)));
            let initial = node.initial.iter().map(|name| (name, node.span));
            for (name, span) in transitions.chain(initial) {
                if chart.find(name).is_none() {
                    fine = false;
                    self.diagnostics.push(Diagnostic::error(span, format!("there is no state `{name}`")));
                }
            }
            for name in &node.initial {
                let mut above = chart.find(name);
                while above.is_some_and(|at| at != number) {
                    above = above.and_then(|at| self.document().nodes[at].parent);
                }
                if chart.find(name).is_some() && above.is_none() {
                    fine = false;
                    let message = format!(
                        "the state `{name}` is not within `{}`, so it can't be its first one",
                        node.id
                    );
                    self.diagnostics.push(Diagnostic::error(node.span, message));
                }
            }
        }
        if self.document().nodes[0].children.is_empty() {
            fine = false;
            self.diagnostics.push(Diagnostic::error(self.document().nodes[0].span, "there is no state"));
        }
        fine
    }

    fn remark(&mut self, chart: &Chart<'_>, known: &BTreeMap<Configuration, Vec<(Option<String>, Way)>>) {
        for (number, node) in self.document().nodes.iter().enumerate().skip(1) {
            if !known.keys().any(|configuration| configuration.contains(&number)) {
                let message = format!("the state `{}` can't be reached", node.id);
                self.diagnostics.push(Diagnostic::warning(node.span, message));
            }
            for transition in &node.transitions {
                if let Some(text) = transition.condition.as_ref().filter(|text| chart.guessed.contains(text))
                {
                    let message = format!("the condition `{text}` is not evaluated: both answers are tried");
                    self.diagnostics.push(Diagnostic::warning(transition.span, message));
                }
            }
        }
        for action in all_actions(self.document()) {
            if let Action::Send { target: to, span, .. } = action
                && target(self.documents, self.number, to).is_none()
            {
                let message =
                    format!("`{to}` is no machine of this file: what is sent there leaves the system");
                self.diagnostics.push(Diagnostic::warning(*span, message));
            }
        }
        for configuration in known.keys() {
            let document = self.document();
            let exclusive = |number: &&usize| document.nodes[**number].kind == tree::Kind::State;
            let twice = configuration.iter().filter(exclusive).find(|number| {
                document.nodes[**number].children.iter().filter(|child| configuration.contains(child)).count()
                    > 1
            });
            if let Some(number) = twice {
                let message =
                    format!("two states within `{}` would be active at once", document.nodes[*number].id);
                self.diagnostics.push(Diagnostic::error(document.nodes[*number].span, message));
                return;
            }
        }
    }

    /// The output that does these actions.
    fn output(&mut self, name: &str, actions: Vec<Act>) -> Name {
        self.outputs.insert(name.to_owned(), actions);
        self.named(name)
    }

    /// The outputs for what is done on a way.
    fn deeds(&mut self, deeds: &[Deed], timers: &BTreeMap<(String, String), String>) -> Vec<Name> {
        let mut outputs = vec![self.output(FORGET, vec![Act::Feedback(self.named(FORGET))])];
        for deed in deeds {
            let own = self.document().name.clone();
            let to = |making: &Self, machine: &str, event: &str| {
                vec![Act::Send(making.named(machine), making.named(event))]
            };
            match deed {
                Deed::Action(Action::Raise(event, _)) => {
                    outputs.push(self.output(&format!("raise {event}"), to(self, &own, event)));
                }
                Deed::Action(Action::Send { event, target: text, id, delayed, span }) => {
                    match target(self.documents, self.number, text) {
                        None => {}
                        Some(there) if *delayed && there != self.number => {
                            let message = "only an event for the machine itself can be sent later";
                            self.diagnostics.push(
                                Diagnostic::error(*span, message)
                                    .help("let the receiver wait, with a delayed event of its own"),
                            );
                        }
                        Some(_) if *delayed => {
                            if let Some(timer) = timers.get(&(event.clone(), id.clone())).cloned() {
                                let start = vec![Act::Start(self.named(timer.clone()))];
                                outputs.push(self.output(&format!("start {timer}"), start));
                            }
                        }
                        Some(there) => {
                            let machine = self.documents[there].name.clone();
                            outputs.push(
                                self.output(&format!("send {machine}.{event}"), to(self, &machine, event)),
                            );
                        }
                    }
                }
                Deed::Action(Action::Cancel(id)) => {
                    let stopped: Vec<String> = timers
                        .iter()
                        .filter(|((_, known), _)| known == id)
                        .map(|(_, timer)| timer.clone())
                        .collect();
                    let stops = stopped.into_iter().map(|timer| Act::Stop(self.named(timer))).collect();
                    outputs.push(self.output(&format!("cancel {id}"), stops));
                }
                Deed::Invoke(child) | Deed::Quit(child) => {
                    let event = if matches!(deed, Deed::Invoke(_)) { START } else { CANCEL };
                    let machine = self.documents[*child].name.clone();
                    outputs.push(self.output(&format!("{event} {machine}"), to(self, &machine, event)));
                }
                Deed::Done(state) => {
                    let event = format!("done.state.{state}");
                    if let Some(waited) = self.waited(self.number, &event) {
                        outputs.push(self.output(&format!("raise {event}"), to(self, &own, &waited)));
                    }
                }
                Deed::Finished => {
                    let Some((id, parent)) = self.document().invoked.clone() else { continue };
                    let event = format!("done.invoke.{id}");
                    if let Some(waited) = self.waited(parent, &event) {
                        let machine = self.documents[parent].name.clone();
                        outputs.push(
                            self.output(&format!("send {machine}.{event}"), to(self, &machine, &waited)),
                        );
                    }
                }
            }
        }
        outputs
    }

    /// The name under which a document waits for an event, if it does.
    fn waited(&self, document: usize, event: &str) -> Option<String> {
        let transitions = self.documents[document].nodes.iter().flat_map(|node| &node.transitions);
        let mut names = transitions.flat_map(|transition| &transition.events);
        let wanted = names.find(|wanted| flatten::matches(wanted, event))?;
        let name = wanted.trim_end_matches('*').trim_end_matches('.');
        (!name.is_empty()).then(|| name.to_owned())
    }

    fn assemble(
        &mut self,
        chart: &Chart<'_>,
        known: &BTreeMap<Configuration, Vec<(Option<String>, Way)>>,
        events: &BTreeSet<String>,
        outside: &[&String],
        first: &Configuration,
        begin: Vec<Deed>,
    ) {
        let document = self.document();
        let timers = self.timers();
        // Which conditions are guessed for which event; those that are asked at once have bits of their own.
        let mut guesses: BTreeMap<Option<&str>, BTreeSet<usize>> = BTreeMap::new();
        for (event, way) in known.values().flatten() {
            let asked = guesses.entry(event.as_deref()).or_default();
            asked.extend(way.guesses.iter().map(|(number, _)| *number));
        }
        let bit = |event: Option<&str>, number: usize| match event {
            Some(_) => format!("`{}`", chart.guessed[number]),
            None => format!("`{}` at once", chart.guessed[number]),
        };
        let mut inputs: BTreeSet<String> = events.iter().cloned().chain([START.to_owned()]).collect();
        if document.invoked.is_some() {
            inputs.insert(CANCEL.to_owned());
        }
        let mut mapping: Vec<(String, Vec<Vec<Change>>)> = Vec::new();
        for event in events.iter().map(String::as_str) {
            let asked = guesses.get(&Some(event)).cloned().unwrap_or_default();
            let bits: Vec<String> = asked.iter().map(|&number| bit(Some(event), number)).collect();
            if bits.len() > 8 {
                let message = format!("more than 8 conditions on data are asked when `{event}` comes");
                self.diagnostics.push(Diagnostic::error(document.nodes[0].span, message));
                return;
            }
            inputs.extend(bits.iter().cloned());
            let base = vec![Change::DeleteAll, Change::Insert(self.named(event))];
            mapping.push((event.to_owned(), self.subsets(&base, &bits)));
        }
        for ((event, _), timer) in &timers {
            let same = mapping.iter().find(|(known, _)| known == event).map(|(_, changes)| changes.clone());
            mapping.push((timer.clone(), same.unwrap_or_default()));
        }
        let at_once = guesses.get(&None).cloned().unwrap_or_default();
        let bits: Vec<String> = at_once.iter().map(|&number| bit(None, number)).collect();
        inputs.extend(bits.iter().cloned());
        for reserved in [START, CANCEL] {
            if inputs.contains(reserved) {
                let change = vec![Change::DeleteAll, Change::Insert(self.named(reserved))];
                mapping.push((reserved.to_owned(), vec![change]));
            }
        }
        mapping.push((FORGET.to_owned(), vec![vec![Change::DeleteAll]]));
        if !bits.is_empty() {
            if bits.len() > 8 {
                let message = "more than 8 conditions on data are asked at once";
                self.diagnostics.push(Diagnostic::error(document.nodes[0].span, message));
                return;
            }
            mapping.push((GUESS.to_owned(), self.subsets(&[], &bits)));
        }
        let mut states = Vec::new();
        let asks = |configuration: &Configuration| {
            known.get(configuration).is_some_and(|ways| {
                ways.iter().any(|(event, way)| event.is_none() && !way.guesses.is_empty())
            })
        };
        let between =
            |making: &mut Self, states: &mut Vec<State>, deeds: &[Deed], to: &Configuration, span: Span| {
                let mut entry = making.deeds(deeds, &timers);
                if asks(to) {
                    let guess = vec![Act::Feedback(making.named(GUESS))];
                    entry.push(making.output(GUESS, guess));
                }
                let name = Name { text: format!("way {}", states.len()), span };
                let next = StateName { name: making.named(chart.name(to)), index: None, otherwise: None };
                let next = vec![(Condition::Always, next, span)];
                states.push(State { name: name.clone(), entry, next, ..State::default() });
                StateName { name, index: None, otherwise: None }
            };
        let root = document.nodes[0].span;
        let there = between(self, &mut states, &begin, first, root);
        let start = (Condition::Input(self.named(START)), there, root);
        let end = document.invoked.is_some();
        let begin = State {
            name: self.named(START),
            initial: true,
            end,
            next: vec![start],
            defers_all: true,
            ..State::default()
        };
        for (configuration, ways) in known {
            let leaf = configuration.iter().rev().find(|one| document.nodes[**one].children.is_empty());
            let span = leaf.map_or(root, |leaf| document.nodes[*leaf].span);
            let mut state = State {
                name: Name { text: chart.name(configuration), span },
                end: chart.is_finished(configuration),
                defers_all: true,
                ..State::default()
            };
            for (event, way) in ways {
                let span = document.nodes[way.by.0].transitions[way.by.1].span;
                let mut condition = match event {
                    Some(event) => Condition::Input(self.named(event.clone())),
                    None => Condition::Always,
                };
                for (number, answer) in &way.guesses {
                    let asked = Condition::Input(self.named(bit(event.as_deref(), *number)));
                    let asked = if *answer { asked } else { Condition::Not(Box::new(asked)) };
                    condition = Condition::And(Box::new(condition), Box::new(asked));
                }
                let to = between(self, &mut states, &way.actions, &way.to, span);
                state.next.push((condition, to, span));
            }
            if document.invoked.is_some() {
                let mut leaving = self.deeds(&chart.leaving(configuration), &timers);
                let name = Name { text: format!("way {}", states.len()), span };
                let back = StateName { name: self.named(START), index: None, otherwise: None };
                let next = vec![(Condition::Always, back, span)];
                let entry = std::mem::take(&mut leaving);
                states.push(State { name: name.clone(), entry, next, ..State::default() });
                let to = StateName { name, index: None, otherwise: None };
                state.next.insert(0, (Condition::Input(self.named(CANCEL)), to, span));
            }
            let moved = |event: &&&String| ways.iter().any(|(known, _)| known.as_ref() == Some(**event));
            let given: Vec<Name> =
                outside.iter().filter(moved).map(|event| self.named((*event).clone())).collect();
            if !given.is_empty() {
                state.spontaneous.push((Condition::Always, given, span));
            }
            states.push(state);
        }
        states.insert(0, begin);
        let timer_names: BTreeSet<&String> = timers.values().collect();
        self.machine.states = states;
        self.machine.inputs = inputs.into_iter().map(|name| self.named(name)).collect();
        for (event, alternatives) in mapping {
            let name = self.named(event.clone());
            if !timer_names.contains(&event) {
                self.machine.events.push(name.clone());
            }
            self.machine.input_mapping.push(InputMapping { event: name, alternatives });
        }
        self.machine.timers = timers.values().map(|name| (self.named(name.clone()), false)).collect();
        for (output, actions) in std::mem::take(&mut self.outputs) {
            let output = self.named(output);
            self.machine.outputs.push(output.clone());
            self.machine.output_mapping.push(OutputMapping { output, alternatives: vec![actions] });
        }
    }

    /// A change for each set of these inputs.
    fn subsets(&self, base: &[Change], bits: &[String]) -> Vec<Vec<Change>> {
        (0..1usize << bits.len())
            .map(|answers| {
                let mut changes = base.to_vec();
                for (number, bit) in bits.iter().enumerate() {
                    let name = self.named(bit.clone());
                    changes.push(match answers >> number & 1 == 1 {
                        true => Change::Insert(name),
                        false => Change::Delete(name),
                    });
                }
                changes
            })
            .collect()
    }

    /// The timers of events that the machine sends itself for later, by event and name.
    fn timers(&self) -> BTreeMap<(String, String), String> {
        let mut timers = BTreeMap::new();
        for action in all_actions(self.document()) {
            if let Action::Send { event, target: to, id, delayed: true, .. } = action
                && target(self.documents, self.number, to) == Some(self.number)
            {
                let name =
                    if id.is_empty() { format!("later {event}") } else { format!("later {event} ({id})") };
                timers.insert((event.clone(), id.clone()), name);
            }
        }
        timers
    }
}
