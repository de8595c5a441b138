//! Where a graph keeps the states of the system: any store that can name all of them, under any codec.
//!
//! A product state refers to a state by a number, and its letter, edges and bytes are asked for again and again, so a store that
//! forgets states, or takes them for others, can't be used.

use crate::config::{Codec, Config, OnFull, StoreKind};
use crate::search::NO_WIDTHS;
use crate::store::disk::StateFile;
use crate::store::{
    Auto, Coded, Collapse, Exact, Huffman, Insert, Lookup, Packed, Recollection, RunLength, Side, StateRef,
    Store, Tree,
};
use mazurka_model::{Batch, System};
use std::borrow::Cow;

/// What became of a state.
pub enum Added {
    /// It is new.
    New(StateRef),
    /// It has this number.
    Known(u32),
    /// There is no room for it.
    Full,
}

/// States, each with a number.
pub trait States {
    /// Adds a state under a number, unless it is there.
    fn add(&mut self, state: &[u8], number: u32) -> Added;

    /// Writes the bytes of a state into `out`, which is cleared first.
    fn load(&self, state: StateRef, out: &mut Vec<u8>);

    /// The bytes of a state.
    fn state(&self, state: StateRef) -> Cow<'_, [u8]>;

    /// For each state of a batch, all successors of `present`, its number, if it has one.
    fn known(&mut self, parent: StateRef, present: &[u8], batch: &Batch) -> Vec<Option<u32>>;

    /// Bytes allocated.
    fn bytes(&self) -> u64;

    /// Bytes of the longest state.
    fn longest(&self) -> usize;

    /// What became of the states.
    fn recollection(&self) -> Recollection;
}

/// An empty set of states.
pub struct Opened<'s> {
    /// The set.
    pub states: Box<dyn States + 's>,
    /// Where it keeps them: in memory, or on disk.
    pub store: StoreKind,
    /// How they become bytes; `auto` may make a tree of them.
    pub codec: Codec,
    /// What is not as the configuration asks.
    pub notes: Vec<String>,
}

/// A store that keeps the number of a state where other searches keep its parent.
struct Numbered<S>(S);

impl<S: Store> States for Numbered<S> {
    fn add(&mut self, state: &[u8], number: u32) -> Added {
        match self.0.insert(state) {
            Insert::Seen(found) => Added::Known(self.0.parent(found).0),
            // These stores name every state.
            Insert::Full | Insert::Passed(_) => Added::Full,
            Insert::New(reference) => {
                self.0.set_parent(reference, StateRef(number));
                Added::New(reference)
            }
        }
    }

    fn load(&self, state: StateRef, out: &mut Vec<u8>) {
        self.0.load(state, out);
    }

    fn state(&self, state: StateRef) -> Cow<'_, [u8]> {
        self.0.state(state)
    }

    fn known(&mut self, parent: StateRef, present: &[u8], batch: &Batch) -> Vec<Option<u32>> {
        let mut questions = Vec::new();
        self.0.prepare(parent, present, batch, 0, &mut questions);
        let find = |(index, question)| match self.0.find_prepared(question, batch.state(index)) {
            Lookup::Stored(found) => Some(self.0.parent(found).0),
            Lookup::Absent | Lookup::Passed(_) => None,
        };
        questions.into_iter().enumerate().map(find).collect()
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    fn longest(&self) -> usize {
        self.0.longest()
    }

    fn recollection(&self) -> Recollection {
        self.0.recollection()
    }
}

/// An empty set of states as the configuration asks for it, as far as it can be had.
pub fn states<'s>(system: &'s dyn System, config: &Config) -> Opened<'s> {
    let limit = config.limits.memory;
    let side = Side { parent: true, ..Side::default() };
    let exact = || Exact::new(system.state_size(), side, limit);
    let mut notes = Vec::new();
    if matches!(config.store, StoreKind::Bitstate | StoreKind::Compact | StoreKind::Cache) {
        notes
            .push("temporal properties need a store that keeps all states: the exact one is used".to_owned());
    }
    if config.on_full != OnFull::Stop {
        notes.push(
            "the search for runs that break a temporal property stops when the store is full".to_owned(),
        );
    }
    let mut file = None;
    if config.store == StoreKind::Disk {
        match StateFile::new(&config.folder) {
            Ok(made) => file = Some(made),
            Err(error) => {
                notes.push(format!("{}: {error}; states are kept in memory", config.folder.display()))
            }
        }
    }
    let store = if file.is_some() { StoreKind::Disk } else { StoreKind::Exact };
    let mut codec = config.codec;
    if codec == Codec::Auto && store == StoreKind::Disk {
        // A tree is in memory.
        codec = Codec::Plain;
    } else if codec == Codec::Packed && !Packed::is_for(system) {
        notes.push(NO_WIDTHS.to_owned());
        codec = Codec::Plain;
    } else if codec == Codec::CompactTree {
        notes.push("a compact tree does not name its states: the tree is used".to_owned());
        codec = Codec::Tree;
    }
    let states: Box<dyn States + 's> = match codec {
        Codec::Plain => Box::new(Numbered(exact().kept_in(file))),
        Codec::Auto => Box::new(Numbered(Auto::new(system, side, limit))),
        Codec::None => Box::new(Numbered(Exact::unpacked(system.state_size(), side, limit).kept_in(file))),
        Codec::RunLength => Box::new(Numbered(Coded::new(RunLength, side, limit).kept_in(file))),
        Codec::Huffman => Box::new(Numbered(Coded::new(Huffman::default(), side, limit).kept_in(file))),
        Codec::Packed => Box::new(Numbered(Coded::new(Packed::new(system), side, limit).kept_in(file))),
        Codec::Collapse => Box::new(Numbered(Coded::new(Collapse::new(system), side, limit).kept_in(file))),
        Codec::Tree | Codec::CompactTree => Box::new(Numbered(Tree::new(system, side, limit))),
    };
    Opened { states, store, codec, notes }
}
