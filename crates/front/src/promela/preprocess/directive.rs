//! The directives of the preprocessor, apart from the arithmetic of `#if`.

use super::super::token::{Mark, Place, Text, Token, TokenKind};
use super::{Conditional, INCLUDE_DEPTH, MAXIMAL_FILES, Macro, Preprocessor};
use mazurka_model::source::{Diagnostic, Span};
use std::rc::Rc;

impl Preprocessor<'_> {
    /// Executes one directive: `line` begins with the `#`.
    pub(super) fn directive(&mut self, file: &str, line: &[Token], conditionals: &mut Vec<Conditional>) {
        let active = conditionals.last().is_none_or(|c| c.active);
        let Some(first) = line.get(1) else { return };
        let TokenKind::Name(name) = &first.kind else {
            if active && !matches!(first.kind, TokenKind::Number(_)) {
                self.unknown(first);
            }
            return;
        };
        let span = first.place.span;
        let rest = &line[2..];
        match name.as_ref() {
            "ifdef" | "ifndef" => {
                let holds = match rest.first().map(|token| &token.kind) {
                    Some(TokenKind::Name(tested)) => self.is_defined(tested) == (&**name == "ifdef"),
                    _ => {
                        if active {
                            self.needs_name(span, name);
                        }
                        false
                    }
                };
                self.open(conditionals, active, holds, span);
            }
            "if" => {
                let holds = active && self.condition(span, rest);
                self.open(conditionals, active, holds, span);
            }
            "elif" => {
                let test = conditionals.last().is_some_and(|c| c.outer && !c.taken && !c.last);
                let holds = test && self.condition(span, rest);
                self.turn(conditionals, holds, false, span, "elif");
            }
            "else" => self.turn(conditionals, true, true, span, "else"),
            "endif" => {
                if conditionals.pop().is_none() {
                    self.stray(span, "endif");
                }
            }
            _ if !active => {}
            "define" => self.define(span, rest),
            "undef" => match rest.first().map(|token| &token.kind) {
                Some(TokenKind::Name(name)) => {
                    self.macros.remove(name);
                }
                _ => self.needs_name(span, name),
            },
            "include" => self.include(file, span, rest),
            "error" | "warning" => {
                let words: Vec<String> = rest.iter().map(|token| token.kind.written()).collect();
                let message = format!("#{name}: {}", words.join(" "));
                self.diagnostics.push(if &**name == "error" {
                    Diagnostic::error(span, message)
                        .label("the model asks for this error")
                        .help("see the conditionals around it, and the definitions that they test")
                } else {
                    Diagnostic::warning(span, message).label("the model asks for this warning")
                });
            }
            "pragma" | "ident" | "line" => {}
            _ => self.unknown(first),
        }
    }

    fn unknown(&mut self, token: &Token) {
        let word = token.kind.written();
        let known = ["define", "undef", "include", "if", "ifdef", "ifndef", "elif", "else", "endif", "error"];
        let help = match super::super::check::closest(&word, known.into_iter()) {
            Some(guess) => format!("did you mean `#{guess}`?"),
            None => "a line that begins with `#` is for the preprocessor".to_string(),
        };
        let message = format!("unknown directive `#{word}`");
        self.diagnostics
            .push(Diagnostic::error(token.place.span, message).label("not a directive").help(help));
    }

    fn needs_name(&mut self, span: Span, directive: &str) {
        let message = format!("`#{directive}` needs the name of a macro");
        self.diagnostics.push(
            Diagnostic::error(span, message)
                .label("no name follows")
                .help(format!("write `#{directive} NAME`")),
        );
    }

    fn stray(&mut self, span: Span, directive: &str) {
        let message = format!("`#{directive}` without `#if`");
        self.diagnostics.push(
            Diagnostic::error(span, message).label("nothing is open here").help("remove it, or add `#if`"),
        );
    }

    fn open(&mut self, conditionals: &mut Vec<Conditional>, outer: bool, holds: bool, span: Span) {
        let active = outer && holds;
        conditionals.push(Conditional { outer, taken: active, active, last: false, span });
    }

    fn turn(
        &mut self,
        conditionals: &mut [Conditional],
        holds: bool,
        last: bool,
        span: Span,
        directive: &str,
    ) {
        match conditionals.last_mut() {
            Some(open) if !open.last => {
                open.active = open.outer && !open.taken && holds;
                open.taken |= open.active;
                open.last = last;
            }
            _ => self.stray(span, directive),
        }
    }

    fn define(&mut self, span: Span, rest: &[Token]) {
        let Some(Token { kind: TokenKind::Name(name), place, .. }) = rest.first() else {
            return self.needs_name(span, "define");
        };
        let mut body = &rest[1..];
        let (mut parameters, mut variadic) = (None, false);
        if let Some(open) = body.first()
            && open.kind == TokenKind::Mark(Mark::LeftParen)
            && !open.spaced
        {
            let Some(List { names, open_ended, length }) = parameter_list(body) else {
                self.diagnostics.push(
                    Diagnostic::error(open.place.span, format!("bad parameter list of macro `{name}`"))
                        .label("begins here")
                        .help("write names with commas between them and `)` behind the last"),
                );
                return;
            };
            (parameters, variadic) = (Some(names), open_ended);
            body = &body[length..];
        }
        let new = Macro { parameters, variadic, body: body.to_vec(), place: *place };
        if let Some(old) = self.macros.insert(name.clone(), Rc::new(new)) {
            let kinds = |tokens: &[Token]| tokens.iter().map(|t| t.kind.clone()).collect::<Vec<_>>();
            if kinds(&old.body) != kinds(body) {
                self.redefined(name, *place, old.place);
            }
        }
    }

    fn redefined(&mut self, name: &Text, new: Place, old: Place) {
        self.diagnostics.push(
            Diagnostic::warning(new.span, format!("macro `{name}` is defined again, differently"))
                .label("this definition is used from here on")
                .help(format!("write `#undef {name}` before it if this is meant"))
                .note(old.span, "first defined here"),
        );
    }

    fn include(&mut self, file: &str, span: Span, rest: &[Token]) {
        let expanded = self.expand(rest.to_vec(), 0);
        let wanted = match expanded.first().map(|token| &token.kind) {
            Some(TokenKind::String(name)) => name.to_string(),
            Some(TokenKind::Mark(Mark::Less)) => {
                let parts = expanded[1..].iter().map(|token| token.kind.written());
                parts.take_while(|part| part != ">").collect()
            }
            _ => {
                self.diagnostics.push(
                    Diagnostic::error(span, "`#include` needs the name of a file")
                        .label("no name follows")
                        .help("write `#include \"file\"`"),
                );
                return;
            }
        };
        let place = rest.first().map_or(span, |token| token.place.span);
        if self.including.len() >= INCLUDE_DEPTH || self.files >= MAXIMAL_FILES {
            self.exhausted = true;
            self.diagnostics.push(
                Diagnostic::error(place, "too many included files")
                    .label(format!("the limit is {INCLUDE_DEPTH} levels and {MAXIMAL_FILES} files"))
                    .help("does a file include itself under different names?"),
            );
            return;
        }
        match (self.options.include)(file, &wanted) {
            Err(reason) => self.diagnostics.push(
                Diagnostic::error(place, format!("can't include `{wanted}`: {reason}"))
                    .label("wanted here")
                    .help("the name is relative to the file with the `#include`"),
            ),
            Ok((name, _)) if self.including.contains(&name) => self.diagnostics.push(
                Diagnostic::error(place, format!("`{name}` includes itself"))
                    .label("already being read")
                    .help("put its text between `#ifndef NAME`, `#define NAME` and `#endif`, or remove this"),
            ),
            Ok((name, text)) => {
                let text = super::without_mark(&text);
                let number = self.sources.add(name.as_str(), text);
                self.file(number, &name, text);
            }
        }
    }
}

