//! From a valid program to [`Code`].

use super::code::*;
use super::layout::Layout;
use crate::ir::{
    ChannelRef, Effect, Expression, Pattern, ProcessType, Program, RemotePart, Target, Transition, Type,
    VariableRef,
};
use mazurka_model::OperationKind;
use std::collections::HashMap;

/// Compiles all transitions of `program`.
pub fn compile(program: &Program, layout: &Layout) -> Code {
    let mut code = Code::default();
    let mut site = 0;
    for (kind, process) in program.types.iter().enumerate() {
        let mut numbered = Vec::new();
        let mut known = HashMap::new();
        for (index, transition) in process.transitions.iter().enumerate() {
            numbered.push((code.numbers.len() as u32, site, transition));
            code.numbers.push((kind as u32, index as u32));
            code.sites.push(site);
            let number = code.statements.len() as u32;
            let first = match transition.statement.is_empty() {
                true => number,
                false => *known.entry((transition.span, &transition.statement)).or_insert(number),
            };
            code.statements.push(first);
            site += 1 + transition.effects.len() as u32;
        }
        // The transitions of each location in their order.
        numbered.sort_by_key(|(_, _, transition)| transition.from);
        let mut numbered = numbered.into_iter().peekable();
        let mut locations = Vec::new();
        for (index, location) in process.locations.iter().enumerate() {
            let start = code.transitions.len() as u32;
            let mut compiler = Compiler { program, layout, process: Some((kind, process)), code: &mut code };
            let mut accepts = false;
            while let Some((number, site, transition)) = numbered.next_if(|(_, _, t)| t.from.index() == index)
            {
                accepts |= compiler.may_accept(transition);
                compiler.transition(number, site, transition);
            }
            let here = &code.transitions[start as usize..];
            let plain = here.iter().all(|t| !t.trial && t.group == 0 && t.escape == 0);
            locations.push(LocationCode {
                transitions: Range { start, end: code.transitions.len() as u32 },
                end: location.end,
                progress: location.progress,
                accept: location.accept,
                committed: location.committed,
                accepts,
                plain,
            });
        }
        code.locations.push(locations);
        let mut compiler = Compiler { program, layout, process: Some((kind, process)), code: &mut code };
        let prologue = process.prologue.iter();
        let prologue = prologue.map(|(t, e)| (compiler.target(t), compiler.node(e))).collect();
        code.prologues.push(prologue);
    }
    code
}

/// Compiles one expression over globals, or over the locals of `process` too.
pub fn compile_expression(
    program: &Program,
    layout: &Layout,
    code: &mut Code,
    process: Option<usize>,
    expression: &Expression,
) -> NodeId {
    let process = process.map(|kind| (kind, &program.types[kind]));
    Compiler { program, layout, process, code }.node(expression)
}

struct Compiler<'a> {
    program: &'a Program,
    layout: &'a Layout,
    process: Option<(usize, &'a ProcessType)>,
    code: &'a mut Code,
}

