//! Tests of a channel's length recognised as what they ask: whether it is empty, or full.
//!
//! `len(q) == 0` depends on less than the length does (Godefroid and Pirottin 1993, section 5): a send to
//! a channel that holds a message does not change the answer. Whoever wrote the model need not know, so a
//! comparison of a length with a constant becomes `Empty`, `Full`, the negation of one of them, or a
//! constant, if it is that for every length the channel can have. Where the channel is computed its
//! capacity is known if all channels have the same.
//!
//! The rewritten program means the same. It is made for the analysis alone, so that what is executed and
//! shown stays as it was written.

use super::effect::{Effect, Pattern, Target};
use super::expression::{BinaryOperator, ChannelRef, Expression, UnaryOperator};
use super::process::ProcessType;
use super::program::{Channel, Program};

impl Program {
    /// The program with tests of lengths written as `Empty` and `Full`, and sums of constants as one.
    pub fn with_tests_recognised(&self) -> Program {
        let mut program = self.clone();
        let all = || self.channels.iter().chain(self.types.iter().flat_map(|t| &t.channels));
        let first = all().next().map(|channel| channel.capacity);
        let common = first.filter(|&capacity| all().all(|channel| channel.capacity == capacity));
        for process in &mut program.types {
            let ProcessType { transitions, prologue, channels, .. } = process;
            let rewriter = Rewriter { global: &self.channels, own: channels, common };
            for transition in transitions {
                transition.guard.iter_mut().for_each(|e| rewriter.truth(e));
                transition.effects.iter_mut().for_each(|effect| rewriter.effect(effect));
            }
            prologue.iter_mut().for_each(|(_, value)| rewriter.value(value));
        }
        program
    }
}

struct Rewriter<'a> {
    global: &'a [Channel],
    own: &'a [Channel],
    /// The capacity of every channel, if all have the same.
    common: Option<u16>,
}

