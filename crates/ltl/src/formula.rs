//! Formulas of linear temporal logic, hash-consed: equal formulas are one [`Formula`].
//!
//! All formulas live in one [`Formulas`]. Its constructors apply the identities that nobody wants to see
//! (`f && true`, `!!f`, `F F f`, `f U f`, ...), order and flatten conjunctions and disjunctions, and keep
//! everything else as it was written; [`crate::normal`] and [`crate::simplify`] rewrite further.
//!
//! Atoms are opaque text. What they mean is the caller's business ([`crate::parse::AtomReader`]).

use std::collections::HashMap;

/// A formula of a [`Formulas`]. Equal formulas have equal numbers, and a formula's number is larger than
/// those of its parts.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Formula(u32);

/// An atomic proposition of a [`Formulas`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Atom(u32);

impl Atom {
    /// Its place in [`Formulas::atoms`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The outermost operator of a formula, and its operands.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// Always so.
    True,
    /// Never so.
    False,
    /// An atomic proposition.
    Atom(Atom),
    /// Negation.
    Not(Formula),
    /// Conjunction of at least two different formulas, none of them a conjunction, in order.
    And(Box<[Formula]>),
    /// Disjunction of at least two different formulas, none of them a disjunction, in order.
    Or(Box<[Formula]>),
    /// Implication.
    Implies(Formula, Formula),
    /// Equivalence.
    Iff(Formula, Formula),
    /// At the next position.
    Next(Formula),
    /// At some position from here on.
    Finally(Formula),
    /// At every position from here on.
    Globally(Formula),
    /// The second at some time, and the first until then.
    Until(Formula, Formula),
    /// The second up to and including the first position of the first, if there is one.
    Release(Formula, Formula),
    /// As until, but the second need not come.
    WeakUntil(Formula, Formula),
    /// As release, but the first must come.
    StrongRelease(Formula, Formula),
}

/// The formulas and atoms made so far.
#[derive(Clone, Debug)]
pub struct Formulas {
    nodes: Vec<Node>,
    numbers: HashMap<Node, Formula>,
    atoms: Vec<String>,
    atom_numbers: HashMap<String, Atom>,
}

impl Default for Formulas {
    fn default() -> Formulas {
        Formulas::new()
    }
}

impl Formulas {
    /// None but true and false.
    pub fn new() -> Formulas {
        let mut made = Formulas {
            nodes: Vec::new(),
            numbers: HashMap::new(),
            atoms: Vec::new(),
            atom_numbers: HashMap::new(),
        };
        made.intern(Node::False);
        made.intern(Node::True);
        made
    }

    fn intern(&mut self, node: Node) -> Formula {
        if let Some(known) = self.numbers.get(&node) {
            return *known;
        }
        let formula = Formula(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.numbers.insert(node, formula);
        formula
    }

    /// The outermost operator and its operands.
    pub fn node(&self, formula: Formula) -> &Node {
        &self.nodes[formula.0 as usize]
    }

    /// The texts of all atoms.
    pub fn atoms(&self) -> &[String] {
        &self.atoms
    }

    /// The text of an atom.
    pub fn text(&self, atom: Atom) -> &str {
        &self.atoms[atom.index()]
    }

    /// `true` or `false`.
    pub fn constant(&self, value: bool) -> Formula {
        Formula(u32::from(value))
    }

    /// Whether it is the constant `true`.
    pub fn is_true(&self, formula: Formula) -> bool {
        formula == self.constant(true)
    }

    /// Whether it is the constant `false`.
    pub fn is_false(&self, formula: Formula) -> bool {
        formula == self.constant(false)
    }

    /// An atomic proposition with this text.
    pub fn atom(&mut self, text: &str) -> Formula {
        let atom = match self.atom_numbers.get(text) {
            Some(known) => *known,
            None => {
                let atom = Atom(self.atoms.len() as u32);
                self.atoms.push(text.to_owned());
                self.atom_numbers.insert(text.to_owned(), atom);
                atom
            }
        };
        self.intern(Node::Atom(atom))
    }

    /// Negation.
    pub fn not(&mut self, operand: Formula) -> Formula {
        match *self.node(operand) {
            Node::True => self.constant(false),
            Node::False => self.constant(true),
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(operand)),
        }
    }

    /// Conjunction.
    pub fn and(&mut self, operands: impl IntoIterator<Item = Formula>) -> Formula {
        self.junction(operands, true)
    }

    /// Disjunction.
    pub fn or(&mut self, operands: impl IntoIterator<Item = Formula>) -> Formula {
        self.junction(operands, false)
    }

