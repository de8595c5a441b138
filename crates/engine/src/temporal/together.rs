//! The graph of the system as several threads make it together: each state's edges are chosen by one of them, once for all.
//!
//! A thread that needs the edges of a state *claims* it, by an exchange that only one thread can win; the others wait until
//! the edges are there. States are in the lock-free store that parallel searches use ([`crate::store::Shared`]), edges in
//! cells that are written once.
//!
//! **The cycle condition** (C3): states where steps were left out form no cycle. A thread first claims a state, and then judges a set:
//! it follows the edges of states that are reduced, and refuses the set if it comes to a state that is claimed, its own one
//! included. Suppose there were a cycle of reduced states, and let *s* be the one that was claimed last. When *s* was judged, all
//! others had been claimed; on the way around from *s*, each was reduced already, and was followed, or still claimed. So the judge came
//! to a claimed state, at the latest to *s* itself, and refused. "Last" is the order of the fences that come between a claim and the judgement behind it,
//! which are in one order for all threads; what was written before one of them is read behind a later one. States known to
//! lead only to states that are expanded fully are *settled*, and not followed again.
//!
//! What is guaranteed is the same as in [`super::graph`]; which of the reduced graphs it is depends on the threads.

use super::choice::Choice;
use super::lasso::Terrain;
use super::segments::Segments;
use crate::outcome::Stop;
use crate::search::parallel::team::Team;
use crate::store::shared::Handle;
use crate::store::{Insert, Shared, StateRef};
use mazurka_model::{Atoms, Batch, Step, Violation};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering, fence};
use std::sync::{Mutex, OnceLock, PoisonError};

/// States searched for a way back before a set is refused.
const PATIENCE: usize = 4096;

/// How far a state is. Nobody has asked for its edges.
const UNCHOSEN: u8 = 0;
/// Some thread is choosing.
const CLAIMED: u8 = 1;
/// Steps were left out, and some state behind it may lead back.
const REDUCED: u8 = 2;
/// Nothing was left out, or nothing behind it can lead back.
const SETTLED: u8 = 3;

/// The edges of a state.
#[derive(Debug)]
struct Edges {
    targets: Box<[u32]>,
    stands_still: bool,
}

/// A state.
#[derive(Debug, Default)]
struct Node {
    status: AtomicU8,
    interior: AtomicBool,
    state: AtomicU32,
    /// None if the property does not see the state.
    letter: OnceLock<Option<u64>>,
    edges: OnceLock<Edges>,
}

/// What all threads know.
pub struct Together<'s> {
    atoms: &'s dyn Atoms,
    store: Shared,
    nodes: Segments<Node>,
    /// Numbers given out.
    numbers: AtomicU32,
    states: AtomicU64,
    edges: AtomicU64,
    overflow: Mutex<Option<(u32, Violation)>>,
    /// Whether a run that ends is continued by standing still.
    ends: bool,
}