impl Rewriter<'_> {
    fn effect(&self, effect: &mut Effect) {
        match effect {
            Effect::Assign { target, value } => {
                self.target(target);
                self.value(value);
            }
            Effect::Send { channel, fields, .. } => {
                self.value(channel);
                fields.iter_mut().for_each(|e| self.value(e));
            }
            Effect::Receive { channel, patterns, .. } => {
                self.value(channel);
                patterns.iter_mut().for_each(|pattern| self.pattern(pattern));
            }
            Effect::Operate { operands: inputs, target, .. }
            | Effect::Run { arguments: inputs, target, .. } => {
                inputs.iter_mut().for_each(|e| self.value(e));
                target.iter_mut().for_each(|target| self.target(target));
            }
            Effect::Assert(e) => self.truth(e),
            Effect::Print { arguments, .. } => arguments.iter_mut().for_each(|(e, _)| self.value(e)),
            Effect::SetPriority { process, priority } => {
                self.value(process);
                self.value(priority);
            }
            Effect::Exit => {}
        }
    }

    fn pattern(&self, pattern: &mut Pattern) {
        match pattern {
            Pattern::Bind(target) => self.target(target),
            Pattern::Match(e) => self.value(e),
            Pattern::Ignore => {}
        }
    }

    fn target(&self, target: &mut Target) {
        if let Target::Element(_, index) = target {
            self.value(index);
        }
    }

    /// An expression of which only the truth counts: a length is true unless the channel is empty.
    fn truth(&self, expression: &mut Expression) {
        self.value(expression);
        if let Expression::Length(channel) = expression {
            let channel = std::mem::replace(&mut **channel, Expression::Constant(0));
            *expression = !Expression::Empty(Box::new(channel));
        }
    }

    fn value(&self, expression: &mut Expression) {
        match expression {
            Expression::Unary(UnaryOperator::Not, a) => self.truth(a),
            Expression::Binary(BinaryOperator::And | BinaryOperator::Or, a, b) => {
                self.truth(a);
                self.truth(b);
            }
            Expression::Conditional(condition, yes, no) => {
                self.truth(condition);
                self.value(yes);
                self.value(no);
            }
            Expression::Element(_, a)
            | Expression::Unary(_, a)
            | Expression::Length(a)
            | Expression::Empty(a)
            | Expression::Full(a) => self.value(a),
            Expression::Binary(_, a, b) => {
                self.value(a);
                self.value(b);
            }
            Expression::Poll { channel, patterns, .. } => {
                self.value(channel);
                patterns.iter_mut().for_each(|pattern| self.pattern(pattern));
            }
            Expression::Observe { operands, .. } => operands.iter_mut().for_each(|e| self.value(e)),
            _ => {}
        }
        if let Some(simpler) = folded(expression).or_else(|| self.test(expression)) {
            *expression = simpler;
        }
    }

    /// A comparison of a length with a constant as a test of the channel.
    fn test(&self, expression: &Expression) -> Option<Expression> {
        let Expression::Binary(operator, a, b) = expression else { return None };
        let (channel, constant, mirrored) = match (&**a, &**b) {
            (Expression::Length(channel), Expression::Constant(constant)) => (channel, *constant, false),
            (Expression::Constant(constant), Expression::Length(channel)) => (channel, *constant, true),
            _ => return None,
        };
        let compare: fn(i64, i64) -> bool = match operator {
            BinaryOperator::Equal => |a, b| a == b,
            BinaryOperator::NotEqual => |a, b| a != b,
            BinaryOperator::Less => |a, b| a < b,
            BinaryOperator::LessEqual => |a, b| a <= b,
            BinaryOperator::Greater => |a, b| a > b,
            BinaryOperator::GreaterEqual => |a, b| a >= b,
            _ => return None,
        };
        let constant = i64::from(constant);
        let holds = |n: i64| if mirrored { compare(constant, n) } else { compare(n, constant) };
        let (capacity, named) = self.capacity(channel);
        let most = capacity.map_or(i64::from(u16::MAX), i64::from);
        // Between neighbours of these the answer does not change.
        let tried = [0, 1, most - 1, most, constant - 1, constant, constant + 1];
        let is = |test: &dyn Fn(i64) -> bool| {
            tried.iter().filter(|n| (0..=most).contains(*n)).all(|&n| holds(n) == test(n))
        };
        let channel = || channel.clone();
        let full = capacity.is_some();
        // A channel that is computed may turn out to be none, which is a fault.
        Some(if named && full && is(&|_| true) {
            Expression::Constant(1)
        } else if named && full && is(&|_| false) {
            Expression::Constant(0)
        } else if is(&|n| n == 0) {
            Expression::Empty(channel())
        } else if is(&|n| n != 0) {
            !Expression::Empty(channel())
        } else if full && is(&|n| n == most) {
            Expression::Full(channel())
        } else if full && is(&|n| n != most) {
            !Expression::Full(channel())
        } else {
            return None;
        })
    }

    /// The capacity of a channel if it is known, and whether there is such a channel for sure.
    fn capacity(&self, channel: &Expression) -> (Option<u16>, bool) {
        match channel {
            Expression::Channel(ChannelRef::Global(id)) => (Some(self.global[id.index()].capacity), true),
            Expression::Channel(ChannelRef::Own(id)) => (Some(self.own[id.index()].capacity), true),
            _ => (self.common, false),
        }
    }
}

/// Arithmetic on constants, as it is done when it is executed.
fn folded(expression: &Expression) -> Option<Expression> {
    let value = match expression {
        Expression::Unary(UnaryOperator::Negate, a) => match **a {
            Expression::Constant(a) => a.wrapping_neg(),
            _ => return None,
        },
        Expression::Binary(operator, a, b) => match (operator, &**a, &**b) {
            (BinaryOperator::Add, Expression::Constant(a), Expression::Constant(b)) => a.wrapping_add(*b),
            (BinaryOperator::Subtract, Expression::Constant(a), Expression::Constant(b)) => {
                a.wrapping_sub(*b)
            }
            (BinaryOperator::Multiply, Expression::Constant(a), Expression::Constant(b)) => {
                a.wrapping_mul(*b)
            }
            _ => return None,
        },
        _ => return None,
    };
    Some(Expression::Constant(value))
}
