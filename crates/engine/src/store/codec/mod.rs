//! Codecs: how a state becomes the bytes that are stored (Algorithm 4, 1992, section 6).
//!
//! A codec loses nothing, and a state always becomes the same bytes for the duration of a run, so states
//! are compared in their compressed form and hardly ever decoded. [`coded`] is the exact set over such
//! bytes, in memory or in a file. A [cache](super::cache) takes the codecs that are [`Fixed`].

pub mod coded;
pub mod collapse;
pub mod gather;
pub mod huffman;
pub mod huffman_table;
pub mod packed;
pub mod plain;
pub mod run_length;

pub use coded::Coded;
pub use collapse::Collapse;
pub use huffman::Huffman;
pub use packed::Packed;
pub use plain::Unchanged;
pub use run_length::RunLength;

/// Turns states into other bytes and back.
pub trait Codec {
    /// Whether codes have many bytes that are zero, which are left out then.
    const SPARSE: bool = false;

    /// Appends the code of a state to `out`. False: there is no room for what the codec would have to
    /// learn.
    fn encode(&mut self, state: &[u8], room: u64, out: &mut Vec<u8>) -> bool;

    /// Appends the code of a state to `out`, without learning anything. False: the state has none yet, so it
    /// was never stored.
    fn find(&self, state: &[u8], out: &mut Vec<u8>) -> bool;

    /// Appends the state with this code to `out`.
    fn decode(&self, code: &[u8], out: &mut Vec<u8>);

    /// Bytes of what the codec learned.
    fn bytes(&self) -> u64 {
        0
    }
}

/// A codec that learns nothing: every state has its code from the beginning on, so [`Codec::find`] is always true, and a
/// state can be forgotten without a trace.
pub trait Fixed: Codec {}
