//! What the processes of a state may still do, and the steps they can take: kept from state to state for as long as a
//! process stands still.
//!
//! Successive states of a search differ in one process or two. Whose bytes are the same as in the state before
//! ([`mazurka_model::Frame`]) has the same futures, and its steps that last have the same footprints.

use super::{kinds_of, on_object};
use mazurka_model::{Frame, Future, ObjectId, ProcessId, Relations, Step};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::ops::Range;
use std::rc::Rc;

/// What the alternatives of a process may do, found by object.
pub(super) struct Futures {
    pub list: Vec<Future>,
    /// By object: which of `uses` it is, if any.
    by_object: Vec<Option<u32>>,
    uses: Vec<Use>,
    /// The alternatives that may do anything to every object.
    pub everything: Vec<usize>,
}

/// What the alternatives of a process may do to one object.
#[derive(Default)]
pub(super) struct Use {
    /// The kinds of operations, bit by bit.
    kinds: u64,
    /// The alternatives that use it, and where their operations on it stand among theirs.
    pub operations: Vec<(usize, Range<usize>)>,
}

impl Futures {
    fn new(mut list: Vec<Future>, objects: usize) -> Futures {
        let mut by_object = vec![None; objects];
        let mut uses: Vec<Use> = Vec::new();
        let mut everything = Vec::new();
        for (alternative, future) in list.iter_mut().enumerate() {
            future.accesses.sort_unstable();
            future.accesses.dedup();
            if future.everything {
                everything.push(alternative);
            }
            for group in future.accesses.chunk_by(|a, b| a.object == b.object) {
                let object = group[0].object;
                let number = *by_object[object.index()].get_or_insert_with(|| {
                    uses.push(Use::default());
                    uses.len() as u32 - 1
                });
                let one = &mut uses[number as usize];
                one.kinds |= kinds_of(group);
                one.operations.push((alternative, on_object(&future.accesses, object)));
            }
        }
        Futures { list, by_object, uses, everything }
    }

    /// What is done to an object.
    #[inline]
    pub fn on(&self, object: ObjectId) -> Option<&Use> {
        self.by_object[object.index()].map(|number| &self.uses[number as usize])
    }

    /// The kinds of operations on an object, bit by bit.
    #[inline]
    pub fn kinds(&self, object: ObjectId) -> u64 {
        if self.everything.is_empty() { self.on(object).map_or(0, |one| one.kinds) } else { u64::MAX }
    }
}

type ByStanding = HashMap<Box<[u8]>, Rc<Futures>, BuildHasherDefault<rapidhash::fast::RapidHasher<'static>>>;

/// The processes of a state.
pub(super) struct Processes<'s> {
    relations: &'s dyn Relations,
    /// By process, then what its futures depend on.
    known: Vec<ByStanding>,
    standing: Vec<u8>,
    /// The state at hand: where the bytes of processes stand in it, if that is told, and all its bytes.
    frames: Vec<Frame>,
    state: Vec<u8>,
    new: Vec<Frame>,
    /// By process: its futures.
    pub futures: Vec<Rc<Futures>>,
    /// The first node of each process, and the number of nodes.
    pub first: Vec<usize>,
    /// By node: its process.
    pub owner: Vec<u16>,
}

impl<'s> Processes<'s> {
    /// For a system with these relations.
    pub fn new(relations: &'s dyn Relations) -> Processes<'s> {
        Processes {
            relations,
            known: Vec::new(),
            standing: Vec::new(),
            frames: Vec::new(),
            state: Vec::new(),
            new: Vec::new(),
            futures: Vec::new(),
            first: Vec::new(),
            owner: Vec::new(),
        }
    }

    /// Turns to a state; `moved` is told the processes that may not be as they were.
    pub fn load(&mut self, state: &[u8], mut moved: impl FnMut(usize)) {
        let told = self.relations.frames(state, &mut self.new);
        if !told || self.new != self.frames || self.futures.len() != self.frames.len() {
            self.futures.clear();
            for process in 0..self.relations.processes(state) {
                let futures = self.futures_of(state, ProcessId(process as u16));
                self.futures.push(futures);
                moved(process);
            }
            self.number();
            std::mem::swap(&mut self.frames, &mut self.new);
        } else {
            let mut renumber = false;
            for process in 0..self.frames.len() {
                let frame = self.frames[process];
                if frame.of(state) == frame.of(&self.state) {
                    continue;
                }
                moved(process);
                let futures = self.futures_of(state, ProcessId(process as u16));
                renumber |= futures.list.len() != self.futures[process].list.len();
                self.futures[process] = futures;
            }
            if renumber {
                self.number();
            }
        }
        if told {
            self.state.clear();
            self.state.extend_from_slice(state);
        }
    }

    /// Numbers the alternatives of all processes.
    fn number(&mut self) {
        self.first.clear();
        self.owner.clear();
        for (process, futures) in self.futures.iter().enumerate() {
            self.first.push(self.owner.len());
            self.owner.extend(std::iter::repeat_n(process as u16, futures.list.len()));
        }
        self.first.push(self.owner.len());
    }

    fn futures_of(&mut self, state: &[u8], process: ProcessId) -> Rc<Futures> {
        if !self.relations.standing(state, process, &mut self.standing) {
            return self.compute(state, process);
        }
        if self.known.len() <= process.index() {
            self.known.resize_with(process.index() + 1, HashMap::default);
        }
        if let Some(futures) = self.known[process.index()].get(self.standing.as_slice()) {
            return futures.clone();
        }
        let futures = self.compute(state, process);
        self.known[process.index()].insert(self.standing.as_slice().into(), futures.clone());
        futures
    }

    fn compute(&self, state: &[u8], process: ProcessId) -> Rc<Futures> {
        let mut list = Vec::new();
        self.relations.futures(state, process, &mut list);
        Rc::new(Futures::new(list, self.relations.objects().len()))
    }

    /// Whether a step of the state at hand has the same footprint until its process moves.
    pub fn lasts(&self, state: &[u8], step: Step) -> bool {
        !self.state.is_empty() && self.relations.lasts(state, step)
    }
}
