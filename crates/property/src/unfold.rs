//! Claims with variables of their own as claims without: a location for each place and each value of the variables.
//!
//! What a claim stores must be known without looking at the system: constants, and what can be computed from the claim's own
//! variables. Then its conditions are, for each value of the variables, conditions on the system alone.

use crate::Refused;
use mazurka_program::ir::{
    BinaryOperator, Effect, Expression, Location, LocationId, ProcessType, Target, Transition, VariableRef,
};
use std::collections::HashMap;

/// More locations than this are not made.
const MOST_LOCATIONS: usize = 2_000;

/// A claim without variables that matches the same runs.
pub fn unfold(claim: &ProcessType) -> Result<ProcessType, Refused> {
    let stores = |effect: &Effect| matches!(effect, Effect::Assign { .. });
    if claim.locals.is_empty() && !claim.transitions.iter().any(|one| one.effects.iter().any(stores)) {
        return Ok(claim.clone());
    }
    let mut values = Values::new(claim);
    for (target, value) in &claim.prologue {
        values.store(target, value)?;
    }
    let mut unfolded = ProcessType { name: claim.name.clone(), span: claim.span, ..ProcessType::default() };
    let mut numbers: HashMap<(LocationId, Vec<i32>), LocationId> = HashMap::new();
    let mut waiting = vec![(claim.start, values.all.clone())];
    numbers.insert(waiting[0].clone(), LocationId(0));
    unfolded.locations.push(copy(claim, claim.start));
    let mut next = 0;
    while let Some((place, present)) = waiting.get(next).cloned() {
        let from = LocationId(next as u32);
        next += 1;
        for transition in claim.transitions.iter().filter(|transition| transition.from == place) {
            values.all.clone_from(&present);
            let mut copied =
                Transition { from, guard: Vec::new(), effects: Vec::new(), ..transition.clone() };
            for condition in &transition.guard {
                copied.guard.push(values.evaluate(condition)?);
            }
            // What can't be taken with these values is left out, with what it would store.
            let never = |condition: &Expression| *condition == Expression::Constant(0);
            if !copied.guard.iter().any(never) {
                for effect in &transition.effects {
                    match effect {
                        Effect::Assign { target, value } => values.store(target, value)?,
                        Effect::Assert(condition) => {
                            copied.effects.push(Effect::Assert(values.evaluate(condition)?));
                        }
                        Effect::Print { .. } => {}
                        _ => return Err(Refused::Claim("statements that do something")),
                    }
                }
            }
            let reached = (transition.to, values.all.clone());
            copied.to = match numbers.get(&reached) {
                Some(known) => *known,
                None => {
                    let number = LocationId(unfolded.locations.len() as u32);
                    if unfolded.locations.len() >= MOST_LOCATIONS {
                        return Err(Refused::Claim("variables of too many values"));
                    }
                    unfolded.locations.push(copy(claim, transition.to));
                    waiting.push(reached.clone());
                    numbers.insert(reached, number);
                    number
                }
            };
            unfolded.transitions.push(copied);
        }
    }
    Ok(unfolded)
}

fn copy(claim: &ProcessType, place: LocationId) -> Location {
    claim.locations[place.index()].clone()
}

/// The values of a claim's variables.
struct Values<'c> {
    claim: &'c ProcessType,
    /// Where the values of each variable begin.
    first: Vec<usize>,
    all: Vec<i32>,
}

impl<'c> Values<'c> {
    fn new(claim: &'c ProcessType) -> Values<'c> {
        let (mut first, mut all) = (Vec::new(), Vec::new());
        for variable in &claim.locals {
            first.push(all.len());
            let initial = |element: usize| variable.initial.get(element).copied().unwrap_or(0);
            all.extend((0..variable.values()).map(initial));
        }
        Values { claim, first, all }
    }

    /// The place of an element of a variable, if there is one.
    fn place(&self, variable: usize, element: i32) -> Option<usize> {
        let element = usize::try_from(element).ok()?;
        (element < self.claim.locals[variable].values()).then(|| self.first[variable] + element)
    }

    /// An expression with the variables replaced by their values, and computed as far as that goes.
    fn evaluate(&self, expression: &Expression) -> Result<Expression, Refused> {
        let mut result = expression.clone();
        let mut wrong = None;
        result.rewrite(&mut |part| match self.compute(part) {
            Ok(Some(value)) => *part = Expression::Constant(value),
            Ok(None) => {}
            Err(why) => wrong = Some(why),
        });
        match wrong {
            Some(why) => Err(Refused::Claim(why)),
            None => Ok(result),
        }
    }

    /// The value of an expression whose parts are computed; none if it depends on the system.
    fn compute(&self, part: &Expression) -> Result<Option<i32>, &'static str> {
        let known = |one: &Expression| match one {
            Expression::Constant(value) => Some(*value),
            _ => None,
        };
        Ok(match part {
            Expression::Variable(VariableRef::Local(id)) => Some(self.all[self.first[id.index()]]),
            Expression::Element(VariableRef::Local(id), index) => match known(index) {
                Some(index) => {
                    let place = self.place(id.index(), index).ok_or("an index out of range")?;
                    Some(self.all[place])
                }
                None => return Err("an index that depends on the system"),
            },
            Expression::Unary(operator, one) => known(one).map(|one| operator.compute(one)),
            Expression::Binary(operator, left, right) => match (operator, known(left), known(right)) {
                (BinaryOperator::And, Some(0), _) => Some(0),
                (BinaryOperator::Or, Some(left), _) if left != 0 => Some(1),
                (_, Some(left), Some(right)) => {
                    Some(operator.compute(left, right).ok_or("a division by zero")?)
                }
                _ => None,
            },
            _ => None,
        })
    }

    /// Stores a value, which must be known.
    fn store(&mut self, target: &Target, value: &Expression) -> Result<(), Refused> {
        let constant = |values: &Values<'_>, expression: &Expression| match values.evaluate(expression)? {
            Expression::Constant(value) => Ok(value),
            _ => Err(Refused::Claim("variables that store what the system looks like")),
        };
        let value = constant(self, value)?;
        let (variable, element) = match target {
            Target::Variable(VariableRef::Local(id)) => (id.index(), 0),
            Target::Element(VariableRef::Local(id), index) => (id.index(), constant(self, index)?),
            _ => return Err(Refused::Claim("statements that do something")),
        };
        let place = self.place(variable, element).ok_or(Refused::Claim("an index out of range"))?;
        self.all[place] = self.claim.locals[variable].ty.wrap(value);
        Ok(())
    }
}
