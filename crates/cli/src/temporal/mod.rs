//! Temporal properties on the command line: which ones are meant, where they come from, their search, and
//! the confirmation of what it finds.

mod given;
pub mod place;

pub use given::Given;

use crate::explore;
use crate::failure::Failure;
use crate::load::Loaded;
use mazurka_engine::temporal::{self, Algorithm, Fairness, Representatives};
use mazurka_engine::{Config, Guarantee, Monitor, Outcome, Stop, Verdict};
use mazurka_front::petri::{self, NetSystem};
use mazurka_front::vfsm;
use mazurka_model::source::Diagnostic;
use mazurka_model::{Atoms, Finding};
use mazurka_program::interpreter::Conditions;
use mazurka_program::ir::{Property, PropertyKind};
use mazurka_program::{Interpreter, Program};
use mazurka_property::{Prepared, Refused};
use mazurka_replay::Run;
use mazurka_report::TemporalResult;
use std::fmt;
use std::str::FromStr;

/// A temporal property as the command line, or a trail, names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Every never claim and formula that the model states and that can be checked: what is checked if nothing
    /// is asked for.
    Usual,
    /// Every never claim and formula that the model states.
    Stated,
    /// The one with this name.
    Claim(String),
    /// No acceptance cycles.
    Accept,
    /// No cycles without progress.
    Progress,
    /// This formula.
    Ltl(String),
    /// That no run is accepted by the automaton, or matched by the never claim, of this file.
    File(String),
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wanted::Usual | Wanted::Stated => f.write_str("claim"),
            Wanted::Claim(name) => write!(f, "claim:{name}"),
            Wanted::Accept => f.write_str("accept"),
            Wanted::Progress => f.write_str("progress"),
            Wanted::Ltl(formula) => write!(f, "ltl:{formula}"),
            Wanted::File(path) => write!(f, "automaton:{path}"),
        }
    }
}

impl FromStr for Wanted {
    type Err = String;
    fn from_str(text: &str) -> Result<Wanted, String> {
        match text.split_once(':') {
            Some(("claim", name)) => Ok(Wanted::Claim(name.to_owned())),
            Some(("ltl", formula)) => Ok(Wanted::Ltl(formula.to_owned())),
            Some(("automaton" | "hoa" | "never", path)) => Ok(Wanted::File(path.to_owned())),
            None if text == "claim" => Ok(Wanted::Stated),
            None if text == "accept" => Ok(Wanted::Accept),
            None if text == "progress" => Ok(Wanted::Progress),
            _ => Err(format!("`{text}` is no temporal property")),
        }
    }
}

/// A property of a model that is ready to be searched for.
pub struct Ready {
    /// How it is asked for.
    pub wanted: Wanted,
    prepared: Prepared<()>,
    watched: Watched,
}

/// The conditions of a property, as the system evaluates them.
enum Watched {
    Program(Conditions),
    Net(petri::atoms::Conditions),
    Network(Vec<vfsm::Condition>),
}

/// Leaves in a program only the properties that are wanted, and says which they are. What is usual but can't be
/// checked is left out with a warning.
pub fn select(
    program: &mut Program,
    wanted: &[Wanted],
    given: &[Given],
    warnings: &mut Vec<Diagnostic>,
) -> Result<Vec<Wanted>, Failure> {
    let mut formulas = Vec::new();
    for formula in given.iter().rev() {
        formulas.push(formula.take(program)?);
    }
    let stated = std::mem::take(&mut program.properties);
    let mut names = Vec::new();
    for one in wanted {
        let mut add = |wanted: Wanted, property: Property| {
            if !names.contains(&wanted) {
                names.push(wanted);
                program.properties.push(property);
            }
        };
        match one {
            Wanted::Usual | Wanted::Stated => {
                for property in stated.iter().filter(|p| !matches!(p.kind, PropertyKind::Trace { .. })) {
                    if *one == Wanted::Usual
                        && let Err(why) = Prepared::new(&property.kind)
                    {
                        let message = format!("`{}` is left out: {why}", property.name);
                        warnings.push(Diagnostic::warning(property.span, message));
                        continue;
                    }
                    add(Wanted::Claim(property.name.clone()), property.clone());
                }
            }
            Wanted::Claim(name) => match stated.iter().find(|property| property.name == *name) {
                Some(property) => add(one.clone(), property.clone()),
                None => return Err(no_such_claim(name, &stated)),
            },
            Wanted::Accept => add(one.clone(), unplaced("accept", PropertyKind::Acceptance)),
            Wanted::Progress => add(one.clone(), unplaced("progress", PropertyKind::Progress)),
            Wanted::Ltl(_) | Wanted::File(_) => {
                if let Some(property) = formulas.pop() {
                    add(one.clone(), property);
                }
            }
        }
    }
    Ok(names)
}

