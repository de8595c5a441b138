//! Re-executes a counterexample on its system, and confirms or refutes what it claims.
//!
//! A [`Finding`](mazurka_model::Finding) is only believed once [`confirm`] has walked its trace from
//! the initial state to the error. This crate sees nothing but `mazurka-model`: it knows neither the
//! search nor the reduction that produced the trace, so a mistake in those can't hide here.
//!
//! What is guaranteed: a [`Run`] is a run of the system, and ends in the error that was claimed. What
//! is not: that it is the shortest such run, or that the system is the model its author had in mind.

mod confirm;
mod refusal;
mod run;
mod simulation;
mod unroll;

pub use confirm::confirm;
pub use refusal::{Reason, Refusal};
pub use run::{Executed, Run};
pub use simulation::{Choice, End, Simulation};
pub use unroll::unroll;
