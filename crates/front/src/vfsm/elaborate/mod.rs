//! From the tree of a file to a network: names are resolved, families of states written out, conditions
//! compiled, and everything is reported that is wrong, or odd.
//!
//! Each machine of the system is made from its definition with its own arguments, so what is wrong with a
//! definition is reported once, though it may be met several times.

mod machine;
mod numbers;
mod questions;
mod states;

use super::ast::{self, Name, Number};
use super::network::{
    MOST_INITIAL, MOST_INPUTS, MOST_MESSAGES, MOST_UNITS, Machine, Message, Network, Process, Processor,
};
use machine::Body;
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
            self.network.processors.push(Processor {
                name: processor.name.text.clone(),
                processes,
                shared: processor.shared,
            });
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
                Number::Named(name) if !self.constants.contains_key(&name.text) => {
                    self.error(name.span, format!("there is no machine or constant `{}`", name.text));
                    None
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
}
