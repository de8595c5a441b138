//! The relations of an object type as tables, the way Godefroid and Pirottin 1993 print them.
//!
//! A cell holds `+` (always), `-` (never) or the condition on the value under which the relation holds
//! for *some* inputs, some two processes, and some value that meets the condition. So a table
//! never claims less dependency than there is, and the predicates, which know the inputs and the
//! whole value, may be finer than the table. A cell is true of every size at once: N is the
//! capacity of a channel, n the number of messages in it (of a barrier, the processes that open it and
//! those that have arrived; of a semaphore or a place, n is the count).

use super::library::{library, named};
use super::{Condition, ObjectType};
use crate::ids::ProcessId;
use crate::operation::{Operation, OperationKind};
use std::collections::BTreeMap;

/// The three tables of an object type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    /// The names of the operations, for rows and columns alike.
    pub operations: Vec<&'static str>,
    /// Constant dependency (Definition 2).
    pub constant: Vec<Vec<String>>,
    /// Conditional dependency (Definition 5).
    pub conditional: Vec<Vec<String>>,
    /// "Might interact" (Definition 11): the row's operation ▷ the column's.
    pub interacts: Vec<Vec<String>>,
}

/// The names of the object types of the library, in its order.
pub fn names() -> Vec<&'static str> {
    let mut names = Vec::new();
    for object in library() {
        if !names.contains(&object.name()) {
            names.push(object.name());
        }
    }
    names
}

/// One sentence on what the object type of this name models.
pub fn summary(name: &str) -> Option<&'static str> {
    named(name).first().map(|object| object.summary())
}

/// The tables of the object type of this name, as text.
pub fn tables(name: &str) -> Option<String> {
    let objects = named(name);
    let objects: Vec<&dyn ObjectType> = objects.iter().map(|object| object.as_ref()).collect();
    Tables::of(&objects).map(|tables| tables.render())
}

impl Tables {
    /// The tables that hold for all the objects given, which are of one type and differ in their
    /// parameters. `None` if there is no object.
    pub fn of(objects: &[&dyn ObjectType]) -> Option<Tables> {
        let first = *objects.first()?;
        let samples: Vec<Sample<'_>> = objects.iter().map(|&object| Sample::of(object)).collect();
        let conditions = first.conditions();
        let fill = |conditions: &[Condition], relation: Relation| {
            let cell = |a, b| cell(&samples, conditions, OperationKind(a), OperationKind(b), relation);
            let kinds = 0..first.kinds().len() as u8;
            kinds.clone().map(|a| kinds.clone().map(|b| cell(a, b)).collect()).collect()
        };
        Some(Tables {
            operations: first.kinds().iter().map(|kind| kind.name).collect(),
            // A constant relation does not look at the value, so each of its cells is + or -.
            constant: fill(&[], |object, a, b, _| object.constant(a, b)),
            conditional: fill(conditions, |object, a, b, value| object.dependent(a, b, value)),
            interacts: fill(conditions, |object, a, b, value| object.interacts(a, b, value)),
        })
    }

    /// The three tables as text, one below the other.
    pub fn render(&self) -> String {
        let mut text = String::new();
        for (title, corner, cells) in [
            ("Constant dependency", "DEP.", &self.constant),
            ("Conditional dependency", "DEP.", &self.conditional),
            ("Might interact (row ▷ column)", "▷", &self.interacts),
        ] {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(title);
            text.push_str("\n\n");
            let mut rows = vec![vec![corner.to_owned()]];
            rows[0].extend(self.operations.iter().map(|&name| name.to_owned()));
            for (name, cells) in self.operations.iter().zip(cells) {
                let mut row = vec![(*name).to_owned()];
                row.extend(cells.iter().cloned());
                rows.push(row);
            }
            render_rows(&rows, &mut text);
        }
        text
    }
}

type Relation = fn(&dyn ObjectType, &Operation, &Operation, &[i64]) -> bool;

/// What an object is looked at with: the operations and the values of its domain.
struct Sample<'o> {
    object: &'o dyn ObjectType,
    operations: Vec<Operation>,
    values: Vec<Vec<i64>>,
}

impl<'o> Sample<'o> {
    fn of(object: &'o dyn ObjectType) -> Sample<'o> {
        let mut domain = object.domain();
        // An object without a value of its own, a rendezvous, has an empty domain.
        if domain.operations.is_empty() {
            let kinds = 0..object.kinds().len() as u8;
            let of = |process| kinds.clone().map(move |kind| Operation::new(process, OperationKind(kind)));
            domain.operations = of(ProcessId(0)).chain(of(ProcessId(1))).collect();
            domain.compared = vec![object.initial()];
        }
        Sample { object, operations: domain.operations, values: domain.compared }
    }

    /// Whether the relation holds in `value` for some inputs and some two processes.
    fn holds(&self, a: OperationKind, b: OperationKind, relation: Relation, value: &[i64]) -> bool {
        let of = |kind| self.operations.iter().filter(move |operation| operation.kind == kind);
        of(a).any(|x| of(b).any(|y| x.process != y.process && relation(self.object, x, y, value)))
    }
}

/// The condition under which the relation holds, in words.
fn cell(
    samples: &[Sample<'_>],
    conditions: &[Condition],
    a: OperationKind,
    b: OperationKind,
    relation: Relation,
) -> String {
    // Values that no condition tells apart count as one: the relation holds there if it holds in any.
    let mut classes: BTreeMap<Vec<bool>, bool> = BTreeMap::new();
    for sample in samples {
        for value in &sample.values {
            let class = conditions.iter().map(|condition| (condition.holds)(sample.object, value)).collect();
            *classes.entry(class).or_default() |= sample.holds(a, b, relation, value);
        }
    }
    let exactly = |holds: &dyn Fn(&[bool]) -> bool| {
        classes.iter().all(|(class, &true_there)| holds(class) == true_there)
    };
    if exactly(&|_| false) {
        return "-".to_owned();
    }
    if exactly(&|_| true) {
        return "+".to_owned();
    }
    for (x, condition) in conditions.iter().enumerate() {
        if exactly(&|class| class[x]) {
            return condition.text.to_owned();
        }
    }
    for (x, first) in conditions.iter().enumerate() {
        for (y, second) in conditions.iter().enumerate().skip(x + 1) {
            if exactly(&|class| class[x] || class[y]) {
                return format!("{} or {}", first.text, second.text);
            }
        }
    }
    "sometimes".to_owned()
}

/// Pads every column to its widest cell.
fn render_rows(rows: &[Vec<String>], text: &mut String) {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    for (number, row) in rows.iter().enumerate() {
        let mut line = String::new();
        for (cell, &width) in row.iter().zip(&widths) {
            line.push_str(&format!("{cell:<width$}  "));
        }
        text.push_str(line.trim_end());
        text.push('\n');
        if number == 0 {
            let rule: usize = widths.iter().map(|width| width + 2).sum();
            text.push_str(&"-".repeat(rule.saturating_sub(2)));
            text.push('\n');
        }
    }
}
