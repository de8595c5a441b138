//! A network in words: steps, values, messages, and what goes wrong.

use super::relations::What;
use super::run::{Operation, Outcome};
use super::system::{OF_DATA, OF_TIMER, Source, TOO_MANY, VfsmSystem};
use mazurka_model::source::SourceMap;
use mazurka_model::trace::TraceStep;
use mazurka_model::{
    Describe, Event, EventKind, ObjectId, Place, ProcessId, Step, StepText, Violation, ViolationKind,
};

impl VfsmSystem {
    /// The machine of a step, or the timer's owner.
    fn mover(&self, step: Step) -> Option<usize> {
        match self.timer_of(step) {
            Some(timer) => self.network.timers.get(timer).map(|timer| timer.owner),
            None => {
                let (message, _, _) = self.decode(step);
                self.network.messages.get(message as usize).map(|message| message.machine as usize)
            }
        }
    }

    fn inputs(&self, machine: usize, register: u64) -> String {
        let inputs = self.network.machines[machine].inputs.iter().enumerate();
        let there = inputs.filter(|(bit, _)| register >> bit & 1 == 1).map(|(_, name)| name.as_str());
        format!("{{{}}}", there.collect::<Vec<_>>().join(", "))
    }

    fn queue_text(&self, state: &[u8], process: usize, high: bool) -> String {
        let queue = if high { self.layout.high(process) } else { self.layout.low(process) };
        let mut messages = Vec::new();
        self.layout.messages(state, queue, &mut messages);
        let names: Vec<String> = messages.iter().map(|one| self.network.message_name(*one)).collect();
        format!("[{}]", names.join(", "))
    }

    fn outcome_text(&self, machine: usize, outcome: &Outcome) -> String {
        let one = &self.network.machines[machine];
        let mut text = String::new();
        if !outcome.outputs.is_empty() {
            let names: Vec<&str> =
                outcome.outputs.iter().map(|output| one.outputs[*output as usize].name.as_str()).collect();
            text += &format!(" / {}", names.join(", "));
        }
        for state in &outcome.states {
            text += &format!(" > {}", one.states[*state as usize].name);
        }
        text
    }

    /// The outcome of a step that is enabled in a state.
    fn outcome(&self, state: &[u8], step: Step) -> Option<(usize, Source, Outcome)> {
        let activation = self.activation(state, step.process.index())?;
        let (message, number, _) = self.decode(step);
        let machine = self.network.messages.get(message as usize)?.machine as usize;
        let outcome = self.reaction(state, message).outcomes.get(number)?.clone();
        Some((machine, activation.source, outcome))
    }

    fn machine_values(&self, state: &[u8], machine: usize, out: &mut Vec<(String, String)>) {
        let one = &self.network.machines[machine];
        let control = &one.states[self.layout.state(state, machine) as usize].name;
        out.push((one.name.clone(), control.clone()));
        if !one.inputs.is_empty() {
            let register = self.layout.register(state, machine);
            out.push((format!("{}.VIR", one.name), self.inputs(machine, register)));
        }
        for (number, timer) in self.network.timers.iter().enumerate().filter(|(_, one)| one.owner == machine)
        {
            let runs = if self.layout.runs(state, number) { "running" } else { "stopped" };
            out.push((format!("{}.{}", one.name, timer.name), runs.to_owned()));
        }
    }

    /// A message that is sent, by a machine of a process or by a timer, where queues are so full.
    fn sent(&self, lengths: &mut [usize], message: u32, from: Option<usize>) -> EventKind {
        let to = self.network.destination(message);
        let one = &self.network.processes[to];
        let (at, capacity, which) = match from == Some(to) {
            true => (self.network.processes.len() + to, one.high, "internal"),
            false => (to, one.low, "queue"),
        };
        let name = format!("{} {which}", one.name);
        let message = self.network.message_name(message);
        let position = lengths[at];
        if position >= capacity {
            return EventKind::Lost { name, message };
        }
        lengths[at] += 1;
        EventKind::Sent { channel: at as u32, name, message, position }
    }

    fn queue_values(&self, state: &[u8], process: usize, out: &mut Vec<(String, String)>) {
        let one = &self.network.processes[process];
        if one.high > 0 {
            out.push((format!("{} internal", one.name), self.queue_text(state, process, true)));
        }
        out.push((format!("{} queue", one.name), self.queue_text(state, process, false)));
    }
}

impl Describe for VfsmSystem {
    fn name(&self) -> String {
        self.network.name.clone()
    }

    fn fingerprint(&self) -> u64 {
        self.network.fingerprint
    }

