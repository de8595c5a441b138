//! The buffer into which a system writes successors, owned by the search and used again and again.
//!
//! One batch holds all chosen successors of one state, so that a search can hash, prefetch and
//! filter them together. Nothing is allocated once the buffers have grown to their working size.

use crate::ids::Step;

/// What a step did wrong, with a number that the system's [`Describe`](crate::Describe) explains.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Violation {
    /// The step that went wrong.
    pub step: Step,
    /// How.
    pub kind: ViolationKind,
    /// Which assertion or statement: the system's own number for it.
    pub place: u32,
}

/// The ways in which a single step can be wrong.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ViolationKind {
    /// An assertion is false. The step is executed all the same.
    Assertion,
    /// The model computes something that has no meaning (a division by zero, an index out of
    /// range). The step has no successor.
    Fault,
    /// The system broke the rules of [`System`](crate::System) itself.
    Contract,
    /// A process is not prepared for a message that has arrived: of a state in which it waits, or of the step that
    /// takes the message, which is executed all the same.
    Reception,
    /// The state behind the step can't be represented, so the step has no successor though it should
    /// have one. Nothing holds of such a system: this is reported whatever is checked.
    Overflow,
}

/// One successor in a batch.
#[derive(Copy, Clone, Debug)]
pub struct Successor {
    /// The step that leads there.
    pub step: Step,
    start: usize,
    end: usize,
    /// An atomic region is under way: not a state of its own, to be expanded at once.
    pub interior: bool,
}

/// A reusable buffer of successors.
///
/// ```
/// use mazurka_model::{Batch, Step};
/// let mut batch = Batch::default();
/// batch.push(Step::new(0, 7), &[1, 2, 3]);
/// assert_eq!(batch.state(0), &[1, 2, 3]);
/// batch.clear();
/// assert!(batch.is_empty());
/// ```
#[derive(Default, Debug)]
pub struct Batch {
    /// Those of all successors, one after another, up to `used`. What is behind was used before, and is written without being made longer.
    bytes: Vec<u8>,
    used: usize,
    successors: Vec<Successor>,
    violations: Vec<Violation>,
    covered: Vec<bool>,
    interior: bool,
    walked: u64,
    /// The bytes of successors are no longer in the order of their numbers.
    rearranged: bool,
    /// Successors under way to another order.
    arranged: Vec<Successor>,
}

impl Batch {
    /// Forgets successors and violations, keeping memory and coverage.
    pub fn clear(&mut self) {
        self.used = 0;
        self.successors.clear();
        self.violations.clear();
        self.interior = false;
        self.walked = 0;
        self.rearranged = false;
    }

    /// Bytes that the batch has allocated.
    pub fn bytes(&self) -> u64 {
        (self.bytes.capacity() + self.successors.capacity() * size_of::<Successor>()) as u64
    }

