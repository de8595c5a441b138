//! From what a program states of its executions to automata that the engine searches for.
//!
//! A formula is negated and translated, a never claim is an automaton already; progress and the absence of
//! acceptance cycles are formulas over where processes stand. What comes out ([`Prepared`]) is an automaton of
//! the runs that break the property over conditions on states, and whether it can tell how often a
//! letter is repeated: if not, a search for it may be reduced. A run that was found is judged once more
//! ([`Prepared::is_broken_by`]), a formula by its definition and not by its automaton.

mod acceptor;
mod claim;
mod conditions;
mod formula;

use acceptor::acceptor;
use conditions::Named;
use mazurka_engine::temporal::Acceptor;
use mazurka_ltl::lasso::{self, Lasso};
use mazurka_ltl::translate::translate;
use mazurka_ltl::{Automaton, Formula, Formulas, normal, stutter};
use mazurka_model::atoms::MOST_ATOMS;
use mazurka_program::interpreter::Condition;
use mazurka_program::ir::{Expression, PropertyKind};
use std::fmt;

pub use formula::from_ltl;

/// A property that can be searched for.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The conditions on states that it speaks of, in the order of the bits of a letter.
    pub conditions: Vec<Condition>,
    /// The runs that break it.
    pub acceptor: Acceptor,
    /// The same by an automaton with one acceptance set.
    pub buchi: Acceptor,
    /// Whether it is known that it can't tell how often a letter is repeated.
    pub stutter_invariant: bool,
    meaning: Meaning,
}

/// What a property means, word by word.
#[derive(Clone, Debug)]
enum Meaning {
    /// It holds of a run if this formula does.
    Formula(Formulas, Formula),
    /// It is broken by the runs that this automaton accepts.
    Automaton(Automaton),
}

/// Why a property can't be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is a trace assertion.
    Trace,
    /// It has more conditions on states than a letter has room for.
    TooManyConditions(usize),
    /// The automaton of the formula would be too large.
    TooLarge,
    /// A claim that does more than to watch: what.
    Claim(&'static str),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Trace => f.write_str("trace assertions are not checked yet"),
            Refused::TooManyConditions(count) => {
                write!(f, "it has {count} conditions on states, more than {MOST_ATOMS}")
            }
            Refused::TooLarge => f.write_str("the automaton of the formula is too large"),
            Refused::Claim(what) => write!(f, "a claim with {what} is not checked yet"),
        }
    }
}

impl std::error::Error for Refused {}

impl Prepared {
    /// Prepares a stated property.
    pub fn new(kind: &PropertyKind) -> Result<Prepared, Refused> {
        let mut named = Named::default();
        match kind {
            PropertyKind::Never(automaton) => {
                Prepared::of_claim(claim::automaton(automaton, &mut named)?, named)
            }
            PropertyKind::Trace { .. } => Err(Refused::Trace),
            PropertyKind::Formula(formula) => {
                let mut formulas = Formulas::new();
                let formula = formula::to_ltl(formula, &mut formulas, &mut named);
                Prepared::of_formula(formulas, formula, named)
            }
            PropertyKind::Progress => {
                let mut formulas = Formulas::new();
                let condition = Condition::Expression(Expression::NonProgress);
                let standing = named.atom(&mut formulas, condition);
                let moving = formulas.not(standing);
                let again = formulas.finally(moving);
                let formula = formulas.globally(again);
                Prepared::of_formula(formulas, formula, named)
            }
            PropertyKind::Acceptance => {
                let mut formulas = Formulas::new();
                let accepting = named.atom(&mut formulas, Condition::Accepting);
                let other = formulas.not(accepting);
                let always = formulas.globally(other);
                let formula = formulas.finally(always);
                Prepared::of_formula(formulas, formula, named)
            }
        }
    }

    /// Prepares a formula over atoms that only the caller can read: the bit of an atom is its index in `formulas`.
    pub fn of_atoms(formulas: Formulas, formula: Formula) -> Result<Prepared, Refused> {
        let names: Vec<String> = formulas.atoms().to_vec();
        match names.len() {
            count if count > MOST_ATOMS => Err(Refused::TooManyConditions(count)),
            _ => {
                let number = |name: &str| names.iter().position(|known| known == name).unwrap_or_default();
                Prepared::translated(formulas, formula, Vec::new(), number)
            }
        }
    }

    fn of_formula(formulas: Formulas, formula: Formula, named: Named) -> Result<Prepared, Refused> {
        named.check()?;
        let conditions = named.conditions.clone();
        Prepared::translated(formulas, formula, conditions, |name| named.number(name))
    }

    fn translated(
        mut formulas: Formulas,
        formula: Formula,
        conditions: Vec<Condition>,
        number: impl Fn(&str) -> usize,
    ) -> Result<Prepared, Refused> {
        let negated = normal::negate(&mut formulas, formula);
        let translation = translate(&mut formulas, negated).map_err(|_| Refused::TooLarge)?;
        let stutter_invariant = stutter::formula_is_invariant(&mut formulas, formula) == Some(true);
        let buchi = acceptor(&translation.buchi, &number);
        let acceptor = acceptor(&translation.generalised, &number);
        let meaning = Meaning::Formula(formulas, formula);
        Ok(Prepared { conditions, acceptor, buchi, stutter_invariant, meaning })
    }

    fn of_claim(automaton: Automaton, named: Named) -> Result<Prepared, Refused> {
        named.check()?;
        let stutter_invariant = stutter::is_invariant(&automaton) == Some(true);
        let acceptor = acceptor(&automaton, |name| named.number(name));
        let meaning = Meaning::Automaton(automaton);
        let buchi = acceptor.clone();
        Ok(Prepared { conditions: named.conditions, acceptor, buchi, stutter_invariant, meaning })
    }

    /// Whether the property is broken by the run whose states have these letters, and which goes on from
    /// the last with the one at `repeats`. False also if there is no such run.
    pub fn is_broken_by(&self, letters: &[u64], repeats: usize) -> bool {
        let Some(word) =
            letters.split_at_checked(repeats).and_then(|(prefix, cycle)| Lasso::new(prefix, cycle))
        else {
            return false;
        };
        match &self.meaning {
            Meaning::Formula(formulas, formula) => !lasso::holds(formulas, *formula, &word),
            Meaning::Automaton(automaton) => {
                let same: Vec<usize> = (0..automaton.atoms().len()).collect();
                automaton.accepts(&word, &same)
            }
        }
    }
}
