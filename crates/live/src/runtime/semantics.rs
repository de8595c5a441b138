//! What operations do: when they are enabled, which class of event they become, and what they leave.
//!
//! The first two are functions of the operation and the *state* of its object alone, so that they can be asked
//! about any state of the past: of an operation that is to happen before an event, they are asked in the state
//! that the event found.

use super::Runtime;
use super::object::{
    Object, Shape, channel_state, readers, received, receiver_gone, senders_gone, sent, writer,
};
use super::operation::{Access, Class, Kind, NO_OBJECT, NONE, Operation};

/// Whether an operation is enabled when its object has this state.
pub(crate) fn enabled_in(operation: &Operation, object: &Object, state: u64) -> bool {
    match operation.kind {
        Kind::Lock | Kind::WriteLock => state == 0,
        Kind::ReadLock => writer(state) == 0,
        Kind::Acquire => state >= operation.operand,
        Kind::Park | Kind::Join => state == 1,
        Kind::Begin => state != 1,
        Kind::Receive => sent(state) > received(state) || senders_gone(state),
        Kind::Send => {
            let capacity = u64::from(object.capacity());
            receiver_gone(state) || capacity == 0 || sent(state) - received(state) < capacity
        }
        Kind::Taken => received(state) >= operation.operand || receiver_gone(state),
        _ => true,
    }
}

/// Which event an enabled operation becomes when its object has this state. `None`: that is not decided by
/// the state alone.
pub(crate) fn class_in(operation: &Operation, object: &Object, state: u64) -> Option<(Class, u32)> {
    let class = match operation.kind {
        Kind::Spawn | Kind::Toss | Kind::Wake | Kind::Pass => Class::Local,
        Kind::Join | Kind::IsFinished | Kind::IsDone | Kind::Permits | Kind::Load | Kind::IsPoisoned => {
            Class::Read
        }
        Kind::ReadLock | Kind::ReadUnlock => Class::Share,
        Kind::TryRead if writer(state) == 0 => Class::Share,
        Kind::TryRead => Class::Read,
        Kind::TryWrite => write_if(state == 0),
        Kind::WakeTimeout => return None,
        Kind::TryLock => write_if(state == 0),
        Kind::ParkTimeout => write_if(state == 1),
        Kind::Begin => write_if(state == 0),
        Kind::TryAcquire => write_if(state >= operation.operand),
        Kind::NotifyOne | Kind::NotifyAll => write_if(state > 0),
        Kind::CompareExchange => write_if(state == operation.operand),
        Kind::Swap => write_if(state != operation.operand),
        Kind::Add => Class::Add,
        Kind::Send | Kind::TrySend | Kind::Receive | Kind::TryReceive | Kind::DropSender => {
            return Some(channel_class(operation, object, state));
        }
        _ => Class::Write,
    };
    Some((class, 0))
}

fn write_if(changes: bool) -> Class {
    if changes { Class::Write } else { Class::Read }
}

/// Whether additions could matter to an operation that became an event of this class: of a channel, that a sender is gone. Only those who find
/// nothing to receive see that, which a receive that waits does at the end alone.
pub(crate) fn looks(kind: Kind, class: Class) -> bool {
    match kind {
        Kind::Send | Kind::TrySend => false,
        Kind::Receive => class == Class::Read,
        _ => true,
    }
}

/// Sends and receives that succeed are numbered; those that fail look at the channel. At a rendezvous all depend.
fn channel_class(operation: &Operation, object: &Object, state: u64) -> (Class, u32) {
    let capacity = object.capacity();
    if capacity == 0 {
        return (Class::Write, 0);
    }
    let room = sent(state) - received(state) < u64::from(capacity);
    match operation.kind {
        Kind::DropSender => (Class::Add, 0),
        Kind::Send | Kind::TrySend if !receiver_gone(state) && room => (Class::Send, sent(state) as u32 + 1),
        Kind::Receive | Kind::TryReceive if sent(state) > received(state) => {
            (Class::Receive, received(state) as u32 + 1)
        }
        _ => (Class::Read, 0),
    }
}

impl Runtime {
    /// Whether a thread can perform what it announced.
    pub(crate) fn enabled(&self, thread: u32) -> bool {
        let it = &self.threads[thread as usize];
        if !it.alive {
            return false;
        }
        let operation = &it.pending;
        match operation.kind {
            Kind::Wake => it.signal != NONE,
            Kind::Pass => self.object(operation).sends.len() as u64 > operation.operand,
            _ if operation.object == NO_OBJECT => true,
            _ => {
                let object = self.object(operation);
                (operation.awaits == NONE || self.changed(object, operation.awaits, object.events.len()))
                    && enabled_in(operation, object, object.state)
            }
        }
    }

