//! The objects of a program, and their numbers.
//!
//! In order: globals, declared objects, global channels, the process table, channels owned by
//! processes: for each type and each slot in which an instance may live; at the end, what processes
//! look at in others, and ask of them.

use super::asked::AskedParts;
use super::owned_channel::OwnedChannel;
use super::points_to::PointsTo;
use super::remote::{Watched, WatchedParts};
use crate::ir::{Channel, Program};
use mazurka_model::ObjectId;
use mazurka_model::object::ObjectType;
use mazurka_model::object::array::Array;
use mazurka_model::object::fifo::Fifo;
use mazurka_model::object::overflowing::Overflowing;
use mazurka_model::object::processes::Processes;
use mazurka_model::object::rendezvous::Rendezvous;
use mazurka_model::object::variable::Variable;
use mazurka_model::object::whereabouts::Whereabouts;

/// What an object is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ObjectRole {
    Global(usize),
    Declared(usize),
    /// A global channel, by index.
    Channel(usize),
    ProcessTable,
    /// A channel of a process of some type in some slot.
    Owned {
        slot: usize,
        kind: usize,
        index: usize,
    },
    /// A variable, or the location, of a type's instances that others look at.
    Watched,
    /// What is asked of the processes of a type as such.
    Asked,
    /// The priorities of all processes.
    Priorities,
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
    /// By process slot if processes are always the same, else by process type: the first channel.
    first_owned: Vec<usize>,
    /// How many channels an instance of each type owns.
    owned: Vec<usize>,
    /// How many slots there are.
    slots: usize,
    pub is_static: bool,
    /// Whether it counts which numbers processes get, and so who is created and removed first.
    pub numbered: bool,
    pub watched: WatchedParts,
    pub asked: AskedParts,
    pub points_to: PointsTo,
}

impl ObjectTable {
    /// The objects of a program.
    pub fn new(program: &Program, numbered: bool) -> ObjectTable {
        let mut table = ObjectTable {
            objects: Vec::new(),
            roles: Vec::new(),
            rendezvous: Vec::new(),
            first_declared: program.globals.len(),
            first_channel: program.globals.len() + program.objects.len(),
            process_table: program.globals.len() + program.objects.len() + program.channels.len(),
            first_owned: Vec::new(),
            owned: program.types.iter().map(|t| t.channels.len()).collect(),
            slots: program.process_limit.into(),
            is_static: program.is_static(),
            numbered: numbered && !program.is_static(),
            watched: WatchedParts::new(program),
            asked: AskedParts::new(program),
            points_to: PointsTo::default(),
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
            table.push_channel(program, channel, ObjectRole::Channel(index));
        }
        table.push(Box::new(Processes), ObjectRole::ProcessTable, false);
        if table.is_static {
            for (slot, start) in program.initial.iter().enumerate() {
                table.first_owned.push(table.objects.len());
                let kind = start.process.index();
                for (index, channel) in program.types[kind].channels.iter().enumerate() {
                    table.push_owned(program, channel, ObjectRole::Owned { slot, kind, index });
                }
            }
        } else {
            for (kind, process) in program.types.iter().enumerate() {
                table.first_owned.push(table.objects.len());
                for slot in 0..table.slots {
                    for (index, channel) in process.channels.iter().enumerate() {
                        table.push_owned(program, channel, ObjectRole::Owned { slot, kind, index });
                    }
                }
            }
        }
        table.watched.first = table.objects.len();
        for _ in 0..table.watched.len() {
            table.push(Box::new(Watched), ObjectRole::Watched, false);
        }
        table.asked.first = table.objects.len();
        for _ in 0..table.asked.len() {
            table.push(Box::new(Whereabouts { slots: table.slots }), ObjectRole::Asked, false);
        }
        if table.asked.has_ranks() {
            table.push(Box::new(Variable), ObjectRole::Priorities, false);
        }
        table.points_to = PointsTo::new(program, &table);
        table
    }

    fn push(&mut self, object: Box<dyn ObjectType>, role: ObjectRole, rendezvous: bool) {
        self.objects.push(object);
        self.roles.push(role);
        self.rendezvous.push(rendezvous);
    }

    fn push_channel(&mut self, program: &Program, channel: &Channel, role: ObjectRole) {
        self.push(object_of(program, channel), role, channel.capacity == 0);
    }

    fn push_owned(&mut self, program: &Program, channel: &Channel, role: ObjectRole) {
        let object = Box::new(OwnedChannel::new(object_of(program, channel)));
        self.push(object, role, channel.capacity == 0);
    }

    /// The name of an object, as people know it.
    pub fn name(&self, program: &Program, object: ObjectId) -> String {
        match self.roles.get(object.index()) {
            Some(&ObjectRole::Global(index)) => program.globals[index].name.clone(),
            Some(&ObjectRole::Declared(index)) => program.objects[index].name.clone(),
            Some(&ObjectRole::Channel(index)) => program.channels[index].name.clone(),
            Some(&ObjectRole::Owned { slot, kind, index }) => {
                let process = &program.types[kind];
                format!("{}({slot}).{}", process.name, process.channels[index].name)
            }
            Some(ObjectRole::ProcessTable) => "the process table".to_owned(),
            Some(ObjectRole::Watched) => self.watched.name(program, object),
            Some(ObjectRole::Asked | ObjectRole::Priorities) => self.asked.name(program, object),
            None => format!("object {}", object.0),
        }
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

    /// Whether an object is one of the declared ones.
    pub fn is_declared(&self, object: ObjectId) -> bool {
        (self.first_declared..self.first_channel).contains(&object.index())
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
        let first = if self.is_static {
            self.first_owned[slot]
        } else {
            self.first_owned[kind] + slot * self.owned[kind]
        };
        ObjectId((first + index) as u32)
    }

    /// A channel of a type that comes and goes, in every slot.
    pub fn in_every_slot(&self, kind: usize, index: usize) -> impl Iterator<Item = ObjectId> + '_ {
        (0..self.slots).map(move |slot| self.owned(slot, kind, index))
    }

    /// The channels of all instances of a type that any process may own under this name.
    pub fn owned_by_type(&self, program: &Program, kind: usize, index: usize) -> Vec<ObjectId> {
        if !self.is_static {
            return self.in_every_slot(kind, index).collect();
        }
        let slots = program.initial.iter().enumerate().filter(|(_, s)| s.process.index() == kind);
        slots.map(|(slot, _)| self.owned(slot, kind, index)).collect()
    }

    /// All channels, global and owned.
    pub fn all_channels(&self) -> impl Iterator<Item = ObjectId> + '_ {
        (self.first_channel..self.objects.len())
            .filter(|&i| matches!(self.roles[i], ObjectRole::Channel(_) | ObjectRole::Owned { .. }))
            .map(|i| ObjectId(i as u32))
    }
}

fn object_of(program: &Program, channel: &Channel) -> Box<dyn ObjectType> {
    match channel.capacity {
        0 => Box::new(Rendezvous),
        capacity if program.overflow => Box::new(Overflowing { capacity: capacity.into() }),
        capacity => Box::new(Fifo { capacity: capacity.into() }),
    }
}
