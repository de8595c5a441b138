//! The proviso by strong components (after Valmari's condition against ignoring).
//!
//! Take a strong component of the reduced graph that no explored edge leaves. If one of its states is
//! expanded fully, nothing is put off for ever in it: a step that is enabled somewhere in the component,
//! and not taken, stays enabled on the way to that state, because all steps taken on the way are
//! independent of it, and is taken there. From every state of the reduced graph such a component can be
//! reached, and all the while the steps taken commute with what is put off. So every step that can
//! be reached is taken somewhere, and what it asserts is judged in a state that agrees with the
//! original one in all that the step looks at. Components that can be left need nothing.
//!
//! **With sleep sets** the same holds of what is awake, if a step stays asleep only behind steps that are *apart*
//! from it: neither changes what the other uses. Say that a step of a sequence *can go first* if it is
//! independent of all that stand before it, each in the state in which it is taken; and that a sequence
//! *avoids* a sleep set if none of its steps is in that set and can go first. In a state let a sequence be possible
//! that avoids the state's sleep set (as it is in the end); at the initial state all do.
//!
//! - If a step that was explored here can go first: take one that woke up, explored at the last such visit; if there
//!   is none, one explored at the first visit; else one explored when the state was completed; of several the
//!   one explored first. The rest of the sequence avoids the sleep set behind it. For let a step that sleeps there
//!   be able to go first there. As it is apart from the step taken, it can go first here too. It
//!   slept here at that time: then it woke up later, because the sequence avoids what sleeps here in the
//!   end, and was explored; or it was explored here before. Either would have been preferred.
//! - Otherwise the set that was chosen at the first visit has no step of the sequence: the first such step could go
//!   first, because the set is persistent; it is awake in the end, so it was explored. So all steps of the set
//!   are independent of the sequence. Behind each that was explored at the first visit the sequence is
//!   possible, and avoids what sleeps: a step of it that sleeps there slept here too, as it is none of the
//!   set, and if it can go first there, then also here, where what it uses has the same value.
//!
//! The second case leads, along edges of first visits, to a state that is expanded fully, up to what sleeps in it,
//! and there the first case applies. So what counts for the proviso are the edges of first visits and of
//! completions, and never those of steps that woke up, which may depend on the sequence. Were sleep sets judged
//! by a conditional relation, behind a step of the set another step could go first that can't here.
//!
//! **The other provisos** are covered by the same argument, because all it needs of them is that edges of first visits lead
//! from every state that is reduced to one that is not. Where some edge of the set leads to a state that this
//! very expansion stored (closed set), states are stored in an order that increases along such edges, and they end. Where some edge
//! leads off the stack, states are left in an order that decreases along such edges. So sleep sets are judged by *apart* under each of
//! them, with one exception: where no step of a set uses an object that a step left out may ever use (local steps, and the sets of
//! Overman's algorithm), the steps of the set are apart from the whole sequence, and what can go first behind one of them can go first
//! before it by whatever relation. Sleep sets alone, without a proviso, need no such care.
//!
//! Components are found by Tarjan's algorithm: each state gets a number when it is entered; the lowest
//! number that is reached from below a level is passed up. A state of a component that is complete has
//! the number [`DONE`]. A state that is visited again for steps that woke up is a level to which no edge leads.
//! What is entered above it may lead to states of components that are not complete, so it stays with
//! these (`low`); what can be reached is passed up apart from that (`reach`). When a component is complete, each of
//! its states leads to one with a lower number in it, or to one that is expanded fully, or out of it.

use crate::store::{StateRef, Store};

/// The number of states whose component is complete.
const DONE: u32 = u32::MAX;

/// What is known of the component of a state on the stack.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// The lowest number of a state of its component that was met, on whatever way.
    pub(super) low: u32,
    /// The lowest number of such a state to which edges lead.
    pub(super) reach: u32,
    /// Edges lead to a state that was expanded fully.
    pub full: bool,
    /// Edges lead out of the component.
    pub(super) exit: bool,
}

impl Link {
    /// That of a level for steps that woke up: no edge leads to it.
    pub const DETACHED: Link = Link { low: u32::MAX, reach: u32::MAX, full: false, exit: false };

    /// Whether edges are known to lead to a state that was expanded fully, or out of the component.
    pub fn leads_on(&self) -> bool {
        self.full || self.exit
    }

    /// A level for steps that woke up ends, above the one with this link.
    pub fn join(&mut self, woken: Link) {
        self.low = self.low.min(woken.low);
    }
}

/// The components that are not complete.
#[derive(Debug, Default)]
pub struct Components {
    /// Their states, in the order in which they were entered.
    pub(super) open: Vec<StateRef>,
    pub(super) next: u32,
}

impl Components {
    /// Enters a new state.
    pub fn enter(&mut self, store: &mut impl Store, state: StateRef) -> Link {
        let number = self.next;
        self.next += 1;
        store.set_parent(state, StateRef(number));
        self.open.push(state);
        Link { low: number, reach: number, full: false, exit: false }
    }

    /// An edge to a state of a component that is complete, and that the store can't name any more.
    pub fn edge_out(link: &mut Link) {
        link.exit = true;
    }

    /// An edge to a state that was entered before.
    pub fn edge(&self, store: &impl Store, to: StateRef, link: &mut Link) {
        match store.parent(to).0 {
            DONE => link.exit = true,
            number => {
                link.low = link.low.min(number);
                link.reach = link.reach.min(number);
            }
        }
    }

    /// Whether no state that is expanded fully can be reached from a state that is about to be left, nor
    /// one that was entered before it.
    pub fn is_ignoring(&self, store: &impl Store, state: StateRef, link: Link) -> bool {
        !link.full && !link.exit && link.reach == store.parent(state).0
    }

    /// Leaves a state, below that with link `parent`. The states of a component are released once it is
    /// complete.
    pub fn leave(&mut self, store: &mut impl Store, state: StateRef, link: Link, parent: Option<&mut Link>) {
        if link.low == store.parent(state).0 {
            while let Some(member) = self.open.pop() {
                store.set_parent(member, StateRef(DONE));
                store.release(member);
                if member == state {
                    break;
                }
            }
            if let Some(parent) = parent {
                parent.exit = true;
            }
        } else if let Some(parent) = parent {
            parent.low = parent.low.min(link.low);
            parent.reach = parent.reach.min(link.reach);
            parent.full |= link.full;
            parent.exit |= link.exit;
        }
    }

    /// Bytes used.
    pub fn bytes(&self) -> u64 {
        (self.open.capacity() * size_of::<StateRef>()) as u64
    }
}
