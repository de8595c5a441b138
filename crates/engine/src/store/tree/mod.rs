//! States as trees of numbered pairs (recursive indexing; Laarman, van de Pol, Weber 2011).
//!
//! A state is cut into leaves of a few words ([`shape`]). Leaves are numbered, pairs of numbers are numbered
//! again, level by level, and the pair at the root stands for the state. States share what they have in
//! common: as long as a system has many more states than its parts have, a state costs little more than
//! its root.
//!
//! A step changes a few leaves, so only the numbers on the paths above these are looked up; the rest is that
//! of the state before, whose numbers are kept for each shape. When another state is expanded, its numbers are found from its
//! root down, as far as they are not those of the state before.
//!
//! The parts of successors are stored when they are looked up, their roots when the search enters them. So the key of a root
//! is all that is needed by then; the search keeps it as a mark.
//!
//! How a state is arranged decides how many nodes there are. At first neighbours stand together; once there are
//! some thousand states they say which parts move together ([`arrange`]), and the set is made anew.
//!
//! Nothing is lost, and a number never changes: the tree is an exact set with references that last. Each
//! level of the tree has a table of its own, so that the numbers on it stay small ([`keys`]).

pub mod arrange;
pub mod compact;
pub mod held;
pub mod keys;
pub mod levels;
mod mark;
pub mod members;
mod met;
pub mod parts;
pub mod quotient;
pub mod recent;
pub mod shape;
mod squeeze;
pub mod table;
pub mod values;
mod word;
pub mod words;

use super::arena::{Side, StateRef};
use super::budget::Budget;
use super::interface::{Insert, Lookup, Ordered, Store};
use super::lately::Lately;
use super::saved;
use super::side_data::SideData;
use crate::checkpoint::{Reader, Refusal, Writer};
use keys::{Key, Keys};
use mark::{mark_of, marked};
use mazurka_model::{Batch, System};
use met::Foresight;
use parts::{Parts, Visitor};
use table::{Column, Likely, Table};

/// With how many states it is first asked whether another arrangement has fewer nodes.
const FIRST_LOOK: u32 = parts::SAMPLE as u32;
/// How many times as many there are when it is asked again.
const LOOK_AGAIN: u32 = 16;

/// How many states further it is looked whether one was met lately.
const BEHIND: usize = 2;

/// A state that was looked up together with others.
#[derive(Copy, Clone, Debug)]
pub struct Question {
    /// Its root as a [word](Key::root), and the hash of that.
    root: u64,
    hash: u64,
    answer: Answer,
}

impl Question {
    #[inline]
    fn new(root: Option<u64>) -> Question {
        let answer = if root.is_some() { Answer::Unsure } else { Answer::Absent };
        let root = root.unwrap_or_default();
        Question { root, hash: Keys::hash_of(root), answer }
    }
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Answer {
    /// There is no room for some part of the state.
    Absent,
    /// The root is to be looked up.
    Unsure,
    /// The same, and the bucket where it belongs is full of others.
    Further,
    Found(StateRef),
    /// It was met lately, and nobody asks for its reference.
    Met,
    /// It was not met lately, and is looked up when its turn comes.
    Later,
}

/// The set of visited states as trees.
pub struct Tree<'s> {
    parts: Parts<'s>,
    roots: Table<Keys>,
    /// The state that was prepared for last.
    present: Option<StateRef>,
    /// How often the set was made anew, which makes marks void; from 1 on.
    generation: u64,
    /// The same when questions were asked last.
    asked: u64,
    /// They were about the successors of several states.
    together: bool,
    side: SideData,
    budget: Budget,
    longest: usize,
    /// How many states there will be when it is next asked whether another arrangement has fewer nodes.
    next_look: u32,
    /// Nobody asks for the references of visited states.
    nameless: bool,
    /// The marks of states met lately, if that is so and there are many.
    lately: Option<Lately>,
}

