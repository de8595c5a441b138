//! What a program states of its executions: claims, formulas and traces.
//!
//! They are part of the program, with their names and places, but not of its transition system: the
//! interpreter does not look at them, and the program text leaves them out.

use super::expression::Expression;
use super::process::ProcessType;
use mazurka_model::source::Span;

/// A stated property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Its name; unnamed ones are numbered by their place among all, as in `never_0` and `ltl_2`.
    pub name: String,
    /// What is stated.
    pub kind: PropertyKind,
    /// Where it stands in the source.
    pub span: Span,
}

/// What is stated. An automaton is a process type that is never an instance: it has locations, guards
/// and perhaps variables of its own, and its end has no transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PropertyKind {
    /// The automaton, which moves with every step of the system, neither reaches its end nor passes an
    /// accepting location again and again.
    Never(ProcessType),
    /// Sends and receives happen in an order that the automaton allows; or, if negated, never in one
    /// that leads to its end. Only events on channels count that the automaton mentions.
    Trace {
        /// The only effect of a transition is a receive whose patterns say what the message of the event
        /// looks like, whether it is sent or received; a transition without one is passed in silence.
        automaton: ProcessType,
        /// For each transition, whether its event is a send.
        sends: Vec<bool>,
        /// `notrace`.
        negated: bool,
    },
    /// Every execution satisfies a formula.
    Formula(Formula),
    /// Every infinite execution passes locations again and again that are marked as progress.
    Progress,
    /// No infinite execution passes accepting locations of its processes again and again.
    Acceptance,
}

/// A formula of linear temporal logic over expressions on globals and on what processes look like.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula {
    /// A condition on the state.
    Atom(Expression),
    /// `! f`
    Not(Box<Formula>),
    /// `[] f`
    Always(Box<Formula>),
    /// `<> f`
    Eventually(Box<Formula>),
    /// `X f`
    Next(Box<Formula>),
    /// Two formulas.
    Binary(FormulaOperator, Box<Formula>, Box<Formula>),
}

/// Operators that join two formulas.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum FormulaOperator {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `->`
    Implies,
    /// `<->`
    Equivalent,
    /// `U`
    Until,
    /// `W`: until, or always the left side.
    WeakUntil,
    /// `V` or `R`: the right side until both, or always the right side.
    Release,
}

impl Formula {
    /// Calls `visit` for every condition on the state.
    pub fn for_each_atom<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        match self {
            Formula::Atom(e) => visit(e),
            Formula::Not(f) | Formula::Always(f) | Formula::Eventually(f) | Formula::Next(f) => {
                f.for_each_atom(visit);
            }
            Formula::Binary(_, a, b) => {
                a.for_each_atom(visit);
                b.for_each_atom(visit);
            }
        }
    }

    /// Calls `change` for every part of every condition on the state, parts before wholes.
    pub fn rewrite(&mut self, change: &mut dyn FnMut(&mut Expression)) {
        match self {
            Formula::Atom(e) => e.rewrite(change),
            Formula::Not(f) | Formula::Always(f) | Formula::Eventually(f) | Formula::Next(f) => {
                f.rewrite(change);
            }
            Formula::Binary(_, a, b) => {
                a.rewrite(change);
                b.rewrite(change);
            }
        }
    }
}

impl PropertyKind {
    /// What kind of property it is, in words.
    pub fn name(&self) -> &'static str {
        match self {
            PropertyKind::Never(_) => "never claim",
            PropertyKind::Trace { negated: false, .. } => "trace assertion",
            PropertyKind::Trace { negated: true, .. } => "notrace assertion",
            PropertyKind::Formula(_) => "formula",
            PropertyKind::Progress => "progress",
            PropertyKind::Acceptance => "absence of acceptance cycles",
        }
    }

    /// Its automaton, if it has one.
    pub fn automaton(&self) -> Option<&ProcessType> {
        match self {
            PropertyKind::Never(automaton) | PropertyKind::Trace { automaton, .. } => Some(automaton),
            PropertyKind::Formula(_) | PropertyKind::Progress | PropertyKind::Acceptance => None,
        }
    }

    /// Calls `visit` for every condition on the state that decides what the property says.
    pub fn for_each_condition<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        if let PropertyKind::Formula(formula) = self {
            formula.for_each_atom(visit);
        }
        for transition in self.automaton().into_iter().flat_map(|automaton| &automaton.transitions) {
            transition.guard.iter().for_each(&mut *visit);
            for effect in &transition.effects {
                effect.for_each_part(visit, &mut |_| {});
            }
        }
    }

    /// Calls `change` for every expression, parts before wholes.
    pub fn rewrite(&mut self, change: &mut dyn FnMut(&mut Expression)) {
        match self {
            PropertyKind::Never(automaton) | PropertyKind::Trace { automaton, .. } => {
                automaton.rewrite(change);
            }
            PropertyKind::Formula(formula) => formula.rewrite(change),
            PropertyKind::Progress | PropertyKind::Acceptance => {}
        }
    }
}
