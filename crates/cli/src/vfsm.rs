//! Networks of virtual finite state machines on the command line: reading them, and their temporal properties.

use crate::failure::Failure;
use crate::load::{How, Loaded, Model};
use crate::temporal::{Given, Ready, Wanted};
use mazurka_front::vfsm::{self, VfsmSystem};
use mazurka_ltl::Formulas;
use mazurka_model::source::{Diagnostic, Span};
use mazurka_program::Optimisations;
use mazurka_property::Prepared;
use std::cell::OnceCell;
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
        true => vfsm::scxml::parse_with(&path, text, &mut |name| beside(&path, name)),
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
    let temporal = stated.into_iter().map(|one| Ready::of_network(one.wanted, one.prepared)).collect();
    system.set_properties(names);
    let model = Model::Vfsm(Box::new(system));
    let (options, warnings) = (how.model_options(), parsed.diagnostics);
    let (note, original, optimised, written) = (None, None, Optimisations::default(), OnceCell::new());
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

/// The text of a file that a state chart names, relative to its own place.
fn beside(path: &str, name: &str) -> Result<String, String> {
    let folder = Path::new(path).parent().unwrap_or(Path::new(""));
    std::fs::read_to_string(folder.join(name)).map_err(|error| error.to_string())
}

/// A temporal property that is wanted.
struct Stated {
    wanted: Wanted,
    name: String,
    text: String,
    prepared: Prepared<vfsm::Condition>,
}

impl Stated {
    /// Reads a formula, which may stand in the file.
    fn read(
        wanted: Wanted,
        name: &str,
        text: &str,
        span: Option<Span>,
        system: &VfsmSystem,
    ) -> Result<Stated, Failure> {
        let mut formulas = Formulas::new();
        let formula = mazurka_ltl::parse::parse(&mut formulas, text)
            .map_err(|error| wrong(system, span, &format!("the formula of `{name}`: {error}")))?;
        let conditions = formulas.atoms().iter().map(|atom| system.condition(atom));
        let conditions = conditions
            .collect::<Result<Vec<_>, String>>()
            .map_err(|message| wrong(system, span, &message))?;
        let prepared = Prepared::of_formula(formulas, formula, conditions)
            .map_err(|why| wrong(system, span, &format!("`{name}` can't be checked: {why}")))?;
        Ok(Stated { wanted, name: name.to_owned(), text: text.to_owned(), prepared })
    }

    /// One from the command line.
    fn of_given(given: &Given, system: &VfsmSystem) -> Result<Stated, Failure> {
        let read = |atom: &str| system.condition(atom).map_err(|message| given.wrong(atom, message));
        let name = given.name();
        let prepared = given
            .prepare(read)?
            .map_err(|why| Failure::usage(format!("`{name}` can't be checked: {why}")))?;
        Ok(Stated { wanted: given.wanted.clone(), text: name.clone(), name, prepared })
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
            Wanted::Ltl(_) | Wanted::File(_) => {
                if let Some(given) = given.next() {
                    add(Stated::of_given(given, system)?);
                }
            }
        }
    }
    Ok(all)
}