    fn representation(&self) -> u64 {
        // What is known of machines decides which steps of a state were left out, and a search that goes on from a checkpoint asks again.
        self.information as u64
    }

    fn step(&self, state: &[u8], step: Step) -> StepText {
        if let Some(timer) = self.timer_of(step) {
            let Some(one) = self.network.timers.get(timer) else { return StepText::default() };
            let owner = &self.network.machines[one.owner];
            let event = self.network.messages[one.message as usize].event as usize;
            return StepText {
                process: self.network.timer_name(timer),
                text: "expires".to_owned(),
                span: Some(owner.events[event].span),
            };
        }
        let (message, _, by_itself) = self.decode(step);
        let Some((machine, _, outcome)) = self.outcome(state, step) else { return StepText::default() };
        let one = &self.network.machines[machine];
        let event = self.network.messages[message as usize].event as usize;
        let sign = if by_itself { "!" } else { "?" };
        let control = &one.states[self.layout.state(state, machine) as usize];
        let text = format!("{sign}{}{}", one.events[event].name, self.outcome_text(machine, &outcome));
        StepText { process: one.name.clone(), text, span: Some(control.span) }
    }

    fn values(&self, state: &[u8]) -> Vec<(String, String)> {
        let mut out = Vec::new();
        for (number, process) in self.network.processes.iter().enumerate() {
            process.machines.clone().for_each(|machine| self.machine_values(state, machine, &mut out));
            self.queue_values(state, number, &mut out);
        }
        out
    }

    fn globals(&self, state: &[u8]) -> Vec<(String, String)> {
        let mut out = Vec::new();
        (0..self.network.processes.len()).for_each(|process| self.queue_values(state, process, &mut out));
        out
    }

    fn locals(&self, state: &[u8], process: ProcessId) -> Vec<(String, String)> {
        let mut out = Vec::new();
        match process.index().checked_sub(self.network.processors.len()) {
            None => {
                for one in self.network.processors[process.index()].processes.clone() {
                    let machines = self.network.processes[one].machines.clone();
                    machines.for_each(|machine| self.machine_values(state, machine, &mut out));
                }
            }
            Some(timer) if timer < self.network.timers.len() => {
                self.machine_values(state, self.network.timers[timer].owner, &mut out);
            }
            Some(_) => {}
        }
        out
    }

    fn processes(&self, _state: &[u8]) -> Vec<String> {
        let mut names: Vec<String> = self.network.processors.iter().map(|one| one.name.clone()).collect();
        names.extend((0..self.network.timers.len()).map(|timer| self.network.timer_name(timer)));
        names
    }

    fn alternative(&self, state: &[u8], process: ProcessId, _alternative: usize) -> StepText {
        let name = self.processes(state).get(process.index()).cloned().unwrap_or_default();
        let text = match process.index().checked_sub(self.network.processors.len()) {
            Some(_) => "expires".to_owned(),
            None => match self.activation(state, process.index()) {
                None => "waits for a message".to_owned(),
                Some(activation) => match activation.source {
                    Source::High(message) | Source::Low(message) => {
                        format!("{} next", self.network.message_name(message))
                    }
                    Source::Free(machine) => format!("{} acts next", self.network.machines[machine].name),
                    Source::Any => "a free machine acts next".to_owned(),
                },
            },
        };
        StepText { process: name, text, span: None }
    }

    fn object(&self, object: ObjectId) -> String {
        match self.objects.what(object) {
            What::Queue(process) => format!("{} queue", self.network.processes[process].name),
            What::Timer(timer) => self.network.timer_name(timer),
            What::Machine(machine) => self.network.machines[machine].name.clone(),
        }
    }

    fn events(&self, state: &[u8], step: TraceStep) -> Vec<Event> {
        let process = step.step.process;
        let queues = self.network.processes.len();
        let mut events = Vec::new();
        // How full the queues are, internal ones last.
        let low = (0..queues).map(|one| self.layout.len(state, self.layout.low(one)));
        let high = (0..queues).map(|one| self.layout.len(state, self.layout.high(one)));
        let mut lengths: Vec<usize> = low.chain(high).collect();
        if let Some(timer) = self.timer_of(step.step) {
            if let Some(timer) = self.network.timers.get(timer) {
                events.push(Event { process, kind: self.sent(&mut lengths, timer.message, None) });
            }
            return events;
        }
        let Some((machine, source, outcome)) = self.outcome(state, step.step) else { return events };
        let own = self.network.machines[machine].process;
        if let Source::High(message) | Source::Low(message) = source {
            let high = matches!(source, Source::High(_));
            let at = own + if high { queues } else { 0 };
            let process_name = &self.network.processes[own].name;
            let name = format!("{process_name} {}", if high { "internal" } else { "queue" });
            let message = self.network.message_name(message);
            let kind = EventKind::Received { channel: at as u32, name, message, position: 0, kept: false };
            events.push(Event { process, kind });
            // A message to its own process comes behind those that are left.
            lengths[at] = lengths[at].saturating_sub(1);
        }
        for operation in &outcome.operations {
            if let Operation::Send(message) = operation {
                let kind = self.sent(&mut lengths, *message, Some(own));
                let lost = matches!(kind, EventKind::Lost { .. });
                events.push(Event { process, kind });
                if lost {
                    break;
                }
            }
        }
        events
    }

