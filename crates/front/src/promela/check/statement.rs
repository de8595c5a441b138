//! Statements: what each needs to be meaningful.

use super::super::ast::{Expression, ExpressionKind, Reference};
use super::super::ast::{Name, Send, Sequence, Statement, StatementKind};
use super::super::token::Place;
use super::expression::count_runs;
use super::usage::Act;
use super::{Checker, Context, Type, constant, did_you_mean};
use mazurka_model::source::{Diagnostic, Span};
use std::collections::HashMap;

impl Checker<'_> {
    /// A sequence in the scope on top.
    pub(super) fn sequence(&mut self, sequence: &Sequence) {
        self.unreachable(sequence);
        for statement in &sequence.statements {
            self.statement(statement);
        }
    }

    /// A sequence in braces.
    fn block(&mut self, sequence: &Sequence) {
        self.scopes.push(HashMap::new());
        self.sequence(sequence);
        self.scopes.pop();
    }

    fn statement(&mut self, statement: &Statement) {
        let place = statement.place;
        let leading = std::mem::take(&mut self.leading);
        self.allowed_here(statement);
        match &statement.kind {
            StatementKind::Declaration(declaration) => self.declaration(declaration, false),
            StatementKind::Exclusive { channels, receive } => {
                self.exclusive.get_or_insert(place);
                for channel in channels {
                    self.channel(channel);
                    self.claim(channel, *receive, place);
                }
            }
            StatementKind::Expression(expression) => {
                self.expression(expression);
                self.single_run(expression);
            }
            StatementKind::Assign { target, value } => {
                let from_run = matches!(value.kind, ExpressionKind::Run { .. });
                self.write(target, if from_run { Act::Receive } else { Act::Assign });
                self.expression(value);
                self.assigned(target, value);
            }
            StatementKind::Increment(target) | StatementKind::Decrement(target) => {
                self.read(target);
                self.write(target, Act::Assign);
            }
            StatementKind::Send(send) => {
                self.send(send, place);
                self.access_channel(&send.channel, false, place);
            }
            StatementKind::Receive(receive) => {
                self.receive(receive, "receive", place);
                self.access_channel(&receive.channel, true, place);
            }
            StatementKind::If(options) => self.options(options),
            StatementKind::Do(options) => {
                self.loops += 1;
                self.options(options);
                self.loops -= 1;
            }
            StatementKind::ForRange { variable, from, to, body } => {
                self.write(variable, Act::Receive);
                self.range(from, to);
                self.repeated(body);
            }
            StatementKind::ForIn { variable, over, body } => {
                self.write(variable, Act::Receive);
                self.for_in(over);
                self.repeated(body);
            }
            StatementKind::Select { variable, from, to } => {
                self.write(variable, Act::Receive);
                self.range(from, to);
            }
            StatementKind::Atomic(body) | StatementKind::Block(body) => {
                self.leading = leading;
                self.block(body);
            }
            StatementKind::DStep(body) => {
                self.leading = leading;
                let outer = self.d_step.replace(place.span);
                self.block(body);
                self.d_step = outer;
            }
            StatementKind::Unless { main, escape } => {
                self.leading = leading;
                self.statement(main);
                self.statement(escape);
            }
            StatementKind::Else if leading => {}
            StatementKind::Else => {
                let diagnostic = Diagnostic::error(place.span, "`else` that begins no option")
                    .label("not the first statement of an option")
                    .help("write it directly behind `::`");
                self.report(diagnostic, place);
            }
            StatementKind::Break => self.break_statement(place),
            StatementKind::Goto(label) => self.goto(label),
            StatementKind::Printf { arguments, .. } => {
                arguments.iter().for_each(|argument| self.expression(argument));
            }
            StatementKind::Printm(value) | StatementKind::Assert(value) => {
                self.asserting = matches!(statement.kind, StatementKind::Assert(_));
                self.expression(value);
                self.asserting = false;
                self.no_run(value, "this statement");
            }
            StatementKind::SetPriority(process, priority) => {
                self.expression(process);
                self.expression(priority);
            }
        }
    }

    /// Claims only watch.
    fn allowed_here(&mut self, statement: &Statement) {
        let changes = matches!(
            statement.kind,
            StatementKind::Assign { .. }
                | StatementKind::Increment(_)
                | StatementKind::Decrement(_)
                | StatementKind::Send(_)
                | StatementKind::Receive(_)
        );
        let no_event = match &statement.kind {
            StatementKind::Expression(expression) => {
                statement.labels.is_empty() || expression.kind != ExpressionKind::Skip
            }
            kind => matches!(
                kind,
                StatementKind::Assign { .. }
                    | StatementKind::Increment(_)
                    | StatementKind::Decrement(_)
                    | StatementKind::Assert(_)
                    | StatementKind::Printf { .. }
                    | StatementKind::Printm(_)
                    | StatementKind::Else
            ),
        };
        let diagnostic = match self.context {
            Context::Never if changes => {
                Diagnostic::warning(statement.place.span, "a never claim should change nothing")
                    .label("this has an effect")
                    .help("a claim only watches the processes: use conditions")
            }
            Context::Trace if no_event => Diagnostic::error(statement.place.span, "not an event")
                .label("not a send or a receive")
                .help("a trace consists of channel operations, choices, loops and jumps"),
            _ => return,
        };
        self.report(diagnostic, statement.place);
    }

    fn single_run(&mut self, expression: &Expression) {
        let runs = count_runs(expression);
        if runs == 0 || runs == 1 && matches!(expression.kind, ExpressionKind::Run { .. }) {
            return;
        }
        let diagnostic = Diagnostic::error(expression.place.span, "`run` as a part of an expression")
            .label("its effect would depend on the other parts")
            .help("use `run` as a statement of its own, or assign its result");
        self.report(diagnostic, expression.place);
    }

    fn assigned(&mut self, target: &Reference, value: &Expression) {
        let Some((kind, _)) = self.symbols.type_of(target) else { return };
        if let Type::Structure(_) = kind {
            let diagnostic = Diagnostic::error(target.place.span, "a structure can't be assigned as a whole")
                .label("a structure")
                .help("assign its fields one by one");
            self.report(diagnostic, target.place);
            return;
        }
        if kind == Type::Chan && target.parts.len() == 1 && constant(value, &self.symbols).is_some() {
            let diagnostic = Diagnostic::error(value.place.span, "a number is not a channel")
                .label("a constant")
                .help("assign a variable of type `chan`");
            self.report(diagnostic, value.place);
            return;
        }
        self.fits(&kind, value);
        if kind == Type::Chan {
            self.escapes(target);
        }
    }

    fn send(&mut self, send: &Send, place: Place) {
        self.channel(&send.channel);
        if let Some(used) = self.used(&send.channel) {
            used.sent.get_or_insert(place);
        }
        let mut width = 0;
        for argument in &send.arguments {
            // In a trace this stands for any value.
            let scratch = |r: &Reference| r.parts.len() == 1 && r.parts[0].name.text.as_ref() == "_";
            if self.context == Context::Trace
                && let ExpressionKind::Reference(reference) = &argument.kind
                && scratch(reference)
            {
                self.write(reference, Act::Receive);
                width += 1;
                continue;
            }
            self.expression(argument);
            self.no_run(argument, "a message");
            width += self.argument_width(argument);
        }
        self.message_fits(&send.channel, width, "send", place);
    }

    fn options(&mut self, options: &[Sequence]) {
        let mut first_else: Option<Place> = None;
        for option in options {
            if let Some(place) = leading_else(option) {
                if let Some(first) = first_else {
                    let diagnostic = Diagnostic::error(place.span, "a second `else`")
                        .label("never chosen")
                        .help("remove one of the two")
                        .note(first.span, "the first is here");
                    self.report(diagnostic, place);
                }
                first_else = Some(place);
            }
            self.leading = true;
            self.sequence(option);
            self.leading = false;
        }
        if let (Some(place), Some(exclusive)) = (first_else, self.exclusive)
            && options.iter().any(begins_with_channel)
        {
            let diagnostic =
                Diagnostic::error(place.span, "`else` beside channel operations, with `xr` or `xs`")
                    .label("whether it can be chosen depends on other processes")
                    .help(
                        "remove `xr` and `xs`, or ask `full` or `empty` in both directions instead of `else`",
                    )
                    .note(exclusive.span, "claimed here");
            self.report(diagnostic, place);
        }
    }

    fn range(&mut self, from: &Expression, to: &Expression) {
        self.expression(from);
        self.expression(to);
        let (Some(first), Some(last)) = (constant(from, &self.symbols), constant(to, &self.symbols)) else {
            return;
        };
        if first > last {
            let diagnostic = Diagnostic::warning(from.place.span, format!("{first} .. {last} is empty"))
                .label("larger than the last value")
                .help("swap the two");
            self.report(diagnostic, from.place);
        }
    }

    fn repeated(&mut self, body: &Sequence) {
        self.loops += 1;
        self.block(body);
        self.loops -= 1;
    }

    fn for_in(&mut self, over: &Reference) {
        self.reference(over, true);
        self.note(over, Act::Read);
        let Some((kind, length)) = self.symbols.type_of(over) else { return };
        if length.is_none() && kind != Type::Chan {
            let diagnostic = Diagnostic::error(over.place.span, "neither an array nor a channel")
                .label("can't be iterated over")
                .help("use `for (i : from .. to)` for numbers");
            self.report(diagnostic, over.place);
        }
        if kind == Type::Chan
            && let Some(used) = self.used(over)
        {
            used.received.get_or_insert(over.place);
        }
    }

    fn break_statement(&mut self, place: Place) {
        if self.loops == 0 {
            let diagnostic = Diagnostic::error(place.span, "`break` outside a loop")
                .label("nothing to leave here")
                .help("`break` leaves the `do` or `for` around it; use `goto` elsewhere");
            self.report(diagnostic, place);
        }
    }

    fn goto(&mut self, label: &Name) {
        let place = label.place;
        let Some(key) = self.symbols.label(self.item, label, &self.unit.expansions) else {
            let labels = self.symbols.labels.get(&self.item);
            let names = labels.into_iter().flat_map(|labels| labels.keys()).map(|(name, _)| name.as_ref());
            let help = did_you_mean(self.guess(&label.text, names), "put the label before a statement here");
            let diagnostic = Diagnostic::error(place.span, format!("there is no label `{}`", label.text))
                .label("unknown label")
                .help(help);
            return self.report(diagnostic, place);
        };
        let region: Option<Span> = self.label_regions.get(&key).copied().flatten();
        if region != self.d_step {
            let diagnostic = Diagnostic::error(place.span, "a jump into or out of `d_step`")
                .label("the label is on the other side of the braces")
                .help("use `atomic`, or jump to the last statement inside the `d_step`");
            self.report(diagnostic, place);
        }
    }
}

/// Where `else` begins an option, perhaps inside braces.
fn leading_else(option: &Sequence) -> Option<Place> {
    let first = option.statements.first()?;
    match &first.kind {
        StatementKind::Else => Some(first.place),
        StatementKind::Atomic(body) | StatementKind::DStep(body) | StatementKind::Block(body) => {
            leading_else(body)
        }
        _ => None,
    }
}

/// Whether the first statement of an option looks at a channel.
fn begins_with_channel(option: &Sequence) -> bool {
    fn asks(expression: &Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Probe(..) => true,
            ExpressionKind::Unary(_, operand) => asks(operand),
            ExpressionKind::Binary(_, left, right) => asks(left) || asks(right),
            ExpressionKind::Conditional(condition, yes, no) => asks(condition) || asks(yes) || asks(no),
            _ => false,
        }
    }
    option.statements.first().is_some_and(|statement| match &statement.kind {
        StatementKind::Send(_) | StatementKind::Receive(_) => true,
        StatementKind::Expression(expression) => asks(expression),
        _ => false,
    })
}
