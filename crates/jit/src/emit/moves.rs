//! The moves of a process: its transitions at each location, in order.

use super::channel::Channel;
use super::{Emitter, NATIVE, View};
use crate::assistance::Assistance;
use crate::context::{Context, Handshake, MOST_FIELDS, status};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, types};
use cranelift_frontend::Variable;
use mazurka_program::interpreter::code::{EffectCode, LocationCode, NodeId, TransitionCode};
use mazurka_program::interpreter::layout::ChannelShape;
use std::mem::offset_of;

/// What the transitions of a location say to the later ones.
struct Precedence {
    /// Some transition that is no `otherwise` is executable.
    executable: Variable,
    /// The group and the escape of the last one that is.
    taken: Variable,
    escaped: Variable,
}

impl<'a> Emitter<'a> {
    /// Writes the function of the moves of a process type.
    pub(crate) fn moves(mut self, kind: usize) {
        let view = self.mover(kind);
        let locations = &self.code.locations[kind];
        let blocks: Vec<_> = locations.iter().map(|_| Some(self.block())).collect();
        self.switch_on_location(view, &blocks, self.left);
        for (location, block) in locations.iter().zip(blocks) {
            self.builder.switch_to_block(block.expect("every location has one"));
            self.location(view, location);
        }
        self.finish();
    }

    fn location(&mut self, view: View, location: &LocationCode) {
        let code = self.code;
        let transitions = &code.transitions[location.transitions.indices()];
        let matters = transitions.iter().any(|t| t.otherwise || t.group != 0 || t.escape != 0);
        let precedence = matters.then(|| {
            let variable = |this: &mut Self| {
                let variable = this.builder.declare_var(types::I32);
                let zero = this.int(0);
                this.builder.def_var(variable, zero);
                variable
            };
            Precedence { executable: variable(self), taken: variable(self), escaped: variable(self) }
        });
        for (alternative, index) in location.transitions.indices().enumerate() {
            let transition = &code.transitions[index];
            let (some, next) = (self.block(), self.block());
            if let Some(precedence) = &precedence {
                self.give_way(precedence, transition, next);
            }
            self.guard(view, transition.guard, next);
            self.take(view, alternative, index, some, next);
            self.builder.switch_to_block(some);
            if let Some(precedence) = &precedence {
                if !transition.otherwise {
                    let one = self.int(1);
                    self.builder.def_var(precedence.executable, one);
                }
                let group = self.int(transition.group as i32);
                self.builder.def_var(precedence.taken, group);
                let escape = self.int(transition.escape as i32);
                self.builder.def_var(precedence.escaped, escape);
            }
            self.jump(next);
            self.builder.switch_to_block(next);
        }
        self.jump(self.done);
    }

    /// Goes to `next` if a transition before this one is taken instead.
    fn give_way(&mut self, precedence: &Precedence, transition: &TransitionCode, next: Block) {
        if transition.otherwise {
            let executable = self.builder.use_var(precedence.executable);
            let free = self.builder.ins().icmp_imm_s(IntCC::Equal, executable, 0);
            self.demand(free, next);
        }
        if transition.group != 0 {
            let taken = self.builder.use_var(precedence.taken);
            let group = i64::from(transition.group);
            let free = self.builder.ins().icmp_imm_u(IntCC::NotEqual, taken, group);
            self.demand(free, next);
        }
        let escaped = self.builder.use_var(precedence.escaped);
        self.unescaped(escaped, transition.escape, next);
    }

    /// Goes on if nothing was escaped to, or this very escape, else to `next`.
    pub(super) fn unescaped(&mut self, escaped: cranelift_codegen::ir::Value, escape: u32, next: Block) {
        let none = self.builder.ins().icmp_imm_s(IntCC::Equal, escaped, 0);
        let own = self.builder.ins().icmp_imm_u(IntCC::Equal, escaped, i64::from(escape));
        let free = self.builder.ins().bor(none, own);
        self.demand(free, next);
    }

