//! From what a program states of its executions to automata that the engine searches for.
//!
//! A formula is negated and translated, a never claim is an automaton already; progress and the absence of
//! acceptance cycles are formulas over where processes stand. Trace assertions become assertions of the program ([`weave`]). Nets are asked formulas over markings. What comes out ([`Prepared`]) is an automaton of
//! the runs that break the property over conditions on states, and whether it can tell how often a
//! letter is repeated: if not, a search for it may be reduced. A run that was found is judged once more
//! ([`Prepared::is_broken_by`]), a formula by its definition and not by its automaton.

mod acceptor;
mod claim;
mod conditions;
mod formula;
mod net;
mod trace;
mod unfold;

use conditions::Named;
use mazurka_engine::temporal::Acceptor;
use mazurka_front::petri::{self, Linear};
use mazurka_ltl::formula::Node;
use mazurka_ltl::lasso::{self, Lasso};
use mazurka_ltl::translate::translate;
use mazurka_ltl::{Automaton, Formula, Formulas, normal, reduce, separate, stutter};
use mazurka_model::Atoms;
use mazurka_model::atoms::MOST_ATOMS;
use mazurka_program::interpreter::Condition;
use mazurka_program::ir::{Expression, PropertyKind};
use std::fmt;

pub use claim::as_claim;
pub use formula::{as_condition, from_ltl};
pub use trace::weave;

/// A property that can be searched for.
#[derive(Clone, Debug)]
pub struct Prepared<C = Condition> {
    /// The conditions on states that it speaks of, in the order of the bits of a letter.
    pub conditions: Vec<C>,
    /// The runs that break it.
    pub acceptor: Acceptor,
    /// The same by an automaton with one acceptance set.
    pub buchi: Acceptor,
    /// Whether it is known that it can't tell how often a letter is repeated.
    pub stutter_invariant: bool,
    /// The conditions of each component that the property is a Boolean combination of, as bits.
    pub components: Vec<u64>,
    /// Whether it is known that it is broken, if at all, within finitely many steps.
    pub safety: bool,
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
    /// It is a trace assertion that can't be woven into its program: what it is.
    Trace(&'static str),
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
            Refused::Trace(what) => write!(f, "{what} can't be checked"),
            Refused::TooManyConditions(count) => {
                write!(f, "it has {count} conditions on states, more than {MOST_ATOMS}")
            }
            Refused::TooLarge => f.write_str("the automaton of the formula is too large"),
            Refused::Claim(what) => write!(f, "a claim with {what} is not checked yet"),
        }
    }
}

impl std::error::Error for Refused {}

/// Whether a letter has room for so many conditions.
fn check_count(count: usize) -> Result<(), Refused> {
    if count > MOST_ATOMS { Err(Refused::TooManyConditions(count)) } else { Ok(()) }
}

/// The atoms of the components of a formula.
fn components(formulas: &mut Formulas, formula: Formula) -> Vec<u64> {
    let components = separate::separate(formulas, formula);
    let atoms =
        |one: Formula| formulas.atoms_of(one).into_iter().fold(0, |all, atom| all | 1 << atom.index());
    components.into_iter().map(atoms).collect()
}

/// Whether the form of a formula shows that what breaks it does so within finitely many steps (Sistla 1994).
fn is_safety(formulas: &mut Formulas, formula: Formula) -> bool {
    let normal = normal::negation_normal_form(formulas, formula);
    let promises = |part: Formula| {
        matches!(formulas.node(part), Node::Until(..) | Node::Finally(_) | Node::StrongRelease(..))
    };
    !formulas.parts(normal).into_iter().any(promises)
}

