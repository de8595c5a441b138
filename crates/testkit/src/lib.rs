//! The soundness harness: does every reduction find what the full search finds?
//!
//! A reduction that loses a bug is the worst defect that a model checker can have, and reading its
//! code does not rule it out. So programs are generated at random ([`generate`]), explored by an
//! [`oracle`] that knows no reduction, and then by the engine under every combination of search,
//! reduction, dependency, order and properties ([`compare`](mod@compare)). A difference is made small
//! ([`shrink`](mod@shrink)) and printed as source text. A [`campaign`] does so for many programs; the command is `soundness`.
//! The [`corpus`] does the same for the models in `testdata/`, whose headers say what is expected.
//! Petri nets at random are in [`petri`], networks of virtual finite state machines in [`mod@vfsm`].
//! Promela has an oracle of its own, [`spin`]: [`differential`] compares random programs ([`mod@promela`]) with it.
//!
//! Compiled code is compared with the interpreter in [`compiled`], [`through`] and [`together`], what it leaves out with what it would find in [`elsewhere`], optimised programs with what was written in [`optimised`].
//! Temporal properties have theirs in [`temporal`].
//!
//! What is guaranteed: programs are a function of their seed, so that a difference can be had again.
//! What is not: agreement on any number of programs is evidence, not a proof.

pub mod campaign;
pub mod compare;
pub mod compiled;
pub mod corpus;
pub mod differential;
pub mod elsewhere;
pub mod generate;
pub mod optimised;
pub mod oracle;
pub mod petri;
pub mod promela;
pub mod shrink;
pub mod spin;
pub mod temporal;
pub mod through;
pub mod together;
pub mod vfsm;

pub use compare::{Difference, compare, every_config};
pub use oracle::{Facts, Unfit, explore};
