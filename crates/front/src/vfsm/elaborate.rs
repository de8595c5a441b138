//! From the tree of a file to a network: names are resolved, families of states written out, conditions
//! compiled, and everything is reported that is wrong, or odd.
//!
//! Each machine of the system is made from its definition with its own arguments, so what is wrong with a
//! definition is reported once, though it may be met several times.

use super::ast::{self, Name, Number};
use super::network::{
    Action, Change, Event, MOST_ENTRIES, MOST_INITIAL, MOST_INPUTS, MOST_MESSAGES, MOST_STATES, MOST_UNITS,
    Machine, Message, Network, Output, Process, Processor, State, Test, Timer,
};
use mazurka_model::source::{Diagnostic, Severity, Span};
use std::collections::HashMap;

/// Messages that fit into a queue whose capacity is not given.
const USUAL_CAPACITY: usize = 4;
/// The largest capacity of a queue.
const MOST_CAPACITY: u32 = 1000;

/// What a name stands for in a machine.
#[derive(Copy, Clone, Debug)]
enum Value {
    Number(i64),
    Machine(usize),
}

/// Makes the network of a file; `defines` are constants that take the place of those in the file.
pub fn elaborate(
    file: &ast::File,
    defines: &[(String, String)],
    whole: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Network {
    let mut making =
        Making { file, constants: HashMap::new(), diagnostics, network: Network::default(), entries: 0 };
    making.constants(defines, whole);
    making.definitions();
    let Some(system) = file.systems.first() else {
        let message = "there is no system: nothing says which machines there are";
        making.error(whole, message).help =
            Some("add `system NAME { processor P { m: MACHINE; } }`".to_owned());
        return making.network;
    };
    for other in &file.systems[1..] {
        making.diagnostics.push(
            Diagnostic::error(other.name.span, "there is a second system")
                .note(system.name.span, "the first one"),
        );
    }
    making.system(system);
    making.dedup();
    making.network
}

struct Making<'a> {
    file: &'a ast::File,
    constants: HashMap<String, i64>,
    diagnostics: &'a mut Vec<Diagnostic>,
    network: Network,
    /// States and their entries that were made.
    entries: usize,
}

impl<'a> Making<'a> {
    fn error(&mut self, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.diagnostics.push(Diagnostic::error(span, message));
        let last = self.diagnostics.len() - 1;
        &mut self.diagnostics[last]
    }

