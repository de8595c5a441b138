//! A store that keeps the states on the stack exactly, and of all others what its set (`visited`) makes of them.
//!
//! What is on the stack is needed in full: for counterexamples, for steps executed again, and for the stack
//! proviso, which must not take a state for one on the stack, or the other way round. A state is looked for
//! there first, and then in the set. So a state enters the stack when it is new, and when it is released
//! the set alone has to remember it.
//!
//! Where a search wants no side data, it does not ask whether a state is on the stack, and may hold states in any order (`loose`); the
//! successors of several states are looked up together then.

use super::bitstate::Bitstate;
use super::interface::{Insert, Lookup, Recollection, Store};
use super::loose::Loose;
use super::on_stack::OnStack;
use super::pack::StateHash;
use super::saved::Saved;
use super::sketch::Sketch;
use super::visited::{Met, Prompt, Visited};
use super::{Side, StateRef, hash};
use crate::checkpoint::{Reader, Refusal, Writer};
use mazurka_model::Batch;
use std::io;
use std::ops::Range;

/// The states on the stack, and a set for the rest.
#[derive(Debug)]
pub struct Forgetful<V> {
    stack: OnStack,
    /// What is held, where nobody asks what is on the stack, which is empty then.
    loose: Option<Loose>,
    hash: StateHash,
    visited: V,
    entered: Sketch,
    states: u64,
    longest: usize,
    limit: u64,
    /// The hashes of the states that are looked up together.
    hashes: Vec<u64>,
}

impl<V: Visited> Forgetful<V> {
    /// An empty store with this set; both together may use `limit` bytes.
    pub fn new(visited: V, limit: Option<u64>) -> Forgetful<V> {
        Forgetful {
            stack: OnStack::default(),
            loose: None,
            hash: StateHash::Words,
            visited,
            entered: Sketch::default(),
            states: 0,
            longest: 0,
            limit: limit.unwrap_or(u64::MAX),
            hashes: Vec::new(),
        }
    }
}

impl<V: Visited> Forgetful<V> {
    /// What became of a state whose turn has come, which is held if it is new.
    #[inline(always)]
    fn met(&mut self, met: Met, hash: u64, state: &[u8]) -> Insert {
        match met {
            Met::Visited(sleep) => return Insert::Passed(sleep),
            Met::Full => return Insert::Full,
            Met::Entered => {}
        }
        self.entered.add(hash);
        self.states += 1;
        self.longest = self.longest.max(state.len());
        Insert::New(StateRef(match &mut self.loose {
            Some(loose) => loose.push(state),
            None => self.stack.push(hash, state, 0),
        }))
    }

    /// Bytes of the states that are held.
    fn held_bytes(&self) -> u64 {
        self.stack.allocated() + self.loose.as_ref().map_or(0, Loose::allocated)
    }
}

impl<V: Prompt> Forgetful<V> {
    /// An empty store for a search that wants this side data. If it wants none, it makes no difference to it whether a state that was
    /// visited is on the stack, and the set is enough.
    pub fn for_side(visited: V, side: Side, limit: Option<u64>) -> Forgetful<V> {
        let store = Forgetful::new(visited, limit);
        if side != Side::default() {
            return store;
        }
        let (stack, loose) = (OnStack::without_table(), Some(Loose::default()));
        Forgetful { stack, loose, hash: StateHash::quickest(), ..store }
    }
}

impl Forgetful<Bitstate> {
    /// So many states of so many bytes will be put on the stack.
    pub fn expect_on_stack(&mut self, states: usize, bytes: usize) {
        self.stack.reserve(states, bytes);
    }

    /// Puts a state on the stack that another store had there, and that was [passed](Forgetful::pass).
    pub fn put_on_stack(&mut self, state: &[u8]) -> StateRef {
        let hash = hash(state);
        if let Some(number) = self.stack.find(hash, state) {
            self.stack.hold(number);
            return StateRef(number);
        }
        StateRef(self.stack.push(hash, state, 0))
    }

    /// A state that another store has visited.
    pub fn pass(&mut self, state: &[u8]) {
        let hash = hash(state);
        self.visited.enter(hash, state);
        self.entered.add(hash);
        self.states += 1;
        self.longest = self.longest.max(state.len());
    }

    /// None of the states so far was lost: they were told apart when they were met.
    pub fn all_known(&mut self) {
        self.visited.forgive();
    }
}

/// A state that was looked up together with others.
#[derive(Copy, Clone, Debug)]
pub struct Question<P> {
    hash: u64,
    /// None if it was asked together with the successors of other states.
    place: Option<P>,
    /// Then, whether it is known to have been visited.
    known: bool,
}

impl<V: Visited> Store for Forgetful<V> {
    type Question = Question<V::Place>;

    fn insert(&mut self, state: &[u8]) -> Insert {
        self.insert_marked(0, state)
    }

    #[inline]
    fn mark(&self, question: Question<V::Place>) -> u64 {
        question.hash
    }

