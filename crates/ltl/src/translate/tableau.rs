//! From a formula to a generalised Büchi automaton, by decision diagrams.
//!
//! Couvreur, *On-the-fly verification of linear temporal logic* (FM 1999). A state is a formula. What it asks
//! of the present and of the future is one Boolean function over three kinds of variables: atoms, *next f*,
//! and *promise g*: that `g` is owed, and not paid now. Each product of the function is an edge. An
//! edge is in the acceptance set of `g` unless it promises `g`, so that nobody owes for ever. Formulas
//! with the same function are one state.
//!
//! The formula must be in negation normal form.

use super::TooLarge;
use crate::automaton::{Automaton, Edge, MOST_SETS, State};
use crate::diagram::{Diagrams, Label};
use crate::formula::{Atom, Formula, Formulas, Node};
use std::collections::HashMap;

/// How the function of a state becomes edges.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// One edge for each product of the whole function: fewer edges.
    Products,
    /// First by letters, then the products of what remains: more deterministic.
    Letters,
}

/// Something about the future that a state may ask for.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
enum Future {
    Next(Formula),
    Promise(Formula),
}

struct Tableau<'a> {
    formulas: &'a mut Formulas,
    diagrams: Diagrams,
    atoms: HashMap<Atom, usize>,
    /// The variables after those of the atoms.
    futures: Vec<Future>,
    variables: HashMap<Future, usize>,
    functions: HashMap<Formula, Label>,
    promises: Vec<Formula>,
}

/// The automaton of a formula over the given atoms, with at most `limit` states.
pub(super) fn tableau(
    formulas: &mut Formulas,
    formula: Formula,
    atoms: &[Atom],
    style: Style,
    limit: usize,
) -> Result<Automaton, TooLarge> {
    let names = atoms.iter().map(|atom| formulas.text(*atom).to_owned()).collect();
    let mut tableau = Tableau {
        formulas,
        diagrams: Diagrams::new(),
        atoms: atoms.iter().enumerate().map(|(number, atom)| (*atom, number)).collect(),
        futures: Vec::new(),
        variables: HashMap::new(),
        functions: HashMap::new(),
        promises: Vec::new(),
    };
    let mut automaton = Automaton::new(names, 0);
    let mut states: HashMap<Label, State> = HashMap::new();
    let first = tableau.function(formula);
    states.insert(first, State(0));
    let mut waiting = vec![first];
    // The edges with what they promise, which becomes marks once all promises are known.
    let mut edges: Vec<(State, Edge)> = Vec::new();
    while let Some(function) = waiting.pop() {
        let source = states[&function];
        for (label, next, promised) in tableau.steps(function, style) {
            let destination = tableau.formulas.and(next);
            let function = tableau.function(destination);
            if function == Label::FALSE {
                continue;
            }
            let target = *states.entry(function).or_insert_with(|| {
                waiting.push(function);
                automaton.add_state()
            });
            let marks = promised.iter().fold(0, |marks, number| marks | 1 << number);
            edges.push((source, Edge { target, marks, label }));
        }
        if states.len() > limit || tableau.promises.len() > MOST_SETS as usize || edges.len() > 64 * limit {
            return Err(TooLarge);
        }
    }
    automaton.sets = tableau.promises.len() as u32;
    let all = automaton.all_marks();
    automaton.diagrams = tableau.diagrams;
    for (source, edge) in edges {
        automaton.add_edge(source, Edge { marks: all & !edge.marks, ..edge });
    }
    automaton.tidy();
    automaton.collect();
    Ok(automaton)
}

