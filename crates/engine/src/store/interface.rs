//! What a search asks of a store, whatever the store keeps of a state.
//!
//! Searches are generic over [`Store`], so each store gets its own copy of the search and no call is
//! dynamic. The interface is as narrow as the least store needs it to be:
//!
//! - **Bytes are decoded, not borrowed.** A tree keeps no contiguous bytes, and a compressed record keeps
//!   other bytes than the state has: [`Store::load`] writes them into a buffer. Only [`Store::state`], for
//!   counterexamples, borrows where that is possible.
//! - **Hashing is the store's own matter.** A tree needs no hash of the whole state. A store is told which
//!   state is under expansion ([`Store::prepare`]), so that it can look up only what a step changed.
//! - **References are held and released.** A store without records of its own (bit-state), or one that
//!   forgets (cache), must still name the states on the stack exactly: their bytes are needed when a
//!   step is executed again and for counterexamples, their colour for the proviso. So
//!   [`Insert::New`] gives a reference that the search *holds* until it calls [`Store::release`]; a
//!   reference that was not held is good only until the next insertion. A store that keeps everything
//!   ignores both. A store that does not keeps the held states in a place of their own, and answers
//!   [`Lookup::Passed`] or [`Insert::Passed`] for those it has seen and can't name any more.
//! - **Side data** (colour, parent, sleep set) can be set at any time through a reference that is good. What
//!   becomes of it after a release is up to the store. A passed state counts as closed, its component as
//!   complete. A search with sleep sets needs a store that still knows the sleep set of a passed state; such a
//!   state is named again by [`Store::recall`].
//! - **The order of insertion**, which breadth-first search uses as its queue, is asked of stores that have
//!   one: [`Ordered`].

use super::arena::{Side, StateRef};
use super::sketch::Sketch;
use crate::checkpoint::{Reader, Refusal, Writer};
use mazurka_model::Batch;
use std::borrow::Cow;
use std::io;
use std::ops::Range;

/// What became of an insertion.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Insert {
    /// The state is new, and this is its reference, which the caller holds.
    New(StateRef),
    /// It was there before. The reference is not held by this.
    Seen(StateRef),
    /// It was seen before, and the store can't name it any more. The number of the sleep set that it was left
    /// with; 0, the empty one, in a store that keeps none.
    Passed(u32),
    /// It is new, but there is no room for it. The set is unchanged.
    Full,
}

/// What a look for a state came to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Lookup {
    /// It was not visited, as far as the store knows.
    Absent,
    /// It was visited, and this is its reference.
    Stored(StateRef),
    /// It was visited, and the store can't name it any more. The number of the sleep set that it was left
    /// with.
    Passed(u32),
}

/// What a store says of itself when a search is over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recollection {
    /// How many states are to be expected that were met and taken for others. `None`: the store never does that.
    pub omissions: Option<f64>,
    /// States that were forgotten to make room, so that they are explored again if they are met again.
    pub replaced: u64,
    /// Bytes of a file that hold states.
    pub on_disk: u64,
    /// Why that file could not grow, if it could not.
    pub refused_by_disk: Option<io::ErrorKind>,
    /// Plain records have become a tree.
    pub tree: bool,
    /// An estimate of how many different states were entered, where that is not the number of all.
    pub distinct: Option<Sketch>,
}

/// The set of visited states.
pub trait Store {
    /// A state that was looked up together with others, as [`Store::prepare`] leaves it.
    type Question: Copy;

    /// Adds a state unless it is there.
    fn insert(&mut self, state: &[u8]) -> Insert;

    /// Looks up the states of a batch from number `from` on, all successors of `present`, whose
    /// reference is `parent`: all together, so that the processor can fetch them together. Clears
    /// `out` first, and writes one question for each.
    fn prepare(
        &mut self,
        parent: StateRef,
        present: &[u8],
        batch: &Batch,
        from: usize,
        out: &mut Vec<Self::Question>,
    );

    /// Whether it never takes a state for another, and forgets none.
    fn is_exact(&self) -> bool {
        true
    }

    /// Whether the successors of several states are best looked up together, by [`Store::ask`] and [`Store::fetch`].
    fn asks_several(&self) -> bool {
        false
    }

    /// Writes the bytes of a state into `out`, as [`Store::load`] does: of the one with this number among those that are opened together. They
    /// are opened in order, from 0 on.
    fn open(&mut self, _member: usize, state: StateRef, out: &mut Vec<u8>) {
        self.load(state, out);
    }

    /// Begins to look up the states of a batch, which may be successors of several states: writes a question for each. Those of each
    /// state that was [opened](Store::open) end before the number that `ends` says. Only for stores that [ask several](Store::asks_several).
    fn ask(
        &mut self,
        _batch: &Batch,
        _ends: impl Iterator<Item = usize> + Clone,
        _out: &mut Vec<Self::Question>,
    ) {
    }