    #[inline]
    fn expect(&self, mark: u64) {
        self.stack.prefetch(mark);
        self.visited.fetch(mark);
    }

    /// The mark is the hash; 0 may be one that is not known.
    #[inline]
    fn insert_marked(&mut self, mark: u64, state: &[u8]) -> Insert {
        let hash = if mark == 0 { self.hash.of(state) } else { mark };
        if let Some(number) = self.stack.find(hash, state) {
            return Insert::Seen(StateRef(number));
        }
        let room = self.held_bytes() <= self.limit;
        let met = self.visited.meet_or_enter(hash, state, room);
        self.met(met, hash, state)
    }

    fn is_exact(&self) -> bool {
        false
    }

    fn asks_several(&self) -> bool {
        self.loose.is_some()
    }

    #[inline]
    fn ask(
        &mut self,
        batch: &Batch,
        _ends: impl Iterator<Item = usize> + Clone,
        out: &mut Vec<Question<V::Place>>,
    ) {
        out.clear();
        out.reserve(batch.len());
        self.hash.of_all(batch, |hash| {
            self.visited.fetch(hash);
            out.push(Question { hash, place: None, known: false });
        });
    }

    #[inline]
    fn fetch(&mut self, _batch: &Batch, questions: &mut [Question<V::Place>]) {
        // All of them before one is added: that takes no jumps, which the processor could not foresee.
        questions.iter_mut().for_each(|question| question.known = self.visited.is_fetched(question.hash));
    }

    fn prepare(
        &mut self,
        _parent: StateRef,
        _present: &[u8],
        batch: &Batch,
        from: usize,
        out: &mut Vec<Question<V::Place>>,
    ) {
        out.clear();
        let mut next = true;
        // All hashes come first: what is known of one may be guessed wrongly by the processor, which would have to begin those after it anew.
        self.hashes.clear();
        self.hashes.extend((from..batch.len()).map(|index| {
            let hash = self.hash.of(batch.state(index));
            self.visited.announce(hash);
            hash
        }));
        out.extend(self.hashes.iter().map(|hash| {
            self.stack.prefetch(*hash);
            Question { hash: *hash, place: Some(self.visited.place(*hash, &mut next)), known: false }
        }));
    }

    #[inline]
    fn find_prepared(&self, question: Question<V::Place>, state: &[u8]) -> Lookup {
        // On the stack first: where the set also knows such a state, it knows no sleep set yet.
        if let Some(number) = self.stack.find(question.hash, state) {
            return Lookup::Stored(StateRef(number));
        }
        match question.place.and_then(|place| self.visited.find(place, question.hash, state)) {
            Some(sleep) => Lookup::Passed(sleep),
            None => Lookup::Absent,
        }
    }

    #[inline]
    fn insert_prepared(&mut self, question: Question<V::Place>, state: &[u8]) -> Insert {
        if question.place.is_some() {
            return self.insert_marked(question.hash, state);
        }
        let room = self.held_bytes() <= self.limit;
        let met = self.visited.meet_fetched(question.hash, state, room);
        self.met(met, question.hash, state)
    }

    #[inline]
    fn insert_asked(
        &mut self,
        questions: &[Question<V::Place>],
        batch: &Batch,
        numbers: Range<usize>,
        mut met: impl FnMut(Insert) -> bool,
    ) {
        let mut room = self.held_bytes() <= self.limit;
        for number in numbers {
            let question = questions[number];
            if question.known {
                if met(Insert::Passed(0)) {
                    continue;
                }
                return;
            }
            let state = batch.state(number);
            let inserted = if question.place.is_some() {
                self.insert_marked(question.hash, state)
            } else {
                let met = self.visited.meet_fetched(question.hash, state, room);
                self.met(met, question.hash, state)
            };
            if let Insert::New(_) = inserted {
                room = self.held_bytes() <= self.limit;
            }
            if !met(inserted) {
                return;
            }
        }
    }

    fn hold(&mut self, state: StateRef) {
        match &mut self.loose {
            Some(loose) => loose.hold(state.0),
            None => self.stack.hold(state.0),
        }
    }

    #[inline]
    fn release(&mut self, state: StateRef) {
        if let Some(loose) = &mut self.loose {
            return loose.release(state.0);
        }
        if self.stack.release(state.0) {
            let visited = &mut self.visited;
            self.stack.pop(|hash, state, sleep| visited.leave(hash, state, sleep));
        }
    }

    fn recall(&mut self, state: &[u8], sleep: u32) -> Option<StateRef> {
        let hash = self.hash.of(state);
        if self.held_bytes() > self.limit {
            return None;
        }
        self.visited.recall(hash, state);
        Some(StateRef(self.stack.push(hash, state, sleep)))
    }

    fn load(&self, state: StateRef, out: &mut Vec<u8>) {
        out.clear();
        out.extend_from_slice(match &self.loose {
            Some(loose) => loose.state(state.0),
            None => self.stack.state(state.0),
        });
    }

    fn colour(&self, state: StateRef) -> u8 {
        self.stack.colour(state.0)
    }