fn unplaced(name: &str, kind: PropertyKind) -> Property {
    Property { name: name.to_owned(), kind, span: Default::default() }
}

fn no_such_claim(name: &str, stated: &[Property]) -> Failure {
    let failure = Failure::usage(format!("the model states no property `{name}`"));
    let names: Vec<&str> = stated.iter().map(|property| property.name.as_str()).collect();
    match names.is_empty() {
        true => failure.help("it states none at all; --ltl FORMULA checks one from the command line"),
        false => failure.help(format!("it states {}", names.join(", "))),
    }
}

/// Makes the properties of a system ready, which are called this.
pub fn prepare(system: &mut Interpreter, wanted: Vec<Wanted>) -> Result<Vec<Ready>, Failure> {
    let properties = system.program().properties.clone();
    let ready = |(property, wanted): (&Property, Wanted)| {
        let prepared = Prepared::new(&property.kind).map_err(|why| refused(&property.name, &why))?;
        let (prepared, conditions) = prepared.split();
        let watched = Watched::Program(system.conditions(&conditions));
        Ok(Ready { wanted, prepared, watched })
    };
    properties.iter().zip(wanted).map(ready).collect()
}

/// Makes the properties of a net ready.
pub fn prepare_net(
    mut system: NetSystem,
    wanted: &[Wanted],
    given: &[Given],
) -> Result<(NetSystem, Vec<Ready>), Failure> {
    let stated = |wanted: &&Wanted| !matches!(wanted, Wanted::Usual | Wanted::Ltl(_) | Wanted::File(_));
    if let Some(wanted) = wanted.iter().find(stated) {
        return Err(Failure::usage(format!("a net states no property `{wanted}`"))
            .help("--ltl FORMULA checks one from the command line"));
    }
    let mut all = Vec::new();
    let mut names = Vec::new();
    for given in given {
        let net = system.net();
        let read = |text: &str| {
            petri::expression::parse(net, text)
                .map_err(|(errors, _)| place::wrong_atom(given.source(), text, errors))
        };
        let prepared = given.prepare(read)?.map_err(|why| refused(&given.name(), &why))?;
        names.push(given.name());
        all.push(Ready::of_net(&mut system, given.wanted.clone(), prepared));
    }
    Ok((system.with_properties(names), all))
}

fn refused(name: &str, why: &Refused) -> Failure {
    Failure::usage(format!("`{name}` can't be checked: {why}"))
}

/// How runs are looked for.
#[derive(Copy, Clone, Debug, Default)]
pub struct Search {
    /// Which of them count.
    pub fairness: Fairness,
    /// Whether the shortest is wanted.
    pub shortest: bool,
    /// By which algorithm.
    pub emptiness: Algorithm,
    /// Which of them may stand for others.
    pub representatives: Representatives,
}

impl Ready {
    /// A property of a net.
    pub fn of_net(system: &mut NetSystem, wanted: Wanted, prepared: Prepared<petri::Formula>) -> Ready {
        let (prepared, conditions) = prepared.split();
        Ready { wanted, prepared, watched: Watched::Net(system.conditions(&conditions)) }
    }

    /// A property of a network of machines.
    pub fn of_network(wanted: Wanted, prepared: Prepared<vfsm::Condition>) -> Ready {
        let (prepared, conditions) = prepared.split();
        Ready { wanted, prepared, watched: Watched::Network(conditions) }
    }

    /// What the property sees of a model; none if it belongs to a model of another kind.
    fn atoms<'a>(&'a self, loaded: &'a Loaded) -> Option<Box<dyn Atoms + 'a>> {
        Some(match &self.watched {
            Watched::Program(conditions) => Box::new(loaded.interpreter()?.atoms(conditions)),
            Watched::Net(conditions) => Box::new(loaded.net()?.atoms(conditions)),
            Watched::Network(conditions) => Box::new(loaded.vfsm()?.atoms(conditions)),
        })
    }

