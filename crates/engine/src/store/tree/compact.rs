//! The compact tree: trees whose roots are kept in fewer bits than they have ([`quotient`](super::quotient)).
//!
//! A root stands in no fixed place, so a state can be named only while the search holds it: states on the
//! stack, or in a component that is not complete, are listed with their roots and side data
//! ([`held`](super::held)). All others are seen, and can't be named; and so are all where the search wants no side data. So there is no order of insertion and no sleep set; the set is exact all the same.

use super::held::Held;
use super::keys::{Key, Keys};
use super::mark::{mark, marked};
use super::met::{self, Foresight};
use super::parts::{Parts, SAMPLE, Visitor};
use super::quotient::Quotients;
use super::table::Column;
use crate::checkpoint::{Reader, Refusal, Writer};
use crate::store::arena::{Side, StateRef};
use crate::store::budget::Budget;
use crate::store::interface::{Insert, Lookup, Store};
use crate::store::lately::Lately;
use mazurka_model::{Batch, System};

/// With how many states it is asked whether another arrangement has fewer nodes.
const LOOK: usize = 4 * SAMPLE;

/// The set of visited states as trees with compact roots.
pub struct CompactTree<'s> {
    parts: Parts<'s>,
    roots: Quotients,
    /// The roots in the order of their insertion, as long as there are few: then it is asked whether another
    /// arrangement has fewer nodes, and they can't be listed otherwise.
    first: Option<Vec<Key>>,
    budget: Budget,
    present: Option<StateRef>,
    longest: usize,
    held: Held,
    /// Nobody asks whether a state is held.
    nameless: bool,
    /// The marks of states met lately, if that is so and there are many.
    lately: Option<Lately>,
}

/// A state that was looked up together with others.
#[derive(Copy, Clone, Debug)]
pub struct Question {
    /// The root; `None` if there is no room for some part of the state.
    root: Option<Key>,
    foresight: Foresight,
}

impl<'s> CompactTree<'s> {
    /// An empty set that may use `limit` bytes, for a search that wants this side data; there are no sleep sets.
    pub fn new(system: &'s dyn System, side: Side, limit: Option<u64>) -> CompactTree<'s> {
        let mut budget = Budget::new(limit);
        CompactTree {
            held: Held::new(Side { sleep: false, ..side }, &mut budget),
            parts: Parts::new(system),
            roots: Quotients::default(),
            first: Some(Vec::new()),
            budget,
            present: None,
            longest: 0,
            nameless: !side.colour && !side.parent,
            lately: None,
        }
    }

    /// Makes the set anew if another arrangement has fewer nodes and there is room for both. This can be done
    /// once, while there are few states; references last, and questions asked before are void.
    #[cold]
    pub fn rearrange(&mut self) {
        let Some(first) = self.first.take() else { return };
        let mut budget = self.budget.rest();
        let sample = first.iter().copied().step_by((first.len() / SAMPLE).max(1));
        // Roots are stored without what they have in common, of which pairs have most.
        let all = first.len() as u64;
        let Some(mut parts) = self.parts.rearranged(sample, all, 2, &mut budget) else { return };
        let mut roots = Quotients::default();
        let mut visitor = Visitor::new(&self.parts);
        let mut anew = |key: Key, budget: &mut Budget| parts.insert(visitor.state(key), budget);
        for key in &first {
            let inserted = anew(*key, &mut budget).and_then(|key| roots.insert(key, &mut budget));
            if inserted.is_none() {
                return;
            }
        }
        // Every state that is held was inserted, so its parts are there.
        let held: Option<Vec<Option<Key>>> = (self.held.roots())
            .map(|root| root.map_or(Some(None), |root| anew(root, &mut budget).map(Some)))
            .collect();
        let Some(held) = held else { return };
        self.held.replace(&held);
        let lately = self.lately.as_ref().map_or(0, Lately::bytes);
        self.budget.become_used(budget.used() + self.held.bytes() + lately);
        (self.parts, self.roots, self.present) = (parts, roots, None);
    }

    /// Marks are from before the set was made anew, or from after that.
    fn generation(&self) -> u64 {
        if self.first.is_some() { 1 } else { 2 }
    }

    /// Bytes of the roots in the order of their insertion.
    fn first_bytes(&self) -> u64 {
        self.first.as_ref().map_or(0, |first| first.capacity() * size_of::<Key>()) as u64
    }

    fn insert_root(&mut self, root: Key, length: usize) -> Insert {
        // Room for what is held comes first, so that no root is without.
        if self.held.reserve(&mut self.budget).is_none() {
            return Insert::Full;
        }
        match self.roots.insert(root, &mut self.budget) {
            None => Insert::Full,
            Some(false) => self.held.find(root).map_or(Insert::Passed(0), |at| Insert::Seen(StateRef(at))),
            Some(true) => {
                if let Some(first) = &mut self.first {
                    first.push(root);
                }
                self.longest = self.longest.max(length);
                if self.nameless {
                    met::follow(&mut self.lately, self.roots.len(), &mut self.budget);
                }
                Insert::New(StateRef(self.held.push(root)))
            }
        }
    }
}

impl Store for CompactTree<'_> {
    type Question = Question;

