//! The second pass: transitions.

use super::{Parser, Read};
use crate::ir::{Effect, LocationId, Transition};

impl Parser {
    /// Reads all transitions that the first pass found.
    pub(super) fn transitions(&mut self) {
        for body in std::mem::take(&mut self.bodies) {
            self.process = Some(body.process);
            for at in body.prologue {
                self.next = at;
                let span = self.span();
                match self.effect() {
                    Ok(Effect::Assign { target, value }) => {
                        self.program.types[body.process].prologue.push((target, value));
                    }
                    Ok(_) => {
                        let _: Read<()> = self.error(span, "`initially` needs an assignment");
                    }
                    Err(_) => {}
                }
            }
            for at in body.transitions {
                self.next = at;
                if let Ok(mut transition) = self.transition() {
                    let to = &self.program.types[body.process].locations[transition.to.index()].name;
                    transition.atomic |= body.atomic.contains(to);
                    self.program.types[body.process].transitions.push(transition);
                }
            }
        }
    }

    fn transition(&mut self) -> Read<Transition> {
        let start = self.span();
        let from = self.location_named()?;
        self.sign("->")?;
        let to = self.location_named()?;
        let mut transition = Transition { from, to, ..Transition::default() };
        loop {
            if self.take_word("otherwise") {
                transition.otherwise = true;
            } else if self.take_word("holding") {
                transition.atomic = true;
            } else if self.take_word("in_group") {
                transition.group = self.number("a group's number", u32::MAX.into())? as u32;
            } else if self.take_word("escaping") {
                transition.escape = self.number("an escape's number", u32::MAX.into())? as u32;
            } else if self.take_word("when") {
                transition.guard.extend(self.comma_separated(|p| p.expression())?);
            } else {
                break;
            }
        }
        if self.take_word("do") {
            transition.effects.push(self.effect()?);
            while self.take_sign(";") && !self.at_item() {
                transition.effects.push(self.effect()?);
            }
        }
        transition.span = self.since(start);
        if self.at_item() {
            Ok(transition)
        } else {
            self.expected("`when`, `do`, `;` or the next transition")
        }
    }

    fn location_named(&mut self) -> Read<LocationId> {
        let (name, span) = self.name("a location's name")?;
        let locations = &self.program.types[self.process.unwrap_or(0)].locations;
        if let Some(index) = locations.iter().position(|l| l.name == name) {
            return Ok(LocationId(index as u32));
        }
        let known: Vec<String> = locations.iter().map(|l| l.name.clone()).collect();
        self.unknown(span, "the location", &name, known.iter().map(String::as_str))
    }
}
