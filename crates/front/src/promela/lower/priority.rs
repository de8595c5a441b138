//! Priorities, as in SPIN since version 6.2: only processes with the highest priority of those that can
//! move may move. `proctype P() priority 5` is for the processes that `active` starts; what is run has
//! priority 1 unless the `run` says otherwise.
//!
//! SPIN can't combine priorities, or `enabled`, with rendezvous: its verifier is not compiled then. Here
//! such a model is refused.

use super::Lowerer;
use crate::promela::ast::Expression as Tree;
use crate::promela::check::constant;
use mazurka_model::source::Diagnostic;
use mazurka_program::ir::{Effect, Expression, ProcessQuestion};

impl<'a> Lowerer<'a> {
    /// The priority of a process that exists from the beginning.
    pub(super) fn start_priority(&self, priority: Option<&'a Tree>) -> u8 {
        let value = priority.and_then(|e| constant(e, self.symbols)).unwrap_or(1);
        value.clamp(1, 255) as u8
    }

    /// What gives a process that was just created its priority.
    pub(super) fn run_priority(&mut self, priority: Option<&'a Tree>) -> Option<Effect> {
        let priority = self.start_priority(priority);
        let youngest = Expression::ProcessCount - 1;
        (priority > 1)
            .then(|| Effect::SetPriority { process: youngest, priority: i32::from(priority).into() })
    }

    /// The priority of the process itself.
    pub(super) fn own_priority(&self) -> Expression {
        Expression::Process(ProcessQuestion::Priority, Box::new(Expression::Pid))
    }

    /// Refuses rendezvous where SPIN does.
    pub(super) fn no_handshakes(&mut self) {
        let own = self.program.types.iter().flat_map(|t| &t.channels);
        let Some(channel) = self.program.channels.iter().chain(own).find(|c| c.capacity == 0) else { return };
        let (what, place) = match (self.variables.survey.priority, self.variables.survey.enabled) {
            (Some(place), _) => ("priorities", place),
            (None, Some(place)) => ("`enabled`", place),
            (None, None) => return,
        };
        let message = format!("{what} can't be combined with rendezvous channels");
        let diagnostic = Diagnostic::error(place.span, message)
            .label("whether a process can move would depend on the other side")
            .help("give the channel room for a message: `[1] of …`; SPIN refuses such a model too")
            .note(channel.span, format!("`{}` is a rendezvous channel", channel.name));
        self.report(diagnostic, place);
    }
}