    /// Looks at the first effect of a transition whose guard holds, and executes the transition. Goes to `some` if it
    /// can be executed, else to `next`.
    fn take(&mut self, view: View, alternative: usize, index: usize, some: Block, next: Block) {
        let code = self.code;
        let transition = &code.transitions[index];
        let number = self.word(alternative as i64);
        let rest = self.block();
        let draft = self.builder.append_block_param(rest, types::I64);
        let mut executed = 0;
        match code.effects[transition.effects.indices()].first() {
            None
            | Some(
                EffectCode::Assign { .. }
                | EffectCode::Run { .. }
                | EffectCode::Assert(_)
                | EffectCode::Print(_)
                | EffectCode::SetPriority { .. },
            ) => self.start(view, number, transition, some, rest),
            Some(EffectCode::Exit) => {
                self.youngest(view, next);
                self.start(view, number, transition, some, rest);
            }
            Some(EffectCode::Operate { .. } | EffectCode::Send { sorted: true, .. }) => {
                let what = self.word((view.kind as i64) << 32 | index as i64);
                let arguments = [self.context, view.state, view.pid, view.frame, what];
                let answer = self.ask(Assistance::Begins, &arguments);
                self.accepted(answer, next);
                self.start(view, number, transition, some, rest);
            }
            Some(&EffectCode::Send { channel, fields, .. }) => {
                executed = 1;
                let fields = &code.roots[fields.indices()];
                let fits = |shape: &ChannelShape| shape.fields.len() == fields.len();
                self.each_shape(view, channel, fits, |this, channel| {
                    if channel.shape.capacity == 0 {
                        return this.offer(view, alternative, transition, &channel, fields, some, next);
                    }
                    let overflow = this.interpreter.program().overflow;
                    if !overflow {
                        let (length, capacity) = (this.length(&channel), channel.shape.capacity);
                        let room =
                            this.builder.ins().icmp_imm_s(IntCC::NotEqual, length, i64::from(capacity));
                        this.demand(room, next);
                    }
                    this.admit(view.pid, number, transition.trial, some);
                    let draft = this.begin(view.pid, number);
                    let in_draft = this.in_draft(view, draft);
                    let drafted = this.channel_in(in_draft, &channel);
                    let seen = this.first_seen(view, in_draft);
                    this.send(seen, &channel, &drafted, fields, !overflow, next);
                    this.jump_with(rest, draft);
                });
            }
            Some(&EffectCode::Receive { channel, patterns, anywhere, keep }) => {
                executed = 1;
                let patterns = &code.patterns[patterns.indices()];
                let fits = |shape: &ChannelShape| shape.fields.len() == patterns.len();
                self.each_shape(view, channel, fits, |this, channel| {
                    if channel.shape.capacity == 0 {
                        // It holds no message: the sender will move.
                        return this.jump(next);
                    }
                    let found = this.block();
                    let index = this.builder.append_block_param(found, types::I64);
                    this.find(view, &channel, patterns, anywhere, found, next);
                    this.builder.switch_to_block(found);
                    this.admit(view.pid, number, transition.trial, some);
                    let draft = this.begin(view.pid, number);
                    let view = this.in_draft(view, draft);
                    let drafted = this.channel_in(view, &channel);
                    this.receive(view, &drafted, &channel, patterns, anywhere.then_some(index), keep);
                    this.jump_with(rest, draft);
                });
            }
        }
        self.builder.switch_to_block(rest);
        let (before, view) = (view, self.in_draft(view, draft));
        let blocked = self.cold();
        let (view, exited) = self.effects(before, view, transition, executed, blocked);
        let statement = self.statement(transition);
        let statement = self.word(statement);
        self.cover(statement);
        self.settle(view, transition, exited, some);
        self.builder.switch_to_block(blocked);
        self.tell(Assistance::Discard, &[self.context]);
        self.jump(next);
    }

    /// Begins a successor and goes to `rest`.
    fn start(
        &mut self,
        view: View,
        number: cranelift_codegen::ir::Value,
        transition: &TransitionCode,
        some: Block,
        rest: Block,
    ) {
        self.admit(view.pid, number, transition.trial, some);
        let draft = self.begin(view.pid, number);
        self.jump_with(rest, draft);
    }

    /// Offers a handshake to all others.
    #[allow(clippy::too_many_arguments)]
    fn offer(
        &mut self,
        view: View,
        alternative: usize,
        transition: &TransitionCode,
        channel: &Channel<'_>,
        fields: &[NodeId],
        some: Block,
        next: Block,
    ) {
        let alone = transition.effects.indices().len() == 1 && transition.resets.indices().is_empty();
        if !alone || fields.len() > MOST_FIELDS {
            return self.jump(self.left);
        }
        let shaken = offset_of!(Context, handshake);
        for (index, (&node, field)) in fields.iter().zip(&channel.shape.fields).enumerate() {
            let value = self.value(view, node);
            let value = self.wrap(field.ty, value);
            let at = shaken + offset_of!(Handshake, message) + index * size_of::<i32>();
            self.builder.ins().store(NATIVE, value, self.context, at as i32);
        }
        let number = self.number(view, channel.operand);
        let pid = self.builder.ins().ireduce(types::I32, view.pid);
        let frame = self.builder.ins().ireduce(types::I32, view.frame);
        let place = i64::from(self.layout.frames[view.kind].location.offset);
        let location = self.builder.ins().iadd_imm_s(frame, place);
        let (fields, alternative) = (self.int(fields.len() as i32), self.int(alternative as i32));
        let (to, statement) = (self.int(transition.to as i32), self.statement(transition));
        let statement = self.int(statement as i32);
        for (value, field) in [
            (number, offset_of!(Handshake, number)),
            (fields, offset_of!(Handshake, fields)),
            (pid, offset_of!(Handshake, sender)),
            (alternative, offset_of!(Handshake, alternative)),
            (location, offset_of!(Handshake, location)),
            (to, offset_of!(Handshake, to)),
            (statement, offset_of!(Handshake, statement)),
        ] {
            self.builder.ins().store(NATIVE, value, self.context, (shaken + field) as i32);
        }
        let ended = self.ask(Assistance::Handshake, &[self.context, view.state, view.pid, self.mode]);
        self.demand(ended, next);
        let shaken = self.builder.ins().icmp_imm_s(IntCC::Equal, ended, status::SHAKEN as i64);
        let other = self.cold();
        self.branch(shaken, some, other);
        self.builder.switch_to_block(other);
        self.builder.ins().return_(&[ended]);
    }
}
