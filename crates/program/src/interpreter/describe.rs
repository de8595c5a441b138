//! States and steps for people.

use super::Interpreter;
use super::code::Base;
use super::fault::{Fault, OutOfRange, PLACES};
use super::layout;
use super::machine::{ChannelAt, ProcessAt};
use super::moves::decode;
use crate::ir::{Channel, Effect, ProcessType, PropertyKind, Transition, Variable};
use crate::text;
use mazurka_model::source::{SourceMap, Span};
use mazurka_model::trace::TraceStep;
use mazurka_model::{
    Batch, Chosen, Describe, Event, ObjectId, Place, ProcessId, Step, StepText, System, Violation,
    ViolationKind,
};

impl Interpreter {
    /// A transition by number.
    fn transition(&self, number: usize) -> Option<(&ProcessType, &Transition)> {
        let &(kind, index) = self.machine.code.numbers.get(number)?;
        let process = &self.program.types[kind as usize];
        Some((process, &process.transitions[index as usize]))
    }

    fn span(&self, span: Span) -> Option<Span> {
        (span != Span::default()).then_some(span)
    }

    fn text(&self, process: &ProcessType, transition: &Transition) -> String {
        if !transition.statement.is_empty() {
            return transition.statement.clone();
        }
        let name = |id: crate::ir::LocationId| process.locations[id.index()].name.as_str();
        let body = text::print_transition(&self.program, process, transition);
        match body.is_empty() {
            true => format!("{} -> {}", name(transition.from), name(transition.to)),
            false => body,
        }
    }

    pub(super) fn process_name(&self, at: ProcessAt) -> String {
        format!("{}({})", self.program.types[at.kind].name, at.pid)
    }

    fn taken(&self, state: &[u8], pid: usize, alternative: usize) -> Option<(ProcessAt, &Transition)> {
        let at = self.machine.process(state, pid)?;
        let index = self.machine.location(state, at).transitions.indices().nth(alternative)?;
        let number = self.machine.code.transitions[index].number;
        Some((at, self.transition(number as usize)?.1))
    }

    fn variable(&self, state: &[u8], offset: usize, variable: &Variable) -> String {
        let size = variable.ty.size();
        let values: Vec<String> = (0..variable.values())
            .map(|i| {
                let value = layout::read(state, offset + i * size, variable.ty);
                self.program.show(variable.names, value)
            })
            .collect();
        if variable.length.is_some() { format!("[{}]", values.join(", ")) } else { values.join("") }
    }

    fn channel_text(&self, state: &[u8], channel: ChannelAt<'_>, declared: &Channel) -> String {
        let messages: Vec<String> = (0..channel.length(state))
            .map(|index| self.message_text(declared, &message(state, channel, index)))
            .collect();
        format!("[{}]", messages.join("; "))
    }

    /// A message of a channel.
    pub(super) fn message_text(&self, declared: &Channel, fields: &[i32]) -> String {
        let names = declared.names.iter().copied().chain(std::iter::repeat(None));
        let fields: Vec<String> = fields.iter().zip(names).map(|(v, n)| self.program.show(n, *v)).collect();
        fields.join(",")
    }
}

/// The fields of message `index`.
pub(super) fn message(state: &[u8], channel: ChannelAt<'_>, index: usize) -> Vec<i32> {
    let start = channel.message(index);
    channel.shape.fields.iter().map(|f| layout::read(state, start + f.offset as usize, f.ty)).collect()
}

impl Interpreter {
    /// An index out of range in words.
    pub(super) fn out_of_range(&self, found: OutOfRange) -> String {
        let layout = &self.machine.layout;
        let (slots, variables) = match found.base {
            Base::State => (&layout.globals, &self.program.globals),
            Base::Frame => (&layout.frames[found.kind].locals, &self.program.types[found.kind].locals),
        };
        let array = slots
            .iter()
            .zip(variables)
            .find(|(slot, variable)| slot.offset == found.offset && variable.length == Some(found.length));
        let OutOfRange { index, length, .. } = found;
        let elements = if length == 1 { "element" } else { "elements" };
        match array {
            // Of an array in a structure that is itself an element, several indices were joined.
            Some((_, array)) if index == i32::MIN => {
                format!("an index is out of range: `{}` has {length} {elements} in all", array.name)
            }
            Some((_, array)) => {
                format!("index {index} is out of range: `{}` has {length} {elements}", array.name)
            }
            None => format!("index {index} is out of range: the array has {length} {elements}"),
        }
    }
}

impl Describe for Interpreter {
    fn name(&self) -> String {
        self.program.name.clone()
    }

