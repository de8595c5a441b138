//! Expressions, with the precedence of C.

use super::super::ast::{
    BinaryOperator, Expression, ExpressionKind, Part, Probe, Receive, Reference, UnaryOperator,
};
use super::super::token::{Mark, Place, TokenKind};
use super::cursor::{OPERATORS, Parser};
use super::words::is_reserved;
use super::{Failed, Parse};
use mazurka_model::source::Diagnostic;

/// The operator a mark stands for between two operands, and how strongly it binds.
pub(super) fn binary_operator(mark: Mark) -> Option<(BinaryOperator, u8)> {
    use BinaryOperator as Operator;
    Some(match mark {
        Mark::OrOr => (Operator::Or, 0),
        Mark::AndAnd => (Operator::And, 1),
        Mark::Or => (Operator::BitOr, 2),
        Mark::Caret => (Operator::BitXor, 3),
        Mark::And => (Operator::BitAnd, 4),
        Mark::Equal => (Operator::Equal, 5),
        Mark::NotEqual => (Operator::NotEqual, 5),
        Mark::Less => (Operator::Less, 6),
        Mark::LessEqual => (Operator::LessEqual, 6),
        Mark::Greater => (Operator::Greater, 6),
        Mark::GreaterEqual => (Operator::GreaterEqual, 6),
        Mark::ShiftLeft => (Operator::ShiftLeft, 7),
        Mark::ShiftRight => (Operator::ShiftRight, 7),
        Mark::Plus => (Operator::Add, 8),
        Mark::Minus => (Operator::Subtract, 8),
        Mark::Star => (Operator::Multiply, 9),
        Mark::Slash => (Operator::Divide, 9),
        Mark::Percent => (Operator::Remainder, 9),
        _ => return None,
    })
}

impl Parser {
    /// A whole expression.
    pub(super) fn expression(&mut self) -> Parse<Expression> {
        let operators = self.operators;
        let result = self.nested(|parser| parser.binary(0));
        self.operators = operators;
        result
    }

    /// An expression that begins with an operand already read.
    pub(super) fn expression_from(&mut self, left: Expression) -> Parse<Expression> {
        let operators = self.operators;
        let result = self.binary_from(left, 0);
        self.operators = operators;
        result
    }

    pub(super) fn binary(&mut self, minimum: u8) -> Parse<Expression> {
        let left = self.unary()?;
        self.binary_from(left, minimum)
    }

    fn binary_from(&mut self, mut left: Expression, minimum: u8) -> Parse<Expression> {
        while let Some((operator, strength)) =
            self.mark().and_then(binary_operator).filter(|(_, strength)| *strength >= minimum)
        {
            self.advance();
            self.count_operator()?;
            let right = self.binary(strength + 1)?;
            let place = self.expansions.join(left.place, right.place);
            let kind = ExpressionKind::Binary(operator, Box::new(left), Box::new(right));
            left = Expression { kind, place };
        }
        Ok(left)
    }

    /// Bounds the height of trees, which later passes walk recursively.
    pub(super) fn count_operator(&mut self) -> Parse<()> {
        self.operators += 1;
        if self.operators <= OPERATORS {
            return Ok(());
        }
        let place = self.place();
        let message = format!("this expression has more than {OPERATORS} operators");
        let diagnostic = Diagnostic::error(place.span, message)
            .label("at this place")
            .help("split it, or compute parts of it into variables");
        self.report(diagnostic, place);
        Err(Failed)
    }

    pub(super) fn unary(&mut self) -> Parse<Expression> {
        let first = self.place();
        let operators: &[UnaryOperator] = match self.mark() {
            Some(Mark::Not) => &[UnaryOperator::Not],
            Some(Mark::NotNot) => &[UnaryOperator::Not, UnaryOperator::Not],
            Some(Mark::Minus) => &[UnaryOperator::Minus],
            Some(Mark::MinusMinus) => &[UnaryOperator::Minus, UnaryOperator::Minus],
            Some(Mark::Tilde) => &[UnaryOperator::Complement],
            _ => return self.primary(),
        };
        self.advance();
        let mut operand = self.nested(|parser| parser.unary())?;
        for operator in operators {
            self.count_operator()?;
            let place = self.expansions.join(first, operand.place);
            operand = Expression { kind: ExpressionKind::Unary(*operator, Box::new(operand)), place };
        }
        Ok(operand)
    }

