//! Changing the expressions of a transition in place.

use mazurka_program::ir::{Effect, Expression, Pattern, RemotePart, Target, Transition};

/// Calls `change` for every expression of a transition that is not part of another one.
pub fn roots(transition: &mut Transition, change: &mut dyn FnMut(&mut Expression)) {
    transition.guard.iter_mut().for_each(&mut *change);
    for effect in &mut transition.effects {
        match effect {
            Effect::Assign { target, value } => {
                change(value);
                index(target, change);
            }
            Effect::Send { channel, fields, .. } => {
                change(channel);
                fields.iter_mut().for_each(&mut *change);
            }
            Effect::Receive { channel, patterns, .. } => {
                change(channel);
                patterns.iter_mut().for_each(|p| pattern(p, change));
            }
            Effect::Operate { operands: inputs, target, .. }
            | Effect::Run { arguments: inputs, target, .. } => {
                inputs.iter_mut().for_each(&mut *change);
                if let Some(target) = target {
                    index(target, change);
                }
            }
            Effect::Assert(e) => change(e),
            Effect::Print { arguments, .. } => arguments.iter_mut().for_each(|(e, _)| change(e)),
            Effect::SetPriority { process, priority } => {
                change(process);
                change(priority);
            }
            Effect::Exit => {}
        }
    }
}

fn index(target: &mut Target, change: &mut dyn FnMut(&mut Expression)) {
    if let Target::Element(_, index) = target {
        change(index);
    }
}

fn pattern(pattern: &mut Pattern, change: &mut dyn FnMut(&mut Expression)) {
    match pattern {
        Pattern::Bind(target) => index(target, change),
        Pattern::Match(e) => change(e),
        Pattern::Ignore => {}
    }
}

/// Calls `change` for the direct operands of an expression.
pub fn operands(expression: &mut Expression, change: &mut dyn FnMut(&mut Expression)) {
    match expression {
        Expression::Constant(_)
        | Expression::Variable(_)
        | Expression::Channel(_)
        | Expression::Pid
        | Expression::ProcessCount
        | Expression::Timeout
        | Expression::NonProgress => {}
        Expression::Remote { instance, part, .. } => {
            instance.iter_mut().for_each(|e| change(e));
            if let RemotePart::Element(_, index) = &mut **part {
                change(index);
            }
        }
        Expression::Element(_, a)
        | Expression::Process(_, a)
        | Expression::Unary(_, a)
        | Expression::Length(a)
        | Expression::Empty(a)
        | Expression::Full(a) => change(a),
        Expression::Binary(_, a, b) => {
            change(a);
            change(b);
        }
        Expression::Conditional(a, b, c) => {
            change(a);
            change(b);
            change(c);
        }
        Expression::Poll { channel, patterns, .. } => {
            change(channel);
            patterns.iter_mut().for_each(|p| pattern(p, change));
        }
        Expression::Observe { operands, .. } => operands.iter_mut().for_each(change),
    }
}
