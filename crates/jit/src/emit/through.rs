//! The way through an atomic region, in place: as long as a process that goes on alone has exactly one move, the move is
//! executed in the draft that the moves before it led to, and no successor is begun for it.
//!
//! One function for each process type, which takes a draft whose process has just arrived at a location inside a
//! region. It tells how that ended: with [`status::DONE`](crate::context::status::DONE) the process does not go on, so that the region is left or interrupted where
//! the draft now stands; with [`status::STOPPED`](crate::context::status::STOPPED) it goes on alone, and the draft is an interior state. That is so where there are
//! several moves, where one is out of the ordinary (a handshake, a process that is created or ends, an expression that the interpreter
//! evaluates, priorities among transitions), and when the function has gone round often enough. What may be wrong ends with
//! [`status::LEFT`](crate::context::status::LEFT) as everywhere: then the interpreter does the process again, one step only, and finds
//! what is wrong at the step where it happens.

use super::{Emitter, View, always_moves};
use crate::assistance::Assistance;
use crate::context::Context;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, JumpTableData, types};
use cranelift_frontend::Variable;
use mazurka_program::interpreter::code::{
    ChannelCode, Code, EffectCode, Node, NodeId, PatternCode, Range, TargetCode, TransitionCode,
};
use mazurka_program::interpreter::layout::{ChannelShape, Layout};
use std::mem::offset_of;

/// For each location of a process type, whether a region may be under way there.
pub(crate) fn inside(code: &Code, kind: usize) -> Vec<bool> {
    let locations = &code.locations[kind];
    let mut inside = vec![false; locations.len()];
    for location in locations {
        for transition in code.transitions[location.transitions.indices()].iter().filter(|t| t.atomic) {
            inside[transition.to as usize] = true;
        }
    }
    inside
}

/// Whether only the first of these that is executable is taken.
fn only_first(transitions: &[TransitionCode]) -> bool {
    transitions.first().is_some_and(|first| first.group != 0)
        && transitions.iter().all(|transition| transition.group == transitions[0].group)
}

/// What may be executed in place.
struct Ordinary<'a> {
    code: &'a Code,
    layout: &'a Layout,
    kind: usize,
}

impl Ordinary<'_> {
    /// Whether all moves from a location are ordinary.
    fn location(&self, index: usize) -> bool {
        let location = &self.code.locations[self.kind][index];
        let transitions = &self.code.transitions[location.transitions.indices()];
        let last = transitions.len().saturating_sub(1);
        // One `otherwise` at the end asks for nothing but that no other was found.
        let speaks_for_itself = |at: usize, t: &TransitionCode| t.group == 0 && (!t.otherwise || at == last);
        (only_first(transitions) || transitions.iter().enumerate().all(|(at, t)| speaks_for_itself(at, t)))
            && transitions.iter().all(|transition| self.transition(transition))
    }

    fn transition(&self, transition: &TransitionCode) -> bool {
        !transition.trial
            && transition.escape == 0
            && self.nodes(transition.guard)
            && self.code.effects[transition.effects.indices()].iter().all(|effect| self.effect(effect))
    }

    fn effect(&self, effect: &EffectCode) -> bool {
        match *effect {
            EffectCode::Assign { target, value } => self.target(target) && self.node(value),
            EffectCode::Send { channel, fields, sorted } => {
                !sorted && self.buffered(channel) && self.nodes(fields)
            }
            EffectCode::Receive { channel, patterns, .. } => {
                self.buffered(channel) && self.patterns(patterns)
            }
            EffectCode::Assert(node) => self.node(node),
            EffectCode::Print(_) => true,
            EffectCode::Run { .. }
            | EffectCode::Exit
            | EffectCode::Operate { .. }
            | EffectCode::SetPriority { .. } => false,
        }
    }

    /// Whether it is known that a channel is none of handshakes.
    fn buffered(&self, channel: ChannelCode) -> bool {
        let holds = |shape: &ChannelShape| shape.capacity > 0;
        let place = |shape: u32| holds(&self.layout.shapes[shape as usize]);
        match channel {
            ChannelCode::Global(index) => place(self.layout.channels[index as usize].shape),
            ChannelCode::Own(index) => place(self.layout.frames[self.kind].channels[index as usize].shape),
            ChannelCode::Computed(node) => self.node(node) && self.layout.shapes.iter().all(holds),
        }
    }

    fn channel(&self, channel: ChannelCode) -> bool {
        match channel {
            ChannelCode::Global(_) | ChannelCode::Own(_) => true,
            ChannelCode::Computed(node) => self.node(node),
        }
    }

    fn patterns(&self, patterns: Range) -> bool {
        self.code.patterns[patterns.indices()].iter().all(|pattern| match *pattern {
            PatternCode::Bind(target) => self.target(target),
            PatternCode::Match(node) => self.node(node),
            PatternCode::Ignore => true,
        })
    }

    fn target(&self, target: TargetCode) -> bool {
        match target {
            TargetCode::Variable(..) => true,
            TargetCode::Element { index, .. } => self.node(index),
        }
    }

    fn nodes(&self, nodes: Range) -> bool {
        self.code.roots[nodes.indices()].iter().all(|&node| self.node(node))
    }

    /// Whether an expression asks for nothing but variables and channels: not for what others can do, which depends on who
    /// goes on alone.
    fn node(&self, node: NodeId) -> bool {
        match self.code.nodes[node as usize] {
            Node::Constant(_)
            | Node::StateByte(_)
            | Node::FrameByte(_)
            | Node::Load(..)
            | Node::OwnChannel(_)
            | Node::Pid
            | Node::ProcessCount => true,
            Node::Element { index, .. } => self.node(index),
            Node::Unary(_, a) => self.node(a),
            Node::Binary(_, a, b) => self.node(a) && self.node(b),
            Node::Conditional(a, b, c) => self.node(a) && self.node(b) && self.node(c),
            Node::Length(channel) | Node::Empty(channel) | Node::Full(channel) => self.channel(channel),
            Node::Poll { channel, patterns } => {
                self.channel(channel) && self.patterns(self.code.polls[patterns as usize].patterns)
            }
            Node::Timeout
            | Node::Observe(_)
            | Node::Remote { .. }
            | Node::Process(..)
            | Node::NonProgress => false,
        }
    }
}

