//! What a process can ask of the others, and who may move if processes have priorities.
//!
//! The semantics is that of the verifiers made by SPIN 6.5: a process that does not exist answers 0;
//! `enabled` does not look at priorities; a process may move only if no process of a higher priority
//! could, and may so be stopped between two steps of an atomic region, but not inside a deterministic
//! step. SPIN reads the memory of a process of another type as if it were of the type that is named;
//! here that is a fault.

use super::code::{Base, NodeId, RemoteCode};
use super::evaluate::{View, element};
use super::fault::Fault;
use super::layout;
use super::machine::{Machine, ProcessAt};
use crate::ir::ProcessQuestion;
use std::cell::{Cell, RefCell};

/// The frame of a view that is no process's.
pub const NO_FRAME: usize = usize::MAX;

thread_local! {
    /// The processes of which it is being found out whether they can move.
    static ASKED: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
    /// Whether that led back to one of them.
    static CIRCULAR: Cell<bool> = const { Cell::new(false) };
}

impl Machine {
    /// The process of a type in a slot, or the first of its type.
    fn remote_process(
        &self,
        view: View<'_>,
        kind: usize,
        instance: Option<NodeId>,
    ) -> Result<Option<ProcessAt>, Fault> {
        let Some(instance) = instance else {
            return Ok(self.processes(view.state).find(|at| at.kind == kind));
        };
        match self.in_slot(view.state, self.value(view, instance)?) {
            Some(at) if at.kind != kind => Err(Fault::Type),
            found => Ok(found),
        }
    }

    /// The process in a slot, if there is one.
    fn in_slot(&self, state: &[u8], slot: i32) -> Option<ProcessAt> {
        self.process(state, usize::try_from(slot).ok()?)
    }

    /// What a process of a type looks like.
    pub fn remote(
        &self,
        view: View<'_>,
        kind: usize,
        instance: Option<NodeId>,
        part: RemoteCode,
    ) -> Result<i32, Fault> {
        let found = self.remote_process(view, kind, instance)?;
        let offset = match part {
            RemoteCode::At(_) => 0,
            RemoteCode::Variable(slot) => slot.offset as usize,
            RemoteCode::Element { slot, length, index } => {
                let theirs = ProcessAt { kind, ..view.at };
                element(theirs, Base::Frame, slot, length, self.value(view, index)?)?
            }
        };
        let Some(at) = found else { return Ok(0) };
        Ok(match part {
            RemoteCode::At(location) => (self.location_index(view.state, at) == location as usize).into(),
            RemoteCode::Variable(slot) | RemoteCode::Element { slot, .. } => {
                layout::read(view.state, at.frame + offset, slot.ty)
            }
        })
    }

    /// The answer to a question about the process in a slot.
    pub fn ask(&self, view: View<'_>, question: ProcessQuestion, slot: i32) -> Result<i32, Fault> {
        let Some(at) = self.in_slot(view.state, slot) else { return Ok(0) };
        Ok(match question {
            ProcessQuestion::Enabled => self.is_enabled(view, at)?.into(),
            ProcessQuestion::Location => self.location_index(view.state, at) as i32 + 1,
            ProcessQuestion::Priority => self.priority(view.state, at) as i32,
        })
    }

    fn is_enabled(&self, view: View<'_>, at: ProcessAt) -> Result<bool, Fault> {
        let own = view.at.frame != NO_FRAME && view.at.pid == at.pid;
        if own || ASKED.with_borrow(|asked| asked.contains(&at.pid)) {
            CIRCULAR.set(ASKED.with_borrow(|asked| !asked.is_empty()));
            return Err(Fault::Circular);
        }
        ASKED.with_borrow_mut(|asked| asked.push(at.pid));
        let enabled = self.can_move(view.state, at);
        ASKED.with_borrow_mut(Vec::pop);
        // A fault in a guard counts as a move, so this one is carried to the outermost question.
        let circular = CIRCULAR.get();
        if circular && ASKED.with_borrow(Vec::is_empty) {
            CIRCULAR.set(false);
        }
        if circular { Err(Fault::Circular) } else { Ok(enabled) }
    }

    /// The priority of a process.
    pub fn priority(&self, state: &[u8], at: ProcessAt) -> usize {
        let word = self.layout.frames[at.kind].priority;
        if word.width == 0 { 1 } else { word.read(state, at.frame) }
    }

    /// Gives the process in a slot another priority.
    pub fn set_priority(&self, state: &mut [u8], slot: i32, priority: i32) -> Result<(), Fault> {
        let Some(at) = self.in_slot(state, slot) else { return Ok(()) };
        match usize::try_from(priority) {
            Ok(priority @ 1..=255) => {
                self.layout.frames[at.kind].priority.write(state, at.frame, priority);
                Ok(())
            }
            _ => Err(Fault::Priority),
        }
    }

    /// Whether a process of a higher priority could move.
    pub fn outranked(&self, state: &[u8], at: ProcessAt) -> bool {
        if self.layout.frames[at.kind].priority.width == 0 || self.location(state, at).committed {
            return false;
        }
        let own = self.priority(state, at);
        self.processes(state).any(|other| self.priority(state, other) > own && self.can_move(state, other))
    }
}
