//! Items: what stands at the outermost level.

use super::super::ast::{Active, Init, Item, Never, Proctype, Trace};
use super::super::token::{Mark, Place, TokenKind};
use super::cursor::Parser;
use super::declaration::Declared;
use super::words::{begins_declaration, begins_item, is_embedded_c};
use super::{Failed, Parse};
use mazurka_model::source::Diagnostic;

impl Parser {
    /// All items. `ltl` blocks are read last, as in SPIN: they may name what is declared behind them.
    pub(super) fn items(&mut self) -> Vec<Item> {
        let mut items: Vec<Option<Item>> = Vec::new();
        let mut formulas: Vec<(usize, usize)> = Vec::new();
        loop {
            self.parentheses = 0;
            self.in_body = false;
            self.operators = 0;
            while self.is_separator() {
                self.advance();
            }
            if self.is_end() || self.gave_up() {
                break;
            }
            if self.is_word("ltl") {
                formulas.push((items.len(), self.at));
                items.push(None);
                self.advance();
                self.skip_item();
                continue;
            }
            let start = self.at;
            match self.item() {
                Ok(item) => items.extend(item.map(Some)),
                Err(Failed) => {
                    if self.at == start {
                        self.implied = false;
                        self.advance();
                    }
                    self.skip_item();
                }
            }
        }
        for (index, at) in formulas {
            if self.gave_up() {
                break;
            }
            self.at = at;
            self.implied = false;
            self.parentheses = 0;
            items[index] = self.ltl().ok().map(Item::Ltl);
        }
        items.into_iter().flatten().collect()
    }

    /// Goes to where the next item may begin.
    fn skip_item(&mut self) {
        let mut depth = 0_usize;
        while !self.is_end() {
            match &self.token().kind {
                TokenKind::Name(word) if begins_item(word) => return,
                TokenKind::Name(word)
                    if depth == 0 && self.token().starts_line && begins_declaration(word) =>
                {
                    return;
                }
                TokenKind::Mark(Mark::LeftBrace) => depth += 1,
                TokenKind::Mark(Mark::RightBrace) => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        self.implied = false;
                        self.advance();
                        return;
                    }
                }
                _ => {}
            }
            self.implied = false;
            self.advance();
        }
    }

    fn item(&mut self) -> Parse<Option<Item>> {
        let first = self.place();
        let Some(word) = self.word().cloned() else {
            return Err(self.unexpected("expected a declaration or a proctype", None));
        };
        if is_embedded_c(&word) {
            self.embedded_c();
            return Ok(None);
        }
        let item = match word.as_ref() {
            "active" | "proctype" | "D_proctype" => Item::Proctype(Box::new(self.proctype(first)?)),
            "init" => {
                self.advance();
                let priority = self.priority()?;
                let body = self.body()?;
                Item::Init(Init { priority, body, place: self.since(first) })
            }
            "never" => {
                self.advance();
                let name = if self.is(Mark::LeftBrace) { None } else { Some(self.name("a name or `{`")?) };
                let body = self.body()?;
                Item::Never(Never { name, body, place: self.since(first) })
            }
            "trace" | "notrace" => {
                self.advance();
                let body = self.body()?;
                Item::Trace(Trace { negated: &*word == "notrace", body, place: self.since(first) })
            }
            "typedef" => Item::Typedef(self.typedef()?),
            "inline" => {
                self.inline_definition()?;
                return Ok(None);
            }
            _ if self.at_declaration() => {
                self.initialising = true;
                match self.declaration()? {
                    Declared::Variables(declaration) => Item::Declaration(declaration),
                    Declared::Mtype(values) => Item::Mtype(values),
                }
            }
            _ if matches!(self.ahead(1), TokenKind::Name(_)) => return Err(self.unknown_type(first)),
            _ => {
                let help = "statements stand in the body of a proctype or of init";
                return Err(self.unexpected("expected a declaration or a proctype", Some(help)));
            }
        };
        Ok(Some(item))
    }

    fn unknown_type(&mut self, place: Place) -> Failed {
        let word = self.token().kind.written();
        let known = self.types.iter().map(|name| name.as_ref());
        let words =
            ["proctype", "mtype", "byte", "int", "short", "bool", "chan", "typedef", "inline", "active"];
        let guess = super::super::check::closest(&word, known.chain(words));
        let mut diagnostic =
            Diagnostic::error(place.span, format!("`{word}` is not a type")).label("expected a type");
        diagnostic.help = Some(match guess {
            Some(guess) => format!("did you mean `{guess}`?"),
            None => format!("declare it before: `typedef {word} {{ … }}`"),
        });
        self.report(diagnostic, place);
        Failed
    }

    fn proctype(&mut self, first: Place) -> Parse<Proctype> {
        let mut active = None;
        if self.accept_word("active") {
            let mut count = None;
            if self.accept(Mark::LeftBracket) {
                count = Some(self.expression()?);
                self.expect(Mark::RightBracket, "behind the number of processes")?;
            }
            active = Some(Active { count });
        }
        let deterministic = self.is_word("D_proctype");
        if !deterministic && !self.is_word("proctype") {
            return Err(self.unexpected("expected `proctype`", None));
        }
        self.advance();
        let name = self.name("the name of the proctype")?;
        self.proctypes.insert(name.text.clone());
        self.expect(Mark::LeftParen, "before the parameters")?;
        let parameters = self.declarations(Mark::RightParen)?;
        self.expect(Mark::RightParen, "behind the parameters")?;
        let priority = self.priority()?;
        let mut provided = None;
        if self.accept_word("provided") {
            self.expect(Mark::LeftParen, "behind `provided`")?;
            provided = Some(self.expression()?);
            self.expect(Mark::RightParen, "behind the condition")?;
        }
        let body = self.body()?;
        let place = self.since(first);
        Ok(Proctype { name, deterministic, active, parameters, priority, provided, body, place })
    }
}
