//! Loops that are abbreviations: `for` over a range, an array or the messages of a channel, and
//! `select`, built as the loops that SPIN makes of them.

use super::graph::{Action, Builder, Kind, Open, Part};
use super::statement::target;
use crate::promela::ast::{Expression as Tree, ExpressionKind, Name, Reference, Sequence, Statement};
use crate::promela::print;
use crate::promela::token::ExpansionKind;
use mazurka_program::ir::{Effect, Expression, LocalId, Pattern, Type, Variable, VariableRef};

impl<'a> Builder<'_, 'a> {
    /// `variable = from; do :: variable <= to -> body; variable++ :: else -> break od`; without a body
    /// it is `select`: `variable < to` and no `else`.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn range(
        &mut self,
        variable: &'a Reference,
        (from, from_text): (Expression, String),
        (to, to_text): (Expression, String),
        body: Option<&'a Sequence>,
        statement: &'a Statement,
        labels: Vec<&'a Name>,
        open: &mut Open,
    ) {
        let (place, name) = (statement.place, print::reference(variable));
        let first = self.lowerer.implied_assignment(variable, from, format!("{name} = {from_text}"), place);
        let first = self.step(first);
        self.append(first, open);
        let exit = self.element(Kind::Break, "break".into(), place.span);
        self.breaks.push(exit);
        let mut inner = Open::default();
        let value = self.lowerer.reference(variable);
        let (condition, sign) = match body {
            Some(_) => (value.clone().at_most(to), "<="),
            None => (value.clone().below(to), "<"),
        };
        let guard = Action {
            guard: vec![condition],
            statement: format!("({name} {sign} {to_text})"),
            span: place.span,
            ..Action::default()
        };
        let guard = self.step(guard);
        self.append(guard, &mut inner);
        if let Some(body) = body {
            self.statements(body, &mut inner);
        }
        let add = self.lowerer.implied_assignment(variable, value + 1, format!("{name}++"), place);
        let add = self.step(add);
        self.append(add, &mut inner);
        let repeated = self.close(inner, place.span);
        self.breaks.pop();
        let mut inner = Open::default();
        if body.is_some() {
            let other =
                Action { otherwise: true, statement: "else".into(), span: place.span, ..Action::default() };
            let other = self.step(other);
            self.append(other, &mut inner);
        }
        let leave = self.element(Kind::Goto(Some(exit)), "break".into(), place.span);
        self.append(leave, &mut inner);
        let done = self.close(inner, place.span);
        self.choice(vec![done, repeated], labels, Some(exit), place.span, open);
    }

    pub(super) fn for_in(
        &mut self,
        variable: &'a Reference,
        over: &'a Reference,
        body: &'a Sequence,
        statement: &'a Statement,
        labels: Vec<&'a Name>,
        open: &mut Open,
    ) {
        match self.lowerer.symbols.type_of(over) {
            Some((kind, Some(length))) if kind != crate::promela::check::Type::Chan || length > 0 => {
                let to = length as i32 - 1;
                let from = (Expression::Constant(0), "0".to_string());
                let to = (Expression::Constant(to), to.to_string());
                self.range(variable, from, to, Some(body), statement, labels, open);
            }
            _ => self.for_messages(variable, over, body, statement, labels, open),
        }
    }

    /// `for` over the messages of a channel: each is received, sent again, and used, as many times as
    /// there are messages.
    fn for_messages(
        &mut self,
        variable: &'a Reference,
        over: &'a Reference,
        body: &'a Sequence,
        statement: &'a Statement,
        labels: Vec<&'a Name>,
        open: &mut Open,
    ) {
        let (span, name) = (statement.place.span, print::reference(over));
        let locals = &mut self.lowerer.process.locals;
        let counter = LocalId(locals.len() as u32);
        let counter_name = format!("for#{}", locals.len());
        locals.push(Variable { name: counter_name, ty: Type::Byte, span, ..Variable::default() });
        let action = |guard: Vec<Expression>, effects: Vec<Effect>, statement: String| Action {
            guard,
            effects,
            statement,
            span,
            ..Action::default()
        };
        let set = |value: Expression| Effect::Assign { target: counter.into(), value };
        let count = || Expression::from(counter);
        let channel = self.lowerer.reference(over);
        let places = self.lowerer.places(variable);
        let bind = |(v, i): &(VariableRef, Option<Expression>)| Pattern::Bind(target(*v, i.clone()));
        let patterns: Vec<Pattern> = places.iter().map(bind).collect();
        let value = |(v, i): &(VariableRef, Option<Expression>)| match i {
            None => Expression::Variable(*v),
            Some(index) => Expression::Element(*v, Box::new(index.clone())),
        };
        let fields: Vec<Expression> = places.iter().map(value).collect();
        let first = self.step(action(Vec::new(), vec![set(0.into())], format!("first of {name}")));
        self.append(first, open);
        let exit = self.element(Kind::Break, "break".into(), span);
        self.breaks.push(exit);
        let mut inner = Open::default();
        let more = vec![count().below(Expression::length(channel.clone()))];
        let receive = Effect::Receive { channel: channel.clone(), patterns, anywhere: false, keep: false };
        let send = Effect::Send { channel, fields, sorted: false };
        let message = print::reference(variable);
        for action in [
            action(more, Vec::new(), format!("more in {name}")),
            action(Vec::new(), vec![receive], format!("{name}?{message}")),
            action(Vec::new(), vec![send], format!("{name}!{message}")),
        ] {
            let step = self.step(action);
            self.append(step, &mut inner);
        }
        self.statements(body, &mut inner);
        let add = self.step(action(Vec::new(), vec![set(count() + 1)], format!("next of {name}")));
        self.append(add, &mut inner);
        let repeated = self.close(inner, span);
        self.breaks.pop();
        let mut inner = Open::default();
        let other = Action { otherwise: true, ..action(Vec::new(), Vec::new(), "else".into()) };
        let other = self.step(other);
        self.append(other, &mut inner);
        let leave = self.element(Kind::Goto(Some(exit)), "break".into(), span);
        self.append(leave, &mut inner);
        let done = self.close(inner, span);
        self.choice(vec![done, repeated], labels, Some(exit), span, open);
    }

    /// `select`: an `if` if the limits are numbers, else a loop. SPIN decides it while reading, where
    /// it doesn't expand an inline.
    pub(super) fn select(
        &mut self,
        variable: &'a Reference,
        from: &'a Tree,
        to: &'a Tree,
        statement: &'a Statement,
        labels: Vec<&'a Name>,
        open: &mut Open,
    ) {
        let expansions = &self.lowerer.unit.expansions;
        let inlined = expansions.chain(statement.place.origin).any(|e| e.kind == ExpansionKind::Inline);
        let simple = variable.parts.len() == 1 && variable.parts[0].index.is_none();
        if let (ExpressionKind::Number(low), ExpressionKind::Number(high)) = (&from.kind, &to.kind)
            && simple
            && !inlined
            && high - low < 256
        {
            let name = print::reference(variable);
            let mut parts = Vec::new();
            for value in *low..=*high {
                let text = format!("{name} = {value}");
                let value = Expression::Constant(value as i32);
                let action = self.lowerer.implied_assignment(variable, value, text, statement.place);
                let step = self.step(action);
                parts.push(Part { first: step, last: step, extent: step });
            }
            return self.choice(parts, labels, None, statement.place.span, open);
        }
        let (from_text, to_text) = (print::expression(from), print::expression(to));
        let (from, to) = (self.lowerer.expression(from), self.lowerer.expression(to));
        self.range(variable, (from, from_text), (to, to_text), None, statement, labels, open);
    }
}