    fn warn(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::warning(span, message));
    }

    /// Several machines of one definition meet the same mistakes.
    fn dedup(&mut self) {
        let mut kept: Vec<Diagnostic> = Vec::new();
        for one in self.diagnostics.drain(..) {
            if !kept.contains(&one) {
                kept.push(one);
            }
        }
        *self.diagnostics = kept;
    }

    /// Reports names that are declared twice.
    fn unique<'n>(&mut self, names: impl Iterator<Item = &'n Name>, what: &str) {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        for name in names {
            match seen.get(name.text.as_str()) {
                Some(first) => {
                    let message = format!("{what} `{}` is declared twice", name.text);
                    self.diagnostics
                        .push(Diagnostic::error(name.span, message).note(*first, "declared here first"));
                }
                None => drop(seen.insert(&name.text, name.span)),
            }
        }
    }

    fn constants(&mut self, defines: &[(String, String)], whole: Span) {
        self.unique(self.file.constants.iter().map(|one| &one.name), "the constant");
        for constant in &self.file.constants {
            let value = match self.number(&constant.value, &HashMap::new()) {
                Some(value) => value,
                None => continue,
            };
            self.constants.insert(constant.name.text.clone(), value);
            if let Some((_, given)) = defines.iter().find(|(name, _)| *name == constant.name.text) {
                match given.parse::<u32>() {
                    Ok(given) => drop(self.constants.insert(constant.name.text.clone(), given.into())),
                    Err(_) => {
                        let message =
                            format!("`{}` is given as `{given}`, which is no number", constant.name.text);
                        self.error(constant.name.span, message);
                    }
                }
            }
        }
        for (name, _) in defines {
            if !self.file.constants.iter().any(|one| one.name.text == *name) {
                let message = format!("there is no constant `{name}` that could be given another value");
                self.error(Span { end: whole.start, ..whole }, message);
            }
        }
    }

    fn number(&mut self, number: &Number, names: &HashMap<&str, Value>) -> Option<i64> {
        match number {
            Number::Literal(value, _) => Some((*value).into()),
            Number::Named(name) => match names.get(name.text.as_str()) {
                Some(Value::Number(value)) => Some(*value),
                Some(Value::Machine(_)) => {
                    self.error(name.span, format!("`{}` is a machine, not a number", name.text));
                    None
                }
                None => {
                    let value = self.constants.get(&name.text).copied();
                    if value.is_none() {
                        self.error(name.span, format!("there is no number `{}`", name.text));
                    }
                    value
                }
            },
            Number::Plus(left, right) => Some(self.number(left, names)? + self.number(right, names)?),
            Number::Minus(left, right) => Some(self.number(left, names)? - self.number(right, names)?),
        }
    }

    /// What can be said of definitions whether or not they are used.
    fn definitions(&mut self) {
        let file = self.file;
        self.unique(file.machines.iter().map(|one| &one.name), "the machine");
        let used = |name: &str| {
            let systems = file.systems.iter().flat_map(|system| &system.processors);
            systems
                .flat_map(|processor| &processor.processes)
                .flat_map(|process| &process.instances)
                .any(|instance| instance.machine.text == name)
        };
        for machine in &file.machines {
            self.unique(machine.parameters.iter(), "the parameter");
            self.unique(machine.inputs.iter(), "the input");
            self.unique(machine.outputs.iter(), "the output");
            let timers = machine.timers.iter().map(|(name, _)| name);
            self.unique(machine.events.iter().chain(timers), "the event or timer");
            self.unique(machine.states.iter().map(|state| &state.name), "the state");
            self.unique(machine.input_mapping.iter().map(|one| &one.event), "the mapping of event");
            self.unique(machine.output_mapping.iter().map(|one| &one.output), "the mapping of output");
            if !used(&machine.name.text) {
                self.warn(machine.name.span, format!("the machine `{}` is in no process", machine.name.text));
            }
            if machine.states.is_empty() {
                self.error(machine.name.span, format!("the machine `{}` has no state", machine.name.text));
            }
            if machine.inputs.len() > MOST_INPUTS {
                let message = format!("a machine has at most {MOST_INPUTS} inputs");
                self.error(machine.inputs[MOST_INPUTS].span, message);
            }
        }
    }

    fn system(&mut self, system: &'a ast::System) {
        self.network.name.clone_from(&system.name.text);
        self.unique(system.processors.iter().map(|one| &one.name), "the processor");
        let processes = || system.processors.iter().flat_map(|processor| &processor.processes);
        self.unique(processes().map(|one| &one.name), "the process");
        let instances = || processes().flat_map(|process| &process.instances);
        self.unique(instances().map(|one| &one.name), "the machine");
        if instances().next().is_none() {
            self.error(system.name.span, "the system has no machine");
        }
        if let Some(beyond) = instances().nth(MOST_UNITS) {
            self.error(beyond.name.span, format!("there are more than {MOST_UNITS} machines"));
            return;
        }
        let numbers: HashMap<&str, usize> =
            instances().enumerate().map(|(number, one)| (one.name.text.as_str(), number)).collect();
        // Messages are numbered before any machine is made, because machines send to each other.
        let mut made = Vec::new();
        for (number, instance) in instances().enumerate() {
            let definition = self.file.machines.iter().find(|one| one.name.text == instance.machine.text);
            if definition.is_none() {
                let message = format!("there is no machine `{}`", instance.machine.text);
                self.error(instance.machine.span, message);
            }
            let first = self.network.messages.len() as u32;
            let events = definition.map_or(0, |one| one.events.len() + one.timers.len()) as u32;
            self.network.messages.extend((0..events).map(|event| Message { machine: number as u32, event }));
            made.push((instance, definition, first));
        }
        if self.network.messages.len() > MOST_MESSAGES {
            self.error(system.name.span, format!("there are more than {MOST_MESSAGES} kinds of messages"));
            return;
        }
        self.processes(system, &made);
        for (instance, definition, first) in &made {
            if let Some(definition) = definition {
                self.machine(instance, definition, *first, &made, &numbers);
            }
        }
        if self.network.machines.len() != made.len() {
            return;
        }
        let units = self.network.units().max(self.network.processes.len()).max(self.network.machines.len());
        if units > MOST_UNITS {
            let message = format!(
                "there are too many machines, or processors and timers: {units}, and at most {MOST_UNITS} can be had"
            );
            self.error(system.name.span, message);
        }
        let initial = self
            .network
            .machines
            .iter()
            .map(|machine| machine.states.iter().filter(|state| state.initial).count());
        if initial.fold(1usize, |all, one| all.saturating_mul(one)) > MOST_INITIAL {
            let message = format!("the machines can begin in more than {MOST_INITIAL} ways");
            self.error(system.name.span, message);
        }
        self.messages(system, &numbers);
        for (name, text, span) in &system.formulas {
            self.network.formulas.push((name.text.clone(), text.clone(), *span));
        }
        self.unique(system.formulas.iter().map(|(name, _, _)| name), "the property");
        if self.diagnostics.iter().all(|one| one.severity != Severity::Error) {
            self.questions();
        }
    }

    fn processes(&mut self, system: &ast::System, made: &[(&ast::Instance, Option<&ast::Machine>, u32)]) {
        let mut machine = 0;
        for processor in &system.processors {
            let first = self.network.processes.len();
            for process in &processor.processes {
                if process.instances.is_empty() {
                    self.error(
                        process.name.span,
                        format!("the process `{}` has no machine", process.name.text),
                    );
                }
                let machines = machine..machine + process.instances.len();
                machine = machines.end;
                let mut free = machines.clone().filter(|at| made[*at].1.is_some_and(|one| one.free));
                let first_free = free.next();
                if let Some(second) = free.next() {
                    let message = format!("the process `{}` has a second free machine", process.name.text);
                    self.error(made[second].0.name.span, message).help =
                        Some("at most one machine of a process is free".to_owned());
                }
                let first_message = machines.clone().next().map_or(0, |at| made[at].2);
                let end = made.get(machines.end).map_or(self.network.messages.len() as u32, |one| one.2);
                let (low, high) = (self.capacity(&process.queue), self.capacity(&process.internal));
                self.network.processes.push(Process {
                    name: process.name.text.clone(),
                    processor: self.network.processors.len(),
                    machines,
                    low,
                    high,
                    free: first_free,
                    first_message,
                    messages: end - first_message,
                    span: process.name.span,
                });
            }
            let processes = first..self.network.processes.len();
            self.network.processors.push(Processor { name: processor.name.text.clone(), processes });
        }
    }

    fn capacity(&mut self, number: &Option<Number>) -> usize {
        let Some(number) = number else { return USUAL_CAPACITY };
        match self.number(number, &HashMap::new()) {
            Some(value) if (1..=i64::from(MOST_CAPACITY)).contains(&value) => value as usize,
            Some(value) => {
                let message = format!("a queue holds 1 to {MOST_CAPACITY} messages, not {value}");
                self.error(number.span(), message);
                1
            }
            None => 1,
        }
    }

    fn messages(&mut self, system: &ast::System, numbers: &HashMap<&str, usize>) {
        for (machine, event) in &system.messages {
            let Some(number) = numbers.get(machine.text.as_str()) else {
                self.error(machine.span, format!("there is no machine `{}`", machine.text));
                continue;
            };
            let to = &self.network.machines[*number];
            match to.events.iter().position(|one| one.name == event.text) {
                Some(found) => {
                    let message = to.first_message + found as u32;
                    self.network.initially.push(message);
                    let process = self.network.destination(message);
                    let waiting = self.network.initially.iter();
                    let count = waiting.filter(|one| self.network.destination(**one) == process).count();
                    let Process { name, low, .. } = self.network.processes[process].clone();
                    if count > low {
                        let message = format!("the queue of `{name}` holds at most {low} messages");
                        self.error(event.span, message);
                    }
                }
                None => {
                    let message = format!("the machine `{}` has no event `{}`", machine.text, event.text);
                    self.error(event.span, message);
                }
            }
        }
    }

    fn machine(
        &mut self,
        instance: &ast::Instance,
        definition: &ast::Machine,
        first_message: u32,
        made: &[(&ast::Instance, Option<&ast::Machine>, u32)],
        numbers: &HashMap<&str, usize>,
    ) {
        if definition.parameters.len() != instance.arguments.len() {
            let message = format!(
                "`{}` has {} parameters, and {} are given",
                definition.name.text,
                definition.parameters.len(),
                instance.arguments.len()
            );
            self.diagnostics.push(
                Diagnostic::error(instance.name.span, message).note(definition.name.span, "defined here"),
            );
        }
        let mut names: HashMap<&str, Value> = HashMap::new();
        for (parameter, argument) in definition.parameters.iter().zip(&instance.arguments) {
            let value = match argument {
                Number::Named(name) if numbers.contains_key(name.text.as_str()) => {
                    Some(Value::Machine(numbers[name.text.as_str()]))
                }
                number => self.number(number, &HashMap::new()).map(Value::Number),
            };
            if let Some(value) = value {
                names.insert(&parameter.text, value);
            }
        }
        let number = self.network.machines.len();
        let process = self.network.processes.iter().position(|one| one.machines.contains(&number));
        let mut body = Body {
            definition,
            names,
            numbers,
            made,
            first_timer: self.network.timers.len(),
            first_message,
            states: HashMap::new(),
            making: self,
            machine: Machine {
                name: instance.name.text.clone(),
                definition: definition.name.text.clone(),
                process: process.unwrap_or(0),
                environment: definition.environment,
                free: definition.free,
                inputs: definition.inputs.iter().map(|one| one.text.clone()).collect(),
                first_message,
                span: definition.name.span,
                ..Machine::default()
            },
        };
        body.timers(number);
        body.events();
        body.outputs();
        body.states();
        let machine = body.machine;
        self.network.machines.push(machine);
    }

    /// What is odd about a network in which everything has a meaning.
    fn questions(&mut self) {
        let mut sent: Vec<bool> = vec![false; self.network.messages.len()];
        self.network.initially.iter().for_each(|message| sent[*message as usize] = true);
        self.network.timers.iter().for_each(|timer| sent[timer.message as usize] = true);
        let mut internal = vec![false; self.network.processes.len()];
        for machine in &self.network.machines {
            for action in machine.outputs.iter().flat_map(|output| output.alternatives.iter().flatten()) {
                match action {
                    Action::Send(message) => {
                        sent[*message as usize] = true;
                        let process = self.network.destination(*message);
                        internal[process] |= process == machine.process;
                    }
                    Action::Feedback(event) => sent[(machine.first_message + event) as usize] = true,
                    Action::Start(_) | Action::Stop(_) => {}
                }
            }
            for (_, events) in machine.states.iter().flat_map(|state| &state.spontaneous) {
                events.iter().for_each(|event| sent[(machine.first_message + event) as usize] = true);
            }
        }
        for (process, internal) in self.network.processes.iter_mut().zip(internal) {
            if !internal {
                process.high = 0;
            }
        }
        let machines = std::mem::take(&mut self.network.machines);
        let definitions: Vec<&ast::Machine> = self.file.machines.iter().collect();
        for definition in definitions {
            let made: Vec<&Machine> =
                machines.iter().filter(|one| one.definition == definition.name.text).collect();
            self.questions_of(definition, &made, &sent);
        }
        self.network.machines = machines;
    }

    fn questions_of(&mut self, definition: &ast::Machine, made: &[&Machine], sent: &[bool]) {
        let Some(first) = made.first() else { return };
        for (event, name) in definition.events.iter().enumerate() {
            if !made.iter().any(|one| sent[one.first_message as usize + event]) {
                self.warn(name.span, format!("nobody sends `{}` to `{}`", name.text, definition.name.text));
            }
        }
        for (input, name) in definition.inputs.iter().enumerate().take(MOST_INPUTS) {
            let inserts = |change: &Change| change.insert >> input & 1 == 1;
            if !first.events.iter().any(|event| event.alternatives.iter().any(inserts)) {
                self.warn(name.span, format!("the input `{}` is never produced", name.text));
            }
        }
        for name in &definition.outputs {
            if !definition.output_mapping.iter().any(|one| one.output.text == name.text) {
                self.diagnostics.push(
                    Diagnostic::warning(name.span, format!("the output `{}` has no mapping", name.text))
                        .help(format!("it does nothing; if that is meant: do {}: nothing;", name.text)),
                );
            }
        }
        for state in &definition.states {
            let reached = made.iter().any(|machine| {
                let reached = reachable(machine);
                machine
                    .states
                    .iter()
                    .zip(reached)
                    .any(|(one, reached)| one.span == state.name.span && reached)
            });
            if !reached {
                let message = format!("no next-state condition leads to the state `{}`", state.name.text);
                self.warn(state.name.span, message);
            }
        }
    }
}

