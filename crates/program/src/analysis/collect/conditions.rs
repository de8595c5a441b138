//! What decides whether a transition can be executed: the conditions of its guard, what its first effect
//! needs, its siblings, and whether it waits until nothing else can move.

use super::Collector;
use crate::analysis::flow::Flow;
use crate::analysis::level::Before;
use crate::analysis::uses::{Awaits, ChannelAction, TransitionUses, Use, UseOperand};
use crate::ir::{BinaryOperator, Effect, Expression, Pattern, Transition, UnaryOperator, VariableRef};
use mazurka_model::object::{array, processes, variable};

/// Whether a transition demands that nothing else can move. What stands in front of that may not fail: then it could be executed all the same.
pub(super) fn is_last_resort(transition: &Transition) -> bool {
    let conditions = transition.conditions();
    let place = conditions.iter().position(|condition| **condition == Expression::Timeout);
    place.is_some_and(|place| !conditions[..place].iter().any(|condition| may_fail(condition)))
}

/// Whether an expression may not be computable in some state, as far as its form says.
fn may_fail(expression: &Expression) -> bool {
    expression.any(&|part| match part {
        Expression::Binary(BinaryOperator::Divide | BinaryOperator::Remainder, _, divisor) => {
            !matches!(**divisor, Expression::Constant(value) if value != 0)
        }
        Expression::Element(_, index) => !matches!(**index, Expression::Constant(_)),
        Expression::Length(channel)
        | Expression::Empty(channel)
        | Expression::Full(channel)
        | Expression::Poll { channel, .. } => !matches!(**channel, Expression::Channel(_)),
        Expression::Remote { .. } | Expression::Process(..) | Expression::Observe { .. } => true,
        _ => false,
    })
}

/// Whether a transition asks whether nothing else can move, other than by demanding it before
/// anything else: then it may be executable, or an atomic region go on, for another reason.
pub(super) fn asks_for_timeout(flow: &Flow, transition: &Transition) -> bool {
    fn asks(expression: &Expression) -> bool {
        let mut found = *expression == Expression::Timeout;
        expression.for_each_operand(&mut |operand| found = found || asks(operand));
        found
    }
    let mut found = transition.conditions().into_iter().any(|e| *e != Expression::Timeout && asks(e));
    found |= !is_last_resort(transition) && transition.conditions().contains(&&Expression::Timeout);
    for effect in &transition.effects {
        effect.for_each_part(&mut |e| found = found || asks(e), &mut |_| {});
    }
    let from = transition.from.index();
    let beside = || flow.leaving(from).any(|(_, t)| looks_at_siblings(flow, t));
    found || is_last_resort(transition) && (flow.is_held(from) || beside())
}

/// Whether the siblings of a transition decide whether it can be executed.
pub(super) fn looks_at_siblings(flow: &Flow, transition: &Transition) -> bool {
    transition.otherwise
        || transition.group != 0
        || flow.leaving(transition.from.index()).any(|(_, t)| t.escape != 0)
}

