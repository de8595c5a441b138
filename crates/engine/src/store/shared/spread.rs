//! How a table grows where it is, by the work of several threads.
//!
//! A state's bucket is the product of its hash with the number of buckets, so a run of old buckets goes to a run of new
//! ones, farther up, and runs that don't overlap go to runs that don't. The old buckets are emptied in *phases*, the highest
//! first: each phase empties as many as go to buckets that were emptied before, or were never used. Within a phase nothing
//! is written to where something is still to be read, so its *pieces*, runs of old buckets, can be moved in any
//! order and by any thread; between phases all wait for each other.
//!
//! Few states don't fit this. Some had been put behind their own bucket because that was full, into another
//! piece; some go to a bucket that two pieces share, or find the rest of their run full. They are kept aside, and
//! put where they belong when nothing moves any more. What is put into a run is put into the first bucket with an empty slot from its
//! own on, and nothing is taken out of that run again: so all that is in front of it stays taken.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Old buckets of a piece. In tests of this crate there are few, so that small tables are moved by all threads too.
const PIECE: usize = if cfg!(test) { 4 } else { 1024 };
/// A table of fewer buckets is moved by one thread, as are so many that are left in the end.
pub const FEW: usize = 4 * PIECE;

/// Old buckets that go to buckets which are empty by then.
#[derive(Copy, Clone, Debug)]
struct Phase {
    first: usize,
    end: usize,
    /// Pieces of the phases before.
    pieces_before: usize,
}

/// The plan of a growth, and how far it has come.
#[derive(Debug)]
pub struct Spread {
    old: usize,
    new: usize,
    phases: Vec<Phase>,
    pieces: usize,
    /// The next piece that nobody has taken on, and how many are done.
    next: AtomicUsize,
    done: AtomicUsize,
    aside: Mutex<Vec<u64>>,
}

/// Old buckets, and the new ones to which all goes that does not go aside.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub from: (usize, usize),
    pub to: (usize, usize),
}

impl Spread {
    /// From so many buckets to more.
    pub fn new(old: usize, new: usize) -> Spread {
        let (mut phases, mut pieces, mut end) = (Vec::new(), 0, old);
        while end > FEW {
            // The lowest bucket that goes to `end` or behind.
            let first = (end as u128 * old as u128).div_ceil(new as u128) as usize;
            if first >= end {
                break;
            }
            phases.push(Phase { first, end, pieces_before: pieces });
            pieces += (end - first).div_ceil(PIECE);
            end = first;
        }
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Spread { old, new, phases, pieces, next, done, aside: Mutex::default() }
    }

    /// The buckets in front of this one are moved in the end.
    pub fn rest(&self) -> usize {
        self.phases.last().map_or(self.old, |phase| phase.first)
    }

    /// Whether all pieces were moved.
    pub fn is_done(&self) -> bool {
        self.done.load(Ordering::Acquire) == self.pieces
    }

    /// What was kept aside.
    pub fn take_aside(&mut self) -> Vec<u64> {
        std::mem::take(self.aside.get_mut().unwrap_or_else(PoisonError::into_inner))
    }

    fn piece(&self, number: usize) -> (Phase, Piece) {
        let phase = self.phases[self.phases.partition_point(|phase| phase.pieces_before <= number) - 1];
        let first = phase.first + (number - phase.pieces_before) * PIECE;
        let end = (first + PIECE).min(phase.end);
        let target = |bucket: usize| (bucket as u128 * self.new as u128 / self.old as u128) as usize;
        (phase, Piece { from: (first, end), to: (target(first), target(end)) })
    }

    /// Moves pieces, as long as there are any, and waits until all are done. `carry` moves one, and says what is to be kept
    /// aside.
    pub fn help(&self, mut carry: impl FnMut(Piece, &mut Vec<u64>)) {
        let mut aside = Vec::new();
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.pieces {
                break;
            }
            let (phase, piece) = self.piece(number);
            self.await_pieces(phase.pieces_before);
            carry(piece, &mut aside);
            if !aside.is_empty() {
                self.aside.lock().unwrap_or_else(PoisonError::into_inner).append(&mut aside);
            }
            // Release: who moves what lies in front finds these buckets empty.
            self.done.fetch_add(1, Ordering::Release);
        }
        self.await_pieces(self.pieces);
    }

    /// Waits until so many pieces are done; none of a later phase is before that.
    fn await_pieces(&self, pieces: usize) {
        let mut rounds = 0u32;
        while self.done.load(Ordering::Acquire) < pieces {
            rounds += 1;
            if rounds.is_multiple_of(64) {
                std::thread::yield_now();
            } else {
                std::hint::spin_loop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_goes_to_where_nothing_is_read_any_more() {
        let sizes = [
            (FEW, 3 * FEW),
            (FEW + 1, FEW + 2),
            (5000, 7501),
            (1 << 13, 1 << 14),
            (9999, 15_007),
            (1 << 15, 5 << 13),
        ];
        for (old, new) in sizes {
            let spread = Spread::new(old, new);
            let (mut from, mut to) = (old, new);
            for phase in &spread.phases {
                let pieces = (phase.end - phase.first).div_ceil(PIECE);
                assert_eq!(phase.end, from);
                for number in phase.pieces_before..phase.pieces_before + pieces {
                    let (_, piece) = spread.piece(number);
                    assert!(piece.to.0 >= phase.end, "{piece:?} {phase:?}");
                    // Hashes of these old buckets belong there, or to a bucket shared with the next piece.
                    assert!(piece.from.0 < piece.from.1 && piece.from.1 <= phase.end);
                    assert!(piece.to.0 <= piece.to.1 && piece.to.1 <= to);
                    if number > phase.pieces_before {
                        let (_, last) = spread.piece(number - 1);
                        assert_eq!((last.from.1, last.to.1), (piece.from.0, piece.to.0));
                    }
                }
                assert_eq!(spread.piece(phase.pieces_before + pieces - 1).1.to.1, to);
                let lowest = spread.piece(phase.pieces_before).1;
                assert_eq!(lowest.from.0, phase.first);
                (from, to) = (phase.first, lowest.to.0);
            }
            assert_eq!(spread.rest(), from);
            assert!(spread.rest() <= FEW || new - old < 2);
        }
    }
}
