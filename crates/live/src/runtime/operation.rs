//! Visible operations: what a thread is about to do, and the event it becomes.
//!
//! A thread stops before each visible operation and announces it. When it is chosen, the operation is
//! performed and becomes an event. Whether two events depend on each other is a relation between *events*
//! (object, class, number), not between operations in a state: a compare-and-swap that fails is a read, one that
//! succeeds a write. Such a relation gives every execution one partial order, which optimal exploration
//! needs (Abdulla, Aronis, Jonsson and Sagonas 2017, section 3).

use mazurka_model::ObjectId;
use std::panic::Location;

/// No object, no event, no choice.
pub(crate) const NONE: u32 = u32::MAX;

/// The object of operations that touch none.
pub(crate) const NO_OBJECT: ObjectId = ObjectId(NONE);

/// What a visible operation does.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub(crate) enum Kind {
    /// Creates a thread; the operand is its number.
    Spawn,
    /// The last operation of a thread.
    Exit,
    /// Waits for the exit of a thread.
    Join,
    /// Asks whether a thread has exited.
    IsFinished,
    /// Takes the token of the thread, or waits for it.
    Park,
    /// Takes the token if it is there.
    ParkTimeout,
    /// Gives a thread its token.
    Unpark,
    /// Chooses a number below the operand.
    Toss,
    /// Acquires a mutex.
    Lock,
    /// Acquires a mutex if it is free.
    TryLock,
    /// Releases a mutex.
    Unlock,
    /// Asks whether a thread panicked that held a lock.
    IsPoisoned,
    /// Forgets that one did.
    ClearPoison,
    /// Acquires a reader-writer lock as a reader.
    ReadLock,
    /// The same, if no writer holds it.
    TryRead,
    /// Releases it as a reader.
    ReadUnlock,
    /// Acquires a reader-writer lock as the writer.
    WriteLock,
    /// The same, if nobody holds it.
    TryWrite,
    /// Releases it as the writer.
    WriteUnlock,
    /// Joins those who wait for a condition variable.
    Wait,
    /// Leaves it after a notification.
    Wake,
    /// Leaves it after a notification, or because time is up.
    WakeTimeout,
    /// Wakes one who waits; the choice says whom.
    NotifyOne,
    /// Wakes all who wait.
    NotifyAll,
    /// Arrives at a barrier; the operand is how many it waits for.
    Arrive,
    /// Goes on after all have arrived; the operand is the generation.
    Pass,
    /// Starts an initialisation, or finds it done; waits while another thread is at it.
    Begin,
    /// Ends an initialisation.
    End,
    /// Gives up an initialisation, which can be started again.
    Cancel,
    /// Asks whether it is done.
    IsDone,
    /// Takes permits.
    Acquire,
    /// Takes permits if there are enough.
    TryAcquire,
    /// Returns permits.
    Release,
    /// Asks how many permits there are.
    Permits,
    /// Sends to a channel.
    Send,
    /// Sends if there is room.
    TrySend,
    /// Receives from a channel.
    Receive,
    /// Receives if there is a message.
    TryReceive,
    /// Tells a rendezvous that a receiver waits.
    Request,
    /// Waits until the message with the number of the operand is taken from a rendezvous.
    Taken,
    /// A sender is gone.
    DropSender,
    /// The receiver is gone.
    DropReceiver,
    /// Reads an atomic variable.
    Load,
    /// Writes it; the operand is the value.
    Store,
    /// Writes it and returns what was there.
    Swap,
    /// Writes the second operand if the operand is there.
    CompareExchange,
    /// Reads and writes it.
    Update,
    /// Adds to it and returns nothing, so that additions commute.
    Add,
}

/// How an event takes part in the relation of its object.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Class {
    /// Depends on nothing but what it follows by name.
    Local,
    /// Looks at the object and leaves it as it was.
    Read,
    /// Depends on everything.
    Write,
    /// Commutes with its like.
    Add,
    /// What a reader of a reader-writer lock does.
    Share,
    /// Number k of the sends to a channel.
    Send,
    /// Number k of the receives from a channel.
    Receive,
}

