//! Changing every expression of a program in place.

use super::effect::{Effect, Pattern, Target};
use super::expression::{Expression, RemotePart};
use super::process::ProcessType;

fn in_target(target: &mut Target, change: &mut dyn FnMut(&mut Expression)) {
    if let Target::Element(_, index) = target {
        index.rewrite(change);
    }
}

fn in_pattern(pattern: &mut Pattern, change: &mut dyn FnMut(&mut Expression)) {
    match pattern {
        Pattern::Bind(target) => in_target(target, change),
        Pattern::Match(e) => e.rewrite(change),
        Pattern::Ignore => {}
    }
}

impl Expression {
    /// Calls `change` for every part of the expression, then for the whole.
    pub fn rewrite(&mut self, change: &mut dyn FnMut(&mut Expression)) {
        match self {
            Expression::Constant(_)
            | Expression::Variable(_)
            | Expression::Channel(_)
            | Expression::Pid
            | Expression::ProcessCount
            | Expression::Timeout
            | Expression::NonProgress => {}
            Expression::Element(_, a)
            | Expression::Unary(_, a)
            | Expression::Process(_, a)
            | Expression::Length(a)
            | Expression::Empty(a)
            | Expression::Full(a) => a.rewrite(change),
            Expression::Binary(_, a, b) => {
                a.rewrite(change);
                b.rewrite(change);
            }
            Expression::Conditional(a, b, c) => {
                a.rewrite(change);
                b.rewrite(change);
                c.rewrite(change);
            }
            Expression::Poll { channel, patterns, .. } => {
                channel.rewrite(change);
                patterns.iter_mut().for_each(|p| in_pattern(p, change));
            }
            Expression::Remote { instance, part, .. } => {
                instance.iter_mut().for_each(|e| e.rewrite(change));
                if let RemotePart::Element(_, index) = &mut **part {
                    index.rewrite(change);
                }
            }
            Expression::Observe { operands, .. } => operands.iter_mut().for_each(|e| e.rewrite(change)),
        }
        change(self);
    }
}

impl Effect {
    /// Calls `change` for every expression of the effect, parts before wholes.
    pub fn rewrite(&mut self, change: &mut dyn FnMut(&mut Expression)) {
        match self {
            Effect::Assign { target, value } => {
                value.rewrite(change);
                in_target(target, change);
            }
            Effect::Send { channel, fields, .. } => {
                channel.rewrite(change);
                fields.iter_mut().for_each(|e| e.rewrite(change));
            }
            Effect::Receive { channel, patterns, .. } => {
                channel.rewrite(change);
                patterns.iter_mut().for_each(|p| in_pattern(p, change));
            }
            Effect::Operate { operands: inputs, target, .. }
            | Effect::Run { arguments: inputs, target, .. } => {
                inputs.iter_mut().for_each(|e| e.rewrite(change));
                target.iter_mut().for_each(|t| in_target(t, change));
            }
            Effect::SetPriority { process, priority } => {
                process.rewrite(change);
                priority.rewrite(change);
            }
            Effect::Assert(e) => e.rewrite(change),
            Effect::Print { arguments, .. } => arguments.iter_mut().for_each(|(e, _)| e.rewrite(change)),
            Effect::Exit => {}
        }
    }
}

impl ProcessType {
    /// Calls `change` for every expression of the process type, parts before wholes.
    pub fn rewrite(&mut self, change: &mut dyn FnMut(&mut Expression)) {
        for (target, value) in &mut self.prologue {
            value.rewrite(change);
            in_target(target, change);
        }
        for transition in &mut self.transitions {
            transition.guard.iter_mut().for_each(|e| e.rewrite(change));
            transition.effects.iter_mut().for_each(|e| e.rewrite(change));
        }
    }
}
