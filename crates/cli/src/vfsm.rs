//! Networks of virtual finite state machines on the command line: reading them, and their temporal properties.

use crate::failure::Failure;
use crate::load::{How, Loaded, Model};
use crate::temporal::{Given, Looks, Ready, Wanted};
use mazurka_front::vfsm::{self, VfsmSystem};
use mazurka_ltl::{Formula, Formulas};
use mazurka_model::source::{Diagnostic, Span};
use mazurka_property::Prepared;
use std::path::Path;
use std::time::Instant;

/// No cycles without progress, as a formula.
const PROGRESS: &str = "[] <> ! np_";

/// Loads a network, or a state chart in SCXML.
pub fn load(
    path: &Path,
    text: &str,
    how: &How<'_>,
    given: &[Given],
    chart: bool,
    start: Instant,
) -> Result<Loaded, Failure> {
    let path = path.to_string_lossy().into_owned();
    if chart && !how.defines.is_empty() {
        return Err(Failure::usage(format!("{path}: a state chart has no constants"))
            .help("-D is for Promela (.pml) and networks of machines (.vfsm)"));
    }
    let parsed = match chart {
        true => vfsm::scxml::parse(&path, text),
        false => vfsm::parse(&path, text, how.defines),
    };
    let Some(network) = parsed.network else {
        return Err(Failure::Model(parsed.diagnostics, parsed.sources));
    };
    let parse = start.elapsed();
    let start = Instant::now();
    let mut system = VfsmSystem::new(network).with_information(how.information);
    let stated = select(&system, how, given)?;
    let names = stated.iter().map(|one| (one.name.clone(), one.text.clone())).collect();
    let temporal =
        stated.into_iter().map(|one| one.prepare(&system)).collect::<Result<Vec<Ready>, Failure>>()?;
    system.set_properties(names);
    let model = Model::Vfsm(Box::new(system));
    let (options, warnings) = (how.model_options(), parsed.diagnostics);
    Ok(Loaded { path, options, model, temporal, warnings, parse, compile: start.elapsed(), note: None })
}

/// A temporal property that is wanted.
struct Stated {
    wanted: Wanted,
    name: String,
    text: String,
    formulas: Formulas,
    formula: Formula,
    /// Where it stands in the file, if it does.
    span: Option<Span>,
}

impl Stated {
    fn read(
        wanted: Wanted,
        name: &str,
        text: &str,
        span: Option<Span>,
        system: &VfsmSystem,
    ) -> Result<Stated, Failure> {
        let mut formulas = Formulas::new();
        match mazurka_ltl::parse::parse(&mut formulas, text) {
            Ok(formula) => {
                let (name, text) = (name.to_owned(), text.to_owned());
                Ok(Stated { wanted, name, text, formulas, formula, span })
            }
            Err(error) => Err(wrong(system, span, &format!("the formula of `{name}`: {error}"))),
        }
    }

    fn prepare(self, system: &VfsmSystem) -> Result<Ready, Failure> {
        let conditions = self.formulas.atoms().iter().map(|atom| system.condition(atom));
        let conditions = conditions
            .collect::<Result<Vec<_>, String>>()
            .map_err(|message| wrong(system, self.span, &message))?;
        let prepared = Prepared::of_atoms(self.formulas, self.formula)
            .map_err(|why| wrong(system, self.span, &format!("`{}` can't be checked: {why}", self.name)))?;
        Ok(Ready { wanted: self.wanted, prepared, conditions: Looks::Network(conditions) })
    }
}

/// A mistake in a formula: of the file, with its place, or of the command line.
fn wrong(system: &VfsmSystem, span: Option<Span>, message: &str) -> Failure {
    match span {
        Some(span) => {
            Failure::Model(vec![Diagnostic::error(span, message)], system.network().sources.clone())
        }
        None => Failure::usage(message),
    }
}

/// The properties that are wanted.
fn select(system: &VfsmSystem, how: &How<'_>, given: &[Given]) -> Result<Vec<Stated>, Failure> {
    let formulas = &system.network().formulas;
    let mut given = given.iter();
    let mut all: Vec<Stated> = Vec::new();
    for wanted in &how.temporal {
        let mut add = |one: Stated| {
            if !all.iter().any(|known| known.wanted == one.wanted) {
                all.push(one);
            }
        };
        match wanted {
            Wanted::Usual | Wanted::Stated => {
                for (name, text, span) in formulas {
                    let wanted = Wanted::Claim(name.clone());
                    add(Stated::read(wanted, name, text, Some(*span), system)?);
                }
            }
            Wanted::Claim(name) => match formulas.iter().find(|(known, _, _)| known == name) {
                Some((_, text, span)) => {
                    add(Stated::read(wanted.clone(), name, text, Some(*span), system)?);
                }
                None => {
                    let names: Vec<&str> = formulas.iter().map(|(name, _, _)| name.as_str()).collect();
                    let help = match names.is_empty() {
                        true => {
                            "it states none at all; --ltl FORMULA checks one from the command line".to_owned()
                        }
                        false => format!("it states {}", names.join(", ")),
                    };
                    let message = format!("the model states no property `{name}`");
                    return Err(Failure::usage(message).help(help));
                }
            },
            Wanted::Progress => {
                let states = system.network().machines.iter().flat_map(|machine| &machine.states);
                if !states.into_iter().any(|state| state.progress) {
                    return Err(Failure::usage("no state is declared as progress, so every cycle lacks it")
                        .help(
                            "write `progress` behind the names of the states in which something is achieved",
                        ));
                }
                add(Stated::read(wanted.clone(), "progress", PROGRESS, None, system)?);
            }
            Wanted::Accept => {
                return Err(Failure::usage("a network has no acceptance states")
                    .help("--property progress looks for livelocks, --ltl FORMULA for anything else"));
            }
            Wanted::Ltl(_) => {
                if let Some(Given { text, formulas, formula, .. }) = given.next() {
                    let name = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('`', "'");
                    add(Stated {
                        wanted: wanted.clone(),
                        name,
                        text: text.clone(),
                        formulas: formulas.clone(),
                        formula: *formula,
                        span: None,
                    });
                }
            }
        }
    }
    Ok(all)
}
