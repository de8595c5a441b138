//! Linear temporal logic.

pub mod automaton;
mod component;
pub mod diagram;
pub mod formula;
pub mod lasso;
pub mod normal;
pub mod parse;
pub mod print;
pub mod random;
pub mod reduce;
pub mod simplify;
pub mod translate;

pub use automaton::Automaton;
pub use formula::{Formula, Formulas};
