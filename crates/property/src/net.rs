//! Formulas over the markings of nets as formulas of the logic.

use crate::conditions::Named;
use mazurka_front::petri::{Formula as State, Linear};
use mazurka_ltl::{Formula, Formulas};

/// A formula over conditions on markings as one over their names.
pub fn to_ltl(formula: &Linear, formulas: &mut Formulas, named: &mut Named<State>) -> Formula {
    let all = |parts: &[Linear], formulas: &mut Formulas, named: &mut Named<State>| {
        parts.iter().map(|part| to_ltl(part, formulas, named)).collect::<Vec<Formula>>()
    };
    match formula {
        Linear::State(condition) => state(condition, formulas, named),
        Linear::Not(inner) => {
            let inner = to_ltl(inner, formulas, named);
            formulas.not(inner)
        }
        Linear::And(parts) => {
            let parts = all(parts, formulas, named);
            formulas.and(parts)
        }
        Linear::Or(parts) => {
            let parts = all(parts, formulas, named);
            formulas.or(parts)
        }
        Linear::Next(inner) => {
            let inner = to_ltl(inner, formulas, named);
            formulas.next(inner)
        }
        Linear::Finally(inner) => {
            let inner = to_ltl(inner, formulas, named);
            formulas.finally(inner)
        }
        Linear::Globally(inner) => {
            let inner = to_ltl(inner, formulas, named);
            formulas.globally(inner)
        }
        Linear::Until(left, right) => {
            let (left, right) = (to_ltl(left, formulas, named), to_ltl(right, formulas, named));
            formulas.until(left, right)
        }
    }
}

/// A condition, taken apart as far as it is made of others.
fn state(condition: &State, formulas: &mut Formulas, named: &mut Named<State>) -> Formula {
    match condition {
        State::Constant(value) => formulas.constant(*value),
        State::Not(inner) => {
            let inner = state(inner, formulas, named);
            formulas.not(inner)
        }
        State::And(parts) => {
            let parts: Vec<Formula> = parts.iter().map(|part| state(part, formulas, named)).collect();
            formulas.and(parts)
        }
        State::Or(parts) => {
            let parts: Vec<Formula> = parts.iter().map(|part| state(part, formulas, named)).collect();
            formulas.or(parts)
        }
        State::AtMost(..) | State::Fireable(_) | State::Deadlock => named.atom(formulas, condition.clone()),
    }
}
