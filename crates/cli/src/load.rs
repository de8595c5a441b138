//! From a path to a system: reads the file, recognises what it is, parses it.
//!
//! A model is recognised by its extension, or by its content where the extension says nothing.

use crate::engine::{self, Engine};
use crate::failure::Failure;
use crate::temporal::{self, Given, Ready, Wanted};
use crate::values::{FullChannel, Property};
use crate::vfsm;
use mazurka_engine::{Config, Properties};
use mazurka_front::petri::{self, NetSystem};
use mazurka_front::promela::Options;
use mazurka_front::vfsm::{Information, VfsmSystem};
use mazurka_jit::Compiled;
use mazurka_model::System;
use mazurka_model::source::{Diagnostic, SourceMap, Span};
use mazurka_program::{Interpreter, Optimisations, Program};
use mazurka_report::ModelOptions;
use std::cell::OnceCell;
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant};

/// A model, ready to be explored.
pub struct Loaded {
    /// The path, as the user gave it.
    pub path: String,
    /// How it was read.
    pub options: ModelOptions,
    /// What can be explored.
    pub model: Model,
    /// What the parser would have its author look at.
    pub warnings: Vec<Diagnostic>,
    /// The program as it was written, if it was optimised.
    pub original: Option<Program>,
    /// How it was.
    pub optimised: Optimisations,
    /// The interpreter of that, once it is needed.
    pub written: OnceCell<Option<Interpreter>>,
    /// Why a program is not executed by what was asked for.
    pub note: Option<String>,
    /// The temporal properties to be checked; their numbers are those of the program's properties.
    pub temporal: Vec<Ready>,
    /// Time to read and parse it.
    pub parse: Duration,
    /// Time to make it executable.
    pub compile: Duration,
}

/// What a model becomes.
pub enum Model {
    /// A program and its interpreter.
    Program(Box<Interpreter>),
    /// A program as machine code, with its interpreter.
    Compiled(Box<Compiled>),
    /// A Petri net.
    Net(Box<NetSystem>),
    /// A network of virtual finite state machines.
    Vfsm(Box<VfsmSystem>),
}

impl Loaded {
    /// The system.
    pub fn system(&self) -> &dyn System {
        match &self.model {
            Model::Program(interpreter) => &**interpreter,
            Model::Compiled(compiled) => &**compiled,
            Model::Net(net) => &**net,
            Model::Vfsm(network) => &**network,
        }
    }

    /// The network of machines, if it is one.
    pub fn vfsm(&self) -> Option<&VfsmSystem> {
        match &self.model {
            Model::Vfsm(network) => Some(network),
            Model::Program(_) | Model::Compiled(_) | Model::Net(_) => None,
        }
    }

    /// The system by which errors are confirmed: the interpreter of the program as it was written, because neither
    /// machine code nor an optimisation may vouch for itself.
    pub fn reference(&self) -> &dyn System {
        let Some(interpreter) = self.interpreter() else { return self.system() };
        let Some(original) = &self.original else { return interpreter };
        let written = self.written.get_or_init(|| {
            let mut written = Interpreter::new(original.clone()).ok()?;
            if interpreter.judges_states() {
                written.look_for_receptions();
            }
            Some(written)
        });
        match written {
            Some(written) => written,
            None => interpreter,
        }
    }

    /// The interpreter of a program, if it is one.
    pub fn interpreter(&self) -> Option<&Interpreter> {
        match &self.model {
            Model::Program(interpreter) => Some(interpreter),
            Model::Compiled(compiled) => Some(compiled.interpreter()),
            Model::Net(_) | Model::Vfsm(_) => None,
        }
    }

    /// The program, if it is one.
    pub fn program(&self) -> Option<&Program> {
        self.interpreter().map(Interpreter::program)
    }

    /// The net, if it is one.
    pub fn net(&self) -> Option<&NetSystem> {
        match &self.model {
            Model::Net(net) => Some(net),
            Model::Program(_) | Model::Compiled(_) | Model::Vfsm(_) => None,
        }
    }

