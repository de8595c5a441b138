//! What is wrong with a document, or odd, once its situations are known.

use super::flatten::{Chart, Situation};
use super::make::{Making, Ways};
use super::target;
use super::tree::{Action, Kind};
use mazurka_model::source::Diagnostic;
use std::collections::BTreeMap;

impl Making<'_> {
    /// Whether all names that lead somewhere do.
    pub(super) fn check(&mut self, chart: &Chart<'_>) -> bool {
        let mut fine = true;
        for (number, node) in self.document().nodes.iter().enumerate() {
            let transitions =
                node.transitions.iter().flat_map(|one| one.targets.iter().map(|name| (name, one.span)));
            let initial = node.initial.iter().map(|name| (name, node.span));
            for (name, span) in transitions.chain(initial) {
                if chart.find(name).is_none() {
                    fine = false;
                    self.diagnostics.push(Diagnostic::error(span, format!("there is no state `{name}`")));
                }
            }
            let (within, names, what) = match node.kind {
                Kind::History { .. } => {
                    let targets = node.transitions.iter().flat_map(|one| &one.targets).collect();
                    (node.parent.unwrap_or(0), targets, "a history state of it can't stand for it")
                }
                _ => (number, node.initial.iter().collect::<Vec<_>>(), "it can't be its first one"),
            };
            for name in names {
                let found = chart.find(name);
                let mut above = found.and_then(|at| self.document().nodes[at].parent);
                while above.is_some_and(|at| at != within) {
                    above = above.and_then(|at| self.document().nodes[at].parent);
                }
                if found.is_some() && above.is_none() {
                    fine = false;
                    let id = &self.document().nodes[within].id;
                    let message = format!("the state `{name}` is not within `{id}`, so {what}");
                    self.diagnostics.push(Diagnostic::error(node.span, message));
                }
            }
        }
        if self.document().nodes[0].children.is_empty() {
            fine = false;
            self.error("there is no state");
        }
        fine
    }

    /// What is odd about the document, and what was not evaluated.
    pub(super) fn remark(&mut self, chart: &Chart<'_>, known: &BTreeMap<Situation, Ways>) {
        let document = self.document();
        for (number, node) in document.nodes.iter().enumerate().skip(1) {
            let active = |situation: &Situation| situation.active.contains(&number);
            if !matches!(node.kind, Kind::History { .. }) && !known.keys().any(active) {
                let message = format!("the state `{}` can't be reached", node.id);
                self.diagnostics.push(Diagnostic::warning(node.span, message));
            }
        }
        let notes = chart.notes.iter();
        self.diagnostics.extend(notes.map(|(span, message)| Diagnostic::warning(*span, message.clone())));
        for action in document.actions() {
            if let Action::Send { target: to, span, .. } = action
                && target(self.documents, self.number, to).is_none()
            {
                let message =
                    format!("`{to}` is no machine of this file: what is sent there leaves the system");
                self.diagnostics.push(Diagnostic::warning(*span, message));
            }
        }
        for Situation { active, .. } in known.keys() {
            let exclusive = |number: &&usize| document.nodes[**number].kind == Kind::State;
            let twice = active.iter().filter(exclusive).find(|number| {
                document.nodes[**number].children.iter().filter(|child| active.contains(child)).count() > 1
            });
            if let Some(number) = twice {
                let message =
                    format!("two states within `{}` would be active at once", document.nodes[*number].id);
                self.diagnostics.push(Diagnostic::error(document.nodes[*number].span, message));
                return;
            }
        }
    }
}
