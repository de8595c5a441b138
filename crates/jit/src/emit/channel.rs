//! Channels: which one an operand means, its messages, sends and receives.
//!
//! A computed channel may be of any shape, so its code is written once for each shape that fits. Unused slots of
//! a channel are zero, so taking the first message moves all of a short channel, however many
//! messages there are.

use super::{Emitter, STATE, View};
use crate::assistance::Assistance;
use crate::context::Context;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use mazurka_program::interpreter::code::{ChannelCode, NodeId, PatternCode, PollCode};
use mazurka_program::interpreter::layout::{ChannelShape, Slot, Word};
use std::mem::offset_of;

/// The most bytes of messages that are moved by instructions of their own.
const SHORT: u32 = 64;

/// A channel in a state.
pub(super) struct Channel<'a> {
    /// It begins `offset` bytes behind this.
    base: Value,
    anchor: Anchor,
    offset: i32,
    pub(super) shape: &'a ChannelShape,
    /// Its number, which only a handshake needs.
    pub(super) operand: Operand,
}

/// What the place of a channel is counted from.
#[derive(Copy, Clone)]
enum Anchor {
    State,
    Frame,
    /// So many bytes behind the beginning of the state.
    Behind(Value),
}

/// How the number of a channel is known.
#[derive(Copy, Clone)]
pub(super) enum Operand {
    Global(u32),
    Own(u32),
    Computed(Value),
}

