//! Virtual time.
//!
//! A thread's time passes only when it sleeps or a limit runs out, and what one thread communicates to another
//! carries its time along: whoever learns of an event is not earlier than it. So time never decides a schedule, and
//! is the same in all executions of one trace.

use crate::runtime::control;
use std::ops::{Add, AddAssign, Sub, SubAssign};
pub use std::time::Duration;

/// A moment of virtual time.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(u64);

/// Time passes for the thread that runs.
pub(crate) fn pass(duration: Duration) {
    control::with(|control| {
        let me = control.current() as usize;
        let time = &mut control.runtime.threads[me].time;
        *time = time.saturating_add(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX));
    });
}

impl Instant {
    /// The time of the thread that runs.
    pub fn now() -> Instant {
        Instant(control::with(|control| control.runtime.threads[control.current() as usize].time))
    }

    /// How long ago it was.
    pub fn elapsed(&self) -> Duration {
        Instant::now() - *self
    }

    /// The time since an earlier moment; zero if it is later.
    pub fn duration_since(&self, earlier: Instant) -> Duration {
        *self - earlier
    }

    /// The same, for those who want to be sure.
    pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
        *self - earlier
    }

    /// A later moment, if there is one.
    pub fn checked_add(&self, duration: Duration) -> Option<Instant> {
        self.0.checked_add(u64::try_from(duration.as_nanos()).ok()?).map(Instant)
    }
}

impl Add<Duration> for Instant {
    type Output = Instant;
    fn add(self, duration: Duration) -> Instant {
        Instant(self.0.saturating_add(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)))
    }
}

impl AddAssign<Duration> for Instant {
    fn add_assign(&mut self, duration: Duration) {
        *self = *self + duration;
    }
}

impl Sub<Duration> for Instant {
    type Output = Instant;
    fn sub(self, duration: Duration) -> Instant {
        Instant(self.0.saturating_sub(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)))
    }
}

impl SubAssign<Duration> for Instant {
    fn sub_assign(&mut self, duration: Duration) {
        *self = *self - duration;
    }
}

impl Sub<Instant> for Instant {
    type Output = Duration;
    fn sub(self, earlier: Instant) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }
}
