//! Programs: the intermediate representation that front ends lower to, its text, its interpreter
//! and its footprint analysis.
//!
//! - [`ir`]: what a program is, and how to build one by hand;
//! - [`text`]: the notation `.mzk`, read and printed;
//! - [`interpreter`]: a program as a [`System`](mazurka_model::System);
//! - [`analysis`]: which operations on which objects its transitions perform.
//!
//! This crate sees `mazurka-model` only.

pub mod analysis;
pub mod interpreter;
pub mod ir;
mod optimise;
pub mod text;

pub use interpreter::Interpreter;
pub use ir::{Program, ProgramBuilder};
pub use optimise::Optimisations;