    /// Whether the property can't tell how often a letter is repeated.
    pub fn is_stutter_invariant(&self) -> bool {
        self.prepared.stutter_invariant
    }

    /// Does something with the property as a search takes it, which is the system's number `number`. None if the property
    /// is not one of this model.
    fn with<R>(
        &self,
        loaded: &Loaded,
        number: u32,
        search: Search,
        act: impl FnOnce(&temporal::Property<'_>) -> R,
    ) -> Option<R> {
        let atoms = self.atoms(loaded)?;
        let Prepared { acceptor, buchi, stutter_invariant, components, safety, .. } = &self.prepared;
        Some(act(&temporal::Property {
            number,
            atoms: &*atoms,
            acceptor: if search.emptiness == Algorithm::Nested { buchi } else { acceptor },
            stutter_invariant: *stutter_invariant,
            components,
            safety: *safety,
            representatives: search.representatives,
            fairness: search.fairness,
            shortest: search.shortest,
            emptiness: search.emptiness,
        }))
    }

    /// Whether a run that was executed again breaks the property indeed.
    fn is_broken_by(&self, loaded: &Loaded, run: &Run) -> bool {
        let Some(atoms) = self.atoms(loaded) else { return false };
        run.repeats.is_some_and(|repeats| {
            let ends = repeats == run.steps.len();
            self.prepared.is_broken_by_run(&*atoms, &run.states(), repeats, ends)
        })
    }
}

/// Searches for a run that breaks a property of a model, which is given by its number.
pub fn check(
    loaded: &mut Loaded,
    number: usize,
    search: Search,
    config: &Config,
    monitor: &dyn Monitor,
) -> Result<Outcome, Failure> {
    explore::until_it_fits(loaded, |loaded| {
        let ready = loaded.temporal.get(number)?;
        ready.with(loaded, number as u32, search, |property| {
            temporal::check(loaded.system(), property, config, monitor)
        })
    })
    .ok_or_else(lost)
}

/// Does something with a property of a model as a search takes it.
pub fn with<R>(
    loaded: &Loaded,
    number: usize,
    search: Search,
    act: impl FnOnce(&temporal::Property<'_>) -> R,
) -> Result<R, Failure> {
    let ready = loaded.temporal.get(number).ok_or_else(lost)?;
    ready.with(loaded, number as u32, search, act).ok_or_else(lost)
}

fn lost() -> Failure {
    Failure::Internal("a property is not one of its model".to_owned())
}

/// Executes the run of a finding again, and judges it once more.
pub fn confirm(loaded: &Loaded, ready: Option<&Ready>, finding: &Finding) -> Result<Run, String> {
    let run = mazurka_replay::confirm(loaded.reference(), finding).map_err(|refusal| refusal.to_string())?;
    match ready {
        Some(ready) if !ready.is_broken_by(loaded, &run) => {
            Err("the run does not break the property".to_owned())
        }
        _ => Ok(run),
    }
}

/// Joins what was found of a temporal property to what was found before.
pub fn join(outcome: &mut Outcome, name: String, mut found: Outcome) -> TemporalResult {
    outcome.findings.append(&mut found.findings);
    outcome.statistics.errors += found.statistics.errors;
    outcome.verdict = match (outcome.verdict, found.verdict) {
        (Verdict::Violated, _) | (_, Verdict::Violated) => Verdict::Violated,
        (Verdict::Unknown, _) | (_, Verdict::Unknown) => Verdict::Unknown,
        (Verdict::Holds, Verdict::Holds) => Verdict::Holds,
    };
    if found.guarantee != Guarantee::Exact && outcome.guarantee == Guarantee::Exact {
        outcome.guarantee = found.guarantee;
        outcome.guarantee_reason.clone_from(&found.guarantee_reason);
    }
    outcome.stopped = match (outcome.stopped, found.stopped) {
        (None | Some(Stop::Errors), other @ Some(_)) => other,
        (before, _) => before,
    };
    TemporalResult { name, outcome: found }
}
