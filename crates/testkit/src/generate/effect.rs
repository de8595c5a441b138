//! Random effects.

use super::Generator;
use mazurka_program::ir::{ChannelRef, Effect, Expression, Pattern, Target, TypeId};

impl Generator {
    /// The effects of one transition of process type `at`.
    pub(super) fn effects(&mut self, at: usize) -> Vec<Effect> {
        let count = self.pick(&[10, 60, 24, 6]);
        let mut effects: Vec<Effect> = Vec::new();
        for position in 0..count {
            let effect = self.effect(at, position == 0);
            effects.push(effect);
        }
        effects
    }

    fn effect(&mut self, at: usize, first: bool) -> Effect {
        let channels = u32::from(self.data_channels() > 0);
        let values = u32::from(self.shape.channel_values);
        let objects = u32::from(!self.program.objects.is_empty());
        let arrays = u32::from(self.shape.arrays);
        let weights = [5, 4, 5, 3 * arrays, 11, 11 * channels, 8 * channels, 4 * values, 9 * objects, 2];
        match self.pick(&weights) {
            1 => {
                let global = self.global(at);
                let value = Expression::Variable(global) + 1;
                Effect::Assign { target: Target::Variable(global), value }
            }
            2 => {
                let value = Expression::Variable(self.global(at));
                let target = Target::Variable(self.local(at).unwrap_or_else(|| self.global(at)));
                Effect::Assign { target, value }
            }
            3 => self.array_write(at),
            4 => {
                let target = Target::Variable(self.local(at).unwrap_or_else(|| self.global(at)));
                Effect::Assign { target, value: self.value(at, 1) }
            }
            5 => self.send(at, first).unwrap_or_else(|| self.assertion(at)),
            6 => self.receive(at, first).unwrap_or_else(|| self.assertion(at)),
            7 => self.pass_channel(at, first),
            8 => match self.operation(at) {
                Some((object, kind, operands)) => {
                    let target = if self.chance(30) { self.local(at).map(Target::Variable) } else { None };
                    Effect::Operate { object, kind, operands, target }
                }
                None => self.assertion(at),
            },
            9 => self.assertion(at),
            _ => Effect::Assign {
                target: Target::Variable(self.global(at)),
                value: self.random.i32(0..3).into(),
            },
        }
    }

    fn assertion(&mut self, at: usize) -> Effect {
        Effect::Assert(self.condition(at, 1))
    }

    fn array_write(&mut self, at: usize) -> Effect {
        let Some((array, length)) = self.array() else { return self.assertion(at) };
        let target = Target::element(array, self.index(at, length));
        Effect::Assign { target, value: self.value(at, 0) }
    }

    /// Whether a channel can be used here: a rendezvous comes first in its transition, and so does a
    /// channel that may be one.
    fn usable(&self, at: usize, channel: &Expression, first: bool) -> bool {
        first || (matches!(channel, Expression::Channel(_)) && !self.is_rendezvous(at, channel))
    }

    /// Whether a channel is known to be a rendezvous.
    pub(super) fn is_rendezvous(&self, at: usize, channel: &Expression) -> bool {
        match channel {
            Expression::Channel(ChannelRef::Global(id)) => self.program.channels[id.index()].capacity == 0,
            Expression::Channel(ChannelRef::Own(id)) => {
                self.program.types[at].channels[id.index()].capacity == 0
            }
            _ => false,
        }
    }

    fn send(&mut self, at: usize, first: bool) -> Option<Effect> {
        let channel = self.channel(at, !first)?;
        if !self.usable(at, &channel, first) {
            return None;
        }
        let fields = (0..self.width)
            .map(|_| if self.chance(65) { self.random.i32(0..2).into() } else { self.value(at, 1) })
            .collect();
        Some(Effect::Send { channel, fields, sorted: self.chance(8) })
    }

    fn receive(&mut self, at: usize, first: bool) -> Option<Effect> {
        let channel = self.channel(at, !first)?;
        if !self.usable(at, &channel, first) {
            return None;
        }
        let patterns = (0..self.width).map(|_| self.pattern(at, true)).collect();
        Some(Effect::Receive { channel, patterns, anywhere: self.chance(10), keep: self.chance(8) })
    }

    /// Sends a channel, receives one, or stores one in a variable.
    fn pass_channel(&mut self, at: usize, first: bool) -> Effect {
        let Some(carrier) = self.carrier().filter(|c| first || self.program.channels[c.index()].capacity > 0)
        else {
            return self.assertion(at);
        };
        let held = self.channel_variable(at);
        match (self.pick(&[4, 4, 2]), held) {
            (1, Some(variable)) => Effect::Receive {
                channel: carrier.into(),
                patterns: vec![Pattern::Bind(Target::Variable(variable))],
                anywhere: false,
                keep: false,
            },
            (2, Some(variable)) => {
                let value = self.channel(at, true).unwrap_or(Expression::Constant(0));
                Effect::Assign { target: Target::Variable(variable), value }
            }
            _ => {
                let passed = self.channel(at, false).unwrap_or(Expression::Constant(0));
                Effect::Send { channel: carrier.into(), fields: vec![passed], sorted: false }
            }
        }
    }

    /// Creates a process of a type that comes later, so that creation ends.
    pub(super) fn creation(&mut self, at: usize) -> Option<Effect> {
        let types = self.program.types.len();
        if at + 1 >= types {
            return None;
        }
        let process = self.random.usize(at + 1..types);
        let parameters: Vec<bool> = self.program.types[process].locals
            [..self.program.types[process].parameters]
            .iter()
            .map(|p| p.ty == mazurka_program::ir::Type::Channel)
            .collect();
        let arguments = parameters
            .into_iter()
            .map(|channel| {
                if channel {
                    self.channel(at, false).unwrap_or(Expression::Constant(0))
                } else {
                    self.value(at, 0)
                }
            })
            .collect();
        let target = if self.chance(15) { self.local(at).map(Target::Variable) } else { None };
        Some(Effect::Run { process: TypeId(process as u32), arguments, target })
    }
}
