//! Claims, trace assertions and formulas: stated properties of the program.

use super::Lowerer;
use crate::promela::ast::{
    ExpressionKind, Formula as Tree, FormulaKind, FormulaOperator as Source, Ltl, Never, Send, Sequence,
    Trace,
};
use crate::promela::token::Place;
use mazurka_program::ir::{
    Effect, Formula, FormulaOperator, Pattern, ProcessType, Property, PropertyKind, Transition,
};

/// An operator of the source as one of the program.
fn operator(operator: Source) -> FormulaOperator {
    match operator {
        Source::And => FormulaOperator::And,
        Source::Or => FormulaOperator::Or,
        Source::Implies => FormulaOperator::Implies,
        Source::Equivalent => FormulaOperator::Equivalent,
        Source::Until => FormulaOperator::Until,
        Source::WeakUntil => FormulaOperator::WeakUntil,
        Source::Release => FormulaOperator::Release,
    }
}

impl<'a> Lowerer<'a> {
    fn state_property(&mut self, name: Option<String>, prefix: &str, kind: PropertyKind, place: Place) {
        let numbered = self.program.properties.iter().filter(|p| p.kind.name() == kind.name()).count();
        let name = name.unwrap_or_else(|| format!("{prefix}_{numbered}"));
        self.program.properties.push(Property { name, kind, span: place.span });
    }

    /// The automaton of a claim or a trace: a body whose end has no transition.
    fn automaton(&mut self, name: &str, body: &'a Sequence, place: Place) -> ProcessType {
        // It moves beside the processes, so it is not who moved last.
        let last = self.last.take();
        self.process = ProcessType { name: name.into(), span: place.span, ..ProcessType::default() };
        self.local_declarations(body);
        let graph = self.graph(body);
        self.transitions(graph, None);
        self.last = last;
        let mut automaton = std::mem::take(&mut self.process);
        automaton.transitions.retain(|t| t.effects.last() != Some(&Effect::Exit));
        automaton
    }

    /// `never { … }`
    pub(super) fn never(&mut self, never: &'a Never) {
        let name = never.name.as_ref().map(|name| name.text.to_string());
        let automaton = self.automaton(name.as_deref().unwrap_or("never"), &never.body, never.place);
        self.state_property(name, "never", PropertyKind::Never(automaton), never.place);
    }

    /// `trace { … }` or `notrace { … }`
    pub(super) fn trace(&mut self, trace: &'a Trace) {
        let word = if trace.negated { "notrace" } else { "trace" };
        let mut automaton = self.automaton(word, &trace.body, trace.place);
        let sends = automaton.transitions.iter_mut().map(as_event).collect();
        let kind = PropertyKind::Trace { automaton, sends, negated: trace.negated };
        self.state_property(None, word, kind, trace.place);
    }

    /// `ltl name { … }`
    pub(super) fn ltl(&mut self, ltl: &'a Ltl) {
        let name = ltl.name.as_ref().map(|name| name.text.to_string());
        let formula = self.formula(&ltl.formula);
        self.state_property(name, "ltl", PropertyKind::Formula(formula), ltl.place);
    }

    fn formula(&mut self, tree: &'a Tree) -> Formula {
        let mut inner = |f: &'a Tree| Box::new(self.formula(f));
        match &tree.kind {
            FormulaKind::Not(f) => Formula::Not(inner(f)),
            FormulaKind::Always(f) => Formula::Always(inner(f)),
            FormulaKind::Eventually(f) => Formula::Eventually(inner(f)),
            FormulaKind::Next(f) => Formula::Next(inner(f)),
            FormulaKind::Binary(sign, a, b) => Formula::Binary(operator(*sign), inner(a), inner(b)),
            FormulaKind::Atom(expression) => Formula::Atom(self.expression(expression)),
        }
    }

    /// What the message of a send in a trace looks like: `_` stands for any value.
    pub(super) fn sent_event(&mut self, send: &'a Send) -> Effect {
        let channel = self.reference(&send.channel);
        let mut patterns = Vec::new();
        for argument in &send.arguments {
            patterns.push(match &argument.kind {
                ExpressionKind::Reference(reference) if self.is_scratch(reference) => Pattern::Ignore,
                _ => Pattern::Match(self.expression(argument)),
            });
        }
        // A peek, which no event is, marks the send until the automaton is complete.
        Effect::Receive { channel, patterns, anywhere: send.sorted, keep: true }
    }
}

/// Turns a statement of a trace into an event, and says whether it is a send.
fn as_event(transition: &mut Transition) -> bool {
    match transition.effects.first_mut() {
        Some(Effect::Receive { keep, .. }) => std::mem::take(keep),
        _ => false,
    }
}
