//! References to other processes: `P[i]@label` and `P[i]:variable`.
//!
//! The process that is meant may be lowered later, so a reference first holds a number in a list; when
//! all processes are known, `resolve` puts locations and variables in their place. A label of a place that
//! no step ends at, such as one before `unless`, is never true, as in SPIN.

use super::Lowerer;
use crate::promela::ast::{Expression as Tree, Name, Reference};
use crate::promela::check::{LabelKey, SymbolId, SymbolKind};
use crate::promela::token::Text;
use mazurka_program::ir::{Expression, LocalId, LocationId, ProcessType, RemotePart, TypeId, VariableRef};
use std::collections::HashMap;

/// The references that are not resolved yet, and what is known so far.
#[derive(Default)]
pub(super) struct Remotes {
    labels: Vec<(TypeId, Text)>,
    variables: Vec<SymbolId>,
    /// Where the labels that are named from outside are.
    locations: HashMap<(TypeId, Text), LocationId>,
}

impl<'a> Lowerer<'a> {
    fn remote(&mut self, proctype: &Name, instance: Option<&'a Tree>, part: RemotePart) -> Expression {
        let Some(&process) = self.types.get(&proctype.text) else {
            self.error(proctype.place, format!("`{}` is no proctype", proctype.text));
            return Expression::Constant(0);
        };
        let instance = instance.map(|e| Box::new(self.expression(e)));
        Expression::Remote { process, instance, part: Box::new(part) }
    }

    /// `P[i]@label`
    pub(super) fn remote_label(
        &mut self,
        proctype: &Name,
        instance: Option<&'a Tree>,
        label: &Name,
    ) -> Expression {
        let number = self.remotes.labels.len() as u32;
        let process = self.types.get(&proctype.text).copied().unwrap_or_default();
        self.remotes.labels.push((process, label.text.clone()));
        self.remote(proctype, instance, RemotePart::At(LocationId(number)))
    }

    /// `P[i]:variable`
    pub(super) fn remote_variable(
        &mut self,
        proctype: &Name,
        instance: Option<&'a Tree>,
        variable: &'a Reference,
    ) -> Expression {
        let Some(symbol) = self.symbols.resolve(variable.id) else { return Expression::Constant(0) };
        let SymbolKind::Variable { length, kind, .. } = &self.symbols.get(symbol).kind else {
            return Expression::Constant(0);
        };
        if variable.parts.len() > 1 || matches!(kind, crate::promela::check::Type::Structure(_)) {
            let message = "a field of a structure of another process can't be named";
            self.error(variable.place, message);
            return Expression::Constant(0);
        }
        let number = LocalId(self.remotes.variables.len() as u32);
        self.remotes.variables.push(symbol);
        let part = match length {
            None => RemotePart::Variable(number),
            Some(_) => {
                let index = variable.parts[0].index.as_deref();
                let index = index.map_or(Expression::Constant(0), |e| self.expression(e));
                RemotePart::Element(number, index)
            }
        };
        self.remote(proctype, instance, part)
    }

    /// Whether a label of the process being lowered is named from outside.
    pub(super) fn is_named_outside(&self, label: &Text) -> bool {
        let process: Text = self.process.name.as_str().into();
        self.variables.survey.labels.contains(&(process, label.clone()))
    }

    /// Notes where the labels of the process being lowered are.
    pub(super) fn locate_labels<'k>(
        &mut self,
        labels: impl Iterator<Item = (&'k LabelKey, Option<LocationId>)>,
    ) {
        let process = TypeId(self.program.types.len() as u32);
        for ((name, _), location) in labels {
            if let Some(location) = location
                && self.is_named_outside(name)
            {
                self.remotes.locations.insert((process, name.clone()), location);
            }
        }
    }

    /// Puts locations and variables where references to other processes hold numbers.
    pub(super) fn resolve(&self, process: &mut ProcessType) {
        process.rewrite(&mut |e| self.resolve_expression(e));
    }

    /// The same for one part of an expression.
    pub(super) fn resolve_expression(&self, expression: &mut Expression) {
        let Expression::Remote { part, .. } = expression else { return };
        let local = |id: &LocalId| {
            let symbol = self.remotes.variables.get(id.index())?;
            match self.variables.kept.get(&(*symbol, Vec::new()))?.variable {
                VariableRef::Local(id) => Some(id),
                VariableRef::Global(_) => None,
            }
        };
        let known = match &mut **part {
            RemotePart::At(location) => {
                let label = self.remotes.labels.get(location.index());
                let found = label.and_then(|label| self.remotes.locations.get(label));
                found.map(|found| *location = *found)
            }
            RemotePart::Variable(id) | RemotePart::Element(id, _) => local(id).map(|found| *id = found),
        };
        if known.is_none() {
            *expression = Expression::Constant(0);
        }
    }
}