    /// Replaces the net, if it is one.
    pub fn change_net(&mut self, change: impl FnOnce(NetSystem) -> NetSystem) {
        if let Model::Net(net) = &mut self.model {
            let old = std::mem::replace(&mut **net, NetSystem::new(petri::Net::default()));
            **net = change(old);
        }
    }

    /// What is checked if nothing was asked for: all that the model itself states. A net states nothing of
    /// transitions that never fire, and without that question more can be left out.
    pub fn usual(&self, config: Config, asked: &[Property]) -> Config {
        let unreached = config.properties.unreached && !(asked.is_empty() && self.net().is_some());
        Config { properties: Properties { unreached, ..config.properties }, ..config }
    }

    /// Gives the places of a net more room, if they can have more.
    pub fn widen(&mut self) -> bool {
        let wider = self.net().and_then(|net| net.width().wider());
        if let Some(wider) = wider {
            self.change_net(|net| net.with_width(wider));
        }
        wider.is_some()
    }
}

/// The kinds of model.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Kind {
    Program,
    Promela,
    Vfsm,
    Scxml,
    Petri,
    Trail,
    Unknown,
}

/// How to read a model.
#[derive(Clone, Debug, Default)]
pub struct How<'a> {
    /// Macros of a Promela model.
    pub defines: &'a [(String, String)],
    /// What a send to a full channel does.
    pub full_channel: FullChannel,
    /// Whether to look for unspecified receptions.
    pub receptions: bool,
    /// What shall hold in every marking of a net.
    pub invariant: Option<&'a str>,
    /// Which temporal properties are wanted.
    pub temporal: Vec<Wanted>,
    /// What executes a program.
    pub engine: Engine,
    /// What the persistent sets of a network of machines are computed from.
    pub information: Information,
    /// What is made of the program before it is explored.
    pub optimise: Optimisations,
    /// Why statements can't be merged, if so.
    pub whole: Option<&'static str>,
}

impl How<'_> {
    /// What of that a trail has to record.
    pub fn model_options(&self) -> ModelOptions {
        ModelOptions { defines: self.defines.to_vec(), loses: self.full_channel == FullChannel::Lose }
    }

    fn system(
        &self,
        mut program: Program,
        given: &[Given],
        sources: &SourceMap,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<Made, Failure> {
        program.overflow |= self.full_channel == FullChannel::Lose;
        for (property, why) in mazurka_property::weave(&mut program) {
            let message = format!("`{}` is left out: {why}", property.name);
            warnings.push(Diagnostic::warning(property.span, message));
        }
        let wanted = temporal::select(&mut program, &self.temporal, given, warnings)?;
        let mut original = program;
        let mut which = self.optimise;
        which.merge &= self.whole.is_none();
        let (system, temporal) = loop {
            let mut program = original.clone();
            if which.any() {
                program.optimise(which);
            }
            let mut system =
                Interpreter::new(program).map_err(|errors| Failure::Model(errors, sources.clone()))?;
            if self.receptions {
                system.look_for_receptions();
            }
            let temporal = temporal::prepare(&mut system, wanted.clone())?;
            if !which.merge || temporal.iter().all(Ready::is_stutter_invariant) {
                break (system, temporal);
            }
            which.merge = false;
        };
        // Conditions find the same values at the same places in states of both.
        original.keeps_turn = system.program().keeps_turn;
        let (model, note) = engine::choose(self.engine, system);
        let why = self.whole.unwrap_or("a property may tell how often a letter is repeated");
        let unmerged = (which != self.optimise).then(|| format!("statements are not merged: {why}"));
        let notes: Vec<String> = note.into_iter().chain(unmerged).collect();
        let note = (!notes.is_empty()).then(|| notes.join("; "));
        let original = self.optimise.any().then_some(original);
        Ok(Made { model, temporal, note, original, optimised: which })
    }
}

