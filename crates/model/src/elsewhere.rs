//! Steps that need not be executed, because what they lead to is met elsewhere.
//!
//! Where nothing is chosen every state is reached, most of them again and again: two steps that commute lead to one state in two
//! ways, and a search executes and looks up both. One of the ways is enough. Let a state *s* be stored, first, as the successor
//! of *p* under a step *a* of process *i*, and let a process *j* that [ranks](Rank) behind *i* have moves that commute with *a*: then all
//! steps of *j* in *s* are left out. (This is what sleep sets do, of Godefroid and Pirottin 1993, without sets that would have to
//! be stored and intersected.)
//!
//! **Nothing is lost.** Whatever is enabled in a stored state, what it leads to is stored. For a step *b* of *j* that is left out in *s*: *b* is enabled in
//! *p*, and *q = pb* is stored, by induction, because *p* was stored before *s*; *a* is enabled in *q* and leads where *b* leads from *s*, and
//! that is stored, by induction, because *i* ranks before *j*. So the induction goes over pairs of the rank of a process and the time at which a state was stored, and in
//! whatever order, and by however many threads, states are opened does not matter. It rests on every stored state being opened in time, on nothing else being left out, and on one
//! rank for all: so it is for searches that choose nothing, have no limit on their depth, and forget no state.
//!
//! A state at least as near to an initial state is behind each of these steps, so a search level by level finds every state at its level.
//! What a step does wrong it does in *p*, too, and was found there or before.

use crate::ids::ProcessId;

/// Who of two processes whose moves commute is left out behind the other. How much is saved depends on the system: the fewer steps wait for those of
/// processes that rank before them, the more.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Rank {
    /// The one with the higher number.
    #[default]
    Ascending,
    /// The one with the lower number.
    Descending,
}

/// What is known of states that are expanded together.
#[derive(Copy, Clone, Debug)]
pub struct Known<'a> {
    /// Of each state, what is met elsewhere.
    pub of: &'a [Elsewhere],
    /// By this rank, and no other in the same search.
    pub rank: Rank,
}

/// Of the processes of a state: whose steps are met elsewhere, how many steps each of them has, and how many steps inside atomic
/// regions these take together.
///
/// ```
/// use mazurka_model::{Elsewhere, ProcessId};
/// let elsewhere = Elsewhere::NONE.with(ProcessId(3), 2, 7).with(ProcessId(5), 0, 0);
/// assert!(elsewhere.has(ProcessId(3)) && elsewhere.has(ProcessId(5)) && !elsewhere.has(ProcessId(4)));
/// assert_eq!((elsewhere.steps(), elsewhere.walked()), (2, 7));
/// ```
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Elsewhere {
    /// Four bits for each process: 0, or one more than the number of its steps.
    steps: u64,
    /// Four bits for each process.
    walked: u64,
}

/// The bits of a process.
const BITS: usize = 4;
const LOWEST: u64 = 0x1111_1111_1111_1111;

impl Elsewhere {
    /// Everything has to be executed.
    pub const NONE: Elsewhere = Elsewhere { steps: 0, walked: 0 };
    /// The processes of which something can be said, from the first.
    pub const PROCESSES: usize = 64 / BITS;
    /// The most steps of a process, and the most inside regions.
    pub const MOST_STEPS: usize = (1 << BITS) - 2;
    /// The most steps inside regions.
    pub const MOST_WALKED: u64 = (1 << BITS) - 1;

    /// The same, with all of the steps of a process, so many, which take so many steps inside regions. One of which nothing can be said is left as it is.
    #[must_use]
    #[inline]
    pub fn with(self, process: ProcessId, steps: usize, walked: u64) -> Elsewhere {
        let told = process.index() < Elsewhere::PROCESSES
            && steps <= Elsewhere::MOST_STEPS
            && walked <= Elsewhere::MOST_WALKED;
        if !told || self.has(process) {
            return self;
        }
        let shift = BITS * process.index();
        Elsewhere { steps: self.steps | (steps as u64 + 1) << shift, walked: self.walked | walked << shift }
    }

    /// Whether the steps of a process are met elsewhere.
    #[inline]
    pub fn has(self, process: ProcessId) -> bool {
        process.index() < Elsewhere::PROCESSES && self.steps >> (BITS * process.index()) & 0xf != 0
    }

    /// What is said of the processes with these bits, the first being the lowest.
    #[must_use]
    #[inline]
    pub fn of(self, processes: u16) -> Elsewhere {
        // Each bit becomes four.
        let mut spread = u64::from(processes);
        for (shift, mask) in [
            (24, 0x0000_00ff_0000_00ff),
            (12, 0x000f_000f_000f_000f),
            (6, 0x0303_0303_0303_0303),
            (3, LOWEST),
        ] {
            spread = (spread | spread << shift) & mask;
        }
        Elsewhere { steps: self.steps & (spread * 0xf), walked: self.walked & (spread * 0xf) }
    }

    /// How many steps there are.
    #[inline]
    pub fn steps(self) -> u64 {
        // Where a process has bits, they are one too many.
        let some = (self.steps | self.steps >> 1 | self.steps >> 2 | self.steps >> 3) & LOWEST;
        sum(self.steps - some)
    }

    /// How many steps inside atomic regions they take.
    #[inline]
    pub fn walked(self) -> u64 {
        sum(self.walked)
    }

    /// As numbers, for a checkpoint.
    pub fn to_bits(self) -> [u64; 2] {
        [self.steps, self.walked]
    }

    /// From such numbers.
    pub fn from_bits([steps, walked]: [u64; 2]) -> Elsewhere {
        Elsewhere { steps, walked }
    }
}

/// The sum of the numbers of four bits.
#[inline]
fn sum(numbers: u64) -> u64 {
    let pairs = (numbers & 0x0f0f_0f0f_0f0f_0f0f) + (numbers >> 4 & 0x0f0f_0f0f_0f0f_0f0f);
    pairs.wrapping_mul(0x0101_0101_0101_0101) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_counted_process_by_process() {
        let mut all = Elsewhere::NONE;
        for process in 0..20 {
            all = all.with(ProcessId(process), usize::from(process) % 15, process.into());
        }
        assert_eq!((all.steps(), all.walked()), ((0..15).sum::<u64>(), (0..16).sum::<u64>()));
        assert_eq!((0..20).filter(|process| all.has(ProcessId(*process))).count(), 16);
        assert_eq!(Elsewhere::NONE.with(ProcessId(1), 15, 0), Elsewhere::NONE, "too many to be counted");
        assert_eq!(Elsewhere::NONE.with(ProcessId(1), 1, 16), Elsewhere::NONE, "too many to be counted");
        let most = (0..16).fold(Elsewhere::NONE, |all, process| all.with(ProcessId(process), 14, 15));
        assert_eq!((most.steps(), most.walked()), (16 * 14, 16 * 15));
        assert_eq!(Elsewhere::from_bits(all.to_bits()), all);
    }

    #[test]
    fn some_processes_are_taken_out() {
        let all = (0..16).fold(Elsewhere::NONE, |all, process| all.with(ProcessId(process), 3, 2));
        for bits in [0, 1, 0x8000, 0xffff, 0xa5c3, 0x0180] {
            let some = all.of(bits);
            for process in 0..16 {
                assert_eq!(some.has(ProcessId(process)), bits >> process & 1 == 1, "{bits:x} {process}");
            }
            let count = u64::from(bits.count_ones());
            assert_eq!((some.steps(), some.walked()), (3 * count, 2 * count));
        }
    }
}
