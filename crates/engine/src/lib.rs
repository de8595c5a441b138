//! The engine: explores a [`System`](mazurka_model::System) under a [`Config`] and says what it found.
//!
//! The engine sees nothing but `mazurka-model`: it can't tell a program from a net or from running
//! code. A [`reduce`] method chooses enough of a state's steps and names the proviso it needs; a
//! search, which owns the stack and the visited set, grants the proviso or expands the state fully;
//! a [`store`] remembers what was visited; an [`Outcome`] is
//! what comes out, and never says more than the search can stand for.

pub mod check_reduction;
pub mod checkpoint;
pub mod config;
pub mod contract;
pub mod expand;
pub mod monitor;
pub mod outcome;
pub mod reduce;
pub mod search;
pub mod store;
pub mod temporal;

pub use config::{
    Bits, Codec, Config, Dependency, Limits, Method, OnFull, Order, Properties, Reduction, SearchKind,
    StoreKind,
};
pub use monitor::{Expansion, Monitor, Progress, Silent};
pub use outcome::{Guarantee, Outcome, Statistics, Stop, Verdict};
pub use reduce::explain::{Explanation, explain};
pub use search::{Swarm, check, resume, swarm};
