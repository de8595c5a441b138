//! Whether a program makes sense: ids in range, right numbers of arguments, limits kept.
//!
//! What can only be known in a state (an index, a channel behind a variable) is left to the
//! interpreter, which reports a fault.

use super::effect::{Effect, Pattern, Target};
use super::expression::{ChannelRef, Expression, RemotePart, VariableRef};
use super::process::{ProcessType, Transition};
use super::program::{Channel, HIGHEST_PROCESS_LIMIT, Program, Variable};
use super::property::PropertyKind;
use super::types::Type;
use mazurka_model::OperationKind;
use mazurka_model::source::{Diagnostic, Span};

/// How deeply an expression may be nested.
pub const HIGHEST_DEPTH: usize = 400;

/// How many transitions may leave a location that takes part in handshakes: a step's code has 10
/// bits for each of the two.
pub const HIGHEST_HANDSHAKE_ALTERNATIVES: usize = 1 << 10;

/// How many transitions may leave any other location.
const HIGHEST_ALTERNATIVES: usize = 1 << 20;

/// How many bytes a state may have before its first step.
const HIGHEST_STATE: u64 = 1 << 26;

impl Program {
    /// Everything that is wrong with the program; nothing if it can be executed.
    pub fn validate(&self) -> Vec<Diagnostic> {
        let mut checker = Checker { program: self, process: None, at: Span::default(), found: Vec::new() };
        checker.program();
        checker.found
    }
}

struct Checker<'a> {
    program: &'a Program,
    process: Option<&'a ProcessType>,
    at: Span,
    found: Vec<Diagnostic>,
}

impl<'a> Checker<'a> {
    fn error(&mut self, message: impl Into<String>) {
        self.found.push(Diagnostic::error(self.at, message));
    }

    fn program(&mut self) {
        let program = self.program;
        let mut bytes = 0u64;
        for variable in &program.globals {
            bytes += self.variable(variable);
        }
        for channel in &program.channels {
            bytes += self.channel(channel);
        }
        if program.channels.len() > 0x7fff {
            self.error("more than 32767 global channels");
        }
        if program.types.len() > 0xffff {
            self.error("more than 65535 process types");
        }
        for object in &program.objects {
            self.at = object.span;
            self.name(&object.name);
            if let Err(message) = object.kind.check() {
                self.error(format!("object `{}`: {message}", object.name));
            }
        }
        if !(1..=HIGHEST_PROCESS_LIMIT).contains(&program.process_limit) {
            self.at = Span::default();
            let limit = program.process_limit;
            self.error(format!("a limit of {limit} processes is not between 1 and {HIGHEST_PROCESS_LIMIT}"));
        }
        let mut frames = Vec::new();
        for process in &program.types {
            frames.push(self.process(process));
        }
        self.process = None;
        for start in &program.initial {
            self.at = start.span;
            match program.types.get(start.process.index()) {
                None => self.error("a process is started whose type does not exist"),
                Some(process) if process.parameters != start.arguments.len() => {
                    self.arguments(process, start.arguments.len());
                }
                Some(_) => bytes += frames[start.process.index()],
            }
        }
        for property in &program.properties {
            self.at = property.span;
            self.name(&property.name);
            match &property.kind {
                PropertyKind::Never(automaton) | PropertyKind::Trace { automaton, .. } => {
                    self.process(automaton);
                }
                PropertyKind::Formula(formula) => formula.for_each_atom(&mut |e| self.expression(e)),
                PropertyKind::Progress | PropertyKind::Acceptance => {}
            }
            self.process = None;
        }
        if program.initial.len() > usize::from(program.process_limit) {
            let (many, limit) = (program.initial.len(), program.process_limit);
            self.error(format!("{many} processes are started, the limit is {limit}"));
        }
        let owned = program.initial.iter().filter_map(|start| program.types.get(start.process.index()));
        let channels = program.channels.len() + owned.map(|process| process.channels.len()).sum::<usize>();
        if channels > usize::from(program.channel_limit) {
            let limit = program.channel_limit;
            self.error(format!("there are {channels} channels at the start, the limit is {limit}"));
        }
        if bytes > HIGHEST_STATE {
            self.error(format!("a state takes {bytes} bytes, the limit is {HIGHEST_STATE}"));
        }
    }

    /// A name that can be written down.
    fn name(&mut self, name: &str) {
        if name.is_empty() || name.contains(['`', '\n']) {
            self.error(format!("{name:?} is no name: it is empty, or has a backquote or a line break"));
        }
    }

    fn arguments(&mut self, process: &ProcessType, given: usize) {
        let (name, wanted) = (&process.name, process.parameters);
        self.error(format!("`{name}` takes {wanted} arguments, {given} given"));
    }

    fn scalar_type(&mut self, ty: Type) {
        if let Type::Unsigned(bits) = ty
            && !(1..=31).contains(&bits)
        {
            self.error(format!("an unsigned type of {bits} bits: between 1 and 31 are possible"));
        }
    }

