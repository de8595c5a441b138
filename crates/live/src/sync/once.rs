//! Initialisation that happens once.

use crate::runtime::control::Handle;
use crate::runtime::object::Shape;
use crate::runtime::operation::Kind;
use std::fmt;

/// A one-time initialisation with the interface of [`std::sync::Once`].
#[derive(Debug)]
pub struct Once {
    handle: Handle,
}

/// Gives an initialisation up if it is not finished.
struct Attempt(Option<Handle>);

impl Drop for Attempt {
    fn drop(&mut self) {
        if let Some(handle) = self.0 {
            handle.release(Kind::Cancel, 0);
        }
    }
}

/// Runs `f` if the initialisation has not happened; waits if another thread is at it.
#[track_caller]
pub(super) fn call(handle: Handle, f: impl FnOnce()) {
    if handle.simple(Kind::Begin) != 0 {
        return;
    }
    let mut attempt = Attempt(Some(handle));
    f();
    attempt.0 = None;
    handle.simple(Kind::End);
}

impl Once {
    pub(crate) fn handle(&self) -> Handle {
        self.handle
    }

    /// An initialisation that has not happened.
    #[track_caller]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Once {
        Once { handle: Handle::new(Shape::Once, 0) }
    }

    /// Initialises, or waits until another thread has done so. If it panics, the next call tries again.
    #[track_caller]
    pub fn call_once(&self, f: impl FnOnce()) {
        call(self.handle, f);
    }

    /// Whether it has happened.
    #[track_caller]
    pub fn is_completed(&self) -> bool {
        self.handle.simple(Kind::IsDone) == 2
    }
}

/// A value that is set once, with the interface of [`std::sync::OnceLock`].
pub struct OnceLock<T> {
    handle: Handle,
    value: std::sync::OnceLock<T>,
}

impl<T> OnceLock<T> {
    pub(crate) fn handle(&self) -> Handle {
        self.handle
    }

    /// Without a value.
    #[track_caller]
    #[allow(clippy::new_without_default)]
    pub fn new() -> OnceLock<T> {
        OnceLock { handle: Handle::new(Shape::Once, 0), value: std::sync::OnceLock::new() }
    }

    /// The value, if it is set.
    #[track_caller]
    pub fn get(&self) -> Option<&T> {
        if self.handle.simple(Kind::IsDone) == 2 { self.value.get() } else { None }
    }

    /// Sets the value, unless it is set.
    #[track_caller]
    pub fn set(&self, value: T) -> Result<(), T> {
        let mut value = Some(value);
        self.get_or_init(|| value.take().expect("it is taken once"));
        match value {
            None => Ok(()),
            Some(value) => Err(value),
        }
    }

    /// The value; it is made if it is not set, and waited for if another thread makes it.
    #[track_caller]
    pub fn get_or_init(&self, f: impl FnOnce() -> T) -> &T {
        call(self.handle, || {
            let value = f();
            let _ = self.value.set(value);
        });
        match self.value.get() {
            Some(value) => value,
            None => crate::runtime::control::stuck(),
        }
    }

    /// The value, when nobody else has it.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.value.get_mut()
    }

    /// The value.
    pub fn into_inner(self) -> Option<T> {
        self.value.into_inner()
    }
}

impl<T> fmt::Debug for OnceLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnceLock").finish_non_exhaustive()
    }
}
