//! Making programs by hand, for examples, generators and front ends.
//!
//! ```
//! use mazurka_program::ir::{Expression, ProgramBuilder, Type};
//! let mut program = ProgramBuilder::new("counter");
//! let x = program.variable("x", Type::Byte, 0);
//! let mut process = program.process("P");
//! let (here, done) = (process.location("here"), process.end("done"));
//! process.transition(here, done).when(Expression::from(x).below(2)).assign(x, Expression::from(x) + 1);
//! let process = program.add(process);
//! program.start(process, &[]);
//! program.start(process, &[]);
//! assert!(program.build().is_ok());
//! ```

use super::effect::{Effect, Pattern, Target};
use super::expression::Expression;
use super::ids::{ChannelIndex, DeclaredObject, GlobalId, LocalId, LocationId, OwnChannel, TypeId};
use super::object::{Object, ObjectKind};
use super::process::{Location, ProcessType, Transition};
use super::program::{Channel, Program, Start, Variable};
use super::types::Type;
use mazurka_model::OperationKind;
use mazurka_model::source::{Diagnostic, Severity, Span};

/// Builds a [`Program`].
#[derive(Debug, Default)]
pub struct ProgramBuilder {
    program: Program,
}

fn variable(name: &str, ty: Type, length: Option<u32>, initial: Vec<i32>) -> Variable {
    Variable { name: name.into(), ty, length, initial, ..Variable::default() }
}

impl ProgramBuilder {
    /// An empty program.
    pub fn new(name: &str) -> ProgramBuilder {
        ProgramBuilder { program: Program { name: name.into(), ..Program::default() } }
    }

    /// Sets how many processes may be alive at once.
    pub fn process_limit(&mut self, limit: u16) {
        self.program.process_limit = limit;
    }

    /// Declares a global variable.
    pub fn variable(&mut self, name: &str, ty: Type, initial: i32) -> GlobalId {
        let initial = if initial == 0 { Vec::new() } else { vec![initial] };
        self.program.globals.push(variable(name, ty, None, initial));
        GlobalId(self.program.globals.len() as u32 - 1)
    }

    /// Declares a global array with these initial values (none: all 0).
    pub fn array(&mut self, name: &str, ty: Type, length: u32, initial: &[i32]) -> GlobalId {
        self.program.globals.push(variable(name, ty, Some(length), initial.to_vec()));
        GlobalId(self.program.globals.len() as u32 - 1)
    }

    /// Declares a global channel; capacity 0 is a rendezvous.
    pub fn channel(&mut self, name: &str, capacity: u16, fields: &[Type]) -> ChannelIndex {
        let fields = fields.to_vec();
        self.program.channels.push(Channel { name: name.into(), capacity, fields, ..Channel::default() });
        ChannelIndex(self.program.channels.len() as u32 - 1)
    }

    /// Declares an object of the object library.
    pub fn object(&mut self, name: &str, kind: ObjectKind) -> DeclaredObject {
        self.program.objects.push(Object { name: name.into(), kind, span: Span::default() });
        DeclaredObject(self.program.objects.len() as u32 - 1)
    }

    /// Begins a process type; give it back with [`ProgramBuilder::add`].
    pub fn process(&mut self, name: &str) -> ProcessBuilder {
        let id = TypeId(self.program.types.len() as u32);
        let process = ProcessType { name: name.into(), ..ProcessType::default() };
        self.program.types.push(process.clone());
        ProcessBuilder { id, process }
    }

    /// Adds a finished process type.
    pub fn add(&mut self, builder: ProcessBuilder) -> TypeId {
        self.program.types[builder.id.index()] = builder.process;
        builder.id
    }

    /// Lets a process exist from the beginning.
    pub fn start(&mut self, process: TypeId, arguments: &[i32]) {
        self.program.initial.push(Start { process, arguments: arguments.to_vec(), ..Start::default() });
    }

    /// The program, if it is valid.
    pub fn build(self) -> Result<Program, Vec<Diagnostic>> {
        let mut errors = self.program.validate();
        errors.retain(|d| d.severity == Severity::Error);
        if errors.is_empty() { Ok(self.program) } else { Err(errors) }
    }

    /// The program as it is, not validated.
    pub fn finish(self) -> Program {
        self.program
    }
}

/// Builds a [`ProcessType`].
#[derive(Debug)]
pub struct ProcessBuilder {
    id: TypeId,
    process: ProcessType,
}

