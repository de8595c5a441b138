//! Where everything stands in a state.
//!
//! A state is: a header (how many processes there are, if that can change; which process runs
//! alone, if any location is atomic), the globals, the objects, the global channels, then a frame
//! for each process in the order of their slots: its type (if processes come and go), its location,
//! its priority (if they differ), its locals, its own channels. Numbers are little-endian and not aligned. A channel is its length
//! and its slots, the unused ones zero, so equal states have equal bytes.

use crate::ir::{Channel, Program, Type, Variable};

/// A value at an offset from the beginning of the state, of a frame or of a message.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The first byte.
    pub offset: u32,
    /// What is stored there.
    pub ty: Type,
}

/// An unsigned number of 0, 1 or 2 bytes; one of 0 bytes is always 0.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct Word {
    /// The first byte.
    pub offset: u32,
    /// How many bytes.
    pub width: u8,
}

/// The form of a channel's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelShape {
    /// How many messages fit; 0 for a rendezvous, which takes no bytes.
    pub capacity: u32,
    /// The width of the length in front.
    pub length_width: u8,
    /// The bytes of a message.
    pub message: u32,
    /// The fields in a message.
    pub fields: Vec<Slot>,
}

impl ChannelShape {
    fn new(channel: &Channel) -> ChannelShape {
        let mut message = 0;
        let mut fields = Vec::new();
        for &ty in &channel.fields {
            fields.push(Slot { offset: message, ty });
            message += ty.size() as u32;
        }
        let length_width = match channel.capacity {
            0 => 0,
            1..=255 => 1,
            _ => 2,
        };
        ChannelShape { capacity: channel.capacity.into(), length_width, message, fields }
    }

    /// All its bytes.
    pub fn size(&self) -> u32 {
        u32::from(self.length_width) + self.capacity * self.message
    }
}

/// A channel: where it is and what it looks like.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ChannelPlace {
    /// From the beginning of the state (a global one) or of the frame (an owned one).
    pub offset: u32,
    /// Index into [`Layout::shapes`].
    pub shape: u32,
}

/// An object: words of fixed number and width, signed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ObjectPlace {
    /// The first byte.
    pub offset: u32,
    /// How many words.
    pub words: u32,
    /// The bytes of a word.
    pub word_size: u32,
}

/// The frame of a process type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// All its bytes.
    pub size: u32,
    /// Where the location stands.
    pub location: Word,
    /// Where the priority stands, if processes have different ones.
    pub priority: Word,
    /// Parameters and locals.
    pub locals: Vec<Slot>,
    /// Own channels.
    pub channels: Vec<ChannelPlace>,
    /// The bytes of a fresh instance, parameters 0.
    pub template: Vec<u8>,
}

/// A process that never moves in memory, because none is created or ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct FixedProcess {
    /// Where its frame begins.
    pub offset: u32,
    /// Its type.
    pub kind: u32,
    /// How many channels the processes before it own.
    pub owned_before: u32,
}

/// Where everything stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The number of processes.
    pub count: Word,
    /// The slot of the process that runs alone, plus 1; 0 if there is none.
    pub exclusive: Word,
    /// Globals.
    pub globals: Vec<Slot>,
    /// Objects.
    pub objects: Vec<ObjectPlace>,
    /// Global channels.
    pub channels: Vec<ChannelPlace>,
    /// The shapes of channels.
    pub shapes: Vec<ChannelShape>,
    /// Where the frames begin.
    pub frames_begin: u32,
    /// The width of the type at the beginning of a frame.
    pub type_width: u8,
    /// One for each process type.
    pub frames: Vec<Frame>,
    /// Their sizes, one after another: that is all one needs to walk along the processes of a state.
    pub sizes: Vec<u32>,
    /// The processes, if they are always the same.
    pub fixed: Option<Vec<FixedProcess>>,
    /// The initial state.
    pub initial: Vec<u8>,
}