impl<'s> Tree<'s> {
    /// An empty set that may use `limit` bytes.
    pub fn new(system: &'s dyn System, side: Side, limit: Option<u64>) -> Tree<'s> {
        let mut budget = Budget::new(limit);
        Tree {
            parts: Parts::new(system),
            roots: Table::new(Keys::default(), &mut budget),
            present: None,
            generation: 1,
            asked: 1,
            together: false,
            side: SideData::new(side),
            budget,
            longest: 0,
            next_look: FIRST_LOOK,
            nameless: false,
            lately: None,
        }
    }

    /// The same for a search that wants to know of a visited state only that it is one: depth first without side data.
    pub fn nameless(self) -> Tree<'s> {
        debug_assert!(self.side.is_empty(), "side data is asked for by reference");
        Tree { nameless: true, ..self }
    }

    /// Makes the set anew if another arrangement has fewer nodes. The states keep their references; questions
    /// asked before are void. If there is no room for both, all stays as it is.
    #[cold]
    pub fn rearrange(&mut self) {
        let mut budget = self.budget.rest();
        let keys = (0..self.roots.len()).map(|number| self.roots.keys().get(number));
        let sample = keys.clone().step_by((keys.len() / self.parts.sample_size(self.budget.limit())).max(1));
        let all = self.roots.len().into();
        if let Some(parts) = self.parts.rearranged(sample, all, arrange::MOST_PARTS, &mut budget) {
            self.make_anew(parts, budget);
        }
    }

    #[inline]
    fn rearrange_if_due(&mut self) {
        if self.roots.len() >= self.next_look {
            self.next_look = self.next_look.saturating_mul(LOOK_AGAIN);
            self.rearrange();
        }
    }

    /// Moves to a set with these parts, which is empty. If there is no room for both, all stays as it is. Whether that was done.
    fn make_anew(&mut self, mut parts: Parts<'s>, mut budget: Budget) -> bool {
        let mut roots = Table::new(Keys::default(), &mut budget);
        let mut visitor = Visitor::new(&self.parts);
        for number in 0..self.roots.len() {
            let state = visitor.state(self.roots.keys().get(number));
            let inserted = parts.insert(state, &mut budget).and_then(|key| roots.insert(&key, &mut budget));
            if inserted.is_none() {
                return false;
            }
        }
        let lately = self.lately.as_ref().map_or(0, Lately::bytes);
        self.budget.become_used(budget.used() + self.side.bytes() + lately);
        (self.parts, self.roots, self.present) = (parts, roots, None);
        self.generation += 1;
        true
    }

    /// There was no key for a state: makes the set anew if that is because numbers have become too large.
    #[cold]
    fn raise(&mut self) -> bool {
        let mut budget = self.budget.rest();
        self.parts.raised(&mut budget).is_some_and(|parts| self.make_anew(parts, budget))
    }

    fn insert_root(&mut self, key: Key, hash: u64, length: usize) -> Insert {
        // Room for the side data comes first, so that no root is without.
        if self.side.reserve(&mut self.budget).is_none() {
            return Insert::Full;
        }
        match self.roots.insert_hashed(&key, hash, &mut self.budget) {
            None => Insert::Full,
            Some((number, false)) => Insert::Seen(StateRef(number)),
            Some((number, true)) => {
                self.side.push();
                self.longest = self.longest.max(length);
                if self.nameless {
                    met::follow(&mut self.lately, self.roots.len().into(), &mut self.budget);
                }
                Insert::New(StateRef(number))
            }
        }
    }

    /// Answers each open question with the root that it most likely is, if it is that.
    #[inline]
    fn look_for_likely(&self, questions: &mut [Question]) {
        let mut crowded = false;
        for question in questions.iter_mut().filter(|q| q.answer == Answer::Unsure) {
            match self.roots.likely(question.hash) {
                Likely::At(number) => question.answer = Answer::Found(StateRef(number)),
                Likely::Absent => {}
                Likely::Further => {
                    question.answer = Answer::Further;
                    crowded = true;
                }
            }
        }
        if crowded {
            for question in questions.iter_mut().filter(|q| q.answer == Answer::Further) {
                question.answer = match self.roots.likely_further(question.hash) {
                    Likely::At(number) => Answer::Found(StateRef(number)),
                    Likely::Absent | Likely::Further => Answer::Unsure,
                };
            }
        }
        for question in questions.iter_mut() {
            if let Answer::Found(state) = question.answer {
                if self.roots.keys().word(state.0) != question.root {
                    question.answer = Answer::Unsure;
                } else if self.together {
                    self.note(*question);
                }
            }
        }
    }

