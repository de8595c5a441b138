//! Real Rust programs under control: every interleaving of their threads that matters is executed.
//!
//! Like VeriSoft (Godefroid 1997), this crate runs the program itself, takes control at every *visible
//! operation* (locks, channels, atomic variables, threads), and explores the interleavings of these operations
//! without storing states. Executions that differ only in the order of independent operations are one *Mazurkiewicz trace*, and
//! by default exactly one execution of each is made (optimal dynamic partial-order reduction: Abdulla, Aronis,
//! Jonsson and Sagonas 2014).
//!
//! # An example
//!
//! Use the types of [`thread`] and [`sync`] instead of those of the standard library, and give [`check`] what
//! to test:
//!
//! ```should_panic
//! use mazurka_live::sync::Mutex;
//! use mazurka_live::{check, thread};
//! use std::sync::Arc;
//!
//! check(|| {
//!     let (a, b) = (Arc::new(Mutex::new(0)), Arc::new(Mutex::new(0)));
//!     let (a2, b2) = (Arc::clone(&a), Arc::clone(&b));
//!     let other = thread::spawn(move || {
//!         let _b = b2.lock().unwrap();
//!         let _a = a2.lock().unwrap();
//!     });
//!     let held = (a.lock().unwrap(), b.lock().unwrap());
//!     drop(held);
//!     other.join().unwrap();
//! });
//! ```
//!
//! # What is found
//!
//! Panics and false assertions, deadlocks, lost wakeups, locks taken by their own holders, data races on
//! [tracked memory](cell), loops that wait for ever, threads that are left waiting, livelocks if asked for, and
//! tests that are not deterministic. A failure comes with a timeline and a token that repeats it.
//!
//! # What is promised, and what is not
//!
//! If the verdict is [`Verdict::Holds`], every execution of the closure was covered, **for this closure, under sequential
//! consistency**. Effects of weak memory are not modelled, nor are input and output, signals, other processes, or
//! threads and locks that are not those of this crate. The closure must do the same under the same schedule; if
//! it doesn't, that is reported. A limit that was met makes the verdict [`Verdict::Unknown`].

pub mod cell;
mod check;
mod choose;
mod execution;
mod failure;
pub mod future;
pub mod harness;
pub mod hint;
mod minimise;
mod persistent;
mod report;
mod runtime;
mod search;
mod simulate;
pub mod sync;
pub mod thread;
pub mod time;
mod watchdog;

pub use check::{Checker, Progress, Report, Search, Snapshot, Verdict, check};
pub use choose::{sometimes, toss};
pub use execution::{Execution, Step};
pub use failure::{Failure, FailureKind};
pub use persistent::{Description, Shared, label};
pub use report::timeline::{Line, Timeline};
pub use search::method::Method;