impl Prepared {
    /// Prepares a stated property.
    pub fn new(kind: &PropertyKind) -> Result<Prepared, Refused> {
        let mut named = Named::default();
        match kind {
            PropertyKind::Never(automaton) => {
                let automaton = claim::automaton(automaton, &mut named)?;
                Prepared::of_automaton(automaton, named.conditions)
            }
            PropertyKind::Trace { .. } => Err(Refused::Trace("a trace assertion by itself")),
            PropertyKind::Formula(formula) => {
                let mut formulas = Formulas::new();
                let formula = formula::to_ltl(formula, &mut formulas, &mut named);
                Prepared::of_formula(formulas, formula, named.conditions)
            }
            PropertyKind::Progress => {
                let mut formulas = Formulas::new();
                let condition = Condition::Expression(Expression::NonProgress);
                let standing = named.atom(&mut formulas, condition);
                let moving = formulas.not(standing);
                let again = formulas.finally(moving);
                let formula = formulas.globally(again);
                // A cycle is meant: who stands still goes round none.
                Prepared::of_formula(formulas, formula, named.conditions).map(Prepared::of_endless_runs)
            }
            PropertyKind::Acceptance => {
                let mut formulas = Formulas::new();
                let accepting = named.atom(&mut formulas, Condition::Accepting);
                let other = formulas.not(accepting);
                let always = formulas.globally(other);
                let formula = formulas.finally(always);
                Prepared::of_formula(formulas, formula, named.conditions)
            }
        }
    }
}

impl Prepared<petri::Formula> {
    /// Prepares a formula over the markings of a net.
    pub fn of_net(formula: &Linear) -> Result<Prepared<petri::Formula>, Refused> {
        let (mut formulas, mut named) = (Formulas::new(), Named::default());
        let formula = net::to_ltl(formula, &mut formulas, &mut named);
        Prepared::of_formula(formulas, formula, named.conditions)
    }
}

impl<C> Prepared<C> {
    /// Prepares a formula whose atoms stand for these conditions, by their indices.
    pub fn of_formula(
        mut formulas: Formulas,
        formula: Formula,
        conditions: Vec<C>,
    ) -> Result<Prepared<C>, Refused> {
        check_count(conditions.len())?;
        let negated = normal::negate(&mut formulas, formula);
        let translation = translate(&mut formulas, negated).map_err(|_| Refused::TooLarge)?;
        let stutter_invariant = stutter::formula_is_invariant(&mut formulas, formula) == Some(true);
        let number = |name: &str| formulas.atoms().iter().position(|atom| atom == name).unwrap_or_default();
        let buchi = self::acceptor::acceptor(&translation.buchi, number);
        let acceptor = self::acceptor::acceptor(&translation.generalised, number);
        let components = components(&mut formulas, formula);
        let safety = is_safety(&mut formulas, formula);
        let meaning = Meaning::Formula(formulas, formula);
        Ok(Prepared { conditions, acceptor, buchi, stutter_invariant, components, safety, meaning })
    }

    /// Prepares an automaton of the runs that break a property, whose atoms stand for these conditions.
    pub fn of_automaton(automaton: Automaton, conditions: Vec<C>) -> Result<Prepared<C>, Refused> {
        check_count(conditions.len())?;
        let stutter_invariant = stutter::is_invariant(&automaton) == Some(true);
        let number = |name: &str| automaton.atoms().iter().position(|atom| atom == name).unwrap_or_default();
        let acceptor = self::acceptor::acceptor(&automaton, number);
        let buchi = match acceptor.all_marks().count_ones() {
            0 | 1 => acceptor.clone(),
            _ => self::acceptor::acceptor(&reduce::buchi(&automaton), number),
        };
        // It is one component, of which no more is known.
        let components = vec![automaton.used_atoms().into_iter().fold(0, |all, atom| all | 1 << atom)];
        let (safety, meaning) = (false, Meaning::Automaton(automaton));
        Ok(Prepared { conditions, acceptor, buchi, stutter_invariant, components, safety, meaning })
    }

    /// The property without its conditions, and these.
    pub fn split(self) -> (Prepared<()>, Vec<C>) {
        let Prepared { conditions, acceptor, buchi, stutter_invariant, components, safety, meaning } = self;
        let none = Vec::new();
        let bare =
            Prepared { conditions: none, acceptor, buchi, stutter_invariant, components, safety, meaning };
        (bare, conditions)
    }

    /// The property of runs that go on for ever only.
    fn of_endless_runs(mut self) -> Prepared<C> {
        self.acceptor = self.acceptor.of_endless_runs();
        self.buchi = self.buchi.of_endless_runs();
        self
    }

    /// Whether the property is broken by a run whose states are those, and which goes on from the last with the one at `repeats`, or, if it
    /// ends, stands still there.
    pub fn is_broken_by_run(&self, atoms: &dyn Atoms, states: &[&[u8]], repeats: usize, ends: bool) -> bool {
        let (letters, repeats) = atoms.word(states, repeats);
        (!ends || self.acceptor.accepts_ends()) && self.is_broken_by(&letters, repeats)
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