    fn fingerprint(&self) -> u64 {
        self.program.origin.unwrap_or_else(|| self.program.fingerprint())
    }

    fn representation(&self) -> u64 {
        // Optimised, the same program has other states. Resets are no part of its text.
        let transitions = self.program.types.iter().flat_map(|process| &process.transitions);
        let mut hash = self.program.origin.map_or(0, |origin| origin ^ self.program.fingerprint());
        for (number, transition) in transitions.enumerate() {
            for local in &transition.resets {
                hash = (hash ^ (number as u64) << 32 ^ u64::from(local.0) ^ 1 << 63)
                    .wrapping_mul(0x0100_0000_01b3);
            }
        }
        hash
    }

    fn step(&self, state: &[u8], step: Step) -> StepText {
        let (alternative, partner) = decode(step.code);
        let Some((at, transition)) = self.taken(state, step.process.index(), alternative) else {
            return StepText::default();
        };
        let mut text = self.text(&self.program.types[at.kind], transition);
        if let Some((pid, accepting)) = partner
            && let Some((other, accepting)) = self.taken(state, pid, accepting)
        {
            let theirs = self.text(&self.program.types[other.kind], accepting);
            text = format!("{text} with {}: {theirs}", self.process_name(other));
        }
        StepText { process: self.process_name(at), text, span: self.span(transition.span) }
    }

    fn values(&self, state: &[u8]) -> Vec<(String, String)> {
        let mut out = self.globals(state);
        for at in self.machine.processes(state) {
            out.extend(self.locals(state, ProcessId(at.pid as u16)));
        }
        if let Some(pid) = self.machine.exclusive(state) {
            out.push(("running alone".into(), pid.to_string()));
        }
        out
    }

    fn globals(&self, state: &[u8]) -> Vec<(String, String)> {
        let mut out = Vec::new();
        let layout = &self.machine.layout;
        for (variable, slot) in self.program.globals.iter().zip(&layout.globals) {
            out.push((variable.name.clone(), self.variable(state, slot.offset as usize, variable)));
        }
        for (object, place) in self.program.objects.iter().zip(&layout.objects) {
            let mut value = Vec::new();
            layout::load_object(*place, state, &mut value);
            let text = if let [single] = value[..] { single.to_string() } else { format!("{value:?}") };
            out.push((object.name.clone(), text));
        }
        for (channel, place) in self.program.channels.iter().zip(&layout.channels) {
            let shape = &layout.shapes[place.shape as usize];
            if shape.capacity > 0 {
                let at = ChannelAt { number: 0, offset: place.offset as usize, shape };
                out.push((channel.name.clone(), self.channel_text(state, at, channel)));
            }
        }
        out
    }

    fn locals(&self, state: &[u8], process: ProcessId) -> Vec<(String, String)> {
        let mut out = Vec::new();
        let layout = &self.machine.layout;
        if let Some(at) = self.machine.process(state, process.index()) {
            let process = &self.program.types[at.kind];
            let name = self.process_name(at);
            let location = &process.locations[self.machine.location_index(state, at)];
            out.push((format!("{name}@"), location.name.clone()));
            let frame = &layout.frames[at.kind];
            for (variable, slot) in process.locals.iter().zip(&frame.locals) {
                let value = self.variable(state, at.frame + slot.offset as usize, variable);
                out.push((format!("{name}.{}", variable.name), value));
            }
            for (channel, place) in process.channels.iter().zip(&frame.channels) {
                let shape = &layout.shapes[place.shape as usize];
                let at = ChannelAt { number: 0, offset: at.frame + place.offset as usize, shape };
                if shape.capacity > 0 {
                    out.push((format!("{name}.{}", channel.name), self.channel_text(state, at, channel)));
                }
            }
        }
        out
    }

    fn processes(&self, state: &[u8]) -> Vec<String> {
        self.machine.processes(state).map(|at| self.process_name(at)).collect()
    }

    fn alternative(&self, state: &[u8], process: ProcessId, alternative: usize) -> StepText {
        let Some((at, transition)) = self.taken(state, process.index(), alternative) else {
            return StepText::default();
        };
        let text = self.text(&self.program.types[at.kind], transition);
        StepText { process: self.process_name(at), text, span: self.span(transition.span) }
    }

    fn object(&self, object: ObjectId) -> String {
        self.analysis.object_name(&self.program, object)
    }

    fn events(&self, state: &[u8], step: TraceStep) -> Vec<Event> {
        self.watch(state, step.step)
    }

