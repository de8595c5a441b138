//! Expressions, by precedence climbing, with a limit on nesting.

use super::{Noted, Parser, Read, Token};
use crate::ir::{
    BinaryOperator, ChannelIndex, ChannelRef, DeclaredObject, Expression, GlobalId, LocalId, LocationId,
    OwnChannel, ProcessQuestion, RemotePart, UnaryOperator, VariableRef,
};
use crate::text::names::{OPERATORS, closest, operation_name};
use mazurka_model::OperationKind;
use mazurka_model::source::{Diagnostic, Span};

/// How deeply the reader follows parentheses and signs.
const NESTING: usize = 100;

/// How many operators one expression may have.
const OPERATORS_AT_MOST: usize = 2000;

enum Named {
    Variable(VariableRef, bool),
    Channel(ChannelRef),
    Object(DeclaredObject),
}

impl Parser {
    pub(super) fn expression(&mut self) -> Read<Expression> {
        let span = self.span();
        if self.depth == 0 {
            self.operators = 0;
        }
        self.deeper(span)?;
        let result = self.conditional();
        self.depth -= 1;
        result
    }

    fn deeper(&mut self, span: Span) -> Read<()> {
        if self.depth >= NESTING {
            return self.error(span, format!("nested more than {NESTING} levels deep"));
        }
        self.depth += 1;
        Ok(())
    }

