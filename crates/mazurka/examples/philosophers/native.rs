//! Dining philosophers (Dijkstra 1971): take the left fork, take the right fork, put the left one back,
//! put the right one back.
//!
//! A philosopher has four local states, told by the forks that are held: none, left, both, right. Each of
//! the n forks is free or held from either side, which gives 3^n combinations; all are reachable except
//! the one in which everybody holds only the right fork. In the one in which everybody holds only the
//! left fork nobody can move: the deadlock.

use mazurka::object::mutex::{LOCK, Mutex, UNLOCK};
use mazurka::{Footprint, Footprints, Model, ObjectId, ObjectSet, ObjectType, Operation, ProcessId};

/// A table with this many philosophers, at least 2 and at most 32.
pub struct Table {
    pub philosophers: u32,
}

/// Who holds what: two bits a philosopher, [`LEFT`] and [`RIGHT`].
pub type Forks = u64;

pub const LEFT: u64 = 1;
pub const RIGHT: u64 = 2;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Act {
    TakeLeft,
    TakeRight,
    PutLeft,
    PutRight,
}

/// What a philosopher does next.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    pub philosopher: u32,
    pub act: Act,
}

impl Table {
    /// The forks that a philosopher holds.
    pub fn holds(state: Forks, philosopher: u32) -> u64 {
        state >> (2 * philosopher) & (LEFT | RIGHT)
    }

    /// The neighbour who shares the right fork.
    pub fn right_of(&self, philosopher: u32) -> u32 {
        (philosopher + 1) % self.philosophers
    }

    /// The neighbour who shares the left fork.
    pub fn left_of(&self, philosopher: u32) -> u32 {
        (philosopher + self.philosophers - 1) % self.philosophers
    }

    /// What a philosopher who holds these forks wants to do.
    pub fn intention(held: u64) -> Act {
        match held {
            0 => Act::TakeLeft,
            LEFT => Act::TakeRight,
            RIGHT => Act::PutRight,
            _ => Act::PutLeft,
        }
    }
}

impl Model for Table {
    type State = Forks;
    type Action = Turn;

    fn initial(&self) -> Vec<Forks> {
        vec![0]
    }

    fn actions(&self, state: &Forks, out: &mut Vec<Turn>) {
        for philosopher in 0..self.philosophers {
            let act = Table::intention(Table::holds(*state, philosopher));
            let possible = match act {
                Act::TakeLeft => Table::holds(*state, self.left_of(philosopher)) & RIGHT == 0,
                Act::TakeRight => Table::holds(*state, self.right_of(philosopher)) & LEFT == 0,
                Act::PutLeft | Act::PutRight => true,
            };
            if possible {
                out.push(Turn { philosopher, act });
            }
        }
    }

    fn next(&self, state: &Forks, turn: &Turn) -> Option<Forks> {
        let fork = match turn.act {
            Act::TakeLeft | Act::PutLeft => LEFT,
            Act::TakeRight | Act::PutRight => RIGHT,
        };
        Some(state ^ fork << (2 * turn.philosopher))
    }

    fn process(&self, turn: &Turn) -> ProcessId {
        ProcessId(turn.philosopher as u16)
    }

    fn footprints(&self) -> Option<&dyn Footprints<State = Forks, Action = Turn>> {
        Some(self)
    }

    fn describe_model(&self) -> String {
        format!("{} dining philosophers", self.philosophers)
    }

    fn instance(&self) -> u64 {
        u64::from(self.philosophers)
    }

    fn describe_process(&self, process: ProcessId) -> String {
        format!("philosopher {process}")
    }
}

/// Each fork is a lock. The left fork of a philosopher has the philosopher's own number.
impl Footprints for Table {
    type State = Forks;
    type Action = Turn;

    fn processes(&self) -> usize {
        self.philosophers as usize
    }

    fn objects(&self) -> Vec<Box<dyn ObjectType>> {
        (0..self.philosophers).map(|_| Box::new(Mutex) as Box<dyn ObjectType>).collect()
    }

    fn value(&self, state: &Forks, fork: ObjectId, out: &mut Vec<i64>) {
        let left = self.left_of(fork.0);
        out.push(if Table::holds(*state, fork.0) & LEFT != 0 {
            i64::from(fork.0) + 1
        } else if Table::holds(*state, left) & RIGHT != 0 {
            i64::from(left) + 1
        } else {
            0
        });
    }

    fn code(&self, turn: &Turn) -> u32 {
        turn.act as u32
    }

    fn footprint(&self, _state: &Forks, turn: &Turn, out: &mut Footprint) {
        let philosopher = ProcessId(turn.philosopher as u16);
        let (fork, kind) = match turn.act {
            Act::TakeLeft => (turn.philosopher, LOCK),
            Act::TakeRight => (self.right_of(turn.philosopher), LOCK),
            Act::PutLeft => (turn.philosopher, UNLOCK),
            Act::PutRight => (self.right_of(turn.philosopher), UNLOCK),
        };
        out.access(ObjectId(fork), Operation::new(philosopher, kind));
    }

    fn moves(&self, state: &Forks, process: ProcessId, out: &mut Vec<Turn>) {
        let philosopher = u32::from(process.0);
        out.push(Turn { philosopher, act: Table::intention(Table::holds(*state, philosopher)) });
    }

    fn touches(&self, process: ProcessId, objects: &mut ObjectSet) {
        objects.insert(ObjectId(u32::from(process.0)));
        objects.insert(ObjectId(self.right_of(u32::from(process.0))));
    }
}