    /// Whether some event of an object between two places of its history changed it.
    pub(crate) fn changed(&self, object: &Object, from: u32, to: usize) -> bool {
        let from = (from as usize).min(to);
        object.events[from..to]
            .iter()
            .any(|&event| !matches!(self.events[event as usize].access.class, Class::Read | Class::Local))
    }

    /// How many outcomes the announced operation of a thread has now.
    pub(crate) fn alternatives(&self, thread: u32) -> u32 {
        let operation = &self.threads[thread as usize].pending;
        match operation.kind {
            Kind::Toss => operation.operand as u32,
            Kind::NotifyOne => (self.object(operation).threads.len() as u32).max(1),
            _ => 1,
        }
    }

    /// The name of one of these outcomes.
    pub(crate) fn alternative(&self, thread: u32, which: u32) -> u32 {
        let operation = &self.threads[thread as usize].pending;
        match operation.kind {
            Kind::Toss => which,
            Kind::NotifyOne => self.object(operation).threads.get(which as usize).copied().unwrap_or(NONE),
            _ => NONE,
        }
    }

    /// Whether an outcome exists now.
    pub(crate) fn possible(&self, thread: u32, choice: u32) -> bool {
        (0..self.alternatives(thread)).any(|which| self.alternative(thread, which) == choice)
    }

    /// What the announced operation of a thread would be as an event now.
    pub(crate) fn access(&self, thread: u32, choice: u32) -> Access {
        let it = &self.threads[thread as usize];
        let operation = &it.pending;
        let (class, number, room) = if operation.object == NO_OBJECT {
            (Class::Local, 0, NONE)
        } else {
            let object = self.object(operation);
            let woken = if it.signal != NONE { Class::Local } else { Class::Write };
            let (class, number) = class_in(operation, object, object.state).unwrap_or((woken, 0));
            (class, number, room_of(class, number, object))
        };
        let looks = looks(operation.kind, class);
        Access { thread, object: operation.object, class, number, room, looks, choice }
    }

    /// The event that an operation becomes if it happens just before `event`, for one that may have to wait.
    pub(crate) fn access_before(&self, thread: u32, operation: &Operation, event: u32) -> Access {
        self.access_among(thread, operation, event, &[])
    }

    /// The event that an operation becomes if it happens before `first`, but after those of `others`: later events that don't depend on `first`.
    pub(crate) fn access_among(
        &self,
        thread: u32,
        operation: &Operation,
        first: u32,
        others: &[u32],
    ) -> Access {
        let object = self.object(operation);
        let mut state = self.events[first as usize].before;
        for &other in others {
            let event = &self.events[other as usize];
            if event.operation.object == operation.object {
                // What is independent of an event on the same object adds something, or takes it away, and all of these commute.
                let place = object.events.partition_point(|&earlier| earlier <= other);
                let next = object.events.get(place).map(|&next| self.events[next as usize].before);
                state = state.wrapping_add(next.unwrap_or(object.state)).wrapping_sub(event.before);
            }
        }
        // A wait with a time limit that was woken races with the notification, and gives up before that.
        let (class, number) = class_in(operation, object, state).unwrap_or((Class::Write, 0));
        let room = room_of(class, number, object);
        let looks = looks(operation.kind, class);
        Access { thread, object: operation.object, class, number, room, looks, choice: NONE }
    }

