//! From a checked model to a [`Program`] with the states and transitions of SPIN.
//!
//! The locations of a process are the values that the program counter takes in a verifier made by
//! SPIN 6.5 without statement merging (`-o3`) and without dead-variable elimination (`-o2`): so a full
//! search stores as many states and transitions as SPIN does with `-DNOREDUCE`. `graph` builds the
//! control flow, `transitions` turns it into locations and transitions, `variables` flattens
//! structures, and `expression` and `statement` translate what is computed.
//!
//! Claims, traces and formulas become stated properties of the program (`property`), which nothing checks
//! yet: a warning says so. What is not supported is an error at its place.

mod deterministic;
mod expression;
mod graph;
mod loops;
mod names;
mod priority;
mod property;
mod remote;
mod statement;
mod survey;
mod transitions;
mod variables;

use super::ast::{Item, Proctype, Reference, Sequence, Unit};
use super::check::{Symbols, constant};
use super::token::{Place, Text};
use super::{Parsed, expansion_notes, print};
use mazurka_model::source::{Diagnostic, Severity, Span};
use mazurka_program::ir::{ExclusiveClaim, GlobalId, ProcessType, Program, Start, Type, TypeId, Variable};
use remote::Remotes;
use std::collections::HashMap;
use variables::Variables;

/// How many channels may exist at once.
const MOST_CHANNELS: u16 = 255;

/// What came of lowering a model.
pub struct Lowered {
    /// The program, if there was no error.
    pub program: Option<Program>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// Lowers a model that was read without error.
pub fn lower(name: &str, parsed: &Parsed) -> Lowered {
    let Some(unit) = &parsed.unit else { return Lowered { program: None, diagnostics: Vec::new() } };
    let program = Program { name: name.into(), sources: parsed.sources.clone(), ..Program::default() };
    let mut lowerer = Lowerer {
        unit,
        symbols: &parsed.symbols,
        program,
        variables: Variables::new(survey::Survey::new(unit, &parsed.symbols)),
        remotes: Remotes::default(),
        types: HashMap::new(),
        last: None,
        diagnostics: Vec::new(),
        runs: None,
        in_trace: false,
        item: 0,
        process: ProcessType::default(),
    };
    lowerer.unit();
    let failed = lowerer.diagnostics.iter().any(|d| d.severity == Severity::Error);
    let program = (!failed).then_some(lowerer.program);
    Lowered { program, diagnostics: lowerer.diagnostics }
}

struct Lowerer<'a> {
    unit: &'a Unit,
    symbols: &'a Symbols,
    program: Program,
    variables: Variables<'a>,
    remotes: Remotes,
    /// The proctypes by name.
    types: HashMap<Text, TypeId>,
    /// `_last`, if the model looks at it.
    last: Option<GlobalId>,
    diagnostics: Vec<Diagnostic>,
    /// While an assigned value is lowered: how many runs in it are still to come, and the others.
    runs: Option<(usize, graph::Action)>,
    /// Whether a trace is being lowered, whose sends and receives are events.
    in_trace: bool,
    /// The item being lowered.
    item: usize,
    /// The process type being lowered.
    process: ProcessType,
}

impl<'a> Lowerer<'a> {
    fn report(&mut self, diagnostic: Diagnostic, place: Place) {
        let mut diagnostic = diagnostic;
        diagnostic.notes.extend(expansion_notes(&self.unit.expansions, place.origin));
        self.diagnostics.push(diagnostic);
    }

    fn error(&mut self, place: Place, message: impl Into<String>) {
        self.report(Diagnostic::error(place.span, message), place);
    }

    /// A hidden variable that is read is kept in the state all the same, and its author should know.
    fn hidden(&mut self, declaration: &super::ast::Declaration) {
        let kept =
            |v: &super::ast::Variable| self.symbols.declared(v.id).is_some_and(|id| !self.is_dropped(id));
        if declaration.visibility == Some(super::ast::Visibility::Hidden)
            && declaration.variables.iter().any(kept)
        {
            let warning = Diagnostic::warning(declaration.place.span, "`hidden` has no effect here")
                .label("it is read, so it is part of the state like any other")
                .help("the model may have more states than in SPIN; what is found stays right");
            self.report(warning, declaration.place);
        }
    }

    fn unit(&mut self) {
        self.declare_names();
        if self.variables.survey.looks_at_last {
            let variable = Variable { name: "_last".into(), ty: Type::Byte, ..Variable::default() };
            self.program.globals.push(variable);
            self.last = Some(GlobalId(self.program.globals.len() as u32 - 1));
        }
        for item in &self.unit.items {
            if let Item::Declaration(declaration) = item {
                self.hidden(declaration);
                self.standard_input(declaration);
                self.global_declaration(declaration);
            }
        }
        for item in &self.unit.items {
            let name: Text = match item {
                Item::Proctype(proctype) => proctype.name.text.clone(),
                Item::Init(_) => "init".into(),
                _ => continue,
            };
            self.types.insert(name, TypeId(self.types.len() as u32));
        }
        for (position, item) in self.unit.items.iter().enumerate() {
            self.item = position;
            match item {
                Item::Proctype(proctype) => self.proctype(proctype),
                Item::Init(init) => {
                    let priority = self.start_priority(init.priority.as_ref());
                    self.body("init", None, &[], &init.body, init.place, (1, priority));
                }
                Item::Never(never) => self.never(never),
                Item::Trace(trace) => {
                    self.in_trace = true;
                    self.trace(trace);
                    self.in_trace = false;
                }
                Item::Ltl(ltl) => self.ltl(ltl),
                Item::Declaration(_) | Item::Mtype(_) | Item::Typedef(_) => {}
            }
        }
        let mut types = std::mem::take(&mut self.program.types);
        types.iter_mut().for_each(|process| self.resolve(process));
        self.program.types = types;
        let mut properties = std::mem::take(&mut self.program.properties);
        for property in &mut properties {
            property.kind.rewrite(&mut |e| self.resolve_expression(e));
        }
        self.program.properties = properties;
        self.no_handshakes();
        self.channel_limit();
        self.some_process();
    }