/// Reads a value.
#[inline]
pub fn read(bytes: &[u8], offset: usize, ty: Type) -> i32 {
    match ty {
        Type::Bit | Type::Byte => i32::from(bytes[offset]),
        Type::Short => i32::from(i16::from_le_bytes([bytes[offset], bytes[offset + 1]])),
        Type::Channel => i32::from(u16::from_le_bytes([bytes[offset], bytes[offset + 1]])),
        Type::Int => read_int(bytes, offset),
        Type::Unsigned(_) => match ty.size() {
            1 => i32::from(bytes[offset]),
            2 => i32::from(u16::from_le_bytes([bytes[offset], bytes[offset + 1]])),
            _ => read_int(bytes, offset),
        },
    }
}

/// Reads 32 bits.
#[inline]
pub fn read_int(bytes: &[u8], offset: usize) -> i32 {
    let b = &bytes[offset..offset + 4];
    i32::from_le_bytes([b[0], b[1], b[2], b[3]])
}

/// Stores a value, cut to its type.
#[inline]
pub fn write(bytes: &mut [u8], offset: usize, ty: Type, value: i32) {
    let value = ty.wrap(value);
    match ty.size() {
        1 => bytes[offset] = value as u8,
        2 => bytes[offset..offset + 2].copy_from_slice(&(value as u16).to_le_bytes()),
        _ => bytes[offset..offset + 4].copy_from_slice(&value.to_le_bytes()),
    }
}

impl Word {
    /// Reads it, `base` bytes further on.
    #[inline]
    pub fn read(self, bytes: &[u8], base: usize) -> usize {
        let at = base + self.offset as usize;
        match self.width {
            0 => 0,
            1 => usize::from(bytes[at]),
            _ => usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]])),
        }
    }

    /// Writes it, `base` bytes further on.
    #[inline]
    pub fn write(self, bytes: &mut [u8], base: usize, value: usize) {
        let at = base + self.offset as usize;
        match self.width {
            0 => {}
            1 => bytes[at] = value as u8,
            _ => bytes[at..at + 2].copy_from_slice(&(value as u16).to_le_bytes()),
        }
    }
}

fn width(highest: usize) -> u8 {
    if highest < 256 { 1 } else { 2 }
}

/// Appends slots for variables and their initial values.
fn variables(variables: &[Variable], bytes: &mut Vec<u8>) -> Vec<Slot> {
    let mut slots = Vec::new();
    for variable in variables {
        let size = variable.ty.size();
        let offset = bytes.len();
        bytes.resize(offset + size * variable.values(), 0);
        for (i, &value) in variable.initial.iter().enumerate() {
            write(bytes, offset + i * size, variable.ty, value);
        }
        slots.push(Slot { offset: offset as u32, ty: variable.ty });
    }
    slots
}

fn channels(declared: &[Channel], shapes: &mut Vec<ChannelShape>, bytes: &mut Vec<u8>) -> Vec<ChannelPlace> {
    let mut places = Vec::new();
    for channel in declared {
        let shape = ChannelShape::new(channel);
        let known = shapes.iter().position(|s| *s == shape).unwrap_or_else(|| {
            shapes.push(shape.clone());
            shapes.len() - 1
        });
        places.push(ChannelPlace { offset: bytes.len() as u32, shape: known as u32 });
        bytes.resize(bytes.len() + shape.size() as usize, 0);
    }
    places
}