    fn insert(&mut self, state: &[u8]) -> Insert {
        self.present = None;
        match self.parts.insert(state, &mut self.budget) {
            Some(root) => self.insert_root(root, state.len()),
            None => Insert::Full,
        }
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
        if self.first.as_ref().is_some_and(|first| first.len() >= LOOK) {
            self.rearrange();
        }
        if self.present != Some(parent) {
            self.parts.come_to(self.held.root(parent.0), present);
            self.present = Some(parent);
        }
        for index in from..batch.len() {
            let root = self.parts.root(batch.state(index), &mut self.budget);
            if let Some(root) = root {
                self.roots.prefetch(root);
            }
            out.push(Question { root, foresight: Foresight::None });
        }
        if let Some(lately) = &self.lately {
            for question in out {
                let asked = question
                    .root
                    .map(|root| met::ask(lately, root.root(), Keys::hash(&root), self.generation()));
                question.foresight = asked.unwrap_or(Foresight::None);
            }
        }
    }

    fn find_prepared(&self, question: Question, _state: &[u8]) -> Lookup {
        let Some(root) = question.root else { return Lookup::Absent };
        match question.foresight {
            Foresight::Met => return Lookup::Passed(0),
            Foresight::Later => return Lookup::Absent,
            Foresight::None => {}
        }
        match self.held.find(root) {
            Some(at) => Lookup::Stored(StateRef(at)),
            None if self.roots.contains(root) => Lookup::Passed(0),
            None => Lookup::Absent,
        }
    }

    fn insert_prepared(&mut self, question: Question, state: &[u8]) -> Insert {
        match question.root {
            Some(root) => self.insert_root(root, state.len()),
            None => self.insert(state),
        }
    }

    #[inline]
    fn mark(&self, question: Question) -> u64 {
        question.root.map_or(0, |root| mark(root, self.generation()))
    }

    #[inline]
    fn insert_marked(&mut self, mark: u64, state: &[u8]) -> Insert {
        let Some(root) = marked(mark, self.generation()) else { return self.insert(state) };
        let inserted = self.insert_root(root, state.len());
        met::learn(&mut self.lately, root, mark, inserted);
        inserted
    }

    #[inline]
    fn expect(&self, mark: u64) {
        if let Some(root) = marked(mark, self.generation()) {
            self.roots.prefetch(root);
        }
    }

    fn hold(&mut self, state: StateRef) {
        self.held.hold(state.0);
    }

    fn release(&mut self, state: StateRef) {
        // The number may be given to another state.
        if self.held.release(state.0) && self.present == Some(state) {
            self.present = None;
        }
    }

    fn load(&self, state: StateRef, out: &mut Vec<u8>) {
        self.parts.load(self.held.root(state.0), out);
    }

    fn colour(&self, state: StateRef) -> u8 {
        self.held.colour(state.0)
    }

    fn set_colour(&mut self, state: StateRef, colour: u8) {
        self.held.set_colour(state.0, colour);
    }

    fn parent(&self, state: StateRef) -> StateRef {
        self.held.parent(state.0)
    }

    fn set_parent(&mut self, state: StateRef, parent: StateRef) {
        self.held.set_parent(state.0, parent);
    }

    /// Sleep sets can't be kept: every step counts as awake.
    fn sleep(&self, _state: StateRef) -> u32 {
        0
    }

    fn set_sleep(&mut self, _state: StateRef, _sleep: u32) {}

    fn len(&self) -> u64 {
        self.roots.len()
    }

    fn bytes(&self) -> u64 {
        self.budget.used() + self.first_bytes()
    }

    fn set_limit(&mut self, bytes: u64) {
        self.budget.set_limit(bytes.saturating_sub(self.first_bytes()));
    }

    fn longest(&self) -> usize {
        self.longest
    }

    fn save(&self, _side: Side, _out: &mut Writer<'_>) -> std::io::Result<()> {
        Err(std::io::Error::other("the states of a compact tree can't be listed"))
    }

    fn restore(&mut self, _side: Side, _from: &mut Reader) -> Result<(), Refusal> {
        Err(Refusal::Damaged("a compact tree is never saved"))
    }
}
