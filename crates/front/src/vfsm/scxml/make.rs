//! The machine of a document: situations as states, ways as states that are passed, events as inputs.
//!
//! Whatever a machine of the network has by name can have a name here that no document can write, so nothing is renamed.

use super::super::ast::{
    Action as Act, Change, Condition, InputMapping, Machine, Name, OutputMapping, State, StateName,
};
use super::super::network::{MOST_INPUTS, MOST_STATES};
use super::execute::{Deed, MOST_GUESSES};
use super::flatten::{self, Chart, Goal, Situation, Way};
use super::target;
use super::tree::{Action, Document};
use mazurka_model::source::{Diagnostic, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The most situations of a document.
const MOST_SITUATIONS: usize = 2000;
/// The most conditions that are guessed when one event comes.
const MOST_BITS: usize = 8;
/// Events that no document can name.
pub const START: &str = "(start)";
const CANCEL: &str = "(cancel)";
const FORGET: &str = "(forget)";
const GUESS: &str = "(guess)";

/// The ways from a situation: by what, and how.
pub type Ways = Vec<(Option<String>, Way)>;

/// A send that takes its time. Each has a timer of its own: two of them may be under way at once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Later {
    span: Span,
    event: String,
    /// Its name, by which it can be cancelled.
    id: String,
    /// The receiver.
    to: usize,
}

/// A machine in the making.
pub struct Making<'d> {
    pub(super) documents: &'d [Document],
    pub(super) number: usize,
    sent: &'d [BTreeSet<String>],
    pub(super) diagnostics: &'d mut Vec<Diagnostic>,
    machine: Machine,
    /// What an output does, by its name.
    outputs: BTreeMap<String, Vec<Act>>,
    /// The timers of events that are sent later, each with the input that says that it is for another machine and to be sent now.
    timers: BTreeMap<Later, (String, Option<String>)>,
    /// States on the way, by what is done there, where they lead and where they stand.
    passed: BTreeMap<(Vec<String>, String, Span), StateName>,
    states: Vec<State>,
}

