//! The interpreter: a program as a transition system.
//!
//! Names are resolved to offsets and expressions flattened once, when the interpreter is made; a
//! successor is a copy of its state in the caller's batch, changed in place. Nothing is allocated
//! on the way from a state to its successors. The interpreter is the oracle of compiled code.

mod assist;
mod atoms;
mod claims;
pub mod code;
pub(crate) mod compile;
mod components;
mod describe;
pub(crate) mod evaluate;
mod events;
mod execute;
mod fault;
pub mod layout;
pub(crate) mod machine;
pub(crate) mod moves;
mod others;
mod printing;
mod reception;
mod system;
mod widths;

pub use atoms::{Condition, Conditions, ProgramAtoms};
pub use fault::Fault;
pub use machine::ProcessAt;

pub use crate::analysis::commuting::{Commuting, Touched};
use crate::analysis::{Analysis, numbers};
use crate::ir::{Expression, LocationId, Program, TypeId, VariableRef};
use code::NodeId;
use evaluate::View;
use fault::OutOfRange;
use machine::Machine;
use mazurka_model::source::{Diagnostic, Severity};
use reception::Receptions;
use std::sync::OnceLock;
use widths::Widths;

/// A program ready to execute.
#[derive(Debug)]
pub struct Interpreter {
    program: Program,
    pub(crate) machine: Machine,
    pub(crate) analysis: Analysis,
    /// Looked for only if asked: no search for them can be reduced.
    receptions: Option<Receptions>,
    /// Found when they are asked for.
    widths: OnceLock<Widths>,
    /// Found when it is asked for.
    commuting: OnceLock<Option<Commuting>>,
    /// The same program, as one that does not tell the numbers of its processes, if it is one. Found when it is asked for.
    unnumbered: OnceLock<Option<Box<Interpreter>>>,
}

/// A condition on states, made by [`Interpreter::proposition`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Proposition(NodeId);

impl Interpreter {
    /// Prepares a program; its errors if it is not valid.
    pub fn new(program: Program) -> Result<Interpreter, Vec<Diagnostic>> {
        Interpreter::with_numbers(program, true)
    }

    /// The same; unless `numbered`, its relations say nothing of the order in which processes are created and removed.
    fn with_numbers(program: Program, numbered: bool) -> Result<Interpreter, Vec<Diagnostic>> {
        let mut errors = program.validate();
        errors.retain(|d| d.severity == Severity::Error);
        if !errors.is_empty() {
            return Err(errors);
        }
        let layout = layout::Layout::new(&program);
        let mut code = compile::compile(&program, &layout);
        let objects = program.objects.iter().map(|o| o.kind.instantiate()).collect();
        let process_limit = program.process_limit.into();
        let channel_limit = program.channel_limit.into();
        let analysis = Analysis::new(&program.with_tests_recognised(), &layout, &mut code, numbered);
        let claims = claims::Claims::new(&program, &layout, &mut code);
        let overflow = program.overflow;
        let machine = Machine { layout, code, objects, process_limit, channel_limit, overflow, claims };
        let mut interpreter = Interpreter {
            machine,
            analysis,
            program,
            receptions: None,
            widths: OnceLock::new(),
            commuting: OnceLock::new(),
            unnumbered: OnceLock::new(),
        };
        let mut initial = interpreter.machine.layout.initial.clone();
        let processes: Vec<ProcessAt> = interpreter.machine.processes(&initial).collect();
        for at in processes {
            if let Err(fault) = interpreter.machine.prologue(&mut initial, at) {
                return Err(vec![interpreter.false_start(&initial, at, fault)]);
            }
        }
        for at in interpreter.machine.processes(&initial) {
            interpreter.machine.compare_claims(&initial, at);
        }
        interpreter.machine.layout.initial = initial;
        Ok(interpreter)
    }

    /// The same program where the numbers of processes don't count; `None` if they do.
    fn unnumbered(&self) -> Option<&Interpreter> {
        let find = || {
            let program = Some(&self.program).filter(|program| numbers::may_be_hidden(program))?;
            let found = Interpreter::with_numbers(program.clone(), false).ok()?;
            numbers::are_hidden(program, &found.analysis).then(|| Box::new(found))
        };
        self.unnumbered.get_or_init(find).as_deref()
    }

