//! What compiled code leaves to the interpreter: expressions over other processes and objects, the
//! operations of objects, whatever turns out to be a fault, and the moves of a process as a whole.
//!
//! Compiled code knows by itself whether `_timeout` is being found out, and passes what it is taken to be.

use super::Interpreter;
use super::code::{Code, NodeId};
use super::evaluate::View;
use super::machine::ProcessAt;
use super::moves::Readiness;
use mazurka_model::Step;
use std::ops::ControlFlow;

impl Interpreter {
    /// The program with its names resolved and its expressions flattened.
    pub fn code(&self) -> &Code {
        &self.machine.code
    }

    /// How many processes may be alive at once.
    pub fn process_limit(&self) -> usize {
        self.machine.process_limit
    }

    /// How many channels may exist at once.
    pub fn channel_limit(&self) -> usize {
        self.machine.channel_limit
    }

    /// The processes of a state, by slot.
    pub fn process_slots<'a>(&'a self, state: &'a [u8]) -> impl Iterator<Item = ProcessAt> + 'a {
        self.machine.processes(state)
    }

    fn taking_timeout<R>(&self, timeout: Option<bool>, evaluate: impl FnOnce() -> R) -> R {
        match timeout {
            Some(value) => self.machine.with_timeout(value, evaluate),
            None => evaluate(),
        }
    }

    /// The value of an expression as a process sees it; `None` for a fault.
    pub fn evaluate(&self, state: &[u8], at: ProcessAt, node: NodeId, timeout: Option<bool>) -> Option<i32> {
        self.taking_timeout(timeout, || self.machine.value(View { state, at }, node).ok())
    }

    /// Whether the first effect of a transition, which is no send, can be executed; `None` for a fault.
    pub fn begins(
        &self,
        state: &[u8],
        at: ProcessAt,
        transition: usize,
        timeout: Option<bool>,
    ) -> Option<bool> {
        let transition = &self.machine.code.transitions[transition];
        let ready = || self.machine.first_effect(View { state, at }, transition);
        match self.taking_timeout(timeout, ready) {
            Ok(Readiness::Ready) => Some(true),
            Ok(Readiness::Blocked) => Some(false),
            Ok(Readiness::Handshake(_)) | Err(_) => None,
        }
    }

    /// Executes an effect that leaves the number of processes as it is. Whether it could be executed; `None`
    /// for a fault.
    pub fn perform(
        &self,
        state: &mut [u8],
        at: ProcessAt,
        effect: usize,
        timeout: Option<bool>,
    ) -> Option<bool> {
        let effect = self.machine.code.effects[effect];
        self.taking_timeout(timeout, || self.machine.effect(state, at, effect).ok())
    }

    /// Whether the process has a move that can be executed, whoever else may move.
    pub fn can_move(&self, state: &[u8], at: ProcessAt, timeout: Option<bool>) -> bool {
        self.taking_timeout(timeout, || self.machine.can_move(state, at))
    }

    /// Appends the enabled steps of one process, whoever else may move.
    pub fn enabled_of(&self, state: &[u8], at: ProcessAt, out: &mut Vec<Step>) {
        let _ = self.machine.moves(state, at, &mut |found| {
            if self.machine.is_executable(state, &found) {
                out.push(found.step());
            }
            ControlFlow::Continue(())
        });
    }
}