/// The blocks of locations, and how often the function may still go round.
struct Way {
    blocks: Vec<Option<Block>>,
    fuel: Variable,
}

impl<'a> Emitter<'a> {
    /// Writes the function that goes on through regions of a process type.
    pub(crate) fn through(mut self, kind: usize) {
        let view = self.mover(kind);
        let fuel = self.builder.declare_var(types::I64);
        self.builder.def_var(fuel, self.mode);
        let inside = inside(self.code, kind);
        let blocks: Vec<_> = inside.iter().map(|inside| inside.then(|| self.block())).collect();
        self.switch_on_location(view, &blocks, self.left);
        let way = Way { blocks, fuel };
        let ordinary = Ordinary { code: self.code, layout: self.layout, kind };
        for (location, block) in way.blocks.iter().enumerate() {
            if let Some(block) = block {
                self.builder.switch_to_block(*block);
                match ordinary.location(location) {
                    true => self.pass(view, location, &way),
                    false => self.pause(view, location),
                }
            }
        }
        self.finish();
    }

    /// Ends at a location: the process goes on alone if it can.
    fn pause(&mut self, view: View, location: usize) {
        if always_moves(self.code, view.kind, location) {
            return self.jump(self.stopped);
        }
        let can = self.ask(Assistance::CanMove, &[self.context, view.state, view.pid]);
        let stuck = self.stuck(view, location);
        self.branch(can, self.stopped, stuck);
    }

    /// Where to go if a process can't move from a location.
    fn stuck(&self, view: View, location: usize) -> Block {
        if self.code.locations[view.kind][location].committed { self.left } else { self.done }
    }

