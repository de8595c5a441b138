//! Unspecified receptions: a message that its receiver is not prepared for.
//!
//! The notion is that of Zafiropulo and others (1980), as the protocol validators of the papers check
//! it: a message has arrived at a process that waits for messages, and the process has no receive for it.
//! Channels of Promela are shared and a location may offer other things than receives, so precisely:
//! in a state outside atomic regions, the reception of the messages of a buffered channel by a process
//! is *unspecified* if
//!
//! 1. a transition at the location of the process begins with a receive from that channel, and its guard
//!    holds;
//! 2. the channel is not empty, and no receive of the location can take a message of it;
//! 3. the process waits for nothing but messages: no transition of its location is an `otherwise` or looks
//!    at `_timeout`, and none that can be executed begins with anything but a receive;
//! 4. no other process can take a message of the channel either.
//!
//! Receives from other channels are no excuse: the message would have to be expected wherever it can
//! arrive. Where several processes read one channel, 4 looks at where they stand now, so a message for
//! a reader that is still busy is reported.
//!
//! The condition is on whole states, so a search for it can't be reduced.

use super::code::EffectCode;
use super::evaluate::View;
use super::fault::reception_place;
use super::machine::{ChannelAt, Machine, ProcessAt};
use crate::ir::{Effect, Expression, Program};
use std::ops::ControlFlow;

/// A message that a process can't take.
#[derive(Copy, Clone, Debug)]
pub struct Unspecified<'a> {
    /// The process that waits.
    pub at: ProcessAt,
    /// The channel whose message is not expected.
    pub channel: ChannelAt<'a>,
    /// The place of the receive that waits.
    pub place: u32,
}

/// Where processes wait for messages and nothing else, by process type and location.
#[derive(Debug, Default)]
pub struct Receptions {
    waiting: Vec<Vec<bool>>,
}

impl Receptions {
    /// Looks through a program.
    pub fn new(program: &Program) -> Receptions {
        let waiting = program.types.iter().map(|process| {
            let mut receives = vec![false; process.locations.len()];
            let mut waits = vec![true; process.locations.len()];
            for transition in &process.transitions {
                let from = transition.from.index();
                receives[from] |= matches!(transition.effects.first(), Some(Effect::Receive { .. }));
                waits[from] &= !transition.otherwise && !transition.guard.iter().any(mentions_timeout);
            }
            receives.into_iter().zip(waits).map(|(receives, waits)| receives && waits).collect()
        });
        Receptions { waiting: waiting.collect() }
    }
}

fn mentions_timeout(expression: &Expression) -> bool {
    let mut found = *expression == Expression::Timeout;
    expression.for_each_operand(&mut |operand| found = found || mentions_timeout(operand));
    found
}

impl Machine {
    /// Passes the unspecified receptions to `report`, at most one for each process.
    pub fn unspecified_receptions<'a>(
        &'a self,
        receptions: &Receptions,
        state: &[u8],
        mut report: impl FnMut(Unspecified<'a>),
    ) {
        if self.exclusive(state).is_some() {
            return;
        }
        for at in self.processes(state) {
            if !receptions.waiting[at.kind][self.location_index(state, at)] {
                continue;
            }
            if let Some(found) = self.unspecified(state, at)
                && !self.processes(state).any(|other| self.takes(state, other, found.channel.number))
            {
                report(found);
            }
        }
    }

    /// The first channel with a message from which the process has a receive, but none that takes it.
    fn unspecified(&self, state: &[u8], at: ProcessAt) -> Option<Unspecified<'_>> {
        let view = View { state, at };
        let idle = self.moves(state, at, &mut |found| match self.first(found.transition) {
            Some(EffectCode::Receive { .. }) => ControlFlow::Continue(()),
            _ if self.is_executable(state, &found) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        });
        if idle.is_break() {
            return None;
        }
        self.location(state, at).transitions.indices().find_map(|index| {
            let transition = &self.code.transitions[index];
            let Some(EffectCode::Receive { channel, .. }) = self.first(index) else { return None };
            let guard = &self.code.roots[transition.guard.indices()];
            let channel = self.channel(view, channel).ok()?;
            let waits = channel.shape.capacity > 0
                && channel.length(state) > 0
                && self.all_hold(view, guard).unwrap_or(false);
            let place = reception_place(transition.site);
            (waits && !self.takes(state, at, channel.number)).then_some(Unspecified { at, channel, place })
        })
    }

    /// Whether the process can take a message of this channel now, or fails in the attempt.
    fn takes(&self, state: &[u8], at: ProcessAt, channel: u32) -> bool {
        let view = View { state, at };
        let takes = |index| match self.first(index) {
            Some(EffectCode::Receive { channel: other, .. }) => {
                self.channel(view, other).is_ok_and(|other| other.number == channel)
            }
            _ => false,
        };
        let taken = self.moves(state, at, &mut |found| {
            if takes(found.transition) && self.is_executable(state, &found) {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        taken.is_break()
    }

    fn first(&self, transition: usize) -> Option<EffectCode> {
        self.code.effects[self.code.transitions[transition].effects.indices()].first().copied()
    }
}