    fn violation(&self, violation: &Violation) -> StepText {
        let place = violation.place;
        let process = self
            .mover(violation.step)
            .map_or_else(String::new, |machine| self.network.machines[machine].name.clone());
        let situation = |place: u32| {
            let message = self.network.messages.get((place >> 16) as usize);
            let machine = message.map(|message| &self.network.machines[message.machine as usize]);
            let state = machine.and_then(|machine| machine.states.get((place & 0xffff) as usize));
            let event = message
                .zip(machine)
                .map_or("", |(message, machine)| machine.events[message.event as usize].name.as_str());
            (event, state.map_or("", |state| state.name.as_str()), state.map(|state| state.span))
        };
        let (text, span) = match violation.kind {
            ViolationKind::Reception => {
                let (event, state, span) = situation(place);
                (format!("`{event}` is not expected in state {state}"), span)
            }
            ViolationKind::Overflow if place & OF_DATA != 0 => {
                match self.network.outside.get((place & !OF_DATA) as usize) {
                    Some((text, span)) => (text.clone(), Some(*span)),
                    None => (format!("violation {place}"), None),
                }
            }
            ViolationKind::Overflow => {
                let (message, sender) = (place >> 8, (place & 0xff) as usize);
                let Some(kind) = self.network.messages.get(message as usize) else {
                    return StepText { process, ..StepText::default() };
                };
                let to = &self.network.machines[kind.machine as usize];
                let queue = &self.network.processes[to.process];
                let name = self.network.message_name(message);
                let own = self.network.machines.get(sender).is_some_and(|one| one.process == to.process);
                let (which, capacity) = match own {
                    true => ("internal queue", queue.high),
                    false => ("queue", queue.low),
                };
                let text = format!(
                    "the {which} of {} is full: `{name}` does not fit behind {capacity} messages",
                    queue.name
                );
                (text, Some(queue.span))
            }
            ViolationKind::Fault if place & TOO_MANY != 0 => {
                let (event, state, span) = situation(place & !TOO_MANY);
                (format!("`{event}` has too many different consequences in state {state}"), span)
            }
            ViolationKind::Fault => {
                let (event, state, span) = situation(place);
                (format!("after `{event}` in state {state} the machine may change its state for ever"), span)
            }
            ViolationKind::Assertion if place & OF_TIMER != 0 => {
                let timer = (place & !OF_TIMER) as usize;
                let known = timer < self.network.timers.len();
                let name = if known { self.network.timer_name(timer) } else { String::new() };
                let owner = self.network.timers.get(timer).map(|timer| &self.network.machines[timer.owner]);
                (format!("the timer {name} is started while it runs"), owner.map(|owner| owner.span))
            }
            _ => match self.network.assertions.get(place as usize) {
                Some((state, span)) => {
                    let file = self.network.sources.file(span.file);
                    let source = file.and_then(|file| file.text.get(span.start as usize..span.end as usize));
                    let text = source.unwrap_or("");
                    (format!("the assertion `{text}` of state {state} is false"), Some(*span))
                }
                None => (format!("violation {place}"), None),
            },
        };
        StepText { process, text, span }
    }

    fn property(&self, property: u32) -> StepText {
        match self.properties.get(property as usize) {
            Some((name, text)) => StepText { process: name.clone(), text: text.clone(), span: None },
            None => StepText { process: format!("property {property}"), ..StepText::default() },
        }
    }

    fn places(&self) -> Vec<Place> {
        let place = |(number, (text, span)): (usize, &(String, mazurka_model::source::Span))| Place {
            number: number as u32,
            text: text.clone(),
            span: Some(*span),
        };
        self.network.places.iter().enumerate().map(place).collect()
    }

    fn sources(&self) -> Option<&SourceMap> {
        Some(&self.network.sources)
    }
}
