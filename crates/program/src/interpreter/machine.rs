//! A program ready to execute: layout, code and objects, and how to find things in a state.

use super::claims::Claims;
use super::code::{ChannelCode, Code, EffectCode, LocationCode, NodeId};
use super::evaluate::View;
use super::fault::Fault;
use super::layout::{ChannelShape, Layout, Word};
use mazurka_model::object::ObjectType;

/// Layout, code and objects.
#[derive(Debug)]
pub struct Machine {
    pub layout: Layout,
    pub code: Code,
    pub objects: Vec<Box<dyn ObjectType>>,
    pub process_limit: usize,
    /// A message sent to a full channel is lost.
    pub overflow: bool,
    pub channel_limit: usize,
    /// Claims to use channels alone.
    pub claims: Option<Box<Claims>>,
}

/// A process in a state.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ProcessAt {
    /// Its slot.
    pub pid: usize,
    /// Where its frame begins.
    pub frame: usize,
    /// Its type.
    pub kind: usize,
}

/// A channel in a state.
#[derive(Copy, Clone, Debug)]
pub struct ChannelAt<'a> {
    /// Its number.
    pub number: u32,
    /// Where it begins.
    pub offset: usize,
    pub shape: &'a ChannelShape,
}

impl ChannelAt<'_> {
    fn length_word(&self) -> Word {
        Word { offset: self.offset as u32, width: self.shape.length_width }
    }

    /// How many messages it holds.
    #[inline]
    pub fn length(&self, state: &[u8]) -> usize {
        self.length_word().read(state, 0)
    }

    /// Sets how many messages it holds.
    #[inline]
    pub fn set_length(&self, state: &mut [u8], length: usize) {
        self.length_word().write(state, 0, length);
    }

    /// Where message `index` begins.
    #[inline]
    pub fn message(&self, index: usize) -> usize {
        self.offset + usize::from(self.shape.length_width) + index * self.shape.message as usize
    }
}

/// Goes through the processes of a state.
pub struct Processes<'a> {
    machine: &'a Machine,
    state: &'a [u8],
    pid: usize,
    count: usize,
    offset: usize,
}

impl Iterator for Processes<'_> {
    type Item = ProcessAt;

    #[inline]
    fn next(&mut self) -> Option<ProcessAt> {
        if self.pid >= self.count {
            return None;
        }
        let pid = self.pid;
        self.pid += 1;
        if let Some(fixed) = &self.machine.layout.fixed {
            let process = fixed[pid];
            return Some(ProcessAt { pid, frame: process.offset as usize, kind: process.kind as usize });
        }
        let frame = self.offset;
        let kind = self.machine.kind_at(self.state, frame);
        self.offset += self.machine.layout.sizes[kind] as usize;
        Some(ProcessAt { pid, frame, kind })
    }
}

impl Machine {
    #[inline]
    fn kind_at(&self, state: &[u8], frame: usize) -> usize {
        Word { offset: 0, width: self.layout.type_width }.read(state, frame)
    }

    /// How many processes there are.
    #[inline]
    pub fn count(&self, state: &[u8]) -> usize {
        match &self.layout.fixed {
            Some(fixed) => fixed.len(),
            None => self.layout.count.read(state, 0),
        }
    }

    /// The processes of a state, by slot.
    #[inline]
    pub fn processes<'a>(&'a self, state: &'a [u8]) -> Processes<'a> {
        let offset = self.layout.frames_begin as usize;
        Processes { machine: self, state, pid: 0, count: self.count(state), offset }
    }

    /// One process.
    pub fn process(&self, state: &[u8], pid: usize) -> Option<ProcessAt> {
        match &self.layout.fixed {
            Some(fixed) => {
                fixed.get(pid).map(|p| ProcessAt { pid, frame: p.offset as usize, kind: p.kind as usize })
            }
            None if pid < self.count(state) => {
                let frame = (0..pid).fold(self.layout.frames_begin as usize, |frame, _| {
                    frame + self.layout.sizes[self.kind_at(state, frame)] as usize
                });
                Some(ProcessAt { pid, frame, kind: self.kind_at(state, frame) })
            }
            None => None,
        }
    }

