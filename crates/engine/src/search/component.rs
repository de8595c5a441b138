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
//! Components are found by Tarjan's algorithm: each state gets a number when it is entered; the lowest
//! number that is reached from below a level is passed up. A state of a component that is complete has
//! the number [`DONE`].

use crate::store::{StateRef, Store};

/// The number of states whose component is complete.
const DONE: u32 = u32::MAX;

/// What is known of the component of a state on the stack.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// The lowest number of a state of its component that was reached.
    pub(super) low: u32,
    /// Some state was expanded fully.
    pub full: bool,
    /// Some edge leads out of the component.
    pub(super) exit: bool,
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
        Link { low: number, full: false, exit: false }
    }

    /// An edge to a state of a component that is complete, and that the store can't name any more.
    pub fn edge_out(link: &mut Link) {
        link.exit = true;
    }

    /// An edge to a state that was entered before.
    pub fn edge(&self, store: &impl Store, to: StateRef, link: &mut Link) {
        match store.parent(to).0 {
            DONE => link.exit = true,
            number => link.low = link.low.min(number),
        }
    }

    /// Whether the state is the first of a component that is complete, can't be left, and has no state
    /// that was expanded fully.
    pub fn is_ignoring(&self, store: &impl Store, state: StateRef, link: Link) -> bool {
        !link.full && !link.exit && link.low == store.parent(state).0
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
            parent.full |= link.full;
            parent.exit |= link.exit;
        }
    }

    /// Bytes used.
    pub fn bytes(&self) -> u64 {
        (self.open.capacity() * size_of::<StateRef>()) as u64
    }
}
