//! Making automata smaller without changing what they accept.

pub(crate) mod degeneralise;
pub(crate) mod merge;
pub(crate) mod obligation;
pub(crate) mod product;
pub(crate) mod prune;
pub(crate) mod simulation;

pub use product::{intersect, is_empty};
