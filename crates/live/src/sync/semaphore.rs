//! A counting semaphore. The standard library has none; the interface is the usual one.

use crate::runtime::control::Handle;
use crate::runtime::object::Shape;
use crate::runtime::operation::Kind;

/// A number of permits.
#[derive(Debug)]
pub struct Semaphore {
    handle: Handle,
}

/// A permit, returned when it is dropped.
#[derive(Debug)]
pub struct Permit<'a> {
    semaphore: &'a Semaphore,
    count: u32,
}

impl Semaphore {
    pub(crate) fn handle(&self) -> Handle {
        self.handle
    }

    /// With so many permits.
    #[track_caller]
    pub fn new(permits: u32) -> Semaphore {
        Semaphore { handle: Handle::new(Shape::Semaphore, u64::from(permits)) }
    }

    /// Waits for a permit and takes it.
    #[track_caller]
    pub fn acquire(&self) -> Permit<'_> {
        self.acquire_many(1)
    }

    /// Waits for so many permits and takes them together.
    #[track_caller]
    pub fn acquire_many(&self, count: u32) -> Permit<'_> {
        self.handle.perform(Kind::Acquire, u64::from(count), 0);
        Permit { semaphore: self, count }
    }

    /// Takes a permit if there is one.
    #[track_caller]
    pub fn try_acquire(&self) -> Option<Permit<'_>> {
        let taken = self.handle.perform(Kind::TryAcquire, 1, 0) == 1;
        taken.then_some(Permit { semaphore: self, count: 1 })
    }

    /// Adds permits.
    #[track_caller]
    pub fn add_permits(&self, count: u32) {
        self.handle.perform(Kind::Release, u64::from(count), 0);
    }

    /// How many permits there are.
    #[track_caller]
    pub fn available_permits(&self) -> u32 {
        u32::try_from(self.handle.simple(Kind::Permits)).unwrap_or(u32::MAX)
    }
}

impl Permit<'_> {
    /// Keeps it for ever.
    pub fn forget(self) {
        std::mem::forget(self);
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.semaphore.handle.release(Kind::Release, u64::from(self.count));
    }
}