impl Collector<'_> {
    /// What each condition of the guard looks at, and what the first effect needs.
    pub(super) fn conditions(&mut self, transition: &Transition) {
        let kept = std::mem::take(&mut self.out);
        let mut conditions = Vec::new();
        let mut demands = Vec::new();
        // What decides whether a condition before can be computed: one that can't be is a fault, and makes
        // the transition executable whatever stands behind it.
        let mut doubts: Vec<Use> = Vec::new();
        // What decides whether it comes to the next condition, or to the effect.
        let mut before: Vec<Use> = Vec::new();
        let mut fails = false;
        let mut everything = kept.everything;
        for condition in transition.conditions() {
            self.condition(condition);
            let mut looked = std::mem::take(&mut self.out);
            everything |= looked.everything;
            let awaits = looked.uses.iter().filter(|used| used.awaits()).copied().collect::<Vec<Use>>();
            let asked: Vec<Use> = looked.uses.iter().map(|used| used.asked()).collect();
            looked.uses.extend(&doubts);
            self.doubts(condition, &mut doubts);
            if may_fail(condition) {
                doubts.extend(&before);
                fails = true;
            }
            before.extend(asked);
            if doubts.is_empty() && !fails {
                demands.extend(awaits);
            }
            conditions.push((self.compile(condition), looked.uses));
        }
        if let Some(first) = transition.effects.first() {
            self.definedness(first);
        }
        let looked = std::mem::take(&mut self.out);
        everything |= looked.everything;
        let mut definedness = looked.uses;
        if let Some(first) = transition.effects.first() {
            let mut effect_fails = false;
            first.for_each_part(
                &mut |part| {
                    effect_fails |= may_fail(part);
                    self.doubts(part, &mut doubts);
                },
                &mut |_| {},
            );
            if effect_fails {
                doubts.extend(&before);
                fails = true;
            }
            if doubts.is_empty() && !fails {
                self.demand(first);
                demands.append(&mut std::mem::take(&mut self.out).uses);
            }
        }
        if !definedness.is_empty() {
            definedness.extend(&doubts);
        }
        let entangled = transition.effects.iter().skip(1).any(Effect::may_block);
        self.out = TransitionUses { conditions, definedness, demands, entangled, everything, ..kept };
    }

    /// Adds what decides whether an expression can be computed: divisors, indices, which channel or
    /// process it is, and what decides whether it comes to them.
    fn doubts(&mut self, expression: &Expression, out: &mut Vec<Use>) {
        let kept = std::mem::take(&mut self.out);
        match expression {
            Expression::Binary(BinaryOperator::Divide | BinaryOperator::Remainder, _, decisive)
            | Expression::Element(_, decisive) => self.expression(decisive),
            Expression::Binary(BinaryOperator::And | BinaryOperator::Or, first, then) if may_fail(then) => {
                self.expression(first);
            }
            Expression::Conditional(first, then, otherwise) if may_fail(then) || may_fail(otherwise) => {
                self.expression(first);
            }
            Expression::Poll { patterns, .. }
                if patterns.iter().any(|pattern| matches!(pattern, Pattern::Match(e) if may_fail(e))) =>
            {
                self.expression(expression);
            }
            Expression::Length(channel)
            | Expression::Empty(channel)
            | Expression::Full(channel)
            | Expression::Poll { channel, .. }
                if !matches!(**channel, Expression::Channel(_)) =>
            {
                self.channel(channel, ChannelAction::Exists, UseOperand::Any);
            }
            Expression::Remote { .. } | Expression::Process(..) | Expression::Observe { .. } => {
                self.expression(expression);
            }
            _ => {}
        }
        out.append(&mut std::mem::replace(&mut self.out, kept).uses);
        expression.for_each_operand(&mut |operand| self.doubts(operand, out));
    }

    /// The operation of an effect that must be defined for it to be performed, if one is known.
    fn demand(&mut self, effect: &Effect) {
        match effect {
            Effect::Send { channel, sorted: false, .. } => {
                self.channel(channel, ChannelAction::Send, UseOperand::Any);
            }
            Effect::Receive { channel, patterns, anywhere: false, .. } => {
                self.look(channel, patterns, false);
                self.wait_for_message();
            }
            Effect::Operate { object, kind, operands, .. } => {
                self.operation(object.index(), *kind, operands, false);
                // Before it stands what its operands look at.
                self.out.uses.drain(..self.out.uses.len() - 1);
                return;
            }
            _ => {}
        }
        let sends = |used: &Use| matches!(used, Use::Channel { action: ChannelAction::Send, .. });
        self.out.uses.retain(|used| used.awaits() || sends(used));
    }

    /// Turns the look at a channel that was collected into one that waits for a message. Where patterns
    /// look at channels themselves, it is not the only one, and stays as it is.
    fn wait_for_message(&mut self) {
        let mut looks = self.out.uses.iter_mut().filter_map(|used| match used {
            Use::Channel { action, .. } => Some(action),
            Use::Object { .. } | Use::Enabled { .. } => None,
        });
        if let (Some(action), None) = (looks.next(), looks.next()) {
            *action = match *action {
                ChannelAction::HeadIs => ChannelAction::AwaitHead,
                ChannelAction::Empty => ChannelAction::AwaitMessage,
                other => other,
            };
        }
    }

    /// What a condition looks at that must hold for a step to be taken.
    fn condition(&mut self, condition: &Expression) {
        let (mut inner, mut negated) = (condition, false);
        while let Expression::Unary(UnaryOperator::Not, operand) = inner {
            (inner, negated) = (operand, !negated);
        }
        let constant_zero = Expression::Constant(0);
        match inner {
            Expression::Empty(channel) if negated => {
                self.channel(channel, ChannelAction::AwaitMessage, UseOperand::Any);
            }
            Expression::Empty(channel) => self.channel(channel, ChannelAction::AwaitEmpty, UseOperand::Any),
            Expression::Full(channel) if negated => {
                self.channel(channel, ChannelAction::AwaitRoom, UseOperand::Any);
            }
            Expression::Full(channel) => self.channel(channel, ChannelAction::AwaitFull, UseOperand::Any),
            Expression::Poll { channel, patterns, anywhere: false } if !negated => {
                self.look(channel, patterns, false);
                self.wait_for_message();
            }
            Expression::Variable(_) | Expression::Element(..) => {
                self.await_value(inner, &constant_zero, !negated)
            }
            Expression::Binary(operator @ (BinaryOperator::Equal | BinaryOperator::NotEqual), a, b) => {
                let differs = (*operator == BinaryOperator::NotEqual) != negated;
                if self.is_shared(a) {
                    self.await_value(a, b, differs);
                } else if self.is_shared(b) {
                    self.await_value(b, a, differs);
                } else {
                    self.expression(condition);
                }
            }
            _ => self.expression(condition),
        }
    }

    /// Whether an expression is a global, or an element of one, that somebody assigns.
    fn is_shared(&self, expression: &Expression) -> bool {
        match expression {
            Expression::Variable(v @ VariableRef::Global(_))
            | Expression::Element(v @ VariableRef::Global(_), _) => self.assigned.global(*v),
            _ => false,
        }
    }

    /// Waits until a variable has a value, or another one.
    fn await_value(&mut self, variable: &Expression, wanted: &Expression, differs: bool) {
        self.expression(wanted);
        let (kind, element) =
            if differs { (variable::AWAIT_NOT, array::AWAIT_NOT) } else { (variable::AWAIT, array::AWAIT) };
        let value = self.operand(wanted, None);
        match variable {
            Expression::Variable(v @ VariableRef::Global(id)) if self.assigned.global(*v) => {
                let object = self.objects.global(id.index());
                let operands = [value, UseOperand::Any];
                let awaits = Awaits::Variable;
                self.out.push(Use::Object { object, kind, operands, reads: true, awaits });
            }
            Expression::Element(v @ VariableRef::Global(id), index) if self.assigned.global(*v) => {
                self.expression(index);
                let object = self.objects.global(id.index());
                let operands = [self.operand(index, None), value];
                let awaits = Awaits::Element;
                self.out.push(Use::Object { object, kind: element, operands, reads: true, awaits });
            }
            other => self.expression(other),
        }
    }

    /// What a transition looks at whose siblings decide whether it can be executed: whether they can.
    pub(super) fn otherwise(&mut self, transition: &Transition, own: &[TransitionUses], index: usize) {
        let flow = self.flow;
        for (other, sibling) in flow.leaving(transition.from.index()).filter(|(other, _)| *other != index) {
            self.before = Before::default();
            sibling.guard.iter().for_each(|e| self.expression(e));
            if let Some(first @ Effect::Send { .. }) = sibling.effects.first() {
                self.out.everything |= self.may_handshake(first);
            }
            if sibling.effects.iter().skip(1).any(Effect::may_block) {
                for used in &own[other].uses {
                    self.out.push(*used);
                    self.out.push(used.unperformed());
                }
            } else if let Some(first) = sibling.effects.first() {
                let before = std::mem::take(&mut self.out.uses);
                self.definedness(first);
                let looks = std::mem::replace(&mut self.out.uses, before);
                looks.iter().for_each(|used| self.out.push(used.unperformed()));
            }
        }
    }

    /// What decides whether an effect is defined.
    pub(super) fn definedness(&mut self, effect: &Effect) {
        match effect {
            Effect::Assign { .. }
            | Effect::Run { .. }
            | Effect::Assert(_)
            | Effect::Print { .. }
            | Effect::SetPriority { .. } => {}
            Effect::Send { channel, .. } => {
                self.channel(channel, ChannelAction::Full, UseOperand::Any);
            }
            Effect::Receive { channel, patterns, anywhere, .. } => self.look(channel, patterns, *anywhere),
            // An operation that is independent of another neither enables nor disables it.
            Effect::Operate { object, kind, operands, .. } => {
                self.operation(object.index(), *kind, operands, false)
            }
            Effect::Exit => self.process_table(processes::EXIT),
        }
    }
}
