//! Sending and receiving.
//!
//! `q!a(b,c)` is another way to write `q!a,b,c`, and likewise for receives.

use super::super::ast::{
    Expression, ExpressionKind, Receive, ReceiveArgument, Reference, Send, StatementKind, UnaryOperator,
};
use super::super::token::{Mark, TokenKind};
use super::Parse;
use super::cursor::Parser;

impl Parser {
    /// Behind `channel !` or `channel !!`.
    pub(super) fn send(&mut self, channel: Reference, sorted: bool) -> Parse<StatementKind> {
        let mut arguments = Vec::new();
        loop {
            arguments.push(self.expression()?);
            if self.accept(Mark::LeftParen) {
                arguments.extend(self.arguments()?);
                self.expect(Mark::RightParen, "behind the fields of the message")?;
                break;
            }
            if !self.accept(Mark::Comma) {
                break;
            }
        }
        Ok(StatementKind::Send(Send { channel, sorted, arguments }))
    }

    /// Behind `channel ?` or `channel ??`, when it is no poll.
    pub(super) fn receive(&mut self, channel: Reference, random: bool) -> Parse<StatementKind> {
        let keep = self.accept(Mark::Less);
        let arguments = self.receive_arguments()?;
        if keep {
            self.expect(Mark::Greater, "behind the arguments of the receive")?;
            // A line may end here, although `>` never ends a statement otherwise.
            if self.token().starts_line && !self.ends_sequence() && !self.is_separator() {
                self.implied = true;
            }
        }
        Ok(StatementKind::Receive(Receive { channel, random, keep, arguments }))
    }

    /// The arguments of a receive or a poll.
    pub(super) fn receive_arguments(&mut self) -> Parse<Vec<ReceiveArgument>> {
        let mut arguments = Vec::new();
        self.receive_list(&mut arguments)?;
        Ok(arguments)
    }

    fn receive_list(&mut self, arguments: &mut Vec<ReceiveArgument>) -> Parse<()> {
        loop {
            if self.accept(Mark::LeftParen) {
                self.nested(|parser| parser.receive_list(arguments))?;
                self.expect(Mark::RightParen, "behind the fields of the message")?;
                return Ok(());
            }
            let argument = self.receive_argument()?;
            arguments.push(argument);
            if self.is(Mark::LeftParen) {
                continue;
            }
            if !self.accept(Mark::Comma) {
                return Ok(());
            }
        }
    }

    fn receive_argument(&mut self) -> Parse<ReceiveArgument> {
        let first = self.place();
        if self.accept_word("eval") {
            self.expect(Mark::LeftParen, "behind `eval`")?;
            let value = self.nested(|parser| parser.binary(0))?;
            self.expect(Mark::RightParen, "behind the value")?;
            return Ok(ReceiveArgument::Match(value));
        }
        if self.accept(Mark::Minus) {
            if !matches!(self.token().kind, TokenKind::Number(_)) {
                return Err(self.unexpected("expected a number", Some("use `eval(…)` for other values")));
            }
            let operand = self.unary()?;
            let place = self.since(first);
            let kind = ExpressionKind::Unary(UnaryOperator::Minus, Box::new(operand));
            return Ok(ReceiveArgument::Match(Expression { kind, place }));
        }
        let constant = match &self.token().kind {
            _ if self.implied => false,
            TokenKind::Number(_) | TokenKind::Character(_) => true,
            TokenKind::Name(word) => {
                matches!(word.as_ref(), "true" | "false" | "skip") || self.mtypes.contains(word)
            }
            _ => false,
        };
        if constant {
            return self.unary().map(ReceiveArgument::Match);
        }
        self.reference().map(ReceiveArgument::Store)
    }
}
