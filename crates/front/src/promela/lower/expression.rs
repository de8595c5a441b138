//! Expressions.

use super::Lowerer;
use crate::promela::ast::{
    self, BinaryOperator as Source, Expression as Tree, ExpressionKind, Probe, Receive, ReceiveArgument,
    Reference, UnaryOperator as SourceUnary,
};
use crate::promela::check::{Predefined, SymbolKind};
use mazurka_program::ir::{BinaryOperator, Expression, Pattern, ProcessQuestion, UnaryOperator, VariableRef};

fn not(expression: Expression) -> Expression {
    !expression
}

/// An operator of the source as one of the program.
fn binary(operator: Source) -> BinaryOperator {
    match operator {
        Source::Or => BinaryOperator::Or,
        Source::And => BinaryOperator::And,
        Source::BitOr => BinaryOperator::BitOr,
        Source::BitXor => BinaryOperator::BitXor,
        Source::BitAnd => BinaryOperator::BitAnd,
        Source::Equal => BinaryOperator::Equal,
        Source::NotEqual => BinaryOperator::NotEqual,
        Source::Less => BinaryOperator::Less,
        Source::LessEqual => BinaryOperator::LessEqual,
        Source::Greater => BinaryOperator::Greater,
        Source::GreaterEqual => BinaryOperator::GreaterEqual,
        Source::ShiftLeft => BinaryOperator::ShiftLeft,
        Source::ShiftRight => BinaryOperator::ShiftRight,
        Source::Add => BinaryOperator::Add,
        Source::Subtract => BinaryOperator::Subtract,
        Source::Multiply => BinaryOperator::Multiply,
        Source::Divide => BinaryOperator::Divide,
        Source::Remainder => BinaryOperator::Remainder,
    }
}

impl<'a> Lowerer<'a> {
    /// The value of an expression.
    pub(super) fn expression(&mut self, tree: &'a Tree) -> Expression {
        match &tree.kind {
            ExpressionKind::Number(value) => Expression::Constant(*value as i32),
            ExpressionKind::Boolean(value) => Expression::Constant((*value).into()),
            ExpressionKind::Skip => Expression::Constant(1),
            ExpressionKind::Mtype(name) => {
                Expression::Constant(self.symbols.mtypes.get(name).map_or(0, |v| v.value.into()))
            }
            ExpressionKind::Reference(reference) => self.reference(reference),
            ExpressionKind::Unary(operator, operand) => {
                let operator = match operator {
                    SourceUnary::Not => UnaryOperator::Not,
                    SourceUnary::Minus => UnaryOperator::Negate,
                    SourceUnary::Complement => UnaryOperator::Complement,
                };
                Expression::Unary(operator, Box::new(self.expression(operand)))
            }
            ExpressionKind::Binary(operator @ (Source::And | Source::Or), left, right) => {
                Expression::binary(binary(*operator), self.expression(left), self.perhaps(right))
            }
            ExpressionKind::Binary(operator, left, right) => {
                Expression::binary(binary(*operator), self.expression(left), self.expression(right))
            }
            ExpressionKind::Conditional(condition, yes, no) => Expression::Conditional(
                Box::new(self.expression(condition)),
                Box::new(self.perhaps(yes)),
                Box::new(self.perhaps(no)),
            ),
            ExpressionKind::Length(channel) => Expression::Length(Box::new(self.reference(channel))),
            ExpressionKind::Probe(probe, channel) => {
                let channel = Box::new(self.reference(channel));
                match probe {
                    Probe::Empty => Expression::Empty(channel),
                    Probe::NotEmpty => not(Expression::Empty(channel)),
                    Probe::Full => Expression::Full(channel),
                    Probe::NotFull => not(Expression::Full(channel)),
                }
            }
            ExpressionKind::Poll(receive) => {
                let channel = Box::new(self.reference(&receive.channel));
                let patterns = self.patterns(receive);
                Expression::Poll { channel, patterns, anywhere: receive.random }
            }
            ExpressionKind::Timeout => Expression::Timeout,
            ExpressionKind::Run { .. } => self.run_inside(tree),
            ExpressionKind::NonProgress => Expression::NonProgress,
            ExpressionKind::Enabled(process) => self.question(ProcessQuestion::Enabled, process),
            ExpressionKind::PcValue(process) => self.question(ProcessQuestion::Location, process),
            ExpressionKind::GetPriority(process) => self.question(ProcessQuestion::Priority, process),
            ExpressionKind::RemoteLabel { proctype, instance, label } => {
                self.remote_label(proctype, instance.as_deref(), label)
            }
            ExpressionKind::RemoteVariable { proctype, instance, variable } => {
                self.remote_variable(proctype, instance.as_deref(), variable)
            }
        }
    }

