//! Control flow: labels, and statements no execution reaches.

use super::super::ast::{Sequence, Statement, StatementKind};
use super::super::token::Place;
use super::Checker;
use super::symbols::inline_instance;
use mazurka_model::source::Diagnostic;

/// The sequences directly inside a statement.
pub fn inner_sequences(statement: &Statement) -> Vec<&Sequence> {
    match &statement.kind {
        StatementKind::If(options) | StatementKind::Do(options) => options.iter().collect(),
        StatementKind::ForRange { body, .. } | StatementKind::ForIn { body, .. } => vec![body],
        StatementKind::Atomic(body) | StatementKind::DStep(body) | StatementKind::Block(body) => vec![body],
        StatementKind::Unless { main, escape } => {
            let mut all = inner_sequences(main);
            all.extend(inner_sequences(escape));
            all
        }
        _ => Vec::new(),
    }
}

impl Checker<'_> {
    /// Enters all labels of a body into the table, and the labels that it jumps to.
    pub(super) fn collect_labels(&mut self, sequence: &Sequence, d_step: Option<Place>) {
        for statement in &sequence.statements {
            self.statement_labels(statement, d_step);
        }
    }

    fn statement_labels(&mut self, statement: &Statement, d_step: Option<Place>) {
        let item = self.item;
        for label in &statement.labels {
            let key = (label.text.clone(), inline_instance(&self.unit.expansions, label.place.origin));
            let labels = self.symbols.labels.entry(item).or_default();
            if let Some(first) = labels.insert(key.clone(), label.place) {
                let message = format!("label `{}` is defined twice", label.text);
                let diagnostic = Diagnostic::error(label.place.span, message)
                    .label("defined again here")
                    .help("rename one of the two")
                    .note(first.span, "first defined here");
                self.report(diagnostic, label.place);
            }
            self.label_regions.insert(key, d_step.map(|place| place.span));
        }
        if let StatementKind::Goto(label) = &statement.kind {
            self.jumps.insert(label.text.clone());
        }
        if let StatementKind::Unless { main, escape } = &statement.kind {
            self.statement_labels(main, d_step);
            self.statement_labels(escape, d_step);
            return;
        }
        let inner = match statement.kind {
            StatementKind::DStep(_) => Some(statement.place),
            _ => d_step,
        };
        for sequence in inner_sequences(statement) {
            self.collect_labels(sequence, inner);
        }
    }

    /// Warns about statements behind one that never lets control through.
    pub(super) fn unreachable(&mut self, sequence: &Sequence) {
        let (mut open, mut told) = (true, false);
        for statement in &sequence.statements {
            let is_declaration =
                matches!(statement.kind, StatementKind::Declaration(_) | StatementKind::Exclusive { .. });
            open |= self.is_entered(statement);
            told &= !open;
            if !open && !told && !is_declaration {
                told = true;
                let diagnostic = Diagnostic::warning(statement.place.span, "unreachable statement")
                    .label("no execution comes here")
                    .help("remove it, or give it a label and jump to it");
                self.report(diagnostic, statement.place);
            }
            open = open && self.completes(statement);
        }
    }

    /// A jump leads to the statement or into it. A label that nothing jumps to lets nobody in.
    fn is_entered(&self, statement: &Statement) -> bool {
        if statement.labels.iter().any(|label| self.jumps.contains(&label.text)) {
            return true;
        }
        if let StatementKind::Unless { main, escape } = &statement.kind {
            return self.is_entered(main) || self.is_entered(escape);
        }
        let mut inner = inner_sequences(statement).into_iter().flat_map(|sequence| &sequence.statements);
        inner.any(|statement| self.is_entered(statement))
    }

    /// Control can come out behind the statement.
    fn completes(&self, statement: &Statement) -> bool {
        match &statement.kind {
            StatementKind::Goto(_) | StatementKind::Break => false,
            StatementKind::Do(options) => options.iter().any(breaks),
            StatementKind::If(options) => options.iter().any(|option| self.sequence_completes(option)),
            StatementKind::Atomic(body) | StatementKind::DStep(body) | StatementKind::Block(body) => {
                self.sequence_completes(body)
            }
            StatementKind::Unless { main, escape } => self.completes(main) || self.completes(escape),
            _ => true,
        }
    }

    fn sequence_completes(&self, sequence: &Sequence) -> bool {
        let enter = |open: bool, statement| (open || self.is_entered(statement)) && self.completes(statement);
        sequence.statements.iter().fold(true, enter)
    }
}

/// A `break` of the loop around this sequence is in it.
fn breaks(sequence: &Sequence) -> bool {
    sequence.statements.iter().any(statement_breaks)
}

fn statement_breaks(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Break => true,
        StatementKind::Do(_) | StatementKind::ForRange { .. } | StatementKind::ForIn { .. } => false,
        StatementKind::Unless { main, escape } => statement_breaks(main) || statement_breaks(escape),
        _ => inner_sequences(statement).into_iter().any(breaks),
    }
}