    /// The process that runs alone, if there is one.
    #[inline]
    pub fn exclusive(&self, state: &[u8]) -> Option<usize> {
        self.layout.exclusive.read(state, 0).checked_sub(1)
    }

    /// The index of the location at which a process stands.
    #[inline]
    pub fn location_index(&self, state: &[u8], at: ProcessAt) -> usize {
        self.layout.frames[at.kind].location.read(state, at.frame)
    }

    /// The location at which a process stands.
    #[inline]
    pub fn location(&self, state: &[u8], at: ProcessAt) -> &LocationCode {
        &self.code.locations[at.kind][self.location_index(state, at)]
    }

    /// Whether a transition, by its index in the code, does nothing but end its process.
    pub fn ends(&self, transition: usize) -> bool {
        let effects = self.code.transitions[transition].effects.indices();
        matches!(self.code.effects[effects], [EffectCode::Exit])
    }

    /// How many channels the processes before `pid` own.
    pub fn owned_before(&self, state: &[u8], pid: usize) -> u32 {
        match &self.layout.fixed {
            Some(fixed) => fixed.get(pid).map_or(0, |p| p.owned_before),
            None => self
                .processes(state)
                .take(pid)
                .map(|p| self.layout.frames[p.kind].channels.len() as u32)
                .sum(),
        }
    }

    /// The channel with this number.
    pub fn numbered(&self, state: &[u8], number: i32) -> Result<ChannelAt<'_>, Fault> {
        let index = u32::try_from(number).ok().and_then(|n| n.checked_sub(1)).ok_or(Fault::NoChannel)?;
        if let Some(place) = self.layout.channels.get(index as usize) {
            let shape = &self.layout.shapes[place.shape as usize];
            return Ok(ChannelAt { number: index + 1, offset: place.offset as usize, shape });
        }
        let (_, at, own) = self.owner(state, index + 1).ok_or(Fault::NoChannel)?;
        let place = self.layout.frames[at.kind].channels[own];
        let shape = &self.layout.shapes[place.shape as usize];
        Ok(ChannelAt { number: index + 1, offset: at.frame + place.offset as usize, shape })
    }

    /// The process that owns the channel with this number, and which of its channels it is.
    pub fn owner(&self, state: &[u8], number: u32) -> Option<(usize, ProcessAt, usize)> {
        let mut left = (number as usize).checked_sub(1)?.checked_sub(self.layout.channels.len())?;
        for at in self.processes(state) {
            let owned = self.layout.frames[at.kind].channels.len();
            if left < owned {
                return Some((at.pid, at, left));
            }
            left -= owned;
        }
        None
    }

    /// The channel that an operand means.
    #[inline]
    pub fn channel(&self, view: View<'_>, channel: ChannelCode) -> Result<ChannelAt<'_>, Fault> {
        match channel {
            ChannelCode::Global(index) => {
                let place = self.layout.channels[index as usize];
                let shape = &self.layout.shapes[place.shape as usize];
                Ok(ChannelAt { number: index + 1, offset: place.offset as usize, shape })
            }
            ChannelCode::Own(index) => {
                let place = self.layout.frames[view.at.kind].channels[index as usize];
                let shape = &self.layout.shapes[place.shape as usize];
                let number = self.own_number(view, index);
                Ok(ChannelAt { number, offset: view.at.frame + place.offset as usize, shape })
            }
            ChannelCode::Computed(node) => self.numbered(view.state, self.value(view, node)?),
        }
    }

    /// The number of a channel of the process itself.
    pub fn own_number(&self, view: View<'_>, index: u32) -> u32 {
        self.layout.channels.len() as u32 + 1 + self.owned_before(view.state, view.at.pid) + index
    }

    /// Whether all of these are true.
    #[inline]
    pub fn all_hold(&self, view: View<'_>, nodes: &[NodeId]) -> Result<bool, Fault> {
        for &node in nodes {
            if self.value(view, node)? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
