//! Properties from the command line: formulas, and automata or never claims in files.
//!
//! The text around the atoms is read without the model. What an atom says only the model can read: to a
//! Promela model, or program text, something is added that mentions the atoms, and taken out again.

use super::Wanted;
use crate::failure::Failure;
use crate::load;
use crate::ltl::{read_automaton, wrong};
use mazurka_ltl::{Automaton, Formula, Formulas, reduce};
use mazurka_program::Program;
use mazurka_program::ir::{self, Property, PropertyKind};
use mazurka_property::{Prepared, Refused, as_claim, from_ltl};
use std::path::Path;

/// A property from the command line, read as far as that goes without the model.
pub struct Given {
    /// How it was asked for.
    pub wanted: Wanted,
    said: Said,
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
            let said = match one {
                Wanted::Ltl(text) => {
                    let mut formulas = Formulas::new();
                    let formula = mazurka_ltl::parse::parse(&mut formulas, text)
                        .map_err(|error| wrong("--ltl", text, error))?;
                    Said::Formula(formulas, formula)
                }
                Wanted::File(path) => {
                    let text = load::text(Path::new(path))?;
                    Said::Automaton(read_automaton(&text).map_err(|error| wrong(path, &text, error))?)
                }
                _ => continue,
            };
            all.push(Given { wanted: one.clone(), said, number: all.len() });
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

    /// The text to be added to a Promela model so that it reads the atoms: a formula each.
    pub fn as_promela(&self) -> String {
        let block = |(atom, text): (usize, &String)| format!("\nltl {} {{ ({text}) }}", self.atom_name(atom));
        self.atoms().iter().enumerate().map(block).collect()
    }

    /// The text to be added to program text: a process type that is never started, whose transitions wait
    /// for the atoms.
    pub fn as_program(&self) -> String {
        if self.atoms().is_empty() {
            return String::new();
        }
        let line = |text: &String| format!("  here -> here when {text}\n");
        let lines: String = self.atoms().iter().map(line).collect();
        format!("\nprocess mazurka_formula_{}() {{\n  start here\n{lines}}}\n", self.number)
    }

    /// Takes what was added to a model out of it again, and gives the property.
    pub fn take(&self, program: &mut Program) -> Option<Property> {
        let mut atoms = Vec::new();
        let name = format!("mazurka_formula_{}", self.number);
        let place = program.types.iter().position(|process| process.name == name);
        for atom in 0..self.atoms().len() {
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
        let kind = match &self.said {
            Said::Formula(formulas, formula) => {
                PropertyKind::Formula(from_ltl(formulas, *formula, &|atom| atoms[atom].clone()))
            }
            Said::Automaton(automaton) => {
                PropertyKind::Never(as_claim(&reduce::buchi(automaton), &atoms, &self.name())?)
            }
        };
        Some(Property { name: self.name(), kind, span: Default::default() })
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
