//! The objects of a program, and their numbers.
//!
//! In order: globals, declared objects, global channels, the process table, channels owned by
//! processes. If processes come and go, all channels that the instances of a type own under one
//! name are one object on which everything depends; else each is an object of its own.

use crate::ir::{Channel, Program};
use mazurka_model::ObjectId;
use mazurka_model::object::array::Array;
use mazurka_model::object::fifo::Fifo;
use mazurka_model::object::rendezvous::Rendezvous;
use mazurka_model::object::variable::Variable;
use mazurka_model::object::{Condition, KindInfo, ObjectType};
use mazurka_model::{Operation, object};

/// Channels of one name that all instances of a process type own: which one is meant is not
/// followed, so all operations depend on each other.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnChannels;

const STAND_IN: Fifo = Fifo { capacity: 1 };

impl ObjectType for OwnChannels {
    fn name(&self) -> &'static str {
        "own channels"
    }

    fn summary(&self) -> &'static str {
        "The channels that instances of a process type own, taken together."
    }

    fn kinds(&self) -> &'static [KindInfo] {
        STAND_IN.kinds()
    }

    fn initial(&self) -> Vec<i64> {
        Vec::new()
    }

    fn apply(&self, value: &[i64], _operation: &Operation, next: &mut Vec<i64>) -> Option<i64> {
        next.clear();
        next.extend_from_slice(value);
        Some(0)
    }

    fn dependent(&self, _a: &Operation, _b: &Operation, _value: &[i64]) -> bool {
        true
    }

    fn interacts(&self, _a: &Operation, _b: &Operation, _value: &[i64]) -> bool {
        true
    }

    fn constant(&self, _a: &Operation, _b: &Operation) -> bool {
        true
    }

    fn domain(&self) -> object::Domain {
        STAND_IN.domain()
    }

    fn conditions(&self) -> &'static [Condition] {
        &[]
    }
}

/// What an object is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ObjectRole {
    Global(usize),
    Declared(usize),
    /// A global channel, by index.
    Channel(usize),
    ProcessTable,
    /// A channel of a process that always exists: its slot and which of its channels.
    OwnedBy(usize, usize),
    /// The channels of a type's instances.
    Owned,
}

/// The objects and what they are.
#[derive(Debug)]
pub struct ObjectTable {
    pub objects: Vec<Box<dyn ObjectType>>,
    pub roles: Vec<ObjectRole>,
    /// Whether each is a rendezvous.
    pub rendezvous: Vec<bool>,
    first_declared: usize,
    first_channel: usize,
    process_table: usize,
    /// By process slot if processes are always the same, else by process type: its first channel.
    first_owned: Vec<usize>,
    pub is_static: bool,
}

impl ObjectTable {
    /// The objects of a program.
    pub fn new(program: &Program) -> ObjectTable {
        let mut table = ObjectTable {
            objects: Vec::new(),
            roles: Vec::new(),
            rendezvous: Vec::new(),
            first_declared: program.globals.len(),
            first_channel: program.globals.len() + program.objects.len(),
            process_table: program.globals.len() + program.objects.len() + program.channels.len(),
            first_owned: Vec::new(),
            is_static: program.is_static(),
        };
        for (index, global) in program.globals.iter().enumerate() {
            let object: Box<dyn ObjectType> = match global.length {
                Some(length) => Box::new(Array { len: length as usize }),
                None => Box::new(Variable),
            };
            table.push(object, ObjectRole::Global(index), false);
        }
        for (index, declared) in program.objects.iter().enumerate() {
            table.push(declared.kind.instantiate(), ObjectRole::Declared(index), false);
        }
        for (index, channel) in program.channels.iter().enumerate() {
            table.push_channel(channel, ObjectRole::Channel(index));
        }
        table.push(Box::new(Variable), ObjectRole::ProcessTable, false);
        if table.is_static {
            for (slot, start) in program.initial.iter().enumerate() {
                table.first_owned.push(table.objects.len());
                for (index, channel) in program.types[start.process.index()].channels.iter().enumerate() {
                    table.push_channel(channel, ObjectRole::OwnedBy(slot, index));
                }
            }
        } else {
            for process in &program.types {
                table.first_owned.push(table.objects.len());
                for channel in &process.channels {
                    table.push(Box::new(OwnChannels), ObjectRole::Owned, channel.capacity == 0);
                }
            }
        }
        table
    }

    fn push(&mut self, object: Box<dyn ObjectType>, role: ObjectRole, rendezvous: bool) {
        self.objects.push(object);
        self.roles.push(role);
        self.rendezvous.push(rendezvous);
    }

    fn push_channel(&mut self, channel: &Channel, role: ObjectRole) {
        let object: Box<dyn ObjectType> = match channel.capacity {
            0 => Box::new(Rendezvous),
            capacity => Box::new(Fifo { capacity: capacity.into() }),
        };
        self.push(object, role, channel.capacity == 0);
    }

    /// How many 64-bit words a set of objects takes.
    pub fn words(&self) -> usize {
        self.objects.len().div_ceil(64)
    }

    /// A global.
    pub fn global(&self, index: usize) -> ObjectId {
        ObjectId(index as u32)
    }

    /// A declared object.
    pub fn declared(&self, index: usize) -> ObjectId {
        ObjectId((self.first_declared + index) as u32)
    }

    /// A global channel.
    pub fn channel(&self, index: usize) -> ObjectId {
        ObjectId((self.first_channel + index) as u32)
    }

    /// The process table.
    pub fn process_table(&self) -> ObjectId {
        ObjectId(self.process_table as u32)
    }

    /// A channel of a process, by the process's slot and type.
    pub fn owned(&self, slot: usize, kind: usize, index: usize) -> ObjectId {
        let owner = if self.is_static { slot } else { kind };
        ObjectId((self.first_owned[owner] + index) as u32)
    }

    /// The channels of all instances of a type that any process may own under this name.
    pub fn owned_by_type(&self, program: &Program, kind: usize, index: usize) -> Vec<ObjectId> {
        if !self.is_static {
            return vec![self.owned(0, kind, index)];
        }
        let slots = program.initial.iter().enumerate().filter(|(_, s)| s.process.index() == kind);
        slots.map(|(slot, _)| self.owned(slot, kind, index)).collect()
    }

    /// All channels, global and owned.
    pub fn all_channels(&self) -> impl Iterator<Item = ObjectId> + '_ {
        (self.first_channel..self.objects.len())
            .filter(|&i| i != self.process_table)
            .map(|i| ObjectId(i as u32))
    }
}