impl<'s> Together<'s> {
    /// An empty graph, for so many threads.
    pub fn new(atoms: &'s dyn Atoms, ends: bool, memory: Option<u64>, threads: usize) -> Together<'s> {
        Together {
            atoms,
            store: Shared::new(None, true, memory, threads),
            nodes: Segments::new(1),
            numbers: AtomicU32::new(0),
            states: AtomicU64::new(0),
            edges: AtomicU64::new(0),
            overflow: Mutex::default(),
            ends,
        }
    }

    fn node(&self, number: u32) -> &Node {
        &self.nodes.get(number)[0]
    }

    /// Where the edges of a state lead; none if they are not chosen.
    pub fn successors(&self, node: u32) -> &[u32] {
        self.node(node).edges.get().map_or(&[], |edges| &edges.targets)
    }

    /// How many states and edges there are.
    pub fn size(&self) -> (u64, u64) {
        (self.states.load(Ordering::Relaxed), self.edges.load(Ordering::Relaxed))
    }

    /// Bytes allocated, about.
    pub fn bytes(&self) -> u64 {
        let (states, edges) = self.size();
        // What the allocator adds to a list of edges.
        self.store.bytes() + self.nodes.bytes() + 16 * states + 4 * edges
    }

    /// Tells how many bytes that the limit counts are used elsewhere than in the store.
    pub fn set_elsewhere(&self, bytes: u64) {
        self.store.set_elsewhere(bytes + self.bytes() - self.store.bytes());
    }

    /// A state, and the step there whose result can't be represented, if one was met.
    pub fn overflow(&self) -> Option<(u32, Violation)> {
        *self.overflow.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One thread's part in it.
pub struct Maker<'g> {
    together: &'g Together<'g>,
    choice: Choice<'g>,
    handle: Handle<'g>,
    /// A number for the next new state.
    spare: Option<u32>,
    /// The letters met, numbered by this thread.
    letters: HashMap<Option<u64>, u32>,
    present: Vec<u8>,
    targets: Vec<u32>,
    /// Why it can't go on.
    pub stopped: Option<Stop>,
}

impl<'g> Maker<'g> {
    /// A thread that chooses like this.
    pub fn new(together: &'g Together<'g>, choice: Choice<'g>) -> Maker<'g> {
        Maker {
            together,
            choice,
            handle: together.store.handle(),
            spare: None,
            letters: HashMap::new(),
            present: Vec::new(),
            targets: Vec::new(),
            stopped: None,
        }
    }

    /// The number of a state, which is added if it is new; `None` if there is no room.
    pub fn node(&mut self, state: &[u8], interior: bool) -> Option<u32> {
        enter(self.together, &mut self.handle, &mut self.spare, state, interior)
    }

    /// Whether the property does not see a state, unless a run ends there.
    pub fn is_overlooked(&mut self, node: u32) -> bool {
        let here = self.together.node(node);
        here.interior.load(Ordering::Relaxed) && {
            self.handle.load(StateRef(here.state.load(Ordering::Relaxed)), &mut self.present);
            !self.together.atoms.sees(&self.present)
        }
    }

    /// The letter of a state, by this thread's number and as bits, if it has one. The edges of one that is not seen must be chosen
    /// before: where a run ends, it is.
    pub fn read(&mut self, node: u32) -> (u32, Option<u64>) {
        let here = self.together.node(node);
        let bits = *here.letter.get_or_init(|| {
            self.handle.load(StateRef(here.state.load(Ordering::Relaxed)), &mut self.present);
            let ends = here.edges.get().is_some_and(|edges| edges.stands_still);
            let seen =
                ends || !here.interior.load(Ordering::Relaxed) || self.together.atoms.sees(&self.present);
            seen.then(|| self.together.atoms.letter(&self.present))
        });
        let next = self.letters.len() as u32;
        (*self.letters.entry(bits).or_insert(next), bits)
    }

    /// Chooses the edges of a state, or waits until another thread has, unless the team ends.
    pub fn choose(&mut self, node: u32, team: &Team) {
        let here = self.together.node(node);
        let claim = here.status.compare_exchange(UNCHOSEN, CLAIMED, Ordering::AcqRel, Ordering::Acquire);
        if claim.is_ok() {
            self.choose_claimed(node);
        }
        // Who waits, or asks for nothing new, must not keep others from making the table larger.
        self.handle.rest();
        while here.edges.get().is_none() && !team.ends() && self.stopped.is_none() {
            std::thread::yield_now();
        }
    }

    fn choose_claimed(&mut self, node: u32) {
        // Behind this, everything is known that others knew when they came here before.
        fence(Ordering::SeqCst);
        let together = self.together;
        let here = together.node(node);
        let mut present = std::mem::take(&mut self.present);
        self.handle.load(StateRef(here.state.load(Ordering::Relaxed)), &mut present);
        let Maker { choice, handle, .. } = self;
        let mut settled = true;
        let mut allows = |batch: &Batch| {
            let known = (0..batch.len()).map(|index| {
                let found = handle.find(batch.state(index))?;
                Some(handle.mark(found) as u32)
            });
            let judged = judge(together, known);
            settled = judged == Some(true);
            judged.is_some()
        };
        let reduced = choice.choose(&present, here.interior.load(Ordering::Relaxed), &mut allows);
        self.stopped = self.stopped.or(self.choice.stopped);
        if let Some(violation) = self.choice.overflow.take() {
            *together.overflow.lock().unwrap_or_else(PoisonError::into_inner) = Some((node, violation));
        }
        self.targets.clear();
        for batch in self.choice.edges() {
            for (index, successor) in batch.successors().iter().enumerate() {
                let (state, interior) = (batch.state(index), successor.interior);
                match enter(together, &mut self.handle, &mut self.spare, state, interior) {
                    Some(target) if self.targets.contains(&target) => {}
                    Some(target) => self.targets.push(target),
                    None => self.stopped = self.stopped.or(Some(Stop::Memory)),
                }
            }
        }
        self.present = present;
        if self.stopped.is_some() {
            // Edges may be missing, so nobody gets them.
            return;
        }
        let stands_still = self.targets.is_empty();
        if stands_still && together.ends {
            self.targets.push(node);
        }
        together.edges.fetch_add(self.targets.len() as u64, Ordering::Relaxed);
        // Only the thread that claimed the state sets them.
        let _ = here.edges.set(Edges { targets: self.targets.as_slice().into(), stands_still });
        let status = if reduced && !settled { REDUCED } else { SETTLED };
        here.status.store(status, Ordering::Release);
    }

    /// Where the edges of a state lead; none if they are not chosen.
    pub fn successors(&self, node: u32) -> &'g [u32] {
        self.together.successors(node)
    }

    /// Makes the letters of all states known to this thread. Calls `each` with every letter's number and bits.
    pub fn read_all(&mut self, mut each: impl FnMut(u32, Option<u64>)) {
        for node in 0..self.together.numbers.load(Ordering::Relaxed) {
            if let Some(&bits) = self.together.node(node).letter.get() {
                let next = self.letters.len() as u32;
                if *self.letters.entry(bits).or_insert(next) == next {
                    each(next, bits);
                }
            }
        }
    }

    /// Lets go of the table, before a time in which nothing is asked.
    pub fn rest(&mut self) {
        self.handle.rest();
    }

    /// Bytes of the buffers.
    pub fn bytes(&self) -> u64 {
        self.choice.bytes() + 24 * self.letters.capacity() as u64
    }

    /// Steps inside atomic regions that were passed.
    pub fn atomic_steps(&self) -> u64 {
        self.choice.atomic_steps()
    }

    /// Bytes of the longest state.
    pub fn longest(&self) -> u64 {
        self.handle.longest() as u64
    }
}

/// The number of a state, which is added if it is new; `None` if there is no room.
fn enter(
    together: &Together<'_>,
    handle: &mut Handle<'_>,
    spare: &mut Option<u32>,
    state: &[u8],
    interior: bool,
) -> Option<u32> {
    let number = match *spare {
        Some(number) => number,
        None => *spare.insert(together.numbers.fetch_add(1, Ordering::Relaxed)),
    };
    if number >= Segments::<Node>::END {
        return None;
    }
    let (reference, number) = match handle.insert(state, None, u64::from(number)) {
        Insert::New(reference) => {
            *spare = None;
            together.states.fetch_add(1, Ordering::Relaxed);
            (reference, number)
        }
        Insert::Seen(reference) => (reference, handle.mark(reference) as u32),
        Insert::Full | Insert::Passed(_) => return None,
    };
    // Whoever meets a state first, before its number is known to others through edges, writes the same.
    let node = together.node(number);
    node.state.store(reference.0, Ordering::Relaxed);
    node.interior.store(interior, Ordering::Relaxed);
    Some(number)
}

/// Whether a claimed state may be reduced to these successors, of which some may be unknown: `None` if not, else whether
/// everything behind it is settled.
fn judge(together: &Together<'_>, successors: impl Iterator<Item = Option<u32>>) -> Option<bool> {
    let mut settled = true;
    let mut seen: HashSet<u32> = HashSet::new();
    let mut open = Vec::new();
    let mut look = |target: u32, open: &mut Vec<u32>| {
        match together.node(target).status.load(Ordering::Acquire) {
            CLAIMED => return None,
            UNCHOSEN => settled = false,
            REDUCED if seen.insert(target) => open.push(target),
            _ => {}
        }
        (seen.len() <= PATIENCE).then_some(())
    };
    let mut unknown = false;
    for successor in successors {
        match successor {
            Some(target) => look(target, &mut open)?,
            None => unknown = true,
        }
    }
    while let Some(next) = open.pop() {
        for &target in together.successors(next) {
            look(target, &mut open)?;
        }
    }
    let settled = settled && !unknown;
    if settled {
        // Nothing behind these is open any more either.
        for node in seen {
            together.node(node).status.store(SETTLED, Ordering::Release);
        }
    }
    Some(settled)
}

impl Terrain for Maker<'_> {
    fn state(&mut self, node: u32) -> Cow<'_, [u8]> {
        let mut bytes = Vec::new();
        let reference = StateRef(self.together.node(node).state.load(Ordering::Relaxed));
        self.handle.load(reference, &mut bytes);
        Cow::Owned(bytes)
    }

    fn letter(&self, node: u32) -> u32 {
        let bits = self.together.node(node).letter.get();
        bits.and_then(|bits| self.letters.get(bits)).copied().unwrap_or(u32::MAX)
    }

    fn successors(&self, node: u32) -> &[u32] {
        self.together.successors(node)
    }

    fn stands_still(&self, node: u32) -> bool {
        self.together.node(node).edges.get().is_some_and(|edges| edges.stands_still)
    }

    fn hidden_steps(&mut self, node: u32) -> Vec<Step> {
        let state = self.state(node).into_owned();
        self.choice.hidden_steps(&state)
    }
}