/// Which states of a machine can be reached over its next-state conditions.
fn reachable(machine: &Machine) -> Vec<bool> {
    let mut reached: Vec<bool> = machine.states.iter().map(|state| state.initial).collect();
    let mut work: Vec<usize> = (0..reached.len()).filter(|at| reached[*at]).collect();
    while let Some(at) = work.pop() {
        for (_, to, _) in &machine.states[at].next {
            if !std::mem::replace(&mut reached[*to as usize], true) {
                work.push(*to as usize);
            }
        }
    }
    reached
}

/// A machine under construction.
struct Body<'m, 'a, 'b> {
    definition: &'m ast::Machine,
    names: HashMap<&'m str, Value>,
    numbers: &'m HashMap<&'m str, usize>,
    made: &'m [(&'m ast::Instance, Option<&'m ast::Machine>, u32)],
    first_timer: usize,
    first_message: u32,
    /// States by name and index.
    states: HashMap<(&'m str, Option<i64>), u32>,
    making: &'b mut Making<'a>,
    machine: Machine,
}

impl<'m> Body<'m, '_, '_> {
    fn unknown(&mut self, name: &Name, what: &str, known: &[Name]) {
        let message = format!("the machine `{}` has no {what} `{}`", self.definition.name.text, name.text);
        let similar = known.iter().find(|one| one.text.eq_ignore_ascii_case(&name.text));
        let help = similar.map(|one| format!("there is `{}`", one.text));
        self.making.error(name.span, message).help = help;
    }