/// What a program becomes.
struct Made {
    model: Model,
    temporal: Vec<Ready>,
    note: Option<String>,
    original: Option<Program>,
    optimised: Optimisations,
}

/// Loads the model at `path`.
pub fn model(path: &Path, how: &How<'_>) -> Result<Loaded, Failure> {
    let defines = how.defines;
    let given = Given::read(&how.temporal)?;
    let start = Instant::now();
    let text = text(path)?;
    let shown = path.display();
    let kind = recognise(path, &text);
    if how.invariant.is_some() && kind != Kind::Petri {
        return Err(Failure::usage(format!("{shown}: --invariant is for Petri nets"))
            .help("a program states what it expects by assertions and conditions of its own"));
    }
    match kind {
        Kind::Program if defines.is_empty() => {}
        Kind::Program => {
            return Err(Failure::usage(format!("{shown}: program text has no macros"))
                .help("-D is for Promela (.pml)"));
        }
        Kind::Promela => return promela(path, &text, how, &given, start),
        Kind::Vfsm | Kind::Scxml => {
            return vfsm::load(path, &text, how, &given, kind == Kind::Scxml, start);
        }
        Kind::Petri => return net(path, &text, how, &given, start),
        Kind::Trail => {
            return Err(Failure::usage(format!("{shown}: this is a saved counterexample, not a model"))
                .help(format!("mazurka replay {shown}")));
        }
        Kind::Unknown => {
            return Err(Failure::usage(format!("{shown}: this is no model that mazurka knows"))
                .help("program text has the extension .mzk"));
        }
    }
    let path = path.to_string_lossy().into_owned();
    let added = Given::as_program(&given);
    let mut parsed = mazurka_program::text::parse(&path, &format!("{text}{}", added.text));
    added.relocate(text.len(), &given, &mut parsed.diagnostics, &mut parsed.sources);
    let Some(mut program) = parsed.program else {
        return Err(Failure::Model(parsed.diagnostics, parsed.sources));
    };
    if program.initial.is_empty() {
        let nowhere = Span::default();
        let error = Diagnostic::error(nowhere, "no process runs in this model")
            .help("say which processes exist from the beginning: start P()");
        return Err(Failure::Model(vec![error], parsed.sources));
    }
    program.sources.clone_from(&parsed.sources);
    let parse = start.elapsed();
    let start = Instant::now();
    let mut warnings = parsed.diagnostics;
    let Made { model, temporal, note, original, optimised } =
        how.system(program, &given, &parsed.sources, &mut warnings)?;
    let options = how.model_options();
    let written = OnceCell::new();
    let compile = start.elapsed();
    Ok(Loaded {
        path,
        options,
        model,
        temporal,
        warnings,
        note,
        original,
        optimised,
        written,
        parse,
        compile,
    })
}

/// Loads a Promela model.
fn promela(
    path: &Path,
    text: &str,
    how: &How<'_>,
    given: &[Given],
    start: Instant,
) -> Result<Loaded, Failure> {
    let path = path.to_string_lossy().into_owned();
    let options = Options { include: Box::new(include), defines: how.defines.to_vec() };
    let added = Given::as_promela(given);
    let mut parsed = mazurka_front::promela::parse(&path, &format!("{text}{}", added.text), &options);
    let lowered = mazurka_front::promela::lower::lower(&path, &parsed);
    let mut diagnostics = parsed.diagnostics;
    diagnostics.extend(lowered.diagnostics);
    added.relocate(text.len(), given, &mut diagnostics, &mut parsed.sources);
    let Some(mut program) = lowered.program else { return Err(Failure::Model(diagnostics, parsed.sources)) };
    program.sources.clone_from(&parsed.sources);
    let parse = start.elapsed();
    let start = Instant::now();
    let Made { model, temporal, note, original, optimised } =
        how.system(program, given, &parsed.sources, &mut diagnostics)?;
    let (options, warnings) = (how.model_options(), diagnostics);
    let written = OnceCell::new();
    let compile = start.elapsed();
    Ok(Loaded {
        path,
        options,
        model,
        temporal,
        warnings,
        note,
        original,
        optimised,
        written,
        parse,
        compile,
    })
}

