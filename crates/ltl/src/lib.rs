//! Linear temporal logic: formulas, their Büchi automata, and automata to and from other tools.
//!
//! - [`formula`], [`parse`], [`print`](mod@print): formulas, in the spellings of SPIN and Spot. Atoms are text that the
//!   caller may read ([`parse::AtomReader`]).
//! - [`normal`], [`simplify`]: rewriting. [`pattern`]: specification patterns by name. [`separate`](mod@separate): the
//!   components that Peled's dependencies are added for.
//! - [`translate`]: the smallest automata of a formula that are found. [`reduce`]: what else can be done with automata.
//! - [`hoa`], [`never`], [`dot`]: automata in and out. [`stutter`]: whether a property allows a reduction.
//! - [`lasso`], [`random`]: the semantics word by word, and random formulas, to test all this with.
//!
//! ```
//! use mazurka_ltl::{Formulas, hoa, parse, translate};
//!
//! let mut formulas = Formulas::new();
//! let formula = parse::parse(&mut formulas, "[](request -> <>granted)")?;
//! let negation = formulas.not(formula);
//! let automaton = translate::translate(&mut formulas, negation)?.buchi;
//! assert_eq!(automaton.size(), 2);
//! assert!(hoa::write(&automaton, None).starts_with("HOA: v1"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate sees nothing else of ours and has no dependencies.

pub mod automaton;
mod component;
pub mod diagram;
pub mod dot;
pub mod formula;
mod guard;
mod hash;
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
pub mod stutter;
pub mod translate;

pub use automaton::Automaton;
pub use formula::{Formula, Formulas};
pub use parse::ParseError;