    fn primary(&mut self) -> Parse<Expression> {
        let first = self.place();
        if self.implied {
            return Err(self.unexpected("expected an expression", None));
        }
        let kind = match &self.token().kind {
            TokenKind::Number(Some(value)) => {
                let value = *value;
                self.advance();
                if value > i64::from(i32::MAX) {
                    let wrapped = value as i32;
                    let message = format!("{value} does not fit in 32 bits");
                    let diagnostic = Diagnostic::warning(first.span, message)
                        .label(format!("becomes {wrapped}"))
                        .help("use a number below 2147483648");
                    self.report(diagnostic, first);
                }
                ExpressionKind::Number(value)
            }
            TokenKind::Number(None) => {
                let diagnostic = Diagnostic::error(first.span, "this number is too large")
                    .label("does not even fit in 64 bits")
                    .help("use a number below 2147483648");
                self.report(diagnostic, first);
                self.advance();
                ExpressionKind::Number(0)
            }
            TokenKind::Character(value) => {
                let value = *value;
                self.advance();
                ExpressionKind::Number(value)
            }
            TokenKind::Mark(Mark::LeftParen) => {
                self.advance();
                return self.parenthesised(first);
            }
            TokenKind::Name(word) if is_reserved(word) => {
                let word = word.clone();
                self.reserved_operand(&word)?
            }
            TokenKind::Name(word) if self.mtypes.contains(word) => {
                let word = word.clone();
                self.advance();
                ExpressionKind::Mtype(word)
            }
            TokenKind::Name(_) => {
                let reference = self.reference()?;
                return self.operand_from(reference);
            }
            _ => return Err(self.unexpected("expected an expression", None)),
        };
        Ok(Expression { kind, place: self.since(first) })
    }

    /// Behind `(`: an expression or `condition -> yes : no`.
    fn parenthesised(&mut self, first: Place) -> Parse<Expression> {
        let mut inner = self.nested(|parser| parser.binary(0))?;
        if self.accept(Mark::Arrow) {
            self.count_operator()?;
            let yes = self.nested(|parser| parser.binary(0))?;
            self.expect(Mark::Colon, "between the two values of `(condition -> value : value)`")?;
            let no = self.nested(|parser| parser.binary(0))?;
            let kind = ExpressionKind::Conditional(Box::new(inner), Box::new(yes), Box::new(no));
            inner = Expression { kind, place: first };
        }
        self.expect(Mark::RightParen, "to close the parenthesis")?;
        inner.place = self.since(first);
        Ok(inner)
    }

    fn reserved_operand(&mut self, word: &str) -> Parse<ExpressionKind> {
        let simple = match word {
            "true" => Some(ExpressionKind::Boolean(true)),
            "false" => Some(ExpressionKind::Boolean(false)),
            "skip" => Some(ExpressionKind::Skip),
            "timeout" => Some(ExpressionKind::Timeout),
            "np_" => Some(ExpressionKind::NonProgress),
            _ => None,
        };
        if let Some(kind) = simple {
            self.advance();
            return Ok(kind);
        }
        match word {
            "run" => self.run(),
            "len" | "empty" | "nempty" | "full" | "nfull" => {
                self.advance();
                self.expect(Mark::LeftParen, &format!("behind `{word}`"))?;
                let channel = self.reference()?;
                self.expect(Mark::RightParen, "behind the channel")?;
                Ok(match word {
                    "len" => ExpressionKind::Length(channel),
                    "empty" => ExpressionKind::Probe(Probe::Empty, channel),
                    "nempty" => ExpressionKind::Probe(Probe::NotEmpty, channel),
                    "full" => ExpressionKind::Probe(Probe::Full, channel),
                    _ => ExpressionKind::Probe(Probe::NotFull, channel),
                })
            }
            "enabled" | "pc_value" | "get_priority" => {
                self.advance();
                self.expect(Mark::LeftParen, &format!("behind `{word}`"))?;
                let process = Box::new(self.nested(|parser| parser.binary(0))?);
                self.expect(Mark::RightParen, "behind the process")?;
                Ok(match word {
                    "enabled" => ExpressionKind::Enabled(process),
                    "pc_value" => ExpressionKind::PcValue(process),
                    _ => ExpressionKind::GetPriority(process),
                })
            }
            "eval" => Err(self.unexpected(
                "expected an expression",
                Some("`eval` only stands in the arguments of a receive"),
            )),
            _ => Err(self.unexpected("expected an expression", None)),
        }
    }

