//! Atomic variables, with the interface of `std::sync::atomic`.
//!
//! **The memory model is sequential consistency**, whatever ordering is given: a load returns the last value stored. Orderings count
//! for one thing only: which accesses synchronise threads, when [tracked memory](crate::cell) is checked for data races.
//! Behaviour that only weaker memory shows is not explored.
//!
//! A compare-and-exchange that fails, and a swap that changes nothing, are reads. Additions whose result nobody
//! sees commute: [`AtomicUsize::add`] and its like say so.

use crate::runtime::control::{self, Handle};
use crate::runtime::object::Shape;
use crate::runtime::operation::Kind;
use std::fmt;

pub use std::sync::atomic::Ordering;

/// What an ordering of a load, of a store, or of both, means for synchronisation.
fn bits(ordering: Ordering) -> u8 {
    match ordering {
        Ordering::Relaxed => 0,
        Ordering::Acquire => 1,
        Ordering::Release => 2,
        _ => 3,
    }
}

/// All accesses are sequentially consistent, so a fence changes no value; it counts where [tracked memory](crate::cell) is watched for
/// data races, together with the relaxed accesses before and after it.
pub fn fence(ordering: Ordering) {
    control::try_with(|control| {
        let me = control.current();
        control.cells.fence(me, bits(ordering));
    });
}

/// Nothing to do: all accesses are sequentially consistent.
pub fn compiler_fence(_ordering: Ordering) {}

