//! Two-phase commit, as in `TwoPhase.tla` of Gray and Lamport's *Consensus on Transaction Commit* (2004).
//!
//! Resource managers prepare or abort on their own; a coordinator that has heard from all of them commits,
//! or aborts at any time before. Messages are never lost and never removed, so a message can be received
//! again; such steps leave the state as it is and are counted as transitions.

use mazurka::{Assertions, Model, ProcessId};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// A transaction with this many resource managers, at most 14.
pub struct TwoPhaseCommit {
    pub managers: u32,
}

/// The whole system in eight bytes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, IntoBytes, FromBytes, Immutable, KnownLayout)]
#[repr(C)]
pub struct State {
    /// Two bits a manager: [`WORKING`], [`PREPARED`], [`COMMITTED`] or [`ABORTED`].
    pub managers: u32,
    /// The messages sent: a bit for the `Prepared` of each manager, [`COMMIT`] and [`ABORT`]. The
    /// coordinator has decided as soon as one of the latter is sent.
    pub sent: u16,
    /// The managers from which the coordinator has received `Prepared`.
    pub received: u16,
}

pub const WORKING: u32 = 0;
pub const PREPARED: u32 = 1;
pub const COMMITTED: u32 = 2;
pub const ABORTED: u32 = 3;

pub const COMMIT: u16 = 1 << 14;
pub const ABORT: u16 = 1 << 15;

/// What the coordinator (the first three) or a manager does, by the names of the specification.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Action {
    TmCommit,
    TmAbort,
    TmRcvPrepared(u32),
    RmPrepare(u32),
    RmChooseToAbort(u32),
    RmRcvCommitMsg(u32),
    RmRcvAbortMsg(u32),
}

impl State {
    pub fn manager(&self, manager: u32) -> u32 {
        self.managers >> (2 * manager) & 3
    }

    /// No manager has committed while another has aborted. All managers are looked at together: those
    /// that are done have their higher bit set, and the lower one tells how they ended.
    pub fn is_consistent(&self) -> bool {
        let lower = self.managers & 0x5555_5555;
        let done = self.managers >> 1 & 0x5555_5555;
        done & lower == 0 || done & !lower == 0
    }

    fn with(mut self, manager: u32, local: u32) -> State {
        self.managers = self.managers & !(3 << (2 * manager)) | local << (2 * manager);
        self
    }
}

impl Model for TwoPhaseCommit {
    type State = State;
    type Action = Action;

    fn initial(&self) -> Vec<State> {
        vec![State { managers: 0, sent: 0, received: 0 }]
    }

    fn actions(&self, state: &State, out: &mut Vec<Action>) {
        let decided = state.sent & (COMMIT | ABORT) != 0;
        if !decided {
            if state.received.count_ones() == self.managers {
                out.push(Action::TmCommit);
            }
            out.push(Action::TmAbort);
            let prepared = (0..self.managers).filter(|manager| state.sent >> manager & 1 == 1);
            out.extend(prepared.map(Action::TmRcvPrepared));
        }
        for manager in 0..self.managers {
            if state.manager(manager) == WORKING {
                out.push(Action::RmPrepare(manager));
                out.push(Action::RmChooseToAbort(manager));
            }
            if state.sent & COMMIT != 0 {
                out.push(Action::RmRcvCommitMsg(manager));
            }
            if state.sent & ABORT != 0 {
                out.push(Action::RmRcvAbortMsg(manager));
            }
        }
    }

    fn next(&self, state: &State, action: &Action) -> Option<State> {
        Some(match *action {
            Action::TmCommit => State { sent: state.sent | COMMIT, ..*state },
            Action::TmAbort => State { sent: state.sent | ABORT, ..*state },
            Action::TmRcvPrepared(manager) => State { received: state.received | 1 << manager, ..*state },
            Action::RmPrepare(manager) => {
                State { sent: state.sent | 1 << manager, ..state.with(manager, PREPARED) }
            }
            Action::RmRcvCommitMsg(manager) => state.with(manager, COMMITTED),
            Action::RmChooseToAbort(manager) | Action::RmRcvAbortMsg(manager) => state.with(manager, ABORTED),
        })
    }

    fn assertions(&self, out: &mut Assertions<Self>) {
        out.state("no manager commits while another aborts", |_, state| state.is_consistent());
    }

    fn process(&self, action: &Action) -> ProcessId {
        match *action {
            Action::TmCommit | Action::TmAbort | Action::TmRcvPrepared(_) => ProcessId(0),
            Action::RmPrepare(manager)
            | Action::RmChooseToAbort(manager)
            | Action::RmRcvCommitMsg(manager)
            | Action::RmRcvAbortMsg(manager) => ProcessId(1 + manager as u16),
        }
    }

    fn describe_model(&self) -> String {
        format!("two-phase commit with {} resource managers", self.managers)
    }

    fn instance(&self) -> u64 {
        u64::from(self.managers)
    }

    fn describe_process(&self, process: ProcessId) -> String {
        match process.0 {
            0 => "coordinator".to_owned(),
            manager => format!("resource manager {}", manager - 1),
        }
    }
}
