//! Effects, executed in order in a draft.

use super::{Emitter, View};
use crate::assistance::{Assistance, FAULT};
use crate::context::Context;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, types};
use mazurka_program::interpreter::code::{EffectCode, Range, TargetCode, TransitionCode};
use mazurka_program::interpreter::layout::ChannelShape;
use std::mem::offset_of;

impl Emitter<'_> {
    /// Executes the effects of a transition from number `first` on, and moves the process to its new location.
    /// The view afterwards, because the draft may have moved; none if the process is no more. Goes to
    /// `blocked` where an effect can't be executed. `before` is the process in the state that the draft is a copy of.
    pub(super) fn effects(
        &mut self,
        before: View,
        mut view: View,
        transition: &TransitionCode,
        first: usize,
        blocked: Block,
    ) -> (View, bool) {
        let code = self.code;
        for index in transition.effects.indices().skip(first) {
            match code.effects[index] {
                EffectCode::Assign { target, value } => {
                    let is_first = index == transition.effects.indices().start;
                    let seen = if is_first { self.first_seen(before, view) } else { view };
                    let value = self.value(seen, value);
                    self.assign(view, target, value);
                }
                EffectCode::Assert(node) => self.require(view, node, self.left),
                EffectCode::Print(_) => {}
                EffectCode::Run { process, arguments, target } => {
                    view = self.run(view, process, arguments, target);
                }
                EffectCode::Exit => {
                    self.youngest(view, blocked);
                    let count = self.count(view.state);
                    let less = self.builder.ins().iadd_imm_s(count, -1);
                    self.write_word(self.layout.count, view.state, less);
                    self.tell(Assistance::Exit, &[self.context, view.frame]);
                    return (view, true);
                }
                EffectCode::Send { channel, fields, sorted: false } => {
                    let fields = &code.roots[fields.indices()];
                    let fits =
                        |shape: &ChannelShape| shape.capacity > 0 && shape.fields.len() == fields.len();
                    let after = self.block();
                    self.each_shape(view, channel, fits, |this, channel| {
                        this.send(view, &channel, &channel, fields, false, blocked);
                        this.jump(after);
                    });
                    self.builder.switch_to_block(after);
                }
                EffectCode::Receive { channel, patterns, anywhere, keep } => {
                    let patterns = &code.patterns[patterns.indices()];
                    let fits =
                        |shape: &ChannelShape| shape.capacity > 0 && shape.fields.len() == patterns.len();
                    let after = self.block();
                    self.each_shape(view, channel, fits, |this, channel| {
                        let found = this.block();
                        let index = this.builder.append_block_param(found, types::I64);
                        this.find(view, &channel, patterns, anywhere, found, blocked);
                        this.builder.switch_to_block(found);
                        let found = anywhere.then_some(index);
                        this.receive(view, &channel, &channel, patterns, found, keep);
                        this.jump(after);
                    });
                    self.builder.switch_to_block(after);
                }
                EffectCode::Send { .. } | EffectCode::Operate { .. } | EffectCode::SetPriority { .. } => {
                    let what = self.word((view.kind as i64) << 32 | index as i64);
                    let answer = self.ask(Assistance::Perform, &[self.context, view.pid, view.frame, what]);
                    self.accepted(answer, blocked);
                }
            }
        }
        let to = self.word(transition.to.into());
        self.write_word(self.layout.frames[view.kind].location, view.own, to);
        for &(slot, value) in &code.resets[transition.resets.indices()] {
            let value = self.int(value);
            self.store(view.own, slot, value);
        }
        (view, false)
    }

    /// Goes on if the interpreter says yes, to `no` if it says no; a fault is left to it.
    pub(super) fn accepted(&mut self, answer: cranelift_codegen::ir::Value, no: Block) {
        let fine = self.builder.ins().icmp_imm_s(IntCC::NotEqual, answer, FAULT as i64);
        self.demand(fine, self.left);
        self.demand(answer, no);
    }

    /// Goes on if the process is the youngest one, else to `no`.
    pub(super) fn youngest(&mut self, view: View, no: Block) {
        let count = self.count(view.state);
        let behind = self.builder.ins().iadd_imm_s(view.pid, 1);
        let last = self.builder.ins().icmp(IntCC::Equal, behind, count);
        self.demand(last, no);
    }

    /// Creates a process. The draft may move.
    fn run(&mut self, view: View, kind: u32, arguments: Range, target: Option<TargetCode>) -> View {
        let code = self.code;
        let count = self.count(view.state);
        let number = self.word(kind.into());
        let draft = self.ask(Assistance::Create, &[self.context, number]);
        self.demand(draft, self.left);
        let view = self.in_draft(view, draft);
        let frame = self.context_word(offset_of!(Context, created));
        let own = self.builder.ins().iadd(draft, frame);
        let layout = self.layout;
        let locals = &layout.frames[kind as usize].locals;
        for (&argument, slot) in code.roots[arguments.indices()].iter().zip(locals) {
            let value = self.value(view, argument);
            self.store(own, *slot, value);
        }
        let more = self.builder.ins().iadd_imm_s(count, 1);
        self.write_word(layout.count, draft, more);
        self.tell(Assistance::Enter, &[self.context, number]);
        let created = View { state: draft, frame, own, pid: count, kind: kind as usize };
        for &(target, value) in &code.prologues[kind as usize] {
            let value = self.value(created, value);
            self.assign(created, target, value);
        }
        if let Some(target) = target {
            let slot = self.builder.ins().ireduce(types::I32, count);
            self.assign(view, target, slot);
        }
        view
    }
}