    /// A conjunction or a disjunction, by its neutral element.
    pub(crate) fn junction(
        &mut self,
        operands: impl IntoIterator<Item = Formula>,
        conjunction: bool,
    ) -> Formula {
        let (neutral, absorbing) = (self.constant(conjunction), self.constant(!conjunction));
        let mut all = Vec::new();
        for operand in operands {
            match self.node(operand) {
                Node::And(inner) if conjunction => all.extend_from_slice(inner),
                Node::Or(inner) if !conjunction => all.extend_from_slice(inner),
                _ => all.push(operand),
            }
        }
        all.retain(|operand| *operand != neutral);
        all.sort_unstable();
        all.dedup();
        if all.contains(&absorbing) || all.iter().any(|operand| self.has_complement(*operand, &all)) {
            return absorbing;
        }
        match all.len() {
            0 => neutral,
            1 => all[0],
            _ if conjunction => self.intern(Node::And(all.into())),
            _ => self.intern(Node::Or(all.into())),
        }
    }

    /// Whether the negation of `operand` is among `sorted`.
    fn has_complement(&self, operand: Formula, sorted: &[Formula]) -> bool {
        matches!(self.node(operand), Node::Not(inner) if sorted.binary_search(inner).is_ok())
    }

    /// Implication.
    pub fn implies(&mut self, from: Formula, to: Formula) -> Formula {
        match (self.node(from), self.node(to)) {
            (Node::False, _) | (_, Node::True) => self.constant(true),
            (Node::True, _) => to,
            (_, Node::False) => self.not(from),
            _ if from == to => self.constant(true),
            _ => self.intern(Node::Implies(from, to)),
        }
    }

    /// Equivalence.
    pub fn iff(&mut self, left: Formula, right: Formula) -> Formula {
        match (self.node(left), self.node(right)) {
            (Node::True, _) => right,
            (_, Node::True) => left,
            (Node::False, _) => self.not(right),
            (_, Node::False) => self.not(left),
            _ if left == right => self.constant(true),
            _ => self.intern(Node::Iff(left.min(right), left.max(right))),
        }
    }

    /// Exclusive or.
    pub fn xor(&mut self, left: Formula, right: Formula) -> Formula {
        let same = self.iff(left, right);
        self.not(same)
    }

    /// At the next position.
    pub fn next(&mut self, operand: Formula) -> Formula {
        match self.node(operand) {
            Node::True | Node::False => operand,
            _ => self.intern(Node::Next(operand)),
        }
    }

    /// At some position from here on.
    pub fn finally(&mut self, operand: Formula) -> Formula {
        match self.node(operand) {
            Node::True | Node::False | Node::Finally(_) => operand,
            _ => self.intern(Node::Finally(operand)),
        }
    }

    /// At every position from here on.
    pub fn globally(&mut self, operand: Formula) -> Formula {
        match self.node(operand) {
            Node::True | Node::False | Node::Globally(_) => operand,
            _ => self.intern(Node::Globally(operand)),
        }
    }

    /// `left U right`.
    pub fn until(&mut self, left: Formula, right: Formula) -> Formula {
        match (self.node(left), self.node(right)) {
            (_, Node::True | Node::False) | (Node::False, _) => right,
            (Node::True, _) => self.finally(right),
            _ if left == right => right,
            _ => self.intern(Node::Until(left, right)),
        }
    }

    /// `left R right`, which SPIN writes `left V right`.
    pub fn release(&mut self, left: Formula, right: Formula) -> Formula {
        match (self.node(left), self.node(right)) {
            (_, Node::True | Node::False) | (Node::True, _) => right,
            (Node::False, _) => self.globally(right),
            _ if left == right => right,
            _ => self.intern(Node::Release(left, right)),
        }
    }

    /// `left W right`.
    pub fn weak_until(&mut self, left: Formula, right: Formula) -> Formula {
        match (self.node(left), self.node(right)) {
            (_, Node::True) | (Node::False, _) => right,
            (Node::True, _) => self.constant(true),
            (_, Node::False) => self.globally(left),
            _ if left == right => right,
            _ => self.intern(Node::WeakUntil(left, right)),
        }
    }

    /// `left M right`.
    pub fn strong_release(&mut self, left: Formula, right: Formula) -> Formula {
        match (self.node(left), self.node(right)) {
            (_, Node::False) | (Node::True, _) => right,
            (Node::False, _) => self.constant(false),
            (_, Node::True) => self.finally(left),
            _ if left == right => right,
            _ => self.intern(Node::StrongRelease(left, right)),
        }
    }

    /// The operands of the outermost operator.
    pub fn operands(&self, formula: Formula) -> Vec<Formula> {
        match self.node(formula) {
            Node::True | Node::False | Node::Atom(_) => Vec::new(),
            Node::Not(one) | Node::Next(one) | Node::Finally(one) | Node::Globally(one) => vec![*one],
            Node::And(all) | Node::Or(all) => all.to_vec(),
            Node::Implies(left, right)
            | Node::Iff(left, right)
            | Node::Until(left, right)
            | Node::Release(left, right)
            | Node::WeakUntil(left, right)
            | Node::StrongRelease(left, right) => vec![*left, *right],
        }
    }

