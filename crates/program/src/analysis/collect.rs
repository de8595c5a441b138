//! Collects the uses of shared objects by each transition, guard included.

mod conditions;

use super::asked::{asked_kinds, sets_later};
use super::flow::Flow;
use super::level::{Assigned, Before, Level, single_match};
use super::objects::ObjectTable;
use super::points_to::ComputedChannel;
use super::receivers::{may_handshake, watch_receivers};
use super::uses::{Awaits, ChannelAction, TransitionUses, Use, UseChannel, UseOperand};
use crate::interpreter::code::{Code, NodeId};
use crate::interpreter::compile::compile_expression;
use crate::interpreter::layout::Layout;
use crate::ir::{
    BinaryOperator, ChannelRef, Effect, Expression, Pattern, ProcessQuestion, ProcessType, Program, Target,
    Transition, Type, VariableRef,
};
use conditions::{asks_for_timeout, is_last_resort, looks_at_siblings};
use mazurka_model::object::{Domain, array, processes, rendezvous, variable, whereabouts};
use mazurka_model::{ObjectId, Operation, OperationKind};

/// The uses of all transitions, by number, and for each type its computed channels.
pub fn collect(
    program: &Program,
    layout: &Layout,
    code: &mut Code,
    objects: &ObjectTable,
) -> (Vec<TransitionUses>, Vec<Vec<ComputedChannel>>) {
    let assigned = Assigned::new(program);
    let mut all = Vec::new();
    let mut channels = Vec::new();
    let flows: Vec<Flow> = program.types.iter().map(Flow::new).collect();
    for ((kind, process), flow) in program.types.iter().enumerate().zip(&flows) {
        let mut collector = Collector {
            program,
            layout,
            code,
            objects,
            assigned: &assigned,
            kind,
            flow,
            process,
            channels: Vec::new(),
            before: Before::default(),
            out: TransitionUses::default(),
        };
        let mut own = Vec::new();
        for (index, transition) in process.transitions.iter().enumerate() {
            own.push(collector.transition(transition));
            objects.watched.written(kind, transition, &mut own[index]);
            if let Some(object) = objects.asked.moved(kind, transition) {
                own[index].push(collector.asking(object, whereabouts::MOVE, &Expression::Pid));
            }
        }
        for (index, transition) in process.transitions.iter().enumerate() {
            own[index].entangled |= looks_at_siblings(flow, transition);
            if looks_at_siblings(flow, transition) {
                collector.otherwise(transition, &own, index);
                let extra = std::mem::take(&mut collector.out);
                own[index].everything |= extra.everything;
                extra.uses.into_iter().for_each(|used| own[index].push(used));
            }
        }
        let computed = std::mem::take(&mut collector.channels).into_iter();
        channels.push(computed.map(|(e, node)| (node, objects.points_to.among(kind, &e))).collect());
        all.extend(own);
    }
    watch_receivers(program, &flows, objects, &mut all);
    // Any step may enable or disable one that asks in some other way whether nothing else can move.
    if program.asks(&|e: &Expression| *e == Expression::NonProgress)
        || flows.iter().any(|flow| flow.process.transitions.iter().any(|t| asks_for_timeout(flow, t)))
    {
        depend_on_everything(&mut all);
    }
    (all, channels)
}

/// Makes every step depend on every other.
pub fn depend_on_everything(all: &mut [TransitionUses]) {
    for used in all {
        (used.everything, used.last_resort) = (true, false);
    }
}

/// Collects the uses of one process type.
struct Collector<'a> {
    program: &'a Program,
    layout: &'a Layout,
    code: &'a mut Code,
    objects: &'a ObjectTable,
    assigned: &'a Assigned,
    kind: usize,
    flow: &'a Flow<'a>,
    process: &'a ProcessType,
    /// Expressions that give channels.
    channels: Vec<(Expression, NodeId)>,
    before: Before,
    out: TransitionUses,
}

/// `x + k`, `k + x` or `x - k`: what is added to `target`, or subtracted.
fn addend<'e>(target: &Target, value: &'e Expression) -> Option<(&'e Expression, bool)> {
    let Expression::Binary(operator, a, b) = value else { return None };
    let is_target = |e: &Expression| match (target, e) {
        (Target::Variable(v), Expression::Variable(w)) => v == w,
        (Target::Element(v, i), Expression::Element(w, j)) => v == w && *i == **j,
        _ => false,
    };
    match (operator, &**a, &**b) {
        (BinaryOperator::Add, x, k) | (BinaryOperator::Add, k, x) if is_target(x) => Some((k, false)),
        (BinaryOperator::Subtract, x, k) if is_target(x) => Some((k, true)),
        _ => None,
    }
}