/// Loads a Petri net.
fn net(path: &Path, text: &str, how: &How<'_>, given: &[Given], start: Instant) -> Result<Loaded, Failure> {
    let path = path.to_string_lossy().into_owned();
    if !how.defines.is_empty() {
        return Err(Failure::usage(format!("{path}: a net has no macros")).help("-D is for Promela (.pml)"));
    }
    let parsed = petri::parse(&path, text);
    let Some(net) = parsed.net else { return Err(Failure::Model(parsed.diagnostics, parsed.sources)) };
    let parse = start.elapsed();
    let start = Instant::now();
    let mut system = NetSystem::new(net);
    if let Some(invariant) = how.invariant {
        let formula = petri::expression::parse(system.net(), invariant).map_err(|(errors, _)| {
            temporal::place::wrong_atom(("--invariant", invariant), invariant, errors)
        })?;
        system = system.with_invariant(&formula, invariant);
    }
    let (system, temporal) = temporal::prepare_net(system, &how.temporal, given)?;
    let model = Model::Net(Box::new(system));
    let (options, warnings) = (how.model_options(), parsed.diagnostics);
    let note = None;
    let (original, optimised, written) = (None, Optimisations::default(), OnceCell::new());
    let compile = start.elapsed();
    Ok(Loaded {
        path,
        options,
        model,
        temporal,
        warnings,
        note,
        original,
        optimised,
        written,
        parse,
        compile,
    })
}

/// The file that a model includes, looked for beside it.
fn include(from: &str, wanted: &str) -> Result<(String, String), String> {
    let path = Path::new(from).parent().unwrap_or(Path::new("")).join(wanted);
    let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    Ok((path.display().to_string(), text))
}

/// The text of a file, or what stands in the way.
pub fn text(path: &Path) -> Result<String, Failure> {
    let shown = path.display();
    let mut bytes = std::fs::read(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::usage(format!("{shown}: there is no such file")),
        ErrorKind::IsADirectory => Failure::usage(format!("{shown}: this is a directory, not a file")),
        ErrorKind::PermissionDenied => Failure::usage(format!("{shown}: this file may not be read")),
        _ => Failure::usage(format!("{shown}: {error}")),
    })?;
    // Some editors begin a file with a mark that says how it is encoded.
    if bytes.starts_with("\u{feff}".as_bytes()) {
        bytes.drain(..'\u{feff}'.len_utf8());
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid].iter().filter(|byte| **byte == b'\n').count() + 1;
        Failure::usage(format!("{shown}: this is not UTF-8 text: the first wrong byte is on line {line}"))
    })
}

/// What a file holds, by its extension, else by its content.
fn recognise(path: &Path, text: &str) -> Kind {
    if mazurka_report::trail::looks_like_trail(text) {
        return Kind::Trail;
    }
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("mzk") => Kind::Program,
        Some("pml" | "prom" | "promela" | "spin") => Kind::Promela,
        Some("vfsm") => Kind::Vfsm,
        Some("scxml") => Kind::Scxml,
        Some("pnml") => Kind::Petri,
        _ => by_content(text),
    }
}

fn by_content(text: &str) -> Kind {
    if text.contains("<pnml") {
        return Kind::Petri;
    }
    if text.contains("<scxml") {
        return Kind::Scxml;
    }
    // The first word that is no comment tells the languages apart.
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        match line.split(|c: char| !c.is_alphanumeric() && c != '_').next() {
            None | Some("") => {}
            Some("program") => return Kind::Program,
            Some("machine" | "environment" | "free" | "system") => return Kind::Vfsm,
            Some(
                "proctype" | "active" | "mtype" | "init" | "chan" | "ltl" | "inline" | "byte" | "bit"
                | "bool",
            ) => {
                return Kind::Promela;
            }
            Some(_) => return Kind::Unknown,
        }
    }
    Kind::Unknown
}
