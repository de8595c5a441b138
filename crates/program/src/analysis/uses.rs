//! The uses of shared objects by each transition, guard included.

use super::level::{Assigned, Before, Level, single_match};
use super::objects::ObjectTable;
use super::receivers::{may_handshake, watch_receivers};
use crate::interpreter::code::{Code, NodeId};
use crate::interpreter::compile::compile_expression;
use crate::interpreter::layout::Layout;
use crate::ir::{
    BinaryOperator, ChannelRef, Effect, Expression, Pattern, ProcessType, Program, Target, Transition, Type,
    UnaryOperator, VariableRef,
};
use mazurka_model::object::{array, processes, rendezvous, variable};
use mazurka_model::{ObjectId, OperationKind};

/// An operand of a use.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum UseOperand {
    /// Not known.
    Any,
    /// Known.
    Is(i64),
    /// To be computed, then cut to a type.
    Computed { node: NodeId, level: Level, wrap: Option<Type> },
}

/// The channel of a use.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum UseChannel {
    Global(u32),
    Own(u32),
    /// The channel with a computed number; `index` in the process type's list, if it lasts.
    Computed {
        node: NodeId,
        level: Level,
        index: Option<u8>,
    },
    /// A channel of a process that this step creates.
    New {
        kind: u32,
        index: u32,
    },
}

/// What is done to a channel.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ChannelAction {
    Send,
    SendSorted,
    Receive,
    ReceiveIs,
    ReceiveAnywhere,
    Length,
    Empty,
    Full,
    Head,
    HeadIs,
    AwaitEmpty,
    AwaitMessage,
    AwaitFull,
    AwaitRoom,
    AwaitHead,
    Look,
    /// A receive that leaves the message: on a rendezvous it accepts like any other.
    Meet,
    /// The channel appears, or ends, with its owner.
    Life,
}

/// Whether a use waits for a value of a variable.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Awaits {
    No,
    Variable,
    Element,
}

/// One operation on one object.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Use {
    Object { object: ObjectId, kind: OperationKind, operands: [UseOperand; 2], reads: bool, awaits: Awaits },
    Channel { channel: UseChannel, action: ChannelAction, message: UseOperand },
}

impl Use {
    /// Whether performing it twice is the same as once.
    pub fn reads(&self) -> bool {
        match self {
            Use::Object { reads, .. } => *reads,
            Use::Channel { action, .. } => matches!(
                action,
                ChannelAction::Length
                    | ChannelAction::Empty
                    | ChannelAction::Full
                    | ChannelAction::Head
                    | ChannelAction::HeadIs
                    | ChannelAction::AwaitEmpty
                    | ChannelAction::AwaitMessage
                    | ChannelAction::AwaitFull
                    | ChannelAction::AwaitRoom
                    | ChannelAction::AwaitHead
                    | ChannelAction::Look
                    | ChannelAction::Meet
            ),
        }
    }

    /// Whether it is performed only where what it waits for is so.
    pub fn awaits(&self) -> bool {
        match self {
            Use::Object { awaits, .. } => *awaits != Awaits::No,
            Use::Channel { action, .. } => matches!(
                action,
                ChannelAction::AwaitEmpty
                    | ChannelAction::AwaitMessage
                    | ChannelAction::AwaitFull
                    | ChannelAction::AwaitRoom
                    | ChannelAction::AwaitHead
            ),
        }
    }

    /// The use as it is for one who does not perform the operation but goes on because it is not
    /// defined. The relations know it only where it is performed, so it stands for any operation, or of a channel for one
    /// that sees every change.
    fn unperformed(mut self) -> Use {
        match &mut self {
            Use::Object { kind, operands, reads: reads @ false, .. } => {
                (*kind, *operands, *reads) = (OperationKind::ANY, [UseOperand::Any; 2], true);
            }
            Use::Channel { action, message, .. } => {
                if matches!(
                    action,
                    ChannelAction::Send
                        | ChannelAction::SendSorted
                        | ChannelAction::Receive
                        | ChannelAction::ReceiveIs
                        | ChannelAction::ReceiveAnywhere
                ) {
                    (*action, *message) = (ChannelAction::Look, UseOperand::Any);
                }
            }
            Use::Object { .. } => {}
        }
        self.asked()
    }