fn mentions(expression: &Expression, variable: VariableRef) -> usize {
    let mut count = match expression {
        Expression::Variable(v) | Expression::Element(v, _) => usize::from(*v == variable),
        _ => 0,
    };
    expression.for_each_operand(&mut |e| count += mentions(e, variable));
    count
}

impl Collector<'_> {
    fn transition(&mut self, transition: &Transition) -> TransitionUses {
        self.before = Before::default();
        self.out.last_resort = is_last_resort(transition);
        self.conditions(transition);
        let looked: Vec<Use> = self.out.conditions.iter().flat_map(|(_, uses)| uses.clone()).collect();
        looked.into_iter().for_each(|used| self.out.push(used));
        for (position, effect) in transition.effects.iter().enumerate() {
            let handshake = position == 0 && self.may_handshake(effect);
            self.out.handshake |= handshake;
            self.effect(transition, effect);
            self.before.effect(effect, handshake);
        }
        std::mem::take(&mut self.out)
    }

    fn may_handshake(&self, effect: &Effect) -> bool {
        may_handshake(self.program, self.kind, self.objects, effect)
    }

    fn operand(&mut self, expression: &Expression, wrap: Option<Type>) -> UseOperand {
        if let Expression::Constant(value) = expression {
            return UseOperand::Is(wrap.map_or(*value, |ty| ty.wrap(*value)).into());
        }
        match self.before.level(self.assigned, self.kind, expression) {
            Level::Never => UseOperand::Any,
            level => UseOperand::Computed { node: self.compile(expression), level, wrap },
        }
    }

    fn compile(&mut self, expression: &Expression) -> NodeId {
        compile_expression(self.program, self.layout, self.code, Some(self.kind), expression)
    }

    fn process_table(&mut self, kind: OperationKind) {
        if self.objects.numbered {
            let object = self.objects.process_table();
            let operands = [UseOperand::Any; 2];
            self.out.push(Use::Object {
                object,
                kind,
                operands,
                reads: kind == processes::COUNT,
                awaits: Awaits::No,
            });
        }
    }

    /// What somebody looks at who asks about the process in a slot, beside what the slot is computed from.
    fn question(&mut self, question: ProcessQuestion, slot: &Expression) {
        self.process_table(processes::COUNT);
        let Some(kinds) = asked_kinds(self.program, Some(self.kind), slot) else { return };
        match question {
            ProcessQuestion::Enabled => {
                // Who is asked may have been created by this step, or see what it changed: the state in front of the step does not tell what decides.
                let slot = if self.before.is_any() { UseOperand::Any } else { self.operand(slot, None) };
                self.out.push(Use::Enabled { slot, kinds });
            }
            ProcessQuestion::Location => {
                for object in self.objects.asked.objects(kinds).collect::<Vec<ObjectId>>() {
                    let asking = self.asking(object, whereabouts::ASK, slot);
                    self.out.push(asking);
                }
            }
            ProcessQuestion::Priority => self.ranks(variable::READ),
        }
    }

    /// An operation about the process in a slot.
    fn asking(&mut self, object: ObjectId, kind: OperationKind, slot: &Expression) -> Use {
        let operands = [self.operand(slot, None), UseOperand::Any];
        let reads = kind == whereabouts::ASK;
        Use::Object { object, kind, operands, reads, awaits: Awaits::No }
    }

    /// An operation on the priorities, if they change.
    fn ranks(&mut self, kind: OperationKind) {
        if let Some(object) = self.objects.asked.ranks() {
            let operands = [UseOperand::Any; 2];
            let reads = kind == variable::READ;
            self.out.push(Use::Object { object, kind, operands, reads, awaits: Awaits::No });
        }
    }

    fn operation(&mut self, object: usize, kind: OperationKind, inputs: &[Expression], reads: bool) {
        let mut operands = [UseOperand::Any; 2];
        for (operand, input) in operands.iter_mut().zip(inputs) {
            self.expression(input);
            *operand = self.operand(input, None);
        }
        self.out.push(Use::Object {
            object: self.objects.declared(object),
            kind,
            operands,
            reads,
            awaits: Awaits::No,
        });
    }

    /// Asks what an operation would give, which is a fault where it is not defined. The relations speak of operations that are: one that need not
    /// be stands for any.
    fn observe(&mut self, object: usize, kind: OperationKind, inputs: &[Expression]) {
        let id = self.objects.declared(object);
        let known = &self.objects.objects[id.index()];
        let Domain { compared, operations, .. } = known.domain();
        let mut next = Vec::new();
        let mut is_defined = |operation: &Operation| {
            compared.iter().all(|value| known.apply(value, operation, &mut next).is_some())
        };
        let mut all = operations.iter().filter(|operation| operation.kind == kind).peekable();
        if known.reads(kind) && all.peek().is_some() && all.all(&mut is_defined) {
            return self.operation(object, kind, inputs, true);
        }
        inputs.iter().for_each(|input| self.expression(input));
        let (kind, operands) = (OperationKind::ANY, [UseOperand::Any; 2]);
        self.out.push(Use::Object { object: id, kind, operands, reads: true, awaits: Awaits::No });
    }

    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Variable(v @ VariableRef::Global(id)) if self.assigned.global(*v) => {
                let object = self.objects.global(id.index());
                let operands = [UseOperand::Any; 2];
                self.out.push(Use::Object {
                    object,
                    kind: variable::READ,
                    operands,
                    reads: true,
                    awaits: Awaits::No,
                });
            }
            Expression::Element(v @ VariableRef::Global(id), index) if self.assigned.global(*v) => {
                let object = self.objects.global(id.index());
                let operands = [self.operand(index, None), UseOperand::Any];
                self.out.push(Use::Object {
                    object,
                    kind: array::READ,
                    operands,
                    reads: true,
                    awaits: Awaits::No,
                });
            }
            Expression::ProcessCount => self.process_table(processes::COUNT),
            Expression::Timeout | Expression::NonProgress => self.out.everything = true,
            Expression::Process(question, slot) => self.question(*question, slot),
            Expression::Remote { process, part, .. } => {
                self.process_table(processes::COUNT);
                if let Some(used) = self.objects.watched.read(process.index(), part) {
                    self.out.push(used);
                }
            }
            Expression::Length(channel) => self.channel(channel, ChannelAction::Length, UseOperand::Any),
            Expression::Empty(channel) => self.channel(channel, ChannelAction::Empty, UseOperand::Any),
            Expression::Full(channel) => self.channel(channel, ChannelAction::Full, UseOperand::Any),
            Expression::Poll { channel, patterns, anywhere } => {
                return self.look(channel, patterns, *anywhere);
            }
            Expression::Observe { object, kind, operands } => {
                // Whatever the operation would leave is dropped, so it can be looked at repeatedly.
                return self.observe(object.index(), *kind, operands);
            }
            _ => {}
        }
        if matches!(expression, Expression::Length(_) | Expression::Empty(_) | Expression::Full(_)) {
            return;
        }
        let mut operands = Vec::new();
        expression.for_each_operand(&mut |e| operands.push(e));
        operands.into_iter().for_each(|e| self.expression(e));
    }

    /// Looks whether a message is there, and reads what the patterns compare it with.
    fn look(&mut self, channel: &Expression, patterns: &[Pattern], anywhere: bool) {
        for pattern in patterns {
            if let Pattern::Match(e) = pattern {
                self.expression(e);
            }
        }
        if anywhere {
            self.channel(channel, ChannelAction::Look, UseOperand::Any);
        } else if let Some(wanted) = single_match(patterns) {
            let wanted = self.operand(wanted, None);
            self.channel(channel, ChannelAction::HeadIs, wanted);
        } else if patterns.iter().any(|p| matches!(p, Pattern::Match(_))) {
            self.channel(channel, ChannelAction::HeadIs, UseOperand::Any);
        } else {
            self.channel(channel, ChannelAction::Empty, UseOperand::Any);
        }
    }

    fn channel(&mut self, channel: &Expression, action: ChannelAction, message: UseOperand) {
        let channel = match channel {
            Expression::Channel(ChannelRef::Global(id)) => UseChannel::Global(id.0),
            Expression::Channel(ChannelRef::Own(id)) => UseChannel::Own(id.0),
            computed => {
                self.expression(computed);
                let level = self.before.level(self.assigned, self.kind, computed);
                let known = self.channels.iter().position(|(e, _)| e == computed);
                let index = known.unwrap_or_else(|| {
                    let node = self.compile(computed);
                    self.channels.push((computed.clone(), node));
                    self.channels.len() - 1
                });
                let lasting = level <= Level::Local && index < 64;
                let node = self.channels[index].1;
                let among = self.objects.points_to.among(self.kind, computed);
                UseChannel::Computed { node, level, index: lasting.then_some(index as u8), among }
            }
        };
        self.out.push(Use::Channel { channel, action, message });
    }

    fn write(&mut self, target: &Target, value: UseOperand) {
        let VariableRef::Global(id) = target.variable() else {
            if let Target::Element(_, index) = target {
                self.expression(index);
            }
            return;
        };
        let object = self.objects.global(id.index());
        match target {
            Target::Variable(_) => {
                let operands = [value, UseOperand::Any];
                self.out.push(Use::Object {
                    object,
                    kind: variable::WRITE,
                    operands,
                    reads: false,
                    awaits: Awaits::No,
                });
            }
            Target::Element(_, index) => {
                self.expression(index);
                let operands = [self.operand(index, None), value];
                self.out.push(Use::Object {
                    object,
                    kind: array::WRITE,
                    operands,
                    reads: false,
                    awaits: Awaits::No,
                });
            }
        }
    }

    /// The type of the variable that a target belongs to.
    fn target_type(&self, target: &Target) -> Type {
        match target.variable() {
            VariableRef::Global(id) => self.program.globals[id.index()].ty,
            VariableRef::Local(id) => self.process.locals[id.index()].ty,
        }
    }

    /// `x = x + k`, where the transition has nothing else to do with `x`. Every type wraps around at a power
    /// of two, so additions commute in all of them.
    fn addition(&mut self, transition: &Transition, target: &Target, value: &Expression) -> bool {
        let VariableRef::Global(id) = target.variable() else { return false };
        let Some((added, subtracted)) = addend(target, value) else { return false };
        let variable = target.variable();
        let mut count = 0;
        transition.guard.iter().for_each(|e| count += mentions(e, variable));
        for effect in &transition.effects {
            let mut stored = 0;
            effect.for_each_part(&mut |e| count += mentions(e, variable), &mut |t| {
                stored += usize::from(t.variable() == variable);
            });
            count += stored;
        }
        // Once stored to and once read.
        if count != 2 {
            return false;
        }
        self.expression(added);
        let added = match self.operand(added, None) {
            UseOperand::Is(k) if subtracted => UseOperand::Is((k as i32).wrapping_neg().into()),
            UseOperand::Computed { .. } if subtracted => UseOperand::Any,
            added => added,
        };
        let object = self.objects.global(id.index());
        let used = match target {
            Target::Variable(_) => Use::Object {
                object,
                kind: variable::ADD,
                operands: [added, UseOperand::Any],
                reads: false,
                awaits: Awaits::No,
            },
            Target::Element(_, index) => {
                self.expression(index);
                let operands = [self.operand(index, None), added];
                Use::Object { object, kind: array::ADD, operands, reads: false, awaits: Awaits::No }
            }
        };
        self.out.push(used);
        true
    }

    fn effect(&mut self, transition: &Transition, effect: &Effect) {
        match effect {
            Effect::Assign { target, value } => {
                if self.addition(transition, target, value) {
                    return;
                }
                self.expression(value);
                let ty = self.target_type(target);
                let value = self.operand(value, Some(ty));
                self.write(target, value);
            }
            Effect::Send { channel, fields, sorted } => {
                fields.iter().for_each(|e| self.expression(e));
                let message = match fields.as_slice() {
                    [single] => self.operand(single, None),
                    _ => UseOperand::Any,
                };
                let action = if *sorted { ChannelAction::SendSorted } else { ChannelAction::Send };
                self.channel(channel, action, message);
            }
            Effect::Receive { channel, patterns, anywhere, keep } => {
                self.receive(channel, patterns, *anywhere, *keep);
            }
            Effect::Operate { object, kind, operands, target } => {
                self.operation(object.index(), *kind, operands, false);
                self.before.begin();
                if let Some(target) = target {
                    self.write(target, UseOperand::Any);
                }
            }
            Effect::Run { process, arguments, target } => {
                arguments.iter().for_each(|e| self.expression(e));
                self.process_table(processes::CREATE);
                let kind = process.index() as u32;
                // Who takes part in a handshake may create processes, too.
                let later = !self.out.runs.is_empty() || self.out.handshake;
                self.lives(process.index(), |index| UseChannel::New { kind, index, later });
                self.appear(process.index());
                self.begin(process.index());
                self.out.runs.push(process.index());
                self.before.begin();
                if let Some(target) = target {
                    self.write(target, UseOperand::Any);
                }
            }
            Effect::Assert(e) => self.expression(e),
            // A search never looks at what is printed.
            Effect::Print { .. } => {}
            Effect::SetPriority { process, priority } => {
                self.expression(process);
                self.expression(priority);
                let set_later =
                    |(at, one): (usize, &Effect)| std::ptr::eq(one, effect) && sets_later(transition, at);
                if transition.effects.iter().enumerate().any(set_later) {
                    // Nothing is done if there is no such process.
                    self.process_table(processes::COUNT);
                    self.ranks(variable::WRITE);
                }
            }
            Effect::Exit => {
                self.process_table(processes::EXIT);
                self.lives(self.kind, UseChannel::Own);
            }
        }
    }

    /// What a new process stores at its beginning may be read from anywhere.
    fn begin(&mut self, kind: usize) {
        let local = |e: &Expression| self.before.level(self.assigned, kind, e) <= Level::Local;
        let process = &self.program.types[kind];
        self.out.everything |= !process.prologue.iter().all(|(_, value)| local(value));
    }

    /// A new process may be the partner that somebody waits for.
    fn appear(&mut self, kind: usize) {
        let process = &self.program.types[kind];
        for transition in process.transitions.iter().filter(|t| t.from == process.start) {
            let (channel, operation) = match transition.effects.first() {
                Some(Effect::Send { channel, .. }) => (channel, rendezvous::OFFER),
                Some(Effect::Receive { channel, .. }) => (channel, rendezvous::ACCEPT),
                _ => continue,
            };
            let met: Vec<ObjectId> = match channel {
                Expression::Channel(ChannelRef::Global(id)) => vec![self.objects.channel(id.index())],
                Expression::Channel(ChannelRef::Own(_)) => Vec::new(),
                _ => self.objects.all_channels().collect(),
            };
            for object in met.into_iter().filter(|o| self.objects.rendezvous[o.index()]) {
                let operands = [UseOperand::Any; 2];
                self.out.push(Use::Object {
                    object,
                    kind: operation,
                    operands,
                    reads: true,
                    awaits: Awaits::No,
                });
            }
        }
    }

    /// Channels appear and disappear with their owners.
    fn lives(&mut self, kind: usize, channel: impl Fn(u32) -> UseChannel) {
        // Where numbers don't count nobody knows a channel before it is there, or when it is gone.
        if !self.objects.numbered {
            return;
        }
        for index in 0..self.program.types[kind].channels.len() as u32 {
            let used = Use::Channel {
                channel: channel(index),
                action: ChannelAction::Life,
                message: UseOperand::Any,
            };
            self.out.push(used);
        }
    }

    fn receive(&mut self, channel: &Expression, patterns: &[Pattern], anywhere: bool, keep: bool) {
        if keep {
            self.look(channel, patterns, anywhere);
            self.channel(channel, ChannelAction::Meet, UseOperand::Any);
            if patterns.iter().any(|p| matches!(p, Pattern::Bind(_))) {
                self.channel(channel, ChannelAction::Head, UseOperand::Any);
            }
        } else {
            for pattern in patterns {
                if let Pattern::Match(e) = pattern {
                    self.expression(e);
                }
            }
            let (action, message) = match single_match(patterns) {
                _ if anywhere => (ChannelAction::ReceiveAnywhere, UseOperand::Any),
                Some(wanted) => (ChannelAction::ReceiveIs, self.operand(wanted, None)),
                None if patterns.iter().any(|p| matches!(p, Pattern::Match(_))) => {
                    (ChannelAction::ReceiveIs, UseOperand::Any)
                }
                None => (ChannelAction::Receive, UseOperand::Any),
            };
            self.channel(channel, action, message);
        }
        // Where to store is found out when the message has been taken, and what came before has been stored.
        self.before.begin();
        for pattern in patterns {
            if let Pattern::Bind(target) = pattern {
                self.write(target, UseOperand::Any);
                self.before.store(target);
            }
        }
    }
}