/// An operation that a thread has announced.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Operation {
    pub(crate) kind: Kind,
    pub(crate) object: ObjectId,
    pub(crate) operand: u64,
    pub(crate) second: u64,
    /// The length of the object's history from which on a change must have happened, for a read in a loop that
    /// waits; `NONE` otherwise.
    pub(crate) awaits: u32,
    /// Of an atomic access: whether it acquires (1) and releases (2), and whether it acquires if it fails (4). Only data-race detection
    /// looks at it.
    pub(crate) ordering: u8,
    pub(crate) location: &'static Location<'static>,
}

impl Operation {
    #[track_caller]
    pub(crate) fn new(kind: Kind, object: ObjectId) -> Operation {
        Operation {
            kind,
            object,
            operand: 0,
            second: 0,
            awaits: NONE,
            ordering: 0,
            location: Location::caller(),
        }
    }

    #[track_caller]
    pub(crate) fn with(kind: Kind, object: ObjectId, operand: u64) -> Operation {
        Operation {
            kind,
            object,
            operand,
            second: 0,
            awaits: NONE,
            ordering: 0,
            location: Location::caller(),
        }
    }

    /// Whether it may have to wait.
    pub(crate) fn blocks(&self) -> bool {
        use Kind::*;
        self.awaits != NONE
            || matches!(
                self.kind,
                Join | Park
                    | Lock
                    | ReadLock
                    | WriteLock
                    | Wake
                    | Pass
                    | Begin
                    | Acquire
                    | Send
                    | Receive
                    | Taken
            )
    }
}

/// What the relation between events looks at.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Access {
    pub(crate) thread: u32,
    pub(crate) object: ObjectId,
    pub(crate) class: Class,
    /// Which send or receive of its channel.
    pub(crate) number: u32,
    /// Of a send: the receive that made room for it.
    pub(crate) room: u32,
    /// Whether additions matter to it, if it is a read, a send or a receive.
    pub(crate) looks: bool,
    /// Which outcome of an operation that has several; `NONE` if it has one.
    pub(crate) choice: u32,
}

/// Whether two events of one object depend on each other, whoever performs them.
///
/// What an operation depends on must not become less when something else happens just before it, because races are reversed
/// by what was seen of the order that they are in: if an event precedes the next step of a thread, it does so with another
/// event in between (property 7 of a happens-before relation, section 3.1). A receive that doesn't wait can tell a sender that is gone
/// from one that is not whenever it finds nothing, so it depends on that also where it finds a message.
#[inline]
pub(crate) fn related(a: &Access, b: &Access) -> bool {
    use Class::*;
    match (a.class, b.class) {
        (Local, _) | (_, Local) => false,
        (Write, _) | (_, Write) => true,
        (Add, Add) => false,
        (Add, Read | Send | Receive) => b.looks,
        (Read | Send | Receive, Add) => a.looks,
        (Read, other) | (other, Read) => other != Read,
        (Share, Share) => false,
        (Send, Receive) => a.number == b.number || a.room == b.number,
        (Receive, Send) => a.number == b.number || b.room == a.number,
        _ => true,
    }
}

/// Whether two events depend on each other.
#[inline]
pub(crate) fn dependent(a: &Access, b: &Access) -> bool {
    a.thread == b.thread || (a.object == b.object && a.object != NO_OBJECT && related(a, b))
}

/// Something that happened.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Event {
    pub(crate) access: Access,
    /// Which event of its thread, from 1.
    pub(crate) position: u32,
    /// What was announced.
    pub(crate) operation: Operation,
    /// The state of the object before it.
    pub(crate) before: u64,
    /// What it returned.
    pub(crate) outcome: u64,
    /// The virtual time of its thread.
    pub(crate) time: u64,
}