    /// Nothing happens in a model without a process, and that it holds would say nothing.
    fn some_process(&mut self) {
        if !self.program.initial.is_empty() {
            return;
        }
        let message = "no process runs in this model";
        let proctype = self.unit.items.iter().find_map(|item| match item {
            Item::Proctype(proctype) => Some(&proctype.name),
            _ => None,
        });
        match proctype {
            Some(name) => {
                let error = Diagnostic::error(name.place.span, message)
                    .label("declared, but nothing starts it")
                    .help(format!("write `active proctype {0}`, or `init {{ run {0}(…) }}`", name.text));
                self.report(error, name.place);
            }
            None => {
                let error = Diagnostic::error(Span::default(), message)
                    .label("there is neither a proctype nor an init")
                    .help("a process is declared by `active proctype P() { … }` or by `init { … }`");
                self.diagnostics.push(error);
            }
        }
    }

    /// SPIN's verifiers have at most 255 channels, and 255 processes, at once.
    fn channel_limit(&mut self) {
        let owned = |start: &Start| self.program.types[start.process.index()].channels.len();
        let many = self.program.channels.len() + self.program.initial.iter().map(owned).sum::<usize>();
        if many > MOST_CHANNELS.into() {
            let message = format!("{many} channels exist at the start, more than {MOST_CHANNELS}");
            let span = self.program.channels.last().map_or(Default::default(), |channel| channel.span);
            let error = Diagnostic::error(span, message)
                .label("too many")
                .help("SPIN has no more than 255 either: share channels, or make the model smaller");
            self.diagnostics.push(error);
        } else if !self.program.is_static() && self.program.types.iter().any(|t| !t.channels.is_empty()) {
            self.program.channel_limit = MOST_CHANNELS;
        }
    }

    /// The channel that SPIN's simulator takes for the standard input.
    fn standard_input(&mut self, declaration: &super::ast::Declaration) {
        for variable in &declaration.variables {
            if variable.name.text.as_ref() == "STDIN" && variable.initialiser.is_none() {
                let place = variable.name.place;
                let warning = Diagnostic::warning(place.span, "the standard input can't be read")
                    .label("a channel that does not exist: to receive from it is a fault")
                    .help(
                        "only SPIN's simulator reads it; model what may come in as a process that sends it",
                    );
                self.report(warning, place);
            }
        }
    }

    /// Notes a claim of the process at hand to use a channel alone.
    fn claim(&mut self, receives: bool, channel: &'a Reference, place: Place) {
        let process = TypeId(self.program.types.len() as u32);
        let word = if receives { "xr" } else { "xs" };
        let text = format!("{word} {}", print::reference(channel));
        let channel = self.reference(channel);
        self.program.claims.push(ExclusiveClaim { process, receives, channel, text, span: place.span });
    }

    fn proctype(&mut self, proctype: &'a Proctype) {
        let priority = self.start_priority(proctype.priority.as_ref());
        let count = match &proctype.active {
            None => 0,
            Some(active) => match &active.count {
                None => 1,
                Some(count) => constant(count, self.symbols).unwrap_or(1),
            },
        };
        let name = &proctype.name.text;
        let provided = proctype.provided.as_ref();
        self.body(name, provided, &proctype.parameters, &proctype.body, proctype.place, (count, priority));
    }

    fn body(
        &mut self,
        name: &str,
        provided: Option<&'a super::ast::Expression>,
        parameters: &'a [super::ast::Declaration],
        body: &'a Sequence,
        place: Place,
        (count, priority): (i64, u8),
    ) {
        self.process = ProcessType { name: name.into(), span: place.span, ..ProcessType::default() };
        for declaration in parameters {
            self.local_declaration(declaration, true);
        }
        self.process.parameters = self.process.locals.len();
        self.local_declarations(body);
        let provided = provided.map(|e| self.expression(e));
        let graph = self.graph(body);
        self.transitions(graph, provided);
        if matches!(&self.unit.items[self.item], Item::Proctype(own) if own.deterministic) {
            self.assert_determinism();
        }
        let process = std::mem::take(&mut self.process);
        let id = TypeId(self.program.types.len() as u32);
        for _ in 0..count {
            let arguments = vec![0; process.parameters];
            self.program.initial.push(Start { process: id, arguments, priority, span: place.span });
        }
        self.program.types.push(process);
    }
}