/// What all atomic variables have: loads, stores, swaps and compare-and-exchange.
macro_rules! atomic {
    ($name:ident, $type:ty, [$($generic:tt)*], $standard:ty, $to:expr) => {
        #[doc = concat!("An atomic variable with the interface of [`std::sync::atomic::", stringify!($name), "`].")]
        pub struct $name$($generic)* {
            handle: Handle,
            value: $standard,
            /// Whether somebody may have set the value without an access.
            lent: std::sync::atomic::AtomicBool,
        }

        impl$($generic)* $name$($generic)* {
            /// A variable with a value.
            #[track_caller]
            pub fn new(value: $type) -> Self {
                let handle = Handle::new(Shape::Atomic, $to(value));
                $name { handle, value: <$standard>::new(value), lent: false.into() }
            }

            pub(crate) fn handle(&self) -> Handle {
                self.handle
            }

            fn get(&self) -> $type {
                self.value.load(Ordering::Relaxed)
            }

            /// Performs an access, on the value as it is.
            #[track_caller]
            fn access(&self, kind: Kind, operand: u64, second: u64, ordering: u8) {
                if self.lent.load(Ordering::Relaxed) {
                    self.lent.store(false, Ordering::Relaxed);
                    self.handle.set($to(self.get()));
                }
                self.handle.access(kind, operand, second, ordering);
            }

            fn put(&self, value: $type) {
                self.value.store(value, Ordering::Relaxed);
            }

            /// The value.
            #[track_caller]
            pub fn load(&self, ordering: Ordering) -> $type {
                self.access(Kind::Load, 0, 0, bits(ordering) & 1);
                self.get()
            }

            /// Sets the value.
            #[track_caller]
            pub fn store(&self, value: $type, ordering: Ordering) {
                self.access(Kind::Store, $to(value), 0, bits(ordering) & 2);
                self.put(value);
            }

            /// Sets the value and returns what it was.
            #[track_caller]
            pub fn swap(&self, value: $type, ordering: Ordering) -> $type {
                self.access(Kind::Swap, $to(value), 0, bits(ordering));
                let before = self.get();
                self.put(value);
                before
            }

            /// Sets the value if it is `current`; returns what it was.
            #[track_caller]
            pub fn compare_exchange(
                &self,
                current: $type,
                new: $type,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$type, $type> {
                let ordering = bits(success) | (bits(failure) & 1) << 2;
                self.access(Kind::CompareExchange, $to(current), $to(new), ordering);
                let before = self.get();
                if $to(before) == $to(current) {
                    self.put(new);
                    Ok(before)
                } else {
                    Err(before)
                }
            }

            /// The same: it never fails without a reason.
            #[track_caller]
            pub fn compare_exchange_weak(
                &self,
                current: $type,
                new: $type,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$type, $type> {
                self.compare_exchange(current, new, success, failure)
            }

            /// Changes the value as `f` says, until nothing comes between; `None` from `f` gives up.
            #[track_caller]
            pub fn fetch_update(
                &self,
                set: Ordering,
                fetch: Ordering,
                mut f: impl FnMut($type) -> Option<$type>,
            ) -> Result<$type, $type> {
                let mut before = self.load(fetch);
                while let Some(next) = f(before) {
                    match self.compare_exchange(before, next, set, fetch) {
                        Ok(value) => return Ok(value),
                        Err(value) => before = value,
                    }
                }
                Err(before)
            }

            /// The value, when nobody else has the variable.
            pub fn get_mut(&mut self) -> &mut $type {
                *self.lent.get_mut() = true;
                self.value.get_mut()
            }

            /// The value.
            pub fn into_inner(self) -> $type {
                self.value.into_inner()
            }

            #[allow(dead_code)]
            #[track_caller]
            fn update(&self, ordering: Ordering, f: impl FnOnce($type) -> $type) -> $type {
                self.access(Kind::Update, 0, 0, bits(ordering));
                let before = self.get();
                let after = f(before);
                self.put(after);
                self.handle.set($to(after));
                before
            }
        }

        impl$($generic)* fmt::Debug for $name$($generic)* {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.get().fmt(f)
            }
        }
    };
}

macro_rules! integer {
    ($name:ident, $type:ty) => {
        atomic!($name, $type, [], std::sync::atomic::$name, |value: $type| value as u64);

        impl $name {
            /// Adds and returns what was there.
            #[track_caller]
            pub fn fetch_add(&self, value: $type, ordering: Ordering) -> $type {
                self.update(ordering, |before| before.wrapping_add(value))
            }

            /// Subtracts and returns what was there.
            #[track_caller]
            pub fn fetch_sub(&self, value: $type, ordering: Ordering) -> $type {
                self.update(ordering, |before| before.wrapping_sub(value))
            }

            /// Bitwise and; returns what was there.
            #[track_caller]
            pub fn fetch_and(&self, value: $type, ordering: Ordering) -> $type {
                self.update(ordering, |before| before & value)
            }

            /// Bitwise nand; returns what was there.
            #[track_caller]
            pub fn fetch_nand(&self, value: $type, ordering: Ordering) -> $type {
                self.update(ordering, |before| !(before & value))
            }

            /// Bitwise or; returns what was there.
            #[track_caller]
            pub fn fetch_or(&self, value: $type, ordering: Ordering) -> $type {
                self.update(ordering, |before| before | value)
            }

            /// Bitwise exclusive or; returns what was there.
            #[track_caller]
            pub fn fetch_xor(&self, value: $type, ordering: Ordering) -> $type {
                self.update(ordering, |before| before ^ value)
            }

            /// The larger one; returns what was there.
            #[track_caller]
            pub fn fetch_max(&self, value: $type, ordering: Ordering) -> $type {
                self.update(ordering, |before| before.max(value))
            }

            /// The smaller one; returns what was there.
            #[track_caller]
            pub fn fetch_min(&self, value: $type, ordering: Ordering) -> $type {
                self.update(ordering, |before| before.min(value))
            }

            /// Adds and returns nothing, so that additions commute: their order is not explored. The standard
            /// library has no such call.
            #[track_caller]
            pub fn add(&self, value: $type, ordering: Ordering) {
                self.access(Kind::Add, value as u64, 0, bits(ordering));
                let after = self.get().wrapping_add(value);
                self.put(after);
                self.handle.set(after as u64);
            }
        }

        impl Default for $name {
            #[track_caller]
            fn default() -> Self {
                $name::new(0)
            }
        }

        impl From<$type> for $name {
            #[track_caller]
            fn from(value: $type) -> Self {
                $name::new(value)
            }
        }
    };
}

integer!(AtomicU8, u8);
integer!(AtomicU16, u16);
integer!(AtomicU32, u32);
integer!(AtomicU64, u64);
integer!(AtomicUsize, usize);
integer!(AtomicI8, i8);
integer!(AtomicI16, i16);
integer!(AtomicI32, i32);
integer!(AtomicI64, i64);
integer!(AtomicIsize, isize);

atomic!(AtomicBool, bool, [], std::sync::atomic::AtomicBool, u64::from);
atomic!(
    AtomicPtr,
    *mut T,
    [<T>],
    std::sync::atomic::AtomicPtr<T>,
    |value: *mut T| value.addr() as u64
);

impl AtomicBool {
    /// Logical and; returns what was there.
    #[track_caller]
    pub fn fetch_and(&self, value: bool, ordering: Ordering) -> bool {
        self.update(ordering, |before| before & value)
    }

    /// Logical nand; returns what was there.
    #[track_caller]
    pub fn fetch_nand(&self, value: bool, ordering: Ordering) -> bool {
        self.update(ordering, |before| !(before & value))
    }

    /// Logical or; returns what was there.
    #[track_caller]
    pub fn fetch_or(&self, value: bool, ordering: Ordering) -> bool {
        self.update(ordering, |before| before | value)
    }

    /// Logical exclusive or; returns what was there.
    #[track_caller]
    pub fn fetch_xor(&self, value: bool, ordering: Ordering) -> bool {
        self.update(ordering, |before| before ^ value)
    }

    /// Logical not; returns what was there.
    #[track_caller]
    pub fn fetch_not(&self, ordering: Ordering) -> bool {
        self.update(ordering, |before| !before)
    }
}

impl Default for AtomicBool {
    #[track_caller]
    fn default() -> Self {
        AtomicBool::new(false)
    }
}

impl<T> Default for AtomicPtr<T> {
    #[track_caller]
    fn default() -> Self {
        AtomicPtr::new(std::ptr::null_mut())
    }
}
