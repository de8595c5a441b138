//! Merging of local statements: a process goes on at once where its next step concerns nobody else.
//!
//! A location is *silent* if exactly one transition leaves it, which can always be taken, does nothing but compute in locals that
//! nobody looks at from outside, and leads from and to places that nobody looks at. While a process stands there, its step commutes with those of all
//! others, none of which can tell whether it was taken; so of all runs those are enough in which it is taken at once.
//! Transitions that lead to a silent location are made atomic, so what was a state becomes interior. Steps keep their
//! numbers, and a run of the changed program is a run of the one that was written.
//!
//! This keeps deadlocks, assertions, unreached statements and every property that can't tell how often a letter is repeated. It
//! doesn't keep what `X` tells apart, nor fairness to processes, who can't move in the interior of a region. Silent locations
//! that lead around in a circle are left alone, and so are programs that ask where processes stand, or prefer some.

use super::outside::Outside;
use crate::ir::{
    BinaryOperator, Effect, Expression, Location, ProcessType, Program, Target, Transition, Variable,
    VariableRef,
};

impl Program {
    /// Lets processes go on at once where nobody else is concerned. How many transitions were changed.
    pub fn merge_local_statements(&mut self) -> usize {
        let outside = Outside::of(self);
        let prefers = self.initial.iter().any(|start| start.priority > 1)
            || self.types.iter().flat_map(|process| &process.transitions).any(|transition| {
                transition.effects.iter().any(|effect| matches!(effect, Effect::SetPriority { .. }))
            });
        if outside.questions || prefers {
            return 0;
        }
        let handshakes = self.may_shake_hands();
        let mut merged = 0;
        for (index, process) in self.types.iter_mut().enumerate() {
            let mut watched = outside.locations[index].clone();
            if handshakes {
                // Whether a process stands where it may take part in one, others can tell: by an `otherwise`, or where a region is interrupted.
                let partners = process.transitions.iter().filter(|transition| meets(transition));
                partners.for_each(|transition| watched[transition.from.index()] = true);
            }
            let silent = silent(process, &outside.locals[index], &watched);
            for transition in process.transitions.iter_mut().filter(|t| silent[t.to.index()]) {
                // A handshake moves two processes, of which one could go on.
                let shakes = handshakes && meets(transition);
                let ends = transition.effects.contains(&Effect::Exit);
                if !transition.atomic && transition.group == 0 && !shakes && !ends {
                    transition.atomic = true;
                    merged += 1;
                }
            }
        }
        self.keeps_turn |= merged > 0;
        merged
    }
}

/// Whether a transition uses a channel.
fn meets(transition: &Transition) -> bool {
    let uses = |effect: &Effect| matches!(effect, Effect::Send { .. } | Effect::Receive { .. });
    transition.effects.iter().any(uses)
}

/// Which locations of a process type are silent, and lead to one that is not.
fn silent(process: &ProcessType, seen: &[bool], watched: &[bool]) -> Vec<bool> {
    let count = process.locations.len();
    // The location behind each that is silent.
    let mut behind: Vec<Option<usize>> = vec![None; count];
    let mut leaving = vec![0; count];
    for transition in &process.transitions {
        let from = transition.from.index();
        leaving[from] += 1;
        let to = transition.to.index();
        // Coming to a place that somebody looks at is no less visible than standing there.
        let plain = |location: usize| {
            let Location { progress, accept, committed, .. } = process.locations[location];
            !(progress || accept || committed || watched[location])
        };
        let plain = plain(from) && plain(to) && !process.locations[from].end;
        let alone = leaving[from] == 1;
        behind[from] = (plain && alone && is_silent(process, transition, seen)).then_some(to);
    }
    (0..count)
        .map(|location| {
            let mut at = location;
            for _ in 0..count {
                match behind[at] {
                    Some(next) => at = next,
                    None => return at != location,
                }
            }
            false
        })
        .collect()
}

fn is_silent(process: &ProcessType, transition: &Transition, seen: &[bool]) -> bool {
    let own = |variable: VariableRef| match variable {
        VariableRef::Local(id) if !seen[id.index()] => Some(&process.locals[id.index()]),
        VariableRef::Local(_) | VariableRef::Global(_) => None,
    };
    let Transition { otherwise, atomic, group, escape, only_choice, .. } = *transition;
    // What is atomic itself brings steps along that may concern others.
    let plain = !otherwise && !atomic && group == 0 && escape == 0 && !only_choice;
    plain
        && transition
            .guard
            .iter()
            .all(|condition| matches!(condition, Expression::Constant(value) if *value != 0))
        && transition.effects.iter().all(|effect| match effect {
            Effect::Assign { target: Target::Variable(variable), value } => {
                own(*variable).is_some() && is_harmless(process, value)
            }
            Effect::Assign { target: Target::Element(array, index), value } => {
                own(*array).is_some_and(|array| is_within(array, index)) && is_harmless(process, value)
            }
            _ => false,
        })
}

