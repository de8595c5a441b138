//! What can be said of one marking: sums of tokens compared, and which transitions can fire.

use super::net::Net;

/// A sum of tokens with coefficients: each place once, ascending, no coefficient 0.
pub type Terms = Vec<(u32, i64)>;

/// Bounds and coefficients stay below this, so that no sum of them overflows.
pub const LARGEST: i64 = 1 << 31;

/// A formula over markings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// True or false whatever the marking.
    Constant(bool),
    /// The sum is at most the bound.
    AtMost(Terms, i64),
    /// One of these transitions can fire.
    Fireable(Vec<u32>),
    /// No transition can fire.
    Deadlock,
    /// It is not so.
    Not(Box<Formula>),
    /// All of these.
    And(Vec<Formula>),
    /// One of these.
    Or(Vec<Formula>),
}

/// How two sums are compared.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<=`
    AtMost,
    /// `<`
    Less,
    /// `>=`
    AtLeast,
    /// `>`
    Greater,
    /// `==`
    Equal,
    /// `!=`
    Different,
}

/// A sum of tokens and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// The tokens.
    pub terms: Terms,
    /// The constant.
    pub constant: i64,
}

impl Sum {
    /// Adds `times` times another sum; false if a number gets too large.
    #[must_use]
    pub fn add(&mut self, other: &Sum, times: i64) -> bool {
        self.terms.extend(other.terms.iter().map(|&(place, k)| (place, k.saturating_mul(times))));
        super::net::gather(&mut self.terms, i64::saturating_add);
        self.terms.retain(|(_, k)| *k != 0);
        self.constant = self.constant.saturating_add(other.constant.saturating_mul(times));
        self.constant.abs() < LARGEST && self.terms.iter().all(|(_, k)| k.abs() < LARGEST)
    }
}

/// The formula that compares two sums; `None` if a number gets too large.
pub fn compare(left: &Sum, comparison: Comparison, right: &Sum) -> Option<Formula> {
    // left - right <= bound, for each direction.
    let at_most = |left: &Sum, right: &Sum, slack: i64| {
        let mut difference = left.clone();
        difference.add(right, -1).then(|| {
            let (terms, bound) = (difference.terms, slack - difference.constant);
            // No place has fewer tokens than none, so some comparisons say nothing of a marking.
            if bound >= 0 && terms.iter().all(|(_, times)| *times <= 0) {
                Formula::Constant(true)
            } else if bound < 0 && terms.iter().all(|(_, times)| *times >= 0) {
                Formula::Constant(false)
            } else {
                Formula::AtMost(terms, bound)
            }
        })
    };
    let both = || Some(Formula::And(vec![at_most(left, right, 0)?, at_most(right, left, 0)?]));
    match comparison {
        Comparison::AtMost => at_most(left, right, 0),
        Comparison::Less => at_most(left, right, -1),
        Comparison::AtLeast => at_most(right, left, 0),
        Comparison::Greater => at_most(right, left, -1),
        Comparison::Equal => both(),
        Comparison::Different => Some(Formula::Not(Box::new(both()?))),
    }
}

/// A formula in which negations stand before nothing: what a search looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// True or false whatever the marking.
    Constant(bool),
    /// The level with this number is at least this.
    AtLeast(usize, i64),
    /// The level with this number is at most this.
    AtMost(usize, i64),
    /// All of these.
    All(Vec<Goal>),
    /// One of these.
    Any(Vec<Goal>),
}

/// The sums that a goal compares, each once.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    /// The sums.
    pub terms: Vec<Terms>,
    numbers: std::collections::HashMap<Terms, usize>,
}

impl Levels {
    fn number(&mut self, terms: &Terms) -> usize {
        if let Some(&number) = self.numbers.get(terms) {
            return number;
        }
        let number = self.terms.len();
        self.terms.push(terms.clone());
        self.numbers.insert(terms.clone(), number);
        number
    }

    /// A formula, or its opposite if `negated`, over these levels.
    pub fn goal(&mut self, net: &Net, formula: &Formula, negated: bool) -> Goal {
        match formula {
            Formula::Constant(value) => Goal::Constant(*value != negated),
            Formula::AtMost(terms, bound) if negated => Goal::AtLeast(self.number(terms), bound + 1),
            Formula::AtMost(terms, bound) => Goal::AtMost(self.number(terms), *bound),
            Formula::Not(inner) => self.goal(net, inner, !negated),
            Formula::And(parts) => self.join(net, parts, negated, !negated),
            Formula::Or(parts) => self.join(net, parts, negated, negated),
            Formula::Deadlock => {
                let all: Vec<u32> = (0..net.transitions.len() as u32).collect();
                self.goal(net, &Formula::Fireable(all), !negated)
            }
            Formula::Fireable(transitions) => {
                let each = transitions.iter().map(|&t| self.fireable(net, t, negated)).collect();
                flat(each, negated)
            }
        }
    }

    fn join(&mut self, net: &Net, parts: &[Formula], negated: bool, all: bool) -> Goal {
        let parts = parts.iter().map(|part| self.goal(net, part, negated)).collect();
        flat(parts, all)
    }

    fn fireable(&mut self, net: &Net, transition: u32, negated: bool) -> Goal {
        let transition = &net.transitions[transition as usize];
        let mut parts = Vec::new();
        for &(place, weight) in &transition.inputs {
            let (level, weight) = (self.number(&vec![(place, 1)]), i64::from(weight));
            parts.push(if negated { Goal::AtMost(level, weight - 1) } else { Goal::AtLeast(level, weight) });
        }
        // What a capacity asks for: as many tokens as fit beside those that the transition adds.
        for (place, change) in transition.effects() {
            if let Some(most) = net.places[place as usize].capacity.filter(|_| change > 0) {
                let level = self.number(&vec![(place, 1)]);
                let room = i64::from(most) - change;
                parts.push(if negated { Goal::AtLeast(level, room + 1) } else { Goal::AtMost(level, room) });
            }
        }
        flat(parts, !negated)
    }
}

/// Joins goals: all of them, or any. What is in it of the same kind, or constant, is dissolved.
fn flat(parts: Vec<Goal>, all: bool) -> Goal {
    let mut joined = Vec::new();
    for part in parts {
        match part {
            Goal::Constant(value) if value == all => {}
            Goal::Constant(value) => return Goal::Constant(value),
            Goal::All(inner) if all => joined.extend(inner),
            Goal::Any(inner) if !all => joined.extend(inner),
            other => joined.push(other),
        }
    }
    match (joined.len(), all) {
        (0, _) => Goal::Constant(all),
        (1, _) => joined.remove(0),
        (_, true) => Goal::All(joined),
        (_, false) => Goal::Any(joined),
    }
}

impl Goal {
    /// Whether the goal is met where `level` gives the value of each level.
    pub fn holds(&self, level: &dyn Fn(usize) -> i64) -> bool {
        match self {
            Goal::Constant(value) => *value,
            Goal::AtLeast(number, bound) => level(*number) >= *bound,
            Goal::AtMost(number, bound) => level(*number) <= *bound,
            Goal::All(parts) => parts.iter().all(|part| part.holds(level)),
            Goal::Any(parts) => parts.iter().any(|part| part.holds(level)),
        }
    }
}