    fn question(&mut self, question: ProcessQuestion, process: &'a Tree) -> Expression {
        Expression::Process(question, Box::new(self.expression(process)))
    }

    /// The value of a variable, or a channel by name.
    pub(super) fn reference(&mut self, reference: &'a Reference) -> Expression {
        if let Some(channel) = self.named_channel(reference) {
            return Expression::Channel(channel);
        }
        let predefined = self.symbols.resolve(reference.id).and_then(|id| match self.symbols.get(id).kind {
            SymbolKind::Predefined(predefined) => Some(predefined),
            SymbolKind::Variable { .. } => None,
        });
        match predefined {
            Some(Predefined::Scratch) => return Expression::Constant(0),
            Some(Predefined::Pid) => return Expression::Pid,
            Some(Predefined::NumberOfProcesses) => return Expression::ProcessCount,
            Some(Predefined::Last) => {
                return self
                    .last
                    .map_or(Expression::Constant(0), |id| Expression::Variable(VariableRef::Global(id)));
            }
            Some(Predefined::Priority) => return self.own_priority(),
            None => {}
        }
        match self.place(reference) {
            Some((variable, None)) => Expression::Variable(variable),
            Some((variable, Some(index))) => Expression::Element(variable, Box::new(index)),
            None => Expression::Constant(0),
        }
    }

    /// What a message must look like and where it goes; missing fields take anything.
    pub(super) fn patterns(&mut self, receive: &'a Receive) -> Vec<Pattern> {
        let mut out = Vec::new();
        for argument in &receive.arguments {
            match argument {
                ReceiveArgument::Match(value) => out.push(Pattern::Match(self.expression(value))),
                ReceiveArgument::Store(target) if self.is_scratch(target) => out.push(Pattern::Ignore),
                ReceiveArgument::Store(target) => {
                    for (variable, index) in self.places(target) {
                        out.push(Pattern::Bind(super::statement::target(variable, index)));
                    }
                }
            }
        }
        let fields = self.fields(&receive.channel);
        while fields.is_some_and(|fields| out.len() < fields) {
            out.push(Pattern::Ignore);
        }
        out
    }

    /// The values of a message; missing ones are 0.
    pub(super) fn message(&mut self, send: &'a ast::Send) -> Vec<Expression> {
        let mut out = Vec::new();
        for argument in &send.arguments {
            if let ExpressionKind::Reference(reference) = &argument.kind
                && self.named_channel(reference).is_none()
                && let Some((crate::promela::check::Type::Structure(_), _)) = self.symbols.type_of(reference)
            {
                for (variable, index) in self.places(reference) {
                    out.push(match index {
                        None => Expression::Variable(variable),
                        Some(index) => Expression::Element(variable, Box::new(index)),
                    });
                }
                continue;
            }
            out.push(self.expression(argument));
        }
        let fields = self.fields(&send.channel);
        while fields.is_some_and(|fields| out.len() < fields) {
            out.push(Expression::Constant(0));
        }
        out
    }

    /// How many values a message of the channel holds, if that is known.
    fn fields(&mut self, channel: &Reference) -> Option<usize> {
        let symbol = self.symbols.resolve(channel.id)?;
        let SymbolKind::Variable { variable, .. } = &self.symbols.get(symbol).kind else { return None };
        self.message_width(*variable)
    }
}
