//! Nondeterminism that a test asks for, and conditions that some execution shall meet.

use crate::runtime::control::{self, visible};
use crate::runtime::operation::{Kind, NO_OBJECT, Operation};
use std::panic::Location;

/// A number below `n`: every one of them is explored, like `VS_toss` of VeriSoft.
///
/// ```
/// let mut seen = std::sync::Mutex::new(Vec::new());
/// mazurka_live::check(|| seen.lock().unwrap().push(mazurka_live::toss(3)));
/// assert_eq!(*seen.get_mut().unwrap(), [0, 1, 2]);
/// ```
///
/// # Panics
///
/// If `n` is 0 or above 4,000,000,000.
#[track_caller]
pub fn toss(n: usize) -> usize {
    assert!((1..=4_000_000_000).contains(&n), "toss needs a number of outcomes between 1 and 4,000,000,000");
    if n == 1 {
        return 0;
    }
    visible(Operation::with(Kind::Toss, NO_OBJECT, n as u64)) as usize
}

#[doc(hidden)]
#[track_caller]
pub fn sometimes(condition: bool, text: &str) {
    let location = Location::caller();
    control::with(|control| {
        let entry = control.sometimes.entry(location).or_insert_with(|| (text.to_owned(), false));
        entry.1 |= condition;
    });
}

/// Asserts that the condition is true in some execution that gets here: if all are explored and it never was,
/// the check fails. It says that a test reaches what it is meant to test.
///
/// ```
/// use mazurka_live::{assert_sometimes, toss};
/// mazurka_live::check(|| assert_sometimes!(toss(2) == 1));
/// ```
#[macro_export]
macro_rules! assert_sometimes {
    ($condition:expr $(,)?) => {
        $crate::sometimes($condition, stringify!($condition))
    };
    ($condition:expr, $($text:tt)+) => {
        $crate::sometimes($condition, &::std::format!($($text)+))
    };
}
