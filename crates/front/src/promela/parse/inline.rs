//! Inlines: defined as text, expanded where they are called.
//!
//! As in SPIN, the parameters are replaced by the text of the arguments, nothing is renamed, and the
//! result is a block, so what an inline declares is local to it. `variable = inline(…)` makes
//! `return` an assignment to the variable.

use super::super::ast::{InlineDefinition, Name, Reference, Statement};
use super::super::token::{ExpansionKind, Mark, Origin, Place, Text, Token, TokenKind};
use super::cursor::Parser;
use super::{Failed, Parse};
use mazurka_model::source::Diagnostic;
use std::rc::Rc;

/// An inline as text.
pub struct Inline {
    parameters: Vec<Text>,
    /// With its braces.
    body: Vec<Token>,
    place: Place,
    /// Where it is in the list of definitions.
    number: usize,
}

impl Parser {
    /// `inline name(parameters) { body }`; the body is not parsed before it is used.
    pub(super) fn inline_definition(&mut self) -> Parse<()> {
        self.advance();
        let name = self.name("the name of the inline")?;
        self.expect(Mark::LeftParen, "before the parameters of the inline")?;
        let mut parameters: Vec<Name> = Vec::new();
        while !self.is(Mark::RightParen) {
            parameters.push(self.name("a parameter")?);
            if !self.accept(Mark::Comma) {
                break;
            }
        }
        self.expect(Mark::RightParen, "behind the parameters of the inline")?;
        if !self.is(Mark::LeftBrace) {
            return Err(self.unexpected("expected `{` before the body of the inline", None));
        }
        let mut body = Vec::new();
        let mut depth = 0;
        loop {
            self.implied = false;
            if self.is_end() {
                return Err(self.unexpected("expected `}` behind the body of the inline", None));
            }
            match self.mark() {
                Some(Mark::LeftBrace) => depth += 1,
                Some(Mark::RightBrace) => depth -= 1,
                _ => {}
            }
            body.push(self.token().clone());
            self.advance();
            if depth == 0 {
                break;
            }
        }
        let number = self.definitions.len();
        let formal = parameters.iter().map(|name| name.text.clone()).collect();
        self.definitions.push(InlineDefinition { name: name.clone(), parameters, uses: 0 });
        let inline = Inline { parameters: formal, body, place: name.place, number };
        if let Some(old) = self.inlines.insert(name.text.clone(), Rc::new(inline)) {
            let diagnostic =
                Diagnostic::error(name.place.span, format!("inline `{}` is defined twice", name.text))
                    .label("defined again here")
                    .help("remove or rename one of the two")
                    .note(old.place.span, "first defined here");
            self.report(diagnostic, name.place);
        }
        Ok(())
    }

    /// The name of an inline and `(` stand here.
    pub(super) fn at_inline_call(&self) -> bool {
        !self.inlines.is_empty()
            && *self.ahead(1) == TokenKind::Mark(Mark::LeftParen)
            && self.word().is_some_and(|word| self.inlines.contains_key(word))
    }

    /// A call, with the variable that `return` sets, if there is one.
    pub(super) fn inline_call(&mut self, target: Option<Reference>) -> Parse<Statement> {
        let name = self.name("the name of an inline")?;
        let Some(inline) = self.inlines.get(&name.text).cloned() else { return Err(Failed) };
        let arguments = self.call_arguments(&name)?;
        let call = self.since(name.place);
        if arguments.len() != inline.parameters.len() {
            let message = format!(
                "inline `{}` has {} parameters, not {}",
                name.text,
                inline.parameters.len(),
                arguments.len()
            );
            let diagnostic = Diagnostic::error(call.span, message)
                .label("called here")
                .help("give one argument for each parameter")
                .note(inline.place.span, "defined here");
            self.report(diagnostic, call);
            self.imply_behind_brace();
            return Err(Failed);
        }
        if self.expanding.iter().any(|(open, _)| *open == name.text) {
            let diagnostic = Diagnostic::error(call.span, format!("inline `{}` calls itself", name.text))
                .label("called again here")
                .help("an inline is text: use a loop, or a proctype");
            self.report(diagnostic, call);
            return Err(Failed);
        }
        if let Some(definition) = self.definitions.get_mut(inline.number) {
            definition.uses += 1;
        }
        let body = self.substitute(&name, &inline, &arguments, call)?;
        self.expand_here(name, body, target, call)
    }

