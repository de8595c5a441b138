//! What the processes of a state may still do, and what is known of the moves they have, kept by their bytes.
//!
//! Successive states of a search differ in one process or two, and the bytes of a process alone ([`mazurka_model::Frame`])
//! come again in very many states. Where they do, it has the same futures, its steps that last have the same
//! footprints, and so with what its moves wait for. All this holds only as long as the list of frames stays the same.

use super::verdicts::{Noted, Verdicts};
use super::{kinds_of, on_object};
use crate::reduce::words::Words;
use mazurka_model::{Access, Footprint, Frame, Future, ObjectId, Obstacles, ProcessId, Relations, Step};
use rapidhash::fast::RapidHasher;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::ops::Range;
use std::rc::Rc;

/// What the alternatives of a process may do, found by object.
pub(super) struct Futures {
    /// What tells them from those of the same process at another place; 0: nothing does.
    pub number: u64,
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
    pub kinds: u64,
    /// The alternatives that use it, and where their operations on it stand among theirs.
    pub operations: Vec<(usize, Range<usize>)>,
    /// Which of them might interact with operations of others.
    pub verdicts: Verdicts,
}

impl Futures {
    fn new(number: u64, mut list: Vec<Future>, objects: usize) -> Futures {
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
        Futures { number, list, by_object, uses, everything }
    }

    /// Bytes of all this but the verdicts, about.
    fn bytes(&self) -> u64 {
        let accesses: usize = self.list.iter().map(|future| future.accesses.capacity()).sum();
        let operations: usize = self.uses.iter().map(|one| one.operations.capacity()).sum();
        let lists = self.list.len() * size_of::<Future>()
            + self.by_object.len() * size_of::<Option<u32>>()
            + self.uses.len() * size_of::<Use>();
        (size_of::<Futures>()
            + lists
            + accesses * size_of::<Access>()
            + operations * size_of::<(usize, Range<usize>)>()) as u64
    }

    /// What is done to an object.
    #[inline]
    pub fn on(&self, object: ObjectId) -> Option<&Use> {
        self.by_object[object.index()].map(|number| &self.uses[number as usize])
    }

    /// The operations of a use.
    pub fn operations<'a>(&'a self, one: &'a Use) -> impl Iterator<Item = &'a Access> + 'a {
        one.operations.iter().flat_map(|(at, range)| &self.list[*at].accesses[range.clone()])
    }

    /// The kinds of operations on an object, bit by bit.
    #[inline]
    pub fn kinds(&self, object: ObjectId) -> u64 {
        if self.everything.is_empty() { self.on(object).map_or(0, |one| one.kinds) } else { u64::MAX }
    }
}

/// What is known of a process with certain bytes.
pub(super) struct Stand {
    futures: Rc<Futures>,
    /// Its steps that last, and what they do.
    steps: RefCell<Vec<(Step, Kept<Footprint>)>>,
    /// What its alternatives wait for, as far as that lasts.
    obstacles: RefCell<Vec<Awaited>>,
    /// Whether it can only move locally, once that was asked.
    local: Cell<Option<bool>>,
}

/// What an alternative waits for: always, or in states with a number.
struct Awaited {
    alternative: usize,
    number: Option<u64>,
    obstacles: Kept<Obstacles>,
}

/// Something that is kept.
pub(super) type Kept<T> = Rc<Known<T>>;

/// What a step does or a move waits for.
pub(super) struct Known<T> {
    pub what: T,
    /// What there is to know of its operations, in their order.
    pub noted: Vec<Noted>,
    /// Its number, where it got one.
    pub number: Cell<Option<u64>>,
}

impl<T: Clone> Known<T> {
    pub fn new(what: &T, noted: Vec<Noted>) -> Kept<T> {
        Rc::new(Known { what: what.clone(), noted, number: Cell::default() })
    }

    /// Bytes of this, about.
    pub fn bytes(&self) -> usize {
        // For each operation there is a note. Besides, there is a place in a list for it, and what the allocator adds to each list.
        size_of::<Known<T>>() + self.noted.len() * (size_of::<Access>() + size_of::<Noted>()) + PLACE
    }
}

impl Stand {
    /// What a step does, if that was kept.
    pub fn step(&self, step: Step) -> Option<Kept<Footprint>> {
        self.steps.borrow().iter().find(|(kept, _)| *kept == step).map(|(_, footprint)| footprint.clone())
    }

    /// The number of what a step does, if that was kept and has one.
    pub fn number_of(&self, step: Step) -> Option<u64> {
        let all = self.steps.borrow();
        all.iter().find(|(kept, _)| *kept == step).and_then(|(_, footprint)| footprint.number.get())
    }