    fn variable(&mut self, variable: &Variable) -> u64 {
        self.at = variable.span;
        self.name(&variable.name);
        self.scalar_type(variable.ty);
        let name = &variable.name;
        if variable.length == Some(0) {
            self.error(format!("array `{name}` has no elements"));
        }
        if !variable.initial.is_empty() && variable.initial.len() != variable.values() {
            let (given, wanted) = (variable.initial.len(), variable.values());
            self.error(format!("`{name}` has {given} initial values, but {wanted} elements"));
        }
        variable.values() as u64 * variable.ty.size() as u64
    }

    fn channel(&mut self, channel: &Channel) -> u64 {
        self.at = channel.span;
        self.name(&channel.name);
        channel.fields.iter().for_each(|ty| self.scalar_type(*ty));
        if channel.fields.is_empty() {
            self.error(format!("messages of channel `{}` have no field", channel.name));
        }
        let message: usize = channel.fields.iter().map(|ty| ty.size()).sum();
        message as u64 * u64::from(channel.capacity)
    }

    fn process(&mut self, process: &'a ProcessType) -> u64 {
        self.process = Some(process);
        let mut bytes = 4;
        for variable in &process.locals {
            bytes += self.variable(variable);
        }
        for channel in &process.channels {
            bytes += self.channel(channel);
        }
        self.at = process.span;
        let name = &process.name;
        self.name(name);
        process.locations.iter().for_each(|l| self.name(&l.name));
        if process.parameters > process.locals.len() {
            self.error(format!("`{name}` has more parameters than variables"));
        }
        if process.locals.iter().take(process.parameters).any(|p| p.length.is_some()) {
            self.error(format!("a parameter of `{name}` is an array"));
        }
        if process.locations.len() > 0xffff {
            self.error(format!("`{name}` has more than 65535 locations"));
        }
        if process.start.index() >= process.locations.len() {
            self.error(format!("`{name}` starts at a location that does not exist"));
        }
        for (target, value) in &process.prologue {
            self.expression(value);
            if let Target::Element(_, index) = target {
                self.expression(index);
            }
            self.target(target);
            if !matches!(target.variable(), VariableRef::Local(_)) {
                self.error(format!("`{name}` begins with a change of what is not its own"));
            }
        }
        let mut alternatives = vec![0usize; process.locations.len()];
        let mut handshakes = vec![false; process.locations.len()];
        for transition in &process.transitions {
            self.transition(transition);
            if let Some(count) = alternatives.get_mut(transition.from.index()) {
                *count += 1;
                handshakes[transition.from.index()] |= match transition.effects.first() {
                    Some(Effect::Send { channel, .. } | Effect::Receive { channel, .. }) => {
                        self.capacity(channel).is_none_or(|c| c == 0)
                    }
                    _ => false,
                };
            }
        }
        for (location, (&count, &handshake)) in alternatives.iter().zip(&handshakes).enumerate() {
            let limit = if handshake { HIGHEST_HANDSHAKE_ALTERNATIVES } else { HIGHEST_ALTERNATIVES };
            if count > limit {
                self.at = process.locations[location].span;
                self.error(format!("{count} transitions leave one location, the limit is {limit}"));
            }
        }
        bytes
    }

    fn transition(&mut self, transition: &Transition) {
        self.at = transition.span;
        let locations = self.process.map_or(0, |p| p.locations.len());
        if transition.from.index() >= locations || transition.to.index() >= locations {
            self.error("a transition from or to a location that does not exist");
        }
        transition.guard.iter().for_each(|e| self.expression(e));
        if let (true, Some(Effect::Receive { channel, .. })) =
            (transition.otherwise, transition.effects.first())
            && self.capacity(channel) == Some(0)
        {
            self.error("`otherwise` with a receive on a rendezvous channel is never executable");
        }
        for (position, effect) in transition.effects.iter().enumerate() {
            self.effect(effect, position, transition.effects.len());
        }
    }

    fn effect(&mut self, effect: &Effect, position: usize, count: usize) {
        let mut parts = Vec::new();
        let mut targets = Vec::new();
        effect.for_each_part(&mut |e| parts.push(e), &mut |t| targets.push(t));
        parts.into_iter().for_each(|e| self.expression(e));
        targets.into_iter().for_each(|t| self.target(t));
        match effect {
            Effect::Send { channel, fields, .. } => {
                self.fields(channel, fields.len());
                self.rendezvous_first(channel, position);
            }
            Effect::Receive { channel, patterns, .. } => {
                self.fields(channel, patterns.len());
                self.rendezvous_first(channel, position);
            }
            Effect::Operate { object, kind, operands, .. } => {
                self.operation(object.index(), *kind, operands.len())
            }
            Effect::Run { process, arguments, .. } => match self.program.types.get(process.index()) {
                None => self.error("a process of a type that does not exist is run"),
                Some(callee) if callee.parameters != arguments.len() => {
                    self.arguments(callee, arguments.len());
                }
                Some(_) => {}
            },
            Effect::Exit if position + 1 != count => self.error("`exit` must be the last effect"),
            Effect::Print { format, .. } if format.contains('\n') => {
                self.error("a line break in what is printed is written `\\n`");
            }
            Effect::Assign { .. }
            | Effect::Assert(_)
            | Effect::Print { .. }
            | Effect::SetPriority { .. }
            | Effect::Exit => {}
        }
    }

