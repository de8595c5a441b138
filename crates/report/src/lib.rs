//! What people and scripts read: terminal text, JSON, diagnostics with excerpts, and trail files.
//!
//! Everything here turns finished results into bytes; nothing decides anything. Text is written to
//! any `io::Write`, so that a closed pipe is an error of the caller's to handle and not a panic.
//! Whether there are [colours](Colour) is the caller's choice too; output without them is stable
//! enough to compare.

pub mod chart;
pub mod check;
pub mod colour;
pub mod compare;
pub mod diagnostic;
pub mod explain;
pub mod graph;
pub mod json;
pub mod number;
pub mod run;
pub mod steps;
mod svg;
pub mod temporal;
pub mod trail;

pub use check::{Checked, Reading, Shown};
pub use colour::Colour;
pub use compare::Comparison;
pub use temporal::TemporalResult;
pub use trail::{ModelOptions, Trail, TrailError};
