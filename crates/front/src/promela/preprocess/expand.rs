//! Replacing macros.
//!
//! The input is a stack of token lists. A macro's replacement goes on top, and the macro is disabled
//! until its list is used up, so recursion ends: inside its own expansion the name of a macro is
//! painted and stays what it is, also later. Arguments are expanded on their own first, except
//! beside `#` and `##`.

use super::super::lex::lex;
use super::super::token::{ExpansionKind, Mark, Origin, Place, Text, Token, TokenKind};
use super::{Macro, Preprocessor};
use mazurka_model::source::Diagnostic;
use std::collections::HashSet;
use std::rc::Rc;

const NESTING: usize = 200;

struct Level {
    tokens: std::vec::IntoIter<Token>,
    /// The macro whose replacement this is.
    of: Option<Text>,
}

struct Input {
    levels: Vec<Level>,
    disabled: HashSet<Text>,
}

impl Input {
    fn drop_finished(&mut self) {
        while self.levels.len() > 1 && self.levels.last().is_some_and(|level| level.tokens.len() == 0) {
            if let Some(Level { of: Some(name), .. }) = self.levels.pop() {
                self.disabled.remove(&name);
            }
        }
    }

    fn next(&mut self) -> Option<Token> {
        self.drop_finished();
        self.levels.last_mut()?.tokens.next()
    }

    fn peek(&mut self) -> Option<&Token> {
        // A finished level is not dropped here: its macro stays disabled for the token just read.
        self.levels.iter().rev().find_map(|level| level.tokens.as_slice().first())
    }
}

