//! The codecs that learn nothing and hardly change anything: states as they are, and without the bytes that are zero.
//!
//! The exact set has both built in; these are for stores that take any codec.

use super::{Codec, Fixed};
use crate::store::pack::Packing;

/// States as they are: what codes are compared with.
#[derive(Copy, Clone, Debug, Default)]
pub struct Unchanged;

impl Codec for Unchanged {
    fn encode(&mut self, state: &[u8], _room: u64, out: &mut Vec<u8>) -> bool {
        self.find(state, out)
    }

    fn find(&self, state: &[u8], out: &mut Vec<u8>) -> bool {
        out.extend_from_slice(state);
        true
    }

    fn decode(&self, code: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(code);
    }
}

impl Fixed for Unchanged {}

impl Codec for Packing {
    fn encode(&mut self, state: &[u8], _room: u64, out: &mut Vec<u8>) -> bool {
        self.find(state, out)
    }

    #[inline]
    fn find(&self, state: &[u8], out: &mut Vec<u8>) -> bool {
        self.pack(state, out);
        true
    }

    #[inline]
    fn decode(&self, code: &[u8], out: &mut Vec<u8>) {
        self.unpack(code, out);
    }
}

impl Fixed for Packing {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::codec::coded::tests::comes_back;

    #[test]
    fn all_that_is_encoded_comes_back() {
        comes_back(&mut Unchanged);
        comes_back(&mut Packing::of_any_size());
    }
}
