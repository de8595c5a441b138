//! Evaluation of expressions in a state.

use super::code::{Base, Node, NodeId, OperationCode, PatternCode, PollCode};
use super::fault::{Fault, OutOfRange};
use super::layout::{self, Slot};
use super::machine::{ChannelAt, Machine, ProcessAt};
use crate::ir::BinaryOperator;
use mazurka_model::{Operand, Operation, ProcessId};
use std::cell::RefCell;

thread_local! {
    /// Memory for the value of an object and the value that an operation leaves.
    static VALUES: RefCell<(Vec<i64>, Vec<i64>)> = const { RefCell::new((Vec::new(), Vec::new())) };
}

/// A state as one process sees it.
#[derive(Copy, Clone)]
pub struct View<'a> {
    pub state: &'a [u8],
    pub at: ProcessAt,
}

impl View<'_> {
    #[inline]
    fn base(&self, base: Base) -> usize {
        match base {
            Base::State => 0,
            Base::Frame => self.at.frame,
        }
    }
}

/// The offset of an array's element.
#[inline]
pub fn element(at: ProcessAt, base: Base, slot: Slot, length: u32, index: i32) -> Result<usize, Fault> {
    match u32::try_from(index) {
        Ok(index) if index < length => Ok(slot.offset as usize + index as usize * slot.ty.size()),
        _ => Err(OutOfRange { base, kind: at.kind, offset: slot.offset, length, index }.note()),
    }
}

impl Machine {
    /// The value of a part of an expression: most are no expressions themselves.
    #[inline(always)]
    fn part(&self, view: View<'_>, node: NodeId) -> Result<i32, Fault> {
        match self.code.nodes[node as usize] {
            Node::Constant(value) => Ok(value),
            Node::StateByte(offset) => Ok(view.state[offset as usize].into()),
            Node::FrameByte(offset) => Ok(view.state[view.at.frame + offset as usize].into()),
            _ => self.value(view, node),
        }
    }

    /// The value of an expression.
    pub fn value(&self, view: View<'_>, node: NodeId) -> Result<i32, Fault> {
        Ok(match self.code.nodes[node as usize] {
            Node::Constant(value) => value,
            Node::StateByte(offset) => view.state[offset as usize].into(),
            Node::FrameByte(offset) => view.state[view.at.frame + offset as usize].into(),
            Node::Load(base, slot) => {
                layout::read(view.state, view.base(base) + slot.offset as usize, slot.ty)
            }
            Node::Element { base, slot, length, index } => {
                let offset = element(view.at, base, slot, length, self.part(view, index)?)?;
                layout::read(view.state, view.base(base) + offset, slot.ty)
            }
            Node::OwnChannel(index) => self.own_number(view, index) as i32,
            Node::Pid => view.at.pid as i32,
            Node::Timeout => self.idle(view.state).into(),
            Node::ProcessCount => self.count(view.state) as i32,
            Node::Unary(operator, a) => operator.compute(self.value(view, a)?),
            Node::Binary(BinaryOperator::And, a, b) => {
                (self.value(view, a)? != 0 && self.value(view, b)? != 0).into()
            }
            Node::Binary(BinaryOperator::Or, a, b) => {
                (self.value(view, a)? != 0 || self.value(view, b)? != 0).into()
            }
            Node::Binary(operator, a, b) => {
                operator.compute(self.part(view, a)?, self.part(view, b)?).ok_or(Fault::Division)?
            }
            Node::Conditional(a, b, c) => {
                let chosen = if self.value(view, a)? != 0 { b } else { c };
                self.value(view, chosen)?
            }
            Node::Length(channel) => self.channel(view, channel)?.length(view.state) as i32,
            Node::Empty(channel) => (self.channel(view, channel)?.length(view.state) == 0).into(),
            Node::Full(channel) => {
                let channel = self.channel(view, channel)?;
                (channel.length(view.state) == channel.shape.capacity as usize).into()
            }
            Node::Poll { channel, patterns } => {
                let channel = self.channel(view, channel)?;
                let PollCode { patterns, anywhere } = self.code.polls[patterns as usize];
                let patterns = &self.code.patterns[patterns.indices()];
                self.find(view, channel, patterns, anywhere)?.is_some().into()
            }
            Node::Observe(operation) => {
                let operation = self.code.operations[operation as usize];
                let output = self.operate(view, operation, |_, output| output)?.ok_or(Fault::Object)?;
                output as i32
            }
            Node::Remote { kind, instance, part } => self.remote(view, kind as usize, instance, part)?,
            Node::Process(question, process) => {
                let process = self.value(view, process)?;
                self.ask(view, question, process)?
            }
            Node::NonProgress => {
                self.processes(view.state).all(|at| !self.location(view.state, at).progress).into()
            }
        })
    }

    /// The position of the message that a receive with these patterns would take.
    pub fn find(
        &self,
        view: View<'_>,
        channel: ChannelAt<'_>,
        patterns: &[PatternCode],
        anywhere: bool,
    ) -> Result<Option<usize>, Fault> {
        if patterns.len() != channel.shape.fields.len() {
            return Err(Fault::Fields);
        }
        let length = channel.length(view.state);
        let tried = if anywhere { length } else { length.min(1) };
        'messages: for index in 0..tried {
            let message = channel.message(index);
            for (pattern, field) in patterns.iter().zip(&channel.shape.fields) {
                if let PatternCode::Match(node) = *pattern {
                    let held = layout::read(view.state, message + field.offset as usize, field.ty);
                    if held != self.part(view, node)? {
                        continue 'messages;
                    }
                }
            }
            return Ok(Some(index));
        }
        Ok(None)
    }

    /// Performs an operation on a copy of its object's value and passes the value left and the
    /// output to `then`; `None` if the operation is not defined.
    pub fn operate<R>(
        &self,
        view: View<'_>,
        operation: OperationCode,
        then: impl FnOnce(&[i64], i64) -> R,
    ) -> Result<Option<R>, Fault> {
        let mut operands = [Operand::Any; 2];
        for (operand, node) in operands.iter_mut().zip(operation.operands) {
            if let Some(node) = node {
                *operand = Operand::Is(self.value(view, node)?.into());
            }
        }
        let place = self.layout.objects[operation.object as usize];
        let object = &self.objects[operation.object as usize];
        let process = ProcessId(view.at.pid as u16);
        let operation = Operation { process, kind: operation.kind, operands };
        VALUES.with_borrow_mut(|(value, next)| {
            layout::load_object(place, view.state, value);
            Ok(object.apply(value, &operation, next).map(|output| then(next, output)))
        })
    }
}