    /// The same operator with other operands, in the order of [`Formulas::operands`].
    pub fn with_operands(&mut self, formula: Formula, operands: &[Formula]) -> Formula {
        match (self.node(formula), operands) {
            (Node::Not(_), [one]) => self.not(*one),
            (Node::Next(_), [one]) => self.next(*one),
            (Node::Finally(_), [one]) => self.finally(*one),
            (Node::Globally(_), [one]) => self.globally(*one),
            (Node::And(_), all) => self.and(all.iter().copied()),
            (Node::Or(_), all) => self.or(all.iter().copied()),
            (Node::Implies(..), [left, right]) => self.implies(*left, *right),
            (Node::Iff(..), [left, right]) => self.iff(*left, *right),
            (Node::Until(..), [left, right]) => self.until(*left, *right),
            (Node::Release(..), [left, right]) => self.release(*left, *right),
            (Node::WeakUntil(..), [left, right]) => self.weak_until(*left, *right),
            (Node::StrongRelease(..), [left, right]) => self.strong_release(*left, *right),
            _ => formula,
        }
    }

    /// The formula with other formulas in place of its atoms.
    pub fn replace_atoms(&mut self, formula: Formula, by: &HashMap<Formula, Formula>) -> Formula {
        let mut replaced: HashMap<Formula, Formula> = HashMap::new();
        for part in self.parts(formula) {
            let operands: Vec<Formula> =
                self.operands(part).iter().map(|operand| replaced[operand]).collect();
            let new = match by.get(&part) {
                Some(new) if operands.is_empty() => *new,
                _ => self.with_operands(part, &operands),
            };
            replaced.insert(part, new);
        }
        replaced[&formula]
    }

    /// All different parts of a formula, itself included, parts before wholes.
    pub fn parts(&self, formula: Formula) -> Vec<Formula> {
        let mut found = vec![formula];
        let mut seen = vec![false; formula.0 as usize + 1];
        seen[formula.0 as usize] = true;
        let mut next = 0;
        while next < found.len() {
            for operand in self.operands(found[next]) {
                if !std::mem::replace(&mut seen[operand.0 as usize], true) {
                    found.push(operand);
                }
            }
            next += 1;
        }
        found.sort_unstable();
        found
    }

    /// The atoms of a formula, in order.
    pub fn atoms_of(&self, formula: Formula) -> Vec<Atom> {
        let mut atoms: Vec<Atom> = self
            .parts(formula)
            .into_iter()
            .filter_map(|part| match self.node(part) {
                Node::Atom(atom) => Some(*atom),
                _ => None,
            })
            .collect();
        atoms.sort_unstable();
        atoms
    }

    /// Whether it has a temporal operator anywhere.
    pub fn is_temporal(&self, formula: Formula) -> bool {
        self.parts(formula).into_iter().any(|part| {
            !matches!(
                self.node(part),
                Node::True
                    | Node::False
                    | Node::Atom(_)
                    | Node::Not(_)
                    | Node::And(_)
                    | Node::Or(_)
                    | Node::Implies(..)
                    | Node::Iff(..)
            )
        })
    }

    /// Whether it has a next operator anywhere. One that has none can't count the steps in which no atom
    /// changes.
    pub fn has_next(&self, formula: Formula) -> bool {
        self.parts(formula).into_iter().any(|part| matches!(self.node(part), Node::Next(_)))
    }

    /// How many operators and atoms, each occurrence counted.
    pub fn size(&self, formula: Formula) -> usize {
        let mut sizes = HashMap::new();
        for part in self.parts(formula) {
            let operands = self.operands(part);
            let inner: usize = operands.iter().map(|operand| sizes[operand]).fold(0, usize::saturating_add);
            sizes.insert(part, inner.saturating_add(operands.len().saturating_sub(1).max(1)));
        }
        sizes[&formula]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_formulas_are_one() {
        let mut all = Formulas::new();
        let (p, q) = (all.atom("p"), all.atom("q"));
        let one = all.and([p, q]);
        let inner = all.and([q, p]);
        let other = all.and([inner, p]);
        assert_eq!(one, other);
        let (not_p, truth) = (all.not(p), all.constant(true));
        assert_eq!(all.or([p, q, not_p]), truth);
        assert_eq!(all.until(truth, q), all.finally(q));
        assert_eq!(all.not(not_p), p);
    }

    #[test]
    fn parts_come_before_wholes() {
        let mut all = Formulas::new();
        let (p, q) = (all.atom("p"), all.atom("q"));
        let until = all.until(p, q);
        let whole = all.globally(until);
        assert_eq!(all.parts(whole), [p, q, until, whole]);
        assert!(!all.has_next(whole) && all.is_temporal(whole));
        let next = all.next(whole);
        assert!(all.has_next(next) && !all.is_temporal(p));
        assert_eq!(all.size(next), 5);
    }
}
