//! The control flow of a never claim, and the automaton it is.
//!
//! Jumps and choices take no step; only expressions do. A state is a point of the text that is no jump.

use crate::automaton::{Automaton, Edge, Marks, State};
use crate::diagram::{Diagrams, Label};
use std::collections::HashMap;

/// A place in the text of the claim.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Point(pub(super) usize);

/// What is at a place.
#[derive(Clone, Debug)]
pub(super) enum Act {
    /// Not known yet; the claim is not read to its end.
    Open,
    /// A step with letters.
    Step(Label, Point),
    /// A step with the letters that the other options of its choice don't have.
    Else(Point),
    /// One of several.
    Choice(Vec<Point>),
    /// No step.
    Jump(Point),
    /// The claim has matched.
    End,
}

/// A claim that was read.
#[derive(Clone, Debug, Default)]
pub(super) struct Flow {
    pub(super) acts: Vec<Act>,
    /// The places whose label begins with `accept`.
    pub(super) accepting: Vec<Point>,
}

impl Flow {
    pub(super) fn point(&mut self) -> Point {
        self.acts.push(Act::Open);
        Point(self.acts.len() - 1)
    }

    pub(super) fn set(&mut self, point: Point, act: Act) {
        self.acts[point.0] = act;
    }

    /// Where jumps lead in the end. Jumps in a circle lead nowhere: to the point itself.
    fn landing(&self, point: Point) -> Point {
        let mut at = point;
        for _ in 0..self.acts.len() {
            match &self.acts[at.0] {
                Act::Jump(next) => at = *next,
                _ => return at,
            }
        }
        at
    }

    /// The steps that can be taken at a point.
    fn steps(
        &self,
        point: Point,
        diagrams: &mut Diagrams,
        seen: &mut Vec<Point>,
        found: &mut Vec<(Label, Point)>,
    ) {
        if seen.contains(&point) {
            return;
        }
        seen.push(point);
        match &self.acts[point.0] {
            Act::Open | Act::End => {}
            Act::Step(label, next) => found.push((*label, *next)),
            // Outside a choice, nothing else is possible.
            Act::Else(next) => found.push((Label::TRUE, *next)),
            Act::Jump(next) => self.steps(*next, diagrams, seen, found),
            Act::Choice(options) => {
                let first = found.len();
                let mut otherwise = Vec::new();
                for option in options {
                    match &self.acts[self.landing(*option).0] {
                        Act::Else(next) => otherwise.push(*next),
                        _ => self.steps(*option, diagrams, seen, found),
                    }
                }
                let taken =
                    found[first..].iter().fold(Label::FALSE, |all, (label, _)| diagrams.or(all, *label));
                let rest = diagrams.not(taken);
                found.extend(otherwise.into_iter().map(|next| (rest, next)));
            }
        }
    }

    /// The claim as an automaton that begins at a point.
    pub(super) fn automaton(&self, start: Point, atoms: Vec<String>, diagrams: Diagrams) -> Automaton {
        let mut automaton = Automaton::new(atoms, 1);
        automaton.diagrams = diagrams;
        let start = self.landing(start);
        let mut states = HashMap::from([(start, State(0))]);
        let mut waiting = vec![start];
        while let Some(point) = waiting.pop() {
            let source = states[&point];
            let ended = matches!(self.acts[point.0], Act::End);
            let marks = Marks::from(ended || self.accepting.contains(&point));
            let mut found = Vec::new();
            if ended {
                found.push((Label::TRUE, point));
            } else {
                self.steps(point, &mut automaton.diagrams, &mut Vec::new(), &mut found);
            }
            for (label, next) in found {
                let next = self.landing(next);
                let target = *states.entry(next).or_insert_with(|| {
                    waiting.push(next);
                    automaton.add_state()
                });
                automaton.add_edge(source, Edge { target, marks, label });
            }
        }
        automaton.tidy();
        automaton
    }
}