impl Preprocessor<'_> {
    /// Replaces all macros in `tokens`.
    pub(super) fn expand(&mut self, tokens: Vec<Token>, depth: usize) -> Vec<Token> {
        if self.macros.is_empty() && !tokens.iter().any(is_predefined) {
            return tokens;
        }
        let mut output = Vec::with_capacity(tokens.len());
        let mut input =
            Input { levels: vec![Level { tokens: tokens.into_iter(), of: None }], disabled: HashSet::new() };
        while let Some(mut token) = input.next() {
            let found = match &token.kind {
                TokenKind::Name(name) if !token.painted => {
                    self.macros.get_key_value(name).map(|(name, found)| (name.clone(), found.clone()))
                }
                _ => None,
            };
            let Some((name, found)) = found else {
                if is_predefined(&token) {
                    token.kind = self.predefined(&token);
                }
                output.push(token);
                continue;
            };
            if input.disabled.contains(&name) {
                token.painted = true;
                output.push(token);
                continue;
            }
            let called = input.peek().is_some_and(|next| next.kind == TokenKind::Mark(Mark::LeftParen));
            if found.parameters.is_some() && !called {
                output.push(token);
                continue;
            }
            let Some(arguments) = self.arguments(&name, &found, &token, &mut input) else { continue };
            let replacement = self.replace(&name, &found, &token, arguments, depth);
            if self.exhausted {
                break;
            }
            // The level the name came from may be used up; its macro stays disabled all the same.
            input.disabled.insert(name.clone());
            input.levels.push(Level { tokens: replacement.into_iter(), of: Some(name) });
        }
        output
    }

    /// The arguments of a call, which stand in the input; none for a macro without a list.
    fn arguments(
        &mut self,
        name: &Text,
        found: &Macro,
        call: &Token,
        input: &mut Input,
    ) -> Option<Vec<Vec<Token>>> {
        let Some(parameters) = &found.parameters else { return Some(Vec::new()) };
        input.next();
        let mut arguments = vec![Vec::new()];
        let mut open = 0;
        loop {
            let Some(token) = input.next() else {
                let message = format!("the arguments of macro `{name}` have no end");
                self.report(call.place, &message, "called here", "close them with `)`");
                return None;
            };
            match token.kind {
                TokenKind::Mark(Mark::RightParen) if open == 0 => break,
                TokenKind::Mark(Mark::Comma)
                    if open == 0 && !(found.variadic && arguments.len() == parameters.len()) =>
                {
                    arguments.push(Vec::new());
                    continue;
                }
                TokenKind::Mark(Mark::LeftParen) => open += 1,
                TokenKind::Mark(Mark::RightParen) => open -= 1,
                _ => {}
            }
            if let Some(last) = arguments.last_mut() {
                last.push(token);
            }
        }
        if parameters.is_empty() && arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        if found.variadic && arguments.len() + 1 == parameters.len() {
            arguments.push(Vec::new());
        }
        if arguments.len() != parameters.len() {
            let message =
                format!("macro `{name}` has {} parameters, not {}", parameters.len(), arguments.len());
            self.report(call.place, &message, "called here", "give one argument for each parameter");
            return None;
        }
        Some(arguments)
    }

    /// The value of `__LINE__` or `__FILE__`: where the text stands that the macros around it were used in.
    fn predefined(&mut self, token: &Token) -> TokenKind {
        let outermost = self.expansions.chain(token.place.origin).last();
        let place = self.sources.locate(outermost.map_or(token.place.span, |expansion| expansion.call));
        match token.kind.written().as_str() {
            "__LINE__" => TokenKind::Number(place.map(|place| place.line as i64)),
            _ => {
                let file = place.map_or_else(String::new, |place| place.file);
                TokenKind::String(self.interner.intern(&file.replace('\\', "\\\\").replace('"', "\\\"")))
            }
        }
    }

    fn report(&mut self, place: Place, message: &str, label: &str, help: &str) {
        let mut diagnostic = Diagnostic::error(place.span, message).label(label).help(help);
        diagnostic.notes.extend(super::super::expansion_notes(&self.expansions, place.origin));
        self.diagnostics.push(diagnostic);
    }

    /// The body of a macro with its parameters replaced.
    fn replace(
        &mut self,
        name: &Text,
        found: &Rc<Macro>,
        call: &Token,
        arguments: Vec<Vec<Token>>,
        depth: usize,
    ) -> Vec<Token> {
        let origin =
            self.expansions.add(ExpansionKind::Macro, name.clone(), call.place.span, call.place.origin);
        let parameters = found.parameters.as_deref().unwrap_or(&[]);
        let position = |token: &Token| match &token.kind {
            TokenKind::Name(name) => parameters.iter().position(|parameter| parameter == name),
            _ => None,
        };
        let mut expanded: Vec<Option<Vec<Token>>> = vec![None; arguments.len()];
        let mut output: Vec<Token> = Vec::with_capacity(found.body.len());
        let mut at = 0;
        let mut paste = false;
        while let Some(token) = found.body.get(at) {
            at += 1;
            if token.kind == TokenKind::Mark(Mark::HashHash) {
                paste = true;
                continue;
            }
            let next_pastes =
                found.body.get(at).is_some_and(|next| next.kind == TokenKind::Mark(Mark::HashHash));
            let piece = if token.kind == TokenKind::Mark(Mark::Hash)
                && let Some(index) = found.body.get(at).and_then(&position)
            {
                at += 1;
                vec![self.quote(&arguments[index], token, origin)]
            } else if let Some(index) = position(token) {
                let mut piece = if paste || next_pastes {
                    arguments[index].clone()
                } else if let Some(known) = &expanded[index] {
                    known.clone()
                } else {
                    let known = self.expand_argument(&arguments[index], call, depth);
                    expanded[index] = Some(known.clone());
                    known
                };
                // The lines of the arguments are not the lines of the expansion.
                piece.iter_mut().for_each(|token| token.starts_line = false);
                if let Some(first) = piece.first_mut() {
                    first.spaced = token.spaced;
                }
                piece
            } else {
                let mut copy = token.clone();
                copy.place.origin = origin;
                copy.starts_line = false;
                vec![copy]
            };
            if !self.spend(piece.len() + 1, call) {
                return output;
            }
            // As GNU C has it: `, ## __VA_ARGS__` is no comma at all if there are no arguments left.
            let rest = found.variadic && position(token) == parameters.len().checked_sub(1);
            let comma = output.last().is_some_and(|last| last.kind == TokenKind::Mark(Mark::Comma));
            if paste && rest && comma {
                paste = false;
                if piece.is_empty() {
                    output.pop();
                }
            }
            self.append(&mut output, piece, std::mem::take(&mut paste), origin);
        }
        if let Some(first) = output.first_mut() {
            first.starts_line = call.starts_line;
            first.spaced = call.spaced;
        }
        output
    }

    fn expand_argument(&mut self, argument: &[Token], call: &Token, depth: usize) -> Vec<Token> {
        if depth < NESTING {
            return self.expand(argument.to_vec(), depth + 1);
        }
        if !self.exhausted {
            self.exhausted = true;
            let message = format!("macro calls are nested more than {NESTING} deep");
            self.report(call.place, &message, "called here", "split the expression");
        }
        Vec::new()
    }

    /// Takes tokens from the budget; false, with a diagnostic, when there are none left.
    fn spend(&mut self, tokens: usize, call: &Token) -> bool {
        if self.exhausted {
            return false;
        }
        match self.budget.checked_sub(tokens) {
            Some(left) => {
                self.budget = left;
                true
            }
            None => {
                self.exhausted = true;
                let message = format!("macros expand to more than {} tokens", super::EXPANSION_BUDGET);
                self.report(call.place, &message, "in this use", "do macros double each other?");
                false
            }
        }
    }

    fn append(&mut self, output: &mut Vec<Token>, piece: Vec<Token>, paste: bool, origin: Origin) {
        let mut piece = piece.into_iter();
        if paste && let Some(left) = output.pop() {
            match piece.next() {
                Some(right) => output.extend(self.paste(left, right, origin)),
                None => output.push(left),
            }
        }
        output.extend(piece);
    }

    /// `left ## right`; if they make no single token, the two stay apart.
    fn paste(&mut self, left: Token, right: Token, origin: Origin) -> Vec<Token> {
        let text = format!("{}{}", left.kind.written(), right.kind.written());
        if !self.spend(text.len() / 16, &left) {
            return vec![left];
        }
        let mut tokens = lex(&text, left.place.span.file, &mut self.interner, &mut Vec::new());
        if tokens.len() == 1
            && let Some(mut token) = tokens.pop()
        {
            token.place = Place { span: left.place.span, origin };
            token.starts_line = left.starts_line;
            token.spaced = left.spaced;
            return vec![token];
        }
        let message = format!("`{text}` is not a token");
        self.report(Place { span: left.place.span, origin }, &message, "pasted here", "remove the `##`");
        vec![left, right]
    }

    /// `# parameter`: the argument as a string.
    fn quote(&mut self, argument: &[Token], hash: &Token, origin: Origin) -> Token {
        let mut text = String::new();
        for token in argument {
            if token.spaced && !text.is_empty() {
                text.push(' ');
            }
            let written = token.kind.written();
            match token.kind {
                TokenKind::String(_) => text.push_str(&written.replace('\\', "\\\\").replace('"', "\\\"")),
                _ => text.push_str(&written),
            }
        }
        // Quoting twice doubles the escapes, so long texts cost budget too.
        if !self.spend(text.len() / 16, hash) {
            text.clear();
        }
        Token {
            kind: TokenKind::String(self.interner.intern(&text)),
            place: Place { span: hash.place.span, origin },
            starts_line: false,
            spaced: hash.spaced,
            painted: false,
        }
    }
}

fn is_predefined(token: &Token) -> bool {
    matches!(&token.kind, TokenKind::Name(name) if matches!(name.as_ref(), "__LINE__" | "__FILE__"))
}