    fn input(&mut self, name: &Name) -> Option<u64> {
        let found = self.definition.inputs.iter().position(|one| one.text == name.text);
        if found.is_none() {
            self.unknown(name, "input", &self.definition.inputs);
        }
        // That there are too many was reported before.
        found.filter(|at| *at < MOST_INPUTS).map(|at| 1 << at)
    }

    fn event(&mut self, name: &Name) -> Option<u32> {
        let found = event_of(self.definition, &name.text);
        if found.is_none() {
            self.unknown(name, "event or timer", &self.definition.events);
        }
        found
    }

    fn timer(&mut self, name: &Name) -> Option<u32> {
        let found = self.definition.timers.iter().position(|(one, _)| one.text == name.text);
        if found.is_none() {
            let known: Vec<Name> = self.definition.timers.iter().map(|(one, _)| one.clone()).collect();
            self.unknown(name, "timer", &known);
        }
        found.map(|at| (self.first_timer + at) as u32)
    }

    fn output(&mut self, name: &Name) -> Option<u32> {
        let found = self.definition.outputs.iter().position(|one| one.text == name.text);
        if found.is_none() {
            self.unknown(name, "output", &self.definition.outputs);
        }
        found.map(|at| at as u32)
    }

    fn timers(&mut self, owner: usize) {
        for (at, (name, strict)) in self.definition.timers.iter().enumerate() {
            let message = self.first_message + (self.definition.events.len() + at) as u32;
            let timer = Timer { name: name.text.clone(), owner, message, strict: *strict };
            self.making.network.timers.push(timer);
        }
    }