    /// Looks for what was asked about all states of a batch.
    fn fetch(&mut self, _batch: &Batch, _out: &mut [Self::Question]) {}

    /// Asks the processor to fetch a stored state, which will be loaded soon.
    fn fetch_record(&self, _state: StateRef) {}

    /// What is known of a state that was prepared for. Nothing was inserted since. A store may put off looking for a state and
    /// answer [`Lookup::Absent`], as long as whoever is on the stack or has side data that was asked for is found.
    fn find_prepared(&self, question: Self::Question, state: &[u8]) -> Lookup;

    /// Adds a state that was prepared for, unless it is there. States of the same batch may have been
    /// inserted since.
    fn insert_prepared(&mut self, question: Self::Question, state: &[u8]) -> Insert;

    /// Adds those states of a batch that have these numbers, unless they are there; there is a question for each of the batch. `met` gets to
    /// know what became of each, and whether the others are to be added too is what it answers.
    fn insert_asked(
        &mut self,
        questions: &[Self::Question],
        batch: &Batch,
        numbers: Range<usize>,
        met: impl FnMut(Insert) -> bool,
    ) where
        Self: Sized,
    {
        insert_each(self, questions, batch, numbers, met);
    }

    /// A number under which a state that was prepared for can be inserted later, without being hashed again; 0 if
    /// there is none.
    fn mark(&self, _question: Self::Question) -> u64 {
        0
    }

    /// Asks the processor to fetch the place where a state with this mark is looked for.
    fn expect(&self, _mark: u64) {}

    /// Adds a state with this mark unless it is there. Others may have been inserted since it was prepared for.
    fn insert_marked(&mut self, _mark: u64, state: &[u8]) -> Insert {
        self.insert(state)
    }

    /// Holds a reference once more; it is good at present.
    fn hold(&mut self, _state: StateRef) {}

    /// Gives back a reference that was held; the store may forget the state once nobody holds it.
    fn release(&mut self, _state: StateRef) {}

    /// Names a passed state again, which gets this sleep set; the caller holds it. `None`: there is no room.
    fn recall(&mut self, state: &[u8], sleep: u32) -> Option<StateRef> {
        match self.insert(state) {
            Insert::New(reference) | Insert::Seen(reference) => {
                self.set_sleep(reference, sleep);
                Some(reference)
            }
            Insert::Passed(_) | Insert::Full => None,
        }
    }

    /// Writes the bytes of a state into `out`, which is cleared first.
    fn load(&self, state: StateRef, out: &mut Vec<u8>);

    /// The bytes of a state.
    fn state(&self, state: StateRef) -> Cow<'_, [u8]> {
        let mut out = Vec::new();
        self.load(state, &mut out);
        Cow::Owned(out)
    }

    /// The colour of a state; 0 at first.
    fn colour(&self, state: StateRef) -> u8;

    /// Colours a state.
    fn set_colour(&mut self, state: StateRef, colour: u8);

    /// The parent of a state, or another number that the search keeps there.
    fn parent(&self, state: StateRef) -> StateRef;

    /// Notes the parent of a state.
    fn set_parent(&mut self, state: StateRef, parent: StateRef);

    /// The number of a state's sleep set.
    fn sleep(&self, state: StateRef) -> u32;

    /// Notes the number of a state's sleep set.
    fn set_sleep(&mut self, state: StateRef, sleep: u32);

    /// States stored.
    fn len(&self) -> u64;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes allocated for all of it.
    fn bytes(&self) -> u64;

    /// The bytes that the store may use from now on; what it has beyond that it keeps.
    fn set_limit(&mut self, bytes: u64);

    /// Whether states were lost, because there was no room for them where they were to be kept from then on: the search has to end.
    fn is_lost(&self) -> bool {
        false
    }

    /// The length of the longest state stored, as the system writes it.
    fn longest(&self) -> usize;

    /// What became of the states that were entered.
    fn recollection(&self) -> Recollection {
        Recollection::default()
    }

    /// Writes all of it, for a checkpoint, with this side data.
    fn save(&self, side: Side, out: &mut Writer<'_>) -> io::Result<()>;

    /// Reads what was written into an empty store of the same making; references are the same afterwards.
    fn restore(&mut self, side: Side, from: &mut Reader) -> Result<(), Refusal>;
}

/// Adds states that were asked for to a store, one by one.
pub fn insert_each<S: Store>(
    store: &mut S,
    questions: &[S::Question],
    batch: &Batch,
    mut numbers: Range<usize>,
    mut met: impl FnMut(Insert) -> bool,
) {
    numbers.all(|number| met(store.insert_prepared(questions[number], batch.state(number))));
}

/// A store that knows in which order its states were inserted, and whose references last.
///
/// References are ordered as the states were inserted.
pub trait Ordered: Store {
    /// The first state, if there is any.
    fn first(&self) -> Option<StateRef>;

    /// The state inserted after `state`.
    fn after(&self, state: StateRef) -> Option<StateRef>;
}