    fn set_colour(&mut self, state: StateRef, colour: u8) {
        self.stack.set_colour(state.0, colour);
    }

    /// Only the stack proviso is granted with this store: nothing is kept of components or parents.
    fn parent(&self, state: StateRef) -> StateRef {
        state
    }

    fn set_parent(&mut self, _state: StateRef, _parent: StateRef) {}

    fn sleep(&self, state: StateRef) -> u32 {
        self.stack.sleep(state.0)
    }

    fn set_sleep(&mut self, state: StateRef, sleep: u32) {
        self.stack.set_sleep(state.0, sleep);
    }

    fn len(&self) -> u64 {
        self.states
    }

    fn bytes(&self) -> u64 {
        self.visited.bytes() + self.held_bytes()
    }

    fn set_limit(&mut self, bytes: u64) {
        self.limit = bytes;
        self.visited.set_limit(bytes.saturating_sub(self.held_bytes()));
    }

    fn longest(&self) -> usize {
        self.longest
    }

    fn recollection(&self) -> Recollection {
        self.visited.recollection(&self.entered)
    }

    fn save(&self, _side: Side, out: &mut Writer<'_>) -> io::Result<()> {
        out.u64(self.states)?;
        out.u64(self.longest as u64)?;
        self.entered.save(out)?;
        out.u8(self.hash as u8)?;
        match &self.loose {
            Some(loose) => loose.save(out)?,
            None => self.stack.save(out)?,
        }
        self.visited.save(out)
    }

    fn restore(&mut self, _side: Side, from: &mut Reader) -> Result<(), Refusal> {
        self.states = from.u64()?;
        self.longest = from.u64()? as usize;
        self.entered.restore(from)?;
        if from.u8()? != self.hash as u8 {
            return Err(Refusal::Processor);
        }
        match &mut self.loose {
            Some(loose) => loose.restore(from)?,
            None => self.stack.restore(from)?,
        }
        self.visited.restore(from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::cache::Cache;
    use crate::store::compact::Compact;

    type Through = Box<dyn FnMut(&[&[u8]]) -> Vec<Insert>>;

    fn sets() -> Vec<(&'static str, Through)> {
        fn through<V: Visited>(mut store: Forgetful<V>) -> impl FnMut(&[&[u8]]) -> Vec<Insert> {
            move |states| {
                states
                    .iter()
                    .map(|state| {
                        let result = store.insert(state);
                        if let Insert::New(reference) = result {
                            assert_eq!(&*store.state(reference), *state);
                            store.set_sleep(reference, 7);
                            assert_eq!(store.insert(state), Insert::Seen(reference), "it is on the stack");
                            store.release(reference);
                        }
                        result
                    })
                    .collect()
            }
        }
        let bits = Bitstate::new(1 << 16, 6, 0).unwrap();
        vec![
            ("bitstate", Box::new(through(Forgetful::new(bits, None)))),
            ("compact", Box::new(through(Forgetful::new(Compact::new(true, None), None)))),
            ("cache", Box::new(through(Forgetful::new(Cache::new(None), None)))),
        ]
    }

    #[test]
    fn a_released_state_is_passed_with_its_sleep_set_where_that_is_kept() {
        for (name, mut insert) in sets() {
            let sleep = if name == "bitstate" { 0 } else { 7 };
            let results = insert(&[b"one", b"two", b"one", b"two", b"three"]);
            let expected = [
                Insert::New(StateRef(0)),
                Insert::New(StateRef(0)),
                Insert::Passed(sleep),
                Insert::Passed(sleep),
                Insert::New(StateRef(0)),
            ];
            assert_eq!(results, expected, "{name}");
        }
    }

    #[test]
    fn a_search_that_keeps_nothing_beside_states_is_not_told_which_are_on_the_stack() {
        let bits = Bitstate::new(1 << 16, 6, 0).unwrap();
        let mut store = Forgetful::for_side(bits, Side::default(), None);
        let Insert::New(first) = store.insert(b"a") else { panic!("it is new") };
        assert_eq!(store.insert(b"a"), Insert::Passed(0));
        assert_eq!(&*store.state(first), b"a");
        store.release(first);
        let bits = Bitstate::new(1 << 16, 6, 0).unwrap();
        let mut store = Forgetful::for_side(bits, Side { colour: true, ..Side::default() }, None);
        let Insert::New(first) = store.insert(b"a") else { panic!("it is new") };
        assert_eq!(store.insert(b"a"), Insert::Seen(first));
    }

    #[test]
    fn a_recalled_state_is_on_the_stack_until_all_let_go() {
        let mut store = Forgetful::new(Cache::new(None), None);
        let Insert::New(first) = store.insert(b"a") else { panic!("it is new") };
        store.release(first);
        let again = store.recall(b"a", 3).unwrap();
        store.hold(again);
        store.release(again);
        assert_eq!(store.insert(b"a"), Insert::Seen(again));
        store.release(again);
        assert_eq!(store.insert(b"a"), Insert::Passed(3));
    }
}