    /// The use as it is where it is asked whether something is so, and both answers matter: a step
    /// that waits is taken only if it is, but an atomic region goes on or ends.
    pub fn asked(mut self) -> Use {
        match &mut self {
            Use::Object { kind, operands, awaits, .. } if *awaits != Awaits::No => {
                let read = [UseOperand::Any; 2];
                (*kind, *operands) = match *awaits {
                    Awaits::Element => (array::READ, [operands[0], UseOperand::Any]),
                    _ => (variable::READ, read),
                };
                *awaits = Awaits::No;
            }
            Use::Channel { action, .. } => {
                *action = match *action {
                    ChannelAction::AwaitEmpty | ChannelAction::AwaitMessage => ChannelAction::Empty,
                    ChannelAction::AwaitFull | ChannelAction::AwaitRoom => ChannelAction::Full,
                    ChannelAction::AwaitHead => ChannelAction::HeadIs,
                    other => other,
                };
            }
            Use::Object { .. } => {}
        }
        self
    }

    /// The use with operands that last as long as the process only.
    pub fn stable(mut self) -> Use {
        let keep = |operand: &mut UseOperand| {
            if matches!(operand, UseOperand::Computed { level, .. } if *level > Level::Stable) {
                *operand = UseOperand::Any;
            }
        };
        match &mut self {
            Use::Object { operands, .. } => operands.iter_mut().for_each(keep),
            Use::Channel { channel, message, .. } => {
                keep(message);
                if let UseChannel::Computed { level, index, .. } = channel
                    && *level > Level::Stable
                {
                    (*level, *index) = (Level::Never, None);
                }
            }
        }
        self
    }
}

/// What a transition uses.
#[derive(Clone, Debug, Default)]
pub struct TransitionUses {
    pub uses: Vec<Use>,
    /// Whether it can be executed depends on where other processes stand.
    pub everything: bool,
    /// It may begin with a handshake.
    pub handshake: bool,
    /// It can be executed only if nothing else can.
    pub last_resort: bool,
    /// Whether it can be executed is not told by its guard and its first effect alone.
    pub entangled: bool,
    /// The conditions of its guard, each with what it looks at.
    pub conditions: Vec<(NodeId, Vec<Use>)>,
    /// What decides whether the first effect is defined.
    pub definedness: Vec<Use>,
    /// What must be defined for it to be executed, in the state in which it is.
    pub demands: Vec<Use>,
    /// The types that it runs.
    pub runs: Vec<usize>,
}

impl TransitionUses {
    pub fn push(&mut self, used: Use) {
        let all_read = || self.uses.iter().all(Use::reads);
        if !used.reads() || !self.uses.contains(&used) || !all_read() {
            self.uses.push(used);
        }
    }
}

/// The uses of all transitions, by number, and for each type its computed channels.
pub fn collect(
    program: &Program,
    layout: &Layout,
    code: &mut Code,
    objects: &ObjectTable,
) -> (Vec<TransitionUses>, Vec<Vec<NodeId>>) {
    let assigned = Assigned::new(program);
    let mut all = Vec::new();
    let mut channels = Vec::new();
    for (kind, process) in program.types.iter().enumerate() {
        let mut collector = Collector {
            program,
            layout,
            code,
            objects,
            assigned: &assigned,
            kind,
            process,
            channels: Vec::new(),
            before: Before::default(),
            out: TransitionUses::default(),
        };
        let mut own = Vec::new();
        for (index, transition) in process.transitions.iter().enumerate() {
            own.push(collector.transition(transition));
            objects.watched.written(kind, transition, &mut own[index]);
        }
        for (index, transition) in process.transitions.iter().enumerate() {
            own[index].entangled |= looks_at_siblings(process, transition);
            if looks_at_siblings(process, transition) {
                collector.otherwise(transition, &own, index);
                let extra = std::mem::take(&mut collector.out);
                own[index].everything |= extra.everything;
                extra.uses.into_iter().for_each(|used| own[index].push(used));
            }
        }
        channels.push(collector.channels.into_iter().map(|(_, node)| node).collect());
        all.extend(own);
    }
    watch_receivers(program, objects, &mut all);
    // Any step may enable or disable one that asks in some other way whether nothing else can move, or
    // change whether another process can; and may take its turn away where processes have priorities.
    let whole = |e: &Expression| matches!(e, Expression::Process(..) | Expression::NonProgress);
    if program.uses_priorities()
        || program.asks(&whole)
        || program.types.iter().any(|p| p.transitions.iter().any(|t| asks_for_timeout(p, t)))
    {
        for used in &mut all {
            (used.everything, used.last_resort) = (true, false);
        }
    }
    (all, channels)
}