    /// Whose next moves commute; none if nothing is said of any process.
    pub fn commuting(&self) -> Option<&Commuting> {
        let Machine { layout, code, .. } = &self.machine;
        self.commuting.get_or_init(|| Commuting::new(&self.program, layout, code, &self.analysis)).as_ref()
    }

    /// A process that exists from the beginning can't compute what it begins with.
    fn false_start(&self, state: &[u8], at: ProcessAt, fault: Fault) -> Diagnostic {
        let text = match OutOfRange::take() {
            Some(found) if fault == Fault::Index => self.out_of_range(found),
            _ => fault.to_string(),
        };
        let prologue = &self.machine.code.prologues[at.kind];
        let fails = |&(_, value): &(_, NodeId)| self.machine.value(View { state, at }, value).is_err();
        let process = &self.program.types[at.kind];
        let target = prologue.iter().position(fails).map(|index| process.prologue[index].0.variable());
        let span = match target {
            Some(VariableRef::Local(id)) => process.locals[id.index()].span,
            _ => process.span,
        };
        Diagnostic::error(span, format!("at the start of {}({}): {text}", process.name, at.pid))
    }

    /// Makes the system report unspecified receptions as conditions on states that are false.
    pub fn look_for_receptions(&mut self) {
        self.receptions = Some(Receptions::new(&self.program));
    }

    /// Whether the creation of processes is looked at for what they claim; only the interpreter does that.
    pub fn compares_claims(&self) -> bool {
        self.machine.claims.is_some()
    }

    /// Claims that are in doubt, for people.
    fn doubts(&self) -> Vec<String> {
        let kinds = self.machine.claims.iter().flat_map(|claims| claims.doubted());
        let doubted = self.program.claims.iter().zip(kinds).filter_map(|(claim, kind)| Some((claim, kind?)));
        let name = |kind: usize| &self.program.types[kind].name;
        doubted
            .map(|(claim, other)| {
                let act = if claim.receives { "receive from" } else { "send to" };
                let other = match other == claim.process.index() {
                    true => "another one".to_owned(),
                    false => format!("a process `{}`", name(other)),
                };
                let own = name(claim.process.index());
                format!(
                    "`{}` in `{own}` is in doubt: {other} may {act} the channel while it lives",
                    claim.text
                )
            })
            .collect()
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Where everything stands in a state.
    pub fn layout(&self) -> &layout::Layout {
        &self.machine.layout
    }

    /// How many processes are alive in `state`.
    pub fn process_count(&self, state: &[u8]) -> usize {
        self.machine.count(state)
    }

    /// The type and the location of a process, if it is alive.
    pub fn location(&self, state: &[u8], process: usize) -> Option<(TypeId, LocationId)> {
        let at = self.machine.process(state, process)?;
        let location = self.machine.location_index(state, at);
        Some((TypeId(at.kind as u32), LocationId(location as u32)))
    }

    /// Prepares an expression over globals, channels and objects for [`Interpreter::holds`]; `None`
    /// if it uses what only a process has.
    pub fn proposition(&mut self, expression: &Expression) -> Option<Proposition> {
        let mut whole = Program { initial: Vec::new(), ..self.program.clone() };
        let probe = crate::ir::ProcessType {
            name: "proposition".into(),
            locations: vec![crate::ir::Location { name: "here".into(), ..crate::ir::Location::default() }],
            transitions: vec![crate::ir::Transition {
                guard: vec![expression.clone()],
                ..crate::ir::Transition::default()
            }],
            ..crate::ir::ProcessType::default()
        };
        whole.types.push(probe);
        if expression.any(&|e| *e == Expression::Pid) || !whole.validate().is_empty() {
            return None;
        }
        let Machine { layout, code, .. } = &mut self.machine;
        Some(Proposition(compile::compile_expression(&self.program, layout, code, None, expression)))
    }

    /// Whether a proposition holds in `state`; one that can't be computed does not.
    pub fn holds(&self, state: &[u8], proposition: Proposition) -> bool {
        let at = ProcessAt { pid: 0, frame: others::NO_FRAME, kind: 0 };
        self.machine.value(View { state, at }, proposition.0).is_ok_and(|value| value != 0)
    }
}
