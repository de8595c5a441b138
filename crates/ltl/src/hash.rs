//! A fast hash for small keys of our own: users can't choose them, so nobody can make them collide.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map with small keys.
pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Mixing>>;

/// Rotates, adds and multiplies, word by word.
#[derive(Clone, Default)]
pub(crate) struct Mixing(u64);

impl Mixing {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

impl Hasher for Mixing {
    fn finish(&self) -> u64 {
        // The upper bits are the better mixed ones, and tables use both ends.
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }

    fn write_u32(&mut self, word: u32) {
        self.mix(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.mix(word);
    }

    fn write_usize(&mut self, word: usize) {
        self.mix(word as u64);
    }
}