    /// Keeps what a step does.
    pub fn keep_step(&self, step: Step, footprint: Kept<Footprint>) {
        self.steps.borrow_mut().push((step, footprint));
    }

    /// What an alternative waits for, if that was kept: always, or in states with this number.
    pub fn obstacles(&self, alternative: usize, number: Option<u64>) -> Option<Kept<Obstacles>> {
        let all = self.obstacles.borrow();
        let found = all.iter().find(|kept| kept.alternative == alternative && kept.number == number)?;
        Some(found.obstacles.clone())
    }

    /// Keeps what an alternative waits for.
    pub fn keep_obstacles(&self, alternative: usize, number: Option<u64>, obstacles: Kept<Obstacles>) {
        self.obstacles.borrow_mut().push(Awaited { alternative, number, obstacles });
    }

    /// Whether the process can only move locally, as `find` finds out once.
    pub fn is_local(&self, find: impl FnOnce() -> bool) -> bool {
        let local = self.local.get().unwrap_or_else(find);
        self.local.set(Some(local));
        local
    }
}

type ByBytes<T> = HashMap<Box<[u8]>, Rc<T>, BuildHasherDefault<RapidHasher<'static>>>;

/// What a place in a table takes, with what the allocator adds to each thing that is kept there.
const PLACE: usize = 96;
/// So many stands of a process are kept.
const MOST_STANDS: usize = 1 << 12;
/// So many configurations are told apart, then they get new numbers.
const MOST_CONFIGURATIONS: usize = 1 << 15;

/// The processes of a state.
pub(super) struct Processes<'s> {
    relations: &'s dyn Relations,
    /// By process, then what its futures depend on.
    known: Vec<ByBytes<Futures>>,
    /// How many futures got a number.
    numbers: u64,
    /// By process, then its bytes: as long as the list of frames is the same.
    stands: Vec<ByBytes<Stand>>,
    /// Bytes of what is known of stands, by process, and of futures.
    stand_bytes: Vec<u64>,
    future_bytes: u64,
    standing: Vec<u8>,
    /// The state at hand: where the bytes of processes stand in it, if that is told, and all its bytes.
    frames: Vec<Frame>,
    state: Vec<u8>,
    new: Vec<Frame>,
    /// By process: what is known of it, if frames are told.
    pub present: Vec<Rc<Stand>>,
    /// By process: its futures.
    pub futures: Vec<Rc<Futures>>,
    /// The first node of each process, and the number of nodes.
    pub first: Vec<usize>,
    /// By node: its process.
    pub owner: Vec<u16>,
    /// The most alternatives of a process.
    pub most: usize,
    /// The number of the futures that all processes have together, if frames are told and each of them has a number.
    pub configuration: Option<u32>,
    configurations: Words,
    /// How many configurations were forgotten.
    forgotten: u32,
    words: Vec<u64>,
}