    /// How many successors there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.successors.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.successors.is_empty()
    }

    /// Adds a successor.
    #[inline]
    pub fn push(&mut self, step: Step, state: &[u8]) {
        self.begin(step, state);
    }

    /// Starts a successor as a copy of `state`, to be changed in place through [`Batch::draft`] and
    /// then kept with [`Batch::keep`] or dropped with [`Batch::discard`]. Gives its bytes.
    #[inline]
    pub fn begin(&mut self, step: Step, state: &[u8]) -> &mut [u8] {
        let bytes = self.begin_anew(step, state.len());
        copy(bytes, state);
        bytes
    }

    /// The same for a successor of so many bytes, all of which have to be written: they are whatever was there before.
    #[inline]
    pub fn begin_anew(&mut self, step: Step, length: usize) -> &mut [u8] {
        let (start, end) = (self.used, self.used + length);
        if end > self.bytes.len() {
            self.enlarge(end);
        }
        self.used = end;
        self.successors.push(Successor { step, start, end, interior: false });
        &mut self.bytes[start..end]
    }

    #[cold]
    fn enlarge(&mut self, bytes: usize) {
        self.bytes.resize(bytes.max(2 * self.bytes.len()), 0);
    }

    /// The bytes of the successor under construction. It may be made longer or shorter.
    #[inline]
    pub fn draft(&mut self) -> Draft<'_> {
        let start = self.successors.last().map_or(0, |s| s.start);
        Draft { batch: self, start }
    }

    /// Finishes the successor under construction.
    #[inline]
    pub fn keep(&mut self, interior: bool) {
        let end = self.used;
        if let Some(last) = self.successors.last_mut() {
            last.end = end;
            last.interior = interior;
            self.interior |= interior;
        }
    }

    /// Drops the successor under construction.
    pub fn discard(&mut self) {
        if let Some(last) = self.successors.pop() {
            self.used = last.start;
        }
    }

    /// Drops all successors from number `len` on.
    pub fn truncate(&mut self, len: usize) {
        if let Some(first) = self.successors.get(len) {
            if !self.rearranged {
                self.used = first.start;
            }
            self.successors.truncate(len);
        }
    }

    /// Puts the successors from number `from` on into the order of their owners, of which there is one for each, and those of one owner into the order in
    /// which they were added; `ends` has a place for each owner, and gets the number before which its successors end. Their bytes stay where they are.
    pub fn group(&mut self, from: usize, owners: &[u8], ends: &mut [usize]) {
        let added = &self.successors[from..];
        assert_eq!(added.len(), owners.len(), "each has an owner");
        ends.fill(0);
        owners.iter().for_each(|owner| ends[usize::from(*owner)] += 1);
        let mut next = from;
        for end in &mut *ends {
            // Where those of the owner begin; and where they end, once all of them are there.
            next += std::mem::replace(end, next);
        }
        self.arranged.clear();
        self.arranged.extend_from_slice(added);
        for (successor, owner) in self.arranged.iter().zip(owners) {
            let at = &mut ends[usize::from(*owner)];
            self.successors[*at] = *successor;
            *at += 1;
        }
        self.rearranged = true;
    }

    /// Forgets all violations from number `len` on.
    pub fn truncate_violations(&mut self, len: usize) {
        self.violations.truncate(len);
    }

    /// Notes that successors were written that lie so many steps inside atomic regions further on.
    #[inline]
    pub fn walk(&mut self, steps: u64) {
        self.walked += steps;
    }

    /// The steps inside atomic regions that were noted since this was asked last, or the batch was cleared.
    #[inline]
    pub fn take_walked(&mut self) -> u64 {
        std::mem::take(&mut self.walked)
    }

    /// The successors, in the order in which they were added.
    #[inline]
    pub fn successors(&self) -> &[Successor] {
        &self.successors
    }

    /// The bytes of successor `index`.
    #[inline]
    pub fn state(&self, index: usize) -> &[u8] {
        let s = &self.successors[index];
        &self.bytes[s.start..s.end]
    }

    /// Hands the successors from number `kept` on to `others`, in place of those that it had. Violations and coverage stay.
    pub fn hand_over(&mut self, others: &mut Batch, kept: usize) {
        others.clear();
        let Some(first) = self.successors.get(kept) else { return };
        if self.rearranged {
            for moved in &self.successors[kept..] {
                others.push(moved.step, &self.bytes[moved.start..moved.end]);
                others.keep(moved.interior);
            }
            return self.truncate(kept);
        }
        let (start, length) = (first.start, self.used - first.start);
        if length > others.bytes.len() {
            others.enlarge(length);
        }
        others.used = length;
        others.bytes[..length].copy_from_slice(&self.bytes[start..self.used]);
        let moved = |s: &Successor| Successor { start: s.start - start, end: s.end - start, ..*s };
        others.successors.extend(self.successors[kept..].iter().map(moved));
        self.truncate(kept);
    }

    /// Whether an interior successor was added since the batch was cleared.
    pub fn has_interior(&self) -> bool {
        self.interior
    }

    /// The bytes of the successors from number `from` on, one after another, if they are where they were written.
    #[inline]
    pub fn tail(&self, from: usize) -> Option<&[u8]> {
        match self.successors.get(from) {
            _ if self.rearranged => None,
            Some(first) => Some(&self.bytes[first.start..self.used]),
            None => Some(&[]),
        }
    }

    /// Notes that a step is wrong.
    pub fn violate(&mut self, step: Step, kind: ViolationKind, place: u32) {
        self.violations.push(Violation { step, kind, place });
    }

    /// What went wrong, in order.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// Notes that the system's place `place` was executed (for unreached places).
    #[inline]
    pub fn cover(&mut self, place: u32) {
        let place = place as usize;
        if place >= self.covered.len() {
            self.covered.resize(place + 1, false);
        }
        self.covered[place] = true;
    }

    /// The same as flags for the places below `places`, for a system that sets them by itself.
    #[inline]
    pub fn covered_mut(&mut self, places: usize) -> &mut [bool] {
        if places > self.covered.len() {
            self.covered.resize(places, false);
        }
        &mut self.covered
    }

    /// Which places were executed so far, over all uses of this batch.
    pub fn covered(&self) -> &[bool] {
        &self.covered
    }
}

