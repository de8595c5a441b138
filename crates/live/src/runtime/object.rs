//! The shared objects of an execution: their state as far as operations wait for it, and their history.

use super::operation::{Class, NONE};
use super::spin::Past;
use std::panic::Location;

/// The type of an object.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    Thread,
    Token,
    Mutex,
    RwLock,
    Condvar,
    Barrier,
    Once,
    Semaphore,
    /// With this capacity; `u32::MAX` is without bound, 0 a rendezvous.
    Channel(u32),
    Atomic,
}

impl Shape {
    /// Its name for people.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Shape::Thread => "thread",
            Shape::Token => "token",
            Shape::Mutex => "Mutex",
            Shape::RwLock => "RwLock",
            Shape::Condvar => "Condvar",
            Shape::Barrier => "Barrier",
            Shape::Once => "Once",
            Shape::Semaphore => "Semaphore",
            Shape::Channel(0) => "rendezvous",
            Shape::Channel(_) => "channel",
            Shape::Atomic => "Atomic",
        }
    }
}

/// A shared object.
#[derive(Debug)]
pub(crate) struct Object {
    pub(crate) shape: Shape,
    /// Mutex: the holder + 1. Reader-writer lock: the writer + 1, shifted, and the readers. Barrier: arrived.
    /// Once: 0 new, 1 running, 2 done. Semaphore: permits. Channel: see [`channel_state`]. Atomic: the value.
    /// Condition variable: how many wait. Token: 1 if it is there. Thread: 1 after its exit.
    pub(crate) state: u64,
    /// The senders of a channel.
    pub(crate) senders: u32,
    /// Receivers that wait at a rendezvous.
    pub(crate) waiting: u32,
    /// The events of this object, in order.
    pub(crate) events: Vec<u32>,
    /// The place of the last event of class `Write` in `events`, + 1.
    pub(crate) last_write: u32,
    /// The class that all events after it have, if they have one.
    pub(crate) run: Option<Class>,
    /// How many events have class `Add`.
    pub(crate) adds: u32,
    /// Condition variable: the threads that wait and are not notified yet. Lock: the threads that hold it.
    pub(crate) threads: Vec<u32>,
    /// Channel: the event of each send. Barrier: the event that completed each generation.
    pub(crate) sends: Vec<u32>,
    /// Channel: the event of each receive.
    pub(crate) receives: Vec<u32>,
    /// What those who acquire it know, for the detection of data races.
    pub(crate) released: Vec<u32>,
    /// What has happened before its last change.
    pub(crate) past: Past,
    /// The name by which descriptions know it.
    pub(crate) label: Option<&'static str>,
    pub(crate) made: &'static Location<'static>,
}

impl Object {
    #[track_caller]
    pub(crate) fn new() -> Object {
        Object {
            shape: Shape::Atomic,
            state: 0,
            senders: 0,
            waiting: 0,
            events: Vec::new(),
            last_write: 0,
            run: None,
            adds: 0,
            threads: Vec::new(),
            sends: Vec::new(),
            receives: Vec::new(),
            released: Vec::new(),
            past: Past::default(),
            label: None,
            made: Location::caller(),
        }
    }

    /// Makes it a fresh object; its buffers stay.
    pub(crate) fn reset(&mut self, shape: Shape, state: u64, made: &'static Location<'static>) {
        self.shape = shape;
        self.state = state;
        self.senders = 1;
        self.waiting = 0;
        self.events.clear();
        self.last_write = 0;
        self.run = None;
        self.adds = 0;
        self.threads.clear();
        self.sends.clear();
        self.receives.clear();
        self.released.clear();
        self.label = None;
        self.made = made;
    }

    /// Enters an event into the history.
    pub(crate) fn record(&mut self, event: u32, class: Class) {
        self.events.push(event);
        match class {
            Class::Write => {
                self.last_write = self.events.len() as u32;
                self.run = None;
            }
            _ if self.events.len() as u32 == self.last_write + 1 => self.run = Some(class),
            _ if self.run != Some(class) => self.run = None,
            _ => {}
        }
        self.adds += u32::from(class == Class::Add);
    }

    /// The number that the next send and the next receive have.
    pub(crate) fn capacity(&self) -> u32 {
        match self.shape {
            Shape::Channel(capacity) => capacity,
            _ => NONE,
        }
    }
}

/// The state of a channel as one word: sends, receives, and whether the senders or the receiver are gone.
pub(crate) fn channel_state(sent: u64, received: u64, senders_gone: bool, receiver_gone: bool) -> u64 {
    sent << 33 | received << 2 | u64::from(senders_gone) << 1 | u64::from(receiver_gone)
}

/// How many messages were sent.
pub(crate) fn sent(state: u64) -> u64 {
    state >> 33
}

/// How many messages were received.
pub(crate) fn received(state: u64) -> u64 {
    state >> 2 & 0x7fff_ffff
}

/// Whether the senders are gone.
pub(crate) fn senders_gone(state: u64) -> bool {
    state & 2 != 0
}

/// Whether the receiver is gone.
pub(crate) fn receiver_gone(state: u64) -> bool {
    state & 1 != 0
}

/// How many readers hold a reader-writer lock.
pub(crate) fn readers(state: u64) -> u64 {
    state & 0xffff_ffff
}

/// Who writes, + 1.
pub(crate) fn writer(state: u64) -> u64 {
    state >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channel_states_unpack() {
        let state = channel_state(1000, 998, true, false);
        assert_eq!((sent(state), received(state)), (1000, 998));
        assert!(senders_gone(state) && !receiver_gone(state));
    }
}
