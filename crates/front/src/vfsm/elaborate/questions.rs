//! What is odd about a network in which everything has a meaning: warnings.

use super::Making;
use crate::vfsm::ast;
use crate::vfsm::network::{Action, Change, MOST_INPUTS, Machine};
use mazurka_model::source::Diagnostic;

impl Making<'_> {
    /// What is odd about a network in which everything has a meaning.
    pub(super) fn questions(&mut self) {
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