/// Copies a state. Most are short, and then a call would take longer than the copying.
#[inline(always)]
fn copy(to: &mut [u8], from: &[u8]) {
    const HALF: usize = 16;
    const SHORT: usize = 512;
    if from.len() > SHORT {
        return to.copy_from_slice(from);
    }
    let (Some(last), Some(end)) = (to.last_chunk_mut::<{ 2 * HALF }>(), from.last_chunk()) else {
        return to.copy_from_slice(from);
    };
    *last = *end;
    for (to, from) in to.as_chunks_mut::<{ 2 * HALF }>().0.iter_mut().zip(from.as_chunks::<{ 2 * HALF }>().0)
    {
        // In halves: a loop over wholes would become a call again.
        let ((to_low, to_high), (low, high)) = (to.split_at_mut(HALF), from.split_at(HALF));
        to_low.copy_from_slice(low);
        to_high.copy_from_slice(high);
    }
}

/// The bytes of a successor under construction.
pub struct Draft<'a> {
    batch: &'a mut Batch,
    start: usize,
}

impl Draft<'_> {
    /// Appends bytes (a new process's frame).
    #[inline]
    pub fn extend(&mut self, bytes: &[u8]) {
        let (from, to) = (self.batch.used, self.batch.used + bytes.len());
        if to > self.batch.bytes.len() {
            self.batch.enlarge(to);
        }
        self.batch.bytes[from..to].copy_from_slice(bytes);
        self.batch.used = to;
    }

    /// Cuts the state to `len` bytes.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.batch.used = self.batch.used.min(self.start + len);
    }
}

impl std::ops::Deref for Draft<'_> {
    type Target = [u8];
    #[inline]
    fn deref(&self) -> &[u8] {
        &self.batch.bytes[self.start..self.batch.used]
    }
}

impl std::ops::DerefMut for Draft<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.batch.bytes[self.start..self.batch.used]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn successors_of_one_owner_come_together_and_stay_in_order() {
        let mut batch = Batch::default();
        batch.push(Step::new(7, 7), &[7]);
        let owners = [2, 0, 3, 0, 2, 2];
        for (number, owner) in owners.iter().enumerate() {
            batch.push(Step::new(u16::from(*owner), number as u32), &[*owner, number as u8]);
        }
        assert_eq!(batch.tail(6), Some(&[2, 5][..]));
        let mut ends = [9; 4];
        batch.group(1, &owners, &mut ends);
        let states: Vec<&[u8]> = (0..batch.len()).map(|index| batch.state(index)).collect();
        assert_eq!(states, [&[7][..], &[0, 1], &[0, 3], &[2, 0], &[2, 4], &[2, 5], &[3, 2]]);
        assert_eq!((ends, batch.tail(6)), ([3, 3, 6, 7], None));
        batch.truncate(3);
        batch.push(Step::new(8, 8), &[8, 8, 8]);
        assert_eq!(
            (batch.state(1), batch.state(2), batch.state(3)),
            (&[0, 1][..], &[0, 3][..], &[8, 8, 8][..])
        );
        batch.clear();
        assert_eq!(batch.tail(0), Some(&[][..]));
    }

    #[test]
    fn what_is_handed_over_is_what_is_not_kept() {
        for (kept, rearranged) in (0..=3).flat_map(|kept| [(kept, false), (kept, true)]) {
            let (mut batch, mut others) = (Batch::default(), Batch::default());
            others.push(Step::new(9, 9), &[9]);
            let states: [&[u8]; 3] = [&[1, 2], &[], &[3, 4, 5]];
            for (number, state) in states.iter().enumerate() {
                batch.push(Step::new(0, number as u32), state);
                batch.keep(number == 2);
            }
            if rearranged {
                batch.group(0, &[0, 0, 0], &mut [0]);
            }
            batch.cover(4);
            batch.hand_over(&mut others, kept);
            let told = |batch: &Batch| -> Vec<(u32, Vec<u8>, bool)> {
                let all = batch.successors().iter().enumerate();
                all.map(|(index, s)| (s.step.code, batch.state(index).to_vec(), s.interior)).collect()
            };
            let all: Vec<_> = told(&batch).into_iter().chain(told(&others)).collect();
            let expected: Vec<_> = (0..3).map(|i| (i as u32, states[i].to_vec(), i == 2)).collect();
            assert_eq!((batch.len(), all), (kept, expected));
            assert!(batch.covered()[4] && others.covered().is_empty());
            batch.push(Step::new(1, 1), &[7]);
            assert_eq!(batch.state(kept), &[7]);
        }
    }
}