    fn events(&mut self) {
        let timers = self.definition.timers.iter().map(|(name, _)| name);
        for name in self.definition.events.iter().chain(timers) {
            let mapping = self.definition.input_mapping.iter().find(|one| one.event.text == name.text);
            let mut event = Event { name: name.text.clone(), alternatives: Vec::new(), span: name.span };
            match mapping {
                None => {
                    let message = format!("nothing says which inputs the event `{}` stands for", name.text);
                    self.making.error(name.span, message).help =
                        Some(format!("map it: on {}: +INPUT;", name.text));
                }
                Some(mapping) => {
                    event.span = mapping.event.span;
                    for changes in &mapping.alternatives {
                        let change = self.change(changes);
                        if !event.alternatives.contains(&change) {
                            event.alternatives.push(change);
                        }
                    }
                }
            }
            self.machine.events.push(event);
        }
        for mapping in &self.definition.input_mapping {
            self.event(&mapping.event);
        }
    }

    fn change(&mut self, changes: &[ast::Change]) -> Change {
        let mut all = Change::default();
        for change in changes {
            match change {
                ast::Change::Insert(name) => all.insert |= self.input(name).unwrap_or(0),
                ast::Change::Delete(name) => all.delete |= self.input(name).unwrap_or(0),
                ast::Change::DeleteAll => all.delete = u64::MAX,
            }
        }
        all
    }