impl ProcessBuilder {
    /// The type's id, valid from the beginning (for processes that run their own kind).
    pub fn id(&self) -> TypeId {
        self.id
    }

    /// Declares a parameter. All parameters come before all locals.
    pub fn parameter(&mut self, name: &str, ty: Type) -> LocalId {
        self.process.parameters += 1;
        self.local(name, ty, 0)
    }

    /// Declares a local variable.
    pub fn local(&mut self, name: &str, ty: Type, initial: i32) -> LocalId {
        let initial = if initial == 0 { Vec::new() } else { vec![initial] };
        self.process.locals.push(variable(name, ty, None, initial));
        LocalId(self.process.locals.len() as u32 - 1)
    }

    /// Declares a local array.
    pub fn array(&mut self, name: &str, ty: Type, length: u32, initial: &[i32]) -> LocalId {
        self.process.locals.push(variable(name, ty, Some(length), initial.to_vec()));
        LocalId(self.process.locals.len() as u32 - 1)
    }

    /// Declares a channel that each instance creates.
    pub fn channel(&mut self, name: &str, capacity: u16, fields: &[Type]) -> OwnChannel {
        let fields = fields.to_vec();
        self.process.channels.push(Channel { name: name.into(), capacity, fields, ..Channel::default() });
        OwnChannel(self.process.channels.len() as u32 - 1)
    }

    /// Adds a location with any flags. The first location is where instances start.
    pub fn add_location(&mut self, location: Location) -> LocationId {
        self.process.locations.push(location);
        LocationId(self.process.locations.len() as u32 - 1)
    }

    /// Adds a plain location.
    pub fn location(&mut self, name: &str) -> LocationId {
        self.add_location(Location { name: name.into(), ..Location::default() })
    }

    /// Adds a location where the process may stand at the end.
    pub fn end(&mut self, name: &str) -> LocationId {
        self.add_location(Location { name: name.into(), end: true, ..Location::default() })
    }

    /// Sets where instances start.
    pub fn start_at(&mut self, location: LocationId) {
        self.process.start = location;
    }

    /// Adds a transition without guard or effect.
    pub fn transition(&mut self, from: LocationId, to: LocationId) -> TransitionBuilder<'_> {
        self.process.transitions.push(Transition { from, to, ..Transition::default() });
        let last = self.process.transitions.len() - 1;
        TransitionBuilder { transition: &mut self.process.transitions[last] }
    }
}

/// Adds to a transition what it asks and does.
#[derive(Debug)]
pub struct TransitionBuilder<'a> {
    transition: &'a mut Transition,
}

impl TransitionBuilder<'_> {
    /// Asks for one more condition.
    pub fn when(self, condition: impl Into<Expression>) -> Self {
        self.transition.guard.push(condition.into());
        self
    }

    /// Executable only if nothing else is here.
    pub fn otherwise(self) -> Self {
        self.transition.otherwise = true;
        self
    }

    /// The process goes on alone afterwards while it can.
    pub fn atomic(self) -> Self {
        self.transition.atomic = true;
        self
    }

    /// Adds any effect.
    pub fn effect(self, effect: Effect) -> Self {
        self.transition.effects.push(effect);
        self
    }

    /// Stores a value.
    pub fn assign(self, target: impl Into<Target>, value: impl Into<Expression>) -> Self {
        self.effect(Effect::Assign { target: target.into(), value: value.into() })
    }

    /// Sends a message.
    pub fn send(self, channel: impl Into<Expression>, fields: Vec<Expression>) -> Self {
        self.effect(Effect::Send { channel: channel.into(), fields, sorted: false })
    }

    /// Receives a message.
    pub fn receive(self, channel: impl Into<Expression>, patterns: Vec<Pattern>) -> Self {
        let channel = channel.into();
        self.effect(Effect::Receive { channel, patterns, anywhere: false, keep: false })
    }

    /// Performs an operation on an object, dropping its output.
    pub fn operate(self, object: DeclaredObject, kind: OperationKind, operands: Vec<Expression>) -> Self {
        self.effect(Effect::Operate { object, kind, operands, target: None })
    }

    /// Creates a process.
    pub fn run(self, process: TypeId, arguments: Vec<Expression>) -> Self {
        self.effect(Effect::Run { process, arguments, target: None })
    }

    /// States that something is so.
    pub fn assert(self, condition: impl Into<Expression>) -> Self {
        self.effect(Effect::Assert(condition.into()))
    }

    /// Ends the process.
    pub fn exit(self) -> Self {
        self.effect(Effect::Exit)
    }
}