    /// Executes the only move from a location, if it is the only one.
    fn pass(&mut self, view: View, location: usize, way: &Way) {
        let code = self.code;
        let stuck = self.stuck(view, location);
        let transitions = &code.transitions[code.locations[view.kind][location].transitions.indices()];
        if let [transition] = transitions {
            self.guard(view, transition.guard, stuck);
            return self.step(view, location, transition, stuck, way);
        }
        if only_first(transitions) {
            for transition in transitions {
                let next = self.block();
                self.guard(view, transition.guard, next);
                self.ready(view, transition, next);
                self.step(view, location, transition, self.left, way);
                self.builder.switch_to_block(next);
            }
            return self.jump(stuck);
        }
        let chosen = self.builder.declare_var(types::I32);
        let none = self.int(0);
        self.builder.def_var(chosen, none);
        let mut targets = vec![self.builder.func.dfg.block_call(stuck, &[] as &[BlockArg])];
        let mut steps = Vec::new();
        for (alternative, transition) in transitions.iter().enumerate() {
            let (step, next) = (self.block(), self.block());
            targets.push(self.builder.func.dfg.block_call(step, &[] as &[BlockArg]));
            steps.push(step);
            if transition.otherwise && alternative > 0 {
                let earlier = self.builder.use_var(chosen);
                let free = self.builder.ins().icmp_imm_s(IntCC::Equal, earlier, 0);
                self.demand(free, next);
            }
            self.guard(view, transition.guard, next);
            self.ready(view, transition, next);
            if alternative > 0 && !transition.otherwise {
                let earlier = self.builder.use_var(chosen);
                let free = self.builder.ins().icmp_imm_s(IntCC::Equal, earlier, 0);
                self.demand(free, self.stopped);
            }
            let this = self.int(alternative as i32 + 1);
            self.builder.def_var(chosen, this);
            self.jump(next);
            self.builder.switch_to_block(next);
        }
        let chosen = self.builder.use_var(chosen);
        let default = self.builder.func.dfg.block_call(self.left, &[] as &[BlockArg]);
        let table = self.builder.create_jump_table(JumpTableData::new(default, &targets));
        self.builder.ins().br_table(chosen, table);
        for (transition, step) in transitions.iter().zip(steps) {
            self.builder.switch_to_block(step);
            self.step(view, location, transition, self.left, way);
        }
    }

    /// Goes on if the first effect of a transition can be executed, else to `next`.
    fn ready(&mut self, view: View, transition: &TransitionCode, next: Block) {
        let code = self.code;
        match code.effects[transition.effects.indices()].first() {
            Some(&EffectCode::Send { channel, fields, .. }) if !self.interpreter.program().overflow => {
                let ready = self.block();
                let fits = |shape: &ChannelShape| shape.fields.len() == fields.indices().len();
                self.each_shape(view, channel, fits, |this, channel| {
                    let (length, capacity) = (this.length(&channel), channel.shape.capacity);
                    let room = this.builder.ins().icmp_imm_s(IntCC::NotEqual, length, i64::from(capacity));
                    this.branch(room, ready, next);
                });
                self.builder.switch_to_block(ready);
            }
            Some(&EffectCode::Receive { channel, patterns, anywhere, .. }) => {
                let ready = self.block();
                let patterns = &code.patterns[patterns.indices()];
                let fits = |shape: &ChannelShape| shape.fields.len() == patterns.len();
                self.each_shape(view, channel, fits, |this, channel| {
                    let found = this.block();
                    this.builder.append_block_param(found, types::I64);
                    this.find(view, &channel, patterns, anywhere, found, next);
                    this.builder.switch_to_block(found);
                    this.jump(ready);
                });
                self.builder.switch_to_block(ready);
            }
            _ => {}
        }
    }

    /// Executes a transition in place and goes on from where it leads, or to `blocked` before anything is changed.
    fn step(&mut self, view: View, from: usize, transition: &TransitionCode, blocked: Block, way: &Way) {
        self.effects(view, view, transition, 0, blocked);
        let statement = self.statement(transition);
        let statement = self.word(statement);
        self.cover(statement);
        let walked = self.context_word(offset_of!(Context, walked));
        let more = self.builder.ins().iadd_imm_s(walked, 1);
        self.builder.ins().store(super::NATIVE, more, self.context, offset_of!(Context, walked) as i32);
        let to = transition.to as usize;
        let Some(block) = way.blocks[to].filter(|_| transition.atomic) else {
            return self.jump(self.done);
        };
        if to > from {
            return self.jump(block);
        }
        // Whatever goes round in a circle comes by here.
        let fuel = self.builder.use_var(way.fuel);
        let less = self.builder.ins().iadd_imm_s(fuel, -1);
        self.builder.def_var(way.fuel, less);
        let exhausted = self.cold();
        self.branch(less, block, exhausted);
        self.builder.switch_to_block(exhausted);
        self.pause(view, to);
    }
}
