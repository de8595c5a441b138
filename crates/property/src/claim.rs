//! Never claims as Büchi automata.
//!
//! A location is a state; a transition reads the letter of the system's state and is taken if its guard
//! holds there. A run that passes accepting locations again and again breaks the claim, and so does one
//! that lets the claim reach its end. Assertions in a claim break it where they are false.

use crate::Refused;
use crate::conditions::{Named, Parts, parts};
use mazurka_ltl::Automaton;
use mazurka_ltl::automaton::{Edge, State};
use mazurka_ltl::diagram::{Diagrams, Label};
use mazurka_program::interpreter::Condition;
use mazurka_program::ir::{Effect, Expression, ProcessType, Transition};

/// The automaton of a claim.
pub fn automaton(claim: &ProcessType, named: &mut Named) -> Result<Automaton, Refused> {
    check(claim)?;
    // Labels are made first: an automaton is told its atoms when it is made.
    let mut diagrams = Diagrams::new();
    let mut edges = Vec::new();
    for (place, location) in claim.locations.iter().enumerate() {
        let here = claim.transitions.iter().filter(|t| t.from.index() == place);
        let mut before = Label::FALSE;
        for transition in here {
            let mut guard = Label::TRUE;
            for condition in &transition.guard {
                let one = label(condition, &mut diagrams, named);
                guard = diagrams.and(guard, one);
            }
            if transition.otherwise {
                guard = diagrams.minus(guard, before);
            } else {
                before = diagrams.or(before, guard);
            }
            let mut passed = guard;
            for effect in &transition.effects {
                if let Effect::Assert(condition) = effect {
                    let one = label(condition, &mut diagrams, named);
                    passed = diagrams.and(passed, one);
                }
            }
            let failed = diagrams.minus(guard, passed);
            edges.push((place, Some(transition.to.index()), passed, location.accept));
            edges.push((place, None, failed, location.accept));
        }
    }
    let mut automaton = Automaton::new(named.names(), 1);
    let states: Vec<State> = (1..claim.locations.len().max(1)).map(|_| automaton.add_state()).collect();
    let states: Vec<State> = std::iter::once(State(0)).chain(states).collect();
    let broken = automaton.add_state();
    *automaton.diagrams_mut() = diagrams;
    automaton.set_initial(states[claim.start.index()]);
    automaton.add_edge(broken, Edge { target: broken, marks: 1, label: Label::TRUE });
    let ends = |place: usize| !claim.transitions.iter().any(|t| t.from.index() == place);
    if ends(claim.start.index()) {
        automaton.set_initial(broken);
    }
    for (source, target, label, accepting) in edges {
        let target = target.filter(|target| !ends(*target)).map_or(broken, |target| states[target]);
        automaton.add_edge(states[source], Edge { target, marks: u64::from(accepting), label });
    }
    Ok(automaton)
}

fn check(claim: &ProcessType) -> Result<(), Refused> {
    let refuse = |wrong: bool, what| if wrong { Err(Refused::Claim(what)) } else { Ok(()) };
    let any = |wrong: &dyn Fn(&Transition) -> bool| claim.transitions.iter().any(wrong);
    let does =
        |t: &Transition| t.effects.iter().any(|e| !matches!(e, Effect::Assert(_) | Effect::Print { .. }));
    refuse(!claim.locals.is_empty() || !claim.channels.is_empty(), "variables of its own")?;
    refuse(any(&does), "statements that do something")?;
    refuse(any(&|t| t.group != 0 || t.escape != 0), "`unless` or a deterministic step")?;
    let in_region = |t: &Transition| any(&|before| before.atomic && before.to == t.from);
    refuse(any(&in_region), "an atomic region")
}

fn label(expression: &Expression, diagrams: &mut Diagrams, named: &mut Named) -> Label {
    match parts(expression) {
        Parts::Constant(value) => {
            if value {
                Label::TRUE
            } else {
                Label::FALSE
            }
        }
        Parts::Not(one) => {
            let one = label(one, diagrams, named);
            diagrams.not(one)
        }
        Parts::And(left, right) => {
            let (left, right) = (label(left, diagrams, named), label(right, diagrams, named));
            diagrams.and(left, right)
        }
        Parts::Or(left, right) => {
            let (left, right) = (label(left, diagrams, named), label(right, diagrams, named));
            diagrams.or(left, right)
        }
        Parts::Whole => diagrams.variable(named.add(Condition::Expression(expression.clone()))),
    }
}
