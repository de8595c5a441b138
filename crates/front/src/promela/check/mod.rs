//! What a model must satisfy beyond its grammar, and what its names mean.
//!
//! Scopes are those of SPIN 6: braces make them, the options of `if` and `do` don't, and a name is
//! known from its declaration on. Where SPIN refuses a model, so does this, with these exceptions: a
//! local variable may have the name of one around it (a warning), and a missing field of a message,
//! which SPIN takes as 0 without a word, is a warning.
//!
//! Not checked: types of expressions, beyond channels and structures. Promela has only numbers.

mod channels;
mod claims;
mod comparison;
mod constant;
mod declaration;
mod expression;
mod flow;
mod statement;
mod suggest;
pub mod symbols;
mod usage;

pub use constant::constant;
pub use expression::count_runs;
pub use suggest::closest;
pub use symbols::{
    Field, LabelKey, MtypeValue, Predefined, Structure, StructureId, Symbol, SymbolId, SymbolKind, Symbols,
    Type,
};

use super::ast::{Item, MtypeDeclaration, Name, Reference, Sequence, Unit};
use super::token::{Place, Text};
use mazurka_model::source::{Diagnostic, Severity, SourceMap, Span};
use std::collections::{HashMap, HashSet};
use usage::Act;

/// What the tree of a model does not hold.
#[derive(Copy, Clone)]
pub struct Surroundings<'a> {
    /// The files of the model.
    pub sources: &'a SourceMap,
    /// The names of the macros.
    pub macros: &'a [Text],
}

/// Checks a model. The table is complete if there is no error among the diagnostics.
pub fn check(unit: &Unit, surroundings: Surroundings<'_>) -> (Symbols, Vec<Diagnostic>) {
    let mut checker = Checker {
        unit,
        surroundings,
        symbols: Symbols {
            references: vec![None; unit.references as usize],
            variables: vec![None; unit.variables as usize],
            ..Symbols::default()
        },
        diagnostics: Vec::new(),
        errors: 0,
        warnings: 0,
        scopes: vec![HashMap::new()],
        item: 0,
        context: Context::Global,
        loops: 0,
        d_step: None,
        exclusive: None,
        leading: false,
        asserting: false,
        label_regions: HashMap::new(),
        jumps: HashSet::new(),
        uses: HashMap::new(),
        initial: HashMap::new(),
        remote_variables: Vec::new(),
        remote_labels: Vec::new(),
        locals: HashMap::new(),
        usages: usage::Usages::default(),
        claims: claims::Claims::default(),
    };
    checker.unit();
    (checker.symbols, checker.diagnostics)
}

/// For so many errors a better name is sought.
const GUESSES: usize = 20;

/// What is being checked.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Context {
    Global,
    Process,
    Never,
    Trace,
    Formula,
}

struct Checker<'a> {
    unit: &'a Unit,
    surroundings: Surroundings<'a>,
    symbols: Symbols,
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
    /// The names known here, the globals first.
    scopes: Vec<HashMap<Text, SymbolId>>,
    /// The position of the item being checked.
    item: usize,
    context: Context,
    /// How many loops are open.
    loops: usize,
    /// The first `xr` or `xs` so far.
    exclusive: Option<Place>,
    /// The `d_step` around the current statement.
    d_step: Option<Span>,
    /// The next statement begins an option, so it may be `else`.
    leading: bool,
    /// An `assert` may well say what its types say already.
    asserting: bool,
    /// In which `d_step` each label of the item stands.
    label_regions: HashMap<LabelKey, Option<Span>>,
    /// The labels that some `goto` of the item names.
    jumps: HashSet<Text>,
    uses: HashMap<SymbolId, channels::Use>,
    /// Constant initial values of globals, which may be lengths of arrays.
    initial: HashMap<SymbolId, i64>,
    /// Looked up when all processes are known.
    remote_variables: Vec<(Name, Reference)>,
    remote_labels: Vec<(Name, Name)>,
    /// The variables of each item by name; the first of a name counts.
    locals: HashMap<(usize, Text), SymbolId>,
    usages: usage::Usages,
    claims: claims::Claims,
}

