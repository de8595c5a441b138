//! Effects and patterns.

use super::{Parser, Read, Token};
use crate::ir::{Effect, Expression, Pattern, ProcessQuestion, Target};
use mazurka_model::source::Diagnostic;

impl Parser {
    pub(super) fn effect(&mut self) -> Read<Effect> {
        if self.take_word("assert") {
            return Ok(Effect::Assert(self.expression()?));
        }
        if self.take_word("print") {
            let Token::Text(format) = self.peek().clone() else { return self.expected("a text to print") };
            self.advance();
            let mut arguments = Vec::new();
            while self.take_sign(",") {
                arguments.push((self.expression()?, None));
            }
            return Ok(Effect::Print { format, arguments });
        }
        if self.take_word("exit") {
            return Ok(Effect::Exit);
        }
        if self.take_word("run") {
            return self.run(None);
        }
        let keep = self.take_word("peek");
        let span = self.span();
        let (subject, in_parentheses) = self.primary()?;
        let sign = match self.peek() {
            Token::Sign(sign) => *sign,
            _ => "",
        };
        match sign {
            "!" | "!!" if !keep => {
                self.advance();
                let fields = self.comma_separated(|p| p.expression())?;
                Ok(Effect::Send { channel: subject, fields, sorted: sign == "!!" })
            }
            "?" | "??" => {
                self.advance();
                let patterns = self.comma_separated(Parser::pattern)?;
                Ok(Effect::Receive { channel: subject, patterns, anywhere: sign == "??", keep })
            }
            "=" if !keep => {
                if let Expression::Process(ProcessQuestion::Priority, process) = subject {
                    self.advance();
                    let priority = self.expression()?;
                    return Ok(Effect::SetPriority { process: *process, priority });
                }
                let target = match as_target(subject) {
                    Some(target) if !in_parentheses => target,
                    _ => return self.error(span, "only a variable or an element can be assigned to"),
                };
                self.advance();
                self.assignment(target)
            }
            _ if keep => self.expected("`?` and what to look at"),
            _ => match subject {
                Expression::Observe { object, kind, operands } if !in_parentheses => {
                    Ok(Effect::Operate { object, kind, operands, target: None })
                }
                _ => {
                    let message = format!(
                        "an expression is no effect: `=`, `!` or `?` is missing before {}",
                        self.found()
                    );
                    let help = "a condition belongs behind `when`";
                    self.diagnostics.push(Diagnostic::error(self.since(span), message).help(help));
                    Err(super::Noted)
                }
            },
        }
    }

    fn assignment(&mut self, target: Target) -> Read<Effect> {
        if self.take_word("run") {
            return self.run(Some(target));
        }
        let parenthesis = self.at_sign("(");
        match self.expression()? {
            Expression::Observe { object, kind, operands } if !parenthesis => {
                Ok(Effect::Operate { object, kind, operands, target: Some(target) })
            }
            value => Ok(Effect::Assign { target, value }),
        }
    }

    fn run(&mut self, target: Option<Target>) -> Read<Effect> {
        let (name, span) = self.name("a process type's name")?;
        let process = self.process_named(&name, span)?;
        let arguments = self.arguments()?;
        Ok(Effect::Run { process, arguments, target })
    }

    /// A name or an element is stored to; anything else, parentheses too, is matched.
    pub(super) fn pattern(&mut self) -> Read<Pattern> {
        if self.take_word("_") {
            return Ok(Pattern::Ignore);
        }
        let parenthesis = self.at_sign("(");
        let value = self.expression()?;
        let is_target = matches!(value, Expression::Variable(_) | Expression::Element(..));
        if is_target
            && !parenthesis
            && let Some(target) = as_target(value.clone())
        {
            return Ok(Pattern::Bind(target));
        }
        Ok(Pattern::Match(value))
    }
}

fn as_target(expression: Expression) -> Option<Target> {
    match expression {
        Expression::Variable(v) => Some(Target::Variable(v)),
        Expression::Element(v, index) => Some(Target::Element(v, *index)),
        _ => None,
    }
}