    /// Performs the effect on the state of the object and returns the outcome. `event` is its number.
    pub(crate) fn effect(&mut self, operation: &Operation, access: &Access, event: u32) -> u64 {
        let me = access.thread;
        let done = access.class != Class::Read;
        match operation.kind {
            Kind::Toss => return u64::from(access.choice),
            Kind::Spawn => return 0,
            Kind::NotifyOne | Kind::NotifyAll => return self.notify(operation, access.choice, event),
            Kind::WakeTimeout if access.class == Class::Write => {
                let object = self.object_mut(operation);
                object.threads.retain(|&thread| thread != me);
                object.state = object.threads.len() as u64;
                return 1;
            }
            Kind::Wake | Kind::WakeTimeout => {
                self.threads[me as usize].signal = NONE;
                return 0;
            }
            _ => {}
        }
        let object = self.object_mut(operation);
        let before = object.state;
        match operation.kind {
            Kind::Exit | Kind::Unpark => object.state = 1,
            Kind::Park => object.state = 0,
            Kind::ParkTimeout | Kind::Unlock => object.state = 0,
            Kind::Lock => object.state = u64::from(me) + 1,
            Kind::TryLock if done => object.state = u64::from(me) + 1,
            Kind::ReadLock => {
                object.state += 1;
                object.threads.push(me);
            }
            Kind::TryRead if done => {
                object.state += 1;
                object.threads.push(me);
            }
            Kind::ReadUnlock => {
                object.state -= 1;
                if let Some(place) = object.threads.iter().position(|&thread| thread == me) {
                    object.threads.swap_remove(place);
                }
            }
            Kind::WriteLock => object.state = (u64::from(me) + 1) << 32,
            Kind::TryWrite if done => object.state = (u64::from(me) + 1) << 32,
            Kind::WriteUnlock => object.state = readers(object.state),
            Kind::Wait => {
                object.threads.push(me);
                object.state = object.threads.len() as u64;
            }
            Kind::Arrive => {
                let generation = object.sends.len() as u64;
                let leads = object.state + 1 >= operation.operand;
                if leads {
                    object.sends.push(event);
                    object.state = 0;
                } else {
                    object.state += 1;
                }
                return generation << 1 | u64::from(leads);
            }
            Kind::Pass => {}
            Kind::Begin if done => object.state = 1,
            Kind::End => object.state = 2,
            Kind::Cancel => object.state = 0,
            Kind::Acquire => object.state -= operation.operand,
            Kind::TryAcquire if done => object.state -= operation.operand,
            Kind::Release => object.state = object.state.saturating_add(operation.operand),
            Kind::Store => object.state = operation.operand,
            Kind::Swap => object.state = operation.operand,
            Kind::CompareExchange if done => object.state = operation.second,
            Kind::Send | Kind::TrySend | Kind::Receive | Kind::TryReceive => {
                return channel_effect(operation.kind, object, event);
            }
            Kind::Request => object.waiting += 1,
            Kind::DropSender => {
                object.senders = object.senders.saturating_sub(1);
                let (sent, received) = (sent(before), received(before));
                object.state = channel_state(sent, received, object.senders == 0, receiver_gone(before));
            }
            Kind::DropReceiver => object.state |= 1,
            Kind::Taken => return u64::from(received(before) >= operation.operand),
            Kind::IsFinished | Kind::IsDone | Kind::Permits | Kind::Load => return before,
            _ => {}
        }
        match operation.kind {
            Kind::Begin => before,
            Kind::CompareExchange | Kind::Swap | Kind::Update => before,
            _ => u64::from(done),
        }
    }

    fn notify(&mut self, operation: &Operation, choice: u32, event: u32) -> u64 {
        let mut woken = std::mem::take(&mut self.woken);
        let object = self.object_mut(operation);
        if operation.kind == Kind::NotifyAll {
            woken.append(&mut object.threads);
        } else if choice != NONE {
            object.threads.retain(|&thread| thread != choice);
            woken.push(choice);
        }
        object.state = object.threads.len() as u64;
        for &thread in &woken {
            self.threads[thread as usize].signal = event;
        }
        let count = woken.len() as u64;
        woken.clear();
        self.woken = woken;
        count
    }
}

/// The receive that a send had to wait for.
fn room_of(class: Class, number: u32, object: &Object) -> u32 {
    let capacity = object.capacity();
    if class == Class::Send && capacity != NONE && number > capacity { number - capacity } else { NONE }
}

/// Outcomes: 0 nothing was possible, 1 done, 2 the other side is gone.
fn channel_effect(kind: Kind, object: &mut Object, event: u32) -> u64 {
    let state = object.state;
    let (count, taken, capacity) = (sent(state), received(state), object.capacity());
    let gone = (senders_gone(state), receiver_gone(state));
    match kind {
        Kind::Send | Kind::TrySend => {
            let room = match object.shape {
                Shape::Channel(0) if kind == Kind::TrySend => u64::from(object.waiting) > count - taken,
                Shape::Channel(0) => true,
                _ => count - taken < u64::from(capacity),
            };
            if gone.1 {
                return 2;
            }
            if !room {
                return 0;
            }
            object.state = channel_state(count + 1, taken, gone.0, gone.1);
            object.sends.push(event);
        }
        _ if count > taken => {
            object.state = channel_state(count, taken + 1, gone.0, gone.1);
            object.receives.push(event);
            if kind == Kind::Receive {
                object.waiting = object.waiting.saturating_sub(1);
            }
        }
        _ if gone.0 => {
            object.waiting = object.waiting.saturating_sub(u32::from(kind == Kind::Receive));
            return 2;
        }
        _ => return 0,
    }
    1
}
