//! Which alternatives of a process might interact with an operation of another one, kept by what that depends on.
//!
//! That depends on the operation, on what the process may still do to the object, on the kinds of operations that are
//! still possible on it, and on what ▷ looks at of its value ([`Glance`]), most often nothing or one word. All of these come again in
//! very many states, so that in most of them a few numbers are compared instead of operations.

use mazurka_model::object::Glance;
use mazurka_model::{Access, ObjectId};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// So many different operations on an object are followed.
const MOST_OPERATIONS: u32 = 128;
/// So many answers are kept for an operation.
const MOST_ANSWERS: usize = 16;
/// So many are kept in all.
const MOST: usize = 1 << 18;

/// An operation of a step or of a condition that is kept.
#[derive(Copy, Clone, Debug)]
pub struct Noted {
    /// It fires in the present value of its object.
    pub now: bool,
    /// Which of the operations on its object it is, if it is followed.
    pub number: Option<u32>,
}

/// The operations that got a number.
#[derive(Debug, Default)]
pub struct Notes {
    /// By operation, and whether it fires in the present value.
    numbers: RefCell<HashMap<(Access, bool), u32>>,
    counts: RefCell<HashMap<ObjectId, u32>>,
    /// How many answers were kept, those counted that took the place of others.
    answers: Cell<usize>,
}

impl Notes {
    /// Whether there is room for one more answer, which is counted.
    pub fn has_room(&self) -> bool {
        self.answers.set((self.answers.get() + 1).min(MOST));
        self.answers.get() < MOST
    }

    /// All answers were forgotten.
    pub fn forget_answers(&mut self) {
        self.answers.set(0);
    }

    /// Bytes of what is kept, about.
    pub fn bytes(&self) -> u64 {
        // An answer, and an operation with its place, with what the allocator adds.
        (64 * self.answers.get() + 96 * self.numbers.borrow().len()) as u64
    }

    /// Adds what is to be known of operations, each with whether it fires in the present value of its object.
    pub fn add(&self, accesses: &[Access], firing: &[bool], out: &mut Vec<Noted>) {
        let (mut numbers, mut counts) = (self.numbers.borrow_mut(), self.counts.borrow_mut());
        out.extend(accesses.iter().zip(firing).map(|(access, &now)| {
            let number = numbers.get(&(*access, now)).copied().or_else(|| {
                let count = counts.entry(access.object).or_default();
                let next = (*count < MOST_OPERATIONS).then_some(*count)?;
                *count += 1;
                numbers.insert((*access, now), next);
                Some(next)
            });
            Noted { now, number }
        }));
    }
}

/// What of a value an answer depends on.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Looks {
    Nothing,
    Word(usize),
    Outline,
    /// More than is followed.
    Much,
}

impl Looks {
    /// This, and what another pair of operations looks at.
    pub fn and(self, glance: Glance) -> Looks {
        match (self, glance) {
            (looks, Glance::Nothing) => looks,
            (Looks::Nothing, Glance::Word(word)) => Looks::Word(word),
            (Looks::Word(one), Glance::Word(other)) if one == other => self,
            (Looks::Nothing | Looks::Outline, Glance::Outline) => Looks::Outline,
            _ => Looks::Much,
        }
    }
}

/// What was seen of a value: so many words, at most two.
pub type Seen = (usize, [i64; 2]);

/// These words, if they are few enough.
#[inline]
pub fn seen(words: &[i64]) -> Option<Seen> {
    match *words {
        [] => Some((0, [0; 2])),
        [one] => Some((1, [one, 0])),
        [one, other] => Some((2, [one, other])),
        _ => None,
    }
}

/// The answers for one operation, by what was seen and the kinds of operations: the alternatives, bit by bit.
#[derive(Debug)]
struct Answers {
    looks: Looks,
    known: Vec<(Seen, u64, u64)>,
}

/// The answers for the operations of others on one object, by their numbers.
#[derive(Debug, Default)]
pub struct Verdicts(RefCell<Vec<Option<Answers>>>);

impl Verdicts {
    /// What of the object's value the answer for an operation depends on, as `find` finds out once.
    #[inline]
    pub fn looks(&self, number: u32, find: impl FnOnce() -> Looks) -> Looks {
        let number = number as usize;
        if let Some(Some(answers)) = self.0.borrow().get(number) {
            return answers.looks;
        }
        let mut all = self.0.borrow_mut();
        if all.len() <= number {
            all.resize_with(number + 1, || None);
        }
        all[number].insert(Answers { looks: find(), known: Vec::new() }).looks
    }

    /// The alternatives, if they were kept. What was asked for last is found first.
    #[inline]
    pub fn recall(&self, number: u32, seen: Seen, kinds: u64) -> Option<u64> {
        let mut all = self.0.borrow_mut();
        let known = &mut all.get_mut(number as usize)?.as_mut()?.known;
        let at = known.iter().position(|known| known.1 == kinds && known.0 == seen)?;
        if at > 0 {
            known.swap(0, at);
        }
        Some(known[0].2)
    }

    /// Keeps them.
    pub fn keep(&self, number: u32, seen: Seen, kinds: u64, alternatives: u64) {
        if let Some(Some(answers)) = self.0.borrow_mut().get_mut(number as usize) {
            answers.known.truncate(MOST_ANSWERS - 1);
            answers.known.push((seen, kinds, alternatives));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_told_apart_by_what_was_seen_and_by_kinds() {
        let verdicts = Verdicts::default();
        assert_eq!(verdicts.looks(3, || Looks::Word(1)), Looks::Word(1));
        assert_eq!(verdicts.looks(3, || unreachable!("it is known")), Looks::Word(1));
        let (one, two) = ((1, [1, 0]), (1, [2, 0]));
        verdicts.keep(3, one, 0b1, 0b10);
        verdicts.keep(3, two, 0b1, 0b11);
        assert_eq!(verdicts.recall(3, two, 0b1), Some(0b11));
        assert_eq!(verdicts.recall(3, one, 0b1), Some(0b10));
        assert_eq!(verdicts.recall(3, one, 0b11), None);
        assert_eq!(verdicts.recall(4, one, 0b1), None);
    }

    #[test]
    fn more_answers_than_there_is_room_for_take_the_place_of_others() {
        let verdicts = Verdicts::default();
        verdicts.looks(0, || Looks::Nothing);
        for kinds in 0..100 {
            verdicts.keep(0, (0, [0; 2]), kinds, kinds + 1);
            assert_eq!(verdicts.recall(0, (0, [0; 2]), kinds), Some(kinds + 1));
        }
        let kept = (0..100).filter(|&kinds| verdicts.recall(0, (0, [0; 2]), kinds).is_some()).count();
        assert!((1..=MOST_ANSWERS).contains(&kept), "{kept}");
    }

    #[test]
    fn what_is_more_than_a_word_or_the_outline_is_not_followed() {
        let word = Looks::Nothing.and(Glance::Word(2));
        assert_eq!(word.and(Glance::Nothing).and(Glance::Word(2)), Looks::Word(2));
        assert_eq!(word.and(Glance::Word(1)), Looks::Much);
        assert_eq!(word.and(Glance::Outline), Looks::Much);
        assert_eq!(Looks::Nothing.and(Glance::Outline).and(Glance::Outline), Looks::Outline);
        assert_eq!(seen(&[1, 2, 3]), None);
    }
}
