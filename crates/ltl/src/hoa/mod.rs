//! The Hanoi Omega-Automata format, version 1: automata to and from other tools.
//!
//! Babiak, Blahoudek, Duret-Lutz, Klein, Křetínský, Müller, Parker and Strejček, *The Hanoi omega-automata
//! format* (CAV 2015). Written are automata with explicit labels. Read is everything but alternation: labels
//! on states and implicit ones, aliases, several initial states, and any acceptance condition, which
//! becomes generalised Büchi.

mod acceptance;
mod read;
mod token;
mod write;

pub use read::read;
pub use write::write;

#[cfg(test)]
mod tests;