/// Whether an index is a number that an array has.
fn is_within(array: &Variable, index: &Expression) -> bool {
    matches!(index, Expression::Constant(index) if (0..array.values() as i64).contains(&i64::from(*index)))
}

/// Whether an expression looks at nothing but the process itself, and always has a value.
fn is_harmless(process: &ProcessType, expression: &Expression) -> bool {
    let harmless = |expression: &Expression| is_harmless(process, expression);
    match expression {
        Expression::Constant(_)
        | Expression::Channel(_)
        | Expression::Pid
        | Expression::Variable(VariableRef::Local(_)) => true,
        Expression::Element(VariableRef::Local(id), index) => is_within(&process.locals[id.index()], index),
        Expression::Unary(_, a) => harmless(a),
        Expression::Binary(BinaryOperator::Divide | BinaryOperator::Remainder, a, b) => {
            harmless(a) && matches!(**b, Expression::Constant(value) if value != 0)
        }
        Expression::Binary(_, a, b) => harmless(a) && harmless(b),
        Expression::Conditional(a, b, c) => harmless(a) && harmless(b) && harmless(c),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::text;

    fn atomic(source: &str) -> Vec<bool> {
        let mut program = text::parse("p.mzk", source).program.expect("valid");
        program.merge_local_statements();
        program.types[0].transitions.iter().map(|transition| transition.atomic).collect()
    }

    #[test]
    fn steps_into_silent_locations_go_on() {
        let source = "program p\nvar g: byte\nprocess P() {\n  local a: byte\n  \
                      one -> two do g = 1\n  two -> three do a = a + 1\n  three -> four do a = 2 * a\n  \
                      four -> one do g = a\n}\nstart P()\n";
        assert_eq!(atomic(source), [true, true, false, false]);
    }

    #[test]
    fn circles_faults_and_choices_stay() {
        let circle = "program p\nprocess P() {\n  local a: byte\n  one -> two do a = 1\n  two -> one do a = 2\n}\nstart P()\n";
        assert_eq!(atomic(circle), [false, false]);
        let fault = "program p\nvar g: byte\nprocess P() {\n  local a: byte\n  one -> two do g = 1\n  \
                     two -> three do a = 1 / a\n  three -> one do g = 2\n}\nstart P()\n";
        assert_eq!(atomic(fault), [false, false, false]);
        let choice = "program p\nvar g: byte\nprocess P() {\n  local a: byte\n  one -> two do g = 1\n  \
                      two -> one do a = 1\n  two -> one do a = 2\n}\nstart P()\n";
        assert_eq!(atomic(choice), [false, false, false]);
    }

    #[test]
    fn steps_to_where_hands_are_shaken_stay() {
        let source = |capacity: u32| {
            format!(
                "program p\nvar g: byte\nchan c[{capacity}]: byte\nprocess P() {{\n  local a: byte\n  one -> two do g = 1\n  \
                 two -> three do a = 1\n  three -> one do c?a\n}}\nprocess Q() {{\n  one -> one do c!1\n}}\nstart P()\nstart Q()\n"
            )
        };
        assert_eq!(atomic(&source(0)), [false, false, false]);
        assert_eq!(atomic(&source(1)), [true, false, false]);
    }

    #[test]
    fn who_demands_a_timeout_does_not_ask_for_it() {
        let source = |condition: &str| {
            format!(
                "program p\nvar g: byte\nprocess P() {{\n  local a: byte\n  one -> two do g = 1\n  two -> three do a = 1\n  \
                 three -> one when {condition} do g = a\n}}\nstart P()\n"
            )
        };
        assert_eq!(atomic(&source("_timeout && g == 1")), [true, false, false]);
        assert_eq!(atomic(&source("_timeout || g == 1")), [false, false, false]);
        assert_eq!(atomic(&source("!_timeout && g == 1")), [false, false, false]);
    }

    #[test]
    fn what_begins_a_region_is_not_put_into_another() {
        let source = "program p\nvar g: byte\nprocess P() {\n  local a: byte\n  one -> two do g = 1\n  \
                      two -> three holding do a = 1\n  three -> one when g == 2 do g = 3\n}\nstart P()\n";
        assert_eq!(atomic(source), [false, true, false]);
    }
}
