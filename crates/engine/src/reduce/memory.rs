//! First sets of states, kept by what they were chosen by.
//!
//! Very many states of a search are alike as far as the choice of steps goes: processes are at the same places, the same
//! steps are enabled, channels have the same lengths. What was asked about a state while its set was sought is
//! noted ([`super::moves::questions`]); where another state gives the same answers, the set is the same, and need
//! not be sought. States with the same key share a list of questions. A list that grows makes the answers
//! useless that were given to the shorter one.
//!
//! Nothing is decided here: with this or without, the same sets are proposed.

use super::moves::Moves;
use super::moves::questions::Question;
use mazurka_model::Step;
use rapidhash::fast::RapidHasher;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// So many sets are kept, then all are forgotten.
const MOST_SETS: usize = 1 << 17;
/// So many states are asked about before it is judged whether that is worth it.
const TRIAL: u32 = 1 << 10;
/// With fewer hits than this it is not: what a miss costs more is about half of what a hit saves.
const LEAST: u32 = TRIAL / 4 * 3;
/// It is tried again after so many times as many states as before.
const REST: u32 = 4;
/// The longest rest, in states.
const LONGEST_REST: u32 = 1 << 20;
/// With so many different footprints nothing is kept any more.
const MOST_NUMBERS: usize = 1 << 16;

type ByWords<T> = HashMap<Box<[u64]>, T, BuildHasherDefault<RapidHasher<'static>>>;

/// What is known of states with the same key.
#[derive(Debug, Default)]
struct Likeness {
    questions: Vec<Question>,
    /// By answers: the set, or that there is none but the whole.
    sets: ByWords<Option<Box<[u16]>>>,
}

/// Sets of states like those met before.
#[derive(Debug, Default)]
pub struct Memory {
    numbers: ByWords<usize>,
    likenesses: Vec<Likeness>,
    /// How many sets are kept.
    sets: usize,
    /// Words of keys and answers.
    words: usize,
    key: Vec<u64>,
    answers: Vec<u64>,
    asked: Vec<Question>,
    /// Which likeness the state at hand has; nothing: none can be told.
    at: Option<usize>,
    tried: u32,
    hits: u32,
    /// States for which nothing is looked up.
    rest: u32,
    last_rest: u32,
}

impl Memory {
    /// Whether the next state is to be looked up.
    #[inline]
    pub fn is_awake(&mut self) -> bool {
        self.rest = self.rest.saturating_sub(1);
        self.rest == 0
    }

    /// The first set of a state with the answers of the present one, to which `moves` turned: whether there is one, in `set`.
    pub fn recall(
        &mut self,
        moves: &mut Moves<'_>,
        state: &[u8],
        enabled: &[Step],
        set: &mut Vec<usize>,
    ) -> Option<bool> {
        self.judge();
        self.at = None;
        if !moves.key(enabled, &mut self.key) || moves.numbered() > MOST_NUMBERS {
            self.rest = LONGEST_REST;
            return None;
        }
        let number = match self.numbers.get(self.key.as_slice()) {
            Some(number) => *number,
            None => {
                let number = self.likenesses.len();
                self.likenesses.push(Likeness::default());
                self.words += self.key.len();
                self.numbers.insert(self.key.as_slice().into(), number);
                number
            }
        };
        self.at = Some(number);
        let likeness = &self.likenesses[number];
        if likeness.sets.is_empty() {
            return None;
        }
        self.answers.clear();
        for question in &likeness.questions {
            moves.answer(state, enabled, *question, &mut self.answers);
        }
        let known = likeness.sets.get(self.answers.as_slice())?;
        self.hits += 1;
        set.clear();
        set.extend(known.iter().flat_map(|known| known.iter()).map(|&index| usize::from(index)));
        Some(known.is_some())
    }

    /// Keeps the set of the state that was not recalled; nothing: there was none.
    pub fn keep(&mut self, moves: &mut Moves<'_>, state: &[u8], enabled: &[Step], set: Option<&[usize]>) {
        moves.close_journal(&mut self.asked);
        let Some(number) = self.at.filter(|_| enabled.len() <= usize::from(u16::MAX)) else { return };
        if self.sets >= MOST_SETS {
            self.numbers.clear();
            self.likenesses.clear();
            (self.sets, self.words) = (0, 0);
            return;
        }
        let likeness = &mut self.likenesses[number];
        let mut grown = false;
        for question in &self.asked {
            grown |= likeness.ask(*question);
        }
        if grown {
            self.sets -= likeness.sets.len();
            self.words -= likeness.sets.keys().map(|answers| answers.len()).sum::<usize>();
            likeness.sets.clear();
        }
        self.answers.clear();
        for question in &likeness.questions {
            moves.answer(state, enabled, *question, &mut self.answers);
        }
        let set = set.map(|set| set.iter().map(|&index| index as u16).collect());
        if likeness.sets.insert(self.answers.as_slice().into(), set).is_none() {
            self.sets += 1;
            self.words += self.answers.len();
        }
    }

    /// Bytes of what is kept, about.
    pub fn bytes(&self) -> u64 {
        // A set, with what the table and the allocator add; and a likeness with its questions.
        const SET: usize = 96;
        const LIKENESS: usize = 256;
        (8 * self.words + SET * self.sets + LIKENESS * self.likenesses.len()) as u64
    }

    /// Counts a state, and rests for a while if looking up is in vain.
    fn judge(&mut self) {
        self.tried += 1;
        if self.tried < TRIAL {
            return;
        }
        if self.hits < LEAST {
            self.last_rest = (self.last_rest * REST).clamp(TRIAL * REST, LONGEST_REST);
            self.rest = self.last_rest;
        } else {
            self.last_rest = 0;
        }
        (self.tried, self.hits) = (0, 0);
    }
}

impl Likeness {
    /// Adds a question; whether it is new.
    fn ask(&mut self, question: Question) -> bool {
        if let Question::Value(object, words) = question {
            for known in &mut self.questions {
                if let Question::Value(other, all) = known
                    && *other == object
                {
                    let grown = words & !*all != 0;
                    *all |= words;
                    return grown;
                }
            }
        } else if self.questions.contains(&question) {
            return false;
        }
        self.questions.push(question);
        true
    }
}