/// The conditions of a guard, conjunctions taken apart.
fn conjuncts(guard: &[Expression]) -> Vec<&Expression> {
    fn add<'e>(expression: &'e Expression, out: &mut Vec<&'e Expression>) {
        match expression {
            Expression::Binary(BinaryOperator::And, a, b) => {
                add(a, out);
                add(b, out);
            }
            other => out.push(other),
        }
    }
    let mut out = Vec::new();
    guard.iter().for_each(|e| add(e, &mut out));
    out
}

/// Whether a transition demands that nothing else can move.
fn is_last_resort(transition: &Transition) -> bool {
    conjuncts(&transition.guard).contains(&&Expression::Timeout)
}

/// Whether a transition asks whether nothing else can move, other than by demanding it before
/// anything else: then it may be executable, or an atomic region go on, for another reason.
fn asks_for_timeout(process: &ProcessType, transition: &Transition) -> bool {
    fn asks(expression: &Expression) -> bool {
        let mut found = *expression == Expression::Timeout;
        expression.for_each_operand(&mut |operand| found = found || asks(operand));
        found
    }
    let mut found = conjuncts(&transition.guard).into_iter().any(|e| *e != Expression::Timeout && asks(e));
    for effect in &transition.effects {
        effect.for_each_part(&mut |e| found = found || asks(e), &mut |_| {});
    }
    let entangled = |t: &Transition| looks_at_siblings(process, t) || t.otherwise;
    let in_region = || process.transitions.iter().any(|t| t.atomic && t.to == transition.from);
    let beside = || process.transitions.iter().any(|t| t.from == transition.from && entangled(t));
    found || is_last_resort(transition) && (in_region() || beside())
}

/// Whether the siblings of a transition decide whether it can be executed.
fn looks_at_siblings(process: &ProcessType, transition: &Transition) -> bool {
    transition.otherwise
        || transition.group != 0
        || process.transitions.iter().any(|t| t.from == transition.from && t.escape != 0)
}