impl Checker<'_> {
    fn report(&mut self, mut diagnostic: Diagnostic, place: Place) {
        let count = match diagnostic.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        *count += 1;
        if *count > super::MAXIMAL_DIAGNOSTICS {
            return;
        }
        diagnostic.notes.extend(super::expansion_notes(&self.unit.expansions, place.origin));
        self.diagnostics.push(diagnostic);
    }

    fn unit(&mut self) {
        let unit = self.unit;
        self.predefined();
        let mut first_init: Option<Place> = None;
        for (position, item) in unit.items.iter().enumerate() {
            match item {
                Item::Proctype(proctype) => {
                    let name = &proctype.name;
                    if let Some(old) = self.symbols.proctypes.insert(name.text.clone(), position)
                        && let Some(Item::Proctype(old)) = unit.items.get(old)
                    {
                        self.twice("proctype", name, old.name.place);
                    }
                }
                Item::Mtype(values) => self.mtype(values),
                Item::Init(init) => {
                    if let Some(first) = first_init {
                        let diagnostic = Diagnostic::error(init.place.span, "a second `init`")
                            .label("only one is allowed")
                            .help("join the two")
                            .note(first.span, "the first is here");
                        self.report(diagnostic, init.place);
                    }
                    first_init = Some(init.place);
                }
                _ => {}
            }
        }
        for (position, item) in unit.items.iter().enumerate() {
            self.item = position;
            self.item(item);
        }
        self.context = Context::Formula;
        for (position, item) in unit.items.iter().enumerate() {
            if let Item::Ltl(ltl) = item {
                self.item = position;
                self.formula(&ltl.formula);
            }
        }
        self.remote();
        self.unused_channels();
        self.broken_claims();
        self.useless_variables();
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Declaration(declaration) => self.declaration(declaration, false),
            Item::Typedef(typedef) => self.typedef(typedef),
            Item::Proctype(proctype) => {
                if let Some(count) = proctype.active.as_ref().and_then(|active| active.count.as_ref()) {
                    self.expression(count);
                    self.count(count, 0, 255, "the number of processes");
                }
                if let Some(priority) = &proctype.priority {
                    self.count(priority, 0, 255, "a priority");
                }
                self.scopes.push(HashMap::new());
                self.context = Context::Process;
                for parameter in &proctype.parameters {
                    self.declaration(parameter, true);
                }
                if let Some(condition) = &proctype.provided {
                    self.expression(condition);
                }
                self.body(&proctype.body);
            }
            Item::Init(init) => {
                if let Some(priority) = &init.priority {
                    self.count(priority, 0, 255, "a priority");
                }
                self.enter(Context::Process, &init.body);
            }
            Item::Never(never) => self.enter(Context::Never, &never.body),
            Item::Trace(trace) => self.enter(Context::Trace, &trace.body),
            Item::Mtype(_) | Item::Ltl(_) => {}
        }
    }

    fn enter(&mut self, context: Context, body: &Sequence) {
        self.context = context;
        self.scopes.push(HashMap::new());
        self.body(body);
    }

    /// Checks a body in the scope on top, and closes the scope.
    fn body(&mut self, body: &Sequence) {
        self.loops = 0;
        self.d_step = None;
        self.label_regions.clear();
        self.jumps.clear();
        self.collect_labels(body, None);
        let labels: HashSet<Text> = self.label_regions.keys().map(|(name, _)| name.clone()).collect();
        if !self.jumps.is_subset(&labels) {
            // A misspelt jump may have meant any label.
            self.jumps = labels;
        }
        self.sequence(body);
        self.scopes.pop();
        self.context = Context::Global;
    }

    fn twice(&mut self, what: &str, name: &Name, first: Place) {
        let diagnostic =
            Diagnostic::error(name.place.span, format!("{what} `{}` is declared twice", name.text))
                .label("declared again here")
                .help("rename one of the two")
                .note(first.span, "first declared here");
        self.report(diagnostic, name.place);
    }

    /// Gives the values of an mtype their numbers: they count down to the last name of each declaration.
    fn mtype(&mut self, declaration: &MtypeDeclaration) {
        let subtype = declaration.subtype.as_ref().map(|name| name.text.clone());
        let known = self.symbols.mtypes.values().filter(|value| value.subtype == subtype).count();
        for (index, name) in declaration.names.iter().rev().enumerate() {
            let Ok(value) = u8::try_from(known + index + 1) else {
                let diagnostic =
                    Diagnostic::error(declaration.place.span, "an mtype has more than 255 values")
                        .label("too many names")
                        .help("split them over subtypes: `mtype:name = { … }`");
                self.report(diagnostic, declaration.place);
                return;
            };
            let entry = MtypeValue { value, subtype: subtype.clone(), place: name.place };
            if let Some(old) = self.symbols.mtypes.insert(name.text.clone(), entry) {
                self.twice("mtype value", name, old.place);
            }
        }
    }

    /// Looks up the remote references, when all processes are known.
    fn remote(&mut self) {
        for (proctype, variable) in std::mem::take(&mut self.remote_variables) {
            let Some(item) = self.proctype(&proctype) else { continue };
            let Some(part) = variable.parts.first() else { continue };
            let name = &part.name;
            match self.locals.get(&(item, name.text.clone())) {
                Some(symbol) => {
                    let symbol = *symbol;
                    self.symbols.references[variable.id.0 as usize] = Some(symbol);
                    self.note_symbol(symbol, name.place.span, Act::Read);
                }
                None => {
                    let names = self.locals.keys().filter(|(owner, _)| *owner == item);
                    let guess = self.guess(&name.text, names.map(|(_, name)| name.as_ref()));
                    let help = did_you_mean(guess, "declare it in the proctype");
                    let message = format!("proctype `{}` has no variable `{}`", proctype.text, name.text);
                    let diagnostic =
                        Diagnostic::error(name.place.span, message).label("unknown variable").help(help);
                    self.report(diagnostic, name.place);
                }
            }
        }
        for (proctype, label) in std::mem::take(&mut self.remote_labels) {
            let Some(item) = self.proctype(&proctype) else { continue };
            let labels = self.symbols.labels.get(&item);
            if labels.is_some_and(|labels| labels.keys().any(|(name, _)| *name == label.text)) {
                continue;
            }
            let names = labels.into_iter().flat_map(|labels| labels.keys()).map(|(name, _)| name.as_ref());
            let help = did_you_mean(self.guess(&label.text, names), "put the label before a statement there");
            let message = format!("proctype `{}` has no label `{}`", proctype.text, label.text);
            let diagnostic = Diagnostic::error(label.place.span, message).label("unknown label").help(help);
            self.report(diagnostic, label.place);
        }
    }

    /// The known name nearest to an unknown one. Only sought for the first errors: the names of a large
    /// model are many.
    fn guess<'a>(&self, word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
        if self.errors >= GUESSES { None } else { closest(word, known) }
    }

    /// The item of a proctype, or an error.
    fn proctype(&mut self, name: &Name) -> Option<usize> {
        if let Some(item) = self.symbols.proctypes.get(&name.text) {
            return Some(*item);
        }
        let guess = self.guess(&name.text, self.symbols.proctypes.keys().map(|name| name.as_ref()));
        let help = did_you_mean(guess, "declare it with `proctype`");
        let diagnostic = Diagnostic::error(name.place.span, format!("there is no proctype `{}`", name.text))
            .label("unknown proctype")
            .help(help);
        self.report(diagnostic, name.place);
        None
    }
}

/// The help for an unknown name.
fn did_you_mean(guess: Option<&str>, otherwise: &str) -> String {
    match guess {
        Some(guess) => format!("did you mean `{guess}`?"),
        None => otherwise.to_string(),
    }
}