impl Layout {
    /// Lays out a valid program.
    pub fn new(program: &Program) -> Layout {
        let is_static = program.is_static();
        let mut transitions = program.types.iter().flat_map(|t| &t.transitions);
        let atomic = program.keeps_turn || transitions.any(|t| t.atomic);
        let processes = if is_static { program.initial.len() } else { program.process_limit.into() };
        let mut bytes = Vec::new();
        let mut header = |present: bool| {
            let word = Word { offset: bytes.len() as u32, width: if present { width(processes) } else { 0 } };
            bytes.resize(bytes.len() + usize::from(word.width), 0);
            word
        };
        let (count, exclusive) = (header(!is_static), header(atomic));
        let globals = variables(&program.globals, &mut bytes);
        let mut objects = Vec::new();
        for object in &program.objects {
            let initial = object.kind.instantiate().initial();
            let (words, word_size) = (initial.len() as u32, object.kind.word_size());
            let place = ObjectPlace { offset: bytes.len() as u32, words, word_size };
            bytes.resize(bytes.len() + (words * word_size) as usize, 0);
            store_object(place, &mut bytes, &initial);
            objects.push(place);
        }
        let mut shapes = Vec::new();
        let channel_places = channels(&program.channels, &mut shapes, &mut bytes);
        let frames_begin = bytes.len() as u32;
        let type_width = if is_static { 0 } else { width(program.types.len().saturating_sub(1)) };
        let locations = program.types.iter().map(|t| t.locations.len()).max().unwrap_or(0);
        let priorities = program.uses_priorities();
        let mut frames = Vec::new();
        for (kind, process) in program.types.iter().enumerate() {
            let location = Word { offset: type_width.into(), width: width(locations.saturating_sub(1)) };
            let priority =
                Word { offset: u32::from(type_width + location.width), width: u8::from(priorities) };
            let mut template = vec![0; usize::from(type_width + location.width + priority.width)];
            priority.write(&mut template, 0, 1);
            Word { offset: 0, width: type_width }.write(&mut template, 0, kind);
            location.write(&mut template, 0, process.start.index());
            let locals = variables(&process.locals, &mut template);
            let channels = channels(&process.channels, &mut shapes, &mut template);
            frames.push(Frame {
                size: template.len() as u32,
                location,
                priority,
                locals,
                channels,
                template,
            });
        }
        let mut fixed = Vec::new();
        let mut owned_before = 0;
        for start in &program.initial {
            let offset = bytes.len();
            let frame = &frames[start.process.index()];
            bytes.extend_from_slice(&frame.template);
            for (slot, &value) in frame.locals.iter().zip(&start.arguments) {
                write(&mut bytes, offset + slot.offset as usize, slot.ty, value);
            }
            frame.priority.write(&mut bytes, offset, usize::from(start.priority.max(1)));
            fixed.push(FixedProcess { offset: offset as u32, kind: start.process.0, owned_before });
            owned_before += frame.channels.len() as u32;
        }
        count.write(&mut bytes, 0, program.initial.len());
        Layout {
            count,
            exclusive,
            globals,
            objects,
            channels: channel_places,
            shapes,
            frames_begin,
            type_width,
            sizes: frames.iter().map(|frame| frame.size).collect(),
            frames,
            fixed: is_static.then_some(fixed),
            initial: bytes,
        }
    }
}

/// Reads an object's value; clears `out` first.
pub fn load_object(place: ObjectPlace, state: &[u8], out: &mut Vec<i64>) {
    out.clear();
    let size = place.word_size as usize;
    for word in 0..place.words as usize {
        let at = place.offset as usize + word * size;
        let bytes = &state[at..at + size];
        let negative = bytes.last().is_some_and(|b| b & 0x80 != 0);
        let mut whole = [if negative { 0xff } else { 0 }; 8];
        whole[..size].copy_from_slice(bytes);
        out.push(i64::from_le_bytes(whole));
    }
}

/// Stores an object's value; false if it doesn't fit.
pub fn store_object(place: ObjectPlace, state: &mut [u8], value: &[i64]) -> bool {
    let size = place.word_size as usize;
    let unused = 64 - 8 * size as u32;
    let fits = |word: i64| word << unused >> unused == word;
    if value.len() != place.words as usize || !value.iter().all(|&word| fits(word)) {
        return false;
    }
    for (index, word) in value.iter().enumerate() {
        let at = place.offset as usize + index * size;
        state[at..at + size].copy_from_slice(&word.to_le_bytes()[..size]);
    }
    true
}
