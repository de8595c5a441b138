//! Words without the bits that are always zero.

use crate::store::compare;

/// The most runs of bits that are kept.
const RUNS: usize = 8;

/// Neighbouring bits that are kept.
#[derive(Copy, Clone, Debug, Default)]
struct Run {
    /// Where they stand in the squeezed word.
    bits: u64,
    /// How much further to the left they belong.
    shift: u32,
}

/// Which bits of a word are kept, in at most eight runs.
#[derive(Copy, Clone, Debug)]
pub struct Squeeze {
    runs: [Run; RUNS],
    count: u32,
    stride: u32,
    kept: u64,
}

impl Squeeze {
    /// Keeps these bits, and some between them if there are too many gaps.
    pub fn new(bits: u64) -> Squeeze {
        let mut kept = bits;
        while (kept & !(kept << 1)).count_ones() as usize > RUNS {
            kept = without_smallest_gap(kept);
        }
        let mut squeeze = Squeeze { runs: [Run::default(); RUNS], count: 0, stride: 0, kept };
        let mut rest = kept;
        let mut length = 0;
        while rest != 0 {
            let start = rest.trailing_zeros();
            let run = (rest >> start).trailing_ones();
            let ones = u64::MAX >> (64 - run);
            squeeze.runs[squeeze.count as usize] = Run { bits: ones << length, shift: start - length };
            squeeze.count += 1;
            length += run;
            rest &= !(ones << start);
        }
        // Up to 57 bits can be read as eight bytes, wherever they begin; more than that begin at a byte.
        squeeze.stride = if length <= 57 { length.max(1) } else { 64 };
        squeeze
    }

    /// The bits that are kept.
    pub fn kept(&self) -> u64 {
        self.kept
    }

    /// Whether all of a word is kept.
    #[inline]
    pub fn keeps(&self, word: u64) -> bool {
        word & !self.kept == 0
    }

    /// From one squeezed word to the next, in bits.
    #[inline]
    pub fn stride(&self) -> usize {
        self.stride as usize
    }

    /// What is kept of a word.
    #[inline]
    pub fn squeeze(&self, word: u64) -> u64 {
        compare::gather(word, self.kept).unwrap_or_else(|| self.squeeze_runs(word))
    }

    /// The word of which this was kept; bits further to the left don't matter.
    #[inline]
    pub fn restore(&self, squeezed: u64) -> u64 {
        compare::spread(squeezed, self.kept).unwrap_or_else(|| self.restore_runs(squeezed))
    }

    /// The same run by run.
    fn squeeze_runs(&self, word: u64) -> u64 {
        self.runs().fold(0, |all, run| all | word >> run.shift & run.bits)
    }

    fn restore_runs(&self, squeezed: u64) -> u64 {
        self.runs().fold(0, |all, run| all | (squeezed & run.bits) << run.shift)
    }

    #[inline]
    fn runs(&self) -> impl Iterator<Item = &Run> {
        self.runs.iter().take(self.count as usize)
    }
}

/// The same bits, and those between the two runs that are nearest to each other.
fn without_smallest_gap(bits: u64) -> u64 {
    let mut smallest = (u32::MAX, 0);
    let mut rest = bits;
    let mut end = u32::MAX;
    while rest != 0 {
        let start = rest.trailing_zeros();
        let run = (rest >> start).trailing_ones();
        if end != u32::MAX && start - end < smallest.0 {
            smallest = (start - end, end);
        }
        end = start + run;
        rest &= u64::MAX.checked_shl(end).unwrap_or(0);
    }
    bits | ((1 << smallest.0) - 1) << smallest.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back() {
        let mut random = 1u64;
        for bits in [0, 1, 1 << 63, u64::MAX, 0xffff, 0x5555_5555_5555_5555, 0xff0f_0301_0000_1111] {
            let squeeze = Squeeze::new(bits);
            assert!(squeeze.keeps(bits) && squeeze.stride() >= squeeze.kept().count_ones() as usize);
            for _ in 0..1000 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1442);
                let (word, behind) = (random & bits, squeeze.kept().count_ones());
                let beyond = u64::MAX.checked_shl(behind).unwrap_or(0);
                assert_eq!(squeeze.squeeze(word) & beyond, 0);
                assert_eq!(squeeze.restore(squeeze.squeeze(word) | beyond), word);
            }
        }
    }

    #[test]
    fn small_gaps_are_kept_where_there_are_many() {
        assert_eq!(Squeeze::new(0b1011).kept(), 0b1011);
        let nine_runs = 0x0101_0101_0101_0101 << 7 | 0x15;
        assert_eq!(Squeeze::new(nine_runs & !(1 << 63)).kept(), nine_runs & !(1 << 63) | 0x1f);
    }
}
