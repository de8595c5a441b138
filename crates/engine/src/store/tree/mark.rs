//! Roots as one word, by which a search enters a state that it has looked up before.
//!
//! When a tree is made anew all numbers change, so a mark says how often that has happened.

use super::keys::{Key, NUMBER};

/// The bits of a mark for the shape of a root.
const SHAPE: u32 = 5;
/// The bits of a mark for the root.
const ROOT: u32 = 2 * NUMBER + SHAPE;

/// The mark of a root, which says how often the set was made anew before; 0 if it doesn't fit.
#[inline]
pub fn mark(key: Key, generation: u64) -> u64 {
    if (key.left | key.right) >> NUMBER == 0 { mark_of(key.root(), generation) } else { 0 }
}

/// The same by the root as a [word](Key::root).
#[inline]
pub fn mark_of(root: u64, generation: u64) -> u64 {
    let fits = root >> ROOT == 0 && generation >> (u64::BITS - ROOT) == 0;
    if fits { generation << ROOT | root } else { 0 }
}

/// The root with a mark, unless the set was made anew since.
#[inline]
pub fn marked(mark: u64, generation: u64) -> Option<Key> {
    (mark >> ROOT == generation).then(|| Key::of_whole(mark & !(u64::MAX << ROOT)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_good_until_the_set_is_made_anew() {
        let key = |left, right, shape| Key { left, right, shape };
        for key in [key(0, 0, 0), key(1, 2, 3), key((1 << 28) - 1, (1 << 28) - 1, 31)] {
            for generation in 1..8 {
                assert_eq!(marked(mark(key, generation), generation), Some(key));
                assert_eq!(marked(mark(key, generation), generation + 1), None);
            }
            assert_eq!((mark(key, 8), marked(0, 1)), (0, None));
        }
        assert_eq!([key(1 << 28, 0, 0), key(0, 1 << 28, 0), key(0, 0, 32)].map(|key| mark(key, 1)), [0; 3]);
    }
}