    /// The root that was asked for is there, and was met just now.
    #[inline]
    fn note(&self, Question { root, hash, .. }: Question) {
        let mark = mark_of(root, self.generation);
        if let Some(lately) = &self.lately
            && mark != 0
        {
            lately.note(hash, mark);
        }
    }

    /// What is known of the roots of a batch by those met lately. False: they have to be looked up.
    #[inline]
    fn foresee(&self, questions: &mut [Question]) -> bool {
        let Some(lately) = &self.lately else { return false };
        for question in questions.iter_mut().filter(|q| q.answer == Answer::Unsure) {
            question.answer = match met::ask(lately, question.root, question.hash, self.generation) {
                Foresight::Met => Answer::Met,
                Foresight::Later => Answer::Later,
                Foresight::None => Answer::Unsure,
            };
        }
        lately.is_foreseen()
    }
}

/// Answers a question about a root that was met lately, and otherwise asks the processor to fetch the place where it is looked for.
#[inline(always)]
fn expect(roots: &Table<Keys>, lately: &Lately, generation: u64, question: &mut Question) {
    let mark = mark_of(question.root, generation);
    // A root that is too large for a mark has none; where nothing was met there is none either.
    if question.answer == Answer::Unsure && mark != 0 && lately.has(question.hash, mark) {
        question.answer = Answer::Met;
    } else {
        roots.prefetch(question.hash);
    }
}

