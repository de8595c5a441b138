//! Hints of a thread that waits in a loop.

use crate::runtime::control;

/// Says that this thread waits in a loop. If all it read since it last changed anything is one object, and its loop
/// does not count, then it goes on when that object has changed: so loops that wait are finite, and a loop that
/// waits for ever is a failure.
#[track_caller]
pub fn spin_loop() {
    control::spin();
}
