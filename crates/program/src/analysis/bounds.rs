//! What guards on the way to a location say of a process's own variables.
//!
//! A local is changed by nobody but its process, so a comparison with a constant holds from the guard that made it until the variable
//! is stored in: behind `i < n`, and whatever stands between, `i + 1` is at most `n`. Followed forwards through the locations of a
//! process type, one variable at a time. Arrays, and comparisons with anything but constants, say nothing.

use super::interval::{ALL, Interval};
use crate::ir::{
    BinaryOperator, Effect, Expression, LocalId, LocationId, ProcessType, Target, Transition, VariableRef,
};
use std::cell::RefCell;

/// Variables times transitions of a process type beyond which nothing is looked for, so that large programs don't wait.
const MOST: usize = 2_000_000;
/// How often what is known at a location may become less before nothing is known there.
const PATIENCE: u8 = 8;

/// What is known of the locals of a process type.
#[derive(Debug)]
pub struct Bounds {
    /// By local, then by location; empty if nothing is known of the local.
    locals: Vec<Vec<Option<Interval>>>,
}

impl Bounds {
    /// Follows the guards of a process type.
    pub fn new(process: &ProcessType) -> Bounds {
        let mut locals = vec![Vec::new(); process.locals.len()];
        let mut outgoing = vec![Vec::new(); process.locations.len()];
        for transition in &process.transitions {
            outgoing[transition.from.index()].push(transition);
        }
        let guarded = RefCell::new(vec![false; locals.len()]);
        for guard in process.transitions.iter().flat_map(|transition| &transition.guard) {
            guard.any(&|part| {
                if let Expression::Variable(VariableRef::Local(id)) = part {
                    guarded.borrow_mut()[id.index()] = true;
                }
                false
            });
        }
        let scalars = process.locals.iter().map(|local| local.length.is_none());
        let wanted = guarded.into_inner().into_iter().zip(scalars);
        let most = MOST / process.transitions.len().max(process.locations.len()).max(1);
        let wanted = wanted.enumerate().filter(|(_, (guarded, scalar))| *guarded && *scalar);
        for (index, _) in wanted.take(most) {
            locals[index] = follow(process, &outgoing, LocalId(index as u32));
        }
        Bounds { locals }
    }

    /// The values that a local can have when a transition begins; `None` if it never does.
    pub fn before(&self, transition: &Transition, local: LocalId) -> Option<Interval> {
        let known = &self.locals[local.index()];
        let at = if known.is_empty() { ALL } else { known[transition.from.index()]? };
        guarded(transition, local, at)
    }
}

/// The values of a local at each location; `None`: nothing leads there.
fn follow(process: &ProcessType, outgoing: &[Vec<&Transition>], local: LocalId) -> Vec<Option<Interval>> {
    let mut at: Vec<Option<Interval>> = vec![None; process.locations.len()];
    let mut growths = vec![0u8; at.len()];
    at[process.start.index()] = Some(ALL);
    let mut waiting: Vec<LocationId> = vec![process.start];
    while let Some(location) = waiting.pop() {
        let Some(here) = at[location.index()] else { continue };
        for transition in &outgoing[location.index()] {
            let Some(before) = guarded(transition, local, here) else { continue };
            let behind = behind(process, transition, local, before);
            let there = &mut at[transition.to.index()];
            let joined = there.map_or(behind, |there| there.join(behind));
            if *there != Some(joined) {
                let growths = &mut growths[transition.to.index()];
                *growths += 1;
                *there = Some(if *growths > PATIENCE { ALL } else { joined });
                waiting.push(transition.to);
            }
        }
    }
    at
}

/// What is left of the values of a local where the guard of a transition holds.
fn guarded(transition: &Transition, local: LocalId, values: Interval) -> Option<Interval> {
    let mut limits = transition.guard.iter().filter_map(|guard| limits(guard, local));
    limits.try_fold(values, Interval::meet)
}

/// The values of a local that a transition leaves.
fn behind(process: &ProcessType, transition: &Transition, local: LocalId, before: Interval) -> Interval {
    let mut values = before;
    for effect in &transition.effects {
        effect.for_each_part(&mut |_| {}, &mut |target| {
            if target.variable() == VariableRef::Local(local) {
                values = match effect {
                    Effect::Assign { target: Target::Variable(_), value: Expression::Constant(value) } => {
                        Interval::of(process.locals[local.index()].ty.wrap(*value))
                    }
                    _ => ALL,
                };
            }
        });
    }
    if transition.resets.contains(&local) { ALL } else { values }
}

/// The values of a local for which a condition can be true, if it says anything of them.
fn limits(condition: &Expression, local: LocalId) -> Option<Interval> {
    let Expression::Binary(operator, left, right) = condition else { return None };
    let is_local = |e: &Expression| *e == Expression::Variable(VariableRef::Local(local));
    match (operator, &**left, &**right) {
        (BinaryOperator::And, left, right) => match (limits(left, local), limits(right, local)) {
            (Some(left), Some(right)) => Some(left.meet(right).unwrap_or(left)),
            (one, other) => one.or(other),
        },
        (operator, Expression::Constant(value), right) if is_local(right) => {
            Interval::such_that(mirrored(*operator)?, Interval::of(*value))
        }
        (operator, left, Expression::Constant(value)) if is_local(left) => {
            mirrored(*operator)?;
            Interval::such_that(*operator, Interval::of(*value))
        }
        _ => None,
    }
}

/// The same comparison with its sides exchanged; none for what is no comparison, or one that says nothing of bounds.
fn mirrored(operator: BinaryOperator) -> Option<BinaryOperator> {
    Some(match operator {
        BinaryOperator::Equal => BinaryOperator::Equal,
        BinaryOperator::Less => BinaryOperator::Greater,
        BinaryOperator::LessEqual => BinaryOperator::GreaterEqual,
        BinaryOperator::Greater => BinaryOperator::Less,
        BinaryOperator::GreaterEqual => BinaryOperator::LessEqual,
        _ => return None,
    })
}