impl Compiler<'_> {
    /// Whether the channel may be a rendezvous.
    fn may_handshake(&self, channel: &Expression) -> bool {
        match channel {
            Expression::Channel(ChannelRef::Global(id)) => self.program.channels[id.index()].capacity == 0,
            Expression::Channel(ChannelRef::Own(id)) => {
                self.process.is_none_or(|(_, p)| p.channels[id.index()].capacity == 0)
            }
            _ => self.layout.shapes.iter().any(|s| s.capacity == 0),
        }
    }

    fn may_accept(&self, transition: &Transition) -> bool {
        match transition.effects.first() {
            Some(Effect::Receive { channel, .. }) => self.may_handshake(channel),
            _ => false,
        }
    }

    fn transition(&mut self, number: u32, site: u32, transition: &Transition) {
        let guard: Vec<NodeId> = transition.guard.iter().map(|e| self.node(e)).collect();
        let guard = self.roots(guard);
        let effects: Vec<EffectCode> = transition.effects.iter().map(|e| self.effect(e)).collect();
        let start = self.code.effects.len() as u32;
        self.code.effects.extend(effects);
        let first = self.code.resets.len() as u32;
        for id in &transition.resets {
            let (_, slot, _) = self.slot(VariableRef::Local(*id));
            let initial = self.process.and_then(|(_, p)| p.locals[id.index()].initial.first().copied());
            self.code.resets.push((slot, initial.unwrap_or(0)));
        }
        let resets = Range { start: first, end: self.code.resets.len() as u32 };
        let trial = transition.effects.iter().skip(1).any(Effect::may_block);
        self.code.transitions.push(TransitionCode {
            number,
            guard,
            effects: Range { start, end: self.code.effects.len() as u32 },
            to: transition.to.0,
            resets,
            otherwise: transition.otherwise,
            atomic: transition.atomic,
            group: transition.group,
            escape: transition.escape,
            trial,
            site,
        });
    }

    fn roots(&mut self, nodes: Vec<NodeId>) -> Range {
        let start = self.code.roots.len() as u32;
        self.code.roots.extend(nodes);
        Range { start, end: self.code.roots.len() as u32 }
    }

    fn push(&mut self, node: Node) -> NodeId {
        self.code.nodes.push(node);
        self.code.nodes.len() as u32 - 1
    }

    fn slot(&self, variable: VariableRef) -> (Base, super::layout::Slot, u32) {
        match variable {
            VariableRef::Global(id) => {
                let length = self.program.globals[id.index()].values() as u32;
                (Base::State, self.layout.globals[id.index()], length)
            }
            VariableRef::Local(id) => {
                let (kind, process) = self.process.expect("a valid program uses locals in processes only");
                let length = process.locals[id.index()].values() as u32;
                (Base::Frame, self.layout.frames[kind].locals[id.index()], length)
            }
        }
    }

    fn channel(&mut self, channel: &Expression) -> ChannelCode {
        match channel {
            Expression::Channel(ChannelRef::Global(id)) => ChannelCode::Global(id.0),
            Expression::Channel(ChannelRef::Own(id)) => ChannelCode::Own(id.0),
            other => ChannelCode::Computed(self.node(other)),
        }
    }

    fn patterns(&mut self, patterns: &[Pattern], binding: bool) -> Range {
        let compiled: Vec<PatternCode> = patterns
            .iter()
            .map(|pattern| match pattern {
                Pattern::Bind(target) if binding => PatternCode::Bind(self.target(target)),
                Pattern::Match(e) => PatternCode::Match(self.node(e)),
                Pattern::Bind(_) | Pattern::Ignore => PatternCode::Ignore,
            })
            .collect();
        let start = self.code.patterns.len() as u32;
        self.code.patterns.extend(compiled);
        Range { start, end: self.code.patterns.len() as u32 }
    }

    fn operation(&mut self, object: u32, kind: OperationKind, operands: &[Expression]) -> OperationCode {
        let mut nodes = [None; 2];
        for (node, operand) in nodes.iter_mut().zip(operands) {
            *node = Some(self.node(operand));
        }
        OperationCode { object, kind, operands: nodes }
    }

    fn target(&mut self, target: &Target) -> TargetCode {
        match target {
            Target::Variable(v) => {
                let (base, slot, _) = self.slot(*v);
                TargetCode::Variable(base, slot)
            }
            Target::Element(v, index) => {
                let (base, slot, length) = self.slot(*v);
                TargetCode::Element { base, slot, length, index: self.node(index) }
            }
        }
    }

    fn effect(&mut self, effect: &Effect) -> EffectCode {
        match effect {
            Effect::Assign { target, value } => {
                EffectCode::Assign { target: self.target(target), value: self.node(value) }
            }
            Effect::Send { channel, fields, sorted } => {
                let channel = self.channel(channel);
                let fields = fields.iter().map(|e| self.node(e)).collect();
                EffectCode::Send { channel, fields: self.roots(fields), sorted: *sorted }
            }
            Effect::Receive { channel, patterns, anywhere, keep } => EffectCode::Receive {
                channel: self.channel(channel),
                patterns: self.patterns(patterns, true),
                anywhere: *anywhere,
                keep: *keep,
            },
            Effect::Operate { object, kind, operands, target } => EffectCode::Operate {
                operation: self.operation(object.0, *kind, operands),
                target: target.as_ref().map(|t| self.target(t)),
            },
            Effect::Run { process, arguments, target } => {
                let arguments = arguments.iter().map(|e| self.node(e)).collect();
                let arguments = self.roots(arguments);
                let target = target.as_ref().map(|t| self.target(t));
                EffectCode::Run { process: process.0, arguments, target }
            }
            Effect::Assert(e) => EffectCode::Assert(self.node(e)),
            Effect::Print { arguments, .. } => {
                let arguments = arguments.iter().map(|(e, _)| self.node(e)).collect();
                EffectCode::Print(self.roots(arguments))
            }
            Effect::SetPriority { process, priority } => {
                EffectCode::SetPriority { process: self.node(process), priority: self.node(priority) }
            }
            Effect::Exit => EffectCode::Exit,
        }
    }

    fn node(&mut self, expression: &Expression) -> NodeId {
        let node = match expression {
            Expression::Constant(value) => Node::Constant(*value),
            Expression::Variable(v) => {
                let (base, slot, _) = self.slot(*v);
                match (base, slot.ty) {
                    (Base::State, Type::Bit | Type::Byte) => Node::StateByte(slot.offset),
                    (Base::Frame, Type::Bit | Type::Byte) => Node::FrameByte(slot.offset),
                    _ => Node::Load(base, slot),
                }
            }
            Expression::Element(v, index) => {
                let (base, slot, length) = self.slot(*v);
                Node::Element { base, slot, length, index: self.node(index) }
            }
            Expression::Channel(ChannelRef::Global(id)) => Node::Constant(id.0 as i32 + 1),
            Expression::Channel(ChannelRef::Own(id)) => Node::OwnChannel(id.0),
            Expression::Pid => Node::Pid,
            Expression::ProcessCount => match &self.layout.fixed {
                Some(processes) => Node::Constant(processes.len() as i32),
                None => Node::ProcessCount,
            },
            Expression::Timeout => Node::Timeout,
            Expression::NonProgress => Node::NonProgress,
            Expression::Process(question, process) => Node::Process(*question, self.node(process)),
            Expression::Remote { process, instance, part } => {
                let instance = instance.as_ref().map(|e| self.node(e));
                let local = |id: crate::ir::LocalId| {
                    let length = self.program.types[process.index()].locals[id.index()].values() as u32;
                    (self.layout.frames[process.index()].locals[id.index()], length)
                };
                let part = match &**part {
                    RemotePart::At(location) => RemoteCode::At(location.0),
                    RemotePart::Variable(id) => RemoteCode::Variable(local(*id).0),
                    RemotePart::Element(id, index) => {
                        let (slot, length) = local(*id);
                        RemoteCode::Element { slot, length, index: self.node(index) }
                    }
                };
                Node::Remote { kind: process.0, instance, part }
            }
            Expression::Unary(operator, a) => Node::Unary(*operator, self.node(a)),
            Expression::Binary(operator, a, b) => Node::Binary(*operator, self.node(a), self.node(b)),
            Expression::Conditional(a, b, c) => Node::Conditional(self.node(a), self.node(b), self.node(c)),
            Expression::Length(channel) => Node::Length(self.channel(channel)),
            Expression::Empty(channel) => Node::Empty(self.channel(channel)),
            Expression::Full(channel) => Node::Full(self.channel(channel)),
            Expression::Poll { channel, patterns, anywhere } => {
                let channel = self.channel(channel);
                let patterns = self.patterns(patterns, false);
                self.code.polls.push(PollCode { patterns, anywhere: *anywhere });
                Node::Poll { channel, patterns: self.code.polls.len() as u32 - 1 }
            }
            Expression::Observe { object, kind, operands } => {
                let operation = self.operation(object.0, *kind, operands);
                self.code.operations.push(operation);
                Node::Observe(self.code.operations.len() as u32 - 1)
            }
        };
        self.push(node)
    }
}