impl Store for Tree<'_> {
    type Question = Question;

    fn insert(&mut self, state: &[u8]) -> Insert {
        self.present = None;
        match self.parts.insert(state, &mut self.budget) {
            Some(key) => self.insert_root(key, Keys::hash(&key), state.len()),
            None if self.raise() => self.insert(state),
            None => Insert::Full,
        }
    }

    fn asks_several(&self) -> bool {
        true
    }

    fn open(&mut self, member: usize, state: StateRef, out: &mut Vec<u8>) {
        // Later it would be too late: the numbers of those that are open would be void.
        if member == 0 {
            self.rearrange_if_due();
        }
        self.parts.open(member == 0, self.roots.keys().get(state.0), out);
    }

    fn ask(&mut self, batch: &Batch, ends: impl Iterator<Item = usize> + Clone, out: &mut Vec<Question>) {
        out.clear();
        (self.asked, self.together, self.present) = (self.generation, true, None);
        let (roots, lately, generation) = (&self.roots, self.lately.as_ref(), self.generation);
        self.parts.roots(batch, ends, &mut self.budget, |root| {
            let question = Question::new(root);
            match lately {
                Some(lately) => lately.prefetch(question.hash),
                None => roots.prefetch(question.hash),
            }
            out.push(question);
            if let Some(lately) = lately
                && let Some(before) = out.len().checked_sub(1 + BEHIND)
            {
                expect(roots, lately, generation, &mut out[before]);
            }
        });
        if let Some(lately) = lately {
            let left = out.len().saturating_sub(BEHIND);
            out[left..].iter_mut().for_each(|question| expect(roots, lately, generation, question));
        }
    }

    fn fetch(&mut self, _batch: &Batch, out: &mut [Question]) {
        self.look_for_likely(out);
    }

    #[inline]
    fn fetch_record(&self, state: StateRef) {
        self.roots.keys().prefetch(state.0);
    }

    fn prepare(
        &mut self,
        parent: StateRef,
        present: &[u8],
        batch: &Batch,
        from: usize,
        out: &mut Vec<Question>,
    ) {
        out.clear();
        self.rearrange_if_due();
        (self.asked, self.together) = (self.generation, false);
        // From here on successors differ from the latest state only in what their step changed.
        if self.present != Some(parent) {
            self.parts.come_to(self.roots.keys().get(parent.0), present);
            self.present = Some(parent);
        }
        for index in from..batch.len() {
            let root = self.parts.root(batch.state(index), &mut self.budget);
            let question = Question::new(root.map(Key::root));
            self.roots.prefetch(question.hash);
            if let Some(lately) = &self.lately {
                lately.prefetch(question.hash);
            }
            out.push(question);
        }
        if self.foresee(out) {
            return;
        }
        self.look_for_likely(out);
    }

    #[inline]
    fn find_prepared(&self, question: Question, _state: &[u8]) -> Lookup {
        let found = match question.answer {
            Answer::Absent | Answer::Later => None,
            Answer::Unsure | Answer::Further => {
                self.roots.find_hashed(&Key::of_whole(question.root), question.hash).map(StateRef)
            }
            Answer::Found(state) => Some(state),
            Answer::Met => return Lookup::Passed(0),
        };
        found.map_or(Lookup::Absent, Lookup::Stored)
    }

    fn insert_prepared(&mut self, question: Question, state: &[u8]) -> Insert {
        match question.answer {
            Answer::Found(state) => Insert::Seen(state),
            Answer::Met => Insert::Passed(0),
            Answer::Absent => self.insert(state),
            // The set was made anew since, and the key is none of it.
            _ if self.asked != self.generation => self.insert(state),
            Answer::Unsure | Answer::Further | Answer::Later => {
                let root = Key::of_whole(question.root);
                let inserted = self.insert_root(root, question.hash, state.len());
                if self.together && inserted != Insert::Full {
                    self.note(question);
                }
                inserted
            }
        }
    }

    #[inline]
    fn mark(&self, question: Question) -> u64 {
        match question.answer {
            Answer::Absent => 0,
            _ => mark_of(question.root, self.generation),
        }
    }

    #[inline]
    fn expect(&self, mark: u64) {
        if let Some(key) = marked(mark, self.generation) {
            self.roots.prefetch(Keys::hash(&key));
        }
    }

    #[inline]
    fn insert_marked(&mut self, mark: u64, state: &[u8]) -> Insert {
        let Some(key) = marked(mark, self.generation) else { return self.insert(state) };
        let inserted = self.insert_root(key, Keys::hash(&key), state.len());
        met::learn(&mut self.lately, key, mark, inserted);
        inserted
    }

    fn load(&self, state: StateRef, out: &mut Vec<u8>) {
        self.parts.load(self.roots.keys().get(state.0), out);
    }

    #[inline]
    fn colour(&self, state: StateRef) -> u8 {
        self.side.colour(state)
    }

    #[inline]
    fn set_colour(&mut self, state: StateRef, colour: u8) {
        self.side.set_colour(state, colour);
    }

    #[inline]
    fn parent(&self, state: StateRef) -> StateRef {
        self.side.parent(state)
    }

    #[inline]
    fn set_parent(&mut self, state: StateRef, parent: StateRef) {
        self.side.set_parent(state, parent);
    }

    #[inline]
    fn sleep(&self, state: StateRef) -> u32 {
        self.side.sleep(state)
    }

    #[inline]
    fn set_sleep(&mut self, state: StateRef, sleep: u32) {
        self.side.set_sleep(state, sleep);
    }

    fn len(&self) -> u64 {
        self.roots.len().into()
    }

    fn bytes(&self) -> u64 {
        self.budget.used()
    }

    fn set_limit(&mut self, bytes: u64) {
        self.budget.set_limit(bytes);
    }

    fn longest(&self) -> usize {
        self.longest
    }

    fn save(&self, side: Side, out: &mut Writer<'_>) -> std::io::Result<()> {
        saved::save_in_order(self, side, out)
    }

    fn restore(&mut self, side: Side, from: &mut Reader) -> Result<(), Refusal> {
        saved::restore_in_order(self, side, from)
    }
}

impl Ordered for Tree<'_> {
    fn first(&self) -> Option<StateRef> {
        (self.roots.len() > 0).then_some(StateRef(0))
    }

    fn after(&self, state: StateRef) -> Option<StateRef> {
        (state.0 + 1 < self.roots.len()).then_some(StateRef(state.0 + 1))
    }
}
