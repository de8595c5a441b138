//! Expressions and formulas: every name must be known and be what it is used as.

use super::super::ast::{
    BinaryOperator, Expression, ExpressionKind, Formula, FormulaKind, Part, Receive, ReceiveArgument,
    Reference, UnaryOperator,
};
use super::super::token::Place;
use super::usage::Act;
use super::{Checker, Context, Predefined, SymbolKind, Type, constant, did_you_mean};
use mazurka_model::source::Diagnostic;

impl Checker<'_> {
    pub(super) fn formula(&mut self, formula: &Formula) {
        match &formula.kind {
            FormulaKind::Atom(expression) => self.expression(expression),
            FormulaKind::Not(operand)
            | FormulaKind::Always(operand)
            | FormulaKind::Eventually(operand)
            | FormulaKind::Next(operand) => self.formula(operand),
            FormulaKind::Binary(_, left, right) => {
                self.formula(left);
                self.formula(right);
            }
        }
    }

    pub(super) fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Number(_)
            | ExpressionKind::Boolean(_)
            | ExpressionKind::Skip
            | ExpressionKind::Mtype(_)
            | ExpressionKind::Timeout => {}
            ExpressionKind::NonProgress => self.non_progress(expression.place),
            ExpressionKind::Reference(reference) => {
                self.read(reference);
                self.escapes(reference);
            }
            ExpressionKind::Unary(operator, operand) => {
                if let (UnaryOperator::Not, ExpressionKind::Probe(..)) = (operator, &operand.kind) {
                    self.negated_probe(operand.place);
                }
                self.expression(operand);
            }
            ExpressionKind::Binary(operator, left, right) => {
                let boolean = matches!(operator, BinaryOperator::And | BinaryOperator::Or);
                if !boolean && let Some(probe) = [left, right].into_iter().find(|side| is_probe(side)) {
                    self.negated_probe(probe.place);
                }
                self.expression(left);
                self.expression(right);
                self.comparison(*operator, left, right, expression);
            }
            ExpressionKind::Conditional(condition, yes, no) => {
                self.expression(condition);
                self.expression(yes);
                self.expression(no);
            }
            ExpressionKind::Run { proctype, arguments, .. } => {
                self.run(proctype, arguments, expression.place);
            }
            ExpressionKind::Length(channel) | ExpressionKind::Probe(_, channel) => self.channel(channel),
            ExpressionKind::Poll(receive) => {
                self.receive(receive, "poll", expression.place);
                self.poll(&receive.channel, expression.place);
            }
            ExpressionKind::Enabled(process)
            | ExpressionKind::PcValue(process)
            | ExpressionKind::GetPriority(process) => self.expression(process),
            ExpressionKind::RemoteLabel { proctype, instance, label } => {
                if self.d_step.is_some() {
                    let diagnostic = Diagnostic::error(
                        expression.place.span,
                        "a label of another process inside `d_step`",
                    )
                    .label("not allowed here")
                    .help("ask for it before the `d_step`, or use `atomic`");
                    self.report(diagnostic, expression.place);
                }
                instance.iter().for_each(|instance| self.expression(instance));
                self.remote_labels.push((proctype.clone(), label.clone()));
            }
            ExpressionKind::RemoteVariable { proctype, instance, variable } => {
                instance.iter().for_each(|instance| self.expression(instance));
                variable.parts.iter().for_each(|part| self.index(part));
                self.remote_variables.push((proctype.clone(), variable.clone()));
            }
        }
    }

    fn non_progress(&mut self, place: Place) {
        if matches!(self.context, Context::Never | Context::Formula) {
            return;
        }
        let diagnostic = Diagnostic::error(place.span, "`np_` outside a claim")
            .label("only a claim can ask whether there is progress")
            .help("use it in a `never` claim or in a formula");
        self.report(diagnostic, place);
    }

    fn negated_probe(&mut self, place: Place) {
        // A partial-order reduction relies on it that these questions are only asked one way.
        if self.context == Context::Formula {
            return;
        }
        let diagnostic = Diagnostic::error(place.span, "this can only be joined with `&&` and `||`")
            .label("not an operand of other operators")
            .help("for the opposite use `nfull` for `full`, `nempty` for `empty`");
        self.report(diagnostic, place);
    }

    fn run(&mut self, proctype: &super::super::ast::Name, arguments: &[Expression], place: Place) {
        arguments.iter().for_each(|argument| self.expression(argument));
        if self.context != Context::Process {
            let diagnostic = Diagnostic::error(place.span, "`run` outside a process")
                .label("nothing can be started here")
                .help("start processes in `init` or a proctype, or with `active`");
            self.report(diagnostic, place);
        }
        let Some(item) = self.proctype(proctype) else { return };
        let unit = self.unit;
        let Some(super::super::ast::Item::Proctype(called)) = unit.items.get(item) else { return };
        let expected: usize = called.parameters.iter().map(|declaration| declaration.variables.len()).sum();
        let found = arguments.len();
        if found == expected {
            return;
        }
        let message = format!("proctype `{}` has {expected} parameters, not {found}", proctype.text);
        let label = if found > expected { "too many arguments" } else { "too few arguments" };
        let diagnostic =
            Diagnostic::error(place.span, message).label(label).help("give one argument for each parameter");
        self.report(diagnostic.note(called.name.place.span, "declared here"), place);
    }

    /// Refuses `run` where its effect would have no place.
    pub(super) fn no_run(&mut self, expression: &Expression, what: &str) {
        if count_runs(expression) > 0 {
            let diagnostic = Diagnostic::error(expression.place.span, format!("`run` in {what}"))
                .label("not allowed here")
                .help("start the process in a statement before and keep its number in a variable");
            self.report(diagnostic, expression.place);
        }
    }

    /// A reference whose value is used.
    pub(super) fn read(&mut self, reference: &Reference) {
        self.reference(reference, false);
        self.note(reference, Act::Read);
        let symbol = self.symbols.resolve(reference.id).map(|id| &self.symbols.get(id).kind);
        if let Some(SymbolKind::Predefined(Predefined::Scratch)) = symbol {
            let diagnostic = Diagnostic::error(reference.place.span, "`_` can't be read")
                .label("only written")
                .help("use a variable of your own");
            self.report(diagnostic, reference.place);
        }
    }

    /// A reference whose value is changed.
    pub(super) fn write(&mut self, reference: &Reference, act: Act) {
        self.reference(reference, false);
        self.note(reference, act);
        let symbol = self.symbols.resolve(reference.id).map(|id| &self.symbols.get(id).kind);
        if let Some(SymbolKind::Predefined(which)) = symbol
            && !matches!(which, Predefined::Scratch | Predefined::Priority)
        {
            let name = &reference.parts[0].name.text;
            let diagnostic = Diagnostic::error(reference.place.span, format!("`{name}` can't be changed"))
                .label("the system sets it")
                .help("use a variable of your own");
            self.report(diagnostic, reference.place);
        }
    }

    /// Looks a reference up. A whole array may only stand in the head of a `for`.
    pub(super) fn reference(&mut self, reference: &Reference, whole_array: bool) {
        reference.parts.iter().for_each(|part| self.index(part));
        let Some(first) = reference.parts.first() else { return };
        let found = self.scopes.iter().rev().find_map(|scope| scope.get(&first.name.text)).copied();
        let Some(id) = found else { return self.undeclared(first) };
        self.symbols.references[reference.id.0 as usize] = Some(id);
        let SymbolKind::Variable { kind, length, .. } = &self.symbols.get(id).kind else { return };
        let (mut kind, mut length) = (kind.clone(), *length);
        for (position, part) in reference.parts.iter().enumerate() {
            if position > 0 {
                let Some((next, elements)) = self.field(&kind, part) else { return };
                (kind, length) = (next, elements);
            }
            let last = position + 1 == reference.parts.len();
            self.indexed(part, length, last && whole_array);
        }
    }

    fn index(&mut self, part: &Part) {
        if let Some(index) = &part.index {
            self.expression(index);
        }
    }

    fn undeclared(&mut self, part: &Part) {
        let name = &part.name;
        let known = self.scopes.iter().flat_map(|scope| scope.keys()).map(|name| name.as_ref());
        let known = known.chain(self.symbols.mtypes.keys().map(|name| name.as_ref()));
        let known = known.chain(self.surroundings.macros.iter().map(|name| name.as_ref()));
        let known = known.chain(["skip", "break", "else", "true", "false", "timeout"]);
        let help = match self.guess(&name.text, known.filter(|name| !name.starts_with('_'))) {
            None if self.symbols.mtypes.contains_key(&name.text) => {
                "its mtype is declared later: move that declaration up".to_string()
            }
            guess => did_you_mean(guess, "declare it before it is used"),
        };
        let diagnostic = Diagnostic::error(name.place.span, format!("undeclared variable `{}`", name.text))
            .label("not known here")
            .help(help);
        self.report(diagnostic, name.place);
    }

    fn field(&mut self, kind: &Type, part: &Part) -> Option<(Type, Option<u32>)> {
        let name = &part.name;
        let Type::Structure(id) = kind else {
            let diagnostic = Diagnostic::error(name.place.span, "a field of something that is no structure")
                .label("what stands before the dot is a number")
                .help("remove the dot and the field");
            self.report(diagnostic, name.place);
            return None;
        };
        let structure = self.symbols.structure(*id);
        if let Some(field) = structure.fields.iter().find(|field| field.name == name.text) {
            return Some((field.kind.clone(), field.length));
        }
        let guess = self.guess(&name.text, structure.fields.iter().map(|field| field.name.as_ref()));
        let help = did_you_mean(guess, "add it to the typedef");
        let message = format!("type `{}` has no field `{}`", structure.name, name.text);
        let diagnostic = Diagnostic::error(name.place.span, message).label("unknown field").help(help);
        self.report(diagnostic, name.place);
        None
    }

    fn indexed(&mut self, part: &Part, length: Option<u32>, whole_array: bool) {
        let place = part.name.place;
        let name = &part.name.text;
        match (&part.index, length) {
            (None, Some(_)) if !whole_array => {
                let diagnostic = Diagnostic::error(place.span, format!("`{name}` is an array"))
                    .label("an index is missing")
                    .help(format!("write `{name}[index]`"));
                self.report(diagnostic, place);
            }
            (Some(index), None) => {
                let diagnostic = Diagnostic::warning(place.span, format!("`{name}` is not an array"))
                    .label("only index 0 exists")
                    .help("remove the index, or declare an array");
                self.report(diagnostic, index.place);
            }
            (Some(index), Some(length)) => {
                let Some(value) = constant(index, &self.symbols) else { return };
                if !(0..i64::from(length)).contains(&value) {
                    let message = format!("index {value} is outside `{name}`, which has {length} elements");
                    let diagnostic = Diagnostic::warning(index.place.span, message)
                        .label("will fail when it is executed")
                        .help(format!("the largest index is {}", length - 1));
                    self.report(diagnostic, index.place);
                }
            }
            _ => {}
        }
    }

    /// A receive or a poll.
    pub(super) fn receive(&mut self, receive: &Receive, what: &str, place: Place) {
        self.channel(&receive.channel);
        if let Some(used) = self.used(&receive.channel) {
            used.received.get_or_insert(place);
        }
        let mut width = 0;
        for argument in &receive.arguments {
            match argument {
                ReceiveArgument::Store(reference) => {
                    self.write(reference, Act::Receive);
                    self.escapes(reference);
                    width += self.reference_width(reference);
                }
                ReceiveArgument::Match(value) => {
                    self.expression(value);
                    width += 1;
                }
            }
        }
        self.message_fits(&receive.channel, width, what, place);
    }

    /// Warns if a constant doesn't fit where it is stored.
    pub(super) fn fits(&mut self, kind: &Type, value: &Expression) {
        let place = value.place;
        if let (Type::Mtype(Some(expected)), ExpressionKind::Mtype(name)) = (kind, &value.kind) {
            let found = self.symbols.mtypes.get(name).and_then(|value| value.subtype.clone());
            if found.as_ref() != Some(expected) {
                let diagnostic =
                    Diagnostic::warning(place.span, format!("`{name}` is not a value of mtype `{expected}`"))
                        .label("another mtype")
                        .help("values of different mtypes have the same numbers");
                self.report(diagnostic, place);
            }
        }
        let (Some((least, most)), Some(found)) = (kind.range(), constant(value, &self.symbols)) else {
            return;
        };
        if (least..=most).contains(&found) {
            return;
        }
        let stored = match kind {
            Type::Short => i64::from(found as i16),
            Type::Bit | Type::Bool => found & 1,
            Type::Unsigned(_) => found & most,
            _ => i64::from(found as u8),
        };
        let message = format!("{found} does not fit: the values are from {least} to {most}");
        let diagnostic = Diagnostic::warning(place.span, message)
            .label(format!("always stored as {stored}"))
            .help("use a larger type");
        self.report(diagnostic, place);
    }
}

fn is_probe(expression: &Expression) -> bool {
    matches!(expression.kind, ExpressionKind::Probe(..))
}

/// How many `run` are in an expression.
pub fn count_runs(expression: &Expression) -> usize {
    match &expression.kind {
        ExpressionKind::Run { arguments, .. } => 1 + arguments.iter().map(count_runs).sum::<usize>(),
        ExpressionKind::Unary(_, operand) => count_runs(operand),
        ExpressionKind::Binary(_, left, right) => count_runs(left) + count_runs(right),
        ExpressionKind::Conditional(condition, yes, no) => {
            count_runs(condition) + count_runs(yes) + count_runs(no)
        }
        _ => 0,
    }
}
