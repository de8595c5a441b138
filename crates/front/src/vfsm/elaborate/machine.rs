//! A machine under construction: its timers, its events, its outputs, and what they are mapped to.

use super::{Making, Value};
use crate::vfsm::ast::{self, Name};
use crate::vfsm::network::{Action, Change, Event, MOST_INPUTS, Machine, Output, Timer};
use mazurka_model::source::Diagnostic;
use std::collections::HashMap;

/// A machine under construction.
pub(super) struct Body<'m, 'a, 'b> {
    pub(super) definition: &'m ast::Machine,
    pub(super) names: HashMap<&'m str, Value>,
    pub(super) numbers: &'m HashMap<&'m str, usize>,
    pub(super) made: &'m [(&'m ast::Instance, Option<&'m ast::Machine>, u32)],
    pub(super) first_timer: usize,
    pub(super) first_message: u32,
    /// States by name and index.
    pub(super) states: HashMap<(&'m str, Option<i64>), u32>,
    pub(super) making: &'b mut Making<'a>,
    pub(super) machine: Machine,
}

impl<'m> Body<'m, '_, '_> {
    pub(super) fn unknown(&mut self, name: &Name, what: &str, known: &[Name]) {
        let message = format!("the machine `{}` has no {what} `{}`", self.definition.name.text, name.text);
        let similar = known.iter().find(|one| one.text.eq_ignore_ascii_case(&name.text));
        let help = similar.map(|one| format!("there is `{}`", one.text));
        self.making.error(name.span, message).help = help;
    }

    pub(super) fn input(&mut self, name: &Name) -> Option<u64> {
        let found = self.definition.inputs.iter().position(|one| one.text == name.text);
        if found.is_none() {
            self.unknown(name, "input", &self.definition.inputs);
        }
        // That there are too many was reported before.
        found.filter(|at| *at < MOST_INPUTS).map(|at| 1 << at)
    }

    pub(super) fn event(&mut self, name: &Name) -> Option<u32> {
        let found = event_of(self.definition, &name.text);
        if found.is_none() {
            self.unknown(name, "event or timer", &self.definition.events);
        }
        found
    }

    pub(super) fn timer(&mut self, name: &Name) -> Option<u32> {
        let found = self.definition.timers.iter().position(|(one, _)| one.text == name.text);
        if found.is_none() {
            let known: Vec<Name> = self.definition.timers.iter().map(|(one, _)| one.clone()).collect();
            self.unknown(name, "timer", &known);
        }
        found.map(|at| (self.first_timer + at) as u32)
    }

    pub(super) fn output(&mut self, name: &Name) -> Option<u32> {
        let found = self.definition.outputs.iter().position(|one| one.text == name.text);
        if found.is_none() {
            self.unknown(name, "output", &self.definition.outputs);
        }
        found.map(|at| at as u32)
    }

    pub(super) fn timers(&mut self, owner: usize) {
        for (at, (name, strict)) in self.definition.timers.iter().enumerate() {
            let message = self.first_message + (self.definition.events.len() + at) as u32;
            let timer = Timer { name: name.text.clone(), owner, message, strict: *strict };
            self.making.network.timers.push(timer);
        }
    }

    pub(super) fn events(&mut self) {
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

    pub(super) fn change(&mut self, changes: &[ast::Change]) -> Change {
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

    pub(super) fn outputs(&mut self) {
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

    pub(super) fn action(&mut self, action: &ast::Action) -> Option<Action> {
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
                        // A parameter stands for nothing if its argument is wrong, which was told.
                        None if self.definition.parameters.iter().any(|one| one.text == machine.text) => {
                            return None;
                        }
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
}

/// The number of an event of a definition, timers last.
fn event_of(definition: &ast::Machine, name: &str) -> Option<u32> {
    let timers = definition.timers.iter().map(|(name, _)| name);
    definition.events.iter().chain(timers).position(|one| one.text == name).map(|at| at as u32)
}
