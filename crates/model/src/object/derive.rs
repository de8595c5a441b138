//! Derives the relations of an object type from its semantics alone, and compares them with the
//! hand-written predicates.
//!
//! Godefroid and Pirottin 1993. Over the object's [`Domain`](super::Domain), for operations of
//! different processes:
//!
//! - [`dependent`] is Definition 5, read off [`ObjectType::apply`].
//! - `a ▷ b` in v (Definition 11): some value v' in which b is defined and dependent on a can be
//!   reached from v by defined operations of processes other than a's, each independent of a in
//!   the value in which it fires. [`Derivation::interacts`].
//! - A declared ▷ is *sound* if it yields conditional stubborn sets (Definition 9): on every path from
//!   v to an operation that depends on a, at least one operation b has a ▷ b in v. Every ▷ that
//!   contains the derived one is sound, but it is not the only one: where a dependency that Definition
//!   5 does not ask for is kept, paths end earlier and other pairs need not interact. (Two sends
//!   of one message commute. The paper counts them as dependent all the same, and gains that a
//!   `Send` interacts with `Full` only where the channel has room for exactly one message.)
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

/// A declared relation that the derivation judges.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// [`ObjectType::dependent`].
    Dependent,
    /// [`ObjectType::interacts`].
    Interacts,
    /// [`ObjectType::constant`].
    Constant,
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
    /// The predicate says `false` where that is wrong, or is not symmetric: a defect.
    pub unsound: Vec<Difference>,
    /// The predicate says `true` where it need not: a loss of reduction.
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
        };
        derivation.explore(domain.within);
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

    /// Definition 11: for every operation b, whether `a ▷ b` in the value with this index.
    pub fn interacts(&self, a: usize, value: usize) -> Vec<bool> {
        self.meets(a, value, |at, b| !self.dependent[at][a][b])
    }

    /// Follows all paths from `start` of operations for which `silent` holds in the value in which
    /// they fire; returns which operations are, somewhere on such a path, defined and dependent on `a`.
    fn meets(&self, a: usize, start: usize, silent: impl Fn(usize, usize) -> bool) -> Vec<bool> {
        let mut found = vec![false; self.operations.len()];
        let mut seen = vec![false; self.values.len()];
        seen[start] = true;
        let mut pending = vec![start];
        while let Some(at) = pending.pop() {
            for (b, &(defined, target)) in self.successors[at].iter().enumerate() {
                if !defined || self.operations[b].process == self.operations[a].process {
                    continue;
                }
                found[b] |= self.dependent[at][a][b];
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
        let missed = self.meets(a, value, |_, b| !declared[b]);
        let unrefined =
            |b: usize| object.interacts(&object.unrefined(x), &object.unrefined(&self.operations[b]), v);
        let unrefined: Vec<bool> = (0..self.operations.len()).map(unrefined).collect();
        let missed_unrefined = self.meets(a, value, |_, b| !unrefined[b]);
        for (b, y) in self.operations.iter().enumerate().filter(|(_, y)| y.process != x.process) {
            report.compared += 1;
            if missed[b] && !declared[b] {
                report.unsound(self, Relation::Interacts, (x, y, Some(v)), "no interaction, wrongly");
            }
            if missed_unrefined[b] && !unrefined[b] {
                report.unsound(
                    self,
                    Relation::UnrefinedInteracts,
                    (x, y, Some(v)),
                    "no interaction, wrongly",
                );
            }
            // Neither Definition 11 nor the other declared pairs ask for it.
            if declared[b] && !derived[b] && self.redundant(a, b, value, &declared) {
                let text = self.text(Relation::Interacts, x, y, Some(v), "need not interact");
                report.coarse.push(text);
            }
            for (p, q) in general_pairs(x, y) {
                if declared[b] && !object.interacts(&p, &q, v) {
                    report.unsound(self, Relation::Interacts, (&p, &q, Some(v)), "no interaction, wrongly");
                }
            }
        }
    }

    /// Whether the declared set of operations that interact with `a` is sound without `b`.
    fn redundant(&self, a: usize, b: usize, value: usize, declared: &[bool]) -> bool {
        let silent = |c: usize| c == b || !declared[c];
        let missed = self.meets(a, value, |_, c| silent(c));
        !missed.iter().enumerate().any(|(c, &missed)| missed && silent(c))
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
    use crate::object::fifo::{FULL, Fifo, SEND};
    use crate::object::library;

    /// Theorem 12 over the domains: the derived relation itself meets Definition 9.
    #[test]
    fn the_derived_relation_is_sound() {
        for object in library() {
            let derivation = Derivation::new(object.as_ref());
            for a in 0..derivation.operations.len() {
                for value in 0..derivation.compared {
                    let derived = derivation.interacts(a, value);
                    let missed = derivation.meets(a, value, |_, b| !derived[b]);
                    assert!(missed.iter().zip(&derived).all(|(missed, derived)| *derived || !missed));
                }
            }
        }
    }

    /// Where equal sends count as independent, a send interacts with `Full` earlier than in the paper.
    #[test]
    fn a_finer_dependency_makes_more_operations_interact() {
        let channel = Fifo { capacity: 3 };
        let derivation = Derivation::new(&channel);
        let find = |kind, process| {
            let of = |o: &Operation| o.kind == kind && o.process.0 == process;
            derivation.operations.iter().position(of).expect("the domain has all operations")
        };
        let (send, full) = (find(SEND, 0), find(FULL, 1));
        assert_eq!(derivation.values[0], []);
        assert!(derivation.interacts(send, 0)[full]);
        assert!(!channel.interacts(&derivation.operations[send], &derivation.operations[full], &[]));
    }
}
