//! Happens-before by vector clocks, and the races of an execution.
//!
//! Each event has a clock: for every thread, how many of its events happened before (Mattern 1989). A *race* is
//! a pair of an event `first` and a later one of another thread that depend on each other and that nothing
//! else orders (Abdulla, Aronis, Jonsson and Sagonas 2017, section 3.2).
//!
//! Operations that wait need more care. A lock follows the unlock before it, but can't be done earlier than that;
//! it races with the *lock* before it, and so does a lock that waits at the end of an execution. So of an
//! operation that waits, races are looked for backwards through the history of its object up to events before
//! which it was enabled. A writer that waits for several readers must come before all of those that hold the lock
//! together: then a race has several first events.

use super::Runtime;
use super::object::{Object, received, sent};
use super::operation::{Access, Class, Event, Kind, NO_OBJECT, NONE, Operation, related};
use super::semantics::enabled_in;

/// A race: the events that are to happen later, the first of them smallest, and who is to come before them.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Race {
    /// Where the list of first events is in [`Order::firsts`].
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// The second event, or `NONE` if the thread waits at the end.
    pub(crate) second: u32,
    /// Its thread.
    pub(crate) thread: u32,
}

/// Clocks and races of an execution.
#[derive(Debug, Default)]
pub(crate) struct Order {
    /// One row for each event, `stride` numbers each.
    clocks: Vec<u32>,
    stride: usize,
    /// The clock that is being made.
    row: Vec<u32>,
    /// The virtual time of the event that is being made.
    time: u64,
    /// What the races of the event found so far cover.
    reach: Vec<u32>,
    pub(crate) races: Vec<Race>,
    pub(crate) firsts: Vec<u32>,
}

fn join(into: &mut [u32], from: &[u32]) {
    for (mine, other) in into.iter_mut().zip(from) {
        *mine = (*mine).max(*other);
    }
}

fn covers(clock: &[u32], event: &Event) -> bool {
    clock[event.access.thread as usize] >= event.position
}

impl Order {
    /// Forgets the execution.
    pub(crate) fn clear(&mut self) {
        self.clocks.clear();
        self.races.clear();
        self.firsts.clear();
    }

    /// The clock of an event.
    pub(crate) fn clock(&self, event: u32) -> &[u32] {
        let start = event as usize * self.stride;
        &self.clocks[start..start + self.stride]
    }

    /// Whether an event happened before another, or is it.
    pub(crate) fn before(&self, event: &Event, other: u32) -> bool {
        covers(self.clock(other), event)
    }

    /// Makes room for so many threads.
    pub(crate) fn widen(&mut self, threads: usize) {
        if threads <= self.stride {
            return;
        }
        let stride = threads.next_power_of_two().max(4);
        let rows = self.clocks.len().checked_div(self.stride).unwrap_or(0);
        let mut clocks = vec![0; rows * stride];
        for row in 0..rows {
            clocks[row * stride..row * stride + self.stride]
                .copy_from_slice(&self.clocks[row * self.stride..(row + 1) * self.stride]);
        }
        self.clocks = clocks;
        self.stride = stride;
    }

    /// Starts a clock from that of a thread's last event.
    fn start(&mut self, last: u32) {
        self.row.clear();
        if last == NONE {
            self.row.resize(self.stride, 0);
        } else {
            let start = last as usize * self.stride;
            self.row.extend_from_slice(&self.clocks[start..start + self.stride]);
        }
    }

    fn follow(&mut self, event: u32) {
        let start = event as usize * self.stride;
        join(&mut self.row, &self.clocks[start..start + self.stride]);
    }

    fn race(&mut self, firsts: &[u32], second: u32, thread: u32) {
        let from = self.firsts.len() as u32;
        self.firsts.extend_from_slice(firsts);
        self.races.push(Race { from, to: self.firsts.len() as u32, second, thread });
    }
}

/// How far back a history must be read for an event of this class.
struct Walk {
    class: Class,
    send: bool,
    receive: bool,
    /// Whether additions matter, and there are some.
    adds: bool,
}

impl Walk {
    fn new(access: &Access, object: &Object) -> Walk {
        Walk { class: access.class, send: false, receive: false, adds: access.looks && object.adds > 0 }
    }

    /// Whether everything before an event of this class that matters happened before it.
    fn ends_at(&mut self, class: Class) -> bool {
        self.send |= class == Class::Send;
        self.receive |= class == Class::Receive;
        match self.class {
            _ if class == Class::Write => true,
            _ if self.adds => false,
            Class::Send => self.send,
            Class::Receive => self.receive,
            Class::Read => self.send && self.receive,
            _ => false,
        }
    }
}

impl Runtime {
    /// Gives the event that is being made its clock, and finds its races if they are wanted.
    pub(crate) fn order_event(&mut self, operation: &Operation, access: &Access, races: bool) {
        let me = access.thread as usize;
        let mut order = std::mem::take(&mut self.order);
        let event = self.events.len() as u32;
        order.start(self.threads[me].last_event);
        order.time = self.threads[me].time;
        if operation.object != NO_OBJECT {
            if races && operation.blocks() {
                self.races_of_waiting(&mut order, operation, access, event);
            }
            let races = races && !operation.blocks();
            self.follow_history(&mut order, operation, access, event, races);
        }
        order.row[me] = self.threads[me].events + 1;
        let Order { clocks, row, .. } = &mut order;
        clocks.extend_from_slice(row);
        self.threads[me].time = order.time;
        self.order = order;
    }

