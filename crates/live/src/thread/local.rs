//! Variables of which each thread has its own, fresh in every execution.

use crate::runtime::control;
use std::rc::Rc;

/// A variable of which each thread under control has its own; made by [`thread_local!`](crate::thread_local).
pub struct LocalKey<T: 'static> {
    #[doc(hidden)]
    pub init: fn() -> T,
}

impl<T: 'static> std::fmt::Debug for LocalKey<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LocalKey").finish_non_exhaustive()
    }
}

impl<T: 'static> LocalKey<T> {
    /// Access to this thread's value, which is made the first time.
    pub fn with<R>(&'static self, f: impl FnOnce(&T) -> R) -> R {
        let address = std::ptr::from_ref(self) as usize;
        let known = control::with(|control| {
            let key = (control.current(), address);
            control.locals.get(&key).and_then(|value| value.downcast_ref::<Rc<T>>()).map(Rc::clone)
        });
        let value = known.unwrap_or_else(|| {
            let value = Rc::new((self.init)());
            let mine = Rc::clone(&value);
            control::with(|control| {
                let key = (control.current(), address);
                control.locals.insert(key, Box::new(mine));
            });
            value
        });
        f(&value)
    }
}

/// Drops the values of the thread that runs.
pub(crate) fn drop_all() {
    loop {
        let value = control::with(|control| {
            let me = control.current();
            let key = control.locals.keys().filter(|(thread, _)| *thread == me).min().copied()?;
            control.locals.remove(&key)
        });
        match value {
            Some(value) => drop(value),
            None => break,
        }
    }
}

/// Declares variables of which each thread under control has its own.
///
/// ```
/// use mazurka_live::{check, thread};
/// use std::cell::Cell;
///
/// mazurka_live::thread_local! {
///     static COUNT: Cell<u32> = Cell::new(1);
/// }
///
/// check(|| {
///     let other = thread::spawn(|| COUNT.with(|count| count.replace(5)));
///     assert_eq!(other.join().unwrap(), 1);
///     COUNT.with(|count| assert_eq!(count.get(), 1));
/// });
/// ```
#[macro_export]
macro_rules! thread_local {
    () => {};
    ($(#[$attribute:meta])* $visibility:vis static $name:ident : $type:ty = const { $value:expr } $(; $($rest:tt)*)?) => {
        $crate::thread_local!($(#[$attribute])* $visibility static $name: $type = $value);
        $($crate::thread_local!($($rest)*);)?
    };
    ($(#[$attribute:meta])* $visibility:vis static $name:ident : $type:ty = $value:expr $(; $($rest:tt)*)?) => {
        $(#[$attribute])* $visibility static $name: $crate::thread::LocalKey<$type> = $crate::thread::LocalKey {
            init: || $value,
        };
        $($crate::thread_local!($($rest)*);)?
    };
}
