//! What happens in a step, effect by effect: messages, processes that come and go, printed text.
//!
//! The step is executed once more on a copy of its state, and looked at on the way. This is for
//! people who watch a run; a search never comes here.

use super::Interpreter;
use super::code::{EffectCode, TransitionCode};
use super::describe::message;
use super::evaluate::View;
use super::execute::Flow;
use super::machine::{ChannelAt, ProcessAt};
use super::moves::Move;
use super::printing::formatted;
use crate::ir::{Channel, Effect};
use mazurka_model::{Batch, Event, EventKind, ProcessId, Step};

impl Interpreter {
    /// What happens in `step`.
    pub(super) fn watch(&self, state: &[u8], step: Step) -> Vec<Event> {
        let mut found = None;
        if let Some(at) = self.machine.process(state, step.process.index()) {
            self.machine.single(state, at, step.code, &mut |moved| found = Some(moved));
        }
        let mut watcher = Watcher { interpreter: self, batch: Batch::default(), events: Vec::new() };
        if let Some(moved) = found
            && moved.fault.is_none()
        {
            watcher.batch.begin(step, state);
            watcher.walk(state, &moved);
        }
        watcher.events
    }

    /// The declaration of a channel, and its name.
    pub(super) fn declared_channel(
        &self,
        state: &[u8],
        channel: ChannelAt<'_>,
    ) -> Option<(&Channel, String)> {
        let index = channel.number.checked_sub(1)? as usize;
        if let Some(declared) = self.program.channels.get(index) {
            return Some((declared, declared.name.clone()));
        }
        let (_, at, own) = self.machine.owner(state, channel.number)?;
        let declared = self.program.types[at.kind].channels.get(own)?;
        Some((declared, format!("{}.{}", self.process_name(at), declared.name)))
    }
}

struct Watcher<'a> {
    interpreter: &'a Interpreter,
    batch: Batch,
    events: Vec<Event>,
}

impl Watcher<'_> {
    fn walk(&mut self, state: &[u8], moved: &Move) {
        let machine = &self.interpreter.machine;
        let transition = &machine.code.transitions[moved.transition];
        let Some((partner, accepting)) = moved.partner else {
            self.effects(moved.at, transition, 0);
            return;
        };
        let accepting = &machine.code.transitions[accepting];
        self.handshake(state, moved.at, transition, partner);
        let handed =
            machine.hand_over(state, moved.at, transition, partner, accepting, &mut self.batch.draft());
        if handed.is_ok() && self.effects(moved.at, transition, 1) {
            self.effects(partner, accepting, 1);
        }
    }

    /// Executes the effects from number `first` on; false if they can't be executed to the end.
    fn effects(&mut self, at: ProcessAt, transition: &TransitionCode, first: usize) -> bool {
        let machine = &self.interpreter.machine;
        let (kind, index) = machine.code.numbers[transition.number as usize];
        let declared = &self.interpreter.program.types[kind as usize].transitions[index as usize].effects;
        for position in transition.effects.indices().skip(first) {
            let effect = machine.code.effects[position];
            let before = self.batch.draft().to_vec();
            let event = declared
                .get(position - transition.effects.start as usize)
                .and_then(|declared| self.event(&before, at, effect, declared));
            match machine.one_effect(&mut self.batch, at, 0, effect, &mut Vec::new()) {
                Ok(Flow::Done | Flow::Exited) => {}
                Ok(Flow::Blocked) | Err(_) => return false,
            }
            self.events.extend(event.map(|kind| Event { process: ProcessId(at.pid as u16), kind }));
        }
        true
    }

    /// What an effect is about to do.
    fn event(&self, state: &[u8], at: ProcessAt, effect: EffectCode, declared: &Effect) -> Option<EventKind> {
        let (machine, view) = (&self.interpreter.machine, View { state, at });
        match effect {
            EffectCode::Send { channel, sorted, .. } => {
                let channel = machine.channel(view, channel).ok()?;
                let fields = self.sent(view, channel, effect)?;
                let (declared, name) = self.interpreter.declared_channel(state, channel)?;
                let message_text = self.interpreter.message_text(declared, &fields);
                let length = channel.length(state);
                if length >= channel.shape.capacity as usize {
                    return Some(EventKind::Lost { name, message: message_text });
                }
                let greater = (0..length).find(|index| sorted && message(state, channel, *index) > fields);
                Some(EventKind::Sent {
                    channel: channel.number,
                    name,
                    message: message_text,
                    position: greater.unwrap_or(length),
                })
            }
            EffectCode::Receive { channel, patterns, anywhere, keep } => {
                let channel = machine.channel(view, channel).ok()?;
                let patterns = &machine.code.patterns[patterns.indices()];
                let position = machine.find(view, channel, patterns, anywhere).ok()??;
                let (declared, name) = self.interpreter.declared_channel(state, channel)?;
                let fields = message(state, channel, position);
                let message = self.interpreter.message_text(declared, &fields);
                Some(EventKind::Received { channel: channel.number, name, message, position, kept: keep })
            }
            EffectCode::Run { process, .. } => {
                let child = machine.count(state);
                let name = &self.interpreter.program.types[process as usize].name;
                Some(EventKind::Created { child: ProcessId(child as u16), name: format!("{name}({child})") })
            }
            EffectCode::Print(arguments) => {
                let Effect::Print { format, arguments: names } = declared else { return None };
                let nodes = machine.code.roots[arguments.indices()].iter();
                let values = nodes.map(|node| machine.value(view, *node).ok());
                let arguments: Vec<_> = values.zip(names.iter().map(|(_, names)| *names)).collect();
                Some(EventKind::Printed(formatted(&self.interpreter.program, format, &arguments)))
            }
            EffectCode::Exit => {
                let first = machine.own_number(view, 0);
                let owned = machine.layout.frames[at.kind].channels.len() as u32;
                Some(EventKind::Ended { channels: (first..first + owned).collect() })
            }
            EffectCode::Assign { .. }
            | EffectCode::Operate { .. }
            | EffectCode::Assert(_)
            | EffectCode::SetPriority { .. } => None,
        }
    }

    fn handshake(&mut self, state: &[u8], at: ProcessAt, offering: &TransitionCode, partner: ProcessAt) {
        let machine = &self.interpreter.machine;
        let view = View { state, at };
        let Some(&effect) = machine.code.effects[offering.effects.indices()].first() else { return };
        let EffectCode::Send { channel, .. } = effect else { return };
        let Ok(channel) = machine.channel(view, channel) else { return };
        let Some(fields) = self.sent(view, channel, effect) else { return };
        let Some((declared, name)) = self.interpreter.declared_channel(state, channel) else { return };
        let message = self.interpreter.message_text(declared, &fields);
        let partner = ProcessId(partner.pid as u16);
        let kind = EventKind::Handshake { partner, name, message };
        self.events.push(Event { process: ProcessId(at.pid as u16), kind });
    }

    /// The fields of the message that a send sends.
    fn sent(&self, view: View<'_>, channel: ChannelAt<'_>, effect: EffectCode) -> Option<Vec<i32>> {
        let EffectCode::Send { fields, .. } = effect else { return None };
        let machine = &self.interpreter.machine;
        let nodes = machine.code.roots[fields.indices()].iter();
        let values = nodes.zip(&channel.shape.fields);
        values.map(|(node, field)| Some(field.ty.wrap(machine.value(view, *node).ok()?))).collect()
    }
}
