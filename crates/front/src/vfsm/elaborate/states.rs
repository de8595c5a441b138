//! The states of a machine: families written out, conditions compiled, next states found.

use super::Value;
use super::machine::Body;
use crate::vfsm::ast::{self, Name};
use crate::vfsm::network::{MOST_ENTRIES, MOST_STATES, State, Test};
use mazurka_model::source::{Diagnostic, Span};

impl<'m> Body<'m, '_, '_> {
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

    pub(super) fn states(&mut self) {
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
        let of = match state.passed {
            true => format!("a transition of {}", self.definition.name.text),
            false => format!("the state {} of {}", state.name.text, self.definition.name.text),
        };
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
        made.active.clone_from(&state.active);
        made.outside = state.outside.clone().map(|outside| {
            let all = &mut self.making.network.outside;
            all.push(outside);
            (all.len() - 1) as u32
        });
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
