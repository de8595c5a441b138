//! Peterson's algorithm for mutual exclusion of two processes (1981).
//!
//! Each process announces its interest, yields the turn, waits until the other one is not interested or
//! has yielded after it, and enters. Raising the flag and yielding the turn are steps of their own; so is
//! each of the two tests of the waiting condition.

use mazurka::{Assertions, Model, ProcessId};
use zerocopy::{Immutable, IntoBytes, KnownLayout, TryFromBytes};

/// The algorithm, or a broken variant of it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Peterson {
    /// Whether a process yields the turn before it raises its flag, the classic mistake.
    pub yields_first: bool,
}

/// Where a process stands.
#[derive(Copy, Clone, Debug, PartialEq, Eq, IntoBytes, TryFromBytes, Immutable, KnownLayout)]
#[repr(u8)]
pub enum Location {
    Away,
    /// One of the two assignments is made.
    Announced,
    /// About to look at the other's flag.
    LooksAtFlag,
    /// The other's flag was up: about to look at the turn.
    LooksAtTurn,
    Critical,
}

/// The whole system.
#[derive(Copy, Clone, Debug, PartialEq, Eq, IntoBytes, TryFromBytes, Immutable, KnownLayout)]
#[repr(C)]
pub struct State {
    pub location: [Location; 2],
    pub flag: [bool; 2],
    /// Whose turn it is.
    pub turn: u8,
}

/// The process with this number moves on; where it stands tells how.
pub type Mover = u8;

impl Model for Peterson {
    type State = State;
    type Action = Mover;

    fn initial(&self) -> Vec<State> {
        vec![State { location: [Location::Away; 2], flag: [false; 2], turn: 0 }]
    }

    fn actions(&self, _state: &State, out: &mut Vec<Mover>) {
        out.extend([0, 1]);
    }

    fn next(&self, state: &State, mover: &Mover) -> Option<State> {
        let me = usize::from(*mover);
        let other = 1 - me;
        let mut next = *state;
        next.location[me] = match state.location[me] {
            Location::Away => {
                self.announce(&mut next, me, !self.yields_first);
                Location::Announced
            }
            Location::Announced => {
                self.announce(&mut next, me, self.yields_first);
                Location::LooksAtFlag
            }
            Location::LooksAtFlag if !state.flag[other] => Location::Critical,
            Location::LooksAtFlag => Location::LooksAtTurn,
            Location::LooksAtTurn if usize::from(state.turn) == me => Location::Critical,
            Location::LooksAtTurn => Location::LooksAtFlag,
            Location::Critical => {
                next.flag[me] = false;
                Location::Away
            }
        };
        Some(next)
    }

    fn assertions(&self, out: &mut Assertions<Self>) {
        out.state("mutual exclusion", |_, state| state.location != [Location::Critical; 2]);
    }

    fn process(&self, mover: &Mover) -> ProcessId {
        ProcessId(u16::from(*mover))
    }

    fn instance(&self) -> u64 {
        u64::from(self.yields_first)
    }

    fn describe_action(&self, state: &State, mover: &Mover) -> String {
        let raises = "raises its flag";
        let yields = "yields the turn";
        match state.location[usize::from(*mover)] {
            Location::Away => if self.yields_first { yields } else { raises }.to_owned(),
            Location::Announced => if self.yields_first { raises } else { yields }.to_owned(),
            Location::LooksAtFlag => "looks at the other's flag".to_owned(),
            Location::LooksAtTurn => "looks at the turn".to_owned(),
            Location::Critical => "leaves".to_owned(),
        }
    }
}

impl Peterson {
    fn announce(&self, state: &mut State, me: usize, flag: bool) {
        if flag {
            state.flag[me] = true;
        } else {
            state.turn = 1 - me as u8;
        }
    }
}
