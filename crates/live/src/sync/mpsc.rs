//! Channels: without bound, bounded, and rendezvous, with the interface of `std::sync::mpsc`.

use crate::runtime::control::{self, Handle};
use crate::runtime::object::Shape;
use crate::runtime::operation::Kind;
use std::collections::VecDeque;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

pub use std::sync::mpsc::{RecvError, RecvTimeoutError, SendError, TryRecvError, TrySendError};

struct Shared<T> {
    handle: Handle,
    rendezvous: bool,
    queue: Mutex<VecDeque<T>>,
}

impl<T> Shared<T> {
    #[track_caller]
    fn new(capacity: u32) -> Arc<Shared<T>> {
        Arc::new(Shared {
            handle: Handle::new(Shape::Channel(capacity), 0),
            rendezvous: capacity == 0,
            queue: Mutex::new(VecDeque::new()),
        })
    }

    fn put(&self, message: T) {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).push_back(message);
    }

    fn take(&self) -> T {
        let message = self.queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        message.unwrap_or_else(|| control::stuck())
    }

    #[track_caller]
    fn send(&self, message: T) -> Result<(), SendError<T>> {
        if self.handle.simple(Kind::Send) != 1 {
            return Err(SendError(message));
        }
        self.put(message);
        if self.rendezvous {
            let number = control::with(|control| {
                crate::runtime::object::sent(control.runtime.objects[self.handle.id().index()].state)
            });
            self.taken(number)?;
        }
        Ok(())
    }

    /// Waits until a receiver has taken the message with this number.
    #[track_caller]
    fn taken(&self, number: u64) -> Result<(), SendError<T>> {
        if self.handle.perform(Kind::Taken, number, 0) == 1 {
            return Ok(());
        }
        // The receiver is gone, and what it did not take comes back.
        match self.queue.lock().unwrap_or_else(PoisonError::into_inner).pop_back() {
            Some(message) => Err(SendError(message)),
            None => Ok(()),
        }
    }

    #[track_caller]
    fn try_send(&self, message: T) -> Result<(), TrySendError<T>> {
        match self.handle.simple(Kind::TrySend) {
            1 => {
                self.put(message);
                Ok(())
            }
            2 => Err(TrySendError::Disconnected(message)),
            _ => Err(TrySendError::Full(message)),
        }
    }
}

/// Makes a channel without bound.
#[track_caller]
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let shared = Shared::new(u32::MAX);
    (Sender { shared: Arc::clone(&shared) }, Receiver { shared, here: PhantomData })
}

/// Makes a channel with room for so many messages; with none, senders wait until they are received.
#[track_caller]
pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>) {
    let shared = Shared::new(u32::try_from(bound).unwrap_or(u32::MAX - 1).min(u32::MAX - 1));
    (SyncSender { shared: Arc::clone(&shared) }, Receiver { shared, here: PhantomData })
}

/// The sending side of a channel without bound.
pub struct Sender<T> {
    shared: Arc<Shared<T>>,
}

/// The sending side of a bounded channel.
pub struct SyncSender<T> {
    shared: Arc<Shared<T>>,
}

/// The receiving side of a channel.
pub struct Receiver<T> {
    shared: Arc<Shared<T>>,
    here: PhantomData<std::cell::Cell<()>>,
}

impl<T> Sender<T> {
    pub(crate) fn handle(&self) -> Handle {
        self.shared.handle
    }

    /// Sends; the message comes back if nobody receives any more.
    #[track_caller]
    pub fn send(&self, message: T) -> Result<(), SendError<T>> {
        self.shared.send(message)
    }
}

impl<T> SyncSender<T> {
    pub(crate) fn handle(&self) -> Handle {
        self.shared.handle
    }

    /// Waits for room and sends; the message comes back if nobody receives any more.
    #[track_caller]
    pub fn send(&self, message: T) -> Result<(), SendError<T>> {
        self.shared.send(message)
    }

    /// Sends if there is room; at a rendezvous, if a receiver waits.
    #[track_caller]
    pub fn try_send(&self, message: T) -> Result<(), TrySendError<T>> {
        self.shared.try_send(message)
    }
}

impl<T> Receiver<T> {
    pub(crate) fn handle(&self) -> Handle {
        self.shared.handle
    }

    /// Waits for a message; an error if there is none and all senders are gone.
    #[track_caller]
    pub fn recv(&self) -> Result<T, RecvError> {
        if self.shared.rendezvous {
            self.shared.handle.simple(Kind::Request);
        }
        match self.shared.handle.simple(Kind::Receive) {
            1 => Ok(self.shared.take()),
            _ => Err(RecvError),
        }
    }

    /// Takes a message if there is one.
    #[track_caller]
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        match self.shared.handle.simple(Kind::TryReceive) {
            1 => Ok(self.shared.take()),
            2 => Err(TryRecvError::Disconnected),
            _ => Err(TryRecvError::Empty),
        }
    }

    /// Takes a message if there is one when the time is up: the schedule decides whether it comes before.
    #[track_caller]
    pub fn recv_timeout(&self, limit: Duration) -> Result<T, RecvTimeoutError> {
        match self.try_recv() {
            Ok(message) => Ok(message),
            Err(TryRecvError::Disconnected) => Err(RecvTimeoutError::Disconnected),
            Err(TryRecvError::Empty) => {
                crate::time::pass(limit);
                control::spin();
                Err(RecvTimeoutError::Timeout)
            }
        }
    }

    /// The messages, until all senders are gone.
    pub fn iter(&self) -> Iter<'_, T> {
        Iter { receiver: self }
    }

    /// The messages that are there.
    pub fn try_iter(&self) -> TryIter<'_, T> {
        TryIter { receiver: self }
    }
}

/// The messages of a channel.
#[derive(Debug)]
pub struct Iter<'a, T> {
    receiver: &'a Receiver<T>,
}

impl<T> Iterator for Iter<'_, T> {
    type Item = T;
    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.receiver.recv().ok()
    }
}

/// The messages that are there.
#[derive(Debug)]
pub struct TryIter<'a, T> {
    receiver: &'a Receiver<T>,
}

impl<T> Iterator for TryIter<'_, T> {
    type Item = T;
    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.receiver.try_recv().ok()
    }
}

/// The messages of a channel, which is dropped at the end.
#[derive(Debug)]
pub struct IntoIter<T> {
    receiver: Receiver<T>,
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;
    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.receiver.recv().ok()
    }
}

impl<T> IntoIterator for Receiver<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;
    fn into_iter(self) -> IntoIter<T> {
        IntoIter { receiver: self }
    }
}

impl<'a, T> IntoIterator for &'a Receiver<T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;
    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

fn another(handle: Handle) {
    // More senders are independent of everything: only the last one to go matters.
    control::try_with(|control| control.runtime.objects[handle.id().index()].senders += 1);
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Sender<T> {
        another(self.shared.handle);
        Sender { shared: Arc::clone(&self.shared) }
    }
}

impl<T> Clone for SyncSender<T> {
    fn clone(&self) -> SyncSender<T> {
        another(self.shared.handle);
        SyncSender { shared: Arc::clone(&self.shared) }
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        self.shared.handle.release(Kind::DropSender, 0);
    }
}

impl<T> Drop for SyncSender<T> {
    fn drop(&mut self) {
        self.shared.handle.release(Kind::DropSender, 0);
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        self.shared.handle.release(Kind::DropReceiver, 0);
    }
}

impl<T> fmt::Debug for Sender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for SyncSender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SyncSender").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Receiver").finish_non_exhaustive()
    }
}
