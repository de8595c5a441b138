//! The binary from outside, as people and scripts use it.

mod check;
mod compare;
mod drawings;
mod explain;
mod ltl;
mod objects;
mod petri;
mod promela;
mod simulate;
mod support;
mod tables;
mod temporal;
mod trail;
mod vfsm;
mod wrong_input;
