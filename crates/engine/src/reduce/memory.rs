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
use super::words::Words;
use mazurka_model::Step;
use std::ops::Range;

/// So many sets are kept, then all are forgotten.
const MOST_SETS: usize = 1 << 17;
/// So many states are asked about before it is judged whether that is worth it.
const TRIAL: u32 = 1 << 10;
/// With fewer hits than this it is not.
const LEAST: u32 = TRIAL / 8 * 3;
/// It is tried again after so many times as many states as before.
const REST: u32 = 4;
/// The longest rest, in states.
const LONGEST_REST: u32 = 1 << 20;
/// With so many different footprints nothing is kept any more.
const MOST_NUMBERS: usize = 1 << 16;

/// What is known of states with the same key.
#[derive(Debug, Default)]
struct Likeness {
    questions: Vec<Question>,
    /// How often a question was added.
    grown: u32,
    /// Whether there are sets for the questions as they are.
    has_sets: bool,
}

/// Sets of states like those met before.
#[derive(Debug, Default)]
pub struct Memory {
    /// The keys, which have the numbers of their likenesses.
    keys: Words,
    likenesses: Vec<Likeness>,
    /// The answers to the questions of likenesses.
    answered: Words,
    /// By the number of the answers: the set, or that there is none but the whole.
    sets: Vec<Option<Range<u32>>>,
    indices: Vec<u16>,
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
        let number = self.keys.find(&self.key).unwrap_or_else(|| {
            self.likenesses.push(Likeness::default());
            self.keys.add(&self.key)
        }) as usize;
        self.at = Some(number);
        let likeness = &self.likenesses[number];
        if !likeness.has_sets {
            return None;
        }
        likeness.answer(number, moves, state, enabled, &mut self.answers);
        let known = self.answered.find(&self.answers)?;
        self.hits += 1;
        set.clear();
        let Some(known) = self.sets[known as usize].clone() else { return Some(false) };
        let known = &self.indices[known.start as usize..known.end as usize];
        set.extend(known.iter().map(|&index| usize::from(index)));
        Some(true)
    }

    /// Keeps the set of the state that was not recalled; nothing: there was none.
    pub fn keep(&mut self, moves: &mut Moves<'_>, state: &[u8], enabled: &[Step], set: Option<&[usize]>) {
        moves.close_journal(&mut self.asked);
        let Some(number) = self.at.filter(|_| enabled.len() <= usize::from(u16::MAX)) else { return };
        if self.sets.len() >= MOST_SETS {
            return self.forget();
        }
        let likeness = &mut self.likenesses[number];
        let mut grown = false;
        for question in &self.asked {
            grown |= likeness.ask(*question);
        }
        // What was answered before is not found again.
        likeness.grown += u32::from(grown);
        likeness.has_sets = true;
        likeness.answer(number, moves, state, enabled, &mut self.answers);
        if self.answered.find(&self.answers).is_none() {
            self.answered.add(&self.answers);
            let from = self.indices.len() as u32;
            self.indices.extend(set.into_iter().flatten().map(|&index| index as u16));
            self.sets.push(set.map(|_| from..self.indices.len() as u32));
        }
    }

    /// Forgets all sets.
    pub fn forget(&mut self) {
        self.keys = Words::default();
        self.likenesses = Vec::new();
        self.answered = Words::default();
        self.sets = Vec::new();
        self.indices = Vec::new();
        self.at = None;
    }

    /// Bytes of what is kept, about.
    pub fn bytes(&self) -> u64 {
        // A likeness with its questions, and a set with its steps.
        const LIKENESS: usize = 192;
        const SET: usize = 16;
        let rest = LIKENESS * self.likenesses.len() + SET * self.sets.len();
        self.keys.bytes() + self.answered.bytes() + rest as u64
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
    /// What a state answers to the questions of this likeness, which has this number.
    fn answer(
        &self,
        number: usize,
        moves: &mut Moves<'_>,
        state: &[u8],
        enabled: &[Step],
        out: &mut Vec<u64>,
    ) {
        out.clear();
        out.push((number as u64) << 32 | u64::from(self.grown));
        for question in &self.questions {
            moves.answer(state, enabled, *question, out);
        }
    }

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
