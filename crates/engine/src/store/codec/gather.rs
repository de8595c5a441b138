//! Bits picked out of a word and put side by side, 64 at a time.
//!
//! The compress and expand of Warren (Hacker's Delight, 2nd edition, 7-4 and 7-5), which processors have as PEXT and PDEP: what depends on
//! the mask alone, which bits move by 1, 2, 4 ... places, is worked out once, so that a word takes six steps whatever the
//! mask. Portable, and no slower than the memory that it saves.

/// Which bits of a word to pick.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Gather {
    mask: u64,
    /// The bits that move down by 1, 2, 4, 8, 16 and 32 places, where they stand before.
    moves: [u64; 6],
}

impl Gather {
    /// Picks the bits of a mask.
    pub fn new(mask: u64) -> Gather {
        let mut moves = [0; 6];
        let mut rest = mask;
        // Below which bits there is a place that is not picked: by so many they move, one power of two after another.
        let mut gaps = !mask << 1;
        for (step, moving) in moves.iter_mut().enumerate() {
            let mut parity = gaps;
            for distance in [1, 2, 4, 8, 16, 32] {
                parity ^= parity << distance;
            }
            *moving = parity & rest;
            rest = rest ^ *moving | *moving >> (1 << step);
            gaps &= !parity;
        }
        Gather { mask, moves }
    }

    /// How many bits are picked.
    pub fn count(&self) -> u32 {
        self.mask.count_ones()
    }

    /// Whether a word has no bits but those that are picked.
    #[inline]
    pub fn has_all(&self, word: u64) -> bool {
        word & !self.mask == 0
    }

    /// The picked bits, side by side from the lowest on.
    #[inline]
    pub fn pick(&self, word: u64) -> u64 {
        let mut word = word & self.mask;
        for (step, moving) in self.moves.iter().enumerate() {
            let part = word & moving;
            word = word ^ part | part >> (1 << step);
        }
        word
    }

    /// The word that has only picked bits, which are these.
    pub fn put_back(&self, picked: u64) -> u64 {
        let mut word = picked;
        for (step, moving) in self.moves.iter().enumerate().rev() {
            word = word & !moving | word << (1 << step) & moving;
        }
        word & self.mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same bit by bit.
    fn one_by_one(mask: u64, word: u64) -> u64 {
        let bits = (0..64).filter(|bit| mask >> bit & 1 == 1);
        bits.enumerate().fold(0, |picked, (place, bit)| picked | (word >> bit & 1) << place)
    }

    #[test]
    fn bits_are_picked_and_put_back() {
        let mut random = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random
        };
        let mut masks = vec![0, 1, u64::MAX, 1 << 63, 0x0101_0101_0101_0101, 0x0307_ff01_0000_0f1f];
        masks.extend((0..2000).map(|i| if i % 2 == 0 { next() } else { next() & next() & next() }));
        for mask in masks {
            let gather = Gather::new(mask);
            assert_eq!(gather.count(), mask.count_ones());
            for _ in 0..20 {
                let word = next();
                let picked = gather.pick(word);
                assert_eq!(picked, one_by_one(mask, word), "{mask:x} {word:x}");
                assert_eq!(gather.put_back(picked), word & mask, "{mask:x} {word:x}");
                assert_eq!(gather.has_all(word), word & mask == word);
            }
        }
    }
}
