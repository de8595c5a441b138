//! What a `D_proctype` promises: of the alternatives at a location, at most one can be executed.
//!
//! SPIN's verifier reports the second alternative that it can execute. So here each alternative but the first begins
//! with an assertion that none before it can be executed; being an effect like any other, it is seen by the analysis
//! and holds under every reduction. An `else` needs none. The alternatives of a `d_step` are tried in order, so they
//! are no choice among themselves, and an escape takes precedence.
//!
//! Handshakes are left out: whether one is possible is not for one process to say.

use super::Lowerer;
use mazurka_program::ir::{BinaryOperator, ChannelRef, Effect, Expression, Transition, UnaryOperator};

impl Lowerer<'_> {
    /// Adds the assertions to the process being lowered.
    pub(super) fn assert_determinism(&mut self) {
        let transitions = self.process.transitions.clone();
        let mut by_location: Vec<Vec<usize>> = vec![Vec::new(); self.process.locations.len()];
        for (index, transition) in transitions.iter().enumerate() {
            if !transition.otherwise && !self.process.locations[transition.from.index()].committed {
                by_location[transition.from.index()].push(index);
            }
        }
        for alternatives in by_location {
            for (position, &index) in alternatives.iter().enumerate() {
                let own = &transitions[index];
                let rivals = |other: &&Transition| {
                    other.escape == own.escape && (own.group == 0 || other.group != own.group)
                };
                let before = alternatives[..position].iter().map(|&other| &transitions[other]);
                let ready: Vec<Expression> = before.filter(rivals).map(readiness).collect();
                if ready.is_empty() || !self.may_begin_with_assertion(own) {
                    continue;
                }
                let alone = Expression::Unary(UnaryOperator::Not, Box::new(any(&ready)));
                let transition = &mut self.process.transitions[index];
                transition.effects.insert(0, Effect::Assert(alone));
                transition.only_choice = true;
            }
        }
    }

    /// A handshake must be the first effect of its transition.
    fn may_begin_with_assertion(&self, transition: &Transition) -> bool {
        match transition.effects.first() {
            Some(Effect::Send { channel, .. } | Effect::Receive { channel, .. }) => match channel {
                Expression::Channel(ChannelRef::Global(id)) => {
                    self.program.channels.get(id.index()).is_some_and(|channel| channel.capacity > 0)
                }
                _ => false,
            },
            _ => true,
        }
    }
}

/// Whether a transition can be executed, handshakes left out.
fn readiness(transition: &Transition) -> Expression {
    let first = match transition.effects.first() {
        Some(Effect::Send { channel, .. }) => {
            let full = Expression::Full(Box::new(channel.clone()));
            Some(Expression::Unary(UnaryOperator::Not, Box::new(full)))
        }
        Some(Effect::Receive { channel, patterns, anywhere, .. }) => Some(Expression::Poll {
            channel: Box::new(channel.clone()),
            patterns: patterns.clone(),
            anywhere: *anywhere,
        }),
        _ => None,
    };
    let all = transition.guard.iter().cloned().chain(first);
    let both = |a, b| Expression::Binary(BinaryOperator::And, Box::new(a), Box::new(b));
    all.reduce(both).unwrap_or(Expression::Constant(1))
}

/// Whether one of these holds: a tree of little depth, however many there are.
fn any(conditions: &[Expression]) -> Expression {
    match conditions {
        [] => Expression::Constant(0),
        [single] => single.clone(),
        many => {
            let (left, right) = many.split_at(many.len() / 2);
            Expression::Binary(BinaryOperator::Or, Box::new(any(left)), Box::new(any(right)))
        }
    }
}
