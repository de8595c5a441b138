//! Static values that are made when they are first used, and made again in every execution.

use super::once;
use crate::runtime::control::{self, Handle};
use crate::runtime::object::Shape;
use std::fmt;
use std::ops::Deref;
use std::panic::Location;
use std::sync::OnceLock;

/// A value that is made when it is first used, with the interface of [`std::sync::LazyLock`].
///
/// It is meant for `static` variables, which it knows by their address: locks, channels and atomic variables in
/// a static variable must be in one of these, so that every execution starts with fresh ones. As with all static
/// variables, values are never dropped; each execution that uses it leaks one.
pub struct LazyLock<T: 'static, F = fn() -> T> {
    init: F,
    kind: std::marker::PhantomData<fn() -> T>,
}

impl<T: 'static, F: Fn() -> T> LazyLock<T, F> {
    /// To be made by `init`.
    pub const fn new(init: F) -> LazyLock<T, F> {
        LazyLock { init, kind: std::marker::PhantomData }
    }

    /// Makes the value if that has not happened, and returns it.
    #[track_caller]
    pub fn force(this: &LazyLock<T, F>) -> &T {
        let address = std::ptr::from_ref(this) as usize;
        let location = Location::caller();
        let (handle, cell): (Handle, &'static OnceLock<T>) = control::with(|control| {
            let number = control.runtime.names.fixed(address);
            if !control.statics.contains_key(&address) {
                let id = control.runtime.make_fixed(number, Shape::Once, location);
                let cell: &'static OnceLock<T> = Box::leak(Box::new(OnceLock::new()));
                let entry = (Handle::of(control, id), cell);
                control.statics.insert(address, Box::new(entry));
            }
            let entry = control.statics.get(&address).and_then(|entry| entry.downcast_ref());
            *entry.expect("one address has one type")
        });
        once::call(handle, || {
            let _ = cell.set((this.init)());
        });
        match cell.get() {
            Some(value) => value,
            None => control::stuck(),
        }
    }
}

impl<T: 'static, F: Fn() -> T> Deref for LazyLock<T, F> {
    type Target = T;
    #[track_caller]
    fn deref(&self) -> &T {
        LazyLock::force(self)
    }
}

impl<T, F> fmt::Debug for LazyLock<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LazyLock").finish_non_exhaustive()
    }
}