/// The parameters of a macro.
struct List {
    names: Vec<Text>,
    /// The last stands for all arguments from there on.
    open_ended: bool,
    /// How many tokens they take, parentheses included.
    length: usize,
}

/// The names between the parentheses that `tokens` begins with. `...` is called `__VA_ARGS__`, unless a name
/// stands right before it.
fn parameter_list(tokens: &[Token]) -> Option<List> {
    let mut names = Vec::new();
    if tokens.get(1)?.kind == TokenKind::Mark(Mark::RightParen) {
        return Some(List { names, open_ended: false, length: 2 });
    }
    let mut at = 1;
    loop {
        let mut open_ended = false;
        match &tokens.get(at)?.kind {
            TokenKind::Name(name) => names.push(name.clone()),
            TokenKind::Mark(Mark::Ellipsis) => {
                names.push("__VA_ARGS__".into());
                open_ended = true;
            }
            _ => return None,
        }
        at += 1;
        if !open_ended && tokens.get(at)?.kind == TokenKind::Mark(Mark::Ellipsis) {
            open_ended = true;
            at += 1;
        }
        match tokens.get(at)?.kind {
            TokenKind::Mark(Mark::Comma) if !open_ended => at += 1,
            TokenKind::Mark(Mark::RightParen) => return Some(List { names, open_ended, length: at + 1 }),
            _ => return None,
        }
    }
}
