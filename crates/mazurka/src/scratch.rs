//! Buffers that a thread keeps from one state to the next, so that expanding allocates nothing.
//!
//! Each thread has one spare set of buffers. Taking it moves it out, so a model that itself runs a
//! checker while it is being expanded simply gets fresh ones.

use std::any::Any;
use std::cell::Cell;

thread_local! {
    static SPARE: Cell<Option<Box<dyn Any>>> = const { Cell::new(None) };
}

/// The buffers of one expansion.
pub(crate) struct Scratch<A> {
    pub(crate) actions: Vec<A>,
    pub(crate) bytes: Vec<u8>,
}

impl<A: 'static> Scratch<A> {
    /// This thread's spare buffers, empty, or fresh ones.
    #[inline]
    pub(crate) fn take() -> Box<Scratch<A>> {
        match SPARE.with(Cell::take).map(Box::<dyn Any>::downcast::<Scratch<A>>) {
            Some(Ok(scratch)) => scratch,
            _ => Box::new(Scratch { actions: Vec::new(), bytes: Vec::new() }),
        }
    }

    /// Empties the buffers and keeps them for the next expansion.
    #[inline]
    pub(crate) fn give_back(mut self: Box<Self>) {
        self.actions.clear();
        SPARE.with(|spare| spare.set(Some(self)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_kept_and_emptied() {
        let mut scratch = Scratch::<u32>::take();
        scratch.actions.reserve(1000);
        scratch.actions.push(1);
        let capacity = scratch.actions.capacity();
        scratch.give_back();
        let scratch = Scratch::<u32>::take();
        assert!(scratch.actions.is_empty());
        assert_eq!(scratch.actions.capacity(), capacity);
        // While they are out, another use of any type gets its own.
        assert_eq!(Scratch::<u32>::take().actions.capacity(), 0);
        scratch.give_back();
        assert_eq!(Scratch::<String>::take().actions.capacity(), 0);
    }
}
