//! Checkpoints: a search written to a file from time to time, so that it can go on after a crash.
//!
//! A checkpoint holds everything that decides how the search goes on: the store, the stack or the place in the queue,
//! what waits, sleep sets, counts and findings. A search that goes on from one ends with the same states, verdict
//! and counterexamples as one that was never interrupted. (A cache may forget other states, because what it may
//! keep depends on memory in use; its verdict is the same.)
//!
//! The file is written under another name, forced to the disk, and renamed, so that under its own name there
//! is always a whole one ([`mod@file`]). It begins with a version, the model's fingerprint and the options, and ends with
//! its length and a checksum, all of which are checked before anything is read from it: a file that
//! is damaged or belongs to something else is refused, with a reason.

pub mod bytes;
pub mod file;

pub use bytes::{Reader, Writer};

use crate::config::Config;
use std::path::PathBuf;
use std::time::Duration;

/// Where and how often a search is saved. It is also saved when a limit or an interruption ends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoints {
    /// The file.
    pub file: PathBuf,
    /// The time between two checkpoints.
    pub every: Duration,
}

/// Why a search can't go on from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It can't be read.
    Unreadable(String),
    /// It is no checkpoint.
    Foreign,
    /// It was cut or changed.
    Damaged(&'static str),
    /// It has another version of the format.
    Version(u32),
    /// It belongs to another model, or to another version of this one.
    Model,
    /// It was made with these other options.
    Options {
        /// Those of the checkpoint.
        saved: String,
        /// Those of this run.
        asked: String,
    },
    /// The options of this run contradict each other.
    Contradiction(&'static str),
    /// There can't be a file for states.
    Disk(String),
    /// What was saved doesn't fit into the memory that may be used now.
    Memory,
    /// It has bits of states, which a processor of another kind computes in another way.
    Processor,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::Unreadable(error) => write!(f, "it can't be read: {error}"),
            Refusal::Foreign => f.write_str("it is not a checkpoint"),
            Refusal::Damaged(how) => write!(f, "it is damaged: {how}"),
            Refusal::Version(version) => {
                write!(f, "it has version {version} of the format, and this program reads {}", file::VERSION)
            }
            Refusal::Model => f.write_str(
                "it belongs to another model, or the model was changed since, or is read in another way (as with another \
                 --optimise or --invariant)",
            ),
            Refusal::Options { saved, asked } => {
                write!(f, "it was made with other options: {saved}; asked for now: {asked}")
            }
            Refusal::Contradiction(why) => f.write_str(why),
            Refusal::Disk(error) => write!(f, "there can't be a file for states in {error}"),
            Refusal::Memory => f.write_str("what it holds doesn't fit into the memory limit"),
            Refusal::Processor => f.write_str(
                "it holds bits of states that a processor of another kind has computed, in another way than this one does",
            ),
        }
    }
}

impl std::error::Error for Refusal {}

/// The options that must be the same when a search goes on. Limits may change.
pub fn options(config: &Config) -> String {
    let Config { reduction, dependency, search, order, store, codec, bits, on_full, properties, .. } = config;
    let max_errors = config.max_errors;
    let checked = [
        (properties.deadlock, " deadlock"),
        (properties.assertions, " assert"),
        (properties.unreached, " unreached"),
        (properties.reception, " reception"),
    ];
    let checked: String = checked.iter().filter(|(asked, _)| *asked).map(|(_, name)| *name).collect();
    format!(
        "reduction {reduction}, dependency {dependency}, search {search}, order {order}, store {store}, codec {codec}, {} \
         bits with seed {}, when full {on_full}, {max_errors} errors, checked{checked}",
        bits.hashes, bits.seed
    )
}
