//! How many bits the bytes of a state need.
//!
//! Variables, fields and parameters by the values that they can have ([`Ranges`]); locations, types of processes and lengths of channels
//! by how many there are. What may be negative needs all its bits. How many processes there are and of which types decides what
//! follows. A semaphore and a place are taken to rise by at most 65,535: nothing is known of how far they count.

use super::layout::{ChannelPlace, Layout, ObjectPlace, Slot, Word};
use crate::analysis::interval::Interval;
use crate::analysis::ranges::Ranges;
use crate::ir::{ObjectKind, Program, Variable};
use mazurka_model::Width;

/// How far a counter of which nothing is known is taken to rise at most.
const COUNTED: u64 = u16::MAX as u64;

/// The widths of the bytes of states.
#[derive(Debug)]
pub struct Widths {
    /// What is in front of the frames; everything, if the processes are always the same.
    head: Vec<Width>,
    /// The type at the beginning of a frame.
    kind: Vec<Width>,
    /// What follows the type, by type.
    frames: Vec<Vec<Width>>,
    /// The bytes of the number of processes.
    count: Word,
    is_static: bool,
}

impl Widths {
    /// Finds them for a program.
    pub fn new(program: &Program, layout: &Layout) -> Widths {
        let ranges = Ranges::new(program);
        let is_static = layout.fixed.is_some();
        let processes = if is_static { program.initial.len() } else { program.process_limit.into() };
        let mut head = Bytes::new(layout.frames_begin as usize);
        head.word(layout.count, processes);
        head.word(layout.exclusive, processes);
        for (index, slot) in layout.globals.iter().enumerate() {
            head.variable(*slot, &program.globals[index], ranges.global(index));
        }
        for (place, object) in layout.objects.iter().zip(&program.objects) {
            head.object(*place, object.kind, processes);
        }
        for (index, place) in layout.channels.iter().enumerate() {
            head.channel(layout, *place, &|field| ranges.field(index, field));
        }
        let mut head = head.widths();
        let count = layout.count.offset as usize..;
        head[count].iter_mut().take(layout.count.width.into()).for_each(|width| width.decides = true);
        let mut frames = Vec::new();
        for (kind, (frame, process)) in layout.frames.iter().zip(&program.types).enumerate() {
            let mut bytes = Bytes::new(frame.size as usize);
            bytes.word(frame.location, process.locations.len().saturating_sub(1));
            bytes.word(frame.priority, 255);
            for (index, slot) in frame.locals.iter().enumerate() {
                bytes.variable(*slot, &process.locals[index], ranges.local(kind, index));
            }
            for (index, place) in frame.channels.iter().enumerate() {
                bytes.channel(layout, *place, &|field| ranges.own_field(kind, index, field));
            }
            frames.push(bytes.widths().split_off(layout.type_width.into()));
        }
        if let Some(fixed) = &layout.fixed {
            fixed.iter().for_each(|process| head.extend_from_slice(&frames[process.kind as usize]));
        }
        let mut kind = Bytes::new(layout.type_width.into());
        kind.word(Word { offset: 0, width: layout.type_width }, program.types.len().saturating_sub(1));
        let kind = kind.widths().into_iter().map(|width| Width { decides: true, ..width }).collect();
        Widths { head, kind, frames, count: layout.count, is_static }
    }

    /// Appends the widths of the bytes that follow those that have decided: all of them, if the processes are always the same;
    /// else what is in front of the frames, then the type of a process, and with the rest of its frame the type of the next one.
    pub fn follow(&self, deciding: &[u8], out: &mut Vec<Width>) {
        let (counted, width) = (usize::from(self.count.width), self.kind.len());
        if self.is_static || deciding.len() < counted {
            out.extend_from_slice(&self.head);
            return;
        }
        let count = Word { offset: 0, ..self.count }.read(deciding, 0);
        let known = (deciding.len() - counted) / width.max(1);
        if known > 0 {
            let last = Word { offset: 0, width: width as u8 }.read(deciding, deciding.len() - width);
            // No process has another type; a state in which one does is no state.
            let Some(frame) = self.frames.get(last) else { return };
            out.extend_from_slice(frame);
        }
        if known < count {
            out.extend_from_slice(&self.kind);
        }
    }
}

/// How many bits each byte of a part of a state needs.
struct Bytes(Vec<u8>);

impl Bytes {
    /// Nothing is known yet.
    fn new(size: usize) -> Bytes {
        Bytes(vec![8; size])
    }

    fn widths(self) -> Vec<Width> {
        self.0.into_iter().map(|bits| Width { bits, decides: false }).collect()
    }

    /// A little-endian number of `size` bytes needs this many bits.
    fn set(&mut self, offset: usize, size: usize, bits: u32) {
        for (index, byte) in self.0[offset..offset + size].iter_mut().enumerate() {
            *byte = bits.saturating_sub(8 * index as u32).min(8) as u8;
        }
    }

    fn word(&mut self, word: Word, highest: usize) {
        self.set(word.offset as usize, word.width.into(), usize::BITS - highest.leading_zeros());
    }

    fn variable(&mut self, slot: Slot, variable: &Variable, values: Interval) {
        let size = slot.ty.size();
        for index in 0..variable.values() {
            self.set(slot.offset as usize + index * size, size, values.bits());
        }
    }

    fn channel(&mut self, layout: &Layout, place: ChannelPlace, values: &dyn Fn(usize) -> Interval) {
        let shape = &layout.shapes[place.shape as usize];
        self.word(Word { offset: place.offset, width: shape.length_width }, shape.capacity as usize);
        let messages = place.offset as usize + usize::from(shape.length_width);
        for (index, field) in shape.fields.iter().enumerate() {
            let bits = values(index).bits();
            for message in 0..shape.capacity as usize {
                let at = messages + message * shape.message as usize + field.offset as usize;
                self.set(at, field.ty.size(), bits);
            }
        }
    }

    fn object(&mut self, place: ObjectPlace, kind: ObjectKind, processes: usize) {
        let of = |highest: u64| u64::BITS - highest.leading_zeros();
        // Sets of processes have 63 bits, and no place for more processes.
        let (set, one) = (processes.min(63) as u32, of(processes as u64));
        let words = match kind {
            ObjectKind::Flag | ObjectKind::Timer => [1, 1],
            ObjectKind::Mutex => [one, one],
            ObjectKind::RwLock => [set, one],
            ObjectKind::Condvar | ObjectKind::Barrier { .. } => [set, set],
            ObjectKind::Semaphore { initial } | ObjectKind::Place { initial } => {
                let most = of(u64::from(initial.unsigned_abs()) + COUNTED);
                [most, most]
            }
        };
        for (word, bits) in words.into_iter().enumerate().take(place.words as usize) {
            let at = place.offset as usize + word * place.word_size as usize;
            self.set(at, place.word_size as usize, bits);
        }
    }
}
