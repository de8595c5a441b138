//! Where visited states are remembered.
//!
//! [`exact`] is the visited set: a table of buckets, one cache line each, that refer to records in an
//! [`arena`]. A record is the state's bytes with a little side data that the search asked for (a
//! colour, a parent, a sleep set). References stay valid when the table grows.

pub mod arena;
pub mod exact;

pub use arena::{Arena, Side, StateRef};
pub use exact::{Exact, Insert};

/// The hash of a state. Equal states have equal bytes, so the bytes are what is hashed.
pub fn hash(state: &[u8]) -> u64 {
    rapidhash::v3::rapidhash_v3_nano_inline::<true, false>(state, &rapidhash::v3::DEFAULT_RAPID_SECRETS)
}