    fn conditional(&mut self) -> Read<Expression> {
        let condition = self.binary(1)?;
        if !self.take_sign("?") {
            return Ok(condition);
        }
        let then = self.expression()?;
        self.sign(":")?;
        let otherwise = self.expression()?;
        Ok(Expression::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise)))
    }

    fn operator(&self) -> Option<(BinaryOperator, u8)> {
        let Token::Sign(sign) = self.peek() else { return None };
        OPERATORS.iter().find(|(_, s, _)| s == sign).map(|(operator, _, tightness)| (*operator, *tightness))
    }

    fn binary(&mut self, loosest: u8) -> Read<Expression> {
        let start = self.span();
        let mut left = self.prefix()?;
        while let Some((operator, tightness)) = self.operator()
            && tightness >= loosest
        {
            // A long chain is deep to the left without nesting in the text.
            self.operators += 1;
            if self.operators > OPERATORS_AT_MOST {
                return self
                    .error(start, format!("an expression of more than {OPERATORS_AT_MOST} operators"));
            }
            self.advance();
            let right = self.binary(tightness + 1)?;
            left = Expression::binary(operator, left, right);
        }
        Ok(left)
    }

    fn prefix(&mut self) -> Read<Expression> {
        let span = self.span();
        let sign = match self.peek() {
            Token::Sign(sign @ ("-" | "!" | "!!" | "~")) => *sign,
            _ => return self.primary().map(|(e, _)| e),
        };
        self.advance();
        if sign == "-"
            && let Token::Number(value) = *self.peek()
        {
            self.advance();
            if value > 1 << 31 {
                return self.error(span, "not a 32-bit number");
            }
            return Ok(Expression::Constant((-value) as i32));
        }
        self.deeper(span)?;
        let operand = self.prefix();
        self.depth -= 1;
        let unary = |operator, e| Expression::Unary(operator, Box::new(e));
        Ok(match sign {
            "-" => unary(UnaryOperator::Negate, operand?),
            "~" => unary(UnaryOperator::Complement, operand?),
            "!!" => unary(UnaryOperator::Not, unary(UnaryOperator::Not, operand?)),
            _ => unary(UnaryOperator::Not, operand?),
        })
    }

    /// What binds most tightly, and whether it stands in parentheses.
    pub(super) fn primary(&mut self) -> Read<(Expression, bool)> {
        let parenthesis = self.at_sign("(");
        let mut expression = self.atom()?;
        let mut polls = 0;
        while let Token::Sign(sign @ ("?" | "??")) = *self.peek()
            && *self.peek_second() == Token::Sign("[")
        {
            polls += 1;
            if polls > 8 {
                return self.error(self.span(), "too many polls in a row");
            }
            self.advance();
            self.advance();
            let patterns = self.comma_separated(Parser::pattern)?;
            self.sign("]")?;
            let channel = Box::new(expression);
            expression = Expression::Poll { channel, patterns, anywhere: sign == "??" };
        }
        Ok((expression, parenthesis && polls == 0))
    }

    fn atom(&mut self) -> Read<Expression> {
        let span = self.span();
        match self.peek().clone() {
            Token::Number(value) => {
                self.advance();
                if value > i64::from(i32::MAX) {
                    return self.error(span, format!("{value} is not a signed 32-bit number"));
                }
                Ok(Expression::Constant(value as i32))
            }
            Token::Sign("(") => {
                self.advance();
                let inner = self.expression()?;
                self.sign(")")?;
                Ok(inner)
            }
            Token::Sign("::") => {
                self.advance();
                let (name, span) = self.name("a name of the program's")?;
                self.reference(&name, span, true)
            }
            Token::Word(word) => match word.as_str() {
                "true" | "false" => {
                    self.advance();
                    Ok(Expression::Constant((word == "true").into()))
                }
                "_pid" => {
                    self.advance();
                    Ok(Expression::Pid)
                }
                "_processes" => {
                    self.advance();
                    Ok(Expression::ProcessCount)
                }
                "_timeout" => {
                    self.advance();
                    Ok(Expression::Timeout)
                }
                "_nonprogress" => {
                    self.advance();
                    Ok(Expression::NonProgress)
                }
                "_enabled" | "_location" | "_priority" => {
                    self.advance();
                    self.sign("(")?;
                    let process = Box::new(self.expression()?);
                    self.sign(")")?;
                    let question = match word.as_str() {
                        "_enabled" => ProcessQuestion::Enabled,
                        "_location" => ProcessQuestion::Location,
                        _ => ProcessQuestion::Priority,
                    };
                    Ok(Expression::Process(question, process))
                }
                "_of" => {
                    self.advance();
                    self.remote()
                }
                "len" | "empty" | "full" if *self.peek_second() == Token::Sign("(") => {
                    self.advance();
                    self.sign("(")?;
                    let channel = Box::new(self.expression()?);
                    self.sign(")")?;
                    Ok(match word.as_str() {
                        "len" => Expression::Length(channel),
                        "empty" => Expression::Empty(channel),
                        _ => Expression::Full(channel),
                    })
                }
                _ => {
                    let (name, span) = self.name("an expression")?;
                    self.reference(&name, span, false)
                }
            },
            Token::Quoted(name) => {
                self.advance();
                self.reference(&name, span, false)
            }
            _ => self.expected("an expression"),
        }
    }

    /// `(P[i], at l)`, `(P, x)` or `(P, x[j])`: what a process of a type looks like.
    fn remote(&mut self) -> Read<Expression> {
        self.sign("(")?;
        let (name, span) = self.name("a process type's name")?;
        let process = self.process_named(&name, span)?;
        let mut instance = None;
        if self.take_sign("[") {
            instance = Some(Box::new(self.expression()?));
            self.sign("]")?;
        }
        self.sign(",")?;
        // A variable may have this name.
        let at = self.at_word("at") && *self.peek_second() != Token::Sign(")") && self.take_word("at");
        let (name, span) = self.name("a location or a variable of that process type")?;
        let known = &self.program.types[process.index()];
        let position = match at {
            true => known.locations.iter().position(|l| l.name == name),
            false => known.locals.iter().position(|v| v.name == name),
        };
        let Some(position) = position else {
            let what = if at { "location" } else { "variable" };
            return self.error(span, format!("`{}` has no {what} `{name}`", known.name));
        };
        let part = if at {
            RemotePart::At(LocationId(position as u32))
        } else if self.take_sign("[") {
            let index = self.expression()?;
            self.sign("]")?;
            RemotePart::Element(LocalId(position as u32), index)
        } else {
            RemotePart::Variable(LocalId(position as u32))
        };
        self.sign(")")?;
        Ok(Expression::Remote { process, instance, part: Box::new(part) })
    }

    pub(super) fn arguments(&mut self) -> Read<Vec<Expression>> {
        self.sign("(")?;
        if self.take_sign(")") {
            return Ok(Vec::new());
        }
        let arguments = self.comma_separated(|p| p.expression())?;
        self.sign(")")?;
        Ok(arguments)
    }

    fn reference(&mut self, name: &str, span: Span, global: bool) -> Read<Expression> {
        match self.lookup(name, span, global)? {
            Named::Variable(variable, array) => {
                if self.take_sign("[") {
                    let index = self.expression()?;
                    self.sign("]")?;
                    if !array {
                        return self.error(span, format!("`{name}` is not an array"));
                    }
                    return Ok(Expression::Element(variable, Box::new(index)));
                }
                if array {
                    return self.error(span, format!("`{name}` is an array and needs an index"));
                }
                Ok(Expression::Variable(variable))
            }
            Named::Channel(channel) => Ok(Expression::Channel(channel)),
            Named::Object(object) => self.observation(name, span, object),
        }
    }

    fn observation(&mut self, name: &str, span: Span, object: DeclaredObject) -> Read<Expression> {
        if !self.take_sign(".") {
            return self.error(span, format!("`{name}` is an object: only its operations can be used"));
        }
        let at = self.span();
        let (Token::Word(operation) | Token::Quoted(operation)) = self.peek().clone() else {
            return self.expected("an operation's name");
        };
        self.advance();
        let instance = self.program.objects[object.index()].kind.instantiate();
        let kinds: Vec<String> = instance.kinds().iter().map(|k| operation_name(k.name)).collect();
        let Some(kind) = kinds.iter().position(|k| *k == operation) else {
            let mut diagnostic = Diagnostic::error(at, format!("`{name}` has no operation `{operation}`"));
            let known = format!("its operations are {}", kinds.join(", "));
            diagnostic = diagnostic.help(match closest(&operation, kinds.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => known,
            });
            self.diagnostics.push(diagnostic);
            return Err(Noted);
        };
        let operands = self.arguments()?;
        Ok(Expression::Observe { object, kind: OperationKind(kind as u8), operands })
    }

    fn lookup(&mut self, name: &str, span: Span, global: bool) -> Read<Named> {
        let program = &self.program;
        let process = self.process.filter(|_| !global).map(|p| &program.types[p]);
        if let Some(process) = process {
            if let Some(i) = process.locals.iter().position(|v| v.name == name) {
                let array = process.locals[i].length.is_some();
                return Ok(Named::Variable(VariableRef::Local(LocalId(i as u32)), array));
            }
            if let Some(i) = process.channels.iter().position(|c| c.name == name) {
                return Ok(Named::Channel(ChannelRef::Own(OwnChannel(i as u32))));
            }
        }
        if let Some(i) = program.globals.iter().position(|v| v.name == name) {
            let array = program.globals[i].length.is_some();
            return Ok(Named::Variable(VariableRef::Global(GlobalId(i as u32)), array));
        }
        if let Some(i) = program.channels.iter().position(|c| c.name == name) {
            return Ok(Named::Channel(ChannelRef::Global(ChannelIndex(i as u32))));
        }
        if let Some(i) = program.objects.iter().position(|o| o.name == name) {
            return Ok(Named::Object(DeclaredObject(i as u32)));
        }
        let mut known: Vec<String> = program.globals.iter().map(|v| v.name.clone()).collect();
        known.extend(program.channels.iter().map(|c| c.name.clone()));
        known.extend(program.objects.iter().map(|o| o.name.clone()));
        if let Some(process) = process {
            known.extend(process.locals.iter().map(|v| v.name.clone()));
            known.extend(process.channels.iter().map(|c| c.name.clone()));
        }
        self.unknown(span, "the name", name, known.iter().map(String::as_str))
    }
}
