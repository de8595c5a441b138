//! The binary from outside, as people and scripts use it.

mod check;
mod objects;
mod support;
mod trail;
mod wrong_input;