impl<'a> Emitter<'a> {
    /// Writes code for each shape that the channel may have and that `fits`; each must end with a jump. A channel
    /// of another shape, or none at all, is left to the interpreter.
    pub(super) fn each_shape(
        &mut self,
        view: View,
        channel: ChannelCode,
        fits: impl Fn(&ChannelShape) -> bool,
        mut emit: impl FnMut(&mut Self, Channel<'a>),
    ) {
        let layout = self.layout;
        let (anchor, place, operand) = match channel {
            ChannelCode::Global(index) => {
                (Anchor::State, layout.channels[index as usize], Operand::Global(index))
            }
            ChannelCode::Own(index) => {
                (Anchor::Frame, layout.frames[view.kind].channels[index as usize], Operand::Own(index))
            }
            ChannelCode::Computed(node) => return self.computed(view, node, fits, emit),
        };
        let shape = &layout.shapes[place.shape as usize];
        match fits(shape) {
            true => {
                let base = self.anchored(view, anchor);
                emit(self, Channel { base, anchor, offset: place.offset as i32, shape, operand });
            }
            false => self.jump(self.left),
        }
    }

    fn computed(
        &mut self,
        view: View,
        node: NodeId,
        fits: impl Fn(&ChannelShape) -> bool,
        mut emit: impl FnMut(&mut Self, Channel<'a>),
    ) {
        let layout = self.layout;
        let number = self.value(view, node);
        let index = self.builder.ins().iadd_imm_s(number, -1);
        let index = self.extend(index);
        let count = self.context_word(offset_of!(Context, channel_count));
        let within = self.builder.ins().icmp(IntCC::UnsignedLessThan, index, count);
        self.demand(within, self.left);
        let table = self.context_word(offset_of!(Context, channels));
        let entry = self.builder.ins().ishl_imm_s(index, 3);
        let entry = self.builder.ins().iadd(table, entry);
        let entry = self.builder.ins().load(types::I64, super::NATIVE, entry, 0);
        let offset = self.builder.ins().band_imm_u(entry, i64::from(u32::MAX));
        let shape = self.builder.ins().ushr_imm_s(entry, 32);
        let anchor = Anchor::Behind(offset);
        let base = self.anchored(view, anchor);
        for (index, known) in layout.shapes.iter().enumerate().filter(|(_, shape)| fits(shape)) {
            let operand = Operand::Computed(number);
            let channel = Channel { base, anchor, offset: 0, shape: known, operand };
            if layout.shapes.len() == 1 {
                return emit(self, channel);
            }
            let (this, others) = (self.block(), self.block());
            let same = self.builder.ins().icmp_imm_s(IntCC::Equal, shape, index as i64);
            self.branch(same, this, others);
            self.builder.switch_to_block(this);
            emit(self, channel);
            self.builder.switch_to_block(others);
        }
        self.jump(self.left);
    }

    fn anchored(&mut self, view: View, anchor: Anchor) -> Value {
        match anchor {
            Anchor::State => view.state,
            Anchor::Frame => view.own,
            Anchor::Behind(offset) => self.builder.ins().iadd(view.state, offset),
        }
    }

    /// The same channel in the draft of the view's process.
    pub(super) fn channel_in(&mut self, view: View, channel: &Channel<'a>) -> Channel<'a> {
        Channel { base: self.anchored(view, channel.anchor), ..*channel }
    }

    /// The number of a channel, in 32 bits.
    pub(super) fn number(&mut self, view: View, operand: Operand) -> Value {
        match operand {
            Operand::Global(index) => self.int(index as i32 + 1),
            Operand::Own(index) => self.own_number(view, index),
            Operand::Computed(number) => number,
        }
    }

    fn length_word(channel: &Channel<'_>) -> Word {
        Word { offset: channel.offset as u32, width: channel.shape.length_width }
    }

    /// How many messages a channel holds, as a word.
    pub(super) fn length(&mut self, channel: &Channel<'_>) -> Value {
        self.read_word(Self::length_word(channel), channel.base)
    }

    /// A field of the message that begins `at` bytes behind the first one.
    fn field(channel: &Channel<'_>, field: Slot) -> Slot {
        let first = channel.offset as u32 + u32::from(channel.shape.length_width);
        Slot { offset: first + field.offset, ..field }
    }

    /// What the offsets of a message's fields are counted from.
    fn message(&mut self, channel: &Channel<'_>, index: Value) -> Value {
        let at = self.builder.ins().imul_imm_s(index, i64::from(channel.shape.message));
        self.builder.ins().iadd(channel.base, at)
    }

    /// Goes to `found`, with the position, if there is a message that the patterns match, else to `missing`.
    pub(super) fn find(
        &mut self,
        view: View,
        channel: &Channel<'_>,
        patterns: &[PatternCode],
        anywhere: bool,
        found: Block,
        missing: Block,
    ) {
        if patterns.len() != channel.shape.fields.len() {
            return self.jump(self.left);
        }
        if channel.shape.capacity == 0 {
            return self.jump(missing);
        }
        let length = self.length(channel);
        let zero = self.word(0);
        if !anywhere {
            self.demand(length, missing);
            self.matches(view, channel, patterns, channel.base, missing);
            return self.jump_with(found, zero);
        }
        let (head, body, next) = (self.block(), self.block(), self.block());
        let index = self.builder.append_block_param(head, types::I64);
        self.jump_with(head, zero);
        self.builder.switch_to_block(head);
        let within = self.builder.ins().icmp(IntCC::UnsignedLessThan, index, length);
        self.branch(within, body, missing);
        self.builder.switch_to_block(body);
        let message = self.message(channel, index);
        self.matches(view, channel, patterns, message, next);
        self.jump_with(found, index);
        self.builder.switch_to_block(next);
        let following = self.builder.ins().iadd_imm_s(index, 1);
        self.jump_with(head, following);
    }

    /// Goes on if a message matches, else to `no`.
    fn matches(
        &mut self,
        view: View,
        channel: &Channel<'_>,
        patterns: &[PatternCode],
        message: Value,
        no: Block,
    ) {
        for (pattern, field) in patterns.iter().zip(&channel.shape.fields) {
            if let PatternCode::Match(node) = *pattern {
                let held = self.load(message, Self::field(channel, *field));
                let wanted = self.value(view, node);
                let same = self.builder.ins().icmp(IntCC::Equal, held, wanted);
                self.demand(same, no);
            }
        }
    }

    /// Whether a receive would be possible.
    pub(super) fn poll(&mut self, view: View, channel: ChannelCode, poll: PollCode) -> Value {
        let patterns = &self.code.patterns[poll.patterns.indices()];
        self.merge(|this, end| {
            let fits = |shape: &ChannelShape| shape.fields.len() == patterns.len();
            this.each_shape(view, channel, fits, |this, channel| {
                let (found, missing) = (this.block(), this.block());
                this.builder.append_block_param(found, types::I64);
                this.find(view, &channel, patterns, poll.anywhere, found, missing);
                for (block, value) in [(found, 1), (missing, 0)] {
                    this.builder.switch_to_block(block);
                    let value = this.int(value);
                    this.jump_with(end, value);
                }
            });
        })
    }

    /// Stores the fields of a message and takes it out of the channel; all in the view's state. What the channel holds is read
    /// in `before`, the same channel in a state in which it holds the same.
    pub(super) fn receive(
        &mut self,
        view: View,
        channel: &Channel<'_>,
        before: &Channel<'_>,
        patterns: &[PatternCode],
        found: Option<Value>,
        keep: bool,
    ) {
        let message = match found {
            Some(index) => self.message(before, index),
            None => before.base,
        };
        for (pattern, field) in patterns.iter().zip(&channel.shape.fields) {
            if let PatternCode::Bind(target) = *pattern {
                let value = self.load(message, Self::field(channel, *field));
                self.assign(view, target, value);
            }
        }
        if keep {
            return;
        }
        let shape = channel.shape;
        let first = channel.offset + i32::from(shape.length_width);
        let length = self.length(before);
        if found.is_none() && shape.capacity * shape.message <= SHORT {
            self.shift(before.base, channel.base, first, shape);
        } else {
            let start = self.builder.ins().iadd_imm_s(channel.base, i64::from(first));
            let index = found.unwrap_or_else(|| self.word(0));
            let size = self.word(shape.message.into());
            self.tell(Assistance::Remove, &[start, index, length, size]);
        }
        let less = self.builder.ins().iadd_imm_s(length, -1);
        self.write_word(Self::length_word(channel), channel.base, less);
    }

    /// Moves every message but the first one place forward, from where they were before, and clears the last place.
    fn shift(&mut self, before: Value, base: Value, first: i32, shape: &ChannelShape) {
        let moved = (shape.capacity - 1) * shape.message;
        for (at, ty) in chunks(moved) {
            let chunk = self.builder.ins().load(ty, STATE, before, first + (shape.message + at) as i32);
            self.builder.ins().store(STATE, chunk, base, first + at as i32);
        }
        for (at, ty) in chunks(shape.message) {
            let zero = self.builder.ins().iconst(ty, 0);
            self.builder.ins().store(STATE, zero, base, first + (moved + at) as i32);
        }
    }

    /// Appends a message to a channel, if there is room; if not it is lost, or else the send blocks. What is sent is evaluated in
    /// `before`, where the same channel, `seen`, holds the same.
    pub(super) fn send(
        &mut self,
        before: View,
        seen: &Channel<'_>,
        channel: &Channel<'_>,
        fields: &[NodeId],
        has_room: bool,
        blocked: Block,
    ) {
        let shape = channel.shape;
        let length = self.length(seen);
        let after = self.block();
        if !has_room {
            let room = self.builder.ins().icmp_imm_s(IntCC::NotEqual, length, i64::from(shape.capacity));
            let overflow = self.interpreter.program().overflow;
            self.demand(room, if overflow { after } else { blocked });
        }
        let message = self.message(channel, length);
        for (&node, field) in fields.iter().zip(&shape.fields) {
            let value = self.value(before, node);
            self.store(message, Self::field(channel, *field), value);
        }
        let more = self.builder.ins().iadd_imm_s(length, 1);
        self.write_word(Self::length_word(channel), channel.base, more);
        self.jump(after);
        self.builder.switch_to_block(after);
    }
}

/// `bytes` bytes in as few pieces as possible: where each begins, and its type.
fn chunks(bytes: u32) -> impl Iterator<Item = (u32, cranelift_codegen::ir::Type)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let ty = match bytes - at {
            0 => return None,
            1 => types::I8,
            2..4 => types::I16,
            4..8 => types::I32,
            _ => types::I64,
        };
        at += ty.bytes();
        Some((at - ty.bytes(), ty))
    })
}
