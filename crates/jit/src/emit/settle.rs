//! The end of a successor: whether a process goes on alone, and how far it is taken on then.

use super::{Emitter, View, always_moves};
use crate::assistance::Assistance;
use crate::context::{Context, status};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder};
use mazurka_program::interpreter::code::{EffectCode, TransitionCode};
use std::mem::offset_of;

impl Emitter<'_> {
    /// Whether a transition may change the length of the state.
    fn resizes(&self, transition: &TransitionCode) -> bool {
        let resizes = |effect: &EffectCode| matches!(effect, EffectCode::Run { .. } | EffectCode::Exit);
        self.code.effects[transition.effects.indices()].iter().any(resizes)
    }

    /// Finishes the successor that `transition` led to, and goes to `after`. A process that must go on and can't
    /// is left to the interpreter.
    pub(super) fn settle(&mut self, view: View, transition: &TransitionCode, exited: bool, after: Block) {
        let exclusive = self.layout.exclusive;
        let zero = self.word(0);
        self.write_word(exclusive, view.state, zero);
        let resized = self.resizes(transition);
        if resized {
            self.tell(Assistance::Keep, &[self.context, zero]);
        }
        let end = self.block();
        let to = transition.to as usize;
        if exclusive.width > 0 && transition.atomic && !exited {
            let alone = self.block();
            if self.goes_on {
                let (through, single) = (self.block(), self.block());
                let fuel = self.context_word(offset_of!(Context, fuel));
                self.branch(fuel, through, single);
                self.builder.switch_to_block(through);
                let ended = self.ask(Assistance::GoOn, &[self.context, view.state, view.pid]);
                self.demand(ended, end);
                let left = self.builder.ins().icmp_imm_s(IntCC::Equal, ended, status::LEFT as i64);
                self.branch(left, self.left, alone);
                self.builder.switch_to_block(single);
            }
            if !always_moves(self.code, view.kind, to) {
                let can = self.ask(Assistance::CanMove, &[self.context, view.state, view.pid]);
                let committed = self.code.locations[view.kind][to].committed;
                self.demand(can, if committed { self.left } else { end });
            }
            self.jump(alone);
            self.builder.switch_to_block(alone);
            let alone = self.builder.ins().iadd_imm_s(view.pid, 1);
            self.write_word(exclusive, view.state, alone);
            let one = self.word(1);
            self.tell(Assistance::Keep, &[self.context, one]);
        }
        self.jump(end);
        self.builder.switch_to_block(end);
        if resized {
            self.tell(Assistance::Settle, &[self.context]);
        }
        self.jump(after);
    }
}
