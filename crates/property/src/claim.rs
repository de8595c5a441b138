//! Never claims as Büchi automata.
//!
//! A location is a state; a transition reads the letter of the system's state and is taken if its guard
//! holds there. A run that passes accepting locations again and again breaks the claim, and so does one
//! that lets the claim reach its end. Assertions in a claim break it where they are false. Variables of its own are
//! unfolded first.

use crate::Refused;
use crate::conditions::{Named, Parts, parts};
use crate::unfold::unfold;
use mazurka_ltl::Automaton;
use mazurka_ltl::automaton::{Edge, State};
use mazurka_ltl::diagram::{Diagrams, Label};
use mazurka_program::interpreter::Condition;
use mazurka_program::ir::{
    BinaryOperator, Effect, Expression, Location, LocationId, ProcessType, Transition, UnaryOperator,
};

/// The automaton of a claim.
pub fn automaton(claim: &ProcessType, named: &mut Named) -> Result<Automaton, Refused> {
    check(claim)?;
    let claim = &unfold(claim)?;
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

/// A claim that matches what a Büchi automaton with one acceptance set, on states, accepts. The atoms of the automaton
/// are these conditions on states.
pub fn as_claim(automaton: &Automaton, conditions: &[Expression], name: &str) -> ProcessType {
    let join = |operator, parts: Vec<Expression>, empty| {
        let joined = parts
            .into_iter()
            .reduce(|left, right| Expression::Binary(operator, Box::new(left), Box::new(right)));
        joined.unwrap_or(Expression::Constant(empty))
    };
    let mut claim = ProcessType { name: name.to_owned(), ..ProcessType::default() };
    claim.start = LocationId(automaton.initial().0);
    for state in automaton.states() {
        let accept = automaton.marks_of(state) == automaton.all_marks();
        claim.locations.push(Location { name: format!("s{}", state.0), accept, ..Location::default() });
        // A location that nothing leads out of would be the end of the claim, which breaks it.
        let stuck = (state, Expression::Constant(0));
        let edges = automaton.edges(state).iter().map(|edge| {
            let cubes = automaton.products(edge.label).into_iter().map(|cube| {
                let literals = cube.into_iter().map(|(atom, holds)| match holds {
                    true => conditions[atom].clone(),
                    false => Expression::Unary(UnaryOperator::Not, Box::new(conditions[atom].clone())),
                });
                join(BinaryOperator::And, literals.collect(), 1)
            });
            (edge.target, join(BinaryOperator::Or, cubes.collect(), 0))
        });
        for (target, guard) in edges.chain([stuck]) {
            let (from, to) = (LocationId(state.0), LocationId(target.0));
            claim.transitions.push(Transition { from, to, guard: vec![guard], ..Transition::default() });
        }
    }
    claim
}

fn check(claim: &ProcessType) -> Result<(), Refused> {
    let refuse = |wrong: bool, what| if wrong { Err(Refused::Claim(what)) } else { Ok(()) };
    let any = |wrong: &dyn Fn(&Transition) -> bool| claim.transitions.iter().any(wrong);
    let does = |t: &Transition| {
        let watches =
            |e: &Effect| matches!(e, Effect::Assert(_) | Effect::Print { .. } | Effect::Assign { .. });
        !t.effects.iter().all(watches)
    };
    refuse(!claim.channels.is_empty(), "channels of its own")?;
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