    fn run(&mut self) -> Parse<ExpressionKind> {
        self.advance();
        let proctype = self.name("the name of a proctype behind `run`")?;
        self.expect(Mark::LeftParen, "before the arguments of `run`")?;
        let arguments = self.arguments()?;
        self.expect(Mark::RightParen, "behind the arguments of `run`")?;
        let priority = self.priority()?.map(Box::new);
        Ok(ExpressionKind::Run { proctype, arguments, priority })
    }

    /// `priority number`, if it stands here.
    pub(super) fn priority(&mut self) -> Parse<Option<Expression>> {
        if self.is_word("priority") {
            self.advance();
            return self.nested(|parser| parser.unary()).map(Some);
        }
        Ok(None)
    }

    /// Expressions with commas between them, up to a closing parenthesis; possibly none.
    pub(super) fn arguments(&mut self) -> Parse<Vec<Expression>> {
        let mut arguments = Vec::new();
        if self.is(Mark::RightParen) {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.nested(|parser| parser.binary(0))?);
            if !self.accept(Mark::Comma) {
                return Ok(arguments);
            }
        }
    }

    /// `name[index].field[index]…`
    pub(super) fn reference(&mut self) -> Parse<Reference> {
        let first = self.place();
        let id = self.reference_id();
        let mut parts = Vec::with_capacity(1);
        loop {
            parts.push(self.part()?);
            if !self.accept(Mark::Dot) {
                break;
            }
        }
        Ok(Reference { id, parts, place: self.since(first) })
    }

    fn part(&mut self) -> Parse<Part> {
        if let Some(word) = self.word().cloned()
            && self.mtypes.contains(&word)
        {
            let help = format!("`{word}` is a value of an mtype; choose another name for the variable");
            return Err(self.unexpected("expected a variable", Some(&help)));
        }
        let name = self.name("the name of a variable")?;
        let mut index = None;
        if self.accept(Mark::LeftBracket) {
            index = Some(Box::new(self.nested(|parser| parser.binary(0))?));
            self.expect(Mark::RightBracket, "behind the index")?;
        }
        Ok(Part { name, index })
    }

    /// What begins with a reference: the variable itself, a remote reference, or a poll.
    pub(super) fn operand_from(&mut self, reference: Reference) -> Parse<Expression> {
        let first = reference.place;
        let simple = reference.parts.len() == 1;
        let kind = match self.mark() {
            Some(Mark::At) if simple => {
                self.advance();
                let (proctype, instance) = split(reference)?;
                let label = self.name("a label behind `@`")?;
                ExpressionKind::RemoteLabel { proctype, instance, label }
            }
            Some(Mark::Colon) if simple && self.proctypes.contains(&reference.parts[0].name.text) => {
                self.advance();
                let (proctype, instance) = split(reference)?;
                let start = self.place();
                let id = self.reference_id();
                let parts = vec![self.part()?];
                let variable = Reference { id, parts, place: self.since(start) };
                ExpressionKind::RemoteVariable { proctype, instance, variable }
            }
            Some(mark @ (Mark::Question | Mark::QuestionQuestion))
                if *self.ahead(1) == TokenKind::Mark(Mark::LeftBracket) =>
            {
                self.advance();
                self.advance();
                let arguments = self.receive_arguments()?;
                self.expect(Mark::RightBracket, "behind the arguments of the poll")?;
                let random = mark == Mark::QuestionQuestion;
                ExpressionKind::Poll(Box::new(Receive { channel: reference, random, keep: true, arguments }))
            }
            _ => ExpressionKind::Reference(reference),
        };
        Ok(Expression { kind, place: self.since(first) })
    }
}

/// The name and index of a reference with one part.
fn split(reference: Reference) -> Parse<(super::super::ast::Name, Option<Box<Expression>>)> {
    reference.parts.into_iter().next().map(|part| (part.name, part.index)).ok_or(Failed)
}