    fn outputs(&mut self) {
        for name in &self.definition.outputs {
            let mapping = self.definition.output_mapping.iter().find(|one| one.output.text == name.text);
            let alternatives = match mapping {
                None => vec![Vec::new()],
                Some(mapping) => {
                    let mut all = Vec::new();
                    for actions in &mapping.alternatives {
                        let actions: Vec<Action> =
                            actions.iter().filter_map(|action| self.action(action)).collect();
                        if !all.contains(&actions) {
                            all.push(actions);
                        }
                    }
                    all
                }
            };
            self.machine.outputs.push(Output { name: name.text.clone(), alternatives });
        }
        for mapping in &self.definition.output_mapping {
            self.output(&mapping.output);
        }
    }

    fn action(&mut self, action: &ast::Action) -> Option<Action> {
        Some(match action {
            ast::Action::Start(name) => Action::Start(self.timer(name)?),
            ast::Action::Stop(name) => Action::Stop(self.timer(name)?),
            ast::Action::Feedback(name) => Action::Feedback(self.event(name)?),
            ast::Action::Send(machine, event) => {
                let number = match self.names.get(machine.text.as_str()) {
                    Some(Value::Machine(number)) => *number,
                    Some(Value::Number(_)) => {
                        let message = format!("`{}` is a number, not a machine", machine.text);
                        self.making.error(machine.span, message);
                        return None;
                    }
                    None => match self.numbers.get(machine.text.as_str()) {
                        Some(number) => *number,
                        None => {
                            let message = format!("there is no machine `{}`", machine.text);
                            self.making.error(machine.span, message).help =
                                Some("a machine is a parameter, or one that the system names".to_owned());
                            return None;
                        }
                    },
                };
                let (_, definition, first) = self.made[number];
                let definition = definition?;
                match definition.events.iter().position(|one| one.text == event.text) {
                    Some(found) => Action::Send(first + found as u32),
                    None => {
                        let message =
                            format!("the machine `{}` has no event `{}`", definition.name.text, event.text);
                        self.making.diagnostics.push(
                            Diagnostic::error(event.span, message)
                                .note(definition.name.span, "this is its definition"),
                        );
                        return None;
                    }
                }
            }
        })
    }