impl<'d> Making<'d> {
    /// For one of the documents; `sent` are the events that some document sends to each.
    pub fn new(
        documents: &'d [Document],
        number: usize,
        sent: &'d [BTreeSet<String>],
        diagnostics: &'d mut Vec<Diagnostic>,
    ) -> Making<'d> {
        Making {
            documents,
            number,
            sent,
            diagnostics,
            machine: Machine::default(),
            outputs: BTreeMap::new(),
            timers: BTreeMap::new(),
            passed: BTreeMap::new(),
            states: Vec::new(),
        }
    }

    /// The document.
    pub(super) fn document(&self) -> &'d Document {
        &self.documents[self.number]
    }

    fn root(&self) -> Span {
        self.document().nodes[0].span
    }

    fn named(&self, text: impl Into<String>) -> Name {
        Name { text: text.into(), span: self.root() }
    }

    fn state_named(&self, text: impl Into<String>) -> StateName {
        StateName { name: self.named(text), index: None, otherwise: None }
    }

    /// Something is wrong with the document as a whole.
    pub(super) fn error(&mut self, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(self.root(), message));
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
    pub fn make(mut self) -> Option<Machine> {
        let document = self.document();
        self.machine.name = self.named(document.name.clone());
        let mut chart = Chart::new(document);
        if !self.check(&chart) {
            return None;
        }
        let events = self.events();
        let (first, known) = self.explore(&mut chart, &events)?;
        self.timers = self.all_timers();
        self.assemble(&chart, &first, &known, &events)?;
        self.remark(&chart, &known);
        Some(self.machine)
    }

    /// All situations that can be reached, with the ways that lead on.
    fn explore(
        &mut self,
        chart: &mut Chart<'d>,
        events: &BTreeSet<String>,
    ) -> Option<(Vec<Way>, BTreeMap<Situation, Ways>)> {
        if events.len() >= MOST_INPUTS {
            self.error(format!("there are {} events, and at most {} fit", events.len(), MOST_INPUTS - 1));
            return None;
        }
        let too_many = |making: &mut Self, chart: &Chart<'_>, place: &str| {
            making.error(match chart.is_exhausted() {
                true => "there are too many ways between configurations".to_owned(),
                false => format!("more than {MOST_GUESSES} conditions on data meet {place}"),
            });
        };
        let Some(first) = chart.first() else {
            too_many(self, chart, "at the beginning");
            return None;
        };
        let goals = |ways: &[Way], open: &mut Vec<Situation>| {
            open.extend(ways.iter().filter_map(|way| match &way.to {
                Goal::Situation(situation) => Some(situation.clone()),
                Goal::Start | Goal::Outside(_) => None,
            }));
        };
        let mut open = Vec::new();
        goals(&first, &mut open);
        let mut known: BTreeMap<Situation, Ways> = BTreeMap::new();
        while let Some(situation) = open.pop() {
            if known.contains_key(&situation) {
                continue;
            }
            if known.len() >= MOST_SITUATIONS {
                let mut message =
                    format!("there are more than {MOST_SITUATIONS} configurations of active states");
                if !self.document().data.is_empty() {
                    message += " with values of data";
                }
                self.error(message);
                return None;
            }
            let mut ways: Ways = Vec::new();
            let mut found = Some(Vec::new());
            if !chart.is_finished(&situation.active) {
                for event in std::iter::once(None).chain(events.iter().map(|event| Some(event.as_str()))) {
                    found = chart.ways(&situation, event);
                    let Some(found) = &found else { break };
                    goals(found, &mut open);
                    ways.extend(found.iter().map(|way| (event.map(str::to_owned), way.clone())));
                }
            }
            if found.is_some() && self.document().invoked.is_some() {
                found = chart.leaving(&situation);
                let leaving = found.iter().flatten().map(|way| (Some(CANCEL.to_owned()), way.clone()));
                ways.extend(leaving);
            }
            if found.is_none() {
                too_many(self, chart, &format!("where `{}` is active", chart.name(&situation)));
                return None;
            }
            known.insert(situation, ways);
        }
        Some((first, known))
    }

    /// The output that does these actions.
    fn output(&mut self, name: &str, actions: Vec<Act>) -> Name {
        self.outputs.insert(name.to_owned(), actions);
        self.named(name)
    }

    fn sending(&mut self, machine: usize, event: &str, name: &str) -> Name {
        let to = self.named(self.documents[machine].name.clone());
        let actions = vec![Act::Send(to, self.named(event))];
        self.output(name, actions)
    }

    /// The output after which nothing is in the register.
    fn forgetting(&mut self) -> Name {
        self.output(FORGET, vec![Act::Feedback(self.named(FORGET))])
    }

    /// The outputs for what is done on a way.
    fn deeds(&mut self, deeds: &[Deed]) -> Vec<Name> {
        let mut outputs = vec![self.forgetting()];
        for deed in deeds {
            match deed {
                Deed::Action(Action::Raise(event, _)) => {
                    outputs.push(self.sending(self.number, event, &format!("raise {event}")));
                }
                Deed::Action(Action::Send { event, target: text, id, delayed, span }) => {
                    let Some(there) = target(self.documents, self.number, text) else { continue };
                    if *delayed {
                        let key = Later { span: *span, event: event.clone(), id: id.clone(), to: there };
                        let (timer, _) = self.timers.get(&key).cloned().unwrap_or_default();
                        let start = vec![Act::Start(self.named(timer.clone()))];
                        outputs.push(self.output(&format!("start {timer}"), start));
                    } else {
                        let name = format!("send {}.{event}", self.documents[there].name);
                        outputs.push(self.sending(there, event, &name));
                    }
                }
                Deed::Action(Action::Cancel(id)) => {
                    let stopped = self.timers.iter().filter(|(later, _)| later.id == *id);
                    let stops = stopped.map(|(_, (timer, _))| Act::Stop(self.named(timer.clone()))).collect();
                    outputs.push(self.output(&format!("cancel {id}"), stops));
                }
                // What changes data is done by where a way leads.
                Deed::Action(Action::Assign { .. } | Action::If(_) | Action::Script(_)) => {}
                Deed::Silence => {
                    if !self.timers.is_empty() {
                        let stops =
                            self.timers.values().map(|(timer, _)| Act::Stop(self.named(timer.clone())));
                        let stops = stops.collect();
                        outputs.push(self.output("cancel everything", stops));
                    }
                }
                Deed::Invoke(child) | Deed::Quit(child) => {
                    let event = if matches!(deed, Deed::Invoke(_)) { START } else { CANCEL };
                    let name = format!("{event} {}", self.documents[*child].name);
                    outputs.push(self.sending(*child, event, &name));
                }
                Deed::Done(state) => {
                    let event = format!("done.state.{state}");
                    if let Some(waited) = self.waited(self.number, &event) {
                        outputs.push(self.sending(self.number, &waited, &format!("raise {event}")));
                    }
                }
                Deed::Finished => {
                    let Some((id, parent)) = self.document().invoked.clone() else { continue };
                    let event = format!("done.invoke.{id}");
                    if let Some(waited) = self.waited(parent, &event) {
                        let name = format!("send {}.{event}", self.documents[parent].name);
                        outputs.push(self.sending(parent, &waited, &name));
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

    /// The input that says how a condition is answered; those that are asked at once have inputs of their own.
    fn bit(chart: &Chart<'_>, event: Option<&str>, guess: usize) -> String {
        match event {
            Some(_) => format!("`{}`", chart.guessed[guess]),
            None => format!("`{}` at once", chart.guessed[guess]),
        }
    }

    /// The condition under which a way is taken, besides its event.
    fn answers(&self, chart: &Chart<'_>, event: Option<&str>, way: &Way) -> Condition {
        let mut all = Condition::Always;
        for (guess, answer) in &way.guesses {
            let asked = Condition::Input(self.named(Self::bit(chart, event, *guess)));
            let asked = if *answer { asked } else { Condition::Not(Box::new(asked)) };
            all = Condition::And(Box::new(all), Box::new(asked));
        }
        all
    }

    fn assemble(
        &mut self,
        chart: &Chart<'_>,
        first: &[Way],
        known: &BTreeMap<Situation, Ways>,
        events: &BTreeSet<String>,
    ) -> Option<()> {
        let invoked = self.document().invoked.is_some();
        let made = |event: &str| event.starts_with("done.") || event.starts_with("error.");
        let sent = &self.sent[self.number];
        let outside: Vec<&String> =
            events.iter().filter(|event| !sent.contains(*event) && !made(event)).collect();
        self.machine.free = !outside.is_empty();
        self.inputs(chart, first, known, events)?;
        let asks = |situation: &Situation| {
            known.get(situation).is_some_and(|ways| {
                ways.iter().any(|(event, way)| event.is_none() && !way.guesses.is_empty())
            })
        };
        let root = self.root();
        let mut begin = State {
            name: self.named(START),
            initial: true,
            end: invoked,
            defers_all: true,
            ..State::default()
        };
        for way in first {
            let to = self.pass(chart, way, &asks);
            let started = Condition::Input(self.named(START));
            let condition =
                Condition::And(Box::new(started), Box::new(self.answers(chart, Some(START), way)));
            begin.next.push((condition, to, root));
        }
        let mut dropped: Vec<String> = events.iter().cloned().collect();
        dropped.extend(self.timers.values().filter_map(|(_, relay)| relay.clone()));
        dropped.extend(invoked.then(|| CANCEL.to_owned()));
        self.drop_rest(&mut begin, dropped.into_iter().map(|one| (one, Vec::new())).collect(), root);
        self.states.insert(0, begin);
        for (situation, ways) in known {
            let document = self.document();
            let leaf = situation.active.iter().rev().find(|one| document.nodes[**one].children.is_empty());
            let span = leaf.map_or(root, |leaf| document.nodes[*leaf].span);
            let finished = chart.is_finished(&situation.active);
            let ids = situation.active.iter().skip(1).map(|one| document.nodes[*one].id.clone());
            let mut state = State {
                name: Name { text: chart.name(situation), span },
                active: ids.chain([chart.configuration_name(&situation.active)]).collect(),
                end: finished,
                defers_all: true,
                ..State::default()
            };
            let mut rest: BTreeMap<String, Vec<Condition>> =
                events.iter().map(|event| (event.clone(), Vec::new())).collect();
            for (event, way) in ways {
                let answers = self.answers(chart, event.as_deref(), way);
                let condition = match event {
                    Some(event) => {
                        if let Some(taken) = rest.get_mut(event) {
                            taken.push(answers.clone());
                        }
                        let received = Condition::Input(self.named(event.clone()));
                        Condition::And(Box::new(received), Box::new(answers))
                    }
                    None => answers,
                };
                let to = self.pass(chart, way, &asks);
                state.next.push((condition, to, way.span));
            }
            for (Later { event, to: machine, .. }, (_, relay)) in self.timers.clone() {
                let Some(relay) = relay else { continue };
                let name = format!("send {}.{event}", self.documents[machine].name);
                if finished {
                    rest.insert(relay, Vec::new());
                } else {
                    let outputs = vec![self.sending(machine, &event, &name), self.forgetting()];
                    state.actions.push((Condition::Input(self.named(relay)), outputs, span));
                }
            }
            // Nothing is left in the register of what no transition takes.
            let comes = |event: &String, taken: &[Condition]| {
                finished || !taken.is_empty() || sent.contains(event) || made(event)
            };
            let rest = rest.into_iter().filter(|(event, taken)| comes(event, taken));
            self.drop_rest(&mut state, rest.collect(), span);
            let moved = |event: &&&String| ways.iter().any(|(known, _)| known.as_ref() == Some(**event));
            let given: Vec<Name> =
                outside.iter().filter(moved).map(|event| self.named((*event).clone())).collect();
            if !given.is_empty() {
                state.spontaneous.push((Condition::Always, given, span));
            }
            self.states.push(state);
            if self.states.len() > MOST_STATES {
                self.error(format!("there are more than {MOST_STATES} configurations and ways between them"));
                return None;
            }
        }
        self.machine.states = std::mem::take(&mut self.states);
        self.machine.timers =
            self.timers.values().map(|(name, _)| (self.named(name.clone()), false)).collect();
        for (output, actions) in std::mem::take(&mut self.outputs) {
            let output = self.named(output);
            self.machine.outputs.push(output.clone());
            self.machine.output_mapping.push(OutputMapping { output, alternatives: vec![actions] });
        }
        Some(())
    }

    /// Empties the register when one of these comes and none of its conditions holds.
    fn drop_rest(&mut self, state: &mut State, rest: BTreeMap<String, Vec<Condition>>, span: Span) {
        let mut any: Option<Condition> = None;
        for (event, taken) in rest {
            if taken.iter().any(|condition| matches!(condition, Condition::Always)) {
                continue;
            }
            let mut left = Condition::Input(self.named(event));
            for condition in taken {
                let not = Condition::Not(Box::new(condition));
                left = Condition::And(Box::new(left), Box::new(not));
            }
            any = Some(match any {
                Some(any) => Condition::Or(Box::new(any), Box::new(left)),
                None => left,
            });
        }
        if let Some(condition) = any {
            let forget = self.forgetting();
            state.actions.push((condition, vec![forget], span));
        }
    }

    /// The state that is passed on a way.
    fn pass(&mut self, chart: &Chart<'_>, way: &Way, asks: &dyn Fn(&Situation) -> bool) -> StateName {
        let mut entry = self.deeds(&way.actions);
        let (goal, outside) = match &way.to {
            Goal::Situation(situation) => {
                if asks(situation) {
                    let guess = vec![Act::Feedback(self.named(GUESS))];
                    entry.push(self.output(GUESS, guess));
                }
                (chart.name(situation), None)
            }
            Goal::Start => (START.to_owned(), None),
            Goal::Outside(outside) => {
                // Nothing of what else would be done counts.
                entry.clear();
                (String::new(), Some((outside.message.clone(), outside.span)))
            }
        };
        let mut key: Vec<String> = entry.iter().map(|name| name.text.clone()).collect();
        key.extend(outside.iter().map(|(message, _)| message.clone()));
        let key = (key, goal.clone(), way.span);
        if let Some(known) = self.passed.get(&key) {
            return known.clone();
        }
        let name = Name { text: format!("way {}", self.passed.len()), span: way.span };
        let next = match outside {
            Some(_) => Vec::new(),
            None => vec![(Condition::Always, self.state_named(goal), way.span)],
        };
        let passed = true;
        self.states.push(State { name: name.clone(), entry, next, outside, passed, ..State::default() });
        let state = StateName { name, index: None, otherwise: None };
        self.passed.insert(key, state.clone());
        state
    }

    /// The inputs, and what events do to them.
    fn inputs(
        &mut self,
        chart: &Chart<'_>,
        first: &[Way],
        known: &BTreeMap<Situation, Ways>,
        events: &BTreeSet<String>,
    ) -> Option<()> {
        let mut guesses: BTreeMap<Option<&str>, BTreeSet<usize>> = BTreeMap::new();
        let begin = first.iter().map(|way| (Some(START), way));
        let ways = known.values().flatten().map(|(event, way)| (event.as_deref(), way));
        for (event, way) in begin.chain(ways) {
            guesses.entry(event).or_default().extend(way.guesses.iter().map(|(number, _)| *number));
        }
        let mut inputs: BTreeSet<String> = BTreeSet::new();
        let mut mapping: Vec<(String, Vec<Vec<Change>>)> = Vec::new();
        let mut received: Vec<Option<&str>> = events.iter().map(|event| Some(event.as_str())).collect();
        received.push(Some(START));
        received.extend(self.document().invoked.is_some().then_some(Some(CANCEL)));
        received.push(None);
        for event in received {
            let asked = guesses.get(&event).cloned().unwrap_or_default();
            let bits: Vec<String> = asked.iter().map(|&number| Self::bit(chart, event, number)).collect();
            if bits.len() > MOST_BITS {
                let when =
                    event.map_or_else(|| "at once".to_owned(), |event| format!("when `{event}` comes"));
                self.error(format!("more than {MOST_BITS} conditions on data are asked {when}"));
                return None;
            }
            inputs.extend(event.map(str::to_owned));
            inputs.extend(bits.iter().cloned());
            match event {
                Some(event) => {
                    let base = [Change::DeleteAll, Change::Insert(self.named(event))];
                    mapping.push((event.to_owned(), self.subsets(&base, &bits)));
                }
                None if bits.is_empty() => {}
                None => mapping.push((GUESS.to_owned(), self.subsets(&[], &bits))),
            }
        }
        mapping.push((FORGET.to_owned(), vec![vec![Change::DeleteAll]]));
        for (Later { event, .. }, (timer, relay)) in self.timers.clone() {
            let change = match relay {
                Some(relay) => {
                    inputs.insert(relay.clone());
                    vec![vec![Change::DeleteAll, Change::Insert(self.named(relay))]]
                }
                None => {
                    let same = mapping.iter().find(|(known, _)| *known == event);
                    same.map_or(Vec::new(), |(_, same)| same.clone())
                }
            };
            mapping.push((timer.clone(), change));
        }
        mapping.retain(|(event, _)| !self.only_later(event));
        self.machine.inputs = inputs.into_iter().map(|name| self.named(name)).collect();
        let timers: BTreeSet<&String> = self.timers.values().map(|(timer, _)| timer).collect();
        for (event, alternatives) in mapping {
            let name = self.named(event.clone());
            if !timers.contains(&event) {
                self.machine.events.push(name.clone());
            }
            self.machine.input_mapping.push(InputMapping { event: name, alternatives });
        }
        Some(())
    }

    /// Whether an event comes from timers of the machine itself alone, and never as a message.
    fn only_later(&self, event: &str) -> bool {
        let own = self.timers.keys().any(|later| later.event == event && later.to == self.number);
        let by_message = |from: usize, action: &Action| match action {
            Action::Raise(raised, _) => from == self.number && raised == event,
            Action::Send { event: sent, target: to, delayed, .. } => {
                let there = target(self.documents, from, to);
                sent == event && there == Some(self.number) && !(*delayed && from == self.number)
            }
            Action::Cancel(_) | Action::Assign { .. } | Action::If(_) | Action::Script(_) => false,
        };
        let mut documents = self.documents.iter().enumerate();
        own && !documents.any(|(from, one)| one.actions().into_iter().any(|action| by_message(from, action)))
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

    fn all_timers(&self) -> BTreeMap<Later, (String, Option<String>)> {
        let mut timers: BTreeMap<Later, (String, Option<String>)> = BTreeMap::new();
        let mut names: BTreeSet<String> = BTreeSet::new();
        for action in self.document().actions() {
            if let Action::Send { event, target: to, id, delayed: true, span } = action
                && let Some(to) = target(self.documents, self.number, to)
            {
                let other = to != self.number;
                let of = match other {
                    false => event.clone(),
                    true => format!("{}.{event}", self.documents[to].name),
                };
                let first = if id.is_empty() { format!("later {of}") } else { format!("later {of} ({id})") };
                let mut name = first.clone();
                for number in 2.. {
                    if names.insert(name.clone()) {
                        break;
                    }
                    name = format!("{first} {number}");
                }
                let relay = other.then(|| format!("({name})"));
                timers.insert(Later { span: *span, event: event.clone(), id: id.clone(), to }, (name, relay));
            }
        }
        timers
    }
}