    fn rendezvous_first(&mut self, channel: &Expression, position: usize) {
        if position > 0 && self.capacity(channel) == Some(0) {
            self.error("a rendezvous must be the first effect of its transition");
        }
    }

    fn declared(&self, channel: &Expression) -> Option<&'a Channel> {
        match channel {
            Expression::Channel(ChannelRef::Global(id)) => self.program.channels.get(id.index()),
            Expression::Channel(ChannelRef::Own(id)) => self.process?.channels.get(id.index()),
            _ => None,
        }
    }

    fn capacity(&self, channel: &Expression) -> Option<u16> {
        self.declared(channel).map(|c| c.capacity)
    }

    fn fields(&mut self, channel: &Expression, given: usize) {
        if let Some(declared) = self.declared(channel)
            && declared.fields.len() != given
        {
            let (name, wanted) = (&declared.name, declared.fields.len());
            self.error(format!("messages of `{name}` have {wanted} fields, {given} given"));
        }
    }

    fn operation(&mut self, object: usize, kind: OperationKind, given: usize) {
        let Some(object) = self.program.objects.get(object) else {
            return self.error("an operation on an object that does not exist");
        };
        let instance = object.kind.instantiate();
        match instance.kinds().get(kind.index()) {
            None => self.error(format!("`{}` has no operation number {}", object.name, kind.0)),
            Some(info) if info.inputs.len() != given => {
                let (name, operation, wanted) = (&object.name, info.name, info.inputs.len());
                self.error(format!("`{operation}` of `{name}` has {wanted} inputs, {given} given"));
            }
            Some(_) => {}
        }
    }

    fn declaration(&self, variable: VariableRef) -> Option<&'a Variable> {
        match variable {
            VariableRef::Global(id) => self.program.globals.get(id.index()),
            VariableRef::Local(id) => self.process?.locals.get(id.index()),
        }
    }

    fn use_of(&mut self, variable: VariableRef, indexed: bool) {
        match self.declaration(variable) {
            None => self.error("a variable that does not exist is used"),
            Some(declared) if declared.length.is_some() != indexed => {
                let name = &declared.name;
                let message = if indexed { "is not an array" } else { "is an array and needs an index" };
                self.error(format!("`{name}` {message}"));
            }
            Some(_) => {}
        }
    }

    fn target(&mut self, target: &Target) {
        match target {
            Target::Variable(v) => self.use_of(*v, false),
            Target::Element(v, _) => self.use_of(*v, true),
        }
    }

    fn expression(&mut self, expression: &Expression) {
        if expression.depth() > HIGHEST_DEPTH {
            return self.error(format!("an expression is nested more than {HIGHEST_DEPTH} levels deep"));
        }
        self.nested(expression);
    }

    fn remote(&mut self, process: usize, part: &RemotePart) {
        let Some(process) = self.program.types.get(process) else {
            return self.error("a process of a type that does not exist is asked");
        };
        let (id, indexed) = match part {
            RemotePart::At(location) => {
                if location.index() >= process.locations.len() {
                    self.error(format!("`{}` has no such location", process.name));
                }
                return;
            }
            RemotePart::Variable(id) => (id, false),
            RemotePart::Element(id, _) => (id, true),
        };
        match process.locals.get(id.index()) {
            None => self.error(format!("`{}` has no such variable", process.name)),
            Some(declared) if declared.length.is_some() != indexed => {
                let name = &declared.name;
                let message = if indexed { "is not an array" } else { "is an array and needs an index" };
                self.error(format!("`{name}` {message}"));
            }
            Some(_) => {}
        }
    }

    fn nested(&mut self, expression: &Expression) {
        match expression {
            Expression::Variable(v) => self.use_of(*v, false),
            Expression::Element(v, _) => self.use_of(*v, true),
            Expression::Channel(_) if self.declared(expression).is_none() => {
                self.error("a channel that does not exist is used");
            }
            Expression::Poll { channel, patterns, .. } => {
                self.fields(channel, patterns.len());
                for pattern in patterns {
                    if let Pattern::Bind(target) = pattern {
                        self.target(target);
                    }
                }
            }
            Expression::Observe { object, kind, operands } => {
                self.operation(object.index(), *kind, operands.len())
            }
            Expression::Remote { process, part, .. } => self.remote(process.index(), part),
            _ => {}
        }
        let mut operands = Vec::new();
        expression.for_each_operand(&mut |e| operands.push(e));
        operands.into_iter().for_each(|e| self.nested(e));
    }
}
