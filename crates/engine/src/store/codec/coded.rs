//! The exact set over compressed states.
//!
//! States are encoded first and looked up by their codes; equal states have equal codes. Only a state
//! whose bytes are asked for is decoded.

use super::Codec;
use crate::checkpoint::{Reader, Refusal, Writer};
use crate::store::arena::{Side, StateRef};
use crate::store::disk::StateFile;
use crate::store::exact::{Exact, Question as Inner};
use crate::store::interface::{Insert, Lookup, Ordered, Recollection, Store};
use crate::store::saved;
use mazurka_model::{Batch, Step};

/// Chunks are smaller than those of plain states: there are less bytes to put into them.
const CHUNK: usize = 1 << 18;

/// The exact set of the codes of visited states.
pub struct Coded<C> {
    codec: C,
    exact: Exact,
    limit: u64,
    longest: usize,
    /// The codes of the states that are looked up together.
    batch: Batch,
    questions: Vec<Inner>,
    code: Vec<u8>,
}

/// A state that was looked up together with others.
#[derive(Copy, Clone, Debug)]
pub struct Question {
    inner: Inner,
    /// Where its code is; `None`: it has none yet.
    code: Option<u32>,
}

impl<C: Codec> Coded<C> {
    /// An empty set that may use `limit` bytes.
    pub fn new(codec: C, side: Side, limit: Option<u64>) -> Coded<C> {
        let limit = limit.unwrap_or(u64::MAX);
        let exact = match C::SPARSE {
            true => Exact::new(None, side, Some(limit)),
            false => Exact::in_chunks(None, side, Some(limit), CHUNK),
        };
        let (batch, questions, code) = (Batch::default(), Vec::new(), Vec::new());
        Coded { codec, exact, limit, longest: 0, batch, questions, code }
    }

    /// The same with the codes in a file, if there is one.
    pub fn kept_in(self, file: Option<StateFile>) -> Coded<C> {
        Coded { exact: self.exact.kept_in(file), ..self }
    }

    fn share(&mut self) {
        self.exact.set_limit(self.limit.saturating_sub(self.codec.bytes()));
    }
}

impl<C: Codec> Store for Coded<C> {
    type Question = Question;

    fn insert(&mut self, state: &[u8]) -> Insert {
        self.code.clear();
        let learned = self.codec.bytes();
        let room = self.limit.saturating_sub(self.exact.bytes());
        if !self.codec.encode(state, room, &mut self.code) {
            return Insert::Full;
        }
        if self.codec.bytes() != learned {
            self.share();
        }
        self.longest = self.longest.max(state.len());
        self.exact.insert(&self.code)
    }

    fn prepare(
        &mut self,
        parent: StateRef,
        _present: &[u8],
        batch: &Batch,
        from: usize,
        out: &mut Vec<Question>,
    ) {
        self.batch.clear();
        for index in from..batch.len() {
            self.code.clear();
            let known = self.codec.find(batch.state(index), &mut self.code);
            self.batch.push(Step::default(), if known { &self.code } else { &[] });
        }
        // No code is empty, so none is taken for that of the parent, and an empty one is none.
        self.exact.prepare(parent, &[], &self.batch, 0, &mut self.questions);
        out.clear();
        out.extend(self.questions.iter().enumerate().map(|(index, inner)| {
            let known = !self.batch.state(index).is_empty();
            Question { inner: *inner, code: known.then_some(index as u32) }
        }));
    }

    fn find_prepared(&self, question: Question, _state: &[u8]) -> Lookup {
        match question.code {
            Some(index) => self.exact.find_prepared(question.inner, self.batch.state(index as usize)),
            None => Lookup::Absent,
        }
    }

    fn insert_prepared(&mut self, question: Question, state: &[u8]) -> Insert {
        self.longest = self.longest.max(state.len());
        match question.code {
            Some(index) => self.exact.insert_prepared(question.inner, self.batch.state(index as usize)),
            None => self.insert(state),
        }
    }

    fn load(&self, state: StateRef, out: &mut Vec<u8>) {
        out.clear();
        self.codec.decode(&self.exact.state(state), out);
    }

    fn colour(&self, state: StateRef) -> u8 {
        self.exact.colour(state)
    }

    fn set_colour(&mut self, state: StateRef, colour: u8) {
        self.exact.set_colour(state, colour);
    }

    fn parent(&self, state: StateRef) -> StateRef {
        self.exact.parent(state)
    }

    fn set_parent(&mut self, state: StateRef, parent: StateRef) {
        self.exact.set_parent(state, parent);
    }

    fn sleep(&self, state: StateRef) -> u32 {
        self.exact.sleep(state)
    }

    fn set_sleep(&mut self, state: StateRef, sleep: u32) {
        self.exact.set_sleep(state, sleep);
    }

    fn len(&self) -> u64 {
        self.exact.len()
    }

    fn bytes(&self) -> u64 {
        self.exact.bytes() + self.codec.bytes()
    }

    fn set_limit(&mut self, bytes: u64) {
        self.limit = bytes;
        self.share();
    }

    fn longest(&self) -> usize {
        self.longest
    }

    fn recollection(&self) -> Recollection {
        self.exact.recollection()
    }

    fn save(&self, side: Side, out: &mut Writer<'_>) -> std::io::Result<()> {
        saved::save_in_order(self, side, out)
    }

    fn restore(&mut self, side: Side, from: &mut Reader) -> Result<(), Refusal> {
        saved::restore_in_order(self, side, from)
    }
}

impl<C: Codec> Ordered for Coded<C> {
    fn first(&self) -> Option<StateRef> {
        self.exact.first()
    }

    fn after(&self, state: StateRef) -> Option<StateRef> {
        self.exact.after(state)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Encodes states of many kinds and decodes them again.
    pub(crate) fn comes_back(codec: &mut impl Codec) {
        let patterned = (0..2000usize).map(|i| (0..i % 300).map(|j| ((i * j) >> (i % 9)) as u8).collect());
        let runs = (0..300usize).map(|i| vec![(i % 256) as u8; i]);
        let states: Vec<Vec<u8>> = patterned.chain(runs).collect();
        for state in &states {
            let (mut code, mut back) = (Vec::new(), Vec::new());
            assert!(codec.encode(state, u64::MAX, &mut code));
            codec.decode(&code, &mut back);
            assert_eq!(&back, state);
        }
    }
}