    /// The races of a thread that waits at the end of an execution.
    pub(crate) fn races_of_blocked(&mut self, thread: u32) {
        let operation = self.threads[thread as usize].pending;
        if operation.object == NO_OBJECT || matches!(operation.kind, Kind::Wake | Kind::Pass) {
            return;
        }
        let mut access = self.access(thread, NONE);
        // The event that it would be if it could happen.
        let object = self.object(&operation);
        if object.capacity() != 0 {
            (access.class, access.number) = match operation.kind {
                Kind::Send => (Class::Send, sent(object.state) as u32 + 1),
                Kind::Receive => (Class::Receive, received(object.state) as u32 + 1),
                Kind::Begin => (Class::Write, 0),
                _ => (access.class, access.number),
            };
        }
        let mut order = std::mem::take(&mut self.order);
        order.start(self.threads[thread as usize].last_event);
        self.races_of_waiting(&mut order, &operation, &access, NONE);
        self.order = order;
    }

    fn follow_history(
        &self,
        order: &mut Order,
        operation: &Operation,
        access: &Access,
        event: u32,
        races: bool,
    ) {
        let object = self.object(operation);
        let follow = |order: &mut Order, earlier: u32| {
            let it = &self.events[earlier as usize];
            if !covers(&order.row, it) {
                if races && it.access.thread != access.thread {
                    order.race(&[earlier], event, access.thread);
                }
                order.follow(earlier);
                order.time = order.time.max(it.time);
            }
        };
        if access.class == Class::Local {
            // It follows what enabled it, by name. A wait with a time limit could have run out before.
            let cause = match operation.kind {
                Kind::Wake | Kind::WakeTimeout => self.threads[access.thread as usize].signal,
                Kind::Pass => object.sends[operation.operand as usize],
                _ => return,
            };
            follow(order, cause);
            return;
        }
        let mut place = object.events.len();
        if object.run == Some(access.class) && matches!(access.class, Class::Read | Class::Add | Class::Share)
        {
            place = object.last_write as usize;
        }
        let mut walk = Walk::new(access, object);
        while place > 0 {
            place -= 1;
            let earlier = object.events[place];
            let other = &self.events[earlier as usize].access;
            if related(other, access) {
                follow(order, earlier);
            }
            if walk.ends_at(other.class) {
                break;
            }
        }
        // The send of what is received, and the receive that made room, can be further back.
        if access.class == Class::Receive {
            follow(order, object.sends[access.number as usize - 1]);
        }
        if access.class == Class::Send && access.room != NONE {
            follow(order, object.receives[access.room as usize - 1]);
        }
    }

    fn races_of_waiting(&self, order: &mut Order, operation: &Operation, access: &Access, event: u32) {
        let object = self.object(operation);
        let me = access.thread;
        let recent = &object.events[object.last_write as usize..];
        let shared = |&event: &u32| self.events[event as usize].access.class == Class::Share;
        if operation.kind == Kind::WriteLock && recent.iter().any(shared) {
            self.races_of_writer(order, operation, me, event);
            return;
        }
        let mut reach = std::mem::take(&mut order.reach);
        reach.clear();
        reach.extend_from_slice(&order.row);
        let mut walk = Walk::new(access, object);
        let mut place = object.events.len();
        while place > 0 {
            place -= 1;
            let earlier = object.events[place];
            let other = &self.events[earlier as usize];
            let mut raced = covers(&reach, other);
            if !raced
                && (operation.awaits == NONE || self.changed(object, operation.awaits, place))
                && enabled_in(operation, object, other.before)
            {
                // What counts is the event that it becomes there, which need not be the one that it is here.
                let there = self.access_before(me, operation, earlier);
                if related(&other.access, &there) {
                    order.race(&[earlier], event, me);
                    join(&mut reach, order.clock(earlier));
                    raced = true;
                }
            }
            if raced && walk.ends_at(other.access.class) {
                break;
            }
        }
        order.reach = reach;
    }

    /// A writer and the readers since the last writer: for each reader, the smallest set of readers that must
    /// not have come yet.
    fn races_of_writer(&self, order: &mut Order, operation: &Operation, me: u32, event: u32) {
        let object = self.object(operation);
        let recent = &object.events[object.last_write as usize..];
        // Sessions: who locked, and the unlock if it happened.
        let mut sessions: Vec<(u32, u32)> = Vec::new();
        for &earlier in recent {
            let it = &self.events[earlier as usize];
            match it.operation.kind {
                Kind::ReadLock => sessions.push((earlier, NONE)),
                Kind::TryRead if it.access.class == Class::Share => sessions.push((earlier, NONE)),
                Kind::ReadUnlock => {
                    let holder = it.access.thread;
                    let open = sessions.iter_mut().rev().find(|(lock, unlock)| {
                        *unlock == NONE && self.events[*lock as usize].access.thread == holder
                    });
                    if let Some(session) = open {
                        session.1 = earlier;
                    }
                }
                _ => {}
            }
        }
        let own = |order: &Order, lock: u32| covers(&order.row, &self.events[lock as usize]);
        let mut found: Vec<Vec<u32>> = Vec::new();
        for &(seed, _) in &sessions {
            if own(order, seed) {
                continue;
            }
            let mut later = vec![seed];
            let mut possible = true;
            loop {
                let gone = |order: &Order, what: u32| {
                    later.iter().any(|&one| order.before(&self.events[one as usize], what))
                };
                let obstacle = sessions
                    .iter()
                    .find(|&&(lock, unlock)| !gone(order, lock) && (unlock == NONE || gone(order, unlock)));
                let Some(&(lock, _)) = obstacle else { break };
                if own(order, lock) {
                    possible = false;
                    break;
                }
                later.push(lock);
            }
            later.sort_unstable();
            if possible && !found.contains(&later) {
                found.push(later);
            }
        }
        for firsts in found {
            order.race(&firsts, event, me);
        }
    }
}