impl Tableau<'_> {
    fn future(&mut self, future: Future) -> Label {
        let count = self.atoms.len() + self.futures.len();
        let variable = *self.variables.entry(future).or_insert(count);
        if variable == count {
            self.futures.push(future);
        }
        self.diagrams.variable(variable)
    }

    fn later(&mut self, formula: Formula) -> Label {
        if self.formulas.is_true(formula) { Label::TRUE } else { self.future(Future::Next(formula)) }
    }

    /// Later, and owed until `fulfilled`.
    fn owed(&mut self, formula: Formula, fulfilled: Formula) -> Label {
        if !self.promises.contains(&fulfilled) {
            self.promises.push(fulfilled);
        }
        let promise = self.future(Future::Promise(fulfilled));
        let later = self.later(formula);
        self.diagrams.and(promise, later)
    }

    /// What a formula asks of the present and of the future.
    fn function(&mut self, formula: Formula) -> Label {
        if let Some(known) = self.functions.get(&formula) {
            return *known;
        }
        let result = match self.formulas.node(formula).clone() {
            Node::True => Label::TRUE,
            Node::False => Label::FALSE,
            Node::Atom(atom) => self.diagrams.variable(self.atoms[&atom]),
            Node::Not(one) => {
                let one = self.function(one);
                self.diagrams.not(one)
            }
            Node::And(all) => all.iter().fold(Label::TRUE, |so_far, one| {
                let one = self.function(*one);
                self.diagrams.and(so_far, one)
            }),
            Node::Or(all) => all.iter().fold(Label::FALSE, |so_far, one| {
                let one = self.function(*one);
                self.diagrams.or(so_far, one)
            }),
            Node::Implies(left, right) => {
                let (left, right) = (self.function(left), self.function(right));
                self.diagrams.choice(left, right, Label::TRUE)
            }
            Node::Iff(left, right) => {
                let (left, right) = (self.function(left), self.function(right));
                let not_right = self.diagrams.not(right);
                self.diagrams.choice(left, right, not_right)
            }
            Node::Next(one) => self.later(one),
            Node::Finally(one) => {
                let (now, later) = (self.function(one), self.owed(formula, one));
                self.diagrams.or(now, later)
            }
            Node::Globally(one) => {
                let (now, later) = (self.function(one), self.later(formula));
                self.diagrams.and(now, later)
            }
            Node::Until(left, right) => {
                let later = self.owed(formula, right);
                self.until(left, right, later)
            }
            Node::WeakUntil(left, right) => {
                let later = self.later(formula);
                self.until(left, right, later)
            }
            Node::Release(left, right) => {
                let later = self.later(formula);
                self.release(left, right, later)
            }
            Node::StrongRelease(left, right) => {
                let both = self.formulas.and([left, right]);
                let later = self.owed(formula, both);
                self.release(left, right, later)
            }
        };
        self.functions.insert(formula, result);
        result
    }

    fn until(&mut self, left: Formula, right: Formula, later: Label) -> Label {
        let (left, right) = (self.function(left), self.function(right));
        let wait = self.diagrams.and(left, later);
        self.diagrams.or(right, wait)
    }

    fn release(&mut self, left: Formula, right: Formula, later: Label) -> Label {
        let (left, right) = (self.function(left), self.function(right));
        let done = self.diagrams.or(left, later);
        self.diagrams.and(right, done)
    }

    /// The edges of a function: letters, what is next, and the numbers of what is promised.
    fn steps(&mut self, function: Label, style: Style) -> Vec<(Label, Vec<Formula>, Vec<usize>)> {
        let parts = match style {
            Style::Products => vec![(Label::TRUE, function)],
            Style::Letters => self.diagrams.split(function, self.atoms.len()),
        };
        let mut steps = Vec::new();
        for (condition, rest) in parts {
            for product in self.diagrams.sum_of_products(rest) {
                let (mut letters, mut next, mut promised) = (Vec::new(), Vec::new(), Vec::new());
                for (variable, plain) in product {
                    match variable.checked_sub(self.atoms.len()).map(|future| self.futures[future]) {
                        None => letters.push((variable, plain)),
                        // The function is monotonic in the future, so that products have no negated futures.
                        Some(Future::Next(formula)) => next.push(formula),
                        Some(Future::Promise(formula)) => {
                            promised.extend(self.promises.iter().position(|one| *one == formula));
                        }
                    }
                }
                let letters = self.diagrams.cube(&letters);
                let label = self.diagrams.and(condition, letters);
                steps.push((label, next, promised));
            }
        }
        steps
    }
}
