//! Derives the relations of an object type from its semantics alone, and compares them with the
//! hand-written predicates.
//!
//! Godefroid and Pirottin 1993. Over the object's [`Domain`](super::Domain), for operations of
//! different processes:
//!
//! - [`dependent`] is Definition 5, read off [`ObjectType::apply`].
//! - `a ▷ b` in v (Definition 11): some value v' in which b is defined and dependent on a can be
//!   reached from v by defined operations of processes other than a's, each independent of a in
//!   the value in which it fires. [`Derivation::interacts`]. "Dependent" is here, as in the paper,
//!   a relation between operations and not between operations with their inputs; see below.
//! - A declared ▷ must contain the derived one. It must also yield conditional stubborn sets by itself
//!   (Definition 9): on every path from v to an operation that depends on a by Definition 5, at
//!   least one operation b has a ▷ b in v. By Theorem 12 the second follows from the first; it is
//!   checked all the same.
//!
//! - A declared [exclusion](ObjectType::exclusive) must be one over the whole domain. An object need not
//!   declare any, so what it leaves out is no loss that is reported.
//!
//! # The dependency from which ▷ is derived
//!
//! It is Definition 5, [quantified](Derivation::quantified): two operations are dependent in v if they
//! are for *some* inputs. Two sends of one message commute, but `Send` and `Send` are dependent while
//! there is room, and so a `Send` interacts with `Full` only where it fills the last place: other
//! sends can't bring the channel there silently. A larger dependency gives more pairs at the ends of
//! paths and fewer paths; each gives a sound ▷, and this one gives the paper's table of the channel.
//!
//! What is quantified and what is kept:
//!
//! - Values written or added to a variable or an element, and messages sent, inserted or lost, are
//!   inputs over which is quantified.
//! - What [identifies](ObjectType::identifies) a refined operation (section 4 of the paper) is kept: the
//!   index of an array; the message of `HeadIs`, `ReceiveIs`, `Take` and `Has`; the weight of an
//!   arc of a Petri net; whom `NotifyOne` wakes, since that is one operation for each outcome.
//! - The process is kept. That matters only to objects whose values name processes (mutex, rwlock,
//!   condvar, barrier), and there "unlock by p" is a refined operation too. Quantifying over
//!   processes would make a process that may pass an open barrier interact with all arrivals, because
//!   some other process can't pass yet.
//! - The messages in a channel were inputs once, so they are quantified as far as no refined operation
//!   tells them apart: two receives are dependent wherever there is a message, though they commute
//!   if the first two messages are equal. An object says by [`ObjectType::shape`] what is kept of
//!   its value: the number of messages, and in a FIFO also the first one, which `HeadIs` looks at.
//!   Where any message can be taken out, all of them are kept.
//!
//! What this guarantees: within the domain no answer `false` is wrong. What it doesn't: that the
//! domain is large enough to show every way in which operations depend; it should hold two different
//! inputs of every kind, three processes, and every shape of value.
//!
//! ```
//! use mazurka_model::object::{Condition, Domain, KindInfo, ObjectType, derive, domain};
//! use mazurka_model::{Operation, OperationKind};
//!
//! /// Keeps the greatest number it was given.
//! #[derive(Debug)]
//! struct Maximum;
//! const RAISE: OperationKind = OperationKind(0);
//! const GET: OperationKind = OperationKind(1);
//!
//! impl ObjectType for Maximum {
//!     fn name(&self) -> &'static str { "maximum" }
//!     fn summary(&self) -> &'static str { "Keeps the greatest number it was given." }
//!     fn kinds(&self) -> &'static [KindInfo] {
//!         &[KindInfo { name: "Raise", inputs: &["k"] }, KindInfo { name: "Get", inputs: &[] }]
//!     }
//!     fn initial(&self) -> Vec<i64> { vec![0] }
//!     fn apply(&self, value: &[i64], operation: &Operation, next: &mut Vec<i64>) -> Option<i64> {
//!         next.clear();
//!         next.push(match operation.kind {
//!             RAISE => value[0].max(operation.operands[0].known()?),
//!             _ => value[0],
//!         });
//!         Some(if operation.kind == GET { value[0] } else { 0 })
//!     }
//!     // Raises commute. A raise changes what `Get` returns if it is above the value.
//!     fn dependent(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
//!         let raise = if a.kind == RAISE { a } else { b };
//!         a.kind != b.kind && raise.operands[0].known().is_none_or(|k| k > value[0])
//!     }
//!     // The value only grows, so the raises that can still matter are those that matter now.
//!     fn interacts(&self, a: &Operation, b: &Operation, value: &[i64]) -> bool {
//!         self.dependent(a, b, value)
//!     }
//!     fn constant(&self, a: &Operation, b: &Operation) -> bool { a.kind != b.kind }
//!     fn domain(&self) -> Domain {
//!         Domain {
//!             compared: (0..3).map(|v| vec![v]).collect(),
//!             operations: domain::operations(&[(RAISE, &[1, 2, 3], &[]), (GET, &[], &[])]),
//!             within: |_| true,
//!         }
//!     }
//!     fn conditions(&self) -> &'static [Condition] { &[] }
//! }
//!
//! let report = derive::check(&Maximum);
//! assert!(report.unsound.is_empty(), "{}", report.unsound[0]);
//! assert!(report.coarse.is_empty(), "{}", report.coarse[0]);
//! ```