struct Collector<'a> {
    program: &'a Program,
    layout: &'a Layout,
    code: &'a mut Code,
    objects: &'a ObjectTable,
    assigned: &'a Assigned,
    kind: usize,
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

    /// What each condition of the guard looks at, and what the first effect needs.
    fn conditions(&mut self, transition: &Transition) {
        let kept = std::mem::take(&mut self.out);
        let mut conditions = Vec::new();
        let mut demands = Vec::new();
        // What decides whether a condition before can be computed: one that can't be is a fault, and makes
        // the transition executable whatever stands behind it.
        let mut doubts: Vec<Use> = Vec::new();
        let mut everything = kept.everything;
        for condition in conjuncts(&transition.guard) {
            self.condition(condition);
            let mut looked = std::mem::take(&mut self.out);
            everything |= looked.everything;
            let awaits = looked.uses.iter().filter(|used| used.awaits()).copied().collect::<Vec<Use>>();
            looked.uses.extend(&doubts);
            self.doubts(condition, &mut doubts);
            if doubts.is_empty() {
                demands.extend(awaits);
            }
            conditions.push((self.compile(condition), looked.uses));
        }
        if let Some(first) = transition.effects.first() {
            self.definedness(first);
        }
        let looked = std::mem::take(&mut self.out);
        everything |= looked.everything;
        let mut definedness = looked.uses;
        if let Some(first) = transition.effects.first() {
            first.for_each_part(&mut |part| self.doubts(part, &mut doubts), &mut |_| {});
            if doubts.is_empty() {
                self.demand(first);
                demands.append(&mut std::mem::take(&mut self.out).uses);
            }
        }
        if !definedness.is_empty() {
            definedness.extend(&doubts);
        }
        let entangled = transition.effects.iter().skip(1).any(Effect::may_block);
        self.out = TransitionUses { conditions, definedness, demands, entangled, everything, ..kept };
    }

    /// Adds what decides whether an expression can be computed: divisors, indices, which channel or
    /// process it is.
    fn doubts(&mut self, expression: &Expression, out: &mut Vec<Use>) {
        let kept = std::mem::take(&mut self.out);
        match expression {
            Expression::Binary(BinaryOperator::Divide | BinaryOperator::Remainder, _, decisive)
            | Expression::Element(_, decisive)
            | Expression::Length(decisive)
            | Expression::Empty(decisive)
            | Expression::Full(decisive)
            | Expression::Poll { channel: decisive, .. } => self.expression(decisive),
            Expression::Remote { .. } | Expression::Process(..) | Expression::Observe { .. } => {
                self.expression(expression);
            }
            _ => {}
        }
        out.append(&mut std::mem::replace(&mut self.out, kept).uses);
        expression.for_each_operand(&mut |operand| self.doubts(operand, out));
    }

    /// The operation of an effect that must be defined for it to be performed, if one is known.
    fn demand(&mut self, effect: &Effect) {
        match effect {
            Effect::Send { channel, sorted: false, .. } => {
                self.channel(channel, ChannelAction::Send, UseOperand::Any);
            }
            Effect::Receive { channel, patterns, anywhere: false, .. } => {
                self.look(channel, patterns, false);
                self.wait_for_message();
            }
            Effect::Operate { object, kind, operands, .. } => {
                self.operation(object.index(), *kind, operands, false);
                // Before it stands what its operands look at.
                self.out.uses.drain(..self.out.uses.len() - 1);
                return;
            }
            _ => {}
        }
        let sends = |used: &Use| matches!(used, Use::Channel { action: ChannelAction::Send, .. });
        self.out.uses.retain(|used| used.awaits() || sends(used));
    }

    /// Turns the look at a channel that was collected into one that waits for a message. Where patterns
    /// look at channels themselves, it is not the only one, and stays as it is.
    fn wait_for_message(&mut self) {
        let mut looks = self.out.uses.iter_mut().filter_map(|used| match used {
            Use::Channel { action, .. } => Some(action),
            Use::Object { .. } => None,
        });
        if let (Some(action), None) = (looks.next(), looks.next()) {
            *action = match *action {
                ChannelAction::HeadIs => ChannelAction::AwaitHead,
                ChannelAction::Empty => ChannelAction::AwaitMessage,
                other => other,
            };
        }
    }

    /// What a condition looks at that must hold for a step to be taken.
    fn condition(&mut self, condition: &Expression) {
        let (mut inner, mut negated) = (condition, false);
        while let Expression::Unary(UnaryOperator::Not, operand) = inner {
            (inner, negated) = (operand, !negated);
        }
        let constant_zero = Expression::Constant(0);
        match inner {
            Expression::Empty(channel) if negated => {
                self.channel(channel, ChannelAction::AwaitMessage, UseOperand::Any);
            }
            Expression::Empty(channel) => self.channel(channel, ChannelAction::AwaitEmpty, UseOperand::Any),
            Expression::Full(channel) if negated => {
                self.channel(channel, ChannelAction::AwaitRoom, UseOperand::Any);
            }
            Expression::Full(channel) => self.channel(channel, ChannelAction::AwaitFull, UseOperand::Any),
            Expression::Poll { channel, patterns, anywhere: false } if !negated => {
                self.look(channel, patterns, false);
                self.wait_for_message();
            }
            Expression::Variable(_) | Expression::Element(..) => {
                self.await_value(inner, &constant_zero, !negated)
            }
            Expression::Binary(operator @ (BinaryOperator::Equal | BinaryOperator::NotEqual), a, b) => {
                let differs = (*operator == BinaryOperator::NotEqual) != negated;
                if self.is_shared(a) {
                    self.await_value(a, b, differs);
                } else if self.is_shared(b) {
                    self.await_value(b, a, differs);
                } else {
                    self.expression(condition);
                }
            }
            _ => self.expression(condition),
        }
    }

    /// Whether an expression is a global, or an element of one, that somebody assigns.
    fn is_shared(&self, expression: &Expression) -> bool {
        match expression {
            Expression::Variable(v @ VariableRef::Global(_))
            | Expression::Element(v @ VariableRef::Global(_), _) => self.assigned.global(*v),
            _ => false,
        }
    }

    /// Waits until a variable has a value, or another one.
    fn await_value(&mut self, variable: &Expression, wanted: &Expression, differs: bool) {
        self.expression(wanted);
        let (kind, element) =
            if differs { (variable::AWAIT_NOT, array::AWAIT_NOT) } else { (variable::AWAIT, array::AWAIT) };
        let value = self.operand(wanted, None);
        match variable {
            Expression::Variable(v @ VariableRef::Global(id)) if self.assigned.global(*v) => {
                let object = self.objects.global(id.index());
                let operands = [value, UseOperand::Any];
                let awaits = Awaits::Variable;
                self.out.push(Use::Object { object, kind, operands, reads: true, awaits });
            }
            Expression::Element(v @ VariableRef::Global(id), index) if self.assigned.global(*v) => {
                self.expression(index);
                let object = self.objects.global(id.index());
                let operands = [self.operand(index, None), value];
                let awaits = Awaits::Element;
                self.out.push(Use::Object { object, kind: element, operands, reads: true, awaits });
            }
            other => self.expression(other),
        }
    }

    /// What a transition looks at whose siblings decide whether it can be executed: whether they can.
    fn otherwise(&mut self, transition: &Transition, own: &[TransitionUses], index: usize) {
        for (other, sibling) in self.process.transitions.iter().enumerate() {
            if other == index || sibling.from != transition.from {
                continue;
            }
            self.before = Before::default();
            sibling.guard.iter().for_each(|e| self.expression(e));
            if let Some(first @ Effect::Send { .. }) = sibling.effects.first() {
                self.out.everything |= self.may_handshake(first);
            }
            if sibling.effects.iter().skip(1).any(Effect::may_block) {
                for used in &own[other].uses {
                    self.out.push(*used);
                    self.out.push(used.unperformed());
                }
            } else if let Some(first) = sibling.effects.first() {
                let before = std::mem::take(&mut self.out.uses);
                self.definedness(first);
                let looks = std::mem::replace(&mut self.out.uses, before);
                looks.iter().for_each(|used| self.out.push(used.unperformed()));
            }
        }
    }

    /// What decides whether an effect is defined.
    fn definedness(&mut self, effect: &Effect) {
        match effect {
            Effect::Assign { .. }
            | Effect::Run { .. }
            | Effect::Assert(_)
            | Effect::Print { .. }
            | Effect::SetPriority { .. } => {}
            Effect::Send { channel, .. } => {
                self.channel(channel, ChannelAction::Full, UseOperand::Any);
            }
            Effect::Receive { channel, patterns, anywhere, .. } => self.look(channel, patterns, *anywhere),
            // An operation that is independent of another neither enables nor disables it.
            Effect::Operate { object, kind, operands, .. } => {
                self.operation(object.index(), *kind, operands, false)
            }
            Effect::Exit => self.process_table(processes::EXIT),
        }
    }

    fn may_handshake(&self, effect: &Effect) -> bool {
        may_handshake(self.program, self.process, self.objects, effect)
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
        if !self.objects.is_static {
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
            Expression::Timeout | Expression::NonProgress | Expression::Process(..) => {
                self.out.everything = true;
            }
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
                return self.operation(object.index(), *kind, operands, true);
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
                UseChannel::Computed { node, level, index: lasting.then_some(index as u8) }
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
                if let Some(target) = target {
                    self.write(target, UseOperand::Any);
                }
            }
            Effect::Run { process, arguments, target } => {
                arguments.iter().for_each(|e| self.expression(e));
                self.process_table(processes::CREATE);
                let kind = process.index() as u32;
                self.lives(process.index(), |index| UseChannel::New { kind, index });
                self.appear(process.index());
                self.begin(process.index());
                self.out.runs.push(process.index());
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
                self.out.everything = true;
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
        for pattern in patterns {
            if let Pattern::Bind(target) = pattern {
                self.write(target, UseOperand::Any);
                self.before.store(target);
            }
        }
    }
}