impl<'s> Processes<'s> {
    /// For a system with these relations.
    pub fn new(relations: &'s dyn Relations) -> Processes<'s> {
        Processes {
            relations,
            known: Vec::new(),
            numbers: 0,
            stands: Vec::new(),
            stand_bytes: Vec::new(),
            future_bytes: 0,
            standing: Vec::new(),
            frames: Vec::new(),
            state: Vec::new(),
            new: Vec::new(),
            present: Vec::new(),
            futures: Vec::new(),
            first: Vec::new(),
            owner: Vec::new(),
            most: 0,
            configuration: None,
            configurations: Words::default(),
            forgotten: 0,
            words: Vec::new(),
        }
    }

    /// Turns to a state.
    pub fn load(&mut self, state: &[u8]) {
        if self.relations.frames_stay() && self.is_told() {
            return self.follow(state);
        }
        if !self.relations.frames(state, &mut self.new) {
            self.present.clear();
            self.futures.clear();
            for process in 0..self.relations.processes(state) {
                let futures = self.futures_of(state, ProcessId(process as u16));
                self.futures.push(futures);
            }
            self.configuration = None;
            return self.number();
        }
        if self.new == self.frames && self.is_told() {
            self.follow(state);
        } else {
            std::mem::swap(&mut self.frames, &mut self.new);
            self.stands.clear();
            self.stands.resize_with(self.frames.len(), HashMap::default);
            self.stand_bytes.clear();
            self.stand_bytes.resize(self.frames.len(), 0);
            self.present.clear();
            self.futures.clear();
            for process in 0..self.frames.len() {
                let stand = self.stand_of(state, process);
                self.futures.push(stand.futures.clone());
                self.present.push(stand);
            }
            self.number();
            self.configure();
            self.state.clear();
            self.state.extend_from_slice(state);
        }
    }

    /// Whether the frames of the state at hand are told.
    fn is_told(&self) -> bool {
        !self.frames.is_empty() && self.present.len() == self.frames.len()
    }

    /// Whether this turned to a state with these bytes.
    pub fn is_at(&self, state: &[u8]) -> bool {
        self.is_told() && self.state == state
    }

    /// Turns to a state with the same frames.
    fn follow(&mut self, state: &[u8]) {
        let (mut renumber, mut changed) = (false, false);
        for process in 0..self.frames.len() {
            let frame = self.frames[process];
            if frame.of(state) == frame.of(&self.state) {
                continue;
            }
            let stand = self.stand_of(state, process);
            if !Rc::ptr_eq(&stand.futures, &self.futures[process]) {
                changed = true;
                renumber |= stand.futures.list.len() != self.futures[process].list.len();
                self.futures[process] = stand.futures.clone();
            }
            self.present[process] = stand;
        }
        if renumber {
            self.number();
        }
        if changed {
            self.configure();
        }
        self.state.clear();
        self.state.extend_from_slice(state);
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
        self.most = self.futures.iter().map(|futures| futures.list.len()).max().unwrap_or(0);
    }

    /// Numbers the futures of all processes together.
    fn configure(&mut self) {
        self.words.clear();
        self.words.extend(self.futures.iter().map(|futures| futures.number));
        if self.words.contains(&0) {
            self.configuration = None;
            return;
        }
        let number = self.configurations.find(&self.words).unwrap_or_else(|| {
            if self.configurations.len() >= MOST_CONFIGURATIONS {
                self.forget_configurations();
            }
            self.configurations.add(&self.words)
        });
        // A number is never given twice.
        self.configuration = self.forgotten.checked_add(number).filter(|_| self.forgotten < u32::MAX);
    }

    /// Numbers them anew; a number is never given twice.
    fn forget_configurations(&mut self) {
        self.forgotten = self.forgotten.saturating_add(self.configurations.len() as u32);
        self.configurations.clear();
    }

    /// Forgets all that is known of processes.
    pub fn forget(&mut self) {
        self.known.clear();
        self.future_bytes = 0;
        self.stands.clear();
        self.stand_bytes.clear();
        self.frames.clear();
        self.present.clear();
        self.forget_configurations();
    }

    /// Takes note that so many bytes more are known of how a process stands.
    pub fn add_bytes(&mut self, process: ProcessId, bytes: usize) {
        if let Some(all) = self.stand_bytes.get_mut(process.index()) {
            *all += bytes as u64;
        }
    }

    /// Bytes of what is kept, about.
    pub fn bytes(&self) -> u64 {
        self.stand_bytes.iter().sum::<u64>() + self.future_bytes + self.configurations.bytes()
    }

    fn stand_of(&mut self, state: &[u8], process: usize) -> Rc<Stand> {
        let bytes = self.frames[process].of(state);
        if let Some(stand) = self.stands[process].get(bytes) {
            return stand.clone();
        }
        let futures = self.futures_of(state, ProcessId(process as u16));
        let stand = Rc::new(Stand {
            futures,
            steps: RefCell::default(),
            obstacles: RefCell::default(),
            local: Cell::default(),
        });
        let stands = &mut self.stands[process];
        let all = &mut self.stand_bytes[process];
        if stands.len() >= MOST_STANDS {
            stands.clear();
            *all = 0;
        }
        *all += (bytes.len() + size_of::<Stand>() + PLACE) as u64;
        stands.insert(bytes.into(), stand.clone());
        stand
    }

    fn futures_of(&mut self, state: &[u8], process: ProcessId) -> Rc<Futures> {
        if !self.relations.standing(state, process, &mut self.standing) {
            return self.compute(0, state, process);
        }
        if self.known.len() <= process.index() {
            self.known.resize_with(process.index() + 1, HashMap::default);
        }
        if let Some(futures) = self.known[process.index()].get(self.standing.as_slice()) {
            return futures.clone();
        }
        self.numbers += 1;
        let futures = self.compute(self.numbers, state, process);
        self.future_bytes += futures.bytes() + (self.standing.len() + PLACE) as u64;
        self.known[process.index()].insert(self.standing.as_slice().into(), futures.clone());
        futures
    }

    fn compute(&self, number: u64, state: &[u8], process: ProcessId) -> Rc<Futures> {
        let mut list = Vec::new();
        self.relations.futures(state, process, &mut list);
        Rc::new(Futures::new(number, list, self.relations.objects().len()))
    }
}