use super::ObjectType;
use crate::operation::{Operand, Operation};
use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;

/// A declared relation that the derivation judges.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// [`ObjectType::dependent`].
    Dependent,
    /// [`ObjectType::interacts`].
    Interacts,
    /// [`ObjectType::constant`].
    Constant,
    /// [`ObjectType::exclusive`].
    Exclusive,
    /// [`ObjectType::dependent`] of the [unrefined](ObjectType::unrefined) operations.
    UnrefinedDependent,
    /// [`ObjectType::interacts`] of the unrefined operations.
    UnrefinedInteracts,
    /// [`ObjectType::constant`] of the unrefined operations.
    UnrefinedConstant,
}

/// One place where a declared relation differs from the derived one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Which relation.
    pub relation: Relation,
    /// The first operation.
    pub a: Operation,
    /// The second operation.
    pub b: Operation,
    /// The value of the object; `None` for relations that don't look at it.
    pub value: Option<Vec<i64>>,
    text: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What the comparison of an object's predicates with the derivation found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The predicate says `false` where the derivation says `true`, or is not symmetric: a defect.
    pub unsound: Vec<Difference>,
    /// The predicate says `true` where the derivation says `false`: a loss of reduction.
    pub coarse: Vec<Difference>,
    /// How many answers were compared.
    pub compared: usize,
}

/// Compares all predicates of an object type with what its semantics says.
pub fn check(object: &dyn ObjectType) -> Report {
    Derivation::new(object).compare()
}

/// Definition 5: whether two operations of different processes depend on each other in `value`.
pub fn dependent(object: &dyn ObjectType, a: &Operation, b: &Operation, value: &[i64]) -> bool {
    let run = |first: &Operation, second: &Operation| {
        let mut middle = Vec::new();
        let mut end = Vec::new();
        let output = object.apply(value, first, &mut middle)?;
        let then = object.apply(&middle, second, &mut end).map(|second_output| (second_output, end));
        Some((output, then))
    };
    match (run(a, b), run(b, a)) {
        (None, None) => false,
        // Only one is defined: it must not enable the other.
        (Some((_, then)), None) | (None, Some((_, then))) => then.is_some(),
        (Some((a_first, Some((b_second, end)))), Some((b_first, Some((a_second, other_end))))) => {
            a_first != a_second || b_first != b_second || end != other_end
        }
        _ => true,
    }
}

/// The relations of one object type, derived over its domain.
pub struct Derivation<'o> {
    object: &'o dyn ObjectType,
    operations: Vec<Operation>,
    /// The values reachable within the cut-off; the first `compared` ones are those to compare.
    values: Vec<Vec<i64>>,
    compared: usize,
    /// Per value and operation: whether it is defined, and where it leads within the cut-off.
    successors: Vec<Vec<(bool, Option<usize>)>>,
    /// Per value, first and second operation: Definition 5.
    dependent: Vec<Vec<Vec<bool>>>,
    /// Per value: the number of its shape.
    shapes: Vec<usize>,
    /// Per operation: the number of the operation that remains when the inputs that do not identify
    /// it are forgotten.
    identities: Vec<usize>,
    /// Per shape, first and second identity: Definition 5 for some inputs and some value.
    quantified: Vec<Vec<Vec<bool>>>,
}

