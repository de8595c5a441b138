//! Temporal properties on the command line: which ones are meant, where they come from, their search, and
//! the confirmation of what it finds.

use crate::failure::Failure;
use crate::load::Loaded;
use crate::ltl::wrong;
use mazurka_engine::temporal::{self, Algorithm, Fairness};
use mazurka_engine::{Config, Guarantee, Monitor, Outcome, Stop, Verdict};
use mazurka_ltl::{Formula, Formulas};
use mazurka_model::source::Diagnostic;
use mazurka_model::{Atoms, Finding};
use mazurka_program::interpreter::Conditions;
use mazurka_program::ir::{self, Property, PropertyKind};
use mazurka_program::{Interpreter, Program};
use mazurka_property::{Prepared, from_ltl};
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
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wanted::Usual | Wanted::Stated => f.write_str("claim"),
            Wanted::Claim(name) => write!(f, "claim:{name}"),
            Wanted::Accept => f.write_str("accept"),
            Wanted::Progress => f.write_str("progress"),
            Wanted::Ltl(formula) => write!(f, "ltl:{formula}"),
        }
    }
}

impl FromStr for Wanted {
    type Err = String;
    fn from_str(text: &str) -> Result<Wanted, String> {
        match text.split_once(':') {
            Some(("claim", name)) => Ok(Wanted::Claim(name.to_owned())),
            Some(("ltl", formula)) => Ok(Wanted::Ltl(formula.to_owned())),
            None if text == "claim" => Ok(Wanted::Stated),
            None if text == "accept" => Ok(Wanted::Accept),
            None if text == "progress" => Ok(Wanted::Progress),
            _ => Err(format!("`{text}` is no temporal property")),
        }
    }
}

/// A formula from the command line, read as far as that goes without the model.
pub struct Given {
    /// As it was given.
    pub text: String,
    /// Its parts.
    pub formulas: Formulas,
    /// The whole.
    pub formula: Formula,
    /// How its parts are called that only the model can read.
    number: usize,
}

impl Given {
    /// Reads the formulas among the properties.
    pub fn read(wanted: &[Wanted]) -> Result<Vec<Given>, Failure> {
        let texts = wanted.iter().filter_map(|wanted| match wanted {
            Wanted::Ltl(text) => Some(text),
            _ => None,
        });
        let read = |(number, text): (usize, &String)| {
            let mut formulas = Formulas::new();
            let formula = mazurka_ltl::parse::parse(&mut formulas, text)
                .map_err(|error| wrong("--ltl", text, error))?;
            Ok(Given { text: text.clone(), formulas, formula, number })
        };
        texts.enumerate().map(read).collect()
    }

    fn atom_name(&self, atom: usize) -> String {
        format!("mazurka_formula_{}_{atom}", self.number)
    }

    /// The text to be added to a Promela model so that it reads the atoms: a formula each.
    pub fn as_promela(&self) -> String {
        let block = |(atom, text): (usize, &String)| format!("\nltl {} {{ ({text}) }}", self.atom_name(atom));
        self.formulas.atoms().iter().enumerate().map(block).collect()
    }

    /// The text to be added to program text: a process type that is never started, whose transitions wait
    /// for the atoms.
    pub fn as_program(&self) -> String {
        if self.formulas.atoms().is_empty() {
            return String::new();
        }
        let line = |text: &String| format!("  here -> here when {text}\n");
        let lines: String = self.formulas.atoms().iter().map(line).collect();
        format!("\nprocess mazurka_formula_{}() {{\n  start here\n{lines}}}\n", self.number)
    }

    /// Takes what was added to a model out of it again, and gives the formula.
    fn take(&self, program: &mut Program) -> Option<Property> {
        let mut atoms = Vec::new();
        let name = format!("mazurka_formula_{}", self.number);
        let place = program.types.iter().position(|process| process.name == name);
        for atom in 0..self.formulas.atoms().len() {
            match place {
                Some(place) => {
                    let guard = &program.types[place].transitions.get(atom)?.guard;
                    atoms.push(ir::Formula::Atom(guard.first()?.clone()));
                }
                None => {
                    let wanted = self.atom_name(atom);
                    let place = program.properties.iter().position(|known| known.name == wanted)?;
                    let PropertyKind::Formula(formula) = program.properties.remove(place).kind else {
                        return None;
                    };
                    atoms.push(formula);
                }
            }
        }
        // What was added last is taken out first, so that no number changes its meaning.
        if let Some(place) = place {
            program.types.truncate(place);
        }
        let formula = from_ltl(&self.formulas, self.formula, &|atom| atoms[atom].clone());
        let name = self.text.split_whitespace().collect::<Vec<_>>().join(" ").replace('`', "'");
        Some(Property { name, kind: PropertyKind::Formula(formula), span: Default::default() })
    }
}

/// A property of a model that is ready to be searched for.
pub struct Ready {
    /// How it is asked for.
    pub wanted: Wanted,
    /// Its automaton.
    pub prepared: Prepared,
    /// Its conditions, as the system evaluates them.
    pub conditions: Looks,
}

/// The conditions of a property, by the kind of model that evaluates them.
pub enum Looks {
    /// Of a program.
    Program(Conditions),
    /// Of a network of machines.
    Network(Vec<mazurka_front::vfsm::Condition>),
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
        let taken = formula.take(program);
        formulas.push(taken.ok_or_else(|| Failure::Internal("a formula was lost on its way".to_owned()))?);
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
            Wanted::Ltl(_) => {
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
        let prepared = Prepared::new(&property.kind)
            .map_err(|why| Failure::usage(format!("`{}` can't be checked: {why}", property.name)))?;
        let conditions = Looks::Program(system.conditions(&prepared.conditions));
        Ok(Ready { wanted, prepared, conditions })
    };
    properties.iter().zip(wanted).map(ready).collect()
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
}

impl Ready {
    /// Searches for a run that breaks the property, which is the system's number `number`.
    pub fn search(
        &self,
        loaded: &Loaded,
        number: u32,
        search: Search,
        config: &Config,
        monitor: &dyn Monitor,
    ) -> Option<Outcome> {
        let atoms = self.atoms(loaded)?;
        let Prepared { acceptor, buchi, stutter_invariant, .. } = &self.prepared;
        let acceptor = if search.emptiness == Algorithm::Nested { buchi } else { acceptor };
        let property = temporal::Property {
            number,
            atoms: &*atoms,
            acceptor,
            stutter_invariant: *stutter_invariant,
            fairness: search.fairness,
            shortest: search.shortest,
            emptiness: search.emptiness,
        };
        Some(temporal::check(loaded.system(), &property, config, monitor))
    }

    /// The atoms of the property over the states of the model; none if it belongs to a model of another kind.
    fn atoms<'a>(&'a self, loaded: &'a Loaded) -> Option<Box<dyn Atoms + 'a>> {
        match &self.conditions {
            Looks::Program(conditions) => Some(Box::new(loaded.interpreter()?.atoms(conditions))),
            Looks::Network(conditions) => Some(Box::new(loaded.vfsm()?.atoms(conditions))),
        }
    }

    /// Whether a run that was executed again breaks the property indeed.
    pub fn is_broken_by(&self, loaded: &Loaded, run: &Run) -> bool {
        let Some(atoms) = self.atoms(loaded) else { return false };
        let letters: Vec<u64> = run.states().iter().map(|state| atoms.letter(state)).collect();
        run.repeats.is_some_and(|repeats| self.prepared.is_broken_by(&letters, repeats))
    }
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