    fn property(&self, property: u32) -> StepText {
        let Some(property) = self.program.properties.get(property as usize) else {
            return StepText::default();
        };
        let name = &property.name;
        let text = match property.kind {
            PropertyKind::Formula(_) => format!("a run breaks the formula {name}"),
            PropertyKind::Never(_) => format!("a run does what the claim {name} says never happens"),
            PropertyKind::Trace { .. } => format!("a run breaks the trace assertion {name}"),
            PropertyKind::Progress => "a cycle without progress".to_owned(),
            PropertyKind::Acceptance => "an acceptance cycle".to_owned(),
        };
        StepText { process: name.clone(), text, span: self.span(property.span) }
    }

    fn violation(&self, violation: &Violation) -> StepText {
        let (site, cause) = (violation.place / PLACES, (violation.place % PLACES) as usize);
        let number = self.machine.code.sites.partition_point(|&first| first <= site).saturating_sub(1);
        let Some((process, transition)) = self.transition(number) else { return StepText::default() };
        let part = (site - self.machine.code.sites[number]) as usize;
        let text = match (violation.kind, part.checked_sub(1).and_then(|i| transition.effects.get(i))) {
            (ViolationKind::Assertion, Some(Effect::Assert(_))) if part == 1 && transition.only_choice => {
                let (name, statement) = (&process.name, self.text(process, transition));
                format!("{name} is not deterministic: it can do something else instead of: {statement}")
            }
            (ViolationKind::Assertion, Some(Effect::Assert(e))) => {
                // In the words of the source, where it has some.
                let words = transition.statement.strip_prefix("assert(");
                let words = words.and_then(|rest| rest.strip_suffix(')')).map(str::to_owned);
                let condition =
                    words.unwrap_or_else(|| text::print_expression(&self.program, Some(process), e));
                format!("assertion {condition} is false")
            }
            (ViolationKind::Reception, _) => {
                let (name, receive) = (&process.name, self.text(process, transition));
                let text =
                    format!("unspecified reception: {name} finds a message that it can't take at: {receive}");
                return StepText { process: process.name.clone(), text, span: self.span(transition.span) };
            }
            _ => {
                let cause = Fault::ALL.get(cause).map_or_else(|| "fault".into(), Fault::to_string);
                format!("{cause} in: {}", self.text(process, transition))
            }
        };
        let process = format!("{}({})", process.name, violation.step.process);
        StepText { process, text, span: self.span(transition.span) }
    }

    fn violation_in(&self, state: &[u8], violation: &Violation) -> StepText {
        let mut text = self.violation(violation);
        let index = Fault::Index as u32 == violation.place % PLACES;
        if violation.kind == ViolationKind::Fault && index {
            // Tried once more, for the values that it had.
            OutOfRange::take();
            self.expand(state, Chosen::Steps(&[violation.step]), &mut Batch::default());
            if let Some(found) = OutOfRange::take() {
                text.text = text.text.replacen(&Fault::Index.to_string(), &self.out_of_range(found), 1);
            }
        }
        if let (ViolationKind::Reception, Some(receptions)) = (violation.kind, &self.receptions) {
            self.machine.unspecified_receptions(receptions, state, |found| {
                if found.place == violation.place
                    && let Some((declared, name)) = self.declared_channel(state, found.channel)
                {
                    text.process = self.process_name(found.at);
                    text.text = format!(
                        "unspecified reception: {} has no receive for what `{name}` holds, {}",
                        text.process,
                        self.channel_text(state, found.channel, declared)
                    );
                }
            });
        }
        text
    }

    fn places(&self) -> Vec<Place> {
        let place = |number: usize, process: &ProcessType, text: &str, span| {
            let text = format!("{}: {text}", process.name);
            Place { number: number as u32, text, span: self.span(span) }
        };
        let first = |number: &usize| self.machine.code.statements[*number] as usize == *number;
        let transitions = self.machine.code.numbers.len();
        let executable = (0..transitions).filter(first).filter_map(|number| {
            let (process, transition) = self.transition(number).filter(|(_, found)| !found.implied)?;
            Some(place(number, process, &self.text(process, transition), transition.span))
        });
        // Dead statements have numbers behind those of all transitions, which no step reports.
        let types = self.program.types.iter();
        let dead = types.flat_map(|process| process.dead.iter().map(move |found| (process, found)));
        let dead = dead.enumerate().map(|(position, (process, found))| {
            place(transitions + position, process, &found.statement, found.span)
        });
        executable.chain(dead).collect()
    }

    fn sources(&self) -> Option<&SourceMap> {
        Some(&self.program.sources)
    }
}
