//! Where visited states are remembered.
//!
//! [`interface`] says what a search asks of a store. [`exact`] is the visited set: a table of buckets, one cache line each, that refer to records in an
//! [`arena`]. A record is the state's bytes with a little side data that the search asked for (a
//! colour, a parent, a sleep set). The bytes are packed ([`pack`]). References stay valid when the table grows.
//!
//! [`forgetful`] is a store that keeps the states on the stack, and of the others only what a set makes of
//! them: bits ([`bitstate`]), a hash ([`compact`]), or as many as there is room for ([`cache`]).
//!
//! [`shared`] is an exact set that several threads fill together.

pub mod arena;
pub mod auto;
pub mod bitstate;
pub mod budget;
pub mod cache;
pub mod codec;
pub mod compact;
mod compare;
pub mod disk;
pub mod exact;
pub mod forgetful;
pub mod interface;
mod lately;
mod loose;
pub mod on_stack;
pub mod pack;
mod pages;
pub mod row;
pub mod saved;
pub mod shared;
pub mod side_data;
pub mod sketch;
pub mod tree;
mod visited;

pub use arena::{Arena, Side, StateRef};
pub use auto::Auto;
pub use codec::{Coded, Collapse, Huffman, Packed, RunLength, Unchanged};
pub use exact::Exact;
use exact::prefetch;
pub use forgetful::Forgetful;
pub use interface::{Insert, Lookup, Ordered, Recollection, Store};
pub use shared::Shared;
pub use tree::Tree;
pub use tree::compact::CompactTree;

/// The hash of a state. Equal states have equal bytes, so the bytes are what is hashed.
#[inline]
pub fn hash(state: &[u8]) -> u64 {
    if let Ok(word) = <[u8; 8]>::try_from(state) {
        return hash_word(u64::from_le_bytes(word));
    }
    rapidhash::v3::rapidhash_v3_nano_inline::<true, false>(state, &rapidhash::v3::DEFAULT_RAPID_SECRETS)
}

/// The hash of a state of eight bytes. Such states are frequent where people pack them, and two
/// multiplications do for them.
#[inline(always)]
pub(crate) fn hash_word(word: u64) -> u64 {
    fold(fold(word ^ 0x2d35_8dcc_aa6c_78a5, 0x8bb8_4b93_962e_acc9), 0x4b33_a62e_d433_d4a3)
}

/// The two halves of the product, one upon the other.
#[inline]
pub(crate) fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Mixes the bits of one word: a hasher for keys that are a word.
#[derive(Default)]
pub struct Mixer(u64);

impl std::hash::Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash(bytes);
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = fold(word ^ 0x2d35_8dcc_aa6c_78a5, 0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