impl<'o> Derivation<'o> {
    /// Explores the domain of `object`.
    pub fn new(object: &'o dyn ObjectType) -> Derivation<'o> {
        let domain = object.domain();
        let mut derivation = Derivation {
            object,
            operations: domain.operations,
            compared: domain.compared.len(),
            values: domain.compared,
            successors: Vec::new(),
            dependent: Vec::new(),
            shapes: Vec::new(),
            identities: Vec::new(),
            quantified: Vec::new(),
        };
        derivation.explore(domain.within);
        derivation.quantify();
        derivation
    }

    fn explore(&mut self, within: fn(&[i64]) -> bool) {
        let mut index: HashMap<Vec<i64>, usize> =
            self.values.iter().cloned().enumerate().map(|(i, v)| (v, i)).collect();
        let mut next = Vec::new();
        let mut at = 0;
        while let Some(value) = self.values.get(at).cloned() {
            let mut row = Vec::new();
            for operation in &self.operations {
                let defined = self.object.apply(&value, operation, &mut next).is_some();
                let target = (defined && within(&next)).then(|| {
                    *index.entry(next.clone()).or_insert_with(|| {
                        self.values.push(next.clone());
                        self.values.len() - 1
                    })
                });
                row.push((defined, target));
            }
            self.successors.push(row);
            let matrix = self.operations.iter().map(|a| {
                let pair = |b: &Operation| a.process == b.process || dependent(self.object, a, b, &value);
                self.operations.iter().map(pair).collect()
            });
            self.dependent.push(matrix.collect());
            at += 1;
        }
    }

    /// Forgets the inputs and the parts of values over which the dependency of ▷ is quantified.
    fn quantify(&mut self) {
        let object = self.object;
        self.shapes = number(self.values.iter().map(|value| object.shape(value)));
        self.identities = number(self.operations.iter().map(|operation| {
            let mut identity = *operation;
            for (at, operand) in identity.operands.iter_mut().enumerate() {
                if !object.identifies(operation.kind, at) {
                    *operand = Operand::Any;
                }
            }
            identity
        }));
        let count = |numbers: &[usize]| numbers.iter().max().map_or(0, |greatest| greatest + 1);
        let identities = count(&self.identities);
        self.quantified = vec![vec![vec![false; identities]; identities]; count(&self.shapes)];
        for (matrix, &shape) in self.dependent.iter().zip(&self.shapes) {
            for (row, &a) in matrix.iter().zip(&self.identities) {
                for (&dependent, &b) in row.iter().zip(&self.identities) {
                    self.quantified[shape][a][b] |= dependent;
                }
            }
        }
    }

    /// The operations of the domain.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The values in which relations are compared.
    pub fn compared(&self) -> &[Vec<i64>] {
        &self.values[..self.compared]
    }

    /// Definition 5 for the operations and the value with these indices.
    pub fn dependent(&self, a: usize, b: usize, value: usize) -> bool {
        self.dependent[value][a][b]
    }

    /// The dependency from which ▷ is derived, for the operations and the value with these indices:
    /// Definition 5 for some inputs that do not [identify](ObjectType::identifies) the operations, in
    /// some value of the same [shape](ObjectType::shape).
    pub fn quantified(&self, a: usize, b: usize, value: usize) -> bool {
        self.quantified[self.shapes[value]][self.identities[a]][self.identities[b]]
    }

    /// Whether the operations with these indices are defined together in no value.
    pub fn exclusive(&self, a: usize, b: usize) -> bool {
        !self.successors.iter().any(|row| row[a].0 && row[b].0)
    }

    /// Definition 11: for every operation b, whether `a ▷ b` in the value with this index.
    pub fn interacts(&self, a: usize, value: usize) -> Vec<bool> {
        let dependent = |at, b| self.quantified(a, b, at);
        self.meets(a, value, dependent, |at, b| !dependent(at, b))
    }

    /// Definition 9: which operations are dependent on `a` at the end of some path from the value with
    /// this index on which nothing `interacts`.
    fn missed(&self, a: usize, value: usize, interacts: &[bool]) -> Vec<bool> {
        let mut missed = self.meets(a, value, |at, b| self.dependent[at][a][b], |_, b| !interacts[b]);
        missed.iter_mut().zip(interacts).for_each(|(missed, interacts)| *missed &= !interacts);
        missed
    }

    /// Follows all paths from `start` of operations of other processes for which `silent` holds in the
    /// value in which they fire; returns which operations are, somewhere on such a path, defined
    /// and `dependent`.
    fn meets(
        &self,
        a: usize,
        start: usize,
        dependent: impl Fn(usize, usize) -> bool,
        silent: impl Fn(usize, usize) -> bool,
    ) -> Vec<bool> {
        let mut found = vec![false; self.operations.len()];
        let mut seen = vec![false; self.values.len()];
        seen[start] = true;
        let mut pending = vec![start];
        while let Some(at) = pending.pop() {
            for (b, &(defined, target)) in self.successors[at].iter().enumerate() {
                if !defined || self.operations[b].process == self.operations[a].process {
                    continue;
                }
                found[b] |= dependent(at, b);
                if let Some(target) = target
                    && silent(at, b)
                    && !seen[target]
                {
                    seen[target] = true;
                    pending.push(target);
                }
            }
        }
        found
    }

    fn compare(&self) -> Report {
        let mut report = Report::default();
        for a in 0..self.operations.len() {
            for b in 0..self.operations.len() {
                self.compare_exclusive(a, b, &mut report);
                if self.operations[a].process != self.operations[b].process {
                    self.compare_constant(a, b, &mut report);
                    for value in 0..self.compared {
                        self.compare_dependent(a, b, value, &mut report);
                    }
                }
            }
            for value in 0..self.compared {
                self.compare_interacts(a, value, &mut report);
            }
        }
        report
    }

    fn compare_constant(&self, a: usize, b: usize, report: &mut Report) {
        let (x, y) = (&self.operations[a], &self.operations[b]);
        let object = self.object;
        let declared = object.constant(x, y);
        let derived = (0..self.compared).any(|value| self.dependent[value][a][b]);
        report.judge(self, Relation::Constant, (a, b, None), declared, derived);
        if declared != object.constant(y, x) {
            report.unsound(self, Relation::Constant, (x, y, None), "not symmetric");
        }
        let unrefined = object.constant(&object.unrefined(x), &object.unrefined(y));
        if derived && !unrefined {
            report.unsound(self, Relation::UnrefinedConstant, (x, y, None), "independent, wrongly");
        }
        for (p, q) in general_pairs(x, y) {
            if declared && !object.constant(&p, &q) {
                report.unsound(self, Relation::Constant, (&p, &q, None), "independent, wrongly");
            }
        }
    }

    fn compare_exclusive(&self, a: usize, b: usize, report: &mut Report) {
        let (x, y) = (&self.operations[a], &self.operations[b]);
        let object = self.object;
        let declared = object.exclusive(x, y);
        report.compared += 1;
        if declared && !self.exclusive(a, b) {
            report.unsound(self, Relation::Exclusive, (x, y, None), "exclusive, wrongly");
        }
        if declared != object.exclusive(y, x) {
            report.unsound(self, Relation::Exclusive, (x, y, None), "not symmetric");
        }
        for (p, q) in general_pairs(x, y) {
            if !declared && object.exclusive(&p, &q) {
                report.unsound(self, Relation::Exclusive, (&p, &q, None), "exclusive, wrongly");
            }
        }
    }

    fn compare_dependent(&self, a: usize, b: usize, value: usize, report: &mut Report) {
        let (x, y, v) = (&self.operations[a], &self.operations[b], &self.values[value]);
        let object = self.object;
        let declared = object.dependent(x, y, v);
        report.judge(self, Relation::Dependent, (a, b, Some(value)), declared, self.dependent[value][a][b]);
        if declared != object.dependent(y, x, v) {
            report.unsound(self, Relation::Dependent, (x, y, Some(v)), "not symmetric");
        }
        if declared && !object.constant(x, y) {
            report.unsound(self, Relation::Constant, (x, y, Some(v)), "independent, dependent in this value");
        }
        let (p, q) = (object.unrefined(x), object.unrefined(y));
        if declared && !object.dependent(&p, &q, v) {
            report.unsound(self, Relation::UnrefinedDependent, (x, y, Some(v)), "independent, wrongly");
        }
        for (p, q) in general_pairs(x, y) {
            if declared && !object.dependent(&p, &q, v) {
                report.unsound(self, Relation::Dependent, (&p, &q, Some(v)), "independent, wrongly");
            }
        }
    }

    fn compare_interacts(&self, a: usize, value: usize, report: &mut Report) {
        let (x, v) = (&self.operations[a], &self.values[value]);
        let object = self.object;
        let declare = |b: usize| object.interacts(x, &self.operations[b], v);
        let declared: Vec<bool> = (0..self.operations.len()).map(declare).collect();
        let derived = self.interacts(a, value);
        let missed = self.missed(a, value, &declared);
        let unrefined =
            |b: usize| object.interacts(&object.unrefined(x), &object.unrefined(&self.operations[b]), v);
        let unrefined: Vec<bool> = (0..self.operations.len()).map(unrefined).collect();
        let missed_unrefined = self.missed(a, value, &unrefined);
        for (b, y) in self.operations.iter().enumerate().filter(|(_, y)| y.process != x.process) {
            report.compared += 1;
            let pair = (x, y, Some(v));
            if derived[b] && !declared[b] {
                report.unsound(self, Relation::Interacts, pair, "no interaction, wrongly");
            } else if missed[b] {
                report.unsound(self, Relation::Interacts, pair, "no interaction, against Definition 9");
            } else if declared[b] && !derived[b] {
                report.coarse.push(self.text(Relation::Interacts, x, y, Some(v), "need not interact"));
            }
            if missed_unrefined[b] {
                report.unsound(self, Relation::UnrefinedInteracts, pair, "no interaction, wrongly");
            }
            for (p, q) in general_pairs(x, y) {
                if declared[b] && !object.interacts(&p, &q, v) {
                    report.unsound(self, Relation::Interacts, (&p, &q, Some(v)), "no interaction, wrongly");
                }
            }
        }
    }

    fn text(
        &self,
        relation: Relation,
        a: &Operation,
        b: &Operation,
        value: Option<&Vec<i64>>,
        what: &str,
    ) -> Difference {
        let mut text = format!(
            "{}: {relation:?} of {} and {}",
            self.object.name(),
            operation_text(self.object, a),
            operation_text(self.object, b)
        );
        if let Some(value) = value {
            text.push_str(&format!(" in {value:?}"));
        }
        text.push_str(&format!(" (initially {:?}): {what}", self.object.initial()));
        Difference { relation, a: *a, b: *b, value: value.cloned(), text }
    }
}

impl Report {
    fn judge(
        &mut self,
        derivation: &Derivation<'_>,
        relation: Relation,
        (a, b, value): (usize, usize, Option<usize>),
        declared: bool,
        derived: bool,
    ) {
        self.compared += 1;
        let (x, y) = (&derivation.operations[a], &derivation.operations[b]);
        let value = value.map(|v| &derivation.values[v]);
        if derived && !declared {
            self.unsound(derivation, relation, (x, y, value), "independent, wrongly");
        } else if declared && !derived {
            self.coarse.push(derivation.text(relation, x, y, value, "need not depend"));
        }
    }

