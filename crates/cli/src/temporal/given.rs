//! Properties from the command line: formulas, and automata or never claims in files.
//!
//! The text around the atoms is read without the model. What an atom says only the model can read: to a
//! Promela model, or program text, something is added that mentions the atoms, and taken out again.

use super::Wanted;
use super::place::{self, Added};
use crate::failure::Failure;
use crate::load;
use crate::ltl::{read_automaton, wrong};
use mazurka_ltl::{Automaton, Formula, Formulas, reduce};
use mazurka_model::source::{Diagnostic, Span};
use mazurka_program::Program;
use mazurka_program::ir::{self, Expression, ProcessType, Property, PropertyKind, Transition};
use mazurka_property::{Prepared, Refused, as_claim, as_condition, from_ltl};
use std::path::Path;

/// A property from the command line, read as far as that goes without the model.
pub struct Given {
    /// How it was asked for.
    pub wanted: Wanted,
    said: Said,
    /// The text of its file.
    text: String,
    /// How its parts are called that only the model can read.
    number: usize,
}

enum Said {
    /// What every run must satisfy.
    Formula(Formulas, Formula),
    /// What no run may do.
    Automaton(Automaton),
}

impl Given {
    /// Reads the formulas and files among the properties.
    pub fn read(wanted: &[Wanted]) -> Result<Vec<Given>, Failure> {
        let mut all = Vec::new();
        for one in wanted {
            let (said, text) = match one {
                Wanted::Ltl(text) => {
                    let mut formulas = Formulas::new();
                    let formula = mazurka_ltl::parse::parse(&mut formulas, text)
                        .map_err(|error| wrong("--ltl", text, error))?;
                    (Said::Formula(formulas, formula), String::new())
                }
                Wanted::File(path) => {
                    let text = load::text(Path::new(path))?;
                    let automaton = read_automaton(&text).map_err(|error| wrong(path, &text, error))?;
                    (Said::Automaton(automaton), text)
                }
                _ => continue,
            };
            all.push(Given { wanted: one.clone(), said, text, number: all.len() });
        }
        Ok(all)
    }

    /// The texts of its atoms.
    fn atoms(&self) -> &[String] {
        match &self.said {
            Said::Formula(formulas, _) => formulas.atoms(),
            Said::Automaton(automaton) => automaton.atoms(),
        }
    }

    /// What it is called in reports.
    pub fn name(&self) -> String {
        let text = match &self.wanted {
            Wanted::Ltl(text) | Wanted::File(text) => text.clone(),
            other => other.to_string(),
        };
        text.split_whitespace().collect::<Vec<_>>().join(" ").replace('`', "'")
    }

    fn atom_name(&self, atom: usize) -> String {
        format!("mazurka_formula_{}_{atom}", self.number)
    }

    /// What the user wrote: how it is called, and its text.
    pub fn source(&self) -> (&str, &str) {
        match &self.wanted {
            Wanted::Ltl(text) => ("--ltl", text),
            Wanted::File(path) => (path, &self.text),
            _ => ("property", ""),
        }
    }

    /// What is wrong with one of its atoms.
    pub fn wrong(&self, atom: &str, message: impl Into<String>) -> Failure {
        let all = Span { file: 0, start: 0, end: u32::try_from(atom.len()).unwrap_or(u32::MAX) };
        place::wrong_atom(self.source(), atom, vec![Diagnostic::error(all, message)])
    }

    /// The text to be added to a Promela model so that it reads the atoms of properties: a formula each.
    pub fn as_promela(all: &[Given]) -> Added {
        let mut added = Added::default();
        for given in all {
            for (atom, text) in given.atoms().iter().enumerate() {
                added.text.push_str(&format!("\nltl {} {{ (", given.atom_name(atom)));
                added.atom(given.number, text);
                added.text.push_str(") }");
            }
        }
        added
    }

    /// The text to be added to program text: process types that are never started, whose transitions wait
    /// for the atoms.
    pub fn as_program(all: &[Given]) -> Added {
        let mut added = Added::default();
        for given in all.iter().filter(|given| !given.atoms().is_empty()) {
            added.text.push_str(&format!("\nprocess {}() {{\n  start here\n", given.process_name()));
            for text in given.atoms() {
                added.text.push_str("  here -> here when ");
                added.atom(given.number, text);
                added.text.push('\n');
            }
            added.text.push_str("}\n");
        }
        added
    }

    fn process_name(&self) -> String {
        format!("mazurka_formula_{}", self.number)
    }

    /// Takes what was added to a model out of it again, and gives the property.
    pub fn take(&self, program: &mut Program) -> Result<Property, Failure> {
        let name = self.process_name();
        let atoms = match program.types.iter().position(|process| process.name == name) {
            Some(place) => {
                let atoms = self.waited_for(&program.types[place])?;
                // What was added last is taken out first, so that no number changes its meaning.
                program.types.truncate(place);
                atoms
            }
            None => self.stated(program)?,
        };
        let kind = match &self.said {
            Said::Formula(formulas, formula) => {
                PropertyKind::Formula(from_ltl(formulas, *formula, &|atom| atoms[atom].clone()))
            }
            Said::Automaton(automaton) => {
                let condition = |(formula, text): (&ir::Formula, &String)| {
                    as_condition(formula).ok_or_else(|| {
                        self.wrong(text, "an atom of an automaton speaks of one state, not of the future")
                    })
                };
                let conditions = atoms.iter().zip(self.atoms()).map(condition);
                let conditions = conditions.collect::<Result<Vec<Expression>, Failure>>()?;
                PropertyKind::Never(as_claim(&reduce::buchi(automaton), &conditions, &self.name()))
            }
        };
        Ok(Property { name: self.name(), kind, span: Default::default() })
    }

    /// The atoms as formulas that were added to a Promela model.
    fn stated(&self, program: &mut Program) -> Result<Vec<ir::Formula>, Failure> {
        let lost = || Failure::Internal("a formula was lost on its way".to_owned());
        let mut atoms = Vec::new();
        for atom in 0..self.atoms().len() {
            let wanted = self.atom_name(atom);
            let place = program.properties.iter().position(|known| known.name == wanted).ok_or_else(lost)?;
            let PropertyKind::Formula(formula) = program.properties.remove(place).kind else {
                return Err(lost());
            };
            atoms.push(formula);
        }
        Ok(atoms)
    }

    /// The atoms as guards of a process type that was added to program text.
    fn waited_for(&self, process: &ProcessType) -> Result<Vec<ir::Formula>, Failure> {
        let mut atoms = Vec::new();
        for (number, text) in self.atoms().iter().enumerate() {
            let waits = |one: &&Transition| one.effects.is_empty() && !one.otherwise && one.guard.len() == 1;
            match process.transitions.get(number).filter(waits) {
                Some(one) => atoms.push(ir::Formula::Atom(one.guard[0].clone())),
                None => return Err(self.wrong(text, "this is not one condition")),
            }
        }
        Ok(atoms)
    }

    /// The property, over conditions that `read` reads.
    pub fn prepare<C>(
        &self,
        read: impl FnMut(&str) -> Result<C, Failure>,
    ) -> Result<Result<Prepared<C>, Refused>, Failure> {
        let conditions =
            self.atoms().iter().map(String::as_str).map(read).collect::<Result<Vec<C>, Failure>>()?;
        Ok(match &self.said {
            Said::Formula(formulas, formula) => Prepared::of_formula(formulas.clone(), *formula, conditions),
            Said::Automaton(automaton) => Prepared::of_automaton(automaton.clone(), conditions),
        })
    }
}
