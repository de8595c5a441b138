//! SPIN's never claims: Büchi automata as Promela.
//!
//! Holzmann, *The SPIN model checker* (2003), chapters 4 and 6. A state is a label; it accepts if its name begins
//! with `accept`. A claim that comes to its end has matched whatever follows.

mod flow;
mod read;
mod write;

pub use read::{read, read_with};
pub use write::write;

#[cfg(test)]
mod tests;
