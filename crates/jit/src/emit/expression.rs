//! Expressions, in 32 bits.

use super::{Emitter, STATE, View};
use crate::assistance::Assistance;
use crate::context::Process;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use mazurka_program::interpreter::code::{Base, ChannelCode, Node, NodeId, Range, TargetCode};
use mazurka_program::interpreter::layout::Slot;
use mazurka_program::ir::{BinaryOperator, Type, UnaryOperator};
use std::mem::offset_of;

/// The comparison that an operator is.
fn comparison(operator: BinaryOperator) -> Option<IntCC> {
    Some(match operator {
        BinaryOperator::Equal => IntCC::Equal,
        BinaryOperator::NotEqual => IntCC::NotEqual,
        BinaryOperator::Less => IntCC::SignedLessThan,
        BinaryOperator::LessEqual => IntCC::SignedLessThanOrEqual,
        BinaryOperator::Greater => IntCC::SignedGreaterThan,
        BinaryOperator::GreaterEqual => IntCC::SignedGreaterThanOrEqual,
        _ => return None,
    })
}

impl Emitter<'_> {
    fn base(&self, view: View, base: Base) -> Value {
        match base {
            Base::State => view.state,
            Base::Frame => view.own,
        }
    }

    /// Reads a value of a type.
    pub(super) fn load(&mut self, base: Value, slot: Slot) -> Value {
        let offset = slot.offset as i32;
        let ins = self.builder.ins();
        match slot.ty {
            Type::Short => ins.sload16(types::I32, STATE, base, offset),
            ty => match ty.size() {
                1 => ins.uload8(types::I32, STATE, base, offset),
                2 => ins.uload16(types::I32, STATE, base, offset),
                _ => ins.load(types::I32, STATE, base, offset),
            },
        }
    }

    /// The value that is left when one is stored in a type.
    pub(super) fn wrap(&mut self, ty: Type, value: Value) -> Value {
        match ty {
            Type::Int => value,
            Type::Short => {
                let cut = self.builder.ins().ireduce(types::I16, value);
                self.builder.ins().sextend(types::I32, cut)
            }
            ty => {
                let mask = i64::from(ty.wrap(-1) as u32);
                if mask == i64::from(u32::MAX) { value } else { self.builder.ins().band_imm_u(value, mask) }
            }
        }
    }

    /// Stores a value, cut to its type.
    pub(super) fn store(&mut self, base: Value, slot: Slot, value: Value) {
        // Cutting to whole bytes is what storing them does.
        let value = match slot.ty {
            Type::Bit | Type::Unsigned(_) => self.wrap(slot.ty, value),
            _ => value,
        };
        let (offset, ins) = (slot.offset as i32, self.builder.ins());
        match slot.ty.size() {
            1 => ins.istore8(STATE, value, base, offset),
            2 => ins.istore16(STATE, value, base, offset),
            _ => ins.store(STATE, value, base, offset),
        };
    }

    /// Where an element stands, and its slot from there.
    fn element(&mut self, view: View, base: Base, slot: Slot, length: u32, index: NodeId) -> (Value, Slot) {
        let base = self.base(view, base);
        let size = slot.ty.size() as u32;
        if let Node::Constant(index) = self.code.nodes[index as usize]
            && (0..i64::from(length)).contains(&i64::from(index))
        {
            return (base, Slot { offset: slot.offset + index as u32 * size, ..slot });
        }
        let index = self.value(view, index);
        let within = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, index, i64::from(length));
        self.demand(within, self.left);
        let index = self.extend(index);
        let offset = self.builder.ins().imul_imm_s(index, i64::from(size));
        (self.builder.ins().iadd(base, offset), slot)
    }

    /// Stores a value where a target says.
    pub(super) fn assign(&mut self, view: View, target: TargetCode, value: Value) {
        let (base, slot) = match target {
            TargetCode::Variable(base, slot) => (self.base(view, base), slot),
            TargetCode::Element { base, slot, length, index } => {
                self.element(view, base, slot, length, index)
            }
        };
        self.store(base, slot, value);
    }

    /// The number of a channel of the process itself.
    pub(super) fn own_number(&mut self, view: View, index: u32) -> Value {
        let before = self.process_field(view.pid, offset_of!(Process, owned_before));
        let before = self.builder.ins().ireduce(types::I32, before);
        let first = self.layout.channels.len() as i64 + 1;
        self.builder.ins().iadd_imm_s(before, first + i64::from(index))
    }

    /// Lets the interpreter evaluate an expression.
    fn interpreted(&mut self, view: View, node: NodeId) -> Value {
        let what = self.word((view.kind as i64) << 32 | i64::from(node));
        let answer = self.ask(Assistance::Evaluate, &[self.context, view.state, view.pid, view.frame, what]);
        let fault = self.builder.ins().ushr_imm_s(answer, 32);
        let fine = self.builder.ins().icmp_imm_s(IntCC::Equal, fault, 0);
        self.demand(fine, self.left);
        self.builder.ins().ireduce(types::I32, answer)
    }

    fn truth(&mut self, bit: Value) -> Value {
        self.builder.ins().uextend(types::I32, bit)
    }

    /// The value of an expression.
    pub(super) fn value(&mut self, view: View, node: NodeId) -> Value {
        let code = self.code;
        match code.nodes[node as usize] {
            Node::Constant(value) => self.int(value),
            Node::StateByte(offset) => self.load(view.state, Slot { offset, ty: Type::Byte }),
            Node::FrameByte(offset) => self.load(view.own, Slot { offset, ty: Type::Byte }),
            Node::Load(base, slot) => {
                let base = self.base(view, base);
                self.load(base, slot)
            }
            Node::Element { base, slot, length, index } => {
                let (base, slot) = self.element(view, base, slot, length, index);
                self.load(base, slot)
            }
            Node::OwnChannel(index) => self.own_number(view, index),
            Node::Pid => self.builder.ins().ireduce(types::I32, view.pid),
            Node::ProcessCount => {
                let count = self.count(view.state);
                self.builder.ins().ireduce(types::I32, count)
            }
            Node::Timeout => {
                let idle = self.ask(Assistance::Idle, &[self.context, view.state]);
                self.builder.ins().ireduce(types::I32, idle)
            }
            Node::Unary(operator, a) => {
                let a = self.value(view, a);
                match operator {
                    UnaryOperator::Negate => self.builder.ins().ineg(a),
                    UnaryOperator::Complement => self.builder.ins().bnot(a),
                    UnaryOperator::Not => {
                        let bit = self.builder.ins().icmp_imm_s(IntCC::Equal, a, 0);
                        self.truth(bit)
                    }
                }
            }
            Node::Binary(BinaryOperator::And | BinaryOperator::Or, ..) => self.merge(|this, end| {
                let (yes, no) = (this.block(), this.block());
                this.test(view, node, yes, no);
                for (block, value) in [(yes, 1), (no, 0)] {
                    this.builder.switch_to_block(block);
                    let value = this.int(value);
                    this.jump_with(end, value);
                }
            }),
            Node::Binary(operator, a, b) => self.binary(view, operator, a, b),
            Node::Conditional(a, b, c) => self.merge(|this, end| {
                let (yes, no) = (this.block(), this.block());
                this.test(view, a, yes, no);
                for (block, chosen) in [(yes, b), (no, c)] {
                    this.builder.switch_to_block(block);
                    let value = this.value(view, chosen);
                    this.jump_with(end, value);
                }
            }),
            Node::Length(channel) => {
                self.of_length(view, channel, |this, length, _| length.unwrap_or_else(|| this.int(0)))
            }
            Node::Empty(channel) => self.of_length(view, channel, |this, length, _| match length {
                None => this.int(1),
                Some(length) => {
                    let bit = this.builder.ins().icmp_imm_s(IntCC::Equal, length, 0);
                    this.truth(bit)
                }
            }),
            Node::Full(channel) => self.of_length(view, channel, |this, length, capacity| match length {
                None => this.int(1),
                Some(length) => {
                    let bit = this.builder.ins().icmp_imm_s(IntCC::Equal, length, i64::from(capacity));
                    this.truth(bit)
                }
            }),
            Node::Poll { channel, patterns } => self.poll(view, channel, code.polls[patterns as usize]),
            Node::Observe(_) | Node::Remote { .. } | Node::Process(..) | Node::NonProgress => {
                self.interpreted(view, node)
            }
        }
    }

    /// Something that depends on the length of a channel, which a rendezvous doesn't have, and its capacity.
    fn of_length(
        &mut self,
        view: View,
        channel: ChannelCode,
        compute: impl Fn(&mut Self, Option<Value>, u32) -> Value,
    ) -> Value {
        self.merge(|this, end| {
            this.each_shape(
                view,
                channel,
                |_| true,
                |this, channel| {
                    let shape = channel.shape;
                    let length = (shape.capacity > 0).then(|| {
                        let length = this.length(&channel);
                        this.builder.ins().ireduce(types::I32, length)
                    });
                    let value = compute(this, length, shape.capacity);
                    this.jump_with(end, value);
                },
            );
        })
    }

    fn binary(&mut self, view: View, operator: BinaryOperator, a: NodeId, b: NodeId) -> Value {
        let a = self.value(view, a);
        let b = self.value(view, b);
        if let Some(condition) = comparison(operator) {
            let bit = self.builder.ins().icmp(condition, a, b);
            return self.truth(bit);
        }
        match operator {
            BinaryOperator::Add => self.builder.ins().iadd(a, b),
            BinaryOperator::Subtract => self.builder.ins().isub(a, b),
            BinaryOperator::Multiply => self.builder.ins().imul(a, b),
            BinaryOperator::BitAnd => self.builder.ins().band(a, b),
            BinaryOperator::BitOr => self.builder.ins().bor(a, b),
            BinaryOperator::BitXor => self.builder.ins().bxor(a, b),
            BinaryOperator::Divide | BinaryOperator::Remainder => {
                self.demand(b, self.left);
                // The machine can't divide the least number by -1, so it divides by 1 instead.
                let negates = self.builder.ins().icmp_imm_s(IntCC::Equal, b, -1);
                let one = self.int(1);
                let divisor = self.builder.ins().select(negates, one, b);
                let (quotient, special) = if operator == BinaryOperator::Divide {
                    (self.builder.ins().sdiv(a, divisor), self.builder.ins().ineg(a))
                } else {
                    (self.builder.ins().srem(a, divisor), self.int(0))
                };
                self.builder.ins().select(negates, special, quotient)
            }
            BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => {
                let within = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, b, 32);
                if operator == BinaryOperator::ShiftLeft {
                    let (shifted, zero) = (self.builder.ins().ishl(a, b), self.int(0));
                    self.builder.ins().select(within, shifted, zero)
                } else {
                    let most = self.int(31);
                    let by = self.builder.ins().select(within, b, most);
                    self.builder.ins().sshr(a, by)
                }
            }
            _ => unreachable!("comparisons and connectives were dealt with"),
        }
    }

    /// Goes to `yes` if an expression is true, else to `no`.
    pub(super) fn test(&mut self, view: View, node: NodeId, yes: Block, no: Block) {
        match self.code.nodes[node as usize] {
            Node::Constant(0) => self.jump(no),
            Node::Constant(_) => self.jump(yes),
            Node::Binary(BinaryOperator::And, a, b) => {
                let between = self.block();
                self.test(view, a, between, no);
                self.builder.switch_to_block(between);
                self.test(view, b, yes, no);
            }
            Node::Binary(BinaryOperator::Or, a, b) => {
                let between = self.block();
                self.test(view, a, yes, between);
                self.builder.switch_to_block(between);
                self.test(view, b, yes, no);
            }
            Node::Unary(UnaryOperator::Not, a) => self.test(view, a, no, yes),
            Node::Binary(operator, a, b) if comparison(operator).is_some() => {
                let a = self.value(view, a);
                let b = self.value(view, b);
                let condition = comparison(operator).unwrap_or(IntCC::Equal);
                let bit = self.builder.ins().icmp(condition, a, b);
                self.branch(bit, yes, no);
            }
            _ => {
                let value = self.value(view, node);
                self.branch(value, yes, no);
            }
        }
    }

    /// Goes on if all of a guard is true, else to `no`. Whether nobody can move takes longest to find out, so that is asked last. If
    /// a fault comes to light for that reason that would not have been met, the interpreter does not meet it.
    pub(super) fn guard(&mut self, view: View, guard: Range, no: Block) {
        let mut conditions = Vec::new();
        self.code.roots[guard.indices()].iter().for_each(|&node| self.conditions(node, &mut conditions));
        conditions.sort_by_key(|&node| matches!(self.code.nodes[node as usize], Node::Timeout));
        for node in conditions {
            self.require(view, node, no);
        }
    }

    /// Appends the conditions that an expression demands together.
    fn conditions(&self, node: NodeId, out: &mut Vec<NodeId>) {
        match self.code.nodes[node as usize] {
            Node::Binary(BinaryOperator::And, a, b) => {
                self.conditions(a, out);
                self.conditions(b, out);
            }
            _ => out.push(node),
        }
    }

    /// Goes on if an expression is true, else to `no`.
    pub(super) fn require(&mut self, view: View, node: NodeId, no: Block) {
        let yes = self.block();
        self.test(view, node, yes, no);
        self.builder.switch_to_block(yes);
    }
}
