//! The front ends: each turns one kind of source text into a syntax tree that was checked, with
//! diagnostics that name the place and say what to do.
//!
//! A front end never sees the engine. It takes text and a way to find included files, and touches
//! neither the file system nor the environment itself.

pub mod petri;
pub mod promela;
pub mod vfsm;
