//! Linear temporal logic.

pub mod automaton;
mod component;
pub mod diagram;
pub mod dot;
pub mod formula;
mod guard;
pub mod hoa;
pub mod lasso;
pub mod never;
pub mod normal;
pub mod parse;
pub mod pattern;
pub mod print;
pub mod random;
pub mod reduce;
pub mod separate;
pub mod simplify;
pub mod translate;

pub use automaton::Automaton;
pub use formula::{Formula, Formulas};
