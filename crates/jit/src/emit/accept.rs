//! The handshakes that a process accepts: the receiving side, which executes the whole step.

use super::{Emitter, NATIVE, View};
use crate::assistance::Assistance;
use crate::context::{Context, Handshake, MOST_FIELDS};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use mazurka_program::interpreter::code::{
    ChannelCode, EffectCode, LocationCode, PatternCode, TransitionCode,
};
use mazurka_program::interpreter::layout::Word;
use std::mem::offset_of;

impl Emitter<'_> {
    /// Writes the function of the handshakes that a process type accepts.
    pub(crate) fn accept(mut self, kind: usize) {
        let view = self.mover(kind);
        let locations = &self.code.locations[kind];
        let blocks: Vec<Option<Block>> =
            locations.iter().map(|location| location.accepts.then(|| self.block())).collect();
        self.switch_on_location(view, &blocks, self.done);
        for (location, block) in locations.iter().zip(blocks) {
            if let Some(block) = block {
                self.builder.switch_to_block(block);
                self.accepting_location(view, location);
            }
        }
        self.finish();
    }

    fn offered(&mut self, field: usize) -> Value {
        let at = offset_of!(Context, handshake) + field;
        self.builder.ins().load(types::I32, NATIVE, self.context, at as i32)
    }

    fn accepting_location(&mut self, view: View, location: &LocationCode) {
        let code = self.code;
        let transitions = &code.transitions[location.transitions.indices()];
        let escapes = transitions.iter().any(|t| t.escape != 0).then(|| {
            let escaped = self.builder.declare_var(types::I32);
            let zero = self.int(0);
            self.builder.def_var(escaped, zero);
            escaped
        });
        for (alternative, transition) in transitions.iter().enumerate() {
            let effects = &code.effects[transition.effects.indices()];
            let Some(&EffectCode::Receive { channel, patterns, .. }) = effects.first() else { continue };
            if transition.otherwise {
                continue;
            }
            let patterns = &code.patterns[patterns.indices()];
            let (some, next) = (self.block(), self.block());
            if let Some(escaped) = escapes {
                let escaped = self.builder.use_var(escaped);
                self.unescaped(escaped, transition.escape, next);
            }
            let own = match channel {
                ChannelCode::Global(index) => self.int(index as i32 + 1),
                ChannelCode::Own(index) => self.own_number(view, index),
                ChannelCode::Computed(node) => self.value(view, node),
            };
            let offered = self.offered(offset_of!(Handshake, number));
            let same = self.builder.ins().icmp(IntCC::Equal, own, offered);
            self.demand(same, next);
            self.guard(view, transition.guard, next);
            let fields = self.offered(offset_of!(Handshake, fields));
            let same = self.builder.ins().icmp_imm_s(IntCC::Equal, fields, patterns.len() as i64);
            self.demand(same, next);
            if patterns.len() <= MOST_FIELDS {
                self.matched(view, patterns, next);
                if let Some(escaped) = escapes {
                    let escape = self.int(transition.escape as i32);
                    self.builder.def_var(escaped, escape);
                }
                self.shake(view, alternative, transition, patterns, some, next);
            } else {
                self.jump(next);
            }
            self.builder.switch_to_block(some);
            let one = self.int(1);
            let found = offset_of!(Context, handshake) + offset_of!(Handshake, found);
            self.builder.ins().store(NATIVE, one, self.context, found as i32);
            self.jump(next);
            self.builder.switch_to_block(next);
        }
        self.jump(self.done);
    }

    fn message_field(index: usize) -> usize {
        offset_of!(Handshake, message) + index * size_of::<i32>()
    }

    /// Goes on if the message is one that the patterns match, else to `no`.
    fn matched(&mut self, view: View, patterns: &[PatternCode], no: Block) {
        for (index, pattern) in patterns.iter().enumerate() {
            if let PatternCode::Match(node) = *pattern {
                let wanted = self.value(view, node);
                let sent = self.offered(Self::message_field(index));
                let same = self.builder.ins().icmp(IntCC::Equal, wanted, sent);
                self.demand(same, no);
            }
        }
    }

    /// Executes the handshake.
    fn shake(
        &mut self,
        view: View,
        alternative: usize,
        transition: &TransitionCode,
        patterns: &[PatternCode],
        some: Block,
        next: Block,
    ) {
        let sender = self.offered(offset_of!(Handshake, sender));
        let sender = self.extend(sender);
        let theirs = self.offered(offset_of!(Handshake, alternative));
        let theirs = self.extend(theirs);
        let partner = self.builder.ins().iadd_imm_s(view.pid, 1);
        let partner = self.builder.ins().ishl_imm_s(partner, 20);
        let number = self.builder.ins().bor_imm_u(partner, (alternative as i64) << 10);
        let number = self.builder.ins().bor(number, theirs);
        self.admit(sender, number, transition.trial, some);
        let draft = self.begin(sender, number);
        let view = self.in_draft(view, draft);
        for (index, pattern) in patterns.iter().enumerate() {
            if let PatternCode::Bind(target) = *pattern {
                let value = self.offered(Self::message_field(index));
                self.assign(view, target, value);
            }
        }
        let place = self.offered(offset_of!(Handshake, location));
        let place = self.extend(place);
        let place = self.builder.ins().iadd(draft, place);
        let to = self.offered(offset_of!(Handshake, to));
        let to = self.extend(to);
        let width = self.layout.frames[view.kind].location.width;
        self.write_word(Word { offset: 0, width }, place, to);
        let blocked = self.cold();
        let (view, exited) = self.effects(view, view, transition, 1, blocked);
        let statement = self.offered(offset_of!(Handshake, statement));
        let statement = self.extend(statement);
        self.cover(statement);
        let statement = self.statement(transition);
        let statement = self.word(statement);
        self.cover(statement);
        self.settle(view, transition, exited, some);
        self.builder.switch_to_block(blocked);
        self.tell(Assistance::Discard, &[self.context]);
        self.jump(next);
    }
}