    /// The members of a family, or nothing for a single state.
    fn family(&mut self, state: &'m ast::State) -> Vec<Option<i64>> {
        let Some((index, first, last)) = &state.family else { return vec![None] };
        let names = std::mem::take(&mut self.names);
        let (from, to) = (self.making.number(first, &names), self.making.number(last, &names));
        self.names = names;
        let (Some(from), Some(to)) = (from, to) else { return Vec::new() };
        if to < from {
            self.making
                .warn(index.span, format!("there is no state `{}`: {from} is above {to}", state.name.text));
        }
        if to - from >= MOST_STATES as i64 {
            self.making.error(index.span, format!("a machine has at most {MOST_STATES} states"));
            return Vec::new();
        }
        (from..=to).map(Some).collect()
    }

    fn states(&mut self) {
        let mut members = Vec::new();
        for state in &self.definition.states {
            for index in self.family(state) {
                self.states.insert((&state.name.text, index), members.len() as u32);
                members.push((state, index));
            }
            if members.len() > MOST_STATES {
                self.making.error(state.name.span, format!("a machine has at most {MOST_STATES} states"));
                return;
            }
        }
        let mut before: Option<&ast::State> = None;
        for (state, index) in &members {
            // Of a family the first member is the initial one.
            let first = !before.is_some_and(|before| std::ptr::eq(before, *state));
            before = Some(state);
            let entries = state.actions.iter().map(|(_, outputs, _)| outputs.len()).sum::<usize>()
                + state.spontaneous.iter().map(|(_, events, _)| events.len()).sum::<usize>();
            self.making.entries += 1 + state.next.len() + state.assertions.len() + entries;
            self.making.entries += state.entry.len() + state.exit.len() + state.deferred.len();
            if self.making.entries > MOST_ENTRIES {
                let message = "there are too many states and conditions in all machines together";
                self.making.error(state.name.span, message);
                return;
            }
            let mut made = self.state(state, *index);
            made.initial &= first;
            self.machine.states.push(made);
        }
        let initial = self.definition.states.iter().any(|state| state.initial);
        if let (false, Some(first)) = (initial, self.machine.states.first_mut()) {
            first.initial = true;
        }
    }

    /// The number of a place, which several machines of one definition share.
    fn place(&mut self, text: String, span: Span) -> u32 {
        let places = &mut self.making.network.places;
        let known = places.iter().position(|(_, known)| *known == span);
        known.unwrap_or_else(|| {
            places.push((text, span));
            places.len() - 1
        }) as u32
    }

