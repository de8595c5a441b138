//! States with their sections `E:`, `X:`, `IA:` and `NS:`.

use super::{DEEPEST, Parser, Read};
use crate::vfsm::ast::{Condition, Name, State, StateName};
use crate::vfsm::lex::Kind;
use mazurka_model::source::Span;

impl Parser<'_> {
    pub(super) fn state(&mut self) -> Read<State> {
        let mut state = State::default();
        if self.word() == "state" && self.ahead(1).kind == Kind::Word {
            self.next();
        }
        state.name = self.name("the name of a state")?;
        if self.take("[") {
            let index = self.name("the index of a family of states")?;
            if !self.take_word("in") {
                return self.fail("`in`");
            }
            let first = self.number()?;
            self.expect("..")?;
            let last = self.number()?;
            self.expect("]")?;
            state.family = Some((index, first, last));
        }
        while !self.is("{") {
            match self.word() {
                "initial" => state.initial = true,
                "end" => state.end = true,
                "progress" => state.progress = true,
                _ => return self.fail("`{`, `initial`, `end` or `progress`"),
            }
            self.next();
        }
        self.block(|parser| parser.section(&mut state))?;
        Ok(state)
    }

    pub(super) fn section(&mut self, state: &mut State) -> Read<()> {
        let label = self.word().to_owned();
        if !["E", "X", "IA", "NS", "F", "D", "A"].contains(&label.as_str())
            || !matches!(self.ahead(1).kind, Kind::Mark(":"))
        {
            return self.fail("a section `E:`, `X:`, `IA:`, `NS:`, `F:`, `D:` or `A:`");
        }
        self.next();
        self.next();
        match label.as_str() {
            "E" => self.outputs(&mut state.entry),
            "X" => self.outputs(&mut state.exit),
            "D" if self.take("*") => {
                state.defers_all = true;
                self.expect(";")
            }
            "D" => {
                state.deferred.extend(self.names("an input")?);
                self.expect(";")
            }
            _ => {
                // Entries follow one another until another section begins.
                while !self.is("}") && !matches!(self.ahead(1).kind, Kind::Mark(":")) {
                    if self.peek().kind == Kind::End {
                        return self.fail("`}`");
                    }
                    let before = self.at;
                    if self.entry(&label, state).is_err() {
                        self.recover();
                    }
                    if self.at == before {
                        return Ok(());
                    }
                }
                Ok(())
            }
        }
    }

    pub(super) fn outputs(&mut self, list: &mut Vec<Name>) -> Read<()> {
        list.extend(self.names("an output")?);
        self.expect(";")
    }

    pub(super) fn entry(&mut self, label: &str, state: &mut State) -> Read<()> {
        let start = self.peek().span;
        self.depth = 0;
        let free = label == "F" && {
            // Events without a condition.
            let mut ahead = 0;
            while self.ahead(ahead).kind == Kind::Word
                && matches!(self.ahead(ahead + 1).kind, Kind::Mark(","))
            {
                ahead += 2;
            }
            self.ahead(ahead).kind == Kind::Word && matches!(self.ahead(ahead + 1).kind, Kind::Mark(";"))
        };
        let condition = if free { Condition::Always } else { self.condition()? };
        match label {
            "IA" => {
                self.expect("?")?;
                let outputs = self.names("an output")?;
                let span = self.since(start);
                state.actions.push((condition, outputs, span));
            }
            "F" => {
                if !free {
                    self.expect("?")?;
                }
                let events = self.names("an event")?;
                let span = self.since(start);
                state.spontaneous.push((condition, events, span));
            }
            "NS" => {
                self.expect(">")?;
                let target = self.state_name()?;
                let span = self.since(start);
                state.next.push((condition, target, span));
            }
            _ => {
                let span = self.since(start);
                state.assertions.push((condition, span));
            }
        }
        self.expect(";")
    }

    /// From `start` to the token before the present one.
    pub(super) fn since(&self, start: Span) -> Span {
        let end = self.tokens[self.at.saturating_sub(1)].span.end;
        Span { end: end.max(start.end), ..start }
    }

    pub(super) fn state_name(&mut self) -> Read<StateName> {
        let name = self.name("a state")?;
        let mut index = None;
        let mut otherwise = None;
        if self.take("[") {
            index = Some(self.number()?);
            self.expect("]")?;
            if self.take_word("else") {
                self.depth += 1;
                if self.depth > DEEPEST {
                    return self.fail("something less deeply nested");
                }
                otherwise = Some(Box::new(self.state_name()?));
                self.depth -= 1;
            }
        }
        Ok(StateName { name, index, otherwise })
    }
}