    fn unsound(
        &mut self,
        derivation: &Derivation<'_>,
        relation: Relation,
        (a, b, value): (&Operation, &Operation, Option<&Vec<i64>>),
        what: &str,
    ) {
        self.unsound.push(derivation.text(relation, a, b, value, what));
    }
}

/// Numbers the items: equal ones alike, from 0 without gaps.
fn number<T: Eq + Hash>(items: impl Iterator<Item = T>) -> Vec<usize> {
    let mut numbers = HashMap::new();
    let number = |item| {
        let next = numbers.len();
        *numbers.entry(item).or_insert(next)
    };
    items.map(number).collect()
}

/// An operation in words: `Send(1) of process 0`.
pub fn operation_text(object: &dyn ObjectType, operation: &Operation) -> String {
    let kind = &object.kinds()[operation.kind.index()];
    let inputs: Vec<String> = operation.operands[..kind.inputs.len()]
        .iter()
        .map(|operand| operand.known().map_or_else(|| "any".to_owned(), |v| v.to_string()))
        .collect();
    let inputs = if inputs.is_empty() { String::new() } else { format!("({})", inputs.join(", ")) };
    format!("{}{inputs} of process {}", kind.name, operation.process)
}

/// The operation, and the operation with some or all of its inputs unknown.
fn generalisations(operation: &Operation) -> Vec<Operation> {
    let mut all = Vec::new();
    for forget in 0..4 {
        let mut general = *operation;
        for (at, operand) in general.operands.iter_mut().enumerate() {
            if forget >> at & 1 == 1 {
                *operand = Operand::Any;
            }
        }
        if !all.contains(&general) {
            all.push(general);
        }
    }
    all
}

/// All pairs of generalisations but the pair itself.
fn general_pairs(a: &Operation, b: &Operation) -> Vec<(Operation, Operation)> {
    let of_b = generalisations(b);
    let pairs = generalisations(a).into_iter().flat_map(|p| of_b.iter().map(move |&q| (p, q)));
    pairs.skip(1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::fifo::{EMPTY, FULL, Fifo, RECEIVE, SEND};
    use crate::object::library;
    use crate::operation::OperationKind;

    /// Theorem 12 over the domains: the derived relation itself meets Definition 9.
    #[test]
    fn the_derived_relation_is_sound() {
        for object in library() {
            let derivation = Derivation::new(object.as_ref());
            for a in 0..derivation.operations.len() {
                for value in 0..derivation.compared {
                    let derived = derivation.interacts(a, value);
                    assert!(derivation.missed(a, value, &derived).iter().all(|missed| !missed));
                }
            }
        }
    }

    fn find(derivation: &Derivation<'_>, kind: OperationKind, process: u16) -> usize {
        let of = |o: &Operation| o.kind == kind && o.process.0 == process;
        derivation.operations.iter().position(of).expect("the domain has all operations")
    }

    /// Equal sends commute, yet no send brings the channel silently to its last place.
    #[test]
    fn inputs_are_quantified() {
        let channel = Fifo { capacity: 3 };
        let derivation = Derivation::new(&channel);
        let (send, other, full) =
            (find(&derivation, SEND, 0), find(&derivation, SEND, 1), find(&derivation, FULL, 1));
        assert_eq!(derivation.values[0], []);
        assert_eq!(derivation.operations[send].operands, derivation.operations[other].operands);
        assert!(!derivation.dependent(send, other, 0));
        assert!(derivation.quantified(send, other, 0));
        assert!(!derivation.interacts(send, 0)[full]);
    }

    /// Receives of equal messages commute, yet no receive empties the channel silently.
    #[test]
    fn messages_behind_the_first_are_quantified() {
        let channel = Fifo { capacity: 3 };
        let derivation = Derivation::new(&channel);
        let (receive, other, empty) =
            (find(&derivation, RECEIVE, 0), find(&derivation, RECEIVE, 1), find(&derivation, EMPTY, 1));
        let at = derivation.values.iter().position(|value| *value == [1, 1]).expect("it is compared");
        assert!(!derivation.dependent(receive, other, at));
        assert!(derivation.quantified(receive, other, at));
        assert!(!derivation.interacts(receive, at)[empty]);
    }

    /// The quantified dependency never forgets one that there is.
    #[test]
    fn the_quantified_dependency_contains_definition_5() {
        for object in library() {
            let derivation = Derivation::new(object.as_ref());
            let operations = 0..derivation.operations.len();
            for value in 0..derivation.values.len() {
                for a in operations.clone() {
                    for b in operations.clone() {
                        let (x, y) = (derivation.dependent(a, b, value), derivation.quantified(a, b, value));
                        assert!(!x || y, "{object:?}");
                    }
                }
            }
        }
    }
}
