//! Formulas of linear temporal logic over conditions on markings, as property files state them.

use super::formula::Formula;

/// A formula that holds of infinite runs. A run that ends stands still for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Linear {
    /// The first marking meets a condition.
    State(Formula),
    /// It is not so.
    Not(Box<Linear>),
    /// All of these.
    And(Vec<Linear>),
    /// One of these.
    Or(Vec<Linear>),
    /// From the next marking on.
    Next(Box<Linear>),
    /// From some marking on.
    Finally(Box<Linear>),
    /// From every marking on.
    Globally(Box<Linear>),
    /// From some marking on the right one, and from every one before the left one.
    Until(Box<Linear>, Box<Linear>),
}

impl Linear {
    /// The condition on one marking that the formula is, if it looks at no other.
    pub fn state(&self) -> Option<Formula> {
        let all = |parts: &[Linear]| parts.iter().map(Linear::state).collect::<Option<Vec<Formula>>>();
        match self {
            Linear::State(formula) => Some(formula.clone()),
            Linear::Not(inner) => Some(Formula::Not(Box::new(inner.state()?))),
            Linear::And(parts) => Some(Formula::And(all(parts)?)),
            Linear::Or(parts) => Some(Formula::Or(all(parts)?)),
            Linear::Next(_) | Linear::Finally(_) | Linear::Globally(_) | Linear::Until(..) => None,
        }
    }
}