    fn state(&mut self, state: &'m ast::State, index: Option<i64>) -> State {
        let name = match index {
            Some(index) => format!("{}[{index}]", state.name.text),
            None => state.name.text.clone(),
        };
        if let (Some((variable, _, _)), Some(value)) = (&state.family, index) {
            self.names.insert(&variable.text, Value::Number(value));
        }
        let of = format!("the state {} of {}", state.name.text, self.definition.name.text);
        let mut made = State {
            place: self.place(of, state.name.span),
            name,
            span: state.name.span,
            initial: state.initial,
            end: state.end,
            progress: state.progress,
            entry: self.all_outputs(&state.entry),
            exit: self.all_outputs(&state.exit),
            expected: if state.defers_all { u64::MAX } else { 0 },
            ..State::default()
        };
        for name in &state.deferred {
            made.expected |= self.input(name).unwrap_or(0);
        }
        for (condition, outputs, span) in &state.actions {
            let test = self.test(condition);
            made.expected |= test.looks_at();
            let place = self.place(format!("an input action of {}", state.name.text), *span);
            let outputs = self.all_outputs(outputs);
            made.actions.push((test, outputs, place));
        }
        for (condition, target, span) in &state.next {
            let test = self.test(condition);
            made.expected |= test.looks_at();
            let place = self.place(format!("a next-state condition of {}", state.name.text), *span);
            if let Some(target) = self.target(target) {
                made.next.push((test, target, place));
            }
        }
        if let (Some((_, _, span)), false) = (state.spontaneous.first(), self.definition.free) {
            let message =
                format!("the machine `{}` is not free, so it can't act by itself", self.definition.name.text);
            self.making.error(*span, message).help = Some("write `free machine`".to_owned());
        }
        for (condition, events, _) in &state.spontaneous {
            let test = self.test(condition);
            let events = events.iter().filter_map(|name| self.event(name)).collect();
            made.spontaneous.push((test, events));
        }
        for (condition, span) in &state.assertions {
            let test = self.test(condition);
            let assertions = &mut self.making.network.assertions;
            let number = assertions.iter().position(|(_, known)| known == span).unwrap_or_else(|| {
                assertions.push((state.name.text.clone(), *span));
                assertions.len() - 1
            });
            made.assertions.push((test, number as u32));
        }
        if let Some((variable, _, _)) = &state.family {
            self.names.remove(variable.text.as_str());
        }
        made
    }

    fn all_outputs(&mut self, names: &[Name]) -> Vec<u32> {
        names.iter().filter_map(|name| self.output(name)).collect()
    }

    fn test(&mut self, condition: &ast::Condition) -> Test {
        match condition {
            ast::Condition::Always => Test::ALWAYS,
            ast::Condition::Input(name) => {
                let bit = self.input(name).unwrap_or(0);
                Test::Cube { care: bit, value: bit }
            }
            ast::Condition::Not(inner) => self.test(inner).negate(),
            ast::Condition::And(left, right) => self.test(left).and(self.test(right)),
            ast::Condition::Or(left, right) => self.test(left).or(self.test(right)),
        }
    }

    fn target(&mut self, target: &ast::StateName) -> Option<u32> {
        let index = match &target.index {
            None => None,
            Some(number) => {
                let names = std::mem::take(&mut self.names);
                let value = self.making.number(number, &names);
                self.names = names;
                Some(value?)
            }
        };
        if let Some(found) = self.states.get(&(target.name.text.as_str(), index)) {
            return Some(*found);
        }
        if let Some(otherwise) = &target.otherwise {
            return self.target(otherwise);
        }
        let known = self.definition.states.iter().find(|one| one.name.text == target.name.text);
        match (known, index) {
            (Some(_), Some(index)) => {
                let message = format!("there is no state `{}[{index}]`", target.name.text);
                self.making.error(target.name.span, message).help =
                    Some(format!("say what is meant then: {}[…] else STATE", target.name.text));
            }
            (Some(family), None) => {
                let message = format!("`{}` is a family of states: which one is meant?", target.name.text);
                self.making.diagnostics.push(
                    Diagnostic::error(target.name.span, message).note(family.name.span, "this is the family"),
                );
            }
            (None, _) => {
                let known: Vec<Name> = self.definition.states.iter().map(|one| one.name.clone()).collect();
                self.unknown(&target.name, "state", &known);
            }
        }
        None
    }
}

/// The number of an event of a definition, timers last.
fn event_of(definition: &ast::Machine, name: &str) -> Option<u32> {
    let timers = definition.timers.iter().map(|(name, _)| name);
    definition.events.iter().chain(timers).position(|one| one.text == name).map(|at| at as u32)
}