    /// The arguments of a call as text, from `(` to `)`.
    fn call_arguments(&mut self, name: &Name) -> Parse<Vec<Vec<Token>>> {
        self.expect(Mark::LeftParen, "before the arguments of the inline")?;
        let mut arguments = vec![Vec::new()];
        let mut depth = 0;
        loop {
            self.implied = false;
            match self.mark() {
                None if self.is_end() => {
                    let label = format!("expected `)` behind the arguments of `{}`", name.text);
                    return Err(self.unexpected(&label, None));
                }
                Some(Mark::RightParen) if depth == 0 => break,
                Some(Mark::Comma) if depth == 0 => {
                    arguments.push(Vec::new());
                    self.advance();
                    continue;
                }
                Some(Mark::LeftParen) => depth += 1,
                Some(Mark::RightParen) => depth -= 1,
                _ => {}
            }
            let token = self.token().clone();
            if let Some(last) = arguments.last_mut() {
                last.push(token);
            }
            self.advance();
        }
        self.advance();
        if arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        Ok(arguments)
    }

    /// The text of the body with its parameters replaced.
    fn substitute(
        &mut self,
        name: &Name,
        inline: &Inline,
        arguments: &[Vec<Token>],
        call: Place,
    ) -> Parse<Vec<Token>> {
        let origin = self.expansions.add(ExpansionKind::Inline, name.text.clone(), call.span, call.origin);
        let mut body = Vec::with_capacity(inline.body.len() + 1);
        // Neighbours mostly have the same origin, so one new entry serves them all.
        let mut moved_before = (Origin::SOURCE, origin);
        for token in &inline.body {
            let known = self.expansions.count();
            if token.place.origin != moved_before.0 {
                let moved = self.expansions.rebase(token.place.origin, Origin::SOURCE, origin);
                moved_before = (token.place.origin, moved);
            }
            let place = Place { span: token.place.span, origin: moved_before.1 };
            let before = body.len();
            match parameter(inline, token) {
                None => body.push(Token { place, ..token.clone() }),
                Some(index) => {
                    let formal = inline.parameters[index].clone();
                    let moved =
                        self.expansions.add(ExpansionKind::Parameter, formal, place.span, place.origin);
                    for (position, argument) in arguments[index].iter().enumerate() {
                        let mut copy = argument.clone();
                        copy.place.origin = self.expansions.rebase(copy.place.origin, call.origin, moved);
                        copy.starts_line = position == 0 && token.starts_line;
                        body.push(copy);
                    }
                }
            }
            let spent = body.len() - before + self.expansions.count() - known;
            let Some(left) = self.budget.checked_sub(spent) else {
                let diagnostic = Diagnostic::error(call.span, "inlines expand to too much text")
                    .label("in this call")
                    .help("do inlines call each other more than once?");
                self.report(diagnostic, call);
                self.budget = 0;
                return Err(Failed);
            };
            self.budget = left;
        }
        body.push(Token {
            kind: TokenKind::End,
            place: Place { span: call.span, origin: call.origin },
            starts_line: true,
            spaced: true,
            painted: false,
        });
        Ok(body)
    }

    /// Parses a body in the place of the call.
    fn expand_here(
        &mut self,
        name: Name,
        body: Vec<Token>,
        target: Option<Reference>,
        call: Place,
    ) -> Parse<Statement> {
        let outer = std::mem::replace(&mut self.tokens, Rc::new(body));
        let at = std::mem::replace(&mut self.at, 0);
        let parentheses = std::mem::replace(&mut self.parentheses, 0);
        self.implied = false;
        self.initialising = false;
        self.expanding.push((name.text, target));
        let mut result = self.nested(|parser| parser.block_statement());
        if result.is_ok() && !self.is_end() {
            result = Err(self.unexpected("expected the end of the inline", None));
        }
        self.expanding.pop();
        self.tokens = outer;
        self.at = at;
        self.parentheses = parentheses;
        self.previous = call;
        self.imply_behind_brace();
        result.map(|mut statement| {
            statement.place = call;
            statement
        })
    }
}

/// Which parameter a token of the body is.
fn parameter(inline: &Inline, token: &Token) -> Option<usize> {
    match &token.kind {
        TokenKind::Name(word) => inline.parameters.iter().position(|formal| formal == word),
        _ => None,
    }
}
