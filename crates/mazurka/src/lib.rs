//! Mazurka for people who write models in Rust: say how a concurrent system moves, and have all of its
//! interleavings explored, or one of each equivalence class.
//!
//! # The vocabulary
//!
//! - A [`Model`] has **states**, of any type of yours that is plain-old-data or can be
//!   [serialised](Serialised), and **actions** that lead from one to the next.
//! - [`check`] explores all states that are reachable and looks for **deadlocks** (states without an
//!   action that are not [valid ends](Model::valid_end)) and false **[assertions](Assertions)**.
//!   [`Checker`] does the same with choices: search order, reduction, limits.
//! - A [`Report`] has a [`Verdict`], [`Statistics`], and a [`Counterexample`] for each error: a run in
//!   your own types, executed again from the start before you see it. It says *holds* only if
//!   everything was explored; a limit that was reached makes it *unknown*.
//! - A model that also tells its **[footprints](Footprints)**, which operations on which shared objects
//!   each action of each **process** performs, is explored under a **partial-order reduction**: of runs
//!   that differ only in the order of independent operations (one *Mazurkiewicz trace*) not all are
//!   executed. Without footprints nothing is reduced.
//!
//! # An example
//!
//! Two processes increment a counter in two steps each, a read and a write. Between the two, the other
//! one may have written as well.
//!
//! ```
//! use mazurka::{Assertions, Model, ProcessId, SearchKind};
//! use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};
//!
//! /// Plain-old-data: derived, checked by the compiler, stored as it is.
//! #[derive(Copy, Clone, Debug, PartialEq, IntoBytes, FromBytes, Immutable, KnownLayout)]
//! #[repr(C)]
//! struct State {
//!     counter: u8,
//!     /// What each process has read.
//!     register: [u8; 2],
//!     /// How many of its steps each process has made.
//!     steps: [u8; 2],
//! }
//!
//! struct Counter;
//!
//! impl Model for Counter {
//!     type State = State;
//!     /// The process that makes its next step.
//!     type Action = usize;
//!
//!     fn initial(&self) -> Vec<State> {
//!         vec![State { counter: 0, register: [0; 2], steps: [0; 2] }]
//!     }
//!
//!     fn actions(&self, state: &State, out: &mut Vec<usize>) {
//!         out.extend((0..2).filter(|&process| state.steps[process] < 2));
//!     }
//!
//!     fn next(&self, state: &State, &process: &usize) -> Option<State> {
//!         let mut next = *state;
//!         next.steps[process] += 1;
//!         match state.steps[process] {
//!             0 => next.register[process] = state.counter,
//!             _ => next.counter = state.register[process] + 1,
//!         }
//!         Some(next)
//!     }
//!
//!     fn valid_end(&self, _state: &State) -> bool {
//!         true
//!     }
//!
//!     fn assertions(&self, out: &mut Assertions<Self>) {
//!         out.state("no increment is lost", |_, state| state.steps != [2, 2] || state.counter == 2);
//!     }
//!
//!     fn process(&self, &process: &usize) -> ProcessId {
//!         ProcessId(process as u16)
//!     }
//! }
//!
//! let report = mazurka::Checker::new(&Counter).search(SearchKind::Bfs).run();
//! let counterexample = report.expect_violated();
//! assert_eq!(counterexample.what, "assertion `no increment is lost` is false");
//! assert_eq!(counterexample.end().counter, 1);
//! assert_eq!(counterexample.actions().copied().collect::<Vec<_>>(), [0, 1, 0, 1]);
//! ```
//!
//! A model can also be written as a [`program`]: processes with guarded commands, as text or built step by
//! step, whose footprints are found by analysis. [`check_system`] checks those.
//!
//! Real code is checked by [`live`]: threads, locks, channels and atomic variables with the interface of the
//! standard library, under all schedules that matter; [`macro@test`] makes a test of a function.
//!
//! More in `examples/`: two-phase commit, the dining philosophers, Peterson's algorithm, each both as
//! a Rust model and as a program, with the number of states that other tools find too.
//!
//! # What is promised, and what is not
//!
//! The model must be a function of its state. Its footprints are taken at their word; [`verify`] compares
//! them with what the actions do, and belongs into the tests of every model that has them. Assertions on whole states turn reductions off, because
//! a reduction may leave out the only state in which one is false; assertions on steps don't, under a
//! condition told there.

mod assertion;
mod check;
mod counterexample;
mod describe;
mod encode;
mod footprints;
mod model;
mod native;
mod relations;
mod report;
mod scratch;
mod verify;

pub use assertion::{Assertion, Assertions};
pub use check::{Checker, check, check_system};
pub use counterexample::Counterexample;
pub use encode::{Encode, EncodeError, Serialised};
pub use footprints::{Footprints, ObjectSet};
pub use mazurka_engine::contract;
pub use mazurka_engine::{
    Config, Dependency, Guarantee, Limits, Method, Monitor, OnFull, Order, Outcome, Progress, Properties,
    Reduction, SearchKind, Silent, Statistics, Stop, StoreKind, Verdict,
};
pub use mazurka_live as live;
pub use mazurka_macros::test;
pub use mazurka_model::object::ObjectType;
pub use mazurka_model::{
    Access, FindingKind, Footprint, ObjectId, Operand, Operation, OperationKind, ProcessId, Step, System,
    object,
};
pub use mazurka_program as program;
pub use mazurka_replay::Run;
pub use model::Model;
pub use native::Native;
pub use report::Report;
pub use verify::verify;
